/* playmat: an embeddable reinforcement-learning engine for tabletop games. The C interface.
 *
 * Generated from capi/src by `make generate`; edit the sources there. Needs C99 or C++11.
 *
 * OBJECTS
 *   PlaymatGame     a configured game, game and options: immutable, shared by any number of environments and threads
 *   PlaymatEnv      one episode: step, mask, observation, JSON and events for drawing, save, copy, search
 *   PlaymatAgent    an agent of one game: it chooses actions
 *   PlaymatVecEnv   many episodes of one game stepped together, for training and simulation
 *   PlaymatSearch   tree searches whose network the host evaluates
 *   PlaymatCancel   a flag that ends a long call (agents, searches, digest, survey, reward scale, conformance suite) from another thread
 *
 *   PlaymatGame *game = NULL;
 *   PlaymatEnv *env = NULL;
 *   if (playmat_game_create("graphia", PLAYMAT_NTS, "{\"players\": 3}", PLAYMAT_NTS, NULL, 0, &game) != PLAYMAT_STATUS_OK)
 *       fprintf(stderr, "%s\n", playmat_error_message());
 *   playmat_env_create(game, 7, &env);
 *   playmat_env_step(env, action);              or playmat_env_step_into, which also writes the next observation and mask
 *   playmat_env_destroy(env);
 *
 *   PlaymatVecEnv *venv = NULL;
 *   PlaymatBuffers buffers = {0};               null buffers are skipped
 *   buffers.obs = obs;                          your memory: 1024 times observation_size bytes
 *   buffers.obs_len = obs_len;
 *   playmat_vec_env_create(game, 1024, "{\"threads\": 2}", PLAYMAT_NTS, &venv);
 *   playmat_vec_env_reset_seed(venv, 1, NULL, 0, &buffers, sizeof buffers);
 *   playmat_vec_env_sample_actions(venv, actions, 1024);
 *   playmat_vec_env_step(venv, actions, 1024, &buffers, sizeof buffers);
 *   playmat_vec_env_destroy(venv);
 *   playmat_game_destroy(game);
 *
 *   capi/examples has complete hosts in C and C++. playmat.hpp wraps this header for C++17.
 *
 * STATUS      Functions return PLAYMAT_STATUS_OK or why they were refused. Every detectable misuse returns a status and sets an error
 *             message, playmat_error_message(): what was given and what is allowed. A refused call changes nothing and writes no output,
 *             except `needed`, `count` and `size` with BUFFER_TOO_SMALL. Nothing is printed, and no exception leaves the library.
 *             "Returns" at a function lists its own statuses. These follow from its parameters and are not listed:
 *               any                      PANIC, a defect of the library
 *               a handle                 INVALID_HANDLE; WRONG_HANDLE; and HANDLE_IN_USE, except for games, agents and cancel flags
 *               a new handle             TOO_MANY_HANDLES
 *               a pointer                NULL_POINTER
 *               a text                   INVALID_UTF8
 *               an output with a size    BUFFER_TOO_SMALL; INVALID_ARGUMENT (overlap)
 *               a struct with a size     INVALID_ARGUMENT (the size)
 * MEMORY      Batches, rollouts and pictures that do not fit into memory are refused with INVALID_ARGUMENT. If the system has no memory
 *             for anything else, the process ends.
 * STACK       Calls that read JSON or TOML, that draw, or that play whole episodes need 256 KiB of stack, the conformance suite 1 MiB,
 *             all others less.
 * HANDLES     The caller owns every handle that a function creates and destroys it once, in any order: an environment keeps what it
 *             needs of its game. Destroying null does nothing. Null, destroyed and foreign handles are refused: handles are numbers
 *             that are never dereferenced. A handle that another thread uses is not destroyed: HANDLE_IN_USE. Only games,
 *             agents and cancel flags can be destroyed at any time; running calls keep what they need.
 * THREADS     Any threads may use a game, an agent or a cancel flag at once. Environments, batches of environments and searches may move
 *             between threads, but are used by one at a time: a second thread gets HANDLE_IN_USE. Different handles are independent. Only
 *             batches of environments, agents and searches start threads: for `threads` above 1 and for asynchronous steps.
 * TEXTS IN    UTF-8 with the length in bytes, or PLAYMAT_NTS as the length of a text that ends with a zero byte. Where null is allowed,
 *             its length is 0 or PLAYMAT_NTS; another length is refused with NULL_POINTER.
 * TEXTS OUT   `out` is a buffer of `out_size` bytes for the text and a zero byte. `needed` receives the size of both, also with
 *             BUFFER_TOO_SMALL; null skips it. Call first with (NULL, 0, &needed), or with a buffer of some KiB and grow it.
 *             Outputs of bytes (saves) work likewise, without the zero byte.
 * ARRAYS      After a pointer comes the number of its elements, not bytes. Outputs of environments may be larger than needed; buffers of
 *             a batch have their exact length. Outputs may overlap neither each other nor inputs.
 * STRUCTS     After a pointer to a struct comes its size, sizeof. Structs may grow at their end in later versions, and programs and
 *             libraries of different versions work together: what only one side knows is not written, or 0. Set structs to all zero
 *             before you fill them: what the library does not know must be 0. The size of a null struct does not matter. PlaymatDecision
 *             and PlaymatPictureSize never grow.
 * LONG CALLS  Agents, searches, digest, survey, reward scale and conformance suite take a PlaymatCancel, or null. After
 *             playmat_cancel_request from another thread they return CANCELLED: agents and searches after some simulations, the others
 *             before their next episode or check; usually within 0.1 s, in a survey of agents that search after the running episode. The
 *             time of all other calls is linear in their inputs and outputs, except steps and rollouts in which an agent searches.
 * VERSIONS    PLAYMAT_ABI_VERSION changes when programs compiled with an older header would no longer work. It is part of the name of the
 *             library (libplaymat.so.N). Hosts that load the library themselves compare it with playmat_abi_version().
 *             PLAYMAT_VERSION_NUMBER and playmat_version_number() are the releases of header and library.
 * UNLOADING   Before you unload the library (dlclose), destroy all handles and end all threads that step. It leaves nothing behind but
 *             about 100 KiB for each 1024 handles that were alive at once beyond the first 1024, and less than 4 KiB if it has drawn pixels.
 * PLAYERS     0 .. num_players - 1. Where documented, PLAYMAT_CURRENT_PLAYER stands for the player who acts next (after the end: who
 *             acted last) and PLAYMAT_VIEW_ALL for a viewer who sees everything. To show a screen to a person, pass that person's
 *             player as viewer: the output is redacted for that player.
 * ACTIONS     0 .. num_actions - 1, as int64_t.
 * LIMITS      Environments of a batch 1 to 16,777,216; threads of a batch 1 to 256; `max_steps` 0 to 1,000,000; pictures up to 16,384
 *             pixels each way and 67,108,864 in all; episodes of a digest, survey or reward scale up to 1,000,000, of the conformance
 *             suite up to 1000; 1,048,576 handles alive at a time.
 * UNCHECKED   The library cannot check that memory is as long as you say, that nobody else changes it during a call, and that a text with
 *             PLAYMAT_NTS ends.
 */


#ifndef PLAYMAT_H
#define PLAYMAT_H

#include <stddef.h>
#include <stdint.h>

/** As the length of a text: it ends with its first zero byte. */
#define PLAYMAT_NTS SIZE_MAX

/** As a number of decisions: all of them. */
#define PLAYMAT_ALL_DECISIONS SIZE_MAX


/** Version of this interface; changes when programs compiled with an older header would no longer work. */
#define PLAYMAT_ABI_VERSION 5

/** Version of the library of this header: MAJOR.MINOR.PATCH. */
#define PLAYMAT_VERSION_MAJOR 0

/** Second part of that version. */
#define PLAYMAT_VERSION_MINOR 1

/** Third part of that version. */
#define PLAYMAT_VERSION_PATCH 0

/** That version as one number: MAJOR * 1,000,000 + MINOR * 1000 + PATCH. */
#define PLAYMAT_VERSION_NUMBER 1000



/** As a player: the one who acts next; after the end the one who acted last. */
#define PLAYMAT_CURRENT_PLAYER -1

/** As a viewer: sees everything. */
#define PLAYMAT_VIEW_ALL -2

/** Bytes of a name in a struct, its terminating zero included. */
#define PLAYMAT_NAME_SIZE 64

/** Most axes of a shape in a struct. */
#define PLAYMAT_MAX_AXES 8



/** Most players of any game. */
#define PLAYMAT_MAX_PLAYERS 8

/** As a temperature: the one of the search's spec, 0 without. */
#define PLAYMAT_SPEC_TEMPERATURE -1

/**
 * The result of a call. Codes are never changed or reused. New ones may be added: treat an unknown one as a refusal. After everything but
 * `PLAYMAT_STATUS_OK` nothing was changed, no output was written, and `playmat_error_message` says why.
 */
enum PlaymatStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /** The call succeeded. */
    PLAYMAT_STATUS_OK = 0,
    /** A pointer is null, but must not be. */
    PLAYMAT_STATUS_NULL_POINTER = 1,
    /** A handle is null, was destroyed before, or never was one. */
    PLAYMAT_STATUS_INVALID_HANDLE = 2,
    /** A handle is of another kind, such as an environment instead of a game. */
    PLAYMAT_STATUS_WRONG_HANDLE = 3,
    /** Another thread is in a call with this handle. */
    PLAYMAT_STATUS_HANDLE_IN_USE = 4,
    /** A buffer is too small. `needed` or `count` was written, if the function has one. */
    PLAYMAT_STATUS_BUFFER_TOO_SMALL = 5,
    /** A text is not valid UTF-8. */
    PLAYMAT_STATUS_INVALID_UTF8 = 6,
    /** A defect of the library. Destroy the handles of the call; others continue to work. */
    PLAYMAT_STATUS_PANIC = 7,
    /** Too many handles are alive. */
    PLAYMAT_STATUS_TOO_MANY_HANDLES = 8,
    /** `playmat_cancel_request` has ended the call. */
    PLAYMAT_STATUS_CANCELLED = 9,
    /** No game has this name. */
    PLAYMAT_STATUS_UNKNOWN_GAME = 100,
    /** An option does not exist, has the wrong type or is out of range. */
    PLAYMAT_STATUS_INVALID_OPTION = 101,
    /** A content text was refused; the message lists at most 20 findings with line and column. */
    PLAYMAT_STATUS_CONTENT = 102,
    /** An action is not legal. In a batch no environment has moved; the message lists the rows. */
    PLAYMAT_STATUS_ILLEGAL_ACTION = 103,
    /** A text does not name an action. */
    PLAYMAT_STATUS_UNKNOWN_ACTION = 104,
    /** The game has no player of this number. */
    PLAYMAT_STATUS_INVALID_PLAYER = 105,
    /** The player does not act now. */
    PLAYMAT_STATUS_NOT_ACTING = 106,
    /** The episode is over: only resets and reads are possible. */
    PLAYMAT_STATUS_EPISODE_OVER = 107,
    /** A saved state, JSON or replay is damaged, truncated or of another format. */
    PLAYMAT_STATUS_UNREADABLE = 108,
    /** A saved state or replay of another game, version, content or configuration. */
    PLAYMAT_STATUS_WRONG_IDENTITY = 109,
    /** A position breaks rules of the game; the message lists all reasons. */
    PLAYMAT_STATUS_INVALID_STATE = 110,
    /** An argument is out of range or of the wrong length. */
    PLAYMAT_STATUS_INVALID_ARGUMENT = 111,
    /** The call came at the wrong time, such as a step before the first reset or during an asynchronous step. */
    PLAYMAT_STATUS_ORDER = 112,
    /** The library was built without a feature. */
    PLAYMAT_STATUS_MISSING_FEATURE = 113,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum PlaymatStatus PlaymatStatus;
#else
typedef int32_t PlaymatStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/** Whether the episode is running, or how it ended. */
enum PlaymatEpisodeStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /** At least one player acts. */
    PLAYMAT_EPISODE_STATUS_RUNNING = 0,
    /** Ended by the rules. */
    PLAYMAT_EPISODE_STATUS_TERMINATED = 1,
    /** Truncated: ended by a limit. */
    PLAYMAT_EPISODE_STATUS_TRUNCATED = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum PlaymatEpisodeStatus PlaymatEpisodeStatus;
