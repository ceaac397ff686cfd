// walk GAME OPTIONS: a whole game and a batch through the C++ wrapper.
#include <playmat.hpp>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>

std::size_t games_seen_from_here();

#define CHECK(condition)                                                                             \
    do {                                                                                             \
        if (!(condition)) {                                                                          \
            std::printf("%s:%d: %s is false; %s\n", __FILE__, __LINE__, #condition, playmat_error_message()); \
            std::exit(1);                                                                            \
        }                                                                                            \
    } while (0)

static_assert(!std::is_copy_constructible_v<playmat::Env> && std::is_move_constructible_v<playmat::Env>, "handles are moved");
static_assert(!std::is_constructible_v<bool, playmat::Result<bool>> && std::is_constructible_v<bool, playmat::Result<int32_t>>,
              "a refusal is not taken for a no");
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
    CHECK(moved.current_player().value() >= 0 && !moved.done().value());
    CHECK(env->step(0).status() == PLAYMAT_STATUS_INVALID_HANDLE);
    // A moved-from environment is neither over nor running: both calls return an error, so that no loop goes on forever.
    CHECK(env->current_player().status() == PLAYMAT_STATUS_INVALID_HANDLE && env->done().status() == PLAYMAT_STATUS_INVALID_HANDLE);
    auto first = game.env(1).value();
    CHECK(first.action_help(-1).status() == PLAYMAT_STATUS_INVALID_ARGUMENT && first.action_help(0, 99).status() == PLAYMAT_STATUS_INVALID_PLAYER);
    CHECK(env->action_help(0).status() == PLAYMAT_STATUS_INVALID_HANDLE && game.reward_scale(0).status() == PLAYMAT_STATUS_INVALID_ARGUMENT);
    CHECK(!env->done().ok() && game.conformance(1, 1, "ZZ").status() == PLAYMAT_STATUS_INVALID_ARGUMENT);
}

constexpr std::size_t two = 2, largest = static_cast<std::size_t>(-1);
static_assert(playmat::detail::product(two, two, two) == 8 && playmat::detail::product(largest, largest - largest) == 0 &&
                  playmat::detail::product(largest, two) == largest && playmat::detail::product(largest / 2 + 1, two, two) == largest,
              "lengths do not wrap");

