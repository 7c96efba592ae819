"""Ratings follow the log, and are computed again from the first corrected match on."""

import asyncio
from threading import Event

import pytest
from openskill.models import PlackettLuce

from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.service.standings import rating as rating_module
from scorekeeper.service.standings.rating import rated_after
from tests.api.closed_matches import played
from tests.api.serving import tally
from tests.api.serving_kinds import on_both


def rating(league, player):
    return league.viewer.get(f"/players/{player}").json()["rating"]


def history(league, player):
    return league.viewer.get(f"/players/{player}/ratings").json()["items"]


@on_both
def test_nobody_is_rated_before_a_match_is_won(league):
    league.match(players=["ann", "bo"], events=[tally("ann", bo=10)])
    page = league.viewer.get("/players/ann").json()
    assert page["rating"] is None
    assert page["statistics"]["played"] == 0
    assert history(league, "ann") == []


@on_both
def test_the_model_is_plackett_luce_with_its_parameters_as_published(league):
    match = played(league, tally("ann", bo=10, cy=20))
    model = PlackettLuce()
    teams = model.rate([[model.rating()] for _ in range(3)], ranks=[1, 2, 3])
    for player, (expected,) in zip(("ann", "bo", "cy"), teams, strict=True):
        found = rating(league, player)
        assert found["mu"] == pytest.approx(expected.mu, abs=1e-6)
        assert found["sigma"] == pytest.approx(expected.sigma, abs=1e-6)
        assert found["ordinal"] == pytest.approx(found["mu"] - 3 * found["sigma"], abs=2e-6)
        assert found["as_of"] == match.board()["position"]
        (only,) = history(league, player)
        assert (only["match"], only["mu"], only["position"]) == (
            match.slug,
            found["mu"],
            found["as_of"],
        )


@on_both
def test_partners_are_a_team_and_equals_share_a_rank(league):
    played(
        league,
        tally("ann", bo=10, cy=20, di=27),
        players=("ann", "bo", "cy", "di"),
        teams=[["ann", "cy"], ["bo", "di"]],
    )
    ann, bo, cy, di = (rating(league, player)["mu"] for player in ("ann", "bo", "cy", "di"))
    assert ann == cy > bo == di


@on_both
def test_a_correction_is_followed_from_its_match_on(league):
    first = played(league, tally("ann", bo=10), players=("ann", "bo"))
    played(league, tally("ann", bo=10), players=("ann", "bo"))
    before = history(league, "ann")
    assert len(before) == 2
    amended = first.append(
        {
            "type": "log_amended",
            "from": 2,
            "remove": 1,
            "insert": [tally("bo", ann=7)],
            "reason": "x",
        }
    )
    assert amended.status_code == 201, amended.text
    after = history(league, "ann")
    assert [each["match"] for each in after] == [each["match"] for each in before]
    assert after[0]["mu"] < 25 < before[0]["mu"]
    withdrawn = {"type": "log_amended", "from": 2, "remove": 0, "insert": [], "reason": "no"}
    first.tell(withdrawn | {"withdraws": [amended.json()["version"]]})
    assert history(league, "ann") == before


@on_both
def test_a_match_that_is_open_again_is_rated_no_more(league):
    match = played(league, tally("ann", bo=10), players=("ann", "bo"))
    assert rating(league, "ann") is not None
    closing = next(entry for entry in match.log() if entry["type"] == "match_closed")
    match.tell(
        {
            "type": "log_amended",
            "from": closing["version"],
            "remove": 1,
            "insert": [],
            "reason": "x",
        }
    )
    assert rating(league, "ann") is None


@on_both
def test_a_match_won_by_broken_off_rounds_alone_comes_in_once_one_was_played(league):
    voided = {"type": "round_voided", "reason": "late", "redealt": False}
    events = [{"type": "round_started"}, voided, {"type": "match_closed"}]
    match = league.match(players=["ann", "bo"], dealer="ann", events=events)
    assert (match.board()["status"], history(league, "ann")) == ("won", [])
    later = played(league, tally("bo", ann=10), players=("ann", "bo"))
    told = {"from": 2, "remove": 2, "insert": [tally("ann", bo=10)], "reason": "it was not"}
    amended = match.append({"type": "log_amended", **told})
    assert amended.status_code == 201, amended.text
    after = history(league, "ann")
    assert [each["match"] for each in after] == [later.slug, match.slug]
    assert after[-1]["position"] == amended.json()["position"]
    rebuilt = league.owner.post("/rebuild", {}).json()["views"]
    assert not any(count for view in rebuilt.values() for count in view.values())
    erased = {"positions": [amended.json()["position"]], "reason": "asked to"}
    assert league.owner.post("/erasures", erased).status_code == 201
    assert [each["match"] for each in history(league, "ann")] == [later.slug]


