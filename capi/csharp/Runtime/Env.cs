using System;
using System.Runtime.InteropServices;

namespace Playmat
{
    /// <summary>The state of an environment's episode.</summary>
    public struct Episode
    {
        /// <summary>Whether it is running, or how it ended.</summary>
        public EpisodeStatus Status;
        /// <summary>The player who acts next in the turn view: of several, the lowest; -1 when the episode is over.</summary>
        public int CurrentPlayer;
        /// <summary>Bit p is set if player p acts now.</summary>
        public uint Acting;
        /// <summary>Decisions of all players since the deal, also those before a load.</summary>
        public int Decisions;
        /// <summary>Seed that repeats the episode with <see cref="Game.CreateEnv"/>.</summary>
        public ulong Seed;
        /// <summary>Number of decisions of <see cref="Env.History"/>.</summary>
        public int HistoryLength;

        /// <summary>Whether a player acts now.</summary>
        public bool Acts(int player)
        {
            return player >= 0 && player < 32 && (Acting >> player & 1) != 0;
        }
    }

    /// <summary>One decision of a history.</summary>
    public struct Decision
    {
        /// <summary>The player who decided.</summary>
        public int Player;
        /// <summary>The action.</summary>
        public int Action;
    }

    /// <summary>
    /// One running episode. It may move between threads, but one thread uses it at a time: a second one is refused with HandleInUse.
    /// Different environments are independent.
    /// </summary>
    /// <remarks>
    /// Every member can also be refused with InvalidHandle (disposed) and HandleInUse. Arrays and spans are yours: no call keeps them.
    /// Steps, masks and observations allocate nothing. Methods that begin with Try throw nothing: <see cref="Library.LastMessage"/> has the
    /// message of their status.
    /// </remarks>
    public sealed partial class Env : IDisposable
    {
        private readonly EnvHandle handle;

        private Env(EnvHandle handle, GameInfo info)
        {
            this.handle = handle;
            Info = info;
        }

        /// <summary>The numbers that are fixed for its game.</summary>
        public GameInfo Info { get; private set; }

        /// <summary>Creates an exact copy with the same future chance: to save a position and return to it. For search use
        /// <see cref="Clone(ulong)"/>.</summary>
        /// <exception cref="PlaymatException">TooManyHandles.</exception>
        public unsafe Env Clone()
        {
            var made = new EnvHandle();
            IntPtr given = IntPtr.Zero;
            using (Use env = new Use(handle))
                return New(NativeMethods.playmat_env_clone(env.Value, &given), made, given);
        }

        /// <summary>Creates a copy to search on: the same state, but other future chance, so that a search cannot look ahead. The random
        /// stream differs from that of an episode created, loaded or sampled with this seed.</summary>
        /// <exception cref="PlaymatException">TooManyHandles.</exception>
        public unsafe Env Clone(ulong seed)
        {
            var made = new EnvHandle();
            IntPtr given = IntPtr.Zero;
            using (Use env = new Use(handle))
                return New(NativeMethods.playmat_env_clone_seed(env.Value, seed, &given), made, given);
        }

        /// <summary>Creates an environment in a state drawn from those consistent with everything that a player knows, with chance from a
        /// random stream hashed from a seed. Everything in it follows from what the player knows and from the seed: its decisions count
        /// from 0, and max_steps from there. If options are private (hidden deck lists), <see cref="Game"/> returns a game with what the
        /// player knows of them, which loads the sample's saves.</summary>
        /// <exception cref="PlaymatException">InvalidPlayer; TooManyHandles.</exception>
        public unsafe Env SampleHidden(int player, ulong seed)
        {
            var made = new EnvHandle();
            IntPtr given = IntPtr.Zero;
            using (Use env = new Use(handle))
                return New(NativeMethods.playmat_env_sample_hidden(env.Value, player, seed, &given), made, given);
        }