// What agents and searches refuse; nothing is written.
static void refusals_of_agents_and_searches(const playmat::Game &game)
{
    const auto is = [](const auto &result, PlaymatStatus status) { return !result.ok() && result.status() == status; };
    auto env = game.env(1).value();
    const bool kuhn = game.info().num_actions == 2;
    auto other_game = playmat::Game::create(kuhn ? "tic_tac_toe" : "kuhn_poker").value();
    auto other = other_game.env(1).value();
    auto venv = game.vec_env(2).value();
    playmat::Batch batch(venv.sizes());
    std::array<int64_t, 2> chosen{7, 7};
    CHECK(is(game.agent("mcts:0"), PLAYMAT_STATUS_INVALID_ARGUMENT) && is(game.agent("mcts:8,c"), PLAYMAT_STATUS_INVALID_ARGUMENT));
    CHECK(is(game.agent("\xff"), PLAYMAT_STATUS_INVALID_UTF8) && is(game.agent(""), PLAYMAT_STATUS_INVALID_ARGUMENT));
    const auto agent = game.agent("mcts:8").value();
    CHECK(is(agent.act(other), PLAYMAT_STATUS_INVALID_ARGUMENT) && is(agent.act(env, 99), PLAYMAT_STATUS_INVALID_PLAYER));
    CHECK(is(agent.act_batch(venv, chosen), PLAYMAT_STATUS_ORDER) && venv.reset(1, batch));
    CHECK(is(agent.act_batch(venv, playmat::Span<int64_t>(chosen.data(), 1)), PLAYMAT_STATUS_INVALID_ARGUMENT) && chosen[0] == 7);

    CHECK(is(game.search("greedy"), PLAYMAT_STATUS_INVALID_ARGUMENT) && is(game.search("mcts:8", 0), PLAYMAT_STATUS_INVALID_ARGUMENT));
    CHECK(is(game.search("\xff"), PLAYMAT_STATUS_INVALID_UTF8) && is(game.search("mcts:8", 1, 1025), PLAYMAT_STATUS_INVALID_ARGUMENT));
    auto search = game.search("mcts:8", 2).value();
    const playmat::SearchSizes s = search.sizes();
    playmat::Leaves leaves(s);
    std::vector<float> by_action(s.rows * s.num_actions, 7.0f), by_row(s.rows, 7.0f);
    std::vector<int32_t> visits(by_action.size(), 7);
    // Before a start there is nothing to collect, feed or read.
    CHECK(is(search.collect(leaves), PLAYMAT_STATUS_ORDER) && is(search.feed(by_row, by_row), PLAYMAT_STATUS_ORDER));
    CHECK(is(search.policy(by_action), PLAYMAT_STATUS_ORDER) && is(search.values(by_row), PLAYMAT_STATUS_ORDER));
    CHECK(is(search.visits(visits), PLAYMAT_STATUS_ORDER) && is(search.mean_returns(by_action), PLAYMAT_STATUS_ORDER));
    CHECK(is(search.priors(by_action), PLAYMAT_STATUS_ORDER) && is(search.actions(chosen), PLAYMAT_STATUS_ORDER));
    CHECK(is(search.start(0, other), PLAYMAT_STATUS_INVALID_ARGUMENT) && is(search.start(2, env), PLAYMAT_STATUS_INVALID_ARGUMENT));
    CHECK(is(search.start(0, env, 99), PLAYMAT_STATUS_INVALID_PLAYER) && is(search.stop(2), PLAYMAT_STATUS_INVALID_ARGUMENT));
    auto others = other_game.vec_env(2).value();
    playmat::Batch of_others(others.sizes());
    CHECK(others.reset(1, of_others) && is(search.start(others), PLAYMAT_STATUS_INVALID_ARGUMENT));
    const std::array<uint8_t, 3> mask{1, 1, 1};
    CHECK(is(search.start(venv, true, mask), PLAYMAT_STATUS_INVALID_ARGUMENT) && search.start(venv));
    playmat::Leaves none(s);
    none.rows = 0;
    CHECK(is(search.collect(none), PLAYMAT_STATUS_INVALID_ARGUMENT));
    none = playmat::Leaves(s);
    none.player.pop_back();
    CHECK(is(search.collect(none), PLAYMAT_STATUS_INVALID_ARGUMENT));
    // What is refused changes nothing: the rows still wait.
    const std::size_t count = search.collect(leaves).value();
    std::vector<float> logits(count * s.num_actions), values(count);
    CHECK(count > 0 && is(search.collect(leaves), PLAYMAT_STATUS_ORDER) && is(search.feed(values, logits), PLAYMAT_STATUS_INVALID_ARGUMENT));
    CHECK(is(search.feed(logits, {}), PLAYMAT_STATUS_INVALID_ARGUMENT) && is(search.feed({}, values), PLAYMAT_STATUS_INVALID_ARGUMENT));
    values[count - 1] = std::nanf("");
    CHECK(is(search.feed(logits, values), PLAYMAT_STATUS_INVALID_ARGUMENT) && search.waiting().value() == count);
    values[count - 1] = 0;
    for (std::size_t rows = count; rows > 0; rows = search.collect(leaves).value())
        CHECK(search.feed(std::vector<float>(rows * s.num_actions), std::vector<float>(rows)));
    using Floats = playmat::Span<float>;
    CHECK(is(search.policy(Floats(by_action.data(), by_action.size() - 1)), PLAYMAT_STATUS_INVALID_ARGUMENT));
    CHECK(is(search.mean_returns(by_row), PLAYMAT_STATUS_INVALID_ARGUMENT) && is(search.priors(by_row), PLAYMAT_STATUS_INVALID_ARGUMENT));
    CHECK(is(search.values(by_action), PLAYMAT_STATUS_INVALID_ARGUMENT));
    CHECK(is(search.visits(playmat::Span<int32_t>(visits.data(), 1)), PLAYMAT_STATUS_INVALID_ARGUMENT));
    CHECK(is(search.actions(playmat::Span<int64_t>(chosen.data(), 1)), PLAYMAT_STATUS_INVALID_ARGUMENT));
    for (float temperature : {-2.0f, 101.0f, std::nanf("")})
        CHECK(is(search.actions(chosen, temperature), PLAYMAT_STATUS_INVALID_ARGUMENT));
    for (std::size_t i = 0; i < by_action.size(); i++)
        CHECK(by_action[i] == 7.0f && visits[i] == 7);
    CHECK(by_row[0] == 7.0f && chosen[0] == 7 && search.policy(by_action) && search.actions(chosen));
}

