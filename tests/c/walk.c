/* walk GAME OPTIONS: whole games through every function of games, environments, agents and replays. */
#include "check.h"

static PlaymatGame *game;
static PlaymatGameInfo info;
/* Legal actions that were explained. */
static size_t helps;

/* The text of a function that writes one; the caller frees it. First it is asked for the size, then given exactly that. */
#define TEXT(result, call)                                                           \
    do {                                                                             \
        char *out = NULL;                                                            \
        size_t out_size = 0, need = 0, *needed = &need;                              \
        CHECK((call) == PLAYMAT_STATUS_BUFFER_TOO_SMALL);                            \
        out_size = need;                                                             \
        out = room(out_size, 1);                                                     \
        OK(call);                                                                    \
        CHECK(need == out_size && strlen(out) + 1 == need);                          \
        (result) = out;                                                              \
    } while (0)

static char *json_of(const PlaymatEnv *env, int32_t viewer)
{
    char *text;
    TEXT(text, playmat_env_to_json(env, viewer, out, out_size, needed));
    return text;
}

static int32_t current(const PlaymatEnv *env)
{
    int32_t player = -7;
    OK(playmat_env_current_player(env, &player));
    return player;
}

/* Whether two environments stand at the same, from a key of their JSON to its end. */
static void same_from(const char *key, const PlaymatEnv *a, const PlaymatEnv *b)
{
    char *one = json_of(a, PLAYMAT_VIEW_ALL), *other = json_of(b, PLAYMAT_VIEW_ALL);
    const char *from = strstr(one, key), *to = strstr(other, key);
    CHECK(from != NULL && to != NULL);
    if (strcmp(from, to) != 0)
        printf("%s\n%s\n", one, other);
    CHECK(strcmp(from, to) == 0);
    free(one);
    free(other);
}

static void same_state(const PlaymatEnv *a, const PlaymatEnv *b)
{
    same_from("{", a, b);
}

/* Names, layouts and action texts of the game. */
static void check_game(void)
{
    size_t total = 0;
    for (size_t i = 0; i < info.num_segments; i++) {
        PlaymatSegment segment;
        OK(playmat_game_segment(game, i, &segment, sizeof segment));
        size_t product = 1;
        for (size_t axis = 0; axis < segment.axes; axis++)
            product *= segment.shape[axis];
        CHECK(segment.offset == total && product == segment.len && segment.scale > 0);
        CHECK(strlen(segment.name) > 0 && strlen(segment.name) < PLAYMAT_NAME_SIZE - 1);
        total += segment.len;
    }
    CHECK(total == info.observation_size);
    total = 0;
    for (size_t i = 0; i < info.num_action_ranges; i++) {
        PlaymatActionRange range;
        OK(playmat_game_action_range(game, i, &range, sizeof range));
        CHECK(range.start == total && strlen(range.name) > 0);
        total += range.len;
    }
    CHECK(total == info.num_actions);
    for (int64_t action = 0; action < (int64_t)info.num_actions; action++) {
        char *text;
        int64_t back = -1;
        TEXT(text, playmat_game_action_text(game, action, out, out_size, needed));
        OK(playmat_game_parse_action(game, text, strlen(text), &back));
        CHECK(back == action);
        free(text);
    }
    char *text;
    TEXT(text, playmat_game_describe(game, out, out_size, needed));
    CHECK(strstr(text, info.name) != NULL && strstr(text, "option_specs") != NULL);
    free(text);
    TEXT(text, playmat_game_survey(game, 2, 1, STR(info.num_players > 1 ? "greedy, random" : "greedy"), NULL, out, out_size, needed));
    CHECK(strstr(text, "\"episodes\":2") != NULL);
    free(text);
    double scale = 0, same = 0, relative = 0;
    OK(playmat_game_reward_scale(game, 40, 5, 0, NULL, &scale));
    OK(playmat_game_reward_scale(game, 40, 5, 0, NULL, &same));
    OK(playmat_game_reward_scale(game, 40, 5, 1, NULL, &relative));
    CHECK(scale > 0 && scale == same && relative > 0);
    text = room(1 << 20, 1);
    OK(playmat_game_conformance(game, 1, 1, STR("M1, T1"), NULL, text, 1 << 20, NULL));
    CHECK(strstr(text, "\"passed\":true") != NULL && strstr(text, "\"T1\"") != NULL && strstr(text, "\"S1\"") == NULL);
    free(text);
    /* Null with the length that stands for "until the zero byte" is nothing too. */
    PlaymatGame *plain = NULL;
    OK(playmat_game_create(info.name, PLAYMAT_NTS, NULL, PLAYMAT_NTS, NULL, PLAYMAT_NTS, &plain));
    OK(playmat_game_destroy(plain));
}

