// playmat for C++17: owners of the handles of playmat.h, results without exceptions, spans.
//
// Game, Env, Bot and VecEnv are move-only and destroy what they own. Every call that can be refused returns a Result: look at it as a
// truth value, then take `*result` or `result.error()`. `result.value()` throws playmat::Exception where exceptions are compiled in and
// aborts where they are not. What each call does, needs and refuses is written at the function of the same name in playmat.h.
//
//     auto game = playmat::Game::create("graphia", R"({"players": 3})");
//     if (!game) { std::puts(game.error().message.c_str()); return 1; }
//     auto env = game->env(7);
//     while (env->current_player() >= 0) { ... env->step(action); }
//
// Header only; works with -fno-exceptions -fno-rtti, and from any number of files.
#ifndef PLAYMAT_HPP
#define PLAYMAT_HPP

#include "playmat.h"

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define PLAYMAT_HAS_EXCEPTIONS 1
#include <stdexcept>
#endif
#if defined(__has_include)
#if __has_include(<span>) && __cplusplus >= 202002L
#include <span>
#define PLAYMAT_HAS_SPAN 1
#endif
#endif

namespace playmat {

#ifdef PLAYMAT_HAS_SPAN
template <class T>
using Span = std::span<T>;
#else
/// Elements somewhere else: what std::span is in C++20.
template <class T>
class Span {
public:
    constexpr Span() noexcept = default;
    constexpr Span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <std::size_t N>
    constexpr Span(T (&array)[N]) noexcept : data_(array), size_(N) {}
    /// Anything with data() and size() whose elements fit: vectors, arrays, strings, other spans.
    template <class C, class = std::enable_if_t<std::is_convertible_v<
                           std::remove_pointer_t<decltype(std::declval<C &>().data())> (*)[], T (*)[]>>>
    constexpr Span(C &&from) noexcept : data_(from.data()), size_(from.size()) {}
    constexpr T *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr bool empty() const noexcept { return size_ == 0; }
    constexpr T *begin() const noexcept { return data_; }
    constexpr T *end() const noexcept { return data_ + size_; }
    constexpr T &operator[](std::size_t i) const noexcept { return data_[i]; }
    constexpr Span subspan(std::size_t from, std::size_t count) const noexcept { return {data_ + from, count}; }

private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};
#endif

using Status = PlaymatStatus;
using GameInfo = PlaymatGameInfo;
using Segment = PlaymatSegment;
using ActionRange = PlaymatActionRange;
using Episode = PlaymatEpisode;
using Decision = PlaymatDecision;
using Sizes = PlaymatSizes;

/// Whoever acts next; after the end whoever acted last.
constexpr int32_t current_player = PLAYMAT_CURRENT_PLAYER;
/// A viewer from whom nothing is hidden.
constexpr int32_t view_all = PLAYMAT_VIEW_ALL;
/// All decisions of a replay.
constexpr std::size_t all_decisions = PLAYMAT_ALL_DECISIONS;

/// Why a call was refused.
struct Error {
    Status status = PLAYMAT_STATUS_OK;
    std::string message;

    /// What this thread was refused last.
    static Error last(Status status) { return Error{status, playmat_error_message()}; }
    /// Stable name, such as "illegal_action".
    const char *name() const { return playmat_status_name(static_cast<int32_t>(status)); }
};

#ifdef PLAYMAT_HAS_EXCEPTIONS
/// What value() throws.
class Exception : public std::runtime_error {
public:
    explicit Exception(Error error) : std::runtime_error(error.message), status_(error.status) {}
    Status status() const noexcept { return status_; }

private:
    Status status_;
};
#endif

namespace detail {

[[noreturn]] inline void fail(const Error &error)
{
#ifdef PLAYMAT_HAS_EXCEPTIONS
    throw Exception(error);
#else
    static_cast<void>(error);
    std::abort();
#endif
}

template <class T, PlaymatStatus (*destroy)(T *)>
struct Deleter {
    void operator()(T *handle) const noexcept { static_cast<void>(destroy(handle)); }
};

template <class T, PlaymatStatus (*destroy)(T *)>
using Handle = std::unique_ptr<T, Deleter<T, destroy>>;

} // namespace detail

/// A value, or why there is none.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : value_(std::move(value)) {}
    Result(Error error) : error_(std::move(error)) {}
    explicit operator bool() const noexcept { return value_.has_value(); }
    bool ok() const noexcept { return value_.has_value(); }
    /// Only if there is a value.
    T &operator*() & noexcept { return *value_; }
    const T &operator*() const & noexcept { return *value_; }
    T &&operator*() && noexcept { return std::move(*value_); }
    T *operator->() noexcept { return &*value_; }
    const T *operator->() const noexcept { return &*value_; }
    /// The value; without one it throws, or aborts where exceptions are not compiled in.
    T &value() &
    {
        if (!value_)
            detail::fail(error_);
        return *value_;
    }
    T &&value() &&
    {
        if (!value_)
            detail::fail(error_);
        return std::move(*value_);
    }
    T value_or(T other) const { return value_ ? *value_ : std::move(other); }
    const Error &error() const noexcept { return error_; }
    Status status() const noexcept { return error_.status; }

private:
    std::optional<T> value_;
    Error error_;
};

