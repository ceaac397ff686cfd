using System;

namespace Playmat
{
    /// <summary>The sizes from which the lengths of all arrays of a batch follow.</summary>
    public struct Sizes
    {
        /// <summary>N, environments.</summary>
        public int NumEnvs;
        /// <summary>P, players.</summary>
        public int NumPlayers;
        /// <summary>A, actions.</summary>
        public int NumActions;
        /// <summary>O, elements of an observation.</summary>
        public int ObservationSize;
        /// <summary>Actions of an environment in a step, each with an observation and a mask: P in the joint view, otherwise 1.</summary>
        public int ActionsPerEnv;
    }

    /// <summary>
    /// The outputs of a step or reset: your arrays, row-major, each of its complete length, or null to skip this output.
    /// <see cref="VecEnv.CreateBatch"/> creates all but FinalObsAll. An array may not be used twice. Outputs marked "ended" are written only in
    /// rows with Terminated or Truncated set; other rows keep their contents.
    /// </summary>
    public sealed class Batch
    {
        /// <summary>[N, O] observation of the acting player, as bytes (dtype "u8"); joint view [N, P, O], of all players.</summary>
        public byte[] Obs { get; set; }
        /// <summary>Obs as floats (dtype "f32"); set one of the two.</summary>
        public float[] ObsFloat { get; set; }
        /// <summary>[N, O] ended: last observation of FinalPlayer; joint view [N, P, O].</summary>
        public byte[] FinalObs { get; set; }
        /// <summary>FinalObs as floats.</summary>
        public float[] FinalObsFloat { get; set; }
        /// <summary>[N, P, O] ended: last observation of every player.</summary>
        public byte[] FinalObsAll { get; set; }
        /// <summary>FinalObsAll as floats.</summary>
        public float[] FinalObsAllFloat { get; set; }
        /// <summary>[N, A] legal action mask of the acting player: 1 legal, 0 not; joint view [N, P, A].</summary>
        public byte[] ActionMask { get; set; }
        /// <summary>[N] the acting player, -1 if the episode is over; in the joint view the lowest.</summary>
        public int[] Player { get; set; }
        /// <summary>[N, P] 1 for each acting player of the caller.</summary>
        public byte[] Acting { get; set; }
        /// <summary>[N, P] reward of each player since the last step.</summary>
        public float[] Reward { get; set; }
        /// <summary>[N] 1 if the rules ended the episode in this step.</summary>
        public byte[] Terminated { get; set; }
        /// <summary>[N] 1 if a limit ended the episode in this step.</summary>
        public byte[] Truncated { get; set; }
        /// <summary>[N] ended: the player of FinalObs and FinalMask. If the episode was truncated: the caller's player who would act next, of
        /// several the lowest. If it was terminated, or if opponents would act next: the player of the caller's last decision. In the
        /// single-player view always the learner.</summary>
        public int[] FinalPlayer { get; set; }
        /// <summary>[N, A] ended: legal action mask of FinalPlayer if the episode was truncated; all 0 if it was terminated, or if opponents would
        /// act next. Joint view [N, P, A], of all players of the caller.</summary>
        public byte[] FinalMask { get; set; }
        /// <summary>[N, P] ended: 1 for each player, also of opponents, who would act next if the episode was truncated.</summary>
        public byte[] FinalActing { get; set; }
        /// <summary>[N, P] ended: return of each player.</summary>
        public float[] EpisodeReturn { get; set; }
        /// <summary>[N] ended: decisions of all players in the episode.</summary>
        public int[] EpisodeLength { get; set; }
        /// <summary>[N] seed of the running episode, which repeats it with <see cref="Game.CreateEnv"/>.</summary>
        public ulong[] EpisodeSeed { get; set; }
        /// <summary>[N] ended: seed of the episode that ended.</summary>
        public ulong[] FinalSeed { get; set; }
        /// <summary>[N, P] index of the opponent that plays this player, -1 for the caller.</summary>
        public int[] Opponent { get; set; }
        /// <summary>[N, P] ended: Opponent of the episode that ended.</summary>
        public int[] FinalOpponent { get; set; }
        /// <summary>[N] uniformly random next actions, see <see cref="VecEnv.TakeDrawn"/>; joint view [N, P].</summary>
        public long[] Drawn { get; set; }
        /// <summary>[N] the learner of the running episode: the only player of the caller; -1 if the caller plays several.</summary>
        public int[] Learner { get; set; }
        /// <summary>[N] reward of the learner since the last step; if the episode ended, of the learner of that episode, which is FinalPlayer
        /// in the single-player view. 0 if the caller plays several players.</summary>
        public float[] LearnerReward { get; set; }

