using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading;

namespace Playmat
{
    /// <summary>
    /// A configured game, game and options: immutable, shared by any number of environments and threads. Environments created from it
    /// are not affected when it is disposed.
    /// </summary>
    public sealed class Game : IDisposable
    {
        /// <summary>As a number of decisions of a replay: all of them.</summary>
        public const int AllDecisions = -1;

        private readonly GameHandle handle;
        private volatile IReadOnlyList<Segment> segments;
        private volatile IReadOnlyList<ActionRange> ranges;

        private Game(GameHandle handle, GameInfo info)
        {
            this.handle = handle;
            Info = info;
        }

        /// <summary>Creates a configured game.</summary>
        /// <param name="name">A registered name, see <see cref="Library.Games"/>.</param>
        /// <param name="options">A JSON object or TOML text with the options of the game and the common ones (reward, max_steps);
        /// null or empty for none.</param>
        /// <param name="content">The text of a content file (TOML) that replaces the game's own, or the name of a built-in one;
        /// null or empty for the default.</param>
        /// <exception cref="PlaymatException">UnknownGame; InvalidOption; Content; Unreadable (options); InvalidUtf8;
        /// NullPointer.</exception>
        public static Game Create(string name, string options = null, string content = null)
        {
            Game game;
            PlaymatException.Check(TryCreate(name, options, content, out game));
            return game;
        }

        /// <summary>The same without an exception: null if it was refused, see <see cref="Library.LastMessage"/>.</summary>
        public static unsafe Status TryCreate(string name, string options, string content, out Game game)
        {
            Library.Compare();
            byte[] nameBytes = Text.Bytes(name), optionBytes = Text.Bytes(options);
            byte[] contentBytes = Text.Bytes(string.IsNullOrEmpty(content) ? null : content);
            var handle = new GameHandle();
            IntPtr given = IntPtr.Zero;
            Status status;
            fixed (byte* n = nameBytes, o = optionBytes, c = contentBytes)
                status = NativeMethods.playmat_game_create(n, Text.Length(nameBytes), o, Text.Length(optionBytes), c,
                    Text.Length(contentBytes), &given);
            return Own(status, handle, given, out game);
        }

        /// <summary>Creates the configured game of a replay.</summary>
        /// <exception cref="PlaymatException">Unreadable; WrongIdentity; UnknownGame; InvalidOption; Content; InvalidUtf8;
        /// NullPointer.</exception>
        public static Game FromReplay(string replay)
        {
            Game game;
            PlaymatException.Check(TryFromReplay(replay, out game));
            return game;
        }

        /// <summary>The same without an exception: null if it was refused.</summary>
        public static unsafe Status TryFromReplay(string replay, out Game game)
        {
            Library.Compare();
            byte[] bytes = Text.Bytes(replay);
            var handle = new GameHandle();
            IntPtr given = IntPtr.Zero;
            Status status;
            fixed (byte* start = bytes)
                status = NativeMethods.playmat_game_from_replay(start, Text.Length(bytes), &given);
            return Own(status, handle, given, out game);
        }

        /// <summary>Counts the decisions of a replay.</summary>
        /// <exception cref="PlaymatException">Unreadable; WrongIdentity; InvalidUtf8; NullPointer.</exception>
        public static unsafe int ReplayLength(string replay)
        {
            Library.Compare();
            byte[] bytes = Text.Bytes(replay);
            UIntPtr length = UIntPtr.Zero;
            fixed (byte* start = bytes)
                PlaymatException.Check(NativeMethods.playmat_replay_len(start, Text.Length(bytes), &length));
            return Number.Int(length);
        }

        /// <summary>The numbers that are fixed for all episodes.</summary>
        public GameInfo Info { get; private set; }

        /// <summary>Everything that is fixed for all episodes as a JSON object: titles, players, ranges of actions and segments of
        /// observations with their meanings, bounds, options with their allowed values. "content_entries" lists the cards, tiles and goals
        /// of the content with their texts.</summary>
        public unsafe string Describe()
        {
            using (Use game = new Use(handle))
                return Text.Read((room, size, needed) => NativeMethods.playmat_game_describe(game.Value, room, size, needed));
        }

        /// <summary>The named parts of an observation.</summary>
        public unsafe IReadOnlyList<Segment> Segments
        {
            get
            {
                if (segments != null)
                    return segments;
                var found = new Segment[Info.NumSegments];
                using (Use game = new Use(handle))
                {
                    for (int i = 0; i < found.Length; i++)
                    {
                        PlaymatSegment raw;
                        PlaymatException.Check(NativeMethods.playmat_game_segment(game.Value, (UIntPtr)i, &raw,
                            (UIntPtr)sizeof(PlaymatSegment)));
                        found[i] = new Segment(&raw);
                    }
                }
                return segments = found;
            }
        }

