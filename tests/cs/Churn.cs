using System;
using System.IO;
using System.Linq;
using System.Threading;
using Playmat;

/// <summary>A million objects come and go: memory does not grow and no thread is left, disposed or forgotten. Linux.</summary>
internal static class Churn
{
    internal static void Run()
    {
        using (Game game = Game.Create("tic_tac_toe"))
        {
            Round(game, 50000);
            long before = Resident();
            Round(game, 500000);
            long grown = Resident() - before;
            Check.True(grown < 4 * 1024 * 1024);

            Forgotten(game, 20000);
            before = Resident();
            Forgotten(game, 200000);
            grown = Resident() - before;
            Check.True(grown < 8 * 1024 * 1024);

            NothingIsAllocated(game);
            Workers(game);
        }
    }

    private static void Round(Game game, int count)
    {
        for (int i = 0; i < count; i++)
        {
            Env env = game.CreateEnv((ulong)i);
            env.Step(i % 9);
            Env copy = env.Clone();
            env.Dispose();
            Check.True(env.TryStep(0) == Status.InvalidHandle);
            copy.Dispose();
        }
    }

    /// <summary>Nobody disposes these: their finalizers do.</summary>
    private static void Forgotten(Game game, int count)
    {
        for (int i = 0; i < count; i++)
        {
            game.CreateEnv((ulong)i).Step(i % 9);
            if (i % 10000 == 0)
                Collect();
        }
        Collect();
    }

    /// <summary>A nursery of the collector holds 4 MB: one object of any size in each of half a million rounds would fill it.</summary>
    private static void NothingIsAllocated(Game game)
    {
        var mask = new byte[game.Info.NumActions];
        byte[] bytes = new byte[game.Info.ObservationSize];
        var floats = new float[bytes.Length];
        var legal = new long[mask.Length];
        var actions = new long[4];
        using (Env env = game.CreateEnv(1))
        using (VecEnv venv = game.CreateVecEnv(4))
        {
            Batch batch = venv.CreateBatch();
            venv.Reset(1, batch);
            int before = 0;
            for (int i = 0; i < 500000; i++)
            {
                if (i == 10)
                    before = GC.CollectionCount(0);
                if (env.Done)
                    env.Reset();
                env.ActionMask(mask);
                env.Observation(bytes);
                env.Observation(floats);
                env.LegalActions(legal);
                env.Step(env.SampleAction());
                if (venv.TakeDrawn())
                    batch.Drawn.CopyTo(actions, 0);
                else
                    venv.SampleActions(actions);
                venv.Step(actions, batch);
            }
            Check.Equal(GC.CollectionCount(0), before);
        }
    }

    private static void Workers(Game game)
    {
        int before = Playing();
        Check.Equal(before, 0);
        var actions = new long[4096];
        using (VecEnv venv = game.CreateVecEnv(4096, "{\"threads\": 3}"))
        {
            Play(venv, actions);
            // Two beside the caller's own, and one for asynchronous steps.
            Check.Equal(Playing(), 3);
            venv.StepAsync(actions, venv.CreateBatch());
        }
        Check.Equal(Playing(), 0);
        // In a thread of its own, on whose stack nothing of it can be found later.
        var alone = new Thread(() => Leave(game, actions));
        alone.Start();
        alone.Join();
        for (int tries = 0; Playing() > 0 && tries < 100; tries++)
            Collect();
        Check.Equal(Playing(), 0);
    }

    /// <summary>Steps, at once and later; the arrays of one under way are held by nobody else.</summary>
    private static void Play(VecEnv venv, long[] actions)
    {
        venv.Reset(1, null);
        for (int step = 0; step < 50; step++)
        {
            venv.SampleActions(actions);
            if (step % 2 == 0)
            {
                venv.Step(actions, null);
                continue;
            }
            venv.StepAsync(actions, venv.CreateBatch());
            if (step % 10 == 1)
                GC.Collect();
            venv.StepWait();
        }
        venv.SampleActions(actions);
    }

    /// <summary>Leaves a step under way in an environment that nobody disposes.</summary>
    private static void Leave(Game game, long[] actions)
    {
        VecEnv venv = game.CreateVecEnv(4096, "{\"threads\": 3}");
        Play(venv, actions);
        venv.StepAsync(actions, venv.CreateBatch());
    }

    private static void Collect()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }

    private static long Resident()
    {
        Collect();
        return long.Parse(File.ReadAllText("/proc/self/statm").Split(' ')[1]) * Environment.SystemPageSize;
    }

    /// <summary>Threads of the library, by their names; the runtime has others.</summary>
    private static int Playing()
    {
        return Directory.GetDirectories("/proc/self/task").Count(task => Name(task).StartsWith("playmat"));
    }

    private static string Name(string task)
    {
        try
        {
            return File.ReadAllText(task + "/comm");
        }
        catch (IOException)
        {
            return ""; // It has just ended.
        }
    }
}
