"""Idempotency keys of requests that open leagues.

All other answers lie with the ledger that they tell of. A request to open a league may name another
league each time, so that its key is also kept where every such request looks: under a league whose
name no slug can have.
"""

from typing import Final

from sqlalchemy import Connection, bindparam, select

from scorekeeper.ledger.tables import answers
from scorekeeper.ledger.writing.append import RowWrite, StoredAnswer
from scorekeeper.ledger.writing.statements import delete_expired, insert_answers
from scorekeeper.ledger.writing.write_batch import answer_row
from scorekeeper.service.answers import IdempotencyKey, Outcome, stored_answer

NO_LEAGUE: Final = ""

_SWEPT_AT_ONCE: Final = 100

_find = select(answers.c.request, answers.c.status, answers.c.body).where(
    answers.c.league == NO_LEAGUE, answers.c.key == bindparam("key")
)


def find_answer(connection: Connection, key: IdempotencyKey) -> StoredAnswer | None:
    """The answer given under the key."""
    row = connection.execute(_find, {"key": key.key}).one_or_none()
    if row is None:
        return None
    return StoredAnswer(key=key.key, request=row.request, status=row.status, body=row.body)


def key_rows(
    key: IdempotencyKey, outcome: Outcome, *, league: str, time: str
) -> tuple[RowWrite, ...]:
    """To be written with the opening; they fail where the key was taken in the meantime.

    What was kept so for longer than its day goes.
    """
    (answer,) = stored_answer((key,), outcome, about=f"league:{league}")
    return (
        (insert_answers, answer_row(NO_LEAGUE, answer, time)),
        (delete_expired, {"league": NO_LEAGUE, "now": time, "most": _SWEPT_AT_ONCE}),
    )
