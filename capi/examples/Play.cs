// A whole game in the terminal: you, or with --agents the machine alone, against an agent; without its spec, against the greedy agent.
//
//   mcs -unsafe -target:library -out:Playmat.dll -recurse:'PREFIX/share/playmat/csharp/Runtime/*.cs'
//   mcs -r:Playmat.dll Play.cs
//   LD_LIBRARY_PATH=PREFIX/lib mono Play.exe connect_four mcts:200         you are player 0; actions are typed as their texts or numbers
//   LD_LIBRARY_PATH=PREFIX/lib mono Play.exe graphia --agents policy.onnx  agents play all players
//
// It shows how a host draws: from the JSON of a position as one player may see it, and from the changes that each event tells.
using System;
using System.Collections.Generic;
using System.Linq;
using Playmat;

internal static class Play
{
    private static int Main(string[] args)
    {
        try
        {
            bool agentsOnly = args.Length > 1 && args[1] == "--agents";
            Run(args.Length > 0 ? args[0] : "connect_four", agentsOnly, args.Skip(agentsOnly ? 2 : 1).FirstOrDefault() ?? "greedy");
            return 0;
        }
        catch (PlaymatException refused)
        {
            // Whatever was refused, the library says why. A game would show this instead of ending.
            Console.Error.WriteLine(refused.Name + ": " + refused.Message);
            return 1;
        }
    }

    private static void Run(string name, bool agentsOnly, string spec)
    {
        using (Game game = Game.Create(name))
        using (Agent agent = game.CreateAgent(spec))
        using (Env env = game.CreateEnv(7))
        {
            Console.WriteLine("{0}, version {1}, {2} players, agent {3}", game.Info.Name, game.Info.Version, game.Info.NumPlayers, spec);

            // A person sees what player 0 may know; if agents play alone, everything is shown.
            int viewer = agentsOnly ? Viewer.All : 0;
            Tell(env, viewer);
            Draw(env, viewer);
            while (!env.Done)
            {
                int player = env.CurrentPlayer;
                bool person = player == 0 && !agentsOnly;
                long action = person ? Ask(env, player) : agent.Act(env, player);
                if (action < 0)
                    break;
                // What another player chooses in secret is not printed: the person learns of it from the events.
                uint acting = env.Episode.Acting;
                bool open = (acting & (acting - 1)) == 0 && !game.Info.Hidden;
                if (player == 0 || agentsOnly || open)
                    Console.WriteLine("player {0}: {1}", player, env.ActionText(action, player));
                env.Step(action);
                Tell(env, viewer);
                if (!agentsOnly && env.CurrentPlayer == 0)
                    Draw(env, viewer);
            }
            Draw(env, viewer);
            int[] scores = env.Scores();
            float[] returns = env.Returns();
            for (int player = 0; player < scores.Length; player++)
                Console.WriteLine("player {0}: score {1}, return {2:0.00}", player, scores[player], returns[player]);
        }
    }

    // A terminal draws the text; a scene of your own is built from the state, which has every piece by name. Neither holds
    // anything that the viewer may not know.
    private static void Draw(Env env, int viewer)
    {
        string json = env.ToJson(viewer);
        Console.WriteLine("\n{0}\nstatus: {1}", env.DrawText(viewer), Get(json, "status"));
        List<string> state = Parts(Get(json, "state"));
        for (int i = 0; i < state.Count; i += 2)
            Console.WriteLine("  state {0}: {1}", state[i], Cut(state[i + 1]));
    }

    // What the last step changed, or before the first step what the deal did: a host moves what lies at each path, one event after the other.
    private static void Tell(Env env, int viewer)
    {
        foreach (string happened in Parts(env.Events(viewer)))
        {
            string player = Get(happened, "player"); // absent if it is not about one
            Console.WriteLine("  event {0}{1}", Get(happened, "event"), player == null ? "" : " of player " + player);
            foreach (string change in Parts(Get(happened, "changes"))) // "remove" has no value
                Console.WriteLine("    {0} {1} {2}", Get(change, "op"), Get(change, "path"), Cut(Get(change, "value") ?? ""));
        }
    }

    private static string Cut(string text)
    {
        return text.Length > 72 ? text.Substring(0, 72) + "..." : text;
    }

    // Just enough to read what the library writes, which is JSON without white space; with a JSON library at hand, use that.
    // The elements of an array; of an object its keys and values in turn.
    private static List<string> Parts(string json)
    {
        var found = new List<string>();
        int start = 1, depth = 0;
        for (int at = 1; json.Length > 2 && at < json.Length; at++)
        {
            if (json[at] == '"')
                while (json[++at] != '"')
                    at += json[at] == '\\' ? 1 : 0;
            else if (depth == 0 && ",:]}".IndexOf(json[at]) >= 0)
            {
                found.Add(json.Substring(start, at - start));
                start = at + 1;
            }
            else
                depth += "[{".IndexOf(json[at]) >= 0 ? 1 : "]}".IndexOf(json[at]) >= 0 ? -1 : 0;
        }
        return found;
    }

    // The value of a key of an object, null if it has no such key.
    private static string Get(string json, string key)
    {
        List<string> parts = Parts(json);
        for (int i = 0; i < parts.Count; i += 2)
            if (parts[i] == '"' + key + '"')
                return parts[i + 1];
        return null;
    }

    // Asks until a legal action was typed; -1 at the end of the input.
    private static long Ask(Env env, int player)
    {
        long[] legal = env.LegalActions(player);
        string[] names = legal.Take(12).Select(action => "[" + action + "] " + env.ActionText(action, player)).ToArray();
        Console.WriteLine("{0} legal actions: {1}{2}", legal.Length, string.Join(" ", names), legal.Length > 12 ? " ..." : "");
        for (;;)
        {
            Console.Write("player {0}> ", player);
            string line = Console.ReadLine();
            if (line == null)
                return -1;
            long action;
            // No exception for a slip of the keyboard: the status says that it was one, the library in which way.
            if (!long.TryParse(line, out action) && env.TryParseAction(line, out action, player) != Status.Ok)
                Console.WriteLine(Library.LastMessage);
            else if (Array.IndexOf(legal, action) >= 0)
                return action;
            else
                Console.WriteLine("{0} is not legal now", action);
        }
    }
}
