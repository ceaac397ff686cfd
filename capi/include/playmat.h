/* playmat: an embeddable reinforcement-learning engine for tabletop games. The C interface.
 *
 * Generated from capi/src by `make generate`; changes belong there. Needs C99 or C++11.
 *
 * WHAT THERE IS
 *   PlaymatGame     a game with its options: immutable, used by any number of environments and threads at once
 *   PlaymatEnv      one episode: step, mask, observation, JSON and events for drawing, save, copy, search
 *   PlaymatBot      a player inside the engine
 *   PlaymatVecEnv   many episodes of one game stepped together, for training and simulation
 *   PlaymatCancel   a flag that ends a long call (digest, survey, conformance suite) from another thread
 *
 *   PlaymatGame *game = NULL;
 *   PlaymatEnv *env = NULL;
 *   if (playmat_game_create("graphia", PLAYMAT_NTS, "{\"players\": 3}", PLAYMAT_NTS, NULL, 0, &game) != PLAYMAT_STATUS_OK)
 *       fprintf(stderr, "%s\n", playmat_error_message());
 *   playmat_env_create(game, 7, &env);
 *   playmat_env_step(env, action);              or playmat_env_step_into: with the observation and mask after it
 *   playmat_env_destroy(env);
 *
 *   PlaymatVecEnv *venv = NULL;
 *   PlaymatBuffers buffers = {0};               what is left out is not written
 *   buffers.obs = obs;                          1024 times observation_size bytes of yours
 *   buffers.obs_len = obs_len;
 *   playmat_vec_env_create(game, 1024, "{\"threads\": 2}", PLAYMAT_NTS, &venv);
 *   playmat_vec_env_reset_seed(venv, 1, NULL, 0, &buffers, sizeof buffers);
 *   playmat_vec_env_sample_actions(venv, actions, 1024);
 *   playmat_vec_env_step(venv, actions, 1024, &buffers, sizeof buffers);
 *   playmat_vec_env_destroy(venv);
 *   playmat_game_destroy(game);
 *
 *   capi/examples has a whole host in C and one in C++, and playmat.hpp wraps all of this for C++17.
 *
 * STATUS      Functions return PLAYMAT_STATUS_OK or say why they refused. A refusal changes nothing and writes no output (but for
 *             `needed`, `count` and `size` with BUFFER_TOO_SMALL); playmat_error_message() says in words what was given and what is allowed.
 *             Nothing is printed, no exception and no allocation crosses the border. Every function that returns a status can
 *             return PANIC (a defect of the library); functions list everything else that they can return.
 * MEMORY      Batches, rollouts and pictures that do not fit into memory are refused with INVALID_ARGUMENT. They alone are asked for
 *             before they are made: where the system has no memory left for anything else (a handle, a text, a survey, a thread's
 *             message) the process ends, as it does where a stack overflows or where memory that was promised is not there.
 * STACK       Calls that read JSON or TOML, that draw, or that play whole episodes (digests, surveys) need 256 KiB of stack; all others
 *             need less. Give the conformance suite 1 MiB.
 * HANDLES     Handles belong to the caller, who destroys each of them once. They are numbers and are never read through: null,
 *             destroyed and foreign ones are refused. Destroying in any order is fine: what an environment needs of its game
 *             lives as long as it does. Destroying null does nothing. What another thread is in a call with is not destroyed:
 *             HANDLE_IN_USE, and the handle lives on. Only games and cancel flags, which all threads may use at once, go at any
 *             time: calls that have begun keep what they need.
 * THREADS     A game or cancel flag may be used by any threads at once. Environments, vectorized environments and bots may go from thread to thread and
 *             are in one call at a time: a second thread is refused with HANDLE_IN_USE. Different handles are independent. No
 *             thread is started but by a vectorized environment that is asked for more than one, and for asynchronous steps.
 * TEXTS IN    UTF-8 with the length in bytes, or PLAYMAT_NTS in place of the length for a text that ends with a zero byte. Where null is
 *             allowed, its length is 0 or PLAYMAT_NTS; null with any other length is refused with NULL_POINTER.
 * TEXTS OUT   `out` is the caller's buffer of `out_size` bytes and receives the text and a zero byte. `needed`, which may be null,
 *             receives the number of bytes of both, also with BUFFER_TOO_SMALL, when nothing else is written: ask with (NULL, 0, &needed),
 *             or begin with a buffer of some KiB and grow it. Bytes out (saves) are the same without the zero byte.
 * ARRAYS      A pointer is followed by the number of its elements, not bytes. Larger than needed is fine for single environments;
 *             buffers of a batch have their exact length. No two outputs of a call may overlap, nor may an output overlap an
 *             array of numbers or bytes that the call reads: INVALID_ARGUMENT. (Handles and single numbers that a call writes last,
 *             such as `out` of a function that creates, are not compared with what it has read by then.)
 * STRUCTS     A pointer to a struct is followed by its size, sizeof: structs may grow at their end in later versions, and a program
 *             and a library of different versions understand each other. Of a struct that the library writes, a program with an
 *             older header gets the fields that it knows; with a newer one, fields that the library does not know are 0. Of a
 *             struct that the library reads, fields that the program does not know count as 0 (a null buffer is not written), and
 *             fields that the library does not know must be 0: otherwise INVALID_ARGUMENT. Begin with all zero. A size that no
 *             version has is refused. Where null is allowed for a struct, its size does not matter. PlaymatDecision and
 *             PlaymatPictureSize, which come without a size, never grow.
 * LONG CALLS  A digest, a survey and the conformance suite take a PlaymatCancel, or null: playmat_cancel_request from another thread
 *             ends them with CANCELLED before the next episode or check: within milliseconds, of the suite within a tenth of a second.
 *             All other calls are as long as the steps, texts and pictures that they are asked for.
 * VERSIONS    PLAYMAT_ABI_VERSION changes when a program compiled with an older header would no longer work; it is part of the file
 *             name that programs look for where systems have such names (libplaymat.so.N). A host that loads the library itself
 *             compares it with playmat_abi_version(). PLAYMAT_VERSION_NUMBER and playmat_version_number() are the releases.
 * UNLOADING   Destroy all handles and end all threads that step before the library is unloaded (dlclose). Nothing stays behind but
 *             about 100 KiB for each 1024 handles that were alive at once beyond the first 1024.
 * PLAYERS     0 .. players - 1. Where it is said, PLAYMAT_CURRENT_PLAYER stands for whoever acts next (after the end: who acted
 *             last) and PLAYMAT_VIEW_ALL for a viewer from whom nothing is hidden. Hosts that show a person's screen pass the
 *             person's number as viewer: nothing that the person may not know is in what comes back.
 * ACTIONS     0 .. actions - 1, as int64_t.
 * LIMITS      Environments of a batch 1 to 16,777,216; threads of a batch 1 to 256; `max_steps` 0 to 1,000,000; pictures up to 16,384
 *             pixels each way and 67,108,864 in all; episodes of a digest or survey up to 1,000,000, of the conformance suite up to
 *             1000; 1,048,576 handles alive at a time.
 * PROMISES    The library cannot check that memory is as long as it is said to be, that it is not changed by others during a call, and
 *             that a text with PLAYMAT_NTS ends: these the caller promises.
 */


#ifndef PLAYMAT_H
#define PLAYMAT_H

#include <stddef.h>
#include <stdint.h>

/** In place of the length of a text: it ends with its first zero byte. */
#define PLAYMAT_NTS SIZE_MAX

/** In place of a number of decisions: all of them. */
#define PLAYMAT_ALL_DECISIONS SIZE_MAX


/** Version of this interface: changes when a program compiled against an older header would no longer work. */
#define PLAYMAT_ABI_VERSION 2

/** Version of the library that this header belongs to: MAJOR.MINOR.PATCH. */
#define PLAYMAT_VERSION_MAJOR 0

/** Second part of that version. */
#define PLAYMAT_VERSION_MINOR 1

/** Third part of that version. */
#define PLAYMAT_VERSION_PATCH 0

/** That version as one number, for comparing: MAJOR * 1,000,000 + MINOR * 1000 + PATCH. */
#define PLAYMAT_VERSION_NUMBER 1000



/** In place of a player: whoever acts next; after the end whoever acted last. */
#define PLAYMAT_CURRENT_PLAYER -1

/** In place of a viewer: nothing is hidden. */
#define PLAYMAT_VIEW_ALL -2

/** Bytes of a name in a struct, its terminating zero included. */
#define PLAYMAT_NAME_SIZE 64

/** Most axes of a shape in a struct. */
#define PLAYMAT_MAX_AXES 8



/** Most players of any game. */
#define PLAYMAT_MAX_PLAYERS 8

/**
 * What a call came to. Codes are never changed or used again; new ones may be added, so treat an unknown one as a refusal.
 * Everything but `PLAYMAT_STATUS_OK` means that nothing was changed and no output was written, and that
 * `playmat_error_message` says what was refused and what is allowed.
 */