// A batch that ends while another thread is in a call with it ends all the same.
static void ends_behind_a_call(playmat::Game &game)
{
    auto venv = std::make_unique<playmat::VecEnv>(game.vec_env(16).value());
    PlaymatVecEnv *const handle = venv->get();
    playmat::Batch batch(venv->sizes());
    CHECK(venv->reset(1, batch));
    std::thread other([handle] {
        PlaymatRollout nowhere{};
        nowhere.steps = 5000;
        PlaymatStatus status;
        // Again and again until the batch is gone: a single call can be over before the other thread has seen it.
        do
            status = playmat_vec_env_rollout(handle, "random", PLAYMAT_NTS, &nowhere, sizeof nowhere, nullptr, 0);
        while (status == PLAYMAT_STATUS_OK || status == PLAYMAT_STATUS_HANDLE_IN_USE);
        CHECK(status == PLAYMAT_STATUS_INVALID_HANDLE);
    });
    while (venv->is_pending().status() != PLAYMAT_STATUS_HANDLE_IN_USE)
        std::this_thread::yield();
    venv.reset();
    other.join();
    uint8_t pending = 0;
    CHECK(playmat_vec_env_is_pending(handle, &pending) == PLAYMAT_STATUS_INVALID_HANDLE);
}

// Long calls that another thread ends.
static void stops(const playmat::Game &game)
{
    auto source = playmat::StopSource::create().value();
    const playmat::StopToken token = source.get_token();
    CHECK(!source.stop_requested() && !token.stop_requested() && !playmat::StopToken().stop_requested());
    CHECK(game.digest(1, token).value() == game.digest(1).value());
    std::thread other([&source] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        CHECK(source.request_stop());
    });
    CHECK(game.digest(1000000, token).status() == PLAYMAT_STATUS_CANCELLED);
    other.join();
    CHECK(token.stop_requested() && game.survey(1000000, 1, "greedy", token).status() == PLAYMAT_STATUS_CANCELLED);
    CHECK(game.reward_scale(1000000, 0, false, token).status() == PLAYMAT_STATUS_CANCELLED);
    CHECK(game.conformance(1, 0, {}, token).error().message.find("cancelled") != std::string::npos);
    auto env = game.env(1).value();
    auto venv = game.vec_env(2).value();
    playmat::Batch batch(venv.sizes());
    std::array<int64_t, 2> actions{7, 7};
    const auto slow = game.agent("mcts:10000000").value();
    CHECK(slow.act(env, playmat::current_player, token).status() == PLAYMAT_STATUS_CANCELLED && venv.reset(1, batch));
    CHECK(slow.act_batch(venv, actions, {}, token).status() == PLAYMAT_STATUS_CANCELLED && actions[0] == 7);
    auto search = game.search("mcts:8", 2, 3).value();
    playmat::Leaves leaves(search.sizes());
    CHECK(search.start(venv) && search.collect(leaves, token).status() == PLAYMAT_STATUS_CANCELLED);
    CHECK(search.collect(leaves).value() > 0 && search.start(5, env).status() == PLAYMAT_STATUS_INVALID_ARGUMENT);
    const std::array<uint8_t, 2> second{0, 1};
    CHECK(search.start(venv, true, second) && search.collect(leaves).value() == 1 && leaves.search[0] == 1);
    playmat::Search other_name = std::move(search);
    CHECK(other_name.sizes().leaves == 3 && search.stop(0).status() == PLAYMAT_STATUS_INVALID_HANDLE);
    playmat::StopSource moved = std::move(source);
    CHECK(moved.stop_requested() && !source.request_stop() && !source.stop_requested());
    { playmat::StopSource gone = std::move(moved); }
    CHECK(!token.stop_requested() && game.digest(1, token).status() == PLAYMAT_STATUS_INVALID_HANDLE);
}