#else
typedef int32_t PlaymatEpisodeStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/** An agent for a configured game. Any threads may use one at once. */
typedef struct PlaymatAgent PlaymatAgent;

/**
 * A flag that ends long calls: agents and searches, digests, surveys, reward scales, the conformance suite. Pass it to such calls, and call
 * `playmat_cancel_request` from another thread. Any number of threads and calls may use it at once.
 */
typedef struct PlaymatCancel PlaymatCancel;

/** An environment: a running episode with its random streams and history. One thread at a time. */
typedef struct PlaymatEnv PlaymatEnv;

/** A configured game, game and options: immutable, shared by any number of environments and threads. */
typedef struct PlaymatGame PlaymatGame;

/** Tree searches, one per row, whose network the caller evaluates. One thread at a time. */
typedef struct PlaymatSearch PlaymatSearch;

/** A batch of environments (a vectorized environment). One thread at a time. */
typedef struct PlaymatVecEnv PlaymatVecEnv;

/** The numbers that are fixed for all episodes of a game; `playmat_game_describe` has the rest. */
typedef struct PlaymatGameInfo {
    /** Registered name. */
    char name[PLAYMAT_NAME_SIZE];
    /** Version of the rules; changes exactly when behaviour does. */
    uint32_t version;
    /** Number of players: players are 0 .. num_players - 1. */
    uint32_t num_players;
    /** Smallest number of players of the game. */
    uint32_t min_players;
    /** Largest number of players of the game. */
    uint32_t max_players;
    /** Number of actions: actions are 0 .. num_actions - 1. */
    size_t num_actions;
    /** Elements of one observation, bytes or floats. */
    size_t observation_size;
    /** Number of segments, see `playmat_game_segment`. */
    size_t num_segments;
    /** Number of action ranges, see `playmat_game_action_range`. */
    size_t num_action_ranges;
    /** No episode has more decisions than this, all players together. */
    size_t max_decisions;
    /** Bytes of one state in memory. */
    size_t state_size;
    /** No return of a player is smaller. */
    float min_return;
    /** No return of a player is larger. */
    float max_return;
    /** Kind of reward: 0 outcome and 1 score at the end, 2 change of the score at every step. */
    int32_t reward;
    /** Number of decisions after which an episode is truncated; 0: never. */
    uint32_t max_steps;
    /** 1 if the game has chance. */
    uint8_t chance;
    /** 1 if the game has hidden information. */
    uint8_t hidden;
    /** 1 if the game has simultaneous decisions. */
    uint8_t simultaneous;
    /** 1 if every simultaneous turn is one joint action: each acting player chooses once, and nobody chooses again before all have. */
    uint8_t joint_actions;
    /** 1 if the game lists all of its chance with probabilities; 0 if some of it is only sampled, and without chance. */
    uint8_t lists_chance;
    /** 1 if the observations of a running episode tell the player's whole information state, earlier choices and events included. */
    uint8_t perfect_recall;
    /** Always 0. */
    uint8_t reserved[2];
} PlaymatGameInfo;

/** A named part of an observation: float = (byte - bias) / scale, in [-1, 1]. */
typedef struct PlaymatSegment {
    /** Name, unique in the observation. */
    char name[PLAYMAT_NAME_SIZE];
    /** First element. */
    size_t offset;
    /** Number of elements. */
    size_t len;
    /** Shape, row-major, in the first `axes` entries. */
    size_t shape[PLAYMAT_MAX_AXES];
    /** Number of axes. */
    size_t axes;
    /** Subtracted from each byte. */
    uint32_t bias;
    /** Divides the difference. */
    uint32_t scale;
} PlaymatSegment;

/** A contiguous range of actions with one meaning. */
typedef struct PlaymatActionRange {
    /** Name, such as "PLACE". */
    char name[PLAYMAT_NAME_SIZE];
    /** First action. */
    size_t start;
    /** Number of actions. */
    size_t len;
    /** Shape, row-major, in the first `axes` entries. */
    size_t shape[PLAYMAT_MAX_AXES];
    /** Number of axes. */
    size_t axes;
} PlaymatActionRange;

/** The state of an environment's episode. */
typedef struct PlaymatEpisode {
    /** Whether it is running, or how it ended. */
    PlaymatEpisodeStatus status;
    /** The player who acts next in the turn view: of several, the lowest; -1 when the episode is over. */
    int32_t current_player;
    /** Bit p is set if player p acts now. */
    uint32_t acting;
    /** Decisions of all players since the deal, also those before a load. After `playmat_env_sample_hidden` they count from 0. */
    uint32_t decisions;
    /**
     * Seed that repeats the episode with `playmat_env_create`. In a clone with a seed, a sampled state and a state loaded without a
     * seed it is hashed from the seed of that call.
     */
    uint64_t seed;
    /** Number of decisions that `playmat_env_history` writes. */
    size_t history_len;
} PlaymatEpisode;

/** One decision of a history. */
typedef struct PlaymatDecision {
    /** The player who decided. */
    int32_t player;
    /** The action. */
    int32_t action;
} PlaymatDecision;

/** Width and height of a picture. */
typedef struct PlaymatPictureSize {
    /** Pixels per row. */
    uint32_t width;
    /** Rows. */
    uint32_t height;
} PlaymatPictureSize;

/** What the search of an agent found out about the decision that it chose last as a player. */
typedef struct PlaymatSearchStatistics {
    /** The action that was chosen: with temperature 0 the most visited one. */
    int64_t action;
    /** The player that decided. */
    int32_t player;
    /**
     * The player's mean return in all visits, 0 without visits: of the kind of the game's option `reward`, or with a network of that which
     * its training used.
     */
    float value;
    /** Number of legal actions: elements that `playmat_agent_action_statistics` writes. */
    size_t actions;
    /** Simulations of this search, of all threads together; 0 where one action was legal, which is not searched. */
    size_t simulations;
    /**
     * Visits of this decision in the trees that were kept from earlier decisions of the episode. With `simulations` they are the sum of
     * the visits of all actions.
     */
    size_t kept_visits;
    /** Nodes in all trees, those kept from earlier decisions included. */
    size_t nodes;
} PlaymatSearchStatistics;

/** The sizes from which the lengths of all buffers of a batch follow. */
typedef struct PlaymatSizes {
    /** N, environments. */
    size_t num_envs;
    /** P, players. */
    size_t num_players;
    /** A, actions. */
    size_t num_actions;
    /** O, elements of an observation. */
    size_t observation_size;
    /** Actions of an environment in a step, each with an observation and a mask: P in the joint view, otherwise 1. */
    size_t actions_per_env;
} PlaymatSizes;

/** The running episode of one environment of a batch. */
typedef struct PlaymatVecEpisode {
    /** Seed that repeats it in `playmat_env_create`. */
    uint64_t seed;
    /** Decisions of all players so far. */
    uint32_t length;
    /** 1 if it is over (only with autoreset "next_step" and "disabled"). */
    uint32_t over;
    /** Index of the opponent that plays each player; -1 for the caller and beyond the players. */
    int32_t opponents[PLAYMAT_MAX_PLAYERS];
} PlaymatVecEpisode;

/**
 * The outputs of a step or reset. Every buffer has its complete length, or is null with length 0 to skip this output. N environments, P
 * players, A actions, O elements of an observation: see `playmat_vec_env_sizes`. Outputs marked *ended* are written only in rows with
 * `terminated` or `truncated` set; other rows keep their contents.
 */
typedef struct PlaymatBuffers {
    /** [N, O] observation of the acting player, as bytes (dtype `u8`); joint view [N, P, O], of all players. */
    uint8_t *obs;
    size_t obs_len;
    /** `obs` as floats (dtype `f32`); give one of the two. */
    float *obs_f32;
    size_t obs_f32_len;
    /** [N, O] ended: last observation of `final_player`; joint view [N, P, O]. */
    uint8_t *final_obs;
    size_t final_obs_len;
    /** `final_obs` as floats. */
    float *final_obs_f32;
    size_t final_obs_f32_len;
    /** [N, P, O] ended: last observation of every player. */
    uint8_t *final_obs_all;
    size_t final_obs_all_len;
    /** `final_obs_all` as floats. */
    float *final_obs_all_f32;
    size_t final_obs_all_f32_len;
    /** [N, A] legal action mask of the acting player: 1 legal, 0 not; joint view [N, P, A]. */
    uint8_t *action_mask;
    size_t action_mask_len;
    /** [N] the acting player, -1 if the episode is over; in the joint view the lowest. */
    int32_t *player;
    size_t player_len;
    /** [N, P] 1 for each acting player of the caller. */
    uint8_t *acting;
    size_t acting_len;
    /** [N, P] reward of each player since the last step. */
    float *reward;
    size_t reward_len;
    /** [N] 1 if the rules ended the episode in this step. */
    uint8_t *terminated;
    size_t terminated_len;
    /** [N] 1 if a limit ended the episode in this step. */
    uint8_t *truncated;
    size_t truncated_len;
    /**
     * [N] ended: the player of `final_obs` and `final_mask`. If the episode was truncated: the caller's player who would act next, of
     * several the lowest. If it was terminated, or if opponents would act next: the player of the caller's last decision. In the single-player
     * view always the learner.
     */
    int32_t *final_player;
    size_t final_player_len;
    /**
     * [N, A] ended: legal action mask of `final_player` if the episode was truncated; all 0 if it was terminated, or if opponents would act
     * next. Joint view [N, P, A], of all players of the caller.
     */
    uint8_t *final_mask;
    size_t final_mask_len;
    /** [N, P] ended: return of each player. */
    float *episode_return;
    size_t episode_return_len;
    /** [N] ended: decisions of all players in the episode. */
    int32_t *episode_length;
    size_t episode_length_len;
    /** [N] seed of the running episode, which repeats it in `playmat_env_create`. */
    uint64_t *episode_seed;
    size_t episode_seed_len;
    /** [N] ended: seed of the episode that ended. */
    uint64_t *final_seed;
    size_t final_seed_len;
    /** [N, P] index of the opponent that plays this player, -1 for the caller. */
    int32_t *opponent;
    size_t opponent_len;
    /** [N, P] ended: `opponent` of the episode that ended. */
    int32_t *final_opponent;
    size_t final_opponent_len;
    /** [N] uniformly random next actions, see `playmat_vec_env_take_drawn`; joint view [N, P]. */
    int64_t *drawn;
    size_t drawn_len;
    /** [N, P] ended: 1 for each player, also of opponents, who would act next if the episode was truncated. */
    uint8_t *final_acting;
    size_t final_acting_len;
    /** [N] the learner of the running episode: the only player of the caller; -1 if the caller plays several. */
    int32_t *learner;
    size_t learner_len;
    /**
     * [N] reward of the learner since the last step; if the episode ended, of the learner of that episode, which is `final_player` in the
     * single-player view. 0 if the caller plays several players.
     */
    float *learner_reward;
    size_t learner_reward_len;
} PlaymatBuffers;

/**
 * The outputs of `playmat_vec_env_rollout`: T steps of N environments. Every buffer has its complete length, or is null with length 0 to
 * skip this output.
 */
typedef struct PlaymatRollout {
    /** T. */
    size_t steps;
    /** [T, N, O] observation before the action, as bytes (dtype `u8`); joint view [T, N, P, O]. */
    uint8_t *obs;
    size_t obs_len;
    /** `obs` as floats (dtype `f32`); give one of the two. */
    float *obs_f32;
    size_t obs_f32_len;
    /** [T, N, A] legal action mask before the action; joint view [T, N, P, A]. */
    uint8_t *action_mask;
    size_t action_mask_len;
    /** [T, N] the acting player; -1 if the episode was over. */
    int32_t *player;
    size_t player_len;
    /** [T, N] the action; joint view [T, N, P], 0 for players who do not act. */
    int64_t *action;
    size_t action_len;
    /** [T, N, P] reward of each player for the action. */
    float *reward;
    size_t reward_len;
    /** [T, N] 1 if the rules ended the episode with the action. */
    uint8_t *terminated;
    size_t terminated_len;
    /** [T, N] 1 if a limit ended the episode with the action. */
    uint8_t *truncated;
    size_t truncated_len;
} PlaymatRollout;

