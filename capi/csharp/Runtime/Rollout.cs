using System;

namespace Playmat
{
    /// <summary>
    /// The outputs of <see cref="VecEnv.Rollout"/>: T steps of N environments in your arrays, row-major, each of its complete length, or null
    /// to skip this output.
    /// </summary>
    public sealed class Rollout
    {
        /// <summary>Without arrays: skips all outputs.</summary>
        /// <param name="steps">T.</param>
        public Rollout(int steps)
        {
            Steps = steps;
        }

        /// <summary>Creates all arrays.</summary>
        /// <param name="steps">T.</param>
        /// <param name="sizes">Of the environment, <see cref="VecEnv.Sizes"/>.</param>
        /// <param name="floats">Observations as floats, for an environment with dtype "f32".</param>
        /// <exception cref="OverflowException">More than an array can hold.</exception>
        public Rollout(int steps, Sizes sizes, bool floats = false) : this(steps)
        {
            int envs = checked(steps * sizes.NumEnvs), rows = checked(envs * sizes.ActionsPerEnv);
            if (floats)
                ObsFloat = new float[checked(rows * sizes.ObservationSize)];
            else
                Obs = new byte[checked(rows * sizes.ObservationSize)];
            ActionMask = new byte[checked(rows * sizes.NumActions)];
            Player = new int[envs];
            Action = new long[rows];
            Reward = new float[checked(envs * sizes.NumPlayers)];
            Terminated = new byte[envs];
            Truncated = new byte[envs];
        }

        /// <summary>T.</summary>
        public int Steps { get; private set; }
        /// <summary>[T, N, O] observation before the action, as bytes (dtype "u8"); joint view [T, N, P, O].</summary>
        public byte[] Obs { get; set; }
        /// <summary>Obs as floats (dtype "f32"); set one of the two.</summary>
        public float[] ObsFloat { get; set; }
        /// <summary>[T, N, A] legal action mask before the action; joint view [T, N, P, A].</summary>
        public byte[] ActionMask { get; set; }
        /// <summary>[T, N] the acting player; -1 if the episode was over.</summary>
        public int[] Player { get; set; }
        /// <summary>[T, N] the action; joint view [T, N, P], 0 for players who do not act.</summary>
        public long[] Action { get; set; }
        /// <summary>[T, N, P] reward of each player for the action.</summary>
        public float[] Reward { get; set; }
        /// <summary>[T, N] 1 if the rules ended the episode with the action.</summary>
        public byte[] Terminated { get; set; }
        /// <summary>[T, N] 1 if a limit ended the episode with the action.</summary>
        public byte[] Truncated { get; set; }
    }

    /// <summary>T steps of N environments with P players in the turn view. Arrays are row-major and only read.</summary>
    public sealed class Trajectories
    {
        /// <summary>T.</summary>
        public int Steps { get; set; }
        /// <summary>N.</summary>
        public int NumEnvs { get; set; }
        /// <summary>P, 1 to 8.</summary>
        public int NumPlayers { get; set; }
        /// <summary>[T, N, P] reward of each player for the action of row t.</summary>
        public float[] Reward { get; set; }
        /// <summary>[T, N] value of the observation for the acting player.</summary>
        public float[] Value { get; set; }
        /// <summary>[T, N] the acting player; -1 in rows without a decision, whose advantage and return are 0.</summary>
        public int[] Player { get; set; }
        /// <summary>[T, N] not 0 if the rules ended the episode in this step.</summary>
        public byte[] Terminated { get; set; }
        /// <summary>[T, N] not 0 if a limit ended the episode in this step; ignored if Terminated is set.</summary>
        public byte[] Truncated { get; set; }
        /// <summary>[N, P] value of the position after the last step for each player.</summary>
        public float[] NextValue { get; set; }
        /// <summary>[T, N, P] value of the last position of the episode for each player, read only in truncated rows; null if there are
        /// none.</summary>
        public float[] FinalValue { get; set; }
        /// <summary>Discount per decision of a player, 0 to 1.</summary>
        public float Gamma { get; set; }
        /// <summary>Lambda, 0 to 1.</summary>
        public float GaeLambda { get; set; }

        /// <summary>
        /// Generalized advantage estimation for any number of players. Rewards of a player between two of its decisions belong to the first
        /// of them, whoever acts in between. Truncation bootstraps, termination does not; a row with both flags set is terminated.
        /// </summary>
        /// <param name="advantages">[T, N], written.</param>
        /// <param name="returns">[T, N], written; another array.</param>
        /// <exception cref="PlaymatException">InvalidArgument (lengths, numbers, overlap).</exception>
        public unsafe void Gae(float[] advantages, float[] returns)
        {
            Library.Compare();
            fixed (float* reward = Reward, value = Value, next = NextValue, final = FinalValue, a = advantages, r = returns)
            fixed (byte* terminated = Terminated, truncated = Truncated)
            fixed (int* player = Player)
            {
                PlaymatTrajectories raw;
                raw.steps = Number.Size(Steps);
                raw.num_envs = Number.Size(NumEnvs);
                raw.num_players = Number.Size(NumPlayers);
                raw.reward = reward;
                raw.reward_len = Number.Size(Reward);
                raw.value = value;
                raw.value_len = Number.Size(Value);
                raw.player = player;
                raw.player_len = Number.Size(Player);
                raw.terminated = terminated;
                raw.terminated_len = Number.Size(Terminated);
                raw.truncated = truncated;
                raw.truncated_len = Number.Size(Truncated);
                raw.next_value = next;
                raw.next_value_len = Number.Size(NextValue);
                raw.final_value = final;
                raw.final_value_len = Number.Size(FinalValue);
                raw.gamma = Gamma;
                raw.gae_lambda = GaeLambda;
                PlaymatException.Check(NativeMethods.playmat_gae(&raw, (UIntPtr)sizeof(PlaymatTrajectories), a, Number.Size(advantages), r,
                    Number.Size(returns)));
            }
        }
    }
}
