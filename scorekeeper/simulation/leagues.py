"""A whole simulated league, as the requests that record it, in order."""

from collections.abc import Iterator
from random import Random
from typing import cast
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.events.events import TableEvent
from scorekeeper.match.events.opening import Opening
from scorekeeper.rules.edition import Edition
from scorekeeper.rules.scoring import ModeName
from scorekeeper.simulation.openings import any_house_rules, open_table
from scorekeeper.simulation.plan import Plan, Post
from scorekeeper.simulation.played_match import PlayedMatch, play_match
from scorekeeper.simulation.tellings import Telling
from scorekeeper.simulation.told_match import tell_match

MOST_AT_A_TABLE = 10
MOST_EVENTS = 1000
"""In one request."""
MOST_ROUNDS = 30


class LeaguePlan(Plan, frozen=True, kw_only=True):
    """A league to be played; each match seats some of the players, in one of the `editions`.

    `house_rules`: each match is played by some, which chance decides.
    """

    editions: tuple[Edition, ...]
    matches: int


class LeagueMatch(Struct, frozen=True, kw_only=True):
    """A match of the league, and what is posted for it; `events`: how many are told."""

    slug: str
    played: PlayedMatch
    posts: tuple[Post, ...]
    events: int


def league_matches(plan: LeaguePlan) -> Iterator[LeagueMatch]:
    """One after the other; each has chances of its own, whatever the number of matches."""
    for number in range(1, plan.matches + 1):
        rng = Random(f"{plan.seed}/{number}")  # noqa: S311 nothing is kept secret by it
        yield _match(plan, rng, f"match-{number}")


def _match(plan: LeaguePlan, rng: Random, slug: str) -> LeagueMatch:
    edition = rng.choice(plan.editions)
    seats = rng.randint(2, min(MOST_AT_A_TABLE, plan.players))
    own = msgspec.convert(edition.default_mode.value, ModeName)
    mode = own if rng.randrange(2) else None
    seated = rng.sample(plan.slugs, seats)
    house_rules = any_house_rules(rng, edition, seats) if plan.house_rules else None
    opening = open_table(rng, edition, seated, mode=mode, house_rules=house_rules)
    played = play_match(rng, edition, opening, plan.habits, most_rounds=MOST_ROUNDS)
    told = told_posts(rng, plan.path, slug, played, plan.telling)
    return league_match(slug, played, (_opened(plan, slug, opening), *told))


def league_match(slug: str, played: PlayedMatch, posts: tuple[Post, ...]) -> LeagueMatch:
    """With its events counted."""
    events = sum(len(cast("list[object]", post.body.get("events", []))) for post in posts)
    return LeagueMatch(slug=slug, played=played, posts=posts, events=events)


def told_posts(
    rng: Random, path: str, slug: str, played: PlayedMatch, telling: Telling
) -> Iterator[Post]:
    """What is told of a match that is open already, in the requests that a table would send."""
    for whole in tell_match(rng, played, telling):
        named = tuple(replace(event, id=_event_id(rng)) for event in whole)
        for part in _cut(named):
            yield Post(
                f"{path}/matches/{slug}/events",
                {"events": [msgspec.to_builtins(event) for event in part]},
            )


def _event_id(rng: Random) -> str:
    return str(UUID(int=rng.getrandbits(128), version=4))


def _cut(events: tuple[TableEvent, ...]) -> Iterator[tuple[TableEvent, ...]]:
    for start in range(0, len(events), MOST_EVENTS):
        yield events[start : start + MOST_EVENTS]


def _opened(plan: LeaguePlan, slug: str, opening: Opening) -> Post:
    return Post(f"{plan.path}/matches", {"match": slug, **msgspec.to_builtins(opening)})
