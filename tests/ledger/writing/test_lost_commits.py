"""A failover without a synchronous standby loses commits. What a process remembers of them goes."""

import pytest
from msgspec.structs import replace

from scorekeeper.ledger.writing.append import NothingToWrite
from tests.ledger.asking import LEAGUE, MATCH, check_whole, noting, opening, together
from tests.ledger.outside import CUT, connected

OTHERS = ("club", "family")


class Standby:
    """What a standby has of the ledgers. It is promoted without what was committed since."""

    def __init__(self, url):
        self._url = url

    async def takes_in(self):
        server = await connected(self._url)
        self._heads = await server.fetch("SELECT * FROM ledgers")
        await server.close()

    async def is_promoted(self):
        server = await connected(self._url)
        for head in self._heads:
            await server.execute(
                "DELETE FROM events WHERE league = $1 AND position > $2",
                head["league"],
                head["size"],
            )
            await server.execute(
                "UPDATE ledgers SET size = $2, frontier = $3, recorded_at = $4 WHERE league = $1",
                *(head[each] for each in ("league", "size", "frontier", "recorded_at")),
            )
        await server.fetch(CUT)
        await server.close()


def looking(league):
    """A request whose value is the hashes of a match's entries, as decisions see them."""

    def decide(seen):
        return NothingToWrite([entry.hash for entry in seen.tails[MATCH].entries])

    return replace(noting(MATCH, league=league), decide=decide)


@pytest.mark.parametrize("leagues", [(LEAGUE,), (LEAGUE, *OTHERS)])
@pytest.mark.parametrize("more", [1, 2, 3])
def test_what_was_lost_is_forgotten(opened, postgresql_url, run, leagues, more):
    """Another process has recorded fewer entries than were lost, or as many, or more."""

    def in_each(count):
        return [noting(MATCH, count, league=league, carry=False) for league in leagues]

    async def story():
        await together(ledger, *map(opening, leagues))
        await together(ledger, *in_each(3))
        standby = Standby(postgresql_url)
        await standby.takes_in()
        await together(ledger, *in_each(2))
        await standby.is_promoted()
        await together(other, *in_each(more))
        outcomes = await together(ledger, *in_each(1))
        assert [outcome.value for outcome in outcomes] == [[3 + more + 1]] * len(leagues)
        for league in leagues:
            recorded = await check_whole(ledger, league)
            seen = await ledger.append(looking(league))
            assert seen.value == [entry.hash for entry in recorded[1:]]

    ledger, other = opened(postgresql_url, queues=1), opened(postgresql_url, queues=1)
    run(story())
