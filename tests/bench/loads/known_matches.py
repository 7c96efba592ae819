"""Matches that the rules decided, entry by entry, to be written again and again in bulk."""

from collections.abc import Sequence
from datetime import UTC, datetime
from random import Random
from typing import NamedTuple

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.match.events.events import RoundTallied, TalliedHand, ToldEvent
from scorekeeper.match.events.opening import MatchOpened, Opening, Scoring, open_match
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.simulation.dealt_round import Habits
from scorekeeper.simulation.leagues import open_table
from scorekeeper.simulation.played_match import play_match, tell_match
from scorekeeper.simulation.tellings import Telling

_BASIC = EDITIONS["basic", 1]
_HELD = datetime(2026, 11, 20, 19, tzinfo=UTC)
_SEATS = 4
# With its opening and its end, such a match has a hundred entries.
_TALLIES = 49


class KnownMatch(NamedTuple):
    """The opening of a match, and what was recorded after it."""

    opened: MatchOpened
    recorded: Recorded

    @property
    def length(self) -> int:
        """The number of entries, including the opening."""
        return 1 + len(self.recorded.entries)


def tallied(rng: Random, players: Sequence[str]) -> KnownMatch:
    """Make a tallied match of four of the players, won after its last round: 100 entries."""
    seated = tuple(rng.sample(players, _SEATS))
    scoring = Scoring(mode="winner-collects", target=None, rounds=_TALLIES)
    opened = open_match(_BASIC, Opening(edition="basic", players=seated, scoring=scoring))
    assert isinstance(opened, MatchOpened)
    return _decided(opened, [_round(rng, seated) for _ in range(_TALLIES)])


def card_by_card(rng: Random, players: Sequence[str]) -> KnownMatch:
    """Make a match of two rounds of four players, as a table records it: some 100 entries."""
    opening = open_table(rng, _BASIC, rng.sample(players, _SEATS), mode="lowest-total", teams=False)
    played = play_match(rng, _BASIC, opening, Habits(), most_rounds=2)
    told = [event for part in tell_match(rng, played, Telling.SEEN) for event in part]
    return _decided(played.opened, told)


def _round(rng: Random, seated: Sequence[str]) -> RoundTallied:
    winner, *others = rng.sample(seated, len(seated))
    hands = {player: TalliedHand(points=rng.randint(1, 99)) for player in others}
    return RoundTallied(at=_HELD, winners=(winner,), hands=hands)


def _decided(opened: MatchOpened, told: Sequence[ToldEvent]) -> KnownMatch:
    recorded = record(initial(_BASIC, opened), told)
    assert isinstance(recorded, Recorded), recorded
    return KnownMatch(opened, recorded)
