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

        /// <summary>As the length of a text: it ends with its first zero byte.</summary>
        internal static readonly UIntPtr PLAYMAT_NTS = SizeMax;

        /// <summary>As a number of decisions: all of them.</summary>
        internal static readonly UIntPtr PLAYMAT_ALL_DECISIONS = SizeMax;

        /// <summary>Version of this interface; changes when programs compiled with an older header would no longer work.</summary>
        internal const int PLAYMAT_ABI_VERSION = 5;

        /// <summary>Version of the library of this header: MAJOR.MINOR.PATCH.</summary>
        internal const int PLAYMAT_VERSION_MAJOR = 0;

        /// <summary>Second part of that version.</summary>
        internal const int PLAYMAT_VERSION_MINOR = 1;

        /// <summary>Third part of that version.</summary>
        internal const int PLAYMAT_VERSION_PATCH = 0;

        /// <summary>That version as one number: MAJOR * 1,000,000 + MINOR * 1000 + PATCH.</summary>
        internal const int PLAYMAT_VERSION_NUMBER = 1000;

        /// <summary>As a player: the one who acts next; after the end the one who acted last.</summary>
        internal const int PLAYMAT_CURRENT_PLAYER = -1;

        /// <summary>As a viewer: sees everything.</summary>
        internal const int PLAYMAT_VIEW_ALL = -2;

        /// <summary>Bytes of a name in a struct, its terminating zero included.</summary>
        internal const int PLAYMAT_NAME_SIZE = 64;

        /// <summary>Most axes of a shape in a struct.</summary>
        internal const int PLAYMAT_MAX_AXES = 8;

        /// <summary>Most players of any game.</summary>
        internal const int PLAYMAT_MAX_PLAYERS = 8;

        /// <summary>As a temperature: the one of the search's spec, 0 without.</summary>
        internal const int PLAYMAT_SPEC_TEMPERATURE = -1;

        /// <summary>The version of the interface that the library has; compare it with `PLAYMAT_ABI_VERSION` of the header you compiled with.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern uint playmat_abi_version();

        /// <summary>The version of the library, such as "0.1.0". The text is never freed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern byte* playmat_version();

        /// <summary>The version of the library as one number; compare it with `PLAYMAT_VERSION_NUMBER` of the header you compiled with.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern uint playmat_version_number();

        /// <summary>The message of the last refused call of this thread: what was given and what is allowed. It is never null, and empty if no call was refused yet.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern byte* playmat_error_message();

        /// <summary>The stable name of a `status`, such as "illegal_action", the same in every language; "unknown" for other numbers. The text is never freed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern byte* playmat_status_name(int status);

        /// <summary>The number of games in the library.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr playmat_game_count();

        /// <summary>Writes the registered name of a game. The order of the games is fixed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_name(UIntPtr index, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Creates a configured game: a registered game with its options and content.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_create(byte* name, UIntPtr name_len, byte* options, UIntPtr options_len, byte* content, UIntPtr content_len, IntPtr* @out);

        /// <summary>Destroys a handle of a game. Environments created from the game are not affected.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_destroy(IntPtr game);

        /// <summary>Writes the numbers that are fixed for all episodes.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_info(IntPtr game, PlaymatGameInfo* @out, UIntPtr out_size);

        /// <summary>Writes everything that is fixed for all episodes as a JSON object: titles, players, ranges of actions and segments of observations with their meanings, bounds, options with their allowed values.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_describe(IntPtr game, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Writes a segment, a named part of the observation.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_segment(IntPtr game, UIntPtr index, PlaymatSegment* @out, UIntPtr out_size);

        /// <summary>Writes a named range of actions.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_action_range(IntPtr game, UIntPtr index, PlaymatActionRange* @out, UIntPtr out_size);

        /// <summary>Converts observations from bytes to floats in [-1, 1]: `(byte - bias) / scale` of each segment.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_observation_f32(IntPtr game, byte* bytes, UIntPtr bytes_len, float* @out, UIntPtr out_len);

        /// <summary>Writes the text of an action without a position.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_action_text(IntPtr game, long action, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Finds the action with a text, without a position.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_parse_action(IntPtr game, byte* text, UIntPtr text_len, long* action);

        /// <summary>Writes checksums of observations, masks, rewards and states of the episodes of seeds 0 .. episodes - 1, as text such as "27033950-e9f381ab-41b11855-d4d65bab". They are equal on every machine and in every language.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_digest(IntPtr game, ulong episodes, IntPtr cancel, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Runs the engine's conformance suite on the game and writes its report as a JSON object: whether it `passed`, and for each check its counts and failures. Use it to check games with a content of your own.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_conformance(IntPtr game, ulong seed, UIntPtr episodes, byte* only, UIntPtr only_len, IntPtr cancel, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Lets agents play against each other and writes statistics of the episodes as a JSON object: decisions, scores, wins by player, how often each rule, content entry and range of actions occurred, how often each action was chosen and the results of its choosers.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_survey(IntPtr game, ulong episodes, ulong seed, byte* agents, UIntPtr agents_len, IntPtr cancel, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Measures the factor on rewards that gives the returns of play a standard deviation of 1; the factor is 1 if all returns are equal.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_reward_scale(IntPtr game, ulong episodes, ulong seed, byte relative, IntPtr cancel, double* scale);

        /// <summary>Creates a cancel flag.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_cancel_create(IntPtr* @out);

        /// <summary>Requests that all calls with this flag end, running and later ones. They return CANCELLED before their next episode or check, agents and searches after some simulations. Any thread may call this at any time. A request cannot be taken back.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_cancel_request(IntPtr cancel);

        /// <summary>Whether `playmat_cancel_request` was called.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_cancel_is_requested(IntPtr cancel, byte* requested);

        /// <summary>Destroys a cancel flag. Calls that have begun with it can no longer be cancelled, but end with CANCELLED if that was requested before.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_cancel_destroy(IntPtr cancel);

        /// <summary>Creates an environment and starts the episode of a seed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_create(IntPtr game, ulong seed, IntPtr* @out);

        /// <summary>Creates an environment from the bytes of `playmat_env_save`. Its history begins here. Chance, agents and `playmat_env_sample_action` continue as in the saved one.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_load(IntPtr game, byte* data, UIntPtr data_len, IntPtr* @out);

        /// <summary>Creates an environment from JSON that `playmat_env_to_json` has written for PLAYMAT_VIEW_ALL; `{"state": ...}` alone suffices. Its history begins here.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_from_json(IntPtr game, byte* json, UIntPtr json_len, ulong seed, IntPtr* @out);

        /// <summary>Creates an exact copy with the same future chance: to save a position and return to it. For search use `playmat_env_clone_seed`.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_clone(IntPtr env, IntPtr* @out);

        /// <summary>Creates a copy for search: the same state, but other future chance, so that search cannot look ahead. The random stream is hashed from `seed` and the episode's seed; it differs from that of an episode created, loaded or sampled with `seed`.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_clone_seed(IntPtr env, ulong seed, IntPtr* @out);

        /// <summary>Creates a determinization: an environment in a state drawn from those consistent with everything that a player knows. Chance comes from a random stream hashed from `seed`. PLAYMAT_CURRENT_PLAYER is the player who acts next, or after the end the one who acted last.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_sample_hidden(IntPtr env, int player, ulong seed, IntPtr* @out);

        /// <summary>Destroys an environment.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_destroy(IntPtr env);

        /// <summary>Creates a new handle of the environment's game.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_game(IntPtr env, IntPtr* @out);

        /// <summary>Starts the next episode of this environment's own sequence of episodes.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_reset(IntPtr env);

        /// <summary>Starts the episode of a seed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_reset_seed(IntPtr env, ulong seed);

        /// <summary>Writes the state of the running episode.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_episode(IntPtr env, PlaymatEpisode* @out, UIntPtr out_size);

        /// <summary>Finds the player who acts next in the turn view: of several, the lowest; -1 when the episode is over.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_current_player(IntPtr env, int* player);

        /// <summary>Plays an action of the current player.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_step(IntPtr env, long action);

        /// <summary>Plays an action of the current player and writes the observation and action mask of the player who acts next. It replaces four calls in a fast loop: `playmat_env_step`, `playmat_env_current_player`, `playmat_env_observation` and `playmat_env_action_mask`.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_step_into(IntPtr env, long action, byte* observation, UIntPtr observation_len, byte* mask, UIntPtr mask_len, int* next);

        /// <summary>Plays an action of any acting player. Simultaneous actions may come in any order.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_step_player(IntPtr env, int player, long action);

        /// <summary>Plays the actions of all acting players at once.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_step_joint(IntPtr env, long* actions, UIntPtr actions_len);

        /// <summary>Writes the legal action mask of a player, one byte per action: 1 legal, 0 not; all 0 for a player who does not act.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_action_mask(IntPtr env, int player, byte* @out, UIntPtr out_len);

        /// <summary>Writes the legal actions of a player in ascending order; none for a player who does not act.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_legal_actions(IntPtr env, int player, long* @out, UIntPtr out_len, UIntPtr* count);

        /// <summary>Writes the observation of a player as bytes. If a limit has truncated the episode, it shows the position in which play would continue.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_observation(IntPtr env, int player, byte* @out, UIntPtr out_len);

        /// <summary>Writes the observation of a player as floats in [-1, 1]: `(byte - bias) / scale` of each segment.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_observation_f32(IntPtr env, int player, float* @out, UIntPtr out_len);

        /// <summary>Writes the reward of each player for the last step.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_rewards(IntPtr env, float* @out, UIntPtr out_len);

        /// <summary>Writes the return of each player so far: the sum of the rewards of this episode.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_returns(IntPtr env, float* @out, UIntPtr out_len);

        /// <summary>Writes the current score of each player in points of the game.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_scores(IntPtr env, int* @out, UIntPtr out_len);

        /// <summary>Draws a uniformly random legal action of an acting player, from a random stream of the episode that nothing else uses.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_sample_action(IntPtr env, int player, long* action);

        /// <summary>Writes the decisions since the deal, or since the state that was loaded, sampled or cloned with a seed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_history(IntPtr env, PlaymatDecision* @out, UIntPtr out_len, UIntPtr* count);

        /// <summary>Writes state, random streams and seeds as bytes, for `playmat_env_load` of the same build, game and content. The last 84 bytes hold the random streams of agents and of `playmat_env_sample_action`; the bytes before them are equal in equal positions.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_save(IntPtr env, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Writes the position as JSON without white space, for a host to draw.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_to_json(IntPtr env, int viewer, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Writes what the last step changed as a JSON array of events in order, redacted for the viewer, for a host to animate.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_events(IntPtr env, int viewer, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Writes the key of a player's information state: 128 bits over everything that the player has seen and chosen since the deal.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_information_state_key(IntPtr env, int player, ulong* @out, UIntPtr out_len);

        /// <summary>Writes a player's information state as a JSON object.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_information_state(IntPtr env, int player, byte* @out, UIntPtr out_size, UIntPtr* needed);

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

        /// <summary>Writes the text of an action in this position.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_action_text(IntPtr env, int player, long action, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Writes what a legal action would do, as far as the player knows: the text of its card, whether it busts. The text is empty for actions that need no explanation and for actions that are not legal now.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_action_help(IntPtr env, int player, long action, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Finds the action with a text in this position.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_parse_action(IntPtr env, int player, byte* text, UIntPtr text_len, long* action);

        /// <summary>Writes what is wrong with the state as a JSON array of objects with `path` and `message`. It is empty in every state that play reaches.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_validate(IntPtr env, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Writes the bytes of the state with which the history begins, for `playmat_env_load_with_history`. There are none if the history begins with the deal of the episode's seed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_start(IntPtr env, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Creates an environment from the bytes of `playmat_env_save` and the decisions before it, so that its history, its replay and the events of its last step are those of the saved one.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_load_with_history(IntPtr game, byte* data, UIntPtr data_len, byte* start, UIntPtr start_len, PlaymatDecision* history, UIntPtr history_len, IntPtr* @out);

        /// <summary>Creates an agent for a configured game.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_agent_create(IntPtr game, byte* spec, UIntPtr spec_len, IntPtr* @out);

        /// <summary>Destroys an agent.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_agent_destroy(IntPtr agent);

        /// <summary>Writes the name of an agent, which is its spec.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_agent_name(IntPtr agent, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Chooses an action for an acting player; the environment does not step. The agent knows what the player may know. Its random stream comes from the episode's seed, so that its choices repeat; "random" draws what `playmat_env_sample_action` draws.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_agent_act(IntPtr agent, IntPtr env, int player, IntPtr cancel, long* action);

        /// <summary>Writes the policy of a network for an acting player, and the return that the network expects for it. Nothing is drawn: the agent then chooses as without this call. Searches have `playmat_agent_statistics`.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_agent_evaluate(IntPtr agent, IntPtr env, int player, float* policy, UIntPtr policy_len, float* value);

        /// <summary>Writes the policy of a network, and the return that it expects for the player, in every row of the action mask: what `playmat_agent_evaluate` writes for one environment. Rows without legal actions are 0.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_agent_evaluate_batch(IntPtr agent, IntPtr venv, float* policy, UIntPtr policy_len, float* value, UIntPtr value_len);

        /// <summary>Writes what the search of an agent found out when it last chose for a player in this episode with `playmat_agent_act`, also after later steps and at the end.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_agent_statistics(IntPtr agent, IntPtr env, int player, PlaymatSearchStatistics* @out, UIntPtr out_size);

        /// <summary>Writes what `playmat_agent_statistics` tells of each legal action, in ascending order.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_agent_action_statistics(IntPtr agent, IntPtr env, int player, long* actions, UIntPtr actions_len, uint* visits, UIntPtr visits_len, float* prior, UIntPtr prior_len, float* mean_return, UIntPtr mean_return_len);

        /// <summary>Writes the action of an agent for every row of the action mask, 0 for rows without legal actions: labels for imitation learning, independent of who plays. A step with these actions equals a rollout of one step with the agent.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_agent_act_batch(IntPtr agent, IntPtr venv, byte* mask, UIntPtr mask_len, IntPtr cancel, long* @out, UIntPtr out_len);

        /// <summary>Writes what the searches of an agent found out about the decisions of a batch that `playmat_agent_act_batch` chose last: call it before the step. There is a row for each row of the action mask. A row is 0 where the agent has not searched the decision: no player acts, one action is legal, or the mask of that call left it out.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_agent_statistics_batch(IntPtr agent, IntPtr venv, int* visits, UIntPtr visits_len, float* mean_return, UIntPtr mean_return_len, float* prior, UIntPtr prior_len, float* value, UIntPtr value_len, int* simulations, UIntPtr simulations_len);

        /// <summary>Writes the episode of an environment as a replay: game, options, content, seed and decisions, as readable JSON.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_replay(IntPtr env, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Creates the configured game of a replay.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_game_from_replay(byte* replay, UIntPtr replay_len, IntPtr* @out);

        /// <summary>Counts the decisions of a replay.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_replay_len(byte* replay, UIntPtr replay_len, UIntPtr* len);

        /// <summary>Creates the environment of a replay after its first decisions. Steps from there lead to another episode. The whole replay is played and checked.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_env_from_replay(IntPtr game, byte* replay, UIntPtr replay_len, UIntPtr decisions, IntPtr* @out);

        /// <summary>Creates a new handle of the environments' game.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_game(IntPtr venv, IntPtr* @out);

        /// <summary>Writes the configuration as a JSON object with `num_envs`, `threads`, `view`, `dtype`, `autoreset`, `spin_us` and `first_env`.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_describe(IntPtr venv, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Writes the sizes from which the lengths of all buffers follow.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_sizes(IntPtr venv, PlaymatSizes* @out, UIntPtr out_size);

        /// <summary>Writes the observation of one player in every environment, acting or not: [N, O] (dtype `u8`).</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_observe(IntPtr venv, int player, byte* @out, UIntPtr out_len);

        /// <summary>Writes the observations of all players in every environment: [N, P, O] (dtype `u8`).</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_observe_all(IntPtr venv, byte* @out, UIntPtr out_len);

        /// <summary>`playmat_vec_env_observe` with floats (dtype `f32`).</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_observe_f32(IntPtr venv, int player, float* @out, UIntPtr out_len);

        /// <summary>`playmat_vec_env_observe_all` with floats (dtype `f32`).</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_observe_all_f32(IntPtr venv, float* @out, UIntPtr out_len);

        /// <summary>Writes the state of the running episode of one environment.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_episode(IntPtr venv, UIntPtr env, PlaymatVecEpisode* @out, UIntPtr out_size);

        /// <summary>Writes the state of one environment as bytes, for `playmat_env_load` and `playmat_vec_env_reset_states`.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_state(IntPtr venv, UIntPtr env, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Writes all environments as bytes for `playmat_vec_env_load`: states, random streams, episodes, results by opponent. The configuration, the weights of opponents and the outputs of the last step are not saved.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_save(IntPtr venv, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Loads the bytes of `playmat_vec_env_save` of a batch of environments with the same game, configuration and opponents. Then `playmat_vec_env_show` writes the batch.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_load(IntPtr venv, byte* data, UIntPtr data_len);

        /// <summary>Adds an agent to the pool of opponents. It plays from the next episodes on.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_add_opponent(IntPtr venv, byte* agent, UIntPtr agent_len, double weight, UIntPtr* index);

        /// <summary>Sets the weights of all opponents for the next episodes.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_set_weights(IntPtr venv, double* weights, UIntPtr weights_len);

        /// <summary>Writes the results of the ended episodes in which opponents play as a JSON object: `episodes`, `wins`, `draws`, `losses`, `truncated`, `return_sum`, and `opponents`, an array of objects with `name`, `weight` and the same counts for that opponent.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_results(IntPtr venv, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Sets all results to 0.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_reset_results(IntPtr venv);

        /// <summary>Creates a batch of environments: many episodes of one game, stepped together. Its first call must be a reset.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_create(IntPtr game, UIntPtr num_envs, byte* config, UIntPtr config_len, IntPtr* @out);

        /// <summary>Destroys a batch of environments and its threads; waits for a running asynchronous step.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_destroy(IntPtr venv);

        /// <summary>Starts the next episode in each environment's own sequence of episodes (of seed 0 at first), and writes the batch. Environments that are not reset stay as they are, with reward 0.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_reset(IntPtr venv, byte* mask, UIntPtr mask_len, PlaymatBuffers* buffers, UIntPtr buffers_size);

        /// <summary>`playmat_vec_env_reset` with a new sequence of episodes for each environment, hashed from a seed and the index of the environment.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_reset_seed(IntPtr venv, ulong seed, byte* mask, UIntPtr mask_len, PlaymatBuffers* buffers, UIntPtr buffers_size);

        /// <summary>`playmat_vec_env_reset` with the episodes of seeds. Later episodes of an environment are hashed from its seed and its index.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_reset_seeds(IntPtr venv, ulong* seeds, UIntPtr seeds_len, byte* mask, UIntPtr mask_len, PlaymatBuffers* buffers, UIntPtr buffers_size);

        /// <summary>`playmat_vec_env_reset` from saved states. The episodes continue with the saved random stream of chance: a state draws what its own episode will draw, so pass states of `playmat_env_clone_seed` or `playmat_env_sample_hidden` for a search that must not look ahead.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_reset_states(IntPtr venv, byte** states, UIntPtr* sizes, UIntPtr count, byte* mask, UIntPtr mask_len, PlaymatBuffers* buffers, UIntPtr buffers_size);

        /// <summary>Plays one step of every environment. If it is refused, no environment has moved.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_step(IntPtr venv, long* actions, UIntPtr actions_len, PlaymatBuffers* buffers, UIntPtr buffers_size);

        /// <summary>`playmat_vec_env_step` with actions of 32 bits.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_step_i32(IntPtr venv, int* actions, UIntPtr actions_len, PlaymatBuffers* buffers, UIntPtr buffers_size);

        /// <summary>Starts `playmat_vec_env_step` on a thread of its own and returns. The first call starts that thread, also if `threads` is 1.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_step_async(IntPtr venv, long* actions, UIntPtr actions_len, PlaymatBuffers* buffers, UIntPtr buffers_size);

        /// <summary>Waits for the end of the asynchronous step. Then its buffers are written and belong to the caller again.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_step_wait(IntPtr venv);

        /// <summary>Whether an asynchronous step was started and not waited for.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_is_pending(IntPtr venv, byte* pending);

        /// <summary>Writes the batch without a step; rewards and flags are 0.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_show(IntPtr venv, PlaymatBuffers* buffers, UIntPtr buffers_size);

        /// <summary>Draws a uniformly random legal action for every row of the action mask, from each environment's own random stream; 0 for rows without legal actions.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_sample_actions(IntPtr venv, long* @out, UIntPtr out_len);

        /// <summary>Takes the actions that the last step has already drawn into its `drawn` buffer: those that `playmat_vec_env_sample_actions` would draw now. If `taken` is 0, call that function.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_take_drawn(IntPtr venv, byte* taken);

        /// <summary>Wakes sleeping worker threads before a step.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_prepare(IntPtr venv);

        /// <summary>Plays T steps with an agent for all players of the caller.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_vec_env_rollout(IntPtr venv, byte* agent, UIntPtr agent_len, PlaymatRollout* rollout, UIntPtr rollout_size, PlaymatBuffers* buffers, UIntPtr buffers_size);

        /// <summary>Creates searches, all in rows without a search.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_search_create(IntPtr game, byte* spec, UIntPtr spec_len, UIntPtr rows, UIntPtr leaves, IntPtr* @out);

        /// <summary>Destroys searches.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_search_destroy(IntPtr search);

        /// <summary>Writes the spec.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_search_name(IntPtr search, byte* @out, UIntPtr out_size, UIntPtr* needed);

        /// <summary>Writes the sizes from which the lengths of all buffers follow.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_search_sizes(IntPtr search, PlaymatSearchSizes* @out, UIntPtr out_size);

        /// <summary>Begins a search in a row, for an acting player of an environment. It draws its seed from the environment's random stream, as an agent does, so that it repeats; nothing else of the environment changes, and the search knows only what the player knows. A search under way in the row ends without result; leaves that were collected and not fed are collected anew.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_search_start(IntPtr search, UIntPtr row, IntPtr env, int player, byte keep);

        /// <summary>Begins a search in every row, for the rows of a batch's action mask (joint view: N * P of them). Rows in which no player acts have no search.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_search_start_batch(IntPtr search, IntPtr venv, byte* mask, UIntPtr mask_len, byte keep);

        /// <summary>Ends the search of a row without result. The row has no search until the next start.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_search_stop(IntPtr search, UIntPtr row);

        /// <summary>Simulates until every search waits for the network, or is done, or there is no room for the leaves of another search. What a search finds depends neither on the room nor on the other searches.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_search_collect(IntPtr search, PlaymatLeaves* leaves, UIntPtr leaves_size, IntPtr cancel, UIntPtr* count);

        /// <summary>Writes the number of rows that were collected and not yet fed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_search_waiting(IntPtr search, UIntPtr* waiting);

        /// <summary>Takes the network's logits and values for the n rows that were collected last.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_search_feed(IntPtr search, float* logits, UIntPtr logits_len, float* values, UIntPtr values_len);

        /// <summary>Writes the share of each action in the simulations of each search, the target of a policy in AlphaZero: 1 for a single legal action, which is not searched; all 0 in rows without a search.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_search_policy(IntPtr search, float* @out, UIntPtr out_len);

        /// <summary>Writes the mean return of the searching player in the simulations of each search; 0 where nothing was searched.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_search_values(IntPtr search, float* @out, UIntPtr out_len);

        /// <summary>Writes how many simulations from the root of each search chose each action, those of earlier searches that came through it included; 0 for a single legal action, which is not searched, and in rows without a search.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_search_visits(IntPtr search, int* @out, UIntPtr out_len);

        /// <summary>Writes the mean return of the searching player in the simulations that chose each action; 0 for an action that none chose.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_search_mean_returns(IntPtr search, float* @out, UIntPtr out_len);

        /// <summary>Writes the prior of each action at the root of each search, with the noise; 1 for a single legal action, 0 for illegal ones and in rows without a search.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_search_priors(IntPtr search, float* @out, UIntPtr out_len);

        /// <summary>Writes an action for every row, 0 where there is no search.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_search_actions(IntPtr search, float temperature, long* @out, UIntPtr out_len);

        /// <summary>Generalized advantage estimation for any number of players. Rewards of a player between two of its decisions belong to the first of them, whoever acts in between. Truncation bootstraps, termination does not; a row with both flags set is terminated.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status playmat_gae(PlaymatTrajectories* rollout, UIntPtr rollout_size, float* advantages, UIntPtr advantages_len, float* returns, UIntPtr returns_len);
    }
}
