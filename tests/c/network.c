/* network FILE EPISODES: prints the actions of episodes that agents with a trained network play, a line for each. */
#include "check.h"

static PlaymatAgent *agent_of(const PlaymatGame *game, const char *before, const char *file, const char *after)
{
    size_t len = strlen(before) + strlen(file) + strlen(after) + 1;
    char *spec = room(len, 1), *name = room(len, 1);
    snprintf(spec, len, "%s%s%s", before, file, after);
    PlaymatAgent *agent = NULL;
    OK(playmat_agent_create(game, STR(spec), &agent));
    OK(playmat_agent_name(agent, name, len, NULL));
    CHECK(strcmp(name, spec) == 0);
    free(name);
    free(spec);
    return agent;
}

int main(int argc, char **argv)
{
    CHECK(argc == 3);
    PlaymatGame *game = new_game("tic_tac_toe", ""), *other = new_game("connect_four", "");
    PlaymatAgent *refused = NULL;
    CHECK(playmat_agent_create(other, STR(argv[1]), &refused) == PLAYMAT_STATUS_INVALID_ARGUMENT && refused == NULL);
    CHECK(strstr(playmat_error_message(), "trained for game `tic_tac_toe`") != NULL);
    OK(playmat_game_destroy(other));
    PlaymatAgent *agents[3] = {
        agent_of(game, "", argv[1], ""),
        agent_of(game, "", argv[1], ",temperature=1"),
        agent_of(game, "mcts:16,policy=", argv[1], ""),
    };
    uint64_t episodes = strtoull(argv[2], NULL, 10);
    for (uint64_t seed = 0; seed < episodes; seed++) {
        PlaymatEnv *env = new_env(game, seed);
        for (;;) {
            PlaymatEpisode episode;
            OK(playmat_env_episode(env, &episode, sizeof episode));
            if (episode.current_player < 0)
                break;
            int64_t action = -1;
            OK(playmat_agent_act(agents[(seed + (uint64_t)episode.current_player) % 3], env, episode.current_player, &action));
            printf("%d", (int)action);
            OK(playmat_env_step(env, action));
        }
        printf("\n");
        OK(playmat_env_destroy(env));
    }
    for (int i = 0; i < 3; i++)
        OK(playmat_agent_destroy(agents[i]));
    OK(playmat_game_destroy(game));
    return 0;
}
