"""The page of a tournament's hall: all of it on one wall, and each player's own seat on a phone."""

import re

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.evening import SLUGS

LONG = ("Wilhelmina", "Margarethe", "Friederike", "Maximilian", "美美", "Oma Ida", "Bo")
WALLS = ((1920, 1080), (1280, 720))
TABLETS = ((1024, 768), (1180, 820))
LEAST_TYPE = 0.018
"""As a part of the window's height; smaller letters can't be read across a hall."""
OUTSIDE = """() => [...document.querySelectorAll("body *")].filter((each) => {
    const {width, height, left, top, right, bottom} = each.getBoundingClientRect();
    const inside = left > -1 && top > -1 && right < innerWidth + 1 && bottom < innerHeight + 1;
    return width > 0 && height > 0 && !inside;
}).map((each) => each.outerHTML.slice(0, 80))"""
# The box of large letters is some pixels lower than they are.
CUT_OFF = """() => [...document.querySelectorAll(".tables .card")].flatMap((card) => {
    const boxes = [...card.querySelectorAll("h2, .places li, .card > p")];
    const over = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
        && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    const places = boxes.map((each) => {
        const words = document.createRange();
        words.selectNodeContents(each);
        return words.getBoundingClientRect();
    });
    const covered = boxes.filter((_, at) =>
        places.some((each, before) => before < at && over(each, places[at])));
    const shortened = [...card.querySelectorAll("strong")].filter(
        ({scrollWidth, clientWidth, scrollHeight, clientHeight}) =>
            scrollWidth > clientWidth || scrollHeight > 1.2 * clientHeight);
    return [...covered, ...shortened].map((each) => each.textContent);
})"""
SMALL = """(least) => [...document.querySelectorAll("main *")].filter((each) => {
    const says = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    return says && parseFloat(getComputedStyle(each).fontSize) < least * innerHeight;
}).map((each) => each.outerHTML.slice(0, 80))"""

SHORTENED = """() => [...document.querySelectorAll(".places strong, .beside li")].filter(
    ({scrollWidth, clientWidth, scrollHeight, clientHeight}) =>
        scrollWidth > clientWidth || scrollHeight > 1.2 * clientHeight
).map((each) => each.textContent)"""
SMALL_SEATS = """(least) => [...document.querySelectorAll(".places strong")].filter((each) =>
    parseFloat(getComputedStyle(each).fontSize) < least * innerHeight
).map((each) => each.textContent)"""


def play(league, table, rounds):
    winner, *others = table["rounds"][0]["players"]
    told = tally(winner, **dict.fromkeys(others, 100))
    league.tell(f"/matches/{table['match']}", *[told] * rounds)


@pytest.fixture(scope="module")
def halls(site):
    """Tournaments of 4, 8 and 41 people, each in segment 2, with tables in different rounds."""
    slugs = [f"p{number}" for number in range(41)]
    names = [LONG[number % len(LONG)] for number in range(41)]
    league = site.league(names, slugs)
    for number in (4, 8, 41):
        cup = {"tournament": f"of-{number}", "name": "The spring cup", "edition": "basic"}
        first, second, *_ = league.send("/tournaments", cup | {"players": slugs[:number]})[
            "segments"
        ]
        for table in first["tables"]:
            play(league, table, 4)
        for at, table in enumerate(second["tables"]):
            play(league, table, at % 4 + 1 if at else 1)
    return league


@pytest.mark.parametrize("size", WALLS, ids=str)
@pytest.mark.parametrize("number", [4, 8, 41])
def test_a_wall_shows_all_of_it_without_scrolling(site, phones, halls, number, size):
    for token, language in ((halls.viewer, "en"), (halls.scorekeeper, "zh-TW")):
        wall = phones.phone(site, token, language=language, size=size)
        wall.goto(f"/l/{halls.slug}/t/of-{number}/hall")
        expect(wall.locator("#root [role=status]")).to_be_attached()
        expect(wall.locator(".tables > section")).to_have_count({4: 1, 8: 2, 41: 10}[number])
        assert wall.evaluate(OUTSIDE) == []
        assert wall.evaluate(CUT_OFF) == []
        assert wall.evaluate(SMALL, LEAST_TYPE) == []
        if number == 4:
            # A table alone is read from farther away, since it has all of the room.
            assert wall.evaluate(SMALL_SEATS, 0.06) == []
        # In the second segment, some tables are further on than others.
        uneven = {"en": "for each round played", "zh-TW": "每輪平均"}[language]
        expect(wall.get_by_text(uneven)).to_have_count(0 if number == 4 else 1)
        expect(wall.locator(".leaders td")).to_have_count(4 if number == 4 else 2 * 5)


