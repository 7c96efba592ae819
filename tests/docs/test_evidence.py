"""With docs/evidence.md alone a reader can check a bundle, and detect any change of it."""

import io
import re
import subprocess
import sys
import tarfile
from base64 import b64decode
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from scorekeeper.cli.simulate import refuse_problem, write_league
from scorekeeper.editions.registry import EDITIONS
from scorekeeper.simulation.leagues import LeaguePlan, Post
from scorekeeper.simulation.tellings import Telling
from tests.api.serving import Served, serving
from tests.commands import invoked
from tests.docs.bundle_checker import check, members
from tests.docs.forged_bundles import (
    FORGERIES,
    PAGE,
    SIGNED_OTHERWISE,
    WRITTEN_OTHERWISE,
    Members,
    above,
    archived,
    lines_of,
    named,
    sealed,
)

ROOT = "/v1/leagues/friday"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[Served]:
    """A simulated league with everything that can happen to a ledger."""
    file = tmp_path_factory.mktemp("served") / "book.sqlite3"
    file.write_bytes(sqlite_template.read_bytes())
    plan = LeaguePlan(
        league="friday", editions=(EDITIONS["basic", 1], EDITIONS["mario", 1]), players=5,
        matches=2, seed=7, telling=Telling.SEEN,
    )  # fmt: skip
    with serving(f"sqlite+aiosqlite:///{file}") as served:

        def deliver(post: Post) -> None:
            answer = served.ask("POST", post.post, json=post.body)
            refuse_problem(post, answer.status_code, answer.content)

        matches = [match.slug for match in write_league(plan, deliver)]
        players = [each["player"] for each in served.ask("GET", f"{ROOT}/players").json()["items"]]
        cup = {"tournament": "cup", "name": "盃", "edition": "basic", "players": players[:4]}
        tell(served, "/tournaments", cup)
        for number, name in enumerate(("美美", "Änne"), start=1):
            tell(served, "/players", {"player": f"guest-{number}", "name": name})
        log = served.ask("GET", f"{ROOT}/matches/{matches[0]}/events?limit=1000").json()["items"]
        undone = next(entry["version"] for entry in reversed(log) if not entry["inferred"])
        amended = {"type": "log_amended", "from": undone, "remove": 1, "insert": [], "reason": "美"}
        tell(served, f"/matches/{matches[0]}/events", {"events": [amended]})
        positions = [entry["position"] for entry in log[5:8]]
        tell(served, "/erasures", {"positions": positions, "reason": "asked for"})
        assert served.ask("PATCH", f"{ROOT}/players/guest-1", json={"name": None}).status_code < 300
        yield served


def tell(served: Served, path: str, body: object) -> None:
    answer = served.ask("POST", ROOT + path, json=body)
    assert answer.status_code == 201, answer.text


@pytest.fixture(scope="module")
def bundle(served: Served) -> bytes:
    return served.ask("GET", f"{ROOT}/export").content


def test_a_checker_that_was_written_from_the_page_accepts_a_bundle(
    served: Served, bundle: bytes
) -> None:
    noted = served.ask("GET", f"{ROOT}/log/key").text.strip()
    manifest = check(bundle, noted)
    assert (manifest["league"], manifest["size"] > 256) == ("friday", True)
    found = members(bundle)
    assert b'"body":null' in found["entries/000.ndjson"]
    assert {above(found), "entries/001.ndjson"} <= found.keys()


FAILURES = (
    AssertionError, InvalidSignature, KeyError, ValueError, TypeError, IndexError, tarfile.TarError,
)  # fmt: skip
"""What a checker raises at a flaw."""


