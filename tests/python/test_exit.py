"""The interpreter ends while threads of playmat work: no message, no crash, status 0."""

from __future__ import annotations

import subprocess
import sys

import pytest

START = """
import builtins, threading, time, playmat

game = playmat.Game("connect_four")
venv = game.vec_env(64, threads=2)
venv.reset(seed=1)
"""

#: A call in a daemon thread that looks for signals for the first time, a tenth of a second after it
#: has begun, while the interpreter ends. The thread has globals of its own: those of this module
#: are cleared meanwhile.
DAEMON = """
arguments = (CALL, {"game": game, "venv": venv})
threading.Thread(target=eval, args=arguments, daemon=True).start()
time.sleep(0.05)

class Last:
    sleep = staticmethod(time.sleep)

    def __del__(self):
        print("ending", flush=True)
        self.sleep(0.5)

last = Last()
"""

#: Calls that take long.
LONG = [
    "game.agent('mcts:10000000').act(game.env(1))",
    "game.agent('mcts:10000000,threads=2').act(game.env(1))",
    "game.agent('mcts:10000000').act_batch(venv)",
    "game.digest(10**9)",
    "game.survey(10**9)",
    "venv.rollout('random', 10**9)",
]

#: Steps that are under way when the interpreter ends, of batches that nothing frees before.
KEPT = """
venv.step_async(venv.sample_actions())
builtins.kept = venv
cycle = [game.vec_env(3, threads=3)]
cycle[0].reset(seed=1)
cycle[0].step_async(cycle[0].sample_actions())
cycle.append(cycle)
"""


def ended(code: str) -> tuple[int, str, str]:
    """Status, output and error output of a program."""
    run = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", START + code],
        capture_output=True,
        text=True,
        timeout=120,
    )
    return run.returncode, run.stdout, run.stderr


@pytest.mark.parametrize("call", LONG)
def test_a_daemon_thread_in_a_long_call_ends_with_the_interpreter(call: str) -> None:
    assert ended(DAEMON.replace("CALL", repr(call))) == (0, "ending\n", "")


def test_steps_may_be_under_way_when_the_interpreter_ends() -> None:
    assert ended(KEPT) == (0, "", "")
