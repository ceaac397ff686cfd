/* speed GAME N ROUNDS: nanoseconds of one step + mask + observation of a single environment, in one call and in three, and
 * millions of steps per second of a batch in the loop that users write (sampled actions). For a person; nothing tests it.
 * Against the installed package:
 *     cc -O2 -std=c99 -D_POSIX_C_SOURCE=200809L tests/c/speed.c $(pkg-config --cflags --libs playmat) -o speed
 * `cargo run --release -p playmat-capi --example speed` measures the same from Rust. */
#include "check.h"
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* One episode after the other with the same precomputed actions, so that only the three calls are timed. */
static double single(const PlaymatGame *game, int at_once)
{
    enum { ROUNDS = 40, STEPS = 20000 };
    PlaymatGameInfo info = info_of(game);
    uint8_t *observation = room(info.observation_size, 1), *mask = room(info.num_actions, 1);
    PlaymatEnv *env = new_env(game, 1);
    int64_t actions[4096];
    size_t count = 0;
    while (count < 4096 && playmat_env_sample_action(env, PLAYMAT_CURRENT_PLAYER, &actions[count]) == PLAYMAT_STATUS_OK)
        OK(playmat_env_step(env, actions[count++]));
    /* The best of many rounds: what else the machine does can only add. */
    double best = 1;
    for (int round = 0; round < ROUNDS; round++) {
        double spent = 0;
        size_t steps = 0;
        while (steps < STEPS) {
            OK(playmat_env_reset_seed(env, 1));
            double start = now();
            for (size_t i = 0; i < count; i++) {
                int32_t next;
                if (at_once) {
                    OK(playmat_env_step_into(env, actions[i], observation, info.observation_size, mask, info.num_actions, &next));
                    continue;
                }
                OK(playmat_env_step(env, actions[i]));
                OK(playmat_env_action_mask(env, PLAYMAT_CURRENT_PLAYER, mask, info.num_actions));
                OK(playmat_env_observation(env, PLAYMAT_CURRENT_PLAYER, observation, info.observation_size));
            }
            spent += now() - start;
            steps += count;
        }
        best = spent / (double)steps < best ? spent / (double)steps : best;
    }
    OK(playmat_env_destroy(env));
    free(observation);
    free(mask);
    return best * 1e9;
}

static double batch(const PlaymatGame *game, size_t n)
{
    PlaymatVecEnv *venv = NULL;
    PlaymatSizes s;
    OK(playmat_vec_env_create(game, n, NULL, 0, &venv));
    OK(playmat_vec_env_sizes(venv, &s, sizeof s));
    PlaymatBuffers b = {0};
#define GIVE(field, count) (b.field = room((count), sizeof *b.field), b.field##_len = (count))
    GIVE(obs, n * s.observation_size);
    GIVE(final_obs, n * s.observation_size);
    GIVE(action_mask, n * s.num_actions);
    GIVE(player, n);
    GIVE(acting, n * s.num_players);
    GIVE(reward, n * s.num_players);
    GIVE(terminated, n);
    GIVE(truncated, n);
    GIVE(final_player, n);
    GIVE(final_mask, n * s.num_actions);
    GIVE(episode_return, n * s.num_players);
    GIVE(episode_length, n);
    GIVE(episode_seed, n);
    GIVE(final_seed, n);
    GIVE(opponent, n * s.num_players);
    GIVE(final_opponent, n * s.num_players);
    int64_t *drawn[2] = {room(n, sizeof(int64_t)), room(n, sizeof(int64_t))};
    b.drawn = drawn[1], b.drawn_len = n;
    OK(playmat_vec_env_reset_seed(venv, 1, NULL, 0, &b, sizeof b));
    size_t steps = 0, at = 0;
    double start = now(), spent;
    do {
        for (int i = 0; i < 64; i++, steps += n) {
            uint8_t taken;
            OK(playmat_vec_env_take_drawn(venv, &taken));
            if (!taken)
                OK(playmat_vec_env_sample_actions(venv, drawn[at], n));
            b.drawn = drawn[1 - at];
            OK(playmat_vec_env_step(venv, drawn[at], n, &b, sizeof b));
            at = 1 - at;
        }
        spent = now() - start;
    } while (spent < 0.5);
    OK(playmat_vec_env_destroy(venv));
    free(drawn[0]);
    free(drawn[1]);
    free(b.obs), free(b.final_obs), free(b.action_mask), free(b.player), free(b.acting), free(b.reward);
    free(b.terminated), free(b.truncated), free(b.final_player), free(b.final_mask), free(b.episode_return);
    free(b.episode_length), free(b.episode_seed), free(b.final_seed), free(b.opponent), free(b.final_opponent);
    return (double)steps / spent / 1e6;
}

int main(int argc, char **argv)
{
    CHECK(argc == 4);
    PlaymatGame *game = new_game(argv[1], "");
    for (int round = 0; round < atoi(argv[3]); round++)
        printf("C    %s: single %.1f ns (%.1f in single calls), batch %.2f M steps/s\n", argv[1], single(game, 1), single(game, 0),
               batch(game, (size_t)atoi(argv[2])));
    OK(playmat_game_destroy(game));
    return 0;
}
