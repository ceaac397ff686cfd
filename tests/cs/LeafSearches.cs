using System;
using System.Collections.Generic;
using System.Linq;
using Playmat;

/// <summary>Prints the actions of episodes that searches play, a line for each; their network is a hash, with "greedy" also of the greedy
/// agent's action.</summary>
internal static class LeafSearches
{
    /// <summary>Numbers from -1 to 1 that follow from an observation and the greedy agent's action, -1 for none: logits, then the value.</summary>
    private static float[] Network(ReadOnlySpan<byte> observation, long greedy, int actions)
    {
        ulong hash = (ulong)(8 + greedy);
        foreach (byte one in observation)
            hash = unchecked((hash ^ one) * 0x100000001b3UL);
        var numbers = new float[actions + 1];
        for (int k = 0; k <= actions; k++)
            numbers[k] = (float)(unchecked((hash ^ ((ulong)k << 32)) * 0x9e3779b97f4a7c15UL) >> 40) / 8388608.0f - 1.0f;
        return numbers;
    }

    internal static void Run(string name, int count, string options, string spec, int leaves, string inputs)
    {
        using (Game game = Game.Create(name, options))
        using (Search search = game.CreateSearch(spec, count, leaves))
        {
            Check.Equal(search.Name, spec);
            SearchSizes sizes = search.Sizes;
            Check.True(sizes.Rows == count && sizes.Leaves == leaves);
            var room = new Leaves(sizes, false, 2);
            if (inputs == "greedy")
                room.Greedy = new long[room.Rows];
            Env[] envs = Enumerable.Range(0, count).Select(seed => game.CreateEnv((ulong)seed)).ToArray();
            var played = envs.Select(env => new List<long>()).ToArray();
            while (envs.Any(env => !env.Done))
            {
                for (int i = 0; i < count; i++)
                    if (envs[i].Done)
                        search.Stop(i);
                    else
                        search.Start(i, envs[i]);
                for (;;)
                {
                    int found = search.Collect(room);
                    Check.Equal(search.Waiting, found);
                    if (found == 0)
                        break;
                    var logits = new float[found * sizes.NumActions];
                    var values = new float[found];
                    for (int row = 0; row < found; row++)
                    {
                        var observation = new ReadOnlySpan<byte>(room.Obs, row * sizes.ObservationSize, sizes.ObservationSize);
                        float[] numbers = Network(observation, room.Greedy == null ? -1 : room.Greedy[row], sizes.NumActions);
                        Array.Copy(numbers, 0, logits, row * sizes.NumActions, sizes.NumActions);
                        values[row] = numbers[sizes.NumActions];
                    }
                    search.Feed(logits, values);
                }
                var actions = new long[count];
                search.Actions(actions);
                var shares = new float[count * sizes.NumActions];
                var means = new float[count];
                search.Policy(shares);
                search.Values(means);
                var visits = new int[count * sizes.NumActions];
                var returns = new float[count * sizes.NumActions];
                var priors = new float[count * sizes.NumActions];
                search.Visits(visits);
                search.MeanReturns(returns);
                search.Priors(priors);
                for (int i = 0; i < count; i++)
                {
                    if (envs[i].Done)
                        continue;
                    int at = i * sizes.NumActions, chosen = at + (int)actions[i];
                    int all = visits.Skip(at).Take(sizes.NumActions).Sum();
                    float value = 0, prior = priors.Skip(at).Take(sizes.NumActions).Sum();
                    for (int a = at; a < at + sizes.NumActions; a++)
                        value += visits[a] * returns[a] / Math.Max(1, all);
                    // A single legal action is not searched.
                    Check.True(shares[chosen] > 0 && (all == 0 ? shares[chosen] == 1 : shares[chosen] == (float)visits[chosen] / all));
                    Check.True(Math.Abs(value - means[i]) < 1e-3 && Math.Abs(prior - 1) < 1e-3);
                    envs[i].Step(actions[i]);
                    played[i].Add(actions[i]);
                }
            }
            foreach (List<long> actions in played)
                Console.WriteLine(string.Join(" ", actions));
            foreach (Env env in envs)
                env.Dispose();
        }
    }
}
