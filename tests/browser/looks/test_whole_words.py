"""Words and figures are not broken on a phone if there is room, even with large letters."""

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.keyboard.test_every_control import TWICE_THE_SIZE, WIDTH

NAMES = ("Wilhelmina", "Margarethe", "Friederike", "Maximilian", "Oma Ida", "Bo", "Zoe", "美美")
SLUGS = tuple(f"p{number}" for number in range(len(NAMES)))
# Words and figures that are broken across lines; Chinese may break after any character.
PARTED = """(selector) => [...document.querySelectorAll(selector)].flatMap((each) => {
    const texts = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        for (const {0: word, index} of text.data.matchAll(/[^\\s-]+-?/g)) {
            const place = document.createRange();
            place.setStart(text, index);
            place.setEnd(text, index + word.length);
            const lines = new Set([...place.getClientRects()].map(({top}) => Math.round(top)));
            if (lines.size > 1 && !/\\p{Script=Han}/u.test(word)) found.push(word);
        }
    }
    return found;
})"""
# The widest time of day, in place of the real one.
AT_ITS_WIDEST = """all => all.forEach((each) => {
    each.textContent = each.textContent.replace(/\\d+:\\d\\d/, "12:00").replace("AM", "PM");
})"""
LINES = """(button) => {
    const inside = document.createRange();
    inside.selectNodeContents(button);
    return [...new Set([...inside.getClientRects()].map(({top}) => Math.round(top)))];
}"""


@pytest.fixture(scope="module")
def played(site):
    league = site.league(NAMES, SLUGS)
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": list(SLUGS)}
    for segment in league.send("/tournaments", cup)["segments"][:2]:
        for table in segment["tables"]:
            winner, *others = table["rounds"][0]["players"]
            told = tally(winner, **dict.fromkeys(others, 100))
            league.tell(
                f"/matches/{table['match']}", *[told] * (4 if segment["segment"] == 1 else 2)
            )
    match = league.match(players=list(SLUGS[:4]))
    league.tell(match, tally("p0", p1=100, p2=100, p3=100), {"type": "match_closed"})
    league.match("running", players=list(SLUGS[:4]))
    league.send("/invitations", {"role": "owner"})
    return league


@pytest.mark.parametrize("language", ["en", "zh-TW"])
@pytest.mark.parametrize(
    ("path", "whole", "whole_when_large"),
    [
        ("/t/cup/hall", ".places strong, .places .number, .mark, td", "{}"),
        ("/t/cup", ".scroll th, td.number", ".scroll thead th, td.number"),
        ("/players/p0", "main th, td.number", "thead th, td.number, :lang(en) main th"),
        (
            "/admin",
            ".own-words th, [data-player] th, thead th, .words:not(.people) th, td.number",
            "{}",
        ),
    ],
)
def test_words_and_figures_stay_whole(
    site, phones, played, path, language, whole, whole_when_large
):
    phone = phones.phone(site, played.owner, language=language)
    phone.goto(f"/l/{played.slug}{path}")
    if path.endswith("hall"):
        expect(phone.get_by_role("combobox")).to_be_visible()
    phone.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    assert phone.evaluate(PARTED, whole) == []
    phone.evaluate(TWICE_THE_SIZE)
    assert phone.evaluate(PARTED, whole_when_large.format(whole)) == []
    assert phone.evaluate("document.documentElement.scrollWidth") <= WIDTH


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_the_buttons_at_the_foot_of_a_pad_have_one_line_each(site, phones, language):
    league = site.league(NAMES[:4], SLUGS[:4])
    league.match(players=list(SLUGS[:4]))
    phone = phones.phone(site, league.scorekeeper, language=language)
    phone.goto(f"/l/{league.slug}/m/first/pad")
    buttons = phone.locator(".foot button")
    expect(buttons).to_have_count(2)
    assert {len(each.evaluate(LINES)) for each in buttons.all()} == {1}


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_what_devices_and_people_are_called_is_not_broken_within_a_word(site, phones, language):
    league = site.league(["Charlie"], ["charlie"])
    league.send("/tokens", {"role": "viewer", "name": "Grandma's phone"})
    phone = phones.phone(site, league.owner, language=language)
    phone.goto(f"/l/{league.slug}/admin")
    expect(phone.get_by_text("Grandma's phone")).to_be_visible()
    expect(phone.get_by_role("cell", name="charlie")).to_be_visible()
    broken = phone.evaluate(PARTED, ".people th[scope=row], .names td")
    # A longer word has no room.
    assert {*broken} <= {"Grandmother's"}


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_the_buttons_beside_a_name_have_one_line_each(site, phones, language):
    league = site.league(NAMES, [*SLUGS[:-1], "oma-ida"])
    phone = phones.phone(site, league.owner, language=language)
    phone.goto(f"/l/{league.slug}/admin")
    buttons = phone.locator("[data-player] button")
    expect(buttons).to_have_count(2 * len(NAMES))
    assert {len(each.evaluate(LINES)) for each in buttons.all()} == {1}


