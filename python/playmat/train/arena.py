"""A round robin of agents, and ratings with intervals from it. Only checkpoints need torch.

Every pair of agents A and B plays the same number of episodes. In an episode one of them plays one
player and the other agent all others; each arrangement plays the same seeds, and each pair has
seeds of its own, which follow from its agents: not from their order, nor from who else plays.
In a one-player game both play the same seeds.

Ratings follow the measure of the game (:func:`playmat.train.evaluate.measure`):

* `win_rate`: Bradley-Terry ratings on the scale of Elo: 400 points more are ten times the odds of
  winning. In an episode each player of A is compared with each player of B by their returns; A
  wins the share of these comparisons in which its return is higher, draws counting half.
* `return`: the margin of A over B is the mean, over all their episodes, of A's return less the mean
  return of all players (where B plays one player: with the roles and the sign exchanged). In a
  two-player zero-sum game that is A's mean return against B, for one player the difference of
  the two returns. The rating of an agent is the mean of its margins over all agents, itself
  included with 0: the least-squares fit of margins as differences of ratings, in units of
  return.

All intervals take seeds as independent, and the episodes of one seed in a pair as dependent: those
of returns by their clustered variance, those of shares and of Bradley-Terry ratings by the design
effect of each pair (:mod:`playmat.train.clusters`). Where all deals gave the same, the interval of
a return is that of deals which did not occur, from the bounds of returns; that of shares counts
deals, not episodes. Where there is one deal, the interval of a return is not known.

Where a game has no chance, a pair may repeat one episode: all episodes of each arrangement are
alike. Only the distinct episodes of such a pair count: one of each arrangement, all of one deal.
That is so for agents that always choose alike, and for agents that draw where their draws changed
nothing. Where one episode of an arrangement differs, all of them are samples, and so are equal
deals of a game with chance.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import playmat
from playmat.cluster import Cluster, run
from playmat.errors import invalid, wrong_identity
from playmat.functions import identity, names_function
from playmat.train.clusters import Records, clustered, design_effect
from playmat.train.competitors import Competitor, competitors
from playmat.train.evaluate import PARALLEL, BatchPolicy, Z, measure, shares
from playmat.train.named import is_spec, load_agent
from playmat.train.ratings import Rating, bradley_terry, half_width

#: Raised when files of finished matches can no longer be read.
FORMAT = 4
#: Episodes of a match at most, and of one with a search: what Ctrl-C can lose.
PART, SEARCH_PART = 512, 32
#: The largest seed.
MOST_SEED = 2**63 - 1
#: An odd number whose products spread bits.
MIX = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class RoundRobin:
    """A finished round robin of n agents."""

    agents: tuple[str, ...]
    measure: str
    #: [i, j]: episodes of i and j, and how many of them count in intervals.
    episodes: NDArray[np.int64]
    distinct: NDArray[np.int64]
    #: [i, j]: how many of these i won.
    won: NDArray[np.float64]
    #: [i, j]: mean margin of i over j, and its standard error.
    margin: NDArray[np.float64]
    error: NDArray[np.float64]
    #: [i]: mean return of i in all its episodes, and its standard error.
    mean_return: NDArray[np.float64]
    return_error: NDArray[np.float64]
    #: [i, j]: the variance of the share that i won, divided by that of independent episodes.
    design_effect: NDArray[np.float64]

    def ratings(self) -> list[Rating]:
        """Best first."""
        n = len(self.agents)
        if self.measure == "win_rate":
            cross = self.won / np.maximum(self.episodes, 1)
            points, errors = bradley_terry(cross * self.distinct, self.design_effect)
            half = np.array([
                [half_width(share, float(n)) for share, n in zip(*row, strict=True)]
                for row in zip(cross, self.distinct / self.design_effect, strict=True)
            ])  # fmt: skip
        else:
            points, errors = self.margin.sum(1) / n, np.sqrt((self.error**2).sum(1)) / n
            cross, half = self.margin, Z * self.error
        rows = [
            Rating(
                name, self.measure, float(points[i]), float(Z * errors[i]),
                float(self.mean_return[i]), float(Z * self.return_error[i]),
                float(self.won[i].sum() / max(1, self.episodes[i].sum())),
                int(self.episodes[i].sum()), int(self.distinct[i].sum()),
                *(
                    {other: float(values[i, j]) for j, other in enumerate(self.agents) if j != i}
                    for values in (cross, half)
                ),
            )
            for i, name in enumerate(self.agents)
        ]  # fmt: skip
        return sorted(rows, key=lambda row: -row.rating)


@dataclass(frozen=True)
class Match:
    """Episodes of one arrangement of agents: the unit of work. Its returns depend on it alone, not
    on other matches or on the process that plays it.
    """

    #: By player, the number of the agent that plays it.
    agents: tuple[int, ...]
    episodes: int
    #: Environments at most; with ``seed`` it decides the seeds of the episodes.
    parallel: int
    seed: int
    #: Of matches with the same agents, seed and number of environments: which.
    part: int = 0


class Played(NamedTuple):
    """The result of a match."""

    #: Of all players [episodes, players].
    returns: NDArray[np.float64]
    #: A number of the one episode that all of its episodes repeat; None where they differ, and in a
    #: game with chance.
    repeated: int | None


@dataclass(frozen=True)
class Plan:
    """A round robin that is to be played: what all of its matches share."""

    game: str
    options: Mapping[str, Any]
    #: Specs of agents, checkpoint files, or texts that name functions.
    specs: tuple[str, ...]
    episodes: int
    seed: int
    play: str | None
    threads: int
    #: By agent, its number in matches; empty: its place in specs.
    numbers: tuple[int, ...] = ()
    #: By agent, what the seeds of its pairs follow from, see :func:`keys_of`; empty: the specs.
    keys: tuple[str, ...] = ()
    #: By agent, that of a function that no text names, otherwise None; empty: there is none.
    functions: tuple[playmat.Agent | None, ...] = ()
    #: By agent, what tells a function that a text names from others, otherwise None; empty: nobody
    #: asks. Other processes read its file, or one of that name where they run.
    identities: tuple[str | None, ...] = ()

    def pairs(
        self, players: int, finished: Iterable[Match] = ()
    ) -> list[tuple[int, int, list[tuple[bool, int, list[Match]]]]]:
        """Every pair of agents and its arrangements: whether the first agent of the pair plays one
        player (or the second), which player it is, and the matches. Match k of each arrangement has
        the same deals. Where ``finished`` has matches of a pair, these come first.
        """
        n, found = len(self.specs), []
        numbers, keys = self.numbers or range(n), self.keys or self.specs
        known = {(match.agents, match.seed, match.part): match for match in finished}
        # Which of the two agents plays one player, and which player.
        arrangements = [(alone, player) for player in range(players) for alone in (True, False)]
        if players == 2:
            arrangements = [(True, 0), (True, 1)]
        for i, j in itertools.combinations(range(n), 2):
            # Independent of the other agents, so that more can be added, and of their order.
            if keys[i] > keys[j]:
                i, j = j, i
            seed = pair_seed(self.seed, keys[i], keys[j])
            searches = any(self.specs[k].startswith("mcts:") for k in (i, j))
            counts = shares(self.episodes, len(arrangements))
            if players == 1:
                counts = np.full(2, self.episodes)
            who = [
                tuple(numbers[i if alone == (k == player) else j] for k in range(players))
                for alone, player in arrangements
            ]
            parts = _parts(who, counts.tolist(), SEARCH_PART if searches else PART, seed, known)
            found_here = [
                (alone, player, some)
                for (alone, player), some in zip(arrangements, parts, strict=True)
            ]
            found.append((i, j, found_here))
        return found

    def run(self, match: Match) -> Played:
        """Plays a match."""
        game = playmat.Game(self.game, **self.options)
        numbers = self.numbers or range(len(self.specs))
        keys = dict(zip(numbers, self.keys or self.specs, strict=True))
        agents: dict[int, BatchPolicy | playmat.Agent | str] = {}
        ordered = sorted(set(match.agents), key=keys.__getitem__)
        for place, k in enumerate(ordered):
            at = numbers.index(k)
            function = self.functions[at] if self.functions else None
            wanted = self.identities[at] if self.identities else None
            if wanted is not None and (there := identity(self.specs[at], "agents")) != wanted:
                reason = "its file is not the one with which the round robin began"
                raise wrong_identity(f"`{self.specs[at]}`", "file", there, wanted, reason)
            loaded = function or load_agent(
                self.specs[at], game, self.play, _seed(match, place, ordered)
            )
            agents[k] = loaded
        who, seed = [agents[k] for k in match.agents], match.seed
        if match.part:
            seed = int(np.random.SeedSequence([seed, match.part]).generate_state(1)[0])
        return play(game, who, match.episodes, match.parallel, seed, self.threads)


def _parts(
    who: Sequence[tuple[int, ...]], counts: Sequence[int], most: int, seed: int,
    known: Mapping[tuple[tuple[int, ...], int, int], Match],
) -> list[list[Match]]:  # fmt: skip
    """By arrangement of a pair, the matches of so many episodes: finished ones, and new ones of at
    most ``most`` episodes. All but the last match are as long in each arrangement.
    """
    found: list[list[Match]] = [[] for _ in who]
    left, is_fresh, part = list(counts), True, 0
    while part == 0 or any(left):
        finished = [known.get((agents, seed, part)) for agents in who]
        there = [match for match in finished if match is not None]
        if there:
            longest, parallel = max(match.episodes for match in there), there[0].parallel
            lengths = [longest if match is None else match.episodes for match in finished]
            is_last = all(a <= b for a, b in zip(left, lengths, strict=True))
            episodes = left if is_last else [min(number, min(lengths)) for number in left]
        else:
            parallel = min(most, max(counts if is_fresh else left))
            episodes = [min(number, most) for number in left]
        for matches, agents, number in zip(found, who, episodes, strict=True):
            if number or part == 0:
                matches.append(Match(agents, number, parallel, seed, part))
        left = [a - b for a, b in zip(left, episodes, strict=True)]
        is_fresh, part = is_fresh and episodes == [most] * len(who), part + 1
    return found


def keys_of(
    specs: Sequence[str], identities: Sequence[str], functions: Sequence[playmat.Agent | None],
    names: Sequence[str],
) -> tuple[str, ...]:  # fmt: skip
    """By agent, what tells it from others in every arena: what it is, with the checksum of a file
    in its place, and for a function that no text names its name. Of equal agents each has a number.
    """
    found: list[str] = []
    times: dict[str, int] = {}
    for spec, known, function, name in zip(specs, identities, functions, names, strict=True):
        if function is not None:
            key = f"function {name}"
        elif names_function(spec):
            try:
                key = identity(spec, "agents")
            except playmat.InvalidArgument:
                key = f"function {spec}"  # without a file, and so never saved
        else:
            key = _content(known)
        times[key] = times.get(key, 0) + 1
        found.append(key if times[key] == 1 else f"{key}\0{times[key]}")
    return tuple(found)


def pair_seed(seed: int, *keys: str) -> int:
    """The seed of the deals of a pair, from the arena's and the keys of its agents in order."""
    digest = hashlib.sha256("\0\0".join([str(seed), *keys]).encode()).digest()
    return int.from_bytes(digest[:8], "little") >> 1


