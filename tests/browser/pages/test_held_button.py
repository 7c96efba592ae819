"""A button of the replay repeats while it is held, until the finger lifts or slides off."""

import pytest
from playwright.sync_api import expect

HELD_MS = 400
HOUR_S = 3600


class Finger:
    """Touches the screen; the touched button gets the events until the finger lifts."""

    def __init__(self, page):
        self._page = page
        self._client = page.context.new_cdp_session(page)

    def _send(self, kind, *points):
        touched = [{"x": x, "y": y} for x, y in points]
        self._client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})

    def press(self, x, y):
        self._send("touchStart", (x, y))

    def slide(self, x, y):
        self._send("touchMove", (x, y))

    def lift(self):
        self._send("touchEnd")


class Mouse:
    def __init__(self, page):
        self._mouse = page.mouse

    def press(self, x, y):
        self._mouse.move(x, y)
        self._mouse.down()

    def slide(self, x, y):
        self._mouse.move(x, y)

    def lift(self):
        self._mouse.up()


@pytest.fixture
def replay(site, phones, league):
    match = league.match(dealer="ann")
    cards = ("red-7", "red-4", "red-3", "red-1", "red-2", "red-6", "red-8", "red-9")
    people = ("bo", "oma-ida", "mei", "ann")
    told = [
        {"type": "card_played", "player": people[at % 4], "card": card}
        for at, card in enumerate(cards)
    ]
    begun = {"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"}
    league.tell(match, *begun, *told)
    page = phones.phone(site, league.viewer)
    page.clock.install(time=0)
    page.goto(f"/l/{league.slug}{match.replace('/matches/', '/m/')}/r/1?step=2")
    expect(page.get_by_role("slider", name="Step")).to_have_value("2")
    page.clock.pause_at(HOUR_S)
    return page


@pytest.mark.parametrize("hand", [Finger, Mouse])
def test_a_button_that_is_slid_off_stops(replay, hand):
    slider = replay.get_by_role("slider", name="Step")
    button = replay.get_by_role("button", name="Next step")
    box = button.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    pressing = hand(replay)
    pressing.press(x, y)
    replay.clock.run_for(HELD_MS)
    expect(slider).to_have_value("3")
    # It slides along the bar, since other directions would scroll the page.
    pressing.slide(x - box["width"] / 4, y)
    pressing.slide(x - 2 * box["width"], y)
    replay.clock.run_for(10 * HELD_MS)
    expect(slider).to_have_value("3")
    pressing.lift()
    button.press("Enter")
    expect(slider).to_have_value("4")


@pytest.mark.parametrize("hand", [Finger, Mouse])
def test_a_button_that_is_let_go_stops_where_it_is(replay, hand):
    slider = replay.get_by_role("slider", name="Step")
    box = replay.get_by_role("button", name="Next step").bounding_box()
    pressing = hand(replay)
    pressing.press(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    replay.clock.run_for(HELD_MS)
    expect(slider).to_have_value("3")
    pressing.lift()
    replay.clock.run_for(10 * HELD_MS)
    expect(slider).to_have_value("3")
