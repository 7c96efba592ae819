"""Rounds that are recorded card by card over the API, with the contract's worked examples."""

from uuid import uuid4

import pytest

from tests.api.serving_kinds import on_both

FOUR = ["ann", "bo", "cy", "di"]


def started(league, edition="basic", first="red-5", players=FOUR, color=None, **opening):
    """A match whose dealer is ann, with the first card turned up."""
    match = league.match(edition=edition, players=players, dealer="ann", **opening)
    turned = {"type": "first_card_turned", "card": first}
    match.tell({"type": "round_started"}, turned | ({"color": color} if color else {}))
    return match


def plays(player, card, color=None, **more):
    told = {"type": "card_played", "player": player, "card": card, **more}
    return told | ({"color": color} if color else {})


def types(answer):
    return [(entry["version"], entry["type"], entry["inferred"]) for entry in answer["entries"]]


@on_both
@pytest.mark.clause("B-UP-DRAW-TWO", "B-DRAW-TWO")
def test_a_turned_up_draw_two_is_a_debt_that_the_next_play_settles(league):
    match = league.match(edition="basic", players=FOUR, dealer="ann")
    assert match.tell({"type": "round_started"})["version"] == 2
    turned = match.tell({"type": "first_card_turned", "card": "red-draw-two"})
    state = turned["state"]
    assert (turned["version"], state["draw_pile_count"], state["turn"]) == (3, 79, "cy")
    assert state["pending"] == [
        {"kind": "draw", "player": "bo", "count": 2, "clause": "B-UP-DRAW-TWO"}
    ]
    played = match.append(plays("cy", "red-5"))
    assert types(played.json()) == [(4, "cards_drawn", True), (5, "card_played", False)]
    assert played.headers["etag"] == '"5"'
    assert played.json()["state"]["draw_pile_count"] == 77
    assert match.board(at=3)["draw_pile_count"] == 79


@on_both
def test_a_retry_of_a_play_finds_what_was_inferred_for_it(league):
    match = started(league, first="red-draw-two")
    play = plays("cy", "red-5", id=str(uuid4()))
    first = match.append(play)
    again = match.append(play)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.headers["idempotency-replayed"] == "true"
    assert again.content == first.content


@pytest.mark.clause("B-UP-WILD", "M-UP-WILD", "D-UP-WILD", "H-UP-WILD")
@pytest.mark.parametrize(
    ("edition", "turn"), [("basic", "cy"), ("mario", "bo"), ("mickey", "bo"), ("hello-kitty", "bo")]
)
def test_a_turned_up_wild(league, edition, turn):
    match = started(league, edition, first="wild")
    assert match.board()["color_pending"] == "bo"
    state = match.tell({"type": "color_named", "player": "bo", "color": "green"})["state"]
    assert (state["turn"], state["color"], state["color_pending"]) == (turn, "green", None)


@pytest.mark.clause("B-MATCH")
def test_a_card_that_does_not_match_is_refused_with_its_clause_and_taken_as_played(league):
    match = started(league)
    wrong = plays("bo", "blue-7")
    refused = match.append(wrong)
    assert (refused.status_code, refused.json()["code"]) == (422, "rule-violation")
    [violation] = refused.json()["violations"]
    assert (violation["event_index"], violation["clause"]) == (0, "B-MATCH")
    assert "blue-7" in violation["message"]
    chinese = match.append(wrong, accept_language="zh-TW").json()["violations"][0]["message"]
    assert chinese != violation["message"]
    assert match.board()["version"] == 3
    told = match.tell(wrong | {"as_played": True})
    assert [each["clause"] for each in told["violations"]] == ["B-MATCH"]
    assert told["entries"][-1]["data"]["as_played"] is True
    assert told["state"]["violations"] == 1


@pytest.mark.clause("H-CHALLENGE", "H-WILD4-LEGAL")
def test_a_guilty_king_is_taken_back(league):
    match = league.match(edition="hello-kitty", players=FOUR, dealer="ann")
    match.tell({"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"})
    match.tell(plays("bo", "wild-draw-four", "blue"))
    challenge = {"type": "wild_draw_four_challenged", "by": "cy", "guilty": True}
    state = match.tell(challenge)["state"]
    assert (state["turn"], state["top_card"], state["color"]) == ("cy", "red-5", "red")
    assert [(debt["player"], debt["count"]) for debt in state["pending"]] == [("bo", 4)]
    assert state["hand_counts"]["bo"] == 7


