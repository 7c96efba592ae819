"""A tournament on its pages, from the form to the champion; all numbers equal the API's."""

import random
import re

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.evening import each_on_sqlite_one_on_postgresql, on_both
from tests.browser.holding import Held
from tests.browser.padding import Pad

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Fay", "Gus")
SLUGS = tuple(name.lower() for name in NAMES)
THUMB_PIXELS = 44
TOO_FEW = dict.fromkeys(NAMES[:4], "Choose 4 to 41 people.")


def opened(phone, league):
    """Open a tournament with the ticked players; return its path below the league in the API."""
    phone.get_by_role("textbox", name="Name of the tournament").fill("The cup")
    phone.get_by_role("button", name="Open tournament").click()
    phone.wait_for_url(re.compile(r"/t/(?!new)[^?]+$"))
    return "/tournaments/" + phone.url.rpartition("/")[2]


def told(league, table, winner, **hands):
    others = [player for player in table["seats"] if player != winner]
    event = tally(winner, **{player: hands.get(player, 0) for player in others})
    league.tell(f"/matches/{table['match']}", *[event] * (table["rounds"] - table["round"] + 1))


def play_to_the_end(league, cup):
    chance = random.Random(7)
    while (board := league.get(f"{cup}/board"))["next"] or any(
        table["status"] == "open" for table in board["tables"]
    ):
        for table in board["tables"]:
            if table["status"] == "open":
                hands = {player: chance.randint(1, 90) for player in table["seats"]}
                told(league, table, chance.choice(table["seats"]), **hands)


def shown_standings(page):
    rows = page.get_by_role("table", name="Standings").locator("tbody tr").all()
    return [row.locator("th, td").all_inner_texts() for row in rows]


def matrix_of(page, caption):
    rows = page.get_by_role("table", name=caption).locator("tbody tr").all()
    return [row.locator("th, td").all_inner_texts() for row in rows]


@on_both
def test_a_tournament_of_eight_from_the_form_to_its_champion(site, phones):
    league = site.league(NAMES, SLUGS)
    desk = phones.phone(site, league.scorekeeper, size=(1280, 900))
    desk.goto(f"/l/{league.slug}/t")
    desk.get_by_role("link", name="New tournament").click()
    for name in NAMES:
        expect(desk.get_by_role("status")).to_contain_text(TOO_FEW.get(name, "1 table"))
        desk.get_by_role("checkbox", name=name, exact=True).check()
    expect(desk.get_by_role("status")).to_contain_text(
        "7 people: 21 segments, 1 table at the same time."
    )
    desk.get_by_role("textbox", name="People who are new").fill("<b>Zoe</b>\n")
    expect(desk.get_by_role("status")).to_contain_text("8 people: 7 segments, 2 tables")
    desk.get_by_role("combobox", name="Edition").select_option("basic")
    with desk.expect_navigation():
        desk.get_by_role("button", name="Show who sits where").click()
    laid_out = desk.get_by_role("table", name="Who sits where").locator("tbody tr")
    planned = laid_out.locator("td:nth-child(3)").all_inner_texts()
    cup = opened(desk, league)
    schedule = desk.get_by_role("table", name="Schedule")
    assert schedule.locator("tbody td:nth-child(3)").all_inner_texts() == planned
    names = {each["player"]: each["name"] for each in league.get("/players")["items"]}
    assert sorted(names.values()) == sorted([*NAMES, "<b>Zoe</b>"])

    wall = phones.phone(site, league.viewer, size=(1920, 1080))
    wall.goto(desk.url)
    wall.get_by_role("link", name="Hall").click()
    first, second = league.get(f"{cup}/board")["tables"]
    table = wall.get_by_role("region", name="Table 1", exact=True)
    expect(table).to_contain_text("Round 1 of 4")
    expect(table.get_by_role("listitem").filter(has_text="deals")).to_contain_text(
        names[first["dealer"]]
    )
    assert wall.get_by_role("link", name="Score table 1").count() == 0

    phone = phones.phone(site, league.viewer)
    phone.goto(wall.url)
    me, left, partner, right = (names[player] for player in second["seats"])
    mine = phone.get_by_role("region", name="Where do I sit?")
    phone.get_by_role("combobox", name="I am").select_option(me)
    expect(mine).to_contain_text(f"You sit at table 2, opposite your partner {partner}.")
    expect(mine).to_contain_text(f"{left} is to your left, {right} to your right.")
    phone.reload()
    expect(mine).to_contain_text("You sit at table 2")

    winner, *others = first["seats"]
    counting = phones.phone(site, league.scorekeeper)
    counting.goto(wall.url)
    counting.get_by_role("link", name="Score table 1").click()
    counting.wait_for_url("**/pad")
    pad = Pad(counting, league.slug, f"/matches/{first['match']}")
    pad.tell(names[winner], **{names[player]: 11 for player in others})
    pad.says("All saved")
    (now, _) = league.get(f"{cup}/board")["tables"]
    for player, score in now["scores"].items():
        seat = table.get_by_role("listitem").filter(has_text=names[player])
        expect(seat.locator(".number")).to_have_text(str(score))
    expect(table).to_contain_text("Round 2 of 4")
    onwards = counting.get_by_role("link", name="Where do I sit next?")
    expect(onwards).to_be_hidden()
    told(league, now, winner)
    expect(onwards).to_be_visible()
    assert onwards.bounding_box()["height"] >= THUMB_PIXELS
    told(league, second, second["seats"][0])
    expect(wall.get_by_text("Segment 2 of 7")).to_be_visible()
    onwards.click()
    expect(counting.get_by_text("Segment 2 of 7")).to_be_visible()

    desk.reload()
    desk.get_by_text("Somebody sits in", exact=True).click()
    desk.get_by_role("combobox", name="For whom?").select_option(me)
    desk.get_by_role("textbox", name="Name of somebody new").fill("Ida")
    desk.get_by_role("button", name="Sit in", exact=True).click()
    expect(desk.get_by_text(f"Ida sits in for {me}.")).to_be_visible()
    (substitute,) = league.get(cup)["substitutes"].values()
    assert league.get(f"/players/{substitute}")["name"] == "Ida"
    expect(wall.locator("#root")).to_contain_text("Ida")
    expect(mine).to_contain_text("You have nothing to play at the moment.")

    play_to_the_end(league, cup)
    standings = league.get(f"{cup}/standings")
    champion = names[standings["champions"][0]]
    expect(wall.get_by_text(f"★ Champion: {champion}")).to_be_visible()
    leaders = wall.get_by_role("table", name="Leaders").locator("tbody tr")
    expect(leaders.first).to_contain_text(str(standings["items"][0]["total"]))
    desk.reload()
    expect(desk.get_by_text(f"★ Champion: {champion}")).to_be_visible()
    assert shown_standings(desk) == [
        [f"{each['rank']}. {names[each['player']]}"]
        + [str(each[name]) for name in ("total", "rounds", "round_wins")]
        for each in standings["items"]
    ]
    found = {each["player"]: each for each in standings["items"]}
    met = {player: found[player] for player in league.get(cup)["players"]}
    for caption in ("Partners", "Opponents"):
        assert matrix_of(desk, caption) == [
            [names[player]]
            + [
                "–"
                if other == player
                else str(each[caption.lower()].get(other, {}).get("total", ""))
                for other in met
            ]
            for player, each in met.items()
        ]