enum PlaymatStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /** Done. */
    PLAYMAT_STATUS_OK = 0,
    /** A pointer is null that must not be. */
    PLAYMAT_STATUS_NULL_POINTER = 1,
    /** A handle is null, was destroyed before, or never was one. */
    PLAYMAT_STATUS_INVALID_HANDLE = 2,
    /** A handle is of another kind, such as an environment where a game is wanted. */
    PLAYMAT_STATUS_WRONG_HANDLE = 3,
    /** Another thread is in a call with this handle. */
    PLAYMAT_STATUS_HANDLE_IN_USE = 4,
    /** A buffer is too small for what would be written; where a function has `needed`, that was set. */
    PLAYMAT_STATUS_BUFFER_TOO_SMALL = 5,
    /** A text is not valid UTF-8. */
    PLAYMAT_STATUS_INVALID_UTF8 = 6,
    /** A defect of the library: it caught itself. Destroy the handles of the call; others go on working. */
    PLAYMAT_STATUS_PANIC = 7,
    /** More handles are alive than the library can tell apart. */
    PLAYMAT_STATUS_TOO_MANY_HANDLES = 8,
    /** The host asked for the call to end, with `playmat_cancel_request`. */
    PLAYMAT_STATUS_CANCELLED = 9,
    /** No game of that name. */
    PLAYMAT_STATUS_UNKNOWN_GAME = 100,
    /** An option does not exist, has the wrong type or is out of range. */
    PLAYMAT_STATUS_INVALID_OPTION = 101,
    /** A content text was refused; the message lists at most 20 findings with line and column. */
    PLAYMAT_STATUS_CONTENT = 102,
    /** An action is not legal. Of a batch, no environment moved; the message lists the rows. */
    PLAYMAT_STATUS_ILLEGAL_ACTION = 103,
    /** A text does not name an action. */
    PLAYMAT_STATUS_UNKNOWN_ACTION = 104,
    /** A player who does not exist at this table. */
    PLAYMAT_STATUS_INVALID_SEAT = 105,
    /** A player who has nothing to decide now. */
    PLAYMAT_STATUS_NOT_ACTING = 106,
    /** The episode is over: only resets and reading are possible. */
    PLAYMAT_STATUS_EPISODE_OVER = 107,
    /** A saved state, JSON or replay is damaged, truncated or of another format. */
    PLAYMAT_STATUS_UNREADABLE = 108,
    /** A saved state or replay of another game, version, content or configuration. */
    PLAYMAT_STATUS_WRONG_IDENTITY = 109,
    /** A position breaks rules of the game; the message lists all reasons. */
    PLAYMAT_STATUS_INVALID_STATE = 110,
    /** An argument is out of range or of the wrong length. */
    PLAYMAT_STATUS_INVALID_ARGUMENT = 111,
    /** The call came at the wrong time, such as a step before the first reset or while another is under way. */
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

/** Whether an episode runs, or how it ended. */
enum PlaymatEpisodeStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /** Somebody must act. */
    PLAYMAT_EPISODE_STATUS_RUNNING = 0,
    /** Ended by the rules. */
    PLAYMAT_EPISODE_STATUS_TERMINATED = 1,
    /** Cut off by a limit. */
    PLAYMAT_EPISODE_STATUS_TRUNCATED = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum PlaymatEpisodeStatus PlaymatEpisodeStatus;
#else
typedef int32_t PlaymatEpisodeStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/** A bot. One thread at a time. */
typedef struct PlaymatBot PlaymatBot;

/**
 * A flag that ends long calls early: digests, surveys, the conformance suite. Pass it to such a call and request it from another
 * thread. It may be used by any threads and any number of calls at once.
 */
typedef struct PlaymatCancel PlaymatCancel;

/** An environment: an episode that is being played, with its generator and history. One thread at a time. */
typedef struct PlaymatEnv PlaymatEnv;

/** A game with its options: immutable, used by any number of environments and threads at once. */
typedef struct PlaymatGame PlaymatGame;

/** A vectorized environment. One thread at a time. */
typedef struct PlaymatVecEnv PlaymatVecEnv;

/** What is fixed for all episodes of a game, in numbers; `playmat_game_describe` has the rest. */
typedef struct PlaymatGameInfo {
    /** Registered name. */
    char name[PLAYMAT_NAME_SIZE];
    /** Version of the rules; changes exactly when behaviour does. */
    uint32_t version;
    /** Players of this configuration: players are numbered from 0. */
    uint32_t num_players;
    /** Smallest number of players of the game. */
    uint32_t min_players;
    /** Largest number of players of the game. */
    uint32_t max_players;
    /** Number of actions: actions are 0 .. num_actions - 1. */
    size_t num_actions;
    /** Bytes (or floats) of one observation. */
    size_t observation_size;
    /** Named parts of an observation. */
    size_t num_segments;
    /** Named ranges of actions. */
    size_t num_action_ranges;
    /** No episode has more decisions than this, all players together. */
    size_t max_decisions;
    /** Bytes of one state in memory. */
    size_t state_size;
    /** Smallest sum of a player's rewards in an episode. */
    float min_return;
    /** Largest sum of a player's rewards in an episode. */
    float max_return;
    /** What episodes pay: 0 the outcome, 1 the score, 2 the change of the score at every step. */
    int32_t reward;
    /** Decisions after which an episode is cut off; 0: never. */
    uint32_t max_steps;
    /** 1 if chance ever decides anything. */
    uint8_t chance;
    /** 1 if anything is ever hidden from a player. */
    uint8_t hidden;
    /** 1 if several players ever act at once. */
    uint8_t simultaneous;
    /** 0. */
    uint8_t reserved[5];
} PlaymatGameInfo;

/** A named part of an observation: value = (byte - bias) / scale, in [-1, 1]. */
typedef struct PlaymatSegment {
    /** Name, unique in the layout. */
    char name[PLAYMAT_NAME_SIZE];
    /** First element. */
    size_t offset;
    /** Number of elements. */
    size_t len;
    /** Shape, row-major; `axes` entries count. */
    size_t shape[PLAYMAT_MAX_AXES];
    /** Number of axes. */
    size_t axes;
    /** Subtracted from the byte. */
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
    /** How the range is indexed, outermost first; `axes` entries count. */
    size_t shape[PLAYMAT_MAX_AXES];
    /** Number of axes. */
    size_t axes;
} PlaymatActionRange;

/** Where the episode of an environment stands. */
typedef struct PlaymatEpisode {
    /** Whether it runs, or how it ended. */
    PlaymatEpisodeStatus status;
    /** The player who acts next in the turn view (of several, the lowest); -1 when the episode is over. */
    int32_t current_player;
    /** Bit p is set if player p must act now. */
    uint32_t acting;
    /** Decisions of all players since the deal, those before a load included; in a sampled state counted from 0. */
    uint32_t decisions;
    /**
     * Seed that replays the episode alone, for `playmat_env_create`. Of a copy, of a sampled state and of a position loaded without a
     * seed: hashed from the seed that was given.
     */
    uint64_t seed;
    /** Decisions since the deal or the load, as `playmat_env_history` has them. */
    size_t history_len;
} PlaymatEpisode;

/** One decision of a history. */
typedef struct PlaymatDecision {
    /** Who decided. */
    int32_t player;
    /** What. */
    int32_t action;
} PlaymatDecision;

/** Width and height of a picture. */
typedef struct PlaymatPictureSize {
    /** Pixels per row. */
    uint32_t width;
    /** Rows. */
    uint32_t height;
} PlaymatPictureSize;

/** What the lengths of all buffers of a batch are made of. */
typedef struct PlaymatSizes {
    /** N, environments. */
    size_t envs;
    /** P, players. */
    size_t players;
    /** A, actions. */
    size_t actions;
    /** O, elements of an observation. */
    size_t observation;
    /** Rows of observation, mask and action per environment: P in the joint view, otherwise 1. */
    size_t lanes;
} PlaymatSizes;

/** Where the running episode of one environment of a batch stands. */
typedef struct PlaymatVecEpisode {
    /** Seed that replays it alone. */
    uint64_t seed;
    /** Decisions of all players so far. */
    uint32_t length;
    /** 1 if it is over (only seen with autoreset "next_step" and "disabled"). */
    uint32_t over;
    /** Opponent of each player, -1 for the caller and beyond the players. */
    int32_t opponents[PLAYMAT_MAX_PLAYERS];
} PlaymatVecEpisode;

/**
 * Where the results of a step or reset go. Every buffer has its complete length or is null with length 0, which means that it
 * is not wanted; all zero is a valid start. N environments, P players, A actions, O elements of an observation, see
 * `playmat_vec_env_sizes`. Buffers may not overlap. What is said to be there *where ended* is written only in rows with `terminated` or
 * `truncated` set; other rows keep what they held.
 */
