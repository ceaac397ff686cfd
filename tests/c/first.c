/* first: prints the names of all cases. first NAME: makes one call, the first of this process, with numbers from outside whose products no
 * machine can count; it must come to a status, and nothing may be printed. */
#include "check.h"

static float numbers[8];
static PlaymatStatus gae(size_t steps, size_t envs, size_t players)
{
    PlaymatTrajectories t = {0};
    t.steps = steps;
    t.num_envs = envs;
    t.num_players = players;
    t.gamma = t.gae_lambda = 1;
    return playmat_gae(&t, sizeof t, numbers, 4, numbers + 4, 4);
}

static PlaymatStatus vec_env(size_t num_envs, const char *config)
{
    PlaymatGame *game = new_game("connect_four", "");
    PlaymatVecEnv *venv = NULL;
    return playmat_vec_env_create(game, num_envs, STR(config), &venv);
}

static PlaymatStatus rollout(size_t steps, size_t len)
{
    PlaymatGame *game = new_game("connect_four", "");
    PlaymatVecEnv *venv = NULL;
    OK(playmat_vec_env_create(game, 4, NULL, 0, &venv));
    OK(playmat_vec_env_reset(venv, NULL, 0, NULL, 0));
    PlaymatRollout r = {0};
    r.steps = steps;
    r.reward = numbers;
    r.reward_len = len;
    return playmat_vec_env_rollout(venv, STR("random"), &r, sizeof r, NULL, 0);
}

static char text[64];
static uint8_t bytes[64];
static size_t size;
static void *handle;
#define HANDLE(type) ((type **)(void *)&handle)

static PlaymatStatus floats(size_t bytes_len, size_t out_len)
{
    return playmat_game_observation_f32(new_game("connect_four", ""), bytes, bytes_len, numbers, out_len);
}

static PlaymatStatus states(size_t count)
{
    PlaymatGame *game = new_game("connect_four", "");
    PlaymatVecEnv *venv = NULL;
    OK(playmat_vec_env_create(game, 4, NULL, 0, &venv));
    const uint8_t *starts[4] = {bytes, bytes, bytes, bytes};
    const size_t sizes[4] = {SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX};
    return playmat_vec_env_reset_states(venv, starts, sizes, count, NULL, 0, NULL, 0);
}

static PlaymatStatus list(size_t len)
{
    PlaymatEnv *env = new_env(new_game("connect_four", ""), 1);
    return playmat_env_legal_actions(env, 0, (int64_t *)(void *)bytes, len, &size);
}

#define CASES(CASE)                                                                                   \
    CASE(gae_no_steps, gae(0, SIZE_MAX, 2))                                                           \
    CASE(gae_no_envs, gae(SIZE_MAX, 0, 2))                                                            \
    CASE(gae_no_players, gae(SIZE_MAX, SIZE_MAX, 0))                                                  \
    CASE(gae_steps, gae(SIZE_MAX, 1, 2))                                                              \
    CASE(gae_envs, gae(1, SIZE_MAX, 2))                                                               \
    CASE(gae_both, gae(SIZE_MAX / 2, SIZE_MAX / 2, 8))                                                \
    CASE(gae_players, gae(1, 1, SIZE_MAX))                                                            \
    CASE(vec_env_many, vec_env(SIZE_MAX, ""))                                                         \
    CASE(vec_env_most, vec_env((size_t)1 << 60, "view = 'joint'"))                                    \
    CASE(vec_env_threads, vec_env(4, "threads = 9223372036854775807"))                                \
    CASE(vec_env_spin, vec_env(4, "spin_us = 9223372036854775807"))                                   \
    CASE(rollout_endless, rollout(SIZE_MAX, 8))                                                       \
    CASE(rollout_long, rollout(SIZE_MAX / 8, SIZE_MAX))                                               \
    CASE(rollout_wraps, rollout(SIZE_MAX / 8 + 2, 8))                                                 \
    CASE(floats_long, floats(SIZE_MAX - SIZE_MAX % 126, SIZE_MAX - SIZE_MAX % 126))                   \
    CASE(states_many, states(SIZE_MAX))                                                               \
    CASE(states_long, states(4))                                                                      \
    CASE(list_long, list(SIZE_MAX))                                                                   \
    CASE(name_index, playmat_game_name(SIZE_MAX, text, sizeof text, &size))                           \
    CASE(name_room, playmat_game_name(0, text, 0, &size))                                             \
    CASE(game_name, playmat_game_create(text, SIZE_MAX - 1, NULL, 0, NULL, 0, HANDLE(PlaymatGame)))   \
    CASE(game_content, playmat_game_create(STR("rafts"), NULL, 0, bytes[0] ? NULL : "[", 1, HANDLE(PlaymatGame))) \
    CASE(replay, playmat_replay_len(STR("{"), &size))                                                 \
    CASE(replay_game, playmat_game_from_replay(STR("[[["), HANDLE(PlaymatGame)))                      \
    CASE(agent, playmat_agent_create(NULL, STR("greedy"), HANDLE(PlaymatAgent)))                      \
    CASE(agent_act, playmat_agent_act(NULL, NULL, 0, NULL, (int64_t *)(void *)bytes))                 \
    CASE(agent_statistics_batch, playmat_agent_statistics_batch(NULL, NULL, NULL, SIZE_MAX, NULL, SIZE_MAX, NULL, 0, NULL, 0, NULL, 0)) \
    CASE(agent_evaluate, playmat_agent_evaluate(NULL, NULL, 0, NULL, SIZE_MAX, NULL))                \
    CASE(agent_evaluate_batch, playmat_agent_evaluate_batch(NULL, NULL, NULL, SIZE_MAX, NULL, SIZE_MAX)) \
    CASE(agent_statistics, playmat_agent_statistics(NULL, NULL, 0, NULL, SIZE_MAX))                  \
    CASE(search, playmat_search_create(NULL, STR("mcts:4"), SIZE_MAX, SIZE_MAX, HANDLE(PlaymatSearch))) \
    CASE(search_policy, playmat_search_policy(NULL, NULL, SIZE_MAX))                                  \
    CASE(env, playmat_env_create((PlaymatGame *)(void *)bytes, 1, HANDLE(PlaymatEnv)))                \
    CASE(step, playmat_env_step(NULL, INT64_MIN))                                                     \
    CASE(venv, playmat_vec_env_step(NULL, NULL, SIZE_MAX, NULL, SIZE_MAX))                            \
    CASE(cancel, playmat_cancel_request(NULL))                                                        \
    CASE(digest, playmat_game_digest(NULL, UINT64_MAX, NULL, text, sizeof text, &size))

#define FUNCTION(name, call)                 \
    static PlaymatStatus case_##name(void)   \
    {                                        \
        return call;                         \
    }
CASES(FUNCTION)

#define ENTRY(name, call) {#name, case_##name},
static const struct {
    const char *name;
    PlaymatStatus (*run)(void);
} cases[] = {CASES(ENTRY)};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (argc == 1) {
            printf("%s\n", cases[i].name);
        } else if (strcmp(argv[1], cases[i].name) == 0) {
            PlaymatStatus status = cases[i].run();
            CHECK(status != PLAYMAT_STATUS_OK && status != PLAYMAT_STATUS_PANIC && playmat_error_message()[0] != 0);
            return 0;
        }
    }
    return argc == 1 ? 0 : 1;
}