@pytest.mark.parametrize("size", WALLS, ids=str)
def test_long_names_at_the_only_table_are_shown_whole(site, phones, size):
    names = [f"Maria Theresia {each} Wolfenbüttel-Nord" for each in ("A", "B", "C", "D")]
    league = site.league(names, SLUGS)
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": list(SLUGS)}
    league.send("/tournaments", cup)
    wall = phones.phone(site, league.viewer, size=size)
    wall.goto(f"/l/{league.slug}/t/cup/hall")
    expect(wall.locator(".places strong")).to_have_count(4)
    assert wall.evaluate(SHORTENED) == []
    assert wall.evaluate(OUTSIDE) == []
    assert wall.evaluate(CUT_OFF) == []


@pytest.fixture(scope="module")
def crowd(site):
    """Tournaments of 7, 8, 9 and 10 tables, of people who are called by two names."""
    first, second = ("Catharina", "Frederik", "Erik", "Anne"), ("Wigand", "Inaba-Mundt", "Olfers")
    names = [f"{first[at % 4]} {second[at % 3]} {'ABCDEF'[at % 6]}." for at in range(41)]
    slugs = [f"p{number}" for number in range(41)]
    league = site.league(names, slugs)
    for tables, number in ((7, 29), (8, 33), (9, 37), (10, 41)):
        cup = {"tournament": f"of-{tables}", "name": "Cup", "edition": "basic"}
        league.send("/tournaments", cup | {"players": slugs[:number]})
    return league


@pytest.mark.parametrize("size", WALLS, ids=str)
@pytest.mark.parametrize("tables", [7, 8, 9, 10])
def test_a_wall_shows_names_of_two_words_whole_at_all_tables_and_of_all_that_follow(
    site, phones, crowd, tables, size
):
    for token in (crowd.viewer, crowd.scorekeeper):
        wall = phones.phone(site, token, size=size)
        wall.goto(f"/l/{crowd.slug}/t/of-{tables}/hall")
        expect(wall.locator("#root [role=status]")).to_be_attached()
        expect(wall.locator(".tables > section")).to_have_count(tables)
        expect(wall.locator(".beside li")).to_have_count(tables)
        assert wall.evaluate(OUTSIDE) == []
        assert wall.evaluate(CUT_OFF) == []
        assert wall.evaluate(SHORTENED) == []
        assert wall.evaluate(SMALL, LEAST_TYPE) == []


@pytest.mark.parametrize("size", WALLS, ids=str)
def test_a_table_of_many_is_pressed_anywhere(site, phones, crowd, size):
    wall = phones.phone(site, crowd.scorekeeper, size=size)
    wall.goto(f"/l/{crowd.slug}/t/of-10/hall")
    seat = wall.get_by_role("region", name="Table 3").get_by_role("listitem").first
    area = seat.bounding_box()
    wall.mouse.click(area["x"] + area["width"] / 2, area["y"] + area["height"] / 2)
    expect(wall).to_have_url(re.compile("s1-t3/pad$"))


@pytest.mark.parametrize("size", TABLETS, ids=str)
def test_a_tablet_across_has_the_leaders_beside_the_tables(site, phones, halls, size):
    tablet = phones.phone(site, halls.scorekeeper, size=size)
    for number in (4, 41):
        tablet.goto(f"/l/{halls.slug}/t/of-{number}/hall")
        first, leaders = (
            tablet.get_by_role("region", name="Table 1", exact=True),
            tablet.get_by_role("table", name="Leaders"),
        )
        expect(first).to_be_in_viewport()
        expect(leaders).to_be_in_viewport(ratio=1)
        table, beside = first.bounding_box(), leaders.bounding_box()
        assert beside["x"] >= table["x"] + table["width"]
        code = tablet.get_by_role("img", name="QR code of this page")
        expect(code).to_be_in_viewport(ratio=1)
        assert tablet.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_a_phone_says_at_once_where_its_owner_sits(site, phones, halls):
    """The answer needs no further request, and is shown first."""
    phone = phones.phone(site, halls.viewer)
    phone.goto(f"/l/{halls.slug}/t/of-41/hall")
    table = halls.get("/tournaments/of-41/board")["tables"][0]
    chosen = phone.get_by_role("combobox", name="I am")
    expect(chosen).to_be_visible()
    phone.context.set_offline(True)
    chosen.select_option(table["seats"][0])
    mine = phone.get_by_role("region", name="Where do I sit?")
    expect(mine).to_contain_text("You sit at table 1")
    expect(mine).to_be_in_viewport(ratio=1)
    phone.context.set_offline(False)
    phone.reload()
    expect(mine).to_contain_text("You sit at table 1")
    expect(mine).to_be_in_viewport(ratio=1)


