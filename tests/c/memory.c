/* memory GAME CONFIG: batches and pictures of all sizes where memory is short: each is made or refused, and what lives goes on. Linux. */
#include "check.h"
#include <sys/resource.h>

int main(int argc, char **argv)
{
    CHECK(argc == 3);
    PlaymatGame *game = new_game(argv[1], "");
    PlaymatEnv *env = new_env(game, 1);
    const struct rlimit limit = {(rlim_t)256 << 20, (rlim_t)256 << 20};
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
    int made = 0, refused = 0;
    for (size_t n = 1; n <= (size_t)1 << 26; n += n < 16 ? n : n / 16) {
        PlaymatVecEnv *venv = NULL;
        PlaymatStatus status = playmat_vec_env_create(game, n, STR(argv[2]), &venv);
        if (status == PLAYMAT_STATUS_OK) {
            CHECK(refused == 0);
            OK(playmat_vec_env_destroy(venv));
            made++;
        } else {
            CHECK(status == PLAYMAT_STATUS_INVALID_ARGUMENT && venv == NULL);
            CHECK(strstr(playmat_error_message(), "num_envs") != NULL);
            refused++;
        }
    }
    CHECK(made > 20 && refused > 20);
    int drawn = 0, large = 0;
    for (uint32_t width = 16; width <= 8192; width += width / 2) {
        PlaymatPictureSize size;
        size_t needed = 0;
        const PlaymatStatus file = playmat_env_draw_png(env, PLAYMAT_VIEW_ALL, width, NULL, 0, &needed);
        const PlaymatStatus pixels = playmat_env_draw_rgb(env, PLAYMAT_VIEW_ALL, width, NULL, 0, &needed, &size);
        CHECK(file == pixels);
        if (pixels == PLAYMAT_STATUS_BUFFER_TOO_SMALL) {
            CHECK(large == 0 && size.width == width);
            drawn++;
        } else {
            CHECK(pixels == PLAYMAT_STATUS_INVALID_ARGUMENT && strstr(playmat_error_message(), "width") != NULL);
            CHECK(strstr(playmat_error_message(), "MiB of memory") != NULL);
            large++;
        }
    }
    CHECK(drawn > 5 && large > 0);
    int64_t action;
    OK(playmat_env_sample_action(env, PLAYMAT_CURRENT_PLAYER, &action));
    OK(playmat_env_step(env, action));
    OK(playmat_env_destroy(env));
    OK(playmat_game_destroy(game));
    return 0;
}
