using System;
using System.Linq;
using Playmat;

/// <summary>A whole game through everything that a single environment can do.</summary>
internal static class Walk
{
    /// <summary>Legal actions that were explained.</summary>
    private static int helps;

    private static void SearchAndStep(Agent search, Env env)
    {
        int player = env.CurrentPlayer;
        long action = search.Act(env, player);
        SearchStatistics found = search.Statistics(env);
        Check.Equal(found.Action, action);
        Check.Equal(found.Player, player);
        Check.Equal(found.Simulations, found.Actions.Length > 1 ? 9L : 0L);
        Check.True(found.Nodes > 0 || found.Simulations == 0);
        long sum = 0, most = 0;
        float priors = 0, value = 0;
        for (int i = 0; i < found.Actions.Length; i++)
        {
            sum += found.Visits[i];
            most = Math.Max(most, found.Visits[i]);
            priors += found.Prior[i];
            value += found.Visits[i] * found.MeanReturn[i];
        }
        Check.Equal(sum, found.Simulations + found.KeptVisits);
        Check.Equal((long)found.Visits[Array.IndexOf(found.Actions, action)], most);
        Check.True(Math.Abs(priors - 1) < 0.001 && Math.Abs(found.Value - value / Math.Max(1, sum)) < 0.001 * Math.Max(1, Math.Abs(value)));
        env.Step(action);
        Check.Equal(search.Statistics(env, player).Value, found.Value);
    }

    internal static void Run(string name, string options)
    {
        using (Game game = Game.Create(name, options))
        using (Agent greedy = game.CreateAgent("greedy"))
        using (Agent random = game.CreateAgent("random"))
        using (Agent search = game.CreateAgent("mcts:9,c=1.50,threads=2"))
        {
            CheckGame(game, name);
            InformationStates();
            Check.Equal(greedy.Name, "greedy");
            Check.Equal(search.Name, "mcts:9,threads=2");
            Env env = game.CreateEnv(3);
            int players = game.Info.NumPlayers;
            var actions = new long[players];
            for (int episode = 0; episode < 2; episode++)
            {
                Env joint = env.Clone();
                for (int moves = 0; !env.Done; moves++)
                {
                    if (moves % 8 == 0)
                    {
                        CheckEnv(env);
                        CopiesOf(game, env);
                    }
                    if (moves == 4)
                    {
                        // Something that began in the middle: its replay holds the state that it began with.
                        using (Env clone = env.Clone(8))
                        {
                            clone.Step(clone.SampleAction());
                            Check.True(clone.Start().Length > 0);
                            ReplayOf(game, clone);
                            if (!clone.Done)
                                SearchAndStep(search, clone);
                        }
                    }
                    // Everybody who acts chooses; one environment gets the actions one by one, the other all at once.
                    Episode now = env.Episode;
                    for (int player = 0; player < players; player++)
                        if (now.Acts(player))
                            actions[player] = (player % 2 == 0 ? greedy : random).Act(env, player);
                    joint.StepJoint(actions);
                    for (int player = 0; player < players; player++)
                        if (now.Acts(player))
                            env.Step(player, actions[player]);
                    Check.Equal(joint.CurrentPlayer, env.CurrentPlayer);
                }
                Check.Equal(joint.ToJson(), env.ToJson());
                joint.Dispose();
                CheckEnv(env);
                CopiesOf(game, env);
                ReplayOf(game, env);
                Picture picture = env.DrawRgb(0, 64);
                Check.True(picture.Width == 64 && picture.Height > 0 && picture.Pixels.Length == 3 * 64 * picture.Height);
                Check.Same(Check.Part(env.DrawPng(0, 64), 1, 3), new[] { (byte)'P', (byte)'N', (byte)'G' });
                foreach (float paid in env.Returns())
                    Check.True(paid >= game.Info.MinReturn && paid <= game.Info.MaxReturn);
                Check.True(env.Scores().Length == players && env.Rewards().Length == players);
                Check.Refused(Status.EpisodeOver, () => env.Step(0));
                Check.Equal(env.TryStep(0), Status.EpisodeOver);
                Check.True(Library.LastMessage.Contains("over"));
                env.Reset();
            }
            env.Reset(3);
            Check.True(env.Episode.Seed == 3 && env.Episode.Decisions == 0 && env.Episode.Status == EpisodeStatus.Running);
            using (Game of = env.Game())
            {
                game.Dispose();
                Check.Equal(of.Info.NumActions, env.Info.NumActions);
            }
            env.Step(env.SampleAction());
            env.Dispose();
            env.Dispose();
            // Graft explains its actions, Connect Four does not.
            Check.True((helps > 0 || name != "graft") && (helps == 0 || name != "connect_four"));
        }
    }

