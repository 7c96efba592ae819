"""An evening from the first link to the board on the wall, by the names that people see."""

import re

from playwright.sync_api import expect

from tests.api.server_process import Server
from tests.api.serving import tally
from tests.browser.evening import Site, each_on_sqlite_one_on_postgresql, on_both
from tests.browser.padding import Pad

SIZES = {"phone": (390, 844), "wall": (1920, 1080)}


def test_an_evening_as_the_readme_tells_it(phones, tmp_path):
    """Two phones, partners, a tap taken back, and a reload without a network."""
    server = Server(tmp_path)
    try:
        site = Site(server.url)
        mum, dad = phones.phone(site), phones.phone(site)
        mum.goto(next(line.strip() for line in server.printed if "/join#" in line))
        mum.get_by_role("textbox", name="Whose phone is this?").fill("Mum")
        mum.get_by_role("button", name="Join").click()
        mum.get_by_role("textbox", name="League name").fill("Friday evenings")
        mum.get_by_role("textbox", name="Players").fill("Ann\nBo\nOma Ida\n美美")
        mum.get_by_role("button", name="Create league").click()
        mum.get_by_role("link", name="Invite").click()
        own = mum.get_by_role("table", name="Devices").get_by_role("row", name="Mum")
        expect(own).to_contain_text("this device")
        mum.get_by_role("button", name="Invite", exact=True).click()
        dad.goto(mum.get_by_role("link", name="/join#").inner_text())
        dad.get_by_role("textbox", name="Whose phone is this?").fill("Dad")
        dad.get_by_role("button", name="Join").click()
        dad.get_by_role("link", name="New match").click()
        dad.get_by_role("combobox", name="Edition").select_option("basic")
        dad.get_by_role("checkbox", name="Partners sit opposite and score together").check()
        dad.get_by_role("button", name="Start match").click()
        dad.wait_for_url("**/pad")
        league, match = re.search(r"/l/([^/]+)/m/([^/]+)/pad", dad.url).groups()
        hers, his = (Pad(page, league, f"/matches/{match}") for page in (mum, dad))
        hers.open().tell("Ann", Bo=10, Oma_Ida=20, 美美=30)
        hers.says("All saved")
        # His phone stores its pad anew when another round is the next one. Had it not heard of her
        # round before that was taken back, it would have the page of before.
        expect(dad.get_by_text("Round 2: Who went out?")).to_be_visible()
        hers.press("Take back")
        hers.says("Taken back.")
        expect(dad.get_by_text("Round 1: Who went out?")).to_be_visible()
        dad.evaluate("navigator.serviceWorker.ready")
        expect(his.page.get_by_role("status")).to_have_text("All saved")
        his.opened_without_a_network()
        his.tell("Ann", Bo=1, Oma_Ida=2, 美美=3)
        his.says("1 round waits")
        his.page.reload()
        his.says("1 round waits")
        dad.context.set_offline(False)
        his.says("All saved")
        shown = mum.get_by_role("table", name="Scores").get_by_role("row", name="Ann")
        board = site.client().get(f"/v1/leagues/{league}/matches/{match}").json()
        assert len(board["teams"]) == 2
        assert sum(team["total"] for team in board["teams"]) == 6
        expect(shown).to_contain_text(str(board["totals"]["ann"]))
    finally:
        server.terminate()


def test_a_match_is_opened_as_the_last_one_was(site, phones):
    league = site.league()
    league.match(dealer="ann", edition="mickey")
    phone = phones.phone(site, league.scorekeeper)
    phone.goto(f"/l/{league.slug}")
    expect(phone.get_by_role("heading", name="Friday evenings")).to_be_visible()
    phone.get_by_role("link", name="New match").click()
    expect(phone.get_by_role("combobox", name="Edition")).to_have_value("mickey")
    phone.get_by_role("checkbox", name="Bo").uncheck()
    phone.get_by_role("combobox", name="Scoring").select_option("Lowest total")
    phone.get_by_role("button", name="Start match").click()
    phone.wait_for_url("**/pad")
    opened = league.get(phone.url.partition(f"/l/{league.slug}/m")[2].join(["/matches", ""])[:-4])
    assert (opened["edition"], opened["players"]) == ("mickey", ["ann", "oma-ida", "mei"])
    assert opened["scoring"]["mode"] == "lowest-total"


def test_seats_are_changed_by_buttons_and_partners_sit_opposite(site, phones):
    league = site.league()
    phone = phones.phone(site, league.scorekeeper)
    phone.goto(f"/l/{league.slug}/new")
    phone.get_by_role("combobox", name="Edition").select_option("basic")
    before = phone.get_by_role("listitem").all_inner_texts()
    phone.get_by_role("button", name=f"{before[1].split(chr(10))[0]} one seat earlier").click()
    after = phone.get_by_role("listitem").all_inner_texts()
    assert after[:2] == [before[1], before[0]]
    phone.get_by_role("checkbox", name="Partners sit opposite and score together").check()
    phone.get_by_role("button", name="Start match").click()
    phone.wait_for_url("**/pad")
    board = league.get(f"/matches/{re.search(r'/m/([^/]+)/pad', phone.url)[1]}")
    seats = board["players"]
    assert [set(team["players"]) for team in board["teams"]] == [
        {seats[0], seats[2]},
        {seats[1], seats[3]},
    ]


