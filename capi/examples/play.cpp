// A whole game in the terminal: you, or with --bots the machine alone, against the engine's own heuristic.
//
//   c++ -std=c++17 play.cpp $(pkg-config --cflags --libs playmat) -o play
//   ./play connect_four            you are player 0; actions are typed as their texts or numbers
//   ./play graphia --bots          bots play all seats
//
// It shows how a host draws: the picture of a position as one player may see it, and the events of each step to animate.
#include <playmat.hpp>

#include <algorithm>
#include <iostream>
#include <string>

namespace {

// A result that must be there: this program ends with what the library says. Nothing here needs exceptions.
template <class T>
T need(playmat::Result<T> result)
{
    if (!result) {
        std::cerr << result.error().name() << ": " << result.error().message << "\n";
        std::exit(1);
    }
    return std::move(*result);
}

void need(const playmat::Result<void> &result)
{
    if (!result) {
        std::cerr << result.error().name() << ": " << result.error().message << "\n";
        std::exit(1);
    }
}

// Asks until a legal action was typed; -1 at the end of the input.
int64_t ask(const playmat::Env &env, int32_t player)
{
    const auto legal = need(env.legal_actions(player));
    std::cout << legal.size() << " legal actions:";
    for (std::size_t i = 0; i < std::min<std::size_t>(legal.size(), 12); i++)
        std::cout << " [" << legal[i] << "] " << need(env.action_text(legal[i], player));
    std::cout << (legal.size() > 12 ? " ...\n" : "\n");
    for (std::string line; std::cout << "player " << player << "> " << std::flush, std::getline(std::cin, line);) {
        int64_t action = -1;
        const bool number = !line.empty() && std::all_of(line.begin(), line.end(), [](unsigned char c) { return c >= '0' && c <= '9'; });
        if (number) {
            action = std::strtoll(line.c_str(), nullptr, 10);
        } else if (auto named = env.parse_action(line, player)) {
            action = *named;
        } else {
            std::cout << named.error().message << "\n";
            continue;
        }
        if (std::find(legal.begin(), legal.end(), action) != legal.end())
            return action;
        std::cout << action << " is not legal now\n";
    }
    return -1;
}

} // namespace

int main(int argc, char **argv)
{
    const bool bots_only = argc > 2 && std::string_view(argv[2]) == "--bots";
    const auto game = need(playmat::Game::create(argc > 1 ? argv[1] : "connect_four"));
    const auto bot = need(playmat::Bot::create("greedy"));
    auto env = need(game.env(7));
    std::cout << game.info().name << ", version " << game.info().version << ", " << game.info().num_players << " players\n";

    // A person sees what player 0 may know; with bots alone the table is open.
    const int32_t viewer = bots_only ? playmat::view_all : 0;
    while (!env.done()) {
        const int32_t player = env.current_player();
        int64_t action = -1;
        if (player == 0 && !bots_only) {
            std::cout << "\n" << need(env.draw_text(viewer)) << "\n";
            action = ask(env, player);
            if (action < 0)
                break;
        } else {
            action = need(bot.action(env, player));
        }
        // What another player chooses in secret is not printed: the person learns of it from the events.
        const uint32_t acting = need(env.episode()).acting;
        const bool open = (acting & (acting - 1)) == 0 && !game.info().hidden;
        if (player == 0 || bots_only || open)
            std::cout << "player " << player << ": " << need(env.action_text(action, player)) << "\n";
        need(env.step(action));
        // JSON that holds nothing the viewer may not know: here a host starts its animations.
        const std::string events = need(env.events(viewer));
        std::cout << "  events: " << events.substr(0, 100) << (events.size() > 100 ? " ...\n" : "\n");
    }

    std::cout << "\n" << need(env.draw_text(viewer)) << "\n";
    const auto scores = need(env.scores());
    const auto returns = need(env.returns());
    for (std::size_t player = 0; player < scores.size(); player++)
        std::cout << "player " << player << ": score " << scores[player] << ", return " << returns[player] << "\n";
}
