"""A synchronous standby that does not answer: no commit of the primary alone is acknowledged."""

import asyncio
from uuid import uuid4

import pytest

from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.ledger.entry import Draft
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.append import Completion, Decision, NothingToWrite, Request
from scorekeeper.store.migrate import upgrade
from tests.faults.replicated_postgres import replicated_postgres

pytestmark = pytest.mark.slow

STREAM = "match:one"


def telling(event_id):
    """Return a request for one event. It opens the league if needed; a retry is answered alike."""

    def decide(seen):
        if event_id in seen.known:
            return NothingToWrite(seen.known[event_id].version)
        return Decision(
            drafts=[Draft(stream=STREAM, type="note_added", schema=1, body=b"{}", id=event_id)],
            complete=lambda entries: Completion(value=entries[0].version),
            open=True,
        )

    return Request(league="home", actor="t", streams=(STREAM,), ids=(event_id,), decide=decide)


def test_a_repeated_event_is_acknowledged_once_the_standby_has_it(monkeypatch):
    monkeypatch.setattr("scorekeeper.ledger.postgres_database._COMMAND_SECONDS", 1)

    async def tell_while_it_is_frozen(servers):
        ledger = await Ledger.open(servers.primary.url())
        try:
            await ledger.append(telling(str(uuid4())))
            told = telling(str(uuid4()))
            servers.standby.freeze()
            for _ in range(2):
                with pytest.raises(LedgerUnavailable):
                    await ledger.append(told)
            servers.standby.thaw()
            return (await ledger.append(told)).value, len(await ledger.stream("home", STREAM))
        finally:
            await ledger.close()

    with replicated_postgres() as servers:
        asyncio.run(upgrade(servers.primary.url()))
        assert asyncio.run(tell_while_it_is_frozen(servers)) == (2, 2)
