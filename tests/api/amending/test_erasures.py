"""Erased content disappears everywhere, and the log can still be appended to."""

import sqlite3
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import make_url

from tests.api.database_search import every_value
from tests.api.serving import Caller, note, serving, tally
from tests.api.serving_kinds import on_both

SECRET = "Annabel Quisling-Vane had too much sherry"
SEATS = ["ann", "bo", "cy", "di"]


def erase(league, *positions, reason="asked to", **request):
    body = {"positions": list(positions), "reason": reason}
    return league.owner.post("/erasures", body, **request)


def positions_of(match):
    return {entry["version"]: entry["position"] for entry in match.log()}


@on_both
def test_an_erased_entry_is_gone_from_every_answer_and_every_table(league):
    key = {"idempotency-key": "k"}
    event = note(SECRET) | {"id": str(uuid4()), "at": "2026-11-20T19:00:00Z"}
    match = league.match()
    before = match.tell(tally("ann", bo=1, cy=2, di=3))["state"]
    told = match.post("/events", {"events": [event]}, headers=key).json()["entries"][0]
    match.tell(note("something else"))
    board = match.board()
    answer = erase(league, told["position"])
    assert answer.status_code == 201
    assert answer.json() == {
        "position": told["position"] + 2,
        "positions": [told["position"]],
        "reason": "asked to",
    }

    log = match.log()
    entry = log.pop(told["version"] - 1)
    assert (entry["data"], entry["at"], entry["erased"]) == (None, None, True)
    kept = ("version", "position", "id", "type", "hash", "recorded_at", "recorded_by", "inferred")
    assert [entry[name] for name in kept] == [told[name] for name in kept]
    assert all("erased" not in other for other in log)
    assert match.board()["totals"] == board["totals"] == before["totals"]

    for retry in ({"headers": key}, {}):
        again = match.post("/events", {"events": [event]}, **retry)
        assert (again.status_code, again.json()["code"]) == (409, "event-erased")
        assert SECRET not in again.text
    for answer in (match.get("/events"), match.get(), league.owner.get("/matches")):
        assert SECRET not in answer.text
    for table, column, value in every_value(league.served):
        assert SECRET.encode() not in value, (table, column)


def test_what_was_read_before_is_not_taken_for_the_same(league):
    """Or else a browser would go on showing what was erased."""
    match = league.match(dealer="ann", events=[{"type": "round_started"}])
    position = match.tell(note(SECRET))["position"]
    reads = ("", "/hands", "/rounds/1", "/rounds/1/replay", "/audit", "/events")
    asked = [(caller, f"/matches/{match.slug}{path}") for path in reads for caller in
             (league.owner, league.viewer)]  # fmt: skip
    before = [caller.get(path).headers["etag"] for caller, path in asked]
    assert erase(league, position).status_code == 201
    for (caller, path), tag in zip(asked, before, strict=True):
        again = caller.get(path, headers={"if-none-match": tag})
        assert again.status_code == 200, path
        after = again.headers["etag"]
        assert caller.get(path, headers={"if-none-match": after}).status_code == 304
    lock = match.get().headers["etag"]
    assert match.append(note(), if_match=lock).status_code == 201


def in_the_files(league):
    """Return whether the SQLite file or its write-ahead log contains the secret."""
    files = [Path(make_url(league.served.url).database + end) for end in ("", "-wal")]
    return any(SECRET.encode() in file.read_bytes() for file in files if file.exists())


def test_on_sqlite_it_is_overwritten_in_the_files(league):
    match = league.match()
    position = match.tell(note(SECRET))["position"]
    assert in_the_files(league)
    assert erase(league, position).status_code == 201
    assert not in_the_files(league)


def test_on_sqlite_a_name_is_overwritten_in_the_files(league):
    league.owner.post("/players", {"player": "flo", "name": SECRET})
    assert in_the_files(league)
    assert league.owner.patch("/players/flo", {"name": None}).status_code == 200
    assert not in_the_files(league)


def test_on_sqlite_it_is_overwritten_once_nobody_reads_beside(league, monkeypatch):
    """A long reader such as `verify` or `backup` delays the overwriting; nobody waits for it."""
    monkeypatch.setattr("scorekeeper.ledger.sqlite_database.FOLD_AGAIN_SECONDS", 0)
    position = league.match().tell(note(SECRET))["position"]
    database = make_url(league.served.url).database
    beside = sqlite3.connect(f"file:{database}?mode=ro", uri=True, isolation_level=None)
    beside.execute("BEGIN")
    assert beside.execute("SELECT count(*) FROM events").fetchone() > (0,)
    assert erase(league, position).status_code == 201
    assert in_the_files(league)
    beside.close()
    while in_the_files(league):
        league.owner.get()  # any request, since requests let the service work