@on_both
def test_the_board_follows_within_a_second_of_the_save(site, phones):
    league = site.league()
    match = league.match(dealer="ann")
    wall = phones.phone(site, league.viewer, size=SIZES["wall"])
    wall.goto(f"/l/{league.slug}/m/first/tv")
    row = wall.get_by_role("row", name="Bo")
    expect(row).to_contain_text("0")
    read_out = wall.locator("[aria-live=polite]")
    expect(read_out).to_be_empty()
    league.tell(match, tally("ann", **{"bo": 77, "oma-ida": 2, "mei": 3}))
    expect(row).to_contain_text("77")
    expect(read_out).to_contain_text("Ann went out.")


@each_on_sqlite_one_on_postgresql("ending", ["match_closed", "match_abandoned"])
def test_nobody_deals_on_the_board_of_a_match_that_is_over(site, phones, ending):
    league = site.league()
    match = league.match(dealer="ann")
    league.tell(match, tally("ann", **{"bo": 77, "oma-ida": 2, "mei": 3}))
    wall = phones.phone(site, league.viewer, size=SIZES["wall"])
    wall.goto(f"/l/{league.slug}/m/first/tv")
    deals = wall.get_by_text("deals", exact=True)
    expect(deals).to_be_visible()
    league.tell(match, {"type": ending, "reason": "late"})
    expect(deals).to_have_count(0)


def test_the_board_of_a_match_that_is_abandoned_says_so(site, phones):
    league = site.league()
    match = league.match(dealer="ann")
    wall = phones.phone(site, league.viewer, size=SIZES["wall"])
    wall.goto(f"/l/{league.slug}/m/first/tv")
    read_out = wall.locator("[aria-live=polite]")
    expect(read_out).to_be_empty()
    league.tell(match, {"type": "match_abandoned", "reason": "late"})
    expect(read_out).to_have_text("Abandoned.")
    wall.goto(f"/l/{league.slug}/m/first/tv?lang=zh-TW")
    expect(read_out).to_have_text("比賽已中止。")


def test_a_board_says_since_when_it_hears_nothing(site, phones):
    league = site.league()
    match = league.match(dealer="ann")
    wall = phones.phone(site, league.viewer, size=SIZES["wall"])
    wall.clock.install()
    wall.context.route("**/live", lambda route: route.abort())
    with wall.expect_event("requestfailed"):
        wall.goto(f"/l/{league.slug}{match.replace('matches', 'm')}/tv")
    expect(wall.get_by_role("status")).to_be_empty()
    wall.clock.fast_forward(41_000)
    expect(wall.get_by_role("status")).to_contain_text("No connection since")


@on_both
def test_a_first_browser_opens_a_league_and_invites_a_second_phone(site, phones):
    league = site.league()
    owner = phones.phone(site, league.owner)
    owner.goto(f"/l/{league.slug}")
    owner.get_by_role("link", name="Invite").click()
    owner.get_by_role("combobox", name="May").select_option("watch")
    owner.get_by_role("button", name="Invite", exact=True).click()
    code = owner.get_by_text(re.compile("^[0-9A-Z]{4}-[0-9A-Z]{4}$")).inner_text()
    second = phones.phone(site)
    second.goto("/")
    second.get_by_role("textbox", name="Code").fill(code.lower())
    second.get_by_role("button", name="Join").click()
    second.get_by_role("textbox", name="Whose phone is this?").fill("Grandmother")
    second.get_by_role("button", name="Join").click()
    second.wait_for_url(f"**/l/{league.slug}")
    expect(second.get_by_role("link", name="New match")).to_have_count(0)
    owner.reload()
    row = owner.get_by_role("table", name="Devices").get_by_role("row", name="Grandmother watch")
    row.get_by_role("button", name="Revoke").click()
    expect(row).to_have_count(0)
    assert second.goto(f"/l/{league.slug}").status == 404


