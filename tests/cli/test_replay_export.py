"""`scorekeeper replay --from`: a round from an export, with neither server nor database."""

import gzip
import json
import re
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from scorekeeper.ledger.integrity.checking import Flaw
from scorekeeper.service.export.replaying import BundleUnsound
from tests.commands import invoked

GOLDEN = Path(__file__).parents[1] / "golden" / "ledgers" / "club-format-2.tar.gz"


class Place:
    """A bundle of a league, a database into which it was imported, and the replays of both."""

    def __init__(self, folder: Path, template: Path) -> None:
        self.bundle = folder / "club.tar"
        self.bundle.write_bytes(gzip.decompress(GOLDEN.read_bytes()))
        (folder / "scorekeeper.sqlite3").write_bytes(template.read_bytes())
        self._data = ["--data-dir", str(folder)]
        assert invoked("import", str(self.bundle), *self._data).exit_code == 0

    def from_export(self, *arguments: str, bundle: Path | None = None) -> Result:
        return invoked("replay", "--from", str(bundle or self.bundle), *arguments)

    def from_database(self, *arguments: str) -> Result:
        return invoked("replay", *arguments, *self._data)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Place:
    return Place(tmp_path_factory.mktemp("place"), sqlite_template)


@pytest.fixture(autouse=True)
def nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


MATCHES = [f"evening-{number}" for number in range(1, 14)]


@pytest.mark.parametrize("match", MATCHES)
@pytest.mark.parametrize("view", ["corrected", "recorded"])
def test_a_round_is_shown_as_from_the_database(place: Place, match: str, view: str) -> None:
    asked = ["club", match, "1", "--view", view, "--lang", "zh-TW", "--json"]
    shown = place.from_export(*asked)
    assert shown.exit_code == 0, shown.output
    assert json.loads(shown.stdout) == json.loads(place.from_database(*asked).stdout)
    assert json.loads(shown.stdout)["recorders"]


def test_which_key_sealed_it_is_said_aside_and_compared(place: Place) -> None:
    round_ = ["club", "evening-13", "1"]
    shown = place.from_export(*round_)
    assert shown.stdout == place.from_database(*round_).stdout
    key = re.fullmatch(r"Sealed with the key (\S+)\n", shown.stderr)
    assert key is not None, shown.stderr
    assert place.from_export(*round_, "--key", key[1]).stdout == shown.stdout
    other = place.from_export(*round_, "--key", key[1].replace("+A", "+B"))
    assert (other.exit_code, other.stdout) == (1, "")
    assert "sealed with another key" in other.stderr
    assert place.from_database(*round_, "--key", key[1]).exit_code == 2
    for noted in ("club.key", ""):
        misled = place.from_export(*round_, "--key", noted)
        assert (misled.exit_code, misled.stdout) == (2, "")
        assert "NAME+ID+KEY" in misled.stderr


def test_a_past_version_and_what_is_not_there(place: Place) -> None:
    past = ["club", "evening-13", "1", "--at", "4", "--json"]
    assert place.from_export(*past).stdout == place.from_database(*past).stdout
    for asked, named in (
        (["pub", "evening-1", "1"], "the export of the league club"),
        (["club", "evening-99", "1"], "evening-99"),
        (["club", "evening-1", "9"], "evening-1 9"),
        (["club", "evening-1", "1", "--at", "99"], "version"),
    ):
        gone = place.from_export(*asked)
        assert (gone.exit_code, gone.stdout) == (1, "")
        assert named in gone.stderr.splitlines()[-1]


def in_names(content: bytes) -> int:
    return content.index(b"Our league")


def in_another_match(content: bytes) -> int:
    return content.index(b'"stream":"match:evening-2"')


def in_the_middle(content: bytes) -> int:
    return len(content) // 2


@pytest.mark.parametrize(
    ("member", "at"),
    [
        ("names.json", in_names),
        ("entries/000.ndjson", in_another_match),
        ("tile/0/000.p/116", in_the_middle),
        ("proofs/000.ndjson", in_the_middle),
        ("digests", in_the_middle),
        ("key", in_the_middle),
        ("checkpoint", in_the_middle),
        ("seal", in_the_middle),
    ],
)
def test_nothing_is_shown_of_an_export_in_which_any_byte_was_changed(
    place: Place, tmp_path: Path, member: str, at: Callable[[bytes], int]
) -> None:
    content = bytearray(place.bundle.read_bytes())
    with tarfile.open(place.bundle) as archive:
        found = archive.getmember(member)
    part = bytes(content[found.offset_data : found.offset_data + found.size])
    content[found.offset_data + at(part) + 3] ^= 1
    changed = tmp_path / "changed.tar"
    changed.write_bytes(content)
    refused = place.from_export("club", "evening-1", "1", bundle=changed)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "changed.tar" in refused.stderr


@pytest.mark.parametrize(
    ("others", "more"),
    [(0, ""), (1, " There is 1 more finding."), (2, " There are 2 more findings.")],
)
def test_further_findings_are_counted(others: int, more: str) -> None:
    assert str(BundleUnsound(Flaw("seal-broken", "It is torn."), others)) == f"It is torn.{more}"
