"""The findings of `verify`, as the command prints them or as values."""

from click.testing import Result
from sqlalchemy import Connection

from scorekeeper.ledger.integrity.checking import Flaw
from scorekeeper.service.integrity.verifying import Verified, leagues_to_verify, verify_league
from tests.commands import invoked


def verify(url: str, *arguments: str) -> Result:
    return invoked("verify", "--database-url", url, *arguments)


def verified(connection: Connection) -> list[Flaw | Verified]:
    """Return all that `verify` says about the leagues of a database."""
    said: list[Flaw | Verified] = []
    for league in leagues_to_verify(connection):
        if isinstance(league, Flaw):
            said.append(league)
        else:
            said += verify_league(connection, league, lambda _: None)
    return said


def found(connection: Connection) -> list[Flaw]:
    """Return all flaws that `verify` finds in a database."""
    return [each for each in verified(connection) if isinstance(each, Flaw)]
