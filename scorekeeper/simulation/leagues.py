"""A whole simulated league or tournament, as the requests that record it, in order.

A plan says what is to be played. Its tables agree on options before each match. In a tournament
partners rotate.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, cast
from uuid import UUID

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from scorekeeper.editions.house_rules.registry import HOUSE_RULES, REVISION, played_by
from scorekeeper.match.events.events import TableEvent
from scorekeeper.match.events.opening import (
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    ExtraCards,
    Opening,
    Options,
    Scoring,
)
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.rules.edition import ChosenVariants, Edition, HouseRule, Variant
from scorekeeper.rules.scoring import MODES, ModeName
from scorekeeper.simulation.dealt_round import Habits
from scorekeeper.simulation.played_match import PlayedMatch, TellingRefused, play_match, tell_match
from scorekeeper.simulation.tellings import Telling
from scorekeeper.tournament.events import TournamentOpened, TournamentOpening
from scorekeeper.tournament.tournament import open_tournament, table_openings

MOST_EVENTS = 1000
"""The most events in one request."""
MOST_ROUNDS = 30

SLUG: Final = "cup"

# A round that is dealt again does not count, so a table may need more rounds than are scheduled.
_MOST_ROUNDS = 200
_SEATS: Final = 4


class Post(Struct, frozen=True):
    """A POST request: its path, as `post`, and its body."""

    post: str
    body: dict[str, object]


class Plan(Struct, frozen=True, kw_only=True):
    """What is to be played. The same plan gives the same requests, ids of events included.

    `players`: the number of players in the league. `house_rules`: whether random house rules apply.
    """

    league: str
    players: int
    seed: int
    telling: Telling
    habits: Habits = Habits()
    house_rules: bool = False

    @property
    def path(self) -> str:
        """The path of the league, below which all its resources are."""
        return f"/v1/leagues/{self.league}"

    @property
    def slugs(self) -> tuple[str, ...]:
        """The players, in the order of entry."""
        return tuple(f"player-{number}" for number in range(1, self.players + 1))


def opening_posts(plan: Plan) -> Iterator[Post]:
    """Yield the requests that open the league and register its players."""
    yield Post("/v1/leagues", {"league": plan.league, "name": "Simulated league"})
    for number, player in enumerate(plan.slugs, start=1):
        yield Post(f"{plan.path}/players", {"player": player, "name": f"Player {number}"})


def open_table(
    rng: Random,
    edition: Edition,
    players: Sequence[str],
    *,
    mode: ModeName | None = None,
    target: int | None = None,
    rounds: int | None = None,
    teams: bool | None = None,
    house_rules: ChosenVariants | None = None,
) -> Opening:
    """Return an opening that no booklet refuses. Chance or the edition decides what is None.

    `edition` is the booklet's own, without `house_rules`. Teams are made only if the number of
    players is even and the mode has teams.
    """
    played = rng.choice(sorted(MODES)) if mode is None else mode
    options = _options(rng, edition, played)
    seating = list(players)
    rng.shuffle(seating)
    together = rng.randrange(4) == 0 if teams is None else teams
    dealer = rng.choice(seating) if rng.randrange(2) else None
    return Opening(
        edition=edition.id,
        players=tuple(seating),
        teams=_teams(seating, played) if together else None,
        scoring=_scoring(played, target=target, rounds=rounds),
        options=options if options != Options() else None,
        house_rules=house_rules,
        dealer=dealer,
    )


def _scoring(name: ModeName, *, target: int | None, rounds: int | None) -> Scoring:
    mode = MODES[name]
    if rounds is None and mode.needs_rounds:
        rounds = 5
    return Scoring(
        mode=name,
        target=UNSET if target is None or not (mode.target_ends or mode.knocks_out) else target,
        rounds=UNSET if rounds is None or mode.knocks_out else rounds,
    )


def _teams(seating: Sequence[str], mode: ModeName) -> tuple[tuple[str, ...], ...] | None:
    half, odd = divmod(len(seating), 2)
    if odd or half < 2 or not MODES[mode].teams:
        return None
    return tuple((seating[seat], seating[seat + half]) for seat in range(half))


def _options(rng: Random, edition: Edition, mode: ModeName) -> Options:
    block = extra = caught = None
    if "question_block" in edition.options and rng.randrange(4):
        block = "Its player does with one other player what the table thinks is fun."
    if "extra_cards" in edition.options and rng.randrange(2):
        extra = {
            "blank": ExtraCards(count=rng.randint(1, 2), points=40),
            "house-rule": ExtraCards(count=rng.randint(1, 2), points=50),
        }
    if MODES[mode].knocks_out and rng.randrange(2):
        caught = bool(rng.randrange(2))
    return Options(question_block=block, extra_cards=extra, caught_counts=caught)


def any_house_rules(rng: Random, edition: Edition, players: int) -> ChosenVariants:
    """Return random house rules that agree with each other and suit so many players."""
    departs = rng.choice((150, 400, 800))
    chosen = {
        rule.name: _variant(rng, rule, edition, players)
        for rule in HOUSE_RULES[REVISION]
        if rng.randrange(1000) < departs
    }
    while (excluding := played_by(edition, chosen, REVISION).house.at_odds) is not None:
        del chosen[rng.choice(sorted(excluding))]
    return chosen


def _variant(rng: Random, rule: HouseRule, edition: Edition, players: int) -> Variant:
    if rule.numbers is None:
        return rng.choice([*rule.choices])
    if rule.name == "hand_size":
        # Half of the box is left for drawing.
        most = sum(edition.deck.value.values()) // (2 * players)
        return rng.randint(rule.numbers[0], min(rule.numbers[-1], most))
    return rng.choice(rule.numbers)


class LeaguePlan(Plan, frozen=True, kw_only=True):
    """A league to be played. Each match seats some of the players, in one of the `editions`.

    `house_rules`: each match has random house rules of its own.
    """

    editions: tuple[Edition, ...]
    matches: int


class LeagueMatch(Struct, frozen=True, kw_only=True):
    """A match of the league, and the requests that record it.

    `events`: how many are told, which is known when the requests themselves are let go of.
    """

    slug: str
    played: PlayedMatch
    posts: tuple[Post, ...]
    events: int


def league_matches(plan: LeaguePlan) -> Iterator[LeagueMatch]:
    """Yield the matches of a league one after the other.

    Each has random numbers of its own, so it does not depend on how many matches are played.
    """
    for number in range(1, plan.matches + 1):
        rng = Random(f"{plan.seed}/{number}")  # noqa: S311 nothing is kept secret by it
        yield _match(plan, rng, f"match-{number}")


def _match(plan: LeaguePlan, rng: Random, slug: str) -> LeagueMatch:
    edition = rng.choice(plan.editions)
    seats = rng.randint(FEWEST_PLAYERS, min(MOST_PLAYERS, plan.players))
    own = msgspec.convert(edition.default_mode.value, ModeName)
    mode = own if rng.randrange(2) else None
    seated = rng.sample(plan.slugs, seats)
    house_rules = any_house_rules(rng, edition, seats) if plan.house_rules else None
    opening = open_table(rng, edition, seated, mode=mode, house_rules=house_rules)
    played = play_match(rng, edition, opening, plan.habits, most_rounds=MOST_ROUNDS)
    told = told_posts(rng, plan.path, slug, played, plan.telling)
    return league_match(slug, played, (_opened(plan, slug, opening), *told))


def league_match(slug: str, played: PlayedMatch, posts: tuple[Post, ...]) -> LeagueMatch:
    """Return a match of the league with its events counted."""
    events = sum(len(cast("list[object]", post.body.get("events", []))) for post in posts)
    return LeagueMatch(slug=slug, played=played, posts=posts, events=events)


def told_posts(
    rng: Random, path: str, slug: str, played: PlayedMatch, telling: Telling
) -> Iterator[Post]:
    """Yield the requests by which a table would record a match that is open already."""
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


class TournamentPlan(Plan, frozen=True, kw_only=True):
    """A tournament to be played.

    `house_rules`: all tables play by the same random house rules.
    """

    edition: Edition
    cycles: int

    @property
    def chosen(self) -> ChosenVariants | None:
        """The house rules that are sent with the opening, None if none are."""
        if not self.house_rules:
            return None
        rng = Random(f"{self.seed}/{SLUG}")  # noqa: S311 nothing is kept secret by it
        return any_house_rules(rng, self.edition, _SEATS)

    @property
    def opened(self) -> TournamentOpened:
        """The tournament's opening. Raises TellingRefused if there is no schedule for its size."""
        chosen = self.chosen
        edition = self.edition if chosen is None else played_by(self.edition, chosen, REVISION)
        opened = open_tournament(
            edition,
            SLUG,
            TournamentOpening(
                name="Simulated cup",
                edition=self.edition.id,
                players=self.slugs,
                cycles=self.cycles,
                house_rules=chosen,
            ),
        )
        if isinstance(opened, Refusal):
            raise TellingRefused(opened, ())
        return opened


def tournament_posts(plan: TournamentPlan) -> Iterator[Post]:
    """Yield the requests that open the league, register its players and open the tournament.

    All matches of the tournament are opened with it.
    """
    yield from opening_posts(plan)
    opened = plan.opened
    told: dict[str, object] = {
        "tournament": opened.tournament,
        "name": opened.name,
        "edition": opened.edition,
        "players": list(opened.players),
        "cycles": opened.cycles,
    }
    if opened.house_rules is not None:
        told["house_rules"] = opened.house_rules
    yield Post(f"{plan.path}/tournaments", told)


def tournament_matches(plan: TournamentPlan) -> Iterator[LeagueMatch]:
    """Yield the tables in the order of the schedule. Each has random numbers of its own."""
    opened = plan.opened
    for slug, opening in table_openings(opened):
        rng = Random(f"{plan.seed}/{slug}")  # noqa: S311 nothing is kept secret by it
        played = play_match(rng, plan.edition, opening, plan.habits, most_rounds=_MOST_ROUNDS)
        told = told_posts(rng, plan.path, slug, played, plan.telling)
        yield league_match(slug, played, tuple(told))