@pytest.mark.clause("M-STAR")
def test_a_star_sends_a_draw_two_back(league):
    match = started(league, "mario", first="red-5", players=["di", "ann", "bo", "cy"])
    match.tell({"type": "cards_drawn", "player": "bo"}, {"type": "turn_passed", "player": "bo"})
    match.tell({"type": "cards_drawn", "player": "cy"}, {"type": "turn_passed", "player": "cy"})
    match.tell({"type": "cards_drawn", "player": "di"}, {"type": "turn_passed", "player": "di"})
    match.tell(plays("ann", "red-draw-two"))
    state = match.tell(plays("bo", "super-star", "green"))["state"]
    assert (state["turn"], state["color"]) == ("cy", "green")
    assert state["pending"] == [{"kind": "draw", "player": "ann", "count": 2, "clause": "M-STAR"}]


@on_both
@pytest.mark.clause("B-LAST", "B-POINTS")
def test_a_whole_round_from_known_hands_to_its_scores(league):
    hands = {"ann": ["red-1"] * 2 + ["green-1"] * 2 + ["blue-1"] * 2 + ["yellow-1"]}
    hands["bo"] = ["red-2", "red-3", "red-4", "red-6", "red-7", "red-8", "red-draw-two"]
    match = league.match(edition="basic", players=["ann", "bo"], dealer="ann")
    match.tell(
        {"type": "round_started", "hands": hands}, {"type": "first_card_turned", "card": "red-5"}
    )
    seen = {"red-2": {"cards": ["wild"]}, "red-3": {"cards": ["green-0"]}}
    for card in hands["bo"][:-1]:
        drawn = {"type": "cards_drawn", "player": "ann", **seen.get(card, {})}
        match.tell(plays("bo", card, uno=card == "red-8"), drawn)
    state = match.tell(plays("bo", "red-draw-two"))["state"]
    assert (state["phase"], state["pending"][0]["count"]) == ("showing_hands", 2)
    unknown = ["blue-9", "blue-8", "blue-7", "blue-6", "green-skip", "green-9"]
    shown = {"type": "hand_shown", "player": "ann"}
    told = match.tell(shown | {"cards": [*hands["ann"], "wild", "green-0", *unknown]})
    assert [entry["type"] for entry in told["entries"]] == [
        "cards_drawn",
        "hand_shown",
        "round_ended",
    ]
    # Seven ones, a wild, a zero, 9 + 8 + 7 + 6, a skip and a 9.
    assert told["state"]["totals"] == {"ann": 7 + 50 + 0 + 30 + 20 + 9, "bo": 0}
    assert match.get("/rounds/1").json()["scores"] == {"ann": 116, "bo": 0}


@on_both
@pytest.mark.clause("C-LAST", "C-FIRST-OUT")
def test_the_draw_for_a_last_card_is_taken_also_in_a_request_of_its_own(league):
    match = started(league, "classic-2025", players=FOUR[:2])
    match.tell({"type": "hand_shown", "player": "bo", "cards": ["red-draw-two"], "as_played": True})
    out = match.tell(plays("bo", "red-draw-two"))
    assert [kind for _, kind, _ in types(out)] == [
        "card_played",
        "cards_drawn",
        "round_ended",
        "match_won",
    ]
    drawn = {"type": "cards_drawn", "player": "ann", "cards": ["red-9", "wild"], "id": str(uuid4())}
    first, again = match.append(drawn), match.append(drawn)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.content == first.content
    assert first.json()["state"] | {"version": 0, "position": 0} == out["state"] | {
        "version": 0,
        "position": 0,
    }
    hand = match.get("/hands").json()["hands"]["ann"]
    assert sorted(hand["known"]) == ["red-9", "wild"]
    twice = match.append(drawn | {"id": str(uuid4())})
    assert (twice.status_code, twice.json()["reason"]) == (422, "wrong-phase")


@pytest.mark.clause("B-DRAW-TWO")
def test_a_draw_of_none_settles_what_was_never_drawn(league):
    match = started(league)
    match.tell(plays("bo", "red-draw-two"))
    none = {"type": "cards_drawn", "player": "cy", "count": 0}
    assert match.append(none).status_code == 400
    told = match.tell(none | {"as_played": True})
    assert (told["entries"][0]["data"]["count"], told["state"]["pending"]) == (0, [])
    assert [violation["clause"] for violation in told["violations"]] == ["B-DRAW-TWO"]
