/* threads [ROUNDS]: two threads with a handle each, games shared, and two threads at one handle: the second is refused or waits its turn outside. */
#include "check.h"
#include <pthread.h>

static PlaymatGame *game;
static PlaymatEnv *shared;
static int64_t refusals, steps;
static int rounds = 200000;

static void *own_handle(void *seed)
{
    for (uint64_t episode = 0; episode < (uint64_t)rounds / 400; episode++) {
        PlaymatEnv *env = new_env(game, *(uint64_t *)seed + episode);
        int64_t action;
        while (playmat_env_sample_action(env, PLAYMAT_CURRENT_PLAYER, &action) == PLAYMAT_STATUS_OK)
            OK(playmat_env_step(env, action));
        CHECK(strstr(playmat_error_message(), "over") != NULL);
        OK(playmat_env_destroy(env));
    }
    return NULL;
}

static void *same_handle(void *unused)
{
    (void)unused;
    int64_t action, refused = 0, played = 0;
    for (int i = 0; i < rounds; i++) {
        PlaymatStatus status = playmat_env_sample_action(shared, PLAYMAT_CURRENT_PLAYER, &action);
        if (status == PLAYMAT_STATUS_OK)
            status = playmat_env_step(shared, action);
        if (status == PLAYMAT_STATUS_EPISODE_OVER)
            status = playmat_env_reset(shared);
        /* The other thread may have moved in between. */
        CHECK(status == PLAYMAT_STATUS_OK || status == PLAYMAT_STATUS_HANDLE_IN_USE || status == PLAYMAT_STATUS_ILLEGAL_ACTION
              || status == PLAYMAT_STATUS_EPISODE_OVER);
        refused += status == PLAYMAT_STATUS_HANDLE_IN_USE;
        played += status == PLAYMAT_STATUS_OK;
    }
    __atomic_fetch_add(&refusals, refused, __ATOMIC_RELAXED);
    __atomic_fetch_add(&steps, played, __ATOMIC_RELAXED);
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        rounds = atoi(argv[1]);
    game = new_game("tic_tac_toe", "");
    shared = new_env(game, 1);
    pthread_t threads[2];
    uint64_t seeds[2] = {1, 100000};
    void *(*const work[2])(void *) = {own_handle, same_handle};
    for (int kind = 0; kind < 2; kind++) {
        for (int i = 0; i < 2; i++)
            CHECK(pthread_create(&threads[i], NULL, work[kind], &seeds[i]) == 0);
        for (int i = 0; i < 2; i++)
            CHECK(pthread_join(threads[i], NULL) == 0);
    }
    CHECK(steps > 0 && refusals + steps <= 2 * rounds);
    char *problems = room(64, 1);
    OK(playmat_env_validate(shared, problems, 64, NULL));
    CHECK(strcmp(problems, "[]") == 0);
    free(problems);
    OK(playmat_env_destroy(shared));
    OK(playmat_game_destroy(game));
    return 0;
}
