"""House rules over the API: the contract's worked example, what is refused, who sees what."""

import pytest

from scorekeeper.editions.house_rules.registry import REVISION, house_rule_clauses
from tests.api.recording.test_card_by_card import FOUR, plays, types
from tests.api.serving_kinds import on_both

CHOSEN = {"stacking": "same", "jump_in": "colored", "seven": "swap", "zero": "pass"}
TOLD = (
    {"type": "round_started"},
    {"type": "first_card_turned", "card": "red-5"},
    plays("bo", "red-7", swap_with="di"),
    plays("cy", "red-0"),
    plays("di", "red-draw-two"),
    plays("ann", "blue-draw-two"),
    plays("di", "blue-draw-two", jump_in=True),
)


def opened(league, **more):
    return league.match(edition="mario", players=FOUR, dealer="ann", house_rules=CHOSEN, **more)


@on_both
@pytest.mark.clause("V-STACK-SAME", "V-JUMP-IN", "V-SEVEN", "V-ZERO")
def test_the_contracts_example(league):
    match = opened(league)
    for told in TOLD:
        state = match.tell(told)["state"]
    assert state["turn"] == "bo"
    assert state["hand_counts"] == {"ann": 5, "bo": 7, "cy": 7, "di": 4}
    assert state["pending"] == [
        {"kind": "draw", "player": "ann", "count": 6, "clause": "V-STACK-SAME"}
    ]
    assert state["house_rules"] == CHOSEN
    assert state["house_rules_revision"] == REVISION
    assert match.board(at=1)["house_rules"] == CHOSEN
    first = match.log()[0]["data"]
    assert (first["house_rules"], first["house_rules_revision"]) == (CHOSEN, REVISION)


@on_both
def test_what_departs_from_nothing_is_kept_and_not_echoed(league):
    told = {"stacking": "none", "hand_size": 7}
    match = league.match(edition="basic", players=FOUR, house_rules=told)
    board = match.board()
    assert (board["house_rules"], board["house_rules_revision"]) == ({}, REVISION)
    assert match.log()[0]["data"]["house_rules"] == told
    plain = league.match(edition="basic", players=FOUR)
    assert (plain.board()["house_rules"], plain.board()["house_rules_revision"]) == ({}, None)
    assert "house_rules" not in plain.log()[0]["data"]


@pytest.mark.parametrize(
    "house_rules",
    [
        {"stack": "same"},
        {"stacking": "both"},
        {"stacking": None},
        {"hand_size": 1},
        {"hand_size": 21},
        {"hand_size": "7"},
        {"uno_penalty": 11},
        {"uno_penalty": True},
        {"stacking": ["same"]},
        ["stacking"],
    ],
)
@pytest.mark.parametrize("at", ["/matches", "/tournaments"])
def test_unknown_names_and_variants_are_400(league, house_rules, at):
    asked = {"edition": "basic", "players": FOUR, "house_rules": house_rules}
    answer = league.owner.post(at, asked | ({"name": "Cup"} if at == "/tournaments" else {}))
    assert answer.status_code == 400, answer.text
    assert answer.json()["code"] == "malformed"


@pytest.mark.parametrize(
    "house_rules",
    [{"jump_in": "any", "at_once": "identical"}, {"hand_size": 20, "seven": "swap"}],
)
def test_what_excludes_each_other_is_refused_in_words(league, house_rules):
    six = [*FOUR, "ed", "flo"] if "hand_size" in house_rules else FOUR
    for player in six[4:]:
        league.owner.post("/players", {"player": player, "name": player.title()})
    asked = {"edition": "basic", "players": six, "house_rules": house_rules}
    for language, word in (
        ("en", "house rules" if "jump_in" in house_rules else "turn up"),
        ("zh-TW", "家規" if "jump_in" in house_rules else "翻開"),
    ):
        answer = league.owner.post("/matches", asked, headers={"Accept-Language": language})
        assert (answer.status_code, answer.json()["code"]) == (422, "house-rule-invalid")
        assert word in answer.json()["detail"]


@pytest.mark.parametrize(
    ("fields", "house_rule"),
    [({"jump_in": True}, "jump_in"), ({"swap_with": "cy"}, "seven"), ({"count": 2}, "at_once")],
)
def test_a_field_of_a_house_rule_that_is_not_in_force(league, fields, house_rule):
    match = league.match(edition="basic", players=FOUR, dealer="ann")
    match.tell(*TOLD[:2])
    answer = match.append(plays("bo", "red-7", **fields))
    assert (answer.status_code, answer.json()["code"]) == (422, "house-rule-not-in-force")
    assert house_rule in answer.json()["detail"]
    assert match.append(plays("bo", "red-7", count=1, jump_in=False)).status_code == 201


def test_an_exchange_needs_a_name(league):
    match = opened(league)
    match.tell(*TOLD[:2])
    assert match.append(plays("bo", "red-7")).json()["code"] == "swap-needed"
    assert (
        match.append(plays("bo", "red-3", swap_with="cy")).json()["code"] == "effects-not-allowed"
    )
    self_ = match.append(plays("bo", "red-7", swap_with="bo")).json()
    assert (self_["code"], self_["reason"]) == ("impossible-event", "swap-with-self")


@on_both
def test_a_pass_that_is_inferred_is_flagged_in_the_answer_that_infers_it(league):
    match = league.match(
        edition="mario", players=FOUR, dealer="ann", house_rules={"forced_play": "drawn"}
    )
    match.tell(*TOLD[:2], {"type": "cards_drawn", "player": "bo", "cards": ["red-9"]})
    answer = match.append(plays("cy", "red-3")).json()
    assert [type_ for _, type_, _ in types(answer)] == ["turn_passed", "card_played"]
    assert [each["clause"] for each in answer["violations"]] == ["V-FORCE-DRAWN"]
    assert answer["state"]["violations"] == 1


@on_both
def test_a_tournament_opens_all_its_tables_with_them(league):
    asked = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": FOUR}
    view = league.owner.post("/tournaments", asked | {"house_rules": CHOSEN}).json()
    assert (view["house_rules"], view["house_rules_revision"]) == (CHOSEN, REVISION)
    table = view["segments"][0]["tables"][0]["match"]
    board = league.viewer.get(f"/matches/{table}").json()
    assert (board["house_rules"], board["house_rules_revision"]) == (CHOSEN, REVISION)
    refused = league.owner.post(
        "/tournaments",
        asked | {"tournament": "two", "house_rules": {"jump_in": "any", "at_once": "identical"}},
    )
    assert refused.json()["code"] == "house-rule-invalid"


def test_every_edition_lists_their_clauses(league):
    clauses = league.served.ask("GET", "/v1/editions/basic").json()["clauses"]
    own = [each["id"] for each in clauses if each["source"] == "house-rules"]
    assert own == [each.id for each in house_rule_clauses()]
    assert own[0] == "V-STACK-TWO"
    assert all(each.startswith("V-") for each in own)
