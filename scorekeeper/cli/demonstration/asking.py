"""Asking the service of the demonstration for what lies below its league."""

from typing import Any

import msgspec

from scorekeeper.cli.remote import Remote

LEAGUE = "demo"


class LeagueClient:
    """Requests below the league's address. Raises Failure where one is refused."""

    def __init__(self, service: Remote) -> None:
        self._service = service

    def get(self, path: str) -> Any:  # noqa: ANN401 as the service answers
        """The answer, decoded."""
        return self._ask("GET", path, None)

    def send(self, path: str, body: object) -> Any:  # noqa: ANN401 as the service answers
        """The same of what is posted."""
        return self._ask("POST", path, body)

    def tell(self, match: str, *events: object) -> Any:  # noqa: ANN401 as the service answers
        """The answer to an append."""
        return self.send(f"/matches/{match}/events", {"events": events})

    def _ask(self, method: str, path: str, body: object) -> Any:  # noqa: ANN401
        _, told = self._service.ask(method, f"/v1/leagues/{LEAGUE}{path}", body)
        return msgspec.json.decode(told)


def tally(winner: str, hands: dict[str, int]) -> dict[str, object]:
    """A round in one tap, by the points of the hands."""
    left = {player: {"points": points} for player, points in hands.items()}
    return {"type": "round_tallied", "winners": [winner], "hands": left}
