"""The page of a round: complete without scripts, and with the data that a script steps through."""

import html
import json
import re
from collections import Counter

import pytest

from scorekeeper.simulation.dealt_round import FREQUENT
from scorekeeper.web.static_files import STATIC
from tests.api.serving import PLAYERS, tally
from tests.web.simulated_round import simulated

TABLE = ("turn", "direction", "top_card", "color", "draw_pile_count", "phase")
RUNNING = [
    {"type": "round_started", "dealer": "ann"},
    {"type": "first_card_turned", "card": "red-5"},
    {"type": "cards_drawn", "player": "bo", "cards": ["blue-9"]},
]


@pytest.fixture(scope="module")
def amended(served):
    """A simulated round; one draw was removed by an amendment, and a forgotten call added."""
    league = served.league()
    match = league.match(match="evening", edition="basic", players=list(PLAYERS))
    match.tell(*simulated("amended", PLAYERS, FREQUENT))
    log = match.get("/events?limit=1000").json()["items"]
    drawn, later, *_ = (entry["version"] for entry in log if entry["type"] == "cards_drawn")
    match.tell({"type": "log_amended", "from": drawn, "remove": 1, "reason": "no"})
    call = {"type": "uno_called", "player": "bo"}
    match.tell({"type": "log_amended", "from": later, "remove": 0, "insert": [call], "reason": "?"})
    match.tell(
        {
            "type": "dispute_opened",
            "by": "bo",
            "round": 1,
            "claim": "<b>No</b>, entry 20",
            "entry": 20,
        }
    )
    return league, match


def opened(caller, league, match, query=""):
    page = caller.served.ask(
        "GET", f"/l/{league.slug}/m/{match.slug}/r/1{query}", token=caller.token
    )
    assert page.status_code == 200
    return page.text


def given(page):
    return json.loads(re.search(r'id="given">(.*?)</script>', page, re.DOTALL)[1])


@pytest.mark.parametrize("view", ["corrected", "recorded"])
def test_each_step_is_there_without_a_script(amended, view):
    league, match = amended
    page = html.unescape(opened(league.viewer, league, match, f"?view={view}"))
    replay = match.get(f"/rounds/1/replay?view={view}&names=display").json()
    _, *shown = page.split('<li id="step-')
    assert len(shown) == len(replay["items"])
    for step, item in zip(shown, replay["items"], strict=True):
        assert item["explanation"] in step
        assert f'class="verdict {item["verdict"]}"' in step
        for clause in item["clauses"]:
            assert f'<a href="#{clause["id"]}">{clause["id"]}</a>' in step
            told = f'<a href="/e/basic#{clause["id"]}">{clause["id"]}</a> {clause["text"]}'
            assert f'<li id="{clause["id"]}">{told}</li>' in page
        for violation in item["violations"]:
            assert violation["message"] in step


@pytest.mark.parametrize("view", ["corrected", "recorded"])
def test_what_a_script_steps_through_is_the_replay_of_the_api(amended, view):
    league, match = amended
    told = given(opened(league.viewer, league, match, f"?view={view}"))
    items = match.get(f"/rounds/1/replay?view={view}").json()["items"]
    table, then, since, last = {}, {}, {}, None
    for step, item in zip(told["steps"], items, strict=True):
        for whole, part in ((table, "table"), (then, "then"), (since, "since")):
            whole.update(step.get(part, {}))
        last = step.get("at", last + 1 if isinstance(last, int) else None)
        place = last if isinstance(last, list) else [last]
        address = ("amendment", "index") if len(place) == 2 else ("version",)
        assert place == [item.get(name) for name in address]
        assert table == {name: item["state"][name] for name in TABLE}
        for player, hand in item["hands"]["then"].items():
            now = item["hands"]["now"][player]
            assert then[player] == [hand["known"], hand["unknown"]]
            found, left = since[player]
            assert Counter(found) == Counter(now["known"]) - Counter(hand["known"])
            assert left == now["unknown"]


def test_the_marks_are_where_a_quarrel_is_likely(amended):
    league, match = amended
    told = given(opened(league.viewer, league, match))
    items = match.get("/rounds/1/replay").json()["items"]
    versions = [item.get("version") for item in items]
    audit = match.get("/audit").json()
    removing, _ = audit["amendments"]
    behind = next(v for v in versions if v is not None and v >= removing["from"])
    marks = {
        *((n, "violation") for n, item in enumerate(items, 1) if item["violations"]),
        *((n, "amendment") for n, item in enumerate(items, 1) if "amendment" in item),
        (versions.index(behind) + 1, "amendment"),
        (versions.index(20) + 1, "dispute"),
    }
    assert {tuple(mark) for mark in told["marks"]} == marks
    assert any(kind == "violation" for _, kind in marks)


