"""Makes Minari data sets of data sets."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import playmat
from playmat.datasets.identity import UNFINISHED, unreadable
from playmat.datasets.reading import Dataset, read
from playmat.datasets.recording import locked, naming, sync
from playmat.errors import invalid
from playmat.extras import need

#: The folder, within that of a Minari data set, that holds its files.
DATA = "data"
#: Episodes of players that are written at a time.
AT_ONCE = 256
#: What Minari needs to write HDF5; it imports pillow (PIL) without requiring it.
PACKAGES = ("pyarrow", "minari", "h5py", "PIL")
#: What Minari takes for the id of a data set without a namespace.
_ID = re.compile(r"[-_\w]+-v\d+")


def to_minari(
    path: str | os.PathLike[str],
    *,
    dataset_id: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Path:
    """Makes a Minari data set of a complete data set, in the folder ``data`` within it.

    Each player of an episode of play has an episode in the Minari data set, as in the single-player
    view: its observations are those at the player's decisions and the one after the end, its
    actions are the player's, and each reward is the sum of the player's rewards from a decision up
    to the next one. The episodes of the players of an episode follow one another, the lowest player
    first; players who never decide have none. Rewards before a player's first decision are not
    among the rewards, but `return` in the episode's metadata includes them.

    Observations are dicts of ``observation``, uint8 [O], and ``action_mask``, int8 [A], all 0 after
    the end. The metadata of an episode has ``seed`` (of the episode of play), ``episode``,
    ``player``, ``agent`` (its spec) and ``return``.

    ``minari.MinariDataset(path / "data")`` opens it; ``minari.load_dataset`` does, too, where the
    folder is named after its id and lies in ``MINARI_DATASETS_PATH``. An interrupted call leaves
    nothing behind; one that finds the Minari data set there does nothing.

    Args:
        path: The folder of the data set.
        dataset_id: As Minari wants it, such as ``"playmat/graft/greedy-v0"``. None: the name of the
            folder, where that is an id, or the game's followed by ``-v0``.
        progress: Is called with the number of episodes of play that are written, now and then.

    Returns:
        The folder ``data``.

    Raises:
        playmat.InvalidArgument: The data set is not complete, or `dataset_id` is none.
        playmat.WrongIdentity: This playmat has another version of the game.
        playmat.Unreadable: A part is damaged, or does not replay as recorded; names the path.
        playmat.MissingFeature: The extra ``minari`` is not installed.
        OSError: A file cannot be written; names its path.
    """
    need(*PACKAGES, what="a Minari data set", extra="minari")
    data = read(path)
    game = data.game()
    if not data.complete:
        has = f"`{data.path}` has {data.num_episodes} of {data.identity.episodes} episodes"
        raise invalid("path", f"{has}; wanted a complete data set")
    if dataset_id is None:
        name = data.path.resolve().name
        dataset_id = name if _ID.fullmatch(name) else f"{game.name}-v0"
    elif not all(_ID.fullmatch(f"{part}-v0") for part in dataset_id.split("/")[:-1]) or (
        not _ID.fullmatch(dataset_id.split("/")[-1])
    ):
        wanted = f"NAME-vNUMBER, such as `{game.name}-v0`"
        raise invalid("dataset_id", f"got `{dataset_id}`; wanted {wanted}")
    finished = data.path / DATA
    with locked(data.path):
        if finished.exists():
            return finished
        unfinished = data.path / f"{UNFINISHED}{DATA}"
        shutil.rmtree(unfinished, ignore_errors=True)
        try:
            with naming(unfinished):
                _write(data, game, unfinished, dataset_id, progress)
                for file in unfinished.iterdir():
                    sync(file)
                sync(unfinished)
                os.replace(unfinished, finished)
                sync(data.path)
        except BaseException:
            shutil.rmtree(unfinished, ignore_errors=True)
            raise
    return finished


def _write(
    data: Dataset, game: playmat.Game, folder: Path, dataset_id: str,
    progress: Callable[[int], None] | None,
) -> None:  # fmt: skip
    """Writes all episodes."""
    import gymnasium
    import minari
    from minari.data_collector.episode_buffer import EpisodeBuffer
    from minari.dataset.minari_storage import MinariStorage

    seen: dict[str, Any] = {
        "observation": gymnasium.spaces.Box(0, 255, game.observation_shape, np.uint8),
        "action_mask": gymnasium.spaces.Box(0, 1, (game.num_actions,), np.int8),
    }
    # Minari counts the bytes of its files only under an absolute path.
    storage = MinariStorage.new(
        folder.resolve(), gymnasium.spaces.Dict(seen), gymnasium.spaces.Discrete(game.num_actions)
    )
    agents = data.identity.agents
    storage.update_metadata(
        {
            "dataset_id": dataset_id,
            "minari_version": minari.__version__,
            "algorithm_name": ", ".join(agents),
            "description": f"{game.title}, {game.num_players} players, played by "
            f"{', '.join(agents)}: one episode for each player and episode of play.",
            "requirements": [f"playmat=={data.identity.playmat_version}"],
            "playmat": data.identity.to_json(),
        }
    )
    buffers: list[Any] = []
    metadata: list[dict[str, Any]] = []
    written = 0

    def flush() -> None:
        nonlocal written
        storage.update_episodes(buffers)
        storage.update_episode_metadata(metadata, range(written, written + len(buffers)))
        written += len(buffers)
        buffers.clear()
        metadata.clear()

    for episode in _episodes(data):
        for view in _views(episode, game, data):
            metadata.append(view.pop("metadata"))
            buffers.append(EpisodeBuffer(**view))
        if len(buffers) >= AT_ONCE:
            flush()
            if progress:
                progress(int(episode["episode"][0]) + 1)
    if buffers:
        flush()
    if progress:
        progress(data.num_episodes)


def _episodes(data: Dataset) -> Iterator[dict[str, NDArray[Any]]]:
    """The rows of one episode after the other."""
    rest: dict[str, NDArray[Any]] = {}
    for batch in data.batches():
        if rest:
            batch = {name: np.concatenate([rest[name], batch[name]]) for name in batch}
        starts = np.flatnonzero(np.diff(batch["episode"], prepend=-1)).tolist()
        for first, last in pairwise(starts):
            yield {name: values[first:last] for name, values in batch.items()}
        rest = {name: values[starts[-1] :] for name, values in batch.items()}
    if rest:
        yield rest


def _views(
    episode: dict[str, NDArray[Any]], game: playmat.Game, data: Dataset
) -> Iterator[dict[str, Any]]:
    """The episode of each player, as arguments of an `EpisodeBuffer` and `metadata`."""
    seed, number = int(episode["episode_seed"][0]), int(episode["episode"][0])
    # The rows have no observations after the end; a replay has, and checks the rows.
    env = game.env(seed)
    try:
        for action in episode["action"].tolist():
            env.step(action)
    except playmat.Error as error:
        raise unreadable(data.path, f"episode {number} does not replay: {error}") from error
    if not env.done or not np.array_equal(env.returns, episode["returns"][-1]):
        raise unreadable(data.path, f"episode {number} does not replay: it ends otherwise")
    for player in range(game.num_players):
        rows = np.flatnonzero(episode["player"] == player)
        if not rows.size:
            continue
        steps = len(rows)
        after = np.zeros((1, game.num_actions), np.int8)
        ends = np.zeros((2, steps), np.bool_)
        ends[:, -1] = env.terminated, env.truncated
        yield {
            "seed": seed,
            "observations": {
                "observation": np.concatenate(
                    [episode["obs"][rows], env.observation(player)[None]]
                ),
                "action_mask": np.concatenate([episode["action_mask"][rows].view(np.int8), after]),
            },
            "actions": episode["action"][rows],
            "rewards": np.add.reduceat(episode["reward"][:, player], rows),
            "terminations": ends[0],
            "truncations": ends[1],
            "metadata": {
                "episode": number,
                "player": player,
                "agent": data.identity.agents[int(episode["agents"][-1, player])],
                "return": float(episode["returns"][-1, player]),
            },
        }
