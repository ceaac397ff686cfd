/* ending: calls that are refused while a thread ends, from the destructor of a key of its own, and while the process ends, from a function
 * of atexit, have their messages; a message asked for before is in the same place then. And threads with the smallest stacks start. */
#include "check.h"

#include <limits.h>
#include <pthread.h>
#include <unistd.h>

static pthread_key_t key;
static int seen;

static void refused(const char *place)
{
    PlaymatGame *none = NULL;
    CHECK(playmat_game_create(STR("grafia"), NULL, 0, NULL, 0, &none) == PLAYMAT_STATUS_UNKNOWN_GAME);
    CHECK(strstr(playmat_error_message(), "grafia") != NULL && playmat_error_message() == place);
}

/* Run twice: the second time after everything that was there the first time is gone. */
static void end_of_thread(void *place)
{
    refused(place);
    if (++seen == 1)
        CHECK(pthread_setspecific(key, place) == 0);
}

static void *thread(void *unused)
{
    (void)unused;
    const char *place = playmat_error_message();
    CHECK(pthread_setspecific(key, place) == 0);
    refused(place);
    return NULL;
}

static void *nothing(void *unused)
{
    return unused;
}

static const char *place_of_main;

static void end_of_process(void)
{
    /* exit may not be called here. */
    PlaymatStatus status = playmat_env_step(NULL, 0);
    if (status != PLAYMAT_STATUS_INVALID_HANDLE || strstr(playmat_error_message(), "wanted an environment") == NULL
        || playmat_error_message() != place_of_main)
        _exit(3);
}

int main(void)
{
    pthread_t other;
    pthread_attr_t small;
    CHECK(pthread_key_create(&key, end_of_thread) == 0);
    CHECK(pthread_create(&other, NULL, thread, NULL) == 0 && pthread_join(other, NULL) == 0);
    CHECK(seen == 2);
    CHECK(pthread_attr_init(&small) == 0 && pthread_attr_setstacksize(&small, (size_t)sysconf(_SC_THREAD_STACK_MIN)) == 0);
    CHECK(pthread_create(&other, &small, nothing, NULL) == 0 && pthread_join(other, NULL) == 0);
    place_of_main = playmat_error_message();
    refused(place_of_main);
    CHECK(atexit(end_of_process) == 0);
    return 0;
}
