// playmat for C++17: batches of environments, rollouts, searches, advantages. A part of playmat.hpp, which is what programs include.
#ifndef PLAYMAT_VEC_HPP
#define PLAYMAT_VEC_HPP

#include "playmat.hpp"

namespace playmat {

namespace detail {

/// A vector as pointer and number of elements; an empty one skips this output.
template <class C, class T>
void give(C &from, T *&to, std::size_t &len) noexcept
{
    to = from.empty() ? nullptr : from.data();
    len = from.size();
}

/// A product of sizes; the largest size if it does not fit, which is more than any vector can hold.
constexpr std::size_t product(std::size_t a, std::size_t b) noexcept
{
    return b != 0 && a > static_cast<std::size_t>(-1) / b ? static_cast<std::size_t>(-1) : a * b;
}
template <class... More>
constexpr std::size_t product(std::size_t a, std::size_t b, More... more) noexcept
{
    return product(product(a, b), more...);
}

} // namespace detail

/// Memory for the outputs of a step or reset; PlaymatBuffers documents each. An empty vector skips this output.
struct Batch {
    std::vector<uint8_t> obs, final_obs, final_obs_all, action_mask, acting, terminated, truncated, final_mask, final_acting;
    std::vector<float> obs_f32, final_obs_f32, final_obs_all_f32, reward, episode_return, learner_reward;
    std::vector<int32_t> player, final_player, episode_length, opponent, final_opponent, learner;
    std::vector<uint64_t> episode_seed, final_seed;
    std::vector<int64_t> drawn;

    /// All vectors but `final_obs_all`; observations as floats for an environment with dtype "f32".
    explicit Batch(const Sizes &s, bool floats = false)
        : obs(floats ? 0 : s.num_envs * s.actions_per_env * s.observation_size), final_obs(obs.size()),
          action_mask(s.num_envs * s.actions_per_env * s.num_actions), acting(s.num_envs * s.num_players), terminated(s.num_envs),
          truncated(s.num_envs), final_mask(action_mask.size()), final_acting(acting.size()),
          obs_f32(floats ? s.num_envs * s.actions_per_env * s.observation_size : 0), final_obs_f32(obs_f32.size()),
          reward(s.num_envs * s.num_players), episode_return(reward.size()), learner_reward(s.num_envs), player(s.num_envs),
          final_player(s.num_envs), episode_length(s.num_envs), opponent(s.num_envs * s.num_players), final_opponent(opponent.size()),
          learner(s.num_envs), episode_seed(s.num_envs), final_seed(s.num_envs), drawn(s.num_envs * s.actions_per_env)
    {
    }

    /// The struct for calls of playmat.h.
    PlaymatBuffers raw() noexcept
    {
        using detail::give;
        PlaymatBuffers b{};
        give(final_obs_all, b.final_obs_all, b.final_obs_all_len);
        give(final_obs_all_f32, b.final_obs_all_f32, b.final_obs_all_f32_len);
        give(obs, b.obs, b.obs_len);
        give(obs_f32, b.obs_f32, b.obs_f32_len);
        give(final_obs, b.final_obs, b.final_obs_len);
        give(final_obs_f32, b.final_obs_f32, b.final_obs_f32_len);
        give(action_mask, b.action_mask, b.action_mask_len);
        give(player, b.player, b.player_len);
        give(acting, b.acting, b.acting_len);
        give(reward, b.reward, b.reward_len);
        give(terminated, b.terminated, b.terminated_len);
        give(truncated, b.truncated, b.truncated_len);
        give(final_player, b.final_player, b.final_player_len);
        give(final_mask, b.final_mask, b.final_mask_len);
        give(final_acting, b.final_acting, b.final_acting_len);
        give(episode_return, b.episode_return, b.episode_return_len);
        give(episode_length, b.episode_length, b.episode_length_len);
        give(episode_seed, b.episode_seed, b.episode_seed_len);
        give(final_seed, b.final_seed, b.final_seed_len);
        give(opponent, b.opponent, b.opponent_len);
        give(final_opponent, b.final_opponent, b.final_opponent_len);
        give(drawn, b.drawn, b.drawn_len);
        give(learner, b.learner, b.learner_len);
        give(learner_reward, b.learner_reward, b.learner_reward_len);
        return b;
    }
};

/// Memory for a rollout; PlaymatRollout documents each output. An empty vector skips this output.
struct Rollout {
    std::size_t steps;
    std::vector<uint8_t> obs, action_mask, terminated, truncated;
    std::vector<float> obs_f32, reward;
    std::vector<int32_t> player;
    std::vector<int64_t> action;

