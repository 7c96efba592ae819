"""docs/pages.md names every page of the service and shows its picture."""

import re
from pathlib import Path

from scorekeeper.api.problems import refusal_and_status
from scorekeeper.web.application import pages_application
from tests.browser.pictured_pages import PICTURED

DOCS = Path(__file__).resolve().parents[2] / "docs"
PICTURES = DOCS / "pictures/pages"
MOST_BYTES = 1_500_000
FILES = ("/static", "/sw.js", "/manifest.webmanifest")
# Routes to which the page gives another address, and routes that several pages share.
CALLED = {
    "/l/{league}/m/{match}/r/{number}": ["/l/{league}/m/{match}/r/{n}"],
    "/l/{league}/t/{tournament}": ["/l/{league}/t/{tournament}", "/l/{league}/t/new"],
    "/l/{league}/t/{tournament}/standings": [],
}
ROW = re.compile(r"^\| (`/[^|]*) \|[^|]*\| (.*) \|$", re.MULTILINE)
PICTURE = re.compile(r'<img src="pictures/pages/([a-z-]+)\.webp" width="\d+" alt="([^"]{20,})">')


def pictured() -> dict[str, set[str]]:
    """Return the names of each page's pictures, by the address in the guide."""
    found: dict[str, set[str]] = {}
    for addresses, pictures in ROW.findall((DOCS / "pages.md").read_text(encoding="utf-8")):
        shown = {name for name, _ in PICTURE.findall(pictures)}
        for address in re.findall("`([^`]+)`", addresses):
            found[address] = shown
    return found


def test_every_page_that_is_served_has_its_row_with_a_picture() -> None:
    served: set[str] = set()
    for route in pages_application(refusal_and_status).routes:
        if not route.path.startswith(FILES):
            path = re.sub(r":[a-z]+\}", "}", route.path)
            served.update(CALLED.get(path, [path]))
    shown = pictured()
    assert set(shown) == served
    assert all(shown.values())


def test_each_picture_is_there_is_shown_and_is_the_one_of_its_page() -> None:
    there = {file.stem: file for file in PICTURES.iterdir()}
    assert {name for names in pictured().values() for name in names} == set(there)
    assert {each.name for each in PICTURED} == set(there)
    assert all(each.name in pictured()[each.page] for each in PICTURED)
    assert all(file.read_bytes()[8:12] == b"WEBP" for file in there.values())
    assert sum(file.stat().st_size for file in there.values()) < MOST_BYTES
