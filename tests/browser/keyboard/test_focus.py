"""People with only a keyboard can go on where they were: no action loses the focus."""

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.keyboard.by_keys import Keys
from tests.browser.padding import ANN, Pad

BOS = tally("bo", **{"ann": 1, "oma-ida": 2, "mei": 3})


class PadByKeys(Keys):
    """The pad of a match, used by keyboard."""

    def __init__(self, pad: Pad) -> None:
        super().__init__(pad.page)
        self.pad = pad

    def button(self, name, key="Enter"):
        self.press(self.page.get_by_role("button", name=name, exact=True), key)

    def out(self, name):
        self.press(self.person(name))

    def person(self, name):
        return self.page.get_by_role("group", name="Who went out?").get_by_role("button", name=name)

    def card(self, color, name):
        self.press(self.page.get_by_role("group", name="Colour").get_by_role("button", name=color))
        self.press(self.shown(name))

    def shown(self, name):
        return self.page.get_by_role("group", name="Cards").get_by_role(
            "button", name=name, exact=True
        )

    def points(self, **points):
        switch = self.page.get_by_role("switch", name="Points", exact=True)
        if not switch.is_checked():
            self.press(switch, "Space")
        for name, number in points.items():
            label = f"Points of {name.replace('_', ' ')}"
            self.type(self.page.get_by_role("spinbutton", name=label), str(number))


@pytest.fixture
def keys(pads):
    return PadByKeys(pads())


def test_a_round_on_the_pad(league, match, keys):
    page = keys.page
    keys.out("Ann")
    expect(keys.person("Ann")).to_be_focused()
    keys.card("red", "red 9")
    put_back = page.get_by_role("button", name="Put back")
    expect(put_back).to_have_count(1)
    keys.press(keys.shown("red 0"))
    # The deck has one such card.
    expect(keys.shown("red 0")).to_be_disabled()
    expect(keys.shown("red 1")).to_be_focused()
    keys.press(put_back.first)
    expect(put_back).to_have_count(1)
    expect(put_back).to_be_focused()
    keys.page.keyboard.press("Enter")
    expect(put_back).to_have_count(0)
    keys.is_somewhere()
    keys.card("wild", "wild")
    for name in ("Oma Ida", "美美"):
        keys.button(f"{name}'s hand")
        keys.is_somewhere()
        keys.card("blue", "blue skip")
    keys.button("Save round")
    keys.pad.says("All saved")
    expect(keys.person("Ann")).to_be_focused()
    assert league.totals(match)["ann"] > 0
    keys.button("Take back")
    keys.pad.says("Taken back.")
    expect(keys.person("Ann")).to_be_focused()


def test_an_unlikely_number(keys):
    keys.out("Ann")
    keys.points(Bo=351, Oma_Ida=1, 美美=1)
    keys.button("Save round")
    expect(keys.page.get_by_role("button", name="Change")).to_be_focused()
    keys.page.keyboard.press("Enter")
    expect(keys.page.get_by_role("dialog")).to_be_hidden()
    expect(keys.page.get_by_role("spinbutton", name="Points of Bo")).to_be_focused()
    keys.button("Save round")
    expect(keys.page.get_by_role("button", name="Change")).to_be_focused()
    keys.page.keyboard.press("Escape")
    expect(keys.page.get_by_role("button", name="Save round")).to_be_focused()
    keys.button("Save round")
    keys.button("It is right")
    keys.pad.says("All saved")
    expect(keys.person("Ann")).to_be_focused()


@pytest.mark.parametrize(
    "choices",
    [
        ["Keep theirs"],
        ["Throw away"],
        ["Mine is another round"],
        ["Replace by mine", "Cancel", "Replace by mine", "Replace"],
    ],
)
def test_two_accounts_of_a_round(league, match, keys, choices):
    keys.out("Ann")
    keys.points(**ANN)
    league.tell(match, BOS)
    keys.button("Save round")
    both = keys.page.get_by_role("group", name="Two accounts of round 1")
    expect(both).to_be_visible()
    keys.is_somewhere()
    for choice in choices:
        keys.button(choice)
        keys.is_somewhere()
        if choice == "Replace by mine":
            expect(keys.page.get_by_role("button", name="Cancel")).to_be_focused()
    expect(both).to_be_hidden()
    keys.pad.settled()
    keys.is_somewhere()


def test_a_dialog_that_is_closed_and_opened_at_once_stays_open(keys):
    keys.out("Ann")
    keys.points(Bo=351, Oma_Ida=1, 美美=1)
    keys.button("Save round")
    dialog = keys.page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    # Press it again before the browser has fired `close`.
    keys.page.evaluate(
        """async () => {
            document.querySelector("dialog button.plain").click();
            await null;
            const buttons = [...document.querySelectorAll("button")];
            const save = buttons.find((each) => each.textContent === "Save round");
            save.focus();
            save.click();
            await new Promise((told) => setTimeout(told));
        }"""
    )
    expect(dialog).to_be_visible()
    keys.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(keys.page.get_by_role("button", name="Save round")).to_be_focused()
    keys.button("Save round")
    keys.button("It is right")
    keys.pad.says("All saved")


@pytest.mark.parametrize("choice", ["Edit", "Throw away"])
def test_a_round_that_was_refused(keys, choice):
    keys.out("Ann")
    keys.points(Bo=10_000, Oma_Ida=1, 美美=1)
    keys.button("Save round")
    keys.button("It is right")
    refused = keys.page.get_by_role("group", name="Round 1 was not accepted")
    expect(refused).to_be_visible()
    keys.button(choice)
    if choice == "Edit":
        keys.reach(keys.page.get_by_role("spinbutton", name="Points of Bo"))
        keys.page.keyboard.press("Control+A")
        keys.page.keyboard.type("10")
        keys.button("Save round")
    expect(refused).to_be_hidden()
    keys.is_somewhere()


@pytest.mark.parametrize("ended", ["by the winning round", "by another phone"])
def test_a_key_that_is_pressed_once_more_undoes_no_winning_round(site, phones, league, ended):
    won = {"mode": "winner-collects", "target": 50}
    match = league.match("won", dealer="ann", scoring=won)
    told = tally("bo", **{"ann": 1, "oma-ida": 2, "mei": 3})
    phone = phones.phone(site, league.scorekeeper)
    keys = PadByKeys(Pad(phone, league.slug, match).open())
    league.tell(match, told)
    keys.out("Ann")
    keys.points(**ANN)
    if ended == "by another phone":
        league.tell(match, tally("ann", **{"bo": 10, "oma-ida": 20, "mei": 30}))
    else:
        keys.button("Save round")
    over = phone.get_by_text("The match is over.")
    expect(over).to_be_focused()
    phone.keyboard.press("Enter")
    keys.pad.says("All saved")
    assert league.get(match)["status"] == "won"
    keys.reach(phone.get_by_role("link", name="New match"))