/** The sizes from which the lengths of all buffers of a search follow. */
typedef struct PlaymatSearchSizes {
    /** Number of searches. */
    size_t rows;
    /** Most leaves of one search that are under way at once. */
    size_t leaves;
    /**
     * Rows of a leaf: 1, or P if the other players' values do not follow from one player's value: with three or more players, or if
     * returns do not sum to zero.
     */
    size_t leaf_rows;
    /** O, elements of an observation. */
    size_t observation_size;
    /** A, actions. */
    size_t num_actions;
} PlaymatSearchSizes;

/** Where `playmat_search_collect` writes n rows. Every buffer has its complete length, or is null with length 0 to skip this output. */
typedef struct PlaymatLeaves {
    /** n, number of rows of the buffers: at least `leaves * leaf_rows` of PlaymatSearchSizes; `rows` times as many hold all searches. */
    size_t rows;
    /** [n, O] observation, as bytes. */
    uint8_t *obs;
    size_t obs_len;
    /** `obs` as floats; give one of the two. */
    float *obs_f32;
    size_t obs_f32_len;
    /** [n, A] legal action mask: 1 legal, 0 not. The logits of a leaf's further rows are not read: there all are 0. */
    uint8_t *action_mask;
    size_t action_mask_len;
    /** [n] the player who sees the observation and whose value the network must give. */
    int32_t *player;
    size_t player_len;
    /** [n] the search that it belongs to. */
    int32_t *search;
    size_t search_len;
    /**
     * [n] the action that the greedy agent would choose as the player, for networks that read it; -1 where the player has no decision. The
     * greedy agent of some games draws, from the stream of the search: with this output a search then finds something else than without it.
     */
    int64_t *greedy;
    size_t greedy_len;
} PlaymatLeaves;

/** T steps of N environments with P players in the turn view. Arrays are row-major and only read. */
typedef struct PlaymatTrajectories {
    /** T. */
    size_t steps;
    /** N. */
    size_t num_envs;
    /** P, 1 to 8. */
    size_t num_players;
    /** [T, N, P] reward of each player for the action of row t. */
    const float *reward;
    size_t reward_len;
    /** [T, N] value of the observation for the acting player. */
    const float *value;
    size_t value_len;
    /** [T, N] the acting player; -1 in rows without a decision, whose advantage and return are 0. */
    const int32_t *player;
    size_t player_len;
    /** [T, N] not 0 if the rules ended the episode in this step. */
    const uint8_t *terminated;
    size_t terminated_len;
    /** [T, N] not 0 if a limit ended the episode in this step; ignored if `terminated` is set. */
    const uint8_t *truncated;
    size_t truncated_len;
    /** [N, P] value of the position after the last step for each player. */
    const float *next_value;
    size_t next_value_len;
    /** [T, N, P] value of the last position of the episode for each player, read only in truncated rows; null if there are none. */
    const float *final_value;
    size_t final_value_len;
    /** Discount per decision of a player, 0 to 1. */
    float gamma;
    /** Lambda, 0 to 1. */
    float gae_lambda;
} PlaymatTrajectories;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/** The version of the interface that the library has; compare it with `PLAYMAT_ABI_VERSION` of the header you compiled with. */
uint32_t playmat_abi_version(void);

/** The version of the library, such as "0.1.0". The text is never freed. */
const char *playmat_version(void);

/** The version of the library as one number; compare it with `PLAYMAT_VERSION_NUMBER` of the header you compiled with. */
uint32_t playmat_version_number(void);

/**
 * The message of the last refused call of this thread: what was given and what is allowed. It is never null, and empty if no call
 * was refused yet.
 *
 * The pointer stays the same as long as the thread lives, also in destructors of the thread's objects and in functions of
 * `atexit`. The next refused call of the thread overwrites the text: copy it to keep it. Messages longer than 8 KiB are cut.
 */
const char *playmat_error_message(void);

/**
 * The stable name of a `status`, such as "illegal_action", the same in every language; "unknown" for other numbers. The text is
 * never freed.
 */
const char *playmat_status_name(int32_t status);

/** The number of games in the library. */
size_t playmat_game_count(void);

/**
 * Writes the registered name of a game. The order of the games is fixed.
 *
 * Parameters: `index` below `playmat_game_count()`; `out`, `out_size`, `needed` as for every text output.
 * Returns: OK; INVALID_ARGUMENT (index).
 */
PlaymatStatus playmat_game_name(size_t index, char *out, size_t out_size, size_t *needed);

/**
 * Creates a configured game: a registered game with its options and content.
 *
 * There is no PlaymatCancel: the time is linear in the length of the texts, below 0.5 s for the longest.
 *
 * Parameters: `name`, `name_len` a registered name; `options`, `options_len` a JSON object or TOML text of at most 1 MiB with
 * options of the game and the common ones (`reward`, and `max_steps`: 0 to 1,000,000 decisions), null for none: `option_specs` of
 * `playmat_game_describe` lists them all with their allowed values; `content`, `content_len` the text of a content file (TOML, at
 * most 256 KiB) that replaces the game's own, or the name of a built-in content, which is a single word; null for the default;
 * `out` receives the handle.
 * Returns: OK; UNKNOWN_GAME; INVALID_OPTION; CONTENT; UNREADABLE (options); INVALID_ARGUMENT (`content` given twice).
 */
PlaymatStatus playmat_game_create(const char *name,
                                  size_t name_len,
                                  const char *options,
                                  size_t options_len,
                                  const char *content,
                                  size_t content_len,
                                  struct PlaymatGame **out);

/**
 * Destroys a handle of a game. Environments created from the game are not affected.
 *
 * Parameters: `game`, or null.
 * Returns: OK.
 */
PlaymatStatus playmat_game_destroy(struct PlaymatGame *game);

/**
 * Writes the numbers that are fixed for all episodes.
 *
 * Parameters: `game`; `out`, `out_size` a struct and its size, `sizeof(PlaymatGameInfo)`.
 * Returns: OK.
 */
PlaymatStatus playmat_game_info(const struct PlaymatGame *game, struct PlaymatGameInfo *out, size_t out_size);

/**
 * Writes everything that is fixed for all episodes as a JSON object: titles, players, ranges of actions and segments of
 * observations with their meanings, bounds, options with their allowed values.
 *
 * `content_entries` lists the cards, tiles and goals of the content: `kind`, `id`, `name`, `copies` in the game (null where they
 * depend on the episode) and `text`, what the entry is and does. `content_title` is the title that the content gives itself.
 *
 * Parameters: `game`; `out`, `out_size`, `needed` as for every text output.
 * Returns: OK.
 */
PlaymatStatus playmat_game_describe(const struct PlaymatGame *game, char *out, size_t out_size, size_t *needed);

/**
 * Writes a segment, a named part of the observation.
 *
 * Parameters: `game`; `index` below `num_segments` of PlaymatGameInfo; `out`, `out_size` a struct and its size,
 * `sizeof(PlaymatSegment)`.
 * Returns: OK; INVALID_ARGUMENT (index).
 */
PlaymatStatus playmat_game_segment(const struct PlaymatGame *game, size_t index, struct PlaymatSegment *out, size_t out_size);

/**
 * Writes a named range of actions.
 *
 * Parameters: `game`; `index` below `num_action_ranges` of PlaymatGameInfo; `out`, `out_size` a struct and its size,
 * `sizeof(PlaymatActionRange)`.
 * Returns: OK; INVALID_ARGUMENT (index).
 */
PlaymatStatus playmat_game_action_range(const struct PlaymatGame *game, size_t index, struct PlaymatActionRange *out, size_t out_size);

/**
 * Converts observations from bytes to floats in [-1, 1]: `(byte - bias) / scale` of each segment.
 *
 * Parameters: `game`; `bytes`, `bytes_len` any number of observations, one after the other; `out`, `out_len` as many floats.
 * Returns: OK; INVALID_ARGUMENT (lengths, alignment, overlap).
 */
PlaymatStatus playmat_game_observation_f32(const struct PlaymatGame *game,
                                           const uint8_t *bytes,
                                           size_t bytes_len,
                                           float *out,
                                           size_t out_len);

/**
 * Writes the text of an action without a position.
 *
 * Parameters: `game`; `action` below the number of actions; `out`, `out_size`, `needed` as for every text output.
 * Returns: OK; INVALID_ARGUMENT (action).
 */
PlaymatStatus playmat_game_action_text(const struct PlaymatGame *game, int64_t action, char *out, size_t out_size, size_t *needed);

/**
 * Finds the action with a text, without a position.
 *
 * Parameters: `game`; `text`, `text_len` as `playmat_game_action_text` writes it; `action` receives the action.
 * Returns: OK; UNKNOWN_ACTION.
 */
PlaymatStatus playmat_game_parse_action(const struct PlaymatGame *game, const char *text, size_t text_len, int64_t *action);

/**
 * Writes checksums of observations, masks, rewards and states of the episodes of seeds 0 .. episodes - 1, as text such as
 * "27033950-e9f381ab-41b11855-d4d65bab". They are equal on every machine and in every language.
 *
 * Parameters: `game`; `episodes` at most 1,000,000; `cancel` or null; `out`, `out_size`, `needed` as for every text output (36
 * bytes).
 * Returns: OK; CANCELLED; INVALID_ARGUMENT (episodes).
 */
PlaymatStatus playmat_game_digest(const struct PlaymatGame *game,
                                  uint64_t episodes,
                                  const struct PlaymatCancel *cancel,
                                  char *out,
                                  size_t out_size,
                                  size_t *needed);

/**
 * Runs the engine's conformance suite on the game and writes its report as a JSON object: whether it `passed`, and for each check
 * its counts and failures. Use it to check games with a content of your own.
 *
 * It takes seconds to minutes, and a second call runs everything again: give enough room at once (1 MiB is).
 *
 * Parameters: `game`; `seed` of the whole suite, 1 by default in the other languages; `episodes` of which every position is
 * checked, at most 1000, 0 for the default; `only`, `only_len` identifiers of checks separated by commas, such as "T1,S3", null or
 * empty for all; `cancel` or null; `out`, `out_size`, `needed` as for every text output.
 * Returns: OK (also if checks failed); CANCELLED; INVALID_ARGUMENT (episodes; an unknown check: the message lists all).
 */
PlaymatStatus playmat_game_conformance(const struct PlaymatGame *game,
                                       uint64_t seed,
                                       size_t episodes,
                                       const char *only,
                                       size_t only_len,
                                       const struct PlaymatCancel *cancel,
                                       char *out,
                                       size_t out_size,
                                       size_t *needed);

/**
 * Lets agents play against each other and writes statistics of the episodes as a JSON object: decisions, scores, wins by player, how
 * often each rule, content entry and range of actions occurred, how often each action was chosen and the results of its
 * choosers.
 *
 * A second call plays everything again: give enough room at once (64 KiB and 256 bytes for each action of the game are).
 *
 * Parameters: `game`; `episodes` at most 1,000,000; `seed` from which the episodes' seeds are hashed; `agents`, `agents_len` specs
 * separated by commas (a piece such as "threads=2" is an option of the spec before it), at most one per player: the last one also plays
 * for the players after it; `cancel` or null; `out`, `out_size`, `needed` as for every text output.
 * Returns: OK; CANCELLED; INVALID_ARGUMENT (episodes; agents: unknown, or more than players).
 */
PlaymatStatus playmat_game_survey(const struct PlaymatGame *game,
                                  uint64_t episodes,
                                  uint64_t seed,
                                  const char *agents,
                                  size_t agents_len,
                                  const struct PlaymatCancel *cancel,
                                  char *out,
                                  size_t out_size,
                                  size_t *needed);

/**
 * Measures the factor on rewards that gives the returns of play a standard deviation of 1; the factor is 1 if all returns are
 * equal.
 *
 * `min_return` and `max_return` of PlaymatGameInfo hold for every episode, so that they can be far wider than what play reaches.
 * The factor is measured: the agents "random" and "greedy" play every other episode, each for all players, and the deviation is that
 * of all players' returns around their common mean. The same game, `episodes` and `seed` give the same factor in every language.
 *
 * Parameters: `game`; `episodes` 1 to 1,000,000, 256 by default in the other languages: the relative error of the factor is about
 * 1 / sqrt(2 * episodes * players); `seed` from which the episodes' seeds are hashed; `relative` not 0 for a learner that is
 * rewarded with its return less the mean of the others' returns; `cancel` or null; `scale` receives the factor, above 0.
 * Returns: OK; CANCELLED; INVALID_ARGUMENT (episodes).
 */
