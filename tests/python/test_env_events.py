"""The events of a `playmat.Env`."""

from __future__ import annotations

import copy
import pickle

import playmat


def apply_patch(document: object, patch: list[dict[str, object]]) -> object:
    """RFC 6902: add, remove, replace, as far as it is used here."""
    document = copy.deepcopy(document)
    for change in patch:
        path = [
            part.replace("~1", "/").replace("~0", "~") for part in change["path"].split("/")[1:]
        ]
        if not path:
            document = change["value"]
            continue
        place = document
        for part in path[:-1]:
            place = place[int(part)] if isinstance(place, list) else place[part]
        last = path[-1]
        if isinstance(place, list):
            at = len(place) if last == "-" else int(last)
            if change["op"] == "add":
                place.insert(at, change["value"])
            elif change["op"] == "remove":
                del place[at]
            else:
                place[at] = change["value"]
        elif change["op"] == "remove":
            del place[last]
        else:
            place[last] = change["value"]
    return document


def test_events_lead_from_json_to_json(game: playmat.Game) -> None:
    env = game.env(12)
    viewers = [None, *range(game.num_players)]
    while not env.done:
        before = {viewer: env.state_dict(viewer) for viewer in viewers}
        env.step(env.sample_action())
        for viewer in viewers:
            events = env.events(viewer)
            document = before[viewer]
            for event in events:
                assert isinstance(event["event"], str)
                document = apply_patch(document, event["changes"])
            assert document == env.state_dict(viewer)


def test_events_of_the_deal(game: playmat.Game) -> None:
    """After a reset each viewer has the events, redacted; there is no JSON that they change."""
    env = game.env(12)
    viewers = [None, *range(game.num_players)]
    dealt = {viewer: env.events(viewer) for viewer in viewers}
    for events in dealt.values():
        assert all(isinstance(event["event"], str) and event["changes"] == [] for event in events)
    twin = pickle.loads(pickle.dumps(env))
    assert twin.events(0) == env.clone(exact=True).events(0) == dealt[0]
    assert env.replay().env(0).events(0) == dealt[0]
    # What was not dealt here has no events before its first step.
    loaded = game.env_from_bytes(env.to_bytes())
    for other in (loaded, env.clone(seed=3), env.sample_hidden(0, 3)):
        assert other.events() == []
    env.step(env.sample_action())
    env.reset(seed=12)
    assert env.events(0) == dealt[0]
    names = {"graft": "drew", "graven": "drawn", "leduc_poker": "dealt", "goofspiel": "prize"}
    if game.name in names:
        assert names[game.name] in {event["event"] for event in dealt[None]}


def test_a_card_that_was_dealt_is_shown_to_its_player() -> None:
    env = playmat.Game("leduc_poker", players=3).env(4)
    cards = env.state_dict()["state"]["cards"]
    for viewer in (None, 0, 1, 2):
        shown = [
            (event["event"], event["player"], event.get("card")) for event in env.events(viewer)
        ]
        known = [card if viewer in (None, player) else None for player, card in enumerate(cards)]
        assert shown == [("dealt", player, card) for player, card in enumerate(known)]
