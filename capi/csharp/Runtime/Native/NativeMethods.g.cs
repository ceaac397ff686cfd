// Generated from capi/include/playmat.h by `make generate`; changes belong there.
using System;
using System.Runtime.InteropServices;

namespace Playmat
{
    /// <summary>The functions of playmat.h, each documented there.</summary>
    internal static unsafe class NativeMethods
    {
#if (UNITY_IOS || UNITY_TVOS) && !UNITY_EDITOR
        private const string Library = "__Internal";
#else
        private const string Library = "playmat";
#endif

        private static readonly UIntPtr SizeMax = UIntPtr.Size == 8 ? new UIntPtr(ulong.MaxValue) : new UIntPtr(uint.MaxValue);

        /// <summary>In place of the length of a text: it ends with its first zero byte.</summary>
        internal static readonly UIntPtr PLAYMAT_NTS = SizeMax;

        /// <summary>In place of a number of decisions: all of them.</summary>
        internal static readonly UIntPtr PLAYMAT_ALL_DECISIONS = SizeMax;

        /// <summary>Version of this interface: changes when a program compiled against an older header would no longer work.</summary>
        internal const int PLAYMAT_ABI_VERSION = 2;

        /// <summary>Version of the library that this header belongs to: MAJOR.MINOR.PATCH.</summary>
        internal const int PLAYMAT_VERSION_MAJOR = 0;

        /// <summary>Second part of that version.</summary>
        internal const int PLAYMAT_VERSION_MINOR = 1;

        /// <summary>Third part of that version.</summary>
        internal const int PLAYMAT_VERSION_PATCH = 0;

        /// <summary>That version as one number, for comparing: MAJOR * 1,000,000 + MINOR * 1000 + PATCH.</summary>
        internal const int PLAYMAT_VERSION_NUMBER = 1000;

        /// <summary>In place of a player: whoever acts next; after the end whoever acted last.</summary>
        internal const int PLAYMAT_CURRENT_PLAYER = -1;

        /// <summary>In place of a viewer: nothing is hidden.</summary>
        internal const int PLAYMAT_VIEW_ALL = -2;

        /// <summary>Bytes of a name in a struct, its terminating zero included.</summary>
        internal const int PLAYMAT_NAME_SIZE = 64;

        /// <summary>Most axes of a shape in a struct.</summary>
        internal const int PLAYMAT_MAX_AXES = 8;

        /// <summary>Most players of any game.</summary>
        internal const int PLAYMAT_MAX_PLAYERS = 8;

        /// <summary>The version of the interface that the library has; compare it with `PLAYMAT_ABI_VERSION` of the header you compiled with.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern uint playmat_abi_version();

        /// <summary>The version of the library, such as "0.1.0"; lives forever.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern byte* playmat_version();

        /// <summary>The version of the library as one number, for comparing with `PLAYMAT_VERSION_NUMBER` of the header you compiled with: both are MAJOR * 1,000,000 + MINOR * 1000 + PATCH.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern uint playmat_version_number();

        /// <summary>What the last refused call of this thread was refused for, in words: what was given and what is allowed. Never null; empty if nothing was refused yet. It stays in one place as long as the thread lives, also for destructors of its objects and for functions of `atexit`; the next refusal in the same thread writes over it: copy it to keep it. At most 8 KiB; a longer one is cut.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern byte* playmat_error_message();

        /// <summary>The stable name of a `status`, such as "illegal_action", the same in every language; "unknown" for a number that is none. Lives forever.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern byte* playmat_status_name(int status);

        /// <summary>How many games the library has.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr playmat_game_count();

        /// <summary>Writes the registered name of a game, in a fixed order.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_name(UIntPtr index, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Builds a game.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_create(byte* name, UIntPtr name_len, byte* options, UIntPtr options_len, byte* content, UIntPtr content_len, IntPtr* @out);

        /// <summary>Ends a handle of a game; environments made from it go on. Null is nothing to destroy.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_destroy(IntPtr game);

        /// <summary>Writes what is fixed for all episodes, in numbers.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_info(IntPtr game, PlaymatGameInfo* @out, UIntPtr out_size);

        /// <summary>Writes everything that is fixed, as JSON: titles, players, actions and observation with their meanings, bounds, options with their declarations.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_describe(IntPtr game, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Writes a named part of the observation.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_segment(IntPtr game, UIntPtr index, PlaymatSegment* @out, UIntPtr out_size);

