"""The signing key's file, and the checkpoints that are kept."""

import base64
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from scorekeeper.files import is_lent_by_group, is_private
from scorekeeper.ledger.integrity.checkpoints import (
    Checkpoint,
    CheckpointStore,
    LogForked,
    check_extends,
    record_note,
    recorded_note,
)
from scorekeeper.ledger.integrity.signing import (
    NoteInvalid,
    SigningKey,
    SigningKeyUnusable,
    open_note,
)
from scorekeeper.ledger.integrity.tree import Tree
from scorekeeper.ledger.merkle_tree import EMPTY_ROOT, leaf_hash, tree_root
from scorekeeper.ledger.tables import events
from tests.databases import in_database
from tests.ledger.asking import LEAGUE, merkle_root, noting, whole

LOG = "scorekeeper/friday/0123456789abcdef"


@pytest.fixture
def file(tmp_path):
    return tmp_path / "data" / "signing-key.pem"


def test_a_key_is_made_once_and_only_its_owner_may_read_it(file):
    first, again = SigningKey.load(file), SigningKey.load(file)
    assert first.verifier(LOG) == again.verifier(LOG)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert is_private(file)
    assert list(file.parent.iterdir()) == [file]


def test_a_key_signs_under_the_name_of_each_log(file):
    key = SigningKey.load(file)
    text = Checkpoint(LOG, 0, EMPTY_ROOT).text()
    note = key.sign(text, LOG)
    assert open_note(note, [key.verifier(LOG)]) == text
    with pytest.raises(NoteInvalid, match="no known key"):
        open_note(note, [key.verifier("scorekeeper/other/1")])


def test_many_who_start_at_once_have_one_key(file):
    with ThreadPoolExecutor(8) as threads:
        keys = list(threads.map(lambda _: SigningKey.load(file), range(8)))
    assert len({key.verifier(LOG).public for key in keys}) == 1


UNHEARD_OF = (
    b"-----BEGIN PRIVATE KEY-----\n"
    + base64.b64encode(bytes.fromhex("300f 020100 3005 06032a0304 0403 040100"))
    + b"\n-----END PRIVATE KEY-----\n"
)
"""A key in PKCS #8 for the algorithm 1.2.3.4, which nobody has."""


@pytest.mark.parametrize(
    "content", [b"", b"nonsense", b"-----BEGIN PRIVATE KEY-----\nAAAA\n", UNHEARD_OF]
)
def test_a_file_that_holds_no_key_is_refused_and_left_alone(file, content):
    file.parent.mkdir()
    file.write_bytes(content)
    with pytest.raises(SigningKeyUnusable, match="no key that can be read"):
        SigningKey.load(file)
    assert file.read_bytes() == content


def test_a_file_that_can_not_be_read_is_not_blamed_for_what_it_holds(file):
    """This happens if another user, such as root, made the file."""
    file.mkdir(parents=True)
    with pytest.raises(SigningKeyUnusable, match=r"signing-key\.pem can't be read: Is a directory"):
        SigningKey.load(file)


def test_where_no_key_is_and_none_can_be_made_a_sentence_says_so():
    """This happens if a mounted secret has another name."""
    with pytest.raises(SigningKeyUnusable, match=r"no signing key /proc/x/key\.pem, and none can"):
        SigningKey.load(Path("/proc/x/key.pem"))


def test_a_mounted_secret_is_a_link_to_a_link(file, tmp_path):
    """Nothing is written beside it."""
    first = SigningKey.load(file)
    (tmp_path / "..data").symlink_to(file.parent)
    link = tmp_path / "key.pem"
    link.symlink_to("..data/signing-key.pem")
    before = set(tmp_path.iterdir())
    assert SigningKey.load(link).public == first.public
    assert set(tmp_path.iterdir()) == before
    file.unlink()
    with pytest.raises(SigningKeyUnusable, match="a link to a file that is not there"):
        SigningKey.load(link)


def test_a_group_may_read_the_key_of_another_user(file, monkeypatch):
    """A key of one's own may not, since its owner can change its mode."""
    SigningKey.load(file)
    file.chmod(0o440)
    assert not is_lent_by_group(file)
    monkeypatch.setattr(os, "geteuid", lambda: file.stat().st_uid + 1)
    assert is_lent_by_group(file)
    for mode in (0o444, 0o460):
        file.chmod(mode)
        assert not is_lent_by_group(file)


def test_a_mode_that_lets_others_read_is_seen(file):
    SigningKey.load(file)
    file.chmod(0o640)
    assert not is_private(file)


@pytest.fixture
def kept(tmp_path):
    return CheckpointStore(tmp_path / "checkpoints")


