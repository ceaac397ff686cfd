"""`Env.stepper`: steps into arrays that are checked once."""

from __future__ import annotations

import copy
import gc
import pickle
import signal
import threading
import weakref
from typing import Any

import numpy as np
import pytest

import playmat


def arrays(game: playmat.Game, dtype: Any = np.uint8) -> tuple[Any, Any]:
    """An observation and a mask, filled with what no step writes."""
    return np.full(game.observation_shape, 0x55, dtype), np.full(game.num_actions, 7, np.uint8)


def shown(env: playmat.Env, obs: Any, mask: Any) -> bool:
    """Whether the arrays show the environment's position."""
    wanted = env.observation(dtype=obs.dtype)
    return np.array_equal(obs, wanted) and np.array_equal(mask, env.action_mask())


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_stepper_equals_step_into(game: playmat.Game, dtype: Any) -> None:
    one, two = game.env(seed=2), game.env(seed=2)
    (obs, mask), (obs_into, mask_into) = arrays(game, dtype), arrays(game, dtype)
    stepper = one.stepper(obs, mask)
    assert shown(two, obs, mask)
    for seed in (2, 3, None, None):
        stepper.reset(seed)
        two.reset(seed)
        assert shown(two, obs, mask)
        done = False
        while not done:
            action = two.sample_action()
            done = stepper.step(action)
            assert done is two.step_into(action, obs_into, mask_into)
            assert np.array_equal(obs, obs_into)
            assert np.array_equal(mask, mask_into)
        assert not mask.any()
        assert (one.done, one.history) == (True, two.history)
        assert np.array_equal(one.returns, two.returns)
        assert one.events() == two.events()
        with pytest.raises(playmat.EpisodeOver):
            stepper.step(0)
        # A sample of the stepped environment draws from its own stream, which `sample_action` moved.
        assert one.to_bytes()[:-84] == two.to_bytes()[:-84]


