"""A page as somebody uses it who has a keyboard and nothing else."""

from playwright.sync_api import Locator, Page, expect

# More controls than any page has.
MOST = 200
IS_FOCUSED = "(each) => each === document.activeElement"


class Keys:
    """Moves from control to control by Tab, and checks each time that something has the focus."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def reach(self, control: Locator) -> None:
        for _ in range(MOST):
            if control.evaluate(IS_FOCUSED):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not reach {control}")

    def press(self, control: Locator, key: str = "Enter") -> None:
        self.reach(control)
        self.page.keyboard.press(key)

    def type(self, field: Locator, text: str) -> None:
        self.reach(field)
        self.page.keyboard.type(text)

    def is_somewhere(self) -> None:
        """Check that a visible element has the focus, and not the page as a whole."""
        expect(self.page.locator(":focus")).to_be_visible()
