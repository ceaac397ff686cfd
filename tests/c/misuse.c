/* misuse: prints the names of all cases. misuse NAME: commits one misuse, in a process of its own, and checks that it came to a status
 * and a message and that no output was touched. misuse all: each in a child of this process. */
#include "check.h"

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static PlaymatGame *game;
static PlaymatEnv *env;
static PlaymatVecEnv *venv;
static PlaymatAgent *agent;

/* What outputs hold before the call. */
static uint8_t bytes[4096];
static char *const chars = (char *)bytes;
static int64_t number = 77;
static size_t size = 77;
static void *handle = &number;
/* Asked for before anything was refused. */
static const char *message;

static void refused(PlaymatStatus status, PlaymatStatus wanted)
{
    if (status != wanted)
        printf("status %d (%s)\n", status, playmat_status_name(status));
    CHECK(status == wanted);
    CHECK(strlen(playmat_error_message()) > 10 && message == playmat_error_message());
    for (size_t i = 0; i < sizeof bytes; i++)
        CHECK(bytes[i] == 0xA5);
    CHECK(number == 77 && handle == &number);
    if (wanted != PLAYMAT_STATUS_BUFFER_TOO_SMALL)
        CHECK(size == 77);
    /* What was not misused goes on working. */
    PlaymatGameInfo info = info_of(game);
    CHECK(info.num_players == 2);
}

/* What the last refusal says. */
static void says(const char *part)
{
    CHECK(strstr(playmat_error_message(), part) != NULL);
}

#define HANDLE(type) ((type **)(void *)&handle)
#define REFUSE(name, call) refused((call), PLAYMAT_STATUS_##name)

static PlaymatEnv *freed_env(void)
{
    PlaymatEnv *gone = new_env(game, 1);
    OK(playmat_env_destroy(gone));
    return gone;
}

/* Searches of the game in four rows, two leaves each. */
static PlaymatSearch *new_search(void)
{
    PlaymatSearch *search = NULL;
    OK(playmat_search_create(game, STR("mcts:8"), 4, 2, &search));
    return search;
}

/* The same, of the positions of the batch. */
static PlaymatSearch *begun_search(void)
{
    PlaymatSearch *search = new_search();
    OK(playmat_vec_env_reset_seed(venv, 1, NULL, 0, NULL, 0));
    OK(playmat_search_start_batch(search, venv, NULL, 0, 1));
    return search;
}

static void finish_search(PlaymatSearch *search)
{
    const float zeros[8 * 7] = {0};
    PlaymatLeaves leaves = {0};
    size_t count = 0;
    leaves.rows = 8;
    for (;;) {
        OK(playmat_search_collect(search, &leaves, sizeof leaves, NULL, &count));
        if (count == 0)
            return;
        OK(playmat_search_feed(search, zeros, count * 7, zeros, count));
    }
}

static PlaymatBuffers buffers_of(size_t envs, size_t players, size_t actions, size_t observation)
{
    PlaymatBuffers out = {0};
    out.obs = room(envs * observation, 1);
    out.obs_len = envs * observation;
    out.action_mask = room(envs * actions, 1);
    out.action_mask_len = envs * actions;
    out.reward = room(envs * players, sizeof *out.reward);
    out.reward_len = envs * players;
    return out;
}