/* The picture as pixels and as a file. */
static void pictures_of(const PlaymatEnv *env)
{
    PlaymatPictureSize size = {0, 0}, wide;
    size_t needed = 0;
    CHECK(playmat_env_draw_rgb(env, 0, 0, NULL, 0, &needed, &size) == PLAYMAT_STATUS_BUFFER_TOO_SMALL);
    CHECK(size.width > 0 && needed == (size_t)size.width * size.height * 3);
    needed = 3 * 64 * 4096;
    uint8_t *pixels = room(needed, 1);
    OK(playmat_env_draw_rgb(env, PLAYMAT_VIEW_ALL, 64, pixels, needed, &needed, &wide));
    CHECK(wide.width == 64 && wide.height > 0 && needed == (size_t)64 * wide.height * 3);
    size_t coloured = 0;
    for (size_t i = 0; i < needed; i++)
        coloured += pixels[i] != 255;
    CHECK(coloured > 0);
    OK(playmat_env_draw_png(env, 0, 64, pixels, 3 * 64 * 4096, &needed));
    CHECK(memcmp(pixels, "\x89PNG\r\n", 6) == 0 && needed > 100);
    free(pixels);
}

/* Everything that can be asked of a position. */
static void look_at(PlaymatEnv *env)
{
    uint8_t *observation = room(info.observation_size, 1), *mask = room(info.num_actions, 1);
    float *floats = room(info.observation_size, sizeof *floats);
    int64_t *legal = room(info.num_actions, sizeof *legal);
    PlaymatSegment segment;
    OK(playmat_game_segment(game, info.num_segments - 1, &segment, sizeof segment));
    for (int32_t player = 0; player < (int32_t)info.num_players; player++) {
        OK(playmat_env_observation(env, player, observation, info.observation_size));
        OK(playmat_env_observation_f32(env, player, floats, info.observation_size));
        size_t last = info.observation_size - 1;
        CHECK(floats[last] == ((float)observation[last] - (float)segment.bias) / (float)segment.scale);
        float *converted = room(info.observation_size, sizeof *converted);
        OK(playmat_game_observation_f32(game, observation, info.observation_size, converted, info.observation_size));
        CHECK(memcmp(converted, floats, info.observation_size * sizeof *floats) == 0);
        free(converted);
        size_t count = 0, ones = 0;
        OK(playmat_env_action_mask(env, player, mask, info.num_actions));
        OK(playmat_env_legal_actions(env, player, legal, info.num_actions, &count));
        for (size_t action = 0; action < info.num_actions; action++)
            ones += mask[action];
        CHECK(ones == count);
        for (size_t i = 0; i < count; i++) {
            char *text;
            int64_t back = -1;
            CHECK(mask[legal[i]] == 1);
            TEXT(text, playmat_env_action_text(env, player, legal[i], out, out_size, needed));
            OK(playmat_env_parse_action(env, player, STR(text), &back));
            CHECK(back == legal[i]);
            free(text);
            TEXT(text, playmat_env_action_help(env, player, legal[i], out, out_size, needed));
            helps += strlen(text) > 0;
            free(text);
        }
        for (int64_t action = 0; action < (int64_t)info.num_actions; action++)
            if (!mask[action]) {
                /* Nothing is said about an action that is not legal. */
                char *text;
                TEXT(text, playmat_env_action_help(env, player, action, out, out_size, needed));
                CHECK(strlen(text) == 0);
                free(text);
                break;
            }
        char *json = json_of(env, player);
        free(json);
    }
    char *text;
    TEXT(text, playmat_env_validate(env, out, out_size, needed));
    CHECK(strcmp(text, "[]") == 0);
    free(text);
    TEXT(text, playmat_env_draw_svg(env, 0, out, out_size, needed));
    CHECK(strncmp(text, "<svg", 4) == 0);
    free(text);
    TEXT(text, playmat_env_draw_text(env, PLAYMAT_VIEW_ALL, out, out_size, needed));
    free(text);
    TEXT(text, playmat_env_events(env, 0, out, out_size, needed));
    CHECK(text[0] == '[');
    free(text);
    free(legal);
    free(floats);
    free(mask);
    free(observation);
}

