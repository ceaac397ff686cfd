/* A whole game in the terminal: you, or with --agents the machine alone, against an agent; without its spec, against the greedy agent.
 *
 *   cc -std=c99 play.c $(pkg-config --cflags --libs playmat) -o play
 *   ./play connect_four mcts:200           you are player 0; actions are typed as their texts or numbers
 *   ./play graphia --agents policy.onnx    agents play all players
 *
 * It shows how a host draws: from the JSON of a position as one player may see it, and from the changes that each event tells. */
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

/* Just enough to read what the library writes, which is JSON without white space; with a JSON library at hand, use that.
 * Where the value that begins here ends. */
static const char *end_of(const char *at)
{
    int depth = 0;
    do {
        if (*at == '"')
            while (*++at != '"')
                at += *at == '\\';
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at++;
    } while (depth > 0 || strchr(",:]}", *at) == NULL); /* strchr also finds the zero at the end */
    return at;
}

/* The next of the members or elements after this one, or the bracket that closes them. */
static const char *after(const char *value)
{
    const char *end = end_of(value);
    return *end == ',' ? end + 1 : end;
}

/* The value of a key of an object, NULL if it has no such key. */
static const char *get(const char *object, const char *key)
{
    for (const char *at = object + 1; *at == '"'; at = after(end_of(at) + 1))
        if (strncmp(at + 1, key, strlen(key)) == 0 && at[1 + strlen(key)] == '"')
            return end_of(at) + 1;
    return NULL;
}

static void print(const char *before, const char *value, const char *behind)
{
    int length = *value ? (int)(end_of(value) - value) : 0;
    printf("%s%.*s%s%s", before, length < 72 ? length : 72, value, length > 72 ? "..." : "", behind);
}

/* A terminal draws the text; a scene of your own is built from the state, which has every piece by name. */
static void draw(const PlaymatEnv *env, int32_t viewer)
{
    size_t needed = 0;
    while (too_small(playmat_env_draw_text(env, viewer, text, text_size, &needed), &needed)) {
    }
    printf("\n%s\n", text);
    while (too_small(playmat_env_to_json(env, viewer, text, text_size, &needed), &needed)) {
    }
    print("status: ", get(text, "status"), "\n");
    for (const char *key = get(text, "state") + 1; *key == '"'; key = after(end_of(key) + 1)) {
        print("  state ", key, ": ");
        print("", end_of(key) + 1, "\n");
    }
}

/* What the last step changed, or before the first step what the deal did: a host moves what lies at each path, one event after the other. */
static void tell(const PlaymatEnv *env, int32_t viewer)
{
    size_t needed = 0;
    while (too_small(playmat_env_events(env, viewer, text, text_size, &needed), &needed)) {
    }
    for (const char *event = text + 1; *event == '{'; event = after(event)) {
        const char *player = get(event, "player"); /* absent if it is not about one */
        print("  event ", get(event, "event"), "");
        print(player ? " of player " : "", player ? player : "", "\n");
        for (const char *change = get(event, "changes") + 1; *change == '{'; change = after(change)) {
            const char *value = get(change, "value"); /* "remove" has none */
            print("    ", get(change, "op"), " ");
            print("", get(change, "path"), " ");
            print("", value ? value : "", "\n");
        }
    }
}

static const char *name_of(const PlaymatEnv *env, int32_t player, int64_t action)
{
    size_t needed = 0;
    while (too_small(playmat_env_action_text(env, player, action, text, text_size, &needed), &needed)) {
    }
    return text;
}

/* Asks until a legal action was typed; -1 at the end of the input. */
static int64_t ask(const PlaymatEnv *env, int32_t player, int64_t *legal, size_t num_actions)
{
    int64_t action;
    size_t count = 0;
    check(playmat_env_legal_actions(env, player, legal, num_actions, &count));
    printf("%d legal actions:", (int)count);
    for (size_t i = 0; i < count && i < 12; i++)
        printf(" [%d] %s", (int)legal[i], name_of(env, player, legal[i]));
    printf("%s\n", count > 12 ? " ..." : "");
    for (char line[256]; printf("player %d> ", (int)player), fflush(stdout), fgets(line, sizeof line, stdin) != NULL;) {
        line[strcspn(line, "\r\n")] = '\0';
        char *end = line;
        action = strtol(line, &end, 10);
        if ((end == line || *end != '\0') && playmat_env_parse_action(env, player, line, PLAYMAT_NTS, &action) != PLAYMAT_STATUS_OK) {
            printf("%s\n", playmat_error_message());
            continue;
        }
        for (size_t i = 0; i < count; i++)
            if (legal[i] == action)
                return action;
        printf("%ld is not legal now\n", (long)action);
    }
    return -1;
}

int main(int argc, char **argv)
{
    int agents_only = argc > 2 && strcmp(argv[2], "--agents") == 0;
    const char *spec = argc > 2 + agents_only ? argv[2 + agents_only] : "greedy";
    PlaymatGame *game = NULL;
    PlaymatEnv *env = NULL;
    PlaymatAgent *agent = NULL;
    PlaymatGameInfo info;
    check(playmat_game_create(argc > 1 ? argv[1] : "connect_four", PLAYMAT_NTS, NULL, 0, NULL, 0, &game));
    check(playmat_game_info(game, &info, sizeof info));
    int64_t *legal = calloc(info.num_actions, sizeof *legal);
    check(playmat_env_create(game, 7, &env));
    check(playmat_agent_create(game, spec, PLAYMAT_NTS, &agent));
    printf("%s, version %u, %u players, agent %s\n", info.name, (unsigned)info.version, (unsigned)info.num_players, spec);

    /* A person sees what player 0 may know; if agents play alone, everything is shown. */
    int32_t viewer = agents_only ? PLAYMAT_VIEW_ALL : 0;
    tell(env, viewer);
    for (;;) {
        PlaymatEpisode now;
        check(playmat_env_episode(env, &now, sizeof now));
        int32_t player = now.current_player;
        if (player < 0)
            break;
        int64_t action = -1;
        if (player == 0 && !agents_only) {
            draw(env, viewer);
            action = ask(env, player, legal, info.num_actions);
            if (action < 0)
                break;
        } else {
            check(playmat_agent_act(agent, env, player, NULL, &action));
        }
        /* What another player chooses in secret is not printed: the person learns of it from the events. */
        int alone = (now.acting & (now.acting - 1)) == 0;
        if (player == 0 || agents_only || (alone && !info.hidden))
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
    playmat_agent_destroy(agent);
    playmat_env_destroy(env);
    playmat_game_destroy(game);
    free(legal);
    free(text);
    return 0;
}