typedef struct PlaymatBuffers {
    /** [N, O] what the acting player knows, as bytes (dtype `u8`); joint view [N, P, O], all players. */
    uint8_t *obs;
    /** Elements of `obs`. */
    size_t obs_len;
    /** The same as floats (dtype `f32`), instead of `obs`. */
    float *obs_f32;
    /** Elements of `obs_f32`. */
    size_t obs_f32_len;
    /** [N, O], where ended: the last observation of `final_player`; joint view [N, P, O]. */
    uint8_t *final_obs;
    /** Elements of `final_obs`. */
    size_t final_obs_len;
    /** The same as floats. */
    float *final_obs_f32;
    /** Elements of `final_obs_f32`. */
    size_t final_obs_f32_len;
    /** [N, P, O], where ended: the last observation of every player. */
    uint8_t *final_obs_all;
    /** Elements of `final_obs_all`. */
    size_t final_obs_all_len;
    /** The same as floats. */
    float *final_obs_all_f32;
    /** Elements of `final_obs_all_f32`. */
    size_t final_obs_all_f32_len;
    /** [N, A] 1 for a legal action of the acting player, 0 elsewhere; joint view [N, P, A]. */
    uint8_t *action_mask;
    /** Elements of `action_mask`. */
    size_t action_mask_len;
    /** [N] the player to act, -1 where the episode is over; in the joint view the lowest. */
    int32_t *player;
    /** Elements of `player`. */
    size_t player_len;
    /** [N, P] 1 for each player that the caller must act for now. */
    uint8_t *acting;
    /** Elements of `acting`. */
    size_t acting_len;
    /** [N, P] what each player earned since the last step. */
    float *reward;
    /** Elements of `reward`. */
    size_t reward_len;
    /** [N] 1 where the rules ended the episode in this step. */
    uint8_t *terminated;
    /** Elements of `terminated`. */
    size_t terminated_len;
    /** [N] 1 where a limit cut the episode off in this step. */
    uint8_t *truncated;
    /** Elements of `truncated`. */
    size_t truncated_len;
    /**
     * [N], where ended: the player that `final_obs` and `final_mask` speak of. Where `max_steps` cut the episode off, the player that the
     * caller would decide for next, of several the lowest; elsewhere, or if bots would decide next, the player whose decision was the
     * caller's last one. In the single-player view always the learner.
     */
    int32_t *final_player;
    /** Elements of `final_player`. */
    size_t final_player_len;
    /**
     * [N, A], where ended: what `final_player` could choose next where `max_steps` cut the episode off; all 0 elsewhere, and where bots
     * would decide next. Joint view [N, P, A]: the same for each player that the caller would decide for.
     */
    uint8_t *final_mask;
    /** Elements of `final_mask`. */
    size_t final_mask_len;
    /** [N, P], where ended: sum of the episode's rewards. */
    float *episode_return;
    /** Elements of `episode_return`. */
    size_t episode_return_len;
    /** [N], where ended: decisions of all players in the episode. */
    int32_t *episode_length;
    /** Elements of `episode_length`. */
    size_t episode_length_len;
    /** [N] seed of the running episode, which replays it alone. */
    uint64_t *episode_seed;
    /** Elements of `episode_seed`. */
    size_t episode_seed_len;
    /** [N], where ended: seed of the episode that ended. */
    uint64_t *final_seed;
    /** Elements of `final_seed`. */
    size_t final_seed_len;
    /** [N, P] index of the opponent that plays the seat, -1 for the caller. */
    int32_t *opponent;
    /** Elements of `opponent`. */
    size_t opponent_len;
    /** [N, P], where ended: `opponent` of the episode that ended. */
    int32_t *final_opponent;
    /** Elements of `final_opponent`. */
    size_t final_opponent_len;
    /** [N] the next uniform actions, drawn in the same pass (see `playmat_vec_env_take_drawn`); joint view [N, P]. */
    int64_t *drawn;
    /** Elements of `drawn`. */
    size_t drawn_len;
    /** [N, P], where ended: 1 for each player, bots included, who would have to decide next where `max_steps` cut the episode off. */
    uint8_t *final_acting;
    /** Elements of `final_acting`. */
    size_t final_acting_len;
    /** [N] the only player that the caller plays in the running episode, -1 if it plays several: in the single-player view the learner. */
    int32_t *learner;
    /** Elements of `learner`. */
    size_t learner_len;
    /**
     * [N] what that player earned since the last step; in a step that ended an episode, the learner of the episode that ended, which is
     * `final_player` in the single-player view. 0 where the caller plays several players.
     */
    float *learner_reward;
    /** Elements of `learner_reward`. */
    size_t learner_reward_len;
} PlaymatBuffers;

/**
 * Where `playmat_vec_env_rollout` writes: T steps of N environments. Every buffer has its complete length or is null with
 * length 0, which means that it is not wanted. Buffers may not overlap.
 */
typedef struct PlaymatRollout {
    /** T. */
    size_t steps;
    /** [T, N, O] before the action, as bytes (dtype `u8`); joint view [T, N, P, O]. */
    uint8_t *obs;
    /** Elements of `obs`. */
    size_t obs_len;
    /** The same as floats (dtype `f32`), instead of `obs`. */
    float *obs_f32;
    /** Elements of `obs_f32`. */
    size_t obs_f32_len;
    /** [T, N, A] before the action; joint view [T, N, P, A]. */
    uint8_t *action_mask;
    /** Elements of `action_mask`. */
    size_t action_mask_len;
    /** [T, N] whose decision; -1 where the episode was over. */
    int32_t *player;
    /** Elements of `player`. */
    size_t player_len;
    /** [T, N] the action taken; joint view [T, N, P], 0 for a player who did not act. */
    int64_t *action;
    /** Elements of `action`. */
    size_t action_len;
    /** [T, N, P] earned by the action. */
    float *reward;
    /** Elements of `reward`. */
    size_t reward_len;
    /** [T, N] 1 where the rules ended the episode with it. */
    uint8_t *terminated;
    /** Elements of `terminated`. */
    size_t terminated_len;
    /** [T, N] 1 where a limit did. */
    uint8_t *truncated;
    /** Elements of `truncated`. */
    size_t truncated_len;
} PlaymatRollout;

/** A rollout of T rows of N environments with P players, as steps in the turn view write it. Arrays are row-major and only read. */
typedef struct PlaymatTrajectories {
    /** T. */
    size_t steps;
    /** N. */
    size_t envs;
    /** P, 1 to 8. */
    size_t players;
    /** [T, N, P] what each player earned by the step that row t's action made. */
    const float *reward;
    /** Elements of `reward`. */
    size_t reward_len;
    /** [T, N] value of row t's observation for the player who acts there. */
    const float *value;
    /** Elements of `value`. */
    size_t value_len;
    /** [T, N] the player who acts; -1 in rows without a decision, which get 0. */
    const int32_t *player;
    /** Elements of `player`. */
    size_t player_len;
    /** [T, N] not 0 where the step ended the episode by the rules. */
    const uint8_t *terminated;
    /** Elements of `terminated`. */
    size_t terminated_len;
    /** [T, N] not 0 where the step ended the episode by a limit; not looked at where `terminated` is set. */
    const uint8_t *truncated;
    /** Elements of `truncated`. */
    size_t truncated_len;
    /** [N, P] value of the position after the last row for each player. */
    const float *next_value;
    /** Elements of `next_value`. */
    size_t next_value_len;
    /** [T, N, P] value of the last position of an episode for each player, read only in truncated rows; null if none is. */
    const float *final_value;
    /** Elements of `final_value`. */
    size_t final_value_len;
    /** Discount per decision of a player, 0 to 1. */
    float gamma;
    /** Lambda, 0 to 1. */
    float lam;
} PlaymatTrajectories;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/** The version of the interface that the library has; compare it with `PLAYMAT_ABI_VERSION` of the header you compiled with. */
uint32_t playmat_abi_version(void);

/** The version of the library, such as "0.1.0"; lives forever. */
const char *playmat_version(void);

/**
 * The version of the library as one number, for comparing with `PLAYMAT_VERSION_NUMBER` of the header you compiled with: both are
 * MAJOR * 1,000,000 + MINOR * 1000 + PATCH.
 */
uint32_t playmat_version_number(void);

/**
 * What the last refused call of this thread was refused for, in words: what was given and what is allowed. Never null; empty if
 * nothing was refused yet. It stays in one place as long as the thread lives, also for destructors of its objects and for
 * functions of `atexit`; the next refusal in the same thread writes over it: copy it to keep it. At most 8 KiB; a longer one is cut.
 */
const char *playmat_error_message(void);

/**
 * The stable name of a `status`, such as "illegal_action", the same in every language; "unknown" for a number that is none.
 * Lives forever.
 */
const char *playmat_status_name(int32_t status);

/** How many games the library has. */
size_t playmat_game_count(void);

/**
 * Writes the registered name of a game, in a fixed order.
 *
 * Parameters: `index` below `playmat_game_count()`; `out`, `out_size`, `needed` as at every text output.
 * Returns: OK; INVALID_ARGUMENT (index); BUFFER_TOO_SMALL; NULL_POINTER.
 */
PlaymatStatus playmat_game_name(size_t index, char *out, size_t out_size, size_t *needed);

/**
 * Builds a game.
 *
 * Parameters: `name`, `name_len` a registered name; `options`, `options_len` a JSON object or TOML text with the options of the
 * game and the common ones (`reward`, and `max_steps`: 0 to 1,000,000 decisions), null with length 0 or PLAYMAT_NTS for none:
 * `option_specs` of `playmat_game_describe` has them all, with what is allowed; `content`, `content_len` the text of a content
 * file (TOML) that replaces the game's own, or the name of a built-in one, which is a single word; null with length 0 or
 * PLAYMAT_NTS for the default. Options have at most 1 MiB, a content 256 KiB; `out` receives the handle, which `playmat_game_destroy` ends.
 * Returns: OK; UNKNOWN_GAME; INVALID_OPTION; CONTENT; UNREADABLE (options); INVALID_UTF8; NULL_POINTER; TOO_MANY_HANDLES.
 */
PlaymatStatus playmat_game_create(const char *name,
                                  size_t name_len,
                                  const char *options,
                                  size_t options_len,
                                  const char *content,
                                  size_t content_len,
                                  struct PlaymatGame **out);

/**
 * Ends a handle of a game; environments made from it go on. Null is nothing to destroy.
 *
 * Parameters: `game`.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE.
 */
PlaymatStatus playmat_game_destroy(struct PlaymatGame *game);

/**
 * Writes what is fixed for all episodes, in numbers.
 *
 * Parameters: `game`; `out` a struct; `out_size` its size, `sizeof(PlaymatGameInfo)`.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE; NULL_POINTER; BUFFER_TOO_SMALL.
 */
PlaymatStatus playmat_game_info(const struct PlaymatGame *game, struct PlaymatGameInfo *out, size_t out_size);

/**
 * Writes everything that is fixed, as JSON: titles, players, actions and observation with their meanings, bounds, options with
 * their declarations.
 *
 * `content_entries` lists the cards, tiles and goals of the content: `kind`, `id`, `name`, `copies` in the game (null where they depend on
 * the episode) and `text`, what it is and does. `content_title` is what the content calls itself.
 *
 * Parameters: `game`; `out`, `out_size`, `needed` as at every text output.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE; BUFFER_TOO_SMALL; NULL_POINTER.
 */
PlaymatStatus playmat_game_describe(const struct PlaymatGame *game,
                                    char *out,
                                    size_t out_size,
                                    size_t *needed);

/**
 * Writes a named part of the observation.
 *
 * Parameters: `game`; `index` below `num_segments` of the info; `out` a struct; `out_size` its size, `sizeof(PlaymatSegment)`.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE; INVALID_ARGUMENT (index); NULL_POINTER; BUFFER_TOO_SMALL.
 */