def test_on_a_phone_the_code_begins_where_the_headings_do(site, phones, halls):
    phone = phones.phone(site, halls.viewer)
    phone.goto(f"/l/{halls.slug}/t/of-4/hall")
    expect(phone.locator("#root [role=status]")).to_be_attached()
    title, figure = phone.get_by_role("heading", level=1), phone.get_by_role("figure")
    assert figure.bounding_box()["x"] == title.bounding_box()["x"]


def test_a_long_name_of_a_tournament_leaves_room_for_asking_where_somebody_sits(site, phones):
    league = site.league()
    cup = {"tournament": "cup", "name": "X" * 120, "edition": "basic", "players": list(SLUGS)}
    league.send("/tournaments", cup)
    for size in WALLS:
        wall = phones.phone(site, league.viewer, size=size)
        wall.goto(f"/l/{league.slug}/t/cup/hall")
        asked = wall.get_by_role("combobox", name="I am")
        expect(asked).to_be_visible()
        assert asked.bounding_box()["width"] >= 150
        assert wall.evaluate(OUTSIDE) == []


def test_whoever_sat_in_and_does_so_no_more_looks_on(site, phones):
    league = site.league((*LONG[:4], "Zed"), (*SLUGS, "zed"))
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": list(SLUGS)}
    league.send("/tournaments", cup)

    def sits_in(substitute):
        told = {"type": "player_substituted", "player": "ann", "substitute": substitute}
        league.send("/tournaments/cup/events", {"events": [told]})

    sits_in("zed")
    phone = phones.phone(site, league.viewer)
    phone.goto(f"/l/{league.slug}/t/cup/hall")
    chosen = phone.get_by_role("combobox", name="I am")
    mine = phone.get_by_role("region", name="Where do I sit?")
    chosen.select_option("zed")
    expect(mine).to_contain_text("You sit at table 1")
    sits_in("ann")
    expect(mine).not_to_contain_text("You")
    expect(chosen.locator("option:checked")).to_have_text("somebody who looks on")
    sits_in("zed")
    expect(mine).to_contain_text("You sit at table 1")


def test_whoever_went_home_is_not_said_to_rest_next(site, phones):
    league = site.league((*LONG[:5], "Zed"), (*SLUGS, "cy", "zed"))
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": [*SLUGS, "cy"]}
    _, second, *_ = league.send("/tournaments", cup)["segments"]
    ((resting,), ((gone, _), (withdrawn, _))) = second["byes"], second["tables"][0]["teams"]
    phone = phones.phone(site, league.viewer)
    phone.goto(f"/l/{league.slug}/t/cup/hall")
    chosen = phone.get_by_role("combobox", name="I am")
    mine = phone.get_by_role("region", name="Where do I sit?")
    chosen.select_option(resting)
    expect(mine).to_contain_text("You rest in the next segment.")

    def told(**event):
        league.send("/tournaments/cup/events", {"events": [event]})

    told(type="player_substituted", player=gone, substitute="zed")
    chosen.select_option(gone)
    expect(mine).to_contain_text("You have nothing to play at the moment.")
    expect(mine).not_to_contain_text("You rest")
    told(type="player_withdrawn", player=withdrawn)
    chosen.select_option(withdrawn)
    expect(mine).to_contain_text("You have nothing to play at the moment.")
    expect(mine).not_to_contain_text("You rest")


def test_a_name_that_is_erased_leaves_the_hall_at_once(site, phones):
    league = site.league()
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": SLUGS}
    league.send("/tournaments", cup)
    wall = phones.phone(site, league.viewer)
    with wall.expect_response("**/board"):
        wall.goto(f"/l/{league.slug}/t/cup/hall")
    expect(wall.get_by_text("Oma Ida").first).to_be_attached()
    address = f"/v1/leagues/{league.slug}/players/oma-ida"
    assert site.client(league.owner).patch(address, json={"name": None}).status_code == 200
    expect(wall.get_by_text("Oma Ida")).to_have_count(0)
    expect(wall.get_by_role("table", name="Leaders")).to_contain_text("oma-ida")


def test_a_name_that_is_changed_is_called_so_in_the_hall_after_the_next_round(site, phones):
    league = site.league()
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": SLUGS}
    table = league.send("/tournaments", cup)["segments"][0]["tables"][0]
    wall = phones.phone(site, league.viewer)
    with wall.expect_response("**/board"):
        wall.goto(f"/l/{league.slug}/t/cup/hall")
    expect(wall.get_by_text("Oma Ida").first).to_be_attached()
    address = f"/v1/leagues/{league.slug}/players/oma-ida"
    renamed = site.client(league.owner).patch(address, json={"name": "Grandma Ida"})
    assert renamed.status_code == 200
    play(league, table, 1)
    expect(wall.get_by_role("table", name="Leaders")).to_contain_text("Grandma Ida")
    expect(wall.get_by_text("Oma Ida")).to_have_count(0)