@on_both
def test_what_was_erased_before_is_passed_over(league):
    match = league.match(events=[note("one"), note("two"), note("three")])
    at = positions_of(match)
    assert erase(league, at[2], at[3]).json()["positions"] == [at[2], at[3]]
    further = erase(league, at[3], at[4], at[4])
    assert (further.status_code, further.json()["positions"]) == (201, [at[4]])
    again = erase(league, at[2], at[3], at[4])
    assert (again.status_code, again.json()["position"], again.json()["positions"]) == (
        200,
        None,
        [],
    )
    assert match.tell(note())["position"] == further.json()["position"] + 1


@on_both
def test_the_same_request_again_is_answered_as_then(league):
    position = league.match(events=[note()]).log()[-1]["position"]
    key = {"headers": {"idempotency-key": "erase"}}
    first, again = (erase(league, position, **key) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.content == again.content
    other = erase(league, position, reason="another", **key)
    assert (other.status_code, other.json()["code"]) == (409, "idempotency-key-reused")


@on_both
def test_answers_from_before_the_erased_entry_are_kept(league):
    match = league.match()
    events = {"events": [note("one")]}
    first = match.post("/events", events, headers={"idempotency-key": "one"})
    position = match.tell(note("two"))["position"]
    last = match.post("/events", events, headers={"idempotency-key": "three"})
    assert erase(league, position).status_code == 201
    again = match.post("/events", events, headers={"idempotency-key": "one"})
    assert (again.status_code, again.content) == (200, first.content)
    assert last.status_code == 201
    # This answer contained the state after the entry that is erased now.
    again = match.post("/events", events, headers={"idempotency-key": "three"})
    assert (again.status_code, again.json()["code"]) == (409, "event-erased")


def test_a_position_that_the_ledger_lacks(league):
    position = league.match(events=[note()]).log()[-1]["position"]
    answer = erase(league, position, position + 1, position + 7)
    assert (answer.status_code, answer.json()["code"]) == (422, "position-unknown")
    assert answer.json()["facts"]["positions"] == [position + 1, position + 7]
    assert league.owner.get("/matches").status_code == 200
    assert erase(league, position).status_code == 201


def test_an_opening_and_the_leagues_own_entries_stay(league):
    opening = league.match(events=[note()]).log()[0]["position"]
    answer = erase(league, opening, opening + 1)
    assert (answer.status_code, answer.json()["code"]) == (422, "not-erasable")
    assert (answer.json()["reason"], answer.json()["facts"]) == (
        "opening",
        {"positions": [opening]},
    )
    answer = erase(league, 1, 2, opening + 1)
    assert (answer.json()["reason"], answer.json()["facts"]) == (
        "league-entry",
        {"positions": [1, 2]},
    )


@on_both
def test_what_was_told_of_a_tournament_stays_whole(league):
    """Erasing them would hide who withdrew, or that the tournament is closed."""
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": SEATS}
    assert league.owner.post("/tournaments", cup).status_code == 201
    withdrawn = {"type": "player_withdrawn", "player": "ann", "reason": "ill"}
    events = {"events": [withdrawn, {"type": "tournament_closed", "reason": "too few"}]}
    assert league.owner.post("/tournaments/cup/events", events).status_code == 201
    log = league.owner.get("/tournaments/cup/events").json()["items"]
    noted = league.match().tell(note())["position"]
    for entry in log:
        answer = erase(league, noted, entry["position"])
        assert (answer.status_code, answer.json()["code"]) == (422, "not-erasable")
        assert (answer.json()["reason"], answer.json()["facts"]) == (
            "tournament-entry",
            {"positions": [entry["position"]]},
        )
    assert [entry["version"] for entry in log] == [1, 2, 3]
    assert league.owner.get("/tournaments/cup/events").json()["items"] == log
    assert erase(league, noted).json() == {
        "position": noted + 1,
        "positions": [noted],
        "reason": "asked to",
    }


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"positions": [1]},
        {"positions": [], "reason": "x"},
        {"positions": [0], "reason": "x"},
        {"positions": [1] * 1_001, "reason": "x"},
        {"positions": ["1"], "reason": "x"},
        {"positions": [1], "reason": ""},
        {"positions": [1], "reason": "x", "more": 1},
    ],
)
def test_an_erasure_names_positions_and_a_reason(league, body):
    assert league.owner.post("/erasures", body).status_code == 400


