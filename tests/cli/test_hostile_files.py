"""Bundles that were made to deceive `verify`, or to break it."""

import gzip
import io
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper.cli.terminal.import_report import show_bad
from scorekeeper.ledger.archive import ENDING, framed
from scorekeeper.service.imports.result_rows import BadRow, read_rows
from tests.api.serving import note, serving
from tests.cli.test_replay_command import place, replay
from tests.commands import invoked

GOLDEN = Path(__file__).parents[1] / "golden" / "ledgers" / "club-format-2.tar.gz"
OBEYED = "\x1b]0;title\x07\x1b[2J\u202e"
WRITTEN_OUT = r"\x1b]0;title\x07\x1b[2J\u202e"


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    file = tmp_path / "club.tar"
    file.write_bytes(gzip.decompress(GOLDEN.read_bytes()))
    return file


def contents(bundle: Path) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(bundle) as archive:
        for member in archive:
            read = archive.extractfile(member)
            assert read is not None
            yield member.name, read.read()


def verified(bundle: Path, members: list[tuple[str, bytes]]) -> str:
    """Return what `verify` prints for an archive of these members, which must have flaws."""
    bundle.write_bytes(b"".join(framed(*each) for each in members) + ENDING)
    done = invoked("verify", bundle)
    assert (done.exit_code, type(done.exception)) == (1, SystemExit)
    return done.output


@pytest.mark.parametrize("depth", [900, 960, 100_000])
def test_brackets_in_brackets_are_a_finding(bundle: Path, depth: int) -> None:
    whole = list(contents(bundle))
    at = next(at for at, (name, _) in enumerate(whole) if name.startswith("entries/"))
    name, content = whole[at]
    deep = b'{"body":' + b"[" * depth + b"]" * depth + b',"header":{},"salt":null}\n'
    whole[at] = name, deep + content.split(b"\n", 1)[1]
    assert name in verified(bundle, whole)


@pytest.mark.parametrize("position", [0, -300])
def test_a_position_before_the_first_entry_is_a_finding(bundle: Path, position: int) -> None:
    """No member holds it, and whoever looks for one must not look for ever."""
    forged = [
        (name, content.replace(b'"positions":[22]', b'"positions":[%d]' % position))
        for name, content in contents(bundle)
    ]
    said = verified(bundle, forged)
    assert f"The entry at position {position} is told to be erased" in said


@pytest.mark.parametrize("at", [0, 1])
def test_another_member_in_the_place_of_the_first_ones_is_named(bundle: Path, at: int) -> None:
    whole = list(contents(bundle))
    wanted = whole[at][0]
    whole.insert(at, ("../../etc/passwd", b""))
    said = verified(bundle, whole)
    assert f"{wanted} can't be read: ../../etc/passwd stands in its place." in said


def test_an_export_that_is_still_compressed_is_told_so(tmp_path: Path) -> None:
    done = invoked("verify", GOLDEN)
    assert done.exit_code == 1
    assert "it is compressed: unpack it by gunzip first" in done.output


def test_a_file_does_not_speak_to_the_terminal(bundle: Path) -> None:
    said = verified(bundle, [*contents(bundle), (OBEYED[:-1], b"")])
    assert f"Nobody expects a member {WRITTEN_OUT[:-6]}." in said
    whole = list(contents(bundle))
    forged = b'"league":"club\\nAll of it agrees.\\u001b[2J"'
    whole[0] = whole[0][0], whole[0][1].replace(b'"league":"club"', forged)
    said = verified(bundle, whole)
    assert "All of it agrees." not in said.splitlines()
    assert "\x1b" not in said


def test_names_and_notes_do_not_speak_to_the_terminal(database_url: str) -> None:
    with serving(database_url) as served:
        league = served.league()
        device = league.owner.post("/tokens", {"role": "scorekeeper", "name": OBEYED}).json()
        league.scorekeeper.token = device["token"]
        match = league.match(dealer="ann")
        match.tell({"type": "round_started"}, note(text=OBEYED))
        shown = replay(database_url, *place(match)).output
    assert f"recorded by {WRITTEN_OUT} at" in shown
    assert "\x1b" not in shown
    assert "\u202e" not in shown


def test_a_spreadsheet_does_not_speak_to_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    rows = read_rows(io.StringIO(f"date,edition,players,points,{OBEYED}\n"))
    show_bad([row for row in rows if isinstance(row, BadRow)])
    assert (
        capsys.readouterr().err
        == f"line 1: the heading has unknown columns: {WRITTEN_OUT.lower()}\n"
    )
