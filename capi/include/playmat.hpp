// playmat for C++17: owners of the handles of playmat.h, results without exceptions, spans.
//
// Game, Env, Agent, VecEnv, PendingStep and StopSource are move-only and destroy what they own. Every call that can be refused returns a
// Result: test it as a bool, then read `*result` or `result.error()`. `result.value()` of a refusal throws playmat::Exception, or aborts if
// the program is compiled without exceptions. playmat.h documents each call at the function of the same name.
//
//     auto game = playmat::Game::create("graphia", R"({"players": 3})");
//     if (!game) { std::puts(game.error().message.c_str()); return 1; }
//     auto env = game->env(7);
//     while (!env->done().value()) { ... if (!env->step(action)) ...; }
//
// A Result<bool> does not convert to bool, so that a refusal is never taken for false: use ok(), `*result` or value().
//
// Threads: as in playmat.h. Any threads may use a Game, an Agent, a StopSource and its tokens at once; an Env or VecEnv is used by one thread at a
// time. Spans are read and written only during the call; the PendingStep of an asynchronous step owns its batch. Calls of a moved-from
// object are refused. A destructor waits until no other thread is in a call with the handle.
//
// Header only; works with -fno-exceptions -fno-rtti, and from any number of files.
#ifndef PLAYMAT_HPP
#define PLAYMAT_HPP

#include "playmat_result.hpp" // IWYU pragma: export

namespace playmat {

/// Passes a StopSource to long calls; without a source it never stops them. It may be copied and outlive its source: later calls with it are
/// then refused.
class StopToken {
public:
    StopToken() noexcept = default;
    /// Whether request_stop() of the source was called.
    bool stop_requested() const noexcept
    {
        uint8_t requested = 0;
        return flag_ != nullptr && playmat_cancel_is_requested(flag_, &requested) == PLAYMAT_STATUS_OK && requested != 0;
    }
    PlaymatCancel *get() const noexcept { return flag_; }

private:
    friend class StopSource;
    explicit StopToken(PlaymatCancel *flag) noexcept : flag_(flag) {}
    PlaymatCancel *flag_ = nullptr;
};

/// Ends long calls (Agent::act, act_batch, Search::collect, Game::digest, survey, reward_scale, conformance) from another thread: they
/// return PLAYMAT_STATUS_CANCELLED. With a std::stop_token of C++20: `std::stop_callback link(token, [&] { source.request_stop(); });`
class StopSource {
public:
    static Result<StopSource> create()
    {
        PlaymatCancel *out = nullptr;
        const PlaymatStatus status = playmat_cancel_create(&out);
        if (status == PLAYMAT_STATUS_OK)
            return StopSource(out);
        return Error::last(status);
    }
    /// The token to pass to long calls.
    StopToken get_token() const noexcept { return StopToken(get()); }
    /// May be called from any thread, any number of times. Returns false for a moved-from source.
    bool request_stop() const noexcept { return playmat_cancel_request(get()) == PLAYMAT_STATUS_OK; }
    bool stop_requested() const noexcept { return get_token().stop_requested(); }
    PlaymatCancel *get() const noexcept { return handle_.get(); }

private:
    explicit StopSource(PlaymatCancel *handle) : handle_(handle) {}
    detail::Handle<PlaymatCancel, playmat_cancel_destroy> handle_;
};

/// The version of the library, such as "0.1.0".
inline const char *version() noexcept
{
    return playmat_version();
}

/// The version as a number, to compare with PLAYMAT_VERSION_NUMBER.
inline uint32_t version_number() noexcept
{
    return playmat_version_number();
}

/// The version of the interface that the library has.
inline uint32_t abi_version() noexcept
{
    return playmat_abi_version();
}

/// Whether the loaded library has the interface of this header.
inline bool compatible() noexcept
{
    return playmat_abi_version() == PLAYMAT_ABI_VERSION;
}

/// The number of decisions of a replay.
inline Result<std::size_t> replay_len(std::string_view replay)
{
    return detail::one<std::size_t>([&](std::size_t *out) { return playmat_replay_len(replay.data(), replay.size(), out); });
}

/// Registered names of all games.
inline std::vector<std::string> games()
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < playmat_game_count(); i++) {
        auto name = detail::text([i](char *out, std::size_t size, std::size_t *needed) { return playmat_game_name(i, out, size, needed); });
        names.push_back(name.value_or(""));
    }
    return names;
}

class Agent;
class Env;
class Search;
class VecEnv;

