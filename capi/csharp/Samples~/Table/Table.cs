using System;
using Playmat;
using UnityEngine;

/// <summary>
/// A game between a person in seat 0 and bots. It draws nothing itself: connect Drawn and Told to whatever does. Put it on a
/// GameObject, call Play with the person's choices.
/// </summary>
public sealed class Table : MonoBehaviour
{
    [SerializeField] private string game = "connect_four";
    [SerializeField] private string options = "";
    [SerializeField] private ulong seed = 7;

    private const int Person = 0;
    private Game rules;
    private Env env;
    private Bot bot;

    /// <summary>The position as JSON that holds nothing the person may not know: at the start, and for repairing a picture.</summary>
    public event Action<string> Drawn;

    /// <summary>What the last step changed, as JSON: animate from it.</summary>
    public event Action<string> Told;

    /// <summary>What the person may do now; empty when it is not the person's turn.</summary>
    public long[] Choices
    {
        get { return env == null ? new long[0] : env.LegalActions(Person); }
    }

    /// <summary>What an action is called.</summary>
    public string NameOf(long action)
    {
        return env.ActionText(action, Person);
    }

    /// <summary>The person's choice. One that is not allowed changes nothing, and the reason is told.</summary>
    public void Play(long action)
    {
        if (env.TryStep(Person, action) != Status.Ok)
            Debug.LogWarning(Library.LastMessage);
        else
            Tell();
    }

    private void Start()
    {
        rules = Game.Create(game, options);
        env = rules.CreateEnv(seed);
        bot = Bot.Create("greedy");
        Draw();
    }

    // One move of a bot in a frame, so that each can be seen.
    private void Update()
    {
        Episode now = env.Episode;
        for (int player = 0; player < env.Info.NumPlayers; player++)
        {
            if (player == Person || !now.Acts(player))
                continue;
            env.Step(player, bot.Action(env, player));
            Tell();
            return;
        }
    }

    private void OnDestroy()
    {
        if (bot != null)
            bot.Dispose();
        if (env != null)
            env.Dispose();
        if (rules != null)
            rules.Dispose();
    }

    private void Draw()
    {
        if (Drawn != null)
            Drawn(env.ToJson(Person));
    }

    private void Tell()
    {
        if (Told != null)
            Told(env.Events(Person));
    }
}
