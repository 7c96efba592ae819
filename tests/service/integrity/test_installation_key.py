"""All machines that share a database sign with one key, which is changed on purpose only."""

import asyncio

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.ledger.integrity.checkpoints import parse_checkpoint
from scorekeeper.ledger.integrity.signing import (
    SigningKey,
    SigningKeyUnusable,
    adopt_first_key,
    adopt_key,
    known_keys,
    note_text,
    parse_verifier_key,
)
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.integrity.evidence import (
    Evidence,
    EvidenceFiles,
    adopt_signing_key,
    prepare_signing_key,
)
from scorekeeper.service.refused import Refused
from tests.api.serving import note, serving
from tests.databases import in_database


@pytest.fixture
def machine(tmp_path):
    """The files of a machine, by its name."""

    def files(name):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        return EvidenceFiles(
            signing_key=folder / "signing-key.pem", checkpoints=folder / "checkpoints"
        )

    return files


@pytest.fixture
def league(database_url, machine):
    """A league with a match, whose first machine has signed nothing yet."""
    with serving(database_url, data_dir=machine("one").checkpoints.parent) as served:
        made = served.league()
        made.match().tell(note())
        return made.slug


def public(files):
    return SigningKey.read(files.signing_key).public


def signing(database_url, files, league, run, *, between=None):
    """Return the checkpoint and the keys as a machine signs and lists them.

    `between` is called after the machine has loaded its key.
    """

    async def sign():
        ledger = await Ledger.open(database_url)
        try:
            evidence = Evidence(ledger, files)
            if between is not None:
                await evidence.checkpoint(league)
                await between(ledger)
            return await evidence.checkpoint(league), await evidence.keys(league)
        finally:
            await ledger.close()

    return run(sign())


def test_a_second_machine_with_another_key_is_refused(database_url, machine, run):
    one, other = machine("one"), machine("other")
    run(prepare_signing_key(database_url, one.signing_key))
    run(prepare_signing_key(database_url, one.signing_key))
    SigningKey.load(other.signing_key)
    with pytest.raises(SigningKeyUnusable, match="run `scorekeeper key adopt`") as refused:
        run(prepare_signing_key(database_url, other.signing_key))
    assert str(other.signing_key) in str(refused.value)
    other.signing_key.write_bytes(one.signing_key.read_bytes())
    run(prepare_signing_key(database_url, other.signing_key))


def test_where_the_key_is_missing_none_is_made(database_url, machine, run):
    one, other = machine("one"), machine("other")
    run(prepare_signing_key(database_url, one.signing_key))
    with pytest.raises(SigningKeyUnusable, match="`scorekeeper key adopt` makes a new one"):
        run(prepare_signing_key(database_url, other.signing_key))
    assert not other.signing_key.exists()


def test_of_many_machines_that_start_at_once_one_gives_the_key(postgresql_url, machine, run):
    async def at_once():
        starts = (
            prepare_signing_key(postgresql_url, machine(str(number)).signing_key)
            for number in range(6)
        )
        return await asyncio.gather(*starts, return_exceptions=True)

    outcomes = run(at_once())
    assert outcomes.count(None) == 1
    refused = [outcome for outcome in outcomes if outcome is not None]
    assert {type(outcome) for outcome in refused} == {SigningKeyUnusable}


def test_a_machine_that_was_a_moment_later_does_not_put_another_in_force(
    database_url, machine, run
):
    run(prepare_signing_key(database_url, machine("one").signing_key))
    key = SigningKey.load(machine("other").signing_key)
    with pytest.raises(IntegrityError):
        in_database(database_url, lambda c: adopt_first_key(c, key.public))
    assert in_database(database_url, known_keys) == [public(machine("one"))]


def test_keys_that_were_in_force_before_are_listed_the_latest_first(
    database_url, machine, league, run
):
    files = [machine(name) for name in ("one", "two", "three")]
    run(prepare_signing_key(database_url, files[0].signing_key))
    for each in files[1:]:
        run(adopt_signing_key(database_url, each.signing_key))
    run(adopt_signing_key(database_url, files[0].signing_key))
    _, listed = signing(database_url, files[0], league, run)
    keys = [parse_verifier_key(line).public for line in listed.splitlines()]
    assert keys == [public(files[0]), public(files[2]), public(files[1])]


def test_who_holds_a_key_that_is_no_longer_in_force_signs_nothing(
    database_url, machine, league, run
):
    async def adopt_another(ledger):
        other = SigningKey.load(machine("other").signing_key)
        await ledger.transact("", lambda c: adopt_key(c, other.public))
        await ledger.transact("", lambda c: c.execute(text("DELETE FROM checkpoints")))

    with pytest.raises(LedgerUnavailable, match="restart"):
        signing(database_url, machine("one"), league, run, between=adopt_another)


def test_another_machine_goes_by_what_the_first_one_signed(database_url, machine, league, run):
    """The other machine has the key and none of the checkpoint files."""
    one, other = machine("one"), machine("other")
    signed, _ = signing(database_url, one, league, run)
    other.signing_key.write_bytes(one.signing_key.read_bytes())
    assert signing(database_url, other, league, run)[0] == signed
    for kept in (one, other):
        assert [file.read_text() for file in kept.checkpoints.glob("*.checkpoint")] == [signed]


def test_another_machine_finds_that_the_database_was_changed(database_url, machine, league, run):
    one, other = machine("one"), machine("other")
    signed, _ = signing(database_url, one, league, run)
    other.signing_key.write_bytes(one.signing_key.read_bytes())
    size = parse_checkpoint(note_text(signed)).size
    shorter = signed.replace(f"\n{size}\n", f"\n{size + 1}\n", 1)
    change = text("UPDATE checkpoints SET note = :note")
    in_database(database_url, lambda connection: connection.execute(change, {"note": shorter}))
    with pytest.raises(Refused) as refused:
        signing(database_url, other, league, run)
    assert refused.value.reason == "older-backup"


def test_a_damaged_checkpoint_in_the_database_is_not_passed_over(
    database_url, machine, league, run
):
    signing(database_url, machine("one"), league, run)
    in_database(database_url, lambda c: c.execute(text("UPDATE checkpoints SET note = 'nonsense'")))
    with pytest.raises(Refused) as refused:
        signing(database_url, machine("one"), league, run)
    assert refused.value.reason == "checkpoint-unreadable"