/// A configured game: immutable, shared by any number of environments and threads.
class Game {
public:
    /// Options as JSON or TOML; content as TOML text or the name of a built-in content; empty for the defaults.
    static Result<Game> create(std::string_view name, std::string_view options = {}, std::string_view content = {})
    {
        PlaymatGame *out = nullptr;
        const char *text = content.empty() ? nullptr : content.data();
        const PlaymatStatus status = playmat_game_create(name.data(), name.size(), options.data(), options.size(), text, content.size(), &out);
        return own(status, out);
    }
    /// The configured game of a replay.
    static Result<Game> from_replay(std::string_view replay)
    {
        PlaymatGame *out = nullptr;
        const PlaymatStatus status = playmat_game_from_replay(replay.data(), replay.size(), &out);
        return own(status, out);
    }
    /// The numbers that are fixed for all episodes.
    const GameInfo &info() const noexcept { return info_; }
    /// Everything that is fixed for all episodes, as JSON: `content_entries` lists cards, tiles and goals with their texts.
    Result<std::string> describe() const
    {
        return detail::text([this](char *out, std::size_t size, std::size_t *needed) { return playmat_game_describe(get(), out, size, needed); }, 16384);
    }
    /// All named parts of the observation, in order.
    Result<std::vector<Segment>> segments() const
    {
        return all<Segment>(info_.num_segments, [this](std::size_t i) { return segment(i); });
    }
    /// All named ranges of actions, in order.
    Result<std::vector<ActionRange>> action_ranges() const
    {
        return all<ActionRange>(info_.num_action_ranges, [this](std::size_t i) { return action_range(i); });
    }
    Result<Segment> segment(std::size_t index) const
    {
        return detail::one<Segment>([&](Segment *out) { return playmat_game_segment(get(), index, out, sizeof *out); });
    }
    Result<ActionRange> action_range(std::size_t index) const
    {
        return detail::one<ActionRange>([&](ActionRange *out) { return playmat_game_action_range(get(), index, out, sizeof *out); });
    }
    /// Observations from bytes to floats in [-1, 1], any number of them.
    Result<void> observation_f32(Span<const uint8_t> bytes, Span<float> out) const
    {
        return detail::done(playmat_game_observation_f32(get(), bytes.data(), bytes.size(), out.data(), out.size()));
    }
    Result<std::string> action_text(int64_t action) const
    {
        return detail::text([&](char *out, std::size_t size, std::size_t *needed) { return playmat_game_action_text(get(), action, out, size, needed); });
    }
    Result<int64_t> parse_action(std::string_view text) const
    {
        return detail::one<int64_t>([&](int64_t *out) { return playmat_game_parse_action(get(), text.data(), text.size(), out); });
    }
    /// Checksums of the episodes of seeds 0 .. episodes - 1. `stop` ends the call with PLAYMAT_STATUS_CANCELLED, as in the next functions.
    Result<std::string> digest(uint64_t episodes = 20, StopToken stop = {}) const
    {
        return detail::text([&](char *out, std::size_t size, std::size_t *needed) {
            return playmat_game_digest(get(), episodes, stop.get(), out, size, needed);
        });
    }
    /// Statistics of episodes of agents, as JSON. `agents` are specs separated by commas.
    Result<std::string> survey(uint64_t episodes, uint64_t seed, std::string_view agents, StopToken stop = {}) const
    {
        return detail::text(
            [&](char *out, std::size_t size, std::size_t *needed) {
                return playmat_game_survey(get(), episodes, seed, agents.data(), agents.size(), stop.get(), out, size, needed);
            },
            1 << 20);
    }
    /// Measures the factor on rewards that gives the returns of play a standard deviation of 1.
    Result<double> reward_scale(uint64_t episodes = 256, uint64_t seed = 0, bool relative = false, StopToken stop = {}) const
    {
        return detail::one<double>([&](double *out) {
            return playmat_game_reward_scale(get(), episodes, seed, relative, stop.get(), out);
        });
    }
    /// The report of the conformance suite, as JSON. `only` are identifiers of checks separated by commas.
    Result<std::string> conformance(uint64_t seed = 1, std::size_t episodes = 0, std::string_view only = {}, StopToken stop = {}) const
    {
        return detail::text(
            [&](char *out, std::size_t size, std::size_t *needed) {
                return playmat_game_conformance(get(), seed, episodes, only.data(), only.size(), stop.get(), out, size, needed);
            },
            std::size_t{1} << 20);
    }
    /// An agent for this game: "random", "greedy", "mcts:400" or "policy.onnx" (see playmat_agent_create).
    Result<Agent> agent(std::string_view spec) const;
    Result<Env> env(uint64_t seed) const;
    Result<Env> load(Span<const uint8_t> bytes) const;
    /// With the history: `start` of Env::start(), `history` of Env::history().
    Result<Env> load(Span<const uint8_t> bytes, Span<const uint8_t> start, Span<const Decision> history) const;
    Result<Env> from_json(std::string_view json, uint64_t seed = 0) const;
    Result<Env> env_of_replay(std::string_view replay, std::size_t decisions = all_decisions) const;
    Result<VecEnv> vec_env(std::size_t num_envs, std::string_view config = {}) const;
    /// Searches of a spec such as "mcts:64" whose network the caller evaluates: `rows` searches, each with up to `leaves` leaves under way.
    Result<Search> search(std::string_view spec, std::size_t rows = 1, std::size_t leaves = 1) const;
    /// The handle, for calls of playmat.h.
    PlaymatGame *get() const noexcept { return handle_.get(); }

private:
    friend class Env;
    friend class VecEnv;
    template <class T, class F>
    static Result<std::vector<T>> all(std::size_t count, F get)
    {
        std::vector<T> found;
        for (std::size_t i = 0; i < count; i++) {
            Result<T> one = get(i);
            if (!one)
                return one.error();
            found.push_back(*one);
        }
        return found;
    }
    Game(PlaymatGame *handle, const GameInfo &info) : handle_(handle), info_(info) {}
    static Result<Game> own(PlaymatStatus status, PlaymatGame *out)
    {
        if (status != PLAYMAT_STATUS_OK)
            return Error::last(status);
        Game game(out, GameInfo{});
        status = playmat_game_info(out, &game.info_, sizeof game.info_);
        if (status != PLAYMAT_STATUS_OK)
            return Error::last(status);
        return game;
    }
    detail::Handle<PlaymatGame, playmat_game_destroy> handle_;
    GameInfo info_;
};