/// Done, or why not.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}
    explicit operator bool() const noexcept { return ok(); }
    bool ok() const noexcept { return error_.status == PLAYMAT_STATUS_OK; }
    void value() const
    {
        if (!ok())
            detail::fail(error_);
    }
    const Error &error() const noexcept { return error_; }
    Status status() const noexcept { return error_.status; }

private:
    Error error_;
};

namespace detail {

inline Result<void> done(PlaymatStatus status)
{
    if (status == PLAYMAT_STATUS_OK)
        return {};
    return Error::last(status);
}

/// One number or struct that a call writes.
template <class T, class F>
Result<T> one(F call)
{
    T out{};
    const PlaymatStatus status = call(&out);
    if (status == PLAYMAT_STATUS_OK)
        return out;
    return Error::last(status);
}

/// Elements that a call writes; asked again with room enough if there was too little.
template <class C, class F>
Result<C> many(std::size_t room, F call)
{
    C out;
    for (;;) {
        out.resize(room);
        std::size_t needed = 0;
        const PlaymatStatus status = call(out.data(), out.size(), &needed);
        if (status == PLAYMAT_STATUS_OK) {
            out.resize(needed);
            return out;
        }
        if (status != PLAYMAT_STATUS_BUFFER_TOO_SMALL || needed <= room)
            return Error::last(status);
        room = needed;
    }
}

/// A text that a call writes.
template <class F>
Result<std::string> text(F call, std::size_t room = 1024)
{
    Result<std::string> out = many<std::string>(room, call);
    if (out)
        out->pop_back(); // its terminating zero
    return out;
}

/// An array with one entry per player.
template <class T, class F>
Result<std::vector<T>> per_player(std::size_t players, F call)
{
    std::vector<T> out(players);
    const PlaymatStatus status = call(out.data(), out.size());
    if (status == PLAYMAT_STATUS_OK)
        return out;
    return Error::last(status);
}

} // namespace detail

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

class Env;
class VecEnv;

/// A game with its options: immutable, used by any number of environments and threads at once.
class Game {
public:
    /// Options as JSON or TOML; content as TOML text or the name of a built-in one, empty for the default.
    static Result<Game> create(std::string_view name, std::string_view options = {}, std::string_view content = {})
    {
        PlaymatGame *out = nullptr;
        const char *text = content.empty() ? nullptr : content.data();
        const PlaymatStatus status = playmat_game_create(name.data(), name.size(), options.data(), options.size(), text, content.size(), &out);
        return own(status, out);
    }
    /// The game of a replay.
    static Result<Game> from_replay(std::string_view replay)
    {
        PlaymatGame *out = nullptr;
        const PlaymatStatus status = playmat_game_from_replay(replay.data(), replay.size(), &out);
        return own(status, out);
    }
    /// What is fixed, in numbers.
    const GameInfo &info() const noexcept { return info_; }
    /// Everything that is fixed, as JSON.
    Result<std::string> describe() const
    {
        return detail::text([this](char *out, std::size_t size, std::size_t *needed) { return playmat_game_describe(get(), out, size, needed); }, 16384);
    }
    Result<Segment> segment(std::size_t index) const
    {
        return detail::one<Segment>([&](Segment *out) { return playmat_game_segment(get(), index, out, sizeof *out); });
    }
    Result<ActionRange> action_range(std::size_t index) const
    {
        return detail::one<ActionRange>([&](ActionRange *out) { return playmat_game_action_range(get(), index, out, sizeof *out); });
    }
    Result<std::string> action_text(int64_t action) const
    {
        return detail::text([&](char *out, std::size_t size, std::size_t *needed) { return playmat_game_action_text(get(), action, out, size, needed); });
    }
    Result<int64_t> parse_action(std::string_view text) const
    {
        return detail::one<int64_t>([&](int64_t *out) { return playmat_game_parse_action(get(), text.data(), text.size(), out); });
    }
    Result<std::string> digest(uint64_t episodes = 20) const
    {
        return detail::text([&](char *out, std::size_t size, std::size_t *needed) { return playmat_game_digest(get(), episodes, out, size, needed); });
    }
    /// Bots by name with commas between them; JSON.
    Result<std::string> survey(uint64_t episodes, uint64_t seed, std::string_view bots) const
    {
        return detail::text(
            [&](char *out, std::size_t size, std::size_t *needed) {
                return playmat_game_survey(get(), episodes, seed, bots.data(), bots.size(), out, size, needed);
            },
            65536);
    }
    Result<Env> env(uint64_t seed) const;
    Result<Env> load(Span<const uint8_t> bytes) const;
    Result<Env> from_json(std::string_view json, uint64_t seed = 0) const;
    Result<Env> env_of_replay(std::string_view replay, std::size_t decisions = all_decisions) const;
    Result<VecEnv> vec_env(std::size_t num_envs, std::string_view config = {}) const;
    /// The handle, for calls of playmat.h.
    PlaymatGame *get() const noexcept { return handle_.get(); }

private:
    friend class Env;
    Game(PlaymatGame *handle, const GameInfo &info) : handle_(handle), info_(info) {}
    static Result<Game> own(PlaymatStatus status, PlaymatGame *out)
    {
        GameInfo info{};
        if (status == PLAYMAT_STATUS_OK)
            status = playmat_game_info(out, &info, sizeof info);
        if (status == PLAYMAT_STATUS_OK)
            return Game(out, info);
        return Error::last(status);
    }
    detail::Handle<PlaymatGame, playmat_game_destroy> handle_;
    GameInfo info_;
};