def _seed(match: Match, place: int, ordered: Sequence[int]) -> int:
    """The seed of an agent that samples, in a match: of the one at this place among the agents of
    the pair in their order.
    """
    numbers = [match.seed, match.part, place, *map(ordered.index, match.agents)]
    words = np.random.SeedSequence(numbers).generate_state(2)
    return int(words[0]) << 31 | int(words[1]) >> 1


def round_robin(
    name: str, options: Mapping[str, Any],
    agents: Sequence[Competitor] | Mapping[str, Competitor], episodes: int, seed: int = 0,
    play: str | None = None, threads: int = 1, *, cluster: Cluster | None = None,
    save: Path | None = None, played: Callable[[int, int], None] | None = None,
) -> RoundRobin:  # fmt: skip
    """Plays exactly so many episodes of each pair of agents, divided among the arrangements as
    evenly as possible.

    Args:
        agents: Specs, checkpoint files, agents of the game, or functions as in
            :meth:`playmat.Game.agent`, also as texts that name them (``module:function``,
            ``file.py:function``); or a mapping from names of your own to these. A function is
            called by its ``name`` or ``__name__``. One that draws draws for itself, so that the
            seed does not repeat its episodes.
        cluster: Plays matches in other processes. Results do not depend on it. Not for functions
            that no text names.
        save: A file for finished matches. If it exists, they are not played again; there may be
            other agents and another number of episodes than before. Not for functions that no text
            names. A function that a text names is another agent when the file of its module has
            changed, but not when only what that file imports has.
        played: Called with the number of episodes that are done and of all.

    Raises:
        playmat.InvalidArgument: Fewer than two agents, or one twice; a seed out of range; a
            function that no text names with ``save`` or ``cluster``; a text whose function cannot
            be loaded or raises something; or a choice that is not legal. What a function that no
            text names raises, it raises here.
        playmat.WrongIdentity: ``save`` is of another round robin; names what differs. The file of a
            function that a text names is another one in the process that plays.
        playmat.Unreadable: ``save`` is no such file.
    """
    game = playmat.Game(name, **options)
    if not 0 <= seed <= MOST_SEED:
        raise invalid("seed", f"got {seed}; allowed: 0 to {MOST_SEED}")
    found = competitors(game, agents)
    specs = found.specs
    if save is not None:
        found.refuse_functions("save", "cannot be recognized in another process")
    if cluster is not None:
        found.refuse_functions("cluster", "plays in this process only")
    for i, (spec, function) in enumerate(zip(specs, found.functions, strict=True)):
        if function is None:
            load_agent(spec, game, play, i)
    known = save is not None or cluster is not None
    named = tuple(
        identity(spec, "agents") if known and function is None and names_function(spec) else None
        for spec, function in zip(specs, found.functions, strict=True)
    )
    plan = Plan(
        name, dict(options), specs, episodes, seed, play, threads,
        keys=keys_of(specs, found.identities, found.functions, found.names),
        functions=found.functions, identities=named,
    )  # fmt: skip
    finished = Finished(plan, found.identities, save)
    plan = replace(plan, numbers=finished.numbers)
    pairs = plan.pairs(game.num_players, finished.found)
    matches = [m for _, _, arrangements in pairs for _, _, some in arrangements for m in some]
    results = play_matches(plan, matches, cluster, finished, played)
    n = len(specs)
    won, count, distinct = np.zeros((n, n)), np.zeros((n, n), np.int64), np.zeros((n, n), np.int64)
    margin, error, effect = np.zeros((n, n)), np.zeros((n, n)), np.ones((n, n))
    low, high = game.return_range
    # Of an agent over the mean of all players; for one player, over the other agent.
    ahead = (high - low) * ((game.num_players - 1) / game.num_players or 1)
    records: list[list[Records]] = [[] for _ in specs]
    repeat: list[list[bool]] = [[] for _ in specs]
    for i, j, arrangements in pairs:
        pair = joined([
            (alone, player, np.concatenate([results[match].returns for match in some]))
            for alone, player, some in arrangements
        ])  # fmt: skip
        once = repeated([[results[m] for m in some if m.episodes] for _, _, some in arrangements])
        count[i, j] = count[j, i] = episodes
        distinct[i, j] = distinct[j, i] = once or episodes
        won[i, j], won[j, i] = pair.won, episodes - pair.won
        effect[i, j] = effect[j, i] = design_effect(pair.shares, once > 0)
        margin[i, j], error[i, j] = clustered([pair.margins], [once > 0], (-ahead, ahead))
        margin[j, i], error[j, i] = -margin[i, j], error[i, j]
        for agent, record in ((i, pair.first), (j, pair.second)):
            records[agent].append(record)
            repeat[agent].append(once > 0)
    means = [
        clustered(groups, same, (low, high)) for groups, same in zip(records, repeat, strict=True)
    ]
    return RoundRobin(
        found.names, measure(game), count, distinct, won, margin, error,
        np.array([mean for mean, _ in means]), np.array([error for _, error in means]), effect,
    )  # fmt: skip


