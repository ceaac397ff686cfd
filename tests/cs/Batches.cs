using System;
using System.Linq;
using Playmat;

/// <summary>A batch plays what single environments play, row by row; saves, rollouts, opponents and asynchronous steps on the way.</summary>
internal static class Batches
{
    private const int N = 5;

    internal static void Run(string name, string options, string view)
    {
        Advantages();
        bool joint = view == "joint";
        string config = "{\"view\": \"" + view + "\", \"threads\": 2}";
        using (Game game = Game.Create(name, options))
        using (VecEnv venv = game.CreateVecEnv(N, config), other = game.CreateVecEnv(N, config))
        {
            Sizes sizes = venv.Sizes;
            Check.True(sizes.NumEnvs == N && sizes.ActionsPerEnv == (joint ? sizes.NumPlayers : 1) && sizes.NumActions == game.Info.NumActions);
            Check.True(venv.Describe().Contains("\"view\":\"" + view + "\""));
            using (Game of = venv.Game())
                Check.Equal(of.Info.Name, name);
            Batch batch = venv.CreateBatch(), second = other.CreateBatch();
            RowByRow(game, venv, batch, joint);
            GoOnAlike(game, venv, other, batch, second);
            Resets(game, venv, other, batch, second);
            Opponents(game);
        }
    }

    /// <summary>Whether a row shows what a single environment shows.</summary>
    private static void SameRow(Batch batch, Sizes sizes, int row, Env env, bool joint)
    {
        Episode now = env.Episode;
        Check.Equal(batch.Player[row], now.CurrentPlayer);
        var observation = new byte[sizes.ObservationSize];
        var mask = new byte[sizes.NumActions];
        for (int i = 0; i < sizes.ActionsPerEnv; i++)
        {
            int player = joint ? i : now.CurrentPlayer, at = row * sizes.ActionsPerEnv + i;
            env.Observation(observation, player);
            env.ActionMask(mask, player);
            Check.Same(Check.Part(batch.Obs, at * sizes.ObservationSize, sizes.ObservationSize), observation);
            Check.Same(Check.Part(batch.ActionMask, at * sizes.NumActions, sizes.NumActions), mask);
        }
        for (int player = 0; player < sizes.NumPlayers; player++)
            Check.Equal(batch.Acting[row * sizes.NumPlayers + player] == 1, joint ? now.Acts(player) : player == now.CurrentPlayer);
    }

    private static void RowByRow(Game game, VecEnv venv, Batch batch, bool joint)
    {
        Sizes sizes = venv.Sizes;
        venv.Reset(11, batch);
        Env[] single = batch.EpisodeSeed.Select(seed => game.CreateEnv(seed)).ToArray();
        var actions = new long[N * sizes.ActionsPerEnv];
        int ended = 0;
        for (int step = 0; step < 170; step++)
        {
            for (int row = 0; row < N; row++)
                SameRow(batch, sizes, row, single[row], joint);
            bool taken = venv.TakeDrawn();
            Check.Equal(taken, step > 0);
            if (taken)
                batch.Drawn.CopyTo(actions, 0);
            else
                venv.SampleActions(actions);
            venv.Step(actions, batch);
            for (int row = 0; row < N; row++)
            {
                Env env = single[row];
                if (joint)
                    env.StepJoint(actions.AsSpan(row * sizes.ActionsPerEnv, sizes.NumPlayers));
                else
                    env.Step(actions[row]);
                Check.Same(Check.Part(batch.Reward, row * sizes.NumPlayers, sizes.NumPlayers), env.Rewards());
                if (batch.Terminated[row] == 0 && batch.Truncated[row] == 0)
                    continue;
                Episode last = env.Episode;
                Check.True(last.Status != EpisodeStatus.Running && last.Seed == batch.FinalSeed[row]);
                Check.Equal(last.Decisions, batch.EpisodeLength[row]);
                Check.Same(Check.Part(batch.EpisodeReturn, row * sizes.NumPlayers, sizes.NumPlayers), env.Returns());
                var observation = new byte[sizes.ObservationSize];
                env.Observation(observation, joint ? 0 : batch.FinalPlayer[row]);
                Check.Same(Check.Part(batch.FinalObs, row * sizes.ActionsPerEnv * sizes.ObservationSize, sizes.ObservationSize), observation);
                env.Reset(batch.EpisodeSeed[row]);
                ended++;
            }
        }
        Check.True(ended > 0);
        foreach (Env env in single)
            env.Dispose();
    }

