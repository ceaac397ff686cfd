/* no_networks GAME: what a library that was built without networks plays, and what it refuses. `examples/own_game/try.sh` runs it. */
#include "check.h"

/* Plays an episode with one agent as all players. */
static void plays(const PlaymatGame *game, const char *spec)
{
    PlaymatAgent *agent = NULL;
    PlaymatEnv *env = new_env(game, 3);
    int decisions = 0;
    OK(playmat_agent_create(game, STR(spec), &agent));
    for (int over = 0; !over; decisions++) {
        PlaymatEpisode episode;
        int64_t action = -1;
        OK(playmat_agent_act(agent, env, PLAYMAT_CURRENT_PLAYER, NULL, &action));
        OK(playmat_env_step(env, action));
        OK(playmat_env_episode(env, &episode, sizeof episode));
        over = episode.current_player < 0;
    }
    CHECK(decisions > 1);
    OK(playmat_env_destroy(env));
    OK(playmat_agent_destroy(agent));
}

static const char *const REASON = "network `x.onnx`: this library was built without networks; build it with the feature `onnx`";

static void says(const char *argument)
{
    char wanted[256];
    snprintf(wanted, sizeof wanted, "argument `%s`: %s", argument, REASON);
    CHECK(strcmp(playmat_error_message(), wanted) == 0);
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    PlaymatGame *game = new_game(argv[1], "");
    const char *const agents[] = {"random", "greedy", "mcts:20"};
    for (size_t i = 0; i < sizeof agents / sizeof agents[0]; i++)
        plays(game, agents[i]);
    /* The file need not exist: no library without networks reads it. */
    const char *const networks[] = {"x.onnx", "x.onnx,temperature=1", "mcts:20,policy=x.onnx"};
    for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++) {
        PlaymatAgent *agent = NULL;
        CHECK(playmat_agent_create(game, STR(networks[i]), &agent) == PLAYMAT_STATUS_INVALID_ARGUMENT && agent == NULL);
        says("spec");
    }
    PlaymatVecEnv *venv = NULL;
    const char *const config = "{\"learner\": 0, \"opponents\": [\"greedy\", \"x.onnx\"]}";
    CHECK(playmat_vec_env_create(game, 2, STR(config), &venv) == PLAYMAT_STATUS_INVALID_ARGUMENT && venv == NULL);
    says("opponents");
    /* The host evaluates a network of its own: such searches need no file. */
    PlaymatSearch *search = NULL;
    OK(playmat_search_create(game, STR("mcts:20"), 2, 4, &search));
    OK(playmat_search_destroy(search));
    OK(playmat_game_destroy(game));
    return 0;
}
