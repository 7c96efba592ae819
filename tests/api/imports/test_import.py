"""A league moves from one installation to another and is the same there, to the byte."""

import errno
import io
import os
import shutil
import tarfile
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from scorekeeper.cli.main import scorekeeper
from scorekeeper.ledger.integrity.checkpoints import CheckpointStore
from tests.api.serving import ADMIN, note, serving, tally
from tests.databases import in_database


def command(*arguments, url, data_dir):
    options = ["--database-url", url, "--data-dir", str(data_dir)]
    done = CliRunner().invoke(scorekeeper, [*arguments, *options], catch_exceptions=False)
    return done.exit_code, done.output


def verify(file, *options):
    """Run `verify` on a bundle, without any database."""
    done = CliRunner().invoke(scorekeeper, ["verify", str(file), *options], catch_exceptions=False)
    return done.exit_code, done.output


@pytest.fixture
def places(request, tmp_path):
    """A function that opens an empty database of a kind, with a data directory."""

    @contextmanager
    def opened(kind):
        url = (
            request.getfixturevalue("postgresql").create(migrated=True)
            if (kind == "postgresql")
            else _sqlite(request, tmp_path)
        )
        folder = tmp_path / f"data-{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        yield url, folder
        if kind == "postgresql":
            request.getfixturevalue("postgresql").drop(url)

    return opened


def _sqlite(request, tmp_path):
    path = tmp_path / f"{len(list(tmp_path.iterdir()))}.sqlite3"
    shutil.copy(request.getfixturevalue("sqlite_template"), path)
    return f"sqlite+aiosqlite:///{path}"


def told(served):
    """Make a league with every kind of content; return it, and a version of the match `tallied`."""
    league = served.league()
    match = league.match(match="tallied")
    match.tell(tally("ann", bo=3, cy=["red-7"], di=5))
    match.tell(note("erased later"))
    third = match.tell(tally("bo", ann=60, cy=70, di=80))["version"]
    change = {"type": "log_amended", "from": 2, "remove": 1, "insert": [], "reason": "not ours"}
    match.tell(change)
    match.tell({"type": "dispute_opened", "by": "ann", "round": 1, "claim": "that was mine"})
    carded = league.match(match="carded", dealer="ann")
    carded.tell({"type": "round_started"}, {"type": "first_card_turned", "card": "red-draw-two"})
    carded.tell({"type": "card_played", "player": "cy", "card": "red-7"})
    carded.tell({"type": "card_played", "player": "di", "card": "blue-skip", "as_played": True})
    won = league.match(match="won", players=["ann", "bo"])
    won.tell(tally("ann", bo=300))
    won.tell(tally("ann", bo=300))
    for _ in range(6):
        match.tell(*[note("美美 was here") for _ in range(50)])
    plan = {
        "tournament": "cup",
        "name": "Cup",
        "edition": "basic",
        "players": ["ann", "bo", "cy", "di"],
        "rounds_per_partner": 4,
    }
    assert league.owner.post("/tournaments", plan).status_code == 201
    erased = {"positions": [match.log()[3]["position"]], "reason": "asked for"}
    assert league.owner.post("/erasures", erased).status_code == 201
    league.owner.patch("/players/ed", {"name": None})
    league.owner.patch("/players/ann", {"name": "Änne 安"})
    revoked = league.owner.post("/tokens", {"role": "viewer", "name": "gone"}).json()["token_id"]
    assert league.owner.delete(f"/tokens/{revoked}").status_code == 204
    return league, third


