// digest GAME OPTIONS EPISODES: the checksums of a game, twice: of the game itself and of one that a replay rebuilt.
#include <playmat.hpp>

#include <cstdio>

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    const uint64_t episodes = std::strtoull(argv[3], nullptr, 10);
    auto game = playmat::Game::create(argv[1], argv[2]);
    if (!game) {
        std::printf("%s\n", game.error().message.c_str());
        return 1;
    }
    auto replay = game->env(1).value().replay();
    auto again = playmat::Game::from_replay(replay.value());
    std::printf("%s\n%s\n", game->digest(episodes).value().c_str(), again.value().digest(episodes).value().c_str());
    return 0;
}
