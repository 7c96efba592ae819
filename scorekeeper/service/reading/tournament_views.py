"""What is asked and answered of tournaments, as structs that the OpenAPI document describes."""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from scorekeeper.editions.house_rules.choosing import HouseRulesAsked, chosen
from scorekeeper.match.events.fields import in_utc
from scorekeeper.match.events.opening import HouseRulesTold, Options, Scoring
from scorekeeper.service.views import EntryView, SlugText
from scorekeeper.tournament.events import TournamentEvent, TournamentOpening
from scorekeeper.tournament.schedule import ScheduledSegment
from scorekeeper.tournament.standings import Standing

MOST_EVENTS = 100

TournamentStatus = Literal["open", "complete", "closed"]


class TournamentRequest(
    TournamentOpening, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A tournament to be opened; the server makes a slug of the name where none is given."""

    house_rules: HouseRulesAsked | None = None
    tournament: SlugText | None = None

    def normalised(self) -> "TournamentRequest":
        """The one form of requests that mean the same."""
        return msgspec.structs.replace(self, at=in_utc(self.at))

    def opening(self) -> TournamentOpening:
        """The opening alone."""
        names = TournamentOpening.__struct_fields__
        told = {name: getattr(self, name) for name in names}
        if self.house_rules is not None:
            told["house_rules"] = chosen(self.house_rules)
        return TournamentOpening(**told)


class TournamentAppendRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Events of a tournament, all or nothing; each carries an `id`, or none does."""

    events: Annotated[tuple[TournamentEvent, ...], Meta(min_length=1, max_length=MOST_EVENTS)]


class TournamentView(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament, who plays with whom included; the matches tell what was played.

    `house_rules`: as they were sent, {} where none were; `house_rules_revision`: null then.

    `players` in the order of entry. `substitutes`: who sits in for whom. `status`: `complete` once
    no table has a round left, `closed` once somebody closed it.
    """

    tournament: str
    name: str
    edition: str
    revision: int
    status: TournamentStatus
    version: int
    position: int
    players: tuple[str, ...]
    rounds_per_partner: int
    cycles: int
    scoring: Scoring | None
    options: Options | None
    house_rules: HouseRulesTold
    house_rules_revision: int | None
    substitutes: Mapping[str, str]
    withdrawn: tuple[str, ...]
    segments: tuple[ScheduledSegment, ...]


class TournamentItemView(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament as the list shows it; `position` is that of its opening."""

    tournament: str
    name: str
    edition: str
    status: TournamentStatus
    players: list[str]
    opened_at: str
    position: int


class TournamentAppendView(msgspec.Struct, frozen=True, kw_only=True):
    """What an append wrote into the tournament's own stream, and the tournament after it.

    `matches`: those at whose tables something was recorded along with it.
    """

    tournament: str
    version: int
    position: int
    entries: list[EntryView]
    matches: list[str]
    state: TournamentView


class TournamentStandingsView(msgspec.Struct, frozen=True, kw_only=True):
    """Best first. `complete`: no table has a round left to play; only then there are champions.

    `tied`: those who share a rank at the end, for whom lots may be drawn.
    """

    items: tuple[Standing, ...]
    complete: bool
    champions: tuple[str, ...]
    tied: tuple[tuple[str, ...], ...]
    next: str | None = None
