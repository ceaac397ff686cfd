using System;
using Playmat;

/// <summary>Prints the checksums of a game as the library computes them, and as this program does with calls of its own.</summary>
internal static class Digest
{
    private static readonly uint[] Table = MakeTable();

    internal static void Run(string name, string options, ulong episodes)
    {
        using (Game game = Game.Create(name, options))
        {
            Console.WriteLine(game.Digest(episodes));
            uint observations = ~0u, masks = ~0u, rewards = ~0u, states = ~0u;
            var observation = new byte[game.Info.ObservationSize];
            var mask = new byte[game.Info.NumActions];
            for (ulong seed = 0; seed < episodes; seed++)
            {
                using (Env env = game.CreateEnv(seed))
                {
                    for (;;)
                    {
                        Episode now = env.Episode;
                        for (int player = 0; player < game.Info.NumPlayers; player++)
                        {
                            env.Observation(observation, player);
                            Add(ref observations, observation);
                        }
                        if (now.Decisions > 0)
                        {
                            foreach (float reward in env.Rewards())
                            {
                                byte[] bits = BitConverter.GetBytes(reward);
                                if (!BitConverter.IsLittleEndian)
                                    Array.Reverse(bits);
                                Add(ref rewards, bits);
                            }
                        }
                        // Without the streams of agents and samples.
                        byte[] saved = env.Save();
                        Array.Resize(ref saved, saved.Length - 84);
                        Add(ref states, saved);
                        if (now.CurrentPlayer < 0)
                            break;
                        env.ActionMask(mask, now.CurrentPlayer);
                        Add(ref masks, mask);
                        env.Step(env.SampleAction());
                    }
                }
            }
            Console.WriteLine("{0:x8}-{1:x8}-{2:x8}-{3:x8}", ~observations, ~masks, ~rewards, ~states);
        }
    }

    private static uint[] MakeTable()
    {
        var table = new uint[256];
        for (uint i = 0; i < 256; i++)
        {
            uint value = i;
            for (int bit = 0; bit < 8; bit++)
                value = (value & 1) != 0 ? value >> 1 ^ 0xEDB88320u : value >> 1;
            table[i] = value;
        }
        return table;
    }

    private static void Add(ref uint sum, byte[] bytes)
    {
        foreach (byte value in bytes)
            sum = sum >> 8 ^ Table[(sum ^ value) & 255];
    }
}
