"""Whoever only looks on sees what the table sees, whatever the book knows."""

from random import Random

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.match.events import TableEvent, encode
from scorekeeper.match.record import Recorded, record
from scorekeeper.match.redaction import redact
from scorekeeper.simulation.played_match import PlayedMatch
from scorekeeper.simulation.tellings import Telling
from tests.match.story import views
from tests.simulation.hidden import hidden_cards, otherwise_dealt, unfinished, watched
from tests.simulation.playing import all_of, any_match, begin, log_of, recorded, seeds, told_events

calm = settings(
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)


def told_so_far(seed: int) -> tuple[PlayedMatch, list[TableEvent]]:
    """A round whose cards are all known, up to some moment before it is over."""
    played = any_match(seed, most_rounds=1)
    told = unfinished(played)
    return played, told[: Random(seed).randint(1, max(1, len(told)))]


def a_viewer_sees_what_somebody_at_the_table_would_have_written(seed: int) -> None:
    played = any_match(seed, most_rounds=1)
    exact = log_of(recorded(begin(played), told_events(played, Telling.EXACT)))
    seen = log_of(recorded(begin(played), told_events(played, Telling.SEEN)))
    for (mine, _), (theirs, _) in zip(
        watched(begin(played), exact), watched(begin(played), seen), strict=False
    ):
        assert all_of(mine.state) == all_of(theirs.state)


def what_everybody_sees_is_the_same_for_viewers(seed: int) -> None:
    played, told = told_so_far(seed)
    public = ("version", "phase", "turn", "direction", "top_card", "color", "pending", "totals",
              "color_pending", "draw_pile_count", "hand_counts", "eliminated")  # fmt: skip
    for seen, book in watched(begin(played), log_of(recorded(begin(played), told))):
        mine, whole = views(seen.state)[0], views(book)[0]
        for field in public:
            assert getattr(mine, field) == getattr(whole, field), field


def nothing_depends_on_hidden_cards(seed: int) -> None:
    played, told = told_so_far(seed)
    here = recorded(begin(played), told)
    for other in otherwise_dealt(played, told):
        there = record(begin(played), other)
        if isinstance(there, Recorded):
            assert shown(played, there) == shown(played, here)
            return


def no_hidden_card_is_named(seed: int) -> None:
    played, told = told_so_far(seed)
    outcome = recorded(begin(played), told)
    names = b" ".join(msgspec.json.encode(part) for part in shown(played, outcome))
    for card in hidden_cards(played, told):
        assert f'"{card}"'.encode() not in names


PROPERTIES = (
    a_viewer_sees_what_somebody_at_the_table_would_have_written,
    what_everybody_sees_is_the_same_for_viewers,
    nothing_depends_on_hidden_cards,
    no_hidden_card_is_named,
)


@pytest.mark.parametrize("holds", PROPERTIES, ids=[holds.__name__ for holds in PROPERTIES])
@settings(calm, max_examples=25)
@given(seed=seeds)
def test_holds_for_any_round(holds, seed):
    holds(seed)


@pytest.mark.slow
@pytest.mark.parametrize("holds", PROPERTIES, ids=[holds.__name__ for holds in PROPERTIES])
@settings(calm, max_examples=300)
@given(seed=seeds)
def test_holds_for_many_rounds(holds, seed):
    holds(seed)


def shown(played: PlayedMatch, outcome: Recorded) -> tuple[object, ...]:
    """All that a viewer can read of it: the entries, and the views after the last."""
    *_, (seen, _) = watched(begin(played), log_of(outcome))
    entries = [encode(redact(event)) for event in log_of(outcome)]
    return (*entries, *views(seen.state))


def test_cards_can_lie_otherwise_in_most_rounds():
    """Or else the property above would say nothing."""
    found = set()
    for seed in range(60):
        played, told = told_so_far(seed)
        for other in otherwise_dealt(played, told):
            there = record(begin(played), other)
            if isinstance(there, Recorded) and other != told:
                found.add(played.edition.id)
                break
    assert found == {edition.id for edition in EDITIONS.values()}