/// One running episode. One thread at a time.
class Env {
public:
    /// An exact copy with the same future chance: to save a position and return to it.
    Result<Env> clone() const
    {
        return make([this](PlaymatEnv **out) { return playmat_env_clone(get(), out); }, info_);
    }
    /// A copy for search: the same state, but future chance from a random stream of its own.
    Result<Env> clone(uint64_t seed) const
    {
        return make([&](PlaymatEnv **out) { return playmat_env_clone_seed(get(), seed, out); }, info_);
    }
    Result<Env> sample_hidden(int32_t player, uint64_t seed) const
    {
        return make([&](PlaymatEnv **out) { return playmat_env_sample_hidden(get(), player, seed, out); }, info_);
    }
    Result<Game> game() const
    {
        PlaymatGame *out = nullptr;
        const PlaymatStatus status = playmat_env_game(get(), &out);
        return Game::own(status, out);
    }
    Result<void> reset() { return detail::done(playmat_env_reset(get())); }
    Result<void> reset(uint64_t seed) { return detail::done(playmat_env_reset_seed(get(), seed)); }
    Result<Episode> episode() const
    {
        return detail::one<Episode>([this](Episode *out) { return playmat_env_episode(get(), out, sizeof *out); });
    }
    /// The player who acts next; -1 when the episode is over.
    Result<int32_t> current_player() const
    {
        return detail::one<int32_t>([this](int32_t *player) { return playmat_env_current_player(get(), player); });
    }
    /// Whether the episode is over: `while (!env.done().value())`.
    Result<bool> done() const
    {
        const Result<int32_t> player = current_player();
        if (!player)
            return player.error();
        return *player < 0;
    }
    Result<void> step(int64_t action) { return detail::done(playmat_env_step(get(), action)); }
    Result<void> step(int32_t player, int64_t action) { return detail::done(playmat_env_step_player(get(), player, action)); }
    /// Plays an action and writes the observation and action mask of the player who acts next; returns that player, -1 after the end. An
    /// empty span skips this output.
    Result<int32_t> step_into(int64_t action, Span<uint8_t> observation, Span<uint8_t> mask)
    {
        return detail::one<int32_t>([&](int32_t *next) {
            return playmat_env_step_into(get(), action, observation.data(), observation.size(), mask.data(), mask.size(), next);
        });
    }
    Result<void> step_joint(Span<const int64_t> actions)
    {
        return detail::done(playmat_env_step_joint(get(), actions.data(), actions.size()));
    }
    Result<void> action_mask(Span<uint8_t> out, int32_t player = playmat::current_player) const
    {
        return detail::done(playmat_env_action_mask(get(), player, out.data(), out.size()));
    }
    Result<std::vector<int64_t>> legal_actions(int32_t player = playmat::current_player) const
    {
        return detail::many<std::vector<int64_t>>(info_.num_actions, [&](int64_t *out, std::size_t size, std::size_t *count) {
            return playmat_env_legal_actions(get(), player, out, size, count);
        });
    }
    Result<void> observation(Span<uint8_t> out, int32_t player = playmat::current_player) const
    {
        return detail::done(playmat_env_observation(get(), player, out.data(), out.size()));
    }
    Result<void> observation(Span<float> out, int32_t player = playmat::current_player) const
    {
        return detail::done(playmat_env_observation_f32(get(), player, out.data(), out.size()));
    }
    Result<std::vector<float>> rewards() const
    {
        return detail::per_player<float>(info_.num_players, [this](float *out, std::size_t size) { return playmat_env_rewards(get(), out, size); });
    }
    Result<std::vector<float>> returns() const
    {
        return detail::per_player<float>(info_.num_players, [this](float *out, std::size_t size) { return playmat_env_returns(get(), out, size); });
    }
    Result<std::vector<int32_t>> scores() const
    {
        return detail::per_player<int32_t>(info_.num_players, [this](int32_t *out, std::size_t size) { return playmat_env_scores(get(), out, size); });
    }
    Result<std::vector<Decision>> history() const
    {
        return detail::many<std::vector<Decision>>(64, [this](Decision *out, std::size_t size, std::size_t *count) {
            return playmat_env_history(get(), out, size, count);
        });
    }
    Result<int64_t> sample_action(int32_t player = playmat::current_player)
    {
        return detail::one<int64_t>([&](int64_t *out) { return playmat_env_sample_action(get(), player, out); });
    }
    Result<std::vector<uint8_t>> save() const
    {
        return detail::many<std::vector<uint8_t>>(4096, [this](uint8_t *out, std::size_t size, std::size_t *needed) {
            return playmat_env_save(get(), out, size, needed);
        });
    }
    /// The state with which the history begins, for Game::load; empty if that is the deal of the seed.
    Result<std::vector<uint8_t>> start() const
    {
        return detail::many<std::vector<uint8_t>>(4096, [this](uint8_t *out, std::size_t size, std::size_t *needed) {
            return playmat_env_start(get(), out, size, needed);
        });
    }
    Result<std::string> to_json(int32_t viewer = view_all) const { return text_for(viewer, playmat_env_to_json); }
    /// The events of the last step, before the first step those of the deal, as JSON.
    Result<std::string> events(int32_t viewer = view_all) const { return text_for(viewer, playmat_env_events); }
    /// The key of a player's information state: the low and the high 64 bits.
    Result<std::array<uint64_t, 2>> information_state_key(int32_t player = playmat::current_player) const
    {
        return detail::one<std::array<uint64_t, 2>>([&](std::array<uint64_t, 2> *out) {
            return playmat_env_information_state_key(get(), player, out->data(), out->size());
        });
    }
    /// A player's information state, as JSON.
    Result<std::string> information_state(int32_t player = playmat::current_player) const
    {
        return text_for(player, playmat_env_information_state);
    }
    Result<std::string> draw_text(int32_t viewer = view_all) const { return text_for(viewer, playmat_env_draw_text); }
    Result<std::string> draw_svg(int32_t viewer = view_all) const { return text_for(viewer, playmat_env_draw_svg); }
    /// A PNG image; width 0 is the default.
    Result<std::vector<uint8_t>> draw_png(int32_t viewer = view_all, uint32_t width = 0) const
    {
        return detail::many<std::vector<uint8_t>>(std::size_t{1} << 18, [&](uint8_t *out, std::size_t size, std::size_t *needed) {
            return playmat_env_draw_png(get(), viewer, width, out, size, needed);
        });
    }
    /// Red, green and blue of each pixel, row by row; `size` receives width and height.
    Result<std::vector<uint8_t>> draw_rgb(PictureSize &size, int32_t viewer = view_all, uint32_t width = 0) const
    {
        return detail::many<std::vector<uint8_t>>(std::size_t{1} << 20, [&](uint8_t *out, std::size_t room, std::size_t *needed) {
            return playmat_env_draw_rgb(get(), viewer, width, out, room, needed, &size);
        });
    }
    Result<std::string> replay() const
    {
        return detail::text([this](char *out, std::size_t size, std::size_t *needed) { return playmat_env_replay(get(), out, size, needed); }, 8192);
    }
    Result<std::string> validate() const
    {
        return detail::text([this](char *out, std::size_t size, std::size_t *needed) { return playmat_env_validate(get(), out, size, needed); });
    }
    Result<std::string> action_text(int64_t action, int32_t player = playmat::current_player) const
    {
        return detail::text([&](char *out, std::size_t size, std::size_t *needed) {
            return playmat_env_action_text(get(), player, action, out, size, needed);
        });
    }
    /// What a legal action would do, as far as the player knows; empty if it needs no explanation or is not legal now.
    Result<std::string> action_help(int64_t action, int32_t player = playmat::current_player) const
    {
        return detail::text([&](char *out, std::size_t size, std::size_t *needed) {
            return playmat_env_action_help(get(), player, action, out, size, needed);
        });
    }
    Result<int64_t> parse_action(std::string_view text, int32_t player = playmat::current_player) const
    {
        return detail::one<int64_t>([&](int64_t *out) { return playmat_env_parse_action(get(), player, text.data(), text.size(), out); });
    }
    const GameInfo &info() const noexcept { return info_; }
    PlaymatEnv *get() const noexcept { return handle_.get(); }

private:
    friend class Game;
    Env(PlaymatEnv *handle, const GameInfo &info) : handle_(handle), info_(info) {}
    template <class F>
    static Result<Env> make(F call, const GameInfo &info)
    {
        PlaymatEnv *out = nullptr;
        const PlaymatStatus status = call(&out);
        if (status == PLAYMAT_STATUS_OK)
            return Env(out, info);
        return Error::last(status);
    }
    template <class F>
    Result<std::string> text_for(int32_t viewer, F function) const
    {
        return detail::text([&](char *out, std::size_t size, std::size_t *needed) { return function(get(), viewer, out, size, needed); }, 8192);
    }
    detail::Handle<PlaymatEnv, playmat_env_destroy> handle_;
    GameInfo info_;
};

