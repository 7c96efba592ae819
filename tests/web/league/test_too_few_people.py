"""If there are too few players for a match or a tournament, the page says where to add some."""

import re

import pytest

WAY = re.compile(r'<a class="button[^"]*" href="/l/[^/]+/players">(Players|玩家)</a>')


def shown(league, path, language):
    headers = {"accept-language": language}
    address = f"/l/{league.slug}{path}"
    return league.served.ask("GET", address, token=league.scorekeeper.token, headers=headers).text


@pytest.mark.parametrize(
    ("path", "enough", "language", "needed"),
    [
        ("/new", 2, "en", "at least two people"),
        ("/new", 2, "zh-TW", "至少要有兩個人"),
        ("/t/new", 4, "en", "at least four people"),
        ("/t/new", 4, "zh-TW", "至少要有四個人"),
    ],
)
def test_too_few_people_are_told_with_the_way_to_more(served, path, enough, language, needed):
    for people in (0, enough - 1):
        text = shown(served.league([f"p{n}" for n in range(people)]), path, language)
        assert needed in text
        assert WAY.search(text)
    text = shown(served.league([f"p{n}" for n in range(enough)]), path, language)
    assert needed not in text
    assert not WAY.search(text)


def test_a_form_that_could_open_nothing_is_not_shown_and_one_that_adds_people_is(served):
    league = served.league([])
    assert "<form" not in shown(league, "/new", "en")
    form = shown(league, "/t/new", "en")
    assert "People who are new" in form
    assert "<fieldset><legend>Who plays?" not in form
