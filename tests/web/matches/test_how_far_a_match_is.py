"""Pages say of a match whether it goes on, in which round it is, or how it ended."""

import re
from html import unescape

import pytest

from tests.api.serving import tally
from tests.web.looked_at import shown

WON = {"mode": "winner-collects", "target": 50}


def text_of(league, path, language="en"):
    body = re.sub(
        r"<(script|title).*?</\1>", "", shown(league, path, {}, language), flags=re.DOTALL
    )
    return " ".join(unescape(re.sub(r"<[^>]*>", "", body)).split())


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en", ["first ★ ann", "second (abandoned)"]),
        ("zh-TW", ["first ★ ann", "second （中止）"]),
    ],
)
def test_of_the_last_matches_those_that_nobody_won_say_why(served, language, lines):
    league = served.league()
    league.match(match="first", dealer="ann", scoring=WON).tell(tally("ann", bo=60, cy=1, di=1))
    given_up = {"type": "match_abandoned", "reason": "The lamp went out."}
    league.match(match="second", dealer="ann").tell(tally("ann", bo=60, cy=1, di=1), given_up)
    last = text_of(league, "", language)
    assert all(line in last for line in lines)


def test_a_match_that_is_played_says_which_round_it_is_in(served):
    league = served.league()
    match = league.match(match="tonight", dealer="ann")
    match.tell(tally("ann", bo=10, cy=20, di=30))
    assert "tonight 1 round " in text_of(league, "")
    match.tell({"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"})
    assert "tonight Round 2 " in text_of(league, "")


@pytest.mark.parametrize(("language", "said"), [("en", "★ Won by ann"), ("zh-TW", "★ ann 獲勝")])
def test_the_board_says_in_a_sentence_who_won(served, language, said):
    league = served.league()
    league.match(match="tonight", dealer="ann", scoring=WON).tell(tally("ann", bo=60, cy=1, di=1))
    assert said in text_of(league, "/m/tonight/tv", language)
    league.match(match="open", dealer="ann")
    assert "★" not in text_of(league, "/m/open/tv", language)


def test_what_only_a_screen_can_do_is_not_printed(served):
    """Nothing on paper can be opened or tapped. The sheet for paper leaves `actions` out."""
    league = served.league()
    league.match(match="tonight", dealer="ann").tell(tally("ann", bo=10, cy=20, di=30))
    page = league.served.ask("GET", f"/l/{league.slug}/m/tonight", token=league.scorekeeper.token)
    assert re.search(r'<p class="hint actions">Was a round told wrongly\?', page.text)


def test_chinese_headings_name_what_stands_below_them(served):
    """A list of rounds is no number of rounds, and a score is no round."""
    league = served.league()
    league.match(match="tonight", dealer="ann").tell(tally("ann", bo=10, cy=20, di=30))
    assert " 各輪紀錄 第 1 輪 " in text_of(league, "/m/tonight", "zh-TW")
    assert "玩家本輪總分" in text_of(league, "/m/tonight/r/1", "zh-TW")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "not decided An owner of the league decides it here."),
        ("zh-TW", "尚未裁決 由聯盟的擁有者在這裡裁決。"),
    ],
)
def test_an_open_dispute_says_to_others_than_owners_who_decides_it(served, language, said):
    league = served.league()
    dispute = {"type": "dispute_opened", "by": "bo", "round": 1, "claim": "It was 1."}
    match = league.match(match="tonight", dealer="ann")
    match.tell(tally("ann", bo=10, cy=20, di=30), dispute)
    assert said in text_of(league, "/m/tonight/r/1", language)
    path = f"/l/{league.slug}/m/tonight/r/1"
    assert "An owner" not in served.ask("GET", path, token=league.owner.token).text
    ruled = {"type": "dispute_ruled", "dispute": match.log()[-1]["version"], "ruling": "rejected"}
    told = {"events": [ruled | {"reason": "It was 10."}]}
    assert league.owner.post("/matches/tonight/events", told).status_code == 201
    assert said not in text_of(league, "/m/tonight/r/1", language)
