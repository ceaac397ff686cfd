/* cancel GAME: long calls that another thread ends, and flags that are shared, destroyed and misused. */
#include "check.h"

#include <pthread.h>
#include <time.h>

static PlaymatGame *game;
static char text[1 << 20];
static size_t needed;

static void pause_ms(long ms)
{
    struct timespec some = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&some, NULL);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static PlaymatStatus digest(PlaymatCancel *cancel)
{
    return playmat_game_digest(game, 1000000, cancel, text, sizeof text, &needed);
}

static PlaymatStatus survey(PlaymatCancel *cancel)
{
    return playmat_game_survey(game, 1000000, 1, STR("greedy"), cancel, text, sizeof text, &needed);
}

static PlaymatStatus conformance(PlaymatCancel *cancel)
{
    return playmat_game_conformance(game, 1, 1000, NULL, 0, cancel, text, sizeof text, &needed);
}

static PlaymatStatus reward_scale(PlaymatCancel *cancel)
{
    double scale = 7;
    const PlaymatStatus status = playmat_game_reward_scale(game, 1000000, 1, 0, cancel, &scale);
    CHECK(scale == 7);
    return status;
}

/* A search that would take minutes, in an environment or a batch of its own. */
static PlaymatStatus act(PlaymatCancel *cancel)
{
    PlaymatAgent *agent = NULL;
    PlaymatEnv *env = new_env(game, 3);
    int64_t action = 7;
    OK(playmat_agent_create(game, STR("mcts:10000000"), &agent));
    const PlaymatStatus status = playmat_agent_act(agent, env, PLAYMAT_CURRENT_PLAYER, cancel, &action);
    CHECK(action == 7);
    OK(playmat_env_destroy(env));
    OK(playmat_agent_destroy(agent));
    return status;
}

static PlaymatStatus act_batch(PlaymatCancel *cancel)
{
    PlaymatAgent *agent = NULL;
    PlaymatVecEnv *venv = NULL;
    int64_t actions[3] = {7, 7, 7};
    OK(playmat_agent_create(game, STR("mcts:10000000"), &agent));
    OK(playmat_vec_env_create(game, 3, STR("threads = 2"), &venv));
    OK(playmat_vec_env_reset_seed(venv, 1, NULL, 0, NULL, 0));
    const PlaymatStatus status = playmat_agent_act_batch(agent, venv, NULL, 0, cancel, actions, 3);
    CHECK(actions[0] == 7 && actions[2] == 7);
    OK(playmat_vec_env_destroy(venv));
    OK(playmat_agent_destroy(agent));
    return status;
}

/* Searches of a fifth of a second each: one in the part of the calling thread, fifty in that of the other one. */
static PlaymatStatus act_parts(PlaymatCancel *cancel)
{
    PlaymatAgent *agent = NULL;
    PlaymatVecEnv *venv = NULL;
    int64_t actions[192] = {7};
    uint8_t mask[192] = {1};
    memset(mask + 64, 1, 50);
    OK(playmat_agent_create(game, STR("mcts:200ms"), &agent));
    OK(playmat_vec_env_create(game, 192, STR("threads = 2"), &venv));
    OK(playmat_vec_env_reset_seed(venv, 1, NULL, 0, NULL, 0));
    const PlaymatStatus status = playmat_agent_act_batch(agent, venv, mask, 192, cancel, actions, 192);
    CHECK(actions[0] == 7 && actions[64] == 0);
    OK(playmat_vec_env_destroy(venv));
    OK(playmat_agent_destroy(agent));
    return status;
}

struct call {
    PlaymatStatus (*run)(PlaymatCancel *);
    PlaymatCancel *cancel;
    PlaymatStatus status;
    char said[64];
};

static void *run(void *given)
{
    struct call *call = given;
    call->status = call->run(call->cancel);
    snprintf(call->said, sizeof call->said, "%s", playmat_error_message());
    return NULL;
}