        /// <summary>Writes a named range of actions.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_action_range(IntPtr game, UIntPtr index, PlaymatActionRange* @out, UIntPtr out_size);

        /// <summary>Converts observations from bytes to floats in [-1, 1]: `(byte - bias) / scale` of each segment.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_observation_f32(IntPtr game, byte* bytes, UIntPtr bytes_len, float* @out, UIntPtr out_len);

        /// <summary>Writes the text of an action without a position: what stands for its number alone.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_action_text(IntPtr game, long action, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>The action with a text, without a position.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_parse_action(IntPtr game, byte* text, UIntPtr text_len, long* action);

        /// <summary>Writes the checksums of observations, masks, rewards and states of the episodes of seeds 0 .. episodes - 1, as text such as "27033950-e9f381ab-41b11855-d4d65bab": equal on every machine and in every language.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_digest(IntPtr game, ulong episodes, IntPtr cancel, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Runs the engine's conformance suite on the game and writes its report as JSON: whether it `passed`, and for each check what it saw and what failed. What games of your own content are held to.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_conformance(IntPtr game, ulong seed, UIntPtr episodes, byte* only, UIntPtr only_len, IntPtr cancel, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Plays bots against each other and writes what the episodes were like, as JSON: lengths, scores, victories by player, how often each rule, content entry and range of actions happened, how often each action was chosen and how those fared who chose it.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_survey(IntPtr game, ulong episodes, ulong seed, byte* bots, UIntPtr bots_len, IntPtr cancel, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Measures the factor on rewards under which the returns of play have standard deviation 1; 1 if they do not differ.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_reward_scale(IntPtr game, ulong episodes, ulong seed, byte relative, IntPtr cancel, double* scale);

        /// <summary>A flag that nothing has requested yet.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_cancel_create(IntPtr* @out);

        /// <summary>Requests that all calls with this flag end, those to come included. They return CANCELLED soon: before the next episode or check. Any thread may call this at any time; a request is never taken back.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_cancel_request(IntPtr cancel);

        /// <summary>Whether the end of calls with this flag was requested: 1 or 0.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_cancel_is_requested(IntPtr cancel, byte* requested);

        /// <summary>Ends a handle of a flag; calls that have begun with it keep what they need. Null is nothing to destroy.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_cancel_destroy(IntPtr cancel);

        /// <summary>An environment playing the episode of a seed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_create(IntPtr game, ulong seed, IntPtr* @out);

        /// <summary>An environment from the bytes of `playmat_env_save`; its history begins here. Chance, bots and `playmat_env_sample_action` go on as they would have.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_load(IntPtr game, byte* data, UIntPtr data_len, IntPtr* @out);

        /// <summary>An environment from JSON, as `playmat_env_to_json` writes it complete. `{"state": ...}` alone suffices. What the text does not hold comes from streams hashed from `seed` (and from the seed in the text): those of bots and of `playmat_env_sample_action`, and without a generator in it chance too. Its history begins here.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_from_json(IntPtr game, byte* json, UIntPtr json_len, ulong seed, IntPtr* @out);

        /// <summary>An exact copy, the chance to come included: for keeping and taking back. To search, use `playmat_env_fork`.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_clone(IntPtr env, IntPtr* @out);

        /// <summary>A copy to search on: the same state, chance from a fresh stream, so that nobody can look ahead. The stream is hashed from `seed` and the episode's seed: it is not that of an episode created, loaded or sampled with `seed`.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_fork(IntPtr env, ulong seed, IntPtr* @out);

        /// <summary>An environment in a state drawn from those consistent with all that `player` knows, with chance from a stream hashed from `seed`; for PLAYMAT_CURRENT_PLAYER with all that whoever acts next knows (after the end: who acted last). Everything in it follows from what the player sees and from `seed`: its decisions count from 0, and `max_steps` from there. Its game is that of `env`, with private options (hidden deck lists) replaced by what the player knows of them: `playmat_env_game` gives the game that loads its saves.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_sample_hidden(IntPtr env, int player, ulong seed, IntPtr* @out);

        /// <summary>Ends an environment. Null is nothing to destroy.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_destroy(IntPtr env);