/// One episode that is being played. One thread at a time.
class Env {
public:
    Result<Env> clone() const
    {
        return make([this](PlaymatEnv **out) { return playmat_env_clone(get(), out); }, info_);
    }
    Result<Env> fork(uint64_t seed) const
    {
        return make([&](PlaymatEnv **out) { return playmat_env_fork(get(), seed, out); }, info_);
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
    int32_t current_player() const noexcept
    {
        int32_t player = -1;
        static_cast<void>(playmat_env_current_player(get(), &player));
        return player;
    }
    bool done() const noexcept { return current_player() < 0; }
    Result<void> step(int64_t action) { return detail::done(playmat_env_step(get(), action)); }
    Result<void> step(int32_t player, int64_t action) { return detail::done(playmat_env_step_player(get(), player, action)); }
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
    Result<std::string> to_json(int32_t viewer = view_all) const { return text_for(viewer, playmat_env_to_json); }
    Result<std::string> events(int32_t viewer = view_all) const { return text_for(viewer, playmat_env_events); }
    Result<std::string> draw_text(int32_t viewer = view_all) const { return text_for(viewer, playmat_env_draw_text); }
    Result<std::string> draw_svg(int32_t viewer = view_all) const { return text_for(viewer, playmat_env_draw_svg); }
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

/// A player inside the engine: "random" or "greedy".
class Bot {
public:
    static Result<Bot> create(std::string_view name)
    {
        PlaymatBot *out = nullptr;
        const PlaymatStatus status = playmat_bot_create(name.data(), name.size(), &out);
        if (status == PLAYMAT_STATUS_OK)
            return Bot(out);
        return Error::last(status);
    }
    Result<int64_t> action(Env &env, int32_t player = current_player) const
    {
        return detail::one<int64_t>([&](int64_t *out) { return playmat_bot_action(get(), env.get(), player, out); });
    }
    PlaymatBot *get() const noexcept { return handle_.get(); }

private:
    explicit Bot(PlaymatBot *handle) : handle_(handle) {}
    detail::Handle<PlaymatBot, playmat_bot_destroy> handle_;
};

/// Memory for the results of a batch, complete; shapes are written at PlaymatBuffers. Empty a vector before raw() to leave it out.
struct Batch {
    std::vector<uint8_t> obs, final_obs, action_mask, acting, terminated, truncated, final_mask, final_acting;
    std::vector<float> obs_f32, final_obs_f32, reward, episode_return;
    std::vector<int32_t> player, final_player, episode_length, opponent, final_opponent;
    std::vector<uint64_t> episode_seed, final_seed;
    std::vector<int64_t> drawn;

    /// Observations as floats or as bytes, as the environment is configured.
    explicit Batch(const Sizes &s, bool floats = false)
        : obs(floats ? 0 : s.envs * s.lanes * s.observation), final_obs(obs.size()), action_mask(s.envs * s.lanes * s.actions),
          acting(s.envs * s.players), terminated(s.envs), truncated(s.envs), final_mask(action_mask.size()), final_acting(s.envs * s.players),
          obs_f32(floats ? s.envs * s.lanes * s.observation : 0), final_obs_f32(obs_f32.size()), reward(s.envs * s.players),
          episode_return(reward.size()), player(s.envs), final_player(s.envs), episode_length(s.envs), opponent(s.envs * s.players),
          final_opponent(opponent.size()), episode_seed(s.envs), final_seed(s.envs), drawn(s.envs * s.lanes)
    {
    }

    /// The buffers as playmat.h takes them.
    PlaymatBuffers raw() noexcept
    {
        PlaymatBuffers b{};
        const auto give = [](auto &from, auto *&to, std::size_t &len) {
            to = from.empty() ? nullptr : from.data();
            len = from.size();
        };
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
        give(episode_return, b.episode_return, b.episode_return_len);
        give(episode_length, b.episode_length, b.episode_length_len);
        give(episode_seed, b.episode_seed, b.episode_seed_len);
        give(final_seed, b.final_seed, b.final_seed_len);
        give(opponent, b.opponent, b.opponent_len);
        give(final_opponent, b.final_opponent, b.final_opponent_len);
        give(drawn, b.drawn, b.drawn_len);
        give(final_acting, b.final_acting, b.final_acting_len);
        return b;
    }
};

/// Many episodes of one game, stepped together. One thread at a time. A batch that an asynchronous step writes stays alive until
/// step_wait() or the end of the environment.
class VecEnv {
public:
    const Sizes &sizes() const noexcept { return sizes_; }
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
    Result<void> step_async(Span<const int64_t> actions, Batch &out)
    {
        const PlaymatBuffers b = out.raw();
        return detail::done(playmat_vec_env_step_async(get(), actions.data(), actions.size(), &b, sizeof b));
    }
    Result<void> step_wait() { return detail::done(playmat_vec_env_step_wait(get())); }
    Result<void> show(Batch &out)
    {
        const PlaymatBuffers b = out.raw();
        return detail::done(playmat_vec_env_show(get(), &b, sizeof b));
    }
    Result<void> sample_actions(Span<int64_t> out)
    {
        return detail::done(playmat_vec_env_sample_actions(get(), out.data(), out.size()));
    }
    Result<uint8_t> take_drawn()
    {
        return detail::one<uint8_t>([this](uint8_t *out) { return playmat_vec_env_take_drawn(get(), out); });
    }
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
    Result<std::string> results() const
    {
        return detail::text([this](char *out, std::size_t size, std::size_t *needed) { return playmat_vec_env_results(get(), out, size, needed); });
    }
    /// The handle, for the other calls of playmat.h.
    PlaymatVecEnv *get() const noexcept { return handle_.get(); }

private:
    friend class Game;
    VecEnv(PlaymatVecEnv *handle, const Sizes &sizes) : handle_(handle), sizes_(sizes) {}
    detail::Handle<PlaymatVecEnv, playmat_vec_env_destroy> handle_;
    Sizes sizes_;
};

inline Result<Env> Game::env(uint64_t seed) const
{
    return Env::make([&](PlaymatEnv **out) { return playmat_env_create(get(), seed, out); }, info_);
}

inline Result<Env> Game::load(Span<const uint8_t> bytes) const
{
    return Env::make([&](PlaymatEnv **out) { return playmat_env_load(get(), bytes.data(), bytes.size(), out); }, info_);
}

inline Result<Env> Game::from_json(std::string_view json, uint64_t seed) const
{
    return Env::make([&](PlaymatEnv **out) { return playmat_env_from_json(get(), json.data(), json.size(), seed, out); }, info_);
}

inline Result<Env> Game::env_of_replay(std::string_view replay, std::size_t decisions) const
{
    return Env::make([&](PlaymatEnv **out) { return playmat_env_from_replay(get(), replay.data(), replay.size(), decisions, out); }, info_);
}

inline Result<VecEnv> Game::vec_env(std::size_t num_envs, std::string_view config) const
{
    PlaymatVecEnv *out = nullptr;
    Sizes sizes{};
    PlaymatStatus status = playmat_vec_env_create(get(), num_envs, config.data(), config.size(), &out);
    if (status == PLAYMAT_STATUS_OK)
        status = playmat_vec_env_sizes(out, &sizes, sizeof sizes);
    if (status == PLAYMAT_STATUS_OK)
        return VecEnv(out, sizes);
    return Error::last(status);
}

} // namespace playmat

#endif // PLAYMAT_HPP