    private static void CheckGame(Game game, string name)
    {
        GameInfo info = game.Info;
        Check.True(Library.Games.Contains(name) && Library.Version.Contains(".") && Library.VersionNumber >= 1000 && Library.StatusName(Status.Order) == "order");
        Check.True(info.Name == name && info.Version > 0 && info.MinPlayers <= info.NumPlayers && info.NumPlayers <= info.MaxPlayers);
        Check.True(info.MaxDecisions > 0 && info.StateSize > 0 && info.MaxSteps == 0);
        Check.True(game.Describe().Contains("\"" + name + "\""));
        int at = 0;
        foreach (Segment segment in game.Segments)
        {
            Check.True(segment.Offset == at && segment.Name.Length > 0 && segment.Scale > 0 && segment.Bias >= 0);
            Check.Equal(segment.Shape.Aggregate(1, (product, axis) => product * axis), segment.Length);
            at += segment.Length;
        }
        Check.Equal(at, info.ObservationSize);
        at = 0;
        foreach (ActionRange range in game.ActionRanges)
        {
            Check.True(range.Start == at && range.Name.Length > 0);
            Check.Equal(range.Shape.Aggregate(1, (product, axis) => product * axis), range.Length);
            at += range.Length;
        }
        Check.Equal(at, info.NumActions);
        Check.Equal(game.ParseAction(game.ActionText(1)), 1L);
        Check.True(game.Survey(2, 1, "random").Contains("\"episodes\":2"));
        double scale = game.RewardScale(20);
        Check.True(scale > 0 && scale == game.RewardScale(20, 0, false) && game.RewardScale(20, 0, true) > 0);
        Check.True(game.Conformance(1, 1, "C1,T1").Contains("\"passed\":true"));
        Check.Equal(game.Conformance(only: "T1"), game.Conformance(1, 0, "T1"));
        Game same;
        Check.Equal(Game.TryCreate(name, "reward = 'score'\nmax_steps = 5", "", out same), Status.Ok);
        Check.True(same.Info.Reward == Reward.Score && same.Info.MaxSteps == 5);
        same.Dispose();
    }

    private static void CheckEnv(Env env)
    {
        int actions = env.Info.NumActions, size = env.Info.ObservationSize;
        var mask = new byte[actions];
        var bytes = new byte[size];
        var floats = new float[size];
        using (Game game = env.Game())
        {
            for (int player = 0; player < env.Info.NumPlayers; player++)
            {
                env.ActionMask(mask, player);
                long[] legal = env.LegalActions(player);
                Check.Equal(legal.Length, mask.Count(bit => bit == 1));
                Check.True(legal.All(action => mask[action] == 1) && (legal.Length > 0) == env.Episode.Acts(player));
                if (legal.Length > 0)
                    Check.Equal(env.ParseAction(env.ActionText(legal[0], player), player), legal[0]);
                helps += legal.Count(action => env.ActionHelp(action, player).Length > 0);
                int illegal = Array.IndexOf(mask, (byte)0);
                Check.True(illegal < 0 || env.ActionHelp(illegal, player).Length == 0);
                env.Observation(bytes, player);
                env.Observation(floats, player);
                foreach (Segment segment in game.Segments)
                    for (int i = segment.Offset; i < segment.Offset + segment.Length; i++)
                        Check.Equal(floats[i], (float)(bytes[i] - segment.Bias) / segment.Scale);
                var converted = new float[2 * size];
                game.ToFloats(bytes.Concat(bytes).ToArray(), converted);
                Check.Same(Check.Part(converted, size, size), floats);
                // A part of a larger array, the rest of which stays as it is.
                var larger = new byte[size + 2];
                larger[0] = larger[size + 1] = 0xA5;
                env.Observation(larger.AsSpan(1, size), player);
                Check.True(larger[0] == 0xA5 && larger[size + 1] == 0xA5);
                Check.Same(Check.Part(larger, 1, size), bytes);
                Check.True(env.ToJson(player).Contains("\"state\"") && env.Events(player).StartsWith("["));
                Check.True(env.DrawText(player).Length > 0 && env.DrawSvg(player).StartsWith("<svg"));
            }
        }
        Check.Equal(env.Validate(), "[]");
    }

