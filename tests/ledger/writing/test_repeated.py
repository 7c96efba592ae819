"""A repeated event id or idempotency key is known, and nothing is written twice."""

import pytest
from msgspec.structs import replace
from sqlalchemy.exc import DBAPIError

from scorekeeper.ledger.database_errors import is_duplicate
from scorekeeper.ledger.writing import statements
from scorekeeper.ledger.writing.append import AppendResult, NothingToWrite
from scorekeeper.ledger.writing.kept_answers import purged_about
from tests.ledger.asking import (
    LEAGUE,
    MATCH,
    appending,
    check_whole,
    counting,
    deciding,
    draft,
    keyed,
    new_id,
    noting,
    opening,
    telling,
    together,
)


def test_a_repeated_id_is_known_also_within_its_group(ledger, run):
    event_id = new_id()
    calls = []
    requests = [telling(stream, [event_id]) for stream in (MATCH, "match:two")]
    first, second = run(together(ledger, *(counting(request, calls) for request in requests)))
    assert calls == requests
    assert isinstance(first, AppendResult)
    assert isinstance(second, NothingToWrite)
    assert first.value == second.value
    assert run(ledger.append(telling(MATCH, [event_id]))) == second


def test_nobody_is_decided_on_an_event_that_was_recorded_before(ledger, run):
    """Only the insert shows that the id is known: until then the event was taken to be new."""
    event_id = new_id()
    once = run(ledger.append(telling(MATCH, [event_id])))
    again, late, soon = run(
        together(
            ledger,
            telling(MATCH, [event_id]),
            noting(MATCH, expected=2),
            noting(MATCH, expected=1),
        )
    )
    assert again == NothingToWrite(once.value)
    assert late == NothingToWrite("at 1")
    assert soon.value == [2]
    assert len(run(check_whole(ledger))) == 3


class SaidByAnother(Exception):
    """The error of a distributed database.

    It passes on the words of another server, without that error's SQLSTATE.
    """

    sqlstate = "XX000"


def handing_on(write):
    def written(*given):
        try:
            return write(*given)
        except Exception as error:
            raise SaidByAnother(str(error)) from error

    return written


@pytest.mark.parametrize("count", [1, 200])
def test_a_repeated_id_is_known_where_the_database_hides_the_state_of_its_error(
    opened, postgresql_url, run, count, monkeypatch
):
    """Citus does so when it copies rows to the servers to which they belong."""
    names = ("append_at_once", "insert_rows")
    ways = {name: handing_on(getattr(statements.POSTGRESQL, name)) for name in names}
    monkeypatch.setattr(statements, "POSTGRESQL", replace(statements.POSTGRESQL, **ways))
    ledger = opened(postgresql_url)
    run(ledger.append(opening()))
    ids = [new_id() for _ in range(count)]
    once = run(ledger.append(telling(MATCH, ids)))
    again, other = run(together(ledger, telling(MATCH, ids), noting(MATCH, expected=count)))
    assert again == NothingToWrite(once.value)
    assert other.value == [count + 1]
    assert len(run(check_whole(ledger))) == count + 2


_TAKEN = 'duplicate key value violates unique constraint "events_league_event_id_key_102040"'


@pytest.mark.parametrize(
    ("state", "said", "duplicate"),
    [
        ("23505", "whatever", True),
        ("XX000", _TAKEN, True),
        (None, _TAKEN, True),
        ("XX000", "cache lookup failed for type 16384", False),
        ("42P01", _TAKEN, False),
    ],
)
def test_a_taken_key_is_known_by_its_state_or_else_by_the_words(state, said, duplicate):
    error = SaidByAnother(said)
    error.sqlstate = state
    assert is_duplicate(error) is duplicate
    assert is_duplicate(DBAPIError("INSERT", None, error)) is duplicate


@pytest.mark.parametrize("refused", [NothingToWrite("refused"), KeyError("refused")])
def test_a_known_id_comes_before_whatever_else_is_refused(ledger, run, refused):
    event_id = new_id()
    once = run(ledger.append(telling(MATCH, [event_id])))

    def decide(seen):
        if event_id in seen.known:
            return NothingToWrite([seen.known[event_id].hash])
        if isinstance(refused, Exception):
            raise refused
        return refused

    asked = deciding(decide, ids=(event_id,))
    again, other = run(together(ledger, asked, noting(MATCH, expected=1)))
    assert again == NothingToWrite(once.value)
    assert other.value == [2]


def test_known_ids_at_the_head_of_a_longer_batch(ledger, run):
    ids = [new_id() for _ in range(5)]
    early = run(ledger.append(telling(MATCH, ids[:2])))
    late = run(ledger.append(telling(MATCH, ids)))
    assert [entry.id for entry in late.entries] == ids[2:]
    assert late.value[:2] == early.value
    assert [entry.id for entry in run(check_whole(ledger))[1:]] == ids


def test_an_answer_is_kept_under_its_key(ledger, run):
    calls = []
    one, two = run(together(ledger, *[counting(keyed(MATCH, "k"), calls)] * 2))
    assert len(calls) == 2
    later = run(ledger.append(keyed(MATCH, "k")))
    assert isinstance(one, AppendResult)
    assert two == later == NothingToWrite(one.value)
    assert len(run(check_whole(ledger))) == 2


def test_answers_about_something_can_be_purged(ledger, run):
    """The key of a request stays and has an empty answer; what lasts is deleted."""
    run(ledger.append(keyed(MATCH, "k", about="name:ann")))
    run(ledger.append(keyed(MATCH, "lasting", about="name:ann", lasting=True)))
    other = run(ledger.append(keyed(MATCH, "other"))).value

    def purge(connection):
        for purging in purged_about(LEAGUE, "name:ann"):
            connection.execute(*purging)

    run(ledger.transact(LEAGUE, purge))
    assert run(ledger.append(keyed(MATCH, "k"))) == NothingToWrite(b"")
    assert isinstance(run(ledger.append(keyed(MATCH, "lasting"))), AppendResult)
    assert run(ledger.append(keyed(MATCH, "other"))) == NothingToWrite(other)


def test_an_id_is_not_recorded_twice_by_one_decision(ledger, run):
    event_id = new_id()
    decision = appending(draft(MATCH, event_id), draft(MATCH, event_id))
    with pytest.raises(ValueError, match="twice"):
        run(ledger.append(deciding(lambda seen: decision, ids=(event_id,))))
