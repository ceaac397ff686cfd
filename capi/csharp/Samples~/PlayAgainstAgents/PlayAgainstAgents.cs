using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Playmat;
using UnityEngine;

/// <summary>
/// A game between a person, player 0, and agents. It draws nothing: connect PositionChanged and EventsHappened to your view. Put it on a
/// GameObject and call Play with the person's actions. Agents think on another thread, so that frames go on.
/// </summary>
public sealed class PlayAgainstAgents : MonoBehaviour
{
    [SerializeField] private string game = "connect_four";
    [SerializeField] private string options = "";
    [SerializeField] private ulong seed = 7;

    [Tooltip("random, greedy, mcts:400, mcts:200ms, or a trained network in StreamingAssets: policy.onnx, mcts:200ms,policy=policy.onnx")]
    [SerializeField] private string opponent = "greedy";

    private const int Person = 0;
    private const string NotStarted = "The game has not started, or Start has failed.";
    private readonly CancellationTokenSource leaving = new CancellationTokenSource();
    private Game rules;
    private Env env;
    private Agent agent;
    // While an agent thinks, the environment is that thread's: every other use is refused with HandleInUse.
    private Task<long> thinking;
    private int thinker;
    private string position;

    /// <summary>The position at the start, as JSON redacted for the person.</summary>
    public event Action<string> PositionChanged;

    /// <summary>The position after the last step, as JSON redacted for the person; null before Start.</summary>
    public string Position
    {
        get { return position; }
    }

    /// <summary>The events of the last step, as JSON, to animate.</summary>
    public event Action<string> EventsHappened;

    /// <summary>Whether an agent thinks. Nothing else uses the environment then.</summary>
    public bool IsThinking
    {
        get { return thinking != null; }
    }

    /// <summary>The person's legal actions; none when it is not the person's turn, and while an agent thinks.</summary>
    public long[] LegalActions
    {
        get { return env == null || IsThinking ? new long[0] : env.LegalActions(Person); }
    }

    /// <summary>The text of an action. Not before Start, and not while an agent thinks.</summary>
    public string TextOf(long action)
    {
        return Started().ActionText(action, Person);
    }

    /// <summary>What an action would do; empty if its text says it all. Not before Start, and not while an agent thinks.</summary>
    public string HelpOf(long action)
    {
        return Started().ActionHelp(action, Person);
    }

    /// <summary>Plays an action of the person. A refused one changes nothing and logs the reason.</summary>
    public void Play(long action)
    {
        if (env == null)
            Debug.LogWarning(NotStarted);
        // A list of actions that was shown before an agent began to think.
        else if (IsThinking)
            Debug.LogWarning("An agent thinks.");
        else if (env.TryStep(Person, action) != Status.Ok)
            Debug.LogWarning(Library.LastMessage);
        else
            ShowEvents();
    }

    private void Start()
    {
        // Until everything is made: Unity updates a component also after an exception.
        enabled = false;
        rules = Game.Create(game, options);
        agent = rules.CreateAgent(Located(opponent));
        env = rules.CreateEnv(seed);
        ShowPosition();
        enabled = true;
    }

    // One step of an agent at a time, so that the person sees each.
    private void Update()
    {
        if (IsThinking)
        {
            if (!thinking.IsCompleted)
                return;
            Task<long> done = thinking;
            thinking = null;
            enabled = !done.IsFaulted;
            env.Step(thinker, done.GetAwaiter().GetResult());
            ShowEvents();
            return;
        }
        Episode now = env.Episode;
        for (int player = 0; player < env.Info.NumPlayers; player++)
        {
            if (player == Person || !now.Acts(player))
                continue;
            int chosen = thinker = player;
            thinking = Task.Run(() => agent.Act(env, chosen, leaving.Token));
            return;
        }
    }

    private void OnDestroy()
    {
        leaving.Cancel();
        try
        {
            if (IsThinking)
                thinking.Wait();
        }
        catch (AggregateException)
        {
            // The cancelled search.
        }
        leaving.Dispose();
        if (agent != null)
            agent.Dispose();
        if (env != null)
            env.Dispose();
        if (rules != null)
            rules.Dispose();
    }

    // The spec with the path of its network. On Android a file in StreamingAssets is part of the package: copy it to persistentDataPath first.
    private static string Located(string spec)
    {
        const string Policy = "policy=";
        int file = spec.IndexOf(Policy, StringComparison.Ordinal);
        if (file >= 0)
            file += Policy.Length;
        else if (spec.Contains(".onnx"))
            file = 0;
        else
            return spec;
        return spec.Substring(0, file) + Path.Combine(Application.streamingAssetsPath, spec.Substring(file));
    }

    private Env Started()
    {
        if (env == null)
            throw new InvalidOperationException(NotStarted);
        return env;
    }

    private void ShowPosition()
    {
        position = env.ToJson(Person);
        if (PositionChanged != null)
            PositionChanged(position);
    }

    private void ShowEvents()
    {
        position = env.ToJson(Person);
        if (EventsHappened != null)
            EventsHappened(env.Events(Person));
    }
}
