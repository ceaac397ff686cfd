// Plays the sample of the package as Unity would: `RunSample.exe GAME OPPONENT FOLDER`, where FOLDER has the networks. The person plays the
// first legal action.
using System;
using System.Diagnostics;
using System.Reflection;
using System.Threading;
using UnityEngine;

internal static class RunSample
{
    private const BindingFlags Hidden = BindingFlags.Instance | BindingFlags.NonPublic;

    private static PlayAgainstAgents Begin(string game, string opponent)
    {
        var sample = new PlayAgainstAgents();
        Set(sample, "game", game);
        Set(sample, "opponent", opponent);
        Call(sample, "Start");
        return sample;
    }

    private static void Set(PlayAgainstAgents sample, string field, string value)
    {
        typeof(PlayAgainstAgents).GetField(field, Hidden).SetValue(sample, value);
    }

    private static void Call(PlayAgainstAgents sample, string method)
    {
        typeof(PlayAgainstAgents).GetMethod(method, Hidden).Invoke(sample, null);
    }

    // Whether calls before Start are refused in words, and not by a null reference.
    private static bool IsRefused(PlayAgainstAgents sample)
    {
        sample.Play(0);
        try
        {
            sample.TextOf(0);
            return false;
        }
        catch (InvalidOperationException)
        {
            return sample.Position == null && sample.LegalActions.Length == 0;
        }
    }

    private static int Main(string[] arguments)
    {
        Application.streamingAssetsPath = arguments[2];
        if (!IsRefused(new PlayAgainstAgents()))
            return 3;
        PlayAgainstAgents sample = Begin(arguments[0], arguments[1]);
        int own = 0, steps = 0;
        string first = sample.Position;
        sample.EventsHappened += events => steps++;
        // A decision of somebody, or a millisecond of waiting, in each round; once nothing happens any more, the game is over.
        for (int quiet = 0; quiet < 100; quiet++)
        {
            int before = steps;
            long[] legal = sample.LegalActions;
            if (legal.Length > 0)
            {
                if (sample.TextOf(legal[0]).Length == 0 || sample.HelpOf(legal[0]) == null)
                    return 1;
                sample.Play(legal[0]);
                own++;
            }
            else
            {
                Call(sample, "Update");
                if (sample.IsThinking)
                    Thread.Sleep(1);
            }
            if (steps > before || sample.IsThinking)
                quiet = 0;
        }
        Call(sample, "OnDestroy");
        if (first == null || sample.Position == first)
            return 4;
        // A scene that is left while an agent thinks for a minute.
        PlayAgainstAgents left = Begin(arguments[0], "mcts:60000ms");
        left.Play(left.LegalActions[0]);
        Call(left, "Update");
        if (!left.IsThinking || left.LegalActions.Length > 0)
            return 2;
        Stopwatch watch = Stopwatch.StartNew();
        Call(left, "OnDestroy");
        Console.WriteLine("{0} {1} {2}", own, steps, watch.ElapsedMilliseconds < 20000 ? "left" : "late");
        return 0;
    }
}
