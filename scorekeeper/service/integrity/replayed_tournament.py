"""One tournament replayed from the entries of its own stream."""

from collections.abc import Iterator, Mapping

from scorekeeper.ledger.entries.entry import Entry
from scorekeeper.ledger.reading.checking import Flaw
from scorekeeper.service.integrity.replayed_match import entry_flaw, not_as_named
from scorekeeper.store import tournaments as stored
from scorekeeper.tournament.events import SCHEMA, TournamentOpened, decode, event_type
from scorekeeper.tournament.state import Tournament, evolve, initial


class ReplayedTournament:
    """A tournament whose entries are taken one by one; `opening` is the first of them."""

    def __init__(self, league: str, slug: str, opening: Entry) -> None:
        self._league = league
        self._slug = slug
        self._opening = opening
        self._tournament: Tournament | None = None
        self._broken = False

    def take(self, entry: Entry) -> Iterator[Flaw]:
        """What in the next entry can't be read."""
        if self._broken:
            return
        try:
            event = decode(entry.body or b"")
            if entry.type != event_type(event) or entry.schema != SCHEMA:
                yield not_as_named(entry)
            if isinstance(event, TournamentOpened):
                self._tournament = initial(event)
            elif self._tournament is not None:
                self._tournament = evolve(self._tournament, event)
        except Exception as error:  # noqa: BLE001 whatever was put there must not stop the check
            self._broken = True
            yield entry_flaw(entry.position, "not-replayable", f"can't be played again: {error!r}")

    def row(self) -> Mapping[str, object] | None:
        """The tournament as it is listed; None where it can't be replayed."""
        if self._tournament is None or self._broken:
            return None
        opened = self._tournament.opened
        _, row = stored.added(
            league=self._league,
            tournament=self._slug,
            opened=self._opening.position,
            name=opened.name,
            edition=opened.edition,
            players=opened.players,
            opened_at=self._opening.time,
        )
        return {**row, "closed": int(self._tournament.closed)}
