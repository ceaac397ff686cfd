"""The events of a `playmat.Env`. Check E1 of the suite applies their patches."""

from __future__ import annotations

import pickle

import playmat


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
