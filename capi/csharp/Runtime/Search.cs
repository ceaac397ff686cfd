using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace Playmat
{
    /// <summary>The sizes from which the lengths of all arrays of a <see cref="Search"/> follow.</summary>
    public struct SearchSizes
    {
        /// <summary>Number of searches.</summary>
        public int Rows;
        /// <summary>Most leaves of one search that are under way at once.</summary>
        public int Leaves;
        /// <summary>Rows of a leaf: 1, or one per player where the value of one player does not tell that of the others: with three or more
        /// players, and where returns do not sum to zero.</summary>
        public int LeafRows;
        /// <summary>O, elements of an observation.</summary>
        public int ObservationSize;
        /// <summary>A, actions.</summary>
        public int NumActions;
    }

    /// <summary>The outputs of <see cref="Search.Collect"/>: n rows in your arrays, row-major, each of its complete length, or null to skip this
    /// output.</summary>
    public sealed class Leaves
    {
        /// <summary>Without arrays: skips all outputs.</summary>
        /// <param name="rows">n.</param>
        /// <exception cref="ArgumentOutOfRangeException">A negative number.</exception>
        public Leaves(int rows)
        {
            if (rows < 0)
                throw new ArgumentOutOfRangeException(nameof(rows), "got " + rows + "; wanted 0 or more");
            Rows = rows;
        }

        /// <summary>Creates all arrays.</summary>
        /// <param name="sizes">Of the searches, <see cref="Search.Sizes"/>.</param>
        /// <param name="floats">Observations as floats.</param>
        /// <param name="searches">Number of searches whose leaves there is room for; 0 for all.</param>
        /// <exception cref="OverflowException">More than an array can hold.</exception>
        /// <exception cref="ArgumentOutOfRangeException">A negative number of searches.</exception>
        public Leaves(SearchSizes sizes, bool floats = false, int searches = 0)
            : this(checked((searches == 0 ? sizes.Rows : searches) * sizes.Leaves * sizes.LeafRows))
        {
            if (floats)
                ObsFloat = new float[checked(Rows * sizes.ObservationSize)];
            else
                Obs = new byte[checked(Rows * sizes.ObservationSize)];
            ActionMask = new byte[checked(Rows * sizes.NumActions)];
            Player = new int[Rows];
            Search = new int[Rows];
        }

        /// <summary>n, rows that there is room for: at least Leaves * LeafRows of the sizes.</summary>
        public int Rows { get; private set; }
        /// <summary>[n, O] observation, as bytes.</summary>
        public byte[] Obs { get; set; }
        /// <summary>Obs as floats; set one of the two.</summary>
        public float[] ObsFloat { get; set; }
        /// <summary>[n, A] legal action mask; all 0 in the further rows of a leaf, whose logits are not read.</summary>
        public byte[] ActionMask { get; set; }
        /// <summary>[n] the player whose observation it is and whose value the network must give.</summary>
        public int[] Player { get; set; }
        /// <summary>[n] the search that it belongs to.</summary>
        public int[] Search { get; set; }
        /// <summary>[n] the action that the greedy agent would choose as the player, for networks that read it; -1 where the player has no
        /// decision. Null until you set it. The greedy agent of some games draws: with this array a search then finds something else than without
        /// it.</summary>
        public long[] Greedy { get; set; }
    }

    /// <summary>
    /// Tree searches, one per row, whose network the caller evaluates: made by <see cref="Game.CreateSearch"/>. They may move between threads,
    /// but one thread uses them at a time.
    /// </summary>
    /// <remarks>
    /// Start begins them. Then repeat Collect, which writes the positions that the network must evaluate, of all rows at once, and Feed, which
    /// takes logits and values, until Collect returns 0. Then Policy, Values and Actions return the results. Every member can also be refused
    /// with InvalidHandle (disposed) and HandleInUse.
    /// </remarks>
    public sealed class Search : IDisposable
    {
        /// <summary>As a temperature: the one of the spec, 0 without.</summary>
        public const float SpecTemperature = NativeMethods.PLAYMAT_SPEC_TEMPERATURE;

        private readonly SearchHandle handle;

        private Search(SearchHandle handle, SearchSizes sizes)
        {
            this.handle = handle;
            Sizes = sizes;
        }

        /// <summary>The sizes from which the lengths of all arrays follow.</summary>
        public SearchSizes Sizes { get; private set; }

        /// <summary>Its spec.</summary>
        public unsafe string Name
        {
            get
            {
                using (Use search = new Use(handle))
                    return Text.Read((room, size, needed) => NativeMethods.playmat_search_name(search.Value, room, size, needed));
            }
        }

        /// <summary>Begins a search in a row, for an acting player; the environment does not step.</summary>
        /// <param name="row">The row.</param>
        /// <param name="env">An environment of its game.</param>
        /// <param name="player">The searching player.</param>
        /// <param name="keep">Whether it goes on with the player's tree if the row has searched the same episode before.</param>
        /// <exception cref="PlaymatException">InvalidArgument; EpisodeOver; NotActing; InvalidPlayer.</exception>
        public void Start(int row, Env env, int player = Player.Current, bool keep = true)
        {
            PlaymatException.Check(TryStart(row, env, player, keep));
        }

        /// <summary>The same without an exception.</summary>
        public Status TryStart(int row, Env env, int player = Player.Current, bool keep = true)
        {
            using (Use search = new Use(handle))
            using (Use of = new Use(env == null ? null : env.Owned))
                return NativeMethods.playmat_search_start(search.Value, Number.Size(row), of.Value, player, (byte)(keep ? 1 : 0));
        }

        /// <summary>Begins a search in every row, for the rows of the batch's action mask. Rows in which no player acts have no search.</summary>
        /// <param name="venv">A batch of its game.</param>
        /// <param name="keep">Whether rows go on with the trees of their players.</param>
        /// <param name="mask">A byte per environment: where it is 0 there is no search. Without one all are searched; an array of length 0 is
        /// refused.</param>
        /// <exception cref="PlaymatException">InvalidArgument (another number of rows, another game); Order.</exception>
        public unsafe void Start(VecEnv venv, bool keep = true, ReadOnlySpan<byte> mask = default(ReadOnlySpan<byte>))
        {
            using (Use search = new Use(handle))
            using (Use of = new Use(venv == null ? null : venv.Owned))
            fixed (byte* m = &MemoryMarshal.GetReference(mask))
                PlaymatException.Check(NativeMethods.playmat_search_start_batch(search.Value, of.Value, m, (UIntPtr)mask.Length, (byte)(keep ? 1 : 0)));
        }

        /// <summary>Ends the search of a row without result: there is none until the next start.</summary>
        /// <exception cref="PlaymatException">InvalidArgument (row).</exception>
        public void Stop(int row)
        {
            using (Use search = new Use(handle))
                PlaymatException.Check(NativeMethods.playmat_search_stop(search.Value, Number.Size(row)));
        }

        /// <summary>Simulates until every search waits for the network, or is done, or there is no room for the leaves of another search. What a
        /// search finds depends neither on the room nor on the other searches.</summary>
        /// <param name="leaves">Receives the rows; with <c>threads</c> in the spec, rows after them may be overwritten.</param>
        /// <param name="cancellation">Ends the call; then nothing is written, and another call goes on.</param>
        /// <returns>Number of rows; 0 when all searches are done.</returns>
        /// <exception cref="PlaymatException">InvalidArgument; Order (nothing was started; the last rows were not fed).</exception>
        /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
        public unsafe int Collect(Leaves leaves, CancellationToken cancellation = default(CancellationToken))
        {
            using (var cancel = new Cancel(cancellation))
            {
                int count;
                cancel.Check(Run(leaves, cancel.Value, out count));
                return count;
            }
        }

        /// <summary>The same without an exception: 0 rows if it was refused.</summary>
        public Status TryCollect(Leaves leaves, out int count)
        {
            return Run(leaves, IntPtr.Zero, out count);
        }

        private unsafe Status Run(Leaves leaves, IntPtr cancel, out int count)
        {
            UIntPtr found = UIntPtr.Zero;
            Status status;
            using (Use search = new Use(handle))
            {
                if (leaves == null)
                {
                    count = 0;
                    return NativeMethods.playmat_search_collect(search.Value, null, (UIntPtr)sizeof(PlaymatLeaves), cancel, &found);
                }
                fixed (byte* obs = leaves.Obs, mask = leaves.ActionMask)
                fixed (float* floats = leaves.ObsFloat)
                fixed (int* player = leaves.Player, of = leaves.Search)
                fixed (long* greedy = leaves.Greedy)
                {
                    PlaymatLeaves raw;
                    raw.rows = Number.Size(leaves.Rows);
                    raw.obs = obs;
                    raw.obs_len = Number.Size(leaves.Obs);
                    raw.obs_f32 = floats;
                    raw.obs_f32_len = Number.Size(leaves.ObsFloat);
                    raw.action_mask = mask;
                    raw.action_mask_len = Number.Size(leaves.ActionMask);
                    raw.player = player;
                    raw.player_len = Number.Size(leaves.Player);
                    raw.search = of;
                    raw.search_len = Number.Size(leaves.Search);
                    raw.greedy = greedy;
                    raw.greedy_len = Number.Size(leaves.Greedy);
                    status = NativeMethods.playmat_search_collect(search.Value, &raw, (UIntPtr)sizeof(PlaymatLeaves), cancel, &found);
                }
            }
            count = Number.Int(found);
            return status;
        }

        /// <summary>Number of rows that were collected and not yet fed.</summary>
        public unsafe int Waiting
        {
            get
            {
                UIntPtr waiting;
                using (Use search = new Use(handle))
                    PlaymatException.Check(NativeMethods.playmat_search_waiting(search.Value, &waiting));
                return Number.Int(waiting);
            }
        }

        /// <summary>Takes what the network says about the n rows that were collected last.</summary>
        /// <param name="logits">[n, A]; those of illegal actions are not read.</param>
        /// <param name="values">[n], the sum of the rewards that the row's player has still to expect, of the kind that the game pays.</param>
        /// <exception cref="PlaymatException">InvalidArgument (lengths; a number that is read is not within -1e28 to 1e28); Order (nothing waits).</exception>
        public void Feed(ReadOnlySpan<float> logits, ReadOnlySpan<float> values)
        {
            PlaymatException.Check(TryFeed(logits, values));
        }

        /// <summary>The same without an exception.</summary>
        public unsafe Status TryFeed(ReadOnlySpan<float> logits, ReadOnlySpan<float> values)
        {
            using (Use search = new Use(handle))
            fixed (float* l = &MemoryMarshal.GetReference(logits))
            fixed (float* v = &MemoryMarshal.GetReference(values))
                return NativeMethods.playmat_search_feed(search.Value, l, (UIntPtr)logits.Length, v, (UIntPtr)values.Length);
        }

        /// <summary>Writes the share of each action in the simulations of each search: [rows, A].</summary>
        /// <exception cref="PlaymatException">InvalidArgument (length); Order (a search has not ended its first simulation).</exception>
        public unsafe void Policy(Span<float> shares)
        {
            using (Use search = new Use(handle))
            fixed (float* start = &MemoryMarshal.GetReference(shares))
                PlaymatException.Check(NativeMethods.playmat_search_policy(search.Value, start, (UIntPtr)shares.Length));
        }

        /// <summary>Writes the mean return of the searching player in the simulations of each search: [rows].</summary>
        /// <exception cref="PlaymatException">InvalidArgument (length); Order (a search has not ended its first simulation).</exception>
        public unsafe void Values(Span<float> means)
        {
            using (Use search = new Use(handle))
            fixed (float* start = &MemoryMarshal.GetReference(means))
                PlaymatException.Check(NativeMethods.playmat_search_values(search.Value, start, (UIntPtr)means.Length));
        }

        /// <summary>Writes how many simulations of each search chose each action, those of earlier searches that came through its position
        /// included: [rows, A]; 0 for a single legal action, which is not searched.</summary>
        /// <exception cref="PlaymatException">InvalidArgument (length); Order (a search has not ended its first simulation).</exception>
        public unsafe void Visits(Span<int> visits)
        {
            using (Use search = new Use(handle))
            fixed (int* start = &MemoryMarshal.GetReference(visits))
                PlaymatException.Check(NativeMethods.playmat_search_visits(search.Value, start, (UIntPtr)visits.Length));
        }

        /// <summary>Writes the mean return of the searching player in the simulations that chose each action: [rows, A]; 0 for an action that none
        /// chose.</summary>
        /// <exception cref="PlaymatException">InvalidArgument (length); Order (a search has not ended its first simulation).</exception>
        public unsafe void MeanReturns(Span<float> means)
        {
            using (Use search = new Use(handle))
            fixed (float* start = &MemoryMarshal.GetReference(means))
                PlaymatException.Check(NativeMethods.playmat_search_mean_returns(search.Value, start, (UIntPtr)means.Length));
        }

        /// <summary>Writes the prior of each action at the root of each search, with the noise: [rows, A].</summary>
        /// <exception cref="PlaymatException">InvalidArgument (length); Order (a search has not ended its first simulation).</exception>
        public unsafe void Priors(Span<float> priors)
        {
            using (Use search = new Use(handle))
            fixed (float* start = &MemoryMarshal.GetReference(priors))
                PlaymatException.Check(NativeMethods.playmat_search_priors(search.Value, start, (UIntPtr)priors.Length));
        }

        /// <summary>Writes an action for every row, 0 where there is no search.</summary>
        /// <param name="actions">[rows].</param>
        /// <param name="temperature">0: the most visited action; otherwise, up to 100, drawn in proportion to visits^(1 / temperature).
        /// Without it: as the spec says, its temperature_drop included.</param>
        /// <exception cref="PlaymatException">InvalidArgument (temperature, length); Order (a search has not ended its first
        /// simulation).</exception>
        public unsafe void Actions(Span<long> actions, float temperature = SpecTemperature)
        {
            using (Use search = new Use(handle))
            fixed (long* start = &MemoryMarshal.GetReference(actions))
                PlaymatException.Check(NativeMethods.playmat_search_actions(search.Value, temperature, start, (UIntPtr)actions.Length));
        }

        /// <summary>The handle, for functions of playmat.h that a host declares for itself.</summary>
        public SafeHandle Handle
        {
            get { return handle; }
        }

        /// <summary>Destroys the searches.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }

        /// <summary>The object of a handle that a call has created.</summary>
        internal static unsafe Status Own(Status status, SearchHandle handle, IntPtr given, out Search search)
        {
            search = null;
            if (status != Status.Ok)
                return status;
            handle.Own(given);
            PlaymatSearchSizes raw;
            using (Use made = new Use(handle))
                status = NativeMethods.playmat_search_sizes(made.Value, &raw, (UIntPtr)sizeof(PlaymatSearchSizes));
            if (status != Status.Ok)
            {
                handle.Dispose();
                return status;
            }
            var sizes = new SearchSizes
            {
                Rows = Number.Int(raw.rows), Leaves = Number.Int(raw.leaves), LeafRows = Number.Int(raw.leaf_rows),
                ObservationSize = Number.Int(raw.observation_size), NumActions = Number.Int(raw.num_actions),
            };
            search = new Search(handle, sizes);
            return status;
        }
    }
}
