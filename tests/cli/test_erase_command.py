"""`scorekeeper erase`, which works on the database itself."""

from click.testing import Result

from tests.api.serving import note, serving
from tests.commands import invoked


def erase(url: str, *arguments: str) -> Result:
    return invoked("erase", "--database-url", url, *arguments)


def test_entries_are_erased_and_the_league_tells_of_it(database_url: str) -> None:
    with serving(database_url) as served:
        league = served.league()
        match = league.match(events=[note("one"), note("two")])
        first = match.log()[1]["position"]
    place = [league.slug, str(first), str(first + 1)]
    done = erase(database_url, *place, "--reason", "asked to")
    assert done.exit_code == 0, done.output
    assert (
        done.output == f"Erased: {first}, {first + 1}. The entry at position {first + 2} says so.\n"
    )
    again = erase(database_url, *place, "--reason", "asked to")
    assert (again.exit_code, again.output) == (0, "All of that was erased before.\n")
    with serving(database_url) as served:
        log = served.ask("GET", f"{match.root}/events").json()["items"]
    assert [entry.get("erased", False) for entry in log] == [False, True, True]


def test_a_name_is_erased(database_url: str) -> None:
    with serving(database_url) as served:
        league = served.league()
    done = erase(database_url, league.slug, "--name", "ann")
    assert (done.exit_code, done.output) == (0, "The name of ann is erased.\n")
    with serving(database_url) as served:
        assert served.ask("GET", f"{league.root}/players/ann").json()["name"] is None


def test_what_can_not_be_erased_is_said(sqlite_url: str) -> None:
    with serving(sqlite_url) as served:
        league = served.league()
        in_use = erase(sqlite_url, league.slug, "1", "--reason", "x")
    assert in_use.exit_code == 1
    assert "in use by another process" in in_use.output
    refused = {
        ("1", "--reason", "x"): (1, "can't be erased: 1"),
        ("999", "--reason", "x"): (1, "The ledger has"),
        ("--name", "nobody"): (1, "no such player"),
        ("1",): (2, "need a --reason"),
        ("--name", "ann", "--reason", "x"): (2, "No reason is recorded of an erased name"),
        (): (2, "either positions or --name"),
        ("0", "--reason", "x"): (2, "0 is not in the range 1<="),
    }
    for arguments, (code, words) in refused.items():
        done = erase(sqlite_url, league.slug, *arguments)
        assert done.exit_code == code, done.output
        assert words in done.output
    assert "There is no such league" in erase(sqlite_url, "nowhere", "1", "--reason", "x").output
