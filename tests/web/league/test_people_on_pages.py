"""Wherever totals are shown, substitutes and eliminated players are named in words."""

import json
import re

import pytest

from tests.api.serving import tally

ELIMINATION = {"scoring": {"mode": "elimination", "target": 100}}
PAGES = ("", "/pad", "/cards", "/tv")


@pytest.fixture
def substituted(league):
    """A match in which Dora plays the second round in Bo's seat."""
    league.owner.post("/players", {"player": "p-1", "name": "Dora"})
    match = league.match(dealer="ann")
    match.tell(
        tally("ann", bo=1, cy=2, di=3),
        {"type": "player_substituted", "player": "bo", "substitute": "p-1"},
        tally("bo", ann=1, cy=2, di=3),
    )
    return match


def shown(league, match, page, language="en"):
    headers = {"accept-language": language}
    address = f"/l/{league.slug}/m/{match.slug}{page}"
    token = league.callers["owner"].token
    return league.served.ask("GET", address, token=token, headers=headers).text


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(("language", "told"), [("en", "Dora for bo"), ("zh-TW", "Dora 代替 bo")])
def test_a_substitute_is_named_beside_the_player(league, substituted, page, language, told):
    assert f'<th scope="row">{told}</th>' in shown(league, substituted, page, language)


@pytest.mark.parametrize("page", PAGES[1:])
def test_a_script_has_the_name_of_a_substitute(league, substituted, page):
    text = shown(league, substituted, page)
    given = json.loads(re.search(r'id="given">(.*?)</script>', text, re.DOTALL)[1])
    assert given["names"]["p-1"] == "Dora"


def test_a_round_was_won_by_whoever_sat_there(league, substituted):
    text = shown(league, substituted, "")
    assert "ann went out." in text
    assert "Dora went out." in text


@pytest.mark.parametrize(("language", "told"), [("en", "Dora for bo"), ("zh-TW", "Dora 代替 bo")])
def test_each_round_says_who_sat_in_for_whom(league, substituted, language, told):
    """The line of totals names who sits there now, and the player may be back by then."""
    substituted.tell({"type": "player_substituted", "player": "bo", "substitute": "bo"})
    substituted.tell(tally("cy", ann=1, bo=2, di=3))
    rounds = shown(league, substituted, "", language).partition('class="rounds"')[2].split("</li>")
    assert [told in each for each in rounds[:3]] == [False, True, False]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(("language", "told"), [("en", "out"), ("zh-TW", "已淘汰")])
def test_who_is_out_is_said_in_a_word(league, page, language, told):
    match = league.match(**ELIMINATION)
    match.tell(tally("ann", bo=150, cy=2, di=3))
    text = shown(league, match, page, language)
    assert f'<th scope="row">bo · {told}</th>' in text
    assert '<th scope="row">cy</th>' in text


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_it_is_said_who_scores_together(league, page, language):
    match = league.match(teams=[["ann", "cy"], ["bo", "di"]], dealer="ann")
    text = re.sub("</?bdi>", "", shown(league, match, page, language))
    assert '<p class="partners">ann + cy · bo + di</p>' in text


@pytest.mark.parametrize(
    ("scoring", "english", "chinese"),
    [
        (
            {"mode": "winner-collects", "target": 300},
            "UNO, the basic game · Winner collects · to 300 points",
            "UNO 基本規則 · 贏家得分 · 打到 300 分",
        ),
        (
            {"mode": "plus-minus", "rounds": 5},
            "UNO, the basic game · Plus and minus · 5 rounds",
            "UNO 基本規則 · 正負分 · 5 輪",
        ),
    ],
)
def test_the_page_of_a_match_says_how_it_is_scored_and_until_when(
    league, scoring, english, chinese
):
    match = league.match(match="named", scoring=scoring, dealer="ann")
    assert english in shown(league, match, "")
    assert chinese in shown(league, match, "", "zh-TW")