        /// <summary>The named ranges of actions.</summary>
        public unsafe IReadOnlyList<ActionRange> ActionRanges
        {
            get
            {
                if (ranges != null)
                    return ranges;
                var found = new ActionRange[Info.NumActionRanges];
                using (Use game = new Use(handle))
                {
                    for (int i = 0; i < found.Length; i++)
                    {
                        PlaymatActionRange raw;
                        PlaymatException.Check(NativeMethods.playmat_game_action_range(game.Value, (UIntPtr)i, &raw,
                            (UIntPtr)sizeof(PlaymatActionRange)));
                        found[i] = new ActionRange(&raw);
                    }
                }
                return ranges = found;
            }
        }

        /// <summary>The text of an action without a position.</summary>
        /// <exception cref="PlaymatException">InvalidArgument (action); InvalidHandle.</exception>
        public unsafe string ActionText(long action)
        {
            using (Use game = new Use(handle))
                return Text.Read((room, size, needed) =>
                    NativeMethods.playmat_game_action_text(game.Value, action, room, size, needed));
        }

        /// <summary>Finds the action with a text, without a position.</summary>
        /// <exception cref="PlaymatException">UnknownAction; InvalidUtf8; NullPointer; InvalidHandle.</exception>
        public long ParseAction(string text)
        {
            long action;
            PlaymatException.Check(TryParseAction(text, out action));
            return action;
        }

        /// <summary>The same without an exception: -1 if it was refused.</summary>
        public unsafe Status TryParseAction(string text, out long action)
        {
            byte[] bytes = Text.Bytes(text);
            long found = -1;
            Status status;
            using (Use game = new Use(handle))
            fixed (byte* start = bytes)
                status = NativeMethods.playmat_game_parse_action(game.Value, start, Text.Length(bytes), &found);
            action = found;
            return status;
        }

        /// <summary>Checksums of observations, masks, rewards and states of the episodes of seeds 0 .. episodes - 1, such as
        /// "27033950-e9f381ab-41b11855-d4d65bab". They are equal on every machine and in every language.</summary>
        /// <param name="episodes">How many, at most 1,000,000.</param>
        /// <param name="cancellation">Ends the call before its next episode.</param>
        /// <exception cref="PlaymatException">InvalidArgument (episodes); InvalidHandle.</exception>
        /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
        public unsafe string Digest(ulong episodes = 20, CancellationToken cancellation = default(CancellationToken))
        {
            using (Use game = new Use(handle))
            using (var cancel = new Cancel(cancellation))
            {
                string text;
                cancel.Check(Text.TryRead((room, size, needed) =>
                    NativeMethods.playmat_game_digest(game.Value, episodes, cancel.Value, room, size, needed), out text));
                return text;
            }
        }

        /// <summary>Converts observations from bytes to floats in [-1, 1]: (byte - Bias) / Scale of each segment.</summary>
        /// <param name="bytes">Any number of observations, one after the other.</param>
        /// <param name="floats">As many floats.</param>
        /// <exception cref="PlaymatException">InvalidArgument (lengths); InvalidHandle.</exception>
        public unsafe void ToFloats(ReadOnlySpan<byte> bytes, Span<float> floats)
        {
            using (Use game = new Use(handle))
            fixed (byte* from = &MemoryMarshal.GetReference(bytes))
            fixed (float* to = &MemoryMarshal.GetReference(floats))
                PlaymatException.Check(NativeMethods.playmat_game_observation_f32(game.Value, from, (UIntPtr)bytes.Length, to,
                    (UIntPtr)floats.Length));
        }

        /// <summary>Runs the engine's conformance suite on the game and returns its report as a JSON object: whether it "passed", and for
        /// each check its counts and failures. Use it to check games with a content of your own. It takes seconds to minutes.</summary>
        /// <param name="seed">Of the whole suite.</param>
        /// <param name="episodes">How many episodes are checked in every position, at most 1000; 0 for the default.</param>
        /// <param name="only">Identifiers of checks separated by commas, such as "T1,S3"; null or empty for all.</param>
        /// <param name="cancellation">Ends the call before its next episode or check.</param>
        /// <exception cref="PlaymatException">InvalidArgument (episodes; an unknown check); InvalidUtf8;
        /// InvalidHandle.</exception>
        /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
        public unsafe string Conformance(ulong seed = 1, int episodes = 0, string only = null,
            CancellationToken cancellation = default(CancellationToken))
        {
            byte[] bytes = Text.Bytes(only);
            using (Use game = new Use(handle))
            using (var cancel = new Cancel(cancellation))
            {
                string text;
                cancel.Check(Text.TryRead((room, size, needed) =>
                {
                    fixed (byte* start = bytes)
                        return NativeMethods.playmat_game_conformance(game.Value, seed, Number.Size(episodes), start,
                            Text.Length(bytes), cancel.Value, room, size, needed);
                }, out text, 1024 * 1024));
                return text;
            }
        }

