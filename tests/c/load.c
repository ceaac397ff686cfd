/* load LIBRARY: loads the library, uses it and unloads it, again and again: it goes, and no memory of it stays. */
#include <dlfcn.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>

#include <playmat.h>

#define CHECK(condition)                                                                  \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            printf("%s:%d: %s is false\n", __FILE__, __LINE__, #condition);               \
            return 1;                                                                     \
        }                                                                                 \
    } while (0)

/* A function of the library, by its type in the header. POSIX allows what C does not. */
#define FIND(name)                                        \
    __typeof__(&name) name##_found;                       \
    *(void **)(void *)&name##_found = dlsym(library, #name); \
    CHECK(name##_found != NULL)

static int once(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    CHECK(library != NULL);
    FIND(playmat_game_create);
    FIND(playmat_game_destroy);
    FIND(playmat_env_create);
    FIND(playmat_env_destroy);
    FIND(playmat_env_step);
    FIND(playmat_error_message);
    FIND(playmat_abi_version);
    CHECK(playmat_abi_version_found() == PLAYMAT_ABI_VERSION);
    PlaymatGame *game = NULL;
    CHECK(playmat_game_create_found("grafia", PLAYMAT_NTS, NULL, 0, NULL, 0, &game) == PLAYMAT_STATUS_UNKNOWN_GAME);
    CHECK(playmat_error_message_found()[0] != 0);
    CHECK(playmat_game_create_found("connect_four", PLAYMAT_NTS, NULL, 0, NULL, 0, &game) == PLAYMAT_STATUS_OK);
    PlaymatEnv *envs[100];
    for (size_t i = 0; i < 100; i++)
        CHECK(playmat_env_create_found(game, i, &envs[i]) == PLAYMAT_STATUS_OK && playmat_env_step_found(envs[i], 3) == PLAYMAT_STATUS_OK);
    for (size_t i = 0; i < 100; i++)
        CHECK(playmat_env_destroy_found(envs[i]) == PLAYMAT_STATUS_OK);
    CHECK(playmat_game_destroy_found(game) == PLAYMAT_STATUS_OK);
    CHECK(dlclose(library) == 0);
    CHECK(dlopen(path, RTLD_NOW | RTLD_NOLOAD) == NULL);
    return 0;
}

int main(int argc, char **argv)
{
    enum { WARM = 5, MEASURED = 20 };
    size_t before = 0, after = 0;
    CHECK(argc == 2);
    for (int i = 0; i < WARM + MEASURED; i++) {
        if (once(argv[1]))
            return 1;
        struct mallinfo2 found = mallinfo2();
        after = found.uordblks + found.hblkhd;
        if (i == WARM - 1)
            before = after;
    }
    /* Loading alone, without a call, leaves some hundred bytes in the allocator; a chunk of the table of handles would be 100 KiB. */
    if (after > before + MEASURED * 1024) {
        printf("%zu bytes stay of each load\n", (after - before) / MEASURED);
        return 1;
    }
    return 0;
}