PlaymatStatus playmat_game_segment(const struct PlaymatGame *game,
                                   size_t index,
                                   struct PlaymatSegment *out,
                                   size_t out_size);

/**
 * Writes a named range of actions.
 *
 * Parameters: `game`; `index` below `num_action_ranges` of the info; `out` a struct; `out_size` its size,
 * `sizeof(PlaymatActionRange)`.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE; INVALID_ARGUMENT (index); NULL_POINTER; BUFFER_TOO_SMALL.
 */
PlaymatStatus playmat_game_action_range(const struct PlaymatGame *game,
                                        size_t index,
                                        struct PlaymatActionRange *out,
                                        size_t out_size);

/**
 * Converts observations from bytes to floats in [-1, 1]: `(byte - bias) / scale` of each segment.
 *
 * Parameters: `game`; `bytes` any number of observations, one after the other; `out` as many floats, `out_len` equal to
 * `bytes_len`.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE; INVALID_ARGUMENT (lengths, alignment, overlap); NULL_POINTER.
 */
PlaymatStatus playmat_game_observation_f32(const struct PlaymatGame *game,
                                           const uint8_t *bytes,
                                           size_t bytes_len,
                                           float *out,
                                           size_t out_len);

/**
 * Writes the text of an action without a position: what stands for its number alone.
 *
 * Parameters: `game`; `action` below the number of actions; `out`, `out_size`, `needed` as at every text output.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE; INVALID_ARGUMENT (action); BUFFER_TOO_SMALL; NULL_POINTER.
 */
PlaymatStatus playmat_game_action_text(const struct PlaymatGame *game,
                                       int64_t action,
                                       char *out,
                                       size_t out_size,
                                       size_t *needed);

/**
 * The action with a text, without a position.
 *
 * Parameters: `game`; `text`, `text_len` as `playmat_game_action_text` writes it; `action` receives its number.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE; UNKNOWN_ACTION; INVALID_UTF8; NULL_POINTER.
 */
PlaymatStatus playmat_game_parse_action(const struct PlaymatGame *game,
                                        const char *text,
                                        size_t text_len,
                                        int64_t *action);

/**
 * Writes the checksums of observations, masks, rewards and states of the episodes of seeds 0 .. episodes - 1, as text such as
 * "27033950-e9f381ab-41b11855-d4d65bab": equal on every machine and in every language.
 *
 * Parameters: `game`; `episodes` at most 1,000,000; `cancel` ends the call between two episodes once it is requested, null for
 * never; `out`, `out_size`, `needed` as at every text output (36 bytes).
 * Returns: OK; CANCELLED; INVALID_HANDLE; WRONG_HANDLE; INVALID_ARGUMENT (episodes); BUFFER_TOO_SMALL; NULL_POINTER.
 */
PlaymatStatus playmat_game_digest(const struct PlaymatGame *game,
                                  uint64_t episodes,
                                  const struct PlaymatCancel *cancel,
                                  char *out,
                                  size_t out_size,
                                  size_t *needed);

/**
 * Runs the engine's conformance suite on the game and writes its report as JSON: whether it `passed`, and for each check what it
 * saw and what failed. What games of your own content are held to.
 *
 * Parameters: `game`; `seed` root of all seeds of the suite, 1 in the other languages if nothing else is said; `episodes` how
 * many it plays with every position kept, at most 1000, 0 for the usual amount; `only`, `only_len` identifiers of checks with
 * commas between them, such as "T1,S3", null or empty for all; `cancel` ends the call between two episodes or checks once it is
 * requested, null for never; `out`, `out_size`, `needed` as at every text output. It takes seconds to minutes, and a second call
 * checks everything again, so give room enough at once (1 MiB is).
 * Returns: OK (also where checks failed); CANCELLED; INVALID_HANDLE; WRONG_HANDLE; INVALID_ARGUMENT (episodes; a check that there is none of,
 * the message lists them all); INVALID_UTF8; BUFFER_TOO_SMALL; NULL_POINTER.
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
 * Plays bots against each other and writes what the episodes were like, as JSON: lengths, scores, victories by player, how often
 * each rule, content entry and range of actions happened, how often each action was chosen and how those fared who chose it.
 *
 * Parameters: `game`; `episodes` how many, at most 1,000,000; `seed` what their seeds derive from; `bots`, `bots_len` names with
 * commas between them, one for each player or fewer: the last one also plays for the players after it; `cancel` ends the call
 * between two episodes once it is requested, null for never; `out`, `out_size`, `needed` as at every text output. A second call
 * plays everything again, so give room enough at once (64 KiB, and 256 bytes for each action of the game, is).
 * Returns: OK; CANCELLED; INVALID_HANDLE; WRONG_HANDLE; INVALID_ARGUMENT (episodes; bots: an unknown one, or more than players);
 * INVALID_UTF8; BUFFER_TOO_SMALL; NULL_POINTER.
 */
PlaymatStatus playmat_game_survey(const struct PlaymatGame *game,
                                  uint64_t episodes,
                                  uint64_t seed,
                                  const char *bots,
                                  size_t bots_len,
                                  const struct PlaymatCancel *cancel,
                                  char *out,
                                  size_t out_size,
                                  size_t *needed);

/**
 * Measures the factor on rewards under which the returns of play have standard deviation 1; 1 if they do not differ.
 *
 * `min_return` and `max_return` of PlaymatGameInfo bound every episode, so they can be far wider than what play reaches, and rewards
 * divided by them come out flat. This is measured: the bots "random" and "greedy" play every other episode, each for all players. The
 * deviation is that of all players' returns around their common mean. The same game, `episodes` and `seed` give the same factor, also in
 * the other languages.
 *
 * Parameters: `game`; `episodes` how many are played, 1 to 1,000,000 (256 in the other languages if nothing else is said): the factor's
 * relative error is about 1 / sqrt(2 * episodes * players); `seed` their seeds derive from it; `relative` not 0 to measure the return of
 * each player less the mean of the others', for a learner that is paid so; `cancel` ends the call between two episodes once it is
 * requested, null for never; `scale` receives the factor, above 0.
 * Returns: OK; CANCELLED; INVALID_ARGUMENT (episodes); INVALID_HANDLE; WRONG_HANDLE; NULL_POINTER.
 */
PlaymatStatus playmat_game_reward_scale(const struct PlaymatGame *game,
                                        uint64_t episodes,
                                        uint64_t seed,
                                        uint8_t relative,
                                        const struct PlaymatCancel *cancel,
                                        double *scale);

/**
 * A flag that nothing has requested yet.
 *
 * Parameters: `out` receives the handle, which `playmat_cancel_destroy` ends.
 * Returns: OK; NULL_POINTER; TOO_MANY_HANDLES.
 */
PlaymatStatus playmat_cancel_create(struct PlaymatCancel **out);

/**
 * Requests that all calls with this flag end, those to come included. They return CANCELLED soon: before the next episode or check.
 * Any thread may call this at any time; a request is never taken back.
 *
 * Parameters: `cancel`.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE.
 */
PlaymatStatus playmat_cancel_request(const struct PlaymatCancel *cancel);

/**
 * Whether the end of calls with this flag was requested: 1 or 0.
 *
 * Parameters: `cancel`; `requested` receives 1 or 0.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE; NULL_POINTER.
 */
PlaymatStatus playmat_cancel_is_requested(const struct PlaymatCancel *cancel, uint8_t *requested);

/**
 * Ends a handle of a flag; calls that have begun with it keep what they need. Null is nothing to destroy.
 *
 * Parameters: `cancel`.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE.
 */
PlaymatStatus playmat_cancel_destroy(struct PlaymatCancel *cancel);

/**
 * An environment playing the episode of a seed.
 *
 * Parameters: `game`; `seed` any number; `out` receives the handle, which `playmat_env_destroy` ends.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE; NULL_POINTER; TOO_MANY_HANDLES.
 */
PlaymatStatus playmat_env_create(const struct PlaymatGame *game, uint64_t seed, struct PlaymatEnv **out);

/**
 * An environment from the bytes of `playmat_env_save`; its history begins here. Chance, bots and `playmat_env_sample_action` go on as
 * they would have.
 *
 * Parameters: `game`; `data`, `data_len` the bytes, at most 64 KiB; `out` receives the handle, which `playmat_env_destroy` ends.
 * Returns: OK; UNREADABLE (damaged, truncated, extended, too long); WRONG_IDENTITY (another game, version, content, configuration);
 * INVALID_STATE; INVALID_HANDLE; WRONG_HANDLE; NULL_POINTER; TOO_MANY_HANDLES.
 */
PlaymatStatus playmat_env_load(const struct PlaymatGame *game,
                               const uint8_t *data,
                               size_t data_len,
                               struct PlaymatEnv **out);

/**
 * An environment from JSON, as `playmat_env_to_json` writes it complete. `{"state": ...}` alone suffices. What the
 * text does not hold comes from streams hashed from `seed` (and from the seed in the text): those of bots and of
 * `playmat_env_sample_action`, and without a generator in it chance too. Its history begins here.
 *
 * Parameters: `game`; `json`, `json_len` the text, at most 1 MiB; `seed` of the streams that the text does not hold; `out` receives the handle,
 * which `playmat_env_destroy` ends.
 * Returns: OK; UNREADABLE; WRONG_IDENTITY; INVALID_STATE, each with the path of what is wrong; INVALID_UTF8; INVALID_HANDLE;
 * WRONG_HANDLE; NULL_POINTER; TOO_MANY_HANDLES.
 */
PlaymatStatus playmat_env_from_json(const struct PlaymatGame *game,
                                    const char *json,
                                    size_t json_len,
                                    uint64_t seed,
                                    struct PlaymatEnv **out);

/**
 * An exact copy, the chance to come included: for keeping and taking back. To search, use `playmat_env_fork`.
 *
 * Parameters: `env`; `out` receives the handle, which `playmat_env_destroy` ends.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER; TOO_MANY_HANDLES.
 */