        /// <summary>Lets agents play against each other and returns statistics of the episodes as a JSON object: decisions, scores, wins by
        /// player, how often each rule, content entry and range of actions occurred, how often each action was chosen and the results of
        /// those who chose it.</summary>
        /// <param name="episodes">How many, at most 1,000,000.</param>
        /// <param name="seed">The episodes' seeds are hashed from it.</param>
        /// <param name="agents">Specs separated by commas, at most one per player; the last one also plays for the players after
        /// it.</param>
        /// <param name="cancellation">Ends the call before its next episode.</param>
        /// <exception cref="PlaymatException">InvalidArgument (episodes, agents); InvalidUtf8; NullPointer; InvalidHandle.</exception>
        /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
        public unsafe string Survey(ulong episodes, ulong seed, string agents,
            CancellationToken cancellation = default(CancellationToken))
        {
            byte[] bytes = Text.Bytes(agents);
            using (Use game = new Use(handle))
            using (var cancel = new Cancel(cancellation))
            {
                string text;
                cancel.Check(Text.TryRead((room, size, needed) =>
                {
                    fixed (byte* start = bytes)
                        return NativeMethods.playmat_game_survey(game.Value, episodes, seed, start, Text.Length(bytes),
                            cancel.Value, room, size, needed);
                }, out text, 1024 * 1024));
                return text;
            }
        }

        /// <summary>Measures the factor on rewards that gives the returns of play a standard deviation of 1; 1 if all returns are equal. The
        /// agents "random" and "greedy" play every other episode, each for all players.</summary>
        /// <param name="episodes">How many, 1 to 1,000,000.</param>
        /// <param name="seed">The episodes' seeds are hashed from it.</param>
        /// <param name="relative">For a learner that is rewarded with its return less the mean of the others' returns.</param>
        /// <param name="cancellation">Ends the call before its next episode.</param>
        /// <exception cref="PlaymatException">InvalidArgument (episodes); InvalidHandle.</exception>
        /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
        public unsafe double RewardScale(ulong episodes = 256, ulong seed = 0, bool relative = false,
            CancellationToken cancellation = default(CancellationToken))
        {
            double scale;
            using (Use game = new Use(handle))
            using (var cancel = new Cancel(cancellation))
                cancel.Check(NativeMethods.playmat_game_reward_scale(game.Value, episodes, seed, (byte)(relative ? 1 : 0), cancel.Value,
                    &scale));
            return scale;
        }

        /// <summary>Creates an agent for this game.</summary>
        /// <param name="spec">"random"; "greedy", the game's own greedy agent; "mcts:400", a search with 400 simulations for each action, or
        /// "mcts:50ms"; "policy.onnx", a trained network (see `playmat_agent_create` in playmat.h for all options).</param>
        /// <exception cref="PlaymatException">InvalidArgument; InvalidUtf8; NullPointer; InvalidHandle; TooManyHandles.</exception>
        public Agent CreateAgent(string spec)
        {
            Agent agent;
            PlaymatException.Check(TryCreateAgent(spec, out agent));
            return agent;
        }

        /// <summary>The same without an exception: null if it was refused.</summary>
        public unsafe Status TryCreateAgent(string spec, out Agent agent)
        {
            var made = new AgentHandle();
            IntPtr given = IntPtr.Zero;
            byte[] bytes = Text.Bytes(spec);
            Status status;
            using (Use game = new Use(handle))
            fixed (byte* start = bytes)
                status = NativeMethods.playmat_agent_create(game.Value, start, Text.Length(bytes), &given);
            return Agent.Own(status, made, given, out agent);
        }

        /// <summary>Creates an environment and starts the episode of a seed.</summary>
        /// <exception cref="PlaymatException">InvalidHandle; TooManyHandles.</exception>
        public Env CreateEnv(ulong seed)
        {
            Env env;
            PlaymatException.Check(TryCreateEnv(seed, out env));
            return env;
        }

