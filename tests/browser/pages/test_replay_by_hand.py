"""A dispute about a round is settled on its replay, by the names that people see."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.evening import on_both


def left(color, count):
    return [f"{color}-{n}" for n in (1, 2, 3, 6, 8, 9)[:count]]


ROUND = (
    {"type": "round_started"},
    {"type": "first_card_turned", "card": "red-5"},
    {"type": "card_played", "player": "bo", "card": "red-7"},
    {"type": "card_played", "player": "oma-ida", "card": "green-4", "as_played": True},
    {"type": "cards_drawn", "player": "mei", "cards": ["blue-9"]},
    {
        "type": "round_tallied",
        "winners": ["bo"],
        "hands": {
            "ann": {"cards": ["red-skip", *left("green", 6)]},
            "oma-ida": {"cards": ["wild", *left("red", 5)]},
            "mei": {"cards": ["blue-9", "yellow-skip", *left("blue", 6)]},
        },
    },
)


class Replay:
    """One phone's replay of the first round of a match."""

    def __init__(self, page, league, match):
        self.page = page
        self.address = f"/l/{league.slug}{match.replace('/matches/', '/m/')}/r/1"

    def open(self, step=None):
        self.page.goto(self.address + ("" if step is None else f"?step={step}"))
        self.slider = self.page.get_by_role("slider", name="Step")
        expect(self.slider).to_be_visible()
        return self

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    def at(self, step, steps):
        expect(self.slider).to_have_attribute("aria-valuetext", f"step {step} of {steps}")
        expect(self.page).to_have_url(re.compile(rf"[?&]step={step}\b"))
        expect(self.page.locator("ol.steps > li:visible")).to_have_id(f"step-{step}")

    def replaced(self, card, colour, other):
        """Try another card in What if, and return the rows of numbers that would change."""
        self.press("Another card")
        if card is not None:
            self.page.get_by_role("button", name=card).click()
        self.page.get_by_role("group", name="Colour of the card").get_by_role(
            "button", name=colour, exact=True
        ).click()
        cards = self.page.get_by_role("group", name="Cards", exact=True)
        cards.get_by_role("button", name=other, exact=True).click()
        expect(self.page.get_by_text("would change")).to_be_visible()
        return self.changes()

    def changes(self):
        rows = self.page.locator("tr[data-at]")
        return {
            row.get_attribute("data-at"): tuple(row.locator("td").all_text_contents())
            for row in rows.all()
        }


@pytest.fixture
def played(site):
    league = site.league()
    match = league.match(dealer="ann")
    league.tell(match, *ROUND)
    return league, match


def test_what_nobody_told_is_not_tried_otherwise(site, phones, played):
    league, match = played
    told = len(league.get(f"{match}/rounds/1/replay")["items"])
    hers = Replay(phones.phone(site, league.scorekeeper), league, match).open(told)
    hers.press("What if")
    nobody = hers.page.get_by_text("Only what somebody told can be tried otherwise.")
    expect(nobody).to_be_visible()
    expect(hers.page.get_by_role("button", name="Not played")).to_have_count(0)


def test_a_ruling_that_is_not_recorded_is_said_of_its_own_dispute(site, phones, played):
    league, match = played
    for by, claim in (("bo", "no"), ("mei", "not at all")):
        league.tell(match, {"type": "dispute_opened", "by": by, "round": 1, "claim": claim})
    his = Replay(phones.phone(site, league.owner), league, match).open()
    his.press("Dispute")
    his.page.route("**/events?*", lambda route: route.abort())
    theirs = his.page.locator("[data-dispute]").nth(1)
    theirs.get_by_label("Reason of the ruling").fill("we saw it")
    theirs.get_by_role("button", name="Reject").click()
    alerts = his.page.get_by_role("alert")
    expect(alerts).to_have_text(["No connection. Try again."])
    expect(theirs.get_by_role("alert")).to_be_visible()


