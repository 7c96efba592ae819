"""What is to be played, and the requests that make a league with its players of it."""

from collections.abc import Iterator

from msgspec import Struct

from scorekeeper.simulation.habits import Habits
from scorekeeper.simulation.tellings import Telling


class Post(Struct, frozen=True):
    """What is posted, and to which path."""

    post: str
    body: dict[str, object]


class Plan(Struct, frozen=True, kw_only=True):
    """The same plan gives the same requests, ids of events included.

    `players`: how many the league has. `house_rules`: whether chance decides on some.
    """

    league: str
    players: int
    seed: int
    telling: Telling
    habits: Habits = Habits()
    house_rules: bool = False

    @property
    def path(self) -> str:
        """Below which all of the league lies."""
        return f"/v1/leagues/{self.league}"

    @property
    def slugs(self) -> tuple[str, ...]:
        """The players, in the order of entry."""
        return tuple(f"player-{number}" for number in range(1, self.players + 1))


def opening_posts(plan: Plan) -> Iterator[Post]:
    """The league and its players."""
    yield Post("/v1/leagues", {"league": plan.league, "name": "Simulated league"})
    for number, player in enumerate(plan.slugs, start=1):
        yield Post(f"{plan.path}/players", {"player": player, "name": f"Player {number}"})
