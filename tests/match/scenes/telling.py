"""The words of a golden round, turned into events as they come over the wire.

`bo plays wild blue uno`, `cy draws 2`, `cy challenges`: a name, a verb, and what it is about. An
ending ` as played` says that the table did so although a clause forbids it.
"""

import json
import re
from collections.abc import Callable
from typing import Any, Final

Told = dict[str, Any]

COLORS: Final = ("red", "yellow", "green", "blue", "pink", "orange", "purple")


def told(said: str) -> Told:
    """Return the event as a client's JSON object. Raises ValueError if the words mean no event."""
    as_played = said.endswith(" as played")
    said = said.removesuffix(" as played").strip()
    for pattern, make in FORMS:
        found = re.fullmatch(pattern, said)
        if found:
            event = make(*(found[group] for group in range(1, found.re.groups + 1)))
            return {**event, "as_played": True} if as_played else event
    raise ValueError(f"nobody talks like this: {said!r}")


def _play(player: str, rest: str) -> Told:
    rest, _, effects = rest.partition(" with ")
    rest, _, other = rest.partition(" swapping ")
    jumping = rest.endswith(" jumping in")
    first, *words = rest.removesuffix(" jumping in").split()
    event: Told = {"type": "card_played", "player": player}
    if first.isdigit():
        event["count"] = int(first)
        first = words.pop(0)
    event["card"] = first
    if jumping:
        event["jump_in"] = True
    if other:
        event["swap_with"] = other
    if words and words[0] in COLORS:
        event["color"] = words.pop(0)
    if words:
        event["uno"] = {"uno": True, "no uno": False}[" ".join(words)]
    if effects:
        event["effects"] = [] if effects == "nothing" else [_effect(e) for e in effects.split(", ")]
    return event


def _effect(said: str) -> Told:
    kind, *words = said.split()
    if kind == "discard":
        return {"type": kind, "player": words[0], "cards": words[1:]}
    if kind == "give":
        *given, _, to = words[1:]
        return {"type": kind, "from": words[0], "to": to, **_cards_or_count(given)}
    if kind == "draw":
        cards = _cards_or_count(words[1:])
        return {"type": kind, "player": words[0], "count": len(words) - 1, **cards}
    if kind == "swap":
        return {"type": kind, "hands": dict(pair.split("=") for pair in words)}
    return {"type": kind, **({"player": words[0]} if words else {})}


def _cards_or_count(words: list[str]) -> Told:
    if len(words) == 1 and words[0].isdigit():
        return {"count": int(words[0])}
    return {"cards": words}


def _draw(player: str, rest: str) -> Told:
    event: Told = {"type": "cards_drawn", "player": player}
    words = rest.split()
    if words and words[0].isdigit():
        event["count"] = int(words.pop(0))
    if words:
        event["cards"] = words
    return event


def _challenge(by: str, rest: str) -> Told:
    event: Told = {"type": "wild_draw_four_challenged", "by": by}
    rest, _, points = rest.partition(" for ")
    rest, _, hand = rest.partition(" seeing ")
    if hand:
        event["hand"] = _cards(hand)
    if rest.strip():
        event["guilty"] = {"guilty": True, "innocent": False}[rest.strip()]
    return {**event, "points": int(points)} if points else event


def _cards(said: str) -> list[str]:
    return [] if said == "nothing" else said.split()


def _turned(card: str, color: str | None) -> Told:
    event: Told = {"type": "first_card_turned", "card": card}
    return {**event, "color": color} if color else event


def _dealt(dealer: str, hands: str) -> Told:
    dealt = (one.split() for one in hands.split(", "))
    return {
        "type": "round_started",
        "dealer": dealer,
        "hands": {player: cards for player, *cards in dealt},
    }


def _drawn(draws: str) -> Told:
    return {"type": "dealer_drawn", "draws": dict(one.split() for one in draws.split(", "))}


def _caught(by: str, player: str, points: str | None) -> Told:
    event: Told = {"type": "uno_caught", "player": player, "by": by}
    return {**event, "points": int(points)} if points else event


def _counted(player: str, points: str, cards: str | None) -> Told:
    event: Told = {"type": "hand_counted", "player": player, "points": int(points)}
    return {**event, "cards_left": int(cards)} if cards else event


def _by(kind: str) -> Callable[[str], Told]:
    return lambda player: {"type": kind, "player": player}


FORMS: Final[tuple[tuple[str, Callable[..., Told]], ...]] = (
    (r"event (.*)", json.loads),
    (r"the deal is drawn for: (.*)", _drawn),
    (r"(\S+) deals", lambda dealer: {"type": "round_started", "dealer": dealer}),
    (r"(\S+) deals with (.*)", _dealt),
    (r"turned up: (\S+)(?: (\S+))?", _turned),
    (r"(\S+) plays (.*)", _play),
    (r"(\S+) draws(.*)", _draw),
    (r"(\S+) passes", _by("turn_passed")),
    (
        r"(\S+) gives (\S+) to (\S+)",
        lambda player, card, to: {"type": "card_given", "player": player, "to": to, "card": card},
    ),
    (r"(\S+) says uno", _by("uno_called")),
    (r"(\S+) catches (\S+)(?: for (\d+))?", _caught),
    (r"(\S+) challenges(.*)", _challenge),
    (r"(\S+) calls the misplay", lambda by: {"type": "misplay_called", "by": by}),
    (
        r"(\S+) calls the advice of (\S+)",
        lambda by, player: {"type": "advice_called", "player": player, "by": by},
    ),
    (
        r"(\S+) accuses (\S+)",
        lambda by, player: {"type": "accusation_made", "by": by, "player": player},
    ),
    (r"the pile is shuffled", lambda: {"type": "pile_reshuffled"}),
    (
        r"the pile is shuffled: (.*)",
        lambda cards: {"type": "pile_reshuffled", "draw_pile": cards.split()},
    ),
    (
        r"(\S+) shows (.*)",
        lambda player, cards: {"type": "hand_shown", "player": player, "cards": _cards(cards)},
    ),
    (r"(\S+) counts (\d+)(?: in (\d+))?", _counted),
    (
        r"(\S+) names (\S+)",
        lambda player, color: {"type": "color_named", "player": player, "color": color},
    ),
    (r"note: (.*)", lambda text: {"type": "note_added", "text": text}),
    (
        r"void(, dealt again)?: (.*)",
        lambda again, reason: {
            "type": "round_voided",
            "reason": reason,
            "redealt": again is not None,
        },
    ),
)