    /// All vectors, for `num_steps` steps. More than a vector can hold is std::length_error, as for every vector.
    Rollout(const Sizes &s, std::size_t num_steps, bool floats = false)
        : steps(num_steps), obs(floats ? 0 : detail::product(steps, s.num_envs, s.actions_per_env, s.observation_size)),
          action_mask(detail::product(steps, s.num_envs, s.actions_per_env, s.num_actions)), terminated(detail::product(steps, s.num_envs)),
          truncated(terminated.size()), obs_f32(floats ? detail::product(steps, s.num_envs, s.actions_per_env, s.observation_size) : 0),
          reward(detail::product(steps, s.num_envs, s.num_players)), player(terminated.size()),
          action(detail::product(steps, s.num_envs, s.actions_per_env))
    {
    }

    /// The struct for calls of playmat.h.
    PlaymatRollout raw() noexcept
    {
        using detail::give;
        PlaymatRollout r{};
        r.steps = steps;
        give(obs, r.obs, r.obs_len);
        give(obs_f32, r.obs_f32, r.obs_f32_len);
        give(action_mask, r.action_mask, r.action_mask_len);
        give(player, r.player, r.player_len);
        give(action, r.action, r.action_len);
        give(reward, r.reward, r.reward_len);
        give(terminated, r.terminated, r.terminated_len);
        give(truncated, r.truncated, r.truncated_len);
        return r;
    }
};

/// A step that VecEnv::step_async has started. It owns the Batch until the step has ended, so that the memory stays valid after early
/// returns and exceptions, and if environments or pending steps are moved, swapped or destroyed in any order. The destructor waits for the
/// step and discards the batch.
///
///     auto pending = venv.step_async(actions, std::move(batch));
///     ...                                            // other work
///     if (pending && pending->wait(batch)) ...       // batch is back, with the results if the step succeeded
class [[nodiscard]] PendingStep {
public:
    PendingStep(PendingStep &&other) noexcept
        : venv_(std::exchange(other.venv_, nullptr)), batch_(std::exchange(other.batch_, std::nullopt))
    {
    }
    PendingStep &operator=(PendingStep &&other) noexcept
    {
        if (this != &other) {
            finish();
            venv_ = std::exchange(other.venv_, nullptr);
            batch_ = std::exchange(other.batch_, std::nullopt);
        }
        return *this;
    }
    ~PendingStep() { finish(); }
    /// Waits for the end of the step and returns the batch, also if the step was refused or the environment was destroyed. A second wait
    /// is refused.
    Result<void> wait(Batch &out)
    {
        const Result<void> ended = detail::done(finish());
        if (batch_) {
            out = std::move(*batch_);
            batch_.reset();
        }
        return ended;
    }
    /// Whether there is a step to wait for.
    bool valid() const noexcept { return venv_ != nullptr; }

private:
    friend class VecEnv;
    PendingStep(PlaymatVecEnv *venv, Batch &&batch) noexcept : venv_(venv), batch_(std::move(batch)) {}
    /// After this nothing writes into the batch: the step was waited for, by this call, another one, or the environment's destructor.
    PlaymatStatus finish() noexcept
    {
        PlaymatVecEnv *const venv = std::exchange(venv_, nullptr);
        PlaymatStatus status;
        while ((status = playmat_vec_env_step_wait(venv)) == PLAYMAT_STATUS_HANDLE_IN_USE)
            std::this_thread::yield();
        return status;
    }
    PlaymatVecEnv *venv_;
    std::optional<Batch> batch_;
};

/// Many episodes of one game, stepped together. One thread at a time.
class VecEnv {
public:
    const Sizes &sizes() const noexcept { return sizes_; }
    Result<Game> game() const
    {
        PlaymatGame *out = nullptr;
        const PlaymatStatus status = playmat_vec_env_game(get(), &out);
        return Game::own(status, out);
    }
    /// The configuration, as JSON.
    Result<std::string> describe() const
    {
        return detail::text([this](char *out, std::size_t size, std::size_t *needed) { return playmat_vec_env_describe(get(), out, size, needed); });
    }
    Result<void> reset(Batch &out, Span<const uint8_t> mask = {})
    {
        const PlaymatBuffers b = out.raw();
        return detail::done(playmat_vec_env_reset(get(), mask.data(), mask.size(), &b, sizeof b));
    }
    Result<void> reset(uint64_t seed, Batch &out, Span<const uint8_t> mask = {})
    {
        const PlaymatBuffers b = out.raw();
        return detail::done(playmat_vec_env_reset_seed(get(), seed, mask.data(), mask.size(), &b, sizeof b));
    }
    Result<void> reset(Span<const uint64_t> seeds, Batch &out, Span<const uint8_t> mask = {})
    {
        const PlaymatBuffers b = out.raw();
        return detail::done(playmat_vec_env_reset_seeds(get(), seeds.data(), seeds.size(), mask.data(), mask.size(), &b, sizeof b));
    }
    /// Resets to saved states, one per environment: of Env::save() or state(). The episodes continue with the saved random stream of
    /// chance; a search that must not look ahead passes states of Env::clone(seed) or Env::sample_hidden().
    Result<void> reset_states(Span<const std::vector<uint8_t>> states, Batch &out, Span<const uint8_t> mask = {})
    {
        std::vector<const uint8_t *> starts;
        std::vector<std::size_t> lengths;
        for (const std::vector<uint8_t> &state : states) {
            starts.push_back(state.data());
            lengths.push_back(state.size());
        }
        const PlaymatBuffers b = out.raw();
        return detail::done(playmat_vec_env_reset_states(get(), starts.data(), lengths.data(), starts.size(), mask.data(), mask.size(), &b, sizeof b));
    }
    Result<void> step(Span<const int64_t> actions, Batch &out)
    {
        const PlaymatBuffers b = out.raw();
        return detail::done(playmat_vec_env_step(get(), actions.data(), actions.size(), &b, sizeof b));
    }
    Result<void> step(Span<const int32_t> actions, Batch &out)
    {
        const PlaymatBuffers b = out.raw();
        return detail::done(playmat_vec_env_step_i32(get(), actions.data(), actions.size(), &b, sizeof b));
    }
    /// Starts a step on another thread; the actions are copied. The returned PendingStep owns the batch until its wait(). If the start is
    /// refused, the batch stays yours.
    Result<PendingStep> step_async(Span<const int64_t> actions, Batch &&out)
    {
        const PlaymatBuffers b = out.raw();
        const PlaymatStatus status = playmat_vec_env_step_async(get(), actions.data(), actions.size(), &b, sizeof b);
        if (status == PLAYMAT_STATUS_OK)
            return PendingStep(get(), std::move(out));
        return Error::last(status);
    }
    Result<void> show(Batch &out)
    {
        const PlaymatBuffers b = out.raw();
        return detail::done(playmat_vec_env_show(get(), &b, sizeof b));
    }
    Result<void> sample_actions(Span<int64_t> out)
    {
        return detail::done(playmat_vec_env_sample_actions(get(), out.data(), out.size()));
    }
    /// Takes the actions in Batch::drawn of the last step, which sample_actions() would draw now; if false, call that.
    Result<bool> take_drawn()
    {
        return truth([this](uint8_t *out) { return playmat_vec_env_take_drawn(get(), out); });
    }
    /// Whether an asynchronous step was started and not waited for.
    Result<bool> is_pending() const
    {
        return truth([this](uint8_t *out) { return playmat_vec_env_is_pending(get(), out); });
    }
    /// Wakes sleeping worker threads before a step.
    Result<void> prepare() { return detail::done(playmat_vec_env_prepare(get())); }
    /// Plays `out.steps` steps, at least 1, with the agent of a spec for all players of the caller.
    Result<void> rollout(std::string_view agent, Rollout &out)
    {
        const PlaymatRollout r = out.raw();
        return detail::done(playmat_vec_env_rollout(get(), agent.data(), agent.size(), &r, sizeof r, nullptr, 0));
    }
    /// Also writes the batch after them.
    Result<void> rollout(std::string_view agent, Rollout &out, Batch &last)
    {
        const PlaymatRollout r = out.raw();
        const PlaymatBuffers b = last.raw();
        return detail::done(playmat_vec_env_rollout(get(), agent.data(), agent.size(), &r, sizeof r, &b, sizeof b));
    }
    /// Observations of one player in every environment, acting or not: [N, O].
    Result<void> observe(int32_t player, Span<uint8_t> out)
    {
        return detail::done(playmat_vec_env_observe(get(), player, out.data(), out.size()));
    }
    Result<void> observe(int32_t player, Span<float> out)
    {
        return detail::done(playmat_vec_env_observe_f32(get(), player, out.data(), out.size()));
    }
    /// Observations of all players in every environment: [N, P, O].
    Result<void> observe_all(Span<uint8_t> out) { return detail::done(playmat_vec_env_observe_all(get(), out.data(), out.size())); }
    Result<void> observe_all(Span<float> out) { return detail::done(playmat_vec_env_observe_all_f32(get(), out.data(), out.size())); }
    Result<VecEpisode> episode(std::size_t env) const
    {
        return detail::one<VecEpisode>([&](VecEpisode *out) { return playmat_vec_env_episode(get(), env, out, sizeof *out); });
    }
    /// Adds the agent of a spec; returns its index.
    Result<std::size_t> add_opponent(std::string_view agent, double weight = 1.0)
    {
        return detail::one<std::size_t>([&](std::size_t *out) {
            return playmat_vec_env_add_opponent(get(), agent.data(), agent.size(), weight, out);
        });
    }
    Result<void> set_weights(Span<const double> weights)
    {
        return detail::done(playmat_vec_env_set_weights(get(), weights.data(), weights.size()));
    }
    Result<void> reset_results() { return detail::done(playmat_vec_env_reset_results(get())); }
    Result<std::vector<uint8_t>> state(std::size_t env) const
    {
        return detail::many<std::vector<uint8_t>>(4096, [&](uint8_t *out, std::size_t size, std::size_t *needed) {
            return playmat_vec_env_state(get(), env, out, size, needed);
        });
    }
    Result<std::vector<uint8_t>> save() const
    {
        return detail::many<std::vector<uint8_t>>(65536, [this](uint8_t *out, std::size_t size, std::size_t *needed) {
            return playmat_vec_env_save(get(), out, size, needed);
        });
    }
    Result<void> load(Span<const uint8_t> bytes) { return detail::done(playmat_vec_env_load(get(), bytes.data(), bytes.size())); }
    /// Results in all and by opponent, as JSON. INVALID_ARGUMENT if no opponents play: then nothing is counted.
    Result<std::string> results() const
    {
        return detail::text([this](char *out, std::size_t size, std::size_t *needed) { return playmat_vec_env_results(get(), out, size, needed); });
    }
    /// The handle, for the other calls of playmat.h.
    PlaymatVecEnv *get() const noexcept { return handle_.get(); }

private:
    friend class Game;
    template <class F>
    static Result<bool> truth(F call)
    {
        const Result<uint8_t> found = detail::one<uint8_t>(call);
        if (found)
            return *found != 0;
        return found.error();
    }
    VecEnv(PlaymatVecEnv *handle, const Sizes &sizes) : handle_(handle), sizes_(sizes) {}
    detail::Handle<PlaymatVecEnv, playmat_vec_env_destroy> handle_;
    Sizes sizes_;
};

inline Result<void> Agent::act_batch(VecEnv &venv, Span<int64_t> out, Span<const uint8_t> mask, StopToken stop) const
{
    const uint8_t *chosen = mask.size() ? mask.data() : nullptr;
    return detail::done(playmat_agent_act_batch(get(), venv.get(), chosen, mask.size(), stop.get(), out.data(), out.size()));
}

inline Result<Evaluation> Agent::evaluate_batch(VecEnv &venv) const
{
    const Sizes &sizes = venv.sizes();
    const std::size_t rows = sizes.num_envs * sizes.actions_per_env, all = rows * sizes.num_actions;
    Evaluation out;
    out.policy.resize(all);
    out.value.resize(rows);
    const PlaymatStatus status =
        playmat_agent_evaluate_batch(get(), venv.get(), out.policy.data(), all, out.value.data(), rows);
    if (status == PLAYMAT_STATUS_OK)
        return out;
    return Error::last(status);
}

inline Result<BatchStatistics> Agent::statistics_batch(VecEnv &venv) const
{
    const Sizes &sizes = venv.sizes();
    const std::size_t rows = sizes.num_envs * sizes.actions_per_env, all = rows * sizes.num_actions;
    BatchStatistics out;
    out.visits.resize(all);
    out.mean_return.resize(all);
    out.prior.resize(all);
    out.value.resize(rows);
    out.simulations.resize(rows);
    const PlaymatStatus status =
        playmat_agent_statistics_batch(get(), venv.get(), out.visits.data(), all, out.mean_return.data(), all, out.prior.data(), all,
                                       out.value.data(), rows, out.simulations.data(), rows);
    if (status == PLAYMAT_STATUS_OK)
        return out;
    return Error::last(status);
}

/// Memory for the rows that Search::collect() writes; PlaymatLeaves documents each output. An empty vector skips this output.
struct Leaves {
    std::size_t rows;
    std::vector<uint8_t> obs, action_mask;
    std::vector<float> obs_f32;
    std::vector<int32_t> player, search;
    /// For networks that read the greedy agent's action; empty until you resize it to `rows`.
    std::vector<int64_t> greedy;

