"""Who reads a match: those who keep its book, or those who only look on."""

from enum import StrEnum

from scorekeeper.service.identity.access import Caller


class Audience(StrEnum):
    """A viewer does not get the hidden cards of a round in progress; the others get all."""

    KEEPERS = "keepers"
    VIEWERS = "viewers"


def audience(caller: Caller) -> Audience:
    """By the role of the caller's token."""
    return Audience.VIEWERS if caller.role == "viewer" else Audience.KEEPERS
