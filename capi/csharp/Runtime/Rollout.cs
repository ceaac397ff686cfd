using System;

namespace Playmat
{
    /// <summary>
    /// Where <see cref="VecEnv.Rollout"/> writes: T steps of N environments, arrays of yours, row-major, each of its complete length or
    /// null if it is not wanted.
    /// </summary>
    public sealed class Rollout
    {
        /// <summary>No arrays yet.</summary>
        /// <param name="steps">T.</param>
        public Rollout(int steps)
        {
            Steps = steps;
        }

        /// <summary>All arrays.</summary>
        /// <param name="steps">T.</param>
        /// <param name="sizes">Of the environment, <see cref="VecEnv.Sizes"/>.</param>
        /// <param name="floats">Observations as floats, for an environment with dtype "f32".</param>
        /// <exception cref="OverflowException">More than an array can hold.</exception>
        public Rollout(int steps, Sizes sizes, bool floats = false) : this(steps)
        {
            int envs = checked(steps * sizes.Envs), rows = checked(envs * sizes.Lanes);
            if (floats)
                ObsFloat = new float[checked(rows * sizes.Observation)];
            else
                Obs = new byte[checked(rows * sizes.Observation)];
            ActionMask = new byte[checked(rows * sizes.Actions)];
            Player = new int[envs];
            Action = new long[rows];
            Reward = new float[checked(envs * sizes.Players)];
            Terminated = new byte[envs];
            Truncated = new byte[envs];
        }

        /// <summary>T.</summary>
        public int Steps { get; private set; }
        /// <summary>[T, N, O] before the action, as bytes (dtype "u8"); joint view [T, N, P, O].</summary>
        public byte[] Obs { get; set; }
        /// <summary>The same as floats (dtype "f32"), instead of Obs.</summary>
        public float[] ObsFloat { get; set; }
        /// <summary>[T, N, A] before the action; joint view [T, N, P, A].</summary>
        public byte[] ActionMask { get; set; }
        /// <summary>[T, N] whose decision; -1 where the episode was over.</summary>
        public int[] Player { get; set; }
        /// <summary>[T, N] the action taken; joint view [T, N, P], 0 for a player who did not act.</summary>
        public long[] Action { get; set; }
        /// <summary>[T, N, P] earned by the action.</summary>
        public float[] Reward { get; set; }
        /// <summary>[T, N] 1 where the rules ended the episode with it.</summary>
        public byte[] Terminated { get; set; }
        /// <summary>[T, N] 1 where a limit did.</summary>
        public byte[] Truncated { get; set; }
    }

    /// <summary>A rollout of T rows of N environments with P players, as steps in the turn view write it. Arrays are row-major and only
    /// read.</summary>
    public sealed class Trajectories
    {
        /// <summary>T.</summary>
        public int Steps { get; set; }
        /// <summary>N.</summary>
        public int Envs { get; set; }
        /// <summary>P, 1 to 8.</summary>
        public int Players { get; set; }
        /// <summary>[T, N, P] what each player earned by the step that row t's action made.</summary>
        public float[] Reward { get; set; }
        /// <summary>[T, N] value of row t's observation for the player who acts there.</summary>
        public float[] Value { get; set; }
        /// <summary>[T, N] the player who acts; -1 in rows without a decision, which get 0.</summary>
        public int[] Player { get; set; }
        /// <summary>[T, N] not 0 where the step ended the episode by the rules.</summary>
        public byte[] Terminated { get; set; }
        /// <summary>[T, N] not 0 where the step ended the episode by a limit; not looked at where Terminated is set.</summary>
        public byte[] Truncated { get; set; }
        /// <summary>[N, P] value of the position after the last row for each player.</summary>
        public float[] NextValue { get; set; }
        /// <summary>[T, N, P] value of the last position of an episode for each player, read only in truncated rows; null if none
        /// is.</summary>
        public float[] FinalValue { get; set; }
        /// <summary>Discount per decision of a player, 0 to 1.</summary>
        public float Gamma { get; set; }
        /// <summary>Lambda, 0 to 1.</summary>
        public float Lambda { get; set; }

        /// <summary>
        /// Generalized advantage estimation for any number of players: what a player earns between two decisions of its own belongs to
        /// the first of them, with its own sign, whoever plays in between. Truncation bootstraps, termination does not; a row with
        /// both flags set is terminated.
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
                raw.envs = Number.Size(Envs);
                raw.players = Number.Size(Players);
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
                raw.lam = Lambda;
                PlaymatException.Check(NativeMethods.playmat_gae(&raw, (UIntPtr)sizeof(PlaymatTrajectories), a, Number.Size(advantages), r,
                    Number.Size(returns)));
            }
        }
    }
}
