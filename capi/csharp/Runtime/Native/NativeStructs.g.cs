// Generated from capi/include/playmat.h by `make generate`; changes belong there.
using System;
using System.Runtime.InteropServices;

namespace Playmat
{
    /// <summary>The numbers that are fixed for all episodes of a game; `playmat_game_describe` has the rest.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct PlaymatGameInfo
    {
        /// <summary>Registered name.</summary>
        public fixed byte name[64];
        /// <summary>Version of the rules; changes exactly when behaviour does.</summary>
        public uint version;
        /// <summary>Number of players: players are 0 .. num_players - 1.</summary>
        public uint num_players;
        /// <summary>Smallest number of players of the game.</summary>
        public uint min_players;
        /// <summary>Largest number of players of the game.</summary>
        public uint max_players;
        /// <summary>Number of actions: actions are 0 .. num_actions - 1.</summary>
        public UIntPtr num_actions;
        /// <summary>Elements of one observation, bytes or floats.</summary>
        public UIntPtr observation_size;
        /// <summary>Number of segments, see `playmat_game_segment`.</summary>
        public UIntPtr num_segments;
        /// <summary>Number of action ranges, see `playmat_game_action_range`.</summary>
        public UIntPtr num_action_ranges;
        /// <summary>No episode has more decisions than this, all players together.</summary>
        public UIntPtr max_decisions;
        /// <summary>Bytes of one state in memory.</summary>
        public UIntPtr state_size;
        /// <summary>No return of a player is smaller.</summary>
        public float min_return;
        /// <summary>No return of a player is larger.</summary>
        public float max_return;
        /// <summary>Kind of reward: 0 outcome and 1 score at the end, 2 change of the score at every step.</summary>
        public int reward;
        /// <summary>Number of decisions after which an episode is truncated; 0: never.</summary>
        public uint max_steps;
        /// <summary>1 if the game has chance.</summary>
        public byte chance;
        /// <summary>1 if the game has hidden information.</summary>
        public byte hidden;
        /// <summary>1 if the game has simultaneous decisions.</summary>
        public byte simultaneous;
        /// <summary>1 if every simultaneous turn is one joint action: each acting player chooses once, and nobody chooses again before all have.</summary>
        public byte joint_actions;
        /// <summary>1 if the game lists all of its chance with probabilities; 0 if some of it is only sampled, and without chance.</summary>
        public byte lists_chance;
        /// <summary>1 if the observations of a running episode tell the player's whole information state, earlier choices and events included.</summary>
        public byte perfect_recall;
        /// <summary>Always 0.</summary>
        public fixed byte reserved[2];
    }

    /// <summary>A named part of an observation: float = (byte - bias) / scale, in [-1, 1].</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct PlaymatSegment
    {
        /// <summary>Name, unique in the observation.</summary>
        public fixed byte name[64];
        /// <summary>First element.</summary>
        public UIntPtr offset;
        /// <summary>Number of elements.</summary>
        public UIntPtr len;
        /// <summary>Shape, row-major, in the first `axes` entries.</summary>
        public UIntPtr shape0, shape1, shape2, shape3, shape4, shape5, shape6, shape7;
        /// <summary>Number of axes.</summary>
        public UIntPtr axes;
        /// <summary>Subtracted from each byte.</summary>
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
        /// <summary>Shape, row-major, in the first `axes` entries.</summary>
        public UIntPtr shape0, shape1, shape2, shape3, shape4, shape5, shape6, shape7;
        /// <summary>Number of axes.</summary>
        public UIntPtr axes;
    }

    /// <summary>The state of an environment's episode.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct PlaymatEpisode
    {
        /// <summary>Whether it is running, or how it ended.</summary>
        public EpisodeStatus status;
        /// <summary>The player who acts next in the turn view: of several, the lowest; -1 when the episode is over.</summary>
        public int current_player;
        /// <summary>Bit p is set if player p acts now.</summary>
        public uint acting;
        /// <summary>Decisions of all players since the deal, also those before a load. After `playmat_env_sample_hidden` they count from 0.</summary>
        public uint decisions;
        /// <summary>Seed that repeats the episode with `playmat_env_create`. In a clone with a seed, a sampled state and a state loaded without a seed it is hashed from the seed of that call.</summary>
        public ulong seed;
        /// <summary>Number of decisions that `playmat_env_history` writes.</summary>
        public UIntPtr history_len;
    }

