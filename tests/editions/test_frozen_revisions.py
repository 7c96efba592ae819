"""A revision that a match may have used never changes, its words included."""

import hashlib
from pathlib import Path

import msgspec
import pytest

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.rules.edition import Edition

DIGESTS = Path(__file__).with_name("digests.txt")


def digest(held: Edition) -> str:
    """Hash the edition as sorted JSON without defaults, so that a new parameter changes nothing."""
    return hashlib.sha256(msgspec.json.encode(held, order="sorted")).hexdigest()


def line(held: Edition) -> str:
    return f"{held.id} {held.revision} {digest(held)}"


def test_every_revision_is_what_it_was() -> None:
    """A line never changes: what differs is a new revision, which gets a line of its own."""
    frozen = DIGESTS.read_text(encoding="utf-8").splitlines()
    assert [line(held) for held in EDITIONS.values()] == frozen, (
        f"what is new goes into {DIGESTS.name}"
    )


@pytest.mark.parametrize("held", EDITIONS.values(), ids=lambda held: held.id)
def test_the_digest_notices_a_changed_value_and_a_changed_word(held: Edition) -> None:
    other_hand = msgspec.structs.replace(
        held, hand_size=msgspec.structs.replace(held.hand_size, value=6)
    )
    first, *others = held.clauses
    reworded = msgspec.structs.replace(
        first, text=msgspec.structs.replace(first.text, en=first.text.en + " ")
    )
    assert digest(other_hand) != digest(held)
    assert digest(msgspec.structs.replace(held, clauses=(reworded, *others))) != digest(held)
