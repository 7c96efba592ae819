"""HTTP without a network: requests are handed to the application as a server would."""

from typing import Any

import httpx


class NoNetwork(httpx.ASGITransport):
    """A transport that reports `client` as the address that asks."""

    client: Any

    def __init__(self, app: Any) -> None:
        super().__init__(app)
        self.ask_from("10.0.0.1")

    def ask_from(self, address: str) -> None:
        """Let all further requests come from this address."""
        self.client = (address, 5)
