"""The stored views of a league's table: what an append changes in them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import asdict

from scorekeeper.ledger.writing.append import RowWrite
from scorekeeper.match.table.state import State
from scorekeeper.projections.contribution import (
    Contribution,
    Contributions,
    MatchSums,
    Meeting,
    contributions,
    sums_of,
)
from scorekeeper.projections.meetings import encode_meetings
from scorekeeper.rules.scoring import PointsKind
from scorekeeper.store import league_table as stored
from scorekeeper.store import ratings

_NOTHING = Meeting()


def table_changes(
    league: str, match: str, before: State, after: State, won_at: int | None
) -> Iterator[RowWrite]:
    """Rows for what a match contributes after an append, as against before.

    `won_at`: the position of the entry by which the match, not won before it, came to be won; None
    where it had been won before, and stayed so. Nothing is done unless the match is or was won.
    """
    was, now = contributions(before), contributions(after)
    if was == now and won_at is None:
        return
    if was:
        yield from ratings.stale(league=league, match=match)
    if won_at is not None:
        # Won again by another entry, its results stand at another place.
        for person in sorted(was):
            yield stored.without_result(league=league, match=match, player=person)
    yield from stored.together(
        row
        for person in sorted({*was, *now})
        for row in (
            *_result(league, match, person, after, now, won_at),
            *_standing(league, person, was, now, after.mode.points),
        )
    )


class NewlyWon(Struct, frozen=True, kw_only=True):
    """A match that was opened and won in one append.

    `opened_at`: when its opening was recorded; `won_at`: the position of the entry that won it.
    """

    match: str
    state: State
    opened_at: str
    won_at: int

    @property
    def held_at(self) -> str:
        return held_at(self.state, self.opened_at)


def table_additions(league: str, matches: Sequence[NewlyWon]) -> Iterator[RowWrite]:
    """Rows for what matches bring to the table that were not in it before.

    What they bring to one line is added up first, so that many cost little more than one.
    """
    brought = [(match, contributions(match.state)) for match in matches]
    yield from stored.together(
        [*_new_results(league, brought), *_summed_standings(league, brought)]
    )


Brought = Iterable[tuple[NewlyWon, Contributions]]


def _new_results(league: str, brought: Brought) -> Iterator[RowWrite]:
    for match, each in brought:
        for person in each:
            yield stored.new_result(
                finished=match.won_at,
                held_at=match.held_at,
                league=league,
                match=match.match,
                player=person,
                **result_fields(match.state.edition.id, match.state.mode.name, each, person),
            )


def _summed_standings(league: str, brought: Brought) -> Iterator[RowWrite]:
    sums: dict[str, MatchSums] = defaultdict(MatchSums)
    played: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for match, each in brought:
        at = stored.ordinal(match.held_at, match.won_at)
        for person, own in each.items():
            sums[person].add(own.own, match.state.mode.points, won=own.won)
            played[person].append((at, own.won))
    for person, line in sorted(sums.items()):
        came_in = stored.some_played(played[person])
        yield from stored.standing(came_in, league=league, player=person, **line.columns())


def held_at(state: State, opened_at: str) -> str:
    """When a match was held: as it was told, else when its opening was recorded."""
    at = state.opened.at
    return opened_at if at is None else as_held(at)


def as_held(at: datetime) -> str:
    """The time of a match as the views keep it: in UTC, all of one width, so that texts sort."""
    return at.isoformat(timespec="microseconds").replace("+00:00", "Z")


def _result(
    league: str, match: str, person: str, state: State, now: Contributions, won_at: int | None
) -> Iterator[RowWrite]:
    if person not in now:
        yield stored.without_result(league=league, match=match, player=person)
        return
    at = state.opened.at
    yield stored.result(
        finished=won_at,
        at=None if at is None else as_held(at),
        league=league,
        match=match,
        player=person,
        **result_fields(state.edition.id, state.mode.name, now, person),
    )


def result_fields(
    edition: str, scoring_mode: str, match: Contributions, person: str
) -> dict[str, object]:
    """What a person brought home from a match, column by column, but when that was."""
    mine = match[person]
    return {
        "edition": edition,
        "scoring_mode": scoring_mode,
        "seats": mine.seats,
        "seat": mine.seat,
        "side": mine.side,
        "rank": mine.rank,
        "won": int(mine.won),
        **asdict(mine.own),
        "met": encode_meetings(match, person),
    }


def _standing(
    league: str, person: str, was: Contributions, now: Contributions, points: PointsKind | None
) -> Iterator[RowWrite]:
    old, new = was.get(person), now.get(person)
    yield from stored.standing(
        stored.one_played(won=new is not None and new.won) if old is None else None,
        league=league,
        player=person,
        played=(new is not None) - (old is not None),
        won=_won(new, new) - _won(old, old),
        **_difference(
            _NOTHING if old is None else old.own, _NOTHING if new is None else new.own, points
        ),
    )


def _won(contribution: Contribution | None, counted: object) -> int:
    return int(counted is not None and contribution is not None and contribution.won)


def _difference(before: Meeting, after: Meeting, points: PointsKind | None) -> dict[str, int]:
    less = sums_of(before, points)
    return {name: number - less[name] for name, number in sums_of(after, points).items()}
