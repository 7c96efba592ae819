"""A league's matches are replayed in shares, which together find what one replay would find."""

import pickle

import pytest

from scorekeeper.ledger.integrity.checking import readable
from scorekeeper.ledger.integrity.checkpoints import CheckpointStore
from scorekeeper.ledger.integrity.raw_rows import read_unsalted_parts
from scorekeeper.service.integrity.replayed_matches import Share, ShareReplay
from scorekeeper.service.integrity.signed import SignedLogs
from scorekeeper.service.integrity.verifying import (
    Verified,
    VerifiedLedger,
    VerifiedMatches,
    joined,
    replay_share,
    verify_league,
    verify_ledger,
    verify_matches,
)
from tests.api.serving import serving
from tests.databases import migrated, sqlite_engine
from tests.service.filling import fill_matches

SPLITS = {
    "nothing": [Share(0, 0)],
    "half": [Share(0, 0.5)],
    "all": [Share(0, 1)],
    "three": [Share(0, 0.3), Share(0.3, 0.6), Share(0.6, 1)],
}


@pytest.fixture(scope="module")
def filled(request, tmp_path_factory):
    """A connection to a database, and its league."""
    folder = tmp_path_factory.mktemp("shares")
    with migrated("sqlite", request, folder) as url:
        with serving(url) as served:
            league = served.league()
            fill_matches(league)
        with sqlite_engine(url).connect() as connection:
            yield connection, league.slug


def sent(share):
    """What arrives in another process."""
    return pickle.loads(pickle.dumps(share))


@pytest.mark.parametrize("shares", SPLITS.values(), ids=SPLITS)
def test_the_parts_come_to_the_whole(filled, shares, tmp_path):
    signed = SignedLogs.read(CheckpointStore(tmp_path))
    connection, league = filled
    counted = []
    replays = [ShareReplay(league, share, counted.append) for share in shares]
    size = sum(map(len, read_unsalted_parts(connection, league)))
    (ledger,) = verify_ledger(connection, league, signed, replays[0], size)
    for each in replays[1:]:
        replay_share(connection, league, each, size)
    (matches,) = verify_matches(
        connection, league, counted.append, shares, lambda: [sent(each.end()) for each in replays]
    )
    (whole,) = verify_league(connection, league, lambda _: None)
    assert isinstance(whole, Verified)
    assert isinstance(ledger, VerifiedLedger)
    assert isinstance(matches, VerifiedMatches)
    assert joined(league, ledger, matches) == whole
    assert sum(counted) == size


def test_what_was_erased_meanwhile_is_replayed_here(filled):
    """The others began to read when the content of the results was gone."""
    connection, league = filled
    everything = [Share(0, 1)]
    others = ShareReplay(league, everything[0], lambda _: None)
    for rows in read_unsalted_parts(connection, league):
        others.take(
            (header, None if header.type == "round_tallied" else body)
            for header, body in readable(rows)
        )
    (matches,) = verify_matches(
        connection, league, lambda _: None, everything, lambda: [sent(others.end())]
    )
    (whole,) = verify_league(connection, league, lambda _: None)
    assert isinstance(whole, Verified)
    assert matches == VerifiedMatches(whole.matches, whole.counts)
