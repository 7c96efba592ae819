"""An import sent again under its Idempotency-Key."""

import pytest

from scorekeeper.service.matches.past_matches import PastMatches
from scorekeeper.service.refused import Refused
from tests.api.serving_kinds import on_both

ROWS = (
    "date,edition,players,points,match\n"
    "2024-11-20,basic,ann bo cy di,- 20 5 35,first\n"
    '2024-11-27,mario,"ann, Oma Ida",- 40,second\n'
)
KEY = {"idempotency-key": "the-old-sheets"}


def sent(league, **more):
    return league.owner.post("/imports", {"text": ROWS} | more, headers=KEY)


def refused(answer):
    return answer.status_code, answer.json()["code"]


@on_both
def test_the_first_answer_is_given_again(league):
    first = sent(league)
    assert first.json()["registered"] == ["oma-ida"]
    size = league.owner.get("/log/checkpoint").text.splitlines()[1]
    again = sent(league)
    assert (again.status_code, again.content) == (200, first.content)
    assert again.headers["idempotency-replayed"] == "true"
    assert "idempotency-replayed" not in first.headers
    assert league.owner.get("/log/checkpoint").text.splitlines()[1] == size


@on_both
def test_the_same_key_with_other_rows_is_a_409_and_nothing_is_written(league):
    sent(league)
    other = sent(league, text=ROWS.replace("second", "third"))
    assert refused(other) == (409, "idempotency-key-reused")
    assert league.viewer.get("/matches/third").status_code == 404


def test_an_import_that_found_everything_there_keeps_its_answer_too(league):
    league.owner.post("/imports", {"text": ROWS})
    first = sent(league)
    assert {each["outcome"] for each in first.json()["matches"]} == {"already-there"}
    again = sent(league)
    assert again.headers["idempotency-replayed"] == "true"
    assert again.content == first.content


def test_a_preview_or_a_refusal_takes_no_key(league):
    assert sent(league, preview=True).status_code == 200
    assert refused(sent(league, text=ROWS + "tomorrow\n")) == (422, "rows-refused")
    assert sent(league).json()["complete"]


def test_an_import_that_stopped_goes_on_under_its_key(league, monkeypatch: pytest.MonkeyPatch):
    async def full(*_):
        raise Refused("match-full", facts={"most": 1})

    with monkeypatch.context() as stopping:
        stopping.setattr(PastMatches, "bring_in", full)
        stopped = sent(league).json()
    assert (stopped["complete"], stopped["registered"]) == (False, ["oma-ida"])
    done = sent(league)
    assert (done.json()["complete"], done.json()["registered"]) == (True, [])
    assert sent(league).content == done.content


@pytest.mark.parametrize("erased", ["name", "entry"])
def test_what_is_erased_is_in_no_kept_answer(league, erased):
    first = sent(league)
    assert "Oma Ida" in first.text
    if erased == "name":
        assert league.owner.patch("/players/oma-ida", {"name": None}).status_code == 200
    else:
        told = league.owner.get("/matches/second/events").json()["items"][1]
        body = {"positions": [told["position"]], "reason": "private"}
        assert league.owner.post("/erasures", body).status_code == 201
    again = sent(league)
    assert refused(again) == (409, "event-erased")
    assert "Oma Ida" not in again.text
