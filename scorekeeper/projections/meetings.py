"""Who met whom in a match, as its results tell it, and what has to be kept where they don't."""

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from scorekeeper.projections.contribution import Contributions, Meeting


class Met(Struct, frozen=True, kw_only=True):
    """Whom a person met in one match, by person."""

    partners: Mapping[str, Meeting]
    opponents: Mapping[str, Meeting]


_encoder = msgspec.json.Encoder(order="sorted")
_decoder = msgspec.json.Decoder(Met)


def all_along(own: Meeting, other: Meeting) -> Meeting:
    """What two people have of each other who both played all rounds, from what each has alone."""
    return Meeting(
        rounds=own.rounds,
        rounds_won=own.rounds_won,
        points_for=own.points_for,
        points_against=other.points_for,
    )


def encode_meetings(match: Contributions, person: str) -> str | None:
    """The person's meetings as JSON; None where they follow from everybody's results.

    They don't where people were out before the end, or seats changed hands.
    """
    mine = match[person]
    partners: dict[str, Meeting] = {}
    opponents: dict[str, Meeting] = {}
    for other, theirs in match.items():
        if other != person:
            met = partners if theirs.side == mine.side else opponents
            met[other] = all_along(mine.own, theirs.own)
    if (partners, opponents) == (mine.partners, mine.opponents):
        return None
    return _encoder.encode(Met(partners=mine.partners, opponents=mine.opponents)).decode()


def decode_meetings(text: str) -> Met:
    """What `kept` has written."""
    return _decoder.decode(text)
