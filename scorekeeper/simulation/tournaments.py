"""A whole simulated tournament with rotating partners, as the requests that record it."""

from collections.abc import Iterator
from random import Random
from typing import Final

from scorekeeper.editions.house_rules.registry import REVISION, played_by
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.rules.edition import Edition
from scorekeeper.rules.house_rules import Chosen
from scorekeeper.simulation.leagues import LeagueMatch, league_match, told_posts
from scorekeeper.simulation.openings import any_house_rules
from scorekeeper.simulation.plan import Plan, Post, opening_posts
from scorekeeper.simulation.played_match import TellingRefused, play_match
from scorekeeper.tournament.events import TournamentOpened, TournamentOpening
from scorekeeper.tournament.opening import open_tournament, schedule_of, table_openings

SLUG: Final = "cup"

# A round that is dealt again counts for nothing, so that a table may need more than its number.
_MOST_ROUNDS = 200
_SEATS: Final = 4


class TournamentPlan(Plan, frozen=True, kw_only=True):
    """A tournament to be played.

    `house_rules`: all tables play by the same, which chance decides.
    """

    edition: Edition
    cycles: int

    @property
    def chosen(self) -> Chosen | None:
        """The house rules that are sent."""
        if not self.house_rules:
            return None
        rng = Random(f"{self.seed}/{SLUG}")  # noqa: S311 nothing is kept secret by it
        return any_house_rules(rng, self.edition, _SEATS)

    @property
    def opened(self) -> TournamentOpened:
        """Raises TellingRefused for a number of players that no schedule exists for."""
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
    """The league, its players and the tournament, with which all its matches are opened."""
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
    """The tables in the order of the schedule; each has chances of its own."""
    opened = plan.opened
    for slug, opening in table_openings(opened, schedule_of(opened)):
        rng = Random(f"{plan.seed}/{slug}")  # noqa: S311 nothing is kept secret by it
        played = play_match(rng, plan.edition, opening, plan.habits, most_rounds=_MOST_ROUNDS)
        told = told_posts(rng, plan.path, slug, played, plan.telling)
        yield league_match(slug, played, tuple(told))
