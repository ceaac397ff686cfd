// leaves GAME EPISODES OPTIONS SPEC LEAVES: prints the actions of episodes that searches play, a line for each. The network is a hash.
#include <playmat.hpp>

#include <cstdio>
#include <cstdlib>
#include <vector>

// Numbers from -1 to 1 that follow from an observation: logits, then the value.
static std::vector<float> network(const uint8_t *observation, std::size_t size, std::size_t actions)
{
    uint64_t hash = 7;
    for (std::size_t i = 0; i < size; i++)
        hash = (hash ^ observation[i]) * UINT64_C(0x100000001b3);
    std::vector<float> numbers(actions + 1);
    for (uint64_t k = 0; k <= actions; k++)
        numbers[k] = static_cast<float>(((hash ^ (k << 32)) * UINT64_C(0x9e3779b97f4a7c15)) >> 40) / 8388608.0f - 1.0f;
    return numbers;
}

int main(int argc, char **argv)
{
    if (argc != 6)
        return 2;
    auto game = playmat::Game::create(argv[1], argv[3]).value();
    const std::size_t count = std::strtoul(argv[2], nullptr, 10);
    auto search = game.search(argv[4], count, std::strtoul(argv[5], nullptr, 10)).value();
    if (search.name().value() != argv[4] || search.sizes().rows != count || game.search("mcts:0").ok())
        return 1;
    const auto s = search.sizes();
    playmat::Leaves leaves(s, false, 2);
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
                const auto numbers = network(leaves.obs.data() + row * s.observation_size, s.observation_size, s.num_actions);
                logits.insert(logits.end(), numbers.begin(), numbers.end() - 1);
                values.push_back(numbers.back());
            }
            if (search.waiting().value() != found || !search.feed(logits, values))
                return 1;
        }
        std::vector<int64_t> actions(count);
        std::vector<float> policy(count * s.num_actions), means(count);
        if (!search.actions(actions) || !search.policy(policy) || !search.values(means))
            return 1;
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
