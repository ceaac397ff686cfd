/* vec_env GAME OPTIONS VIEW: a batch plays what single environments play, row by row; saves, rollouts, opponents and asynchronous
 * steps on the way. */
#include "check.h"

enum { N = 5, STEPS = 400 };

static PlaymatGame *game;
static PlaymatSizes sizes;

static PlaymatBuffers buffers_of(void)
{
    PlaymatBuffers b = {0};
    size_t n = sizes.num_envs, rows = n * sizes.actions_per_env, pairs = n * sizes.num_players;
#define GIVE(field, count) (b.field = room((count), sizeof *b.field), b.field##_len = (count))
    GIVE(obs, rows * sizes.observation_size);
    GIVE(action_mask, rows * sizes.num_actions);
    GIVE(player, n);
    GIVE(acting, pairs);
    GIVE(reward, pairs);
    GIVE(terminated, n);
    GIVE(truncated, n);
    GIVE(episode_return, pairs);
    GIVE(episode_length, n);
    GIVE(episode_seed, n);
    GIVE(final_seed, n);
    GIVE(drawn, rows);
    return b;
}

static void free_buffers(PlaymatBuffers *b)
{
    free(b->obs);
    free(b->action_mask);
    free(b->player);
    free(b->acting);
    free(b->reward);
    free(b->terminated);
    free(b->truncated);
    free(b->episode_return);
    free(b->episode_length);
    free(b->episode_seed);
    free(b->final_seed);
    free(b->drawn);
}

/* An agent chooses in some environments only. The other batch draws the same. */
static void masked(const PlaymatAgent *agent, PlaymatVecEnv *venv, PlaymatVecEnv *other, const uint8_t *legal)
{
    const size_t rows = N * sizes.actions_per_env;
    int64_t *all = room(rows, sizeof *all), *some = room(rows, sizeof *some);
    const uint8_t mask[N] = {0, 1, 0, 200, 1};
    PlaymatCancel *cancel = NULL;
    OK(playmat_cancel_create(&cancel));
    OK(playmat_agent_act_batch(agent, venv, NULL, 0, cancel, all, rows));
    OK(playmat_agent_act_batch(agent, other, mask, N, cancel, some, rows));
    for (size_t row = 0; row < rows; row++) {
        const uint8_t *own = legal + row * sizes.num_actions;
        CHECK(memchr(own, 1, sizes.num_actions) == NULL ? all[row] == 0 : own[all[row]] == 1);
        CHECK(some[row] == (mask[row / sizes.actions_per_env] ? all[row] : -1));
    }
    OK(playmat_cancel_destroy(cancel));
    free(all);
    free(some);
}

/* What the searches of an agent found in the rows of a batch, some of them left out. */
static void found_by(PlaymatVecEnv *venv, const uint8_t *legal)
{
    const size_t rows = N * sizes.actions_per_env, all = rows * sizes.num_actions;
    int64_t *chosen = room(rows, sizeof *chosen);
    int32_t *visits = room(all, sizeof *visits), *simulations = room(rows, sizeof *simulations);
    float *means = room(all, sizeof *means), *priors = room(all, sizeof *priors), *values = room(rows, sizeof *values);
    const uint8_t mask[N] = {0, 1, 1, 1, 1};
    PlaymatAgent *search = NULL;
    OK(playmat_agent_create(game, STR("mcts:30,rollout=random"), &search));
    visits[0] = 77;
    OK(playmat_agent_statistics_batch(search, venv, visits, all, means, all, priors, all, values, rows, simulations, rows));
    for (size_t at = 0; at < all; at++)
        CHECK(visits[at] == 0 && priors[at] == 0);
    OK(playmat_agent_act_batch(search, venv, mask, N, NULL, chosen, rows));
    OK(playmat_agent_statistics_batch(search, venv, visits, all, means, all, priors, all, values, rows, simulations, rows));
    size_t searched = 0;
    for (size_t row = 0; row < rows; row++) {
        const uint8_t *own = legal + row * sizes.num_actions;
        const int32_t *counts = visits + row * sizes.num_actions;
        int32_t sum = 0, most = 0, actions = 0;
        double prior = 0, value = 0;
        for (size_t action = 0; action < sizes.num_actions; action++) {
            const size_t at = row * sizes.num_actions + action;
            CHECK(own[action] || (counts[action] == 0 && priors[at] == 0));
            sum += counts[action];
            most = counts[action] > most ? counts[action] : most;
            actions += own[action];
            prior += (double)priors[at];
            value += (double)means[at] * counts[action];
        }
        CHECK(simulations[row] == (actions > 1 && mask[row / sizes.actions_per_env] ? 30 : 0));
        CHECK(simulations[row] == 0 ? sum == 0 : sum >= 30 && counts[chosen[row]] == most);
        CHECK(simulations[row] == 0 || (prior > 0.999 && prior < 1.001));
        CHECK(simulations[row] == 0 || (value / sum - (double)values[row] < 0.001 && (double)values[row] - value / sum < 0.001));
        searched += simulations[row] > 0;
    }
    CHECK(searched > 0);
    OK(playmat_agent_statistics_batch(search, venv, NULL, 0, NULL, 0, NULL, 0, values, rows, NULL, 0));
    OK(playmat_agent_destroy(search));
    free(chosen);
    free(visits);
    free(simulations);
    free(means);
    free(priors);
    free(values);
}