@on_both
def test_a_disputed_round_is_tried_proposed_upheld_and_corrected(site, phones, played):
    league, match = played
    told = len(league.get(f"{match}/rounds/1/replay")["items"])
    entries = league.get(f"{match}/events")["items"]
    tally = next(each for each in entries if each["type"] == "round_tallied")
    items = league.get(f"{match}/rounds/1/replay")["items"]
    step = [item.get("version") for item in items].index(tally["version"]) + 1
    hands = tally["data"]["hands"]
    cards = ["yellow-9", *hands["oma-ida"]["cards"][1:]]
    mended = {"type": "round_tallied"} | tally["data"]
    mended["hands"] = hands | {"oma-ida": {"cards": cards}}
    amendment = {"from": tally["version"], "remove": 1, "insert": [mended]}

    hers = Replay(phones.phone(site, league.scorekeeper), league, match).open(step)
    hers.press("What if")
    changes = hers.replaced("Oma Ida: wild", "yellow", "yellow 9")
    expected = league.send(f"{match}/what-if", amendment)["changes"]
    assert set(changes) == {change["at"] for change in expected}
    for change in expected:
        if isinstance(change["after"], int):
            shown = (change["before"], change["after"])
            assert changes[change["at"]] == tuple(
                "–" if each is None else str(each) for each in shown
            )
    hers.page.get_by_label("Proposed by").select_option("Oma Ida")
    hers.press("Propose")
    expect(hers.page.get_by_role("status")).to_contain_text("The dispute is open.")
    expect(hers.page.locator("#controls")).to_be_focused()
    expect(hers.page.locator(f"#step-{step}")).to_be_in_viewport()
    (dispute,) = league.get(f"{match}/audit")["disputes"]
    assert (dispute["by"], dispute["entry"]) == ("oma-ida", tally["version"])
    assert "): " in dispute["claim"]
    assert ".): " not in dispute["claim"]
    assert "yellow 9 in place of wild" in dispute["claim"]

    again = {"type": "dispute_opened", "by": "mei", "round": 1, "claim": "No."}
    league.tell(match, again | {"entry": tally["version"]})
    his = Replay(phones.phone(site, league.owner), league, match).open()
    his.page.get_by_role("button", name="Uphold with an amendment").last.click()
    his.at(step, told + 2)
    his.replaced("Oma Ida: wild", "yellow", "yellow 9")
    upheld = his.page.get_by_role("combobox", name="Upholds the dispute")
    expect(upheld.locator("option:checked")).to_have_text("美美: No.")
    upheld.select_option(label=f"Oma Ida: {dispute['claim']}")
    his.press("Amend")
    expect(his.page.get_by_role("status")).to_contain_text("The log is amended.")
    dispute, other = league.get(f"{match}/audit")["disputes"]
    assert (dispute["ruling"], other["ruling"]) == ("upheld", None)
    totals = league.get(match)["totals"]
    assert totals == league.get(f"{match}/rounds/1/replay")["items"][-1]["state"]["totals"]
    row = his.page.get_by_role("table", name="Scores").get_by_role("row", name="Oma Ida")
    expect(row).to_contain_text(str(totals["oma-ida"]))
    his.press("Side by side")
    before = league.get(f"{match}/rounds/1/replay", view="recorded")["score"]["scores"]["oma-ida"]
    both = his.page.get_by_role("table", name="As recorded and as corrected")
    expect(both.get_by_role("row", name="Oma Ida")).to_contain_text(f"{before['score']}, total")
    expect(both.get_by_role("row", name="Oma Ida")).to_contain_text(f"≠ {totals['oma-ida']}, total")


def test_a_round_is_gone_through_by_button_key_slider_swipe_and_link(site, phones, played):
    league, match = played
    items = league.get(f"{match}/rounds/1/replay", names="display")["items"]
    steps = len(items)
    replay = Replay(phones.phone(site, league.viewer), league, match).open(step=2)
    page = replay.page
    replay.at(2, steps)
    replay.press("Next step")
    replay.at(3, steps)
    replay.press("Previous step")
    replay.at(2, steps)
    page.keyboard.press("ArrowRight")
    replay.at(3, steps)
    replay.slider.press("End")
    replay.at(steps, steps)
    replay.slider.press("Home")
    replay.at(1, steps)
    said = page.get_by_role("status")
    page.get_by_role("button", name="Previous step").press("Enter")
    expect(said).to_have_text("This is the first step.")
    page.get_by_role("button", name="Next step").press("Enter")
    replay.at(2, steps)
    expect(said).to_contain_text(items[1]["explanation"])
    swipe(page, left=True)
    replay.at(3, steps)
    swipe(page, left=False)
    replay.at(2, steps)
    page.get_by_role("button", name="Next step").hover()
    page.mouse.down()
    replay.at(steps, steps)
    page.mouse.up()
    page.keyboard.press("ArrowRight")
    expect(said).to_have_text("This is the last step.")
    broken = [n for n, item in enumerate(items, 1) if item["verdict"] == "illegal"]
    for step in broken:
        page.get_by_role("button", name=f"Violation in step {step}").click()
        replay.at(step, steps)
        shown = page.locator(f"#step-{step}")
        expect(shown).to_contain_text("Illegal")
        expect(shown).to_contain_text(items[step - 1]["explanation"])
        for clause in items[step - 1]["clauses"]:
            link = shown.get_by_role("link", name=clause["id"], exact=True)
            expect(link).to_have_attribute("href", f"/e/basic#{clause['id']}")
            expect(shown).to_contain_text(clause["text"])
    assert broken
    page.get_by_role("button", name="Send a link to this step").click()
    link = page.get_by_role("textbox", name="Link to step").input_value()
    other = phones.phone(site, league.viewer)
    other.goto(link)
    expect(other.get_by_role("slider", name="Step")).to_have_value(str(broken[-1]))


