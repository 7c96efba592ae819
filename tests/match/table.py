"""Rounds told card by card, in few words: `play("bo", "red-5")`."""

from collections.abc import Sequence
from typing import Any

import msgspec

from scorekeeper.match.events.events import ToldEvent
from scorekeeper.match.events.refusal import Refusal
from tests.match.story import Story, given


def told(type_: str, **fields: Any) -> ToldEvent:
    """An event as it comes over the wire."""
    body = {"type": type_, **fields}
    return msgspec.json.decode(msgspec.json.encode(body), type=ToldEvent)


def play(player: str, card: str, color: str | None = None, **fields: Any) -> ToldEvent:
    if color is not None:
        fields["color"] = color
    return told("card_played", player=player, card=card, **fields)


def draw(player: str, count: int | None = None, **fields: Any) -> ToldEvent:
    if count is not None:
        fields["count"] = count
    return told("cards_drawn", player=player, **fields)


def passes(player: str, **fields: Any) -> ToldEvent:
    return told("turn_passed", player=player, **fields)


def names(player: str, color: str) -> ToldEvent:
    return told("color_named", player=player, color=color)


def challenge(by: str, **fields: Any) -> ToldEvent:
    return told("wild_draw_four_challenged", by=by, **fields)


def shows(player: str, *cards: str, **fields: Any) -> ToldEvent:
    return told("hand_shown", player=player, cards=cards, **fields)


def first(card: str, **fields: Any) -> ToldEvent:
    return told("first_card_turned", card=card, **fields)


def start(
    edition: str,
    players: int | list[str] = 4,
    hands: dict[str, Sequence[str]] | None = None,
    *,
    turned: str | None = "red-5",
    mode: str | None = None,
    draw_pile: Sequence[str] | None = None,
    **fields: Any,
) -> Story:
    """A round that ann dealt; hands that are not told are unknown."""
    match = given(edition, players, mode, dealer="ann", **fields)
    begin: dict[str, Any] = {}
    if hands:
        begin["hands"] = hands
    if draw_pile:
        begin["draw_pile"] = draw_pile
    match = match.when(told("round_started", **begin))
    return match.when(first(turned)) if turned else match


def small(
    edition: str,
    players: int,
    hands: dict[str, Sequence[str]],
    turned: str = "red-5",
    **fields: Any,
) -> Story:
    """Begin a round, then show these hands `as_played`: they are small without any play."""
    match = start(edition, players, turned=turned, **fields)
    for player, cards in hands.items():
        match = match.when(shows(player, *cards, as_played=True))
    return match


def owing(match: Story) -> list[tuple[str, int, str]]:
    return [(debt.player, debt.count, debt.clause) for debt in match.board.pending]


def flags(match: Story) -> list[str]:
    """Return the clauses that the last `when` broke."""
    return [violation.clause for violation in match.violations]


def broken(refusal: Refusal) -> list[str]:
    """The clauses for which something was refused."""
    assert refusal.code == "rule-violation", refusal
    return [violation.clause for violation in refusal.violations]


def counts(match: Story) -> dict[str, int]:
    shown = match.board.hand_counts
    assert shown is not None
    return dict(shown)