def signed(file, size, root=EMPTY_ROOT):
    return SigningKey.load(file).sign(Checkpoint(LOG, size, root).text(), LOG)


@pytest.mark.parametrize("content", [b"", b"nonsense\n", b"\xff\xfe\0"])
def test_a_file_that_holds_no_checkpoint_is_refused(kept, content):
    kept.folder.mkdir()
    kept.path(LOG).write_bytes(content)
    with pytest.raises(NoteInvalid):
        kept.read(LOG)


def test_a_checkpoint_is_kept_in_a_file_of_its_own(kept, file):
    assert kept.read(LOG) is None
    assert kept.logs() == []
    note = signed(file, 3)
    assert kept.replace(LOG, None, note)
    assert kept.read(LOG) == (Checkpoint(LOG, 3, EMPTY_ROOT), note)
    assert kept.logs() == [LOG]
    assert stat.S_IMODE(kept.path(LOG).stat().st_mode) == 0o600


def test_whoever_saw_another_one_does_not_replace_it(kept, file):
    notes = [signed(file, size) for size in (3, 4, 5)]
    assert kept.replace(LOG, None, notes[0])
    assert not kept.replace(LOG, None, notes[1])
    assert kept.replace(LOG, notes[0], notes[1])
    assert not kept.replace(LOG, notes[0], notes[2])
    assert kept.read(LOG)[1] == notes[1]


def test_nor_does_another_machine_that_saw_another_one(database_url):
    def work(connection):
        assert record_note(connection, LEAGUE, None, "first")
        assert not record_note(connection, LEAGUE, None, "other")
        assert not record_note(connection, LEAGUE, "another", "other")
        assert record_note(connection, LEAGUE, "first", "second")
        assert not record_note(connection, "away", "second", "other")
        return recorded_note(connection, LEAGUE)

    assert in_database(database_url, work) == "second"


def test_of_many_at_once_one_replaces_it(kept, file):
    notes = [signed(file, size) for size in range(8)]
    with ThreadPoolExecutor(8) as threads:
        done = list(threads.map(lambda note: kept.replace(LOG, None, note), notes))
    assert done.count(True) == 1
    assert kept.read(LOG)[1] == notes[done.index(True)]


def test_a_name_of_any_characters_stays_in_the_folder(kept, file):
    for log in ("../../etc/x", "a/b", ".", "x" * 60, "名"):
        assert kept.path(log).parent == kept.folder
        assert kept.replace(log, None, signed(file, 1))
    assert kept.logs() == sorted(["../../etc/x", "a/b", ".", "x" * 60, "名"])


def test_a_damaged_checkpoint_is_told(kept, file):
    kept.replace(LOG, None, signed(file, 1))
    kept.path(LOG).write_text("nonsense")
    with pytest.raises(NoteInvalid):
        kept.read(LOG)


@pytest.fixture
def checked(ledger, run):
    """Checks a checkpoint of given leaves against a ledger of 600 entries."""
    run(ledger.append(noting("match:a", 599)))
    leaves = [leaf_hash(entry.header) for entry in run(whole(ledger))]

    def check(size, root, now=600):
        head = run(ledger.head(LEAGUE))
        of_head = tree_root(head.frontier) if now == 600 else merkle_root(leaves[:now])
        before = Checkpoint(head.log, size, root)
        run(ledger.read(lambda c: check_extends(before, Tree(c, LEAGUE, now), of_head)))

    check.leaves, check.ledger = leaves, ledger
    return check


@pytest.mark.parametrize("size", [0, 1, 255, 256, 257, 599, 600])
def test_a_ledger_extends_what_it_was(checked, size):
    checked(size, merkle_root(checked.leaves[:size]))


@pytest.mark.parametrize("size", [0, 1, 256, 599, 600])
def test_another_history_of_the_same_or_a_smaller_size_is_a_fork(checked, size):
    with pytest.raises(LogForked) as forked:
        checked(size, merkle_root([leaf_hash(b"other"), *checked.leaves[1:size]]))
    assert forked.value.reason == "other-history"


def test_a_shorter_ledger_is_an_older_backup(checked):
    with pytest.raises(LogForked, match="older backup") as forked:
        checked(600, merkle_root(checked.leaves), now=599)
    assert forked.value.reason == "older-backup"


def test_a_head_that_its_entries_do_not_bear_out_is_never_signed(checked, run):
    def change(connection):
        header = connection.execute(events.select().where(events.c.position == 600)).one().header
        changed = header.replace(b'"schema":1', b'"schema":2')
        connection.execute(events.update().where(events.c.position == 600).values(header=changed))

    run(checked.ledger.transact(LEAGUE, change))
    with pytest.raises(LogForked, match="the database was changed"):
        checked(3, merkle_root(checked.leaves[:3]))
