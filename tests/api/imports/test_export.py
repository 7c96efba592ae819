"""A bundle holds a league in one file, and every byte of it can be checked without a service."""

import asyncio
import errno
import io
import json
import tarfile
from itertools import pairwise

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorekeeper.cli import export as export_command
from scorekeeper.cli.main import scorekeeper
from scorekeeper.ledger.integrity.signing import parse_verifier_key
from scorekeeper.service.export.exporting import ErasedMeanwhile
from scorekeeper.service.export.reader import BundleReader, BundleUnreadable
from tests.api.serving import League, note, serving, tally
from tests.api.serving_kinds import on_both
from tests.commands import invoked


def told(league: League, entries: int = 300) -> None:
    """Fill a league with every kind of content: rounds, notes, names, an erased name, tokens."""
    match = league.match(match="first")
    match.tell(tally("ann", bo=3, cy=["red-7"], di=5))
    for _ in range(entries // 50):
        match.tell(*[note("美美 was here") for _ in range(50)])
    league.match(match="second", players=["ann", "bo"])
    league.owner.patch("/players/ed", {"name": None})


def exported(league: League) -> bytes:
    answer = league.owner.get("/export")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/x-tar"
    assert "etag" not in answer.headers
    return answer.content


def read(bundle: bytes) -> tuple[BundleReader, list]:
    reader = BundleReader(io.BytesIO(bundle))
    entries = [entry for part in reader.entries() for entry in part]
    return reader, entries


def members_of(bundle: bytes) -> list[tarfile.TarInfo]:
    with tarfile.open(fileobj=io.BytesIO(bundle)) as archive:
        return archive.getmembers()


def content_of(bundle: bytes, name: str) -> bytes:
    (member,) = (member for member in members_of(bundle) if member.name == name)
    return bundle[member.offset_data : member.offset_data + member.size]


@on_both
def test_a_bundle_holds_the_whole_ledger_and_has_no_flaw(league):
    told(league)
    reader, entries = read(exported(league))
    assert reader.flaws == []
    assert reader.manifest.league == reader.names.league.replace("Our league", league.slug)
    assert reader.names.players["ann"] == "ann"
    assert reader.names.players["ed"] is None
    assert len(entries) == reader.manifest.size > 300
    log = league.owner.get("/matches/first/events", params={"limit": 1000}).json()["items"]
    of_match = [entry for entry in entries if entry.stream == "match:first"]
    assert [entry.hash for entry in of_match] == [entry["hash"] for entry in log]
    assert reader.key == parse_verifier_key(league.viewer.get("/log/key").text.strip())
    assert reader.checkpoint is not None
    assert reader.checkpoint.size == reader.manifest.size


@on_both
def test_the_same_ledger_gives_the_same_bytes(league):
    told(league, entries=50)
    assert exported(league) == exported(league)


def test_secrets_are_in_no_bundle(league):
    told(league, entries=0)
    bundle = exported(league)
    for caller in league.callers.values():
        assert caller.token.encode() not in bundle
    assert b"digest" in bundle  # digests of entries; the hashes of tokens are not exported
    names = json.loads(content_of(bundle, "names.json"))
    assert set(names) == {"league", "players", "tokens"}
    assert {"owner", "viewer", "scorekeeper"} <= set(names["tokens"].values())


def test_it_is_a_tar_file_like_any_other(league):
    told(league)
    bundle = exported(league)
    names = [member.name for member in members_of(bundle)]
    assert names[:4] == ["manifest.json", "names.json", "entries/000.ndjson", "tile/0/000"]
    assert names[-5:] == ["proofs/000.ndjson", "digests", "key", "checkpoint", "seal"]
    assert "tile/1/000.p/1" in names
    assert {(each.mtime, each.uid, each.mode) for each in members_of(bundle)} == {(0, 0, 0o644)}
    lines = content_of(bundle, "entries/000.ndjson").splitlines()
    assert len(lines) == 256
    assert json.loads(lines[0])["body"]["type"] == "league_opened"
    assert content_of(bundle, "checkpoint") == league.viewer.get("/log/checkpoint").content


def test_only_an_owner_exports(league):
    for caller in (league.viewer, league.scorekeeper):
        assert caller.get("/export").status_code == 403


def test_what_is_recorded_meanwhile_is_in_the_next_one(served):
    league = served.league()
    match = league.match()
    answers = served.together(
        league.owner.asking("GET", "/export"),
        *(match.asking("POST", "/events", json={"events": [note()]}) for _ in range(20)),
        league.owner.asking("POST", "/players", json={"player": "zoe", "name": "Zoe"}),
        league.owner.asking("GET", "/export"),
    )
    for answer in (answers[0], answers[-1]):
        reader, entries = read(answer.content)
        assert reader.flaws == []
        registered = {
            json.loads(entry.body)["player"]
            for entry in entries
            if entry.type == "player_registered"
        }
        assert set(reader.names.players) == registered


def test_the_names_of_a_league_are_read_in_parts(served, monkeypatch):
    """A league of thousands is not decoded at once, while everybody waits."""
    league = served.league()
    whole = exported(league)
    ledger, sizes = served.services.exporting._ledger, []
    read_part = ledger.stream_part

    async def in_twos(*asked, limit, **how):
        page = await read_part(*asked, limit=2, **how)
        sizes.append(limit)
        return page

    async def at_once(*asked, **how):
        raise AssertionError(f"read at once: {asked}")

    monkeypatch.setattr(ledger, "stream_part", in_twos)
    monkeypatch.setattr(ledger, "stream", at_once)
    assert exported(league) == whole
    assert len(sizes) > 2


def test_a_player_who_came_meanwhile_is_left_out_though_a_token_has_that_id(served):
    league = served.league()
    made = league.owner.post("/tokens", {"role": "viewer", "name": "The hall"}).json()

    async def story():
        _, content = await served.services.exporting.export(league.slug)
        body = {"player": made["token_id"], "name": "Zoe"}
        answer = await league.owner.asking("POST", "/players", json=body)
        assert answer.status_code == 201
        return b"".join([part async for part in content])

    (content,) = served.together(story())
    names = read(content)[0].names
    assert made["token_id"] in names.tokens
    assert made["token_id"] not in names.players


@pytest.mark.parametrize("erased", ["a name", "content"])
def test_what_is_erased_meanwhile_ends_the_export(served, erased):
    """The bundle would have gaps, and no entry that tells of them."""
    league = served.league()
    told = league.match().tell(note())["position"]

    async def story():
        _, content = await served.services.exporting.export(league.slug)
        await (
            league.owner.asking("PATCH", "/players/ed", json={"name": None})
            if erased == "a name"
            else league.owner.asking(
                "POST", "/erasures", json={"positions": [told], "reason": "a wish"}
            )
        )
        with pytest.raises(ErasedMeanwhile, match="export again"):
            _ = [part async for part in content]

    served.together(story())
    assert read(exported(league))[0].flaws == []


@pytest.fixture(scope="module")
def bundle(sqlite_template, tmp_path_factory):
    """A bundle whose entries fill two members, made once."""
    import shutil

    path = tmp_path_factory.mktemp("exported") / "a.sqlite3"
    shutil.copy(sqlite_template, path)
    with serving(f"sqlite+aiosqlite:///{path}") as served:
        league = served.league()
        told(league, entries=250)
        return exported(league)


def flaws_of(bundle: bytes) -> list:
    try:
        return read(bundle)[0].flaws
    except BundleUnreadable as error:
        return [error.flaw]


def member_at(bundle: bytes, at: int) -> str | None:
    """Return the member that a byte belongs to, header and padding included."""
    members = members_of(bundle)
    starts = [member.offset for member in members]
    for member, (start, end) in zip(members, pairwise([*starts, len(bundle) - 1024]), strict=True):
        if start <= at < end:
            return member.name
    return None


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_byte_changed_is_found_and_its_member_named(bundle, data):
    at = data.draw(st.integers(0, len(bundle) - 1))
    changed = bytearray(bundle)
    changed[at] ^= data.draw(st.integers(1, 255))
    flaws = flaws_of(bytes(changed))
    name = member_at(bundle, at)
    names = [member.name for member in members_of(bundle)]
    before = names[names.index(name) - 1] if name in names[1:] else None
    assert flaws
    assert any(
        flaw.place == name
        or (flaw.code == "archive-damaged" and (before is None or before in flaw.detail))
        for flaw in flaws
    ), (name, flaws)


def test_even_the_header_of_the_seal_and_the_end_have_one_value_only(bundle):
    """They follow the sealed part, so the seal itself does not cover them."""
    (seal,) = (member for member in members_of(bundle) if member.name == "seal")
    filling = range(seal.offset_data + seal.size, len(bundle))
    for at in (*range(seal.offset, seal.offset + 512, 11), *filling[::97], len(bundle) - 1):
        changed = bytearray(bundle)
        changed[at] ^= 0x20
        assert flaws_of(bytes(changed))[0].code == "archive-damaged", at


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_changed_entry_is_named_by_its_position(bundle, data):
    part = data.draw(st.sampled_from(["entries/000.ndjson", "entries/001.ndjson"]))
    (member,) = (member for member in members_of(bundle) if member.name == part)
    at = data.draw(st.integers(0, member.size - 1))
    content = content_of(bundle, part)
    if content[at : at + 1] == b"\n":
        return  # it changes the number of lines
    position = content[:at].count(b"\n") + 1 + (256 if part.endswith("1.ndjson") else 0)
    changed = bytearray(bundle)
    changed[member.offset_data + at] ^= data.draw(st.integers(1, 255))
    flaws = flaws_of(bytes(changed))
    assert any(flaw.position == position for flaw in flaws) or all(
        # The keys around header and body, which only the seal covers, or a line that was split.
        flaw.place == part
        for flaw in flaws
        if flaw.position is None
    ), flaws


@pytest.mark.parametrize("length", [0, 1, 511, 512, 5_000, 100_000, -1, -1024, -1025, -3_000])
def test_a_bundle_that_breaks_off_is_found(bundle, length):
    assert flaws_of(bundle[:length])


def test_nothing_may_follow(bundle):
    assert [flaw.code for flaw in flaws_of(bundle + b"\0")] == ["archive-damaged"]


@pytest.mark.parametrize("left_out", range(10))
def test_a_member_that_was_taken_out_is_missed(bundle, left_out):
    members = members_of(bundle)
    member = members[left_out % len(members)]
    following = members[members.index(member) + 1].offset
    flaws = flaws_of(bundle[: member.offset] + bundle[following:])
    assert member.name in {flaw.place for flaw in flaws}


def test_members_in_another_order_are_found(bundle):
    members = members_of(bundle)
    one, other, third = (member.offset for member in members[2:5])
    swapped = bundle[:one] + bundle[other:third] + bundle[one:other] + bundle[third:]
    assert "member-missing" in {flaw.code for flaw in flaws_of(swapped)}


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"x" * 2_000, bytes(1_024)])
def test_what_is_no_bundle(content):
    with pytest.raises(BundleUnreadable, match=r"manifest\.json can't be read"):
        read(content)


