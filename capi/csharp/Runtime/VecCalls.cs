using System;

namespace Playmat
{
    /// <summary>
    /// Calls of a <see cref="VecEnv"/> that write a batch. They are structs because a step allocates nothing, which it would
    /// with closures.
    /// </summary>
    internal interface IVecCall : IBatchCall
    {
        IntPtr Venv { set; }
    }

    internal enum ResetKind
    {
        Next,
        Seed,
        Seeds,
        States,
    }

    internal unsafe struct ResetCall : IVecCall
    {
        internal ResetKind Kind;
        internal ulong Seed;
        internal ulong* Seeds;
        internal byte** States;
        internal UIntPtr* StateSizes;
        internal UIntPtr Count;
        internal byte* Mask;
        internal UIntPtr MaskLength;

        public IntPtr Venv { private get; set; }

        public Status Run(PlaymatBuffers* buffers, UIntPtr size)
        {
            switch (Kind)
            {
                case ResetKind.Seed:
                    return NativeMethods.playmat_vec_env_reset_seed(Venv, Seed, Mask, MaskLength, buffers, size);
                case ResetKind.Seeds:
                    return NativeMethods.playmat_vec_env_reset_seeds(Venv, Seeds, Count, Mask, MaskLength, buffers, size);
                case ResetKind.States:
                    return NativeMethods.playmat_vec_env_reset_states(Venv, States, StateSizes, Count, Mask, MaskLength, buffers, size);
                default:
                    return NativeMethods.playmat_vec_env_reset(Venv, Mask, MaskLength, buffers, size);
            }
        }
    }

    internal unsafe struct StepCall : IVecCall
    {
        internal long* Actions;
        internal int* Actions32;
        internal UIntPtr Count;

        public IntPtr Venv { private get; set; }

        public Status Run(PlaymatBuffers* buffers, UIntPtr size)
        {
            return Actions32 != null
                ? NativeMethods.playmat_vec_env_step_i32(Venv, Actions32, Count, buffers, size)
                : NativeMethods.playmat_vec_env_step(Venv, Actions, Count, buffers, size);
        }
    }

    internal struct ShowCall : IVecCall
    {
        public IntPtr Venv { private get; set; }

        public unsafe Status Run(PlaymatBuffers* buffers, UIntPtr size)
        {
            return NativeMethods.playmat_vec_env_show(Venv, buffers, size);
        }
    }

    internal unsafe struct RolloutCall : IVecCall
    {
        internal byte* Agent;
        internal UIntPtr AgentLength;
        internal Rollout Into;

        public IntPtr Venv { private get; set; }

        public Status Run(PlaymatBuffers* buffers, UIntPtr size)
        {
            Rollout r = Into;
            if (r == null)
                return NativeMethods.playmat_vec_env_rollout(Venv, Agent, AgentLength, null, (UIntPtr)sizeof(PlaymatRollout), buffers,
                    size);
            fixed (byte* obs = r.Obs, mask = r.ActionMask, terminated = r.Terminated, truncated = r.Truncated)
            fixed (float* obsFloat = r.ObsFloat, reward = r.Reward)
            fixed (int* player = r.Player)
            fixed (long* action = r.Action)
            {
                PlaymatRollout raw;
                raw.steps = Number.Size(r.Steps);
                raw.obs = obs;
                raw.obs_len = Number.Size(r.Obs);
                raw.obs_f32 = obsFloat;
                raw.obs_f32_len = Number.Size(r.ObsFloat);
                raw.action_mask = mask;
                raw.action_mask_len = Number.Size(r.ActionMask);
                raw.player = player;
                raw.player_len = Number.Size(r.Player);
                raw.action = action;
                raw.action_len = Number.Size(r.Action);
                raw.reward = reward;
                raw.reward_len = Number.Size(r.Reward);
                raw.terminated = terminated;
                raw.terminated_len = Number.Size(r.Terminated);
                raw.truncated = truncated;
                raw.truncated_len = Number.Size(r.Truncated);
                return NativeMethods.playmat_vec_env_rollout(Venv, Agent, AgentLength, &raw, (UIntPtr)sizeof(PlaymatRollout), buffers,
                    size);
            }
        }
    }
}