/* The fast step shows what single calls show of an environment that has gone the same way. */
static void same_view(const PlaymatEnv *env, int32_t next, const uint8_t *observation, const uint8_t *mask)
{
    uint8_t *seen = room(info.observation_size, 1), *legal = room(info.num_actions, 1);
    CHECK(next == current(env));
    OK(playmat_env_observation(env, PLAYMAT_CURRENT_PLAYER, seen, info.observation_size));
    OK(playmat_env_action_mask(env, PLAYMAT_CURRENT_PLAYER, legal, info.num_actions));
    CHECK(memcmp(seen, observation, info.observation_size) == 0 && memcmp(legal, mask, info.num_actions) == 0);
    free(seen);
    free(legal);
}

/* Copies, saves and samples of a position, which all go on. */
static void copy_of(PlaymatEnv *env)
{
    PlaymatEnv *copy = NULL;
    OK(playmat_env_clone(env, &copy));
    same_state(env, copy);
    OK(playmat_env_destroy(copy));

    size_t size = 0;
    CHECK(playmat_env_save(env, NULL, 0, &size) == PLAYMAT_STATUS_BUFFER_TOO_SMALL);
    uint8_t *bytes = room(size, 1);
    OK(playmat_env_save(env, bytes, size, NULL));
    OK(playmat_env_load(game, bytes, size, &copy));
    same_state(env, copy);
    OK(playmat_env_destroy(copy));
    bytes[size / 2] ^= 1;
    CHECK(playmat_env_load(game, bytes, size, &copy) == PLAYMAT_STATUS_UNREADABLE);
    free(bytes);

    char *json = json_of(env, PLAYMAT_VIEW_ALL);
    OK(playmat_env_from_json(game, json, strlen(json), 0, &copy));
    same_state(env, copy);
    OK(playmat_env_destroy(copy));
    free(json);

    OK(playmat_env_clone_seed(env, 99, &copy));
    CHECK(current(copy) == current(env));
    OK(playmat_env_destroy(copy));
    int32_t player = current(env) < 0 ? 0 : current(env);
    OK(playmat_env_sample_hidden(env, player, 5, &copy));
    char *known = json_of(env, player), *drawn = json_of(copy, player);
    /* What the player may know is the same; both begin with the game's name and so on. */
    CHECK(strstr(known, "\"state\"") != NULL && strcmp(strstr(known, "\"state\""), strstr(drawn, "\"state\"")) == 0);
    free(known);
    free(drawn);
    OK(playmat_env_destroy(copy));
}

/* The keys of information states are those of all other languages. */
static void information_states(void)
{
    static const uint64_t pinned[3][2] = {{0x8c1f4e976133673full, 0xff60bd2911b2f4a2ull},
                                          {0x06d4e761487709d4ull, 0x790e53ec9f1202b4ull},
                                          {0x15416fabcd306f4cull, 0x4877d99e0ffe27b6ull}};
    PlaymatGame *poker = new_game("kuhn_poker", "");
    PlaymatEnv *env = new_env(poker, 0), *sample = NULL;
    for (int at = 0; at < 3; at++) {
        uint64_t key[3] = {0, 0, 7};
        if (at == 2)
            OK(playmat_env_step(env, 1));
        OK(playmat_env_information_state_key(env, at == 2 ? PLAYMAT_CURRENT_PLAYER : at, key, 3));
        CHECK(key[0] == pinned[at][0] && key[1] == pinned[at][1] && key[2] == 7);
        char text[4096], written[40];
        OK(playmat_env_information_state(env, at == 2 ? 1 : at, text, sizeof text, NULL));
        snprintf(written, sizeof written, "0x%016llx%016llx", (unsigned long long)key[1], (unsigned long long)key[0]);
        CHECK(strstr(text, written) != NULL);
    }
    uint64_t key[2] = {0, 0};
    OK(playmat_env_sample_hidden(env, 1, 5, &sample));
    OK(playmat_env_information_state_key(sample, 1, key, 2));
    CHECK(key[0] == pinned[2][0] && key[1] == pinned[2][1]);
    CHECK(playmat_env_information_state_key(sample, 2, key, 2) == PLAYMAT_STATUS_INVALID_PLAYER);
    CHECK(playmat_env_information_state_key(sample, 1, key, 1) == PLAYMAT_STATUS_BUFFER_TOO_SMALL);
    OK(playmat_env_destroy(sample));
    OK(playmat_env_destroy(env));
    OK(playmat_game_destroy(poker));
}