    private static void CopiesOf(Game game, Env env)
    {
        using (Env copy = env.Clone())
        {
            Check.Equal(copy.ToJson(), env.ToJson());
            byte[] seen = new byte[env.Info.ObservationSize], mask = new byte[env.Info.NumActions], wanted = (byte[])seen.Clone();
            if (!copy.Done)
            {
                int next = copy.StepInto(copy.SampleAction(), seen, mask);
                Check.Equal(next, copy.CurrentPlayer);
                copy.Observation(wanted);
                Check.Same(seen, wanted);
                Check.Equal(mask.Count(bit => bit == 1), next < 0 ? 0 : copy.LegalActions().Length);
            }
            Check.Equal(copy.TryStepInto(-1, seen, null, out int nobody), copy.Done ? Status.EpisodeOver : Status.IllegalAction);
        }
        byte[] saved = env.Save();
        using (Env copy = game.LoadEnv(saved))
            Check.Equal(copy.ToJson(), env.ToJson());
        saved[saved.Length / 2] ^= 1;
        Check.Refused(Status.Unreadable, () => game.LoadEnv(saved));
        Env none;
        Check.Equal(game.TryLoadEnv(saved, out none), Status.Unreadable);
        Check.True(none == null);
        using (Env copy = game.EnvFromJson(env.ToJson()))
            Check.Equal(copy.ToJson(), env.ToJson());
        using (Env clone = env.Clone(99))
            Check.Equal(clone.CurrentPlayer, env.CurrentPlayer);
        int player = Math.Max(env.CurrentPlayer, 0);
        using (Env guess = env.SampleHidden(player, 5))
            Check.Equal(State(guess.ToJson(player)), State(env.ToJson(player)));
    }

    // The keys of information states are those of all other languages.
    private static void InformationStates()
    {
        using (Game game = Game.Create("kuhn_poker"))
        using (Env env = game.CreateEnv(0))
        {
            ulong low, high;
            env.InformationStateKey(out low, out high, 1);
            Check.Equal(low, 0x06d4e761487709d4UL);
            Check.Equal(high, 0x790e53ec9f1202b4UL);
            env.Step(1);
            env.InformationStateKey(out low, out high);
            Check.Equal(low, 0x15416fabcd306f4cUL);
            Check.Equal(high, 0x4877d99e0ffe27b6UL);
            Check.True(env.InformationState(1).Contains("0x4877d99e0ffe27b615416fabcd306f4c"));
            Check.Refused(Status.InvalidPlayer, () => env.InformationState(2));
        }
    }

    private static string State(string json)
    {
        return json.Substring(json.IndexOf("\"state\"", StringComparison.Ordinal));
    }

    private static string AllButEpisode(Env env)
    {
        string json = env.ToJson();
        return json.Substring(json.IndexOf("\"generator\"", StringComparison.Ordinal));
    }

    private static void ReplayOf(Game game, Env env)
    {
        string replay = env.Replay();
        int length = Game.ReplayLength(replay);
        Decision[] history = env.History();
        Check.Equal(length, env.Episode.HistoryLength);
        Check.Equal(length, history.Length);
        byte[] saved = env.Save(), start = env.Start();
        using (Env loaded = game.LoadEnv(saved, start, history))
        {
            Check.Equal(loaded.Replay(), replay);
            Check.Equal(loaded.Events(), env.Events());
        }
        if (length > 0)
            Check.Refused(Status.InvalidArgument, () => game.LoadEnv(saved, start, Check.Part(history, 0, length - 1)));
        using (Game built = Game.FromReplay(replay))
        using (Env again = built.EnvFromReplay(replay))
        using (Env half = built.EnvFromReplay(replay, length / 2))
        {
            Check.Equal(built.Info.Version, game.Info.Version);
            Check.Equal(AllButEpisode(again), AllButEpisode(env));
            for (int i = length / 2; i < length; i++)
                half.Step(history[i].Player, history[i].Action);
            Check.Equal(AllButEpisode(half), AllButEpisode(env));
        }
    }
}
