"""The pages in a real browser; each test has its own league.

What a page does with an answer is the same whatever the database. Tests run on SQLite unless they
are marked with `evening.on_both`, as the main stories are.

`make browser` brings the browser along. A machine that can't have one skips these tests and says
so; where BROWSER_REQUIRED is set it fails instead.
"""

import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.api.server_process import Server
from tests.browser.chromium import launched, program
from tests.browser.evening import Evening, Site
from tests.browser.padding import Pad
from tests.browser.waiting import PATIENCE_SECONDS
from tests.databases import migrated

# Playwright's own five seconds are too short for a busy machine.
expect.set_options(timeout=PATIENCE_SECONDS * 1_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium(postgresql: object) -> Iterator[Browser]:
    # The driver runs an event loop in this thread, and PostgreSQL could not be started afterwards.
    assert postgresql
    if program() is None:
        without = "There is no browser here: `make browser` brings one along."
        if os.environ.get("BROWSER_REQUIRED"):
            pytest.fail(without)
        pytest.skip(without)
    with sync_playwright() as playwright:
        browser = launched(playwright)
        yield browser
        browser.close()


class Sites:
    """The service as its own process, one for each kind of database that a test asks for."""

    def __init__(self, request: pytest.FixtureRequest, folder: Path) -> None:
        self._request = request
        self._folder = folder
        self._running: dict[str, tuple[Server, Any]] = {}
        # Playwright runs an event loop in this thread, and no other can run in it.
        self._aside = ThreadPoolExecutor(1)

    def on(self, kind: str) -> Site:
        """Return the service on this kind of database; it runs until the end of the session."""
        if kind not in self._running:
            folder = self._folder / kind
            folder.mkdir()
            database = migrated(kind, self._request, folder)
            url = self._aside.submit(database.__enter__).result()
            self._running[kind] = Server(folder, url=url), database
        return Site(self._running[kind][0].url)

    def end(self) -> None:
        for server, _ in self._running.values():
            server.check()
            server.terminate()
        for _, database in self._running.values():
            self._aside.submit(database.__exit__, None, None, None).result()
        self._aside.shutdown()


@pytest.fixture(scope="session")
def sites(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    postgresql: object,
) -> Iterator[Sites]:
    # PostgreSQL is requested here so that it ends after the services that use it.
    assert postgresql
    held = Sites(request, tmp_path_factory.mktemp("sites"))
    yield held
    held.end()


@pytest.fixture(scope="session", params=["sqlite"])
def site(request: pytest.FixtureRequest, sites: Sites) -> Site:
    return sites.on(request.param)


class Phones:
    """People's browsers. An error in any of their pages fails the test."""

    def __init__(self, chromium: Browser) -> None:
        self._chromium = chromium
        self.contexts: list[BrowserContext] = []
        self.wrong: list[str] = []

    def phone(
        self,
        site: Site,
        *tokens: str,
        language: str = "en",
        size: tuple[int, int] = (390, 844),
        dark: bool = False,
    ) -> Page:
        """Open a browser with these tokens as cookies; its requests may go to the site only."""
        context = self._chromium.new_context(
            base_url=site.url,
            viewport={"width": size[0], "height": size[1]},
            locale=language,
            color_scheme="dark" if dark else "light",
        )
        context.set_default_timeout(PATIENCE_SECONDS * 1_000)
        for token in tokens:
            context.add_cookies([site.cookie(token)])
        self.contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on(
            "console",
            lambda said: (
                self.wrong.append(said.text)
                if said.type == "error" and "Failed to load resource" not in said.text
                else None
            ),
        )
        page.on("request", lambda request: self._check(site, request.url))
        return page

    def close(self) -> None:
        for context in self.contexts:
            context.close()

    def assert_nothing_is_wrong(self) -> None:
        """Check that no page had an error since the last check."""
        wrong, self.wrong = self.wrong, []
        assert wrong == [], json.dumps(wrong, indent=1)

    def _check(self, site: Site, url: str) -> None:
        if not url.startswith(("data:", "blob:")) and urlsplit(url).netloc != site.host:
            self.wrong.append(f"asked another host: {url}")


@pytest.fixture
def phones(chromium: Browser) -> Iterator[Phones]:
    held = Phones(chromium)
    yield held
    held.close()
    held.assert_nothing_is_wrong()


@pytest.fixture(scope="module")
def lasting(chromium: Browser) -> Iterator[Phones]:
    """Browsers that all tests of a module use, and in which they change nothing."""
    held = Phones(chromium)
    yield held
    held.close()


@pytest.fixture(autouse=True)
def _lasting_phones_find_nothing_wrong(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "lasting" in request.fixturenames:
        request.getfixturevalue("lasting").assert_nothing_is_wrong()


@pytest.fixture
def league(site: Site) -> Evening:
    return site.league()


@pytest.fixture
def match(league: Evening) -> str:
    return league.match(dealer="ann", edition="hello-kitty")


@pytest.fixture
def pads(site: Site, phones: Phones, league: Evening, match: str) -> Callable[[], Pad]:
    """A function that opens the match's pad on another person's phone."""

    def held() -> Pad:
        return Pad(phones.phone(site, league.scorekeeper), league.slug, match).open()

    return held