    /// <summary>Saved and loaded into another one, both go on alike; so do 32-bit actions and an asynchronous step.</summary>
    private static void GoOnAlike(Game game, VecEnv venv, VecEnv other, Batch batch, Batch second)
    {
        other.Load(venv.Save());
        other.Show(second);
        Check.Same(second.Obs, batch.Obs);
        var actions = new long[N * venv.Sizes.ActionsPerEnv];
        venv.SampleActions(actions);
        venv.Prepare();
        venv.StepAsync(actions, batch);
        Check.True(venv.IsPending);
        Check.Refused(Status.Order, () => venv.Step(actions, batch));
        GC.Collect();
        venv.StepWait();
        Check.True(!venv.IsPending);
        other.Step(actions.Select(action => (int)action).ToArray(), second);
        Check.Same(second.Obs, batch.Obs);
        Check.Same(second.Reward, batch.Reward);
        byte[][] states = Enumerable.Range(0, N).Select(row => venv.State(row)).ToArray();
        for (int row = 0; row < N; row++)
        {
            VecEpisode episode = venv.Episode(row);
            using (Env copy = game.LoadEnv(states[row]))
            {
                SameRow(batch, venv.Sizes, row, copy, venv.Sizes.ActionsPerEnv > 1);
                Check.Equal(episode.Length, copy.Episode.Decisions);
            }
            Check.True(episode.Seed == batch.EpisodeSeed[row] && !episode.Over);
            Check.True(episode.Opponents.Length == venv.Sizes.NumPlayers && episode.Opponents[0] == -1);
        }
        other.ResetStates(states, second);
        Check.Same(second.Obs, batch.Obs);
        int observation = venv.Sizes.ObservationSize;
        byte[] all = new byte[N * venv.Sizes.NumPlayers * observation], one = new byte[N * observation];
        other.ObserveAll(all);
        other.Observe(1, one);
        Check.Same(Check.Part(all, observation, observation), Check.Part(one, 0, observation));
    }

