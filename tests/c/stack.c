/* stack: in a thread with 256 KiB of stack, everything that reads JSON or TOML, nested texts included, that draws, or that plays. */
#include "check.h"
#include <pthread.h>

enum { STACK = 256 << 10, ROOM = 4 << 20 };

static void refused(const char *name, const char *options, const char *content, const char *json)
{
    PlaymatGame *game = NULL;
    PlaymatEnv *env = NULL;
    PlaymatVecEnv *venv = NULL;
    char *deep = nested(options ? options : content ? content : json);
    if (json == NULL) {
        CHECK(playmat_game_create(STR(name), options ? deep : NULL, PLAYMAT_NTS, content ? deep : NULL, PLAYMAT_NTS, &game)
              == (options ? PLAYMAT_STATUS_UNREADABLE : PLAYMAT_STATUS_CONTENT));
        free(deep);
        return;
    }
    game = new_game(name, "");
    CHECK(playmat_env_from_json(game, STR(deep), 1, &env) == PLAYMAT_STATUS_UNREADABLE);
    CHECK(playmat_env_from_replay(game, STR(deep), 0, &env) == PLAYMAT_STATUS_UNREADABLE);
    CHECK(playmat_vec_env_create(game, 4, STR(deep), &venv) == PLAYMAT_STATUS_UNREADABLE);
    OK(playmat_game_destroy(game));
    free(deep);
}

static void *within(void *unused)
{
    (void)unused;
    char name[PLAYMAT_NAME_SIZE], *text = room(ROOM, 1);
    for (size_t i = 0; i < playmat_game_count(); i++) {
        OK(playmat_game_name(i, name, sizeof name, NULL));
        PlaymatGame *game = new_game(name, "{\"reward\": \"default\"}"), *again = NULL;
        PlaymatEnv *env = new_env(game, 1), *copy = NULL;
        PlaymatPictureSize size;
        int64_t action;
        size_t needed;
        for (int step = 0; step < 40 && playmat_env_sample_action(env, PLAYMAT_CURRENT_PLAYER, &action) == PLAYMAT_STATUS_OK; step++)
            OK(playmat_env_step(env, action));
        OK(playmat_env_draw_text(env, 0, text, ROOM, NULL));
        OK(playmat_env_draw_svg(env, 0, text, ROOM, NULL));
        OK(playmat_env_draw_png(env, PLAYMAT_VIEW_ALL, 0, (uint8_t *)text, ROOM, &needed));
        OK(playmat_env_draw_rgb(env, 0, 300, (uint8_t *)text, ROOM, &needed, &size));
        OK(playmat_env_events(env, 0, text, ROOM, NULL));
        OK(playmat_game_describe(game, text, ROOM, NULL));
        OK(playmat_game_digest(game, 2, NULL, text, ROOM, NULL));
        OK(playmat_game_survey(game, 2, 1, STR("greedy"), NULL, text, ROOM, NULL));
        OK(playmat_env_to_json(env, PLAYMAT_VIEW_ALL, text, ROOM, NULL));
        OK(playmat_env_from_json(game, STR(text), 1, &copy));
        OK(playmat_env_destroy(copy));
        OK(playmat_env_replay(env, text, ROOM, NULL));
        OK(playmat_game_from_replay(STR(text), &again));
        OK(playmat_env_from_replay(again, STR(text), PLAYMAT_ALL_DECISIONS, &copy));
        OK(playmat_env_destroy(copy));
        OK(playmat_env_destroy(env));
        OK(playmat_game_destroy(again));
        OK(playmat_game_destroy(game));
    }
    refused("graphia", "{\"players\":", NULL, NULL);
    refused("graphia", "players = ", NULL, NULL);
    refused("graphia", NULL, "x = ", NULL);
    refused("graphia", NULL, NULL, "{\"state\": ");
    free(text);
    return NULL;
}

int main(void)
{
    pthread_attr_t small;
    pthread_t thread;
    CHECK(pthread_attr_init(&small) == 0 && pthread_attr_setstacksize(&small, STACK) == 0);
    CHECK(pthread_create(&thread, &small, within, NULL) == 0 && pthread_join(thread, NULL) == 0);
    return 0;
}
