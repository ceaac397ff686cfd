/* digest GAME OPTIONS EPISODES: prints the checksums of a game as the library computes them, and as this program does with calls of
 * its own. */
#include "check.h"

static uint32_t crc_table[256];

static void crc_init(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; bit++)
            value = value & 1 ? value >> 1 ^ 0xEDB88320u : value >> 1;
        crc_table[i] = value;
    }
}

static void crc_add(uint32_t *sum, const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        *sum = *sum >> 8 ^ crc_table[(*sum ^ bytes[i]) & 255];
}

int main(int argc, char **argv)
{
    CHECK(argc == 4);
    PlaymatGame *game = new_game(argv[1], argv[2]);
    uint64_t episodes = strtoull(argv[3], NULL, 10);
    PlaymatGameInfo info = info_of(game);
    char text[64];
    OK(playmat_game_digest(game, episodes, NULL, text, sizeof text, NULL));
    printf("%s\n", text);

    uint32_t sums[4] = {~0u, ~0u, ~0u, ~0u};
    uint8_t *observation = room(info.observation_size, 1), *mask = room(info.num_actions, 1);
    size_t save_size = 1 << 16, needed = 0;
    uint8_t *save = room(save_size, 1);
    float rewards[PLAYMAT_MAX_PLAYERS];
    crc_init();
    for (uint64_t seed = 0; seed < episodes; seed++) {
        PlaymatEnv *env = new_env(game, seed);
        for (;;) {
            PlaymatEpisode episode;
            OK(playmat_env_episode(env, &episode, sizeof episode));
            for (int32_t player = 0; player < (int32_t)info.num_players; player++) {
                OK(playmat_env_observation(env, player, observation, info.observation_size));
                crc_add(&sums[0], observation, info.observation_size);
            }
            if (episode.decisions > 0) {
                OK(playmat_env_rewards(env, rewards, PLAYMAT_MAX_PLAYERS));
                for (uint32_t player = 0; player < info.num_players; player++) {
                    uint32_t bits;
                    memcpy(&bits, &rewards[player], 4);
                    uint8_t little[4] = {(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16), (uint8_t)(bits >> 24)};
                    crc_add(&sums[2], little, 4);
                }
            }
            OK(playmat_env_save(env, save, save_size, &needed));
            crc_add(&sums[3], save, needed - 84); /* without the streams of agents and samples */
            if (episode.current_player < 0)
                break;
            OK(playmat_env_action_mask(env, episode.current_player, mask, info.num_actions));
            crc_add(&sums[1], mask, info.num_actions);
            int64_t action = -1;
            OK(playmat_env_sample_action(env, PLAYMAT_CURRENT_PLAYER, &action));
            OK(playmat_env_step(env, action));
        }
        OK(playmat_env_destroy(env));
    }
    printf("%08x-%08x-%08x-%08x\n", ~sums[0], ~sums[1], ~sums[2], ~sums[3]);
    free(save);
    free(mask);
    free(observation);
    OK(playmat_game_destroy(game));
    return 0;
}
