using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading;

namespace Playmat
{
    /// <summary>
    /// A game with its options: immutable, used by any number of environments and threads at once. Environments made from it
    /// go on when it is disposed.
    /// </summary>
    public sealed class Game : IDisposable
    {
        /// <summary>In place of a number of decisions of a replay: all of them (PLAYMAT_ALL_DECISIONS).</summary>
        public const int AllDecisions = -1;

        private readonly GameHandle handle;
        private volatile IReadOnlyList<Segment> segments;
        private volatile IReadOnlyList<ActionRange> ranges;

        private Game(GameHandle handle, GameInfo info)
        {
            this.handle = handle;
            Info = info;
        }

        /// <summary>Builds a game.</summary>
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

        /// <summary>The game of a replay, with its options and content.</summary>
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

        /// <summary>The number of decisions of a replay.</summary>
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

        /// <summary>What is fixed, in numbers.</summary>
        public GameInfo Info { get; private set; }

        /// <summary>Everything that is fixed, as JSON: titles, players, actions and observation with their meanings, bounds, options
        /// with their declarations.</summary>
        public unsafe string Describe()
        {
            using (Use game = new Use(handle))
                return Text.Read((room, size, needed) => NativeMethods.playmat_game_describe(game.Value, room, size, needed));
        }

        /// <summary>The layout of an observation.</summary>
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

        /// <summary>The layout of the actions.</summary>
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

        /// <summary>The text of an action without a position: what stands for its number alone.</summary>
        /// <exception cref="PlaymatException">InvalidArgument (action); InvalidHandle.</exception>
        public unsafe string ActionText(long action)
        {
            using (Use game = new Use(handle))
                return Text.Read((room, size, needed) =>
                    NativeMethods.playmat_game_action_text(game.Value, action, room, size, needed));
        }

        /// <summary>The action with a text, without a position.</summary>
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

        /// <summary>The checksums of observations, masks, rewards and states of the episodes of seeds 0 .. episodes - 1, such as
        /// "27033950-e9f381ab-41b11855-d4d65bab": equal on every machine and in every language.</summary>
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

        /// <summary>Runs the engine's conformance suite on the game: its report as JSON, whether it "passed", and for each check what it saw
        /// and what failed. What games of your own content are held to; it takes seconds to minutes.</summary>
        /// <param name="seed">Root of all seeds of the suite.</param>
        /// <param name="episodes">How many it plays with every position kept, at most 1000; 0 for the usual amount.</param>
        /// <param name="only">Identifiers of checks with commas between them, such as "T1,S3"; null or empty for all.</param>
        /// <param name="cancellation">Ends the call before its next episode or check.</param>
        /// <exception cref="PlaymatException">InvalidArgument (episodes; a check that there is none of); InvalidUtf8;
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

        /// <summary>Plays bots against each other and says, as JSON, what the episodes were like: lengths, scores, victories by player,
        /// how often each rule, content entry and range of actions happened, how often each action was chosen and how those fared who
        /// chose it.</summary>
        /// <param name="episodes">How many, at most 1,000,000.</param>
        /// <param name="seed">What their seeds derive from.</param>
        /// <param name="bots">Names with commas between them, one for each player or fewer, the last one also for the players after
        /// it.</param>
        /// <param name="cancellation">Ends the call before its next episode.</param>
        /// <exception cref="PlaymatException">InvalidArgument (episodes, bots); InvalidUtf8; NullPointer; InvalidHandle.</exception>
        /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
        public unsafe string Survey(ulong episodes, ulong seed, string bots,
            CancellationToken cancellation = default(CancellationToken))
        {
            byte[] bytes = Text.Bytes(bots);
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

        /// <summary>Measures the factor on rewards under which the returns of play have standard deviation 1; 1 if they do not differ. The
        /// bots "random" and "greedy" play every other episode, each for all players.</summary>
        /// <param name="episodes">How many, 1 to 1,000,000.</param>
        /// <param name="seed">Their seeds derive from it.</param>
        /// <param name="relative">Measures the return of each player less the mean of the others', for a learner that is paid so.</param>
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

        /// <summary>An environment playing the episode of a seed.</summary>
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

        /// <summary>An environment from the bytes of <see cref="Env.Save"/>; its history begins here.</summary>
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

        /// <summary>An environment from the bytes of <see cref="Env.Save"/> with the past that led to it, so that its history, its replay
        /// and the events of its last step are those of the saved one.</summary>
        /// <param name="saved">The bytes of <see cref="Env.Save"/>.</param>
        /// <param name="start">The bytes of <see cref="Env.Start"/>.</param>
        /// <param name="history">The decisions of <see cref="Env.History"/>.</param>
        /// <exception cref="PlaymatException">Unreadable; WrongIdentity; InvalidState; InvalidArgument (the past does not lead here);
        /// IllegalAction; NotActing; InvalidSeat; EpisodeOver; InvalidHandle.</exception>
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
                status = NativeMethods.playmat_env_load_with_past(game.Value, s, (UIntPtr)saved.Length, b, (UIntPtr)start.Length, d,
                    (UIntPtr)decisions.Length, &given);
            Env env;
            PlaymatException.Check(Env.Own(status, made, given, Info, out env));
            return env;
        }

        /// <summary>An environment from JSON, as <see cref="Env.ToJson"/> writes it for <see cref="Viewer.All"/>. {"state": ...} alone
        /// suffices; without a generator in it, chance comes from the seed. Its history begins here.</summary>
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

        /// <summary>The environment of a replay after its first decisions; playing on from there is a fork. The whole replay is played
        /// and checked.</summary>
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

        /// <summary>A vectorized environment: many episodes stepped together. Its first call must be a reset.</summary>
        /// <param name="numEnvs">How many.</param>
        /// <param name="config">A JSON object or TOML text, null for the defaults, with any of the keys threads, view ("turn", "joint",
        /// "single"), dtype ("u8", "f32"), autoreset ("same_step", "next_step", "disabled"), learner, seats, opponents, spin_us; what each
        /// means is written at playmat_vec_env_create in playmat.h.</param>
        /// <exception cref="PlaymatException">Unreadable (config); InvalidArgument; InvalidSeat; InvalidUtf8; InvalidHandle.</exception>
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

        /// <summary>The handle, for functions of playmat.h that a host declares for itself.</summary>
        public SafeHandle Handle
        {
            get { return handle; }
        }

        /// <summary>Ends this handle of the game; environments made from it go on.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }

        /// <summary>The object around what a call has given.</summary>
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
