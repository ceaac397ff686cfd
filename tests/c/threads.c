/* threads [ROUNDS]: two threads with a handle each, games shared, and two threads at one handle, of an environment and of searches: the second
   is refused or waits its turn outside. */
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

enum { ROWS = 4, LEAVES = 2, ACTIONS = 9 };
static PlaymatSearch *searches;
static float zeros[ROWS * LEAVES * ACTIONS];

/* Collects and feeds a network that says 0, until all searches are done. Returns false where the other thread was in between. */
static int advance(int *done)
{
    PlaymatLeaves leaves = {0};
    size_t count = 0;
    leaves.rows = ROWS * LEAVES;
    PlaymatStatus status = playmat_search_collect(searches, &leaves, sizeof leaves, NULL, &count);
    *done = status == PLAYMAT_STATUS_OK && count == 0;
    if (status == PLAYMAT_STATUS_OK && count > 0)
        status = playmat_search_feed(searches, zeros, count * ACTIONS, zeros, count);
    else if (status == PLAYMAT_STATUS_ORDER && playmat_search_waiting(searches, &count) == PLAYMAT_STATUS_OK)
        /* Those that the other thread has collected. */
        status = playmat_search_feed(searches, zeros, count * ACTIONS, zeros, count);
    CHECK(status == PLAYMAT_STATUS_OK || status == PLAYMAT_STATUS_HANDLE_IN_USE || status == PLAYMAT_STATUS_ORDER
          || status == PLAYMAT_STATUS_INVALID_ARGUMENT);
    return status == PLAYMAT_STATUS_OK;
}

static void *same_searches(void *unused)
{
    (void)unused;
    for (int done = 0, i = 0; !done && i < rounds; i++)
        advance(&done);
    return NULL;
}

static void begin_searches(PlaymatVecEnv *venv)
{
    OK(playmat_vec_env_reset_seed(venv, 5, NULL, 0, NULL, 0));
    OK(playmat_search_start_batch(searches, venv, NULL, 0, 0));
}

/* Whatever two threads have done: what is found is what one of them finds. */
static void share_searches(void)
{
    PlaymatVecEnv *venv = NULL;
    float alone[ROWS * ACTIONS], together[ROWS * ACTIONS];
    int done = 0;
    OK(playmat_vec_env_create(game, ROWS, STR(""), &venv));
    OK(playmat_search_create(game, STR("mcts:400"), ROWS, LEAVES, &searches));
    begin_searches(venv);
    while (!done)
        CHECK(advance(&done));
    OK(playmat_search_policy(searches, alone, ROWS * ACTIONS));
    begin_searches(venv);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, same_searches, NULL) == 0);
    for (int i = 0; i < 2; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    for (done = 0; !done;)
        advance(&done);
    OK(playmat_search_policy(searches, together, ROWS * ACTIONS));
    CHECK(memcmp(alone, together, sizeof alone) == 0);
    OK(playmat_search_destroy(searches));
    OK(playmat_vec_env_destroy(venv));
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
    share_searches();
    OK(playmat_env_destroy(shared));
    OK(playmat_game_destroy(game));
    return 0;
}