#define CASES(CASE)                                                                                                       \
    CASE(game_name_unknown, REFUSE(UNKNOWN_GAME, playmat_game_create(STR("grafia"), NULL, 0, NULL, 0, HANDLE(PlaymatGame)))) \
    CASE(game_name_null, REFUSE(NULL_POINTER, playmat_game_create(NULL, 3, NULL, 0, NULL, 0, HANDLE(PlaymatGame))))         \
    CASE(game_name_null_nts, REFUSE(NULL_POINTER, playmat_game_create(NULL, PLAYMAT_NTS, NULL, 0, NULL, 0, HANDLE(PlaymatGame)))) \
    CASE(game_name_not_utf8, REFUSE(INVALID_UTF8, playmat_game_create(STR("\xff\xfe"), NULL, 0, NULL, 0, HANDLE(PlaymatGame)))) \
    CASE(game_options_not_json, REFUSE(UNREADABLE, playmat_game_create(STR("graphia"), STR("{\"players\""), NULL, 0, HANDLE(PlaymatGame)))) \
    CASE(game_options_key_twice, REFUSE(UNREADABLE, playmat_game_create(STR("graphia"), STR("{\"players\":1,\"players\":2}"), NULL, 0, HANDLE(PlaymatGame)))) \
    CASE(game_options_nested, refused(deep("{\"players\":", NULL), PLAYMAT_STATUS_UNREADABLE))                                          \
    CASE(game_options_nested_toml, refused(deep("players = ", NULL), PLAYMAT_STATUS_UNREADABLE))                           \
    CASE(game_content_nested, refused(deep(NULL, "x = "), PLAYMAT_STATUS_CONTENT))                                         \
    CASE(env_json_nested, refused(deep_state(), PLAYMAT_STATUS_UNREADABLE))                                                \
    CASE(game_options_not_utf8, REFUSE(INVALID_UTF8, playmat_game_create(STR("graphia"), STR("\x80"), NULL, 0, HANDLE(PlaymatGame)))) \
    CASE(game_option_wrong, REFUSE(INVALID_OPTION, playmat_game_create(STR("graphia"), STR("players = 99"), NULL, 0, HANDLE(PlaymatGame)))) \
    CASE(game_content_wrong, REFUSE(CONTENT, playmat_game_create(STR("graphia"), NULL, 0, STR("x = 1\n"), HANDLE(PlaymatGame)))) \
    CASE(game_content_twice, REFUSE(INVALID_ARGUMENT, playmat_game_create(STR("graphia"), STR("content = 'graphia'"), STR("graphia"), HANDLE(PlaymatGame)))) \
    CASE(game_out_null, REFUSE(NULL_POINTER, playmat_game_create(STR("graphia"), NULL, 0, NULL, 0, NULL)))                  \
    CASE(game_index, REFUSE(INVALID_ARGUMENT, playmat_game_name(1000, chars, sizeof bytes, &size)))                        \
    CASE(game_null, REFUSE(INVALID_HANDLE, playmat_env_create(NULL, 1, HANDLE(PlaymatEnv))))                               \
    CASE(game_is_env, REFUSE(WRONG_HANDLE, playmat_env_create((PlaymatGame *)env, 1, HANDLE(PlaymatEnv))))                 \
    CASE(game_is_venv, REFUSE(WRONG_HANDLE, playmat_game_describe((PlaymatGame *)venv, chars, sizeof bytes, &size)))       \
    CASE(game_is_memory, REFUSE(INVALID_HANDLE, playmat_env_create((PlaymatGame *)(void *)bytes, 1, HANDLE(PlaymatEnv))))  \
    CASE(game_info_null, REFUSE(NULL_POINTER, playmat_game_info(game, NULL, sizeof(PlaymatGameInfo))))                     \
    CASE(game_info_small, REFUSE(BUFFER_TOO_SMALL, playmat_game_info(game, (PlaymatGameInfo *)(void *)bytes, 8)))          \
    CASE(game_segment, REFUSE(INVALID_ARGUMENT, playmat_game_segment(game, 99, (PlaymatSegment *)(void *)bytes, sizeof(PlaymatSegment)))) \
    CASE(game_range, REFUSE(INVALID_ARGUMENT, playmat_game_action_range(game, 99, (PlaymatActionRange *)(void *)bytes, sizeof(PlaymatActionRange)))) \
    CASE(game_action, REFUSE(INVALID_ARGUMENT, playmat_game_action_text(game, -1, chars, sizeof bytes, &size)))            \
    CASE(game_text, REFUSE(UNKNOWN_ACTION, playmat_game_parse_action(game, STR("castle"), &number)))                       \
    CASE(game_agents, REFUSE(INVALID_ARGUMENT, playmat_game_survey(game, 1, 1, STR("random,wise"), NULL, chars, sizeof bytes, &size))) \
    CASE(text_too_small, REFUSE(BUFFER_TOO_SMALL, playmat_game_describe(game, chars, 16, &size)); CHECK(size > 16))        \
    CASE(text_out_null, REFUSE(NULL_POINTER, playmat_game_describe(game, NULL, 16, &size)))                                \
    CASE(env_null, REFUSE(INVALID_HANDLE, playmat_env_step(NULL, 0)))                                                      \
    CASE(env_freed, REFUSE(INVALID_HANDLE, playmat_env_step(freed_env(), 0)))                                              \
    CASE(env_freed_twice, REFUSE(INVALID_HANDLE, playmat_env_destroy(freed_env())))                                        \
    CASE(env_freed_and_place_used, PlaymatEnv *gone = freed_env(); new_env(game, 2);                                       \
         REFUSE(INVALID_HANDLE, playmat_env_save(gone, bytes, sizeof bytes, &size)))                                       \
    CASE(env_is_game, REFUSE(WRONG_HANDLE, playmat_env_to_json((PlaymatEnv *)game, 0, chars, sizeof bytes, &size)))        \
    CASE(env_is_agent, REFUSE(WRONG_HANDLE, playmat_env_destroy((PlaymatEnv *)agent)))                                         \
    CASE(env_is_memory, REFUSE(INVALID_HANDLE, playmat_env_destroy((PlaymatEnv *)(void *)bytes)))                             \
    CASE(env_out_null, REFUSE(NULL_POINTER, playmat_env_create(game, 1, NULL)))                                            \
    CASE(env_action_illegal, REFUSE(ILLEGAL_ACTION, playmat_env_step(env, 7)))                                             \
    CASE(env_action_negative, REFUSE(ILLEGAL_ACTION, playmat_env_step(env, -1)))                                           \
    CASE(env_action_huge, REFUSE(ILLEGAL_ACTION, playmat_env_step(env, INT64_MAX)))                                        \
    CASE(env_into_illegal, REFUSE(ILLEGAL_ACTION, playmat_env_step_into(env, 7, bytes, 126, bytes + 200, 7, NULL)))        \
    CASE(env_into_small, REFUSE(BUFFER_TOO_SMALL, playmat_env_step_into(env, 0, bytes, 125, bytes + 200, 7, NULL)))        \
    CASE(env_into_mask_small, REFUSE(BUFFER_TOO_SMALL, playmat_env_step_into(env, 0, bytes, 126, bytes + 200, 6, NULL)))   \
    CASE(env_into_null, REFUSE(NULL_POINTER, playmat_env_step_into(env, 0, NULL, 126, bytes, 7, NULL)))                    \
    CASE(env_into_overlap, REFUSE(INVALID_ARGUMENT, playmat_env_step_into(env, 0, bytes, 126, bytes + 125, 7, NULL)))      \
    CASE(env_into_freed, REFUSE(INVALID_HANDLE, playmat_env_step_into(freed_env(), 0, bytes, 126, bytes + 200, 7, NULL)))  \
    CASE(env_into_agent, REFUSE(WRONG_HANDLE, playmat_env_step_into((PlaymatEnv *)agent, 0, NULL, 0, NULL, 0, NULL)))          \
    CASE(env_png_width, REFUSE(INVALID_ARGUMENT, playmat_env_draw_png(env, 0, 1u << 30, bytes, sizeof bytes, &size)))      \
    CASE(env_png_viewer, REFUSE(INVALID_PLAYER, playmat_env_draw_png(env, 2, 0, bytes, sizeof bytes, &size)))                \
    CASE(env_png_small, REFUSE(BUFFER_TOO_SMALL, playmat_env_draw_png(env, 0, 0, bytes, 64, &size)); CHECK(size > 64))     \
    CASE(env_rgb_null, REFUSE(NULL_POINTER, playmat_env_draw_rgb(env, 0, 0, bytes, sizeof bytes, &size, NULL)))            \
    CASE(env_rgb_pixels_null, PlaymatPictureSize found = {7, 7};                                                           \
         REFUSE(NULL_POINTER, playmat_env_draw_rgb(env, 0, 0, NULL, 64, &size, &found)); CHECK(found.width == 7))          \
    CASE(game_f32_rest, REFUSE(INVALID_ARGUMENT, playmat_game_observation_f32(game, bytes, 127, (float *)(void *)(bytes + 512), 127))) \
    CASE(game_f32_short, REFUSE(INVALID_ARGUMENT, playmat_game_observation_f32(game, bytes, 126, (float *)(void *)(bytes + 512), 125))) \
    CASE(game_f32_overlap, REFUSE(INVALID_ARGUMENT, playmat_game_observation_f32(game, bytes + 4, 126, (float *)(void *)bytes, 126))) \
    CASE(game_f32_null, REFUSE(NULL_POINTER, playmat_game_observation_f32(game, NULL, 126, (float *)(void *)bytes, 126)))  \
    CASE(env_into_next_in_observation, REFUSE(INVALID_ARGUMENT, playmat_env_step_into(env, 0, bytes, 126, bytes + 200, 7, (int32_t *)(void *)(bytes + 124)))) \
    CASE(env_into_next_in_mask, REFUSE(INVALID_ARGUMENT, playmat_env_step_into(env, 0, bytes, 126, bytes + 200, 7, (int32_t *)(void *)(bytes + 200)))) \
    CASE(text_needed_inside, REFUSE(INVALID_ARGUMENT, playmat_game_describe(game, chars, sizeof bytes, (size_t *)(void *)(bytes + 64)))) \
    CASE(bytes_needed_inside, REFUSE(INVALID_ARGUMENT, playmat_env_save(env, bytes, 64, (size_t *)(void *)(bytes + 56))))    \
    CASE(env_legal_count_inside, REFUSE(INVALID_ARGUMENT, playmat_env_legal_actions(env, 0, (int64_t *)(void *)bytes, 7, (size_t *)(void *)(bytes + 48)))) \
    CASE(env_rgb_size_inside, REFUSE(INVALID_ARGUMENT, playmat_env_draw_rgb(env, 0, 0, bytes, sizeof bytes, &size, (PlaymatPictureSize *)(void *)bytes))) \
    CASE(env_rgb_size_is_needed, REFUSE(INVALID_ARGUMENT, playmat_env_draw_rgb(env, 0, 0, NULL, 0, &size, (PlaymatPictureSize *)(void *)&size))) \
    CASE(venv_seeds_overlap, PlaymatBuffers out = {0}; out.obs = bytes; out.obs_len = 4 * 126;                             \
         REFUSE(INVALID_ARGUMENT, playmat_vec_env_reset_seeds(venv, (uint64_t *)(void *)(bytes + 496), 4, NULL, 0, &out, sizeof out))) \
    CASE(venv_states_overlap, PlaymatBuffers out = {0}; out.obs = bytes; out.obs_len = 4 * 126;                            \
         const uint8_t *states[4] = {bytes + 600, bytes + 700, bytes + 503, bytes + 900}; size_t sizes[4] = {64, 64, 64, 64}; \
         REFUSE(INVALID_ARGUMENT, playmat_vec_env_reset_states(venv, states, sizes, 4, NULL, 0, &out, sizeof out)))        \
    CASE(venv_reset_mask_overlap, PlaymatBuffers out = {0}; out.obs = bytes; out.obs_len = 4 * 126;                        \
         REFUSE(INVALID_ARGUMENT, playmat_vec_env_reset_seed(venv, 1, bytes + 503, 4, &out, sizeof out)))                  \
    CASE(game_options_null, REFUSE(NULL_POINTER, playmat_game_create(STR("graphia"), NULL, 5, NULL, 0, HANDLE(PlaymatGame)))) \
    CASE(game_content_null, REFUSE(NULL_POINTER, playmat_game_create(STR("graphia"), NULL, 0, NULL, 5, HANDLE(PlaymatGame)))) \
    CASE(venv_config_null, REFUSE(NULL_POINTER, playmat_vec_env_create(game, 4, NULL, 5, HANDLE(PlaymatVecEnv))))           \
    CASE(game_content_bracket, REFUSE(CONTENT, playmat_game_create(STR("graphia"), NULL, 0, STR("["), HANDLE(PlaymatGame)))) \
    CASE(game_content_blank, REFUSE(CONTENT, playmat_game_create(STR("graphia"), NULL, 0, STR(" "), HANDLE(PlaymatGame)))) \
    CASE(game_content_empty, REFUSE(CONTENT, playmat_game_create(STR("graphia"), NULL, 0, STR(""), HANDLE(PlaymatGame)))) \
    CASE(game_content_name, REFUSE(INVALID_OPTION, playmat_game_create(STR("graphia"), NULL, 0, STR("grafia"), HANDLE(PlaymatGame)))) \
    CASE(game_agents_many, REFUSE(INVALID_ARGUMENT, playmat_game_survey(game, 1, 1, STR("random,random,greedy"), NULL, chars, sizeof bytes, &size))) \
    CASE(game_survey_endless, REFUSE(INVALID_ARGUMENT, playmat_game_survey(game, UINT64_MAX, 1, STR("random"), NULL, chars, sizeof bytes, &size))) \
    CASE(game_digest_endless, REFUSE(INVALID_ARGUMENT, playmat_game_digest(game, 1000001, NULL, chars, sizeof bytes, &size)))    \
    CASE(game_check_unknown, REFUSE(INVALID_ARGUMENT, playmat_game_conformance(game, 1, 2, STR("T1,ZZ"), NULL, chars, sizeof bytes, &size)); \
         says("got `ZZ`"); says("M1, M2, M3"))                                                                             \
    CASE(game_check_gap, REFUSE(INVALID_ARGUMENT, playmat_game_conformance(game, 1, 2, STR("T1,,M1"), NULL, chars, sizeof bytes, &size))) \
    CASE(env_is_no_environment, REFUSE(WRONG_HANDLE, playmat_env_step((PlaymatEnv *)agent, 0));                              \
         says("got the handle of an agent; wanted an environment"))                                                           \
    CASE(env_json_of_a_player, PlaymatGame *hidden = new_game("kuhn_poker", ""); PlaymatEnv *dealt = new_env(hidden, 1);     \
         char *json = room(4096, 1); OK(playmat_env_to_json(dealt, 0, json, 4096, NULL));                                  \
         REFUSE(UNREADABLE, playmat_env_from_json(hidden, STR(json), 1, HANDLE(PlaymatEnv))); free(json);                  \
         says("only JSON in which nothing is hidden can be loaded"))                                                       \
    CASE(game_check_not_utf8, REFUSE(INVALID_UTF8, playmat_game_conformance(game, 1, 1, STR("\xff"), NULL, chars, sizeof bytes, &size))) \
    CASE(venv_game_freed, REFUSE(WRONG_HANDLE, playmat_vec_env_game((PlaymatVecEnv *)env, HANDLE(PlaymatGame))))           \
    CASE(venv_async_short, OK(playmat_vec_env_reset_seed(venv, 1, NULL, 0, NULL, 0));                                      \
         REFUSE(INVALID_ARGUMENT, playmat_vec_env_step_async(venv, &number, 1, NULL, 0)))                                  \
    CASE(venv_async_buffer, int64_t played[4] = {0}; PlaymatBuffers out = {0}; out.obs = bytes; out.obs_len = 125;         \
         OK(playmat_vec_env_reset_seed(venv, 1, NULL, 0, NULL, 0));                                                        \
         REFUSE(INVALID_ARGUMENT, playmat_vec_env_step_async(venv, played, 4, &out, sizeof out)))                          \
    CASE(venv_states_count, const uint8_t *states[4] = {bytes, bytes, bytes, bytes}; size_t sizes[4] = {64, 64, 64, 64};   \
         REFUSE(INVALID_ARGUMENT, playmat_vec_env_reset_states(venv, states, sizes, SIZE_MAX / 32, NULL, 0, NULL, 0)))     \
    CASE(venv_rollout_endless, PlaymatRollout rollout = {0}; rollout.steps = SIZE_MAX;                                     \
         OK(playmat_vec_env_reset_seed(venv, 1, NULL, 0, NULL, 0));                                                        \
         REFUSE(INVALID_ARGUMENT, playmat_vec_env_rollout(venv, STR("random"), &rollout, sizeof rollout, NULL, 0)))        \
    CASE(venv_rollout_long, PlaymatRollout rollout = {0}; rollout.steps = (size_t)1 << 40;                                 \
         OK(playmat_vec_env_reset_seed(venv, 1, NULL, 0, NULL, 0));                                                        \
         REFUSE(INVALID_ARGUMENT, playmat_vec_env_rollout(venv, STR("random"), &rollout, sizeof rollout, NULL, 0)))        \
    CASE(gae_endless, PlaymatTrajectories t = {0}; t.steps = t.num_envs = SIZE_MAX / 2; t.num_players = 2;                         \
         REFUSE(INVALID_ARGUMENT, playmat_gae(&t, sizeof t, (float *)(void *)bytes, 4, NULL, 0)))                          \
    CASE(game_check_endless, REFUSE(INVALID_ARGUMENT, playmat_game_conformance(game, 1, SIZE_MAX, NULL, 0, NULL, chars, sizeof bytes, &size))) \
    CASE(venv_describe_small, REFUSE(BUFFER_TOO_SMALL, playmat_vec_env_describe(venv, chars, 3, &size)); CHECK(size > 3))  \
    CASE(venv_opponents_idle, REFUSE(INVALID_ARGUMENT, playmat_vec_env_create(game, 4, STR("opponents = 'random'"), HANDLE(PlaymatVecEnv)))) \
    CASE(venv_opponent_idle, REFUSE(INVALID_ARGUMENT, playmat_vec_env_add_opponent(venv, STR("random"), 1, &size)))        \
    CASE(venv_agent_unknown, REFUSE(INVALID_ARGUMENT, playmat_vec_env_create(game, 4, STR("learner = 0\nopponents = 'wise'"), HANDLE(PlaymatVecEnv)))) \
    CASE(env_player_not_acting, REFUSE(NOT_ACTING, playmat_env_step_player(env, 1, 0)))                                    \
    CASE(env_player, REFUSE(INVALID_PLAYER, playmat_env_step_player(env, 2, 0)))                                             \
    CASE(env_player_wraps, REFUSE(INVALID_PLAYER, playmat_env_step_player(env, 256, 0)))                                     \
    CASE(env_joint_short, int64_t one = 0; REFUSE(INVALID_ARGUMENT, playmat_env_step_joint(env, &one, 1)))                 \
    CASE(env_joint_null, REFUSE(NULL_POINTER, playmat_env_step_joint(env, NULL, 2)))                                       \
    CASE(env_joint_misaligned, REFUSE(INVALID_ARGUMENT, playmat_env_step_joint(env, (int64_t *)(void *)(bytes + 1), 2)))   \
    CASE(env_joint_endless, REFUSE(INVALID_ARGUMENT, playmat_env_step_joint(env, (int64_t *)(void *)bytes, SIZE_MAX / 4))) \
    CASE(env_mask_small, REFUSE(BUFFER_TOO_SMALL, playmat_env_action_mask(env, 0, bytes, 6)))                              \
    CASE(env_mask_null, REFUSE(NULL_POINTER, playmat_env_action_mask(env, 0, NULL, 7)))                                    \
    CASE(env_mask_player, REFUSE(INVALID_PLAYER, playmat_env_action_mask(env, -3, bytes, sizeof bytes)))                     \
    CASE(env_observation_small, REFUSE(BUFFER_TOO_SMALL, playmat_env_observation(env, 0, bytes, 125)))                     \
    CASE(env_observation_null, REFUSE(NULL_POINTER, playmat_env_observation_f32(env, 0, NULL, 126)))                       \
    CASE(env_viewer, REFUSE(INVALID_PLAYER, playmat_env_to_json(env, 2, chars, sizeof bytes, &size)))                        \
    CASE(env_viewer_current, REFUSE(INVALID_PLAYER, playmat_env_events(env, PLAYMAT_CURRENT_PLAYER, chars, sizeof bytes, &size))) \
    CASE(env_json_bad, REFUSE(INVALID_STATE, playmat_env_from_json(game, STR("{\"state\": 3}"), 1, HANDLE(PlaymatEnv))))      \
    CASE(env_json_cut, REFUSE(UNREADABLE, playmat_env_from_json(game, STR("{\"state\": {"), 1, HANDLE(PlaymatEnv))))        \
    CASE(env_json_not_utf8, REFUSE(INVALID_UTF8, playmat_env_from_json(game, STR("{\xc3\x28}"), 1, HANDLE(PlaymatEnv))))   \
    CASE(env_bytes_bad, REFUSE(UNREADABLE, playmat_env_load(game, bytes, sizeof bytes, HANDLE(PlaymatEnv))))               \
    CASE(env_bytes_none, REFUSE(UNREADABLE, playmat_env_load(game, NULL, 0, HANDLE(PlaymatEnv))))                          \
    CASE(env_bytes_null, REFUSE(NULL_POINTER, playmat_env_load(game, NULL, 9, HANDLE(PlaymatEnv))))                        \
    CASE(env_sample_player, REFUSE(INVALID_PLAYER, playmat_env_sample_hidden(env, 9, 1, HANDLE(PlaymatEnv))))                \
    CASE(env_text_unknown, REFUSE(UNKNOWN_ACTION, playmat_env_parse_action(env, 0, STR("castle"), &number)))               \
    CASE(env_over, while (playmat_env_sample_action(env, PLAYMAT_CURRENT_PLAYER, &number) == PLAYMAT_STATUS_OK)             \
                       OK(playmat_env_step(env, number));                                                                  \
         number = 77; REFUSE(EPISODE_OVER, playmat_env_step(env, 0)))                                                      \
    CASE(env_help_action, REFUSE(INVALID_ARGUMENT, playmat_env_action_help(env, 0, 7, chars, sizeof bytes, &size));         \
         says("got 7; actions are 0 to 6"))                                                                                \
    CASE(env_help_player, REFUSE(INVALID_PLAYER, playmat_env_action_help(env, 2, 0, chars, sizeof bytes, &size)))            \
    CASE(env_help_null, REFUSE(NULL_POINTER, playmat_env_action_help(env, 0, 0, NULL, 16, &size)))                         \
    CASE(env_help_freed, REFUSE(INVALID_HANDLE, playmat_env_action_help(freed_env(), 0, 0, chars, sizeof bytes, &size)))   \
    CASE(game_scale_none, REFUSE(INVALID_ARGUMENT, playmat_game_reward_scale(game, 0, 0, 0, NULL, (double *)(void *)bytes)); \
         says("got 0; allowed: 1 to 1000000"))                                                                             \
    CASE(game_scale_endless, REFUSE(INVALID_ARGUMENT, playmat_game_reward_scale(game, 1000001, 0, 0, NULL, (double *)(void *)bytes))) \
    CASE(game_scale_null, REFUSE(NULL_POINTER, playmat_game_reward_scale(game, 1, 0, 0, NULL, NULL)))                      \
    CASE(game_scale_is_env, REFUSE(WRONG_HANDLE, playmat_game_reward_scale((PlaymatGame *)env, 1, 0, 0, NULL, (double *)(void *)bytes))) \
    CASE(replay_bad, REFUSE(UNREADABLE, playmat_env_from_replay(game, STR("{}"), 0, HANDLE(PlaymatEnv))))                  \
    CASE(replay_game_bad, REFUSE(UNREADABLE, playmat_game_from_replay(STR("[]"), HANDLE(PlaymatGame))))                    \
    CASE(agent_spec, REFUSE(INVALID_ARGUMENT, playmat_agent_create(game, STR("gredy"), HANDLE(PlaymatAgent)));\
         says("`spec`: got `gredy` (did you mean `greedy`?); allowed: `random`, `greedy`"))                              \
    CASE(agent_search, REFUSE(INVALID_ARGUMENT, playmat_agent_create(game, STR("mcts:8,thread=2"), HANDLE(PlaymatAgent)));\
         says("`spec`: got option `thread` of `mcts` (did you mean `threads`?); allowed: `rollout`, `prior`"))            \
    CASE(agent_game, REFUSE(WRONG_HANDLE, playmat_agent_create((PlaymatGame *)env, STR("greedy"), HANDLE(PlaymatAgent))))  \
    CASE(agent_name_null, REFUSE(INVALID_HANDLE, playmat_agent_name(NULL, chars, sizeof bytes, &size)))                   \
    CASE(agent_other_game, PlaymatAgent *other = NULL; PlaymatGame *kuhn = NULL;                                           \
         OK(playmat_game_create(STR("kuhn_poker"), NULL, 0, NULL, 0, &kuhn)); OK(playmat_agent_create(kuhn, STR("random"), &other)); \
         REFUSE(INVALID_ARGUMENT, playmat_agent_act(other, env, 0, NULL, &number)); says("was made for `kuhn_poker`");           \
         OK(playmat_agent_destroy(other)); REFUSE(INVALID_HANDLE, playmat_agent_act(other, env, 0, NULL, &number)))                          \
    CASE(agent_null, REFUSE(INVALID_HANDLE, playmat_agent_act(NULL, env, 0, NULL, &number)))                                      \
    CASE(agent_is_env, REFUSE(WRONG_HANDLE, playmat_agent_act((PlaymatAgent *)env, env, 0, NULL, &number)))                         \
    CASE(agent_env_is_agent, REFUSE(WRONG_HANDLE, playmat_agent_act(agent, (PlaymatEnv *)agent, 0, NULL, &number)))                     \
    CASE(agent_player, REFUSE(NOT_ACTING, playmat_agent_act(agent, env, 1, NULL, &number)))                                         \
    CASE(agent_statistics, PlaymatAgent *search = NULL; PlaymatSearchStatistics found; uint32_t visits[7] = {77}; int64_t action = 0; \
         REFUSE(INVALID_ARGUMENT, playmat_agent_statistics(agent, env, 0, &found, sizeof found));                            \
         says("got `random`; only a search, for example `mcts:400`, has statistics");                                        \
         OK(playmat_agent_create(game, STR("mcts:20"), &search));                                                            \
         REFUSE(ORDER, playmat_agent_statistics(search, env, 0, &found, sizeof found));                                      \
         says("the agent has no decision as this player in this episode");                                                   \
         OK(playmat_agent_act(search, env, 0, NULL, &action));                                                               \
         OK(playmat_agent_statistics(search, env, 0, &found, sizeof found)); CHECK(found.actions == 7 && found.action == action); \
         REFUSE(ORDER, playmat_agent_statistics(search, env, 1, &found, sizeof found));                                      \
         REFUSE(INVALID_PLAYER, playmat_agent_statistics(search, env, 2, &found, sizeof found));                             \
         REFUSE(BUFFER_TOO_SMALL, playmat_agent_statistics(search, env, 0, &found, 4));                                      \
         REFUSE(NULL_POINTER, playmat_agent_statistics(search, env, 0, NULL, sizeof found));                                 \
         REFUSE(INVALID_HANDLE, playmat_agent_statistics(NULL, env, 0, &found, sizeof found));                               \
         REFUSE(BUFFER_TOO_SMALL, playmat_agent_action_statistics(search, env, 0, NULL, 0, visits, 6, NULL, 0, NULL, 0));    \
         says("`visits`: room for 6 elements; 7 are needed"); CHECK(visits[0] == 77);                                        \
         REFUSE(NULL_POINTER, playmat_agent_action_statistics(search, env, 0, NULL, 7, visits, 7, NULL, 0, NULL, 0));        \
         REFUSE(INVALID_ARGUMENT, playmat_agent_action_statistics(search, env, 0, NULL, 0, visits, 7, (float *)(void *)visits, 7, NULL, 0)); \
         says("overlaps `visits`"); CHECK(visits[0] == 77); OK(playmat_agent_destroy(search)))                               \
    CASE(agent_evaluate, float policy[7] = {77}; float value = 77;                                                          \
         REFUSE(INVALID_ARGUMENT, playmat_agent_evaluate(agent, env, 0, policy, 7, &value));                                 \
         says("got `random`; only a network, for example `policy.onnx`, has a policy and a value");                          \
         REFUSE(INVALID_PLAYER, playmat_agent_evaluate(agent, env, 2, policy, 7, &value));                                   \
         REFUSE(NULL_POINTER, playmat_agent_evaluate(agent, env, 0, NULL, 7, &value));                                       \
         REFUSE(INVALID_HANDLE, playmat_agent_evaluate(NULL, env, 0, policy, 7, &value));                                    \
         REFUSE(INVALID_HANDLE, playmat_agent_evaluate(agent, NULL, 0, policy, 7, &value));                                  \
         REFUSE(WRONG_HANDLE, playmat_agent_evaluate((PlaymatAgent *)env, env, 0, policy, 7, &value));                       \
         CHECK(policy[0] == 77 && value == 77))                                                                              \
    CASE(agent_evaluate_batch, float policy[28] = {77};                                                                     \
         OK(playmat_vec_env_reset_seed(venv, 1, NULL, 0, NULL, 0));                                                        \
         REFUSE(INVALID_ARGUMENT, playmat_agent_evaluate_batch(agent, venv, policy, 28, NULL, 0));                           \
         says("got `random`; only a network");                                                                               \
         REFUSE(INVALID_ARGUMENT, playmat_agent_evaluate_batch(agent, venv, policy, 28, policy, 4));                         \
         says("overlaps `policy`");                                                                                          \
         REFUSE(INVALID_HANDLE, playmat_agent_evaluate_batch(agent, NULL, policy, 28, NULL, 0)); CHECK(policy[0] == 77))     \
    CASE(agent_statistics_batch, PlaymatAgent *search = NULL; int32_t visits[28] = {77};                                    \
         REFUSE(ORDER, playmat_agent_statistics_batch(agent, venv, visits, 28, NULL, 0, NULL, 0, NULL, 0, NULL, 0));         \
         OK(playmat_vec_env_reset_seed(venv, 1, NULL, 0, NULL, 0));                                                        \
         REFUSE(INVALID_ARGUMENT, playmat_agent_statistics_batch(agent, venv, visits, 28, NULL, 0, NULL, 0, NULL, 0, NULL, 0)); \
         says("got `random`; only a search, for example `mcts:400`, has statistics");                                        \
         OK(playmat_agent_create(game, STR("mcts:20"), &search));                                                            \
         REFUSE(INVALID_ARGUMENT, playmat_agent_statistics_batch(search, venv, visits, 27, NULL, 0, NULL, 0, NULL, 0, NULL, 0)); \
         says("argument `visits`: got 27 elements; wanted 28, or none to skip it");                                          \
         REFUSE(INVALID_ARGUMENT, playmat_agent_statistics_batch(search, venv, visits, 28, (float *)(void *)visits, 28, NULL, 0, NULL, 0, NULL, 0)); \
         says("overlaps `visits`");                                                                                          \
         REFUSE(NULL_POINTER, playmat_agent_statistics_batch(search, venv, NULL, 28, NULL, 0, NULL, 0, NULL, 0, NULL, 0));   \
         REFUSE(INVALID_HANDLE, playmat_agent_statistics_batch(search, NULL, visits, 28, NULL, 0, NULL, 0, NULL, 0, NULL, 0)); \
         CHECK(visits[0] == 77); OK(playmat_agent_destroy(search)))                                                          \
    CASE(venv_config_bad, REFUSE(UNREADABLE, playmat_vec_env_create(game, 4, STR("{"), HANDLE(PlaymatVecEnv))))            \
    CASE(venv_config_key, REFUSE(INVALID_ARGUMENT, playmat_vec_env_create(game, 4, STR("thread = 2"), HANDLE(PlaymatVecEnv)))) \
    CASE(venv_no_envs, REFUSE(INVALID_ARGUMENT, playmat_vec_env_create(game, 0, NULL, 0, HANDLE(PlaymatVecEnv))))          \
    CASE(venv_many_envs, REFUSE(INVALID_ARGUMENT, playmat_vec_env_create(game, SIZE_MAX, NULL, 0, HANDLE(PlaymatVecEnv)))) \
    CASE(venv_no_opponents, REFUSE(INVALID_ARGUMENT, playmat_vec_env_create(game, 4, STR("view = 'single'"), HANDLE(PlaymatVecEnv)))) \
    CASE(venv_learner, REFUSE(INVALID_PLAYER, playmat_vec_env_create(game, 4, STR("learner = 5\nopponents = 'random'"), HANDLE(PlaymatVecEnv)))) \
    CASE(venv_null, REFUSE(INVALID_HANDLE, playmat_vec_env_reset(NULL, NULL, 0, NULL, 0)))                                 \
    CASE(venv_is_env, REFUSE(WRONG_HANDLE, playmat_vec_env_reset((PlaymatVecEnv *)env, NULL, 0, NULL, 0)))                 \
    CASE(venv_before_reset, REFUSE(ORDER, playmat_vec_env_step(venv, &number, 1, NULL, 0)))                                \
    CASE(venv_wait, REFUSE(ORDER, playmat_vec_env_step_wait(venv)))                                                        \
    CASE(venv_actions_short, OK(playmat_vec_env_reset_seed(venv, 1, NULL, 0, NULL, 0));                                    \
         REFUSE(INVALID_ARGUMENT, playmat_vec_env_step(venv, &number, 1, NULL, 0)))                                        \
    CASE(venv_actions_illegal, OK(playmat_vec_env_reset_seed(venv, 1, NULL, 0, NULL, 0)); int64_t played[4] = {0, 1, 9, 3}; \
         PlaymatBuffers out = {0}; out.action_mask = bytes; out.action_mask_len = 28;                                      \
         REFUSE(ILLEGAL_ACTION, playmat_vec_env_step(venv, played, 4, &out, sizeof out)))                                  \
    CASE(venv_buffer_short, PlaymatBuffers out = {0}; out.obs = bytes; out.obs_len = 125;                                  \
         REFUSE(INVALID_ARGUMENT, playmat_vec_env_reset_seed(venv, 1, NULL, 0, &out, sizeof out)))                         \
    CASE(venv_buffer_null, PlaymatBuffers out = {0}; out.obs_len = 4 * 126;                                                \
         REFUSE(NULL_POINTER, playmat_vec_env_reset_seed(venv, 1, NULL, 0, &out, sizeof out)))                             \
    CASE(venv_buffer_type, PlaymatBuffers out = {0}; out.obs_f32 = (float *)(void *)bytes; out.obs_f32_len = 4 * 126;      \
         REFUSE(INVALID_ARGUMENT, playmat_vec_env_reset_seed(venv, 1, NULL, 0, &out, sizeof out)))                         \
    CASE(venv_buffer_misaligned, PlaymatBuffers out = {0}; out.reward = (float *)(void *)(bytes + 2); out.reward_len = 8;  \
         REFUSE(INVALID_ARGUMENT, playmat_vec_env_reset_seed(venv, 1, NULL, 0, &out, sizeof out)))                         \
    CASE(venv_buffers_overlap, PlaymatBuffers out = {0}; out.obs = bytes; out.obs_len = 4 * 126;                           \
         out.action_mask = bytes + 500; out.action_mask_len = 28;                                                          \
         REFUSE(INVALID_ARGUMENT, playmat_vec_env_reset_seed(venv, 1, NULL, 0, &out, sizeof out)))                         \
    CASE(venv_buffers_size, PlaymatBuffers out = {0};                                                                      \
         REFUSE(INVALID_ARGUMENT, playmat_vec_env_reset_seed(venv, 1, NULL, 0, &out, sizeof &out)))                        \
    CASE(venv_buffers_later, struct {PlaymatBuffers known; size_t later;} out = {{0}, 1};                                  \
         REFUSE(INVALID_ARGUMENT, playmat_vec_env_reset_seed(venv, 1, NULL, 0, &out.known, sizeof out)))                   \
    CASE(cancel_null, REFUSE(INVALID_HANDLE, playmat_cancel_request(NULL)))                                                \
    CASE(cancel_out_null, REFUSE(NULL_POINTER, playmat_cancel_create(NULL)))                                               \
    CASE(cancel_is_game, REFUSE(WRONG_HANDLE, playmat_game_digest(game, 1, (PlaymatCancel *)game, chars, sizeof bytes, &size))) \
    CASE(cancel_is_memory, REFUSE(INVALID_HANDLE, playmat_game_survey(game, 1, 1, STR("random"), (PlaymatCancel *)(void *)bytes, chars, sizeof bytes, &size))) \
    CASE(cancel_freed, PlaymatCancel *gone = NULL; OK(playmat_cancel_create(&gone)); OK(playmat_cancel_destroy(gone));      \
         REFUSE(INVALID_HANDLE, playmat_game_conformance(game, 1, 1, STR("M1"), gone, chars, sizeof bytes, &size));        \
         REFUSE(INVALID_HANDLE, playmat_cancel_destroy(gone)); REFUSE(INVALID_HANDLE, playmat_cancel_request(gone)))       \
    CASE(cancel_requested, PlaymatCancel *set = NULL; OK(playmat_cancel_create(&set)); OK(playmat_cancel_request(set));    \
         REFUSE(CANCELLED, playmat_game_digest(game, 1000, set, chars, sizeof bytes, &size));                              \
         REFUSE(CANCELLED, playmat_game_conformance(game, 1, 1, STR("M1"), set, chars, sizeof bytes, &size));              \
         REFUSE(CANCELLED, playmat_game_reward_scale(game, 1000, 1, 0, set, (double *)(void *)bytes));                     \
         REFUSE(CANCELLED, playmat_game_survey(game, 1000, 1, STR("random"), set, chars, sizeof bytes, &size)))            \
    CASE(venv_seeds_short, uint64_t seeds[3] = {1, 2, 3};                                                                  \
         REFUSE(INVALID_ARGUMENT, playmat_vec_env_reset_seeds(venv, seeds, 3, NULL, 0, NULL, 0)))                          \
    CASE(venv_mask_short, uint8_t mask[3] = {1, 1, 1};                                                                     \
         REFUSE(INVALID_ARGUMENT, playmat_vec_env_reset_seed(venv, 1, mask, 3, NULL, 0)))                                  \
    CASE(venv_states_bad, const uint8_t *states[4] = {bytes, bytes, bytes, bytes}; size_t sizes[4] = {64, 64, 64, 64};     \
         REFUSE(UNREADABLE, playmat_vec_env_reset_states(venv, states, sizes, 4, NULL, 0, NULL, 0)))                       \
    CASE(venv_states_null, const uint8_t *states[4] = {0}; size_t sizes[4] = {64, 64, 64, 64};                             \
         REFUSE(NULL_POINTER, playmat_vec_env_reset_states(venv, states, sizes, 4, NULL, 0, NULL, 0)))                     \
    CASE(venv_pending, int64_t played[4] = {0}; PlaymatBuffers out = buffers_of(4, 2, 7, 126);                             \
         OK(playmat_vec_env_reset_seed(venv, 1, NULL, 0, &out, sizeof out));                                               \
         OK(playmat_vec_env_step_async(venv, played, 4, &out, sizeof out));                                                \
         REFUSE(ORDER, playmat_vec_env_step(venv, played, 4, NULL, 0)); OK(playmat_vec_env_step_wait(venv));               \
         free(out.obs); free(out.action_mask); free(out.reward))                                                           \
    CASE(venv_env, OK(playmat_vec_env_reset_seed(venv, 1, NULL, 0, NULL, 0));                                              \
         REFUSE(INVALID_ARGUMENT, playmat_vec_env_state(venv, 4, bytes, sizeof bytes, &size)))                             \
    CASE(venv_bytes, REFUSE(UNREADABLE, playmat_vec_env_load(venv, bytes, sizeof bytes)))                                  \
    CASE(venv_weights, double weight = -1; REFUSE(INVALID_ARGUMENT, playmat_vec_env_set_weights(venv, &weight, 1)))        \
    CASE(venv_policy, PlaymatRollout rollout = {0}; rollout.steps = 1;                                                     \
         OK(playmat_vec_env_reset_seed(venv, 1, NULL, 0, NULL, 0));                                                        \
         REFUSE(INVALID_ARGUMENT, playmat_vec_env_rollout(venv, STR("wise"), &rollout, sizeof rollout, NULL, 0)))          \
    CASE(agent_batch, int64_t played[4]; OK(playmat_vec_env_reset_seed(venv, 1, NULL, 0, NULL, 0));                   \
         REFUSE(INVALID_HANDLE, playmat_agent_act_batch(NULL, venv, NULL, 0, NULL, played, 4));                             \
         REFUSE(WRONG_HANDLE, playmat_agent_act_batch(agent, (PlaymatVecEnv *)env, NULL, 0, NULL, played, 4));              \
         REFUSE(NULL_POINTER, playmat_agent_act_batch(agent, venv, NULL, 0, NULL, NULL, 4));                               \
         REFUSE(INVALID_ARGUMENT, playmat_agent_act_batch(agent, venv, NULL, 0, NULL, played, 3)))                         \
    CASE(agent_batch_mask, int64_t played[4] = {0}; uint8_t mask[4] = {1, 0, 0, 1};                                        \
         OK(playmat_vec_env_reset_seed(venv, 1, NULL, 0, NULL, 0));                                                        \
         REFUSE(NULL_POINTER, playmat_agent_act_batch(agent, venv, NULL, 4, NULL, played, 4));                             \
         REFUSE(INVALID_ARGUMENT, playmat_agent_act_batch(agent, venv, mask, 3, NULL, played, 4)); says("`mask`: got 3 entries; wanted 4"); \
         REFUSE(INVALID_ARGUMENT, playmat_agent_act_batch(agent, venv, mask, 0, NULL, played, 4));                         \
         REFUSE(INVALID_ARGUMENT, playmat_agent_act_batch(agent, venv, (uint8_t *)played + 9, 4, NULL, played, 4)); says("overlaps `mask`")) \
    CASE(agent_cancel, PlaymatCancel *set = NULL; int64_t played[4] = {7, 7, 7, 7}; PlaymatAgent *slow = NULL;              \
         OK(playmat_agent_create(game, STR("mcts:10000000"), &slow)); OK(playmat_cancel_create(&set));                      \
         REFUSE(WRONG_HANDLE, playmat_agent_act(slow, env, 0, (PlaymatCancel *)env, &number));                             \
         OK(playmat_cancel_request(set)); OK(playmat_vec_env_reset_seed(venv, 1, NULL, 0, NULL, 0));                       \
         REFUSE(CANCELLED, playmat_agent_act(slow, env, 0, set, &number)); says("the agent was cancelled; nothing was written"); \
         REFUSE(CANCELLED, playmat_agent_act_batch(slow, venv, NULL, 0, set, played, 4)); CHECK(played[0] == 7);           \
         OK(playmat_agent_create(game, STR("greedy"), &slow)); REFUSE(CANCELLED, playmat_agent_act(slow, env, 0, set, &number)); \
         REFUSE(NULL_POINTER, playmat_agent_act(slow, env, 0, set, NULL)))                                                 \
    CASE(search_spec, REFUSE(INVALID_ARGUMENT, playmat_search_create(game, STR("greedy"), 1, 1, HANDLE(PlaymatSearch)));   \
         says("only `mcts` has leaves"))                                                                                   \
    CASE(search_option, REFUSE(INVALID_ARGUMENT, playmat_search_create(game, STR("mcts:8,threads=65"), 1, 1, HANDLE(PlaymatSearch)))) \
    CASE(search_rows, REFUSE(INVALID_ARGUMENT, playmat_search_create(game, STR("mcts:8"), 0, 1, HANDLE(PlaymatSearch)));   \
         REFUSE(INVALID_ARGUMENT, playmat_search_create(game, STR("mcts:8"), SIZE_MAX, 1, HANDLE(PlaymatSearch)));         \
         REFUSE(INVALID_ARGUMENT, playmat_search_create(game, STR("mcts:8"), 1, 1025, HANDLE(PlaymatSearch))))             \
    CASE(search_out_null, REFUSE(NULL_POINTER, playmat_search_create(game, STR("mcts:8"), 1, 1, NULL)))                    \
    CASE(search_text, REFUSE(INVALID_UTF8, playmat_search_create(game, "mcts:\xff", 6, 1, 1, HANDLE(PlaymatSearch))))      \
    CASE(search_game, REFUSE(WRONG_HANDLE, playmat_search_create((PlaymatGame *)env, STR("mcts:8"), 1, 1, HANDLE(PlaymatSearch)))) \
    CASE(search_null, REFUSE(INVALID_HANDLE, playmat_search_start(NULL, 0, env, 0, 1));                                    \
         REFUSE(INVALID_HANDLE, playmat_search_stop(NULL, 0)); REFUSE(INVALID_HANDLE, playmat_search_waiting(NULL, &size))) \
    CASE(search_freed, PlaymatSearch *gone = new_search(); OK(playmat_search_destroy(gone)); OK(playmat_search_destroy(NULL)); \
         REFUSE(INVALID_HANDLE, playmat_search_destroy(gone)); REFUSE(INVALID_HANDLE, playmat_search_start_batch(gone, venv, NULL, 0, 1)); \
         REFUSE(INVALID_HANDLE, playmat_search_name(gone, chars, sizeof bytes, &size)))                                    \
    CASE(search_is_env, REFUSE(WRONG_HANDLE, playmat_search_feed((PlaymatSearch *)env, NULL, 0, NULL, 0)); says("wanted a search")) \
    CASE(search_env_is_search, PlaymatSearch *search = new_search();                                                       \
         REFUSE(WRONG_HANDLE, playmat_search_start(search, 0, (PlaymatEnv *)search, 0, 1));                                \
         REFUSE(WRONG_HANDLE, playmat_search_start_batch(search, (PlaymatVecEnv *)env, NULL, 0, 1)))                       \
    CASE(search_start, PlaymatSearch *search = new_search();                                                               \
         REFUSE(INVALID_ARGUMENT, playmat_search_start(search, 4, env, 0, 1)); says("got 4; rows are 0 to 3");             \
         REFUSE(NOT_ACTING, playmat_search_start(search, 0, env, 1, 1));                                                   \
         REFUSE(INVALID_PLAYER, playmat_search_start(search, 0, env, 2, 1));                                               \
         REFUSE(INVALID_ARGUMENT, playmat_search_stop(search, 4));                                                         \
         REFUSE(ORDER, playmat_search_start_batch(search, venv, NULL, 0, 1)))                                              \
    CASE(search_mask, PlaymatSearch *search = begun_search();                                                               \
         REFUSE(NULL_POINTER, playmat_search_start_batch(search, venv, NULL, 4, 1)); says("`mask`");                        \
         REFUSE(INVALID_ARGUMENT, playmat_search_start_batch(search, venv, bytes, 0, 1)); says("`mask`: got 0 entries; wanted 4"); \
         REFUSE(INVALID_ARGUMENT, playmat_search_start_batch(search, venv, bytes, 5, 1)); says("`mask`: got 5 entries; wanted 4"); \
         finish_search(search))                                                                                            \
    CASE(search_negative_row, PlaymatSearch *search = new_search();                                                        \
         REFUSE(INVALID_ARGUMENT, playmat_search_start(search, (size_t)-1, env, 0, 1)); says("got -1; rows are 0 to 3");   \
         REFUSE(INVALID_ARGUMENT, playmat_search_stop(search, (size_t)-2)); says("got -2; rows are 0 to 3"))               \
    CASE(search_endless_room, PlaymatSearch *search = begun_search(); PlaymatLeaves leaves = {0}; leaves.rows = SIZE_MAX;   \
         leaves.obs = bytes; leaves.obs_len = 8 * 126;                                                                     \
         REFUSE(INVALID_ARGUMENT, playmat_search_collect(search, &leaves, sizeof leaves, NULL, &size)); says("`obs`");     \
         leaves.obs = NULL; leaves.obs_len = 0; leaves.player = (int32_t *)(void *)bytes; leaves.player_len = 8;           \
         REFUSE(INVALID_ARGUMENT, playmat_search_collect(search, &leaves, sizeof leaves, NULL, &size)); says("`player`: got 8 elements"); \
         finish_search(search))                                                                                            \
    CASE(search_other_game, PlaymatSearch *search = new_search(); PlaymatGame *kuhn = new_game("kuhn_poker", "");          \
         PlaymatEnv *other = new_env(kuhn, 1); PlaymatVecEnv *many = NULL;                                                 \
         OK(playmat_vec_env_create(kuhn, 4, NULL, 0, &many)); OK(playmat_vec_env_reset_seed(many, 1, NULL, 0, NULL, 0));   \
         REFUSE(INVALID_ARGUMENT, playmat_search_start(search, 0, other, 0, 1)); says("was made for `connect_four`");      \
         REFUSE(INVALID_ARGUMENT, playmat_search_start_batch(search, many, NULL, 0, 1)); says("`venv`"))                   \
    CASE(search_before_start, PlaymatSearch *search = new_search(); PlaymatLeaves leaves = {0}; leaves.rows = 8; float out[28]; \
         REFUSE(ORDER, playmat_search_collect(search, &leaves, sizeof leaves, NULL, &size)); says("`start` first");        \
         REFUSE(ORDER, playmat_search_policy(search, out, 28)); REFUSE(ORDER, playmat_search_values(search, out, 4));      \
         REFUSE(ORDER, playmat_search_priors(search, out, 28)); REFUSE(ORDER, playmat_search_mean_returns(search, out, 28)); \
         int32_t visits[28]; REFUSE(ORDER, playmat_search_visits(search, visits, 28));                                     \
         REFUSE(ORDER, playmat_search_actions(search, 0, &number, 4)))                                                     \
    CASE(search_collect, PlaymatSearch *search = begun_search(); PlaymatLeaves leaves = {0};                               \
         REFUSE(INVALID_ARGUMENT, playmat_search_collect(search, &leaves, sizeof leaves, NULL, &size)); says("got 0; wanted at least 2"); \
         leaves.rows = 8; leaves.player = (int32_t *)(void *)bytes; leaves.player_len = 7;                                 \
         REFUSE(INVALID_ARGUMENT, playmat_search_collect(search, &leaves, sizeof leaves, NULL, &size)); says("`player`");  \
         leaves.player_len = 8; leaves.search = (int32_t *)(void *)(bytes + 28); leaves.search_len = 8;                    \
         REFUSE(INVALID_ARGUMENT, playmat_search_collect(search, &leaves, sizeof leaves, NULL, &size)); says("overlaps");  \
         leaves.search = (int32_t *)(void *)(bytes + 33);                                                                  \
         REFUSE(INVALID_ARGUMENT, playmat_search_collect(search, &leaves, sizeof leaves, NULL, &size)); says("not aligned"); \
         leaves.search = NULL;                                                                                             \
         REFUSE(NULL_POINTER, playmat_search_collect(search, &leaves, sizeof leaves, NULL, &size)); leaves.search_len = 0; \
         REFUSE(NULL_POINTER, playmat_search_collect(search, &leaves, sizeof leaves, NULL, NULL));                         \
         REFUSE(NULL_POINTER, playmat_search_collect(search, NULL, sizeof leaves, NULL, &size));                           \
         REFUSE(INVALID_ARGUMENT, playmat_search_collect(search, &leaves, 8, NULL, &size));                                \
         REFUSE(INVALID_ARGUMENT, playmat_search_collect(search, &leaves, sizeof leaves, NULL, (size_t *)(void *)(bytes + 8))); \
         leaves.obs = bytes + 256; leaves.obs_len = 8 * 126; leaves.obs_f32 = (float *)(void *)(bytes + 2048); leaves.obs_f32_len = 8; \
         REFUSE(INVALID_ARGUMENT, playmat_search_collect(search, &leaves, sizeof leaves, NULL, &size)); says("give one of them")) \
    CASE(search_feed, PlaymatSearch *search = begun_search(); PlaymatLeaves leaves = {0}; float logits[28] = {0}, values[4] = {0}; \
         size_t count = 0; leaves.rows = 8;                                                                                \
         REFUSE(ORDER, playmat_search_feed(search, logits, 28, values, 4)); says("`collect` first");                       \
         OK(playmat_search_collect(search, &leaves, sizeof leaves, NULL, &count)); CHECK(count == 4);                      \
         REFUSE(ORDER, playmat_search_collect(search, &leaves, sizeof leaves, NULL, &size)); says("`feed` first");         \
         REFUSE(INVALID_ARGUMENT, playmat_search_feed(search, logits, 27, values, 4)); says("`logits`: got 27 elements; wanted 28"); \
         REFUSE(INVALID_ARGUMENT, playmat_search_feed(search, logits, 28, values, 3)); REFUSE(NULL_POINTER, playmat_search_feed(search, NULL, 28, values, 4)); \
         values[3] = logits[5] / logits[6];                                                                                \
         REFUSE(INVALID_ARGUMENT, playmat_search_feed(search, logits, 28, values, 4)); says("in row 3; wanted a finite number"); \
         values[3] = 0; logits[27] = 1 / logits[0];                                                                        \
         REFUSE(INVALID_ARGUMENT, playmat_search_feed(search, logits, 28, values, 4)); says("got inf for the legal action 6 in row 3"); \
         REFUSE(ORDER, playmat_search_policy(search, logits, 28)); logits[27] = 0;                                         \
         OK(playmat_search_feed(search, logits, 28, values, 4)))                                                           \
    CASE(search_results, PlaymatSearch *search = begun_search(); float out[28] = {0}; int64_t played[4]; finish_search(search);   \
         REFUSE(INVALID_ARGUMENT, playmat_search_policy(search, out, 27)); REFUSE(NULL_POINTER, playmat_search_policy(search, NULL, 28)); \
         REFUSE(INVALID_ARGUMENT, playmat_search_values(search, out, 5));                                                  \
         REFUSE(INVALID_ARGUMENT, playmat_search_priors(search, out, 27)); REFUSE(NULL_POINTER, playmat_search_priors(search, NULL, 28)); \
         REFUSE(INVALID_ARGUMENT, playmat_search_mean_returns(search, out, 29));                                           \
         REFUSE(INVALID_ARGUMENT, playmat_search_visits(search, (int32_t *)(void *)out, 4));                               \
         REFUSE(INVALID_ARGUMENT, playmat_search_start_batch(search, venv, bytes, 3, 1)); says("`mask`: got 3");           \
         REFUSE(INVALID_ARGUMENT, playmat_search_actions(search, 0, played, 3));                                           \
         REFUSE(INVALID_ARGUMENT, playmat_search_actions(search, 101, played, 4)); says("allowed: 0 to 100");              \
         REFUSE(INVALID_ARGUMENT, playmat_search_actions(search, out[0] / out[1], played, 4)); says("got NaN; allowed: 0 to 100"); \
         REFUSE(INVALID_ARGUMENT, playmat_search_actions(search, -2, played, 4));                                          \
         REFUSE(BUFFER_TOO_SMALL, playmat_search_sizes(search, (PlaymatSearchSizes *)(void *)bytes, 8));                   \
         REFUSE(NULL_POINTER, playmat_search_waiting(search, NULL)))                                                       \
    CASE(search_cancel, PlaymatCancel *set = NULL; PlaymatSearch *search = begun_search(); PlaymatLeaves leaves = {0};      \
         leaves.rows = 8; leaves.obs = bytes; leaves.obs_len = 8 * 126; OK(playmat_cancel_create(&set));                   \
         REFUSE(WRONG_HANDLE, playmat_search_collect(search, &leaves, sizeof leaves, (PlaymatCancel *)env, &size));        \
         OK(playmat_cancel_request(set));                                                                                  \
         REFUSE(CANCELLED, playmat_search_collect(search, &leaves, sizeof leaves, set, &size));                            \
         float out[28]; REFUSE(ORDER, playmat_search_policy(search, out, 28)); finish_search(search);                      \
         OK(playmat_search_policy(search, out, 28)))                                                                       \
    CASE(statistics_cancelled, PlaymatCancel *set = NULL; PlaymatAgent *slow = NULL; int64_t played[4] = {7, 7, 7, 7};      \
         PlaymatSearchStatistics found = {0}; int32_t visits[28] = {77};                                                   \
         OK(playmat_agent_create(game, STR("mcts:10000000"), &slow)); OK(playmat_cancel_create(&set));                      \
         OK(playmat_cancel_request(set)); OK(playmat_vec_env_reset_seed(venv, 1, NULL, 0, NULL, 0));                       \
         REFUSE(CANCELLED, playmat_agent_act(slow, env, 0, set, &number));                                                 \
         REFUSE(ORDER, playmat_agent_statistics(slow, env, 0, &found, sizeof found)); CHECK(found.simulations == 0);       \
         REFUSE(CANCELLED, playmat_agent_act_batch(slow, venv, NULL, 0, set, played, 4));                                  \
         OK(playmat_agent_statistics_batch(slow, venv, visits, 28, NULL, 0, NULL, 0, NULL, 0, NULL, 0));                   \
         for (int i = 0; i < 28; i++) CHECK(visits[i] == 0);)                                                              \
    CASE(history_player, PlaymatDecision decisions[2] = {{0, 3}, {5, 3}};                                                   \
         REFUSE(INVALID_PLAYER, playmat_env_load_with_history(game, bytes, 64, NULL, 0, decisions, 2, HANDLE(PlaymatEnv)))) \
    CASE(history_action, PlaymatDecision decisions[1] = {{0, -3}};                                                          \
         REFUSE(INVALID_ARGUMENT, playmat_env_load_with_history(game, bytes, 64, NULL, 0, decisions, 1, HANDLE(PlaymatEnv)))) \
    CASE(gae_null, REFUSE(NULL_POINTER, playmat_gae(NULL, sizeof(PlaymatTrajectories), NULL, 0, NULL, 0)))                 \
    CASE(gae_lengths, PlaymatTrajectories t = {0}; t.steps = t.num_envs = t.num_players = 2;                                       \
         REFUSE(INVALID_ARGUMENT, playmat_gae(&t, sizeof t, (float *)(void *)bytes, 4, NULL, 0)))                          \
    CASE(gae_overlap, float same[4] = {0}; PlaymatTrajectories t = {0}; t.reward = same; t.reward_len = 4;                 \
         REFUSE(INVALID_ARGUMENT, playmat_gae(&t, sizeof t, same + 2, 2, NULL, 0)))                                        \
    CASE(venv_rollout_null, REFUSE(NULL_POINTER, playmat_vec_env_rollout(venv, STR("random"), NULL, sizeof(PlaymatRollout), NULL, 0)))

