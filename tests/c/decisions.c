/* decisions GAME EPISODES SPEC...: prints the actions of episodes that agents play, a line for each. */
#include "check.h"

enum { MOST = 8 };

static PlaymatAgent *agent_of(const PlaymatGame *game, const PlaymatGame *other, const char *spec)
{
    PlaymatAgent *agent = NULL;
    if (strstr(spec, ".onnx") != NULL) {
        CHECK(playmat_agent_create(other, STR(spec), &agent) == PLAYMAT_STATUS_INVALID_ARGUMENT && agent == NULL);
        CHECK(strstr(playmat_error_message(), "trained for game") != NULL);
    }
    size_t len = strlen(spec) + 1;
    char *name = room(len, 1);
    OK(playmat_agent_create(game, STR(spec), &agent));
    OK(playmat_agent_name(agent, name, len, NULL));
    CHECK(strcmp(name, spec) == 0);
    free(name);
    return agent;
}

/* Whether this is a network without options. */
static int plays_likeliest(const char *spec)
{
    const size_t len = strlen(spec);
    return len > 5 && strncmp(spec, "mcts:", 5) != 0 && strcmp(spec + len - 5, ".onnx") == 0;
}

/* What a network says about the decision that it makes next: it chooses its likeliest action. Before the choice, because a network may read the
   greedy agent's action, which draws. */
static int64_t evaluated(const PlaymatGame *game, const PlaymatAgent *agent, PlaymatEnv *env)
{
    int64_t action = -1;
    PlaymatGameInfo info;
    OK(playmat_game_info(game, &info, sizeof info));
    float *policy = room(info.num_actions, sizeof *policy), sum = 0, most = 0, value = 77, again = 77;
    OK(playmat_agent_evaluate(agent, env, PLAYMAT_CURRENT_PLAYER, policy, info.num_actions, &value));
    for (size_t i = 0; i < info.num_actions; i++) {
        sum += policy[i];
        most = policy[i] > most ? policy[i] : most;
    }
    CHECK(sum > 0.999f && sum < 1.001f && value != 77);
    OK(playmat_agent_evaluate(agent, env, PLAYMAT_CURRENT_PLAYER, NULL, 0, &again));
    CHECK(again == value);
    OK(playmat_agent_evaluate(agent, env, PLAYMAT_CURRENT_PLAYER, policy, info.num_actions, NULL));
    CHECK(playmat_agent_evaluate(agent, env, PLAYMAT_CURRENT_PLAYER, policy, 1, NULL) == PLAYMAT_STATUS_INVALID_ARGUMENT);
    CHECK(playmat_agent_evaluate(agent, env, PLAYMAT_CURRENT_PLAYER, policy, info.num_actions, policy) == PLAYMAT_STATUS_INVALID_ARGUMENT);
    CHECK(strstr(playmat_error_message(), "overlaps") != NULL);
    OK(playmat_agent_act(agent, env, PLAYMAT_CURRENT_PLAYER, NULL, &action));
    CHECK(policy[action] == most);
    free(policy);
    return action;
}

/* The rows of a batch. */
static void evaluated_batch(const PlaymatGame *game, const PlaymatAgent *agent)
{
    enum { N = 9 };
    PlaymatVecEnv *venv = NULL;
    PlaymatSizes sizes;
    OK(playmat_vec_env_create(game, N, NULL, 0, &venv));
    OK(playmat_vec_env_sizes(venv, &sizes, sizeof sizes));
    const size_t all = N * sizes.num_actions;
    float *policy = room(all, sizeof *policy), values[N];
    int64_t actions[N];
    CHECK(playmat_agent_evaluate_batch(agent, venv, policy, all, values, N) == PLAYMAT_STATUS_ORDER);
    OK(playmat_vec_env_reset_seed(venv, 1, NULL, 0, NULL, 0));
    OK(playmat_agent_evaluate_batch(agent, venv, policy, all, values, N));
    const float first = values[0];
    OK(playmat_agent_evaluate_batch(agent, venv, NULL, 0, values, N));
    CHECK(values[0] == first);
    OK(playmat_agent_act_batch(agent, venv, NULL, 0, NULL, actions, N));
    for (size_t i = 0; i < N; i++)
        for (size_t action = 0; action < sizes.num_actions; action++)
            CHECK(policy[i * sizes.num_actions + action] <= policy[i * sizes.num_actions + (size_t)actions[i]]);
    CHECK(playmat_agent_evaluate_batch(agent, venv, policy, all - 1, values, N) == PLAYMAT_STATUS_INVALID_ARGUMENT);
    CHECK(strstr(playmat_error_message(), "`policy`") != NULL);
    CHECK(playmat_agent_evaluate_batch(agent, venv, NULL, all, values, N) == PLAYMAT_STATUS_NULL_POINTER);
    OK(playmat_vec_env_destroy(venv));
    free(policy);
}

int main(int argc, char **argv)
{
    CHECK(argc > 3 && argc <= 3 + MOST);
    /* No network is of this game. */
    PlaymatGame *game = new_game(argv[1], ""), *other = new_game("goofspiel", "");
    const uint64_t episodes = strtoull(argv[2], NULL, 10), count = (uint64_t)(argc - 3);
    PlaymatAgent *agents[MOST];
    for (uint64_t i = 0; i < count; i++)
        agents[i] = agent_of(game, other, argv[3 + i]);
    for (uint64_t i = 0; i < count; i++)
        if (plays_likeliest(argv[3 + i]))
            evaluated_batch(game, agents[i]);
    for (uint64_t seed = 0; seed < episodes; seed++) {
        PlaymatEnv *env = new_env(game, seed);
        for (const char *gap = "";; gap = " ") {
            PlaymatEpisode episode;
            OK(playmat_env_episode(env, &episode, sizeof episode));
            if (episode.current_player < 0)
                break;
            int64_t action = -1;
            const uint64_t of = (seed + (uint64_t)episode.current_player) % count;
            if (plays_likeliest(argv[3 + of]))
                action = evaluated(game, agents[of], env);
            else
                OK(playmat_agent_act(agents[of], env, episode.current_player, NULL, &action));
            printf("%s%d", gap, (int)action);
            OK(playmat_env_step(env, action));
        }
        printf("\n");
        OK(playmat_env_destroy(env));
    }
    for (uint64_t i = 0; i < count; i++)
        OK(playmat_agent_destroy(agents[i]));
    OK(playmat_game_destroy(other));
    OK(playmat_game_destroy(game));
    return 0;
}