def play_matches(
    plan: Plan, matches: Sequence[Match], cluster: Cluster | None, finished: Finished,
    played: Callable[[int, int], None] | None,
) -> dict[Match, Played]:  # fmt: skip
    """The results of all matches: the finished ones, and the others, which are played."""
    found = {match: finished.result(match) for match in matches}
    done = {match: result for match, result in found.items() if result is not None}
    left = [match for match in matches if match not in done]
    total = sum(match.episodes for match in matches)

    def note() -> None:
        if played is not None:
            played(sum(match.episodes for match in done), total)

    note()
    for number, result in run(plan.run, left, cluster):
        done[left[number]] = result
        finished.add(left[number], result)
        note()
    return done


class Finished:
    """A file of finished matches: a line of JSON that says what is played, then a line per agent,
    whose numbers count from 0, and per match. A last line that was cut short is dropped.
    ``names`` are those of the plan's agents.
    """

    def __init__(self, plan: Plan, names: Sequence[str], path: Path | None) -> None:
        self.found: dict[Match, Played] = {}
        #: The same, with 0 in place of the number of episodes.
        self._of_any_length: dict[Match, Played] = {}
        self.path = path
        #: By agent of the plan, its number in the file.
        self.numbers = tuple(range(len(names)))
        if path is None:
            return
        contents = [_content(name) for name in names]
        agents: list[str] = []
        game = playmat.Game(plan.game, **plan.options)
        head = {
            "playmat arena": FORMAT, "game": plan.game, "version": game.version,
            "content": game.info()["content_hash"], "options": game.options, "seed": plan.seed,
            "play": plan.play,
        }  # fmt: skip
        head = json.loads(json.dumps(head))
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        whole = [line for line in lines if line.endswith(b"\n")]
        try:
            there = json.loads(whole[0]) if whole else head
            if not isinstance(there, dict) or "playmat arena" not in there:
                raise ValueError("it does not begin as a file of the arena")
            # First: what follows is read as this format has it.
            _same(path, there, head)
            for line in whole[1:]:
                entry = json.loads(line)
                if "agent" in entry:
                    agents.append(str(entry["content"]))
                    continue
                if not set(entry["agents"]) <= set(range(len(agents))):
                    raise ValueError("a match is of agents that are not in it")
                match = Match(tuple(entry["agents"]), *entry["match"])
                result = np.array(entry["returns"], np.float64)
                result = result.reshape(match.episodes, game.num_players)
                again = entry["repeated"]
                played = Played(result, None if again is None else int(again))
                self.found[match] = self._of_any_length[replace(match, episodes=0)] = played
        except playmat.WrongIdentity:
            raise
        except (ValueError, KeyError, TypeError, IndexError) as error:
            refused = playmat.Unreadable(f"cannot read the file `{path}`: {error}")
            refused.what, refused.reason = f"file `{path}`", str(error)
            raise refused from error
        path.parent.mkdir(parents=True, exist_ok=True)
        if lines:
            os.truncate(path, sum(map(len, whole)))
        if not whole:
            self._write(head)
        free: dict[str, list[int]] = {}
        for number, content in enumerate(agents):
            free.setdefault(content, []).append(number)
        numbers = []
        for spec, content in zip(plan.specs, contents, strict=True):
            if not free.get(content):
                free[content] = [len(agents)]
                agents.append(content)
                self._write({"agent": spec, "content": content})
            numbers.append(free[content].pop(0))
        self.numbers = tuple(numbers)

    def result(self, match: Match) -> Played | None:
        """The result of a match if it is finished, or the beginning of a longer one."""
        played = self._of_any_length.get(replace(match, episodes=0))
        if played is None or len(played.returns) < match.episodes:
            return None
        return Played(played.returns[: match.episodes], played.repeated)

    def add(self, match: Match, result: Played) -> None:
        """Adds a match, on the disk when this returns."""
        numbers = (match.episodes, match.parallel, match.seed, match.part)
        entry = {"agents": match.agents, "match": numbers, "returns": result.returns.tolist()}
        self._write({**entry, "repeated": result.repeated})

    def _write(self, entry: Mapping[str, Any]) -> None:
        if self.path is not None:
            with open(self.path, "ab") as file:
                file.write(json.dumps(entry).encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())


