"""Where points do not count, pages say so beside the totals, and who has won how many rounds."""

import re
from html import unescape

import pytest

from tests.api.serving import tally

THREE_ROUNDS = {"mode": "first-out", "rounds": 3}
WORDS = {
    "en": "Points do not count here: whoever goes out wins the round.",
    "zh-TW": "這裡不計分數：先出完牌的人贏得該輪。",
}
PAIRS = [["ann", "cy"], ["bo", "di"]]


def text_of(league, path, language="en"):
    headers = {"accept-language": language}
    address = f"/l/{league.slug}{path}"
    page = league.served.ask("GET", address, token=league.scorekeeper.token, headers=headers).text
    body = re.sub(r"<(script|title).*?</\1>", "", page, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", "", body)).split())


@pytest.fixture(scope="module")
def league(served):
    found = served.league()
    found.match(match="rounds", dealer="ann", scoring=THREE_ROUNDS)
    found.match(match="points", dealer="ann")
    return found


@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize("page", ["", "/pad", "/tv"])
def test_it_is_said_on_each_page_of_the_match_and_in_no_other_mode(league, page, language):
    assert text_of(league, f"/m/rounds{page}", language).count(WORDS[language]) == 1
    assert WORDS[language] not in text_of(league, f"/m/points{page}", language)


@pytest.mark.parametrize(
    ("teams", "won"),
    [(None, "Rounds won Ann 2 Bo 0 Cy 2 Di 0"), (PAIRS, "Rounds won Ann + Cy 3 Bo + Di 0")],
)
def test_the_rounds_are_counted_for_each_side(served, teams, won):
    """A round that partners win together, by a wild friendship, counts once for both."""
    league = served.league()
    for player in ("ann", "bo", "cy", "di"):
        league.owner.patch(f"/players/{player}", {"name": player.title()})
    opened = {} if teams is None else {"teams": teams}
    scoring = {"mode": "first-out", "rounds": 5}
    match = league.match(match="evening", edition="mickey", dealer="ann", scoring=scoring, **opened)
    assert "Rounds won" not in text_of(league, "/m/evening")
    match.tell(tally("ann"), tally("cy"), tally("ann", "cy"))
    for page in ("", "/m/evening", "/m/evening/tv"):
        assert won in text_of(league, page)
    # A plot of totals that are all 0 says nothing.
    assert "Totals by round" not in text_of(league, "/m/evening")