PlaymatStatus playmat_env_clone(const struct PlaymatEnv *env, struct PlaymatEnv **out);

/**
 * A copy to search on: the same state, chance from a fresh stream, so that nobody can look ahead. The stream is hashed from `seed` and
 * the episode's seed: it is not that of an episode created, loaded or sampled with `seed`.
 *
 * Parameters: `env`; `seed` of the chance to come; `out` receives the handle, which `playmat_env_destroy` ends.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER; TOO_MANY_HANDLES.
 */
PlaymatStatus playmat_env_fork(const struct PlaymatEnv *env,
                               uint64_t seed,
                               struct PlaymatEnv **out);

/**
 * An environment in a state drawn from those consistent with all that `player` knows, with chance from a stream hashed from `seed`;
 * for PLAYMAT_CURRENT_PLAYER with all that whoever acts next knows (after the end: who acted last). Everything in it follows from what
 * the player sees and from `seed`: its decisions count from 0, and `max_steps` from there. Its game is that of `env`, with private options
 * (hidden deck lists) replaced by what the player knows of them: `playmat_env_game` gives the game that loads its saves.
 *
 * Parameters: `env`; `player` or PLAYMAT_CURRENT_PLAYER; `seed` of the draw and of the chance to come; `out` receives the
 * handle, which `playmat_env_destroy` ends.
 * Returns: OK; INVALID_SEAT; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER; TOO_MANY_HANDLES.
 */
PlaymatStatus playmat_env_sample_hidden(const struct PlaymatEnv *env,
                                        int32_t player,
                                        uint64_t seed,
                                        struct PlaymatEnv **out);

/**
 * Ends an environment. Null is nothing to destroy.
 *
 * Parameters: `env`.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE.
 */
PlaymatStatus playmat_env_destroy(struct PlaymatEnv *env);

/**
 * A new handle of the environment's game, which `playmat_game_destroy` ends.
 *
 * Parameters: `env`; `out` receives the handle.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER; TOO_MANY_HANDLES.
 */
PlaymatStatus playmat_env_game(const struct PlaymatEnv *env, struct PlaymatGame **out);

/**
 * Starts the next episode of this environment's own stream of episodes.
 *
 * Parameters: `env`.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE.
 */
PlaymatStatus playmat_env_reset(struct PlaymatEnv *env);

/**
 * Starts the episode of a seed.
 *
 * Parameters: `env`; `seed` any number.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE.
 */
PlaymatStatus playmat_env_reset_seed(struct PlaymatEnv *env, uint64_t seed);

/**
 * Writes where the episode stands.
 *
 * Parameters: `env`; `out` a struct; `out_size` its size, `sizeof(PlaymatEpisode)`.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER; BUFFER_TOO_SMALL.
 */
PlaymatStatus playmat_env_episode(const struct PlaymatEnv *env, struct PlaymatEpisode *out, size_t out_size);

/**
 * The player who acts next in the turn view (of several, the lowest), -1 when the episode is over.
 *
 * Parameters: `env`; `player` receives the number.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_env_current_player(const struct PlaymatEnv *env, int32_t *player);

/**
 * Plays an action of the current player.
 *
 * Parameters: `env`; `action` a legal one.
 * Returns: OK; ILLEGAL_ACTION; EPISODE_OVER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE.
 */
PlaymatStatus playmat_env_step(struct PlaymatEnv *env, int64_t action);

/**
 * Plays an action of the current player and writes what whoever acts next needs to decide: the call of a loop that has to be fast, in
 * place of `playmat_env_step`, `playmat_env_current_player`, `playmat_env_observation` and `playmat_env_action_mask`.
 *
 * Parameters: `env`; `action` a legal one; `observation`, `observation_len` at least `observation_size` bytes, `mask`,
 * `mask_len` at least `num_actions` bytes, each null with length 0 if it is not wanted; `next` receives the player who acts
 * next, -1 after the end, and may be null. The three lie apart from each other. After the end the observation is that of the
 * player who acted last, and the mask is all 0.
 * Returns: OK; ILLEGAL_ACTION; EPISODE_OVER; BUFFER_TOO_SMALL; INVALID_ARGUMENT (overlap); INVALID_HANDLE; WRONG_HANDLE;
 * HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_env_step_into(struct PlaymatEnv *env,
                                    int64_t action,
                                    uint8_t *observation,
                                    size_t observation_len,
                                    uint8_t *mask,
                                    size_t mask_len,
                                    int32_t *next);

/**
 * Plays an action of any player who must act (simultaneous choices may come in any order); for PLAYMAT_CURRENT_PLAYER it is
 * `playmat_env_step`.
 *
 * Parameters: `env`; `player` or PLAYMAT_CURRENT_PLAYER; `action` a legal one of that player.
 * Returns: OK; ILLEGAL_ACTION; NOT_ACTING; INVALID_SEAT; EPISODE_OVER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE.
 */
PlaymatStatus playmat_env_step_player(struct PlaymatEnv *env,
                                      int32_t player,
                                      int64_t action);

/**
 * Plays the actions of all players who must act, at once.
 *
 * Parameters: `env`; `actions` one per player; entries of players who do not act are ignored; `actions_len` the number of
 * players.
 * Returns: OK; ILLEGAL_ACTION; EPISODE_OVER; INVALID_ARGUMENT (length); INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE;
 * NULL_POINTER.
 */
PlaymatStatus playmat_env_step_joint(struct PlaymatEnv *env,
                                     const int64_t *actions,
                                     size_t actions_len);