def test_a_score_unfolds_to_the_cards_and_the_steps_that_they_came_from(site, phones, played):
    league, match = played
    score = league.get(f"{match}/rounds/1/replay")["score"]
    drawn = next(card for card in score["hands"]["mei"]["cards"] if card["card"] == "blue-9")
    replay = Replay(phones.phone(site, league.viewer), league, match).open()
    page = replay.page
    page.get_by_text(f"Where 美美's {score['scores']['mei']['score']} come from").click()
    line = page.get_by_role("listitem").filter(has_text="blue 9: 9").last
    step = drawn["sources"][0]["item"] + 1
    line.get_by_role("link", name=f"step {step}").first.click()
    expect(replay.slider).to_have_value(str(step))
    for name in ("Dispute", "What if", "Amend"):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)


CHALLENGED = (
    {"type": "round_started"},
    {"type": "first_card_turned", "card": "red-5"},
    {"type": "card_played", "player": "bo", "card": "wild-draw-four", "color": "blue"},
    {"type": "wild_draw_four_challenged", "by": "oma-ida", "guilty": True},
)


def test_a_verdict_and_a_step_that_was_inserted_are_tried_otherwise(site, phones):
    league = site.league()
    match = league.match(dealer="ann")
    league.tell(match, *CHALLENGED)
    inserted = {"type": "first_card_turned", "card": "red-7"}
    amendment = {"from": 3, "remove": 1, "insert": [inserted]}
    league.tell(match, {"type": "log_amended", "reason": "It was a seven.", **amendment})
    items = league.get(f"{match}/rounds/1/replay")["items"]
    kinds = [item["event"]["type"] for item in items]
    challenge = kinds.index("wild_draw_four_challenged")
    first = kinds.index("first_card_turned")
    assert "amendment" in items[first]
    other = {**CHALLENGED[-1], "guilty": False}
    told_otherwise = {"from": items[challenge]["version"], "remove": 1, "insert": [other]}
    turned_otherwise = {
        **amendment,
        "withdraws": [items[first]["amendment"]],
        "insert": [{**inserted, "card": "green-9"}],
    }

    replay = Replay(phones.phone(site, league.scorekeeper), league, match).open(challenge + 1)
    replay.press("What if")
    replay.press("Innocent")
    expect(replay.page.get_by_role("status")).to_contain_text("would change")
    assert set(replay.changes()) == at(league.send(f"{match}/what-if", told_otherwise))
    replay.slider.press("Home")
    for _ in range(first):
        replay.press("Next step")
    changes = replay.replaced(None, "green", "green 9")
    assert set(changes) == at(league.send(f"{match}/what-if", turned_otherwise))


def test_what_would_differ_is_asked_once_the_slider_is_let_go(site, phones, played):
    league, match = played
    replay = Replay(phones.phone(site, league.scorekeeper), league, match).open(3)
    asked = []
    replay.page.on("request", lambda sent: sent.url.find("/what-if") > 0 and asked.append(sent))
    replay.press("What if")
    replay.press("Not played")
    expect(replay.page.get_by_role("status")).to_contain_text("would change")
    for step in (4, 5, 4):
        replay.slider.evaluate(f"slider => {{ slider.value = {step}; {event('input')} }}")
    expect(replay.page.locator("ol.steps > li:visible")).to_have_id("step-4")
    assert len(asked) == 1
    with replay.page.expect_request(re.compile("/what-if")) as let_go:
        replay.slider.evaluate(f"slider => {{ {event('change')} }}")
    items = league.get(f"{match}/rounds/1/replay")["items"]
    assert let_go.value.post_data_json["from"] == items[3]["version"]


