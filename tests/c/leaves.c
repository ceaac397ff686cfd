/* leaves GAME EPISODES OPTIONS SPEC LEAVES plain|greedy: prints the actions of episodes that searches play, a line for each. The network is a
 * hash; with `greedy` also of the greedy agent's action. */
#include "check.h"

enum { MOST = 64, LONGEST = 512 };

/* Numbers from -1 to 1 that follow from an observation and the greedy agent's action, -1 for none. */
static void network(const uint8_t *observation, size_t size, int64_t greedy, float *logits, size_t actions, float *value)
{
    uint64_t hash = (uint64_t)(8 + greedy);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ observation[i]) * UINT64_C(0x100000001b3);
    for (uint64_t k = 0; k <= actions; k++) {
        const uint64_t mixed = (hash ^ (k << 32)) * UINT64_C(0x9e3779b97f4a7c15) >> 40;
        *(k < actions ? &logits[k] : value) = (float)mixed / 8388608.0f - 1.0f;
    }
}

int main(int argc, char **argv)
{
    CHECK(argc == 7);
    PlaymatGame *game = new_game(argv[1], argv[3]);
    const size_t count = strtoul(argv[2], NULL, 10);
    CHECK(count <= MOST);
    PlaymatSearch *search = NULL;
    PlaymatSearchSizes s;
    OK(playmat_search_create(game, STR(argv[4]), count, strtoul(argv[5], NULL, 10), &search));
    OK(playmat_search_sizes(search, &s, sizeof s));
    PlaymatLeaves leaves = {0};
    /* Room for two searches at a time. */
    leaves.rows = s.leaves * s.leaf_rows * 2;
    leaves.obs_len = leaves.rows * s.observation_size;
    leaves.obs = room(leaves.obs_len, 1);
    if (strcmp(argv[6], "greedy") == 0) {
        leaves.greedy_len = leaves.rows;
        leaves.greedy = room(leaves.greedy_len, sizeof *leaves.greedy);
    }
    float *logits = room(leaves.rows * s.num_actions, sizeof *logits), *values = room(leaves.rows, sizeof *values);
    PlaymatEnv *envs[MOST];
    static int64_t played[MOST][LONGEST];
    size_t lengths[MOST] = {0};
    for (size_t i = 0; i < count; i++)
        envs[i] = new_env(game, i);
    for (;;) {
        size_t running = 0, found = 0;
        for (size_t i = 0; i < count; i++) {
            PlaymatEpisode episode;
            OK(playmat_env_episode(envs[i], &episode, sizeof episode));
            if (episode.acting == 0) {
                CHECK(playmat_search_start(search, i, envs[i], PLAYMAT_CURRENT_PLAYER, 1) == PLAYMAT_STATUS_EPISODE_OVER);
                OK(playmat_search_stop(search, i));
                continue;
            }
            OK(playmat_search_start(search, i, envs[i], PLAYMAT_CURRENT_PLAYER, 1));
            running++;
        }
        if (running == 0)
            break;
        for (;;) {
            OK(playmat_search_collect(search, &leaves, sizeof leaves, NULL, &found));
            if (found == 0)
                break;
            for (size_t row = 0; row < found; row++)
                network(leaves.obs + row * s.observation_size, s.observation_size, leaves.greedy ? leaves.greedy[row] : -1,
                        logits + row * s.num_actions, s.num_actions, values + row);
            OK(playmat_search_feed(search, logits, found * s.num_actions, values, found));
        }
        int64_t actions[MOST];
        OK(playmat_search_actions(search, PLAYMAT_SPEC_TEMPERATURE, actions, count));
        for (size_t i = 0; i < count; i++) {
            PlaymatEpisode episode;
            OK(playmat_env_episode(envs[i], &episode, sizeof episode));
            if (episode.acting == 0)
                continue;
            OK(playmat_env_step(envs[i], actions[i]));
            CHECK(lengths[i] < LONGEST);
            played[i][lengths[i]++] = actions[i];
        }
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < lengths[i]; k++)
            printf("%s%d", k ? " " : "", (int)played[i][k]);
        printf("\n");
        OK(playmat_env_destroy(envs[i]));
    }
    free(leaves.obs);
    free(leaves.greedy);
    free(logits);
    free(values);
    OK(playmat_search_destroy(search));
    OK(playmat_game_destroy(game));
    return 0;
}
