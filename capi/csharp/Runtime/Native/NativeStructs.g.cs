// Generated from capi/include/playmat.h by `make generate`; changes belong there.
using System;
using System.Runtime.InteropServices;

namespace Playmat
{
    /// <summary>What is fixed for all episodes of a game, in numbers; `playmat_game_describe` has the rest.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct PlaymatGameInfo
    {
        /// <summary>Registered name.</summary>
        public fixed byte name[64];
        /// <summary>Version of the rules; changes exactly when behaviour does.</summary>
        public uint version;
        /// <summary>Players of this configuration: players are numbered from 0.</summary>
        public uint num_players;
        /// <summary>Smallest number of players of the game.</summary>
        public uint min_players;
        /// <summary>Largest number of players of the game.</summary>
        public uint max_players;
        /// <summary>Number of actions: actions are 0 .. num_actions - 1.</summary>
        public UIntPtr num_actions;
        /// <summary>Bytes (or floats) of one observation.</summary>
        public UIntPtr observation_size;
        /// <summary>Named parts of an observation.</summary>
        public UIntPtr num_segments;
        /// <summary>Named ranges of actions.</summary>
        public UIntPtr num_action_ranges;
        /// <summary>No episode has more decisions than this, all players together.</summary>
        public UIntPtr max_decisions;
        /// <summary>Bytes of one state in memory.</summary>
        public UIntPtr state_size;
        /// <summary>Smallest sum of a player's rewards in an episode.</summary>
        public float min_return;
        /// <summary>Largest sum of a player's rewards in an episode.</summary>
        public float max_return;
        /// <summary>What episodes pay: 0 the outcome, 1 the score, 2 the change of the score at every step.</summary>
        public int reward;
        /// <summary>Decisions after which an episode is cut off; 0: never.</summary>
        public uint max_steps;
        /// <summary>1 if chance ever decides anything.</summary>
        public byte chance;
        /// <summary>1 if anything is ever hidden from a player.</summary>
        public byte hidden;
        /// <summary>1 if several players ever act at once.</summary>
        public byte simultaneous;
        /// <summary>0.</summary>
        public fixed byte reserved[5];
    }

    /// <summary>A named part of an observation: value = (byte - bias) / scale, in [-1, 1].</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct PlaymatSegment
    {
        /// <summary>Name, unique in the layout.</summary>
        public fixed byte name[64];
        /// <summary>First element.</summary>
        public UIntPtr offset;
        /// <summary>Number of elements.</summary>
        public UIntPtr len;
        /// <summary>Shape, row-major; `axes` entries count.</summary>
        public UIntPtr shape0, shape1, shape2, shape3, shape4, shape5, shape6, shape7;
        /// <summary>Number of axes.</summary>
        public UIntPtr axes;
        /// <summary>Subtracted from the byte.</summary>
        public uint bias;
        /// <summary>Divides the difference.</summary>
        public uint scale;
    }

    /// <summary>A contiguous range of actions with one meaning.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct PlaymatActionRange
    {
        /// <summary>Name, such as "PLACE".</summary>
        public fixed byte name[64];
        /// <summary>First action.</summary>
        public UIntPtr start;
        /// <summary>Number of actions.</summary>
        public UIntPtr len;
        /// <summary>How the range is indexed, outermost first; `axes` entries count.</summary>
        public UIntPtr shape0, shape1, shape2, shape3, shape4, shape5, shape6, shape7;
        /// <summary>Number of axes.</summary>
        public UIntPtr axes;
    }

