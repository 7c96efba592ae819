"""Chinese sentences have Chinese punctuation, even where a page composes them."""

import re

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.pages.test_replay_by_hand import ROUND

# Half-width punctuation next to a Chinese character, on either side.
NARROW = re.compile(r"[一-鿿][,:;.?!](?!\d)[^\n]{0,20}|[,:;.?!] ?[一-鿿][^\n]{0,20}")


@pytest.fixture
def phone(site, phones, league):
    return phones.phone(site, league.owner, language="zh-TW")


def has_its_own_signs(phone):
    assert NARROW.findall(phone.locator("main").inner_text()) == []


def test_on_the_pad(phone, league, match):
    phone.goto(f"/l/{league.slug}/m/first/pad")
    people = phone.locator(".who button")
    people.nth(3).click()
    phone.get_by_role("switch").last.check()
    for field in phone.get_by_role("spinbutton").all():
        field.fill("5")
    expect(phone.locator("#brings")).to_have_text(re.compile("^第 1 輪：美美 "))
    has_its_own_signs(phone)
    league.tell(match, tally("ann", **{"bo": 5, "oma-ida": 5, "mei": ["red-9", "red-8"]}))
    phone.locator(".foot button").last.click()
    both = phone.get_by_role("group", name="第 1 輪有兩份紀錄")
    expect(both).to_contain_text("美美：紅色 9、紅色 8")
    has_its_own_signs(phone)


def test_card_by_card(phone, league, match):
    league.tell(match, *ROUND[:2])
    phone.goto(f"/l/{league.slug}/m/first/cards")
    expect(phone.get_by_role("heading", name="輪到 Bo 出牌")).to_be_visible()
    expect(phone.get_by_role("row", name="Bo")).to_contain_text("輪到出牌")
    has_its_own_signs(phone)


def test_on_a_replay(phone, league):
    match = league.match(dealer="ann")
    league.tell(match, *ROUND)
    for claim in ("不對。", "不是這樣。"):
        league.tell(match, {"type": "dispute_opened", "by": "mei", "round": 1, "claim": claim})
    ruled = {"type": "dispute_ruled", "dispute": len(ROUND) + 4, "ruling": "rejected"}
    league.tell(match, ruled | {"reason": "看過了。"})
    phone.goto(f"/l/{league.slug}/m/first/r/1?step=6")
    expect(phone.get_by_role("slider")).to_be_visible()
    expect(phone.get_by_text("美美：不對。")).to_be_visible()
    has_its_own_signs(phone)


@pytest.mark.parametrize(("edition", "called"), [("basic", "逆時鐘"), ("hello-kitty", "逆時針")])
def test_the_direction_is_called_as_the_booklet_calls_it(phone, league, edition, called):
    match = league.match("turned", edition=edition, dealer="ann")
    turned = {"type": "card_played", "player": "bo", "card": "red-reverse"}
    league.tell(match, ROUND[0], ROUND[1], turned)
    explained = league.get(f"{match}/rounds/1/replay", lang="zh-TW")["items"][2]["explanation"]
    assert called in explained
    for path in ("r/1?step=3", "cards", "tv"):
        phone.goto(f"/l/{league.slug}/m/turned/{path}")
        expect(phone.locator(".middle")).to_contain_text(called)
