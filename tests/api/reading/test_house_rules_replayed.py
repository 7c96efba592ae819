"""Replay, audit and what-if of a match by house rules, for all roles and in each language."""

import pytest

from scorekeeper.editions.house_rules.registry import house_rule_clauses
from tests.api.amendments import amended
from tests.api.serving_kinds import on_both

HOUSE = {"stacking": "same", "jump_in": "colored", "seven": "swap", "zero": "pass"}
HOLDS = {
    "ann": ["red-1", "red-2", "red-3", "red-4", "red-6", "red-8", "red-9"],
    "bo": ["red-7", "blue-draw-two", "green-2", "green-3", "green-4", "green-6", "green-9"],
}
"""The hands at the deal. Bo's goes to di by the 7 and then to ann by the 0; ann's goes to bo."""
SEVEN = {"type": "card_played", "player": "bo", "card": "red-7", "swap_with": "di"}
ROUND = [
    {"type": "round_started", "hands": HOLDS},
    {"type": "first_card_turned", "card": "red-5"},
    SEVEN,
    {"type": "card_played", "player": "cy", "card": "red-0"},
    {"type": "card_played", "player": "di", "card": "red-draw-two"},
    {"type": "card_played", "player": "ann", "card": "blue-draw-two"},
    {"type": "card_played", "player": "di", "card": "blue-draw-two", "jump_in": True},
    {"type": "card_played", "player": "ann", "card": "green-2", "as_played": True},
]
CITED = {2: "V-SEVEN", 3: "V-ZERO", 5: "V-STACK-SAME", 6: "V-JUMP-IN", 7: "V-STACK-SAME"}
"""The clause that each step cites, for the steps in which a house rule applied."""


def opened(league):
    match = league.match(edition="mario", dealer="ann", house_rules=HOUSE)
    match.tell(*ROUND)
    return match


def in_both_languages(league, role, path):
    for language in ("en", "zh-TW"):
        answer = league.callers[role].get(path, params={"lang": language})
        assert (answer.status_code, answer.headers["content-language"]) == (200, language)
        yield language, answer.json()


@on_both
@pytest.mark.parametrize("role", ["viewer", "scorekeeper"])
def test_each_step_shows_the_house_rule_that_bears_on_it(league, role):
    texts = {clause.id: clause.text for clause in house_rule_clauses()}
    path = f"/matches/{opened(league).slug}/rounds/1/replay"
    for language, replay in in_both_languages(league, role, path):
        for step, clause in CITED.items():
            item = replay["items"][step]
            shown = {each["id"]: each["text"] for each in item["clauses"]}
            text = texts[clause]
            assert shown[clause] == (text.zh_tw if language == "zh-TW" else text.en)
            assert step == 7 or clause in item["explanation"]


@on_both
@pytest.mark.parametrize("role", ["viewer", "scorekeeper"])
def test_an_audit_judges_it_by_its_house_rules(league, role):
    path = f"/matches/{opened(league).slug}/audit"
    for language, found in in_both_languages(league, role, path):
        assert found["ok"]
        assert all(check["ok"] for check in found["checks"])
        broken = found["violations"][0]
        assert (broken["clause"], broken["as_played"]) == ("V-STACK-SAME", True)
        assert "V-STACK-SAME" in broken["message"]
        assert ("抽" in broken["message"]) == (language == "zh-TW")


def test_what_if_exchanges_stacks_and_passes_on_afresh(league):
    """With cy in place of di, cy can't hold the 0, and all that followed from it is voided."""
    match = opened(league)
    other = {"from": 4, "remove": 1, "insert": [SEVEN | {"swap_with": "cy"}]}
    tried = match.post("/what-if", other).json()
    told = match.tell(amended(**other))
    for each in ("turn", "hand_counts", "pending", "house_rules"):
        assert tried["state"][each] == told["state"][each]
    assert tried["hands"] == match.get("/hands").json()["hands"]
    assert [each["version"] for each in tried["voided"]] == [
        each["version"] for each in told["voided"]
    ]
    assert tried["voided"]
    replay = match.get("/rounds/1/replay").json()["items"]
    assert "bo and cy exchange their hands (V-SEVEN)." in replay[2]["explanation"]
