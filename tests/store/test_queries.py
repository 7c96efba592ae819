"""What is kept beside the log: names, tokens, the list of matches."""

import pytest
from sqlalchemy import Table, insert

from scorekeeper.store import leagues, matches, players, tokens
from scorekeeper.store.matches import ListedMatch
from scorekeeper.store.players import NamedPlayer
from scorekeeper.store.tokens import KnownToken
from tests.databases import within


@pytest.fixture
def on(database_url, run):
    """Calls a function of the store in a transaction."""

    def execute(function, *arguments, **named):
        return run(within(database_url, lambda c: function(c, *arguments, **named)))

    return execute


def write(connection, *rows):
    for target, values in rows:
        connection.execute(insert(target) if isinstance(target, Table) else target, values)


def test_leagues_are_listed_by_slug_and_renamed(on):
    on(write, *(leagues.added(slug, slug.upper()) for slug in ("c", "a", "d", "b")))
    assert [one.league for one in on(leagues.page, after=None, limit=3)] == ["a", "b", "c"]
    assert [one.name for one in on(leagues.page, after="c", limit=3)] == ["D"]
    assert on(leagues.rename, "a", "Friday") is True
    assert on(leagues.name, "a") == "Friday"
    assert on(leagues.rename, "none", "Friday") is False
    assert on(leagues.name, "none") is None


def test_a_name_can_be_erased_and_the_slug_stays(on):
    on(write, players.added("home", "ann", "Ann 安", 2), players.added("away", "ann", "Anna", 2))
    assert on(players.find, "home", "ann") == NamedPlayer("ann", "Ann 安")
    assert on(players.rename, "home", "ann", None) is True
    assert on(players.find, "home", "ann") == NamedPlayer("ann", None)
    assert on(players.find, "away", "ann") == NamedPlayer("ann", "Anna")
    assert on(players.rename, "home", "bo", "Bo") is False
    assert on(players.find, "home", "bo") is None


def test_players_are_listed_by_slug_within_their_league(on):
    on(write, *(players.added("home", slug, slug, 1) for slug in ("di", "ann", "cy", "bo")))
    on(write, players.added("away", "eve", "Eve", 1))
    assert [one.player for one in on(players.page, "home", after=None, limit=2)] == ["ann", "bo"]
    assert [one.player for one in on(players.page, "home", after="bo", limit=9)] == ["cy", "di"]


def test_a_token_is_found_by_its_digest_in_its_league_until_it_is_revoked(on):
    on(
        write,
        tokens.added("home", "t-1", b"1" * 32, "owner", "Ann's", "2026-01-01T00:00:00.000000Z"),
        tokens.added("home", "t-2", b"2" * 32, "viewer", "wall", "2026-01-01T00:00:00.000000Z"),
        tokens.added("away", "t-3", b"3" * 32, "viewer", "hall", "2026-01-01T00:00:00.000000Z"),
    )
    assert on(tokens.find, "home", b"2" * 32) == KnownToken("t-2", "viewer", "wall")
    assert on(tokens.find, "home", b"3" * 32) is None
    assert [one.token_id for one in on(tokens.page, "home", after=None, limit=9)] == ["t-1", "t-2"]
    on(write, tokens.revoked("home", "t-1", "2026-01-02T00:00:00.000000Z"))
    assert on(tokens.find, "home", b"1" * 32) is None
    assert [one.token_id for one in on(tokens.page, "home", after=None, limit=9)] == ["t-2"]
    assert on(tokens.page, "home", after="t-2", limit=9) == []


def test_there_is_one_admin_token_at_most(on):
    assert on(tokens.admin_digest) is None
    for digest in (b"a" * 32, b"b" * 32):
        on(tokens.set_admin, digest)
        assert on(tokens.admin_digest) == digest


def opened(
    match,
    position,
    edition="basic",
    names=("ann", "bo"),
    substitutes=(),
    status="open",
    held_at="2026-01-01T00:00:00.000000Z",
):
    return matches.added(
        league="home",
        match=match,
        opened=position,
        edition=edition,
        players=names,
        opened_at="2026-01-01T00:00:00.000000Z",
        held_at=held_at,
        summary=matches.Summary(
            status=status, substitutes=substitutes, winners=[], open_disputes=0, ending=None
        ),
    )


@pytest.fixture
def listed(on):
    """Returns a page of a league's matches that meet the filter, with a cursor and a limit."""

    def page(league="home", before=None, limit=9, **wanted):
        chosen = matches.MatchFilter(**wanted)
        return on(matches.page, league, chosen, before=before, limit=limit)

    return page