/// What the search of an agent found out about a decision. The lists have one entry for each legal action.
struct SearchStatistics {
    /// The action that was chosen: with temperature 0 the most visited one.
    int64_t action = 0;
    /// The player that decided.
    int32_t player = 0;
    /// Simulations of this search; 0 where one action was legal, which is not searched.
    std::size_t simulations = 0;
    /// Visits in the trees that were kept from earlier decisions. With `simulations` they are the sum of `visits`.
    std::size_t kept_visits = 0;
    /// Nodes in all trees, those kept from earlier decisions included.
    std::size_t nodes = 0;
    /// The player's mean return in all visits, 0 without visits.
    float value = 0;
    /// All legal actions, ascending.
    std::vector<int64_t> actions;
    /// Simulations that chose the action, also those of earlier searches that came through this decision.
    std::vector<uint32_t> visits;
    /// Its share in the priors, which sum to 1.
    std::vector<float> prior;
    /// The player's mean return in its visits, 0 without visits.
    std::vector<float> mean_return;
};

/// What the searches of an agent found out about the decisions of a batch; R rows (those of the action mask), A actions. A row is 0 where the
/// decision was not searched.
struct BatchStatistics {
    /// [R, A] simulations that chose the action, also those of earlier searches that came through the decision.
    std::vector<int32_t> visits;
    /// [R, A] the player's mean return in them, 0 without visits.
    std::vector<float> mean_return;
    /// [R, A] the action's share in the priors, which sum to 1 over the legal actions.
    std::vector<float> prior;
    /// [R] the player's mean return in all visits.
    std::vector<float> value;
    /// [R] simulations of the last search.
    std::vector<int32_t> simulations;
};