        /// <summary>Without arrays: skips all outputs.</summary>
        public Batch()
        {
        }

        /// <summary>Creates arrays for all outputs but FinalObsAll.</summary>
        /// <param name="sizes">Of the environment, <see cref="VecEnv.Sizes"/>.</param>
        /// <param name="floats">Observations as floats, for an environment with dtype "f32".</param>
        /// <exception cref="OverflowException">More than an array can hold.</exception>
        public Batch(Sizes sizes, bool floats = false)
        {
            int rows = checked(sizes.NumEnvs * sizes.ActionsPerEnv), pairs = checked(sizes.NumEnvs * sizes.NumPlayers);
            int observations = checked(rows * sizes.ObservationSize), masks = checked(rows * sizes.NumActions);
            if (floats)
            {
                ObsFloat = new float[observations];
                FinalObsFloat = new float[observations];
            }
            else
            {
                Obs = new byte[observations];
                FinalObs = new byte[observations];
            }
            ActionMask = new byte[masks];
            FinalMask = new byte[masks];
            FinalActing = new byte[pairs];
            Player = new int[sizes.NumEnvs];
            FinalPlayer = new int[sizes.NumEnvs];
            EpisodeLength = new int[sizes.NumEnvs];
            Acting = new byte[pairs];
            Reward = new float[pairs];
            EpisodeReturn = new float[pairs];
            Opponent = new int[pairs];
            FinalOpponent = new int[pairs];
            Terminated = new byte[sizes.NumEnvs];
            Truncated = new byte[sizes.NumEnvs];
            EpisodeSeed = new ulong[sizes.NumEnvs];
            FinalSeed = new ulong[sizes.NumEnvs];
            Drawn = new long[rows];
            Learner = new int[sizes.NumEnvs];
            LearnerReward = new float[sizes.NumEnvs];
        }

        /// <summary>Makes a call with pinned arrays; null skips all outputs.</summary>
        internal static unsafe Status Call<T>(Batch batch, ref T call) where T : struct, IBatchCall
        {
            if (batch == null)
                return call.Run(null, UIntPtr.Zero);
            fixed (byte* obs = batch.Obs, finalObs = batch.FinalObs, finalObsAll = batch.FinalObsAll,
                actionMask = batch.ActionMask, acting = batch.Acting, terminated = batch.Terminated,
                truncated = batch.Truncated, finalMask = batch.FinalMask, finalActing = batch.FinalActing)
            fixed (float* obsF32 = batch.ObsFloat, finalObsF32 = batch.FinalObsFloat,
                finalObsAllF32 = batch.FinalObsAllFloat, reward = batch.Reward, episodeReturn = batch.EpisodeReturn,
                learnerReward = batch.LearnerReward)
            fixed (int* player = batch.Player, finalPlayer = batch.FinalPlayer, episodeLength = batch.EpisodeLength,
                opponent = batch.Opponent, finalOpponent = batch.FinalOpponent, learner = batch.Learner)
            fixed (ulong* episodeSeed = batch.EpisodeSeed, finalSeed = batch.FinalSeed)
            fixed (long* drawn = batch.Drawn)
            {
                PlaymatBuffers raw;
                raw.obs = obs;
                raw.obs_len = Number.Size(batch.Obs);
                raw.obs_f32 = obsF32;
                raw.obs_f32_len = Number.Size(batch.ObsFloat);
                raw.final_obs = finalObs;
                raw.final_obs_len = Number.Size(batch.FinalObs);
                raw.final_obs_f32 = finalObsF32;
                raw.final_obs_f32_len = Number.Size(batch.FinalObsFloat);
                raw.final_obs_all = finalObsAll;
                raw.final_obs_all_len = Number.Size(batch.FinalObsAll);
                raw.final_obs_all_f32 = finalObsAllF32;
                raw.final_obs_all_f32_len = Number.Size(batch.FinalObsAllFloat);
                raw.action_mask = actionMask;
                raw.action_mask_len = Number.Size(batch.ActionMask);
                raw.player = player;
                raw.player_len = Number.Size(batch.Player);
                raw.acting = acting;
                raw.acting_len = Number.Size(batch.Acting);
                raw.reward = reward;
                raw.reward_len = Number.Size(batch.Reward);
                raw.terminated = terminated;
                raw.terminated_len = Number.Size(batch.Terminated);
                raw.truncated = truncated;
                raw.truncated_len = Number.Size(batch.Truncated);
                raw.final_player = finalPlayer;
                raw.final_player_len = Number.Size(batch.FinalPlayer);
                raw.final_mask = finalMask;
                raw.final_mask_len = Number.Size(batch.FinalMask);
                raw.final_acting = finalActing;
                raw.final_acting_len = Number.Size(batch.FinalActing);
                raw.episode_return = episodeReturn;
                raw.episode_return_len = Number.Size(batch.EpisodeReturn);
                raw.episode_length = episodeLength;
                raw.episode_length_len = Number.Size(batch.EpisodeLength);
                raw.episode_seed = episodeSeed;
                raw.episode_seed_len = Number.Size(batch.EpisodeSeed);
                raw.final_seed = finalSeed;
                raw.final_seed_len = Number.Size(batch.FinalSeed);
                raw.opponent = opponent;
                raw.opponent_len = Number.Size(batch.Opponent);
                raw.final_opponent = finalOpponent;
                raw.final_opponent_len = Number.Size(batch.FinalOpponent);
                raw.drawn = drawn;
                raw.drawn_len = Number.Size(batch.Drawn);
                raw.learner = learner;
                raw.learner_len = Number.Size(batch.Learner);
                raw.learner_reward = learnerReward;
                raw.learner_reward_len = Number.Size(batch.LearnerReward);
                return call.Run(&raw, (UIntPtr)sizeof(PlaymatBuffers));
            }
        }