        /// <summary>A new object of the environment's game, to dispose on its own.</summary>
        /// <exception cref="PlaymatException">TooManyHandles.</exception>
        public unsafe Game Game()
        {
            var made = new GameHandle();
            IntPtr given = IntPtr.Zero;
            Game game;
            using (Use env = new Use(handle))
                PlaymatException.Check(Playmat.Game.Own(NativeMethods.playmat_env_game(env.Value, &given), made, given, out game));
            return game;
        }

        /// <summary>Starts the next episode of this environment's own sequence of episodes.</summary>
        public void Reset()
        {
            using (Use env = new Use(handle))
                PlaymatException.Check(NativeMethods.playmat_env_reset(env.Value));
        }

        /// <summary>Starts the episode of a seed.</summary>
        public void Reset(ulong seed)
        {
            using (Use env = new Use(handle))
                PlaymatException.Check(NativeMethods.playmat_env_reset_seed(env.Value, seed));
        }

        /// <summary>The state of the running episode.</summary>
        public unsafe Episode Episode
        {
            get
            {
                PlaymatEpisode raw;
                using (Use env = new Use(handle))
                    PlaymatException.Check(NativeMethods.playmat_env_episode(env.Value, &raw, (UIntPtr)sizeof(PlaymatEpisode)));
                return new Episode
                {
                    Status = raw.status,
                    CurrentPlayer = raw.current_player,
                    Acting = raw.acting,
                    Decisions = checked((int)raw.decisions),
                    Seed = raw.seed,
                    HistoryLength = Number.Int(raw.history_len),
                };
            }
        }

        /// <summary>The player who acts next in the turn view: of several, the lowest; -1 when the episode is over.</summary>
        public unsafe int CurrentPlayer
        {
            get
            {
                int player;
                using (Use env = new Use(handle))
                    PlaymatException.Check(NativeMethods.playmat_env_current_player(env.Value, &player));
                return player;
            }
        }

        /// <summary>Whether the episode is over.</summary>
        public bool Done
        {
            get { return CurrentPlayer < 0; }
        }

        /// <summary>Plays an action of the current player.</summary>
        /// <exception cref="PlaymatException">IllegalAction; EpisodeOver.</exception>
        public void Step(long action)
        {
            PlaymatException.Check(TryStep(action));
        }

        /// <summary>The same without an exception.</summary>
        public Status TryStep(long action)
        {
            using (Use env = new Use(handle))
                return NativeMethods.playmat_env_step(env.Value, action);
        }

        /// <summary>Plays an action of the current player and writes the observation and action mask of the player who acts next, for fast
        /// loops.</summary>
        /// <param name="action">The current player's.</param>
        /// <param name="observation">At least ObservationSize bytes, or empty to skip; after the end that of the player who acted last.</param>
        /// <param name="mask">At least NumActions bytes, or empty to skip; after the end all 0. It may not overlap the observation.</param>
        /// <returns>The player who acts next, -1 after the end.</returns>
        /// <exception cref="PlaymatException">IllegalAction; EpisodeOver; BufferTooSmall; InvalidArgument (overlap).</exception>
        public int StepInto(long action, Span<byte> observation, Span<byte> mask)
        {
            int next;
            PlaymatException.Check(TryStepInto(action, observation, mask, out next));
            return next;
        }

        /// <summary>The same without an exception: -1 if it was refused.</summary>
        public unsafe Status TryStepInto(long action, Span<byte> observation, Span<byte> mask, out int next)
        {
            int player = -1;
            Status status;
            using (Use env = new Use(handle))
            fixed (byte* o = &MemoryMarshal.GetReference(observation), m = &MemoryMarshal.GetReference(mask))
                status = NativeMethods.playmat_env_step_into(env.Value, action, o, (UIntPtr)observation.Length, m, (UIntPtr)mask.Length,
                    &player);
            next = player;
            return status;
        }

