// decisions GAME EPISODES SPEC...: prints the actions of episodes that agents play, a line for each.
#include <playmat.hpp>

#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    auto game = playmat::Game::create(argv[1], "").value();
    std::vector<playmat::Agent> agents;
    for (int i = 3; i < argc; i++)
        agents.push_back(game.agent(argv[i]).value());
    const uint64_t episodes = std::strtoull(argv[2], nullptr, 10);
    for (uint64_t seed = 0; seed < episodes; seed++) {
        auto env = game.env(seed).value();
        for (const char *gap = "";; gap = " ") {
            const auto episode = env.episode().value();
            if (episode.current_player < 0)
                break;
            const auto player = static_cast<uint64_t>(episode.current_player);
            const int64_t action = agents[(seed + player) % agents.size()].act(env, episode.current_player).value();
            std::printf("%s%d", gap, static_cast<int>(action));
            if (!env.step(action))
                return 1;
        }
        std::printf("\n");
    }
    return 0;
}