/**
 * Writes the legal actions of a player, one byte per action: 1 legal, 0 not; all 0 for a player who does not act.
 *
 * Parameters: `env`; `player` or PLAYMAT_CURRENT_PLAYER; `out`, `out_len` at least `num_actions` bytes.
 * Returns: OK; INVALID_SEAT; BUFFER_TOO_SMALL; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_env_action_mask(const struct PlaymatEnv *env,
                                      int32_t player,
                                      uint8_t *out,
                                      size_t out_len);

/**
 * Writes the numbers of the legal actions of a player, ascending, and how many they are; none for a player who does not act.
 *
 * Parameters: `env`; `player` or PLAYMAT_CURRENT_PLAYER; `out` room for `out_len` actions (`num_actions` is always enough);
 * `count` receives how many there are, also with BUFFER_TOO_SMALL.
 * Returns: OK; INVALID_SEAT; BUFFER_TOO_SMALL; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_env_legal_actions(const struct PlaymatEnv *env,
                                        int32_t player,
                                        int64_t *out,
                                        size_t out_len,
                                        size_t *count);

/**
 * Writes what a player knows, as bytes. When a limit has cut the episode off, it is still the position in which play would go on.
 *
 * Parameters: `env`; `player` any player at any time, or PLAYMAT_CURRENT_PLAYER; `out`, `out_len` at least `observation_size`
 * bytes.
 * Returns: OK; INVALID_SEAT; BUFFER_TOO_SMALL; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_env_observation(const struct PlaymatEnv *env,
                                      int32_t player,
                                      uint8_t *out,
                                      size_t out_len);

/**
 * Writes what a player knows, as floats in [-1, 1]: `(byte - bias) / scale` of each segment.
 *
 * Parameters: `env`; `player` any player at any time, or PLAYMAT_CURRENT_PLAYER; `out`, `out_len` at least `observation_size`
 * floats.
 * Returns: OK; INVALID_SEAT; BUFFER_TOO_SMALL; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_env_observation_f32(const struct PlaymatEnv *env,
                                          int32_t player,
                                          float *out,
                                          size_t out_len);

/**
 * Writes what the last step paid to each player.
 *
 * Parameters: `env`; `out`, `out_len` at least one entry per player.
 * Returns: OK; BUFFER_TOO_SMALL; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_env_rewards(const struct PlaymatEnv *env, float *out, size_t out_len);

/**
 * Writes what the episode has paid to each player so far.
 *
 * Parameters: `env`; `out`, `out_len` at least one entry per player.
 * Returns: OK; BUFFER_TOO_SMALL; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_env_returns(const struct PlaymatEnv *env, float *out, size_t out_len);

/**
 * Writes the current scores in points of the game.
 *
 * Parameters: `env`; `out`, `out_len` at least one entry per player.
 * Returns: OK; BUFFER_TOO_SMALL; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_env_scores(const struct PlaymatEnv *env, int32_t *out, size_t out_len);

/**
 * Draws a uniformly random legal action of a player who must act, from a stream of the episode that nothing else uses.
 *
 * Parameters: `env`; `player` or PLAYMAT_CURRENT_PLAYER; `action` receives its number.
 * Returns: OK; EPISODE_OVER; NOT_ACTING; INVALID_SEAT; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_env_sample_action(struct PlaymatEnv *env,
                                        int32_t player,
                                        int64_t *action);

/**
 * Writes the decisions since the deal, or since the state that was loaded, sampled or forked.
 *
 * Parameters: `env`; `out`, `out_len` room for `history_len` of the episode; `count` receives how many there are, also with
 * BUFFER_TOO_SMALL.
 * Returns: OK; BUFFER_TOO_SMALL; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_env_history(const struct PlaymatEnv *env,
                                  struct PlaymatDecision *out,
                                  size_t out_len,
                                  size_t *count);

/**
 * Writes state, chance and seeds as bytes, for `playmat_env_load` of the same build, game and content. The last 72 bytes hold the
 * streams of bots and of `playmat_env_sample_action`: environments in equal positions have equal bytes before these.
 *
 * Parameters: `env`; `out`, `out_size`, `needed` as at every output of bytes.
 * Returns: OK; BUFFER_TOO_SMALL; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_env_save(const struct PlaymatEnv *env,
                               uint8_t *out,
                               size_t out_size,
                               size_t *needed);

/**
 * Writes the position as JSON without white space: what a host draws from.
 *
 * An object: `format`, `game`, `version`, `content_hash`, `options`; `viewer` and `to_act` (whether the viewer must act) for a
 * player; `status` ("running", "terminated", "truncated"); `state`, an object with everything on the table by name, in which what the
 * viewer may not know is left out, null or only counted; and for PLAYMAT_VIEW_ALL what a load needs besides.
 *
 * Parameters: `env`; `viewer` a player, who is shown what that player may know, or PLAYMAT_VIEW_ALL, which alone can be loaded
 * again; `out`, `out_size`, `needed` as at every text output.
 * Returns: OK; INVALID_SEAT; BUFFER_TOO_SMALL; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_env_to_json(const struct PlaymatEnv *env,
                                  int32_t viewer,
                                  char *out,
                                  size_t out_size,
                                  size_t *needed);

/**
 * Writes what the last step changed, as a JSON array of objects, one per event, in order: what a host animates from.
 *
 *   {"event": "dropped", "seat": 0, "cell": "D3", "text": "Player 0 drops a disc to D3.",
 *    "changes": [{"op": "replace", "path": "/state/board/3", "value": "...x..."}]}
 *
 * `event` is the kind, a word of the game; `seat` is the player whom it is about, absent where it is not about one; what else
 * there is belongs to the kind. `text` is the same as a sentence for players, "Player 0 drops a disc to D3.": made of the fields of
 * this event alone, so that it tells no more; players are called "player 0", which a host may replace by their names; an "update"
 * has none. `changes` is always there: a JSON Patch (RFC 6902) that leads from the JSON which
 * `playmat_env_to_json` would have written for the same viewer before the event to that after it, with the operations "add",
 * "remove" and "replace". All patches in order, applied to the JSON before the step, give the JSON after it. What belongs to no
 * event, such as whether the viewer must act, comes last in an event "update". An event that the viewer may not know of is left
 * out.
 *
 * After a reset, before the first step, these are the events of the deal, for a host that animates it. Their `changes` are empty,
 * because there is no JSON before the deal: `playmat_env_to_json` shows where they lead. Before the first step of a state that was
 * loaded, sampled or forked the array is empty.
 *
 * Parameters: `env`; `viewer` a player, who is told what that player may know, or PLAYMAT_VIEW_ALL; `out`, `out_size`, `needed`
 * as at every text output.
 * Returns: OK; INVALID_SEAT; BUFFER_TOO_SMALL; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_env_events(const struct PlaymatEnv *env,
                                 int32_t viewer,
                                 char *out,
                                 size_t out_size,
                                 size_t *needed);

/**
 * Draws the position as text for a terminal.
 *
 * Parameters: `env`; `viewer` a player or PLAYMAT_VIEW_ALL; `out`, `out_size`, `needed` as at every text output.
 * Returns: OK; INVALID_SEAT; BUFFER_TOO_SMALL; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_env_draw_text(const struct PlaymatEnv *env,
                                    int32_t viewer,
                                    char *out,
                                    size_t out_size,
                                    size_t *needed);

/**
 * Draws the position as an SVG image.
 *
 * Parameters: `env`; `viewer` a player or PLAYMAT_VIEW_ALL; `out`, `out_size`, `needed` as at every text output.
 * Returns: OK; INVALID_SEAT; BUFFER_TOO_SMALL; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_env_draw_svg(const struct PlaymatEnv *env,
                                   int32_t viewer,
                                   char *out,
                                   size_t out_size,
                                   size_t *needed);

/**
 * Draws the position as a PNG image.
 *
 * Parameters: `env`; `viewer` a player or PLAYMAT_VIEW_ALL; `width` in pixels, 1 to 16,384, 0 for the picture's own; `out`,
 * `out_size`, `needed` as at every output of bytes. Every call draws anew, so give room enough at once (256 KiB is, for most
 * games at their own size). Pictures have at most 16,384 rows and 67,108,864 pixels.
 * Returns: OK; INVALID_SEAT; INVALID_ARGUMENT (width, or memory for it); MISSING_FEATURE (a library built without `raster`);
 * BUFFER_TOO_SMALL; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
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
 * Parameters: `env`; `viewer` a player or PLAYMAT_VIEW_ALL; `width` in pixels, 1 to 16,384, 0 for the picture's own; `pixels`,
 * `pixels_size`, `needed` as at every output of bytes: 3 * width * height; `size` receives width and height of the picture, also
 * with BUFFER_TOO_SMALL. Every call draws anew; pictures of the same game, options and width have the same size, at most 16,384
 * rows and 67,108,864 pixels.
 * Returns: OK; INVALID_SEAT; INVALID_ARGUMENT (width, or memory for it); MISSING_FEATURE (a library built without `raster`);
 * BUFFER_TOO_SMALL; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_env_draw_rgb(const struct PlaymatEnv *env,
                                   int32_t viewer,
                                   uint32_t width,
                                   uint8_t *pixels,
                                   size_t pixels_size,
                                   size_t *needed,
                                   struct PlaymatPictureSize *size);

/**
 * Writes the text of an action, as the player in this position would call it.
 *
 * Parameters: `env`; `player` whose position, or PLAYMAT_CURRENT_PLAYER; `action` below the number of actions; `out`,
 * `out_size`, `needed` as at every text output.
 * Returns: OK; INVALID_ARGUMENT (action); INVALID_SEAT; BUFFER_TOO_SMALL; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE;
 * NULL_POINTER.
 */
PlaymatStatus playmat_env_action_text(const struct PlaymatEnv *env,
                                      int32_t player,
                                      int64_t action,
                                      char *out,
                                      size_t out_size,
                                      size_t *needed);

/**
 * Writes what a legal action would do, as far as the player knows: the text of its card, whether it busts. The text is empty for actions
 * that need no explanation and for actions that are not legal now.
 *
 * Parameters: `env`; `player` whose position, or PLAYMAT_CURRENT_PLAYER; `action` below the number of actions; `out`,
 * `out_size`, `needed` as at every text output.
 * Returns: OK; INVALID_ARGUMENT (action); INVALID_SEAT; BUFFER_TOO_SMALL; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE;
 * NULL_POINTER.
 */
PlaymatStatus playmat_env_action_help(const struct PlaymatEnv *env,
                                      int32_t player,
                                      int64_t action,
                                      char *out,
                                      size_t out_size,
                                      size_t *needed);

/**
 * The action with a text, in this position.
 *
 * Parameters: `env`; `player` whose position, or PLAYMAT_CURRENT_PLAYER; `text`, `text_len` as `playmat_env_action_text` writes
 * it; `action` receives its number.
 * Returns: OK; UNKNOWN_ACTION; INVALID_SEAT; INVALID_UTF8; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_env_parse_action(const struct PlaymatEnv *env,
                                       int32_t player,
                                       const char *text,
                                       size_t text_len,
                                       int64_t *action);

/**
 * Writes what is wrong with the state as a JSON list of objects with `path` and `message`: empty in every state that play reaches.
 *
 * Parameters: `env`; `out`, `out_size`, `needed` as at every text output.
 * Returns: OK; BUFFER_TOO_SMALL; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_env_validate(const struct PlaymatEnv *env,
                                   char *out,
                                   size_t out_size,
                                   size_t *needed);

/**
 * Writes the bytes of the state that the history begins with, for `playmat_env_load_with_past`: none if it begins with the deal of
 * the episode's seed.
 *
 * Parameters: `env`; `out`, `out_size`, `needed` as at every output of bytes.
 * Returns: OK; BUFFER_TOO_SMALL; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_env_start(const struct PlaymatEnv *env,
                                uint8_t *out,
                                size_t out_size,
                                size_t *needed);

/**
 * An environment from the bytes of `playmat_env_save` with the past that led to it, so that its history, its replay and the events of
 * its last step are those of the saved one.
 *
 * Parameters: `game`; `data`, `data_len` the bytes of `playmat_env_save`; `start`, `start_len` the bytes of `playmat_env_start`,
 * none if there are none; `history`, `history_len` the decisions of `playmat_env_history`; `out` receives the handle, which
 * `playmat_env_destroy` ends.
 * Returns: OK; UNREADABLE; WRONG_IDENTITY; INVALID_STATE; INVALID_ARGUMENT (the past does not lead here); ILLEGAL_ACTION;
 * NOT_ACTING; INVALID_SEAT; EPISODE_OVER; INVALID_HANDLE; WRONG_HANDLE; NULL_POINTER; TOO_MANY_HANDLES.
 */
PlaymatStatus playmat_env_load_with_past(const struct PlaymatGame *game,
                                         const uint8_t *data,
                                         size_t data_len,
                                         const uint8_t *start,
                                         size_t start_len,
                                         const struct PlaymatDecision *history,
                                         size_t history_len,
                                         struct PlaymatEnv **out);

/**
 * Builds a bot.
 *
 * Parameters: `name`, `name_len` "random" or "greedy" (the game's own heuristic); `out` receives the handle, which
 * `playmat_bot_destroy` ends.
 * Returns: OK; INVALID_ARGUMENT (name); INVALID_UTF8; NULL_POINTER; TOO_MANY_HANDLES.
 */
PlaymatStatus playmat_bot_create(const char *name,
                                 size_t name_len,
                                 struct PlaymatBot **out);

/**
 * Ends a bot. Null is nothing to destroy.
 *
 * Parameters: `bot`.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE.
 */
PlaymatStatus playmat_bot_destroy(struct PlaymatBot *bot);

