"""The stored views of a league's table: what an append changes in them."""

from collections.abc import Iterator
from datetime import datetime

from scorekeeper.ledger.append import Row
from scorekeeper.match.state import State
from scorekeeper.projections.contribution import Contribution, Contributions, Meeting, contributions
from scorekeeper.store import league_table as stored
from scorekeeper.store import ratings

_NOTHING = Meeting()


def table_changes(
    league: str, match: str, before: State | None, after: State, won_at: int | None
) -> Iterator[Row]:
    """Rows for what a match contributes after an append, as against before.

    `won_at`: the position of the entry by which the match, not won before it, came to be won; None
    where it had been won before, and stayed so. Nothing is done unless the match is or was won.
    """
    was: Contributions = {} if before is None else contributions(before)
    now = contributions(after)
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
            *_meetings(league, person, was, now),
            *_standing(league, person, was, now),
        )
    )


def as_held(at: datetime) -> str:
    """The time of a match as the views keep it: in UTC, all of one width, so that texts sort."""
    return at.isoformat(timespec="microseconds").replace("+00:00", "Z")


def _result(
    league: str, match: str, person: str, state: State, now: Contributions, won_at: int | None
) -> Iterator[Row]:
    mine = now.get(person)
    if mine is None:
        yield stored.without_result(league=league, match=match, player=person)
        return
    at = state.opened.at
    yield stored.result(
        finished=won_at,
        at=None if at is None else as_held(at),
        league=league,
        match=match,
        player=person,
        edition=state.edition.id,
        seats=mine.seats,
        seat=mine.seat,
        side=mine.side,
        rank=mine.rank,
        won=int(mine.won),
        rounds=mine.own.rounds,
        rounds_won=mine.own.rounds_won,
        points_for=mine.own.points_for,
        points_against=mine.own.points_against,
    )


def _meetings(league: str, person: str, was: Contributions, now: Contributions) -> Iterator[Row]:
    old, new = was.get(person), now.get(person)
    for partners in (False, True):
        before, after = _met(old, partners=partners), _met(new, partners=partners)
        for other in sorted({*before, *after}):
            less, more = before.get(other), after.get(other)
            yield from stored.meeting(
                league=league,
                player=person,
                other=other,
                partners=int(partners),
                played=(more is not None) - (less is not None),
                won=_won(new, more) - _won(old, less),
                **_difference(less or _NOTHING, more or _NOTHING),
            )


def _standing(league: str, person: str, was: Contributions, now: Contributions) -> Iterator[Row]:
    old, new = was.get(person), now.get(person)
    yield from stored.standing(
        newest=old is None,
        streak_won=new is not None and new.won,
        league=league,
        player=person,
        played=(new is not None) - (old is not None),
        won=_won(new, new) - _won(old, old),
        **_difference(_NOTHING if old is None else old.own, _NOTHING if new is None else new.own),
    )


def _met(contribution: Contribution | None, *, partners: bool) -> dict[str, Meeting]:
    if contribution is None:
        return {}
    return dict(contribution.partners if partners else contribution.opponents)


def _won(contribution: Contribution | None, counted: object) -> int:
    return int(counted is not None and contribution is not None and contribution.won)


def _difference(before: Meeting, after: Meeting) -> dict[str, int]:
    return {
        "rounds": after.rounds - before.rounds,
        "rounds_won": after.rounds_won - before.rounds_won,
        "points_for": after.points_for - before.points_for,
        "points_against": after.points_against - before.points_against,
    }