/* The game of a sample knows no more of private options than its player. */
static void private_options(void)
{
    static const char options[] = "{\"decks\": [\"blight\", \"siege\"], \"open_decklists\": \"hidden\"}";
    PlaymatGame *hidden = new_game("graven", options), *known = NULL;
    PlaymatEnv *env = new_env(hidden, 3), *sample = NULL, *loaded = NULL;
    OK(playmat_env_sample_hidden(env, 0, 5, &sample));
    OK(playmat_env_game(sample, &known));
    char *json = json_of(sample, PLAYMAT_VIEW_ALL);
    CHECK(strstr(json, "\"decks\":[\"blight\",\"random\"]") != NULL && strstr(json, "siege") == NULL);
    CHECK(playmat_env_from_json(hidden, json, strlen(json), 0, &loaded) == PLAYMAT_STATUS_WRONG_IDENTITY);
    OK(playmat_env_from_json(known, json, strlen(json), 0, &loaded));
    same_state(sample, loaded);
    free(json);
    OK(playmat_env_destroy(loaded));
    OK(playmat_env_destroy(sample));
    OK(playmat_env_destroy(env));
    OK(playmat_game_destroy(known));
    OK(playmat_game_destroy(hidden));
}

static void replay_of(PlaymatEnv *env)
{
    char *replay;
    TEXT(replay, playmat_env_replay(env, out, out_size, needed));
    PlaymatEpisode episode;
    OK(playmat_env_episode(env, &episode, sizeof episode));
    size_t length = 0, count = 0;
    OK(playmat_replay_len(STR(replay), &length));
    CHECK(length == episode.history_len);
    PlaymatDecision *history = room(length, sizeof *history);
    OK(playmat_env_history(env, history, length, &count));
    CHECK(count == length);
    /* A replay holds one episode: which one of a stream it was is not in it, so chance and state are compared. */
    size_t start_size = 0, save_size = 0;
    PlaymatStatus started = playmat_env_start(env, NULL, 0, &start_size);
    CHECK(started == (start_size ? PLAYMAT_STATUS_BUFFER_TOO_SMALL : PLAYMAT_STATUS_OK));
    CHECK(playmat_env_save(env, NULL, 0, &save_size) == PLAYMAT_STATUS_BUFFER_TOO_SMALL);
    uint8_t *start = room(start_size, 1), *save = room(save_size, 1);
    OK(playmat_env_start(env, start, start_size, NULL));
    OK(playmat_env_save(env, save, save_size, NULL));
    PlaymatEnv *loaded = NULL;
    OK(playmat_env_load_with_history(game, save, save_size, start, start_size, history, length, &loaded));
    same_state(env, loaded);
    char *repeated;
    TEXT(repeated, playmat_env_replay(loaded, out, out_size, needed));
    CHECK(strcmp(repeated, replay) == 0);
    free(repeated);
    OK(playmat_env_destroy(loaded));
    if (length > 0)
        CHECK(playmat_env_load_with_history(game, save, save_size, start, start_size, history, length - 1, &loaded)
              == PLAYMAT_STATUS_INVALID_ARGUMENT);
    free(save);
    free(start);
    PlaymatGame *built = NULL;
    OK(playmat_game_from_replay(STR(replay), &built));
    PlaymatEnv *again = NULL, *half = NULL;
    OK(playmat_env_from_replay(built, STR(replay), PLAYMAT_ALL_DECISIONS, &again));
    same_from("\"generator\"", env, again);
    OK(playmat_env_from_replay(built, STR(replay), length / 2, &half));
    for (size_t i = length / 2; i < length; i++)
        OK(playmat_env_step_player(half, history[i].player, history[i].action));
    same_from("\"generator\"", env, half);
    OK(playmat_env_destroy(half));
    OK(playmat_env_destroy(again));
    OK(playmat_game_destroy(built));
    free(history);
    free(replay);
}