// What a search found out about its last decision.
static void statistics(const playmat::Game &game)
{
    const auto search = game.agent("mcts:40,threads=2").value();
    auto env = game.env(7).value();
    CHECK(search.statistics(env).status() == PLAYMAT_STATUS_ORDER);
    while (!env.done().value()) {
        const int32_t player = env.current_player().value();
        const auto legal = env.legal_actions().value();
        const int64_t action = search.act(env).value();
        const auto found = search.statistics(env).value();
        CHECK(found.action == action && found.player == player && found.actions == legal && found.simulations == (legal.size() > 1 ? 40 : 0));
        std::size_t sum = 0, most = 0, chosen = 0;
        for (std::size_t i = 0; i < legal.size(); i++) {
            sum += found.visits[i];
            most = found.visits[i] > most ? found.visits[i] : most;
            chosen = found.actions[i] == action ? found.visits[i] : chosen;
        }
        CHECK(sum == found.simulations + found.kept_visits && chosen == most);
        CHECK(found.prior.size() == legal.size() && found.mean_return.size() == legal.size());
        CHECK(env.step(action) && search.statistics(env, player).value().visits == found.visits);
    }
    CHECK(game.agent("greedy").value().evaluate(env).status() == PLAYMAT_STATUS_INVALID_ARGUMENT);
    CHECK(game.agent("greedy").value().statistics(env).status() == PLAYMAT_STATUS_INVALID_ARGUMENT);
}

static void one_episode(playmat::Game &game)
{
    statistics(game);
    auto greedy = game.agent("greedy").value();
    CHECK(greedy.name().value() == "greedy");
    auto env = game.env(7).value();
    std::vector<uint8_t> mask(game.info().num_actions), bytes(game.info().observation_size);
    std::vector<float> floats(game.info().observation_size);
    while (!env.done().value()) {
        const int32_t player = env.current_player().value();
        CHECK(env.action_mask(mask) && env.observation(bytes) && env.observation(floats));
        auto legal = env.legal_actions();
        CHECK(legal && !legal->empty());
        for (int64_t action : *legal)
            CHECK(mask[static_cast<std::size_t>(action)] == 1);
        auto action = greedy.act(env);
        CHECK(action && env.parse_action(env.action_text(*action).value()).value() == *action);
        const std::string help = env.action_help(*action).value();
        CHECK(help.empty() || help == env.action_help(*action, player).value());
        auto copy = env.clone();
        auto guess = env.sample_hidden(player, 3);
        CHECK(copy && guess && guess->current_player().value() == player);
        CHECK(env.step(player, *action) && copy->step_into(*action, bytes, mask).value() == env.current_player().value());
        std::vector<uint8_t> seen(bytes.size());
        std::vector<float> converted(bytes.size());
        CHECK(env.observation(seen) && seen == bytes && env.observation(floats));
        CHECK(game.observation_f32(bytes, converted) && converted == floats);
        CHECK(env.to_json().value() == copy->to_json().value() && env.events(0).value() == copy->events(0).value());
    }
    auto saved = env.save();
    CHECK(saved && game.load(*saved)->to_json().value() == env.to_json().value());
    CHECK(game.from_json(env.to_json().value())->to_json().value() == env.to_json().value());
    const auto history = env.history().value();
    auto remembered = game.load(*saved, env.start().value(), history);
    CHECK(remembered && remembered->history()->size() == history.size() && remembered->events().value() == env.events().value());
    playmat::PictureSize size{};
    CHECK(env.draw_png()->at(1) == 'P' && env.draw_rgb(size, 0, 40)->size() == std::size_t{3} * size.width * size.height && size.width == 40);
    auto replay = env.replay();
    CHECK(playmat::replay_len(replay.value()).value() == env.history()->size());
    CHECK(playmat::replay_len("{").status() == PLAYMAT_STATUS_UNREADABLE);
    CHECK(replay && game.env_of_replay(*replay)->to_json().value() == env.to_json().value());
    CHECK(env.history()->size() == env.episode()->history_len);
    CHECK(env.draw_svg()->compare(0, 4, "<svg") == 0 && env.validate().value() == "[]" && !env.draw_text(0)->empty());
    std::vector<float> paid;
    for (float of_player : env.returns().value())
        paid.push_back(of_player);
    CHECK(paid == *env.returns());
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
    CHECK(venv.sample_actions(actions) && venv.step_async(actions, std::move(batch))->wait(batch));
    CHECK(venv.load(saved.value()) && venv.sample_actions(actions) && venv.step(actions, other));
    CHECK(batch.obs == other.obs && batch.reward == other.reward && batch.episode_seed == other.episode_seed);
    CHECK(game.load(venv.state(3).value())->episode()->seed == batch.episode_seed[3]);
    CHECK(venv.show(other) && batch.obs == other.obs && venv.results().status() == PLAYMAT_STATUS_INVALID_ARGUMENT);
    const std::vector<int32_t> none(3);
    CHECK(venv.step(none, batch).status() == PLAYMAT_STATUS_INVALID_ARGUMENT);
    std::vector<uint64_t> seeds(16, 5);
    CHECK(venv.reset(seeds, batch) && batch.episode_seed[15] == 5 && venv.reset(batch) && venv.take_drawn().value() == 0);
}

