"""Makes the pictures of the README and of docs/pages.md from a service with recorded matches.

It also makes the home screen's icon from the one of the tabs.
"""

import asyncio
import sys
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from scorekeeper.store.migrate import upgrade
from tests.api.server_process import Server
from tests.api.serving import tally
from tests.browser.chromium import launched
from tests.browser.evening import Evening, Site
from tests.browser.padding import Pad
from tests.browser.page_pictures import take_pictures_of_pages
from tests.browser.waiting import until
from tests.databases import sqlite_file

ICONS = Path(str(files("scorekeeper.web"))) / "static"
PICTURES = Path(__file__).resolve().parents[2] / "docs/pictures"
NAMES = ("Ann", "Bo", "Ida", "Mei")
SLUGS = ("ann", "bo", "ida", "mei")
ROUNDS = (
    ("ann", {"bo": 34, "ida": 51, "mei": 12}),
    ("mei", {"ann": 20, "bo": 65, "ida": 9}),
    ("ida", {"ann": 43, "bo": 8, "mei": 70}),
    ("ann", {"bo": 22, "ida": 31, "mei": 50}),
)


# Without a Chinese font, all Chinese letters are drawn as the same box.
LETTERS_LOOK_ALIKE = """() => {
    const pen = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
    pen.font = "32px sans-serif";
    const drawn = ["中", "文"].map((letter) => {
        pen.clearRect(0, 0, 99, 99);
        pen.fillText(letter, 8, 48);
        return pen.getImageData(0, 0, 99, 99).data.join();
    });
    return drawn[0] === drawn[1];
}"""


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with TemporaryDirectory() as name:
        folder = Path(name)
        url = sqlite_file(folder / "evening.sqlite3")
        asyncio.run(upgrade(url))
        server = Server(folder, url=url)
        try:
            site = Site(server.url)
            league = Evening(site, "friday", NAMES, SLUGS)
            match = league.match(
                "evening", edition="hello-kitty", players=list(SLUGS), dealer="ann"
            )
            league.tell(match, *(tally(winner, **hands) for winner, hands in ROUNDS))
            with sync_playwright() as playwright:
                browser = launched(playwright)
                _icon_of_home_screens(browser)
                _check_the_fonts(browser)
                _picture_of_the_pad(browser, league, match)
                _picture_of_the_board(browser, league)
                take_pictures_of_pages(browser, site)
                browser.close()
        finally:
            server.terminate()


def _icon_of_home_screens(browser: Browser) -> None:
    """Within the inner four fifths, since a phone may cut off the rest; iOS shows no SVG there."""
    page = browser.new_page(viewport={"width": 512, "height": 512})
    page.set_content((ICONS / "icon.svg").read_text(encoding="utf-8"))
    page.add_style_tag(
        content="body { margin: 0; background: #fbfaf6 } svg { width: 360px; margin: 76px }"
    )
    page.screenshot(path=ICONS / "icon.png")
    page.close()


def _check_the_fonts(browser: Browser) -> None:
    """Exit if names and texts in Chinese would be drawn as boxes."""
    page = browser.new_page()
    if page.evaluate(LETTERS_LOOK_ALIKE):
        sys.exit("There is no font for Chinese here, such as Debian's fonts-noto-cjk has.")
    page.close()


def _picture_of_the_pad(browser: Browser, league: Evening, match: str) -> None:
    context = browser.new_context(
        base_url=league.site.url,
        viewport={"width": 390, "height": 844},
        device_scale_factor=2,
    )
    context.add_cookies([league.cookie(league.scorekeeper)])
    pad = Pad(context.new_page(), league.slug, match).open()
    pad.out("Bo")
    pad.hand("Ann", ("red", "red 9"), ("blue", "blue skip"))
    pad.hand("Ida", ("wild", "wild"))
    pad.hand("Mei", ("green", "green 7"), ("yellow", "yellow 2"))
    pad.says("All saved")
    pad.page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
    until(pad.page, "() => scrollY === 0")
    pad.page.screenshot(path=PICTURES / "pad.png")
    context.close()


def _picture_of_the_board(browser: Browser, league: Evening) -> None:
    context = browser.new_context(
        base_url=league.site.url,
        viewport={"width": 1280, "height": 720},
        color_scheme="dark",
    )
    context.add_cookies([league.cookie(league.viewer)])
    page = context.new_page()
    page.goto(f"/l/{league.slug}/m/evening/tv")
    page.get_by_role("status").wait_for(state="attached")
    page.screenshot(path=PICTURES / "board.png")
    context.close()


if __name__ == "__main__":
    main()