    /// <summary>Where the episode of an environment stands.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct PlaymatEpisode
    {
        /// <summary>Whether it runs, or how it ended.</summary>
        public EpisodeStatus status;
        /// <summary>The player who acts next in the turn view (of several, the lowest); -1 when the episode is over.</summary>
        public int current_player;
        /// <summary>Bit p is set if player p must act now.</summary>
        public uint acting;
        /// <summary>Decisions of all players since the deal, those before a load included; in a sampled state counted from 0.</summary>
        public uint decisions;
        /// <summary>Seed that replays the episode alone, for `playmat_env_create`. Of a copy, of a sampled state and of a position loaded without a seed: hashed from the seed that was given.</summary>
        public ulong seed;
        /// <summary>Decisions since the deal or the load, as `playmat_env_history` has them.</summary>
        public UIntPtr history_len;
    }

    /// <summary>One decision of a history.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct PlaymatDecision
    {
        /// <summary>Who decided.</summary>
        public int player;
        /// <summary>What.</summary>
        public int action;
    }

    /// <summary>Width and height of a picture.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct PlaymatPictureSize
    {
        /// <summary>Pixels per row.</summary>
        public uint width;
        /// <summary>Rows.</summary>
        public uint height;
    }

    /// <summary>What the lengths of all buffers of a batch are made of.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct PlaymatSizes
    {
        /// <summary>N, environments.</summary>
        public UIntPtr envs;
        /// <summary>P, players.</summary>
        public UIntPtr players;
        /// <summary>A, actions.</summary>
        public UIntPtr actions;
        /// <summary>O, elements of an observation.</summary>
        public UIntPtr observation;
        /// <summary>Rows of observation, mask and action per environment: P in the joint view, otherwise 1.</summary>
        public UIntPtr lanes;
    }

    /// <summary>Where the running episode of one environment of a batch stands.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct PlaymatVecEpisode
    {
        /// <summary>Seed that replays it alone.</summary>
        public ulong seed;
        /// <summary>Decisions of all players so far.</summary>
        public uint length;
        /// <summary>1 if it is over (only seen with autoreset "next_step" and "disabled").</summary>
        public uint over;
        /// <summary>Opponent of each player, -1 for the caller and beyond the players.</summary>
        public fixed int opponents[8];
    }