        /// <summary>A new handle of the environment's game, which `playmat_game_destroy` ends.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_game(IntPtr env, IntPtr* @out);

        /// <summary>Starts the next episode of this environment's own stream of episodes.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_reset(IntPtr env);

        /// <summary>Starts the episode of a seed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_reset_seed(IntPtr env, ulong seed);

        /// <summary>Writes where the episode stands.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_episode(IntPtr env, PlaymatEpisode* @out, UIntPtr out_size);

        /// <summary>The player who acts next in the turn view (of several, the lowest), -1 when the episode is over.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_current_player(IntPtr env, int* player);

        /// <summary>Plays an action of the current player.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_step(IntPtr env, long action);

        /// <summary>Plays an action of the current player and writes what whoever acts next needs to decide: the call of a loop that has to be fast, in place of `playmat_env_step`, `playmat_env_current_player`, `playmat_env_observation` and `playmat_env_action_mask`.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_step_into(IntPtr env, long action, byte* observation, UIntPtr observation_len, byte* mask, UIntPtr mask_len, int* next);

        /// <summary>Plays an action of any player who must act (simultaneous choices may come in any order); for PLAYMAT_CURRENT_PLAYER it is `playmat_env_step`.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_step_player(IntPtr env, int player, long action);

        /// <summary>Plays the actions of all players who must act, at once.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_step_joint(IntPtr env, long* actions, UIntPtr actions_len);

        /// <summary>Writes the legal actions of a player, one byte per action: 1 legal, 0 not; all 0 for a player who does not act.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_action_mask(IntPtr env, int player, byte* @out, UIntPtr out_len);

        /// <summary>Writes the numbers of the legal actions of a player, ascending, and how many they are; none for a player who does not act.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_legal_actions(IntPtr env, int player, long* @out, UIntPtr out_len, UIntPtr* count);

        /// <summary>Writes what a player knows, as bytes. When a limit has cut the episode off, it is still the position in which play would go on.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_observation(IntPtr env, int player, byte* @out, UIntPtr out_len);

        /// <summary>Writes what a player knows, as floats in [-1, 1]: `(byte - bias) / scale` of each segment.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_observation_f32(IntPtr env, int player, float* @out, UIntPtr out_len);

        /// <summary>Writes what the last step paid to each player.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_rewards(IntPtr env, float* @out, UIntPtr out_len);

        /// <summary>Writes what the episode has paid to each player so far.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_returns(IntPtr env, float* @out, UIntPtr out_len);

        /// <summary>Writes the current scores in points of the game.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_scores(IntPtr env, int* @out, UIntPtr out_len);

        /// <summary>Draws a uniformly random legal action of a player who must act, from a stream of the episode that nothing else uses.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_sample_action(IntPtr env, int player, long* action);

        /// <summary>Writes the decisions since the deal, or since the state that was loaded, sampled or forked.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_history(IntPtr env, PlaymatDecision* @out, UIntPtr out_len, UIntPtr* count);

        /// <summary>Writes state, chance and seeds as bytes, for `playmat_env_load` of the same build, game and content. The last 72 bytes hold the streams of bots and of `playmat_env_sample_action`: environments in equal positions have equal bytes before these.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_save(IntPtr env, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Writes the position as JSON without white space: what a host draws from.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_to_json(IntPtr env, int viewer, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Writes what the last step changed, as a JSON array of objects, one per event, in order: what a host animates from.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_events(IntPtr env, int viewer, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Draws the position as text for a terminal.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_draw_text(IntPtr env, int viewer, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Draws the position as an SVG image.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_draw_svg(IntPtr env, int viewer, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Draws the position as a PNG image.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_draw_png(IntPtr env, int viewer, uint width, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Draws the position as pixels: red, green and blue, a byte each, row by row from the top.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_draw_rgb(IntPtr env, int viewer, uint width, byte* pixels, UIntPtr pixels_size, UIntPtr* needed, PlaymatPictureSize* size);

        /// <summary>Writes the text of an action, as the player in this position would call it.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_action_text(IntPtr env, int player, long action, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Writes what a legal action would do, as far as the player knows: the text of its card, whether it busts. The text is empty for actions that need no explanation and for actions that are not legal now.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_action_help(IntPtr env, int player, long action, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>The action with a text, in this position.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_parse_action(IntPtr env, int player, byte* text, UIntPtr text_len, long* action);

