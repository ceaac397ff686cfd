using System;
using Playmat;
using UnityEngine;

/// <summary>
/// A game between a person, player 0, and agents. It draws nothing: connect PositionChanged and EventsHappened to your view. Put it on a
/// GameObject and call Play with the person's actions.
/// </summary>
public sealed class PlayAgainstAgents : MonoBehaviour
{
    [SerializeField] private string game = "connect_four";
    [SerializeField] private string options = "";
    [SerializeField] private ulong seed = 7;

    private const int Person = 0;
    private Game rules;
    private Env env;
    private Agent agent;

    /// <summary>The position at the start, as JSON redacted for the person.</summary>
    public event Action<string> PositionChanged;

    /// <summary>The events of the last step, as JSON, to animate.</summary>
    public event Action<string> EventsHappened;

    /// <summary>The person's legal actions; none when it is not the person's turn.</summary>
    public long[] LegalActions
    {
        get { return env == null ? new long[0] : env.LegalActions(Person); }
    }

    /// <summary>The text of an action.</summary>
    public string TextOf(long action)
    {
        return env.ActionText(action, Person);
    }

    /// <summary>What an action would do; empty if its text says it all.</summary>
    public string HelpOf(long action)
    {
        return env.ActionHelp(action, Person);
    }

    /// <summary>Plays an action of the person. A refused one changes nothing and logs the reason.</summary>
    public void Play(long action)
    {
        if (env.TryStep(Person, action) != Status.Ok)
            Debug.LogWarning(Library.LastMessage);
        else
            ShowEvents();
    }

    private void Start()
    {
        rules = Game.Create(game, options);
        env = rules.CreateEnv(seed);
        agent = rules.CreateAgent("greedy");
        ShowPosition();
    }

    // One step of an agent per frame, so that the person sees each.
    private void Update()
    {
        Episode now = env.Episode;
        for (int player = 0; player < env.Info.NumPlayers; player++)
        {
            if (player == Person || !now.Acts(player))
                continue;
            env.Step(player, agent.Act(env, player));
            ShowEvents();
            return;
        }
    }

    private void OnDestroy()
    {
        if (agent != null)
            agent.Dispose();
        if (env != null)
            env.Dispose();
        if (rules != null)
            rules.Dispose();
    }

    private void ShowPosition()
    {
        if (PositionChanged != null)
            PositionChanged(env.ToJson(Person));
    }

    private void ShowEvents()
    {
        if (EventsHappened != null)
            EventsHappened(env.Events(Person));
    }
}
