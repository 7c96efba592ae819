"""The log of a league as a stranger with a viewer's token checks it: nothing is taken on trust."""

import struct
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from shutil import copy

import pytest
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from scorekeeper.ledger.integrity.checkpoints import parse_checkpoint
from scorekeeper.ledger.integrity.signing import NoteInvalid, open_note, parse_verifier_key
from scorekeeper.ledger.merkle_tree import verify_consistency, verify_inclusion
from scorekeeper.service.integrity.evidence import adopt_signing_key
from tests.api.serving import League, Served, note, serving, tally
from tests.api.serving_kinds import on_both


def keys(league: League):
    answer = league.viewer.get("/log/key")
    assert answer.headers["content-type"].startswith("text/plain")
    return [parse_verifier_key(line) for line in answer.text.splitlines()]


def checkpoint(league: League):
    answer = league.viewer.get("/log/checkpoint")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert "no-cache" in answer.headers["cache-control"]
    return parse_checkpoint(open_note(answer.content, keys(league)))


def inclusion(league: League, **query: int):
    return league.viewer.get("/log/proof/inclusion", params=query)


def consistency(league: League, **query: int):
    return league.viewer.get("/log/proof/consistency", params=query)


def hashes(answer) -> list[bytes]:
    return [bytes.fromhex(each) for each in answer.json()["proof"]]


@on_both
def test_what_a_tap_was_answered_stands_in_the_signed_tree(league):
    told = league.match().tell(tally("ann", bo=3, cy=4, di=5))
    signed = checkpoint(league)
    assert signed.size == told["position"]
    for entry in told["entries"]:
        answer = inclusion(league, position=entry["position"], size=signed.size)
        proof = answer.json()
        assert proof["leaf"] == entry["hash"]
        assert (proof["position"], proof["index"]) == (entry["position"], entry["position"] - 1)
        assert (proof["log"], proof["root"]) == (signed.origin, signed.root.hex())
        leaf = bytes.fromhex(entry["hash"])
        assert verify_inclusion(leaf, proof["index"], signed.size, hashes(answer), signed.root)


@on_both
def test_two_checkpoints_are_proved_to_be_of_one_log(league):
    before = checkpoint(league)
    match = league.match()
    for _ in range(5):
        match.tell(note())
    after = checkpoint(league)
    assert before.origin == after.origin
    assert after.size > before.size
    answer = consistency(league, **{"from": before.size, "to": after.size})
    body = answer.json()
    assert (body["from_root"], body["to_root"]) == (before.root.hex(), after.root.hex())
    assert verify_consistency(before.size, after.size, before.root, after.root, hashes(answer))


@on_both
def test_a_league_is_rebuilt_from_its_bundles_and_tiles(served):
    league = served.league()
    match = league.match()
    for _ in range(6):
        assert match.append(*[note() for _ in range(50)]).status_code == 201
    signed = checkpoint(league)
    full, rest = divmod(signed.size, 256)
    assert full == 1
    leaves: list[bytes] = []
    for number, width in ((0, 256), (1, rest)):
        name = f"{number:03}" + (f".p/{width}" if width < 256 else "")
        answer = league.viewer.get(f"/log/tile/entries/{name}")
        tile = league.viewer.get(f"/log/tile/0/{name}")
        assert answer.headers["content-type"] == "application/octet-stream"
        assert "immutable" in tile.headers["cache-control"]
        bundle = answer.content
        of_bundle: list[bytes] = []
        while bundle:
            (length,) = struct.unpack(">H", bundle[:2])
            of_bundle.append(sha256(b"\x00" + bundle[2 : 2 + length]).digest())
            bundle = bundle[2 + length :]
        assert b"".join(of_bundle) == tile.content
        leaves += of_bundle
    above = league.viewer.get("/log/tile/1/000.p/1").content
    assert above == root(leaves[:256])
    assert root(leaves) == signed.root
    # A part of a full tile is a tile of an earlier tree.
    assert league.viewer.get("/log/tile/0/000.p/3").content == b"".join(leaves[:3])