/* Searches in every row of a batch, whose network says nothing: with one cancel flag more and room for one search at a time they find the
 * same. The other batch plays on with their actions. */
static void searched(PlaymatVecEnv *venv, PlaymatVecEnv *other)
{
    const size_t rows = N * sizes.actions_per_env;
    PlaymatSearch *searches[2] = {NULL, NULL};
    PlaymatSearchSizes s;
    PlaymatCancel *cancel = NULL;
    OK(playmat_cancel_create(&cancel));
    float *policies[2];
    int64_t *actions = room(rows, sizeof *actions);
    uint8_t *bytes = NULL;
    size_t length = 0;
    CHECK(playmat_vec_env_save(venv, NULL, 0, &length) == PLAYMAT_STATUS_BUFFER_TOO_SMALL);
    bytes = room(length, 1);
    OK(playmat_vec_env_save(venv, bytes, length, &length));
    OK(playmat_vec_env_load(other, bytes, length));
    for (int i = 0; i < 2; i++) {
        PlaymatVecEnv *batch = i ? other : venv;
        char name[32];
        OK(playmat_search_create(game, STR("mcts:12,temperature=1"), rows, 3, &searches[i]));
        OK(playmat_search_name(searches[i], name, sizeof name, NULL));
        OK(playmat_search_sizes(searches[i], &s, sizeof s));
        CHECK(strcmp(name, "mcts:12,temperature=1") == 0 && s.rows == rows && s.leaves == 3 && s.num_actions == sizes.num_actions);
        CHECK(s.observation_size == sizes.observation_size && (s.leaf_rows == 1 || s.leaf_rows == sizes.num_players));
        OK(playmat_search_start_batch(searches[i], batch, NULL, 0, 1));
        PlaymatLeaves leaves = {0};
        leaves.rows = (i ? 1 : rows) * s.leaves * s.leaf_rows;
        leaves.obs_len = leaves.rows * s.observation_size;
        leaves.obs = room(leaves.obs_len, 1);
        leaves.search_len = leaves.rows;
        leaves.search = room(leaves.rows, sizeof *leaves.search);
        float *zeros = room(leaves.rows * s.num_actions, sizeof *zeros);
        for (;;) {
            size_t count = 0, waiting = 7;
            OK(playmat_search_collect(searches[i], &leaves, sizeof leaves, i ? cancel : NULL, &count));
            OK(playmat_search_waiting(searches[i], &waiting));
            CHECK(waiting == count && count <= leaves.rows);
            if (count == 0)
                break;
            for (size_t row = 0; row < count; row++)
                CHECK(leaves.search[row] >= 0 && (size_t)leaves.search[row] < rows);
            OK(playmat_search_feed(searches[i], zeros, count * s.num_actions, zeros, count));
        }
        policies[i] = room(rows * s.num_actions, sizeof(float));
        float *values = room(rows, sizeof *values);
        const size_t numbers = rows * s.num_actions;
        int32_t *visits = room(numbers, sizeof *visits);
        float *means = room(numbers, sizeof *means), *priors = room(numbers, sizeof *priors);
        OK(playmat_search_policy(searches[i], policies[i], rows * s.num_actions));
        OK(playmat_search_values(searches[i], values, rows));
        OK(playmat_search_visits(searches[i], visits, numbers));
        OK(playmat_search_mean_returns(searches[i], means, numbers));
        OK(playmat_search_priors(searches[i], priors, numbers));
        /* A single legal action is not searched: its share is 1. */
        for (size_t k = 0; k < numbers; k++)
            CHECK(visits[k] >= 0 && (visits[k] ? policies[i][k] > 0 && priors[k] > 0 : policies[i][k] == 0 || policies[i][k] == 1) &&
                  (visits[k] || means[k] == 0));
        OK(playmat_search_actions(searches[i], PLAYMAT_SPEC_TEMPERATURE, actions, rows));
        for (size_t row = 0; row < rows; row++)
            CHECK(values[row] == values[row] && (actions[row] == 0 || policies[i][row * s.num_actions + (size_t)actions[row]] > 0));
        free(values);
        free(visits);
        free(means);
        free(priors);
        free(zeros);
        free(leaves.obs);
        free(leaves.search);
    }
    CHECK(memcmp(policies[0], policies[1], rows * s.num_actions * sizeof(float)) == 0);
    /* In the environments of a mask only: the priors of all other rows are 0, those of a searched row sum to 1. */
    const uint8_t mask[N] = {0, 1, 0, 200, 1};
    float *priors = room(rows * s.num_actions, sizeof *priors);
    PlaymatLeaves leaves = {0};
    size_t count = 0;
    leaves.rows = rows * s.leaves * s.leaf_rows;
    float *zeros = room(leaves.rows * s.num_actions, sizeof *zeros);
    OK(playmat_search_start_batch(searches[0], venv, mask, N, 0));
    do {
        OK(playmat_search_collect(searches[0], &leaves, sizeof leaves, NULL, &count));
        if (count > 0)
            OK(playmat_search_feed(searches[0], zeros, count * s.num_actions, zeros, count));
    } while (count > 0);
    OK(playmat_search_priors(searches[0], priors, rows * s.num_actions));
    size_t begun = 0;
    for (size_t row = 0; row < rows; row++) {
        float sum = 0;
        for (size_t a = 0; a < s.num_actions; a++)
            sum += priors[row * s.num_actions + a];
        CHECK(sum == 0 || (mask[row / (rows / N)] && sum > 0.999f && sum < 1.001f));
        begun += sum > 0;
    }
    CHECK(begun >= 3);
    free(priors);
    free(zeros);
    OK(playmat_vec_env_step(other, actions, rows, NULL, 0));
    OK(playmat_vec_env_load(other, bytes, length));
    OK(playmat_vec_env_load(venv, bytes, length));
    for (int i = 0; i < 2; i++) {
        OK(playmat_search_stop(searches[i], 0));
        OK(playmat_search_destroy(searches[i]));
        free(policies[i]);
    }
    OK(playmat_cancel_destroy(cancel));
    free(actions);
    free(bytes);
}