        /// <summary>The same without an exception: null if it was refused.</summary>
        public unsafe Status TryCreateEnv(ulong seed, out Env env)
        {
            var made = new EnvHandle();
            IntPtr given = IntPtr.Zero;
            Status status;
            using (Use game = new Use(handle))
                status = NativeMethods.playmat_env_create(game.Value, seed, &given);
            return Env.Own(status, made, given, Info, out env);
        }

        /// <summary>Creates an environment from the bytes of <see cref="Env.Save"/>; its history begins here.</summary>
        /// <exception cref="PlaymatException">Unreadable (damaged, truncated, extended); WrongIdentity; InvalidState;
        /// InvalidHandle.</exception>
        public Env LoadEnv(ReadOnlySpan<byte> saved)
        {
            Env env;
            PlaymatException.Check(TryLoadEnv(saved, out env));
            return env;
        }

        /// <summary>The same without an exception: null if it was refused.</summary>
        public unsafe Status TryLoadEnv(ReadOnlySpan<byte> saved, out Env env)
        {
            var made = new EnvHandle();
            IntPtr given = IntPtr.Zero;
            Status status;
            using (Use game = new Use(handle))
            fixed (byte* start = &MemoryMarshal.GetReference(saved))
                status = NativeMethods.playmat_env_load(game.Value, start, (UIntPtr)saved.Length, &given);
            return Env.Own(status, made, given, Info, out env);
        }

        /// <summary>Creates an environment from the bytes of <see cref="Env.Save"/> and the decisions before it, so that its history, its
        /// replay and the events of its last step are those of the saved one.</summary>
        /// <param name="saved">The bytes of <see cref="Env.Save"/>.</param>
        /// <param name="start">The bytes of <see cref="Env.Start"/>.</param>
        /// <param name="history">The decisions of <see cref="Env.History"/>.</param>
        /// <exception cref="PlaymatException">Unreadable; WrongIdentity; InvalidState; InvalidArgument (the decisions do not lead to the state);
        /// IllegalAction; NotActing; InvalidPlayer; EpisodeOver; InvalidHandle.</exception>
        public unsafe Env LoadEnv(ReadOnlySpan<byte> saved, ReadOnlySpan<byte> start, ReadOnlySpan<Decision> history)
        {
            var decisions = new PlaymatDecision[history.Length];
            for (int i = 0; i < decisions.Length; i++)
            {
                decisions[i].player = history[i].Player;
                decisions[i].action = history[i].Action;
            }
            var made = new EnvHandle();
            IntPtr given = IntPtr.Zero;
            Status status;
            using (Use game = new Use(handle))
            fixed (byte* s = &MemoryMarshal.GetReference(saved), b = &MemoryMarshal.GetReference(start))
            fixed (PlaymatDecision* d = decisions)
                status = NativeMethods.playmat_env_load_with_history(game.Value, s, (UIntPtr)saved.Length, b, (UIntPtr)start.Length, d,
                    (UIntPtr)decisions.Length, &given);
            Env env;
            PlaymatException.Check(Env.Own(status, made, given, Info, out env));
            return env;
        }

        /// <summary>Creates an environment from JSON that <see cref="Env.ToJson"/> has written for <see cref="Viewer.All"/>; {"state": ...}
        /// alone suffices. Random streams that the text does not hold come from the seed. Its history begins here.</summary>
        /// <exception cref="PlaymatException">Unreadable; WrongIdentity; InvalidState, each with the path of what is wrong; InvalidUtf8;
        /// NullPointer; InvalidHandle.</exception>
        public Env EnvFromJson(string json, ulong seed = 0)
        {
            Env env;
            PlaymatException.Check(TryEnvFromJson(json, seed, out env));
            return env;
        }

        /// <summary>The same without an exception: null if it was refused.</summary>
        public unsafe Status TryEnvFromJson(string json, ulong seed, out Env env)
        {
            byte[] bytes = Text.Bytes(json);
            var made = new EnvHandle();
            IntPtr given = IntPtr.Zero;
            Status status;
            using (Use game = new Use(handle))
            fixed (byte* start = bytes)
                status = NativeMethods.playmat_env_from_json(game.Value, start, Text.Length(bytes), seed, &given);
            return Env.Own(status, made, given, Info, out env);
        }