        /// <summary>Plays an action of any acting player, or of <see cref="Player.Current"/>. Simultaneous actions may come in any
        /// order.</summary>
        /// <exception cref="PlaymatException">IllegalAction; NotActing; InvalidPlayer; EpisodeOver.</exception>
        public void Step(int player, long action)
        {
            PlaymatException.Check(TryStep(player, action));
        }

        /// <summary>The same without an exception.</summary>
        public Status TryStep(int player, long action)
        {
            using (Use env = new Use(handle))
                return NativeMethods.playmat_env_step_player(env.Value, player, action);
        }

        /// <summary>Plays the actions of all acting players at once.</summary>
        /// <param name="actions">One per player; entries of players who do not act are ignored.</param>
        /// <exception cref="PlaymatException">IllegalAction; EpisodeOver; InvalidArgument (length).</exception>
        public void StepJoint(ReadOnlySpan<long> actions)
        {
            PlaymatException.Check(TryStepJoint(actions));
        }

        /// <summary>The same without an exception.</summary>
        public unsafe Status TryStepJoint(ReadOnlySpan<long> actions)
        {
            using (Use env = new Use(handle))
            fixed (long* start = &MemoryMarshal.GetReference(actions))
                return NativeMethods.playmat_env_step_joint(env.Value, start, (UIntPtr)actions.Length);
        }

        /// <summary>Writes the legal action mask of a player, one byte per action: 1 legal, 0 not; all 0 for a player who does not act.</summary>
        /// <param name="mask">At least NumActions bytes.</param>
        /// <param name="player">Of this player.</param>
        /// <exception cref="PlaymatException">InvalidPlayer; BufferTooSmall; NullPointer.</exception>
        public void ActionMask(Span<byte> mask, int player = Player.Current)
        {
            PlaymatException.Check(TryActionMask(mask, player));
        }

        /// <summary>The same without an exception.</summary>
        public unsafe Status TryActionMask(Span<byte> mask, int player = Player.Current)
        {
            using (Use env = new Use(handle))
            fixed (byte* start = &MemoryMarshal.GetReference(mask))
                return NativeMethods.playmat_env_action_mask(env.Value, player, start, (UIntPtr)mask.Length);
        }

        /// <summary>The legal actions of a player in ascending order; none for a player who does not act.</summary>
        /// <exception cref="PlaymatException">InvalidPlayer.</exception>
        public long[] LegalActions(int player = Player.Current)
        {
            var room = new long[Info.NumActions];
            int count = LegalActions(room, player);
            Array.Resize(ref room, count);
            return room;
        }

        /// <summary>Writes the legal actions of a player and returns their number; room for NumActions always suffices.</summary>
        /// <exception cref="PlaymatException">InvalidPlayer; BufferTooSmall; NullPointer.</exception>
        public unsafe int LegalActions(Span<long> actions, int player = Player.Current)
        {
            UIntPtr count = UIntPtr.Zero;
            using (Use env = new Use(handle))
            fixed (long* start = &MemoryMarshal.GetReference(actions))
                PlaymatException.Check(NativeMethods.playmat_env_legal_actions(env.Value, player, start, (UIntPtr)actions.Length, &count));
            return Number.Int(count);
        }

        /// <summary>Writes the observation of a player as bytes.</summary>
        /// <param name="observation">At least ObservationSize bytes.</param>
        /// <param name="player">Any player at any time.</param>
        /// <exception cref="PlaymatException">InvalidPlayer; BufferTooSmall; NullPointer.</exception>
        public void Observation(Span<byte> observation, int player = Player.Current)
        {
            PlaymatException.Check(TryObservation(observation, player));
        }

        /// <summary>The same without an exception.</summary>
        public unsafe Status TryObservation(Span<byte> observation, int player = Player.Current)
        {
            using (Use env = new Use(handle))
            fixed (byte* start = &MemoryMarshal.GetReference(observation))
                return NativeMethods.playmat_env_observation(env.Value, player, start, (UIntPtr)observation.Length);
        }