/**
 * The action that a bot chooses for a player who must act. It sees what the player may see; chance of its own comes from the
 * episode's seed, so that its games repeat. The episode itself does not move.
 *
 * Parameters: `bot`; `env`; `player` or PLAYMAT_CURRENT_PLAYER; `action` receives its number.
 * Returns: OK; EPISODE_OVER; NOT_ACTING; INVALID_SEAT; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_bot_action(const struct PlaymatBot *bot,
                                 struct PlaymatEnv *env,
                                 int32_t player,
                                 int64_t *action);

/**
 * Writes the episode of an environment as a replay: game, options, content, seed and decisions, as readable JSON.
 *
 * Parameters: `env`; `out`, `out_size`, `needed` as at every text output.
 * Returns: OK; BUFFER_TOO_SMALL; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_env_replay(const struct PlaymatEnv *env,
                                 char *out,
                                 size_t out_size,
                                 size_t *needed);

/**
 * Builds the game of a replay, with its options and content.
 *
 * Parameters: `replay`, `replay_len` JSON text of at most 16 MiB; `out` receives the handle, which `playmat_game_destroy` ends.
 * Returns: OK; UNREADABLE; WRONG_IDENTITY; UNKNOWN_GAME; INVALID_OPTION; CONTENT; INVALID_UTF8; NULL_POINTER; TOO_MANY_HANDLES.
 */
PlaymatStatus playmat_game_from_replay(const char *replay,
                                       size_t replay_len,
                                       struct PlaymatGame **out);

/**
 * The number of decisions of a replay.
 *
 * Parameters: `replay`, `replay_len` JSON text and its length in bytes; `len` receives the number of decisions.
 * Returns: OK; UNREADABLE; WRONG_IDENTITY; INVALID_UTF8; NULL_POINTER.
 */
PlaymatStatus playmat_replay_len(const char *replay,
                                 size_t replay_len,
                                 size_t *len);

/**
 * The environment of a replay after its first decisions; playing on from there is a fork. The whole replay is played and checked.
 *
 * Parameters: `game` the game of the replay; `replay`, `replay_len` JSON text; `decisions` how many, PLAYMAT_ALL_DECISIONS for
 * all; `out` receives the handle, which `playmat_env_destroy` ends.
 * Returns: OK; UNREADABLE; WRONG_IDENTITY; INVALID_ARGUMENT (decisions); INVALID_UTF8; INVALID_HANDLE; WRONG_HANDLE;
 * NULL_POINTER; TOO_MANY_HANDLES.
 */
PlaymatStatus playmat_env_from_replay(const struct PlaymatGame *game,
                                      const char *replay,
                                      size_t replay_len,
                                      size_t decisions,
                                      struct PlaymatEnv **out);

/**
 * A new handle of the game, which `playmat_game_destroy` ends.
 *
 * Parameters: `venv`; `out` receives the handle.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER; TOO_MANY_HANDLES.
 */
PlaymatStatus playmat_vec_env_game(const struct PlaymatVecEnv *venv, struct PlaymatGame **out);

/**
 * Writes how the environment is configured, as a JSON object with `num_envs`, `threads`, `view`, `dtype`, `autoreset` and `spin_us`.
 *
 * Parameters: `venv`; `out`, `out_size`, `needed` as at every text output.
 * Returns: OK; BUFFER_TOO_SMALL; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_vec_env_describe(const struct PlaymatVecEnv *venv,
                                       char *out,
                                       size_t out_size,
                                       size_t *needed);

/**
 * Writes the sizes that the lengths of all buffers are made of.
 *
 * Parameters: `venv`; `out` a struct; `out_size` its size, `sizeof(PlaymatSizes)`.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER; BUFFER_TOO_SMALL.
 */
PlaymatStatus playmat_vec_env_sizes(const struct PlaymatVecEnv *venv,
                                    struct PlaymatSizes *out,
                                    size_t out_size);

/**
 * Writes what one player knows in every environment, acting or not: [N, O] (dtype `u8`).
 *
 * Parameters: `venv`; `player` any; `out`, `out_len` exactly N * O bytes.
 * Returns: OK; INVALID_SEAT; INVALID_ARGUMENT (length, dtype); ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_vec_env_observe(struct PlaymatVecEnv *venv,
                                      int32_t player,
                                      uint8_t *out,
                                      size_t out_len);

/**
 * Writes what all players know in every environment: [N, P, O] (dtype `u8`).
 *
 * Parameters: `venv`; `out`, `out_len` exactly N * P * O bytes.
 * Returns: OK; INVALID_ARGUMENT (length, dtype); ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_vec_env_observe_all(struct PlaymatVecEnv *venv,
                                          uint8_t *out,
                                          size_t out_len);

/**
 * Writes what one player knows in every environment, acting or not: [N, O] (dtype `f32`).
 *
 * Parameters: `venv`; `player` any; `out`, `out_len` exactly N * O floats.
 * Returns: OK; INVALID_SEAT; INVALID_ARGUMENT (length, dtype); ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_vec_env_observe_f32(struct PlaymatVecEnv *venv,
                                          int32_t player,
                                          float *out,
                                          size_t out_len);

/**
 * Writes what all players know in every environment: [N, P, O] (dtype `f32`).
 *
 * Parameters: `venv`; `out`, `out_len` exactly N * P * O floats.
 * Returns: OK; INVALID_ARGUMENT (length, dtype); ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_vec_env_observe_all_f32(struct PlaymatVecEnv *venv,
                                              float *out,
                                              size_t out_len);

/**
 * Writes where the running episode of an environment stands.
 *
 * Parameters: `venv`; `env` its index; `out` a struct; `out_size` its size, `sizeof(PlaymatVecEpisode)`.
 * Returns: OK; INVALID_ARGUMENT (env); ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER; BUFFER_TOO_SMALL.
 */
PlaymatStatus playmat_vec_env_episode(const struct PlaymatVecEnv *venv,
                                      size_t env,
                                      struct PlaymatVecEpisode *out,
                                      size_t out_size);

/**
 * Writes the state of one environment as bytes, for `playmat_env_load` and `playmat_vec_env_reset_states`.
 *
 * Parameters: `venv`; `env` its index; `out`, `out_size`, `needed` as at every output of bytes.
 * Returns: OK; INVALID_ARGUMENT (env); ORDER; BUFFER_TOO_SMALL; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_vec_env_state(const struct PlaymatVecEnv *venv,
                                    size_t env,
                                    uint8_t *out,
                                    size_t out_size,
                                    size_t *needed);

/**
 * Writes everything about all environments (states, streams, episodes, results by opponent) as bytes, for
 * `playmat_vec_env_load`. The configuration, the weights of opponents and what the last step wrote are not among it.
 *
 * Parameters: `venv`; `out`, `out_size`, `needed` as at every output of bytes.
 * Returns: OK; ORDER; BUFFER_TOO_SMALL; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_vec_env_save(const struct PlaymatVecEnv *venv,
                                   uint8_t *out,
                                   size_t out_size,
                                   size_t *needed);

/**
 * Continues from `playmat_vec_env_save` of one with the same game, configuration and opponents; `playmat_vec_env_show` writes
 * the batch.
 *
 * Parameters: `venv`; `data`, `data_len` the bytes, at most 64 KiB for each environment and as much for the batch.
 * Returns: OK; UNREADABLE; WRONG_IDENTITY; INVALID_STATE; ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_vec_env_load(struct PlaymatVecEnv *venv,
                                   const uint8_t *data,
                                   size_t data_len);

/**
 * Adds a bot to the pool of opponents, drawn from the next episodes on.
 *
 * Parameters: `venv`; `bot`, `bot_len` its name; `weight` its weight in draws; `index` receives its index in the pool.
 * Returns: OK; INVALID_ARGUMENT; INVALID_UTF8; ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_vec_env_add_opponent(struct PlaymatVecEnv *venv,
                                           const char *bot,
                                           size_t bot_len,
                                           double weight,
                                           size_t *index);

/**
 * Sets the weights of all opponents for the next episodes: finite, not negative, not all 0.
 *
 * Parameters: `venv`; `weights`, `weights_len` one per opponent.
 * Returns: OK; INVALID_ARGUMENT; ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_vec_env_set_weights(struct PlaymatVecEnv *venv,
                                          const double *weights,
                                          size_t weights_len);

/**
 * Writes the results of the ended episodes in which opponents play, as a JSON object with `episodes`, `wins`, `draws`, `losses`,
 * `truncated`, `return_sum` and `opponents`, a list of objects with `name`, `weight` and the same counts of the episodes in which that
 * opponent played. Each episode counts once in the total, and once with each of its opponents, of which there can be several: their
 * counts can add up to more than the total. Where the caller plays several players, the best result among them counts, and the mean of
 * their returns.
 *
 * Parameters: `venv`; `out`, `out_size`, `needed` as at every text output.
 * Returns: OK; ORDER; BUFFER_TOO_SMALL; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_vec_env_results(const struct PlaymatVecEnv *venv,
                                      char *out,
                                      size_t out_size,
                                      size_t *needed);

/**
 * Empties the table of results.
 *
 * Parameters: `venv`.
 * Returns: OK; ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE.
 */
PlaymatStatus playmat_vec_env_reset_results(struct PlaymatVecEnv *venv);

/**
 * A vectorized environment: many episodes of one game, stepped together. Its first call must be a reset.
 *
 * Parameters: `game`; `num_envs` N, 1 to 16,777,216, as far as memory goes; `config`, `config_len` a JSON object or TOML text, null
 * with length 0 or PLAYMAT_NTS for the defaults, with any of the keys
 *   threads    threads that step, the caller's included, 1 to 256; 1 (default) starts none
 *   view       "turn" (default): one acting player per environment and step; "joint": all acting players of an environment decide in
 *              the same step; "single" (or "seat"): one learner, bots are the other players
 *   dtype      of observations: "u8" (default) or "f32"
 *   autoreset  "same_step" (default), "next_step" or "disabled"
 *   learner    the player that the caller plays, or "rotate"; without: all (in the single-player view: 0)
 *   seats      instead of `learner`, one entry per player: "learner", "pool", a bot's name or an opponent's index
 *   opponents  the pool for seats that the caller does not play: a bot's name, a list of names or of pairs of name and weight, or
 *              an object from names to weights
 *   spin_us    microseconds that a worker waits for the next step before it sleeps, 0 to 1,000,000; 50 (default)
 * `out` receives the handle, which `playmat_vec_env_destroy` ends.
 * Returns: OK; UNREADABLE (config); INVALID_ARGUMENT; INVALID_SEAT; INVALID_UTF8; INVALID_HANDLE; WRONG_HANDLE; NULL_POINTER;
 * TOO_MANY_HANDLES.
 */
