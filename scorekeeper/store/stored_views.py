"""With which derivation the stored views of each league were written.

A derivation is how the rows beside the log follow from it. An older database has rows that followed
otherwise, or none; they are made anew before anybody is answered from them.
"""

from typing import Final

from sqlalchemy import BigInteger, Connection, Text, bindparam, delete, func, insert, select, text

from scorekeeper.store.rows import Row
from scorekeeper.store.tables import stored_views

DERIVATION: Final = 3
"""The number of today's derivation.

Raise it by one whenever a stored view would hold something else than before for the same log, be it
another column or another figure. A digest over a whole league (`tests/store/derivations.txt`) goes
red where that was forgotten.
"""

_insert = insert(stored_views)
_made_anew = text(
    "INSERT INTO stored_views (league, derivation) VALUES (:league, :derivation)"
    " ON CONFLICT (league) DO UPDATE SET derivation = excluded.derivation"
).bindparams(bindparam("league", type_=Text()), bindparam("derivation", type_=BigInteger()))


def added(league: str) -> Row:
    """A league whose views are written by this program from its first entry on."""
    return _insert, {"league": league, "derivation": DERIVATION}


def up_to_date(connection: Connection) -> set[str]:
    """The leagues whose views follow today's derivation."""
    found = select(stored_views.c.league).where(stored_views.c.derivation == DERIVATION)
    return set(connection.execute(found).scalars())


def is_up_to_date(connection: Connection, league: str) -> bool:
    return of_league(connection, league) == DERIVATION


def of_league(connection: Connection, league: str) -> int | None:
    """The derivation of a league's views; None where nobody knows."""
    found = select(stored_views.c.derivation).where(stored_views.c.league == league)
    return connection.execute(found).scalar()


def newest(connection: Connection) -> int:
    """The greatest derivation that any league's views were written with; 0 where none is known."""
    return connection.execute(select(func.max(stored_views.c.derivation))).scalar() or 0


def made_anew(connection: Connection, league: str) -> None:
    """Note that all views of a league follow today's derivation."""
    connection.execute(_made_anew, {"league": league, "derivation": DERIVATION})


def forget(connection: Connection, league: str) -> None:
    """Drop the note on a league that is not there."""
    connection.execute(delete(stored_views).where(stored_views.c.league == league))