def four(site):
    league = site.league(NAMES, SLUGS)
    asked = {"tournament": "cup", "name": "The cup", "edition": "basic", "players": SLUGS[:4]}
    league.send("/tournaments", asked)
    return league


def with_a_tie(site):
    """Return a league whose tournament is played, and the players who are equal in it."""
    league = four(site)
    while (board := league.get("/tournaments/cup/board"))["tables"][0]["status"] == "open":
        told(league, board["tables"][0], board["tables"][0]["seats"][0])
    (tied,) = league.get("/tournaments/cup/standings")["tied"]
    return league, tied


def press_the_lot(desk, way):
    """Nothing is sent before the tick, since no lot can be drawn again."""
    form = desk.locator("form").filter(has=desk.get_by_role("button", name=way))
    form.get_by_role("button").click()
    expect(form.locator(":invalid")).to_have_count(1)
    form.get_by_role("checkbox", name="This can't be taken back").check()
    form.get_by_role("button").click()


@each_on_sqlite_one_on_postgresql("way", ["Draw the lot", "Record the lot"])
def test_a_lot_is_drawn_by_the_page_or_told_to_it(site, phones, way):
    league, tied = with_a_tie(site)
    desk = phones.phone(site, league.scorekeeper)
    desk.goto(f"/l/{league.slug}/t/cup")
    order = [*tied[1:], tied[0]]
    if way == "Record the lot":
        for place, player in enumerate(order, start=1):
            desk.get_by_role("combobox", name=f"Place {place}").select_option(player)
    press_the_lot(desk, way)
    decided = desk.get_by_text("A lot decided the order of those who were equal")
    expect(decided).to_be_visible()
    found = [each["player"] for each in league.get("/tournaments/cup/standings")["items"]]
    drawn = [player for player in found if player in tied]
    assert way == "Draw the lot" or drawn == order
    assert drawn[0].title() in decided.inner_text()


def test_a_lot_whose_answer_was_lost_is_not_drawn_again(site, phones):
    league, _ = with_a_tie(site)
    desk = phones.phone(site, league.scorekeeper)
    desk.add_init_script("let n = 0; crypto.getRandomValues = (into) => into.fill(n++);")
    desk.goto(f"/l/{league.slug}/t/cup")
    answer = Held(desk, "**/events?*", "POST")
    press_the_lot(desk, "Draw the lot")
    answer.release(lost=True)
    expect(desk.get_by_text("No connection. Try again.")).to_be_visible()
    desk.get_by_role("button", name="Draw the lot").click()
    expect(desk.get_by_text("A lot decided the order of those who were equal")).to_be_visible()