@on_both
def test_a_match_that_an_erasure_leaves_with_a_round_that_was_played_is_rated(league):
    """The erased amendment had removed that round."""
    match = league.match(players=["ann", "bo"], dealer="ann")
    voided = {"type": "round_voided", "reason": "late", "redealt": False}
    match.tell(tally("ann", bo=10), {"type": "round_started"}, voided, {"type": "match_closed"})
    out = {"type": "log_amended", "from": 2, "remove": 1, "insert": [], "reason": "x"}
    amended = match.tell(out)
    assert (match.board()["status"], history(league, "ann")) == ("won", [])
    erased = {"positions": [amended["position"]], "reason": "asked to"}
    assert league.owner.post("/erasures", erased).status_code == 201
    assert [each["match"] for each in history(league, "ann")] == [match.slug]


@on_both
def test_many_matches_are_taken_in_at_once_and_paged(league):
    for number in range(7):
        winner, loser = ("ann", "bo") if number % 3 else ("bo", "ann")
        played(league, tally(winner, **{loser: 10}), players=("ann", "bo"))
    page = league.viewer.get("/players/ann/ratings", params={"limit": 4}).json()
    rest = league.viewer.get("/players/ann/ratings", params={"cursor": page["next"]}).json()
    assert (len(page["items"]), len(rest["items"]), rest["next"]) == (4, 3, None)
    assert rest["items"][-1]["mu"] == rating(league, "ann")["mu"]
    assert league.viewer.get("/players/nobody/ratings").status_code == 404


@on_both
def test_of_very_many_matches_the_rest_follows_while_nobody_waits(league, monkeypatch):
    monkeypatch.setattr(rating_module, "_SECONDS_WAITED", 0)
    monkeypatch.setattr(rating_module, "_MATCHES_AT_ONCE", 1)
    answered = Event()

    def rated_once_somebody_was_answered(*matches):
        answered.wait(60)
        return rated_after(*matches)

    monkeypatch.setattr(rating_module, "rated_after", rated_once_somebody_was_answered)
    for _ in range(5):
        last = played(league, tally("ann", bo=10), players=("ann", "bo"))
    assert rating(league, "ann") is None, "somebody waited"
    answered.set()
    for _ in range(1_000):
        now = rating(league, "ann")
        if now is not None and now["as_of"] >= last.board()["position"]:
            break
    assert len(history(league, "ann")) == 5


@on_both
def test_a_match_that_an_erasure_brings_back_is_rated_in_its_place(league):
    match = played(league, tally("ann", bo=10), players=("ann", "bo"))
    closing = next(entry for entry in match.log() if entry["type"] == "match_closed")
    reopened = match.tell(
        {
            "type": "log_amended",
            "from": closing["version"],
            "remove": 1,
            "insert": [],
            "reason": "x",
        }
    )
    later = played(league, tally("bo", ann=10), players=("ann", "bo"))
    assert [each["match"] for each in history(league, "ann")] == [later.slug]
    erased = {"positions": [reopened["position"]], "reason": "asked to"}
    assert league.owner.post("/erasures", erased).status_code == 201
    assert match.board()["status"] == "won"
    assert [each["match"] for each in history(league, "ann")] == [match.slug, later.slug]


def test_who_waits_for_ratings_while_the_service_stops_is_told(league, monkeypatch):
    """Stopping cancels the computation, and not those who wait for it."""
    begun, stopped = Event(), Event()

    def rated_until_stopped(*_matches):
        begun.set()
        stopped.wait(60)

    monkeypatch.setattr(rating_module, "rated_after", rated_until_stopped)
    played(league, tally("ann", bo=10), players=("ann", "bo"))
    ratings = league.served.services.ratings

    async def stop_while_somebody_waits():
        waiting = asyncio.create_task(ratings.catch_up(league.slug))
        await asyncio.to_thread(begun.wait, 60)
        await ratings.stop()
        stopped.set()
        with pytest.raises(LedgerUnavailable, match="closed"):
            await waiting

    league.served.together(stop_while_somebody_waits())