        /// <summary>Writes what is wrong with the state as a JSON list of objects with `path` and `message`: empty in every state that play reaches.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_validate(IntPtr env, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Writes the bytes of the state that the history begins with, for `playmat_env_load_with_past`: none if it begins with the deal of the episode's seed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_start(IntPtr env, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>An environment from the bytes of `playmat_env_save` with the past that led to it, so that its history, its replay and the events of its last step are those of the saved one.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_load_with_past(IntPtr game, byte* data, UIntPtr data_len, byte* start, UIntPtr start_len, PlaymatDecision* history, UIntPtr history_len, IntPtr* @out);

        /// <summary>Builds a bot.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_bot_create(byte* name, UIntPtr name_len, IntPtr* @out);

        /// <summary>Ends a bot. Null is nothing to destroy.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_bot_destroy(IntPtr bot);

        /// <summary>The action that a bot chooses for a player who must act. It sees what the player may see; chance of its own comes from the episode's seed, so that its games repeat. The episode itself does not move.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_bot_action(IntPtr bot, IntPtr env, int player, long* action);

        /// <summary>Writes the episode of an environment as a replay: game, options, content, seed and decisions, as readable JSON.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_replay(IntPtr env, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Builds the game of a replay, with its options and content.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_from_replay(byte* replay, UIntPtr replay_len, IntPtr* @out);

        /// <summary>The number of decisions of a replay.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_replay_len(byte* replay, UIntPtr replay_len, UIntPtr* len);

        /// <summary>The environment of a replay after its first decisions; playing on from there is a fork. The whole replay is played and checked.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_from_replay(IntPtr game, byte* replay, UIntPtr replay_len, UIntPtr decisions, IntPtr* @out);

        /// <summary>A new handle of the game, which `playmat_game_destroy` ends.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_game(IntPtr venv, IntPtr* @out);

        /// <summary>Writes how the environment is configured, as a JSON object with `num_envs`, `threads`, `view`, `dtype`, `autoreset` and `spin_us`.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_describe(IntPtr venv, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Writes the sizes that the lengths of all buffers are made of.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_sizes(IntPtr venv, PlaymatSizes* @out, UIntPtr out_size);

        /// <summary>Writes what one player knows in every environment, acting or not: [N, O] (dtype `u8`).</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_observe(IntPtr venv, int player, byte* @out, UIntPtr out_len);

        /// <summary>Writes what all players know in every environment: [N, P, O] (dtype `u8`).</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_observe_all(IntPtr venv, byte* @out, UIntPtr out_len);

        /// <summary>Writes what one player knows in every environment, acting or not: [N, O] (dtype `f32`).</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_observe_f32(IntPtr venv, int player, float* @out, UIntPtr out_len);

        /// <summary>Writes what all players know in every environment: [N, P, O] (dtype `f32`).</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_observe_all_f32(IntPtr venv, float* @out, UIntPtr out_len);

        /// <summary>Writes where the running episode of an environment stands.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_episode(IntPtr venv, UIntPtr env, PlaymatVecEpisode* @out, UIntPtr out_size);

        /// <summary>Writes the state of one environment as bytes, for `playmat_env_load` and `playmat_vec_env_reset_states`.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_state(IntPtr venv, UIntPtr env, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Writes everything about all environments (states, streams, episodes, results by opponent) as bytes, for `playmat_vec_env_load`. The configuration, the weights of opponents and what the last step wrote are not among it.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_save(IntPtr venv, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Continues from `playmat_vec_env_save` of one with the same game, configuration and opponents; `playmat_vec_env_show` writes the batch.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_load(IntPtr venv, byte* data, UIntPtr data_len);

        /// <summary>Adds a bot to the pool of opponents, drawn from the next episodes on.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_add_opponent(IntPtr venv, byte* bot, UIntPtr bot_len, double weight, UIntPtr* index);

        /// <summary>Sets the weights of all opponents for the next episodes: finite, not negative, not all 0.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_set_weights(IntPtr venv, double* weights, UIntPtr weights_len);

        /// <summary>Writes the results of the ended episodes in which opponents play, as a JSON object with `episodes`, `wins`, `draws`, `losses`, `truncated`, `return_sum` and `opponents`, a list of objects with `name`, `weight` and the same counts of the episodes in which that opponent played. Each episode counts once in the total, and once with each of its opponents, of which there can be several: their counts can add up to more than the total. Where the caller plays several players, the best result among them counts, and the mean of their returns.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_results(IntPtr venv, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Empties the table of results.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_reset_results(IntPtr venv);