// A learner against a pool, a rollout, and the advantages of another one.
static void training(playmat::Game &game)
{
    const auto greedy = game.agent("greedy").value();
    auto venv = game.vec_env(8, R"({"learner": "rotate", "opponents": "random"})").value();
    const playmat::Sizes s = venv.sizes();
    playmat::Batch batch(s);
    batch.final_obs_all.resize(s.num_envs * s.num_players * s.observation_size);
    batch.final_mask.clear();
    CHECK(venv.reset(1, batch) && venv.describe()->find("\"num_envs\":8") != std::string::npos);
    CHECK(venv.add_opponent("greedy").value() == 1 && venv.add_opponent("wise").status() == PLAYMAT_STATUS_INVALID_ARGUMENT);
    const std::array<double, 2> weights{1.0, 2.0};
    CHECK(venv.set_weights(weights) && !venv.is_pending().value() && venv.prepare());
    playmat::Rollout played(s, 50);
    CHECK(venv.rollout("random", played, batch) && venv.rollout("greedy", played));
    std::vector<int64_t> labels(8);
    CHECK(venv.show(batch));
    const std::vector<int32_t> learners = batch.learner;
    std::vector<int64_t> some(8);
    const std::vector<uint8_t> mask{1, 0, 1, 0, 0, 0, 0, 1};
    const auto before = venv.save().value();
    CHECK(greedy.act_batch(venv, some, mask) && venv.load(before) && greedy.act_batch(venv, labels));
    for (std::size_t i = 0; i < s.num_envs; i++)
        CHECK(some[i] == (mask[i] != 0 ? labels[i] : -1));
    CHECK(greedy.act_batch(venv, some, playmat::Span<const uint8_t>(mask.data(), 3)).status() == PLAYMAT_STATUS_INVALID_ARGUMENT);
    CHECK(greedy.evaluate_batch(venv).status() == PLAYMAT_STATUS_INVALID_ARGUMENT);
    CHECK(greedy.statistics_batch(venv).status() == PLAYMAT_STATUS_INVALID_ARGUMENT);
    const auto search = game.agent("mcts:20,rollout=random").value();
    CHECK(venv.load(before) && search.act_batch(venv, some, mask));
    const auto found = search.statistics_batch(venv).value();
    for (std::size_t i = 0; i < s.num_envs; i++) {
        int32_t sum = 0;
        for (std::size_t action = 0; action < s.num_actions; action++)
            sum += found.visits[i * s.num_actions + action];
        CHECK(found.simulations[i] == 0 || (mask[i] != 0 && found.simulations[i] == 20));
        CHECK(found.simulations[i] == 0 ? sum == 0 : sum >= 20);
    }
    CHECK(found.mean_return.size() == found.prior.size() && found.value.size() == s.num_envs);
    CHECK(venv.load(before) && greedy.act_batch(venv, labels));
    CHECK(venv.step(labels, batch));
    for (std::size_t i = 0; i < s.num_envs; i++) {
        CHECK(batch.learner[i] == batch.player[i] && batch.opponent[i * s.num_players + static_cast<std::size_t>(batch.learner[i])] == -1);
        CHECK(batch.learner_reward[i] == batch.reward[i * s.num_players + static_cast<std::size_t>(learners[i])]);
    }
    CHECK(game.agent("wise").status() == PLAYMAT_STATUS_INVALID_ARGUMENT);
    CHECK(venv.results()->find("\"name\":\"greedy\"") != std::string::npos && venv.reset_results());
    std::vector<uint8_t> one(s.num_envs * s.observation_size), everyone(s.num_envs * s.num_players * s.observation_size);
    CHECK(venv.observe(0, one) && venv.observe_all(everyone) && std::memcmp(one.data(), everyone.data(), s.observation_size) == 0);
    std::vector<float> floats(one.size());
    CHECK(venv.observe(0, floats).status() == PLAYMAT_STATUS_INVALID_ARGUMENT && venv.observe(9, one).status() == PLAYMAT_STATUS_INVALID_PLAYER);
    CHECK(venv.episode(7)->opponents[0] >= -1 && !venv.episode(8));
    CHECK(venv.game()->info().num_actions == s.num_actions);
    std::vector<std::vector<uint8_t>> states;
    for (std::size_t i = 0; i < s.num_envs; i++)
        states.push_back(venv.state(i).value());
    playmat::Batch again(s);
    CHECK(venv.reset_states(states, again) && venv.observe_all(everyone));

    auto all = game.vec_env(s.num_envs, "dtype = 'f32'").value();
    playmat::Batch wide(all.sizes(), true);
    playmat::Rollout rows(all.sizes(), 20, true);
    CHECK(all.reset(2, wide) && all.rollout("random", rows, wide));
    const std::vector<float> value(20 * s.num_envs), next_value(s.num_envs * s.num_players), final_value(20 * s.num_envs * s.num_players);
    std::vector<float> advantages(value.size()), returns(value.size());
    playmat::Trajectories t;
    t.steps = 20, t.num_envs = s.num_envs, t.num_players = s.num_players;
    t.reward = rows.reward, t.value = value, t.player = rows.player, t.terminated = rows.terminated, t.truncated = rows.truncated;
    t.next_value = next_value, t.final_value = final_value, t.gamma = 1.0f, t.gae_lambda = 1.0f;
    CHECK(playmat::gae(t, advantages, returns) && advantages == returns);
    // A row with both flags set is terminated.
    const std::vector<float> alone = returns;
    const std::vector<uint8_t> both = rows.terminated;
    t.truncated = both;
    CHECK(playmat::gae(t, advantages, returns) && returns == alone);
    CHECK(playmat::gae(t, advantages, advantages).status() == PLAYMAT_STATUS_INVALID_ARGUMENT);
}