def places(bundle: bytes) -> Iterator[tuple[str, int]]:
    """Yield bytes of each part: header, content and padding of each member, and the end."""
    with tarfile.open(fileobj=io.BytesIO(bundle)) as archive:
        found = archive.getmembers()
    for member in found:
        yield f"header of {member.name}", member.offset + 130
        for at in {0, member.size // 3, member.size - 1}:
            yield f"content of {member.name}", member.offset_data + at
        if member.size % 512:
            yield f"filling of {member.name}", member.offset_data + member.size
    yield "end", len(bundle) - 1


def test_a_byte_changed_in_any_part_is_found(bundle: bytes) -> None:
    tried = set()
    for part, at in places(bundle):
        changed = bytearray(bundle)
        changed[at] ^= 1
        with pytest.raises(FAILURES):
            check(bytes(changed))
        tried.add(part)
    assert len(tried) > 2 * len(members(bundle))
    for cut in (b"", bundle[:-1], bundle[:-1_024], bundle[: len(bundle) // 2], bundle + b"\0"):
        with pytest.raises(FAILURES):
            check(cut)


def test_an_archive_is_made_of_names_and_contents_as_the_page_says(bundle: bytes) -> None:
    assert archived(members(bundle)) == bundle


def test_another_key_is_found_by_the_one_that_was_noted(served: Served, bundle: bytes) -> None:
    forged = sealed(members(bundle))
    check(forged)
    with pytest.raises(AssertionError, match="another key than was noted"):
        check(forged, served.ask("GET", f"{ROOT}/log/key").text.strip())


@pytest.mark.parametrize("forgery", FORGERIES.values(), ids=FORGERIES.keys())
def test_what_somebody_changed_and_sealed_anew_is_found(
    bundle: bytes, forgery: Callable[[Members], Members]
) -> None:
    """The reader needs no noted key: the entries vouch for everything that is changed here."""
    with pytest.raises(FAILURES):
        check(sealed(forgery(members(bundle))))


@pytest.mark.parametrize("forgery", WRITTEN_OTHERWISE.values(), ids=WRITTEN_OTHERWISE.keys())
def test_what_somebody_wrote_otherwise_and_sealed_anew_is_found(
    bundle: bytes, tmp_path: Path, forgery: Callable[[Members], Members]
) -> None:
    """A value that can be written in two ways could be read in two ways."""
    file = tmp_path / "otherwise.tar"
    file.write_bytes(sealed(forgery(members(bundle))))
    with pytest.raises(FAILURES):
        check(file.read_bytes())
    done = invoked("verify", file)
    assert done.exit_code == 1, done.output


@pytest.mark.parametrize("told", SIGNED_OTHERWISE.values(), ids=SIGNED_OTHERWISE.keys())
def test_key_checkpoint_and_seal_have_one_form(
    bundle: bytes, tmp_path: Path, told: dict[str, str]
) -> None:
    """Nothing vouches for what stands below the seal, so nothing else may stand there."""
    file = tmp_path / "signed.tar"
    file.write_bytes(sealed(members(bundle), **told))
    with pytest.raises(FAILURES):
        check(file.read_bytes())
    done = invoked("verify", file)
    assert done.exit_code == 1, done.output


def test_a_name_can_be_sealed_anew_which_only_the_noted_key_shows(bundle: bytes) -> None:
    """No entry covers names, as the page says."""
    check(sealed(named(members(bundle), **{"player-1": "Somebody else"})))


def example() -> Members:
    """The members as the page prints them."""
    part = PAGE[PAGE.index("## A worked example") : PAGE.index("## Over HTTP")]
    printed = re.findall(
        r"^`([\w./]+)`[^\n]*\n\n```text\n(.*?)```$", part, re.MULTILINE | re.DOTALL
    )
    return {
        name: bytes.fromhex(text) if name.startswith("tile/") else text.encode()
        for name, text in printed
    }


def test_the_worked_example_is_a_bundle_of_its_own(tmp_path: Path) -> None:
    whole = archived(example())
    check(whole, example()["key"].decode().strip())
    file = tmp_path / "example.tar"
    file.write_bytes(whole)
    done = invoked("verify", file)
    assert done.exit_code == 0, done.output


def test_the_worked_example_is_signed_by_the_key_that_it_names() -> None:
    (private,) = re.findall(r"private key `([0-9a-f]{64})`", PAGE)
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private))
    public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    found = example()
    name, _, encoded = found["key"].decode().strip().split("+", 2)
    assert b64decode(encoded) == b"\x01" + public
    for note in ("checkpoint", "seal"):
        text, _, signature = found[note].decode().rpartition("\n\n")
        assert b64decode(signature.split()[2])[4:] == key.sign(f"{text}\n".encode())
        assert signature.split()[1] == name
    salts = [bytes.fromhex(entry["salt"]) for entry in lines_of(found)]
    assert salts == [bytes([number]) * 16 for number in (1, 2, 3)]


def walk() -> tuple[dict[str, str], str]:
    """Return the files to download with their addresses, and the program that checks them."""
    part = PAGE[PAGE.index("## Is entry 12") :]
    downloads = re.findall(r"^log \"?([^\s\"]+(?:\$\(.*?\))?)\"? > (\S+)$", part, re.MULTILINE)
    (program,) = re.findall(r"^```python\n(.*?)^```$", part, re.MULTILINE | re.DOTALL)
    return {file: address for address, file in downloads}, program


def test_entry_12_is_in_the_ledger_that_was_signed_on_friday(
    served: Served, tmp_path: Path
) -> None:
    downloads, program = walk()
    assert list(downloads) == ["friday.checkpoint", "friday.key", "proof.json", "headers"]

    def fetch(*files: str) -> None:
        for file in files:
            address = downloads[file]
            if "$(" in address:
                size = (tmp_path / "friday.checkpoint").read_text("utf-8").splitlines()[1]
                address = address.replace("$(sed -n 2p friday.checkpoint)", size)
            answer = served.ask("GET", f"{ROOT}/log/{address}")
            assert answer.status_code == 200, answer.text
            (tmp_path / file).write_bytes(answer.content)

    def run() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", program]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)

    fetch("friday.checkpoint", "friday.key")
    tell(served, "/players", {"player": "late", "name": "Late"})  # the log has grown meanwhile
    fetch("proof.json", "headers")
    done = run()
    assert done.stdout.startswith("Entry 12 is in the ledger of "), done.stderr
    for file, old, new in (
        ("headers", b'"position":12', b'"position":21'),
        ("headers", b'"inferred":false', b'"inferred":true '),
        ("friday.checkpoint", b"\n\n", b"1\n\n"),
        ("proof.json", b'"proof":["', b'"proof":["00", "'),
    ):
        whole = (tmp_path / file).read_bytes()
        (tmp_path / file).write_bytes(new.join(whole.rsplit(old, 1)))
        assert (run().returncode, run().stdout) == (1, "")
        (tmp_path / file).write_bytes(whole)
    assert run().returncode == 0
