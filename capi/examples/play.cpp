// A whole game in the terminal: you, or with --agents the machine alone, against an agent; without its spec, against the greedy agent.
//
//   c++ -std=c++17 play.cpp $(pkg-config --cflags --libs playmat) -o play
//   ./play connect_four mcts:200           you are player 0; actions are typed as their texts or numbers
//   ./play graphia --agents policy.onnx    agents play all players
//
// It shows how a host draws: from the JSON of a position as one player may see it, and from the changes that each event tells.
#include <playmat.hpp>

#include <algorithm>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

// A result that must be there: this program ends with what the library says. Nothing here needs exceptions.
template <class T>
T need(playmat::Result<T> result)
{
    if (!result.ok()) {
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

// Just enough to read what the library writes, which is JSON without white space; with a JSON library at hand, use that.
// The value that `json` begins with.
std::string_view first(std::string_view json)
{
    int depth = 0;
    std::size_t at = 0;
    do {
        if (json[at] == '"')
            while (json[++at] != '"')
                at += json[at] == '\\';
        depth += (json[at] == '{' || json[at] == '[') - (json[at] == '}' || json[at] == ']');
        at++;
    } while (at < json.size() && (depth > 0 || std::string_view(",:]}").find(json[at]) == std::string_view::npos));
    return json.substr(0, at);
}

// The elements of an array; of an object its keys and values in turn.
std::vector<std::string_view> parts(std::string_view json)
{
    std::vector<std::string_view> found;
    for (json = json.substr(1); json.size() > 1; json.remove_prefix(found.back().size() + 1))
        found.push_back(first(json));
    return found;
}

// The value of a key of an object, nothing if it has no such key.
std::string_view get(std::string_view object, std::string_view key)
{
    const auto all = parts(object);
    for (std::size_t i = 0; i + 1 < all.size(); i += 2)
        if (all[i].substr(1, all[i].size() - 2) == key)
            return all[i + 1];
    return {};
}

std::string cut(std::string_view value)
{
    return std::string(value.substr(0, 72)) + (value.size() > 72 ? "..." : "");
}

// A terminal draws the text; a scene of your own is built from the state, which has every piece by name.
void draw(const playmat::Env &env, int32_t viewer)
{
    const std::string json = need(env.to_json(viewer));
    std::cout << "\n" << need(env.draw_text(viewer)) << "\nstatus: " << get(json, "status") << "\n";
    const auto state = parts(get(json, "state"));
    for (std::size_t i = 0; i + 1 < state.size(); i += 2)
        std::cout << "  state " << state[i] << ": " << cut(state[i + 1]) << "\n";
}

// What the last step changed, or before the first step what the deal did: a host moves what lies at each path, one event after the other.
void tell(const playmat::Env &env, int32_t viewer)
{
    const std::string events = need(env.events(viewer));
    for (const auto event : parts(events)) {
        const auto player = get(event, "player"); // absent if it is not about one
        std::cout << "  event " << get(event, "event") << (player.empty() ? "" : " of player ") << player << "\n";
        for (const auto change : parts(get(event, "changes"))) // "remove" has no value
            std::cout << "    " << get(change, "op") << " " << get(change, "path") << " " << cut(get(change, "value")) << "\n";
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
    const bool agents_only = argc > 2 && std::string_view(argv[2]) == "--agents";
    const auto game = need(playmat::Game::create(argc > 1 ? argv[1] : "connect_four"));
    const auto agent = need(game.agent(argc > 2 + agents_only ? argv[2 + agents_only] : "greedy"));
    auto env = need(game.env(7));
    std::cout << game.info().name << ", version " << game.info().version << ", " << game.info().num_players << " players, agent " << need(agent.name())
              << "\n";

    // A person sees what player 0 may know; if agents play alone, everything is shown.
    const int32_t viewer = agents_only ? playmat::view_all : 0;
    tell(env, viewer);
    while (!need(env.done())) {
        const int32_t player = need(env.current_player());
        int64_t action = -1;
        if (player == 0 && !agents_only) {
            draw(env, viewer);
            action = ask(env, player);
            if (action < 0)
                break;
        } else {
            action = need(agent.act(env, player));
        }
        // What another player chooses in secret is not printed: the person learns of it from the events.
        const uint32_t acting = need(env.episode()).acting;
        const bool open = (acting & (acting - 1)) == 0 && !game.info().hidden;
        if (player == 0 || agents_only || open)
            std::cout << "player " << player << ": " << need(env.action_text(action, player)) << "\n";
        need(env.step(action));
        tell(env, viewer);
    }

    draw(env, viewer);
    const auto scores = need(env.scores());
    const auto returns = need(env.returns());
    for (std::size_t player = 0; player < scores.size(); player++)
        std::cout << "player " << player << ": score " << scores[player] << ", return " << returns[player] << "\n";
}