PlaymatStatus playmat_game_reward_scale(const struct PlaymatGame *game,
                                        uint64_t episodes,
                                        uint64_t seed,
                                        uint8_t relative,
                                        const struct PlaymatCancel *cancel,
                                        double *scale);

/**
 * Creates a cancel flag.
 *
 * Parameters: `out` receives the handle.
 * Returns: OK.
 */
PlaymatStatus playmat_cancel_create(struct PlaymatCancel **out);

/**
 * Requests that all calls with this flag end, running and later ones. They return CANCELLED before their next episode or check,
 * agents and searches after some simulations.
 * Any thread may call this at any time. A request cannot be taken back.
 *
 * Parameters: `cancel`.
 * Returns: OK.
 */
PlaymatStatus playmat_cancel_request(const struct PlaymatCancel *cancel);

/**
 * Whether `playmat_cancel_request` was called.
 *
 * Parameters: `cancel`; `requested` receives 1 or 0.
 * Returns: OK.
 */
PlaymatStatus playmat_cancel_is_requested(const struct PlaymatCancel *cancel, uint8_t *requested);

/**
 * Destroys a cancel flag. Calls that have begun with it can no longer be cancelled, but end with CANCELLED if that was requested
 * before.
 *
 * Parameters: `cancel`, or null.
 * Returns: OK.
 */
PlaymatStatus playmat_cancel_destroy(struct PlaymatCancel *cancel);

/**
 * Creates an environment and starts the episode of a seed.
 *
 * Parameters: `game`; `seed` any number; `out` receives the handle.
 * Returns: OK.
 */
PlaymatStatus playmat_env_create(const struct PlaymatGame *game, uint64_t seed, struct PlaymatEnv **out);

/**
 * Creates an environment from the bytes of `playmat_env_save`. Its history begins here. Chance, agents and
 * `playmat_env_sample_action` continue as in the saved one.
 *
 * Parameters: `game`; `data`, `data_len` the bytes, at most 64 KiB; `out` receives the handle.
 * Returns: OK; UNREADABLE (damaged, truncated, extended, too long); WRONG_IDENTITY (another game, version, content,
 * configuration); INVALID_STATE.
 */
PlaymatStatus playmat_env_load(const struct PlaymatGame *game, const uint8_t *data, size_t data_len, struct PlaymatEnv **out);

/**
 * Creates an environment from JSON that `playmat_env_to_json` has written for PLAYMAT_VIEW_ALL; `{"state": ...}` alone suffices.
 * Its history begins here.
 *
 * The random streams that the text does not hold are hashed from `seed` and the seed in the text: those of agents and of
 * `playmat_env_sample_action`, and that of chance if the text has no generator.
 *
 * Parameters: `game`; `json`, `json_len` the text, at most 1 MiB; `seed` of the streams that the text does not hold; `out`
 * receives the handle.
 * Returns: OK; UNREADABLE, WRONG_IDENTITY, INVALID_STATE (each with the path of what is wrong).
 */
PlaymatStatus playmat_env_from_json(const struct PlaymatGame *game,
                                    const char *json,
                                    size_t json_len,
                                    uint64_t seed,
                                    struct PlaymatEnv **out);

/**
 * Creates an exact copy with the same future chance: to save a position and return to it. For search use
 * `playmat_env_clone_seed`.
 *
 * Parameters: `env`; `out` receives the handle.
 * Returns: OK.
 */
PlaymatStatus playmat_env_clone(const struct PlaymatEnv *env, struct PlaymatEnv **out);

/**
 * Creates a copy for search: the same state, but other future chance, so that search cannot look ahead. The random stream is
 * hashed from `seed` and the episode's seed; it differs from that of an episode created, loaded or sampled with `seed`.
 *
 * Parameters: `env`; `seed` of the future chance; `out` receives the handle.
 * Returns: OK.
 */
PlaymatStatus playmat_env_clone_seed(const struct PlaymatEnv *env, uint64_t seed, struct PlaymatEnv **out);

/**
 * Creates a determinization: an environment in a state drawn from those consistent with everything that a player knows. Chance comes
 * from a random stream hashed from `seed`. PLAYMAT_CURRENT_PLAYER is the player who acts next, or after the end the one who acted last.
 *
 * The sample depends only on what the player sees and on `seed`. Its decisions count from 0, and `max_steps` counts from there. It does
 * not reveal who has chosen in a simultaneous turn: while the player must act, exactly the deciding players with lower numbers have chosen
 * in the sample; otherwise no other player has. Its game is that of `env`, with private options (hidden deck lists) replaced by what the
 * player knows of them: `playmat_env_game` gives the game that loads its saves.
 *
 * Parameters: `env`; `player` or PLAYMAT_CURRENT_PLAYER; `seed` of the sample and of its future chance; `out` receives the
 * handle.
 * Returns: OK; INVALID_PLAYER.
 */
PlaymatStatus playmat_env_sample_hidden(const struct PlaymatEnv *env, int32_t player, uint64_t seed, struct PlaymatEnv **out);

/**
 * Destroys an environment.
 *
 * Parameters: `env`, or null.
 * Returns: OK.
 */
PlaymatStatus playmat_env_destroy(struct PlaymatEnv *env);

/**
 * Creates a new handle of the environment's game.
 *
 * Parameters: `env`; `out` receives the handle.
 * Returns: OK.
 */
PlaymatStatus playmat_env_game(const struct PlaymatEnv *env, struct PlaymatGame **out);

/**
 * Starts the next episode of this environment's own sequence of episodes.
 *
 * Parameters: `env`.
 * Returns: OK.
 */
PlaymatStatus playmat_env_reset(struct PlaymatEnv *env);

/**
 * Starts the episode of a seed.
 *
 * Parameters: `env`; `seed` any number.
 * Returns: OK.
 */
PlaymatStatus playmat_env_reset_seed(struct PlaymatEnv *env, uint64_t seed);

/**
 * Writes the state of the running episode.
 *
 * Parameters: `env`; `out`, `out_size` a struct and its size, `sizeof(PlaymatEpisode)`.
 * Returns: OK.
 */
PlaymatStatus playmat_env_episode(const struct PlaymatEnv *env, struct PlaymatEpisode *out, size_t out_size);

/**
 * Finds the player who acts next in the turn view: of several, the lowest; -1 when the episode is over.
 *
 * Parameters: `env`; `player` receives the player.
 * Returns: OK.
 */
PlaymatStatus playmat_env_current_player(const struct PlaymatEnv *env, int32_t *player);

/**
 * Plays an action of the current player.
 *
 * Parameters: `env`; `action` a legal one.
 * Returns: OK; ILLEGAL_ACTION; EPISODE_OVER.
 */
PlaymatStatus playmat_env_step(struct PlaymatEnv *env, int64_t action);

/**
 * Plays an action of the current player and writes the observation and action mask of the player who acts next. It replaces four
 * calls in a fast loop: `playmat_env_step`, `playmat_env_current_player`, `playmat_env_observation` and `playmat_env_action_mask`.
 *
 * After the end of the episode the observation is that of the player who acted last, and the mask is all 0.
 *
 * Parameters: `env`; `action` a legal one; `observation`, `observation_len` at least `observation_size` bytes, null with length 0
 * to skip; `mask`, `mask_len` at least `num_actions` bytes, null with length 0 to skip; `next` receives the player who acts next,
 * -1 after the end; null to skip.
 * Returns: OK; ILLEGAL_ACTION; EPISODE_OVER; BUFFER_TOO_SMALL; INVALID_ARGUMENT (overlap).
 */
PlaymatStatus playmat_env_step_into(struct PlaymatEnv *env,
                                    int64_t action,
                                    uint8_t *observation,
                                    size_t observation_len,
                                    uint8_t *mask,
                                    size_t mask_len,
                                    int32_t *next);

/**
 * Plays an action of any acting player. Simultaneous actions may come in any order.
 *
 * Parameters: `env`; `player` or PLAYMAT_CURRENT_PLAYER; `action` a legal one of that player.
 * Returns: OK; ILLEGAL_ACTION; NOT_ACTING; INVALID_PLAYER; EPISODE_OVER.
 */
PlaymatStatus playmat_env_step_player(struct PlaymatEnv *env, int32_t player, int64_t action);

/**
 * Plays the actions of all acting players at once.
 *
 * Parameters: `env`; `actions`, `actions_len` one per player; entries of players who do not act are ignored.
 * Returns: OK; ILLEGAL_ACTION; EPISODE_OVER; INVALID_ARGUMENT (length).
 */
PlaymatStatus playmat_env_step_joint(struct PlaymatEnv *env, const int64_t *actions, size_t actions_len);

/**
 * Writes the legal action mask of a player, one byte per action: 1 legal, 0 not; all 0 for a player who does not act.
 *
 * Parameters: `env`; `player` or PLAYMAT_CURRENT_PLAYER; `out`, `out_len` at least `num_actions` bytes.
 * Returns: OK; INVALID_PLAYER; BUFFER_TOO_SMALL.
 */
PlaymatStatus playmat_env_action_mask(const struct PlaymatEnv *env, int32_t player, uint8_t *out, size_t out_len);

/**
 * Writes the legal actions of a player in ascending order; none for a player who does not act.
 *
 * Parameters: `env`; `player` or PLAYMAT_CURRENT_PLAYER; `out`, `out_len` room for the actions (`num_actions` always suffices);
 * `count` receives their number.
 * Returns: OK; INVALID_PLAYER; BUFFER_TOO_SMALL.
 */
PlaymatStatus playmat_env_legal_actions(const struct PlaymatEnv *env, int32_t player, int64_t *out, size_t out_len, size_t *count);

/**
 * Writes the observation of a player as bytes. If a limit has truncated the episode, it shows the position in which play would
 * continue.
 *
 * Parameters: `env`; `player` any player at any time, or PLAYMAT_CURRENT_PLAYER; `out`, `out_len` at least `observation_size`
 * bytes.
 * Returns: OK; INVALID_PLAYER; BUFFER_TOO_SMALL.
 */
PlaymatStatus playmat_env_observation(const struct PlaymatEnv *env, int32_t player, uint8_t *out, size_t out_len);

/**
 * Writes the observation of a player as floats in [-1, 1]: `(byte - bias) / scale` of each segment.
 *
 * Parameters: `env`; `player` any player at any time, or PLAYMAT_CURRENT_PLAYER; `out`, `out_len` at least `observation_size`
 * floats.
 * Returns: OK; INVALID_PLAYER; BUFFER_TOO_SMALL.
 */
PlaymatStatus playmat_env_observation_f32(const struct PlaymatEnv *env, int32_t player, float *out, size_t out_len);

/**
 * Writes the reward of each player for the last step.
 *
 * Parameters: `env`; `out`, `out_len` at least one entry per player.
 * Returns: OK; BUFFER_TOO_SMALL.
 */
PlaymatStatus playmat_env_rewards(const struct PlaymatEnv *env, float *out, size_t out_len);

/**
 * Writes the return of each player so far: the sum of the rewards of this episode.
 *
 * Parameters: `env`; `out`, `out_len` at least one entry per player.
 * Returns: OK; BUFFER_TOO_SMALL.
 */
PlaymatStatus playmat_env_returns(const struct PlaymatEnv *env, float *out, size_t out_len);

/**
 * Writes the current score of each player in points of the game.
 *
 * Parameters: `env`; `out`, `out_len` at least one entry per player.
 * Returns: OK; BUFFER_TOO_SMALL.
 */
PlaymatStatus playmat_env_scores(const struct PlaymatEnv *env, int32_t *out, size_t out_len);

/**
 * Draws a uniformly random legal action of an acting player, from a random stream of the episode that nothing else uses.
 *
 * Parameters: `env`; `player` or PLAYMAT_CURRENT_PLAYER; `action` receives the action.
 * Returns: OK; EPISODE_OVER; NOT_ACTING; INVALID_PLAYER.
 */
PlaymatStatus playmat_env_sample_action(struct PlaymatEnv *env, int32_t player, int64_t *action);

