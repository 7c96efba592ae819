"""Answers that are kept for retries: written with an append, found again, deleted when expired."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import BigInteger, Connection, Text, bindparam, delete, insert, select, update

from scorekeeper.ledger.clock import a_day_after
from scorekeeper.ledger.tables import answers
from scorekeeper.ledger.writing.append import RowWrite, StoredAnswer

# Expired answers deleted by one append, in addition to as many as it writes.
_SWEPT_AT_ONCE = 100

_league = bindparam("league", type_=Text)
_insert = insert(answers)
_find = select(answers.c.request, answers.c.body).where(
    answers.c.league == _league, answers.c.key == bindparam("key")
)
_delete_lasting_about = delete(answers).where(
    answers.c.league == _league,
    answers.c.about == bindparam("about"),
    answers.c.expires_at.is_(None),
)
_empty_about = (
    update(answers)
    .where(
        answers.c.league == bindparam("of_league", type_=Text),
        answers.c.about == bindparam("of_subject", type_=Text),
    )
    .values(body=b"")
)
_expired = (
    select(answers.c.key)
    .where(answers.c.league == _league, answers.c.expires_at < bindparam("now", type_=Text))
    .order_by(answers.c.expires_at)
    .limit(bindparam("most", type_=BigInteger))
)
_delete_expired = delete(answers).where(answers.c.league == _league, answers.c.key.in_(_expired))


def answer_row(league: str, answer: StoredAnswer, time: str) -> dict[str, Any]:
    """Return the row of an answer that is given at `time`."""
    return {
        "league": league,
        "key": answer.key,
        "request": answer.request,
        "etag": answer.etag,
        "body": answer.body,
        "about": answer.about,
        "expires_at": None if answer.lasting else a_day_after(time),
    }


def keep_answers(
    connection: Connection, league: str, rows: Sequence[dict[str, Any]], now: str
) -> None:
    """Write rows made by `answer_row`, and delete some of the league's expired ones."""
    connection.execute(_insert, rows)
    connection.execute(_delete_expired, _sweep(league, len(rows), now))


def kept_beside(league: str, answer: StoredAnswer, time: str) -> tuple[RowWrite, ...]:
    """Return the same writes as rows of an append to another ledger than that of `league`.

    The append fails if an answer is kept under this key already.
    """
    return (
        (_insert, answer_row(league, answer, time)),
        (_delete_expired, _sweep(league, 1, time)),
    )


def purged_about(league: str, about: str) -> tuple[RowWrite, ...]:
    """Return the row writes that purge every kept answer with this `about`.

    The key of a request stays, so that a retry does not carry it out a second time. A lasting
    answer is deleted: what was opened keeps its slug, which refuses the same opening by itself.
    """
    return (
        (_delete_lasting_about, {"league": league, "about": about}),
        (_empty_about, {"of_league": league, "of_subject": about}),
    )


def find_answer(connection: Connection, league: str, key: bytes) -> StoredAnswer | None:
    """Return the answer that is kept under the key, None if there is none."""
    row = connection.execute(_find, {"league": league, "key": key}).one_or_none()
    if row is None:
        return None
    return StoredAnswer(key=key, request=row.request, body=row.body)


def _sweep(league: str, written: int, now: str) -> dict[str, Any]:
    # Delete more than are just written, so that the number of expired answers always falls.
    return {"league": league, "now": now, "most": _SWEPT_AT_ONCE + written}