OTHERS = {"type": "seats_changed", "players": ["ann", "cy", "bo", "di"]}


@on_both
def test_the_match_is_read_as_if_it_had_not_been_told(league):
    match = league.match(players=SEATS)
    position = match.tell(OTHERS)["position"]
    assert match.tell(note())["state"]["players"] == OTHERS["players"]
    assert match.board()["players"] == match.board(at=2)["players"] == OTHERS["players"]
    erase(league, position)
    assert match.board()["players"] == match.board(at=2)["players"] == SEATS
    assert match.board(at=3)["players"] == SEATS
    assert match.tell(note())["state"]["players"] == SEATS


@on_both
def test_the_list_of_matches_follows(league):
    match = league.match(players=["ann", "bo"], scoring={"mode": "first-out"})
    position = match.tell(tally("ann"))["entries"][0]["position"]
    listed = league.owner.get("/matches").json()["items"][0]
    assert (listed["status"], listed["winners"]) == ("won", ["ann"])
    erase(league, position)
    assert match.board()["status"] == "open"
    listed = league.owner.get("/matches").json()["items"][0]
    assert (listed["status"], listed["winners"]) == ("open", [])
    match.tell(tally("bo"))
    listed = league.owner.get("/matches").json()["items"][0]
    assert (listed["status"], listed["winners"]) == ("won", ["bo"])


def test_a_match_that_is_won_again_counts_in_the_table_and_in_the_ratings(league):
    """The erased amendment had reopened the match. Meanwhile a later match was rated."""
    match = league.match(players=["ann", "bo"], scoring={"mode": "first-out"})
    match.tell(tally("ann"))
    taken_back = {"type": "log_amended", "from": 2, "remove": 1, "insert": [], "reason": "no"}
    position = match.tell(taken_back)["position"]
    other = league.match(players=["ann", "bo"], scoring={"mode": "first-out"})
    other.tell(tally("ann"))

    def ann():
        page = league.owner.get("/players/ann").json()
        return page["statistics"]["played"], page["rating"]

    played, once = ann()
    assert played == 1
    erase(league, position)
    assert match.board()["status"] == "won"
    played, twice = ann()
    assert played == 2
    assert twice["mu"] > once["mu"]
    rebuilt = league.owner.post("/rebuild", {}).json()["views"]
    assert {count for view in rebuilt.values() for count in view.values()} == {0}


def test_a_retry_of_what_rested_on_erased_content_is_answered(league):
    match = league.match(players=SEATS)
    position = match.tell({"type": "player_substituted", "player": "ann", "substitute": "ed"})[
        "position"
    ]
    told = {"type": "seats_changed", "players": OTHERS["players"], "id": str(uuid4())}
    first = match.append(told)
    erase(league, position)
    again = match.append(told)
    assert (again.status_code, again.json()["entries"]) == (200, first.json()["entries"])
    assert match.tell(note())["version"] == 4


def test_another_process_forgets_what_it_had_folded(postgresql_url):
    with serving(postgresql_url) as here, serving(postgresql_url) as there:
        league = here.league()
        match = league.match(players=SEATS)
        readers = [match, *(Caller(there, match.token, match.root) for _ in range(2))]
        position = match.tell(OTHERS)["position"]
        for reader in readers:
            told = reader.post("/events", {"events": [note()]}).json()["state"]["players"]
            assert told == reader.get().json()["players"] == OTHERS["players"]
        erase(league, position)
        # The first reader reads first, the second writes first.
        assert readers[1].get().json()["players"] == SEATS
        for reader in readers:
            told = reader.post("/events", {"events": [note()]}).json()["state"]["players"]
            assert told == reader.get().json()["players"] == SEATS


@on_both
def test_an_erased_name_is_an_entry_of_its_own(league):
    size = league.match().log()[0]["position"]
    assert league.owner.patch("/players/ann", {"name": None}).status_code == 200
    assert league.owner.patch("/players/ann", {"name": None}).status_code == 200
    # Only one entry was added: the second time there was nothing left to erase.
    assert league.match().log()[0]["position"] == size + 2
