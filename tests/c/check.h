/* What the C tests share: checks that say where they failed. */
#ifndef CHECK_H
#define CHECK_H

#include <playmat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                             \
    do {                                                                             \
        if (!(condition)) {                                                          \
            printf("%s:%d: %s is false; last message: %s\n", __FILE__, __LINE__,     \
                   #condition, playmat_error_message());                             \
            exit(1);                                                                 \
        }                                                                            \
    } while (0)

#define OK(call) CHECK((call) == PLAYMAT_STATUS_OK)

#define STR(text) (text), PLAYMAT_NTS

static inline PlaymatGame *new_game(const char *name, const char *options)
{
    PlaymatGame *game = NULL;
    OK(playmat_game_create(STR(name), STR(options), NULL, 0, &game));
    CHECK(game != NULL);
    return game;
}

static inline PlaymatEnv *new_env(const PlaymatGame *game, uint64_t seed)
{
    PlaymatEnv *env = NULL;
    OK(playmat_env_create(game, seed, &env));
    CHECK(env != NULL);
    return env;
}

static inline PlaymatGameInfo info_of(const PlaymatGame *game)
{
    PlaymatGameInfo info;
    OK(playmat_game_info(game, &info, sizeof info));
    return info;
}

static inline void *room(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    CHECK(memory != NULL);
    return memory;
}

/* Text nested far deeper than any stack. */
static inline char *nested(const char *start)
{
    size_t depth = 1000000, len = strlen(start);
    char *text = room(len + depth + 1, 1);
    memcpy(text, start, len);
    memset(text + len, '[', depth);
    return text;
}

#endif