/* Whether a row shows what a single environment shows. */
static void same_row(const PlaymatBuffers *b, size_t row, PlaymatEnv *env, int joint)
{
    uint8_t *observation = room(sizes.observation_size, 1), *mask = room(sizes.num_actions, 1);
    PlaymatEpisode episode;
    OK(playmat_env_episode(env, &episode, sizeof episode));
    CHECK(b->player[row] == episode.current_player);
    for (size_t i = 0; i < sizes.actions_per_env; i++) {
        int32_t player = joint ? (int32_t)i : episode.current_player;
        size_t at = row * sizes.actions_per_env + i;
        OK(playmat_env_observation(env, player, observation, sizes.observation_size));
        OK(playmat_env_action_mask(env, player, mask, sizes.num_actions));
        CHECK(memcmp(observation, b->obs + at * sizes.observation_size, sizes.observation_size) == 0);
        CHECK(memcmp(mask, b->action_mask + at * sizes.num_actions, sizes.num_actions) == 0);
    }
    free(mask);
    free(observation);
}

/* Two players take turns for three rows; by hand with gamma 1/2 and lambda 1. */
static void advantages(void)
{
    const float reward[6] = {0, 0, 0, 0, 1, -1}, value[3] = {0.25f, 0.5f, 0.125f}, next[2] = {9, 9};
    const int32_t player[3] = {0, 1, 0};
    const uint8_t terminated[3] = {0, 0, 1};
    uint8_t truncated[3] = {0};
    float advantage[3], returns[3];
    PlaymatTrajectories t = {0};
    t.steps = 3, t.num_envs = 1, t.num_players = 2;
    t.reward = reward, t.reward_len = 6;
    t.value = value, t.value_len = 3;
    t.player = player, t.player_len = 3;
    t.terminated = terminated, t.terminated_len = 3;
    t.truncated = truncated, t.truncated_len = 3;
    t.next_value = next, t.next_value_len = 2;
    t.gamma = 0.5f, t.gae_lambda = 1;
    OK(playmat_gae(&t, sizeof t, advantage, 3, returns, 3));
    CHECK(returns[2] == 1 && advantage[2] == 0.875f);
    CHECK(returns[1] == -1 && advantage[1] == -1.5f);
    CHECK(returns[0] == 0.5f && advantage[0] == 0.25f);
    /* A row with both flags set is terminated: the values of its end are neither read nor asked for. */
    truncated[2] = 1;
    OK(playmat_gae(&t, sizeof t, advantage, 3, returns, 3));
    CHECK(returns[2] == 1 && returns[1] == -1 && returns[0] == 0.5f);
}

