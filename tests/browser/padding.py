"""The pad as a person uses it."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.evening import Evening
from tests.browser.holding import Fault
from tests.browser.waiting import until

# A round waits for the next try where the first one after a pause goes wrong.
PATIENCE_MS = 15_000
# What the others hold where Ann, and where Bo, went out.
ANN = {"Bo": 10, "Oma_Ida": 20, "美美": 30}
BO = {"Ann": 1, "Oma_Ida": 2, "美美": 3}

KEPT = """async (now) => {
    const given = (page) => /id="given">(.*)</.exec(page)[1];
    const kept = await (await caches.open("pages")).match(location.href);
    return kept !== undefined && given(await kept.text()) === given(now);
}"""


class Pad:
    """One phone's pad of a match; people are called by their names."""

    def __init__(self, page: Page, league: str, match: str) -> None:
        self.page = page
        self.address = f"/l/{league}{match.replace('/matches/', '/m/')}/pad"

    def open(self) -> "Pad":
        self.page.goto(self.address)
        expect(self.page.get_by_role("button", name="Save round")).to_be_visible()
        return self

    def cut(self) -> Fault:
        """Keep the page itself from the network: no worker lies between here."""
        self._cut = Fault(self.page.context, "**/v1/**", lambda route: route.abort())
        # Rounds came through behind it once.
        until(self.page, "() => fetch('/v1/me').then(() => false, () => true)")
        return self._cut

    def join(self) -> None:
        self._cut.mend()
        self.back()

    def back(self) -> None:
        """Say that there is a network again, as browsers do."""
        self.page.evaluate("dispatchEvent(new Event('online'))")

    def seen(self) -> None:
        """Say that somebody looks at the page again, as browsers do when a tab is chosen."""
        self.page.evaluate("document.dispatchEvent(new Event('visibilitychange', {bubbles: true}))")

    def opened_without_a_network(self) -> None:
        """As soon as the worker has kept the page as it is: opened anew with no network at all."""
        now = self.page.request.get(self.page.url).text()
        until(self.page, KEPT, now)
        self.page.context.set_offline(True)
        self.page.reload()

    def out(self, name: str) -> None:
        self.page.get_by_role("group", name="Who went out?").get_by_role(
            "button", name=name
        ).click()

    def points(self, **points: int) -> None:
        switch = self.page.get_by_role("switch", name="Points", exact=True)
        if not switch.is_checked():
            switch.check()
        for name, number in points.items():
            told = self.page.get_by_role("spinbutton", name=f"Points of {name.replace('_', ' ')}")
            told.fill(str(number))

    def hand(self, name: str, *cards: tuple[str, str]) -> None:
        """Open a hand and tell its cards, each by its colour's button and its own."""
        hand = self.page.get_by_role("button", name=f"{name}'s hand")
        if hand.get_attribute("aria-expanded") == "false":
            hand.click()
        for colour, card in cards:
            self.page.get_by_role("group", name="Colour").get_by_role("button", name=colour).click()
            cards_shown = self.page.get_by_role("group", name="Cards")
            cards_shown.get_by_role("button", name=card, exact=True).click()

    def save(self) -> None:
        self.page.get_by_role("button", name="Save round").click()

    def tell(self, winner: str, **points: int) -> None:
        self.out(winner)
        self.points(**points)
        self.save()

    def says(self, text: str) -> None:
        expect(self.page.get_by_role("status")).to_contain_text(text, timeout=PATIENCE_MS)

    def settled(self) -> None:
        """Nothing waits."""
        expect(self.page.get_by_role("status")).not_to_contain_text("wait", timeout=PATIENCE_MS)

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()


def told_by_two(pads: Callable[[], Pad]) -> tuple[Pad, Pad]:
    """A phone that begins Ann's round, and one that has Bo's recorded as the same meanwhile."""
    mine, theirs = pads(), pads()
    mine.out("Ann")
    mine.points(**ANN)
    theirs.tell("Bo", **BO)
    theirs.says("All saved")
    return mine, theirs


def tell_though_sent_home(league: Evening, pad: Pad) -> None:
    """Ann's round, on a device that is revoked while it is told."""
    pad.out("Ann")
    pad.points(**ANN)
    own = next(t for t in league.get("/tokens")["items"] if t["role"] == "scorekeeper")
    league.delete(f"/tokens/{own['token_id']}")
    pad.save()
    pad.says("ask for a new code")
