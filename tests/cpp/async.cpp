// async CASE: asynchronous steps whose owners go away in every order; nothing may be written into memory that was freed. Without an
// argument it prints all cases. The case `unguarded`, which is not among them, does what the wrapper makes impossible: tools must see it.
#include <playmat.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <vector>

#define CHECK(condition)                                                                             \
    do {                                                                                             \
        if (!(condition)) {                                                                          \
            std::printf("%s:%d: %s is false; last message: %s\n", __FILE__, __LINE__, #condition,    \
                        playmat_error_message());                                                    \
            std::exit(1);                                                                            \
        }                                                                                            \
    } while (0)

using playmat::Batch;
using playmat::PendingStep;
using playmat::VecEnv;

static_assert(!std::is_copy_constructible_v<PendingStep> && !std::is_copy_assignable_v<PendingStep>);
static_assert(std::is_nothrow_move_constructible_v<PendingStep> && std::is_nothrow_move_assignable_v<PendingStep>);
static_assert(std::is_nothrow_move_constructible_v<Batch>, "between the start of a step and its owner nothing may throw");

// A batch that stays with the caller is not taken.
template <class B, class = void>
struct Takes : std::false_type {};
template <class B>
struct Takes<B, std::void_t<decltype(std::declval<VecEnv &>().step_async(std::declval<const std::vector<int64_t> &>(), std::declval<B>()))>>
    : std::true_type {};
static_assert(Takes<Batch>::value && !Takes<Batch &>::value && !Takes<const Batch &>::value);

// Enough environments that a step takes longer than what its owners do meanwhile.
static const std::size_t envs = 4096;

static playmat::Game new_game()
{
    return playmat::Game::create("connect_four").value();
}

static VecEnv new_env(const playmat::Game &game)
{
    return game.vec_env(envs, "threads = 2").value();
}

static std::vector<int64_t> first_actions(VecEnv &venv, Batch &batch)
{
    std::vector<int64_t> actions(envs);
    CHECK(venv.reset(1, batch) && venv.sample_actions(actions));
    return actions;
}

// What a synchronous step gives.
static Batch expected()
{
    auto game = new_game();
    auto venv = new_env(game);
    Batch batch(venv.sizes());
    const auto actions = first_actions(venv, batch);
    CHECK(venv.step(actions, batch));
    return batch;
}

static bool same(const Batch &a, const Batch &b)
{
    return a.obs == b.obs && a.action_mask == b.action_mask && a.player == b.player && a.reward == b.reward && !a.obs.empty();
}

// In the order of declarations of docs/c.md, where the batch goes before the environment.
static void early_return()
{
    auto game = new_game();
    auto venv = new_env(game);
    Batch batch(venv.sizes());
    const auto actions = first_actions(venv, batch);
    auto pending = venv.step_async(actions, std::move(batch));
    if (pending)
        return;
    CHECK(pending->wait(batch));
}

static void thrown()
{
    try {
        auto game = new_game();
        auto venv = new_env(game);
        Batch batch(venv.sizes());
        const auto actions = first_actions(venv, batch);
        auto pending = venv.step_async(actions, std::move(batch));
        CHECK(pending.ok());
        throw std::runtime_error("meanwhile");
    } catch (const std::runtime_error &) {
    }
}

static void discarded()
{
    auto game = new_game();
    auto venv = new_env(game);
    Batch batch(venv.sizes());
    const auto actions = first_actions(venv, batch);
    static_cast<void>(venv.step_async(actions, std::move(batch)));
    CHECK(!venv.is_pending().value() && venv.step(actions, batch).status() != PLAYMAT_STATUS_ORDER);
}

static void env_first()
{
    auto game = new_game();
    auto venv = std::make_unique<VecEnv>(new_env(game));
    Batch batch(venv->sizes());
    const auto actions = first_actions(*venv, batch);
    auto pending = venv->step_async(actions, std::move(batch)).value();
    venv.reset();
    CHECK(pending.wait(batch).status() == PLAYMAT_STATUS_INVALID_HANDLE);
    // The environment has waited: the memory is whole and back.
    CHECK(batch.obs == expected().obs);
}

// Whoever holds the pending step holds the batch: it may leave the scope of everything else.
static void outlives()
{
    std::unique_ptr<PendingStep> kept;
    {
        auto game = new_game();
        auto venv = new_env(game);
        Batch batch(venv.sizes());
        const auto actions = first_actions(venv, batch);
        kept = std::make_unique<PendingStep>(venv.step_async(actions, std::move(batch)).value());
    }
    CHECK(kept->valid());
}

static void moved()
{
    auto game = new_game();
    auto venv = new_env(game);
    Batch batch(venv.sizes());
    const auto actions = first_actions(venv, batch);
    auto pending = venv.step_async(actions, std::move(batch)).value();
    VecEnv elsewhere = std::move(venv);
    PendingStep later = std::move(pending);
    CHECK(!pending.valid() && later.valid() && elsewhere.is_pending().value());
    Batch other(elsewhere.sizes());
    const uint8_t *const memory = other.obs.data();
    CHECK(pending.wait(other).status() == PLAYMAT_STATUS_INVALID_HANDLE && other.obs.data() == memory);
    CHECK(venv.step_async(actions, std::move(other)).status() == PLAYMAT_STATUS_INVALID_HANDLE && other.obs.data() == memory);
    CHECK(later.wait(batch) && same(batch, expected()) && !later.valid());
    CHECK(later.wait(other).status() == PLAYMAT_STATUS_INVALID_HANDLE && other.obs.data() == memory);
}