def test_a_chinese_name_stays_whole_in_a_sentence_that_is_broken(site, phones):
    league = site.league(["王小明", "陳美美", "林大華", "李阿嬤"], SLUGS[:4])
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": list(SLUGS[:4])}
    league.send("/tournaments", cup)
    phone = phones.phone(site, league.viewer)
    phone.goto(f"/l/{league.slug}/t/cup/hall")
    following = phone.get_by_role("region", name="Next: segment 2").get_by_role("listitem")
    expect(following.locator("bdi")).to_have_count(4)
    for width in range(90, 300, 10):
        following.evaluate("(item, width) => { item.style.width = `${width}px`; }", width)
        assert {len(each.evaluate(LINES)) for each in following.locator("bdi").all()} == {1}


def test_whose_turn_it_is_in_a_replay_stays_in_one_line(site, phones):
    league = site.league()
    match = league.match(dealer="mei")
    turned = {"type": "first_card_turned", "card": "red-5"}
    league.tell(match, {"type": "round_started"}, turned)
    phone = phones.phone(site, league.viewer, size=(844, 390))
    phone.goto(f"/l/{league.slug}/m/first/r/1?step=2")
    turn = phone.get_by_role("table", name="Hands").get_by_text("on turn")
    assert len(turn.evaluate(LINES)) == 1


def test_the_ring_of_the_focus_around_a_mark_of_a_replay_is_not_cut(site, phones):
    league = site.league()
    match = league.match(dealer="mei")
    turned = {"type": "first_card_turned", "card": "red-5"}
    beside = {"type": "card_played", "player": "ann", "card": "blue-7", "as_played": True}
    league.tell(match, {"type": "round_started"}, turned, beside)
    phone = phones.phone(site, league.viewer)
    phone.goto(f"/l/{league.slug}/m/first/r/1")
    marks = phone.get_by_role("group", name="Marks")
    mark = marks.get_by_role("button").first
    ring = mark.evaluate("""(button) => {
        button.focus({focusVisible: true});
        const {outlineWidth, outlineOffset} = getComputedStyle(button);
        return parseFloat(outlineWidth) + parseFloat(outlineOffset);
    }""")
    assert ring > 0
    box, inside = marks.bounding_box(), mark.bounding_box()
    assert inside["x"] - box["x"] >= ring
    assert inside["y"] - box["y"] >= ring


def test_a_table_wider_than_the_text_takes_the_room_of_a_desktop(site, phones):
    slugs = [f"somebody-{number}" for number in range(10)]
    league = site.league([f"Wolfeschlegelstein{slug}" for slug in slugs], slugs)
    match = league.match(players=slugs)
    league.tell(match, tally(slugs[0], **dict.fromkeys(slugs[1:], 7)))
    desktop = phones.phone(site, league.viewer, size=(1280, 800))
    desktop.goto(f"/l/{league.slug}/m/first")
    desktop.get_by_text("Totals by round").click()
    table, text = desktop.get_by_role("region", name="Totals by round"), desktop.locator("main")
    assert table.bounding_box()["width"] > 1.2 * text.bounding_box()["width"]
    assert desktop.evaluate("document.documentElement.scrollWidth") <= 1280


def test_the_number_of_cards_stays_in_one_line_beside_a_long_name(site, phones):
    names = [f"Bartholomäus Wolfeschlegelsteinhausen {slug}" for slug in SLUGS[:4]]
    league = site.league(names, SLUGS[:4])
    match = league.match(players=list(SLUGS[:4]), dealer="p0")
    turned = {"type": "first_card_turned", "card": "red-5"}
    league.tell(match, {"type": "round_started"}, turned)
    phone = phones.phone(site, league.scorekeeper)
    for page in ("tv", "cards"):
        phone.goto(f"/l/{league.slug}/m/first/{page}")
        held = phone.locator("td.held")
        expect(held).to_have_text(["7 cards"] * 4)
        assert {len(each.evaluate(LINES)) for each in held.all()} == {1}


@pytest.mark.parametrize("path", ["/new", "/t/new"])
def test_people_to_choose_from_stand_beside_each_other_on_a_desktop(site, phones, path):
    """What follows them would otherwise be screens below."""
    slugs = [f"p-{number}" for number in range(41)]
    league = site.league(slugs, slugs)
    desktop = phones.phone(site, league.scorekeeper, size=(1280, 800))
    desktop.goto(f"/l/{league.slug}{path}")
    people = desktop.get_by_role("group", name="Who plays?")
    expect(people.get_by_role("checkbox")).to_have_count(41)
    assert people.bounding_box()["height"] < 800


@pytest.mark.parametrize("path", ["/new", "/t/new"])
def test_a_check_box_keeps_its_size_beside_a_long_name(site, phones, path):
    long = "Donaudampfschifffahrtsgesellschaftskapitän " * 2
    league = site.league(["Bo", long + "Ann", "Cy", "Di"], ["bo", "ann", "cy", "di"])
    phone = phones.phone(site, league.scorekeeper)
    phone.goto(f"/l/{league.slug}{path}")
    boxes = phone.get_by_role("group", name="Who plays?").get_by_role("checkbox")
    expect(boxes).to_have_count(4)
    sizes = [each.bounding_box() for each in boxes.all()]
    assert len({(size["width"], size["height"]) for size in sizes}) == 1
    rows = phone.locator("label.check").filter(visible=True).all()
    assert min(row.bounding_box()["height"] for row in rows) >= 44