PlaymatStatus playmat_vec_env_create(const struct PlaymatGame *game,
                                     size_t num_envs,
                                     const char *config,
                                     size_t config_len,
                                     struct PlaymatVecEnv **out);

/**
 * Ends a vectorized environment and its threads, after a step that is under way. Null is nothing to destroy.
 *
 * Parameters: `venv`.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE.
 */
PlaymatStatus playmat_vec_env_destroy(struct PlaymatVecEnv *venv);

/**
 * Starts the next episode of each environment's own stream of episodes (of seed 0 at first).
 *
 * Parameters: `venv`; `mask`, `mask_len` one byte per environment, not 0 for those to reset, null for all; `buffers` where
 * results go, null for none; `buffers_size` is `sizeof(PlaymatBuffers)`. Environments that were not reset are shown as they
 * stand, with reward 0.
 * Returns: OK; INVALID_ARGUMENT (lengths, alignment, overlap); ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_vec_env_reset(struct PlaymatVecEnv *venv,
                                    const uint8_t *mask,
                                    size_t mask_len,
                                    const struct PlaymatBuffers *buffers,
                                    size_t buffers_size);

/**
 * Starts new episodes: environment i starts a stream of its own, hashed from the seed and i.
 *
 * Parameters: `venv`; `seed` any number; `mask`, `mask_len` one byte per environment, not 0 for those to reset, null for all;
 * `buffers` where results go, null for none; `buffers_size` is `sizeof(PlaymatBuffers)`. Environments that were not reset are
 * shown as they stand, with reward 0.
 * Returns: OK; INVALID_ARGUMENT (lengths, alignment, overlap); ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_vec_env_reset_seed(struct PlaymatVecEnv *venv,
                                         uint64_t seed,
                                         const uint8_t *mask,
                                         size_t mask_len,
                                         const struct PlaymatBuffers *buffers,
                                         size_t buffers_size);

/**
 * Starts the episodes of seeds, one per environment. What comes after them is hashed from the environment's own seed and i.
 *
 * Parameters: `venv`; `seeds`, `seeds_len` one per environment; `mask`, `mask_len` one byte per environment, not 0 for those to
 * reset, null for all; `buffers` where results go, null for none; `buffers_size` is `sizeof(PlaymatBuffers)`. Environments that
 * were not reset are shown as they stand, with reward 0.
 * Returns: OK; INVALID_ARGUMENT (lengths, alignment, overlap); ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_vec_env_reset_seeds(struct PlaymatVecEnv *venv,
                                          const uint64_t *seeds,
                                          size_t seeds_len,
                                          const uint8_t *mask,
                                          size_t mask_len,
                                          const struct PlaymatBuffers *buffers,
                                          size_t buffers_size);

/**
 * Goes on from saved states, one per environment.
 *
 * Parameters: `venv`; `states` pointers to the bytes of `playmat_env_save` or `playmat_vec_env_state`; `sizes` how many bytes
 * each has; `count` of both, the number of environments; `mask`, `mask_len` one byte per environment, not 0 for those to reset,
 * null for all; `buffers` where results go, null for none; `buffers_size` is `sizeof(PlaymatBuffers)`. Environments that were
 * not reset are shown as they stand, with reward 0.
 * Returns: OK; INVALID_ARGUMENT (lengths, alignment, overlap); UNREADABLE; WRONG_IDENTITY; INVALID_STATE; ORDER; INVALID_HANDLE;
 * WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
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
 * Plays one step of every environment: all or, on an error, none of them.
 *
 * Parameters: `venv`; `actions`, `actions_len` one per environment (joint view: per environment and player); entries of those
 * who do not act are ignored; `buffers` where results go, null for none; `buffers_size` is `sizeof(PlaymatBuffers)`.
 * Returns: OK; ILLEGAL_ACTION (the message lists environments, players, actions); EPISODE_OVER (autoreset "disabled");
 * INVALID_ARGUMENT (lengths, alignment, overlap); ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_vec_env_step(struct PlaymatVecEnv *venv,
                                   const int64_t *actions,
                                   size_t actions_len,
                                   const struct PlaymatBuffers *buffers,
                                   size_t buffers_size);

/**
 * Plays one step of every environment: all or, on an error, none of them.
 *
 * Parameters: `venv`; `actions`, `actions_len` one per environment (joint view: per environment and player); entries of those
 * who do not act are ignored; `buffers` where results go, null for none; `buffers_size` is `sizeof(PlaymatBuffers)`.
 * Returns: OK; ILLEGAL_ACTION (the message lists environments, players, actions); EPISODE_OVER (autoreset "disabled");
 * INVALID_ARGUMENT (lengths, alignment, overlap); ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_vec_env_step_i32(struct PlaymatVecEnv *venv,
                                       const int32_t *actions,
                                       size_t actions_len,
                                       const struct PlaymatBuffers *buffers,
                                       size_t buffers_size);

/**
 * Starts a step that goes on while the caller does something else, on a thread of its own, which the first call starts: also
 * where `threads` is 1.
 *
 * Parameters: `venv`; `actions`, `actions_len` one per environment (joint view: per environment and player); entries of those
 * who do not act are ignored; they are copied. The buffers belong to the step until `playmat_vec_env_step_wait` or
 * `playmat_vec_env_destroy` returns; `buffers` where results go, null for none; `buffers_size` is `sizeof(PlaymatBuffers)`.
 * Returns: OK; INVALID_ARGUMENT (lengths, alignment, overlap); ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 * An illegal action is reported by the wait.
 */
PlaymatStatus playmat_vec_env_step_async(struct PlaymatVecEnv *venv,
                                         const int64_t *actions,
                                         size_t actions_len,
                                         const struct PlaymatBuffers *buffers,
                                         size_t buffers_size);

/**
 * Waits for the step that was started: its buffers are written and the caller's again.
 *
 * Parameters: `venv`.
 * Returns: what the step would have returned; ORDER (none was started); INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE.
 */
PlaymatStatus playmat_vec_env_step_wait(struct PlaymatVecEnv *venv);

/**
 * Whether a step was started and not yet waited for: 1 or 0.
 *
 * Parameters: `venv`; `pending` receives 1 or 0.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_vec_env_is_pending(const struct PlaymatVecEnv *venv, uint8_t *pending);

/**
 * Writes the batch as it stands; rewards and flags are 0.
 *
 * Parameters: `venv`; `buffers` where results go, null for none; `buffers_size` is `sizeof(PlaymatBuffers)`.
 * Returns: OK; INVALID_ARGUMENT; ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_vec_env_show(struct PlaymatVecEnv *venv,
                                   const struct PlaymatBuffers *buffers,
                                   size_t buffers_size);

/**
 * Draws a uniform legal action for every row of the mask, from each environment's own stream; 0 where nobody acts.
 *
 * Parameters: `venv`; `out`, `out_len` as many as a step takes.
 * Returns: OK; INVALID_ARGUMENT (length); ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_vec_env_sample_actions(struct PlaymatVecEnv *venv,
                                             int64_t *out,
                                             size_t out_len);

/**
 * What a bot would do in every row of the mask, 0 where nobody acts: labels for imitation, whoever plays.
 *
 * A step with these actions plays as a rollout of one step with the bot does.
 *
 * Parameters: `venv`; `bot`, `bot_len` a bot's name; `out`, `out_len` as many as a step takes.
 * Returns: OK; INVALID_ARGUMENT (bot, length); INVALID_UTF8; ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_vec_env_bot_actions(struct PlaymatVecEnv *venv,
                                          const char *bot,
                                          size_t bot_len,
                                          int64_t *out,
                                          size_t out_len);

/**
 * Whether the last step has already drawn what `playmat_vec_env_sample_actions` would draw now, and written it into its `drawn`
 * buffer: 1 or 0. If 1, these draws are hereby taken and need not be sampled. After a use of either function, the next step draws
 * ahead in its own pass, where it costs least; draws that are not taken leave no trace.
 *
 * Parameters: `venv`; `taken` receives 1 or 0.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_vec_env_take_drawn(struct PlaymatVecEnv *venv,
                                         uint8_t *taken);

/**
 * Wakes sleeping threads because a step is about to come.
 *
 * Parameters: `venv`.
 * Returns: OK; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE.
 */
PlaymatStatus playmat_vec_env_prepare(struct PlaymatVecEnv *venv);

/**
 * Plays T steps with a bot for all players that the caller would play.
 *
 * Parameters: `venv`; `policy`, `policy_len` a bot's name; `rollout` T, at least 1, and where the steps go, `rollout_size` is
 * `sizeof(PlaymatRollout)`; `buffers` where the batch after them goes, null for nowhere; `buffers_size` is
 * `sizeof(PlaymatBuffers)`.
 * Returns: OK; INVALID_ARGUMENT; INVALID_UTF8; ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
 */
PlaymatStatus playmat_vec_env_rollout(struct PlaymatVecEnv *venv,
                                      const char *policy,
                                      size_t policy_len,
                                      const struct PlaymatRollout *rollout,
                                      size_t rollout_size,
                                      const struct PlaymatBuffers *buffers,
                                      size_t buffers_size);

/**
 * Generalized advantage estimation for any number of players: what a player earns between two decisions of its own belongs to the
 * first of them, with its own sign, whoever plays in between. Truncation bootstraps, termination does not; a row with both flags set is
 * terminated.
 *
 * Parameters: `rollout` what was played, `rollout_size` is `sizeof(PlaymatTrajectories)`; `advantages`, `advantages_len` and
 * `returns`, `returns_len` [T, N] each, apart from each other and from what is read.
 * Returns: OK; INVALID_ARGUMENT (lengths, numbers, alignment, overlap); NULL_POINTER.
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