static void swapped()
{
    auto game = new_game();
    auto one = new_env(game), two = new_env(game);
    Batch a(one.sizes()), b(two.sizes());
    const auto actions = first_actions(one, a);
    CHECK(first_actions(two, b) == actions);
    auto first = one.step_async(actions, std::move(a)).value();
    auto second = two.step_async(actions, std::move(b)).value();
    std::swap(one, two);
    std::swap(first, second);
    { PendingStep gone = std::move(second); }
    CHECK(first.wait(a) && same(a, expected()));
    CHECK(!one.is_pending().value() && !two.is_pending().value());
}

// Another step in its place: the one that was there is waited for first. And a step into itself.
static void replaced()
{
    auto game = new_game();
    auto one = new_env(game), two = new_env(game);
    Batch a(one.sizes()), b(two.sizes());
    const auto actions = first_actions(one, a);
    CHECK(first_actions(two, b) == actions);
    auto pending = one.step_async(actions, std::move(a)).value();
    pending = two.step_async(actions, std::move(b)).value();
    CHECK(!one.is_pending().value() && two.is_pending().value());
    PendingStep &same_one = pending;
    pending = std::move(same_one);
    CHECK(pending.wait(b) && same(b, expected()));
}

static void refused()
{
    auto game = new_game();
    auto venv = new_env(game);
    Batch batch(venv.sizes());
    auto actions = first_actions(venv, batch);
    const uint8_t *const memory = batch.obs.data();
    const std::vector<int64_t> few(3);
    CHECK(venv.step_async(few, std::move(batch)).status() == PLAYMAT_STATUS_INVALID_ARGUMENT && batch.obs.data() == memory);
    actions[7] = 99;
    auto pending = venv.step_async(actions, std::move(batch)).value();
    Batch second(venv.sizes());
    CHECK(venv.step_async(actions, std::move(second)).status() == PLAYMAT_STATUS_ORDER && !second.obs.empty());
    CHECK(pending.wait(batch).status() == PLAYMAT_STATUS_ILLEGAL_ACTION && batch.obs.data() == memory);
    actions[7] = 0;
    CHECK(venv.step_async(actions, std::move(batch))->wait(batch) && batch.obs.data() == memory);
}

static void waited_for_by_the_library()
{
    auto game = new_game();
    auto venv = new_env(game);
    Batch batch(venv.sizes());
    const auto actions = first_actions(venv, batch);
    auto pending = venv.step_async(actions, std::move(batch)).value();
    CHECK(playmat_vec_env_step_wait(venv.get()) == PLAYMAT_STATUS_OK);
    CHECK(pending.wait(batch).status() == PLAYMAT_STATUS_ORDER && same(batch, expected()));
}

// Two batches in turn, one of which is read while the other is written.
static void in_turn()
{
    auto game = new_game();
    auto venv = new_env(game), beside = new_env(game);
    Batch read(venv.sizes()), written(venv.sizes()), wanted(venv.sizes());
    auto actions = first_actions(venv, read);
    CHECK(first_actions(beside, wanted) == actions);
    for (int step = 0; step < 20; step++) {
        auto pending = venv.step_async(actions, std::move(written));
        CHECK(beside.step(actions, wanted) && pending.ok() && pending->wait(written) && same(written, wanted));
        std::swap(read, written);
        CHECK(venv.sample_actions(actions));
        std::vector<int64_t> others(envs);
        CHECK(beside.sample_actions(others) && others == actions);
    }
}

static void unguarded()
{
    auto game = new_game();
    auto venv = new_env(game);
    auto batch = std::make_unique<Batch>(venv.sizes());
    const auto actions = first_actions(venv, *batch);
    const PlaymatBuffers raw = batch->raw();
    CHECK(playmat_vec_env_step_async(venv.get(), actions.data(), actions.size(), &raw, sizeof raw) == PLAYMAT_STATUS_OK);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)();
    } cases[] = {
        {"early_return", early_return}, {"thrown", thrown}, {"discarded", discarded}, {"env_first", env_first}, {"outlives", outlives},
        {"moved", moved}, {"swapped", swapped}, {"replaced", replaced}, {"refused", refused},
        {"waited_for_by_the_library", waited_for_by_the_library}, {"in_turn", in_turn}, {"unguarded", unguarded},
    };
    for (const auto &entry : cases) {
        if (argc == 1 && entry.run != unguarded)
            std::printf("%s\n", entry.name);
        if (argc > 1 && std::strcmp(argv[1], entry.name) == 0) {
            entry.run();
            return 0;
        }
    }
    return argc == 1 ? 0 : 1;
}
