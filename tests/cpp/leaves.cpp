// leaves GAME EPISODES OPTIONS SPEC LEAVES plain|greedy: prints the actions of episodes that searches play, a line for each. The network is a
// hash; with `greedy` also of the greedy agent's action.
#include <playmat.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

// Numbers from -1 to 1 that follow from an observation and the greedy agent's action, -1 for none: logits, then the value.
static std::vector<float> network(const uint8_t *observation, std::size_t size, int64_t greedy, std::size_t actions)
{
    uint64_t hash = static_cast<uint64_t>(8 + greedy);
    for (std::size_t i = 0; i < size; i++)
        hash = (hash ^ observation[i]) * UINT64_C(0x100000001b3);
    std::vector<float> numbers(actions + 1);
    for (uint64_t k = 0; k <= actions; k++)
        numbers[k] = static_cast<float>(((hash ^ (k << 32)) * UINT64_C(0x9e3779b97f4a7c15)) >> 40) / 8388608.0f - 1.0f;
    return numbers;
}

int main(int argc, char **argv)
{
    if (argc != 7)
        return 2;
    auto game = playmat::Game::create(argv[1], argv[3]).value();
    const std::size_t count = std::strtoul(argv[2], nullptr, 10);
    auto search = game.search(argv[4], count, std::strtoul(argv[5], nullptr, 10)).value();
    if (search.name().value() != argv[4] || search.sizes().rows != count || game.search("mcts:0").ok())
        return 1;
    const auto s = search.sizes();
    playmat::Leaves leaves(s, false, 2);
    if (std::strcmp(argv[6], "greedy") == 0)
        leaves.greedy.resize(leaves.rows);
    std::vector<playmat::Env> envs;
    for (uint64_t seed = 0; seed < count; seed++)
        envs.push_back(game.env(seed).value());
    std::vector<std::vector<int64_t>> played(count);
    auto source = playmat::StopSource::create().value();
    for (;;) {
        std::size_t running = 0;
        for (std::size_t i = 0; i < count; i++) {
            const bool over = envs[i].done().value();
            running += over ? 0 : 1;
            if (!(over ? search.stop(i) : search.start(i, envs[i])))
                return 1;
        }
        if (running == 0)
            break;
        while (const std::size_t found = search.collect(leaves, source.get_token()).value()) {
            std::vector<float> logits, values;
            for (std::size_t row = 0; row < found; row++) {
                const int64_t greedy = leaves.greedy.empty() ? -1 : leaves.greedy[row];
                const auto numbers = network(leaves.obs.data() + row * s.observation_size, s.observation_size, greedy, s.num_actions);
                logits.insert(logits.end(), numbers.begin(), numbers.end() - 1);
                values.push_back(numbers.back());
            }
            if (search.waiting().value() != found || !search.feed(logits, values))
                return 1;
        }
        std::vector<int64_t> actions(count);
        std::vector<float> policy(count * s.num_actions), means(count);
        std::vector<int32_t> visits(policy.size());
        std::vector<float> returns(policy.size()), priors(policy.size());
        if (!search.actions(actions) || !search.policy(policy) || !search.values(means))
            return 1;
        if (!search.visits(visits) || !search.mean_returns(returns) || !search.priors(priors))
            return 1;
        for (std::size_t i = 0; i < count; i++) {
            float all = 0, sum = 0, prior = 0;
            for (std::size_t k = i * s.num_actions; k < (i + 1) * s.num_actions; k++) {
                all += static_cast<float>(visits[k]);
                sum += static_cast<float>(visits[k]) * returns[k];
                prior += priors[k];
            }
            const float value = all > 0 ? sum / all : 0, wanted = envs[i].done().value() ? 0.0f : 1.0f;
            if (std::fabs(value - means[i]) > 1e-3f || std::fabs(prior - wanted) > 1e-3f)
                return 1;
        }
        for (std::size_t i = 0; i < count; i++) {
            if (envs[i].done().value())
                continue;
            if (policy[i * s.num_actions + static_cast<std::size_t>(actions[i])] <= 0 || !envs[i].step(actions[i]))
                return 1;
            played[i].push_back(actions[i]);
        }
    }
    for (const auto &actions : played) {
        const char *gap = "";
        for (const int64_t action : actions) {
            std::printf("%s%d", gap, static_cast<int>(action));
            gap = " ";
        }
        std::printf("\n");
    }
    return 0;
}
