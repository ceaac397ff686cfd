// decisions GAME EPISODES SPEC...: prints the actions of episodes that agents play, a line for each.
#include <playmat.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

// Whether a spec is a network without options.
static bool plays_likeliest(const std::string &spec)
{
    return spec.size() > 5 && spec.compare(spec.size() - 5, 5, ".onnx") == 0 && spec.compare(0, 5, "mcts:") != 0;
}

// Whether a network says that a row's action is its likeliest one.
static bool is_likeliest(const std::vector<float> &policy, std::size_t row, std::size_t actions, int64_t action)
{
    const auto first = policy.begin() + static_cast<std::ptrdiff_t>(row * actions);
    return *std::max_element(first, first + static_cast<std::ptrdiff_t>(actions)) == first[action];
}

static bool in_batch(playmat::Game &game, playmat::Agent &agent)
{
    auto venv = game.vec_env(5).value();
    playmat::Batch batch(venv.sizes());
    std::vector<int64_t> actions(5);
    if (!venv.reset(1, batch))
        return false;
    const auto found = agent.evaluate_batch(venv).value();
    if (!agent.act_batch(venv, actions))
        return false;
    for (std::size_t row = 0; row < 5; row++)
        if (!is_likeliest(found.policy, row, venv.sizes().num_actions, actions[row]))
            return false;
    return found.value.size() == 5;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    auto game = playmat::Game::create(argv[1], "").value();
    std::vector<playmat::Agent> agents;
    for (int i = 3; i < argc; i++)
        agents.push_back(game.agent(argv[i]).value());
    for (std::size_t i = 0; i < agents.size(); i++)
        if (plays_likeliest(argv[3 + i]) && !in_batch(game, agents[i]))
            return 4;
    const uint64_t episodes = std::strtoull(argv[2], nullptr, 10);
    for (uint64_t seed = 0; seed < episodes; seed++) {
        auto env = game.env(seed).value();
        for (const char *gap = "";; gap = " ") {
            const auto episode = env.episode().value();
            if (episode.current_player < 0)
                break;
            const auto player = static_cast<uint64_t>(episode.current_player);
            const std::size_t of = (seed + player) % agents.size();
            playmat::Evaluation found;
            // Before the choice: a network may read the greedy agent's action, which draws.
            if (plays_likeliest(argv[3 + of]))
                found = agents[of].evaluate(env).value();
            const int64_t action = agents[of].act(env, episode.current_player).value();
            if (!found.value.empty() && !is_likeliest(found.policy, 0, found.policy.size(), action))
                return 3;
            std::printf("%s%d", gap, static_cast<int>(action));
            if (!env.step(action))
                return 1;
        }
        std::printf("\n");
    }
    return 0;
}