@pytest.mark.parametrize("language", ["en", "zh-TW"])
@pytest.mark.parametrize("width", [360, 375])
@pytest.mark.parametrize("path", ["m/first/pad", "t/new", "t/cup"])
def test_the_way_back_and_the_languages_stand_in_one_line(
    site, phones, played, language, width, path
):
    """A second line would move everything below it down by a finger's width on small phones."""
    page = phones.phone(site, played.scorekeeper, language=language, size=(width, 667))
    page.goto(f"/l/{played.slug}/{path}")
    parts = page.locator(".site > *")
    expect(parts).to_have_count(2)
    assert len({part.bounding_box()["y"] for part in parts.all()}) == 1


@pytest.mark.parametrize("language", ["en", "zh-TW"])
@pytest.mark.parametrize(("path", "regions"), [("t/cup", [0, -1]), ("admin", [0, 1, 2])])
def test_what_is_no_matrix_fits_a_small_phone(site, phones, played, language, path, regions):
    """Standings and schedule, invitations, devices and names: nothing of them is cut off."""
    page = phones.phone(site, played.owner, language=language)
    for width in (360, WIDTH):
        page.set_viewport_size({"width": width, "height": 740})
        page.goto(f"/l/{played.slug}/{path}")
        page.locator("time").evaluate_all(AT_ITS_WIDEST)
        beyond = page.locator(".scroll").evaluate_all(
            "all => all.map((each) => each.scrollWidth - each.clientWidth)"
        )
        assert [beyond[region] for region in regions] == [0] * len(regions)


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_the_button_that_revokes_a_device_is_in_sight_on_the_smallest_phone(
    site, phones, played, language
):
    page = phones.phone(site, played.owner, language=language, size=(320, 640))
    page.goto(f"/l/{played.slug}/admin")
    page.locator("time").evaluate_all(AT_ITS_WIDEST)
    devices = page.locator(".scroll:has([data-revoke])")
    assert devices.evaluate("each => each.scrollWidth - each.clientWidth") == 0


def test_people_of_a_league_stand_beside_each_other(site, phones):
    slugs = [f"p-{number}" for number in range(41)]
    league = site.league([f"Catharina {slug}" for slug in slugs], slugs)
    page = phones.phone(site, league.viewer)
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(f"/l/{league.slug}/players")
        people = page.get_by_role("main").get_by_role("list").get_by_role("link")
        expect(people).to_have_count(41)
        first, second = people.all()[:2]
        assert first.bounding_box()["y"] == second.bounding_box()["y"]


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_a_chinese_name_stands_beside_what_the_log_calls_it_on_a_small_phone(
    site, phones, language
):
    """The slug is long, since it can't contain any character of the name."""
    league = site.league(["美玲"], ["player-0869e0ad20"])
    page = phones.phone(site, league.owner, language=language)
    for width in (320, 360):
        page.set_viewport_size({"width": width, "height": 740})
        page.goto(f"/l/{league.slug}/admin")
        names = page.get_by_role("region", name={"en": "Names", "zh-TW": "名字"}[language])
        assert names.evaluate("each => each.scrollWidth - each.clientWidth") == 0


def test_the_two_buttons_of_a_name_stand_beside_each_other_on_a_small_phone(site, phones):
    """In Chinese, that is: the English words are too long."""
    league = site.league(["Maximilian", "美玲"], ["ann", "player-0869e0ad20"])
    page = phones.phone(site, league.owner, language="zh-TW", size=(360, 640))
    page.goto(f"/l/{league.slug}/admin")
    buttons = page.locator("[data-player=ann] button")
    expect(buttons).to_have_count(2)
    assert len({button.bounding_box()["y"] for button in buttons.all()}) == 1


SMALLEST = (320, 640)
STAYING = """all => all.filter((each) => getComputedStyle(each).position === "sticky")
    .map((each) => each.getBoundingClientRect().height)"""


@pytest.mark.parametrize("language", ["en", "zh-TW"])
@pytest.mark.parametrize("path", ["players/p0", "new", "t/new", "m/first/r/1", "m/running/pad"])
def test_the_smallest_phone_with_the_largest_letters_scrolls_one_way_only(
    site, phones, played, language, path
):
    phone = phones.phone(site, played.scorekeeper, language=language, size=SMALLEST)
    phone.goto(f"/l/{played.slug}/{path}")
    if path.endswith("pad"):
        phone.locator(".who button").first.click()
        expect(phone.locator(".colors")).to_be_visible()
    phone.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    phone.evaluate(TWICE_THE_SIZE)
    assert phone.evaluate("document.documentElement.scrollWidth") <= SMALLEST[0]
    # What stays at the foot of the window leaves most of it to what is read.
    staying = phone.locator(".foot, #controls").evaluate_all(STAYING)
    assert [height for height in staying if height > SMALLEST[1] * 0.4] == []
