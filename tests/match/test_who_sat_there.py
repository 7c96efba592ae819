"""Texts about a round name the person who sat there, not the player whose column it is."""

from scorekeeper.match.events.events import MatchClosed, PlayerSubstituted
from scorekeeper.projections.scoreboard import scoreboard
from tests.match.amending import amends
from tests.match.story import given, tally
from tests.match.table import play, told
from tests.projections.replayed import in_words

SITS_IN = PlayerSubstituted(player="bo", substitute="zoe")
YAN_SITS_IN = PlayerSubstituted(player="bo", substitute="yan")
BACK = PlayerSubstituted(player="bo", substitute="bo")


def said(match, round_=1, language="en"):
    view = in_words(match.state, round_, language)
    return " ".join(item.explanation for item in view.items)


def test_the_winner_of_a_round_and_of_a_match_is_the_one_who_sat_there():
    match = given("basic", 3, dealer="ann").when(SITS_IN, tally("zoe", ann=20, cy=5), MatchClosed())
    told_of = said(match)
    for sentence in (
        "zoe plays on in place of bo.",
        "ann's 20",
        "zoe 0, cy 5",
        "match goes to zoe",
    ):
        assert sentence in told_of, told_of
    assert "bo " not in told_of.replace("in place of bo.", "")
    assert match.state.winners == ("bo",)
    assert "zoe" in said(match, language="zh-TW")


def test_cards_are_played_by_the_one_who_sits_there():
    match = given("basic", 3, dealer="ann").when(
        SITS_IN,
        told("round_started"),
        told("first_card_turned", card="red-5"),
        play("zoe", "red-7"),
    )
    assert "zoe plays red-7" in said(match)
    assert "ann deals 7 cards each to ann, zoe, cy" in said(match)


def test_who_hands_over_and_who_comes_back():
    match = given("basic", 3).when(tally("ann", bo=1, cy=1))
    match = match.when(SITS_IN, YAN_SITS_IN, BACK, tally("bo", ann=1, cy=1))
    told_of = said(match, 2)
    assert "zoe plays on in place of bo. yan plays on in place of zoe. bo plays again" in told_of
    assert "yan" not in told_of.partition("again")[2]


def test_the_scoreboard_says_who_sits_in_while_somebody_does():
    match = given("basic", 3)
    seated = match.when(SITS_IN)
    assert seated.board.substitutes == {"bo": "zoe"}
    for nobody in (match, seated.when(BACK)):
        assert nobody.board == scoreboard(nobody.state, match="m", position=1)
        assert not nobody.board.substitutes


def test_a_refusal_names_who_sat_there_when_the_event_would_have_happened():
    match = given("basic", 3, dealer="ann").when(tally("bo", ann=20, cy=5), SITS_IN)
    incomplete = tally("cy", ann=20)
    assert match.refuses(incomplete).sitting == {"bo": "zoe"}
    assert match.refuses(amends(5, 0, incomplete)).sitting == {"bo": "zoe"}
    assert match.refuses(amends(2, 1, incomplete)).sitting == {}
