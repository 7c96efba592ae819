"""Every page works with only a keyboard, with enlarged text, little motion, or no scripts."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.every_page import PAGES, with_everything
from tests.browser.pages.test_replay_by_hand import ROUND

WIDTH = 390
KEYBOARD = (
    "/l/{}/t/running",
    "/l/{}/t/new?players=ann&players=bo&players=oma-ida&players=mei",
    "/l/{}/t/cup?matrix=partners",
    "/l/{}/t/cup/hall",
    "/l/{}/t/cup/print",
    "/l/{}/table?from=2025-01-01&to=2025-12-31&seats=4",
    "/l/{}/players/ann?seats=4",
    "/l/{}/players",
    "/l/{}/admin",
    "/l/{}/m/first",
    "/l/{}/m/disputed/r/1",
)
WITHOUT_A_SCRIPT = (
    "/l/{}",
    "/l/{}/players",
    "/l/{}/players/ann",
    "/l/{}/table?from=2025-01-01&to=2025-12-31",
    "/l/{}/t",
    "/l/{}/t/cup",
    "/l/{}/t/cup?matrix=partners",
    "/l/{}/t/cup/print",
    "/l/{}/m/first",
    "/e/hello-kitty",
)
# Runs before any script of the page, and notes what handles clicks: it must be focusable, too.
NOTE_CLICKS = """() => {
    window.clicked = new Set();
    const listen = EventTarget.prototype.addEventListener;
    EventTarget.prototype.addEventListener = function (kind, ...rest) {
        if (kind === "click" && this instanceof Element) window.clicked.add(this);
        return listen.call(this, kind, ...rest);
    };
}"""
CONTROLS = "a[href], button, input, select, textarea, summary, [tabindex]"
FOR_THE_MOUSE_ALONE = """(controls) => [...window.clicked].filter((each) =>
    each.isConnected && !each.matches(controls)).map((each) => each.outerHTML.slice(0, 80))"""
# Visible controls, with one of each group of radio buttons.
REACHABLE = """(controls) => {
    const shown = [...document.querySelectorAll(controls)].filter((each) => !each.disabled
        && each.tabIndex >= 0 && each.type !== "hidden" && each.checkVisibility());
    shown.forEach((each, at) => { each.dataset.control = String(at); });
    return shown.length;
}"""
FOCUSED = """() => {
    const {activeElement: each} = document;
    const {outlineStyle, outlineWidth} = getComputedStyle(each);
    const {left, top, right, bottom} = each.getBoundingClientRect();
    const seen = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2
        && right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
    return {at: each.dataset.control ?? null, seen, told: each.outerHTML.slice(0, 80)};
}"""
# Text at twice the browser's default size; the style sheet's own size is 106.25 % of the default.
TWICE_THE_SIZE = "document.documentElement.style.fontSize = '212.5%'"
# Words in buttons, and short names in row headings, that are broken across lines.
BROKEN_WORDS = """() => [...document.querySelectorAll(
    "button, .button, .scores th[scope=row], .matrix th[scope=row], .held-hands th"
)].filter((each) => {
    const {childNodes, firstChild, textContent} = each;
    if (childNodes.length !== 1 || firstChild.nodeType !== 3) return false;
    if (/\\S{9}/.test(textContent)) return false;
    return [...textContent.matchAll(/[a-z]+/gi)].some(({0: word, index}) => {
        const place = document.createRange();
        place.setStart(firstChild, index);
        place.setEnd(firstChild, index + word.length);
        return new Set([...place.getClientRects()].map(({top}) => top)).size > 1;
    });
}).map((each) => each.textContent)"""
MOVING = """() => [...document.querySelectorAll("*")].filter((each) => {
    const {transitionDuration, animationName, scrollBehavior} = getComputedStyle(each);
    const moves = transitionDuration.split(", ").some((time) => parseFloat(time) > 0);
    return moves || animationName !== "none" || scrollBehavior === "smooth";
}).map((each) => each.outerHTML.slice(0, 80))"""


@pytest.fixture(scope="module")
def played(site):
    league = with_everything(site)
    four = ["ann", "bo", "oma-ida", "mei"]
    running = {"tournament": "running", "name": "It runs", "edition": "basic", "players": four}
    league.send("/tournaments", running)
    league.send("/players", {"player": "zoe", "name": "Zoe"})
    match = league.match(match="disputed", dealer="ann")
    league.tell(match, *ROUND)
    league.tell(match, {"type": "dispute_opened", "by": "bo", "round": 1, "claim": "No."})
    return league


@pytest.fixture
def phone(site, phones, played):
    return phones.phone(site, played.owner)


def opened(phone, played, path):
    """Open the page, and unfold everything on it."""
    phone.goto(path.format(played.slug))
    if "/r/" in path:
        # A script has replaced the list of all steps by then.
        expect(phone.get_by_role("slider")).to_be_visible()
    phone.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    if "disputed" in path:
        # The form for a ruling is loaded last.
        expect(phone.get_by_role("button", name="Reject")).to_be_visible()


@pytest.fixture(scope="module")
def still(site, lasting, played):
    phone = lasting.phone(site, played.owner)
    phone.emulate_media(reduced_motion="reduce")
    return phone


@pytest.mark.parametrize("path", PAGES)
def test_a_page_follows_who_wants_large_text_and_little_motion(still, played, path):
    """With text of twice the size no page is wider than a phone, and nothing moves by itself."""
    opened(still, played, path)
    still.evaluate(TWICE_THE_SIZE)
    assert still.evaluate("document.documentElement.scrollWidth") <= WIDTH
    assert still.evaluate(MOVING) == []
    assert still.evaluate(BROKEN_WORDS) == []


def test_the_foot_of_a_pad_leaves_room_for_the_pad_with_large_text(still, played):
    still.goto(f"/l/{played.slug}/m/first/pad")
    still.evaluate(TWICE_THE_SIZE)
    foot = still.locator(".foot").bounding_box()
    assert foot["height"] < 844 / 3


@pytest.fixture(scope="module")
def noting(site, lasting, played):
    phone = lasting.phone(site, played.owner)
    phone.add_init_script(f"({NOTE_CLICKS})()")
    return phone


@pytest.mark.parametrize("path", KEYBOARD)
def test_the_tab_key_reaches_every_control_in_order_and_shows_which(noting, played, path):
    opened(noting, played, path)
    assert noting.evaluate(FOR_THE_MOUSE_ALONE, CONTROLS) == []
    number = noting.evaluate(REACHABLE, CONTROLS)
    reached = []
    # Tab stops three times in a date field.
    for _ in range(3 * number):
        noting.keyboard.press("Tab")
        now = noting.evaluate(FOCUSED)
        if now["at"] is None:
            break
        assert now["seen"], now["told"]
        if now["at"] not in reached:
            reached.append(now["at"])
    assert reached == [str(at) for at in range(number)]


def test_a_fold_is_opened_by_key(phone, played):
    phone.goto(f"/l/{played.slug}/t/running")
    fold = phone.get_by_text("Somebody sits in", exact=True)
    fold.focus()
    phone.keyboard.press("Enter")
    expect(phone.get_by_role("combobox", name="For whom?")).to_be_visible()


def test_the_focus_stays_on_the_button_that_steps_to_the_end_of_a_replay(phone, played):
    phone.goto(f"/l/{played.slug}/m/disputed/r/1")
    onward = phone.get_by_role("button", name="Next step")
    slider = phone.get_by_role("slider", name="Step")
    onward.focus()
    steps = int(slider.get_attribute("max"))
    for step in range(2, steps + 2):
        phone.keyboard.press("Enter")
        told = f"step {min(step, steps)} of {steps}"
        expect(slider).to_have_attribute("aria-valuetext", told)
        expect(onward).to_be_focused()


def test_somebody_sits_in_by_keys_alone(phone, played):
    phone.goto(f"/l/{played.slug}/t/running")
    phone.get_by_text("Somebody sits in", exact=True).focus()
    for key in ("Enter", "Tab", "b", "Tab", "z", "Tab", "Tab", "Enter"):
        phone.keyboard.press(key)
    expect(phone.get_by_text("Zoe sits in for Bo.")).to_be_visible()


def test_a_season_is_one_sheet_of_paper_to_be_hung_up(phone, played):
    """Controls are left out in print, and everything else is there."""
    phone.emulate_media(media="print", color_scheme="dark")
    phone.goto(f"/l/{played.slug}/table?from=2025-01-01&to=2025-12-31")
    expect(phone.get_by_text("Season 2025")).to_be_visible()
    expect(phone.get_by_text("★ First of the season: Bo")).to_be_visible()
    for caption in ("Standings of the league", "Head-to-heads", "Best rounds"):
        expect(phone.get_by_role("table", name=caption)).to_be_visible()
    expect(phone.locator("svg.plot")).to_be_visible()
    assert phone.locator("form, button, summary, nav").filter(visible=True).count() == 0
    assert phone.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    paper = phone.pdf(format="A4", prefer_css_page_size=False)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1


@pytest.fixture(scope="module")
def without_a_script(site, chromium, lasting):
    """A function that opens a page in a browser without JavaScript, with these tokens."""

    def opened_by(*tokens):
        context = chromium.new_context(base_url=site.url, java_script_enabled=False)
        lasting.contexts.append(context)
        context.add_cookies([site.cookie(token) for token in tokens])
        return context.new_page()

    return opened_by


@pytest.fixture(scope="module")
def viewers(site, lasting, played, without_a_script):
    """One phone with scripts, and one without any."""
    return lasting.phone(site, played.viewer), without_a_script(played.viewer)


@pytest.mark.parametrize("path", WITHOUT_A_SCRIPT)
def test_a_page_that_only_shows_shows_the_same_without_a_script(viewers, played, path):
    """This holds for viewers, who can't change anything there."""
    texts = []
    for page in viewers:
        page.goto(path.format(played.slug))
        texts.append(page.locator("body").inner_text())
    assert texts[0] == texts[1]
    assert len(texts[1]) > 50