    /// <summary>Where the results of a step or reset go. Every buffer has its complete length or is null with length 0, which means that it is not wanted; all zero is a valid start. N environments, P players, A actions, O elements of an observation, see `playmat_vec_env_sizes`. Buffers may not overlap. What is said to be there *where ended* is written only in rows with `terminated` or `truncated` set; other rows keep what they held.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct PlaymatBuffers
    {
        /// <summary>[N, O] what the acting player knows, as bytes (dtype `u8`); joint view [N, P, O], all players.</summary>
        public byte* obs;
        /// <summary>Elements of `obs`.</summary>
        public UIntPtr obs_len;
        /// <summary>The same as floats (dtype `f32`), instead of `obs`.</summary>
        public float* obs_f32;
        /// <summary>Elements of `obs_f32`.</summary>
        public UIntPtr obs_f32_len;
        /// <summary>[N, O], where ended: the last observation of `final_player`; joint view [N, P, O].</summary>
        public byte* final_obs;
        /// <summary>Elements of `final_obs`.</summary>
        public UIntPtr final_obs_len;
        /// <summary>The same as floats.</summary>
        public float* final_obs_f32;
        /// <summary>Elements of `final_obs_f32`.</summary>
        public UIntPtr final_obs_f32_len;
        /// <summary>[N, P, O], where ended: the last observation of every player.</summary>
        public byte* final_obs_all;
        /// <summary>Elements of `final_obs_all`.</summary>
        public UIntPtr final_obs_all_len;
        /// <summary>The same as floats.</summary>
        public float* final_obs_all_f32;
        /// <summary>Elements of `final_obs_all_f32`.</summary>
        public UIntPtr final_obs_all_f32_len;
        /// <summary>[N, A] 1 for a legal action of the acting player, 0 elsewhere; joint view [N, P, A].</summary>
        public byte* action_mask;
        /// <summary>Elements of `action_mask`.</summary>
        public UIntPtr action_mask_len;
        /// <summary>[N] the player to act, -1 where the episode is over; in the joint view the lowest.</summary>
        public int* player;
        /// <summary>Elements of `player`.</summary>
        public UIntPtr player_len;
        /// <summary>[N, P] 1 for each player that the caller must act for now.</summary>
        public byte* acting;
        /// <summary>Elements of `acting`.</summary>
        public UIntPtr acting_len;
        /// <summary>[N, P] what each player earned since the last step.</summary>
        public float* reward;
        /// <summary>Elements of `reward`.</summary>
        public UIntPtr reward_len;
        /// <summary>[N] 1 where the rules ended the episode in this step.</summary>
        public byte* terminated;
        /// <summary>Elements of `terminated`.</summary>
        public UIntPtr terminated_len;
        /// <summary>[N] 1 where a limit cut the episode off in this step.</summary>
        public byte* truncated;
        /// <summary>Elements of `truncated`.</summary>
        public UIntPtr truncated_len;
        /// <summary>[N], where ended: the player that `final_obs` and `final_mask` speak of. Where `max_steps` cut the episode off, the player that the caller would decide for next, of several the lowest; elsewhere, or if bots would decide next, the player whose decision was the caller's last one. In the single-player view always the learner.</summary>
        public int* final_player;
        /// <summary>Elements of `final_player`.</summary>
        public UIntPtr final_player_len;
        /// <summary>[N, A], where ended: what `final_player` could choose next where `max_steps` cut the episode off; all 0 elsewhere, and where bots would decide next. Joint view [N, P, A]: the same for each player that the caller would decide for.</summary>
        public byte* final_mask;
        /// <summary>Elements of `final_mask`.</summary>
        public UIntPtr final_mask_len;
        /// <summary>[N, P], where ended: sum of the episode's rewards.</summary>
        public float* episode_return;
        /// <summary>Elements of `episode_return`.</summary>
        public UIntPtr episode_return_len;
        /// <summary>[N], where ended: decisions of all players in the episode.</summary>
        public int* episode_length;
        /// <summary>Elements of `episode_length`.</summary>
        public UIntPtr episode_length_len;
        /// <summary>[N] seed of the running episode, which replays it alone.</summary>
        public ulong* episode_seed;
        /// <summary>Elements of `episode_seed`.</summary>
        public UIntPtr episode_seed_len;
        /// <summary>[N], where ended: seed of the episode that ended.</summary>
        public ulong* final_seed;
        /// <summary>Elements of `final_seed`.</summary>
        public UIntPtr final_seed_len;
        /// <summary>[N, P] index of the opponent that plays the seat, -1 for the caller.</summary>
        public int* opponent;
        /// <summary>Elements of `opponent`.</summary>
        public UIntPtr opponent_len;
        /// <summary>[N, P], where ended: `opponent` of the episode that ended.</summary>
        public int* final_opponent;
        /// <summary>Elements of `final_opponent`.</summary>
        public UIntPtr final_opponent_len;
        /// <summary>[N] the next uniform actions, drawn in the same pass (see `playmat_vec_env_take_drawn`); joint view [N, P].</summary>
        public long* drawn;
        /// <summary>Elements of `drawn`.</summary>
        public UIntPtr drawn_len;
        /// <summary>[N, P], where ended: 1 for each player, bots included, who would have to decide next where `max_steps` cut the episode off.</summary>
        public byte* final_acting;
        /// <summary>Elements of `final_acting`.</summary>
        public UIntPtr final_acting_len;
        /// <summary>[N] the only player that the caller plays in the running episode, -1 if it plays several: in the single-player view the learner.</summary>
        public int* learner;
        /// <summary>Elements of `learner`.</summary>
        public UIntPtr learner_len;
        /// <summary>[N] what that player earned since the last step; in a step that ended an episode, the learner of the episode that ended, which is `final_player` in the single-player view. 0 where the caller plays several players.</summary>
        public float* learner_reward;
        /// <summary>Elements of `learner_reward`.</summary>
        public UIntPtr learner_reward_len;
    }

