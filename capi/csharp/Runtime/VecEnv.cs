using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace Playmat
{
    /// <summary>
    /// Many episodes of one game, stepped together, with outputs in your arrays. It may move between threads, but one thread uses it at a
    /// time: a second one is refused with HandleInUse. Its first call must be a reset.
    /// </summary>
    /// <remarks>
    /// Every member can also be refused with Order (before the first reset, or during an asynchronous step), InvalidHandle (disposed) and
    /// HandleInUse. A null batch skips all outputs. Wrong lengths, an array that is used twice and another element type than the configured
    /// dtype are refused with InvalidArgument; then no environment has moved.
    /// </remarks>
    public sealed partial class VecEnv : IDisposable
    {
        private readonly VecEnvHandle handle;

        private VecEnv(VecEnvHandle handle, Sizes sizes)
        {
            this.handle = handle;
            Sizes = sizes;
        }

        /// <summary>The sizes from which the lengths of all arrays follow.</summary>
        public Sizes Sizes { get; private set; }

        /// <summary>A new object of the environments' game, to dispose on its own.</summary>
        /// <exception cref="PlaymatException">TooManyHandles.</exception>
        public unsafe Game Game()
        {
            var made = new GameHandle();
            IntPtr given = IntPtr.Zero;
            Game game;
            using (Use venv = new Use(handle))
                PlaymatException.Check(Playmat.Game.Own(NativeMethods.playmat_vec_env_game(venv.Value, &given), made, given, out game));
            return game;
        }

        /// <summary>The configuration as a JSON object with num_envs, threads, view, dtype, autoreset, spin_us and first_env.</summary>
        public unsafe string Describe()
        {
            using (Use venv = new Use(handle))
                return Text.Read((room, size, needed) => NativeMethods.playmat_vec_env_describe(venv.Value, room, size, needed));
        }

        /// <summary>Creates arrays for all outputs but FinalObsAll.</summary>
        /// <param name="floats">Observations as floats, for an environment with dtype "f32".</param>
        public Batch CreateBatch(bool floats = false)
        {
            return new Batch(Sizes, floats);
        }

        /// <summary>Starts the next episode in each environment's own sequence of episodes (of seed 0 at first).</summary>
        /// <param name="batch">Receives the outputs.</param>
        /// <param name="mask">One byte per environment: not 0 resets it. Without one all are reset; an array of length 0 is refused.</param>
        /// <exception cref="PlaymatException">InvalidArgument; Order.</exception>
        public unsafe void Reset(Batch batch, ReadOnlySpan<byte> mask = default(ReadOnlySpan<byte>))
        {
            fixed (byte* m = &MemoryMarshal.GetReference(mask))
            {
                var call = new ResetCall { Kind = ResetKind.Next, Mask = m, MaskLength = (UIntPtr)mask.Length };
                Run(ref call, batch);
            }
        }

        /// <summary>Starts a new sequence of episodes in each environment, hashed from a seed and the index of the environment.</summary>
        /// <param name="seed">Any number.</param>
        /// <param name="batch">Receives the outputs.</param>
        /// <param name="mask">One byte per environment: not 0 resets it. Without one all are reset; an array of length 0 is refused.</param>
        /// <exception cref="PlaymatException">InvalidArgument; Order.</exception>
        public unsafe void Reset(ulong seed, Batch batch, ReadOnlySpan<byte> mask = default(ReadOnlySpan<byte>))
        {
            fixed (byte* m = &MemoryMarshal.GetReference(mask))
            {
                var call = new ResetCall { Kind = ResetKind.Seed, Seed = seed, Mask = m, MaskLength = (UIntPtr)mask.Length };
                Run(ref call, batch);
            }
        }

        /// <summary>Starts the episodes of seeds, one per environment.</summary>
        /// <param name="seeds">One per environment.</param>
        /// <param name="batch">Receives the outputs.</param>
        /// <param name="mask">One byte per environment: not 0 resets it. Without one all are reset; an array of length 0 is refused.</param>
        /// <exception cref="PlaymatException">InvalidArgument; Order; NullPointer.</exception>
        public unsafe void Reset(ReadOnlySpan<ulong> seeds, Batch batch, ReadOnlySpan<byte> mask = default(ReadOnlySpan<byte>))
        {
            fixed (byte* m = &MemoryMarshal.GetReference(mask))
            fixed (ulong* s = &MemoryMarshal.GetReference(seeds))
            {
                var call = new ResetCall
                {
                    Kind = ResetKind.Seeds, Seeds = s, Count = (UIntPtr)seeds.Length, Mask = m, MaskLength = (UIntPtr)mask.Length,
                };
                Run(ref call, batch);
            }
        }

        /// <summary>Resets to saved states, one per environment: the bytes of <see cref="Env.Save"/> or <see cref="State"/>. The episodes
        /// continue with the saved random stream of chance; a search that must not look ahead passes states of <see cref="Env.Clone(ulong)"/>
        /// or <see cref="Env.SampleHidden"/>.</summary>
        /// <param name="states">One per environment.</param>
        /// <param name="batch">Receives the outputs.</param>
        /// <param name="mask">One byte per environment: not 0 resets it. Without one all are reset; an array of length 0 is refused.</param>
        /// <exception cref="PlaymatException">InvalidArgument; Unreadable; WrongIdentity; InvalidState; Order; NullPointer.</exception>
        public unsafe void ResetStates(byte[][] states, Batch batch, ReadOnlySpan<byte> mask = default(ReadOnlySpan<byte>))
        {
            int count = states == null ? 0 : states.Length;
            var starts = new IntPtr[count];
            var sizes = new UIntPtr[count];
            var pins = new Pins();
            try
            {
                for (int i = 0; i < count; i++)
                {
                    starts[i] = (IntPtr)pins.Add(states[i]);
                    sizes[i] = Number.Size(states[i]);
                }
                fixed (IntPtr* s = starts)
                fixed (UIntPtr* n = sizes)
                fixed (byte* m = &MemoryMarshal.GetReference(mask))
                {
                    var call = new ResetCall
                    {
                        Kind = ResetKind.States, States = (byte**)s, StateSizes = n, Count = (UIntPtr)count, Mask = m,
                        MaskLength = (UIntPtr)mask.Length,
                    };
                    Run(ref call, batch);
                }
            }
            finally
            {
                pins.Free();
            }
        }

        /// <summary>Plays one step of every environment. If it is refused, no environment has moved.</summary>
        /// <param name="actions">One per environment (joint view: per environment and player); entries of players who do not act
        /// are ignored.</param>
        /// <param name="batch">Receives the outputs.</param>
        /// <exception cref="PlaymatException">IllegalAction (the message lists environments, players, actions); EpisodeOver (autoreset
        /// "disabled"); InvalidArgument; Order; NullPointer.</exception>
        public void Step(ReadOnlySpan<long> actions, Batch batch)
        {
            PlaymatException.Check(TryStep(actions, batch));
        }

        /// <summary>The same without an exception.</summary>
        public unsafe Status TryStep(ReadOnlySpan<long> actions, Batch batch)
        {
            fixed (long* a = &MemoryMarshal.GetReference(actions))
            {
                var call = new StepCall { Actions = a, Count = (UIntPtr)actions.Length };
                return TryRun(ref call, batch);
            }
        }

        /// <summary>Plays one step with actions of 32 bits.</summary>
        /// <exception cref="PlaymatException">As with 64 bits.</exception>
        public void Step(ReadOnlySpan<int> actions, Batch batch)
        {
            PlaymatException.Check(TryStep(actions, batch));
        }

        /// <summary>The same without an exception.</summary>
        public unsafe Status TryStep(ReadOnlySpan<int> actions, Batch batch)
        {
            fixed (int* a = &MemoryMarshal.GetReference(actions))
            {
                var call = new StepCall { Actions32 = a, Count = (UIntPtr)actions.Length };
                return TryRun(ref call, batch);
            }
        }

        /// <summary>
        /// Starts a step on a thread of its own and returns. The first call starts that thread, also if <c>threads</c> is 1. Actions are
        /// copied. The step writes the arrays of the batch until <see cref="StepWait"/>: do not touch them before. They stay pinned until
        /// then, also if the objects are disposed.
        /// </summary>
        /// <exception cref="PlaymatException">InvalidArgument; Order; NullPointer. An illegal action is reported by the wait.</exception>
        public unsafe void StepAsync(ReadOnlySpan<long> actions, Batch batch)
        {
            var pins = new Pins();
            Status status = Status.Panic;
            try
            {
                PlaymatBuffers raw = batch == null ? default(PlaymatBuffers) : batch.Pin(pins);
                using (Use venv = new Use(handle))
                {
                    fixed (long* a = &MemoryMarshal.GetReference(actions))
                        status = NativeMethods.playmat_vec_env_step_async(venv.Value, a, (UIntPtr)actions.Length, &raw,
                            (UIntPtr)sizeof(PlaymatBuffers));
                    if (status == Status.Ok)
                    {
                        // A step starts only after the one before was waited for, whose arrays can be unpinned.
                        Pins before = Interlocked.Exchange(ref handle.Pending, pins);
                        if (before != null)
                            before.Free();
                    }
                }
            }
            finally
            {
                if (status != Status.Ok)
                    pins.Free();
            }
            PlaymatException.Check(status);
        }

        /// <summary>Waits for the end of the asynchronous step. Then its arrays are written and yours again.</summary>
        /// <exception cref="PlaymatException">As <see cref="Step(ReadOnlySpan{long}, Batch)"/>; Order (no step was started).</exception>
        public void StepWait()
        {
            PlaymatException.Check(TryStepWait());
        }

        /// <summary>The same without an exception.</summary>
        public Status TryStepWait()
        {
            using (Use venv = new Use(handle))
            {
                Pins pins = Interlocked.Exchange(ref handle.Pending, null);
                Status status = NativeMethods.playmat_vec_env_step_wait(venv.Value);
                if (pins == null)
                    return status;
                // A refused wait has not waited: the step still writes. If another step has started since, this one has ended.
                bool refused = status == Status.HandleInUse || status == Status.InvalidHandle || status == Status.Order;
                if (!refused || Interlocked.CompareExchange(ref handle.Pending, pins, null) != null)
                    pins.Free();
                return status;
            }
        }

        /// <summary>Whether an asynchronous step was started and not waited for.</summary>
        public unsafe bool IsPending
        {
            get
            {
                byte pending;
                using (Use venv = new Use(handle))
                    PlaymatException.Check(NativeMethods.playmat_vec_env_is_pending(venv.Value, &pending));
                return pending != 0;
            }
        }

        /// <summary>Writes the batch without a step; rewards and flags are 0.</summary>
        /// <exception cref="PlaymatException">InvalidArgument; Order.</exception>
        public void Show(Batch batch)
        {
            var call = new ShowCall();
            Run(ref call, batch);
        }

        /// <summary>Draws a uniformly random legal action for every row of the action mask, from each environment's own random stream; 0 for
        /// rows without legal actions.</summary>
        /// <param name="actions">As many as a step takes: NumEnvs * ActionsPerEnv.</param>
        /// <exception cref="PlaymatException">InvalidArgument (length); Order.</exception>
        public unsafe void SampleActions(Span<long> actions)
        {
            using (Use venv = new Use(handle))
            fixed (long* start = &MemoryMarshal.GetReference(actions))
                PlaymatException.Check(NativeMethods.playmat_vec_env_sample_actions(venv.Value, start, (UIntPtr)actions.Length));
        }

        /// <summary>
        /// Takes the actions that the last step has already drawn into <see cref="Batch.Drawn"/>: those that <see cref="SampleActions"/> would
        /// draw now. If it returns false, call that method.
        /// </summary>
        public unsafe bool TakeDrawn()
        {
            byte taken;
            using (Use venv = new Use(handle))
                PlaymatException.Check(NativeMethods.playmat_vec_env_take_drawn(venv.Value, &taken));
            return taken != 0;
        }

        /// <summary>Wakes sleeping worker threads before a step.</summary>
        public void Prepare()
        {
            using (Use venv = new Use(handle))
                PlaymatException.Check(NativeMethods.playmat_vec_env_prepare(venv.Value));
        }

        /// <summary>Plays steps with an agent for all players of the caller.</summary>
        /// <param name="agent">A spec.</param>
        /// <param name="rollout">The number of steps, at least 1, with arrays for their outputs.</param>
        /// <param name="batch">Receives the batch after them; null skips it.</param>
        /// <exception cref="PlaymatException">InvalidArgument; InvalidUtf8; Order; NullPointer.</exception>
        public unsafe void Rollout(string agent, Rollout rollout, Batch batch = null)
        {
            byte[] bytes = Text.Bytes(agent);
            fixed (byte* start = bytes)
            {
                var call = new RolloutCall { Agent = start, AgentLength = Text.Length(bytes), Into = rollout };
                Run(ref call, batch);
            }
        }

        internal VecEnvHandle Owned
        {
            get { return handle; }
        }

        /// <summary>The handle, for functions of playmat.h that a host declares for itself.</summary>
        public SafeHandle Handle
        {
            get { return handle; }
        }

        /// <summary>Destroys the environment and its threads; waits for a running asynchronous step.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }

        /// <summary>The object of a handle that a call has created.</summary>
        internal static unsafe Status Own(Status status, VecEnvHandle handle, IntPtr given, out VecEnv venv)
        {
            venv = null;
            if (status != Status.Ok)
                return status;
            handle.Own(given);
            PlaymatSizes raw;
            status = NativeMethods.playmat_vec_env_sizes(given, &raw, (UIntPtr)sizeof(PlaymatSizes));
            if (status != Status.Ok)
                return status;
            var sizes = new Sizes
            {
                NumEnvs = Number.Int(raw.num_envs),
                NumPlayers = Number.Int(raw.num_players),
                NumActions = Number.Int(raw.num_actions),
                ObservationSize = Number.Int(raw.observation_size),
                ActionsPerEnv = Number.Int(raw.actions_per_env),
            };
            venv = new VecEnv(handle, sizes);
            return status;
        }

        private void Run<T>(ref T call, Batch batch) where T : struct, IVecCall
        {
            PlaymatException.Check(TryRun(ref call, batch));
        }

        private Status TryRun<T>(ref T call, Batch batch) where T : struct, IVecCall
        {
            using (Use venv = new Use(handle))
            {
                call.Venv = venv.Value;
                return Batch.Call(batch, ref call);
            }
        }
    }
}
