"""Pages are legible and usable with forced colours, in the dark, and by shape instead of colour."""

import pytest
from playwright.sync_api import expect

from scorekeeper.editions.registry import EDITIONS, latest
from tests.browser.evening import SLUGS
from tests.browser.pages.test_replay_by_hand import ROUND

BOOKLETS = tuple(dict.fromkeys(edition for edition, _ in EDITIONS))
# The contrast that WCAG 2 asks for, since labels of cards are no larger than the text.
LEAST = 4.5
FAINT = """(least) => {
    const numbers = (color) => color.match(/[\\d.]+/g).slice(0, 3).map((each) => each / 255);
    const light = (color) => numbers(color)
        .map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4))
        .reduce((sum, each, at) => sum + each * [0.2126, 0.7152, 0.0722][at], 0);
    const opacity = (each) => (each === null ? 1
        : getComputedStyle(each).opacity * opacity(each.parentElement));
    return [...document.querySelectorAll(".face, .colors button")].map((each) => {
        const {color, backgroundColor} = getComputedStyle(each);
        const [dark, bright] = [light(color), light(backgroundColor)].sort((a, b) => a - b);
        const contrast = (bright + 0.05) / (dark + 0.05);
        const faint = contrast < least || (!each.disabled && opacity(each) < 1);
        return faint ? `${each.className} ${contrast.toFixed(2)}` : "";
    }).filter(Boolean);
}"""

SHAPED = {"red", "yellow", "green", "blue"}
BEYOND = """() => [...document.querySelectorAll("span.face > [data-sign]")].filter((sign) => {
    const [inner, outer] = [sign, sign.parentElement].map((each) => each.getBoundingClientRect());
    return inner.left < outer.left || inner.right > outer.right;
}).map((sign) => sign.dataset.sign)"""


@pytest.fixture
def league(site):
    return site.league()


def told(league, page, edition):
    """Return the colours' buttons of a pad on which a hand is entered by its cards."""
    scoring = {"mode": "winner-collects"}
    match = league.match(match=edition, edition=edition, dealer="ann", scoring=scoring)
    page.goto(f"/l/{league.slug}{match.replace('/matches/', '/m/')}/pad")
    page.get_by_role("group", name="Who went out?").get_by_role("button").first.click()
    return page.get_by_role("group", name="Colour").get_by_role("button")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_what_a_card_says_can_be_read_on_its_colour(site, phones, league, dark):
    page = phones.phone(site, league.scorekeeper, dark=dark)
    page.emulate_media(reduced_motion="reduce")
    for edition in BOOKLETS:
        colors = told(league, page, edition)
        expect(colors.first).to_be_visible()
        for color in colors.all():
            color.click()
            expect(color).to_have_attribute("aria-pressed", "true")
            assert page.evaluate(FAINT, LEAST) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_what_is_known_now_can_be_read_on_a_replay(site, phones, league, dark):
    match = league.match(dealer="ann")
    league.tell(match, *ROUND)
    page = phones.phone(site, league.owner, dark=dark)
    page.goto(f"/l/{league.slug}/m/first/r/1?step=3")
    expect(page.locator(".since .face").first).to_be_visible()
    assert page.evaluate(FAINT, LEAST) == []


def looks(button):
    """Return the button's colours without the focus, with whatever colours the browser forces."""
    told = "each => [getComputedStyle(each).backgroundColor, getComputedStyle(each).borderColor]"
    return button.evaluate(told)


def can_be_read(button):
    """Return whether browsers draw no plate behind the text, which would have the same colour."""
    return button.evaluate("each => getComputedStyle(each).forcedColorAdjust") == "none"


def test_what_is_pressed_differs_in_colours_of_ones_own(site, phones, league):
    page = phones.phone(site, league.scorekeeper)
    page.emulate_media(forced_colors="active", reduced_motion="reduce")
    colors = told(league, page, "basic")
    expect(colors.first).to_have_attribute("aria-pressed", "true")
    assert looks(colors.first) != looks(colors.nth(1))
    assert can_be_read(colors.first)
    people = page.get_by_role("group", name="Who went out?").get_by_role("button")
    assert looks(people.first) != looks(people.nth(1))
    assert can_be_read(people.first)
    match = league.match("second", dealer="mei", house_rules={"hand_size": 2})
    league.tell(match, ROUND[0], {"type": "first_card_turned", "card": "red-5"})
    page.goto(f"/l/{league.slug}/m/second/cards")
    calls = page.get_by_role("group", name="Does Ann call UNO with it?").get_by_role("button")
    calls.first.click()
    assert looks(calls.first) != looks(calls.nth(1))
    assert can_be_read(calls.first)


@pytest.mark.parametrize("forced", ["none", "active"])
def test_a_replay_shows_that_it_stands_side_by_side(site, phones, league, forced):
    match = league.match(dealer="ann")
    league.tell(match, *ROUND)
    amended = {"type": "log_amended", "from": 3, "remove": 1, "reason": "No."}
    league.tell(match, amended | {"insert": [{**ROUND[1], "card": "red-9"}]})
    page = phones.phone(site, league.owner)
    page.emulate_media(forced_colors=forced, reduced_motion="reduce")
    page.goto(f"/l/{league.slug}/m/first/r/1")
    beside = page.get_by_role("button", name="Side by side")
    before = looks(beside)
    beside.click()
    expect(beside).to_have_attribute("aria-pressed", "true")
    page.mouse.move(0, 0)
    assert looks(beside) != before


