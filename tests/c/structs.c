/* structs: prints the sizes of all structs that are passed with their size. It is compiled against the header as it is, with shorter
 * structs (-DSHORTER, an older header) and with longer ones (-DLONGER, a newer header): programs and libraries of different versions
 * understand each other. */
#include "check.h"

/* More than any struct has. */
#define ALL 4096


/* Calls with memory of exactly the host's size, and with memory for everything: the first bytes are the same, and what the library does not
 * know is zero. */
#define OUT(type, ...)                                                                                   \
    do {                                                                                                 \
        unsigned char *whole = room(ALL, 1), *memory = room(sizeof(type), 1);                            \
        memset(whole, 0xA5, ALL);                                                                        \
        memset(memory, 0xA5, sizeof(type));                                                              \
        type *out = (type *)(void *)whole;                                                               \
        size_t out_size = ALL;                                                                           \
        OK(__VA_ARGS__);                                                                                 \
        CHECK(whole[ALL - 1] == 0 && whole[ALL - 64] == 0);                                              \
        out = (type *)(void *)memory;                                                                    \
        out_size = sizeof(type);                                                                         \
        OK(__VA_ARGS__);                                                                                 \
        CHECK(memcmp(whole, memory, sizeof(type)) == 0);                                                 \
        LATER_IS_ZERO(type, memory);                                                                     \
        memset(memory, 0xA5, sizeof(type));                                                              \
        /* The size of a pointer, nothing, and what nothing is as large as. */                           \
        for (out_size = 0; out_size <= sizeof(void *); out_size += sizeof(void *))                       \
            CHECK((__VA_ARGS__) == PLAYMAT_STATUS_BUFFER_TOO_SMALL && memory[0] == 0xA5);                \
        /* A size that cuts a field. */                                                                  \
        out_size = sizeof(type) - 1;                                                                     \
        CHECK((__VA_ARGS__) != PLAYMAT_STATUS_OK && memory[0] == 0xA5);                                  \
        out_size = ALL + 1;                                                                              \
        CHECK((__VA_ARGS__) == PLAYMAT_STATUS_INVALID_ARGUMENT && memory[0] == 0xA5);                    \
        out_size = SIZE_MAX;                                                                             \
        CHECK((__VA_ARGS__) == PLAYMAT_STATUS_INVALID_ARGUMENT && memory[0] == 0xA5);                    \
        free(whole);                                                                                     \
        free(memory);                                                                                    \
    } while (0)

#ifdef LONGER
#define LATER_IS_ZERO(type, memory)                                                                      \
    for (size_t i = 0; i < 3; i++)                                                                       \
    CHECK(((type *)(void *)(memory))->later[i] == 0)
#else
#define LATER_IS_ZERO(type, memory) (void)0
#endif

/* A struct that the library reads: something in a field that it does not know is refused, and no other size than that of a struct. */
#ifdef LONGER
#define IN(given, call)                                                                                  \
    do {                                                                                                 \
        (given).later[1] = 1;                                                                            \
        CHECK((call) == PLAYMAT_STATUS_INVALID_ARGUMENT);                                                \
        CHECK(strstr(playmat_error_message(), "is not 0; this library knows the first ") != NULL);       \
        (given).later[1] = 0;                                                                            \
        OK(call);                                                                                        \
    } while (0)
#else
#define IN(given, call) OK(call)
#endif

