"""A network on which one answer takes its time."""

from playwright.sync_api import APIResponse, Page, Route


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