static PlaymatStatus deep(const char *options, const char *content)
{
    char *text = nested(options ? options : content);
    PlaymatStatus status = options ? playmat_game_create(STR("graphia"), STR(text), NULL, 0, HANDLE(PlaymatGame))
                                   : playmat_game_create(STR("graphia"), NULL, 0, STR(text), HANDLE(PlaymatGame));
    free(text);
    return status;
}

static PlaymatStatus deep_state(void)
{
    char *text = nested("{\"state\": ");
    PlaymatStatus status = playmat_env_from_json(game, STR(text), 1, HANDLE(PlaymatEnv));
    free(text);
    return status;
}

#define FUNCTION(name, ...)       \
    static void case_##name(void) \
    {                             \
        __VA_ARGS__;              \
    }
CASES(FUNCTION)

#define ENTRY(name, ...) {#name, case_##name},
static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {CASES(ENTRY)};

/* Each case in a process of its own that begins here, with the handles made: under Valgrind the way to here is long. */
static int run_each(void)
{
    int failed = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            cases[i].run();
            exit(0);
        }
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
            printf("%s: %d\n", cases[i].name, status);
            failed = 1;
        }
    }
    return failed;
}

int main(int argc, char **argv)
{
    memset(bytes, 0xA5, sizeof bytes);
    if (argc == 1) {
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            printf("%s\n", cases[i].name);
        return 0;
    }
    message = playmat_error_message();
    game = new_game("connect_four", "");
    env = new_env(game, 1);
    OK(playmat_agent_create(game, STR("random"), &agent));
    OK(playmat_vec_env_create(game, 4, NULL, 0, &venv));
    if (strcmp(argv[1], "all") == 0)
        return run_each();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (strcmp(argv[1], cases[i].name) == 0) {
            cases[i].run();
            return 0;
        }
    }
    printf("no case %s\n", argv[1]);
    return 1;
}
