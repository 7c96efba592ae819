"""A page is also limited by its bytes: `limit=1000` returns as many items as fit."""

import json

import pytest

from tests.api.serving import note
from tests.api.serving_kinds import on_both

PAGE = 1 << 20
# The names of recorders, the cursor, and the JSON around the items.
AROUND = 1 << 10
LONG = "茶" * 2_000


@pytest.fixture
def match(league):
    """A match with some 800 entries of 6 kB, with four of a megabyte among them."""
    match = league.match()
    for nth in range(4):
        match.tell(*[note(LONG)] * 160)
        inserted = [note(LONG)] * 160
        match.tell({"type": "log_amended", "reason": LONG, "from": 2 + nth, "insert": inserted})
    return match


def pages(caller, path, **query):
    cursor = {}
    while True:
        answer = caller.get(path, params={"limit": 1_000, **query, **cursor})
        assert answer.status_code == 200, answer.text
        yield answer
        if answer.json()["next"] is None:
            return
        cursor = {"cursor": answer.json()["next"]}


@on_both
def test_the_log_is_read_in_pages_of_a_megabyte_and_no_entry_is_lost(league, match):
    newest = match.get().json()["version"]
    for caller in (league.viewer, league.scorekeeper):
        read = list(pages(caller, f"/matches/{match.slug}/events"))
        items = [item for answer in read for item in answer.json()["items"]]
        assert [item["version"] for item in items] == list(range(1, newest + 1))
        assert len(read) >= 8
        for answer in read:
            page = answer.json()
            assert len(answer.content) < PAGE + AROUND or len(page["items"]) == 1
            assert set(page["recorders"]) == {item["recorded_by"] for item in page["items"]}
            assert ('rel="next"' in answer.headers["link"]) is (page["next"] is not None)


@on_both
def test_as_lines_it_is_read_whole(league, match):
    answer = match.get("/events", headers={"accept": "application/x-ndjson"})
    read = [json.loads(line)["version"] for line in answer.text.splitlines()]
    assert read == list(range(1, match.get().json()["version"] + 1))