    /// <summary>A reset of seeds, a masked one, and a rollout that plays what steps play.</summary>
    private static void Resets(Game game, VecEnv venv, VecEnv other, Batch batch, Batch second)
    {
        var seeds = new ulong[] { 5, 6, 7, 8, 9 };
        var mask = new byte[] { 1, 0, 0, 0, 0 };
        venv.Reset(seeds, batch);
        other.Reset(seeds, second);
        Check.Equal(batch.EpisodeSeed[4], 9ul);
        venv.Reset(batch, mask);
        other.Reset(second, mask);
        Check.True(batch.EpisodeSeed[0] != 5 && batch.EpisodeSeed[1] == 6);
        Sizes sizes = venv.Sizes;
        var rollout = new Rollout(4, sizes);
        venv.Rollout("random", rollout, batch);
        var actions = new long[N * sizes.ActionsPerEnv];
        for (int step = 0; step < 4; step++)
        {
            Check.Same(Check.Part(rollout.Obs, step * second.Obs.Length, second.Obs.Length), second.Obs);
            Check.Same(Check.Part(rollout.ActionMask, step * second.ActionMask.Length, second.ActionMask.Length), second.ActionMask);
            Check.Same(Check.Part(rollout.Player, step * N, N), second.Player);
            other.SampleActions(actions);
            Check.Same(Check.Part(rollout.Action, step * actions.Length, actions.Length), actions);
            other.Step(actions, second);
            Check.Same(Check.Part(rollout.Reward, step * second.Reward.Length, second.Reward.Length), second.Reward);
            Check.Same(Check.Part(rollout.Terminated, step * N, N), second.Terminated);
            Check.Same(Check.Part(rollout.Truncated, step * N, N), second.Truncated);
        }
        Check.Same(batch.Obs, second.Obs);
        venv.Rollout("greedy", rollout, batch);
        using (Agent greedy = game.CreateAgent("greedy"))
        {
            for (int step = 0; step < 4; step++)
            {
                var chosen = new byte[N];
                chosen[N - 1] = 1;
                var some = new long[actions.Length];
                byte[] before = other.Save();
                using (var source = new System.Threading.CancellationTokenSource())
                    greedy.ActBatch(other, some, chosen, source.Token);
                other.Load(before);
                greedy.ActBatch(other, actions);
                int perEnv = actions.Length / N, last = actions.Length - perEnv;
                Check.Same(Check.Part(some, last, perEnv), Check.Part(actions, last, perEnv));
                Check.True(Check.Part(some, 0, last).All(action => action == -1));
                Check.Same(Check.Part(rollout.Action, step * actions.Length, actions.Length), actions);
                other.Step(actions, second);
            }
        }
        Check.Same(batch.Obs, second.Obs);
        Searches(game, other);
        Found(game, other);
        // Null arrays skip their outputs; a null batch skips all.
        venv.SampleActions(actions);
        venv.Step(actions, null);
        var only = new Batch { Reward = new float[second.Reward.Length] };
        other.Step(actions, only);
        venv.Show(batch);
        other.Show(second);
        Check.Same(batch.Obs, second.Obs);
    }

    /// <summary>What the searches of an agent found in all rows but those of the first environment.</summary>
    private static void Found(Game game, VecEnv venv)
    {
        using (Agent search = game.CreateAgent("mcts:30,rollout=random"))
        {
            int rows = venv.Sizes.NumEnvs * venv.Sizes.ActionsPerEnv, searched = 0;
            var actions = new long[rows];
            var mask = Enumerable.Repeat((byte)1, N).ToArray();
            mask[0] = 0;
            search.ActBatch(venv, actions, mask);
            BatchStatistics found = search.StatisticsBatch(venv);
            for (int row = 0; row < rows; row++)
            {
                int[] visits = Check.Part(found.Visits, row * venv.Sizes.NumActions, venv.Sizes.NumActions);
                Check.True(found.Simulations[row] == 0 || found.Simulations[row] == 30);
                Check.True(found.Simulations[row] == 0 ? visits.Sum() == 0 : visits.Sum() >= 30 && visits[actions[row]] == visits.Max());
                searched += found.Simulations[row] > 0 ? 1 : 0;
            }
            Check.True(searched > 0 && Check.Part(found.Simulations, 0, venv.Sizes.ActionsPerEnv).All(number => number == 0));
        }
    }

    private static void Opponents(Game game)
    {
        using (VecEnv venv = game.CreateVecEnv(N, "{\"view\": \"single\", \"dtype\": \"f32\", \"opponents\": {\"random\": 1}}"))
        {
            Check.Equal(venv.AddOpponent("greedy", 1), 1);
            venv.SetWeights(new double[] { 1, 3 });
            Batch batch = venv.CreateBatch(true);
            batch.FinalObsAllFloat = new float[N * venv.Sizes.NumPlayers * venv.Sizes.ObservationSize];
            var actions = new long[N];
            venv.Reset(2, batch);
            for (int step = 0; step < 200; step++)
            {
                var learners = (int[])batch.Learner.Clone();
                venv.SampleActions(actions);
                venv.Step(actions, batch);
                for (int row = 0; row < learners.Length; row++)
                    Check.Equal(batch.LearnerReward[row], batch.Reward[row * venv.Sizes.NumPlayers + learners[row]]);
                Check.True(batch.ObsFloat.All(value => value >= -1 && value <= 1));
            }
            Check.True(batch.Opponent.Contains(-1) && batch.Opponent.Max() == 1 && batch.FinalOpponent.Contains(-1));
            float[] one = new float[batch.ObsFloat.Length], both = new float[one.Length * venv.Sizes.NumPlayers];
            venv.Observe(0, one);
            venv.ObserveAll(both);
            Check.Same(Check.Part(both, 0, venv.Sizes.ObservationSize), Check.Part(one, 0, venv.Sizes.ObservationSize));
            Check.True(venv.Results().Contains("\"name\":\"greedy\",\"weight\":3.0") && !venv.Results().Contains("\"episodes\":0"));
            venv.ResetResults();
            Check.True(venv.Results().StartsWith("{\"episodes\":0,") && venv.Results().Contains("\"opponents\":["));
        }
    }

