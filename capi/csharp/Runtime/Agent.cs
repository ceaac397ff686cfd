using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace Playmat
{
    /// <summary>What the search of an agent found out about a decision: <see cref="Agent.Statistics"/>. The arrays have one entry for each
    /// legal action.</summary>
    public sealed class SearchStatistics
    {
        /// <summary>The action that was chosen: with temperature 0 the most visited one.</summary>
        public long Action { get; internal set; }
        /// <summary>The player that decided.</summary>
        public int Player { get; internal set; }
        /// <summary>Simulations of this search; 0 where one action was legal, which is not searched.</summary>
        public long Simulations { get; internal set; }
        /// <summary>Visits in the trees that were kept from earlier decisions. With Simulations they are the sum of Visits.</summary>
        public long KeptVisits { get; internal set; }
        /// <summary>Nodes in all trees, those kept from earlier decisions included.</summary>
        public long Nodes { get; internal set; }
        /// <summary>The player's mean return in all visits, 0 without visits.</summary>
        public float Value { get; internal set; }
        /// <summary>All legal actions, ascending.</summary>
        public long[] Actions { get; internal set; }
        /// <summary>Simulations that chose the action, also those of earlier searches that came through this decision.</summary>
        public uint[] Visits { get; internal set; }
        /// <summary>Its share in the priors, which sum to 1.</summary>
        public float[] Prior { get; internal set; }
        /// <summary>The player's mean return in its visits, 0 without visits.</summary>
        public float[] MeanReturn { get; internal set; }
    }

    /// <summary>What the searches of an agent found out about the decisions of a batch: <see cref="Agent.StatisticsBatch"/>. R rows (those of
    /// the action mask), A actions; a row is 0 where the decision was not searched.</summary>
    public sealed class BatchStatistics
    {
        /// <summary>[R * A] simulations that chose the action, also those of earlier searches that came through the decision.</summary>
        public int[] Visits { get; internal set; }
        /// <summary>[R * A] the player's mean return in them, 0 without visits.</summary>
        public float[] MeanReturn { get; internal set; }
        /// <summary>[R * A] the action's share in the priors, which sum to 1 over the legal actions.</summary>
        public float[] Prior { get; internal set; }
        /// <summary>[R] the player's mean return in all visits.</summary>
        public float[] Value { get; internal set; }
        /// <summary>[R] simulations of the last search.</summary>
        public int[] Simulations { get; internal set; }
    }

    /// <summary>What a network says about a decision, or with rows about all decisions of a batch: <see cref="Agent.Evaluate"/>,
    /// <see cref="Agent.EvaluateBatch"/>.</summary>
    public sealed class Evaluation
    {
        /// <summary>[A], in a batch [R * A]: the probability of each action, 0 for illegal ones.</summary>
        public float[] Policy { get; internal set; }
        /// <summary>[1], in a batch [R]: the return that the network expects for the player, in the units of the game's rewards.</summary>
        public float[] Value { get; internal set; }
    }

    /// <summary>An agent of one game: it chooses actions. Made by <see cref="Game.CreateAgent"/>. Any threads may use one at once.</summary>
    public sealed class Agent : IDisposable
    {
        private readonly AgentHandle handle;

        private Agent(AgentHandle handle)
        {
            this.handle = handle;
        }

        /// <summary>Its spec.</summary>
        public unsafe string Name
        {
            get
            {
                using (Use agent = new Use(handle))
                    return Text.Read((room, size, needed) => NativeMethods.playmat_agent_name(agent.Value, room, size, needed));
            }
        }

        /// <summary>
        /// Chooses an action for an acting player; the environment does not step. The agent knows what the player may know.
        /// </summary>
        /// <exception cref="PlaymatException">EpisodeOver; NotActing; InvalidPlayer; InvalidArgument (made for another game); InvalidHandle;
        /// HandleInUse.</exception>
        public long Act(Env env, int player = Player.Current)
        {
            long action;
            PlaymatException.Check(TryAct(env, out action, player));
            return action;
        }

        /// <summary>The same without an exception: -1 if it was refused.</summary>
        public unsafe Status TryAct(Env env, out long action, int player = Player.Current)
        {
            long chosen = -1;
            Status status;
            using (Use agent = new Use(handle))
            using (Use of = new Use(env == null ? null : env.Owned))
                status = NativeMethods.playmat_agent_act(agent.Value, of.Value, player, IntPtr.Zero, &chosen);
            action = chosen;
            return status;
        }

        /// <summary>The same for an agent that searches long: a cancelled token ends it within a fraction of a second. Then the environment
        /// is as before, and the agent may have forgotten what it kept of this episode.</summary>
        /// <exception cref="PlaymatException">As <see cref="Act(Env, int)"/>.</exception>
        /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
        public unsafe long Act(Env env, int player, CancellationToken cancellation)
        {
            long chosen = -1;
            using (Use agent = new Use(handle))
            using (Use of = new Use(env == null ? null : env.Owned))
            using (var cancel = new Cancel(cancellation))
                cancel.Check(NativeMethods.playmat_agent_act(agent.Value, of.Value, player, cancel.Value, &chosen));
            return chosen;
        }

        /// <summary>The policy and the value of a network ("policy.onnx") for an acting player; nothing is drawn or stepped. The policy has the
        /// agent's temperature or, if that is 0, 1.</summary>
        /// <exception cref="PlaymatException">EpisodeOver; NotActing; InvalidPlayer; InvalidArgument (no network; made for another game);
        /// InvalidHandle; HandleInUse.</exception>
        public unsafe Evaluation Evaluate(Env env, int player = Player.Current)
        {
            using (Use agent = new Use(handle))
            using (Use of = new Use(env == null ? null : env.Owned))
            {
                int actions = env == null ? 0 : env.Info.NumActions;
                var found = new Evaluation { Policy = new float[actions], Value = new float[1] };
                fixed (float* policy = found.Policy, value = found.Value)
                    PlaymatException.Check(NativeMethods.playmat_agent_evaluate(agent.Value, of.Value, player, policy, (UIntPtr)actions,
                        value));
                return found;
            }
        }

        /// <summary>The policy and the values of a network in every row of the action mask; rows without legal actions are 0.</summary>
        /// <exception cref="PlaymatException">InvalidArgument (no network; made for another game); Order (the batch was not reset; a step is
        /// under way); InvalidHandle.</exception>
        public unsafe Evaluation EvaluateBatch(VecEnv venv)
        {
            using (Use agent = new Use(handle))
            using (Use of = new Use(venv == null ? null : venv.Owned))
            {
                int rows = venv == null ? 0 : checked(venv.Sizes.NumEnvs * venv.Sizes.ActionsPerEnv);
                int all = venv == null ? 0 : checked(rows * venv.Sizes.NumActions);
                var found = new Evaluation { Policy = new float[all], Value = new float[rows] };
                fixed (float* policy = found.Policy, value = found.Value)
                    PlaymatException.Check(NativeMethods.playmat_agent_evaluate_batch(agent.Value, of.Value, policy, (UIntPtr)all, value,
                        (UIntPtr)rows));
                return found;
            }
        }

        /// <summary>What its search found out when it last chose for a player in this episode with <see cref="Act(Env, int)"/>, also after
        /// later steps and at the end. <see cref="Player.Current"/> is after the end the player who acted last.</summary>
        /// <exception cref="PlaymatException">Order (it has not chosen for this player in this episode); InvalidPlayer; InvalidArgument (it
        /// does not search; made for another game); InvalidHandle; HandleInUse.</exception>
        public unsafe SearchStatistics Statistics(Env env, int player = Player.Current)
        {
            PlaymatSearchStatistics raw;
            using (Use agent = new Use(handle))
            using (Use of = new Use(env == null ? null : env.Owned))
            {
                PlaymatException.Check(NativeMethods.playmat_agent_statistics(agent.Value, of.Value, player, &raw,
                    (UIntPtr)sizeof(PlaymatSearchStatistics)));
                int count = Number.Int(raw.actions);
                var found = new SearchStatistics
                {
                    Action = raw.action, Player = raw.player, Simulations = Number.Long(raw.simulations),
                    KeptVisits = Number.Long(raw.kept_visits), Nodes = Number.Long(raw.nodes), Value = raw.value,
                    Actions = new long[count], Visits = new uint[count], Prior = new float[count], MeanReturn = new float[count],
                };
                fixed (long* actions = found.Actions)
                fixed (uint* visits = found.Visits)
                fixed (float* prior = found.Prior, mean = found.MeanReturn)
                    PlaymatException.Check(NativeMethods.playmat_agent_action_statistics(agent.Value, of.Value, player, actions,
                        (UIntPtr)count, visits, (UIntPtr)count, prior, (UIntPtr)count, mean, (UIntPtr)count));
                return found;
            }
        }

        /// <summary>Writes its action for every row of the action mask, 0 for rows without legal actions: labels for imitation, whoever
        /// plays.</summary>
        /// <param name="venv">A batch of environments of its game.</param>
        /// <param name="actions">As many as a step takes: NumEnvs * ActionsPerEnv.</param>
        /// <param name="mask">One byte per environment: where it is 0, nothing is computed and -1 written. Without one it chooses
        /// in all; an array of length 0 is refused.</param>
        /// <param name="cancellation">Ends a search within a fraction of a second; then nothing is written.</param>
        /// <exception cref="PlaymatException">InvalidArgument (made for another game; lengths); Order; InvalidHandle.</exception>
        /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
        public unsafe void ActBatch(VecEnv venv, Span<long> actions, ReadOnlySpan<byte> mask = default(ReadOnlySpan<byte>),
            CancellationToken cancellation = default(CancellationToken))
        {
            using (Use agent = new Use(handle))
            using (Use of = new Use(venv == null ? null : venv.Owned))
            using (var cancel = new Cancel(cancellation))
            fixed (long* start = &MemoryMarshal.GetReference(actions))
            fixed (byte* m = &MemoryMarshal.GetReference(mask))
                cancel.Check(NativeMethods.playmat_agent_act_batch(agent.Value, of.Value, m, (UIntPtr)mask.Length, cancel.Value, start,
                    (UIntPtr)actions.Length));
        }

        /// <summary>What its searches found out about the decisions that <see cref="ActBatch"/> chose last: call it before the step.</summary>
        /// <exception cref="PlaymatException">InvalidArgument (it does not search; made for another game); Order (the batch was not reset; a
        /// step is under way); InvalidHandle.</exception>
        public unsafe BatchStatistics StatisticsBatch(VecEnv venv)
        {
            using (Use agent = new Use(handle))
            using (Use of = new Use(venv == null ? null : venv.Owned))
            {
                int rows = venv == null ? 0 : checked(venv.Sizes.NumEnvs * venv.Sizes.ActionsPerEnv);
                int all = venv == null ? 0 : checked(rows * venv.Sizes.NumActions);
                var found = new BatchStatistics
                {
                    Visits = new int[all], MeanReturn = new float[all], Prior = new float[all], Value = new float[rows],
                    Simulations = new int[rows],
                };
                fixed (int* visits = found.Visits, simulations = found.Simulations)
                fixed (float* mean = found.MeanReturn, prior = found.Prior, value = found.Value)
                    PlaymatException.Check(NativeMethods.playmat_agent_statistics_batch(agent.Value, of.Value, visits, (UIntPtr)all, mean,
                        (UIntPtr)all, prior, (UIntPtr)all, value, (UIntPtr)rows, simulations, (UIntPtr)rows));
                return found;
            }
        }

        /// <summary>The handle, for functions of playmat.h that a host declares for itself.</summary>
        public SafeHandle Handle
        {
            get { return handle; }
        }

        /// <summary>Destroys the agent; running calls of other threads keep what they need.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }

        /// <summary>The object of a handle that a call has created.</summary>
        internal static Status Own(Status status, AgentHandle handle, IntPtr given, out Agent agent)
        {
            agent = null;
            if (status == Status.Ok)
            {
                handle.Own(given);
                agent = new Agent(handle);
            }
            return status;
        }
    }
}
