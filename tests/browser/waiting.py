"""Waiting for what a page does behind its own back, such as keeping itself."""

import time

from playwright.sync_api import Page

PATIENCE_SECONDS = 60


def until(page: Page, holds: str, argument: object = None) -> None:
    """Until this function of the page holds. `Page.wait_for_function` would not await it."""
    given_up = time.monotonic() + PATIENCE_SECONDS
    while not page.evaluate(holds, argument):
        assert time.monotonic() < given_up, f"never came true: {holds}"
