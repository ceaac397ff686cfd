/* conf_n9: a million handles come and go: memory does not grow, and no thread is left. Linux. */
#include "check.h"
#include <dirent.h>
#include <unistd.h>

static long resident_pages(void)
{
    long size = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file != NULL && fscanf(file, "%ld %ld", &size, &resident) == 2);
    fclose(file);
    return resident;
}

static int threads(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/task");
    CHECK(folder != NULL);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

static void round_of(const PlaymatGame *game, int count)
{
    for (int i = 0; i < count; i++) {
        PlaymatEnv *env = new_env(game, (uint64_t)i), *copy = NULL;
        OK(playmat_env_step(env, i % 9));
        OK(playmat_env_clone(env, &copy));
        OK(playmat_env_destroy(env));
        CHECK(playmat_env_step(env, 0) == PLAYMAT_STATUS_INVALID_HANDLE);
        OK(playmat_env_destroy(copy));
    }
}

int main(void)
{
    PlaymatGame *game = new_game("tic_tac_toe", "");
    round_of(game, 20000);
    long before = resident_pages();
    round_of(game, 500000);
    long grown = (resident_pages() - before) * sysconf(_SC_PAGESIZE);
    CHECK(grown < 256 * 1024);

    /* The other kinds, whose objects are larger, less often. */
    for (int round = 0; round < 2; round++) {
        before = resident_pages();
        for (int i = 0; i < 5000; i++) {
            PlaymatGame *other = new_game("tic_tac_toe", "");
            PlaymatAgent *agent = NULL;
            PlaymatVecEnv *venv = NULL;
            OK(playmat_agent_create(game, STR("greedy"), &agent));
            OK(playmat_vec_env_create(other, 8, NULL, 0, &venv));
            OK(playmat_game_destroy(other));
            OK(playmat_vec_env_reset_seed(venv, 1, NULL, 0, NULL, 0));
            OK(playmat_vec_env_destroy(venv));
            OK(playmat_agent_destroy(agent));
        }
        grown = (resident_pages() - before) * sysconf(_SC_PAGESIZE);
    }
    CHECK(grown < 256 * 1024);

    CHECK(threads() == 1);
    PlaymatVecEnv *venv = NULL;
    OK(playmat_vec_env_create(game, 4096, STR("{\"threads\": 3}"), &venv));
    int64_t *actions = room(4096, sizeof *actions);
    OK(playmat_vec_env_reset_seed(venv, 1, NULL, 0, NULL, 0));
    for (int step = 0; step < 50; step++) {
        OK(playmat_vec_env_sample_actions(venv, actions, 4096));
        OK(playmat_vec_env_step(venv, actions, 4096, NULL, 0));
    }
    CHECK(threads() == 3);
    OK(playmat_vec_env_step_async(venv, actions, 4096, NULL, 0));
    OK(playmat_vec_env_destroy(venv));
    CHECK(threads() == 1);
    free(actions);
    OK(playmat_game_destroy(game));
    return 0;
}