def answers(served, slug, third):
    """Return what the admin reads of a league, without what may differ between installations."""
    root = f"/v1/leagues/{slug}"
    paths = [
        "",
        "/players?limit=1000",
        "/tokens",
        "/matches",
        "/tournaments",
        "/tournaments/cup",
        "/tournaments/cup/schedule",
        "/tournaments/cup/standings",
        "/log/proof/inclusion?position=7",
        "/log/proof/consistency?from=300",
        "/log/tile/entries/000",
        "/log/tile/1/000.p/1",
    ]
    for match in ("tallied", "carded", "won", "cup-s1-t1"):
        paths += [
            f"/matches/{match}{path}"
            for path in ("", "?at=1", "/hands", "/rounds", "/events?limit=1000")
        ]
    paths.append(f"/matches/tallied?at={third}")
    found = {path: served.ask("GET", root + path) for path in paths}
    assert {path: answer.status_code for path, answer in found.items()} == dict.fromkeys(paths, 200)
    return {path: (answer.content, answer.headers.get("etag")) for path, answer in found.items()}


def unsigned(bundle):
    """Return the part of a bundle before the key and the seal."""
    with tarfile.open(fileobj=io.BytesIO(bundle)) as archive:
        return bundle[: archive.getmember("key").offset]


def test_round_trip_through_both_databases(places, tmp_path):
    with places("sqlite") as (url, folder):
        with serving(url, data_dir=folder) as served:
            league, third = told(served)
            slug, before = league.slug, answers(served, league.slug, third)
        first = tmp_path / "first.tar"
        assert command("export", slug, str(first), url=url, data_dir=folder)[0] == 0
    code, output = verify(first)
    assert code == 0, output
    bundles = [first.read_bytes()]
    for kind in ("postgresql", "sqlite"):
        with places(kind) as (url, folder):
            file = tmp_path / f"{len(bundles)}.tar"
            file.write_bytes(bundles[-1])
            code, output = command("import", str(file), url=url, data_dir=folder)
            assert code == 0, output
            with serving(url, data_dir=folder) as served:
                assert answers(served, slug, third) == before
                bundles.append(served.ask("GET", f"/v1/leagues/{slug}/export", token=ADMIN).content)
            code, output = command("verify", url=url, data_dir=folder)
            assert code == 0, output
            assert command("doctor", url=url, data_dir=folder)[0] == 0
    assert unsigned(bundles[0]) == unsigned(bundles[1]) == unsigned(bundles[2])
    assert bundles[0] != bundles[1]  # the installations have different keys


def test_with_the_key_carried_over_every_byte_is_the_same(places, tmp_path):
    with places("sqlite") as (url, folder), places("postgresql") as (other_url, other):
        with serving(url, data_dir=folder) as served:
            league, _ = told(served)
        first, second = tmp_path / "first.tar", tmp_path / "second.tar"
        assert command("export", league.slug, str(first), url=url, data_dir=folder)[0] == 0
        shutil.copy(folder / "signing-key.pem", other / "signing-key.pem")
        assert command("import", str(first), url=other_url, data_dir=other)[0] == 0
        assert command("export", league.slug, str(second), url=other_url, data_dir=other)[0] == 0
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_what_was_brought_in_is_written_on(places, tmp_path, kind):
    with places("sqlite") as (url, folder):
        with serving(url, data_dir=folder) as served:
            league, _ = told(served)
            tap = {"id": "0190c0de-0000-7000-8000-000000000001", **note("once")}
            done = served.ask(
                "POST", f"{league.root}/matches/won/events", json={"events": [note()]}
            )
            assert done.status_code == 201
            once = league.match(match="once").post("/events", {"events": [tap]})
        file = tmp_path / "league.tar"
        assert command("export", league.slug, str(file), url=url, data_dir=folder)[0] == 0
    with places(kind) as (url, folder):
        assert command("import", str(file), url=url, data_dir=folder)[0] == 0
        with serving(url, data_dir=folder) as served:
            root = f"/v1/leagues/{league.slug}"
            # Old tokens are listed but no longer valid; the admin makes new ones.
            assert served.ask("GET", root, token=league.owner.token).status_code == 401
            made = served.ask("POST", f"{root}/tokens", json={"role": "owner", "name": "new"})
            owner = made.json()["token"]
            # An event that was recorded before the move is recognised as a retry after it.
            again = served.ask(
                "POST", f"{root}/matches/once/events", json={"events": [tap]}, token=owner
            )
            assert again.headers["idempotency-replayed"] == "true"
            assert again.json()["entries"] == once.json()["entries"]
            more = served.ask(
                "POST", f"{root}/matches/once/events", json={"events": [note()]}, token=owner
            )
            assert more.status_code == 201
            taken = served.ask("POST", "/v1/leagues", json={"league": league.slug, "name": "x"})
            assert taken.json()["code"] == "league-exists"
        assert command("verify", url=url, data_dir=folder)[0] == 0


