using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace Playmat
{
    /// <summary>
    /// Many episodes of one game, stepped together, into arrays of yours. It may go from thread to thread and is in one call at a time:
    /// a second thread is refused with HandleInUse. Its first call must be a reset.
    /// </summary>
    /// <remarks>
    /// Every member can also be refused with Order (before the first reset, or while an asynchronous step is under way), InvalidHandle
    /// (disposed) and HandleInUse. Where a batch goes, null wants nothing. Lengths that do not fit, one array in two places and other
    /// elements than the configured dtype are refused with InvalidArgument, and nothing moves.
    /// </remarks>
    public sealed partial class VecEnv : IDisposable
    {
        private readonly VecEnvHandle handle;

        private VecEnv(VecEnvHandle handle, Sizes sizes)
        {
            this.handle = handle;
            Sizes = sizes;
        }

        /// <summary>What the lengths of all arrays are made of.</summary>
        public Sizes Sizes { get; private set; }

        /// <summary>The environment's game, as an object of its own to dispose.</summary>
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

        /// <summary>How the environment is configured, as a JSON object with num_envs, threads, view, dtype, autoreset and
        /// spin_us.</summary>
        public unsafe string Describe()
        {
            using (Use venv = new Use(handle))
                return Text.Read((room, size, needed) => NativeMethods.playmat_vec_env_describe(venv.Value, room, size, needed));
        }

        /// <summary>Arrays for everything that steps write, but FinalObsAll.</summary>
        /// <param name="floats">Observations as floats, for an environment with dtype "f32".</param>
        public Batch CreateBatch(bool floats = false)
        {
            return new Batch(Sizes, floats);
        }

        /// <summary>Starts the next episode of each environment's own stream of episodes (of seed 0 at first).</summary>
        /// <param name="batch">Where the results go.</param>
        /// <param name="mask">One byte per environment, not 0 for those to reset; none for all.</param>
        /// <exception cref="PlaymatException">InvalidArgument; Order.</exception>
        public unsafe void Reset(Batch batch, ReadOnlySpan<byte> mask = default(ReadOnlySpan<byte>))
        {
            fixed (byte* m = &MemoryMarshal.GetReference(mask))
            {
                var call = new ResetCall { Kind = ResetKind.Next, Mask = m, MaskLength = (UIntPtr)mask.Length };
                Run(ref call, batch);
            }
        }

        /// <summary>Starts new episodes: environment i starts a stream of its own, hashed from the seed and i.</summary>
        /// <param name="seed">Any number.</param>
        /// <param name="batch">Where the results go.</param>
        /// <param name="mask">One byte per environment, not 0 for those to reset; none for all.</param>
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
        /// <param name="batch">Where the results go.</param>
        /// <param name="mask">One byte per environment, not 0 for those to reset; none for all.</param>
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

        /// <summary>Goes on from saved states, one per environment: the bytes of <see cref="Env.Save"/> or <see cref="State"/>.</summary>
        /// <param name="states">One per environment.</param>
        /// <param name="batch">Where the results go.</param>
        /// <param name="mask">One byte per environment, not 0 for those to reset; none for all.</param>
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

        /// <summary>Plays one step of every environment: all or, on a refusal, none of them.</summary>
        /// <param name="actions">One per environment (joint view: per environment and player); entries of those who do not act are
        /// ignored.</param>
        /// <param name="batch">Where the results go.</param>
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

        /// <summary>The same with actions of 32 bits.</summary>
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
        /// Starts a step that goes on while the caller does something else, on a thread of its own, which the first call starts: also
        /// where <c>threads</c> is 1. Actions are copied. The
        /// arrays of the batch are written until <see cref="StepWait"/>: leave them alone until then. They stay alive and in place
        /// whatever happens to the objects meanwhile.
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
                        // A step begins only after the one before was waited for: what is still there of that one can go.
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

        /// <summary>Waits for the step that was started: its arrays are written and the caller's again.</summary>
        /// <exception cref="PlaymatException">What the step would have been refused for; Order (none was started).</exception>
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
                // Refused at the border, the wait has not happened: the step still writes. If another one has begun since, this one is over.
                bool refused = status == Status.HandleInUse || status == Status.InvalidHandle || status == Status.Order;
                if (!refused || Interlocked.CompareExchange(ref handle.Pending, pins, null) != null)
                    pins.Free();
                return status;
            }
        }

        /// <summary>Whether a step was started and not yet waited for.</summary>
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

        /// <summary>Writes the batch as it stands; rewards and flags are 0.</summary>
        /// <exception cref="PlaymatException">InvalidArgument; Order.</exception>
        public void Show(Batch batch)
        {
            var call = new ShowCall();
            Run(ref call, batch);
        }

        /// <summary>Draws a uniform legal action for every row of the mask, from each environment's own stream; 0 where nobody
        /// acts.</summary>
        /// <param name="actions">As many as a step takes: Envs * Lanes.</param>
        /// <exception cref="PlaymatException">InvalidArgument (length); Order.</exception>
        public unsafe void SampleActions(Span<long> actions)
        {
            using (Use venv = new Use(handle))
            fixed (long* start = &MemoryMarshal.GetReference(actions))
                PlaymatException.Check(NativeMethods.playmat_vec_env_sample_actions(venv.Value, start, (UIntPtr)actions.Length));
        }

        /// <summary>What a bot would do in every row of the mask, 0 where nobody acts: labels for imitation, whoever
        /// plays.</summary>
        /// <param name="bot">"random" or "greedy".</param>
        /// <param name="actions">As many as a step takes: Envs * Lanes.</param>
        /// <exception cref="PlaymatException">InvalidArgument (bot, length); Order.</exception>
        public unsafe void BotActions(string bot, Span<long> actions)
        {
            byte[] bytes = Text.Bytes(bot);
            using (Use venv = new Use(handle))
            fixed (byte* name = bytes)
            fixed (long* start = &MemoryMarshal.GetReference(actions))
                PlaymatException.Check(NativeMethods.playmat_vec_env_bot_actions(
                    venv.Value, name, Text.Length(bytes), start, (UIntPtr)actions.Length));
        }

        /// <summary>
        /// Whether the last step has already drawn what <see cref="SampleActions"/> would draw now, and written it into
        /// <see cref="Batch.Drawn"/>. If so, these draws are hereby taken and need not be sampled.
        /// </summary>
        public unsafe bool TakeDrawn()
        {
            byte taken;
            using (Use venv = new Use(handle))
                PlaymatException.Check(NativeMethods.playmat_vec_env_take_drawn(venv.Value, &taken));
            return taken != 0;
        }

        /// <summary>Wakes sleeping threads because a step is about to come.</summary>
        public void Prepare()
        {
            using (Use venv = new Use(handle))
                PlaymatException.Check(NativeMethods.playmat_vec_env_prepare(venv.Value));
        }

        /// <summary>Plays steps with a bot for all players that the caller would play; at least one step.</summary>
        /// <param name="policy">A bot's name.</param>
        /// <param name="rollout">How many steps, and where they go.</param>
        /// <param name="batch">Where the batch after them goes.</param>
        /// <exception cref="PlaymatException">InvalidArgument; InvalidUtf8; Order; NullPointer.</exception>
        public unsafe void Rollout(string policy, Rollout rollout, Batch batch = null)
        {
            byte[] bytes = Text.Bytes(policy);
            fixed (byte* start = bytes)
            {
                var call = new RolloutCall { Policy = start, PolicyLength = Text.Length(bytes), Into = rollout };
                Run(ref call, batch);
            }
        }

        /// <summary>The handle, for functions of playmat.h that a host declares for itself.</summary>
        public SafeHandle Handle
        {
            get { return handle; }
        }

        /// <summary>Ends the environment and its threads, after a step that is under way.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }

        /// <summary>The object around what a call has given.</summary>
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
                Envs = Number.Int(raw.envs),
                Players = Number.Int(raw.players),
                Actions = Number.Int(raw.actions),
                Observation = Number.Int(raw.observation),
                Lanes = Number.Int(raw.lanes),
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