/// What a network says about a decision, or with rows about all decisions of a batch.
struct Evaluation {
    /// [A], in a batch [R, A]: the probability of each action, 0 for illegal ones.
    std::vector<float> policy;
    /// [1], in a batch [R]: the return that the network expects for the player, in the units of the game's rewards.
    std::vector<float> value;
};

/// An agent of one game: it chooses actions. Made by Game::agent.
class Agent {
public:
    /// Its spec.
    Result<std::string> name() const
    {
        return detail::text([this](char *out, std::size_t size, std::size_t *needed) { return playmat_agent_name(get(), out, size, needed); }, 64);
    }
    /// The action that it chooses for an acting player; the environment does not step. `stop` ends a search with
    /// PLAYMAT_STATUS_CANCELLED.
    Result<int64_t> act(Env &env, int32_t player = current_player, StopToken stop = {}) const
    {
        return detail::one<int64_t>([&](int64_t *out) { return playmat_agent_act(get(), env.get(), player, stop.get(), out); });
    }
    /// The policy and the value of a network ("policy.onnx") for an acting player; nothing is drawn or stepped.
    Result<Evaluation> evaluate(Env &env, int32_t player = current_player) const
    {
        Evaluation out;
        out.policy.resize(env.info().num_actions);
        out.value.resize(1);
        const PlaymatStatus status =
            playmat_agent_evaluate(get(), env.get(), player, out.policy.data(), out.policy.size(), out.value.data());
        if (status == PLAYMAT_STATUS_OK)
            return out;
        return Error::last(status);
    }
    /// What its search found out when it last chose for a player in this episode with `act`, also after later steps and at the end.
    /// `current_player` is after the end the player who acted last.
    Result<SearchStatistics> statistics(Env &env, int32_t player = current_player) const
    {
        PlaymatSearchStatistics all{};
        PlaymatStatus status = playmat_agent_statistics(get(), env.get(), player, &all, sizeof all);
        if (status != PLAYMAT_STATUS_OK)
            return Error::last(status);
        SearchStatistics out;
        out.action = all.action;
        out.player = all.player;
        out.simulations = all.simulations;
        out.kept_visits = all.kept_visits;
        out.nodes = all.nodes;
        out.value = all.value;
        out.actions.resize(all.actions);
        out.visits.resize(all.actions);
        out.prior.resize(all.actions);
        out.mean_return.resize(all.actions);
        status = playmat_agent_action_statistics(get(), env.get(), player, out.actions.data(), all.actions, out.visits.data(), all.actions,
                                                 out.prior.data(), all.actions, out.mean_return.data(), all.actions);
        if (status != PLAYMAT_STATUS_OK)
            return Error::last(status);
        return out;
    }
    /// Its action for every row of the action mask, 0 for rows without legal actions. With `mask`, one byte per environment, nothing is
    /// computed where it is 0, and -1 written.
    Result<void> act_batch(VecEnv &venv, Span<int64_t> out, Span<const uint8_t> mask = {}, StopToken stop = {}) const;
    /// The policy and the values of a network in every row of the action mask; rows without legal actions are 0.
    Result<Evaluation> evaluate_batch(VecEnv &venv) const;
    /// What its searches found out about the decisions that act_batch() chose last: call it before the step.
    Result<BatchStatistics> statistics_batch(VecEnv &venv) const;
    PlaymatAgent *get() const noexcept { return handle_.get(); }

private:
    friend class Game;
    explicit Agent(PlaymatAgent *handle) : handle_(handle) {}
    detail::Handle<PlaymatAgent, playmat_agent_destroy> handle_;
};