@pytest.mark.parametrize(
    ("page", "said"), [("tv", "colour red"), ("r/1?step=3", "red ribbon · red")]
)
def test_the_colour_that_is_named_with_a_ribbon_is_said_though_it_is_red(
    site, phones, league, page, said
):
    """The ribbon is a wild card, whatever its name begins with."""
    match = league.match(dealer="ann", edition="hello-kitty")
    laid = {"type": "card_played", "player": "bo", "card": "red-ribbon", "color": "red"}
    begun = {"type": "round_started"}, {"type": "first_card_turned", "card": "red-7"}
    league.tell(match, *begun, laid)
    phone = phones.phone(site, league.viewer)
    phone.goto(f"/l/{league.slug}/m/first/{page}")
    expect(phone.locator("p.middle")).to_contain_text(said)


@pytest.mark.parametrize("edition", BOOKLETS)
def test_what_stands_on_a_small_card_stands_within_it(site, phones, league, edition):
    match = league.match(dealer="ann", edition=edition)
    wilds = [card for card in latest(edition).deck.value if card.split("-")[0] not in SHAPED]
    hand = [*wilds, "red-draw-two", "blue-reverse", "green-skip", "yellow-8"][:7]
    league.tell(match, {"type": "round_started", "hands": {"ann": hand}})
    page = phones.phone(site, league.scorekeeper)
    page.goto(f"/l/{league.slug}/m/first/r/1")
    expect(page.locator("span.face")).to_have_count(len(hand))
    assert page.evaluate(BEYOND) == []


@pytest.mark.parametrize("path", ["m/{}/r/1", "m/{}", "m/{}/tv", "players/ann", "table"])
def test_on_paper_everything_is_as_in_the_light(site, phones, league, path):
    match = league.match("evening", dealer="ann")
    league.tell(match, *ROUND)
    page = phones.phone(site, league.viewer, dark=True)
    page.goto(f"/l/{league.slug}/{path.format('evening')}")
    page.emulate_media(media="print")
    inks = (
        "() => [...document.querySelectorAll('main *')].map((each) => getComputedStyle(each).color)"
    )
    dark = page.evaluate(inks)
    page.emulate_media(media="print", color_scheme="light")
    assert page.evaluate(inks) == dark


def test_on_paper_a_replay_has_all_its_steps_and_nothing_lies_over_them(site, phones, league):
    match = league.match("evening", dealer="ann")
    league.tell(match, *ROUND)
    page = phones.phone(site, league.viewer)
    page.goto(f"/l/{league.slug}/m/evening/r/1?step=4")
    controls = page.get_by_role("group", name="Steps")
    expect(controls).to_be_visible()
    steps = page.locator(".steps > li")
    assert steps.filter(visible=True).count() == 1
    page.emulate_media(media="print")
    expect(controls).to_be_hidden()
    assert steps.filter(visible=True).count() == steps.count() > 4
    # Clauses are named in each step, and have their texts once, below.
    expect(steps.get_by_role("link", name="B-MATCH")).not_to_have_count(0)
    expect(page.locator(".steps li ul")).to_be_hidden()
    expect(page.get_by_role("table", name="Hands")).to_be_hidden()
    assert page.get_by_role("button").filter(visible=True).count() == 0


def test_which_part_is_shown_has_a_sign_beside_its_colour(site, phones, league):
    match = league.match("evening", dealer="ann")
    league.tell(match, *ROUND)
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": list(SLUGS)}
    league.send("/tournaments", cup)
    page = phones.phone(site, league.viewer)
    for path, shown in (
        ("m/evening/r/1?view=recorded", "As recorded"),
        ("m/evening/r/1", "As corrected"),
        ("t/cup/print", "Everything"),
        ("t/cup/print?segment=2", "Segment 2"),
        ("table", "All"),
    ):
        page.goto(f"/l/{league.slug}/{path}")
        parts = page.locator("main .actions a[aria-current]")
        expect(parts).to_have_text([f"✓ {shown}"])
        expect(page.get_by_role("link", name=shown, exact=True)).to_have_count(1)


def test_a_code_stays_dark_on_white_whatever_colours_are_chosen(site, phones, league):
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": list(SLUGS)}
    league.send("/tournaments", cup)
    page = phones.phone(site, league.owner, dark=True)
    page.emulate_media(forced_colors="active")
    page.goto(f"/l/{league.slug}/t/cup/hall")
    expect(page.locator(".code-image")).to_have_css("background-color", "rgb(255, 255, 255)")
    page.goto(f"/l/{league.slug}/admin")
    page.get_by_role("button", name="Invite").click()
    expect(page.locator(".code-image")).to_have_css("background-color", "rgb(255, 255, 255)")
