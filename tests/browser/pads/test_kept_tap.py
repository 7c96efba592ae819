"""Card by card, a tap that was not recorded is sent again after the page is loaded anew, once."""

import pytest
from playwright.sync_api import expect

from tests.browser.holding import Fault, Held
from tests.browser.padding import send_home
from tests.browser.waiting import until


@pytest.fixture
def match(league):
    """A match in which it is Bo's turn."""
    begun = league.match(dealer="ann")
    league.tell(begun, {"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"})
    return begun


@pytest.fixture
def cards(site, phones, league, match):
    page = phones.phone(site, league.scorekeeper)
    page.goto(f"/l/{league.slug}{match.replace('/matches/', '/m/')}/cards")
    return page


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def recorded(page):
    expect(page.get_by_role("status")).to_contain_text("Recorded")


def kinds(league, match):
    return [each["type"] for each in league.get(f"{match}/events")["items"]]


def drawn(league, match):
    return kinds(league, match).count("cards_drawn")


@pytest.fixture
def untold(cards):
    """The network, which was cut when Bo's draw was tapped."""
    gone = Fault(cards, "**/v1/**", lambda route: route.abort())
    press(cards, "Draw")
    expect(cards.get_by_role("alert")).to_contain_text("No connection. Try again.")
    return gone


def test_a_tap_that_was_told_without_a_network(league, match, cards, untold):
    untold.mend()
    cards.reload()
    recorded(cards)
    assert drawn(league, match) == 1
    cards.reload()
    expect(cards.get_by_role("row", name="Bo")).to_contain_text("8 cards")
    expect(cards.get_by_role("alert")).to_have_count(0)
    assert drawn(league, match) == 1


def test_a_tap_that_is_opened_on_without_a_network_is_offered_still(league, match, cards, untold):
    cards.reload()
    expect(cards.get_by_role("alert")).to_contain_text("No connection. Try again.")
    untold.mend()
    press(cards, "Try again")
    recorded(cards)
    assert drawn(league, match) == 1


def test_a_tap_whose_answer_was_still_awaited(league, match, cards):
    answer = Held(cards, "**/events?*", "POST")
    press(cards, "Draw")
    answer.wait()
    cards.reload()
    recorded(cards)
    assert drawn(league, match) == 1


def test_a_tap_that_somebody_was_ahead_of_is_asked_about(league, match, cards, untold):
    league.tell(match, {"type": "cards_drawn", "player": "bo"})
    untold.mend()
    cards.reload()
    expect(cards.get_by_role("alert")).to_contain_text("Somebody told something meanwhile.")
    assert drawn(league, match) == 1
    press(cards, "Never mind")
    expect(cards.get_by_role("alert")).to_have_count(0)
    cards.reload()
    press(cards, "Pass")
    recorded(cards)
    assert drawn(league, match) == 1


def test_a_tap_that_was_told_in_a_page_that_comes_once_there_is_a_network(league, match, cards):
    cards.goto(cards.url.replace("/cards", "/pad"))
    until(cards, "() => caches.match('/offline', { ignoreVary: true }).then(Boolean)")
    cards.goto(cards.url.replace("/pad", "/cards"))
    cards.context.set_offline(True)
    press(cards, "Draw")
    expect(cards.get_by_role("alert")).to_contain_text("No connection. Try again.")
    cards.reload()
    expect(cards.get_by_role("heading", name="No connection")).to_be_visible()
    cards.context.set_offline(False)
    cards.evaluate("dispatchEvent(new Event('online'))")
    recorded(cards)
    assert drawn(league, match) == 1


@pytest.mark.parametrize("dropped", ["Never mind", "Take back"])
def test_nothing_of_a_tap_that_was_dropped(league, match, cards, untold, dropped):
    untold.mend()
    press(cards, dropped)
    expect(cards.get_by_role("alert")).to_have_count(0)
    cards.reload()
    press(cards, "Draw")
    recorded(cards)
    assert drawn(league, match) == 1


def test_a_tap_of_a_device_that_was_sent_home_once_it_is_let_in_again(site, league, match, cards):
    # The stream would say so, too.
    cards.route("**/live", lambda route: route.abort())
    cards.reload()
    send_home(league)
    press(cards, "Draw")
    expect(cards.get_by_role("alert")).to_contain_text("ask for a new code")
    expect(cards.get_by_role("button", name="Try again")).to_be_visible()
    token = league.send("/tokens", {"role": "scorekeeper", "name": "Bo's phone"})["token"]
    cards.context.clear_cookies()
    cards.context.add_cookies([site.cookie(token)])
    cards.reload()
    recorded(cards)
    assert drawn(league, match) == 1


@pytest.fixture
def two_untold(cards):
    """The network, which was cut when Bo's draw was tapped, and his pass in another tab."""
    other = cards.context.new_page()
    other.goto(cards.url)
    expect(other.get_by_role("button", name="Pass")).to_be_visible()
    gone = Fault(cards.context, "**/v1/**", lambda route: route.abort())
    for tab, name in ((cards, "Draw"), (other, "Pass")):
        press(tab, name)
        expect(tab.get_by_role("alert")).to_contain_text("No connection. Try again.")
    other.close()
    return gone


def test_a_tap_in_each_of_two_tabs_is_told_in_order(league, match, cards, two_untold):
    two_untold.mend()
    cards.reload()
    expect(cards.get_by_role("row", name="Bo")).to_contain_text("8 cards")
    expect(cards.get_by_role("alert")).to_contain_text("Somebody told something meanwhile.")
    press(cards, "Try again")
    expect(cards.get_by_role("row", name="Oma Ida")).to_contain_text("on turn")
    assert kinds(league, match)[-2:] == ["cards_drawn", "turn_passed"]
    cards.reload()
    expect(cards.get_by_role("row", name="Oma Ida")).to_contain_text("on turn")
    expect(cards.get_by_role("alert")).to_have_count(0)


def test_a_tap_of_another_tab_is_offered_after_the_first_was_dropped(
    league, match, cards, two_untold
):
    cards.reload()
    expect(cards.get_by_role("alert")).to_contain_text("No connection. Try again.")
    two_untold.mend()
    press(cards, "Never mind")
    expect(cards.get_by_role("alert")).to_contain_text("without having drawn")
    press(cards, "It was played so")
    expect(cards.get_by_role("row", name="Oma Ida")).to_contain_text("on turn")
    assert kinds(league, match)[-1] == "turn_passed"
    assert drawn(league, match) == 0


# A phone whose disk is slow: what it stores is stored half a second later.
SLOW_DISK = """
    Object.defineProperty(IDBTransaction.prototype, "oncomplete", {
        set(done) { this.addEventListener("complete", () => setTimeout(done, 500)); },
    });
"""


def test_a_tap_that_is_confirmed_while_the_phone_still_stores(league, match, cards):
    cards.add_init_script(SLOW_DISK)
    cards.reload()
    press(cards, "Pass")
    press(cards, "It was played so")
    recorded(cards)
    assert kinds(league, match)[-1] == "turn_passed"
