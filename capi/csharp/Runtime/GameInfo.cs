using System;
using System.Collections.Generic;

namespace Playmat
{
    /// <summary>Kind of reward.</summary>
    public enum Reward
    {
        /// <summary>The outcome, at the end.</summary>
        Outcome = 0,
        /// <summary>The score, at the end.</summary>
        Score = 1,
        /// <summary>The change of the score, at every step.</summary>
        ScoreChange = 2,
    }

    /// <summary>The numbers that are fixed for all episodes of a game; <see cref="Game.Describe"/> has the rest.</summary>
    public sealed class GameInfo
    {
        internal unsafe GameInfo(PlaymatGameInfo* raw)
        {
            Name = Text.Of(raw->name);
            Version = checked((int)raw->version);
            NumPlayers = checked((int)raw->num_players);
            MinPlayers = checked((int)raw->min_players);
            MaxPlayers = checked((int)raw->max_players);
            NumActions = Number.Int(raw->num_actions);
            ObservationSize = Number.Int(raw->observation_size);
            NumSegments = Number.Int(raw->num_segments);
            NumActionRanges = Number.Int(raw->num_action_ranges);
            MaxDecisions = Number.Long(raw->max_decisions);
            StateSize = Number.Int(raw->state_size);
            MinReturn = raw->min_return;
            MaxReturn = raw->max_return;
            Reward = (Reward)raw->reward;
            MaxSteps = checked((int)raw->max_steps);
            Chance = raw->chance != 0;
            Hidden = raw->hidden != 0;
            Simultaneous = raw->simultaneous != 0;
            JointActions = raw->joint_actions != 0;
            ListsChance = raw->lists_chance != 0;
            PerfectRecall = raw->perfect_recall != 0;
        }

        /// <summary>Registered name.</summary>
        public string Name { get; private set; }
        /// <summary>Version of the rules; changes exactly when behaviour does.</summary>
        public int Version { get; private set; }
        /// <summary>Number of players: players are 0 .. NumPlayers - 1.</summary>
        public int NumPlayers { get; private set; }
        /// <summary>Smallest number of players of the game.</summary>
        public int MinPlayers { get; private set; }
        /// <summary>Largest number of players of the game.</summary>
        public int MaxPlayers { get; private set; }
        /// <summary>Number of actions: actions are 0 .. NumActions - 1.</summary>
        public int NumActions { get; private set; }
        /// <summary>Elements of one observation, bytes or floats.</summary>
        public int ObservationSize { get; private set; }
        /// <summary>Number of <see cref="Game.Segments"/>.</summary>
        public int NumSegments { get; private set; }
        /// <summary>Number of <see cref="Game.ActionRanges"/>.</summary>
        public int NumActionRanges { get; private set; }
        /// <summary>No episode has more decisions than this, all players together.</summary>
        public long MaxDecisions { get; private set; }
        /// <summary>Bytes of one state in memory.</summary>
        public int StateSize { get; private set; }
        /// <summary>No return of a player is smaller.</summary>
        public float MinReturn { get; private set; }
        /// <summary>No return of a player is larger.</summary>
        public float MaxReturn { get; private set; }
        /// <summary>Kind of reward.</summary>
        public Reward Reward { get; private set; }
        /// <summary>Decisions after which an episode is truncated; 0: never.</summary>
        public int MaxSteps { get; private set; }
        /// <summary>Whether the game has chance.</summary>
        public bool Chance { get; private set; }
        /// <summary>Whether the game has hidden information.</summary>
        public bool Hidden { get; private set; }
        /// <summary>Whether the game has simultaneous decisions.</summary>
        public bool Simultaneous { get; private set; }
        /// <summary>Whether every simultaneous turn is one joint action: each acting player chooses once, and nobody chooses again
        /// before all have.</summary>
        public bool JointActions { get; private set; }
        /// <summary>Whether the game lists all of its chance with probabilities; false if some of it is only sampled, and without
        /// chance.</summary>
        public bool ListsChance { get; private set; }
        /// <summary>Whether the observations of a running episode tell the player's whole information state, earlier choices and
        /// events included.</summary>
        public bool PerfectRecall { get; private set; }
    }

    /// <summary>A named part of an observation: float = (byte - Bias) / Scale, in [-1, 1].</summary>
    public sealed class Segment
    {
        internal unsafe Segment(PlaymatSegment* raw)
        {
            Name = Text.Of(raw->name);
            Offset = Number.Int(raw->offset);
            Length = Number.Int(raw->len);
            Shape = Axes.Of(&raw->shape0, raw->axes);
            Bias = checked((int)raw->bias);
            Scale = checked((int)raw->scale);
        }

        /// <summary>Name, unique in the observation.</summary>
        public string Name { get; private set; }
        /// <summary>First element.</summary>
        public int Offset { get; private set; }
        /// <summary>Number of elements.</summary>
        public int Length { get; private set; }
        /// <summary>Shape, row-major.</summary>
        public IReadOnlyList<int> Shape { get; private set; }
        /// <summary>Subtracted from each byte.</summary>
        public int Bias { get; private set; }
        /// <summary>Divides the difference.</summary>
        public int Scale { get; private set; }
    }

    /// <summary>A contiguous range of actions with one meaning.</summary>
    public sealed class ActionRange
    {
        internal unsafe ActionRange(PlaymatActionRange* raw)
        {
            Name = Text.Of(raw->name);
            Start = Number.Int(raw->start);
            Length = Number.Int(raw->len);
            Shape = Axes.Of(&raw->shape0, raw->axes);
        }

        /// <summary>Name, such as "PLACE".</summary>
        public string Name { get; private set; }
        /// <summary>First action.</summary>
        public int Start { get; private set; }
        /// <summary>Number of actions.</summary>
        public int Length { get; private set; }
        /// <summary>Shape, row-major.</summary>
        public IReadOnlyList<int> Shape { get; private set; }
    }

    internal static class Axes
    {
        /// <summary>The shape of a struct: entries from the first on, as many as there are axes.</summary>
        internal static unsafe IReadOnlyList<int> Of(UIntPtr* first, UIntPtr axes)
        {
            var shape = new int[Math.Min(Number.Int(axes), NativeMethods.PLAYMAT_MAX_AXES)];
            for (int i = 0; i < shape.Length; i++)
                shape[i] = Number.Int(first[i]);
            return shape;
        }
    }
}