@on_both
def test_card_by_card_asks_for_what_the_state_needs(site, phones):
    league = site.league()
    match = league.match(dealer="ann")
    phone = phones.phone(site, league.scorekeeper)
    phone.goto(f"/l/{league.slug}/m/first/cards")
    phone.get_by_role("button", name="Start round").click()
    expect(phone.get_by_role("heading", name="Which card is turned up?")).to_be_visible()
    phone.get_by_role("group", name="Cards").get_by_role("button", name="red 5").click()
    expect(phone.get_by_role("heading", name="Bo is on turn")).to_be_visible()
    phone.get_by_role("group", name="Colour").get_by_role("button", name="blue").click()
    phone.get_by_role("group", name="Cards").get_by_role("button", name="blue skip").click()
    expect(phone.get_by_role("alert")).to_contain_text("B-MATCH")
    phone.get_by_role("button", name="It was played so").click()
    expect(phone.get_by_role("heading", name="美美 is on turn")).to_be_visible()
    phone.get_by_role("button", name="Draw", exact=True).click()
    phone.get_by_role("button", name="Pass", exact=True).click()
    expect(phone.get_by_role("heading", name="Ann is on turn")).to_be_visible()
    board = league.get(match)
    assert (board["turn"], board["violations"], board["top_card"]) == ("ann", 1, "blue-skip")


def test_pads_live_beside_each_other(site, phones):
    league = site.league()
    match = league.match(dealer="ann")
    mine = Pad(phones.phone(site, league.scorekeeper), league.slug, match).open()
    league.tell(match, tally("bo", ann=1, **{"oma-ida": 2, "mei": 3}))
    shown = mine.page.get_by_role("table", name="Scores").get_by_role("row", name="Ann")
    expect(shown).to_contain_text("1")


@each_on_sqlite_one_on_postgresql("count", [2, 5, 7, 10])
def test_all_of_a_round_fits_on_a_wall_and_is_readable_from_afar(site, phones, count):
    names = [f"Somebody {number}" for number in range(count)]
    slugs = [f"p-{number}" for number in range(count)]
    league = site.league(names, slugs)
    match = league.match(players=slugs, dealer="p-0", edition="basic")
    hands = dict.fromkeys(slugs[1:], 7)
    card = {"type": "first_card_turned", "card": "red-draw-two"}
    league.tell(match, tally("p-0", **hands), {"type": "round_started", "dealer": "p-0"}, card)
    for size in ((1920, 1080), (1280, 720)):
        wall = phones.phone(site, league.viewer, size=size)
        wall.goto(f"/l/{league.slug}/m/first/tv")
        table = wall.get_by_role("table", name="Scores")
        owing = table.get_by_role("row", name="Somebody 1")
        expect(owing).to_contain_text("owes 2")
        expect(owing).to_contain_text("7 cards")
        expect(owing).to_contain_text("7")
        turn = "Somebody 0" if count == 2 else "Somebody 2"
        expect(table.get_by_role("row", name=turn)).to_contain_text("on turn")
        expect(wall.get_by_role("img", name="red draw two")).to_be_visible()
        expect(wall.get_by_text("clockwise", exact=True)).to_be_visible()
        last = wall.get_by_text("Somebody 0 went out.")
        expect(last).to_be_visible()
        # The rows share all of the height, so that none of the wall is left empty. In WebKit a
        # table that has a caption outside its flow does not grow.
        expect(table.locator("caption")).to_have_count(0)
        assert last.evaluate("each => each.getBoundingClientRect().bottom") > 0.9 * size[1]
        assert wall.locator("a, button, input, select").count() == 0
        assert wall.evaluate("document.documentElement.scrollHeight") <= size[1]
        for name in table.get_by_role("rowheader").all():
            assert (
                name.evaluate("each => parseFloat(getComputedStyle(each).fontSize)") >= size[1] / 35
            )


def test_figures_on_a_wall_stay_where_they_are_as_the_turn_goes_on(site, phones):
    league = site.league()
    match = league.match(dealer="ann")
    turned = {"type": "first_card_turned", "card": "red-5"}
    league.tell(match, {"type": "round_started"}, turned)
    wall = phones.phone(site, league.viewer, size=(1920, 1080))
    wall.goto(f"/l/{league.slug}/m/first/tv")
    turn = wall.get_by_text("on turn")
    expect(wall.get_by_role("row", name="Bo").filter(has=turn)).to_be_visible()
    figures = wall.get_by_role("row", name="Ann").locator("td.number")
    before = [each.bounding_box() for each in figures.all()]
    league.tell(match, {"type": "card_played", "player": "bo", "card": "red-7"})
    expect(wall.get_by_role("row", name="Oma Ida").filter(has=turn)).to_be_visible()
    assert [each.bounding_box() for each in figures.all()] == before


def test_long_names_leave_room_for_the_last_round_on_a_wall(site, phones):
    slugs = ["p-0", "p-1", "p-2", "p-3"]
    names = [f"Bartholomäus Wolfeschlegelsteinhausen {slug}" for slug in slugs]
    league = site.league(names, slugs)
    match = league.match(players=slugs, teams=[["p-0", "p-2"], ["p-1", "p-3"]])
    league.tell(match, tally("p-0", **dict.fromkeys(slugs[1:], 7)))
    wall = phones.phone(site, league.viewer, size=(1280, 720))
    wall.goto(f"/l/{league.slug}/m/first/tv")
    expect(wall.get_by_text("went out.")).to_be_visible()
    assert wall.evaluate("document.documentElement.scrollHeight") <= 720