def _same(path: Path, there: Mapping[str, Any], head: Mapping[str, Any]) -> None:
    """Refuses a file whose head is another one."""
    for name, value in head.items():
        if there.get(name) != value:
            name, found = "format" if name == "playmat arena" else name, there.get(name)
            reason = f"{name} is `{found}`, here it is `{value}`"
            if name == "format" and isinstance(found, int) and found < FORMAT:
                reason += "; older versions gave other deals to a pair, so begin a new file"
            raise wrong_identity(f"file `{path}`", name, found, value, reason)


def _content(spec: str) -> str:
    """An agent, independent of where its file lies: the checksum takes the place of the file."""
    if names_function(spec):
        return identity(spec, "save")

    def checksum(text: str) -> str | None:
        if is_spec(text) or not os.path.isfile(text):
            return None
        return hashlib.sha256(Path(text).read_bytes()).hexdigest()

    def piece(text: str) -> str:
        name, equals, file = text.partition("=")
        return checksum(text) or name + equals + (checksum(file) or file)

    return checksum(spec) or ",".join(map(piece, spec.split(",")))


def repeated(arrangements: Sequence[Sequence[Played]]) -> int:
    """How many episodes are distinct if every arrangement repeats one, otherwise 0.
    For each arrangement the results of its matches.
    """
    episodes = [{result.repeated for result in some} for some in arrangements if some]
    same = all(len(numbers) == 1 and None not in numbers for numbers in episodes)
    lone = arrangements[0][0].returns.shape[1] == 1
    # Both agents play the one player of the same game: that is one comparison.
    return (1 if lone else len(episodes)) if same else 0


