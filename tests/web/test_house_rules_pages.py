"""What tables play beside the booklet, on the pages: to look up, to choose, and in force."""

import re
from html import unescape

import pytest

from scorekeeper.editions.house_rules.registry import house_rule_clauses
from scorekeeper.editions.registry import edition_ids

LANGUAGES = ("en", "zh-TW")


def in_words(text, language):
    return text.zh_tw if language == "zh-TW" else text.en


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", edition_ids())
def test_a_booklet_has_the_house_rules_under_a_heading_of_their_own(served, edition, language):
    headers = {"accept-language": language}
    page = served.ask("GET", f"/e/{edition}", token=None, headers=headers).text
    heading = {"en": "House rules", "zh-TW": "家規"}[language]
    booklet, _, house = page.partition(f'<h2 id="house-rules">{heading}</h2>')
    assert 'id="V-' not in booklet
    shown = re.findall(r'<li id="([^"]+)"><a href="#\1">\1</a> (.*?)</li>', house)
    assert [(name, unescape(text)) for name, text in shown] == [
        (clause.id, in_words(clause.text, language)) for clause in house_rule_clauses()
    ]
