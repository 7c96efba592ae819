"""A network on which answers take their time, are lost, or are other ones."""

from collections.abc import Callable

from playwright.sync_api import APIResponse, BrowserContext, Page, Route


class Fault:
    """What becomes of the requests to an address until it is mended. `once`: of the first.

    A mended fault lets them through and stays: Playwright's `unroute`, and `route` with `times`,
    can leave a request that is under way without an answer for ever.
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
    """The first answer from an address: what was asked is carried out, and the page waits."""

    def __init__(self, page: Page, address: str, method: str = "GET") -> None:
        self._page = page
        self._method = method
        self._answers: list[tuple[Route, APIResponse]] = []
        self._taken = False
        page.route(address, self._hold)

    def wait(self) -> None:
        """Until it was asked."""
        while not self._answers:
            self._page.wait_for_timeout(10)

    def release(self, *, lost: bool = False) -> None:
        """Let the page have it, and act on it. `lost`: it learns that there is none."""
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
