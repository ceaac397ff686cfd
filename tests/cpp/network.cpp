// network FILE EPISODES: prints the actions of episodes that agents with a trained network play, a line for each.
#include <playmat.hpp>

#include <cstdio>
#include <string>
#include <vector>

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    const std::string file = argv[1];
    auto game = playmat::Game::create("tic_tac_toe", "").value();
    std::vector<playmat::Agent> agents;
    for (const std::string &spec : {file, file + ",temperature=1", "mcts:16,policy=" + file})
        agents.push_back(game.agent(spec).value());
    const uint64_t episodes = std::strtoull(argv[2], nullptr, 10);
    for (uint64_t seed = 0; seed < episodes; seed++) {
        auto env = game.env(seed).value();
        for (;;) {
            const auto episode = env.episode().value();
            if (episode.current_player < 0)
                break;
            const auto player = static_cast<uint64_t>(episode.current_player);
            const int64_t action = agents[(seed + player) % 3].act(env, episode.current_player).value();
            std::printf("%d", static_cast<int>(action));
            if (!env.step(action))
                return 1;
        }
        std::printf("\n");
    }
    return 0;
}