/**
 * Writes the decisions since the deal, or since the state that was loaded, sampled or cloned with a seed.
 *
 * Parameters: `env`; `out`, `out_len` room for `history_len` of PlaymatEpisode; `count` receives their number.
 * Returns: OK; BUFFER_TOO_SMALL.
 */
PlaymatStatus playmat_env_history(const struct PlaymatEnv *env, struct PlaymatDecision *out, size_t out_len, size_t *count);

/**
 * Writes state, random streams and seeds as bytes, for `playmat_env_load` of the same build, game and content. The last 84 bytes
 * hold the random streams of agents and of `playmat_env_sample_action`; the bytes before them are equal in equal positions.
 *
 * Parameters: `env`; `out`, `out_size`, `needed` as for every output of bytes.
 * Returns: OK.
 */
PlaymatStatus playmat_env_save(const struct PlaymatEnv *env, uint8_t *out, size_t out_size, size_t *needed);

/**
 * Writes the position as JSON without white space, for a host to draw.
 *
 * The object has `format`, `game`, `version`, `content_hash`, `options`; `status` ("running", "terminated", "truncated"); `state`,
 * an object with everything in the game by name, redacted for the viewer: what the viewer may not know is absent, null or only
 * counted. JSON for a player also has `viewer` and `to_act` (whether the viewer must act). JSON for PLAYMAT_VIEW_ALL also has what
 * `playmat_env_from_json` needs; only this one can be loaded.
 *
 * Parameters: `env`; `viewer` a player or PLAYMAT_VIEW_ALL; `out`, `out_size`, `needed` as for every text output.
 * Returns: OK; INVALID_PLAYER.
 */
PlaymatStatus playmat_env_to_json(const struct PlaymatEnv *env, int32_t viewer, char *out, size_t out_size, size_t *needed);

/**
 * Writes what the last step changed as a JSON array of events in order, redacted for the viewer, for a host to animate.
 *
 *   {"event": "dropped", "player": 0, "cell": "D3", "text": "Player 0 drops a disc to D3.",
 *    "changes": [{"op": "replace", "path": "/state/board/3", "value": "...x..."}]}
 *
 * `event` is the kind, a word of the game; `player` is the one whom it is about, absent if it is not about one. Other fields
 * depend on the kind. `text` is the event as a sentence, made of its fields alone, so that it tells the viewer no more; hosts may
 * replace "player 0" by a name. `changes` is a JSON Patch (RFC 6902) with the operations "add", "remove" and "replace". All
 * patches in order turn the JSON of `playmat_env_to_json` for the same viewer before the step into the JSON after it. A last event
 * "update" without `text` has the changes that belong to no other event, such as whether the viewer must act. Events that the
 * viewer may not know of are absent.
 *
 * After a reset and before the first step these are the events of the deal. Their `changes` are empty, because there is no JSON
 * before the deal. Before the first step of a state that was loaded, sampled or cloned with a seed the array is empty.
 *
 * Parameters: `env`; `viewer` a player or PLAYMAT_VIEW_ALL; `out`, `out_size`, `needed` as for every text output.
 * Returns: OK; INVALID_PLAYER.
 */
PlaymatStatus playmat_env_events(const struct PlaymatEnv *env, int32_t viewer, char *out, size_t out_size, size_t *needed);

/**
 * Writes the key of a player's information state: 128 bits over everything that the player has seen and chosen since the deal.
 *
 * Two histories have equal keys exactly if the player cannot tell them apart. The key is the same on every platform, in every language and
 * in every version of the library with the same version of the game. A call replays what was played since the last call for the player. Clones and
 * `playmat_env_load_with_history` from a deal keep it; `playmat_env_sample_hidden` keeps that of its player. For the other players of a
 * sample, and in a loaded state, the information state begins with what the player sees there.
 *
 * Parameters: `env`; `player` any player, or PLAYMAT_CURRENT_PLAYER; `out` receives the low and the high 64 bits; `out_len` at least 2.
 * Returns: OK; INVALID_PLAYER; BUFFER_TOO_SMALL.
 */
PlaymatStatus playmat_env_information_state_key(const struct PlaymatEnv *env,
                                                int32_t player,
                                                uint64_t *out,
                                                size_t out_len);

/**
 * Writes a player's information state as a JSON object.
 *
 * Its fields are `game`, `version`, `content_hash`, `options`, `player`, `key` (`0x` and 32 digits), `start` (the first view: `status`,
 * `to_act`, `state`), `seen`, a list of the player's own choices (`choice`, `text`) and of the events that the player saw, as
 * `playmat_env_events` writes them, and `now`, the present view. The `changes` of an event lead from the state after the event before to
 * the state after this one.
 *
 * Parameters: `env`; `player` any player, or PLAYMAT_CURRENT_PLAYER; `out`, `out_size`, `needed` as for every text output.
 * Returns: OK; INVALID_PLAYER.
 */
PlaymatStatus playmat_env_information_state(const struct PlaymatEnv *env, int32_t player, char *out, size_t out_size, size_t *needed);

/**
 * Draws the position as text for a terminal.
 *
 * Parameters: `env`; `viewer` a player or PLAYMAT_VIEW_ALL; `out`, `out_size`, `needed` as for every text output.
 * Returns: OK; INVALID_PLAYER.
 */
PlaymatStatus playmat_env_draw_text(const struct PlaymatEnv *env, int32_t viewer, char *out, size_t out_size, size_t *needed);

/**
 * Draws the position as an SVG image.
 *
 * Parameters: `env`; `viewer` a player or PLAYMAT_VIEW_ALL; `out`, `out_size`, `needed` as for every text output.
 * Returns: OK; INVALID_PLAYER.
 */
PlaymatStatus playmat_env_draw_svg(const struct PlaymatEnv *env, int32_t viewer, char *out, size_t out_size, size_t *needed);

/**
 * Draws the position as a PNG image.
 *
 * Every call draws again: give enough room at once (256 KiB is for most games at their default width).
 *
 * Parameters: `env`; `viewer` a player or PLAYMAT_VIEW_ALL; `width` in pixels, 1 to 16,384, 0 for the default; `out`, `out_size`,
 * `needed` as for every output of bytes.
 * Returns: OK; INVALID_PLAYER; INVALID_ARGUMENT (width, or too little memory for it); MISSING_FEATURE (a library built without
 * `raster`).
 */
PlaymatStatus playmat_env_draw_png(const struct PlaymatEnv *env,
                                   int32_t viewer,
                                   uint32_t width,
                                   uint8_t *out,
                                   size_t out_size,
                                   size_t *needed);

/**
 * Draws the position as pixels: red, green and blue, a byte each, row by row from the top.
 *
 * Every call draws again. Pictures of the same game, options and width have the same size.
 *
 * Parameters: `env`; `viewer` a player or PLAYMAT_VIEW_ALL; `width` in pixels, 1 to 16,384, 0 for the default; `pixels`,
 * `pixels_size`, `needed` as for every output of bytes: 3 * width * height; `size` receives width and height, also with
 * BUFFER_TOO_SMALL.
 * Returns: OK; INVALID_PLAYER; INVALID_ARGUMENT (width, or too little memory for it); MISSING_FEATURE (a library built without
 * `raster`).
 */
PlaymatStatus playmat_env_draw_rgb(const struct PlaymatEnv *env,
                                   int32_t viewer,
                                   uint32_t width,
                                   uint8_t *pixels,
                                   size_t pixels_size,
                                   size_t *needed,
                                   struct PlaymatPictureSize *size);

/**
 * Writes the text of an action in this position.
 *
 * Parameters: `env`; `player` for whom, or PLAYMAT_CURRENT_PLAYER; `action` below the number of actions; `out`, `out_size`,
 * `needed` as for every text output.
 * Returns: OK; INVALID_ARGUMENT (action); INVALID_PLAYER.
 */
PlaymatStatus playmat_env_action_text(const struct PlaymatEnv *env,
                                      int32_t player,
                                      int64_t action,
                                      char *out,
                                      size_t out_size,
                                      size_t *needed);

/**
 * Writes what a legal action would do, as far as the player knows: the text of its card, whether it busts. The text is empty for
 * actions that need no explanation and for actions that are not legal now.
 *
 * Parameters: `env`; `player` for whom, or PLAYMAT_CURRENT_PLAYER; `action` below the number of actions; `out`, `out_size`,
 * `needed` as for every text output.
 * Returns: OK; INVALID_ARGUMENT (action); INVALID_PLAYER.
 */
PlaymatStatus playmat_env_action_help(const struct PlaymatEnv *env,
                                      int32_t player,
                                      int64_t action,
                                      char *out,
                                      size_t out_size,
                                      size_t *needed);

/**
 * Finds the action with a text in this position.
 *
 * Parameters: `env`; `player` for whom, or PLAYMAT_CURRENT_PLAYER; `text`, `text_len` as `playmat_env_action_text` writes it;
 * `action` receives the action.
 * Returns: OK; UNKNOWN_ACTION; INVALID_PLAYER.
 */
PlaymatStatus playmat_env_parse_action(const struct PlaymatEnv *env, int32_t player, const char *text, size_t text_len, int64_t *action);

/**
 * Writes what is wrong with the state as a JSON array of objects with `path` and `message`. It is empty in every state that play
 * reaches.
 *
 * Parameters: `env`; `out`, `out_size`, `needed` as for every text output.
 * Returns: OK.
 */
PlaymatStatus playmat_env_validate(const struct PlaymatEnv *env, char *out, size_t out_size, size_t *needed);

/**
 * Writes the bytes of the state with which the history begins, for `playmat_env_load_with_history`. There are none if the history
 * begins with the deal of the episode's seed.
 *
 * Parameters: `env`; `out`, `out_size`, `needed` as for every output of bytes.
 * Returns: OK.
 */
PlaymatStatus playmat_env_start(const struct PlaymatEnv *env, uint8_t *out, size_t out_size, size_t *needed);

/**
 * Creates an environment from the bytes of `playmat_env_save` and the decisions before it, so that its history, its replay and the
 * events of its last step are those of the saved one.
 *
 * Parameters: `game`; `data`, `data_len` the bytes of `playmat_env_save`; `start`, `start_len` the bytes of `playmat_env_start`;
 * `history`, `history_len` the decisions of `playmat_env_history`; `out` receives the handle.
 * Returns: OK; UNREADABLE; WRONG_IDENTITY; INVALID_STATE; INVALID_ARGUMENT (the decisions do not lead to the state);
 * ILLEGAL_ACTION; NOT_ACTING; INVALID_PLAYER; EPISODE_OVER.
 */
PlaymatStatus playmat_env_load_with_history(const struct PlaymatGame *game,
                                            const uint8_t *data,
                                            size_t data_len,
                                            const uint8_t *start,
                                            size_t start_len,
                                            const struct PlaymatDecision *history,
                                            size_t history_len,
                                            struct PlaymatEnv **out);

/**
 * Creates an agent for a configured game.
 *
 * Specs:
 * - "random": uniformly random legal actions.
 * - "greedy": the game's own greedy agent.
 * - "mcts:400", "mcts:50ms": tree search with 400 simulations for each action, or for 50 milliseconds. It plays determinizations, as
 *   `playmat_env_sample_hidden` draws them, and keeps its tree for the episode. Simulations are played to the game's own end, also beyond
 *   `max_steps`: the number of decisions so far can tell what others have chosen, so a player does not know how many are left.
 * - "policy.onnx": a trained network, a file that `playmat train` wrote for this game with these options, relative to the working folder.
 *   It plays its likeliest action, of several the lowest. With "policy.onnx,temperature=1" it draws actions from its policy, with logits
 *   divided by the temperature (0, the likeliest action, or 0.01 to 100). A file may have a temperature that applies without this option
 *   (`playmat train` writes one where it evaluates with drawn actions). Decisions are the same on every platform and in every batch. A path
 *   must not contain a comma. A library built without the feature `onnx` (`cmake -DPLAYMAT_ONNX=OFF`) refuses networks, and plays all other agents.
 * - "mcts:400,policy=policy.onnx": tree search with the network's policy as priors, and its value in place of rollouts. It maximizes the
 *   returns that the network was trained on.
 *
 * Options of a search follow, as in "mcts:400,threads=2":
 * - `rollout=greedy` or `random`: the agent that plays a simulation to its end (default: greedy; with `policy`, `none`). Beside `policy`,
 *   the network gives only the priors, and the search maximizes the returns that the game pays.
 * - `prior=greedy`: the greedy agent's choice is tried first and has half of the prior; or `uniform`.
 * - `prior_temperature` (0.01 to 100): divides the network's logits before they become priors (1). Above 1, the search also tries actions that
 *   the network thinks unlikely. Needs `policy`.
 * - `c`: exploration constant, the factor of the bonus for rarely tried actions (1.5).
 * - `threads`: number of trees searched in parallel (1).
 * - `dirichlet_alpha` (0.01 to 100): mixes Dirichlet noise into the priors of the root, with the share `dirichlet_fraction` (0.25).
 * - `temperature` (0, or up to 100): draws the action in proportion to visits^(1 / temperature); 0: the most visited.
 * - `temperature_drop` (1 to 1,000,000): draws only so many decisions of the player in an episode, the first ones; then it plays the most
 *   visited action (default: all are drawn). Needs `temperature`.
 * - `max_nodes`: most nodes of a tree, 1 to 1,048,576 (the default). A full tree is emptied before the next search.
 *
 * Parameters: `game`; `spec`, `spec_len` the spec; `out` receives the handle.
 * Returns: OK; INVALID_ARGUMENT (spec; a file of a network that cannot be read or does not fit: the message names it and the reason).
 */
