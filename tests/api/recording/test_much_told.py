"""Requests with many events are decided on a thread, so that the event loop stays free."""

import threading
from uuid import uuid4

import pytest

from scorekeeper.service.matches import deciding
from tests.api.serving import note


@pytest.fixture
def match(league):
    return league.match()


@pytest.fixture
def deciding_threads(monkeypatch):
    """The names of the threads on which events were decided."""
    threads = []
    record = deciding.record

    def noted(*arguments):
        threads.append(threading.current_thread().name)
        return record(*arguments)

    monkeypatch.setattr(deciding, "record", noted)
    return threads


def on_a_thread(name):
    return name.startswith("decision")


@pytest.mark.parametrize(("told", "apart"), [(100, False), (101, True)])
def test_many_events_are_decided_on_a_thread(match, deciding_threads, told, apart):
    answer = match.append(*(note() for _ in range(told)))
    assert answer.status_code == 201
    assert match.get().json()["version"] == 1 + told
    assert {on_a_thread(name) for name in deciding_threads} == {apart}


def test_many_events_told_again_change_nothing(match, deciding_threads):
    told = [note() | {"id": str(uuid4())} for _ in range(101)]
    first = match.append(*told)
    board = match.get().content
    again = match.append(*told)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.headers["idempotency-replayed"] == "true"
    assert match.get().content == board
    assert all(map(on_a_thread, deciding_threads))