def root(leaves: list[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\x01" + root(leaves[:split]) + root(leaves[split:])).digest()


def test_without_a_size_the_ledger_as_it_stands_is_meant(league):
    size = checkpoint(league).size
    assert inclusion(league, position=1).json()["size"] == size
    assert consistency(league, **{"from": 1}).json()["to"] == size


def test_a_ledger_of_one_entry_needs_no_proof(league):
    answer = inclusion(league, position=1, size=1).json()
    assert answer["proof"] == []
    assert answer["root"] == answer["leaf"]


def test_every_log_has_grown_from_nothing(league):
    answer = consistency(league, **{"from": 0}).json()
    assert answer["proof"] == []
    assert answer["from_root"] == sha256(b"").hexdigest()
    same = consistency(league, **{"from": 0, "to": 0}).json()
    assert same["to_root"] == same["from_root"]


def test_sizes_and_positions_that_the_ledger_lacks_are_not_found(league):
    size = checkpoint(league).size
    for answer in (
        inclusion(league, position=size + 1),
        inclusion(league, position=1, size=size + 1),
        consistency(league, **{"from": size + 1}),
        consistency(league, **{"from": 1, "to": size + 1}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


def test_what_can_not_be_proved(league):
    for answer, facts in (
        (inclusion(league, position=3, size=2), {"position": 3, "size": 2}),
        (inclusion(league, position=1, size=0), {"position": 1, "size": 0}),
        (consistency(league, **{"from": 3, "to": 2}), {"from": 3, "to": 2}),
    ):
        problem = answer.json()
        assert (problem["status"], problem["code"]) == (422, "proof-impossible")
        assert problem["facts"] == facts


@pytest.mark.parametrize(
    "query", ["", "?position=0", "?position=-1", "?position=x", "?position=1&size=-1"]
)
def test_positions_that_are_none_can_not_be_read(league, query):
    answer = league.viewer.get(f"/log/proof/inclusion{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


@pytest.mark.parametrize(
    "tile",
    [
        "0/001",
        "0/000",
        "0/000.p/200",
        "1/000.p/1",
        "63/000.p/1",
        "64/000",
        "entries/000",
        "entries/001.p/1",
        "entries/x001/000",
        "0/0",
        "0/000.p/0",
        "nonsense",
        "../checkpoint",
    ],
)
def test_tiles_that_are_not_there(league, tile):
    answer = league.viewer.get(f"/log/tile/{tile}")
    if tile == "../checkpoint":  # the client resolves it to another address
        assert answer.url.path.endswith("/log/checkpoint")
    else:
        assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


def test_a_checkpoint_is_the_same_until_something_is_recorded(league):
    first, second = (league.viewer.get("/log/checkpoint") for _ in range(2))
    assert first.content == second.content
    same = league.viewer.get("/log/checkpoint", headers={"if-none-match": first.headers["etag"]})
    assert same.status_code == 304
    league.match()
    assert league.viewer.get("/log/checkpoint").content != first.content


def test_leagues_have_one_key_under_their_own_names(served):
    one, other = served.league(), served.league()
    first, second = keys(one), keys(other)
    assert [first[0].public] == [key.public for key in second]
    assert first[0].name == checkpoint(one).origin
    assert first[0].name != second[0].name
    with pytest.raises(NoteInvalid):
        open_note(one.viewer.get("/log/checkpoint").content, second)


@on_both
def test_asked_at_once_while_others_record_none_contradicts_another(served):
    league = served.league()
    match = league.match()
    answers = served.together(
        *(
            league.viewer.asking("GET", "/log/checkpoint")
            if number % 2
            else match.asking("POST", "/events", json={"events": [note()]})
            for number in range(40)
        )
    )
    key = keys(league)
    signed = sorted(
        {
            (found.size, found.root)
            for answer in answers[1::2]
            for found in [parse_checkpoint(open_note(answer.content, key))]
        }
    )
    assert len({size for size, _ in signed}) == len(signed)
    for (size, before), (later, after) in pairwise(signed):
        proof = hashes(consistency(league, **{"from": size, "to": later}))
        assert verify_consistency(size, later, before, after, proof)


def database_file(url: str) -> Path:
    database = make_url(url).database
    assert database is not None
    return Path(database)


def again(served: Served, league: League) -> League:
    """The same league, as served by a process that was started later."""
    copied = object.__new__(League)
    vars(copied).update(vars(league))
    copied.callers = {
        role: type(caller)(served, caller.token, caller.root)
        for role, caller in league.callers.items()
    }
    vars(copied).update(copied.callers)
    copied.served = served
    return copied


def test_an_older_backup_is_noticed_and_never_signed(sqlite_url, tmp_path):
    """Restoring a backup would lose entries that a signed checkpoint covers."""
    file, backup = database_file(sqlite_url), tmp_path / "backup"
    with serving(sqlite_url, data_dir=tmp_path) as served:
        league = served.league()
        match = league.match()
        match.tell(note())
    copy(file, backup)
    with serving(sqlite_url, data_dir=tmp_path) as served:
        match.served = served
        match.tell(note("the one that counts"))
        promised = checkpoint(again(served, league))
    copy(backup, file)
    with serving(sqlite_url, data_dir=tmp_path) as served:
        restored = again(served, league)
        problem = restored.viewer.get("/log/checkpoint").json()
        assert (problem["status"], problem["code"]) == (409, "log-forked")
        assert problem["reason"] == "older-backup"
        assert f"over {promised.size} was signed" in problem["detail"]
        # With new entries the ledger is long enough again, but its history is another one.
        match.served = served
        match.tell(note("another one"))
        problem = restored.viewer.get("/log/checkpoint").json()
        assert (problem["code"], problem["reason"]) == ("log-forked", "other-history")
        # Everything else still works: a fork must not stop a match.
        assert inclusion(restored, position=1).status_code == 200


def test_a_promise_is_kept_across_a_new_key(sqlite_url, tmp_path, run):
    with serving(sqlite_url, data_dir=tmp_path) as served:
        league = served.league()
        before = checkpoint(league)
        note_before = league.viewer.get("/log/checkpoint").text
        (old,) = keys(league)
    (tmp_path / "signing-key.pem").rename(tmp_path / "signing-key-2026.pem")
    run(adopt_signing_key(sqlite_url, tmp_path / "signing-key.pem"))
    with serving(sqlite_url, data_dir=tmp_path) as served:
        league = again(served, league)
        assert checkpoint(league) == before
        assert league.viewer.get("/log/checkpoint").text != note_before
        new, *older = keys(league)
        assert older == [old]
        assert new != old
        open_note(note_before, older)


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        (
            "UPDATE events SET header = CAST(replace(header, 'time', 'tame') AS BLOB) WHERE true",
            "entries-changed",
        ),
        ("DELETE FROM events WHERE position = 2", "entries-missing"),
        ("UPDATE ledgers SET frontier = zeroblob(length(frontier))", "entries-changed"),
    ],
)
def test_a_database_that_was_changed_is_not_signed(sqlite_url, tmp_path, run, statement, reason):
    with serving(sqlite_url, data_dir=tmp_path) as served:
        league = served.league()
        league.match()
        checkpoint(league)

    async def change():
        engine = create_async_engine(sqlite_url)
        async with engine.begin() as connection:
            await connection.execute(text(statement))
        await engine.dispose()

    run(change())
    with serving(sqlite_url, data_dir=tmp_path) as served:
        problem = again(served, league).viewer.get("/log/checkpoint").json()
        assert problem["code"] == "log-forked"
        assert problem["reason"] == reason


def test_a_kept_checkpoint_that_was_damaged_is_not_passed_over(sqlite_url, tmp_path):
    with serving(sqlite_url, data_dir=tmp_path) as served:
        league = served.league()
        checkpoint(league)
        (kept,) = (tmp_path / "checkpoints").glob("*.checkpoint")
        kept.write_text("nonsense\n")
        answer = league.viewer.get("/log/checkpoint")
        problem = answer.json()
        assert (problem["code"], problem["reason"]) == ("log-forked", "checkpoint-unreadable")
        assert str(tmp_path) not in answer.text