    /// <summary>Two players take turns for three rows; by hand with gamma 1/2 and lambda 1.</summary>
    private static void Advantages()
    {
        var played = new Trajectories
        {
            Steps = 3, NumEnvs = 1, NumPlayers = 2, Gamma = 0.5f, GaeLambda = 1,
            Reward = new float[] { 0, 0, 0, 0, 1, -1 },
            Value = new[] { 0.25f, 0.5f, 0.125f },
            Player = new[] { 0, 1, 0 },
            Terminated = new byte[] { 0, 0, 1 },
            Truncated = new byte[3],
            NextValue = new float[] { 9, 9 },
        };
        float[] advantages = new float[3], returns = new float[3];
        played.Gae(advantages, returns);
        Check.Same(returns, new[] { 0.5f, -1, 1 });
        Check.Same(advantages, new[] { 0.25f, -1.5f, 0.875f });
        // A row with both flags set is terminated.
        played.Truncated[2] = 1;
        played.Gae(advantages, returns);
        Check.Same(returns, new[] { 0.5f, -1, 1 });
    }

    /// <summary>Searches in every row of a batch, whose network says nothing; observations as bytes and as floats.</summary>
    private static void Searches(Game game, VecEnv venv)
    {
        byte[] before = venv.Save();
        int rows = venv.Sizes.NumEnvs * venv.Sizes.ActionsPerEnv;
        var found = new float[2][];
        for (int i = 0; i < 2; i++)
        {
            venv.Load(before);
            using (Search search = game.CreateSearch("mcts:6", rows, 2))
            {
                // The environments of a mask: all but the first.
                byte[] mask = Enumerable.Range(0, venv.Sizes.NumEnvs).Select(env => (byte)(env > 0 ? 1 : 0)).ToArray();
                var leaves = new Leaves(search.Sizes, i == 1);
                search.Start(venv, false, mask);
                int some = search.Collect(leaves);
                Check.True(leaves.Search.Take(some).All(row => row >= venv.Sizes.ActionsPerEnv));
                venv.Load(before);
                search.Start(venv);
                using (var source = new System.Threading.CancellationTokenSource())
                {
                    for (int count = search.Collect(leaves, source.Token); count > 0; count = search.Collect(leaves, source.Token))
                    {
                        Check.True(leaves.Search.Take(count).All(row => row >= 0 && row < rows));
                        search.Feed(new float[count * search.Sizes.NumActions], new float[count]);
                    }
                    source.Cancel();
                    search.Start(venv, false);
                    bool cancelled = false;
                    try
                    {
                        search.Collect(leaves, source.Token);
                    }
                    catch (OperationCanceledException)
                    {
                        cancelled = true;
                    }
                    Check.True(cancelled);
                }
                int left;
                Check.Equal(search.TryCollect(leaves, out left), Status.Ok);
                Check.True(left > 0);
                while (left > 0)
                {
                    Check.Equal(search.TryFeed(new float[left * search.Sizes.NumActions], new float[left]), Status.Ok);
                    Check.Equal(search.TryCollect(leaves, out left), Status.Ok);
                }
                found[i] = new float[rows * search.Sizes.NumActions];
                search.Policy(found[i]);
                var actions = new long[rows];
                search.Actions(actions, 1);
            }
        }
        Check.Same(found[0], found[1]);
        venv.Load(before);
    }
}
