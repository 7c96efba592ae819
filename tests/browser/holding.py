"""A network on which answers are delayed, lost or replaced."""

from collections.abc import Callable

from playwright.sync_api import APIResponse, BrowserContext, Page, Route


class Fault:
    """Handles requests to an address with `answer` until it is mended; with `once`, only the first.

    The route stays after that and lets requests through. Playwright's `unroute`, and `route` with
    `times`, can leave a request that is under way without an answer for ever.
    """

    def __init__(
        self,
        within: Page | BrowserContext,
        address: str,
        answer: Callable[[Route], object],
        *,
        once: bool = False,
    ) -> None:
        self._answer = answer
        self._once = once
        self._mended = False
        within.route(address, self._meet)

    def mend(self) -> None:
        self._mended = True

    def _meet(self, route: Route) -> None:
        if self._mended:
            route.fallback()
        else:
            self._mended = self._once
            self._answer(route)


class Held:
    """Holds back the first answer from an address: the service has acted, and the page waits."""

    def __init__(self, page: Page, address: str, method: str = "GET") -> None:
        self._page = page
        self._method = method
        self._answers: list[tuple[Route, APIResponse]] = []
        self._taken = False
        page.route(address, self._hold)

    def wait(self) -> None:
        """Wait until the page has asked."""
        while not self._answers:
            self._page.wait_for_timeout(10)

    def release(self, *, lost: bool = False) -> None:
        """Let the page have the answer, and wait until it has acted. `lost`: the request fails."""
        self.wait()
        ((route, answer),) = self._answers
        told = "requestfailed" if lost else "requestfinished"
        with self._page.expect_event(told, lambda each: each == route.request):
            if lost:
                route.abort()
            else:
                route.fulfill(response=answer)
        self._page.evaluate("async () => void (await (await fetch(location.href)).text())")

    def _hold(self, route: Route) -> None:
        if self._taken or route.request.method != self._method:
            route.fallback()
            return
        self._taken = True
        self._answers.append((route, route.fetch()))
