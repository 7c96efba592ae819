"""House rules on the pages: explained, offered for a choice, and shown in a match that has them."""

import re
from html import unescape

import pytest

from scorekeeper.editions.house_rules.registry import HOUSE_RULES, REVISION, house_rule_clauses
from scorekeeper.editions.registry import edition_ids
from scorekeeper.rules.clauses import Text
from scorekeeper.rules.edition import Choice, HouseRule
from scorekeeper.web import house_rules
from tests.api.serving import PLAYERS

LANGUAGES = ("en", "zh-TW")
CHOSEN = {"stacking": "same", "seven": "swap", "forced_play": "hand", "hand_size": 9}


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


def text_of(html):
    """Return the text of a page in one line, without tags."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


@pytest.fixture(scope="module")
def league(served):
    league = served.league()
    league.match(match="plain")
    league.match(match="house", edition="mario", house_rules=CHOSEN)
    return league


def get(league, path, language="en", role="scorekeeper", **query):
    token = league.callers[role].token
    headers = {"accept-language": language}
    address = f"/l/{league.slug}{path}"
    answer = league.served.ask("GET", address, token=token, headers=headers, params=query)
    assert answer.status_code == 200
    return answer.text


def offered_on(page):
    """Return, by house rule, its label, its variants with their texts, and the chosen variants."""
    found = {}
    for label, name, options, said in re.findall(
        r'<label>([^<]*)<select name="house\.(\w+)">(.*?)</select></label>\s*<ul(.*?)</ul>',
        page,
        re.DOTALL,
    ):
        variants = re.findall(r'<option value="([\w-]+)"( selected)?>([^<]*)<', options)
        texts = re.findall(r"<li><strong>(.*?)</strong> (.*?)</li>", said)
        assert [words for _, _, words in variants] == [words for words, _ in texts]
        said_of = zip((variant for variant, _, _ in variants), texts, strict=True)
        chosen = [variant for variant, selected, _ in variants if selected]
        choices = {variant: tuple(map(unescape, told)) for variant, told in said_of}
        found[name] = (unescape(label), choices, "".join(chosen))
    for field in re.findall(r'<label>[^<]*<input type="number"[^>]*name="house\.[^>]*>', page):
        (name,) = re.findall(r'name="house\.(\w+)"', field)
        bounds = re.search(r'min="(\d+)" max="(\d+)" value="(\d*)"', field)
        found[name] = (text_of(field), (int(bounds[1]), int(bounds[2])), bounds[3])
    return found


def expected(language, chosen):
    between = "" if language == "zh-TW" else " "
    found = {}
    for rule in HOUSE_RULES[REVISION]:
        label, now = in_words(rule.label, language), str(chosen.get(rule.name, ""))
        if rule.numbers is None:
            choices = {
                variant: (
                    in_words(choice.name, language),
                    between.join(in_words(rule.clauses[each], language) for each in choice.clauses),
                )
                for variant, choice in rule.choices.items()
            }
            found[rule.name] = (label, choices, now)
        else:
            found[rule.name] = (label, (rule.numbers[0], rule.numbers[-1]), now)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", ["/new", "/t/new"])
def test_a_form_offers_each_house_rule_in_words_and_begins_with_those_played_last(
    league, path, language
):
    assert offered_on(get(league, path, language)) == expected(language, CHOSEN)


@pytest.mark.parametrize("path", ["/new", "/t/new"])
def test_all_are_off_in_a_league_that_played_by_the_booklet(served, path):
    league = served.league()
    assert offered_on(get(league, path)) == expected("en", {})
    league.match(house_rules={"seven": "number", "hand_size": 7})
    assert offered_on(get(league, path)) == expected("en", {})


@pytest.mark.parametrize("path", ["/new", "/t/new"])
def test_tables_of_a_tournament_are_not_what_was_played_last(served, path):
    league = served.league()
    cup = {"tournament": "cup", "name": "The cup", "edition": "basic", "players": list(PLAYERS)}
    opened = league.owner.post("/tournaments", cup | {"house_rules": {"hand_size": 9}})
    assert opened.status_code == 201
    assert offered_on(get(league, path)) == expected("en", {})
    league.match(house_rules=CHOSEN, players=list(PLAYERS[:2]))
    league.owner.post("/tournaments", cup | {"tournament": "cup-2"})
    assert offered_on(get(league, path)) == expected("en", CHOSEN)


def test_the_form_of_a_tournament_keeps_what_was_chosen_while_it_is_laid_out(league):
    asked = {"name": "cup", "house.zero": "pass", "house.seven": "", "house.hand_size": "9"}
    shown = offered_on(get(league, "/t/new", **asked))
    assert shown == expected("en", {"zero": "pass", "hand_size": 9})


@pytest.mark.parametrize("path", ["/new", "/t/new"])
def test_a_house_rule_that_is_added_appears_without_a_change_of_the_page(league, path, monkeypatch):
    added = HouseRule(
        name="tea",
        label=Text("Tea", "茶"),
        booklet="none",
        choices={"green": Choice(Text("green tea", "綠茶"), ("V-TEA",))},
        clauses={"V-TEA": Text("House rule: there is tea.", "家規：有茶。")},
        applied=lambda edition, _: edition,
    )
    more = {REVISION: (*HOUSE_RULES[REVISION], added)}
    monkeypatch.setattr(house_rules, "HOUSE_RULES", more)
    shown = offered_on(get(league, path, "zh-TW"))
    assert shown["tea"] == ("茶", {"green": ("綠茶", "家規：有茶。")}, "")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", ["/m/house", "/m/house/cards"])
def test_a_match_says_what_it_is_played_by_with_the_clauses(league, path, language):
    page = get(league, path, language)
    (folded,) = re.findall(r'<details class="house">.*?</details>', page, re.DOTALL)
    shown = text_of(folded)
    assert shown.startswith({"en": "4 house rules", "zh-TW": "4 條家規"}[language])
    texts = {clause.id: in_words(clause.text, language) for clause in house_rule_clauses()}
    for clause in ("V-STACK-SAME", "V-FORCE-HAND", "V-FORCE-DRAWN", "V-SEVEN", "V-HAND-SIZE"):
        assert f"{texts[clause]} {clause}" in shown
        assert f'href="/e/mario#{clause}"' in folded
    said = {"en": ("Seven: exchange hands", "Cards dealt: 9"), "zh-TW": ("7 換手牌：", "發幾張：9")}
    assert all(each in shown for each in said[language])


@pytest.mark.parametrize("path", ["/m/house/pad", "/m/plain", "/m/plain/cards"])
def test_nothing_is_said_where_it_does_not_matter(league, path):
    assert 'class="house"' not in get(league, path)
