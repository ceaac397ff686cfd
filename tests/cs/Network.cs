using System;
using Playmat;

/// <summary>Prints the actions of episodes that agents with a trained network play, a line for each.</summary>
internal static class Network
{
    internal static void Run(string file, ulong episodes)
    {
        using (Game game = Game.Create("tic_tac_toe", ""))
        using (Agent best = game.CreateAgent(file))
        using (Agent drawn = game.CreateAgent(file + ",temperature=1"))
        using (Agent search = game.CreateAgent("mcts:16,policy=" + file))
        {
            var agents = new[] { best, drawn, search };
            for (ulong seed = 0; seed < episodes; seed++)
            {
                using (Env env = game.CreateEnv(seed))
                {
                    for (;;)
                    {
                        int player = env.Episode.CurrentPlayer;
                        if (player < 0)
                            break;
                        long action = agents[(seed + (ulong)player) % 3].Act(env, player);
                        Console.Write(action);
                        env.Step(action);
                    }
                }
                Console.WriteLine();
            }
        }
    }
}