def test_refused_actions_change_nothing(game: playmat.Game) -> None:
    env = game.env(seed=5)
    obs, mask = arrays(game)
    stepper = env.stepper(obs, mask)
    while not env.done:
        before, seen, legal = env.to_bytes(), obs.copy(), mask.copy()
        illegal = np.flatnonzero(~env.action_mask())
        wrong = [-1, game.num_actions, 2**16, 2**16 + int(mask.argmax()), 2**63, -(2**90)]
        for action in [*wrong, *illegal[:: max(1, len(illegal) // 5)]]:
            with pytest.raises(playmat.IllegalAction) as caught:
                stepper.step(action)
            assert caught.value.player == env.current_player
        for thing, message in (
            (True, "whole number"),
            ("3", "whole number"),
            (1.0, "whole number"),
        ):
            with pytest.raises(playmat.InvalidArgument, match=message) as bad:
                stepper.step(thing)  # type: ignore[arg-type]
            assert bad.value.argument == "action"
        with pytest.raises(playmat.InvalidArgument, match="seed"):
            stepper.reset(-1)
        assert env.to_bytes() == before
        assert np.array_equal(obs, seen)
        assert np.array_equal(mask, legal)
        stepper.step(env.sample_action())


BAD = [
    (lambda n: np.zeros(n + 1, np.uint8), r"got shape \(\d+,\); wanted \(\d+,\)"),
    (lambda n: np.zeros((n, 1), np.uint8), r"got shape \(\d+, 1\); wanted \(\d+,\)"),
    (lambda n: np.zeros(n, np.int64), "got elements of type int64; wanted"),
    (lambda n: np.zeros(2 * n, np.uint8)[::2], "not C-contiguous"),
    (lambda n: np.frombuffer(bytes(n), np.uint8), "read-only"),
    (lambda n: [0] * n, "wanted"),
    (lambda n: None, "wanted"),
]


@pytest.mark.parametrize(("make", "message"), BAD)
def test_bad_arrays_are_refused(small: playmat.Game, make: Any, message: str) -> None:
    env = small.env(seed=1)
    obs, mask = arrays(small)
    with pytest.raises(playmat.InvalidArgument, match=message) as caught:
        env.stepper(make(len(obs)), mask)
    assert caught.value.argument == "observation"
    with pytest.raises(playmat.InvalidArgument, match=message) as caught:
        env.stepper(obs, make(len(mask)))
    assert caught.value.argument == "mask"
    assert (obs == 0x55).all()
    assert (mask == 7).all()


def test_shared_memory_is_refused(small: playmat.Game) -> None:
    memory = np.zeros(200, np.uint8)
    with pytest.raises(playmat.InvalidArgument, match="shares memory with `observation`"):
        small.env(1).stepper(memory[:126], memory[120:127])


def changes() -> list[Any]:
    """What can happen to an array that a stepper holds, and what a step says of it."""

    def read_only(array: Any) -> Any:
        array.flags.writeable = False
        return lambda: setattr(array.flags, "writeable", True)

    def shape(array: Any) -> Any:
        old = array.shape
        array.shape = (1, *old)
        return lambda: setattr(array, "shape", old)

    def dtype(array: Any) -> Any:
        old = array.dtype
        array.dtype = np.dtype("S1")
        return lambda: setattr(array, "dtype", old)

    def resize(array: Any) -> Any:
        # Far larger: its data move.
        old = array.shape
        array.resize(10_000_000, refcheck=False)
        return lambda: array.resize(old, refcheck=False)

    return [
        (read_only, "read-only"),
        (shape, r"got shape \(1, "),
        (dtype, "got elements of type .*S1"),
        (resize, r"got shape \(10000000,\)"),
    ]


@pytest.mark.filterwarnings("ignore:Setting the .* on a NumPy array:DeprecationWarning")
@pytest.mark.parametrize(("change", "message"), changes())
@pytest.mark.parametrize("name", ["observation", "mask"])
def test_arrays_that_change_are_refused_until_they_are_as_before(
    small: playmat.Game, name: str, change: Any, message: str
) -> None:
    env = small.env(seed=1)
    obs, mask = arrays(small)
    stepper = env.stepper(obs, mask)
    assert not stepper.step(3)
    before = env.to_bytes()
    restore = change({"observation": obs, "mask": mask}[name])
    kept = obs.copy(), mask.copy()
    for call in (lambda: stepper.step(2), stepper.reset, lambda: stepper.reset(5), stepper.write):
        with pytest.raises(playmat.InvalidArgument, match=message) as caught:
            call()
        assert caught.value.argument == name
    assert env.to_bytes() == before
    assert np.array_equal(obs, kept[0])
    assert np.array_equal(mask, kept[1])
    restore()
    assert not stepper.step(2)
    assert shown(env, obs, mask)


def test_numpy_does_not_resize_arrays_of_a_stepper(small: playmat.Game) -> None:
    obs, mask = arrays(small)
    stepper = small.env(1).stepper(obs, mask)
    for array in (obs, mask):
        with pytest.raises(ValueError, match="cannot resize"):
            array.resize(1000)
    assert stepper.step(0) is False


def test_arrays_and_environment_are_kept(small: playmat.Game) -> None:
    env = small.env(seed=1)
    obs, mask = arrays(small)
    stepper = env.stepper(obs, mask)
    assert stepper.env is env
    assert stepper.observation is obs
    assert stepper.mask is mask
    assert repr(stepper) == f"<playmat.Stepper of {env!r}>"
    gone = weakref.ref(obs)
    del env, obs, mask
    gc.collect()
    for _ in range(3):
        stepper.step(2)
    assert shown(stepper.env, stepper.observation, stepper.mask)
    del stepper
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("kind", [np.bool_, np.uint8, np.int8])
def test_masks_of_every_type(small: playmat.Game, kind: Any) -> None:
    env = small.env(seed=1)
    mask = np.zeros(small.num_actions, kind)
    stepper = env.stepper(np.zeros(small.observation_shape, np.float32), mask)
    for _ in range(5):
        stepper.step(0)
    assert mask.tolist() == [1] * 7
    stepper.step(0)
    assert mask.tolist() == [0] + [1] * 6


def test_the_environment_is_usable_beside_a_stepper(small: playmat.Game) -> None:
    env = small.env(seed=1)
    obs, mask = arrays(small)
    stepper, other = env.stepper(obs, mask), env.stepper(*arrays(small))
    seen = obs.copy()
    env.step(3)
    other.step(2)
    assert np.array_equal(obs, seen)
    stepper.write()
    assert shown(env, obs, mask)
    stepper.step(1)
    assert [action for _, action in env.history] == [3, 2, 1]
    env.reset(7)
    stepper.write()
    assert shown(small.env(7), obs, mask)


def test_foreign_memory(small: playmat.Game) -> None:
    """Of other libraries: checked in every step, because they can move it."""
    obs, mask = bytearray(126), bytearray(7)
    env = small.env(seed=1)
    stepper = env.stepper(memoryview(obs), memoryview(mask))
    stepper.step(3)
    assert shown(env, np.frombuffer(obs, np.uint8), np.frombuffer(mask, np.uint8))


def test_tensors_that_move_their_memory(small: playmat.Game) -> None:
    torch = pytest.importorskip("torch")
    env = small.env(seed=1)
    obs, mask = torch.zeros(126, dtype=torch.uint8), torch.zeros(7, dtype=torch.bool)
    stepper = env.stepper(obs, mask)
    obs.resize_(10_000_000)
    with pytest.raises(playmat.InvalidArgument, match=r"got shape \(10000000,\)"):
        stepper.step(3)
    obs.resize_(126)
    stepper.step(3)
    assert shown(env, obs.numpy(), mask.numpy())


def test_the_method_is_of_the_class(small: playmat.Game) -> None:
    env = small.env(seed=1)
    stepper = env.stepper(*arrays(small))
    assert playmat.Stepper.step(stepper, 3) is False
    for thing in (env, None, object()):
        with pytest.raises(TypeError, match="Stepper"):
            playmat.Stepper.step(thing, 3)  # type: ignore[arg-type]
    step: Any = stepper.step
    for given, named in (((), {}), ((1, 2), {}), ((), {"action": 1})):
        with pytest.raises(TypeError):
            step(*given, **named)
    with pytest.raises(TypeError, match="not an acceptable base type"):
        type("Other", (playmat.Stepper,), {})
    assert stepper.step(np.int64(2)) is False
    assert [action for _, action in env.history] == [3, 2]


def test_pickles_and_copies_are_refused(small: playmat.Game) -> None:
    stepper = small.env(1).stepper(*arrays(small))
    for call in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot be pickled or copied"):
            call(stepper)


def test_steppers_of_several_threads_wait_for_each_other(small: playmat.Game) -> None:
    """Every step is played once and whole, whoever makes it."""
    env = small.env(seed=1)
    steps, failures = [0] * 4, []

    def work(number: int) -> None:
        obs, mask = arrays(small)
        stepper, agent = env.stepper(obs, mask), small.agent("mcts:20")
        try:
            while not env.done:
                try:
                    # A search holds the environment while other threads run Python.
                    action = agent.act(env) if number == 0 else int(env.action_mask().argmax())
                    over = stepper.step(action)
                except (playmat.EpisodeOver, playmat.IllegalAction, playmat.NotActing):
                    continue
                steps[number] += 1
                assert over is not bool(mask.any())
        except BaseException as error:
            failures.append(error)

    for _ in range(20):
        env.reset()
        steps[:] = [0] * 4
        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures
        assert sum(steps) == env.decisions == len(env.history)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers")
def test_a_step_within_another_call_is_refused(small: playmat.Game) -> None:
    env = small.env(seed=1)
    stepper, refused = env.stepper(*arrays(small)), []

    def handle(*_: object) -> None:
        for call in (lambda: stepper.step(3), stepper.reset, stepper.write):
            try:
                call()
            except playmat.OrderError as error:
                refused.append(str(error))

    before = signal.signal(signal.SIGALRM, handle)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        small.agent("mcts:300ms").act(env)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(refused) == 3
    assert "in use by another call of this thread" in refused[0]
    assert env.decisions == 0


def test_other_libraries_cannot_move_the_other_array(small: playmat.Game) -> None:
    """The conversion of one array runs Python code, which changes the other one."""
    obs, mask = arrays(small)
    actions = np.zeros(small.num_actions, np.uint8)

    class Hostile:
        def __dlpack_device__(self) -> Any:
            return mask.__dlpack_device__()

        def __dlpack__(self, **options: Any) -> Any:
            obs.resize(1, refcheck=False)
            return actions.__dlpack__(**options)

    env = small.env(seed=1)
    for call in (env.stepper, lambda *targets: env.step_into(3, *targets)):
        obs.resize(small.observation_shape, refcheck=False)
        with pytest.raises(playmat.InvalidArgument, match=r"got shape \(1,\); wanted \(126,\)"):
            call(obs, Hostile())
        assert env.decisions == 0


def test_a_cycle_through_an_array_is_collected(small: playmat.Game) -> None:
    class Array(np.ndarray[Any, Any]):
        stepper: Any

    obs, mask = arrays(small)
    own = obs.view(Array)
    own.stepper = small.env(seed=1).stepper(own, mask)
    gone = weakref.ref(own)
    del own
    gc.collect()
    assert gone() is None
