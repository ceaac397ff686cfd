/* A whole game in the terminal: you, or with --bots the machine alone, against the engine's own heuristic.
 *
 *   cc -std=c99 play.c $(pkg-config --cflags --libs playmat) -o play
 *   ./play connect_four            you are player 0; actions are typed as their texts or numbers
 *   ./play graphia --bots          bots play all seats
 *
 * It shows how a host draws: the picture of a position as one player may see it, and the events of each step to animate. */
#include <playmat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whatever was refused, the library says why. A game would show this instead of ending. */
static void check(PlaymatStatus status)
{
    if (status != PLAYMAT_STATUS_OK) {
        fprintf(stderr, "%s: %s\n", playmat_status_name(status), playmat_error_message());
        exit(1);
    }
}

/* Texts come into a buffer of ours, which grows when one is too long. */
static char *text;
static size_t text_size;

static int too_small(PlaymatStatus status, const size_t *needed)
{
    if (status != PLAYMAT_STATUS_BUFFER_TOO_SMALL) {
        check(status);
        return 0;
    }
    text_size = *needed;
    text = realloc(text, text_size);
    if (text == NULL)
        exit(1);
    return 1;
}

static void draw(const PlaymatEnv *env, int32_t viewer)
{
    size_t needed = 0;
    while (too_small(playmat_env_draw_text(env, viewer, text, text_size, &needed), &needed)) {
    }
    printf("\n%s\n", text);
}

/* What the last step changed, as JSON that holds nothing the viewer may not know: here a host starts its animations. */
static void tell(const PlaymatEnv *env, int32_t viewer)
{
    size_t needed = 0;
    while (too_small(playmat_env_events(env, viewer, text, text_size, &needed), &needed)) {
    }
    printf("  events: %.100s%s\n", text, strlen(text) > 100 ? " ..." : "");
}

static const char *name_of(const PlaymatEnv *env, int32_t player, int64_t action)
{
    size_t needed = 0;
    while (too_small(playmat_env_action_text(env, player, action, text, text_size, &needed), &needed)) {
    }
    return text;
}

/* Asks until a legal action was typed; -1 at the end of the input. */
static int64_t ask(const PlaymatEnv *env, int32_t player, size_t num_actions)
{
    int64_t *legal = calloc(num_actions, sizeof *legal);
    if (legal == NULL)
        exit(1);
    size_t count = 0;
    check(playmat_env_legal_actions(env, player, legal, num_actions, &count));
    printf("%d legal actions:", (int)count);
    for (size_t i = 0; i < count && i < 12; i++)
        printf(" [%d] %s", (int)legal[i], name_of(env, player, legal[i]));
    printf("%s\n", count > 12 ? " ..." : "");
    char line[256];
    int64_t action = -1;
    for (;;) {
        printf("player %d> ", (int)player);
        fflush(stdout);
        if (fgets(line, sizeof line, stdin) == NULL)
            break;
        line[strcspn(line, "\r\n")] = '\0';
        char *end = line;
        long number = strtol(line, &end, 10);
        if (end != line && *end == '\0')
            action = number;
        else if (playmat_env_parse_action(env, player, line, PLAYMAT_NTS, &action) != PLAYMAT_STATUS_OK) {
            printf("%s\n", playmat_error_message());
            continue;
        }
        size_t i = 0;
        while (i < count && legal[i] != action)
            i++;
        if (i < count)
            break;
        printf("%ld is not legal now\n", (long)action);
        action = -1;
    }
    free(legal);
    return action;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "connect_four";
    int bots_only = argc > 2 && strcmp(argv[2], "--bots") == 0;
    PlaymatGame *game = NULL;
    PlaymatEnv *env = NULL;
    PlaymatBot *bot = NULL;
    PlaymatGameInfo info;
    check(playmat_game_create(name, PLAYMAT_NTS, NULL, 0, NULL, 0, &game));
    check(playmat_game_info(game, &info, sizeof info));
    check(playmat_env_create(game, 7, &env));
    check(playmat_bot_create("greedy", PLAYMAT_NTS, &bot));
    printf("%s, version %u, %u players\n", info.name, (unsigned)info.version, (unsigned)info.num_players);

    /* A person sees what player 0 may know; with bots alone the table is open. */
    int32_t viewer = bots_only ? PLAYMAT_VIEW_ALL : 0;
    for (;;) {
        int32_t player = -1;
        check(playmat_env_current_player(env, &player));
        if (player < 0)
            break;
        int64_t action = -1;
        if (player == 0 && !bots_only) {
            draw(env, viewer);
            action = ask(env, player, info.num_actions);
            if (action < 0)
                break;
        } else {
            check(playmat_bot_action(bot, env, player, &action));
        }
        /* What another player chooses in secret is not printed: the person learns of it from the events. */
        PlaymatEpisode episode;
        check(playmat_env_episode(env, &episode, sizeof episode));
        int alone = (episode.acting & (episode.acting - 1)) == 0;
        if (player == 0 || bots_only || (alone && !info.hidden))
            printf("player %d: %s\n", (int)player, name_of(env, player, action));
        check(playmat_env_step(env, action));
        tell(env, viewer);
    }

    draw(env, viewer);
    float returns[PLAYMAT_MAX_PLAYERS];
    int32_t scores[PLAYMAT_MAX_PLAYERS];
    check(playmat_env_returns(env, returns, PLAYMAT_MAX_PLAYERS));
    check(playmat_env_scores(env, scores, PLAYMAT_MAX_PLAYERS));
    for (uint32_t player = 0; player < info.num_players; player++)
        printf("player %u: score %d, return %.2f\n", (unsigned)player, (int)scores[player], (double)returns[player]);

    playmat_bot_destroy(bot);
    playmat_env_destroy(env);
    playmat_game_destroy(game);
    free(text);
    return 0;
}
