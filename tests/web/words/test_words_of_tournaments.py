"""Singular, plural and Chinese punctuation on pages other than the match's."""

import re

import pytest

from tests.api.serving import tally

FOUR = ["ann", "bo", "cy", "di"]
NAMES = ["安安", "阿寶", "小西", "迪迪"]
HALF_WIDTH = re.compile(r"[\u4e00-\u9fff][,:;]|[\u4e00-\u9fff]\)?[,;] ?[\u4e00-\u9fff]")


def shown(league, path, language):
    headers = {"accept-language": language}
    address = f"/l/{league.slug}{path}"
    answer = league.served.ask("GET", address, token=league.scorekeeper.token, headers=headers)
    assert answer.status_code == 200
    text = re.sub(r"<script.*?</script>", "", answer.text, flags=re.DOTALL)
    return re.sub(r"<[^>]*>", "", text)


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (0, "Choose 4 to 41 people."),
        (1, "Choose 4 to 41 people."),
        (3, "Choose 4 to 41 people."),
        (4, "4 people: 3 segments, 1 table at the same time."),
        (5, "5 people: 5 segments, 1 table at the same time."),
        (14, "With 14 people not everybody can be"),
        (42, "Choose 4 to 41 people."),
    ],
)
def test_a_new_tournament_says_whether_so_many_can_play(served, number, said):
    names = "%0A".join(f"P{n}" for n in range(number))
    assert said in shown(served.league(FOUR), f"/t/new?name=Cup&added={names}", "en")


@pytest.fixture(scope="module")
def ended(served):
    """A tournament that is over, one that is played, and a match that two won together."""
    league = served.league(FOUR)
    for player, name in zip(FOUR, NAMES, strict=True):
        league.owner.patch(f"/players/{player}", {"name": name})
    cup = {"tournament": "cup", "name": "盃賽", "edition": "basic", "players": FOUR}
    segments = league.scorekeeper.post("/tournaments", cup).json()["segments"]
    another = cup | {"tournament": "runs"}
    assert league.scorekeeper.post("/tournaments", another).status_code == 201
    for table in (table for segment in segments for table in segment["tables"]):
        told = {"events": [tally("di", ann=10, bo=10, cy=10)] * 4}
        league.scorekeeper.post(f"/matches/{table['match']}/events", told)
    match = league.match(match="pairs", dealer="ann", teams=[["ann", "cy"], ["bo", "di"]])
    match.tell(tally("ann", bo=10, cy=20, di=30), {"type": "match_closed"})
    return league


@pytest.mark.parametrize("path", ["", "/t/cup", "/t/cup/hall", "/t/runs/hall", "/t/cup/print"])
def test_chinese_sentences_have_chinese_punctuation(ended, path):
    text = shown(ended, path, "zh-TW")
    assert re.search("[\u4e00-\u9fff]", text)
    assert HALF_WIDTH.findall(text) == []


def test_numbers_that_work_are_listed_as_the_language_lists(served):
    league = served.league(FOUR)
    names = "%0A".join(f"P{n}" for n in range(14))
    for language, numbers in (("en", "work: 13, 16."), ("zh-TW", "：13、16。")):
        assert numbers in shown(league, f"/t/new?name=Cup&added={names}", language)