@dataclass(frozen=True)
class Pair:
    """The episodes of two agents."""

    #: What the first won of each episode.
    shares: Records
    #: Margins of the first over the second.
    margins: Records
    #: Returns of the first and of the second: the mean of the players that it played.
    first: Records
    second: Records

    @property
    def won(self) -> float:
        """Episodes that the first won, with fractions."""
        return float(sum(float(share.sum()) for share in self.shares))


def joined(arrangements: Sequence[tuple[bool, int, NDArray[np.float64]]]) -> Pair:
    """The episodes of two agents from those of each arrangement: whether the first agent plays one
    player (or the second), which player it is, and the returns of all players [episodes, players].
    """
    if arrangements[0][2].shape[1] == 1:
        first, second = (returns[:, 0] for _, _, returns in arrangements)
        won = (first > second) + (first == second) / 2
        return Pair([won], [first - second], [first], [second])
    pair = Pair([], [], [], [])
    for alone, player, returns in arrangements:
        own, others = returns[:, player], np.delete(returns, player, axis=1)
        better = (own[:, None] > others) + (own[:, None] == others) / 2
        pair.shares.append((better if alone else 1 - better).mean(1))
        ahead = own - returns.mean(1)
        pair.margins.append(ahead if alone else -ahead)
        (pair.first if alone else pair.second).append(own)
        (pair.second if alone else pair.first).append(others.mean(1))
    return pair


