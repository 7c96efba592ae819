"""Tokens: those of a league, and the admin token.

An owner makes, lists and revokes the tokens of a league. The admin token opens leagues and may do
everything. It can't be made through the API.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar, cast

import msgspec
from sqlalchemy import Connection

from scorekeeper.ledger.database_errors import is_duplicate
from scorekeeper.ledger.ledger import NO_LEAGUE, Ledger
from scorekeeper.ledger.token_times import last_recorded_by
from scorekeeper.ledger.writing.append import Claim, Completion, Decision, Request, Seen
from scorekeeper.service.command import (
    Command,
    CommandResult,
    IdempotencyKey,
    Outcome,
    Writing,
)
from scorekeeper.service.identity.access import (
    ADMIN_ID,
    Access,
    Caller,
    NewToken,
    new_admin_token,
    new_token,
    token_digest,
    token_unknown,
)
from scorekeeper.service.ledger_to_read import open_ledger_to_read
from scorekeeper.service.lists import found_in_league, whole_list
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.service.streams import (
    LEAGUE_STREAM,
    Role,
    Roster,
    TokenMade,
    TokenRevoked,
    league_draft,
    roster,
    tail_roster,
)
from scorekeeper.service.views import TokenMadeView, TokenMaking, TokenView
from scorekeeper.store import invitations, tokens
from scorekeeper.store.invitations import Invited
from scorekeeper.store.migrate import check

T = TypeVar("T")

_encode = msgspec.json.Encoder().encode


async def has_admin_token(url: str) -> bool:
    """Return whether the database has an admin token. A service may be using the database.

    Raises DatabaseNotReady.
    """
    async with open_ledger_to_read(url) as ledger:
        return await ledger.read(tokens.admin_digest) is not None


async def first_admin_token(url: str) -> str | None:
    """Make the admin token; None if there is one already. Only its hash is stored.

    Raises LedgerInUse.
    """
    token = new_admin_token()

    def make(connection: Connection) -> bool:
        if tokens.admin_digest(connection) is not None:
            return False
        # Another process may make one now. The second insert has to fail, since it must not end
        # the first token.
        tokens.add_first_admin(connection, token_digest(token))
        return True

    try:
        return token if await transact_alone(url, make) else None
    except Exception as error:
        if not is_duplicate(error):
            raise
        return None  # another process made it at the same moment


async def renew_admin_token(url: str) -> str:
    """Replace the admin token by a new one, and end its sessions and its invitations.

    Raises LedgerInUse, DatabaseNotReady.
    """
    await check(url)
    token = new_admin_token()

    def replace(connection: Connection) -> None:
        tokens.set_admin(connection, token_digest(token))
        invitations.end_of_admin(connection, ADMIN_ID)

    await transact_alone(url, replace)
    return token


async def transact_alone(url: str, work: Callable[[Connection], T]) -> T:
    """Open the database at `url` for one transaction of no league. Raises LedgerInUse."""
    async with await Ledger.open(url) as ledger:
        return await ledger.transact(NO_LEAGUE, work)


class Tokens:
    """The tokens of leagues. Only their hashes are stored.

    The ledger has the ids and roles of tokens, never their names.
    """

    def __init__(self, ledger: Ledger, access: Access) -> None:
        self._ledger = ledger
        self._access = access

    async def make(
        self, caller: Caller, league: str, making: TokenMaking, key: IdempotencyKey | None
    ) -> Outcome:
        """Make a token. The answer to a retry lacks the secret.

        Raises Refused (`not-found`, `unauthorized`, `idempotency-key-reused`).
        """
        made = new_token(league)
        shown = TokenMadeView(
            token_id=made.token_id, role=making.role, name=making.name, token=made.token
        )
        without_secret = msgspec.structs.replace(shown, token=None)
        return await self._made(
            league,
            caller.token_id,
            made,
            making.role,
            making.name,
            key,
            revoked=token_unknown(),
            shown=Outcome(body=_encode(shown), created=True),
            kept=Outcome(body=_encode(without_secret), created=True),
        )

    async def make_for_device(
        self,
        invited: Invited,
        name: str,
        *,
        key: IdempotencyKey | None,
        shown: Callable[[NewToken], bytes],
    ) -> tuple[Outcome, NewToken]:
        """Make a token, which takes one use of the invitation.

        The token that made the invitation is recorded as the maker of the new one.
        `shown` encodes the answer. If the answer is that of an earlier try, the token that is
        returned with it was not recorded, and no use was taken. Raises Refused (`not-found`,
        `invitation-unknown`, `idempotency-key-reused`).
        """
        made = new_token(invited.league)
        outcome = Outcome(body=shown(made), created=True)
        use, of_this = invitations.use_taken(invited)
        ended = Refused("invitation-unknown")
        answer = await self._made(
            invited.league,
            invited.made_by,
            made,
            cast("Role", invited.role),
            name,
            key,
            revoked=ended,
            shown=outcome,
            kept=outcome,
            claims=(Claim(use, of_this, ended),),
        )
        return answer, made

    async def _made(
        self,
        league: str,
        actor: str,
        made: NewToken,
        role: Role,
        name: str,
        key: IdempotencyKey | None,
        *,
        revoked: Refused,
        shown: Outcome,
        kept: Outcome,
        claims: Sequence[Claim] = (),
    ) -> Outcome:
        """Record a token and answer with `shown`; a retry is answered with `kept`.

        `revoked` is raised if the token with the id `actor` is no longer in force.
        """
        event = TokenMade(token_id=made.token_id, role=role)

        def decide(seen: Seen) -> Writing[Outcome]:
            if not seen.exists:
                raise not_found("league")
            known = tail_roster(seen.tails[LEAGUE_STREAM])
            check_in_force(actor, known, revoked)
            return Writing(
                drafts=(league_draft(event),),
                carried={LEAGUE_STREAM: roster(known, [event])},
                complete=lambda entries: CommandResult(
                    value=shown,
                    rows=(
                        tokens.added(
                            league, made.token_id, made.digest, role, name, entries[0].time
                        ),
                    ),
                    claims=claims,
                    kept=kept,
                ),
            )

        command = Command(
            league=league,
            actor=actor,
            about=f"token:{made.token_id}",
            keys=(key,),
            streams=(LEAGUE_STREAM,),
            decide=decide,
        )
        return await command.carry_out(self._ledger)

    async def revoke(self, caller: Caller, league: str, token_id: str) -> None:
        """Revoke a token, and end the invitations that were made with it.

        Raises Refused (`not-found`), also if the token was revoked already.
        """
        event = TokenRevoked(token_id=token_id)

        def decide(seen: Seen) -> Decision[None]:
            known = tail_roster(seen.tails[LEAGUE_STREAM])
            if token_id not in known.tokens:
                raise not_found("token")
            return Decision(
                drafts=(league_draft(event),),
                carried={LEAGUE_STREAM: roster(known, [event])},
                complete=lambda entries: Completion(
                    value=None,
                    rows=(
                        tokens.revoked(league, token_id, entries[0].time),
                        # Nobody must get in any more by an invitation made on a lost phone.
                        invitations.ended_with(league, token_id),
                    ),
                ),
            )

        await self._ledger.append(
            Request(league=league, actor=caller.token_id, streams=(LEAGUE_STREAM,), decide=decide),
        )
        self._access.forget(token_id)

    async def in_force(self, league: str) -> Sequence[TokenView]:
        """Return all tokens in force, in the order of their ids.

        Raises Refused (`not-found`) if there is no such league.
        """
        return await whole_list(
            lambda after, limit: self.list(league, after=after, limit=limit),
            lambda each: each.token_id,
        )

    async def list(self, league: str, *, after: str | None, limit: int) -> list[TokenView]:
        """Return the tokens in force, in the order of their ids, those after `after`.

        Raises Refused (`not-found`) if there is no such league.
        """

        def page(connection: Connection) -> list[TokenView]:
            found = tokens.page(connection, league, after=after, limit=limit)
            return [TokenView(each.token_id, each.role, each.name) for each in found]

        found = await self._ledger.read(page)
        return await found_in_league(self._ledger, league, found)

    async def first(self, league: str) -> str | None:
        """Return the id of the token that was made with the league, in force or revoked."""
        return await self._ledger.read(lambda connection: tokens.first(connection, league))

    async def last_entries(self, league: str, known: Iterable[TokenView]) -> dict[str, str]:
        """Return by token id when each of these tokens recorded its last entry.

        Only the ledger's last entries are searched. A token that recorded none of them is left out.
        """
        writing = [each.token_id for each in known if each.role != "viewer"]
        return await last_recorded_by(self._ledger, league, writing)


def check_in_force(token_id: str, known: Roster, revoked: Refused) -> None:
    """Raise `revoked` unless the ledger itself has the token in force.

    Another process may accept a revoked token for a moment longer. In that moment its holder must
    not make further tokens or invitations.
    """
    if token_id not in known.tokens and token_id != ADMIN_ID:
        raise revoked