def test_matches_are_listed_latest_first_and_page_by_position(on, listed):
    on(write, *(opened(f"m-{position}", position) for position in (7, 3, 9, 5)))
    assert [match.opened for match in listed()] == [9, 7, 5, 3]
    assert [match.match for match in listed(before=7, limit=1)] == ["m-5"]
    assert listed("away") == []


def test_matches_are_filtered_by_status_edition_and_player(on, listed):
    on(
        write,
        opened("one", 1, names=("ann", "bo")),
        opened("two", 2, names=("bo", "anna"), substitutes=["di"], edition="mario"),
        opened("three", 3, names=("annabel", "ann"), status="won"),
    )

    def slugs(**wanted):
        return [match.match for match in listed(**wanted)]

    assert slugs(player="ann") == ["three", "one"]
    assert slugs(player="di") == ["two"]
    assert slugs(player="an") == []
    assert slugs(edition="mario") == ["two"]
    assert slugs(status="open") == ["two", "one"]
    assert slugs(status="won", player="bo") == []


def test_matches_are_filtered_by_the_days_on_which_they_were_held_whole_days_and_both_included(
    on, listed
):
    on(
        write,
        opened("first", 1, held_at="2026-03-01T00:00:00.000000Z"),
        opened("last", 2, held_at="2026-03-02T23:59:59.999999Z"),
        opened("later", 3, held_at="2026-03-03T00:00:00.000000Z"),
    )

    def slugs(**wanted):
        return [match.match for match in listed(**wanted)]

    assert slugs(since="2026-03-02") == ["later", "last"]
    assert slugs(until="2026-03-02") == ["last", "first"]
    assert slugs(since="2026-03-01", until="2026-03-01") == ["first"]
    assert slugs(since="2026-03-02", until="2026-03-01") == []


def test_matches_that_nobody_named_are_numbered_by_edition_and_day_as_they_were_opened(on):
    first, other, next_day, third = (f"match-000000000{each}" for each in (4, 3, 2, 1))
    imported = "past-2026-03-01-000000000000"
    evening, night = "2026-03-01T23:59:59.999999Z", "2026-03-02T00:00:00.000000Z"
    on(
        write,
        opened(first, 1, held_at=evening),
        opened(other, 2, held_at=evening, edition="mario"),
        opened("friday", 3, held_at=evening),
        opened(next_day, 4, held_at=night),
        opened(imported, 5, held_at="2026-03-01T00:00:00.000000Z"),
        opened(third, 6, held_at=evening),
    )
    day, after = "2026-03-01", "2026-03-02"
    asked = [first, other, next_day, imported, third, "friday", "none"]
    assert on(matches.generated_titles, "home", asked, "UTC") == {
        first: matches.GeneratedTitle("basic", day, 1),
        other: matches.GeneratedTitle("mario", day, 1),
        next_day: matches.GeneratedTitle("basic", after, 1),
        imported: matches.GeneratedTitle("basic", day, 2),
        third: matches.GeneratedTitle("basic", day, 3),
    }
    assert on(matches.generated_titles, "home", [third], "UTC") == {
        third: matches.GeneratedTitle("basic", day, 3)
    }
    assert on(matches.generated_titles, "away", [third], "UTC") == {}


@pytest.mark.parametrize(
    "chosen", ["match-2026-03-01", "match-easter2026", "past-2026-03-01-after-dinner"]
)
def test_a_slug_that_somebody_chose_is_not_counted_though_it_is_as_long_as_a_generated_one(
    on, chosen
):
    made, evening = "match-00000000ff", "2026-03-01T20:00:00.000000Z"
    on(write, opened(chosen, 1, held_at=evening), opened(made, 2, held_at=evening))
    title = matches.GeneratedTitle("basic", "2026-03-01", 1)
    assert on(matches.generated_titles, "home", [chosen, made], "UTC") == {made: title}


def test_a_match_is_listed_as_it_stands(on, listed):
    on(write, opened("one", 1))
    ending = matches.Ending(3, {"ann": 9, "bo": 0})
    now = matches.Summary(
        status="won", substitutes=["ed"], winners=["bo"], open_disputes=2, ending=ending
    )
    on(write, matches.changed("home", "one", now))
    assert listed() == [
        ListedMatch(
            match="one",
            opened=1,
            edition="basic",
            status="won",
            players=["ann", "bo"],
            winners=["bo"],
            opened_at="2026-01-01T00:00:00.000000Z",
            open_disputes=2,
            ending=ending,
        )
    ]