static PlaymatCancel *new_flag(void)
{
    PlaymatCancel *cancel = NULL;
    uint8_t requested = 7;
    OK(playmat_cancel_create(&cancel));
    OK(playmat_cancel_is_requested(cancel, &requested));
    CHECK(requested == 0);
    return cancel;
}

/* Ended by this thread while it runs, before it begins, and with the handle destroyed meanwhile. */
static void ends(PlaymatStatus (*long_call)(PlaymatCancel *), const char *what)
{
    for (int destroyed = 0; destroyed < 2; destroyed++) {
        struct call call = {long_call, new_flag(), PLAYMAT_STATUS_OK, ""};
        pthread_t other;
        text[0] = 7;
        needed = 77;
        CHECK(pthread_create(&other, NULL, run, &call) == 0);
        pause_ms(200);
        double since = now();
        OK(playmat_cancel_request(call.cancel));
        if (destroyed)
            OK(playmat_cancel_destroy(call.cancel));
        CHECK(pthread_join(other, NULL) == 0);
        if (now() - since > 5)
            printf("%s took %.1f s to end\n", what, now() - since);
        CHECK(call.status == PLAYMAT_STATUS_CANCELLED && strstr(call.said, "cancelled") != NULL);
        CHECK(text[0] == 7 && needed == 77);
        if (!destroyed) {
            uint8_t requested = 7;
            OK(playmat_cancel_is_requested(call.cancel, &requested));
            CHECK(requested == 1 && long_call(call.cancel) == PLAYMAT_STATUS_CANCELLED);
            OK(playmat_cancel_destroy(call.cancel));
        }
        CHECK(long_call(call.cancel) == PLAYMAT_STATUS_INVALID_HANDLE && text[0] == 7);
        CHECK(playmat_cancel_request(call.cancel) == PLAYMAT_STATUS_INVALID_HANDLE);
        CHECK(playmat_cancel_destroy(call.cancel) == PLAYMAT_STATUS_INVALID_HANDLE);
    }
}

/* One flag for several calls; one that nobody requests changes nothing. */
static void shares(void)
{
    char alone[64], with_flag[64];
    PlaymatCancel *cancel = new_flag();
    OK(playmat_game_digest(game, 3, NULL, alone, sizeof alone, NULL));
    OK(playmat_game_digest(game, 3, cancel, with_flag, sizeof with_flag, NULL));
    CHECK(strcmp(alone, with_flag) == 0);
    struct call calls[2] = {{digest, cancel, PLAYMAT_STATUS_OK, ""}, {survey, cancel, PLAYMAT_STATUS_OK, ""}};
    pthread_t others[2];
    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&others[i], NULL, run, &calls[i]) == 0);
    pause_ms(50);
    OK(playmat_cancel_request(cancel));
    OK(playmat_cancel_request(cancel));
    for (int i = 0; i < 2; i++)
        CHECK(pthread_join(others[i], NULL) == 0 && calls[i].status == PLAYMAT_STATUS_CANCELLED);
    /* The game goes on, and so do calls that are too short to end. */
    OK(playmat_game_digest(game, 0, cancel, alone, sizeof alone, NULL));
    OK(playmat_game_digest(game, 3, NULL, alone, sizeof alone, NULL));
    CHECK(strcmp(alone, with_flag) == 0);
    OK(playmat_cancel_destroy(cancel));
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    game = new_game(argv[1], "");
    ends(digest, "the digest");
    ends(survey, "the survey");
    ends(conformance, "the suite");
    ends(reward_scale, "the measurement");
    ends(act, "the agent");
    ends(act_batch, "the batch");
    ends(act_parts, "the batch in parts");
    shares();
    OK(playmat_cancel_destroy(NULL));
    CHECK(digest((PlaymatCancel *)(void *)game) == PLAYMAT_STATUS_WRONG_HANDLE);
    CHECK(playmat_cancel_request((PlaymatCancel *)(void *)game) == PLAYMAT_STATUS_WRONG_HANDLE);
    OK(playmat_game_destroy(game));
    return 0;
}
