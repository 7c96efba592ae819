"""Both bundle formats: old bundles can still be read, and new ones checked with standard tools."""

import gzip
import io
import subprocess
import tarfile
from pathlib import Path

import pytest

from scorekeeper.service.export.importing import BundleCheck
from scorekeeper.service.integrity.verifying import Verified

GOLDEN = Path(__file__).parents[2] / "golden" / "ledgers"
FORMATS = {"club.tar.gz": 1, "club-format-2.tar.gz": 2}
"""The same ledger in each."""


def golden(name: str) -> bytes:
    return gzip.decompress((GOLDEN / name).read_bytes())


def found(bundle: bytes) -> list[str]:
    """Return each flaw of a bundle as its code and member, and the root if everything was read."""
    check = BundleCheck(io.BytesIO(bundle))
    return [
        each.root.hex() if isinstance(each, Verified) else f"{each.code} {each.place}"
        for each in check.run(lambda _: None)
    ]


@pytest.mark.parametrize(("name", "number"), FORMATS.items())
def test_a_bundle_of_every_format_is_read_and_sound(name: str, number: int) -> None:
    bundle = golden(name)
    assert f'"format":"scorekeeper-bundle/{number}"'.encode() in bundle
    (root,) = found(bundle)
    assert root == "59ec6f20c37d5f5e9caaef3cf1afeedb6fdc577d1caad4133bae48743d90744b"


@pytest.mark.parametrize("name", FORMATS)
def test_the_digests_of_every_format_find_what_was_changed(name: str) -> None:
    bundle = golden(name)
    with tarfile.open(fileobj=io.BytesIO(bundle)) as archive:
        members = {member.name: member.offset_data for member in archive}
    for member in ("names.json", "digests"):
        changed = bytearray(bundle)
        changed[members[member] + 12] ^= 1
        assert f"member-changed {member}" in found(bytes(changed))


def test_one_format_is_not_taken_for_the_other() -> None:
    one, two = (golden(name) for name in FORMATS)
    for bundle, number in ((one, 2), (two, 1)):
        spelled = [f'"scorekeeper-bundle/{each}"'.encode() for each in (3 - number, number)]
        assert "member-changed names.json" in found(bundle.replace(*spelled))


def sha256sum(folder: Path, listed: str, *options: str) -> list[str]:
    command = ["sha256sum", "--check", *options, listed]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_sha256sum_finds_every_member_as_it_was_sealed(tmp_path: Path) -> None:
    bundle = golden("club-format-2.tar.gz")
    with tarfile.open(fileobj=io.BytesIO(bundle)) as archive:
        members = archive.getmembers()
    # Not by `extractall`: the first releases of Python 3.11 don't know its filters.
    for member in members:
        path = tmp_path / member.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bundle[member.offset_data :][: member.size])
    names = [member.name for member in members]
    sealed = names.index("digests")
    assert sha256sum(tmp_path, "digests", "--strict") == [f"{name}: OK" for name in names[:sealed]]
    assert sha256sum(tmp_path, "seal") == [f"{name}: OK" for name in names[sealed:-1]]
    (tmp_path / "names.json").write_text("{}")
    command = ["sha256sum", "--check", "--quiet", "digests"]
    changed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (changed.returncode, changed.stdout) == (1, "names.json: FAILED\n")