@on_both
def test_the_command_writes_the_same_bytes_beside_the_service(kind, request, tmp_path):
    url = request.getfixturevalue(f"{kind}_url")
    file = tmp_path / "home.tar"
    with serving(url, data_dir=tmp_path / "data") as served:
        league = served.league()
        told(league)
        whole = exported(league)
        options = ["--database-url", url, "--data-dir", str(tmp_path / "data")]
        arguments = ["export", league.slug, str(file), *options]
        done = CliRunner().invoke(scorekeeper, arguments, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        assert file.read_bytes() == whole
        assert file.stat().st_mode & 0o777 == 0o600
        again = invoked(*arguments)
        assert again.exit_code == 1
        assert "is there already" in again.output
        nowhere = ["export", "nowhere", str(tmp_path / "b.tar"), *options]
        assert "There is no such league" in invoked(*nowhere).output
    assert sorted(path.name for path in tmp_path.glob("*.tar*")) == ["home.tar"]


def test_an_export_beside_another_of_the_same_name_is_whole_and_of_its_owner_only(
    sqlite_url, tmp_path, monkeypatch
):
    """A third export, which was killed, has left its partial file readable by everybody."""
    file, leftover = tmp_path / "out" / "home.tar", tmp_path / "out" / ".home.tar.part"
    file.parent.mkdir()
    leftover.write_bytes(b"left over")
    leftover.chmod(0o644)
    with serving(sqlite_url, data_dir=tmp_path) as served:
        league = served.league()
        told(league)
        whole = exported(league)
    options = ["--database-url", sqlite_url, "--data-dir", str(tmp_path)]
    arguments = ["export", league.slug, str(file), *options]
    write = export_command._write

    async def beside_another(settings, slug, out):
        monkeypatch.setattr(export_command, "_write", write)
        out.write(whole[:1000])
        out.flush()
        assert (await asyncio.to_thread(invoked, *arguments)).exit_code == 0
        assert file.read_bytes() == whole
        out.write(b"what the other has not")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(export_command, "_write", beside_another)
    failed = invoked(*arguments)
    assert file.read_bytes() == whole
    assert failed.exit_code == 1
    assert failed.output == f"Error: {file} can't be used: No space left on device\n"
    assert file.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in file.parent.iterdir()) == [leftover.name, file.name]
