"""A 7 that exchanges two hands, and a 0 at which all hands move on."""

import pytest

from tests.match.table import broken, counts, owing, play, small, start, told

SEVEN = {"seven": "swap"}
ZERO = {"zero": "pass"}
SIZES = {"bo": ["red-7", "red-0", "red-1"], "cy": ["blue-1"], "di": ["green-1", "green-2"]}


def sized(house_rules, **fields):
    return small("basic", 4, SIZES, house_rules=house_rules, **fields)


def known(match):
    return {p: sorted(hand.known) for p, hand in match.state.hands.items()}


@pytest.mark.clause("V-SEVEN")
def test_a_seven_exchanges_two_hands():
    match = sized(SEVEN).when(play("bo", "red-7", swap_with="cy"))
    assert known(match)["bo"] == ["blue-1"]
    assert known(match)["cy"] == ["red-0", "red-1"]
    assert counts(match)["di"] == 2
    match.then(turn="cy")


@pytest.mark.clause("V-ZERO")
@pytest.mark.parametrize(
    ("turned", "player", "expected"),
    [
        ("red-5", "bo", {"ann": 2, "bo": 7, "cy": 2, "di": 1}),
        ("red-reverse", "bo", {"ann": 2, "bo": 1, "cy": 2, "di": 7}),
    ],
)
def test_at_a_zero_every_hand_moves_on_in_the_direction_of_play(turned, player, expected):
    match = sized(ZERO, turned=turned).when(play(player, "red-0"))
    assert counts(match) == expected


@pytest.mark.parametrize(
    ("house_rules", "play_of_bo"),
    [(SEVEN, play("bo", "red-7", swap_with="di")), (ZERO, play("bo", "red-0"))],
)
def test_hands_are_listed_in_seating_order_afterwards(house_rules, play_of_bo):
    assert list(counts(sized(house_rules).when(play_of_bo))) == ["ann", "bo", "cy", "di"]


def test_nobody_is_named():
    match = sized(SEVEN)
    assert match.refuses(play("bo", "red-7")).code == "swap-needed"
    assert match.refuses(play("bo", "red-7", swap_with="bo")).reason == "swap-with-self"
    assert match.refuses(play("bo", "red-7", swap_with="jo")).reason == "player-not-in-match"
    assert match.refuses(play("bo", "red-1", swap_with="cy")).code == "effects-not-allowed"


def test_a_match_without_the_house_rule():
    match = small("basic", 4, SIZES, house_rules=ZERO)
    assert match.refuses(play("bo", "red-7", swap_with="cy")).code == "house-rule-not-in-force"


def swap(**hands):
    others = {player: player for player in ("ann", "bo", "cy", "di")}
    return [{"type": "swap", "hands": {**others, **hands}}]


class TestASwapToldAsAnEffect:
    def test_the_same(self):
        match = sized(SEVEN).when(play("bo", "red-7", effects=swap(bo="di", di="bo")))
        assert counts(match) == {"ann": 7, "bo": 2, "cy": 1, "di": 2}
        passed = swap(ann="di", bo="ann", cy="bo", di="cy")
        assert counts(sized(ZERO).when(play("bo", "red-0", effects=passed))) == {
            "ann": 2,
            "bo": 7,
            "cy": 2,
            "di": 1,
        }

    @pytest.mark.breach("V-SEVEN", "V-ZERO")
    @pytest.mark.parametrize(
        ("house_rules", "card", "told_otherwise", "clause"),
        [
            (SEVEN, "red-7", swap(bo="di", di="cy", cy="bo"), "V-SEVEN"),
            (SEVEN, "red-7", swap(cy="di", di="cy"), "V-SEVEN"),
            (ZERO, "red-0", swap(bo="di", di="bo"), "V-ZERO"),
        ],
    )
    def test_otherwise(self, house_rules, card, told_otherwise, clause):
        match = sized(house_rules)
        laid = {"player": "bo", "card": card, "effects": told_otherwise}
        assert broken(match.refuses(told("card_played", **laid))) == [clause]
        after = match.when(told("card_played", **laid, as_played=True))
        taken = told_otherwise[0]["hands"]
        before = {**counts(match), "bo": 2}
        assert counts(after) == {player: before[former] for player, former in taken.items()}

    def test_not_both(self):
        both = play("bo", "red-7", swap_with="di", effects=swap(bo="di", di="bo"))
        assert sized(SEVEN).refuses(both).code == "effects-not-allowed"


def test_as_the_last_card_they_do_nothing():
    hands = {"bo": ["red-7"], "cy": ["red-0"]}
    match = small("basic", 4, hands, house_rules={**SEVEN, **ZERO})
    won = match.when(play("bo", "red-7", swap_with="cy"))
    won.then(phase="showing_hands")
    assert counts(won)["cy"] == 1
    assert counts(small("basic", 4, {"bo": ["red-0"]}, house_rules=ZERO).when(play("bo", "red-0")))


def test_turned_up_they_do_nothing():
    assert counts(start("basic", turned="red-0", house_rules=ZERO)) == dict.fromkeys(
        ("ann", "bo", "cy", "di"), 7
    )


class TestUno:
    def test_whoever_took_over_one_card_owes_a_call_whatever_was_called_before(self):
        match = sized(SEVEN).when(told("uno_called", player="cy"))
        match = match.when(play("bo", "red-7", swap_with="cy", uno=False))
        assert [flag.clause for flag in match.violations] == ["B-UNO"]
        match = match.when(told("uno_caught", player="bo", by="di"))
        assert owing(match) == [("bo", 2, "B-UNO")]

    def test_a_call_is_about_the_hand_held_afterwards(self):
        match = sized(SEVEN).when(
            play("bo", "red-7", swap_with="cy", uno=True), told("uno_caught", player="bo", by="di")
        )
        match.then(pending=())

    def test_whom_it_does_not_concern_keeps_the_call(self):
        match = sized(SEVEN).when(
            told("uno_called", player="cy"),
            play("bo", "red-7", swap_with="di"),
            told("uno_caught", player="cy", by="bo"),
        )
        match.then(pending=())


def test_debts_stay_with_the_players():
    match = start("basic", house_rules=SEVEN).when(play("bo", "red-7", swap_with="cy"))
    match = match.when(play("cy", "red-draw-two"), told("advice_called", player="ann", by="bo"))
    assert [debt[0] for debt in owing(match)] == ["di", "ann"]


def test_two_players():
    hands_of_two = {"bo": ["red-7", "red-0", "red-1"]}
    match = small("basic", 2, hands_of_two, house_rules={**SEVEN, **ZERO})
    match = match.when(play("bo", "red-7", swap_with="ann"))
    assert counts(match) == {"ann": 2, "bo": 7}
    match = match.when(play("ann", "red-0"))
    assert counts(match) == {"ann": 7, "bo": 1}
