"""Waiting for work that a page does in the background, such as caching itself."""

import time

from playwright.sync_api import Page, Worker

PATIENCE_SECONDS = 120


def until(page: Page | Worker, holds: str, argument: object = None) -> None:
    """Wait until a function of the page, or of its worker, returns true.

    `Page.wait_for_function` awaits no promise. It also compiles an expression within the page as
    soon as it has to wait, which the policy of the pages forbids.
    """
    given_up = time.monotonic() + PATIENCE_SECONDS
    while not page.evaluate(holds, argument):
        assert time.monotonic() < given_up, f"never came true: {holds}"
