"""The holder of a token is remembered for a moment, and forgotten when the token is revoked."""

import asyncio

import msgspec
import pytest

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.identity.access import (
    REMEMBERED_SECONDS,
    Access,
    BrowserTokens,
    Caller,
    token_digest,
)
from scorekeeper.service.identity.sessions import Sessions
from scorekeeper.service.identity.tokens import Tokens
from scorekeeper.service.leagues import Leagues
from scorekeeper.service.refused import Refused
from scorekeeper.service.views import LeagueOpening, TokenMaking
from scorekeeper.store import tokens

ADMIN = Caller("admin", "admin", None)
SESSION = token_digest("sks_browser")


class Door:
    """An Access over a league whose owner's token it has, on a clock that is set by hand."""

    def __init__(self, ledger, given_admin=None):
        self.now = 100.0
        self.ledger = ledger
        self.access = Access(ledger, given_admin=given_admin, clock=lambda: self.now)
        self.tokens = Tokens(ledger, self.access)

    async def opened(self):
        outcome, _ = await Leagues(self.ledger).open(
            ADMIN, LeagueOpening(name="Home", league="home"), None
        )
        return outcome.body.decode().split('"token":"')[1].split('"')[0]

    async def role(self, token):
        try:
            return (await self.access.caller(f"Bearer {token}")).role
        except Refused as refused:
            return refused.code


@pytest.fixture
def door(database_url, run):
    ledger = run(Ledger.open(database_url))
    yield Door(ledger)
    run(ledger.close())


def revoke_elsewhere(door, token):
    """Revoke a token as another process does, so that this one is not notified."""
    digest = token_digest(token)

    def work(connection):
        found = tokens.find(connection, "home", digest)
        statement, parameters = tokens.revoked("home", found.token_id, "2026-11-20T19:00:00Z")
        connection.execute(statement, parameters)

    return door.ledger.transact("home", work)


def test_what_another_process_revoked_is_known_within_a_second(door, run):
    async def story():
        token = await door.opened()
        assert await door.role(token) == "owner"
        await revoke_elsewhere(door, token)
        door.now += REMEMBERED_SECONDS - 0.01
        assert await door.role(token) == "owner"
        door.now += 0.01
        assert await door.role(token) == "unauthorized"
        assert REMEMBERED_SECONDS <= 1

    run(story())


def test_what_this_process_revoked_is_known_at_once(door, run):
    async def story():
        token = await door.opened()
        caller = await door.access.caller(f"Bearer {token}")
        await door.tokens.revoke(caller, "home", caller.token_id)
        assert await door.role(token) == "unauthorized"

    run(story())


def test_a_look_up_that_began_before_a_revocation_is_not_remembered(door, run):
    async def story():
        token = await door.opened()
        caller = await door.access.caller(f"Bearer {token}")
        door.now += 10
        looked_up, go_on = asyncio.Event(), asyncio.Event()
        read = door.ledger.read

        async def slow_read(work):
            found = await read(work)
            if token_digest(token) in found:
                looked_up.set()
                await go_on.wait()
            return found

        door.ledger.read = slow_read
        waiting = asyncio.create_task(door.role(token))
        await looked_up.wait()
        await door.tokens.revoke(caller, "home", caller.token_id)
        late = asyncio.create_task(door.role(token))
        go_on.set()
        assert await waiting == "owner"  # the token was not revoked yet when it was presented
        assert await late == "unauthorized"
        assert await door.role(token) == "unauthorized"

    run(story())


def test_a_given_admin_token_replaces_the_stored_one(database_url, run):
    async def story():
        ledger = await Ledger.open(database_url)
        try:
            await ledger.transact("", lambda c: tokens.add_admin_session(c, SESSION))
            assert await Door(ledger).role("sks_browser") == "admin"
            await ledger.transact("", lambda c: tokens.set_admin(c, token_digest("stored")))
            assert await Door(ledger).role("sks_browser") == "unauthorized"
            assert await Door(ledger).role("stored") == "admin"
            replaced = Door(ledger, token_digest("given"))
            assert await replaced.role("given") == "admin"
            assert await replaced.role("stored") == "unauthorized"
        finally:
            await ledger.close()

    run(story())


@pytest.fixture
def two_remembered(monkeypatch):
    monkeypatch.setattr("scorekeeper.service.identity.access._REMEMBERED_TOKENS", 2)


def test_no_more_tokens_are_remembered_than_fit(two_remembered, door, run):
    async def story():
        owner = await door.opened()
        made = [
            await door.tokens.make(ADMIN, "home", TokenMaking(role="viewer", name="x"), None)
            for _ in range(3)
        ]
        asked = [outcome.body.decode().split('"token":"')[1].split('"')[0] for outcome in made]
        assert [await door.role(token) for token in asked] == ["viewer"] * 3
        assert await door.role(owner) == "owner"
        known = [door.access.remembered(token_digest(token)) for token in (*asked, owner)]
        assert [holder and holder.role for holder in known] == [None, None, "viewer", "owner"]

    run(story())


def test_many_who_bring_one_token_at_once_ask_the_database_once(door, run, monkeypatch):
    asked = []
    read = door.ledger.read

    def counted(work):
        asked.append(work)
        return read(work)

    async def story():
        token = await door.opened()
        monkeypatch.setattr(door.ledger, "read", counted)
        return await asyncio.gather(*(door.role(token) for _ in range(50)))

    assert run(story()) == ["owner"] * 50
    assert len(asked) == 1


def test_one_who_goes_away_does_not_take_the_look_up_from_the_others(door, run):
    async def story():
        token = await door.opened()
        leaving = asyncio.create_task(door.role(token))
        staying = asyncio.create_task(door.role(token))
        await asyncio.sleep(0)
        leaving.cancel()
        return await staying

    assert run(story()) == "owner"


def test_a_browser_with_the_tokens_of_many_leagues_asks_the_database_no_more_often(
    door, run, monkeypatch
):
    """Anybody may send many cookies, true and untrue ones."""

    async def story():
        kept = {"home": await door.opened()}
        for nth in range(3):
            opening = LeagueOpening(name=f"{nth}", league=f"l-{nth}")
            outcome, league = await Leagues(door.ledger).open(ADMIN, opening, None)
            kept[league] = msgspec.json.decode(outcome.body)["token"]
        await door.ledger.transact("", lambda c: tokens.add_admin_session(c, SESSION))
        untrue = {f"x-{nth}": f"sk_home_{nth}" for nth in range(50)}
        browser = BrowserTokens(kept | untrue, "sks_browser")
        sessions = Sessions(door.ledger, door.access, door.tokens, None)
        reads, read = [], door.ledger.read
        monkeypatch.setattr(door.ledger, "read", lambda work: reads.append(work) or read(work))

        callers = await door.access.callers(browser, None)
        assert [each.league for each in callers] == [None, *kept]
        assert len(reads) == 1
        me = await sessions.me(callers)
        assert (me.admin, [each.league for each in me.leagues]) == (True, sorted(kept))
        assert {each.token_name for each in me.leagues} == {"owner"}
        assert len(reads) == 2
        own = [each for each in callers if each.league]
        listed = await Leagues(door.ledger).list(own, after="home", limit=2)
        assert [each.league for each in listed] == ["l-0", "l-1"]
        assert len(reads) == 3

    run(story())
