"""Takes the pictures of docs/pages.md, in the league of the demonstration."""

from base64 import b64decode
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page, ViewportSize

from scorekeeper.cli.demo_league import LEAGUE, LeagueClient, record_demo_league
from scorekeeper.cli.remote import Remote
from tests.api.serving import ADMIN
from tests.browser.evening import Site
from tests.browser.padding import Pad
from tests.browser.pictured_pages import PICTURED, Kind, Pictured
from tests.browser.waiting import until

FOLDER: Final = Path(__file__).resolve().parents[2] / "docs/pictures/pages"
SIZES: Final[dict[Kind, ViewportSize]] = {
    "phone": {"width": 390, "height": 844},
    "wall": {"width": 1280, "height": 720},
    "paper": {"width": 794, "height": 1123},
}
QUALITY: Final = 70
ROWS: Final = (
    "date\tedition\tplayers\tpoints\n"
    "2023-11-09\tbasic\tAnn, Bo, Tante Eva\t- 20 5\n"
    "2023-11-16\tbasic\tAnn, Bo, Tante Eva\t12 8 40\n"
)


def take_pictures_of_pages(browser: Browser, site: Site) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with Remote(site.url, ADMIN) as service:
        record_demo_league(service, datetime.now(UTC).date(), lambda _: None)
        league = LeagueClient(service)
        token = league.send("/tokens", {"role": "owner", "name": "Ann's phone"})["token"]
        league.send("/tokens", {"role": "scorekeeper", "name": "The tablet on the table"})
    assert token.split("_")[1] == LEAGUE
    for pictured in PICTURED:
        _take(browser, site, pictured, token)


def _take(browser: Browser, site: Site, pictured: Pictured, token: str) -> None:
    context = browser.new_context(
        base_url=site.url,
        viewport=SIZES[pictured.kind],
        device_scale_factor=2 if pictured.kind == "phone" else 1,
        color_scheme="dark" if pictured.kind == "wall" else "light",
        reduced_motion="reduce",
    )
    if pictured.name != "join":
        context.add_cookies([site.cookie(token)])
    page = context.new_page()
    if pictured.kind == "paper":
        page.emulate_media(media="print")
    if pictured.name == "offline":
        _keep_a_pad(page)
    page.goto(pictured.path, wait_until="load")
    if pictured.name == "offline":
        page.get_by_role("main").get_by_role("listitem").wait_for()
    if pictured.name == "pad":
        _fill(page)
    if pictured.name == "import":
        _preview(page)
    _write(page, FOLDER / f"{pictured.name}.webp")
    context.close()


def _keep_a_pad(page: Page) -> None:
    """Open a pad and wait until it is cached, so that it is counted on the picture."""
    page.goto(f"/l/{LEAGUE}/m/autumn-cup-s4-t1/pad", wait_until="load")
    until(page, "async () => (await (await caches.open('pages')).keys()).length")


def _fill(page: Page) -> None:
    """Enter two hands of a round."""
    people = page.get_by_role("group", name="Who went out?").get_by_role("button")
    winner, first, second, _ = people.all_inner_texts()
    pad = Pad(page, LEAGUE, "/matches/autumn-cup-s4-t1")
    pad.out(winner)
    pad.hand(first, ("red", "red 9"), ("blue", "blue skip"))
    pad.hand(second, ("wild", "wild"))
    page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
    until(page, "() => scrollY === 0")


def _preview(page: Page) -> None:
    """Paste rows, one of them invalid, and show the preview."""
    page.locator("textarea").fill(ROWS)
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("table", name="Bad rows").wait_for()
    page.locator("textarea").evaluate("(shown) => shown.scrollIntoView({behavior: 'instant'})")


def _write(page: Page, to: Path) -> None:
    """Write a picture as WebP, which Playwright's own screenshots do not offer."""
    browser = page.context.new_cdp_session(page)
    taken = browser.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    to.write_bytes(b64decode(taken["data"]))