PlaymatStatus playmat_agent_create(const struct PlaymatGame *game,
                                   const char *spec,
                                   size_t spec_len,
                                   struct PlaymatAgent **out);

/**
 * Destroys an agent.
 *
 * Parameters: `agent`, or null.
 * Returns: OK.
 */
PlaymatStatus playmat_agent_destroy(struct PlaymatAgent *agent);

/**
 * Writes the name of an agent, which is its spec.
 *
 * Parameters: `agent`; `out`, `out_size`, `needed` as for every text output.
 * Returns: OK.
 */
PlaymatStatus playmat_agent_name(const struct PlaymatAgent *agent, char *out, size_t out_size, size_t *needed);

/**
 * Chooses an action for an acting player; the environment does not step. The agent knows what the player may know. Its random stream
 * comes from the episode's seed, so that its choices repeat; "random" draws what `playmat_env_sample_action` draws.
 *
 * Parameters: `agent`; `env` of the agent's game; `player` or PLAYMAT_CURRENT_PLAYER; `cancel` or null; `action` receives the action.
 * Returns: OK; EPISODE_OVER; NOT_ACTING; INVALID_PLAYER; INVALID_ARGUMENT (agent: made for another game); CANCELLED: a search may
 * also have forgotten what it kept of this episode.
 */
PlaymatStatus playmat_agent_act(const struct PlaymatAgent *agent,
                                struct PlaymatEnv *env,
                                int32_t player,
                                const struct PlaymatCancel *cancel,
                                int64_t *action);

/**
 * Writes the policy of a network for an acting player, and the return that the network expects for it. Nothing is drawn: the agent then
 * chooses as without this call. Searches have `playmat_agent_statistics`.
 *
 * Parameters: `agent`, made from a file "policy.onnx"; `env` of the agent's game; `player` or PLAYMAT_CURRENT_PLAYER; `policy`, `policy_len`
 * `num_actions` elements, or null with length 0 to skip it: the probability of each action, 0 for illegal ones, with the agent's temperature
 * or, if that is 0, with 1; `value` receives the return, in the units of the game's rewards, of the kind that training used (relative to the
 * others and with a bonus for the place, if it was), or is null to skip it.
 * Returns: OK; EPISODE_OVER; NOT_ACTING; INVALID_PLAYER; INVALID_ARGUMENT (agent: no network; made for another game; length).
 */
PlaymatStatus playmat_agent_evaluate(const struct PlaymatAgent *agent,
                                     struct PlaymatEnv *env,
                                     int32_t player,
                                     float *policy,
                                     size_t policy_len,
                                     float *value);

/**
 * Writes the policy of a network, and the return that it expects for the player, in every row of the action mask: what
 * `playmat_agent_evaluate` writes for one environment. Rows without legal actions are 0.
 *
 * Parameters: `agent`, made from a file "policy.onnx"; `venv` of the agent's game; buffers, each of which may be null with length 0 to skip it:
 * `policy`, `policy_len` [rows, A] the probability of each action; `value`, `value_len` [rows] the return.
 * Returns: OK; INVALID_ARGUMENT (agent: no network; made for another game; lengths; overlap); ORDER (the batch was not reset; a step is
 * under way).
 */
PlaymatStatus playmat_agent_evaluate_batch(const struct PlaymatAgent *agent,
                                           struct PlaymatVecEnv *venv,
                                           float *policy,
                                           size_t policy_len,
                                           float *value,
                                           size_t value_len);

/**
 * Writes what the search of an agent found out when it last chose for a player in this episode with `playmat_agent_act`, also after
 * later steps and at the end.
 *
 * Parameters: `agent`; `env` of the agent's game; `player`, or PLAYMAT_CURRENT_PLAYER, after the end the player who acted last; `out`,
 * `out_size` a struct and its size, `sizeof(PlaymatSearchStatistics)`.
 * Returns: OK; ORDER (the agent has not chosen for this player in this episode); INVALID_PLAYER; INVALID_ARGUMENT (agent: made for another
 * game; does not search).
 */
PlaymatStatus playmat_agent_statistics(const struct PlaymatAgent *agent,
                                       struct PlaymatEnv *env,
                                       int32_t player,
                                       struct PlaymatSearchStatistics *out,
                                       size_t out_size);

/**
 * Writes what `playmat_agent_statistics` tells of each legal action, in ascending order.
 *
 * Parameters: `agent`, `env`, `player` as for `playmat_agent_statistics`, which also tells the number of actions (`num_actions` always
 * suffices). Each buffer has room for all of them, or is null with length 0 to skip it: `actions`, `actions_len` the action; `visits`,
 * `visits_len` simulations that chose it, also those of earlier searches that came through this decision; `prior`, `prior_len` its
 * share in the priors, which sum to 1, with the noise of this search, the mean of all threads; `mean_return`, `mean_return_len` the
 * player's mean return in its visits, 0 without visits.
 * Returns: OK; those of `playmat_agent_statistics`; BUFFER_TOO_SMALL; INVALID_ARGUMENT (overlap).
 */
PlaymatStatus playmat_agent_action_statistics(const struct PlaymatAgent *agent,
                                              struct PlaymatEnv *env,
                                              int32_t player,
                                              int64_t *actions,
                                              size_t actions_len,
                                              uint32_t *visits,
                                              size_t visits_len,
                                              float *prior,
                                              size_t prior_len,
                                              float *mean_return,
                                              size_t mean_return_len);

/**
 * Writes the action of an agent for every row of the action mask, 0 for rows without legal actions: labels for imitation learning,
 * independent of who plays. A step with these actions equals a rollout of one step with the agent.
 *
 * Parameters: `agent`; `venv` of the agent's game; `mask`, `mask_len` one byte per environment: where it is 0 nothing is computed and -1
 * written; null for all; `cancel` or null; `out`, `out_len` as many as a step takes.
 * Returns: OK; INVALID_ARGUMENT (agent: made for another game; lengths; overlap); ORDER; CANCELLED: searches may also have forgotten what
 * they kept of the running episodes.
 */
PlaymatStatus playmat_agent_act_batch(const struct PlaymatAgent *agent,
                                      struct PlaymatVecEnv *venv,
                                      const uint8_t *mask,
                                      size_t mask_len,
                                      const struct PlaymatCancel *cancel,
                                      int64_t *out,
                                      size_t out_len);

/**
 * Writes what the searches of an agent found out about the decisions of a batch that `playmat_agent_act_batch` chose last: call it before the
 * step. There is a row for each row of the action mask. A row is 0 where the agent has not searched the decision: no player acts, one action
 * is legal, or the mask of that call left it out.
 *
 * Parameters: `agent`; `venv` of the agent's game; buffers, each of which may be null with length 0 to skip it: `visits`, `visits_len` [rows, A]
 * simulations that chose the action, also those of earlier searches that came through the decision; `mean_return`, `mean_return_len`
 * [rows, A] the player's mean return in them; `prior`, `prior_len` [rows, A] the action's share in the priors, which sum to 1 over the legal
 * actions, with the noise of the search; `value`, `value_len` [rows] the player's mean return in all visits; `simulations`,
 * `simulations_len` [rows] simulations of the last search, of all threads together.
 * Returns: OK; INVALID_ARGUMENT (agent: does not search; made for another game; lengths; overlap); ORDER (the batch was not reset; a step is
 * under way).
 */
PlaymatStatus playmat_agent_statistics_batch(const struct PlaymatAgent *agent,
                                             struct PlaymatVecEnv *venv,
                                             int32_t *visits,
                                             size_t visits_len,
                                             float *mean_return,
                                             size_t mean_return_len,
                                             float *prior,
                                             size_t prior_len,
                                             float *value,
                                             size_t value_len,
                                             int32_t *simulations,
                                             size_t simulations_len);

/**
 * Writes the episode of an environment as a replay: game, options, content, seed and decisions, as readable JSON.
 *
 * Parameters: `env`; `out`, `out_size`, `needed` as for every text output.
 * Returns: OK.
 */
PlaymatStatus playmat_env_replay(const struct PlaymatEnv *env, char *out, size_t out_size, size_t *needed);

/**
 * Creates the configured game of a replay.
 *
 * Parameters: `replay`, `replay_len` JSON text of at most 16 MiB; `out` receives the handle.
 * Returns: OK; UNREADABLE; WRONG_IDENTITY; UNKNOWN_GAME; INVALID_OPTION; CONTENT.
 */
PlaymatStatus playmat_game_from_replay(const char *replay, size_t replay_len, struct PlaymatGame **out);

/**
 * Counts the decisions of a replay.
 *
 * Parameters: `replay`, `replay_len` JSON text; `len` receives the number of decisions.
 * Returns: OK; UNREADABLE; WRONG_IDENTITY.
 */
PlaymatStatus playmat_replay_len(const char *replay, size_t replay_len, size_t *len);

/**
 * Creates the environment of a replay after its first decisions. Steps from there lead to another episode. The whole replay is played and
 * checked.
 *
 * Parameters: `game` the game of the replay; `replay`, `replay_len` JSON text; `decisions` how many, PLAYMAT_ALL_DECISIONS for
 * all; `out` receives the handle.
 * Returns: OK; UNREADABLE; WRONG_IDENTITY; INVALID_ARGUMENT (decisions).
 */
PlaymatStatus playmat_env_from_replay(const struct PlaymatGame *game,
                                      const char *replay,
                                      size_t replay_len,
                                      size_t decisions,
                                      struct PlaymatEnv **out);

/**
 * Creates a new handle of the environments' game.
 *
 * Parameters: `venv`; `out` receives the handle.
 * Returns: OK.
 */
PlaymatStatus playmat_vec_env_game(const struct PlaymatVecEnv *venv, struct PlaymatGame **out);

/**
 * Writes the configuration as a JSON object with `num_envs`, `threads`, `view`, `dtype`, `autoreset`, `spin_us` and `first_env`.
 *
 * Parameters: `venv`; `out`, `out_size`, `needed` as for every text output.
 * Returns: OK.
 */
PlaymatStatus playmat_vec_env_describe(const struct PlaymatVecEnv *venv, char *out, size_t out_size, size_t *needed);

/**
 * Writes the sizes from which the lengths of all buffers follow.
 *
 * Parameters: `venv`; `out`, `out_size` a struct and its size, `sizeof(PlaymatSizes)`.
 * Returns: OK.
 */
PlaymatStatus playmat_vec_env_sizes(const struct PlaymatVecEnv *venv, struct PlaymatSizes *out, size_t out_size);

/**
 * Writes the observation of one player in every environment, acting or not: [N, O] (dtype `u8`).
 *
 * Parameters: `venv`; `player`; `out`, `out_len` exactly N * O bytes.
 * Returns: OK; INVALID_PLAYER; INVALID_ARGUMENT (length, dtype); ORDER.
 */
PlaymatStatus playmat_vec_env_observe(struct PlaymatVecEnv *venv, int32_t player, uint8_t *out, size_t out_len);

