// walk GAME OPTIONS: a whole game and a batch through the C++ wrapper.
#include <playmat.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

std::size_t games_seen_from_here();

#define CHECK(condition)                                                                             \
    do {                                                                                             \
        if (!(condition)) {                                                                          \
            std::printf("%s:%d: %s is false; %s\n", __FILE__, __LINE__, #condition, playmat_error_message()); \
            std::exit(1);                                                                            \
        }                                                                                            \
    } while (0)

static_assert(!std::is_copy_constructible_v<playmat::Env> && std::is_move_constructible_v<playmat::Env>, "handles are moved");
static_assert(!std::is_copy_assignable_v<playmat::VecEnv> && std::is_move_assignable_v<playmat::VecEnv>, "handles are moved");

static void refusals(playmat::Game &game)
{
    auto none = playmat::Game::create("grafia");
    CHECK(!none && none.status() == PLAYMAT_STATUS_UNKNOWN_GAME);
    CHECK(none.error().message.find("did you mean") != std::string::npos && std::strcmp(none.error().name(), "unknown_game") == 0);
    auto env = game.env(1);
    auto illegal = env->step(-1);
    CHECK(!illegal.ok() && illegal.status() == PLAYMAT_STATUS_ILLEGAL_ACTION);
    std::array<uint8_t, 1> small{};
    CHECK(env->action_mask(small).status() == PLAYMAT_STATUS_BUFFER_TOO_SMALL);
    playmat::Env moved = std::move(*env);
    CHECK(moved.current_player() >= 0 && env->current_player() == -1);
    CHECK(env->step(0).status() == PLAYMAT_STATUS_INVALID_HANDLE);
}

static void one_episode(playmat::Game &game)
{
    auto greedy = playmat::Bot::create("greedy").value();
    auto env = game.env(7).value();
    std::vector<uint8_t> mask(game.info().num_actions), bytes(game.info().observation_size);
    std::vector<float> floats(game.info().observation_size);
    while (!env.done()) {
        const int32_t player = env.current_player();
        CHECK(env.action_mask(mask) && env.observation(bytes) && env.observation(floats));
        auto legal = env.legal_actions();
        CHECK(legal && !legal->empty());
        for (int64_t action : *legal)
            CHECK(mask[static_cast<std::size_t>(action)] == 1);
        auto action = greedy.action(env);
        CHECK(action && env.parse_action(env.action_text(*action).value()).value() == *action);
        auto copy = env.clone();
        auto guess = env.sample_hidden(player, 3);
        CHECK(copy && guess && guess->current_player() == player);
        CHECK(env.step(player, *action) && copy->step(*action));
        CHECK(env.to_json().value() == copy->to_json().value() && env.events(0).value() == copy->events(0).value());
    }
    auto saved = env.save();
    CHECK(saved && game.load(*saved)->to_json().value() == env.to_json().value());
    CHECK(game.from_json(env.to_json().value())->to_json().value() == env.to_json().value());
    auto replay = env.replay();
    CHECK(replay && game.env_of_replay(*replay)->to_json().value() == env.to_json().value());
    CHECK(env.history()->size() == env.episode()->history_len);
    CHECK(env.draw_svg()->compare(0, 4, "<svg") == 0 && env.validate().value() == "[]" && !env.draw_text(0)->empty());
    CHECK(env.returns()->size() == game.info().num_players && env.scores()->size() == env.rewards()->size());
    CHECK(env.reset() && env.reset(7) && env.episode()->seed == 7);
    CHECK(env.game()->digest(1).value() == game.digest(1).value());
}

static void a_batch(playmat::Game &game)
{
    auto venv = game.vec_env(16, "threads = 2").value();
    playmat::Batch batch(venv.sizes()), other(venv.sizes());
    CHECK(venv.reset(3, batch));
    std::vector<int64_t> actions(16);
    for (int step = 0; step < 100; step++) {
        CHECK(venv.sample_actions(actions));
        for (std::size_t i = 0; i < 16; i++)
            CHECK(batch.action_mask[i * game.info().num_actions + static_cast<std::size_t>(actions[i])] == 1);
        CHECK(venv.step(actions, batch));
    }
    auto saved = venv.save();
    CHECK(venv.sample_actions(actions) && venv.step_async(actions, batch) && venv.step_wait());
    CHECK(venv.load(saved.value()) && venv.sample_actions(actions) && venv.step(actions, other));
    CHECK(batch.obs == other.obs && batch.reward == other.reward && batch.episode_seed == other.episode_seed);
    CHECK(game.load(venv.state(3).value())->episode()->seed == batch.episode_seed[3]);
    CHECK(venv.show(other) && batch.obs == other.obs && venv.results().value() == "[]");
    const std::vector<int32_t> none(3);
    CHECK(venv.step(none, batch).status() == PLAYMAT_STATUS_INVALID_ARGUMENT);
    std::vector<uint64_t> seeds(16, 5);
    CHECK(venv.reset(seeds, batch) && batch.episode_seed[15] == 5 && venv.reset(batch) && venv.take_drawn().value() == 0);
}

int main(int argc, char **argv)
{
    CHECK(argc == 3);
    auto game = playmat::Game::create(argv[1], argv[2]);
    CHECK(game && games_seen_from_here() == playmat_game_count());
    CHECK(game->describe()->find(argv[1]) != std::string::npos);
    for (std::size_t i = 0; i < game->info().num_segments; i++)
        CHECK(game->segment(i)->len > 0);
    CHECK(game->action_range(0)->start == 0 && !game->segment(1000).ok());
    CHECK(game->parse_action(game->action_text(1).value()).value() == 1);
    CHECK(game->survey(2, 1, "random")->find("\"episodes\":2") != std::string::npos);
    refusals(*game);
    one_episode(*game);
    a_batch(*game);
    return 0;
}
