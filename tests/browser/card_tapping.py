"""The pad card by card as a person uses it: each event is recorded with the page's own controls."""

from typing import Any

from playwright.sync_api import Locator, Page, Response, expect

from tests.browser.waiting import until

# The page keeps what is half told together with the version of the match that it shows.
SHOWN = """(version) => {
    const place = location.pathname.replace("/l/", "/v1/leagues/").replace("/m/", "/matches/");
    const half = sessionStorage.getItem(`cards ${place.replace("/cards", "")}`);
    return JSON.parse(half)[0] >= version;
}"""
EFFECTS = {
    "discard": "Cards are discarded",
    "give": "Cards are given away",
    "draw": "Cards are drawn",
    "swap": "Hands change owners",
    "skip": "A turn is left out",
    "reverse": "The direction turns round",
}
TITLES = {
    "cards_drawn": "Cards drawn",
    "turn_passed": "Turn passed",
    "uno_called": "UNO called",
    "uno_caught": "Caught without UNO",
    "misplay_called": "Misplay called",
    "advice_called": "Advice called",
    "accusation_made": "Accusation",
    "pile_reshuffled": "Pile reshuffled",
    "hand_shown": "Hand shown",
    "hand_counted": "Hand counted",
    "match_closed": "Match closed",
    "match_abandoned": "Match abandoned",
    "note_added": "Note",
}
PEOPLE = {"player": "Who", "by": "By whom"}
SPECIAL = {"question-block", "blank", "red-ribbon", "swap-hands", "wild-friendship"}
COLORS = {"red", "yellow", "green", "blue", "pink", "orange"}
TEXTS = {"reason": "Reason", "text": "Text", "points": "Points", "cards_left": "Number of cards"}


def called(card: str) -> str:
    return card.replace("-", " ")


