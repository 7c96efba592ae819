"""Reads that name recorders by token ids also give the tokens' names."""

import pytest

from tests.api.serving import League, Match, note, tally
from tests.api.serving_kinds import on_both


def told_by_three(league: League) -> tuple[Match, dict[str, str]]:
    """Record a round as a scorekeeper, an owner and the admin; return the match and their names."""
    match = league.match(events=[tally("ann", bo=1, cy=2, di=3)])
    path = f"/matches/{match.slug}/events"
    assert league.owner.post(path, {"events": [note()]}).status_code == 201
    assert league.admin.post(path, {"events": [note()]}).status_code == 201
    tokens = league.owner.get("/tokens").json()["items"]
    names = {each["token_id"]: each["name"] for each in tokens if each["role"] != "viewer"}
    return match, {**names, "admin": "admin"}


@on_both
@pytest.mark.parametrize("path", ["/events", "/rounds/1/replay", "/audit"])
def test_every_read_that_names_tokens_has_their_names(league, path):
    match, names = told_by_three(league)
    for caller in (league.owner, league.scorekeeper, league.viewer):
        recorders = caller.get(f"/matches/{match.slug}{path}").json()["recorders"]
        assert recorders == names
        assert list(recorders) == sorted(recorders)


def test_a_page_has_the_names_of_its_own_entries(league):
    match, names = told_by_three(league)
    pages = [match.get("/events", params={"limit": 3, "after": after}).json() for after in (0, 3)]
    ids = [{entry["recorded_by"] for entry in page["items"]} for page in pages]
    assert ids[0] | ids[1] == set(names)
    assert len(ids[0]) == 1
    assert [set(page["recorders"]) for page in pages] == ids


@on_both
def test_the_name_of_a_device_that_was_sent_home_stays(league):
    made = league.owner.post("/tokens", {"role": "scorekeeper", "name": "小安的手機"}).json()
    match = league.match()
    phone = type(league.owner)(league.served, made["token"], league.root)
    assert phone.post(f"/matches/{match.slug}/events", {"events": [note()]}).status_code == 201
    assert league.owner.delete(f"/tokens/{made['token_id']}").status_code == 204
    for path in ("/events", "/audit"):
        assert match.get(path).json()["recorders"][made["token_id"]] == "小安的手機"


def test_an_audit_says_who_recorded_how_much(league):
    match, names = told_by_three(league)
    recordings = match.get("/audit").json()["recordings"]
    assert {each["recorded_by"] for each in recordings} == set(names)
    assert sum(each["entries"] for each in recordings) == match.board()["version"]


def test_a_log_of_lines_has_entries_and_nothing_else(league):
    match, _ = told_by_three(league)
    lines = match.get("/events", headers={"accept": "application/x-ndjson"}).text.splitlines()
    assert len(lines) == match.board()["version"]
    assert not any("recorders" in line for line in lines)


def test_a_tournaments_own_log_has_them_as_well(league):
    opening = {"name": "Cup", "edition": "basic", "players": ["ann", "bo", "cy", "di"]}
    opened = league.owner.post("/tournaments", opening | {"tournament": "cup"})
    assert opened.status_code == 201
    page = league.viewer.get("/tournaments/cup/events").json()
    assert set(page["recorders"]) == {entry["recorded_by"] for entry in page["items"]}
    assert set(page["recorders"].values()) == {"owner"}