@pytest.fixture(scope="module")
def unscripted(played, without_a_script):
    return without_a_script(played.owner)


@pytest.mark.parametrize("path", ["", "players", "t/running", "t/new", "new", "m/first/pad"])
def test_a_page_whose_forms_need_a_script_says_so_where_there_is_none(unscripted, played, path):
    page = unscripted
    page.goto(f"/l/{played.slug}/{path}" if path else "/join")
    expect(page.get_by_role("alert").filter(has_text="JavaScript")).to_be_visible()


@pytest.mark.parametrize("matrix", ["", "?matrix=partners"])
def test_short_names_at_the_head_of_a_matrix_of_many_people_stand_in_one_line(site, phones, matrix):
    slugs = [f"p{number}" for number in range(8)]
    league = site.league(["Cyrus", "Diana", "Ann", "Bo", "Oma Ida", "Eve", "Fred", "Gina"], slugs)
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": slugs}
    league.send("/tournaments", cup)
    phone = phones.phone(site, league.viewer)
    phone.goto(f"/l/{league.slug}/t/cup{matrix}")
    expect(phone.locator("table.matrix").first).to_be_visible()
    assert phone.evaluate(BROKEN_WORDS) == []
    assert phone.evaluate("document.documentElement.scrollWidth") <= WIDTH