def exported(places, tmp_path, tell):
    """An export of what `tell` does to a league, and the league's slug."""
    file = tmp_path / "league.tar"
    with places("sqlite") as (url, folder):
        with serving(url, data_dir=folder) as served:
            league = served.league()
            tell(league)
        assert command("export", league.slug, str(file), url=url, data_dir=folder)[0] == 0
    return file, league.slug


def rows(url):
    import sqlite3

    with sqlite3.connect(url.removeprefix("sqlite+aiosqlite:///")) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {
            name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
            for (name,) in names
            if name != "alembic_version"
        }


def test_a_league_that_is_there_is_left_alone(places, tmp_path):
    file, slug = exported(places, tmp_path, lambda league: league.match())
    with places("sqlite") as (url, folder):
        assert command("import", str(file), url=url, data_dir=folder)[0] == 0
        before = rows(url)
        code, output = command("import", str(file), url=url, data_dir=folder)
        assert code == 1
        assert f"The league {slug} is here already." in output
        assert "Nothing was brought in." in output
        assert rows(url) == before


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
@pytest.mark.parametrize("part", [0.01, 0.2, 0.5, 0.9, 0.999])
def test_one_changed_byte_and_nothing_is_brought_in(places, tmp_path, kind, part):
    file, slug = exported(
        places, tmp_path, lambda league: league.match().tell(*[note() for _ in range(300)])
    )
    content = bytearray(file.read_bytes())
    content[int(len(content) * part)] ^= 1
    file.write_bytes(bytes(content))
    assert verify(file)[0] == 1
    with places(kind) as (url, folder):
        code, output = command("import", str(file), url=url, data_dir=folder)
        assert code == 1, output
        with serving(url, data_dir=folder) as served:
            assert served.ask("GET", "/v1/leagues").json()["items"] == []
            assert served.ask("GET", f"/v1/leagues/{slug}").status_code == 404
        assert command("verify", url=url, data_dir=folder)[0] == 0


def test_a_served_file_is_not_written_to(places, tmp_path):
    file, _ = exported(places, tmp_path, lambda league: None)
    with places("sqlite") as (url, folder), serving(url, data_dir=folder):
        code, output = command("import", str(file), url=url, data_dir=folder)
    assert code == 1
    assert "in use by another process" in output


def test_less_than_was_signed_here_is_not_brought_in(places, tmp_path):
    """An older export must not be imported where a later checkpoint has been signed."""
    older, newer = tmp_path / "older.tar", tmp_path / "newer.tar"
    with places("sqlite") as (url, folder):
        with serving(url, data_dir=folder) as served:
            league = served.league()
            older.write_bytes(league.owner.get("/export").content)
            league.match()
            newer.write_bytes(league.owner.get("/export").content)
        with places("sqlite") as (empty, _):
            code, output = command("import", str(older), url=empty, data_dir=folder)
            assert code == 1
            assert "an older backup was put in place" in output
    with places("sqlite") as (one, folder), places("sqlite") as (other, _):
        for url, file in ((one, older), (other, newer)):
            assert command("import", str(file), url=url, data_dir=folder)[0] == 0
        (kept,) = (folder / "checkpoints").glob("*.checkpoint")
        with tarfile.open(newer) as archive:
            assert kept.read_bytes() == archive.extractfile("checkpoint").read()


