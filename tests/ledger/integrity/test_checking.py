"""Any change of any entry of a ledger is found from the entries alone."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.ledger.entry import decode_header, encode_header
from scorekeeper.ledger.integrity.checking import LedgerCheck
from tests.ledger.asking import LEAGUE, noting, opening, whole


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """The rows of a ledger with two streams, its log and its frontier."""
    import asyncio

    from scorekeeper.ledger.ledger import Ledger
    from scorekeeper.store.migrate import upgrade

    url = f"sqlite+aiosqlite:///{tmp_path_factory.mktemp('checked') / 'a.sqlite3'}"

    async def record():
        await upgrade(url)
        ledger = await Ledger.open(url)
        await ledger.append(opening())
        for stream in ("match:a", "match:b", "match:a"):
            await ledger.append(noting(stream, 3))
        entries, head = await whole(ledger), await ledger.head(LEAGUE)
        await ledger.close()
        return [(entry.header, entry.body, entry.salt) for entry in entries], head

    return asyncio.run(record())


def check(rows, head):
    checking = LedgerCheck(LEAGUE, head.log)
    flaws, headers = checking.take(rows)
    return checking, headers, flaws


def test_an_honest_ledger_has_no_flaw(recorded):
    rows, head = recorded
    checking, headers, flaws = check(rows, head)
    assert flaws == []
    assert (checking.size, checking.tree.frontier()) == (head.size, head.frontier)
    assert [header.position for header in headers] == list(range(1, 11))
    assert checking.erased == []


def test_in_parts_it_is_the_same(recorded):
    rows, head = recorded
    checking = LedgerCheck(LEAGUE, head.log)
    for row in rows:
        flaws, _ = checking.take([row])
        assert flaws == []
    assert checking.tree.frontier() == head.frontier


def test_erased_content_is_listed_and_is_no_flaw(recorded):
    rows, head = recorded
    rows = [*rows[:4], (rows[4][0], None, None), *rows[5:]]
    checking, _, flaws = check(rows, head)
    assert flaws == []
    assert checking.erased == [5]
    assert checking.tree.frontier() == head.frontier


def rewritten(row, **changes):
    header = msgspec.structs.replace(decode_header(row[0]), **changes)
    return (encode_header(header), row[1], row[2])


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"position": 9}, "position-gap"),
        ({"version": 7}, "version-gap"),
        ({"stream": "match:other"}, "version-gap"),
        ({"prev": "0" * 64}, "chain-broken"),
        ({"prev": None}, "chain-broken"),
        ({"log": "scorekeeper/other/1"}, "log-other"),
        ({"time": "2000-01-01T00:00:00.000000Z"}, "time-backwards"),
        ({"digest": "0" * 64}, "digest-mismatch"),
    ],
)
def test_a_changed_header_is_named(recorded, changes, code):
    rows, head = recorded
    rows = [*rows[:2], rewritten(rows[2], **changes), *rows[3:]]
    checking, _, flaws = check(rows, head)
    assert (flaws[0].code, flaws[0].position) == (code, 3)
    assert "position 3" in flaws[0].detail
    assert checking.tree.frontier() != head.frontier


@pytest.mark.parametrize("changes", [{"actor": "t-other"}, {"type": "other"}, {"inferred": True}])
def test_what_only_the_next_link_can_tell(recorded, changes):
    rows, head = recorded
    rows = [*rows[:2], rewritten(rows[2], **changes), *rows[3:]]
    checking, _, flaws = check(rows, head)
    assert [(flaw.code, flaw.position) for flaw in flaws] == [("chain-broken", 4)]
    assert "as it stands at position 3" in flaws[0].detail
    assert checking.tree.frontier() != head.frontier


def test_a_changed_digest_of_erased_content_is_told_by_the_next_link(recorded):
    rows, head = recorded
    changed, _, _ = rewritten(rows[2], digest="0" * 64)
    _, _, (flaw,) = check([*rows[:2], (changed, None, None), *rows[3:]], head)
    assert (flaw.code, flaw.position) == ("chain-broken", 4)
    assert "as it stands at position 3" in flaw.detail


def test_a_header_must_be_canonical(recorded):
    rows, head = recorded
    spaced = rows[2][0].replace(b'":', b'": ', 1)
    _, _, flaws = check([*rows[:2], (spaced, *rows[2][1:]), *rows[3:]], head)
    assert {"header-not-canonical", "chain-broken"} == {flaw.code for flaw in flaws}


def test_missing_twice_and_swapped_entries_are_gaps(recorded):
    rows, head = recorded
    for wrong in (rows[:4] + rows[5:], rows[:5] + rows[4:], [rows[1], rows[0], *rows[2:]]):
        assert "position-gap" in {flaw.code for flaw in check(wrong, head)[2]}


def test_body_and_salt_go_together(recorded):
    rows, head = recorded
    for torn in ((rows[2][0], None, rows[2][2]), (rows[2][0], rows[2][1], None)):
        _, _, flaws = check([*rows[:2], torn, *rows[3:]], head)
        assert [(flaw.code, flaw.position) for flaw in flaws] == [("content-torn", 3)]


@settings(max_examples=400, deadline=None)
@given(place=st.integers(0, 9), part=st.integers(0, 2), data=st.data())
def test_any_byte_changed_anywhere_is_found(recorded, place, part, data):
    rows, head = recorded
    row = list(rows[place])
    changed = bytearray(row[part])
    at = data.draw(st.integers(0, len(changed) - 1))
    changed[at] ^= data.draw(st.integers(1, 255))
    row[part] = bytes(changed)
    checking, _, flaws = check([*rows[:place], tuple(row), *rows[place + 1 :]], head)
    if part == 0:
        assert checking.tree.frontier() != head.frontier
    else:
        assert [(flaw.code, flaw.position) for flaw in flaws] == [("digest-mismatch", place + 1)]
