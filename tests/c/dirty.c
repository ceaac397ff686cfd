/* dirty: hands the library memory that was freed, which sanitizers and Valgrind must find: a runner that lets this pass finds nothing. */
#include "check.h"

int main(void)
{
    PlaymatGame *game = new_game("tic_tac_toe", "");
    PlaymatEnv *env = new_env(game, 1);
    PlaymatGameInfo info = info_of(game);
    uint8_t *volatile mask = room(info.num_actions, 1);
    OK(playmat_env_action_mask(env, 0, mask, info.num_actions));
    free(mask);
    printf("%d\n", mask[0]);
    OK(playmat_env_destroy(env));
    OK(playmat_game_destroy(game));
    return 0;
}
