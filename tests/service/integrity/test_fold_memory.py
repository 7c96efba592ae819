"""How much memory each match takes in the fold of a league, which may have many thousands.

A match that was won is kept packed: its log, and what the views show of it.
"""

import asyncio
import gc
import tracemalloc

from scorekeeper.ledger.integrity.raw_rows import read_head, read_stored
from scorekeeper.service.integrity import replayed_matches
from scorekeeper.service.integrity.fresh_views import SoundFold, fresh_ratings
from scorekeeper.store.ratings import RankedPlayer
from tests.bench.loads.bulk import Bulk, write
from tests.databases import sqlite_engine

LEAGUE = "large"
MATCHES = 120
# Of these, some 1,500 are the log of a hundred entries.
BYTES_OF_A_MATCH = 5_000

PLAYERS = ("ada", "ben", "cleo", "dan")
RATED = 1_000
# As a row by column names it would take twice as many.
BYTES_OF_A_RATING = 200


def test_a_match_that_was_won_takes_few_kilobytes(tmp_path, monkeypatch):
    url = f"sqlite+aiosqlite:///{tmp_path / 'league.sqlite3'}"
    asyncio.run(write(Bulk(url, LEAGUE, MATCHES, content="tallied")))
    monkeypatch.setattr(replayed_matches, "_FEW_UNPACKED", 200)
    held = []
    with sqlite_engine(url).connect() as connection:
        fold = SoundFold(read_head(connection, LEAGUE))
        tracemalloc.start()
        try:
            while rows := read_stored(connection, LEAGUE, fold.size):
                fold.take(rows)
                touched = fold.fresh.bring_up()
                del rows
                gc.collect()  # which also empties the interpreter's lists of free tuples
                held.append((tracemalloc.get_traced_memory()[0], len(touched["match"])))
        finally:
            tracemalloc.stop()
    # What the first part takes, is taken once: caches, and the matches that are not packed.
    added = held[-1][0] - held[0][0]
    matches = sum(count for _, count in held[1:])
    assert matches > MATCHES / 2
    assert added < BYTES_OF_A_MATCH * matches


def test_ratings_are_not_kept_as_rows():
    played = [
        RankedPlayer(number, f"match-{number}", player, side, side)
        for number in range(1, RATED + 1)
        for side, player in enumerate(PLAYERS, start=1)
    ]
    fresh_ratings(played[: len(PLAYERS)])  # whatever is imported or compiled once
    tracemalloc.start()
    try:
        fresh = fresh_ratings(played)
        gc.collect()
        held = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert len(fresh.rows("ada")) == RATED
    assert held < BYTES_OF_A_RATING * len(played)
