"""Every figure: what is measured, its reference, and the ratio to reach."""

from typing import NamedTuple

from tests.bench.measuring.samples import Aspect

FLOOR = "floor: pgbench, 32 clients, 1 event"
FLOOR_BATCHES = "pgbench, 32 clients, 100 rows a transaction"
TALLIES = "REST, 64 clients, 1 worker, tallies"
NOTES = "REST, 64 clients, 1 worker, notes"
MANY_LEAGUES = "REST, 64 leagues with a client each, notes"
MANY_LEAGUES_TALLIES = "REST, 64 leagues with a client each, tallies"
SOME_LEAGUES = "REST, 8 leagues with 8 clients each, notes"
PROXIED = "behind nginx, 1 process, 64 leagues, notes"
PROXIED_TWO = "behind nginx, 2 processes, 64 leagues, notes"
PROXIED_LEAGUE = "behind nginx, 1 process, 1 league, notes"
PROXIED_TWO_LEAGUE = "behind nginx, 2 processes, 1 league, notes"
CARD_BY_CARD = "REST, 64 clients, 1 worker, card by card"
TALLIES_32 = "REST, 32 clients, 1 worker, tallies"
NOTES_32 = "REST, 32 clients, 1 worker, notes"
TWO_WORKERS = "REST, 64 clients, 2 workers, tallies"
TWO_WORKERS_NOTES = "REST, 64 clients, 2 workers, notes"
UVICORN = "REST, 64 clients, 1 worker, tallies, uvicorn with httptools"
BATCHES = "REST, 32 clients, 100 notes a request"
TALLY_BATCHES = "REST, 32 clients, 100 tallies a request"
SQLITE = "REST on SQLite, 32 clients, tallies"
SQLITE_NOTES = "REST on SQLite, 32 clients, notes"
SQLITE_MANY = "REST on SQLite, 32 leagues with a client each, notes"
SQLITE_LOOP = "raw sqlite3 loop, 1 event a transaction"
IN_PROCESS = "in process, 32 writers, tallies"
IN_PROCESS_NOTES = "in process, 32 writers, notes"
PEER = "eventsourcing, 32 writers, function in the database"
PEER_AS_DELIVERED = "eventsourcing, 32 writers, as delivered"
OLD_LEAGUE = "append, 10,000th event of a league"
YOUNG_LEAGUE = "append, first events of a league"
LONG_MATCH = "append, match of 2,000"
SHORT_MATCH = "append, match of 20"
FOLLOWERS = "live, 1,000 followers, 20 events a second, until each has it"
WRITES = "a bare server's tick of 1,000 writes"


class Figure(NamedTuple):
    """A comparison. `to_reach` is only printed, since a busy machine must not fail a figure."""

    name: str
    ours: str
    reference: str
    aspect: Aspect
    to_reach: str


FIGURES = (
    Figure("singles", TALLIES, FLOOR, "per_second", "≥ 0.45, then 0.80"),
    Figure("singles", NOTES, FLOOR, "per_second", "≥ 0.65"),
    Figure("leagues", MANY_LEAGUES, FLOOR, "per_second", "≥ 0.60"),
    Figure("leagues", SOME_LEAGUES, FLOOR, "per_second", "≥ 0.70"),
    Figure("leagues", MANY_LEAGUES_TALLIES, FLOOR, "per_second", "≥ 0.45"),
    Figure("leagues", MANY_LEAGUES, NOTES, "per_second", "reported"),
    Figure("proxied", PROXIED_TWO, PROXIED, "per_second", "≥ 1.2"),
    Figure("proxied", PROXIED_TWO_LEAGUE, PROXIED_LEAGUE, "per_second", "≥ 0.9"),
    Figure("proxied", PROXIED, MANY_LEAGUES, "per_second", "reported"),
    Figure("cards", CARD_BY_CARD, FLOOR, "per_second", "≥ 0.60"),
    Figure("workers", TWO_WORKERS, FLOOR, "per_second", "reported"),
    Figure("workers", TWO_WORKERS_NOTES, FLOOR, "per_second", "reported"),
    Figure("p99", TALLIES_32, FLOOR, "p99", "≤ 2"),
    Figure("p99", NOTES_32, FLOOR, "p99", "≤ 1.2"),
    Figure("batches", BATCHES, FLOOR_BATCHES, "per_second", "≥ 0.8"),
    Figure("batches", TALLY_BATCHES, FLOOR_BATCHES, "per_second", "≥ 0.4"),
    Figure("sqlite", SQLITE, SQLITE_LOOP, "per_second", "≥ 2"),
    Figure("sqlite", SQLITE_NOTES, SQLITE_LOOP, "per_second", "≥ 2"),
    Figure("sqlite", SQLITE_MANY, SQLITE_LOOP, "per_second", "≥ 2"),
    Figure("sqlite", SQLITE_MANY, SQLITE_NOTES, "per_second", "reported"),
    Figure("peer", IN_PROCESS, PEER, "per_second", "≥ 8"),
    Figure("peer", IN_PROCESS_NOTES, PEER, "per_second", "≥ 8"),
    Figure("peer", IN_PROCESS, PEER_AS_DELIVERED, "per_second", ""),
    Figure("peer", IN_PROCESS_NOTES, PEER_AS_DELIVERED, "per_second", ""),
    Figure("flat", OLD_LEAGUE, YOUNG_LEAGUE, "p50", "1.0: it stays flat"),
    Figure("flat", LONG_MATCH, SHORT_MATCH, "p50", "1.0: it stays flat"),
    Figure("live", FOLLOWERS, WRITES, "p99", "≤ 2.5"),
    Figure("live", FOLLOWERS, WRITES, "p50", "reported"),
    Figure("server", TALLIES, UVICORN, "per_second", "reported"),
)


def figures_named(names: tuple[str, ...]) -> list[Figure]:
    """Return the figures with one of the names, or all figures if no name is given."""
    return [figure for figure in FIGURES if not names or figure.name in names]