/* What a search found out about the action that it has just chosen. */
static void statistics_of(const PlaymatAgent *search, PlaymatEnv *env, int64_t action)
{
    PlaymatSearchStatistics found;
    OK(playmat_agent_statistics(search, env, PLAYMAT_CURRENT_PLAYER, &found, sizeof found));
    const size_t n = found.actions;
    CHECK(n >= 1 && n <= info.num_actions && found.simulations == (n > 1 ? 9 : 0));
    CHECK(found.action == action && found.player == current(env));
    int64_t *actions = room(n, sizeof *actions), *legal = room(n, sizeof *legal);
    uint32_t *visits = room(n, sizeof *visits);
    float *prior = room(n, sizeof *prior), *mean_return = room(n, sizeof *mean_return);
    size_t count = 0, sum = 0, most = 0, chosen = 0;
    OK(playmat_env_legal_actions(env, PLAYMAT_CURRENT_PLAYER, legal, n, &count));
    OK(playmat_agent_action_statistics(search, env, PLAYMAT_CURRENT_PLAYER, actions, n, visits, n, prior, n, mean_return, n));
    float priors = 0;
    for (size_t i = 0; i < n; i++) {
        CHECK(actions[i] == legal[i] && prior[i] >= 0 && mean_return[i] >= info.min_return && mean_return[i] <= info.max_return);
        sum += visits[i];
        most = visits[i] > most ? visits[i] : most;
        chosen = actions[i] == action ? visits[i] : chosen;
        priors += prior[i];
    }
    CHECK(count == n && sum == found.simulations + found.kept_visits && chosen == most && priors > 0.999f && priors < 1.001f);
    OK(playmat_agent_action_statistics(search, env, PLAYMAT_CURRENT_PLAYER, NULL, 0, NULL, 0, NULL, 0, NULL, 0));
    free(actions);
    free(legal);
    free(visits);
    free(prior);
    free(mean_return);
}