        /// <summary>A vectorized environment: many episodes of one game, stepped together. Its first call must be a reset.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_create(IntPtr game, UIntPtr num_envs, byte* config, UIntPtr config_len, IntPtr* @out);

        /// <summary>Ends a vectorized environment and its threads, after a step that is under way. Null is nothing to destroy.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_destroy(IntPtr venv);

        /// <summary>Starts the next episode of each environment's own stream of episodes (of seed 0 at first).</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_reset(IntPtr venv, byte* mask, UIntPtr mask_len, PlaymatBuffers* buffers, UIntPtr buffers_size);

        /// <summary>Starts new episodes: environment i starts a stream of its own, hashed from the seed and i.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_reset_seed(IntPtr venv, ulong seed, byte* mask, UIntPtr mask_len, PlaymatBuffers* buffers, UIntPtr buffers_size);

        /// <summary>Starts the episodes of seeds, one per environment. What comes after them is hashed from the environment's own seed and i.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_reset_seeds(IntPtr venv, ulong* seeds, UIntPtr seeds_len, byte* mask, UIntPtr mask_len, PlaymatBuffers* buffers, UIntPtr buffers_size);

        /// <summary>Goes on from saved states, one per environment.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_reset_states(IntPtr venv, byte** states, UIntPtr* sizes, UIntPtr count, byte* mask, UIntPtr mask_len, PlaymatBuffers* buffers, UIntPtr buffers_size);

        /// <summary>Plays one step of every environment: all or, on an error, none of them.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_step(IntPtr venv, long* actions, UIntPtr actions_len, PlaymatBuffers* buffers, UIntPtr buffers_size);

        /// <summary>Plays one step of every environment: all or, on an error, none of them.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_step_i32(IntPtr venv, int* actions, UIntPtr actions_len, PlaymatBuffers* buffers, UIntPtr buffers_size);

        /// <summary>Starts a step that goes on while the caller does something else, on a thread of its own, which the first call starts: also where `threads` is 1.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_step_async(IntPtr venv, long* actions, UIntPtr actions_len, PlaymatBuffers* buffers, UIntPtr buffers_size);

        /// <summary>Waits for the step that was started: its buffers are written and the caller's again.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_step_wait(IntPtr venv);

        /// <summary>Whether a step was started and not yet waited for: 1 or 0.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_is_pending(IntPtr venv, byte* pending);

        /// <summary>Writes the batch as it stands; rewards and flags are 0.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_show(IntPtr venv, PlaymatBuffers* buffers, UIntPtr buffers_size);

        /// <summary>Draws a uniform legal action for every row of the mask, from each environment's own stream; 0 where nobody acts.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_sample_actions(IntPtr venv, long* @out, UIntPtr out_len);

        /// <summary>What a bot would do in every row of the mask, 0 where nobody acts: labels for imitation, whoever plays.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_bot_actions(IntPtr venv, byte* bot, UIntPtr bot_len, long* @out, UIntPtr out_len);

        /// <summary>Whether the last step has already drawn what `playmat_vec_env_sample_actions` would draw now, and written it into its `drawn` buffer: 1 or 0. If 1, these draws are hereby taken and need not be sampled. After a use of either function, the next step draws ahead in its own pass, where it costs least; draws that are not taken leave no trace.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_take_drawn(IntPtr venv, byte* taken);

        /// <summary>Wakes sleeping threads because a step is about to come.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_prepare(IntPtr venv);

        /// <summary>Plays T steps with a bot for all players that the caller would play.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_rollout(IntPtr venv, byte* policy, UIntPtr policy_len, PlaymatRollout* rollout, UIntPtr rollout_size, PlaymatBuffers* buffers, UIntPtr buffers_size);

        /// <summary>Generalized advantage estimation for any number of players: what a player earns between two decisions of its own belongs to the first of them, with its own sign, whoever plays in between. Truncation bootstraps, termination does not; a row with both flags set is terminated.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_gae(PlaymatTrajectories* rollout, UIntPtr rollout_size, float* advantages, UIntPtr advantages_len, float* returns, UIntPtr returns_len);
    }
}