@pytest.mark.parametrize("way", ["Draw the lot", "Record the lot"])
def test_a_lot_that_another_phone_has_drawn_meanwhile_is_shown(site, phones, way):
    league, tied = with_a_tie(site)
    desk = phones.phone(site, league.scorekeeper)
    desk.goto(f"/l/{league.slug}/t/cup")
    league.send("/tournaments/cup/events", {"events": [{"type": "tie_drawn", "order": tied}]})
    press_the_lot(desk, way)
    decided = desk.get_by_text("A lot decided the order of those who were equal")
    expect(decided).to_be_visible()
    expect(desk.get_by_role("button", name=way)).to_have_count(0)


def test_a_lot_that_gives_two_places_to_one_is_said_and_put_right(site, phones):
    league, tied = with_a_tie(site)
    desk = phones.phone(site, league.scorekeeper)
    desk.goto(f"/l/{league.slug}/t/cup")
    desk.get_by_role("combobox", name="Place 2").select_option(tied[0])
    press_the_lot(desk, "Record the lot")
    expect(desk.locator("[role=alert]:visible")).to_have_count(1)
    desk.get_by_role("combobox", name="Place 2").select_option(tied[1])
    desk.get_by_role("button", name="Record the lot").click()
    expect(desk.get_by_text("A lot decided the order of those who were equal")).to_be_visible()


def test_who_withdraws_and_the_end_ask_first(site, phones):
    league = four(site)
    desk = phones.phone(site, league.scorekeeper)
    desk.goto(f"/l/{league.slug}/t/cup")
    for summary, button, said in (
        ("Somebody withdraws", "Withdraw", "Ann withdrew."),
        ("Close the tournament", "Close", "Closed before anything was played."),
    ):
        desk.get_by_text(summary, exact=True).click()
        desk.get_by_role("button", name=button, exact=True).click()
        assert league.get("/tournaments/cup")["version"] == (1 if button == "Withdraw" else 2)
        desk.get_by_role("checkbox", name="This can't be taken back").locator(
            "visible=true"
        ).check()
        desk.keyboard.press("Enter")
        expect(desk.get_by_text(said)).to_be_visible()
    assert league.get("/tournaments/cup")["status"] == "closed"


def test_at_which_table_a_round_has_to_end_first_is_said(site, phones):
    league = four(site)
    (table,) = league.get("/tournaments/cup/board")["tables"]
    league.tell(f"/matches/{table['match']}", {"type": "round_started"})
    desk = phones.phone(site, league.scorekeeper)
    desk.goto(f"/l/{league.slug}/t/cup")
    desk.get_by_text("Somebody sits in", exact=True).click()
    desk.get_by_role("textbox", name="Name of somebody new").fill("Zoe")
    desk.get_by_role("combobox", name="Who sits in?").select_option(label="Somebody new")
    desk.get_by_role("button", name="Sit in", exact=True).click()
    expect(desk.get_by_role("alert")).to_have_text(
        "Segment 1, table 1: the round that is being played there has to end first."
    )


def test_a_number_of_people_that_does_not_work_is_said_before_anything_is_sent(site, phones):
    league = site.league([f"Somebody {n}" for n in range(14)], [f"p-{n}" for n in range(14)])
    desk = phones.phone(site, league.scorekeeper)
    desk.goto(f"/l/{league.slug}/t/new")
    for box in desk.get_by_role("checkbox").all():
        box.check()
    expect(desk.get_by_role("status")).to_contain_text("The nearest numbers that work: 13, 16.")
    expect(desk.get_by_role("button", name="Open tournament")).to_be_disabled()
    desk.get_by_role("checkbox").last.uncheck()
    expect(desk.get_by_role("button", name="Open tournament")).to_be_enabled()


def test_a_hall_says_since_when_it_hears_nothing(site, phones):
    league = four(site)
    wall = phones.phone(site, league.viewer)
    wall.clock.install()
    wall.context.route("**/live", lambda route: route.abort())
    with wall.expect_event("requestfailed"):
        wall.goto(f"/l/{league.slug}/t/cup/hall")
    expect(wall.get_by_role("status")).to_be_empty()
    wall.clock.fast_forward(41_000)
    expect(wall.get_by_role("status")).to_contain_text("No connection since")


def test_whoever_comes_back_to_the_form_is_told_of_what_was_filled_in(site, phones):
    league = site.league()
    page = phones.phone(site, league.scorekeeper)
    page.goto(f"/l/{league.slug}/t/new")
    page.get_by_role("textbox", name="Name").first.fill("Cup")
    for each in page.get_by_role("group", name="Who plays?").get_by_role("checkbox").all():
        each.check()
    page.get_by_text("House rules").first.click()
    page.get_by_label("Stacking").select_option("any")
    page.get_by_role("button", name="Show who sits where").click()
    expect(page.get_by_role("table")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("checkbox", name="Oma Ida")).to_be_checked()
    expect(page.get_by_text("4 people: 3 segments")).to_be_visible()
    expect(page.get_by_role("button", name="Open tournament")).to_be_enabled()
    expect(page.locator("#house-rules summary")).to_contain_text("Stacking: any on any")
