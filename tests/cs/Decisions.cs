using System;
using System.Collections.Generic;
using Playmat;

/// <summary>Prints the actions of episodes that agents play, a line for each.</summary>
internal static class Decisions
{
    internal static void Run(string name, ulong episodes, IEnumerable<string> specs)
    {
        using (Game game = Game.Create(name, ""))
        {
            var agents = new List<Agent>();
            foreach (string spec in specs)
                agents.Add(game.CreateAgent(spec));
            for (ulong seed = 0; seed < episodes; seed++)
            {
                var actions = new List<long>();
                using (Env env = game.CreateEnv(seed))
                {
                    for (;;)
                    {
                        int player = env.Episode.CurrentPlayer;
                        if (player < 0)
                            break;
                        long action = agents[(int)((seed + (ulong)player) % (ulong)agents.Count)].Act(env, player);
                        actions.Add(action);
                        env.Step(action);
                    }
                }
                Console.WriteLine(string.Join(" ", actions));
            }
            foreach (Agent agent in agents)
                agent.Dispose();
        }
    }
}