class CardPad:
    """A phone that records a match card by card; `names` maps slugs to people's names."""

    def __init__(self, page: Page, league: str, match: str, names: dict[str, str]) -> None:
        self.page = page
        self.names = names
        self.clauses: list[str] = []
        self.state: dict[str, Any] = {}
        self._address = f"/l/{league}{match.replace('/matches/', '/m/')}/cards"

    def open(self, state: dict[str, Any]) -> "CardPad":
        self.page.goto(self._address)
        expect(self.page.get_by_role("button", name="Take back")).to_be_visible()
        self.state = state
        return self

    def tell(self, event: dict[str, Any]) -> None:
        kind = event["type"]
        asked = getattr(self, f"_{kind}", None)
        if asked is None or not asked(event):
            self._more(event)
        if event.get("color") and self.state["color_pending"]:
            self._color_named(event | {"player": self.state["color_pending"]})

    def totals(self) -> dict[str, int]:
        table = self.page.get_by_role("table", name="Scores")
        return {
            player: int(table.get_by_role("row", name=name).get_by_role("cell").last.inner_text())
            for player, name in self.names.items()
        }

    def answers(self, player: str, card: str) -> Locator:
        """Return the button by which a player answers a penalty with the card, if it is offered."""
        place = self._asked(f"{self.names[player]} owes")
        return place.get_by_role("button", name=f"Answer with {called(card)}", exact=True)

    # What the state asks for. Each method returns whether the event could be recorded there.

    def _round_started(self, event: dict[str, Any]) -> bool:
        if event.get("hands"):
            self.page.get_by_text("List the cards dealt").click()
        for player, cards in event.get("hands", {}).items():
            self.page.get_by_role("button", name=f"{self.names[player]}'s hand").click()
            self._list(self.page.locator("details"), cards)
        if self.state["dealer"] is None:
            dealers = self.page.get_by_role("group", name="Who deals?")
            self._press(dealers.get_by_role("button", name=self.names[event["dealer"]]))
        else:
            dealer = self.page.get_by_role("combobox", name="Dealer")
            dealer.select_option(event["dealer"])
            self._press(self.page.get_by_role("button", name="Start round"))
        return True

    def _first_card_turned(self, event: dict[str, Any]) -> bool:
        self._press(self._card(self._asked("Which card is turned up?"), event["card"]))
        return True

    def _color_named(self, event: dict[str, Any]) -> bool:
        asked = self._asked(f"{self.names[event['player']]} names a colour")
        self._press(asked.get_by_role("button", name=event["color"]))
        return True

    def _card_played(self, event: dict[str, Any]) -> bool:
        player, card = event["player"], event["card"]
        if event.get("jump_in"):
            self.page.get_by_role("button", name="Jump in").click()
            place = self.page.get_by_role("group", name="Who jumps in?")
            laid = place.get_by_role("button", name=self.names[player], exact=True)
        elif player == self.state["turn"]:
            place = self._asked(f"{self.names[player]} is on turn")
            laid = self._card(place, card)
        elif self.answers(player, card).count():
            place = self._asked(f"{self.names[player]} owes")
            laid = self.answers(player, card)
        else:
            place = self._form("A card is laid out of turn")
            place.get_by_role("combobox", name="Who").select_option(player)
            laid = self._card(place, card)
        if event.get("count", 1) > 1:
            place.get_by_role("spinbutton", name="How many").fill(str(event["count"]))
        last = self.state["hand_counts"][player] == 1
        if event.get("swap_with") and len(self.state["players"]) > 2 and not last:
            laid.click()
            place = self.page.get_by_role("region", name="With whom?")
            laid = place.get_by_role("button", name=self.names[event["swap_with"]], exact=True)
        elif event.get("jump_in") and self.state["hand_counts"][player] == 2:
            laid.click()
            place = self.page.get_by_role("region", name=f"{self.names[player]} lays")
            laid = place.get_by_role("button", name="Lay it")
        elif card in SPECIAL and (card == "wild-friendship" or not last):
            laid.click()
            place = self.page.get_by_role("region", name="What does it do?")
            for effect in event.get("effects", ()):
                self._add(place, effect)
            laid = place.get_by_role("button", name="Lay it")
        if event.get("uno") is not None:
            said = "UNO called" if event["uno"] else "UNO not called"
            place.get_by_role("button", name=said).click()
        self._press(laid)
        return True

    def _cards_drawn(self, event: dict[str, Any]) -> bool:
        player, count = event["player"], event.get("count", 1)
        owed = [debt["count"] for debt in self.state["pending"] if debt["player"] == player]
        if owed and owed[0] == count:
            place, name = self._asked(f"{self.names[player]} owes"), "Name the cards"
        elif not owed and player == self.state["turn"] and count == 1:
            place, name = self._asked(f"{self.names[player]} is on turn"), "Name the drawn card"
        else:
            return False
        if event.get("cards"):
            place.get_by_role("button", name=name).click()
            self._list(place, event["cards"])
        self._press(place.get_by_role("button", name="Draw", exact=True))
        return True

    def _turn_passed(self, event: dict[str, Any]) -> bool:
        if event["player"] != self.state["turn"]:
            return False
        self._press(self.page.get_by_role("button", name="Pass", exact=True))
        return True

    def _uno_called(self, event: dict[str, Any]) -> bool:
        counts = self.state["hand_counts"]
        if counts[event["player"]] != 1:
            return False
        name = (
            "UNO" if list(counts.values()).count(1) == 1 else f"UNO, {self.names[event['player']]}"
        )
        self._press(self.page.get_by_role("button", name=name, exact=True))
        return True

    def _wild_draw_four_challenged(self, event: dict[str, Any]) -> bool:
        answer = self._press(self.page.get_by_role("button", name="Challenge", exact=True))
        if answer.status == 201:
            return True
        assert answer.json()["code"] == "verdict-needed"
        alert = self.page.get_by_role("alert")
        if event.get("hand") is not None:
            self._list(alert, event["hand"])
            self._press(alert.get_by_role("button", name="Show these cards"))
        else:
            verdict = "Guilty" if event["guilty"] else "Innocent"
            self._press(alert.get_by_role("button", name=verdict))
        return True

    def _hand_shown(self, event: dict[str, Any]) -> bool:
        if event["player"] not in self.state["awaiting_hands"][:1] or self.state["pending"]:
            return False
        place = self._asked(f"{self.names[event['player']]}'s hand")
        self._list(place, event["cards"])
        self._press(place.get_by_role("button", name="Show hand"))
        return True

    def _dealer_drawn(self, event: dict[str, Any]) -> bool:
        form = self._form("Cards drawn for the deal")
        for player, card in event["draws"].items():
            form.get_by_role("combobox", name=self.names[player]).select_option(card)
        self._press(form.get_by_role("button", name="Tell"))
        return True

    # The form for all other events.

    def _more(self, event: dict[str, Any]) -> None:
        form = self._form(TITLES[event["type"]])
        for field, label in PEOPLE.items():
            if field in event:
                form.get_by_role("combobox", name=label, exact=True).select_option(event[field])
        for field, label in TEXTS.items():
            if field in event:
                form.get_by_label(label, exact=True).fill(str(event[field]))
        if event.get("cards"):
            self._list(form, event["cards"])
        if "count" in event:
            form.get_by_label("How many, where nobody names them").fill(str(event["count"]))
        self._press(form.get_by_role("button", name="Tell"))

    def _form(self, title: str) -> Locator:
        more = self.page.locator("details").filter(has=self.page.get_by_text("More", exact=True))
        if more.get_attribute("open") is None:
            more.get_by_text("More", exact=True).click()
        more.get_by_role("combobox", name="What happened?").select_option(title)
        return more

    def _add(self, place: Locator, effect: dict[str, Any]) -> None:
        kind = effect["type"]
        kinds = place.get_by_role("combobox", name="What happened?")
        if kinds.count():
            kinds.select_option(EFFECTS[kind])
        for field, label in {"player": "Who", "from": "Who", "to": "To whom"}.items():
            if field in effect:
                place.get_by_role("combobox", name=label, exact=True).select_option(effect[field])
        for holder, former in effect.get("hands", {}).items():
            label = f"{self.names[holder]} takes over the hand of"
            place.get_by_role("combobox", name=label).select_option(former)
        self._list(place.locator("form"), effect.get("cards", ()))
        if "count" in effect:
            place.get_by_label("How many, where nobody names them").fill(str(effect["count"]))
        lines = place.get_by_role("listitem")
        before = lines.count()
        place.get_by_role("button", name="Add").click()
        expect(lines).to_have_count(before + 1)

    def _asked(self, heading: str) -> Locator:
        title = self.page.get_by_role("heading", name=heading)
        return self.page.locator("section.asked").filter(has=title)

    def _card(self, place: Locator, card: str) -> Locator:
        printed = card.partition("-")[0]
        color = printed if printed in COLORS and card != "red-ribbon" else "wild"
        colors = place.get_by_role("group", name="Colour")
        colors.get_by_role("button", name=color, exact=True).click()
        cards = place.get_by_role("group", name="Cards", exact=True)
        return cards.get_by_role("button", name=called(card), exact=True)

    def _list(self, place: Locator, cards: Any) -> None:
        for card in cards:
            self._card(place, card).click()

    def _press(self, button: Locator) -> Response:
        """Press a button that records an event; confirm a violation once its clauses are shown."""
        with self.page.expect_response(lambda response: response.request.method == "POST") as told:
            button.click()
        answer = told.value
        if answer.status == 201:
            found = answer.json()
            self.state = found["state"]
            until(self.page, SHOWN, found["version"])
        elif answer.json()["code"] == "rule-violation":
            broken = [violation["clause"] for violation in answer.json()["violations"]]
            alert = self.page.get_by_role("alert")
            for clause in broken:
                expect(alert.get_by_role("link", name=clause, exact=True)).to_be_visible()
            self.clauses += broken
            return self._press(alert.get_by_role("button", name="It was played so"))
        return answer