    /// <summary>Where `playmat_vec_env_rollout` writes: T steps of N environments. Every buffer has its complete length or is null with length 0, which means that it is not wanted. Buffers may not overlap.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct PlaymatRollout
    {
        /// <summary>T.</summary>
        public UIntPtr steps;
        /// <summary>[T, N, O] before the action, as bytes (dtype `u8`); joint view [T, N, P, O].</summary>
        public byte* obs;
        /// <summary>Elements of `obs`.</summary>
        public UIntPtr obs_len;
        /// <summary>The same as floats (dtype `f32`), instead of `obs`.</summary>
        public float* obs_f32;
        /// <summary>Elements of `obs_f32`.</summary>
        public UIntPtr obs_f32_len;
        /// <summary>[T, N, A] before the action; joint view [T, N, P, A].</summary>
        public byte* action_mask;
        /// <summary>Elements of `action_mask`.</summary>
        public UIntPtr action_mask_len;
        /// <summary>[T, N] whose decision; -1 where the episode was over.</summary>
        public int* player;
        /// <summary>Elements of `player`.</summary>
        public UIntPtr player_len;
        /// <summary>[T, N] the action taken; joint view [T, N, P], 0 for a player who did not act.</summary>
        public long* action;
        /// <summary>Elements of `action`.</summary>
        public UIntPtr action_len;
        /// <summary>[T, N, P] earned by the action.</summary>
        public float* reward;
        /// <summary>Elements of `reward`.</summary>
        public UIntPtr reward_len;
        /// <summary>[T, N] 1 where the rules ended the episode with it.</summary>
        public byte* terminated;
        /// <summary>Elements of `terminated`.</summary>
        public UIntPtr terminated_len;
        /// <summary>[T, N] 1 where a limit did.</summary>
        public byte* truncated;
        /// <summary>Elements of `truncated`.</summary>
        public UIntPtr truncated_len;
    }

    /// <summary>A rollout of T rows of N environments with P players, as steps in the turn view write it. Arrays are row-major and only read.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct PlaymatTrajectories
    {
        /// <summary>T.</summary>
        public UIntPtr steps;
        /// <summary>N.</summary>
        public UIntPtr envs;
        /// <summary>P, 1 to 8.</summary>
        public UIntPtr players;
        /// <summary>[T, N, P] what each player earned by the step that row t's action made.</summary>
        public float* reward;
        /// <summary>Elements of `reward`.</summary>
        public UIntPtr reward_len;
        /// <summary>[T, N] value of row t's observation for the player who acts there.</summary>
        public float* value;
        /// <summary>Elements of `value`.</summary>
        public UIntPtr value_len;
        /// <summary>[T, N] the player who acts; -1 in rows without a decision, which get 0.</summary>
        public int* player;
        /// <summary>Elements of `player`.</summary>
        public UIntPtr player_len;
        /// <summary>[T, N] not 0 where the step ended the episode by the rules.</summary>
        public byte* terminated;
        /// <summary>Elements of `terminated`.</summary>
        public UIntPtr terminated_len;
        /// <summary>[T, N] not 0 where the step ended the episode by a limit; not looked at where `terminated` is set.</summary>
        public byte* truncated;
        /// <summary>Elements of `truncated`.</summary>
        public UIntPtr truncated_len;
        /// <summary>[N, P] value of the position after the last row for each player.</summary>
        public float* next_value;
        /// <summary>Elements of `next_value`.</summary>
        public UIntPtr next_value_len;
        /// <summary>[T, N, P] value of the last position of an episode for each player, read only in truncated rows; null if none is.</summary>
        public float* final_value;
        /// <summary>Elements of `final_value`.</summary>
        public UIntPtr final_value_len;
        /// <summary>Discount per decision of a player, 0 to 1.</summary>
        public float gamma;
        /// <summary>Lambda, 0 to 1.</summary>
        public float lam;
    }
}
