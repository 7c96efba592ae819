"""Invitations, and the setup code of a first start: their digests, never the codes."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, Insert, Update, bindparam, delete, func, insert, select, update

from scorekeeper.store.tables import ViewRow, invitations, leagues, setup_code

_SETUP = "setup"

_are_in_force = (
    invitations.c.league == bindparam("league"),
    invitations.c.expires_at > bindparam("now"),
    invitations.c.uses_left > 0,
)
_count = select(func.count()).select_from(invitations).where(*_are_in_force)
_add_below = insert(invitations).from_select(
    invitations.columns.keys(),
    select(*(bindparam(each.key, type_=each.type) for each in invitations.columns)).where(
        _count.scalar_subquery() < bindparam("most")
    ),
)
_in_force = (
    select(
        invitations.c.invitation,
        invitations.c.role,
        invitations.c.name,
        invitations.c.expires_at,
        invitations.c.uses_left,
    )
    .where(*_are_in_force)
    .order_by(invitations.c.invitation)
)
_page = _in_force.where(invitations.c.invitation > bindparam("after")).limit(bindparam("limit"))
_by_digest = select(
    invitations.c.league, invitations.c.invitation, invitations.c.role, invitations.c.made_by
).where(invitations.c.digest == bindparam("digest"), invitations.c.expires_at > bindparam("now"))
_of_one = (
    invitations.c.league == bindparam("of_league"),
    invitations.c.invitation == bindparam("of_invitation"),
)
_take_use = (
    update(invitations)
    .where(*_of_one, invitations.c.uses_left > 0)
    .values(uses_left=invitations.c.uses_left - 1)
)
_end = delete(invitations).where(*_of_one)
_end_made_by = delete(invitations).where(
    invitations.c.league == bindparam("of_league"), invitations.c.made_by == bindparam("of_token")
)
_end_of_admin = delete(invitations).where(invitations.c.made_by == bindparam("admin"))
_drop_over = delete(invitations).where(
    invitations.c.league == bindparam("of_league"), invitations.c.expires_at <= bindparam("now")
)
_delete_setup = delete(setup_code)
_insert_setup = insert(setup_code)
_setup = select(setup_code.c.digest)
_any_league = select(leagues.c.league).limit(1)


class KnownInvitation(msgspec.Struct, frozen=True):
    """An invitation in force."""

    invitation: str
    role: str
    name: str | None
    expires_at: str
    uses_left: int


class Invited(msgspec.Struct, frozen=True):
    """The invitation that a code belongs to. `made_by` is the id of the inviting token."""

    league: str
    invitation: str
    role: str
    made_by: str


def added(
    league: str, invitation: KnownInvitation, digest: bytes, made_by: str, *, now: str, most: int
) -> tuple[Insert, dict[str, object]]:
    """Return the statement that adds an invitation.

    It adds no row if the league has `most` invitations in force at `now`.
    """
    return _add_below, {
        "league": league,
        "digest": digest,
        "made_by": made_by,
        "now": now,
        "most": most,
        **msgspec.structs.asdict(invitation),
    }


def over_dropped(league: str, now: str) -> ViewRow:
    """Delete the invitations that have expired by `now`."""
    return _drop_over, {"of_league": league, "now": now}


def ended_with(league: str, token_id: str) -> ViewRow:
    """End all invitations that were made with this token."""
    return _end_made_by, {"of_league": league, "of_token": token_id}


def page(
    connection: Connection, league: str, now: str, *, after: str | None, limit: int
) -> Sequence[KnownInvitation]:
    """Return invitations in force at `now`, in order of id, those after the id `after`."""
    found = connection.execute(
        _page, {"league": league, "now": now, "after": after or "", "limit": limit}
    )
    return [KnownInvitation(*row) for row in found]


def invited_by(connection: Connection, digest: bytes, now: str) -> Invited | None:
    """Return the invitation whose code has this digest, even if no uses are left.

    None if there is none, or if it has expired by `now`.
    """
    row = connection.execute(_by_digest, {"digest": digest, "now": now}).first()
    return None if row is None else Invited(*row)


def use_taken(invited: Invited) -> tuple[Update, dict[str, str]]:
    """Return the statement that uses an invitation once.

    It changes no row if the invitation is used up or was ended.
    """
    return _take_use, _one(invited.league, invited.invitation)


def end(connection: Connection, league: str, invitation: str) -> bool:
    """End an invitation, within the caller's transaction. Return whether there was one."""
    return connection.execute(_end, _one(league, invitation)).rowcount == 1


def end_of_admin(connection: Connection, admin: str) -> None:
    """End all invitations that were made with the admin token, within the caller's transaction.

    `admin`: its id, which is the same in all leagues.
    """
    connection.execute(_end_of_admin, {"admin": admin})


def set_setup_code(connection: Connection, digest: bytes) -> bool:
    """Replace the setup code. If a league exists, only delete it, and return False."""
    connection.execute(_delete_setup)
    if connection.execute(_any_league).first() is not None:
        return False
    connection.execute(_insert_setup, {"holder": _SETUP, "digest": digest})
    return True


def take_setup_code(connection: Connection, digest: bytes) -> bool:
    """Use the setup code up if it has this digest and there is no league yet.

    Return whether it was used.
    """
    if connection.execute(_setup).scalar() != digest:
        return False
    if connection.execute(_any_league).first() is not None:
        return False
    return connection.execute(_delete_setup).rowcount == 1


def _one(league: str, invitation: str) -> dict[str, str]:
    return {"of_league": league, "of_invitation": invitation}
