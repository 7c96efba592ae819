"""What happened to a tournament is said on its page: withdrawals, its end, tables opened again."""

import re

import pytest

from tests.web.tournaments.test_tournament_pages import EIGHT, opened, play, text_of

OPENED_AGAIN = "Rounds are left to play at tables that were opened again:"
EARLIER = "Rounds are left to play in an earlier segment:"
ABANDONED = "and the tables left to play are abandoned"


@pytest.fixture
def cup(served):
    """A tournament of eight, of which the first segment is played."""
    league = served.league(EIGHT)
    segments = opened(league, EIGHT)
    play(league, segments[:1])
    return league, segments


def told(league, **event):
    answer = league.scorekeeper.post("/tournaments/cup/events", {"events": [event]})
    assert answer.status_code == 201, answer.text


def open_again(league, match):
    """Take back what was told last at a table."""
    version = league.viewer.get(f"/matches/{match}").json()["version"]
    headers = {"If-Match": f'"{version}"'}
    answer = league.scorekeeper.post(f"/matches/{match}/undo", {}, headers=headers)
    assert answer.status_code == 201, answer.text


def said(league, path="/cup", role="viewer"):
    return " ".join(re.sub(r"<[^>]*>", "", text_of(league, path, role)).split())


def places(league, sentence):
    """The tables that are named behind a sentence, each with the match that it leads to."""
    _, _, behind = text_of(league, "/cup").partition(sentence)
    return re.findall(r'/m/([^"]*)">([^<]*)</a>', behind.partition("</p>")[0])


def test_a_table_of_somebody_who_withdrew_that_was_opened_again_is_not_called_abandoned(cup):
    league, segments = cup
    told(league, type="player_withdrawn", player="ann")
    assert f"ann withdrew. What was played counts, {ABANDONED}." in said(league)
    assert OPENED_AGAIN not in said(league)
    at, table = next(
        (at, table)
        for at, table in enumerate(segments[1]["tables"], 1)
        if any("ann" in team for team in table["teams"])
    )
    open_again(league, table["match"])
    for path in ("/cup", "/cup/print"):
        assert "ann withdrew. What was played counts." in said(league, path)
        assert ABANDONED not in said(league, path)
    assert places(league, OPENED_AGAIN) == [(table["match"], f"Segment 2, table {at}")]
    # A table at which nobody who withdrew sits was never abandoned.
    elsewhere = next(each for each in EIGHT if not any(each in team for team in table["teams"]))
    told(league, type="player_withdrawn", player=elsewhere)
    assert f"{elsewhere} withdrew. What was played counts, {ABANDONED}." in said(league)


def test_whoever_withdrew_when_all_was_played_left_no_table_to_abandon(cup):
    league, segments = cup
    play(league, segments[1:])
    told(league, type="player_withdrawn", player="ann")
    assert "ann withdrew. What was played counts." in said(league)


@pytest.mark.parametrize("path", ["/cup", "/cup/print"])
def test_it_is_said_why_whoever_withdrew_stands_last(cup, path):
    """Else the second-best total stands in the last place for no reason."""
    league, _ = cup
    sentence = "Whoever withdrew comes after all others."
    assert sentence not in said(league, path)
    told(league, type="player_withdrawn", player="ann")
    assert sentence in said(league, path)


@pytest.mark.parametrize("role", ["viewer", "scorekeeper"])
def test_the_reasons_that_were_given_are_shown(cup, role):
    league, _ = cup
    told(league, type="player_withdrawn", player="ann", reason="the last bus")
    told(league, type="player_withdrawn", player="bo")
    assert "ann withdrew (the last bus). What was played" in said(league, role=role)
    assert "bo withdrew. What was played" in said(league, role=role)
    told(league, type="tournament_closed", reason="<b>the hall</b> shuts at ten")
    assert "Why it was closed: &lt;b&gt;the hall&lt;/b&gt; shuts at ten" in said(league, role=role)


def test_a_reason_is_neither_in_the_hall_nor_on_the_sheets(cup):
    league, _ = cup
    told(league, type="player_withdrawn", player="ann", reason="migraine")
    told(league, type="tournament_closed", reason="late")
    for path in ("/cup/print", "/cup/hall"):
        assert not re.search("migraine|late[^ds]", said(league, path))


def test_nothing_is_said_of_reasons_where_none_were_given(cup):
    league, _ = cup
    told(league, type="tournament_closed")
    assert "Why it was closed" not in said(league)


def test_a_table_of_an_earlier_segment_that_was_opened_again_is_named(cup):
    """The hall goes back to that segment, and the champion would be gone without a word."""
    league, segments = cup
    assert EARLIER not in said(league)
    play(league, segments[1:])
    assert "Champion" in said(league)
    match = segments[0]["tables"][1]["match"]
    open_again(league, match)
    assert "Champion" not in said(league)
    assert places(league, EARLIER) == [(match, "Segment 1, table 2")]
    play(league, [{"tables": [segments[0]["tables"][1] | {"rounds": [1]}]}])
    assert EARLIER not in said(league)


def test_a_table_of_the_segment_that_is_played_is_not_called_behind(cup):
    league, segments = cup
    play(league, [{"tables": segments[1]["tables"][:1]}])
    assert EARLIER not in said(league)
    assert OPENED_AGAIN not in said(league)