def test_what_is_claimed_is_text(amended):
    league, match = amended
    page = opened(league.viewer, league, match)
    assert "&lt;b&gt;No&lt;/b&gt;, entry 20" in page
    assert "<b>No</b>" not in page


@pytest.mark.parametrize(
    ("query", "step"),
    [
        ("", 1),
        ("?step=3", 3),
        ("?step=0", 1),
        ("?step=99999", None),
        ("?step=x", 1),
        ("?step=-2", 1),
    ],
)
def test_a_link_opens_at_its_step(amended, query, step):
    league, match = amended
    page = opened(league.viewer, league, match, query)
    expected = step or len(given(page)["steps"])
    assert given(page)["step"] == expected
    assert re.findall(r'id="step-(\d+)" aria-current="step"', page) == [str(expected)]


def test_the_other_reading_opens_at_the_same_entry(amended):
    league, match = amended
    items = match.get("/rounds/1/replay?view=recorded").json()["items"]
    step = [item["version"] for item in items].index(20) + 1
    assert given(opened(league.viewer, league, match, "?view=recorded&entry=20"))["step"] == step


def test_a_viewer_gets_no_hidden_card_and_nothing_to_write_with(league):
    match = league.match(match="running", players=["ann", "bo", "cy"])
    match.tell(*RUNNING)
    hers, his = (opened(caller, league, match) for caller in (league.viewer, league.scorekeeper))
    steps = [json.dumps(given(page)["steps"]) for page in (hers, his)]
    assert ["blue-9" in each for each in steps] == [False, True]
    assert STATIC.address("replay/settling.js") not in hers
    assert STATIC.address("replay/settling.js") in his


def drawn(card):
    return {"type": "cards_drawn", "player": "bo", "cards": [card]}


@pytest.mark.parametrize("ending", [[], [{"type": "turn_passed", "player": "bo"}]])
def test_a_dispute_leads_to_what_is_read_in_place_of_its_entry(league, ending):
    match = league.match(match=f"disputed-{len(ending)}", players=["ann", "bo", "cy"])
    match.tell(*RUNNING, *ending)
    version = match.get("").json()["version"]
    about = {"type": "dispute_opened", "by": "cy", "round": 1, "claim": "another card"}
    replaced = {"type": "log_amended", "from": 4, "remove": 1, "reason": "seen"}

    def at():
        told = given(opened(league.owner, league, match))
        marked = [step for step, kind in told["marks"] if kind == "dispute"]
        steps = [each["step"] for each in told["disputes"]]
        assert marked == sorted(set(steps))
        return steps

    match.tell({**about, "entry": 4}, {**replaced, "insert": [drawn("blue-8")]})
    assert at() == [3]
    assert given(opened(league.owner, league, match, "?entry=4"))["step"] == 3
    # The inserted step is disputed as well; then another amendment replaces that step.
    first = version + 2
    match.tell({**about, "entry": {"amendment": first, "index": 0}})
    again = {**replaced, "withdraws": [first], "insert": [drawn("blue-7")]}
    match.tell(again)
    assert at() == [3, 3]
    match.tell({"type": "log_amended", "withdraws": [first + 2], "reason": "no"})
    assert at() == [3, 3]


def test_a_dispute_is_of_the_person_who_sat_there(league):
    match = league.match(match="sat-in", players=["ann", "bo", "cy"])
    match.tell(tally("ann", bo=10, cy=20))
    match.tell({"type": "player_substituted", "player": "bo", "substitute": "di"})
    match.tell({"type": "dispute_opened", "by": "di", "round": 1, "claim": "less"})
    match.tell({"type": "player_substituted", "player": "bo", "substitute": "bo"})
    told = given(opened(league.viewer, league, match))
    assert [each["by"] for each in told["disputes"]] == ["di"]
    (dispute,) = match.get("/audit").json()["disputes"]
    assert dispute["message"].startswith("di disputes round 1")
    assert dispute["by"] == "bo"


def test_a_disputed_round_that_is_told_anew_has_its_dispute_at_a_step(league):
    match = league.match(match="told-anew", players=["ann", "bo", "cy"])
    match.tell(tally("ann", bo=10, cy=20))
    about = {"type": "dispute_opened", "by": "cy", "round": 1, "claim": "less", "entry": 2}
    anew = {"type": "log_amended", "from": 2, "remove": 1, "insert": [tally("ann", bo=10, cy=2)]}
    match.tell(about, {**anew, "reason": "seen"})
    page = opened(league.viewer, league, match)
    assert given(page)["disputes"][0]["step"] == 1
    assert "the whole round" not in page