// The keys of information states are those of all other languages.
static void information_states()
{
    auto game = playmat::Game::create("kuhn_poker").value();
    auto env = game.env(0).value();
    using Key = std::array<uint64_t, 2>;
    CHECK((env.information_state_key(0).value() == Key{0x8c1f4e976133673full, 0xff60bd2911b2f4a2ull}));
    CHECK((env.information_state_key(1).value() == Key{0x06d4e761487709d4ull, 0x790e53ec9f1202b4ull}));
    CHECK(env.step(1).ok());
    CHECK((env.information_state_key().value() == Key{0x15416fabcd306f4cull, 0x4877d99e0ffe27b6ull}));
    CHECK(env.information_state(1).value().find("0x4877d99e0ffe27b615416fabcd306f4c") != std::string::npos);
    CHECK(!env.information_state_key(2).ok() && !env.information_state(-5).ok());
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
    CHECK(game->reward_scale(20).value() == game->reward_scale(20, 0, false).value() && game->reward_scale(1, 7).value() > 0);
    CHECK(playmat::compatible() && playmat::abi_version() == PLAYMAT_ABI_VERSION && std::strchr(playmat::version(), '.') != nullptr);
    CHECK(playmat::version_number() == PLAYMAT_VERSION_NUMBER);
    refusals(*game);
    refusals_of_agents_and_searches(*game);
    ends_behind_a_call(*game);
    stops(*game);
    one_episode(*game);
    information_states();
    a_batch(*game);
    training(*game);
    CHECK(game->segments()->size() == game->info().num_segments && game->action_ranges()->size() == game->info().num_action_ranges);
    CHECK(game->conformance(1, 1, "M1")->find("\"passed\":true") != std::string::npos);
    return 0;
}
