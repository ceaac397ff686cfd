"""Bytes of an environment of a batch: what is stated is what is taken."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import playmat

sys.path.append(str(Path(__file__).resolve().parents[1]))

MB = 1 << 20
#: Bytes of a batch that is measured: enough for the noise of an allocator to be small beside it.
SIZE = 64 * MB


def arrays(venv: playmat.VecEnv) -> int:
    return sum(venv.batch[field].nbytes for field in venv.batch)


@pytest.mark.parametrize("name", playmat.games())
def test_nbytes_counts_the_engine_and_the_arrays(name: str) -> None:
    game = playmat.Game(name)
    info, envs = game.info(), 6400
    assert info["state_bytes"] < info["env_bytes"] < info["env_bytes_with_outputs"]
    default = game.vec_env(envs)
    assert default.nbytes == envs * info["env_bytes_with_outputs"]
    # Two arrays of drawn actions belong to every batch.
    assert default.nbytes == envs * (info["env_bytes"] + 16) + arrays(default)
    few = game.vec_env(envs, fields=["player", "terminated"])
    assert few.nbytes == envs * (info["env_bytes"] + 16 + 5)
    floats = game.vec_env(envs, dtype="f32")
    assert floats.nbytes - default.nbytes == 3 * 2 * envs * info["observation_size"]
    joint = game.vec_env(envs, view="joint")
    assert joint.nbytes > envs * (info["env_bytes"] + 16 * game.num_players) + arrays(joint)
    few.reset(seed=1)
    few.close()
    assert few.nbytes == envs * (16 + 5)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/self/statm")
@pytest.mark.parametrize("name", playmat.games())
def test_stated_bytes_are_resident_bytes(name: str) -> None:
    from memory import measure_apart

    per_env = playmat.Game(name).info()["env_bytes_with_outputs"]
    found = measure_apart(name, SIZE // per_env)
    assert 0.97 * found["stated"] < found["measured"] < 1.03 * found["stated"] + MB, found


@pytest.mark.parametrize(("name", "budget"), [("graft", 4500), ("graphia", 9000)])
def test_a_million_environments_fit_into_a_workstation(name: str, budget: int) -> None:
    """Bytes per environment with all outputs: a million take 4.5 and 9 GB at most."""
    info = playmat.Game(name).info()
    assert info["env_bytes_with_outputs"] <= budget
    # The engine keeps little beside the state.
    assert info["env_bytes"] <= info["state_bytes"] + 512