/**
 * Writes the observations of all players in every environment: [N, P, O] (dtype `u8`).
 *
 * Parameters: `venv`; `out`, `out_len` exactly N * P * O bytes.
 * Returns: OK; INVALID_ARGUMENT (length, dtype); ORDER.
 */
PlaymatStatus playmat_vec_env_observe_all(struct PlaymatVecEnv *venv, uint8_t *out, size_t out_len);

/**
 * `playmat_vec_env_observe` with floats (dtype `f32`).
 *
 * Parameters: `venv`; `player`; `out`, `out_len` exactly N * O floats.
 * Returns: OK; INVALID_PLAYER; INVALID_ARGUMENT (length, dtype); ORDER.
 */
PlaymatStatus playmat_vec_env_observe_f32(struct PlaymatVecEnv *venv, int32_t player, float *out, size_t out_len);

/**
 * `playmat_vec_env_observe_all` with floats (dtype `f32`).
 *
 * Parameters: `venv`; `out`, `out_len` exactly N * P * O floats.
 * Returns: OK; INVALID_ARGUMENT (length, dtype); ORDER.
 */
PlaymatStatus playmat_vec_env_observe_all_f32(struct PlaymatVecEnv *venv, float *out, size_t out_len);

/**
 * Writes the state of the running episode of one environment.
 *
 * Parameters: `venv`; `env` its index; `out`, `out_size` a struct and its size, `sizeof(PlaymatVecEpisode)`.
 * Returns: OK; INVALID_ARGUMENT (env); ORDER.
 */
PlaymatStatus playmat_vec_env_episode(const struct PlaymatVecEnv *venv, size_t env, struct PlaymatVecEpisode *out, size_t out_size);

/**
 * Writes the state of one environment as bytes, for `playmat_env_load` and `playmat_vec_env_reset_states`.
 *
 * Parameters: `venv`; `env` its index; `out`, `out_size`, `needed` as for every output of bytes.
 * Returns: OK; INVALID_ARGUMENT (env); ORDER.
 */
PlaymatStatus playmat_vec_env_state(const struct PlaymatVecEnv *venv, size_t env, uint8_t *out, size_t out_size, size_t *needed);

/**
 * Writes all environments as bytes for `playmat_vec_env_load`: states, random streams, episodes, results by opponent. The
 * configuration, the weights of opponents and the outputs of the last step are not saved.
 *
 * Parameters: `venv`; `out`, `out_size`, `needed` as for every output of bytes.
 * Returns: OK; ORDER.
 */
PlaymatStatus playmat_vec_env_save(const struct PlaymatVecEnv *venv, uint8_t *out, size_t out_size, size_t *needed);

/**
 * Loads the bytes of `playmat_vec_env_save` of a batch of environments with the same game, configuration and opponents. Then
 * `playmat_vec_env_show` writes the batch.
 *
 * Parameters: `venv`; `data`, `data_len` the bytes, at most 64 KiB for each environment and as much for the batch.
 * Returns: OK; UNREADABLE; WRONG_IDENTITY; INVALID_STATE; ORDER.
 */
PlaymatStatus playmat_vec_env_load(struct PlaymatVecEnv *venv, const uint8_t *data, size_t data_len);

/**
 * Adds an agent to the pool of opponents. It plays from the next episodes on.
 *
 * Parameters: `venv`; `agent`, `agent_len` its spec; `weight` its weight in draws; `index` receives its index in the pool.
 * Returns: OK; INVALID_ARGUMENT; ORDER.
 */
PlaymatStatus playmat_vec_env_add_opponent(struct PlaymatVecEnv *venv, const char *agent, size_t agent_len, double weight, size_t *index);

/**
 * Sets the weights of all opponents for the next episodes.
 *
 * Parameters: `venv`; `weights`, `weights_len` one per opponent: finite, not negative, not all 0.
 * Returns: OK; INVALID_ARGUMENT; ORDER.
 */
PlaymatStatus playmat_vec_env_set_weights(struct PlaymatVecEnv *venv, const double *weights, size_t weights_len);

/**
 * Writes the results of the ended episodes in which opponents play as a JSON object: `episodes`, `wins`, `draws`, `losses`,
 * `truncated`, `return_sum`, and `opponents`, an array of objects with `name`, `weight` and the same counts for that opponent.
 *
 * Each episode counts once in the total and once for each of its opponents, so that the counts of opponents can add up to more
 * than the total. If the caller plays several players, the best result among them counts, and the mean of their returns.
 *
 * Nothing is counted in a batch without opponents, except in the single-player view of a game for one. There the outputs of steps
 * have the results: `episode_return` of the rows in which an episode ended.
 *
 * Parameters: `venv`; `out`, `out_size`, `needed` as for every text output.
 * Returns: OK; ORDER; INVALID_ARGUMENT (no opponents play).
 */
PlaymatStatus playmat_vec_env_results(const struct PlaymatVecEnv *venv, char *out, size_t out_size, size_t *needed);

/**
 * Sets all results to 0.
 *
 * Parameters: `venv`.
 * Returns: OK; ORDER.
 */
PlaymatStatus playmat_vec_env_reset_results(struct PlaymatVecEnv *venv);

/**
 * Creates a batch of environments: many episodes of one game, stepped together. Its first call must be a reset.
 *
 * Keys of the configuration:
 *   threads    threads that step, the caller's included, 1 to 256; 1 (default) starts none
 *   view       "turn" (default): one acting player per environment and step; "joint": all acting players of an environment decide in
 *              the same step; "single": one learner, opponents play the others
 *   dtype      of observations: "u8" (default) or "f32"
 *   autoreset  "same_step" (default), "next_step" or "disabled"
 *   learner    the player that the caller plays, or "rotate"; by default all (in the single-player view: 0)
 *   roles      instead of `learner`, one entry per player: "learner", "pool", an agent's spec or an opponent's index
 *   opponents  the pool of agents for players that the caller does not play: a spec, a list of specs or of pairs of spec and weight, or
 *              an object from names to weights
 *   spin_us    microseconds that a worker waits for the next step before it sleeps, 0 to 1,000,000; default 50
 *   first_env  number of the first environment, 0 to 4,294,967,296; default 0: several batches can play the parts of one, each from its
 *              own number on
 *
 * Parameters: `game`; `num_envs` N, 1 to 16,777,216; `config`, `config_len` a JSON object or TOML text with any of these keys,
 * null for the defaults; `out` receives the handle.
 * Returns: OK; UNREADABLE (config); INVALID_ARGUMENT; INVALID_PLAYER.
 */
PlaymatStatus playmat_vec_env_create(const struct PlaymatGame *game,
                                     size_t num_envs,
                                     const char *config,
                                     size_t config_len,
                                     struct PlaymatVecEnv **out);

/**
 * Destroys a batch of environments and its threads; waits for a running asynchronous step.
 *
 * Parameters: `venv`, or null.
 * Returns: OK.
 */
PlaymatStatus playmat_vec_env_destroy(struct PlaymatVecEnv *venv);

/**
 * Starts the next episode in each environment's own sequence of episodes (of seed 0 at first), and writes the batch. Environments
 * that are not reset stay as they are, with reward 0.
 *
 * Parameters: `venv`; `mask`, `mask_len` one byte per environment: not 0 resets it; null resets all; `buffers` receives the batch,
 * null to skip it; `buffers_size` is `sizeof(PlaymatBuffers)`.
 * Returns: OK; INVALID_ARGUMENT (lengths, alignment, overlap); ORDER.
 */
PlaymatStatus playmat_vec_env_reset(struct PlaymatVecEnv *venv,
                                    const uint8_t *mask,
                                    size_t mask_len,
                                    const struct PlaymatBuffers *buffers,
                                    size_t buffers_size);

/**
 * `playmat_vec_env_reset` with a new sequence of episodes for each environment, hashed from a seed and the index of the
 * environment.
 *
 * Parameters: `seed` any number; `venv`, `mask`, `mask_len`, `buffers`, `buffers_size` as for `playmat_vec_env_reset`.
 * Returns: as `playmat_vec_env_reset`.
 */
PlaymatStatus playmat_vec_env_reset_seed(struct PlaymatVecEnv *venv,
                                         uint64_t seed,
                                         const uint8_t *mask,
                                         size_t mask_len,
                                         const struct PlaymatBuffers *buffers,
                                         size_t buffers_size);

/**
 * `playmat_vec_env_reset` with the episodes of seeds. Later episodes of an environment are hashed from its seed and its index.
 *
 * Parameters: `seeds`, `seeds_len` one per environment; `venv`, `mask`, `mask_len`, `buffers`, `buffers_size` as for
 * `playmat_vec_env_reset`.
 * Returns: as `playmat_vec_env_reset`.
 */
PlaymatStatus playmat_vec_env_reset_seeds(struct PlaymatVecEnv *venv,
                                          const uint64_t *seeds,
                                          size_t seeds_len,
                                          const uint8_t *mask,
                                          size_t mask_len,
                                          const struct PlaymatBuffers *buffers,
                                          size_t buffers_size);

/**
 * `playmat_vec_env_reset` from saved states. The episodes continue with the saved random stream of chance: a state draws what its own
 * episode will draw, so pass states of `playmat_env_clone_seed` or `playmat_env_sample_hidden` for a search that must not look ahead.
 *
 * Parameters: `states`, `sizes`, `count` for each environment a pointer to the bytes of `playmat_env_save` or
 * `playmat_vec_env_state`, and their number; `venv`, `mask`, `mask_len`, `buffers`, `buffers_size` as for `playmat_vec_env_reset`.
 * Returns: as `playmat_vec_env_reset`; UNREADABLE; WRONG_IDENTITY; INVALID_STATE.
 */
PlaymatStatus playmat_vec_env_reset_states(struct PlaymatVecEnv *venv,
                                           const uint8_t *const *states,
                                           const size_t *sizes,
                                           size_t count,
                                           const uint8_t *mask,
                                           size_t mask_len,
                                           const struct PlaymatBuffers *buffers,
                                           size_t buffers_size);

/**
 * Plays one step of every environment. If it is refused, no environment has moved.
 *
 * Parameters: `venv`; `actions`, `actions_len` one per environment (joint view: per environment and player); entries of players
 * who do not act are ignored; `buffers` receives the batch, null to skip it; `buffers_size` is `sizeof(PlaymatBuffers)`.
 * Returns: OK; ILLEGAL_ACTION (the message lists environments, players, actions); EPISODE_OVER (autoreset "disabled");
 * INVALID_ARGUMENT (lengths, alignment, overlap); ORDER.
 */
PlaymatStatus playmat_vec_env_step(struct PlaymatVecEnv *venv,
                                   const int64_t *actions,
                                   size_t actions_len,
                                   const struct PlaymatBuffers *buffers,
                                   size_t buffers_size);

/**
 * `playmat_vec_env_step` with actions of 32 bits.
 *
 * Parameters: `venv`, `actions`, `actions_len`, `buffers`, `buffers_size` as for `playmat_vec_env_step`.
 * Returns: as `playmat_vec_env_step`.
 */
PlaymatStatus playmat_vec_env_step_i32(struct PlaymatVecEnv *venv,
                                       const int32_t *actions,
                                       size_t actions_len,
                                       const struct PlaymatBuffers *buffers,
                                       size_t buffers_size);

/**
 * Starts `playmat_vec_env_step` on a thread of its own and returns. The first call starts that thread, also if `threads` is 1.
 *
 * The actions are copied. The step writes the buffers until `playmat_vec_env_step_wait` or `playmat_vec_env_destroy` returns: do
 * not touch or free them before.
 *
 * Parameters: `venv`, `actions`, `actions_len`, `buffers`, `buffers_size` as for `playmat_vec_env_step`.
 * Returns: OK; INVALID_ARGUMENT (lengths, alignment, overlap); ORDER. The wait returns what the step refuses.
 */
PlaymatStatus playmat_vec_env_step_async(struct PlaymatVecEnv *venv,
                                         const int64_t *actions,
                                         size_t actions_len,
                                         const struct PlaymatBuffers *buffers,
                                         size_t buffers_size);

/**
 * Waits for the end of the asynchronous step. Then its buffers are written and belong to the caller again.
 *
 * Parameters: `venv`.
 * Returns: as `playmat_vec_env_step`; ORDER (no step was started).
 */