        /// <summary>Pins the arrays until the pins are freed, for an asynchronous step.</summary>
        internal unsafe PlaymatBuffers Pin(Pins pins)
        {
            PlaymatBuffers raw;
            raw.obs = (byte*)pins.Add(Obs);
            raw.obs_len = Number.Size(Obs);
            raw.obs_f32 = (float*)pins.Add(ObsFloat);
            raw.obs_f32_len = Number.Size(ObsFloat);
            raw.final_obs = (byte*)pins.Add(FinalObs);
            raw.final_obs_len = Number.Size(FinalObs);
            raw.final_obs_f32 = (float*)pins.Add(FinalObsFloat);
            raw.final_obs_f32_len = Number.Size(FinalObsFloat);
            raw.final_obs_all = (byte*)pins.Add(FinalObsAll);
            raw.final_obs_all_len = Number.Size(FinalObsAll);
            raw.final_obs_all_f32 = (float*)pins.Add(FinalObsAllFloat);
            raw.final_obs_all_f32_len = Number.Size(FinalObsAllFloat);
            raw.action_mask = (byte*)pins.Add(ActionMask);
            raw.action_mask_len = Number.Size(ActionMask);
            raw.player = (int*)pins.Add(Player);
            raw.player_len = Number.Size(Player);
            raw.acting = (byte*)pins.Add(Acting);
            raw.acting_len = Number.Size(Acting);
            raw.reward = (float*)pins.Add(Reward);
            raw.reward_len = Number.Size(Reward);
            raw.terminated = (byte*)pins.Add(Terminated);
            raw.terminated_len = Number.Size(Terminated);
            raw.truncated = (byte*)pins.Add(Truncated);
            raw.truncated_len = Number.Size(Truncated);
            raw.final_player = (int*)pins.Add(FinalPlayer);
            raw.final_player_len = Number.Size(FinalPlayer);
            raw.final_mask = (byte*)pins.Add(FinalMask);
            raw.final_mask_len = Number.Size(FinalMask);
            raw.final_acting = (byte*)pins.Add(FinalActing);
            raw.final_acting_len = Number.Size(FinalActing);
            raw.episode_return = (float*)pins.Add(EpisodeReturn);
            raw.episode_return_len = Number.Size(EpisodeReturn);
            raw.episode_length = (int*)pins.Add(EpisodeLength);
            raw.episode_length_len = Number.Size(EpisodeLength);
            raw.episode_seed = (ulong*)pins.Add(EpisodeSeed);
            raw.episode_seed_len = Number.Size(EpisodeSeed);
            raw.final_seed = (ulong*)pins.Add(FinalSeed);
            raw.final_seed_len = Number.Size(FinalSeed);
            raw.opponent = (int*)pins.Add(Opponent);
            raw.opponent_len = Number.Size(Opponent);
            raw.final_opponent = (int*)pins.Add(FinalOpponent);
            raw.final_opponent_len = Number.Size(FinalOpponent);
            raw.drawn = (long*)pins.Add(Drawn);
            raw.drawn_len = Number.Size(Drawn);
            raw.learner = (int*)pins.Add(Learner);
            raw.learner_len = Number.Size(Learner);
            raw.learner_reward = (float*)pins.Add(LearnerReward);
            raw.learner_reward_len = Number.Size(LearnerReward);
            return raw;
        }
    }

    /// <summary>A call that takes buffers.</summary>
    internal unsafe interface IBatchCall
    {
        Status Run(PlaymatBuffers* buffers, UIntPtr size);
    }
}
