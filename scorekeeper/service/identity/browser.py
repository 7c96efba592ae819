"""The tokens that one browser holds, as they came with its request."""

from typing import Final

import msgspec

STATE_KEY: Final = "browser"
"""Where a request's state has them, if it was they that counted."""


class BrowserTokens(msgspec.Struct, frozen=True):
    """Those of `leagues` by slug, and that of an admin's session."""

    leagues: dict[str, str]
    admin: str | None

    @property
    def all(self) -> list[str]:
        """The admin's first."""
        return [*([] if self.admin is None else [self.admin]), *self.leagues.values()]
