using System;
using System.Runtime.InteropServices;

namespace Playmat
{
    /// <summary>The running episode of one environment of a batch.</summary>
    public struct VecEpisode
    {
        /// <summary>Seed that repeats it with <see cref="Game.CreateEnv"/>.</summary>
        public ulong Seed;
        /// <summary>Decisions of all players so far.</summary>
        public int Length;
        /// <summary>Whether it is over (only with autoreset "next_step" and "disabled").</summary>
        public bool Over;
        /// <summary>Index of the opponent that plays each player, -1 for the caller.</summary>
        public int[] Opponents;
    }

    public sealed partial class VecEnv
    {
        /// <summary>Writes the observation of one player in every environment, acting or not: [N, O] (dtype "u8").</summary>
        /// <exception cref="PlaymatException">InvalidPlayer; InvalidArgument (length, dtype); Order.</exception>
        public unsafe void Observe(int player, Span<byte> observations)
        {
            using (Use venv = new Use(handle))
            fixed (byte* start = &MemoryMarshal.GetReference(observations))
                PlaymatException.Check(NativeMethods.playmat_vec_env_observe(venv.Value, player, start, (UIntPtr)observations.Length));
        }

        /// <summary>Writes the observation of one player in every environment, acting or not: [N, O] (dtype "f32").</summary>
        /// <exception cref="PlaymatException">InvalidPlayer; InvalidArgument (length, dtype); Order.</exception>
        public unsafe void Observe(int player, Span<float> observations)
        {
            using (Use venv = new Use(handle))
            fixed (float* start = &MemoryMarshal.GetReference(observations))
                PlaymatException.Check(NativeMethods.playmat_vec_env_observe_f32(venv.Value, player, start, (UIntPtr)observations.Length));
        }

        /// <summary>Writes the observations of all players in every environment: [N, P, O] (dtype "u8").</summary>
        /// <exception cref="PlaymatException">InvalidArgument (length, dtype); Order.</exception>
        public unsafe void ObserveAll(Span<byte> observations)
        {
            using (Use venv = new Use(handle))
            fixed (byte* start = &MemoryMarshal.GetReference(observations))
                PlaymatException.Check(NativeMethods.playmat_vec_env_observe_all(venv.Value, start, (UIntPtr)observations.Length));
        }

        /// <summary>Writes the observations of all players in every environment: [N, P, O] (dtype "f32").</summary>
        /// <exception cref="PlaymatException">InvalidArgument (length, dtype); Order.</exception>
        public unsafe void ObserveAll(Span<float> observations)
        {
            using (Use venv = new Use(handle))
            fixed (float* start = &MemoryMarshal.GetReference(observations))
                PlaymatException.Check(NativeMethods.playmat_vec_env_observe_all_f32(venv.Value, start, (UIntPtr)observations.Length));
        }

        /// <summary>The running episode of one environment.</summary>
        /// <exception cref="PlaymatException">InvalidArgument (env); Order.</exception>
        public unsafe VecEpisode Episode(int env)
        {
            PlaymatVecEpisode raw;
            using (Use venv = new Use(handle))
                PlaymatException.Check(NativeMethods.playmat_vec_env_episode(venv.Value, Number.Size(env), &raw,
                    (UIntPtr)sizeof(PlaymatVecEpisode)));
            var opponents = new int[Sizes.NumPlayers];
            for (int player = 0; player < opponents.Length; player++)
                opponents[player] = raw.opponents[player];
            return new VecEpisode
            {
                Seed = raw.seed, Length = checked((int)raw.length), Over = raw.over != 0, Opponents = opponents,
            };
        }

        /// <summary>The state of one environment as bytes, for <see cref="Playmat.Game.LoadEnv(ReadOnlySpan{byte})"/> and
        /// <see cref="ResetStates"/>.</summary>
        /// <exception cref="PlaymatException">InvalidArgument (env); Order.</exception>
        public unsafe byte[] State(int env)
        {
            using (Use venv = new Use(handle))
                return Text.ReadBytes((room, size, needed) =>
                    NativeMethods.playmat_vec_env_state(venv.Value, Number.Size(env), room, size, needed));
        }

        /// <summary>All environments as bytes for <see cref="Load"/>: states, random streams, episodes, results by opponent. The
        /// configuration, the weights of opponents and the outputs of the last step are not saved.</summary>
        /// <exception cref="PlaymatException">Order.</exception>
        public unsafe byte[] Save()
        {
            using (Use venv = new Use(handle))
                return Text.ReadBytes((room, size, needed) => NativeMethods.playmat_vec_env_save(venv.Value, room, size, needed));
        }

        /// <summary>Loads the bytes of <see cref="Save"/> of a batch of environments with the same game, configuration and opponents. Then
        /// <see cref="Show"/> writes the batch.</summary>
        /// <exception cref="PlaymatException">Unreadable; WrongIdentity; InvalidState; Order.</exception>
        public unsafe void Load(ReadOnlySpan<byte> saved)
        {
            using (Use venv = new Use(handle))
            fixed (byte* start = &MemoryMarshal.GetReference(saved))
                PlaymatException.Check(NativeMethods.playmat_vec_env_load(venv.Value, start, (UIntPtr)saved.Length));
        }

        /// <summary>Adds an agent to the pool of opponents. It plays from the next episodes on.</summary>
        /// <returns>Its index in the pool.</returns>
        /// <exception cref="PlaymatException">InvalidArgument; InvalidUtf8; Order; NullPointer.</exception>
        public unsafe int AddOpponent(string agent, double weight)
        {
            byte[] bytes = Text.Bytes(agent);
            UIntPtr index;
            using (Use venv = new Use(handle))
            fixed (byte* start = bytes)
                PlaymatException.Check(NativeMethods.playmat_vec_env_add_opponent(venv.Value, start, Text.Length(bytes), weight, &index));
            return Number.Int(index);
        }

        /// <summary>Sets the weights of all opponents for the next episodes: finite, not negative, not all 0.</summary>
        /// <exception cref="PlaymatException">InvalidArgument; Order.</exception>
        public unsafe void SetWeights(ReadOnlySpan<double> weights)
        {
            using (Use venv = new Use(handle))
            fixed (double* start = &MemoryMarshal.GetReference(weights))
                PlaymatException.Check(NativeMethods.playmat_vec_env_set_weights(venv.Value, start, (UIntPtr)weights.Length));
        }

        /// <summary>The results of the ended episodes in which opponents play, as a JSON object: episodes, wins, draws, losses, truncated,
        /// return_sum, and opponents, an array of objects with name, weight and the same counts for that opponent. Each episode counts once
        /// in the total and once for each of its opponents.</summary>
        /// <exception cref="PlaymatException">Order; InvalidArgument without opponents: nothing is counted then, except in the single-player
        /// view of a game for one, and EpisodeReturn has the result of each row in which an episode ended.</exception>
        public unsafe string Results()
        {
            using (Use venv = new Use(handle))
                return Text.Read((room, size, needed) => NativeMethods.playmat_vec_env_results(venv.Value, room, size, needed));
        }

        /// <summary>Sets all results to 0.</summary>
        /// <exception cref="PlaymatException">Order.</exception>
        public void ResetResults()
        {
            using (Use venv = new Use(handle))
                PlaymatException.Check(NativeMethods.playmat_vec_env_reset_results(venv.Value));
        }
    }
}
