"""Addresses of pages where a slug alone doesn't make one."""

from typing import Final

OPENING: Final = "new"
"""`/l/{league}/t/new` opens a tournament. One may be called so all the same."""


def tournament_at(league: str, tournament: str) -> str:
    """Where its page is."""
    address = f"/l/{league}/t/{tournament}"
    return f"{address}/standings" if tournament == OPENING else address