def play(
    game: playmat.Game, agents: Sequence[BatchPolicy | playmat.Agent | str], episodes: int,
    parallel: int, seed: int, threads: int,
) -> Played:  # fmt: skip
    """Plays episodes with these agents as players, in the same order of seeds for the same
    ``parallel`` and ``seed``.
    """
    envs = min(parallel, PARALLEL)
    returns, numbers = np.zeros((episodes, game.num_players)), np.zeros(episodes, np.uint64)
    if episodes == 0:
        return Played(returns, None)
    # Without chance, an episode is what its players chose: what those see and choose who act here,
    # and how it ends, tells episodes apart.
    counts = not game.info()["chance"]
    weights = np.random.default_rng(0).integers(1, 2**64, game.observation_shape, np.uint64)
    number = np.zeros(envs, np.uint64)
    # Agents of the engine play inside it, but one player must act here: the random ones, which
    # are as fast here, or the first.
    here = [not isinstance(agent, str) for agent in agents]
    if not any(here):
        here = [agent == "random" for agent in agents]
    if not any(here):
        here[0] = True
    roles = ["learner" if acts else str(agent) for acts, agent in zip(here, agents, strict=True)]
    acting = {id(agent): agent for acts, agent in zip(here, agents, strict=True) if acts}
    engine = {
        key: game.agent(agent) if isinstance(agent, str) else agent
        for key, agent in acting.items()
        if isinstance(agent, str | playmat.Agent)
    }
    needs = any(getattr(agent, "takes_greedy", False) for agent in acting.values())
    greedy_agent = game.agent("greedy") if needs else None
    with game.vec_env(envs, threads=threads, roles=roles) as venv:
        batch = venv.reset(seed=seed)
        quota, done = shares(episodes, envs), np.zeros(envs, np.int64)
        while (done < quota).any():
            actions = np.zeros(envs, np.int64)
            for key, agent in acting.items():
                players = [player for player, other in enumerate(agents) if other is agent]
                rows = np.isin(batch.player, players)
                if not rows.any():
                    continue
                if agent == "random":
                    actions[rows] = venv.sample_actions()[rows]
                elif isinstance(agent, str | playmat.Agent):
                    actions[rows] = engine[key].act_batch(venv, mask=rows)[rows]
                else:
                    greedy = None
                    if agent.takes_greedy and greedy_agent is not None:
                        greedy = greedy_agent.act_batch(venv, mask=rows)[rows]
                    actions[rows] = agent.act(batch.obs[rows], batch.action_mask[rows], greedy)
            if counts:
                number = number * MIX + batch.obs @ weights + actions.astype(np.uint64)
            batch = venv.step(actions)
            over = batch.terminated | batch.truncated
            ended = np.flatnonzero(over & (done < quota))
            at = ended + envs * done[ended]
            returns[at], numbers[at] = batch.episode_return[ended], number[ended]
            done[ended] += 1
            number[over] = 0
    alike = counts and (numbers == numbers[0]).all() and (returns == returns[0]).all()
    return Played(returns, int(numbers[0]) if alike else None)