        /// <summary>Writes the observation of a player as floats in [-1, 1]: (byte - Bias) / Scale of each segment.</summary>
        /// <param name="observation">At least ObservationSize floats.</param>
        /// <param name="player">Any player at any time.</param>
        /// <exception cref="PlaymatException">InvalidPlayer; BufferTooSmall; NullPointer.</exception>
        public void Observation(Span<float> observation, int player = Player.Current)
        {
            PlaymatException.Check(TryObservation(observation, player));
        }

        /// <summary>The same without an exception.</summary>
        public unsafe Status TryObservation(Span<float> observation, int player = Player.Current)
        {
            using (Use env = new Use(handle))
            fixed (float* start = &MemoryMarshal.GetReference(observation))
                return NativeMethods.playmat_env_observation_f32(env.Value, player, start, (UIntPtr)observation.Length);
        }

        /// <summary>The reward of each player for the last step.</summary>
        public float[] Rewards()
        {
            var all = new float[Info.NumPlayers];
            Rewards(all);
            return all;
        }

        /// <summary>Writes the reward of each player for the last step.</summary>
        /// <exception cref="PlaymatException">BufferTooSmall; NullPointer.</exception>
        public unsafe void Rewards(Span<float> rewards)
        {
            using (Use env = new Use(handle))
            fixed (float* start = &MemoryMarshal.GetReference(rewards))
                PlaymatException.Check(NativeMethods.playmat_env_rewards(env.Value, start, (UIntPtr)rewards.Length));
        }

        /// <summary>The return of each player so far: the sum of the rewards of this episode.</summary>
        public unsafe float[] Returns()
        {
            var all = new float[Info.NumPlayers];
            using (Use env = new Use(handle))
            fixed (float* start = all)
                PlaymatException.Check(NativeMethods.playmat_env_returns(env.Value, start, Number.Size(all)));
            return all;
        }

        /// <summary>The current score of each player in points of the game.</summary>
        public unsafe int[] Scores()
        {
            var all = new int[Info.NumPlayers];
            using (Use env = new Use(handle))
            fixed (int* start = all)
                PlaymatException.Check(NativeMethods.playmat_env_scores(env.Value, start, Number.Size(all)));
            return all;
        }

        /// <summary>Draws a uniformly random legal action of an acting player, from a random stream of the episode that nothing else
        /// uses.</summary>
        /// <exception cref="PlaymatException">EpisodeOver; NotActing; InvalidPlayer.</exception>
        public long SampleAction(int player = Player.Current)
        {
            long action;
            PlaymatException.Check(TrySampleAction(out action, player));
            return action;
        }

        /// <summary>The same without an exception: -1 if it was refused.</summary>
        public unsafe Status TrySampleAction(out long action, int player = Player.Current)
        {
            long drawn = -1;
            Status status;
            using (Use env = new Use(handle))
                status = NativeMethods.playmat_env_sample_action(env.Value, player, &drawn);
            action = drawn;
            return status;
        }

        /// <summary>The handle, for functions of playmat.h that a host declares for itself.</summary>
        public SafeHandle Handle
        {
            get { return handle; }
        }

        /// <summary>Destroys the environment, after a running call of another thread.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }

        /// <summary>For calls of other classes.</summary>
        internal EnvHandle Owned
        {
            get { return handle; }
        }

        /// <summary>The object of a handle that a call has created.</summary>
        internal static Status Own(Status status, EnvHandle handle, IntPtr given, GameInfo info, out Env env)
        {
            env = null;
            if (status != Status.Ok)
                return status;
            handle.Own(given);
            env = new Env(handle, info);
            return status;
        }

        private Env New(Status status, EnvHandle made, IntPtr given)
        {
            Env env;
            PlaymatException.Check(Own(status, made, given, Info, out env));
            return env;
        }
    }
}