def test_a_promise_that_can_not_be_read_is_not_passed_over(places, tmp_path):
    file, _ = exported(places, tmp_path, lambda league: league.match())
    with places("sqlite") as (url, folder), places("sqlite") as (other, _):
        assert command("import", str(file), url=url, data_dir=folder)[0] == 0
        (kept,) = (folder / "checkpoints").glob("*.checkpoint")
        kept.write_text("nonsense")
        code, output = command("import", str(file), url=other, data_dir=folder)
        assert code == 1
        assert "can't be read" in output


def test_a_promise_made_elsewhere_is_kept_here(places, tmp_path):
    file, _ = exported(places, tmp_path, lambda league: league.match())
    with places("sqlite") as (url, folder):
        assert command("import", str(file), url=url, data_dir=folder)[0] == 0
        (kept,) = (folder / "checkpoints").glob("*.checkpoint")
        with tarfile.open(file) as archive:
            promised = archive.extractfile("checkpoint").read()
        assert kept.read_bytes() == promised
        notes = in_database(url, lambda c: c.execute(text("SELECT note FROM checkpoints")).all())
        assert notes == [(promised.decode(),)]


def test_where_the_promise_can_not_be_kept_it_is_said_that_the_league_is_in(
    places, tmp_path, monkeypatch
):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    file, _ = exported(places, tmp_path, lambda league: league.match())
    with places("sqlite") as (url, folder):
        with monkeypatch.context() as patched:
            patched.setattr(CheckpointStore, "replace", full)
            code, output = command("import", str(file), url=url, data_dir=folder)
        full_disk = os.strerror(errno.ENOSPC)
        assert code == 1
        assert f"The league is brought in. Its checkpoint is not: {full_disk}." in output
        assert command("verify", url=url, data_dir=folder)[0] == 0


def test_the_key_that_was_noted_elsewhere_is_compared(places, tmp_path):
    file, _ = exported(places, tmp_path, lambda league: None)
    code, output = verify(file)
    assert code == 0
    key = output.rpartition("Sealed with the key ")[2].strip()
    assert verify(file, "--key", key)[0] == 0
    assert verify(file, "--key", f" {key}\n{key[:-6]}AAAAA=\n")[0] == 0
    other = key[:-6] + ("A" if key[-6] != "A" else "B") + key[-5:]
    code, output = verify(file, "--key", other)
    assert code == 1
    assert "sealed with another key" in output
    with places("sqlite") as (url, folder):
        assert command("import", str(file), "--key", other, url=url, data_dir=folder)[0] == 1
        assert command("import", str(file), "--key", key, url=url, data_dir=folder)[0] == 0


def test_what_is_no_bundle_is_told(places, tmp_path):
    file = tmp_path / "photo.jpg"
    file.write_bytes(b"\xff\xd8\xff\xe0" * 1_000)
    code, output = verify(file)
    assert code == 1
    assert "manifest.json can't be read" in output
    with places("sqlite") as (url, folder):
        assert command("import", str(file), url=url, data_dir=folder)[0] == 1


@pytest.fixture(scope="module")
def sample(tmp_path_factory, sqlite_template):
    folder = tmp_path_factory.mktemp("sample")
    shutil.copy(sqlite_template, folder / "a.sqlite3")
    with serving(f"sqlite+aiosqlite:///{folder / 'a.sqlite3'}", data_dir=folder) as served:
        league, _ = told(served)
        return league.owner.get("/export").content


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_the_command_finds_and_names_any_changed_byte(sample, tmp_path_factory, data):
    at = data.draw(st.integers(0, len(sample) - 1))
    changed = bytearray(sample)
    changed[at] ^= data.draw(st.integers(1, 255))
    file = Path(tmp_path_factory.getbasetemp()) / "changed.tar"
    file.write_bytes(bytes(changed))
    code, output = verify(file)
    assert code == 1
    with tarfile.open(fileobj=io.BytesIO(sample)) as archive:
        names = [member.name for member in archive if member.offset <= at]
    assert any(name in output for name in names[-2:]), (names[-2:], output)