int main(void)
{
    PlaymatGame *game = new_game("connect_four", "");
    PlaymatEnv *env = new_env(game, 7);
    PlaymatVecEnv *venv = NULL;
    OK(playmat_vec_env_create(game, 4, NULL, 0, &venv));

    PlaymatBuffers buffers = {0};
    uint8_t mask[28];
    uint8_t obs[4 * 126];
    buffers.action_mask = mask;
    buffers.action_mask_len = sizeof mask;
    buffers.obs = obs;
    buffers.obs_len = sizeof obs;
    memset(mask, 7, sizeof mask);
    CHECK(playmat_vec_env_reset_seed(venv, 1, NULL, 0, &buffers, sizeof(void *)) == PLAYMAT_STATUS_INVALID_ARGUMENT);
    CHECK(playmat_vec_env_reset_seed(venv, 1, NULL, 0, &buffers, 0) == PLAYMAT_STATUS_INVALID_ARGUMENT);
    CHECK(playmat_vec_env_reset_seed(venv, 1, NULL, 0, &buffers, SIZE_MAX) == PLAYMAT_STATUS_INVALID_ARGUMENT && mask[0] == 7);
    IN(buffers, playmat_vec_env_reset_seed(venv, 1, NULL, 0, &buffers, sizeof buffers));
    for (size_t i = 0; i < sizeof mask; i++)
        CHECK(mask[i] == 1);

    OUT(PlaymatGameInfo, playmat_game_info(game, out, out_size));
    OUT(PlaymatSegment, playmat_game_segment(game, 0, out, out_size));
    OUT(PlaymatActionRange, playmat_game_action_range(game, 0, out, out_size));
    OUT(PlaymatEpisode, playmat_env_episode(env, out, out_size));
    OUT(PlaymatSizes, playmat_vec_env_sizes(venv, out, out_size));
    OUT(PlaymatVecEpisode, playmat_vec_env_episode(venv, 0, out, out_size));
    PlaymatSearch *search = NULL;
    OK(playmat_search_create(game, STR("mcts:8"), 1, 1, &search));
    OUT(PlaymatSearchSizes, playmat_search_sizes(search, out, out_size));
    OK(playmat_search_start(search, 0, env, 0, 1));
    PlaymatLeaves leaves = {0};
    int32_t leaf_player[1] = {7};
    size_t count = 7;
    leaves.rows = 1;
    leaves.player = leaf_player;
    leaves.player_len = 1;
    CHECK(playmat_search_collect(search, &leaves, sizeof(void *), NULL, &count) == PLAYMAT_STATUS_INVALID_ARGUMENT && count == 7);
    IN(leaves, playmat_search_collect(search, &leaves, sizeof leaves, NULL, &count));
    CHECK(count == 1 && leaf_player[0] == 0);
    OK(playmat_search_destroy(search));
    PlaymatAgent *agent = NULL;
    int64_t action = -1;
    OK(playmat_agent_create(game, STR("mcts:8"), &agent));
    OK(playmat_agent_act(agent, env, 0, NULL, &action));
    OUT(PlaymatSearchStatistics, playmat_agent_statistics(agent, env, 0, out, out_size));
    OK(playmat_agent_destroy(agent));
    PlaymatGameInfo info = info_of(game);
    CHECK(strcmp(info.name, "connect_four") == 0 && info.num_players == 2 && info.num_actions == 7 && info.observation_size == 126);
    PlaymatEpisode episode;
    OK(playmat_env_episode(env, &episode, sizeof episode));
    CHECK(episode.seed == 7 && episode.acting == 1);

    uint8_t played[5 * 4 * 7];
    PlaymatRollout rollout = {0};
    rollout.steps = 5;
    rollout.action_mask = played;
    rollout.action_mask_len = sizeof played;
    IN(rollout, playmat_vec_env_rollout(venv, STR("random"), &rollout, sizeof rollout, NULL, 0));
    CHECK(played[0] == 1);

    float reward[2] = {0, 1}, value[2] = {0}, next_value[1] = {0}, advantages[2] = {7, 7}, returns[2];
    int32_t player[2] = {0};
    uint8_t terminated[2] = {0}, truncated[2] = {0};
    PlaymatTrajectories t = {0};
    t.steps = 2;
    t.num_envs = t.num_players = 1;
    t.reward = reward;
    t.value = value;
    t.player = player;
    t.terminated = terminated;
    t.truncated = truncated;
    t.next_value = next_value;
    t.reward_len = t.value_len = t.player_len = t.terminated_len = t.truncated_len = 2;
    t.next_value_len = 1;
#ifdef SHORTER
    /* What came first has always needed lambda. */
    CHECK(playmat_gae(&t, sizeof t, advantages, 2, returns, 2) == PLAYMAT_STATUS_INVALID_ARGUMENT && advantages[0] == 7);
#else
    t.gamma = t.gae_lambda = 1;
    IN(t, playmat_gae(&t, sizeof t, advantages, 2, returns, 2));
    CHECK(advantages[0] == 1 && advantages[1] == 1 && returns[0] == 1);
#endif

    const size_t sizes[] = {sizeof(PlaymatGameInfo), sizeof(PlaymatSegment), sizeof(PlaymatActionRange), sizeof(PlaymatEpisode),
                            sizeof(PlaymatSizes), sizeof(PlaymatVecEpisode), sizeof(PlaymatBuffers), sizeof(PlaymatRollout),
                            sizeof(PlaymatTrajectories), sizeof(PlaymatSearchSizes), sizeof(PlaymatLeaves),
                            sizeof(PlaymatSearchStatistics)};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        printf("%zu\n", sizes[i]);
    OK(playmat_vec_env_destroy(venv));
    OK(playmat_env_destroy(env));
    OK(playmat_game_destroy(game));
    return 0;
}
