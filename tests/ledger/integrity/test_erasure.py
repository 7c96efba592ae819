"""Erasing at the level of the ledger: content goes, header, chain and tree stay."""

import hashlib
import resource
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import make_url

from scorekeeper.ledger.entry import CONTENT_ERASED, Draft, ErasureTarget, first_erased
from scorekeeper.ledger.reading import Contents
from scorekeeper.ledger.sqlite_database import fold_log_in
from scorekeeper.ledger.writing.append import Completion, Decision, NothingToWrite, Request
from tests.ledger.asking import (
    BODY,
    LEAGUE,
    MATCH,
    appending,
    check_whole,
    deciding,
    draft,
    keyed,
    new_id,
    noting,
    opening,
    telling,
    together,
)


def erasing(stream, version, position, *, streams=None):
    """Erases one entry; the league's own stream tells of it."""

    def decide(seen):
        return Decision(
            drafts=[Draft(stream="league", type=CONTENT_ERASED, schema=1, body=BODY)],
            complete=lambda entries: Completion(value=entries[0].position),
            erase=[ErasureTarget(stream=stream, version=version, position=position)],
        )

    return Request(
        league=LEAGUE,
        actor="t-owner",
        streams=("league", stream) if streams is None else streams,
        decide=decide,
    )


def looking(stream, event_id=None):
    """A request whose value is a stream's carried state, and the bodies that it sees."""

    def decide(seen):
        tail = seen.tails[stream]
        whole = seen.whole(stream)
        known = [entry.body for entry in seen.known.values()]
        return NothingToWrite(
            (tail.carried, [e.body for e in tail.entries], [e.body for e in whole], known)
        )

    ids = () if event_id is None else (event_id,)
    return Request(league=LEAGUE, actor="t", streams=(stream,), ids=ids, decide=decide)


def test_the_content_goes_and_the_chain_and_the_tree_stay(ledger, run):
    run(ledger.append(noting("match:a", 3)))
    head = run(ledger.head(LEAGUE))
    before = run(ledger.stream(LEAGUE, "match:a"))
    run(ledger.append(erasing("match:a", 2, 3)))
    after = run(ledger.stream(LEAGUE, "match:a"))
    assert [entry.body is None for entry in after] == [False, True, False]
    assert [entry.salt is None for entry in after] == [False, True, False]
    assert [entry.header for entry in after] == [entry.header for entry in before]
    assert run(ledger.head(LEAGUE)).size == head.size + 1
    run(check_whole(ledger))
    run(ledger.append(noting("match:a")))
    run(check_whole(ledger))


def test_what_was_carried_is_dropped(ledger, run):
    run(ledger.append(noting("match:a", 3)))
    assert run(ledger.append(looking("match:a"))).value[0] == 3
    run(ledger.append(erasing("match:a", 2, 3)))
    carried, tail, whole, _ = run(ledger.append(looking("match:a"))).value
    assert carried is None
    assert tail == whole == [BODY, None, BODY]


def test_decisions_of_the_same_group_see_nothing_of_it(ledger, run):
    event_id = new_id()
    run(ledger.append(telling("match:a", [event_id])))

    look = looking("match:a", event_id)
    before, _, after = run(together(ledger, look, erasing("match:a", 1, 2), look))
    assert before.value == (1, [], [BODY], [BODY])
    assert after.value == (None, [None], [None], [None])


@pytest.mark.parametrize("version", [1, 2])
def test_nor_what_an_answer_told_of_it_and_all_of_one_before_it(ledger, run, version):
    kept = keyed("match:a", "one", about="match:a")
    told = run(ledger.append(kept)).value
    run(ledger.append(noting("match:a")))
    _, again = run(together(ledger, erasing("match:a", version, version + 1), kept))
    assert again.value == (b"" if version == 1 else told)


def test_another_process_forgets_what_it_carried(postgresql_url, opened, run):
    here, there = opened(postgresql_url), opened(postgresql_url)
    run(here.append(opening()))
    for ledger in (here, there):
        run(ledger.append(noting("match:a", 2)))
        assert run(ledger.append(looking("match:a"))).value[0]
    run(here.append(erasing("match:a", 2, 3)))
    carried, tail, _, _ = run(there.append(looking("match:a"))).value
    assert carried is None
    assert tail == [BODY, None, BODY, BODY]


def test_kept_answers_are_emptied_and_their_keys_stay(ledger, run):
    run(ledger.append(keyed("match:a", "one", about="match:a")))
    run(ledger.append(keyed("match:a", "other", about="elsewhere")))
    run(ledger.append(erasing("match:a", 1, 2)))
    for key, erased in (("one", True), ("other", False)):
        digest = hashlib.sha256(key.encode()).digest()
        request = Request(
            league=LEAGUE,
            actor="t",
            answer_keys=(digest,),
            decide=lambda seen: NothingToWrite([answer.body for answer in seen.answers.values()]),
        )
        (body,) = run(ledger.append(request)).value
        assert (body == b"") is erased


def test_only_streams_that_the_request_names_are_erased_from(ledger, run):
    run(ledger.append(noting("match:a")))
    with pytest.raises(ValueError, match="does not name"):
        run(ledger.append(erasing("match:a", 1, 2, streams=("league",))))
    assert run(ledger.stream(LEAGUE, "match:a"))[0].body == BODY


def test_how_many_entries_of_a_stream_are_erased(ledger, run):
    run(ledger.append(noting("match:a", 3)))
    run(ledger.append(noting("match:b", 1)))
    assert run(ledger.since(LEAGUE, "match:a", 3)) == (0, Contents(b"[]", [], 0, 0))
    run(ledger.append(erasing("match:a", 2, 3)))
    erased, contents = run(ledger.since(LEAGUE, "match:a", 1))
    assert erased == 1
    assert contents == Contents(b"[null," + BODY + b"]", [False, False], 3, 4)
    assert run(ledger.since(LEAGUE, "match:b", 0))[0] == 0


def test_of_what_is_erased_at_once_the_first_of_each_stream_is_known():
    places = [("match:a", 3), ("match:b", 7), ("match:a", 2), ("match:a", 5)]
    targets = [
        ErasureTarget(stream=stream, version=version, position=position)
        for position, (stream, version) in enumerate(places, 1)
    ]
    assert first_erased(targets) == {"match:a": 2, "match:b": 7}


@contextmanager
def no_file_grows_beyond(file):
    """Let no file of this process grow beyond the present size of this one."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (file.stat().st_size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_on_sqlite_it_is_recorded_without_room_and_overwritten_once_there_is(
    opened, sqlite_url, run, monkeypatch
):
    monkeypatch.setattr("scorekeeper.ledger.sqlite_database.FOLD_AGAIN_SECONDS", 0)
    database = Path(make_url(sqlite_url).database)
    secret = b"what nobody may read any more" * 1_000
    told = []

    def in_the_files():
        files = (database, database.with_name(f"{database.name}-wal"))
        return any(secret[:100] in file.read_bytes() for file in files)

    async def story():
        await ledger.append(opening())
        await ledger._queues[0]._writer.run(fold_log_in)
        await ledger.append(deciding(lambda seen: appending(draft(MATCH, body=secret))))
        ledger.on_commit(lambda league, size: told.append((league, size)))
        with no_file_grows_beyond(database):
            assert (await ledger.append(erasing(MATCH, 1, 2))).value == 3
            assert in_the_files()
        assert told == [(LEAGUE, 3)]
        while in_the_files():
            await ledger.check_writable()

    ledger = opened(sqlite_url)
    run(story())