inline Result<Agent> Game::agent(std::string_view spec) const
{
    PlaymatAgent *out = nullptr;
    const PlaymatStatus status = playmat_agent_create(get(), spec.data(), spec.size(), &out);
    if (status == PLAYMAT_STATUS_OK)
        return Agent(out);
    return Error::last(status);
}

inline Result<Env> Game::env(uint64_t seed) const
{
    return Env::make([&](PlaymatEnv **out) { return playmat_env_create(get(), seed, out); }, info_);
}

inline Result<Env> Game::load(Span<const uint8_t> bytes) const
{
    return Env::make([&](PlaymatEnv **out) { return playmat_env_load(get(), bytes.data(), bytes.size(), out); }, info_);
}

inline Result<Env> Game::load(Span<const uint8_t> bytes, Span<const uint8_t> start, Span<const Decision> history) const
{
    return Env::make(
        [&](PlaymatEnv **out) {
            return playmat_env_load_with_history(get(), bytes.data(), bytes.size(), start.data(), start.size(), history.data(), history.size(), out);
        },
        info_);
}

inline Result<Env> Game::from_json(std::string_view json, uint64_t seed) const
{
    return Env::make([&](PlaymatEnv **out) { return playmat_env_from_json(get(), json.data(), json.size(), seed, out); }, info_);
}

inline Result<Env> Game::env_of_replay(std::string_view replay, std::size_t decisions) const
{
    return Env::make([&](PlaymatEnv **out) { return playmat_env_from_replay(get(), replay.data(), replay.size(), decisions, out); }, info_);
}

} // namespace playmat

#include "playmat_vec.hpp" // IWYU pragma: export

#endif // PLAYMAT_HPP
