"""Telling matches to the book: `given(...).when(...).then(...)`."""

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from scorekeeper.editions.registry import opened_now
from scorekeeper.match.events.events import (
    Event,
    MatchOpened,
    RoundTallied,
    TalliedHand,
    ToldEvent,
    decode,
    encode,
)
from scorekeeper.match.events.opening import Opening, open_match
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.readings.effective_log import fold, initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.match.state import State
from scorekeeper.projections.scoreboard import Scoreboard, hands, rounds, scoreboard
from scorekeeper.rules.edition import Edition

NAMES = ("ann", "bo", "cy", "di", "ed", "flo", "gus", "hal", "ida", "jo")
TEAMS_OF_FOUR = [["ann", "cy"], ["bo", "di"]]
Told = int | list[str] | tuple[int, int]
"""A hand: its points, its cards, or its points and how many cards they are."""


def edition_of(opening: Opening | MatchOpened) -> Edition:
    """Return the edition that a match with this opening is played in, house rules included."""
    edition = opened_now(opening.edition, opening.house_rules)
    assert edition is not None
    return edition


def views(state: State) -> tuple[object, ...]:
    """All that a reader of the match gets to see."""
    return (scoreboard(state, match="m", position=1), rounds(state), hands(state))


class Story:
    """A match so far, with the entries, violations and voids that the last `when` brought."""

    def __init__(
        self,
        state: State,
        log: tuple[Event, ...],
        inferred: tuple[bool, ...] = (False,),
        recorded: Recorded | None = None,
    ) -> None:
        self.state = state
        self.log = log
        self.inferred = inferred
        self.added = recorded.entries if recorded else ()
        self.violations = recorded.violations if recorded else ()
        self.voided = recorded.voided if recorded else None

    def when(self, *told: ToldEvent) -> "Story":
        before = views(self.state)
        recorded = record(self.state, told)
        assert isinstance(recorded, Recorded), recorded
        assert views(self.state) == before
        log = (*self.log, *(entry.event for entry in recorded.entries))
        inferred = (*self.inferred, *(entry.inferred for entry in recorded.entries))
        return Story(recorded.state, log, inferred, recorded)

    def refuses(self, *told: ToldEvent) -> Refusal:
        before = views(self.state)
        refused = record(self.state, told)
        if isinstance(refused, Recorded):
            pytest.fail(f"recorded instead of refused: {refused.entries}")
        assert views(self.state) == before
        return refused

    @property
    def board(self) -> Scoreboard:
        return scoreboard(self.state, match="m", position=1)

    @property
    def types(self) -> list[str]:
        return [entry.event.__struct_config__.tag for entry in self.added]

    def then(self, **expected: Any) -> "Story":
        """Assert that the scoreboard shows this."""
        shown = self.board
        assert {name: getattr(shown, name) for name in expected} == expected
        return self

    def then_totals(self, **totals: int) -> "Story":
        assert self.board.totals == totals
        return self

    def then_scores(self, **scores: int) -> "Story":
        """Assert the scores of the last round. It must be over."""
        assert rounds(self.state)[-1].scores == scores
        return self

    def replayed(self, upto: int | None = None) -> State:
        """Return the state folded from the events as the ledger stores them, up to a version."""
        opened, *rest = (decode(encode(event)) for event in self.log[:upto])
        assert isinstance(opened, MatchOpened)
        return fold(initial(edition_of(opened), opened), rest, self.inferred[1:upto])


def opening(edition: str, players: int | list[str], **fields: Any) -> Opening:
    """Return an opening as read from a request. A number of players means the first `NAMES`."""
    seated = list(NAMES[:players]) if isinstance(players, int) else players
    body = {"edition": edition, "players": seated, **fields}
    return msgspec.json.decode(msgspec.json.encode(body), type=Opening)


def open_(edition: str, players: int | list[str], **fields: Any) -> MatchOpened | Refusal:
    told = opening(edition, players, **fields)
    return open_match(edition_of(told), told)


def given(edition: str, players: int | list[str], mode: str | None = None, **fields: Any) -> Story:
    """Open a match. `target` and `rounds` among the fields go into its scoring."""
    scoring = {name: fields.pop(name) for name in ("target", "rounds") if name in fields}
    if mode is not None:
        scoring["mode"] = mode
    if scoring:
        fields["scoring"] = scoring
    opened = open_(edition, players, **fields)
    assert isinstance(opened, MatchOpened), opened
    return Story(initial(edition_of(opened), opened), (opened,))


def hand(told: Told) -> TalliedHand:
    if isinstance(told, int):
        return TalliedHand(points=told)
    if isinstance(told, tuple):
        return TalliedHand(points=told[0], cards_left=told[1])
    return TalliedHand(cards=tuple(told))


def tally(
    *winners: str,
    hands: Mapping[str, Told] | None = None,
    charges: Mapping[str, int] | None = None,
    dealer: str | None = None,
    as_played: bool = False,
    **told: Told,
) -> RoundTallied:
    """`tally("ann", bo=10, cy=["red-5"])`: ann is out, bo holds 10 points, cy a red five."""
    told_hands = {player: hand(one) for player, one in {**(hands or {}), **told}.items()}
    return RoundTallied(
        winners=winners, hands=told_hands, charges=charges, dealer=dealer, as_played=as_played
    )


def sheet(*winners: str, **scores: int) -> RoundTallied:
    """A round of which only the scores were written down."""
    return RoundTallied(winners=winners, scores=scores)


def out(*winners: str) -> RoundTallied:
    """A round of which only the winners were written down."""
    return RoundTallied(winners=winners)
