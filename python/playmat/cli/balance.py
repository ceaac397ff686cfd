"""``playmat balance GAME``: self-play in numbers, for people who design games."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import playmat
from playmat import cluster
from playmat.agents import split_agents
from playmat.cli.common import add_game, make_game, parse_options, progress, refusal, table

#: Episodes between two looks at the keyboard and the progress bar.
PIECE = 250
#: Games that an interval around the victories of those who chose an action needs at least.
ENOUGH = 30
#: Episodes from which it is remarkable that something never happened. What happens in one of 200
#: episodes is missed by 1000 with a probability of 0.7%, but by 300 with 22%; expected rules,
#: content entries and kinds of actions without a known reason happened in 1000 episodes of every
#: game, with either agent.
REMARKABLE = 1000


def register(subparsers: Any) -> None:
    """Adds the command."""
    balance = subparsers.add_parser(
        "balance",
        help="who wins, scores, lengths and what happens how often, from self-play",
        description="Plays a game with agents and prints the advantage of moving first, scores, "
        "lengths, how often each rule, content entry and kind of action took effect, by copy where "
        "there are some, and what parts of the game (terrains, islands, cards, goals) were worth; "
        "what never happened is listed, with the reason if one is known. In fewer than "
        f"{REMARKABLE} episodes that can be an accident.",
    )
    add_game(balance)
    balance.add_argument(
        "--episodes", type=int, default=2000, help="episodes to play (default: 2000)"
    )
    balance.add_argument(
        "--agents",
        default="greedy",
        help="an agent (random, greedy, mcts:400, policy.onnx) for each player, separated by "
        "commas; the last one also plays for the players after it (default: greedy)",
    )
    balance.add_argument("--seed", type=int, default=0)
    balance.add_argument(
        "--matrix-episodes",
        type=int,
        metavar="N",
        help="episodes of each pair in the matrix, for two-player games in which an option gives "
        "each player a value, such as a deck; 0 for no matrix (default: a tenth of --episodes)",
    )
    balance.add_argument(
        "--choices",
        nargs="?",
        const="",
        metavar="NAME",
        help="also a table of the actions that were chosen, all or those of one range, such as "
        "CARD (`playmat info GAME` names them): how often each was chosen, by what share of the "
        "players of all episodes, and the share of victories of the players who chose it at least "
        "once in an episode. +- is a 95%% interval that takes episodes, not choices, as "
        f"independent; `-` in fewer than {ENOUGH} episodes, or if no episode differs. It shows "
        "who chose an action, not its effect: players who are about to win may prefer an action "
        "that does not help",
    )
    balance.add_argument("--json", action="store_true", help="print JSON")
    cluster.add_arguments(balance)
    balance.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Plays and prints."""
    game = make_game(arguments)
    agents = split_agents(arguments.agents)
    if arguments.episodes < 1:
        raise refusal("episodes", arguments.episodes, "1 or more")
    if (arguments.matrix_episodes or 0) < 0:
        raise refusal("matrix-episodes", arguments.matrix_episodes, "0 or more")
    if len(agents) > game.num_players:
        raise refusal("agents", arguments.agents, f"at most {game.num_players} agents")
    wanted = _range(arguments.choices, game)
    workers = cluster.from_arguments(arguments, "playmat balance")
    sizes = [PIECE] * (arguments.episodes // PIECE)
    if arguments.episodes % PIECE:
        sizes.append(arguments.episodes % PIECE)
    pieces = [
        Piece(game, tuple(agents), size, arguments.seed + number)
        for number, size in enumerate(sizes)
    ]
    survey: dict[str, Any] = {}
    for piece in surveys(pieces, workers, "playing"):
        survey = merge(survey, piece)
    info = game.info()
    choices = survey.pop("choices")
    if arguments.choices is not None:
        chosen = [choice for choice in choices if choice["action"] in wanted]
        for choice in chosen:
            choice["text"] = game.action_text(choice["action"])
        survey["choices"] = chosen
    matchups = survey.pop("matchups")
    each = arguments.episodes // 10 if (n := arguments.matrix_episodes) is None else n
    matrix: dict[str, Any] | None = None
    if matchups and info["players"] == 2 and each > 0:
        matrix = _matrix(arguments, matchups, agents, each, workers)
    expected: dict[str, str | None] = survey.pop("expected")
    never = {
        name: reason
        for name, reason in expected.items()
        if name not in survey["coverage"] and not name.startswith("action ")
    }
    idle = [a["name"] for a in info["actions"] if not survey["actions"].get(a["name"])]
    never |= {f"action {kind}": expected.get(f"action {kind}") for kind in idle}
    if arguments.json:
        print(json.dumps({**survey, "never": never, "matrix": matrix}, indent=1))
        return 0
    print(
        f"{info['title']}, {info['players']} players, "
        f"{survey['episodes']} episodes played by {', '.join(agents)}\n"
    )
    print(_players(survey))
    if info["players"] > 1:
        fair = f"{1 / info['players']:.3f}"
        print(f"\nA share of victories is fair at {fair}; +- is a 95% interval.\n")
    else:
        print("\nAlone there is no victory to share: the scores tell how it went.\n")
    if matrix:
        print(_show_matrix(matrix) + "\n")
    rows = [
        _spread("decisions per game", survey["decisions"]),
        _spread("chance events per game", survey["chance"]),
        _spread("legal actions per decision", survey["legal"]),
    ]
    print(table(["per game", "mean", "deviation", "least", "most"], rows))
    print(
        f"\nCut off by a limit: {survey['truncated']}; "
        f"ended without a winner: {survey['undecided']}; "
        f"longest chain of forced moves: {survey['max_forced']}\n"
    )
    total = max(1, sum(survey["actions"].values()))
    kinds = sorted(survey["actions"].items(), key=lambda item: -item[1])
    print(
        table(
            ["kind of action", "times", "share"],
            [[k, n, f"{100 * n / total:.2f}%"] for k, n in kinds],
        )
    )
    if arguments.choices is None:
        print("\n--choices tells them apart, and how those fared who chose each.")
    else:
        print("\n" + _choices(survey))
    if survey["worth"]:
        print("\n" + _worth(survey))
    if survey["coverage"]:
        rows = [
            [name, n, f"{n / survey['episodes']:.3f}", *_per_copy(survey, name, n)]
            for name, n in sorted(survey["coverage"].items())
        ]
        head = ["rule or content", "times", "per game"]
        print("\n" + table([*head, "copies", "per copy"] if survey["copies"] else head, rows))
    if never:
        rows = [
            [name, reason or _unexplained(survey["episodes"])] for name, reason in never.items()
        ]
        print("\n" + table(["never happened", "why"], rows))
    else:
        print("\nEverything that the game says should happen did.")
    return 0


def _unexplained(episodes: int) -> str:
    """Why something expected never happened, where the game knows no reason."""
    if episodes >= REMARKABLE:
        return "no reason is known"
    return f"not seen in {episodes} episode{'s' if episodes > 1 else ''}"


def _range(name: str | None, game: playmat.Game) -> range:
    """The numbers of a range of actions, of all for an empty name."""
    if not name:
        return range(game.num_actions)
    known = {actions.name: actions for actions in game.action_layout}
    if name.upper() not in known:
        raise refusal("choices", name, "one of " + ", ".join(known))
    actions = known[name.upper()]
    return range(actions.start, actions.start + len(actions))


def _choices(survey: dict[str, Any]) -> str:
    """The table of actions: how often each was chosen, by which players, and their results."""
    if not survey["choices"]:
        return "None of these actions was chosen."
    episodes, players = survey["episodes"], len(survey["scores"])
    rows = []
    for choice in survey["choices"]:
        times, text = choice["times"], choice["text"]
        row = [choice["action"], text, times, f"{times / episodes:.3f}"]
        row.append(f"{100 * choice['players'] / (episodes * players):.1f}%")
        if players > 1:
            margin = choice["margin"]
            row += [f"{choice['share']:.3f}", "-" if margin is None else f"{margin:.3f}"]
        rows.append(row)
    head = ["number", "action", "times", "per game", "players"]
    if players == 1:
        return table(head, rows)
    fair = f"{1 / players:.3f}"
    return (
        table([*head, "victories", "+-"], rows) + f"\n\nVictories of the players who chose it in a "
        f"game, fair at {fair}; `--help` says what that can tell."
    )


def _per_copy(survey: dict[str, Any], name: str, times: int) -> list[str]:
    """Copies of what a rule is named after, and how often one of them takes effect in a game."""
    if not survey["copies"]:
        return []
    copies = survey["copies"].get(name)
    return [str(copies), f"{times / survey['episodes'] / copies:.3f}"] if copies else ["", ""]


def _worth(survey: dict[str, Any]) -> str:
    """Tables of what parts of the game were worth: points, and how those fared who had them."""
    episodes, players = survey["episodes"], len(survey["scores"])
    tables, won = [], False
    for title in dict.fromkeys(row["table"] for row in survey["worth"]):
        rows = [row for row in survey["worth"] if row["table"] == title]
        # What brings no points has none in any row; what everybody always has tells no winner.
        scores = any(row["points"] for row in rows)
        differs = players > 1 and any(row["players"] < episodes * players for row in rows)
        head = [title, "times", "per game"]
        head += ["points each", "points a player"] if scores else []
        head += ["players", "victories", "+-"] if differs else []
        cells, won = [], won or differs
        for row in rows:
            cell = [row["name"], row["times"], f"{row['times'] / episodes:.3f}"]
            if scores:
                cell.append(f"{row['points'] / row['times']:.2f}")
                cell.append(f"{row['points'] / (episodes * players):.2f}")
            if differs:
                margin = row["margin"]
                cell.append(f"{100 * row['players'] / (episodes * players):.1f}%")
                cell += [f"{row['share']:.3f}", "-" if margin is None else f"{margin:.3f}"]
            cells.append(cell)
        tables.append(table(head, cells))
    if won:
        tables.append(
            "Victories of the players who had at least one at the end, "
            f"fair at {1 / players:.3f}; who wins may have more of everything."
        )
    return "\n\n".join(tables)


@dataclass(frozen=True)
class Piece:
    """Episodes of one survey: the unit of work."""

    game: playmat.Game
    agents: tuple[str, ...]
    episodes: int
    seed: int

    def survey(self) -> dict[str, Any]:
        """Plays them."""
        return self.game.survey(self.episodes, self.seed, self.agents)


def surveys(
    pieces: Sequence[Piece], workers: cluster.Cluster | None, what: str
) -> Iterator[dict[str, Any]]:
    """The surveys of the pieces, in their order, here or by workers."""
    results = cluster.in_order(cluster.run(Piece.survey, pieces, workers))
    for _ in progress(pieces, what):
        yield next(results)


def _matrix(
    arguments: argparse.Namespace, matchups: dict[str, Any], agents: list[str], each: int,
    workers: cluster.Cluster | None,
) -> dict[str, Any]:  # fmt: skip
    """Victories of each value of an option against each other, each value as both players."""
    values: list[str] = matchups["values"]
    given = parse_options(arguments.options, arguments.game)
    pairs = [(a, b) for a in range(len(values)) for b in range(len(values))]
    first = [[0.0] * len(values) for _ in values]
    options = [{**given, matchups["option"]: [values[a], values[b]]} for a, b in pairs]
    games = [playmat.Game(arguments.game, **some) for some in options]
    pieces = [Piece(game, tuple(agents), each, arguments.seed) for game in games]
    what = f"playing {matchups['option']} against each other"
    for (a, b), survey in zip(pairs, surveys(pieces, workers, what), strict=True):
        first[a][b] = survey["victories"][0]
    shares = [
        [(first[a][b] + 1 - first[b][a]) / 2 for b in range(len(values))]
        for a in range(len(values))
    ]
    others = max(1, len(values) - 1)
    means = [(sum(row) - row[at]) / others for at, row in enumerate(shares)]
    return {
        "option": matchups["option"],
        "values": values,
        "episodes": each,
        "first_player": first,
        "shares": shares,
        "mean": means,
    }


def _show_matrix(matrix: dict[str, Any]) -> str:
    """The matrix as a table: who wins how often against whom."""
    values = matrix["values"]
    rows = []
    for at, (value, row) in enumerate(zip(values, matrix["shares"], strict=True)):
        cells = ["-" if at == b else f"{share:.3f}" for b, share in enumerate(row)]
        own = matrix["first_player"][at][at]
        rows.append([value, *cells, f"{matrix['mean'][at]:.3f}", f"{own:.3f}"])
    head = table([matrix["option"], *values, "mean", "player 0"], rows)
    episodes = 2 * matrix["episodes"]
    return (
        f"{head}\n\nA row's share of the victories against a column, {episodes} episodes each, "
        "each as player 0 and as player 1; the last number: of player 0 against the same."
    )


def _players(survey: dict[str, Any]) -> str:
    rows = []
    episodes = max(1, survey["episodes"])
    for player, (score, share) in enumerate(
        zip(survey["scores"], survey["victories"], strict=True)
    ):
        margin = 1.96 * math.sqrt(max(share * (1 - share), 1e-9) / episodes)
        numbers = [
            f"{score['mean']:.2f}",
            f"{score['deviation']:.2f}",
            f"{score['min']:.0f}",
            f"{score['max']:.0f}",
        ]
        shares = [f"{share:.3f}", f"{margin:.3f}"] if len(survey["scores"]) > 1 else []
        rows.append([player, *shares, *numbers])
    head = ["victories", "+-"] if len(survey["scores"]) > 1 else []
    return table(["player", *head, "mean score", "deviation", "least", "most"], rows)


def _spread(name: str, spread: dict[str, float]) -> list[str]:
    return [
        name,
        f"{spread['mean']:.2f}",
        f"{spread['deviation']:.2f}",
        f"{spread['min']:.0f}",
        f"{spread['max']:.0f}",
    ]


def merge(one: dict[str, Any], two: dict[str, Any]) -> dict[str, Any]:
    """Two surveys as one."""
    if not one:
        return two
    first, second = one["episodes"], two["episodes"]
    total = first + second
    merged: dict[str, Any] = {"episodes": total, "expected": one["expected"]}
    merged["matchups"] = one["matchups"]
    for name in ("truncated", "undecided"):
        merged[name] = one[name] + two[name]
    merged["max_forced"] = max(one["max_forced"], two["max_forced"])
    for name in ("decisions", "chance", "legal"):
        merged[name] = _join(one[name], two[name])
    for name in ("scores", "returns"):
        merged[name] = [_join(a, b) for a, b in zip(one[name], two[name], strict=True)]
    shares = zip(one["victories"], two["victories"], strict=True)
    merged["victories"] = [(a * first + b * second) / max(1, total) for a, b in shares]
    for name in ("coverage", "actions"):
        keys = one[name].keys() | two[name].keys()
        merged[name] = {key: one[name].get(key, 0) + two[name].get(key, 0) for key in sorted(keys)}
    merged["copies"] = one["copies"] | two["copies"]
    for name, keys, sums, means in (
        ("choices", ("action",), (), {"per_time": "times", "share": "players"}),
        ("worth", ("table", "name"), ("points",), {"share": "players"}),
    ):
        first, second = ({tuple(r[k] for k in keys): r for r in p[name]} for p in (one, two))
        merged[name] = [
            _join_rows(first.get(key), second.get(key), keys, sums, means)
            for key in sorted(first.keys() | second.keys())
        ]
    return merged


def _join_rows(
    one: dict[str, Any] | None,
    two: dict[str, Any] | None,
    keys: tuple[str, ...],
    sums: tuple[str, ...],
    means: dict[str, str],
) -> dict[str, Any]:
    """The figures of an action, or of a part of the game, in two surveys together: `keys` name
    it, `sums` are added, `means` go with their weights.
    """
    if one is None or two is None:
        return one or two or {}
    joined = {name: one[name] + two[name] for name in (*sums, "times", "episodes", "players")}
    for name, weight in means.items():
        joined[name] = (one[name] * one[weight] + two[name] * two[weight]) / joined[weight]
    moments = [a + b for a, b in zip(one["moments"], two["moments"], strict=True)]
    share = joined["share"]
    squares = moments[0] - 2 * share * moments[1] + share * share * moments[2]
    enough = joined["episodes"] >= ENOUGH and squares > 1e-9
    margin = 1.96 * math.sqrt(squares) / joined["players"] if enough else None
    own = {key: one[key] for key in keys}
    return {**own, **joined, "moments": moments, "margin": margin}


def _join(one: dict[str, float], two: dict[str, float]) -> dict[str, float]:
    """Mean, deviation and extremes of two sets of values together."""
    if not one["count"] or not two["count"]:
        return two if two["count"] else one
    count = one["count"] + two["count"]
    mean = (one["mean"] * one["count"] + two["mean"] * two["count"]) / count
    squares = sum(s["count"] * (s["deviation"] ** 2 + (s["mean"] - mean) ** 2) for s in (one, two))
    return {
        "count": count,
        "mean": mean,
        "deviation": math.sqrt(squares / count),
        "min": min(one["min"], two["min"]),
        "max": max(one["max"], two["max"]),
    }