PlaymatStatus playmat_vec_env_step_wait(struct PlaymatVecEnv *venv);

/**
 * Whether an asynchronous step was started and not waited for.
 *
 * Parameters: `venv`; `pending` receives 1 or 0.
 * Returns: OK.
 */
PlaymatStatus playmat_vec_env_is_pending(const struct PlaymatVecEnv *venv, uint8_t *pending);

/**
 * Writes the batch without a step; rewards and flags are 0.
 *
 * Parameters: `venv`; `buffers` receives the batch, null to skip it; `buffers_size` is `sizeof(PlaymatBuffers)`.
 * Returns: OK; INVALID_ARGUMENT (lengths, alignment, overlap); ORDER.
 */
PlaymatStatus playmat_vec_env_show(struct PlaymatVecEnv *venv, const struct PlaymatBuffers *buffers, size_t buffers_size);

/**
 * Draws a uniformly random legal action for every row of the action mask, from each environment's own random stream; 0 for rows
 * without legal actions.
 *
 * Parameters: `venv`; `out`, `out_len` as many as a step takes.
 * Returns: OK; INVALID_ARGUMENT (length); ORDER.
 */
PlaymatStatus playmat_vec_env_sample_actions(struct PlaymatVecEnv *venv, int64_t *out, size_t out_len);

/**
 * Takes the actions that the last step has already drawn into its `drawn` buffer: those that `playmat_vec_env_sample_actions`
 * would draw now. If `taken` is 0, call that function.
 *
 * After a use of either function, the next step draws ahead in the same pass, which is faster. Actions that are not taken change
 * nothing.
 *
 * Parameters: `venv`; `taken` receives 1 or 0.
 * Returns: OK.
 */
PlaymatStatus playmat_vec_env_take_drawn(struct PlaymatVecEnv *venv, uint8_t *taken);

/**
 * Wakes sleeping worker threads before a step.
 *
 * Parameters: `venv`.
 * Returns: OK.
 */
PlaymatStatus playmat_vec_env_prepare(struct PlaymatVecEnv *venv);

/**
 * Plays T steps with an agent for all players of the caller.
 *
 * Parameters: `venv`; `agent`, `agent_len` a spec; `rollout`, `rollout_size` T, at least 1, with the buffers of its steps,
 * and `sizeof(PlaymatRollout)`; `buffers` receives the batch after them, null to skip it; `buffers_size` is
 * `sizeof(PlaymatBuffers)`.
 * Returns: OK; INVALID_ARGUMENT (agent, steps, lengths, alignment, overlap); ORDER.
 */
PlaymatStatus playmat_vec_env_rollout(struct PlaymatVecEnv *venv,
                                      const char *agent,
                                      size_t agent_len,
                                      const struct PlaymatRollout *rollout,
                                      size_t rollout_size,
                                      const struct PlaymatBuffers *buffers,
                                      size_t buffers_size);

/**
 * Creates searches, all in rows without a search.
 *
 * Searches as in AlphaZero: `playmat_search_start` begins one in a row; then repeat `playmat_search_collect`, which writes the positions that
 * the network must evaluate, of all rows at once, and `playmat_search_feed`, which takes logits and values, until nothing is
 * collected. Then `playmat_search_policy`, `playmat_search_values` and `playmat_search_actions` return the results.
 *
 * Specs: "mcts:64", 64 simulations for each action, with the options `prior_temperature`, `c`, `dirichlet_alpha`, `dirichlet_fraction`,
 * `temperature`, `temperature_drop` and `max_nodes` of `playmat_agent_create`, and `threads`: with "mcts:64,threads=2" two threads share the
 * searches in `playmat_search_collect` and `playmat_search_feed`, and what the searches find stays the same. With 1 leaf at a time a search finds what the agent
 * "mcts:64,policy=policy.onnx" does with the same network and the same seed. With more, simulations under way count as lost (a virtual
 * loss).
 *
 * Parameters: `game`; `spec`, `spec_len` the spec; `rows` 1 to 2,147,483,647, number of searches; `leaves` 1 to 1024, leaves of one search
 * that are under way at once; `out` receives the handle.
 * Returns: OK; INVALID_ARGUMENT.
 */
PlaymatStatus playmat_search_create(const struct PlaymatGame *game,
                                    const char *spec,
                                    size_t spec_len,
                                    size_t rows,
                                    size_t leaves,
                                    struct PlaymatSearch **out);

/**
 * Destroys searches.
 *
 * Parameters: `search`, or null.
 * Returns: OK.
 */
PlaymatStatus playmat_search_destroy(struct PlaymatSearch *search);

/**
 * Writes the spec.
 *
 * Parameters: `search`; `out`, `out_size`, `needed` as for every text output.
 * Returns: OK.
 */
PlaymatStatus playmat_search_name(const struct PlaymatSearch *search, char *out, size_t out_size, size_t *needed);

/**
 * Writes the sizes from which the lengths of all buffers follow.
 *
 * Parameters: `search`; `out`, `out_size` a struct and its size, `sizeof(PlaymatSearchSizes)`.
 * Returns: OK.
 */
PlaymatStatus playmat_search_sizes(const struct PlaymatSearch *search, struct PlaymatSearchSizes *out, size_t out_size);

/**
 * Begins a search in a row, for an acting player of an environment. It draws its seed from the environment's random stream, as an agent
 * does, so that it repeats; nothing else of the environment changes, and the search knows only what the player knows. A search under way
 * in the row ends without result; leaves that were collected and not fed are collected anew.
 *
 * Parameters: `search`; `row`; `env` of the search's game; `player` or PLAYMAT_CURRENT_PLAYER; `keep` not 0 keeps the player's tree if the
 * row has searched the same episode before: its visits then count too.
 * Returns: OK; INVALID_ARGUMENT (row; env: of another game); EPISODE_OVER; NOT_ACTING; INVALID_PLAYER.
 */
PlaymatStatus playmat_search_start(struct PlaymatSearch *search, size_t row, struct PlaymatEnv *env, int32_t player, uint8_t keep);

/**
 * Begins a search in every row, for the rows of a batch's action mask (joint view: N * P of them). Rows in which no player acts have no
 * search.
 *
 * Parameters: `search`; `venv` of the search's game, with as many rows; `mask`, `mask_len` one byte per environment: where it is 0 there is no
 * search; null for all; `keep` as for `playmat_search_start`.
 * Returns: OK; INVALID_ARGUMENT (venv: of another game; another number of rows; mask: length); ORDER.
 */
PlaymatStatus playmat_search_start_batch(struct PlaymatSearch *search,
                                         struct PlaymatVecEnv *venv,
                                         const uint8_t *mask,
                                         size_t mask_len,
                                         uint8_t keep);

/**
 * Ends the search of a row without result. The row has no search until the next start.
 *
 * Parameters: `search`; `row`.
 * Returns: OK; INVALID_ARGUMENT (row).
 */
PlaymatStatus playmat_search_stop(struct PlaymatSearch *search, size_t row);

/**
 * Simulates until every search waits for the network, or is done, or there is no room for the leaves of another search. What a search
 * finds depends neither on the room nor on the other searches.
 *
 * Parameters: `search`; `leaves`, `leaves_size` room for rows, and `sizeof(PlaymatLeaves)`; `cancel` or null; `count` receives the number
 * of rows, the first ones of the buffers: 0 when all searches are done. With several threads, rows beyond may be written too.
 * Returns: OK; INVALID_ARGUMENT (rows, lengths, alignment, overlap); ORDER (nothing was started; the last rows were not fed); CANCELLED:
 * nothing was written; the next call continues.
 */
PlaymatStatus playmat_search_collect(struct PlaymatSearch *search,
                                     const struct PlaymatLeaves *leaves,
                                     size_t leaves_size,
                                     const struct PlaymatCancel *cancel,
                                     size_t *count);

/**
 * Writes the number of rows that were collected and not yet fed.
 *
 * Parameters: `search`; `waiting` receives the number.
 * Returns: OK.
 */
PlaymatStatus playmat_search_waiting(const struct PlaymatSearch *search, size_t *waiting);

/**
 * Takes the network's logits and values for the n rows that were collected last.
 *
 * Parameters: `search`; `logits`, `logits_len` [n, A], whose softmax over the legal actions is the prior (those of illegal actions are not
 * read); `values`, `values_len` [n], the sum of the rewards that the row's player can still expect, of the kind that the game pays.
 * Returns: OK; INVALID_ARGUMENT (lengths; a number that is read is not within -1e28 to 1e28); ORDER (nothing waits).
 */
PlaymatStatus playmat_search_feed(struct PlaymatSearch *search,
                                  const float *logits,
                                  size_t logits_len,
                                  const float *values,
                                  size_t values_len);

/**
 * Writes the share of each action in the simulations of each search, the target of a policy in AlphaZero: 1 for a single legal action,
 * which is not searched; all 0 in rows without a search.
 *
 * Parameters: `search`; `out`, `out_len` [rows, A].
 * Returns: OK; INVALID_ARGUMENT (length); ORDER (a search has not ended its first simulation).
 */
PlaymatStatus playmat_search_policy(struct PlaymatSearch *search, float *out, size_t out_len);

/**
 * Writes the mean return of the searching player in the simulations of each search; 0 where nothing was searched.
 *
 * Parameters: `search`; `out`, `out_len` [rows].
 * Returns: OK; INVALID_ARGUMENT (length); ORDER (a search has not ended its first simulation).
 */
PlaymatStatus playmat_search_values(struct PlaymatSearch *search, float *out, size_t out_len);

/**
 * Writes how many simulations from the root of each search chose each action, those of earlier searches that came through it included; 0
 * for a single legal action, which is not searched, and in rows without a search.
 *
 * Parameters: `search`; `out`, `out_len` [rows, A].
 * Returns: OK; INVALID_ARGUMENT (length); ORDER (a search has not ended its first simulation).
 */
PlaymatStatus playmat_search_visits(struct PlaymatSearch *search, int32_t *out, size_t out_len);

/**
 * Writes the mean return of the searching player in the simulations that chose each action; 0 for an action that none chose.
 *
 * Parameters: `search`; `out`, `out_len` [rows, A].
 * Returns: OK; INVALID_ARGUMENT (length); ORDER (a search has not ended its first simulation).
 */
PlaymatStatus playmat_search_mean_returns(struct PlaymatSearch *search, float *out, size_t out_len);

/**
 * Writes the prior of each action at the root of each search, with the noise; 1 for a single legal action, 0 for illegal ones and in rows without
 * a search.
 *
 * Parameters: `search`; `out`, `out_len` [rows, A].
 * Returns: OK; INVALID_ARGUMENT (length); ORDER (a search has not ended its first simulation).
 */
PlaymatStatus playmat_search_priors(struct PlaymatSearch *search,
                                    float *out,
                                    size_t out_len);

/**
 * Writes an action for every row, 0 where there is no search.
 *
 * Parameters: `search`; `temperature` 0: the most visited action, of several the one with the highest mean return; otherwise actions are
 * drawn in proportion to visits^(1 / temperature), from the search's own random stream, at most 100; PLAYMAT_SPEC_TEMPERATURE for that of
 * the spec, in each row as its `temperature_drop` has it there; `out`, `out_len` [rows].
 * Returns: OK; INVALID_ARGUMENT (temperature, length); ORDER (a search has not ended its first simulation).
 */
PlaymatStatus playmat_search_actions(struct PlaymatSearch *search, float temperature, int64_t *out, size_t out_len);

/**
 * Generalized advantage estimation for any number of players. Rewards of a player between two of its decisions belong to the first
 * of them, whoever acts in between. Truncation bootstraps, termination does not; a row with both flags set is terminated.
 *
 * Parameters: `rollout`, `rollout_size` the steps and `sizeof(PlaymatTrajectories)`; `advantages`, `advantages_len` and `returns`,
 * `returns_len` receive [T, N] each.
 * Returns: OK; INVALID_ARGUMENT (lengths, numbers, alignment, overlap).
 */
PlaymatStatus playmat_gae(const struct PlaymatTrajectories *rollout,
                          size_t rollout_size,
                          float *advantages,
                          size_t advantages_len,
                          float *returns,
                          size_t returns_len);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PLAYMAT_H */