    /// <summary>One decision of a history.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct PlaymatDecision
    {
        /// <summary>The player who decided.</summary>
        public int player;
        /// <summary>The action.</summary>
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

    /// <summary>What the search of an agent found out about the decision that it chose last as a player.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct PlaymatSearchStatistics
    {
        /// <summary>The action that was chosen: with temperature 0 the most visited one.</summary>
        public long action;
        /// <summary>The player that decided.</summary>
        public int player;
        /// <summary>The player's mean return in all visits, 0 without visits: of the kind of the game's option `reward`, or with a network of that which its training used.</summary>
        public float value;
        /// <summary>Number of legal actions: elements that `playmat_agent_action_statistics` writes.</summary>
        public UIntPtr actions;
        /// <summary>Simulations of this search, of all threads together; 0 where one action was legal, which is not searched.</summary>
        public UIntPtr simulations;
        /// <summary>Visits of this decision in the trees that were kept from earlier decisions of the episode. With `simulations` they are the sum of the visits of all actions.</summary>
        public UIntPtr kept_visits;
        /// <summary>Nodes in all trees, those kept from earlier decisions included.</summary>
        public UIntPtr nodes;
    }

    /// <summary>The sizes from which the lengths of all buffers of a batch follow.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct PlaymatSizes
    {
        /// <summary>N, environments.</summary>
        public UIntPtr num_envs;
        /// <summary>P, players.</summary>
        public UIntPtr num_players;
        /// <summary>A, actions.</summary>
        public UIntPtr num_actions;
        /// <summary>O, elements of an observation.</summary>
        public UIntPtr observation_size;
        /// <summary>Actions of an environment in a step, each with an observation and a mask: P in the joint view, otherwise 1.</summary>
        public UIntPtr actions_per_env;
    }

    /// <summary>The running episode of one environment of a batch.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct PlaymatVecEpisode
    {
        /// <summary>Seed that repeats it in `playmat_env_create`.</summary>
        public ulong seed;
        /// <summary>Decisions of all players so far.</summary>
        public uint length;
        /// <summary>1 if it is over (only with autoreset "next_step" and "disabled").</summary>
        public uint over;
        /// <summary>Index of the opponent that plays each player; -1 for the caller and beyond the players.</summary>
        public fixed int opponents[8];
    }

    /// <summary>The outputs of a step or reset. Every buffer has its complete length, or is null with length 0 to skip this output. N environments, P players, A actions, O elements of an observation: see `playmat_vec_env_sizes`. Outputs marked *ended* are written only in rows with `terminated` or `truncated` set; other rows keep their contents.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct PlaymatBuffers
    {
        /// <summary>[N, O] observation of the acting player, as bytes (dtype `u8`); joint view [N, P, O], of all players.</summary>
        public byte* obs;
        public UIntPtr obs_len;
        /// <summary>`obs` as floats (dtype `f32`); give one of the two.</summary>
        public float* obs_f32;
        public UIntPtr obs_f32_len;
        /// <summary>[N, O] ended: last observation of `final_player`; joint view [N, P, O].</summary>
        public byte* final_obs;
        public UIntPtr final_obs_len;
        /// <summary>`final_obs` as floats.</summary>
        public float* final_obs_f32;
        public UIntPtr final_obs_f32_len;
        /// <summary>[N, P, O] ended: last observation of every player.</summary>
        public byte* final_obs_all;
        public UIntPtr final_obs_all_len;
        /// <summary>`final_obs_all` as floats.</summary>
        public float* final_obs_all_f32;
        public UIntPtr final_obs_all_f32_len;
        /// <summary>[N, A] legal action mask of the acting player: 1 legal, 0 not; joint view [N, P, A].</summary>
        public byte* action_mask;
        public UIntPtr action_mask_len;
        /// <summary>[N] the acting player, -1 if the episode is over; in the joint view the lowest.</summary>
        public int* player;
        public UIntPtr player_len;
        /// <summary>[N, P] 1 for each acting player of the caller.</summary>
        public byte* acting;
        public UIntPtr acting_len;
        /// <summary>[N, P] reward of each player since the last step.</summary>
        public float* reward;
        public UIntPtr reward_len;
        /// <summary>[N] 1 if the rules ended the episode in this step.</summary>
        public byte* terminated;
        public UIntPtr terminated_len;
        /// <summary>[N] 1 if a limit ended the episode in this step.</summary>
        public byte* truncated;
        public UIntPtr truncated_len;
        /// <summary>[N] ended: the player of `final_obs` and `final_mask`. If the episode was truncated: the caller's player who would act next, of several the lowest. If it was terminated, or if opponents would act next: the player of the caller's last decision. In the single-player view always the learner.</summary>
        public int* final_player;
        public UIntPtr final_player_len;
        /// <summary>[N, A] ended: legal action mask of `final_player` if the episode was truncated; all 0 if it was terminated, or if opponents would act next. Joint view [N, P, A], of all players of the caller.</summary>
        public byte* final_mask;
        public UIntPtr final_mask_len;
        /// <summary>[N, P] ended: return of each player.</summary>
        public float* episode_return;
        public UIntPtr episode_return_len;
        /// <summary>[N] ended: decisions of all players in the episode.</summary>
        public int* episode_length;
        public UIntPtr episode_length_len;
        /// <summary>[N] seed of the running episode, which repeats it in `playmat_env_create`.</summary>
        public ulong* episode_seed;
        public UIntPtr episode_seed_len;
        /// <summary>[N] ended: seed of the episode that ended.</summary>
        public ulong* final_seed;
        public UIntPtr final_seed_len;
        /// <summary>[N, P] index of the opponent that plays this player, -1 for the caller.</summary>
        public int* opponent;
        public UIntPtr opponent_len;
        /// <summary>[N, P] ended: `opponent` of the episode that ended.</summary>
        public int* final_opponent;
        public UIntPtr final_opponent_len;
        /// <summary>[N] uniformly random next actions, see `playmat_vec_env_take_drawn`; joint view [N, P].</summary>
        public long* drawn;
        public UIntPtr drawn_len;
        /// <summary>[N, P] ended: 1 for each player, also of opponents, who would act next if the episode was truncated.</summary>
        public byte* final_acting;
        public UIntPtr final_acting_len;
        /// <summary>[N] the learner of the running episode: the only player of the caller; -1 if the caller plays several.</summary>
        public int* learner;
        public UIntPtr learner_len;
        /// <summary>[N] reward of the learner since the last step; if the episode ended, of the learner of that episode, which is `final_player` in the single-player view. 0 if the caller plays several players.</summary>
        public float* learner_reward;
        public UIntPtr learner_reward_len;
    }

    /// <summary>The outputs of `playmat_vec_env_rollout`: T steps of N environments. Every buffer has its complete length, or is null with length 0 to skip this output.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct PlaymatRollout
    {
        /// <summary>T.</summary>
        public UIntPtr steps;
        /// <summary>[T, N, O] observation before the action, as bytes (dtype `u8`); joint view [T, N, P, O].</summary>
        public byte* obs;
        public UIntPtr obs_len;
        /// <summary>`obs` as floats (dtype `f32`); give one of the two.</summary>
        public float* obs_f32;
        public UIntPtr obs_f32_len;
        /// <summary>[T, N, A] legal action mask before the action; joint view [T, N, P, A].</summary>
        public byte* action_mask;
        public UIntPtr action_mask_len;
        /// <summary>[T, N] the acting player; -1 if the episode was over.</summary>
        public int* player;
        public UIntPtr player_len;
        /// <summary>[T, N] the action; joint view [T, N, P], 0 for players who do not act.</summary>
        public long* action;
        public UIntPtr action_len;
        /// <summary>[T, N, P] reward of each player for the action.</summary>
        public float* reward;
        public UIntPtr reward_len;
        /// <summary>[T, N] 1 if the rules ended the episode with the action.</summary>
        public byte* terminated;
        public UIntPtr terminated_len;
        /// <summary>[T, N] 1 if a limit ended the episode with the action.</summary>
        public byte* truncated;
        public UIntPtr truncated_len;
    }

    /// <summary>The sizes from which the lengths of all buffers of a search follow.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct PlaymatSearchSizes
    {
        /// <summary>Number of searches.</summary>
        public UIntPtr rows;
        /// <summary>Most leaves of one search that are under way at once.</summary>
        public UIntPtr leaves;
        /// <summary>Rows of a leaf: 1, or P if the other players' values do not follow from one player's value: with three or more players, or if returns do not sum to zero.</summary>
        public UIntPtr leaf_rows;
        /// <summary>O, elements of an observation.</summary>
        public UIntPtr observation_size;
        /// <summary>A, actions.</summary>
        public UIntPtr num_actions;
    }

    /// <summary>Where `playmat_search_collect` writes n rows. Every buffer has its complete length, or is null with length 0 to skip this output.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct PlaymatLeaves
    {
        /// <summary>n, number of rows of the buffers: at least `leaves * leaf_rows` of PlaymatSearchSizes; `rows` times as many hold all searches.</summary>
        public UIntPtr rows;
        /// <summary>[n, O] observation, as bytes.</summary>
        public byte* obs;
        public UIntPtr obs_len;
        /// <summary>`obs` as floats; give one of the two.</summary>
        public float* obs_f32;
        public UIntPtr obs_f32_len;
        /// <summary>[n, A] legal action mask: 1 legal, 0 not. The logits of a leaf's further rows are not read: there all are 0.</summary>
        public byte* action_mask;
        public UIntPtr action_mask_len;
        /// <summary>[n] the player who sees the observation and whose value the network must give.</summary>
        public int* player;
        public UIntPtr player_len;
        /// <summary>[n] the search that it belongs to.</summary>
        public int* search;
        public UIntPtr search_len;
        /// <summary>[n] the action that the greedy agent would choose as the player, for networks that read it; -1 where the player has no decision. The greedy agent of some games draws, from the stream of the search: with this output a search then finds something else than without it.</summary>
        public long* greedy;
        public UIntPtr greedy_len;
    }

    /// <summary>T steps of N environments with P players in the turn view. Arrays are row-major and only read.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct PlaymatTrajectories
    {
        /// <summary>T.</summary>
        public UIntPtr steps;
        /// <summary>N.</summary>
        public UIntPtr num_envs;
        /// <summary>P, 1 to 8.</summary>
        public UIntPtr num_players;
        /// <summary>[T, N, P] reward of each player for the action of row t.</summary>
        public float* reward;
        public UIntPtr reward_len;
        /// <summary>[T, N] value of the observation for the acting player.</summary>
        public float* value;
        public UIntPtr value_len;
        /// <summary>[T, N] the acting player; -1 in rows without a decision, whose advantage and return are 0.</summary>
        public int* player;
        public UIntPtr player_len;
        /// <summary>[T, N] not 0 if the rules ended the episode in this step.</summary>
        public byte* terminated;
        public UIntPtr terminated_len;
        /// <summary>[T, N] not 0 if a limit ended the episode in this step; ignored if `terminated` is set.</summary>
        public byte* truncated;
        public UIntPtr truncated_len;
        /// <summary>[N, P] value of the position after the last step for each player.</summary>
        public float* next_value;
        public UIntPtr next_value_len;
        /// <summary>[T, N, P] value of the last position of the episode for each player, read only in truncated rows; null if there are none.</summary>
        public float* final_value;
        public UIntPtr final_value_len;
        /// <summary>Discount per decision of a player, 0 to 1.</summary>
        public float gamma;
        /// <summary>Lambda, 0 to 1.</summary>
        public float gae_lambda;
    }
}
