"""The addresses of all pages, and a league that has something to show on each."""

from tests.api.serving import tally
from tests.browser.evening import SLUGS, Evening, Site

PAGES = (
    "/",
    "/join",
    "/offline",
    "/l/nowhere",
    "/l/{}",
    "/l/{}/players",
    "/l/{}/players/ann",
    "/l/{}/players/ann?seats=4",
    "/l/{}/table",
    "/l/{}/table?seats=4",
    "/l/{}/table?from=2025-01-01&to=2025-12-31",
    "/l/{}/t",
    "/l/{}/t/new?players=ann&players=bo&players=oma-ida&players=mei",
    "/l/{}/t/cup",
    "/l/{}/t/cup?matrix=partners",
    "/l/{}/t/cup/hall",
    "/l/{}/t/cup/print",
    "/l/{}/admin",
    "/l/{}/new",
    "/l/{}/m/first",
    "/l/{}/m/first/pad",
    "/l/{}/m/first/tv",
    "/l/{}/m/first/r/1",
    "/l/{}/m/second",
    "/l/{}/m/third",
    "/l/{}/m/second/cards",
    "/l/{}/m/second/tv",
    "/e/hello-kitty",
)
"""Addresses of pages; `{}` is replaced by the league's slug."""
AGREED = {"question_block": "whatever the table likes"}
TURNED = {"type": "first_card_turned", "card": "red-draw-two"}


def with_everything(site: Site) -> Evening:
    """Return a league with matches in every state, and a finished tournament."""
    league = site.league()
    match = league.match(dealer="ann", edition="hello-kitty")
    league.tell(match, *[tally("ann", **{"bo": 10, "oma-ida": 20, "mei": 30})] * 3)
    house = {"stacking": "any", "jump_in": "any", "seven": "swap", "hand_size": 9}
    rules = {"options": AGREED, "house_rules": house}
    second = league.match(match="second", dealer="ann", edition="mario", **rules)
    league.tell(second, {"type": "round_started"}, TURNED)
    won = league.match(match="third", dealer="ann", teams=[["ann", "oma-ida"], ["bo", "mei"]])
    league.tell(won, tally("ann", **{"bo": 10, "oma-ida": 20, "mei": 30}), {"type": "match_closed"})
    told = [tally("bo", **{"ann": 10, "oma-ida": 200, "mei": 30}), {"type": "match_closed"}]
    for number in range(1, 13):
        old = league.match(match=f"old-{number}", at=f"2025-{number:02}-01T20:00:00Z")
        league.tell(old, *told)
    cup = {"tournament": "cup", "name": "The cup", "edition": "basic", "players": list(SLUGS)}
    for segment in league.send("/tournaments", cup)["segments"]:
        for table in segment["tables"]:
            told = tally("ann", **{"bo": 110, "oma-ida": 90, "mei": 120})
            league.tell(f"/matches/{table['match']}", *[told] * len(table["rounds"]))
    return league