def test_a_table_that_is_wider_than_the_phone_has_its_own_keys_and_swipes(site, phones, played):
    league, match = played
    steps = len(league.get(f"{match}/rounds/1/replay")["items"])
    replay = Replay(phones.phone(site, league.viewer, size=(320, 640)), league, match).open(2)
    scores = replay.page.get_by_role("region", name="Scores")
    replay.page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert scores.evaluate("each => each.scrollWidth > each.clientWidth")
    scores.focus()
    for key in ("ArrowRight", "ArrowLeft", "ArrowLeft"):
        replay.page.keyboard.press(key)
        replay.at(2, steps)
    swipe(replay.page, left=True, over=scores)
    replay.at(2, steps)
    replay.page.evaluate("document.documentElement.style.fontSize = ''")
    scores.press("ArrowRight")
    replay.at(3, steps)
    swipe(replay.page, left=False, over=scores)
    replay.at(2, steps)


def test_a_swipe_beside_the_column_counts_on_a_wide_screen(site, phones, played):
    league, match = played
    steps = len(league.get(f"{match}/rounds/1/replay")["items"])
    replay = Replay(phones.phone(site, league.viewer, size=(1280, 720)), league, match).open(2)
    assert replay.page.locator("main").bounding_box()["x"] > 280
    swipe(replay.page, left=True)
    replay.at(3, steps)


def test_two_fingers_are_no_swipe(site, phones, played):
    league, match = played
    steps = len(league.get(f"{match}/rounds/1/replay")["items"])
    replay = Replay(phones.phone(site, league.viewer), league, match).open(2)
    session = replay.page.context.new_cdp_session(replay.page)
    y = replay.page.locator("#table").bounding_box()["y"] + 10
    left, right = ({"x": x, "y": y, "id": x} for x in (100, 300))
    for kind, points in (
        ("touchStart", [left]),
        ("touchStart", [left, right]),
        ("touchEnd", [left]),
        ("touchEnd", []),
    ):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    replay.at(2, steps)


def event(kind):
    return f"slider.dispatchEvent(new Event('{kind}', {{bubbles: true}}))"


def at(answer):
    return {change["at"] for change in answer["changes"]}


def swipe(page, *, left, over=None):
    session = page.context.new_cdp_session(page)
    start, end = (280, 80) if left else (80, 280)
    area = over or page.locator("#table")
    # Away from the bar at the foot of the page, which would cover it. A high area begins above.
    area.evaluate("each => each.scrollIntoView({block: 'center'})")
    y = max(area.bounding_box()["y"], 0) + 10
    for kind, points in (
        ("touchStart", [{"x": start, "y": y}]),
        ("touchMove", [{"x": end, "y": y}]),
        ("touchEnd", []),
    ):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_a_round_that_was_amended_whole_stands_step_beside_step(site, phones):
    league = site.league()
    match = league.match(dealer="ann")
    tally = {"type": "round_tallied", "winners": ["bo"]}
    hands = {"ann": {"points": 34}, "oma-ida": {"points": 51}, "mei": {"points": 12}}
    entries = league.tell(match, {**tally, "hands": hands})["entries"]
    told = next(each for each in entries if not each["inferred"])
    right = {**tally, "hands": hands | {"ann": {"points": 43}}}
    amendment = {"type": "log_amended", "from": told["version"], "remove": 1, "insert": [right]}
    league.tell(match, {**amendment, "reason": "Two digits were swapped."})
    replay = Replay(phones.phone(site, league.viewer), league, match).open(step=1)
    replay.press("Side by side")
    readings = replay.page.locator(".accounts section")
    recorded, corrected = readings.nth(0), readings.nth(1)
    for reading in (recorded, corrected):
        expect(reading).to_contain_text("The round is told as a whole")
        expect(reading).not_to_contain_text("Ann scores")
        expect(reading.locator("strong.verdict.legal svg")).to_have_count(1)
    replay.press("Next step")
    expect(recorded).to_contain_text("Ann scores 34")
    expect(corrected).to_contain_text("Ann scores 43")


def test_the_other_reading_opens_where_an_amendment_was_read(site, phones, played):
    league, match = played
    entries = league.get(f"{match}/events")["items"]
    entry = next(each["version"] for each in entries if each["type"] == "card_played")
    items = league.get(f"{match}/rounds/1/replay")["items"]
    step = [item.get("version") for item in items].index(entry) + 1
    same = {"type": "card_played"} | items[step - 1]["event"]
    amendment = {"from": entry, "remove": 1, "insert": [same], "reason": "told anew"}
    league.tell(match, {"type": "log_amended"} | amendment)
    hers = Replay(phones.phone(site, league.viewer), league, match).open(step)
    for view in ("recorded", "corrected"):
        hers.page.get_by_role("link", name=f"As {view}").click()
        hers.page.wait_for_url(f"**view={view}&step={step}")
