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

int main(int argc, char **argv)
{
    CHECK(argc > 3 && argc <= 3 + MOST);
    /* No network is of this game. */
    PlaymatGame *game = new_game(argv[1], ""), *other = new_game("goofspiel", "");
    const uint64_t episodes = strtoull(argv[2], NULL, 10), count = (uint64_t)(argc - 3);
    PlaymatAgent *agents[MOST];
    for (uint64_t i = 0; i < count; i++)
        agents[i] = agent_of(game, other, argv[3 + i]);
    for (uint64_t seed = 0; seed < episodes; seed++) {
        PlaymatEnv *env = new_env(game, seed);
        for (const char *gap = "";; gap = " ") {
            PlaymatEpisode episode;
            OK(playmat_env_episode(env, &episode, sizeof episode));
            if (episode.current_player < 0)
                break;
            int64_t action = -1;
            OK(playmat_agent_act(agents[(seed + (uint64_t)episode.current_player) % count], env, episode.current_player, NULL, &action));
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
