using System;
using System.Linq;
using System.Threading;
using Playmat;

/// <summary>Threads with an environment each, threads at one environment, and one that is disposed while another thread plays it.</summary>
internal static class Threads
{
    private static Exception failed;

    internal static void Run()
    {
        using (Game game = Game.Create("tic_tac_toe"))
        {
            Both(seed => OwnEnv(game, seed));
            using (Env shared = game.CreateEnv(1))
            {
                long played = 0;
                Both(seed => Interlocked.Add(ref played, SameEnv(shared)));
                Check.True(played > 0);
                Check.Equal(shared.Validate(), "[]");
            }
            for (int i = 0; i < 200; i++)
                DisposedMeanwhile(game, i);
            Waiting(game);
            Cancelled(game);
        }
        using (Game game = Game.Create("rafts"))
            Cancelled(game);
    }

    private static void Both(Action<ulong> work)
    {
        Thread[] threads = new[] { 1ul, 100000ul }.Select(seed => new Thread(() =>
        {
            try
            {
                work(seed);
            }
            catch (Exception error)
            {
                failed = error;
            }
        })).ToArray();
        foreach (Thread thread in threads)
            thread.Start();
        foreach (Thread thread in threads)
            thread.Join();
        if (failed != null)
            throw new Exception("in a thread", failed);
    }

    private static void OwnEnv(Game game, ulong seed)
    {
        for (ulong episode = 0; episode < 500; episode++)
        {
            using (Env env = game.CreateEnv(seed + episode))
            {
                long action;
                while (env.TrySampleAction(out action) == Status.Ok)
                    env.Step(action);
                // Each thread has its own last message.
                Check.True(Library.LastMessage.Contains("over"));
            }
        }
    }

    private static long SameEnv(Env shared)
    {
        long played = 0;
        for (int i = 0; i < 50000; i++)
        {
            long action;
            Status status = shared.TrySampleAction(out action);
            if (status == Status.Ok)
                status = shared.TryStep(action);
            // The other thread may have moved in between, or be in a call.
            Check.True(status == Status.Ok || status == Status.HandleInUse || status == Status.IllegalAction
                || status == Status.EpisodeOver);
            played += status == Status.Ok ? 1 : 0;
            if (status == Status.EpisodeOver)
            {
                try
                {
                    shared.Reset();
                }
                catch (PlaymatException refused)
                {
                    Check.Equal(refused.Status, Status.HandleInUse);
                }
            }
        }
        return played;
    }

    private static void DisposedMeanwhile(Game game, int round)
    {
        Env env = game.CreateEnv((ulong)round);
        var mask = new byte[env.Info.NumActions];
        bool ended = false;
        var player = new Thread(() =>
        {
            Status status;
            do
                status = env.TryActionMask(mask);
            while (status == Status.Ok);
            ended = status == Status.InvalidHandle;
        });
        player.Start();
        Thread.SpinWait(round * 50);
        env.Dispose();
        player.Join();
        Check.True(ended);
    }

    /// <summary>Long calls that another thread ends, and tokens that end nothing.</summary>
    private static void Cancelled(Game game)
    {
        Action<CancellationToken>[] calls =
        {
            token => game.Digest(1000000, token),
            token => game.Survey(1000000, 1, "greedy", token),
            token => game.RewardScale(1000000, 1, false, token),
            token => game.Conformance(1, 1000, null, token),
        };
        foreach (Action<CancellationToken> call in calls)
        {
            using (var source = new CancellationTokenSource(100))
                Check.True(Ended(call, source.Token));
            using (var source = new CancellationTokenSource())
            {
                source.Cancel();
                Check.True(Ended(call, source.Token));
            }
        }
        using (var source = new CancellationTokenSource())
        {
            Check.Equal(game.Digest(2, source.Token), game.Digest(2));
            // Refusals come as before, with their own message.
            Check.Refused(Status.InvalidArgument, () => game.Survey(1, 1, "wise", source.Token));
            // The flag of a call that is over is gone: nothing is left to cancel.
            source.Cancel();
            Check.Equal(game.Digest(2), game.Digest(2, CancellationToken.None));
        }
    }

    /// <summary>Whether a call is ended by its token.</summary>
    private static bool Ended(Action<CancellationToken> call, CancellationToken token)
    {
        try
        {
            call(token);
            return false;
        }
        catch (OperationCanceledException ended)
        {
            return ended.CancellationToken == token && ended.Message.Contains("cancelled");
        }
    }

    /// <summary>Two threads start and wait for steps of one batch: whoever is refused, arrays stay in place while they are written.</summary>
    private static void Waiting(Game game)
    {
        using (VecEnv venv = game.CreateVecEnv(256, "threads = 2"))
        {
            venv.Reset(1, null);
            long waited = 0;
            Both(seed =>
            {
                var actions = new long[256];
                for (int i = 0; i < 500; i++)
                {
                    try
                    {
                        venv.SampleActions(actions);
                        venv.StepAsync(actions, venv.CreateBatch());
                    }
                    catch (PlaymatException refused)
                    {
                        Check.True(refused.Status == Status.HandleInUse || refused.Status == Status.Order
                            || refused.Status == Status.IllegalAction);
                    }
                    if (i % 50 == 0)
                        GC.Collect();
                    Status status = venv.TryStepWait();
                    Check.True(status == Status.Ok || status == Status.HandleInUse || status == Status.Order
                        || status == Status.IllegalAction);
                    Interlocked.Add(ref waited, status == Status.Ok ? 1 : 0);
                }
            });
            Check.True(waited > 0);
            if (venv.IsPending)
                venv.TryStepWait();
            Batch batch = venv.CreateBatch();
            venv.Reset(2, batch);
            Check.True(batch.ActionMask.Any(bit => bit == 1));
        }
    }
}
