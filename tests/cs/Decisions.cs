using System;
using System.Collections.Generic;
using System.Linq;
using Playmat;

/// <summary>Prints the actions of episodes that agents play, a line for each.</summary>
internal static class Decisions
{
    internal static void Run(string name, ulong episodes, IEnumerable<string> specs)
    {
        using (Game game = Game.Create(name, ""))
        {
            var agents = new List<Agent>();
            var likeliest = new List<bool>();
            foreach (string spec in specs)
            {
                agents.Add(game.CreateAgent(spec));
                likeliest.Add(spec.EndsWith(".onnx") && !spec.StartsWith("mcts:"));
                if (likeliest[likeliest.Count - 1])
                    InBatch(game, agents[agents.Count - 1]);
            }
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
                        int of = (int)((seed + (ulong)player) % (ulong)agents.Count);
                        // Before the choice: a network may read the greedy agent's action, which draws.
                        Evaluation found = likeliest[of] ? agents[of].Evaluate(env, player) : null;
                        long action = agents[of].Act(env, player);
                        if (found != null)
                        {
                            Check.True(found.Policy[action] == found.Policy.Max() && Math.Abs(found.Policy.Sum() - 1) < 0.001);
                            Check.True(found.Policy.Length == game.Info.NumActions && found.Value.Length == 1);
                        }
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

    /// <summary>The policies of all rows of a batch: the likeliest actions are chosen.</summary>
    private static void InBatch(Game game, Agent agent)
    {
        using (VecEnv venv = game.CreateVecEnv(5))
        {
            venv.Reset(1, venv.CreateBatch());
            var actions = new long[5];
            Evaluation found = agent.EvaluateBatch(venv);
            agent.ActBatch(venv, actions);
            for (int row = 0; row < 5; row++)
            {
                float[] policy = Check.Part(found.Policy, row * venv.Sizes.NumActions, venv.Sizes.NumActions);
                Check.True(policy[actions[row]] == policy.Max() && Math.Abs(policy.Sum() - 1) < 0.001);
            }
            Check.Equal(found.Value.Length, 5);
        }
    }
}