int main(int argc, char **argv)
{
    CHECK(argc == 3);
    CHECK(playmat_abi_version() == PLAYMAT_ABI_VERSION);
    game = new_game(argv[1], argv[2]);
    info = info_of(game);
    CHECK(strcmp(info.name, argv[1]) == 0);
    check_game();
    private_options();
    information_states();
    PlaymatAgent *greedy = NULL, *random = NULL, *search = NULL;
    OK(playmat_agent_create(game, STR("greedy"), &greedy));
    OK(playmat_agent_create(game, STR("random"), &random));
    OK(playmat_agent_create(game, STR("mcts:9,c=1.50,threads=2"), &search));
    char spec[24];
    size_t spec_size = 0;
    OK(playmat_agent_name(greedy, spec, sizeof spec, &spec_size));
    CHECK(strcmp(spec, "greedy") == 0 && spec_size == sizeof "greedy");
    OK(playmat_agent_name(search, spec, sizeof spec, &spec_size));
    CHECK(strcmp(spec, "mcts:9,threads=2") == 0);
    PlaymatEnv *env = new_env(game, 3), *joint = NULL, *fast = NULL;
    uint8_t *seen = room(info.observation_size, 1), *legal = room(info.num_actions, 1);
    int64_t actions[PLAYMAT_MAX_PLAYERS] = {0};
    for (int episode = 0; episode < 2; episode++) {
        OK(playmat_env_clone(env, &joint));
        OK(playmat_env_clone(env, &fast));
        for (int moves = 0; current(env) >= 0; moves++) {
            if (moves % 8 == 0) {
                look_at(env);
                copy_of(env);
            }
            if (moves == 4) {
                /* Something that began in the middle: its replay holds the state that it began with. */
                PlaymatEnv *clone = NULL;
                int64_t action;
                OK(playmat_env_clone_seed(env, 8, &clone));
                OK(playmat_env_sample_action(clone, PLAYMAT_CURRENT_PLAYER, &action));
                OK(playmat_env_step(clone, action));
                replay_of(clone);
                if (current(clone) >= 0) {
                    OK(playmat_agent_act(search, clone, current(clone), NULL, &action));
                    statistics_of(search, clone, action);
                    OK(playmat_env_step(clone, action));
                }
                OK(playmat_env_destroy(clone));
            }
            /* Everybody who acts chooses; one environment steps player by player, the other at once. */
            PlaymatEpisode now;
            OK(playmat_env_episode(env, &now, sizeof now));
            for (int32_t player = 0; player < (int32_t)info.num_players; player++)
                if (now.acting >> player & 1)
                    OK(playmat_agent_act(player % 2 ? random : greedy, env, player, NULL, &actions[player]));
            OK(playmat_env_step_joint(joint, actions, info.num_players));
            for (int32_t player = 0; player < (int32_t)info.num_players; player++)
                if (now.acting >> player & 1) {
                    int32_t next = -7;
                    OK(playmat_env_step_player(env, player, actions[player]));
                    OK(playmat_env_step_into(fast, actions[player], seen, info.observation_size, legal, info.num_actions, &next));
                    same_view(env, next, seen, legal);
                }
            CHECK(current(joint) == current(env));
        }
        same_state(env, joint);
        same_state(env, fast);
        look_at(env);
        pictures_of(env);
        copy_of(env);
        replay_of(env);
        float returns[PLAYMAT_MAX_PLAYERS], rewards[PLAYMAT_MAX_PLAYERS];
        int32_t scores[PLAYMAT_MAX_PLAYERS];
        OK(playmat_env_returns(env, returns, PLAYMAT_MAX_PLAYERS));
        OK(playmat_env_rewards(env, rewards, PLAYMAT_MAX_PLAYERS));
        OK(playmat_env_scores(env, scores, PLAYMAT_MAX_PLAYERS));
        for (uint32_t player = 0; player < info.num_players; player++)
            CHECK(returns[player] >= info.min_return && returns[player] <= info.max_return);
        CHECK(playmat_env_step(env, 0) == PLAYMAT_STATUS_EPISODE_OVER);
        CHECK(playmat_env_step_into(fast, 0, NULL, 0, NULL, 0, NULL) == PLAYMAT_STATUS_EPISODE_OVER);
        OK(playmat_env_destroy(joint));
        OK(playmat_env_destroy(fast));
        OK(playmat_env_reset(env));
    }
    OK(playmat_env_reset_seed(env, 3));
    PlaymatEpisode first;
    OK(playmat_env_episode(env, &first, sizeof first));
    CHECK(first.seed == 3 && first.decisions == 0 && first.status == PLAYMAT_EPISODE_STATUS_RUNNING);
    PlaymatGame *of = NULL;
    OK(playmat_env_game(env, &of));
    CHECK(info_of(of).num_actions == info.num_actions);
    OK(playmat_game_destroy(game));
    OK(playmat_env_sample_action(env, PLAYMAT_CURRENT_PLAYER, &actions[0]));
    PlaymatEnv *known = NULL, *meant = NULL;
    OK(playmat_env_sample_hidden(env, current(env), 5, &known));
    OK(playmat_env_sample_hidden(env, PLAYMAT_CURRENT_PLAYER, 5, &meant));
    same_state(known, meant);
    OK(playmat_env_step(known, actions[0]));
    OK(playmat_env_step_player(meant, PLAYMAT_CURRENT_PLAYER, actions[0]));
    same_state(known, meant);
    OK(playmat_env_destroy(known));
    OK(playmat_env_destroy(meant));
    OK(playmat_env_step_into(env, actions[0], NULL, 0, NULL, 0, NULL));
    OK(playmat_env_destroy(env));
    /* Graft explains its actions, Connect Four does not. */
    CHECK(helps > 0 || strcmp(info.name, "graft") != 0);
    CHECK(helps == 0 || strcmp(info.name, "connect_four") != 0);
    free(seen);
    free(legal);
    OK(playmat_game_destroy(of));
    OK(playmat_agent_destroy(search));
    OK(playmat_agent_destroy(random));
    OK(playmat_agent_destroy(greedy));
    return 0;
}
