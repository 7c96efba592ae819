"""The names of tokens as readers get them: asked for once, since nobody renames a token."""

import asyncio

from sqlalchemy import create_engine

from scorekeeper.service.reading.people import NameLookup
from scorekeeper.store import tokens
from scorekeeper.store.tables import tokens as table


class CountedLedger:
    """A database with the same two token ids in two leagues. Counts its queries."""

    def __init__(self) -> None:
        self.asked = 0
        self._engine = create_engine("sqlite://")
        with self._engine.begin() as connection:
            table.create(connection)
            for league in ("home", "away"):
                for name in ("sofa", "hall"):
                    row = tokens.added(
                        league, f"t-{name}", b"", "viewer", f"{name} at {league}", ""
                    )
                    connection.execute(*row)

    async def read(self, work):
        self.asked += 1
        with self._engine.connect() as connection:
            return work(connection)


def test_a_name_is_asked_for_once():
    ledger = CountedLedger()
    known = NameLookup(ledger)

    def names(league, *token_ids):
        return asyncio.run(known.recorders(league, token_ids))

    sofa = {"t-sofa": "sofa at home"}
    assert names("home", "t-sofa", "t-sofa") == names("home", "t-sofa") == sofa
    assert ledger.asked == 1
    both = names("home", "t-sofa", "t-hall")
    assert list(both.items()) == [("t-hall", "hall at home"), *sofa.items()]
    assert ledger.asked == 2
    assert names("away", "t-sofa") == {"t-sofa": "sofa at away"}
    assert ledger.asked == 3


def test_who_has_no_name_goes_by_the_id():
    ledger = CountedLedger()
    known = NameLookup(ledger)
    assert asyncio.run(known.recorders("home", ["admin"])) == {"admin": "admin"}
    assert ledger.asked == 0
    assert asyncio.run(known.recorders("home", ["t-lost"])) == {"t-lost": "t-lost"}
    assert asyncio.run(known.recorders("home", [])) == {}