int main(int argc, char **argv)
{
    CHECK(argc == 4);
    advantages();
    int joint = strcmp(argv[3], "joint") == 0;
    char config[128];
    snprintf(config, sizeof config, "{\"view\": \"%s\", \"threads\": 2}", argv[3]);
    game = new_game(argv[1], argv[2]);
    PlaymatVecEnv *venv = NULL, *other = NULL;
    OK(playmat_vec_env_create(game, N, STR(config), &venv));
    OK(playmat_vec_env_sizes(venv, &sizes, sizeof sizes));
    CHECK(sizes.num_envs == N && sizes.actions_per_env == (joint ? sizes.num_players : 1));
    char described[256];
    OK(playmat_vec_env_describe(venv, described, sizeof described, NULL));
    CHECK(strstr(described, argv[3]) != NULL && strstr(described, "\"threads\":2") != NULL);
    PlaymatGame *of = NULL;
    OK(playmat_vec_env_game(venv, &of));
    CHECK(strcmp(info_of(of).name, argv[1]) == 0);
    OK(playmat_game_destroy(of));
    PlaymatBuffers b = buffers_of(), second = buffers_of();
    PlaymatEnv *single[N];
    OK(playmat_vec_env_reset_seed(venv, 11, NULL, 0, &b, sizeof b));
    for (size_t row = 0; row < N; row++)
        single[row] = new_env(game, b.episode_seed[row]);
    int64_t *actions = room(N * sizes.actions_per_env, sizeof *actions);
    int ended = 0;
    for (int step = 0; step < STEPS; step++) {
        for (size_t row = 0; row < N; row++)
            same_row(&b, row, single[row], joint);
        uint8_t taken = 7;
        OK(playmat_vec_env_take_drawn(venv, &taken));
        if (taken)
            memcpy(actions, b.drawn, N * sizes.actions_per_env * sizeof *actions);
        else
            OK(playmat_vec_env_sample_actions(venv, actions, N * sizes.actions_per_env));
        CHECK(taken == (step > 0));
        OK(playmat_vec_env_step(venv, actions, N * sizes.actions_per_env, &b, sizeof b));
        for (size_t row = 0; row < N; row++) {
            if (joint)
                OK(playmat_env_step_joint(single[row], actions + row * sizes.actions_per_env, sizes.num_players));
            else
                OK(playmat_env_step(single[row], actions[row]));
            float rewards[PLAYMAT_MAX_PLAYERS];
            OK(playmat_env_rewards(single[row], rewards, PLAYMAT_MAX_PLAYERS));
            CHECK(memcmp(rewards, b.reward + row * sizes.num_players, sizes.num_players * sizeof(float)) == 0);
            if (b.terminated[row] || b.truncated[row]) {
                PlaymatEpisode episode;
                OK(playmat_env_episode(single[row], &episode, sizeof episode));
                CHECK(episode.status != PLAYMAT_EPISODE_STATUS_RUNNING && episode.seed == b.final_seed[row]);
                CHECK(episode.decisions == (uint32_t)b.episode_length[row]);
                OK(playmat_env_reset_seed(single[row], b.episode_seed[row]));
                ended++;
            }
        }
    }
    CHECK(ended > 0);

    /* Saved and loaded into another one, both go on alike; so do 32-bit actions and an asynchronous step. */
    size_t size = 0;
    CHECK(playmat_vec_env_save(venv, NULL, 0, &size) == PLAYMAT_STATUS_BUFFER_TOO_SMALL);
    uint8_t *saved = room(size, 1);
    OK(playmat_vec_env_save(venv, saved, size, NULL));
    OK(playmat_vec_env_create(game, N, STR(config), &other));
    OK(playmat_vec_env_load(other, saved, size));
    OK(playmat_vec_env_show(other, &second, sizeof second));
    CHECK(memcmp(b.obs, second.obs, b.obs_len) == 0);
    OK(playmat_vec_env_sample_actions(venv, actions, N * sizes.actions_per_env));
    int32_t *narrow = room(N * sizes.actions_per_env, sizeof *narrow);
    for (size_t i = 0; i < N * sizes.actions_per_env; i++)
        narrow[i] = (int32_t)actions[i];
    OK(playmat_vec_env_prepare(venv));
    OK(playmat_vec_env_step_async(venv, actions, N * sizes.actions_per_env, &b, sizeof b));
    uint8_t pending = 7;
    OK(playmat_vec_env_is_pending(venv, &pending));
    CHECK(pending == 1);
    OK(playmat_vec_env_step_wait(venv));
    OK(playmat_vec_env_step_i32(other, narrow, N * sizes.actions_per_env, &second, sizeof second));
    CHECK(memcmp(b.obs, second.obs, b.obs_len) == 0 && memcmp(b.reward, second.reward, b.reward_len * 4) == 0);

    /* States, one by one and all together. */
    uint8_t *states[N];
    size_t lengths[N];
    for (size_t row = 0; row < N; row++) {
        CHECK(playmat_vec_env_state(venv, row, NULL, 0, &lengths[row]) == PLAYMAT_STATUS_BUFFER_TOO_SMALL);
        states[row] = room(lengths[row], 1);
        OK(playmat_vec_env_state(venv, row, states[row], lengths[row], NULL));
        PlaymatEnv *copy = NULL;
        OK(playmat_env_load(game, states[row], lengths[row], &copy));
        same_row(&b, row, copy, joint);
        OK(playmat_env_destroy(copy));
        PlaymatVecEpisode episode;
        OK(playmat_vec_env_episode(venv, row, &episode, sizeof episode));
        CHECK(episode.seed == b.episode_seed[row] && episode.over == 0 && episode.opponents[0] == -1);
    }
    OK(playmat_vec_env_reset_states(other, (const uint8_t *const *)states, lengths, N, NULL, 0, &second, sizeof second));
    CHECK(memcmp(b.obs, second.obs, b.obs_len) == 0);
    uint8_t *all = room(N * sizes.num_players * sizes.observation_size, 1), *one = room(N * sizes.observation_size, 1);
    OK(playmat_vec_env_observe_all(other, all, N * sizes.num_players * sizes.observation_size));
    OK(playmat_vec_env_observe(other, 1, one, N * sizes.observation_size));
    CHECK(memcmp(all + sizes.observation_size, one, sizes.observation_size) == 0);

    /* A reset of seeds, a masked one, and a rollout that plays what steps play. */
    uint64_t seeds[N] = {5, 6, 7, 8, 9};
    uint8_t mask[N] = {1, 0, 0, 0, 0};
    OK(playmat_vec_env_reset_seeds(venv, seeds, N, NULL, 0, &b, sizeof b));
    OK(playmat_vec_env_reset_seeds(other, seeds, N, NULL, 0, &second, sizeof second));
    CHECK(b.episode_seed[4] == 9);
    OK(playmat_vec_env_reset(venv, mask, N, &b, sizeof b));
    OK(playmat_vec_env_reset(other, mask, N, &second, sizeof second));
    CHECK(b.episode_seed[0] != 5 && b.episode_seed[1] == 6);
    PlaymatRollout rollout = {0};
    rollout.steps = 4;
    rollout.action_len = 4 * N * sizes.actions_per_env;
    rollout.action = room(rollout.action_len, sizeof *rollout.action);
    rollout.obs_len = 4 * N * sizes.actions_per_env * sizes.observation_size;
    rollout.obs = room(rollout.obs_len, 1);
    OK(playmat_vec_env_rollout(venv, STR("random"), &rollout, sizeof rollout, &b, sizeof b));
    for (size_t step = 0; step < 4; step++) {
        OK(playmat_vec_env_sample_actions(other, actions, N * sizes.actions_per_env));
        CHECK(memcmp(actions, rollout.action + step * N * sizes.actions_per_env, N * sizes.actions_per_env * sizeof *actions) == 0);
        OK(playmat_vec_env_step(other, actions, N * sizes.actions_per_env, &second, sizeof second));
    }
    CHECK(memcmp(b.obs, second.obs, b.obs_len) == 0);
    /* What an agent would do is what it does. */
    PlaymatAgent *greedy = NULL;
    OK(playmat_agent_create(game, STR("greedy"), &greedy));
    OK(playmat_vec_env_rollout(venv, STR("greedy"), &rollout, sizeof rollout, &b, sizeof b));
    for (size_t step = 0; step < 4; step++) {
        OK(playmat_agent_act_batch(greedy, other, NULL, 0, NULL, actions, N * sizes.actions_per_env));
        CHECK(memcmp(actions, rollout.action + step * N * sizes.actions_per_env, N * sizes.actions_per_env * sizeof *actions) == 0);
        OK(playmat_vec_env_step(other, actions, N * sizes.actions_per_env, &second, sizeof second));
    }
    CHECK(memcmp(b.obs, second.obs, b.obs_len) == 0);
    masked(greedy, venv, other, b.action_mask);
    OK(playmat_agent_destroy(greedy));
    found_by(venv, b.action_mask);
    searched(venv, other);

    /* Opponents and their results. */
    PlaymatVecEnv *against = NULL;
    OK(playmat_vec_env_create(game, N, STR("{\"view\": \"single\", \"learner\": \"rotate\", \"dtype\": \"f32\", \"opponents\": {\"random\": 1}}"), &against));
    PlaymatSizes own;
    OK(playmat_vec_env_sizes(against, &own, sizeof own));
    size_t index = 0;
    double weights[2] = {1, 3};
    OK(playmat_vec_env_add_opponent(against, STR("greedy"), 1, &index));
    CHECK(index == 1);
    OK(playmat_vec_env_set_weights(against, weights, 2));
    PlaymatBuffers f = {0};
    f.obs_f32_len = N * own.observation_size;
    f.obs_f32 = room(f.obs_f32_len, sizeof(float));
    int32_t learner[N], played[N];
    float learner_reward[N], *reward = room(N * own.num_players, sizeof(float));
    f.learner = learner, f.learner_len = N;
    f.learner_reward = learner_reward, f.learner_reward_len = N;
    f.reward = reward, f.reward_len = N * own.num_players;
    OK(playmat_vec_env_reset_seed(against, 2, NULL, 0, &f, sizeof f));
    for (int step = 0; step < 200; step++) {
        memcpy(played, learner, sizeof learner);
        OK(playmat_vec_env_sample_actions(against, actions, N));
        OK(playmat_vec_env_step(against, actions, N, &f, sizeof f));
        for (size_t row = 0; row < N; row++)
            CHECK(learner_reward[row] == reward[row * own.num_players + (size_t)played[row]]);
        for (size_t i = 0; i < f.obs_f32_len; i++)
            CHECK(f.obs_f32[i] >= -1 && f.obs_f32[i] <= 1);
    }
    OK(playmat_vec_env_observe_f32(against, 0, f.obs_f32, f.obs_f32_len));
    float *both = room(own.num_players * f.obs_f32_len, sizeof(float));
    OK(playmat_vec_env_observe_all_f32(against, both, own.num_players * f.obs_f32_len));
    CHECK(memcmp(both, f.obs_f32, own.observation_size * sizeof(float)) == 0);
    char results[1024];
    OK(playmat_vec_env_results(against, results, sizeof results, NULL));
    CHECK(strncmp(results, "{\"episodes\":", 12) == 0 && strstr(results, "\"opponents\":[{\"name\":\"random\"") != NULL);
    CHECK(strstr(results, "\"name\":\"greedy\",\"weight\":3.0") != NULL && strstr(results, "\"episodes\":0") == NULL);
    OK(playmat_vec_env_reset_results(against));
    OK(playmat_vec_env_results(against, results, sizeof results, NULL));
    CHECK(strncmp(results, "{\"episodes\":0,", 14) == 0);
    free(reward);

    OK(playmat_vec_env_destroy(against));
    OK(playmat_vec_env_destroy(other));
    OK(playmat_vec_env_destroy(venv));
    for (size_t row = 0; row < N; row++) {
        OK(playmat_env_destroy(single[row]));
        free(states[row]);
    }
    OK(playmat_game_destroy(game));
    free_buffers(&b);
    free_buffers(&second);
    free(both);
    free(f.obs_f32);
    free(rollout.action);
    free(rollout.obs);
    free(all);
    free(one);
    free(saved);
    free(narrow);
    free(actions);
    return 0;
}
