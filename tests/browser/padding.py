"""The pad as a person uses it."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.evening import Evening
from tests.browser.holding import Fault
from tests.browser.waiting import until

# The hands of the others if Ann goes out, and if Bo goes out.
ANN = {"Bo": 10, "Oma_Ida": 20, "美美": 30}
BO = {"Ann": 1, "Oma_Ida": 2, "美美": 3}

CUT_OFF = "() => fetch('/v1/me').then(() => false, () => true)"
KEPT = """async (now) => {
    const given = (page) => /id="given">(.*)</.exec(page)[1];
    const kept = await (await caches.open("pages")).match(location.href);
    return kept !== undefined && given(await kept.text()) === given(now);
}"""


class Pad:
    """The pad of a match on one phone. Methods take people's names."""

    def __init__(self, page: Page, league: str, match: str) -> None:
        self.page = page
        self.address = f"/l/{league}{match.replace('/matches/', '/m/')}/pad"

    def open(self) -> "Pad":
        self.page.goto(self.address)
        expect(self.page.get_by_role("button", name="Save round")).to_be_visible()
        return self

    def cut(self) -> Fault:
        """Cut the page off the service; no service worker intercepts these requests."""
        self._cut = Fault(self.page.context, "**/v1/**", lambda route: route.abort())
        # The cut takes effect a moment later, and rounds have come through meanwhile.
        until(self.page, CUT_OFF)
        return self._cut

    def join(self) -> None:
        self._cut.mend()
        self.back()

    def back(self) -> None:
        """Fire the event with which browsers announce that there is a network again."""
        self.page.evaluate("dispatchEvent(new Event('online'))")

    def seen(self) -> None:
        """Say that somebody looks at the page again, as browsers do when a tab is chosen."""
        self.page.evaluate("document.dispatchEvent(new Event('visibilitychange', {bubbles: true}))")

    def opened_without_a_network(self) -> None:
        """Reload the page without a network, once the worker has cached its present state."""
        now = self.page.request.get(self.page.url).text()
        until(self.page, KEPT, now)
        self.page.context.set_offline(True)
        until(self.page, CUT_OFF)
        self.page.reload()
        # A cut takes effect a moment later, for the page that was loaded since, too.
        until(self.page, CUT_OFF)

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
        """Open a hand and enter its cards, each as a colour and the name of a card."""
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
        expect(self.page.get_by_role("status")).to_contain_text(text)

    def settled(self) -> None:
        """Wait until no round is waiting to be sent."""
        expect(self.page.get_by_role("status")).not_to_contain_text("wait")

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()


def told_by_two(pads: Callable[[], Pad]) -> tuple[Pad, Pad]:
    """Return a pad with Ann's unsent round 1, and one that has recorded Bo's round 1 meanwhile."""
    mine, theirs = pads(), pads()
    mine.out("Ann")
    mine.points(**ANN)
    theirs.tell("Bo", **BO)
    theirs.says("All saved")
    return mine, theirs


def send_home(league: Evening) -> None:
    """Revoke the token of the scorekeeper's phones."""
    own = next(t for t in league.get("/tokens")["items"] if t["role"] == "scorekeeper")
    league.delete(f"/tokens/{own['token_id']}")


def tell_though_sent_home(league: Evening, pad: Pad) -> None:
    """Save Ann's round on a device whose token is revoked after the round was begun."""
    pad.out("Ann")
    pad.points(**ANN)
    send_home(league)
    pad.save()
    pad.says("ask for a new code")