        /// <summary>Creates the environment of a replay after its first decisions. Steps from there lead to another episode. The whole replay is
        /// played and checked.</summary>
        /// <param name="replay">JSON text of <see cref="Env.Replay"/>.</param>
        /// <param name="decisions">How many, or <see cref="AllDecisions"/>.</param>
        /// <exception cref="PlaymatException">Unreadable; WrongIdentity; InvalidArgument (decisions); InvalidUtf8; NullPointer;
        /// InvalidHandle.</exception>
        public Env EnvFromReplay(string replay, int decisions = AllDecisions)
        {
            Env env;
            PlaymatException.Check(TryEnvFromReplay(replay, decisions, out env));
            return env;
        }

        /// <summary>The same without an exception: null if it was refused.</summary>
        public unsafe Status TryEnvFromReplay(string replay, int decisions, out Env env)
        {
            byte[] bytes = Text.Bytes(replay);
            var made = new EnvHandle();
            IntPtr given = IntPtr.Zero;
            Status status;
            using (Use game = new Use(handle))
            fixed (byte* start = bytes)
                status = NativeMethods.playmat_env_from_replay(game.Value, start, Text.Length(bytes), Number.Size(decisions),
                    &given);
            return Env.Own(status, made, given, Info, out env);
        }

        /// <summary>Creates a batch of environments: many episodes stepped together. Its first call must be a reset.</summary>
        /// <param name="numEnvs">How many.</param>
        /// <param name="config">A JSON object or TOML text, null for the defaults, with any of the keys threads, view ("turn", "joint",
        /// "single"), dtype ("u8", "f32"), autoreset ("same_step", "next_step", "disabled"), learner, roles, opponents, spin_us, first_env;
        /// playmat.h documents them at playmat_vec_env_create.</param>
        /// <exception cref="PlaymatException">Unreadable (config); InvalidArgument; InvalidPlayer; InvalidUtf8; InvalidHandle.</exception>
        public VecEnv CreateVecEnv(int numEnvs, string config = null)
        {
            VecEnv venv;
            PlaymatException.Check(TryCreateVecEnv(numEnvs, config, out venv));
            return venv;
        }

        /// <summary>The same without an exception: null if it was refused.</summary>
        public unsafe Status TryCreateVecEnv(int numEnvs, string config, out VecEnv venv)
        {
            byte[] bytes = Text.Bytes(config);
            var made = new VecEnvHandle();
            IntPtr given = IntPtr.Zero;
            Status status;
            using (Use game = new Use(handle))
            fixed (byte* start = bytes)
                status = NativeMethods.playmat_vec_env_create(game.Value, Number.Size(numEnvs), start, Text.Length(bytes), &given);
            return VecEnv.Own(status, made, given, out venv);
        }

        /// <summary>Creates tree searches whose network the caller evaluates, one per row.</summary>
        /// <param name="spec">Such as "mcts:64" or "mcts:64,c=2,dirichlet_alpha=0.3,temperature=1".</param>
        /// <param name="rows">Number of searches.</param>
        /// <param name="leaves">Leaves of one search that are under way at once, 1 to 1024.</param>
        /// <exception cref="PlaymatException">InvalidArgument; NullPointer; TooManyHandles.</exception>
        public Search CreateSearch(string spec, int rows = 1, int leaves = 1)
        {
            Search search;
            PlaymatException.Check(TryCreateSearch(spec, rows, leaves, out search));
            return search;
        }

        /// <summary>The same without an exception: null if it was refused.</summary>
        public unsafe Status TryCreateSearch(string spec, int rows, int leaves, out Search search)
        {
            var made = new SearchHandle();
            IntPtr given = IntPtr.Zero;
            byte[] bytes = Text.Bytes(spec);
            Status status;
            using (Use game = new Use(handle))
            fixed (byte* start = bytes)
                status = NativeMethods.playmat_search_create(game.Value, start, Text.Length(bytes), Number.Size(rows), Number.Size(leaves),
                    &given);
            return Search.Own(status, made, given, out search);
        }

        /// <summary>The handle, for functions of playmat.h that a host declares for itself.</summary>
        public SafeHandle Handle
        {
            get { return handle; }
        }

        /// <summary>Destroys this handle of the game. Environments created from it are not affected.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }

        /// <summary>The object of a handle that a call has created.</summary>
        internal static unsafe Status Own(Status status, GameHandle handle, IntPtr given, out Game game)
        {
            game = null;
            if (status != Status.Ok)
                return status;
            handle.Own(given);
            PlaymatGameInfo raw;
            status = NativeMethods.playmat_game_info(given, &raw, (UIntPtr)sizeof(PlaymatGameInfo));
            if (status == Status.Ok)
                game = new Game(handle, new GameInfo(&raw));
            return status;
        }
    }
}