    /// With room for the leaves of `searches` searches (0: of all); observations as bytes or as floats. More than a vector can hold is
    /// std::length_error, as for every vector.
    explicit Leaves(const SearchSizes &s, bool floats = false, std::size_t searches = 0)
        : rows(detail::product(searches == 0 ? s.rows : searches, s.leaves, s.leaf_rows)),
          obs(floats ? 0 : detail::product(rows, s.observation_size)), action_mask(detail::product(rows, s.num_actions)),
          obs_f32(floats ? detail::product(rows, s.observation_size) : 0), player(rows), search(rows)
    {
    }

    /// The struct for calls of playmat.h.
    PlaymatLeaves raw() noexcept
    {
        using detail::give;
        PlaymatLeaves l{};
        l.rows = rows;
        give(obs, l.obs, l.obs_len);
        give(obs_f32, l.obs_f32, l.obs_f32_len);
        give(action_mask, l.action_mask, l.action_mask_len);
        give(player, l.player, l.player_len);
        give(search, l.search, l.search_len);
        give(greedy, l.greedy, l.greedy_len);
        return l;
    }
};

/// Tree searches, one per row, whose network the caller evaluates: AlphaZero with any library. One thread at a time.
///
///     playmat::Leaves leaves(search.sizes());
///     search.start(0, env);                                 // or start(venv), which fills all rows
///     while (auto count = search.collect(leaves)) {
///         if (*count == 0)
///             break;
///         ...                                               // logits and values of the first *count rows of leaves.obs
///         search.feed(logits, values);
///     }
///     search.actions(actions);
class Search {
public:
    const SearchSizes &sizes() const noexcept { return sizes_; }
    /// Its spec.
    Result<std::string> name() const
    {
        return detail::text([this](char *out, std::size_t size, std::size_t *needed) { return playmat_search_name(get(), out, size, needed); }, 64);
    }
    /// Begins a search in a row, for an acting player. `keep`: with the player's tree, if the row has searched this episode before.
    Result<void> start(std::size_t row, Env &env, int32_t player = current_player, bool keep = true)
    {
        return detail::done(playmat_search_start(get(), row, env.get(), player, keep ? 1 : 0));
    }
    /// Begins a search in every row, for the rows of the batch's action mask; with `mask`, a byte per environment, only where it is not 0.
    Result<void> start(VecEnv &venv, bool keep = true, Span<const uint8_t> mask = {})
    {
        const uint8_t *chosen = mask.size() ? mask.data() : nullptr;
        return detail::done(playmat_search_start_batch(get(), venv.get(), chosen, mask.size(), keep ? 1 : 0));
    }
    /// Ends the search of a row without result.
    Result<void> stop(std::size_t row) { return detail::done(playmat_search_stop(get(), row)); }
    /// Writes the positions that the network must evaluate and returns their number, 0 when all searches are done. With several threads, rows
    /// after them may be overwritten.
    Result<std::size_t> collect(Leaves &out, StopToken stop = {})
    {
        const PlaymatLeaves l = out.raw();
        return detail::one<std::size_t>([&](std::size_t *count) { return playmat_search_collect(get(), &l, sizeof l, stop.get(), count); });
    }
    /// Number of rows that were collected and not yet fed.
    Result<std::size_t> waiting() const
    {
        return detail::one<std::size_t>([this](std::size_t *out) { return playmat_search_waiting(get(), out); });
    }
    /// Takes logits [n, A] and values [n] of the n rows that were collected last.
    Result<void> feed(Span<const float> logits, Span<const float> values)
    {
        return detail::done(playmat_search_feed(get(), logits.data(), logits.size(), values.data(), values.size()));
    }
    /// The share of each action in the simulations: [rows, A].
    Result<void> policy(Span<float> out) { return detail::done(playmat_search_policy(get(), out.data(), out.size())); }
    /// The mean return of the searching player: [rows].
    Result<void> values(Span<float> out) { return detail::done(playmat_search_values(get(), out.data(), out.size())); }
    /// How many simulations chose each action, those of earlier searches included: [rows, A]; 0 for a single legal action.
    Result<void> visits(Span<int32_t> out) { return detail::done(playmat_search_visits(get(), out.data(), out.size())); }
    /// The mean return of the searching player in the simulations that chose each action: [rows, A].
    Result<void> mean_returns(Span<float> out) { return detail::done(playmat_search_mean_returns(get(), out.data(), out.size())); }
    /// The prior of each action at the root, with the noise: [rows, A].
    Result<void> priors(Span<float> out) { return detail::done(playmat_search_priors(get(), out.data(), out.size())); }
    /// An action for every row: with temperature 0 the most visited one, otherwise drawn by visits; without it as the spec says, its
    /// `temperature_drop` included.
    Result<void> actions(Span<int64_t> out, float temperature = PLAYMAT_SPEC_TEMPERATURE)
    {
        return detail::done(playmat_search_actions(get(), temperature, out.data(), out.size()));
    }
    /// The handle, for the other calls of playmat.h.
    PlaymatSearch *get() const noexcept { return handle_.get(); }

private:
    friend class Game;
    Search(PlaymatSearch *handle, const SearchSizes &sizes) : handle_(handle), sizes_(sizes) {}
    detail::Handle<PlaymatSearch, playmat_search_destroy> handle_;
    SearchSizes sizes_;
};

inline Result<Search> Game::search(std::string_view spec, std::size_t rows, std::size_t leaves) const
{
    PlaymatSearch *out = nullptr;
    PlaymatStatus status = playmat_search_create(get(), spec.data(), spec.size(), rows, leaves, &out);
    if (status != PLAYMAT_STATUS_OK)
        return Error::last(status);
    Search search(out, SearchSizes{});
    status = playmat_search_sizes(out, &search.sizes_, sizeof search.sizes_);
    if (status != PLAYMAT_STATUS_OK)
        return Error::last(status);
    return search;
}

inline Result<VecEnv> Game::vec_env(std::size_t num_envs, std::string_view config) const
{
    PlaymatVecEnv *out = nullptr;
    PlaymatStatus status = playmat_vec_env_create(get(), num_envs, config.data(), config.size(), &out);
    if (status != PLAYMAT_STATUS_OK)
        return Error::last(status);
    VecEnv venv(out, Sizes{});
    status = playmat_vec_env_sizes(out, &venv.sizes_, sizeof venv.sizes_);
    if (status != PLAYMAT_STATUS_OK)
        return Error::last(status);
    return venv;
}

/// T steps of N environments with P players in the turn view; PlaymatTrajectories documents each array.
struct Trajectories {
    std::size_t steps = 0, num_envs = 0, num_players = 0;
    Span<const float> reward, value;
    Span<const int32_t> player;
    Span<const uint8_t> terminated, truncated;
    Span<const float> next_value, final_value;
    float gamma = 0.99f, gae_lambda = 0.95f;
};

/// Generalized advantage estimation for any number of players: [T, N] each. A row with both flags set is terminated.
inline Result<void> gae(const Trajectories &t, Span<float> advantages, Span<float> returns)
{
    using detail::give;
    PlaymatTrajectories raw{};
    raw.steps = t.steps;
    raw.num_envs = t.num_envs;
    raw.num_players = t.num_players;
    give(t.reward, raw.reward, raw.reward_len);
    give(t.value, raw.value, raw.value_len);
    give(t.player, raw.player, raw.player_len);
    give(t.terminated, raw.terminated, raw.terminated_len);
    give(t.truncated, raw.truncated, raw.truncated_len);
    give(t.next_value, raw.next_value, raw.next_value_len);
    give(t.final_value, raw.final_value, raw.final_value_len);
    raw.gamma = t.gamma;
    raw.gae_lambda = t.gae_lambda;
    return detail::done(playmat_gae(&raw, sizeof raw, advantages.data(), advantages.size(), returns.data(), returns.size()));
}

} // namespace playmat

#endif // PLAYMAT_VEC_HPP
