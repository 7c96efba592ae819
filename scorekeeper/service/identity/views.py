"""What is asked and answered of invitations, sessions, and oneself."""

from typing import Annotated

import msgspec

from scorekeeper.service.league_events import Role
from scorekeeper.service.views import Name

_DAY = 24 * 60 * 60
LONGEST_SECONDS = 30 * _DAY
MOST_USES = 100


class InvitationMaking(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`expires_in` is in seconds; `name` says what it is for."""

    role: Role
    name: Name | None = None
    expires_in: Annotated[int, msgspec.Meta(ge=1, le=LONGEST_SECONDS)] = _DAY
    uses: Annotated[int, msgspec.Meta(ge=1, le=MOST_USES)] = 6


class InvitationView(msgspec.Struct, frozen=True):
    invitation: str
    role: str
    name: str | None
    expires_at: str
    uses_left: int


class InvitationMadeView(msgspec.Struct, frozen=True, omit_defaults=True):
    """`code` and `url` are shown once: a repeated request is answered without them."""

    invitation: str
    role: str
    expires_at: str
    uses_left: int
    code: str | None = None
    url: str | None = None


class SessionOpening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`name` is that of the device or of whoever holds it."""

    code: Annotated[str, msgspec.Meta(max_length=200)]
    name: Name


class SessionView(msgspec.Struct, frozen=True):
    """`league` is null for the session of an admin, which is of no league."""

    league: str | None
    token_id: str
    role: str
    name: str


class OwnLeagueView(msgspec.Struct, frozen=True):
    """A league as the caller may see it, and the token by which."""

    league: str
    name: str
    role: str
    token_id: str
    token_name: str


class MeView(msgspec.Struct, frozen=True):
    """`leagues` are those of the tokens that came with the request, by slug."""

    admin: bool
    leagues: list[OwnLeagueView]
