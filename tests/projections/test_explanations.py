"""A replay writes sums, hands and notes in full, however long they are."""

import pytest

from scorekeeper.editions.registry import latest
from scorekeeper.match.events.card_events import FirstCardTurned, HandShown
from scorekeeper.match.events.events import (
    NoteAdded,
    RoundStarted,
    RoundTallied,
    TableEvent,
    TalliedHand,
)
from scorekeeper.match.events.opening import MatchOpened, Opening, open_match
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.service.reading.replay_views import ReplayItem
from scorekeeper.texts.language import LANGUAGES, Language
from tests.projections.replayed import in_words

TEN = tuple(f"{name * 15}-{name}" for name in ("ann", "bob", "cyd", "dan", "eva", "flo"))
each_language = pytest.mark.parametrize("language", LANGUAGES)


def steps(language: Language, *events: TableEvent) -> list[ReplayItem]:
    edition = latest("mario")
    assert edition is not None
    opened = open_match(edition, Opening(edition="mario", players=TEN, dealer=TEN[0]))
    assert isinstance(opened, MatchOpened)
    recorded = record(initial(edition, opened), events)
    assert isinstance(recorded, Recorded), recorded
    return in_words(recorded.state, 1, language).items


@each_language
def test_a_sum_is_whole_however_long_it_is(language: Language) -> None:
    hands = {player: TalliedHand(points=10 + n) for n, player in enumerate(TEN[1:])}
    *_, ended = steps(language, RoundTallied(winners=TEN[:1], hands=hands))
    said = {"en": "{}'s {}", "zh-TW": "{} 的 {} 分"}[language]
    whole = " + ".join(said.format(player, hand.points) for player, hand in hands.items())
    assert whole in ended.explanation
    assert "…" not in ended.explanation


@each_language
def test_a_hand_and_a_note_are_told_whole(language: Language) -> None:
    hand = tuple(f"{color}-{number}" for color in ("red", "blue") for number in range(1, 9))
    shown, noted = steps(
        language,
        RoundStarted(),
        FirstCardTurned(card="green-5"),
        HandShown(player=TEN[1], cards=hand, as_played=True),
        NoteAdded(text="a rather long word of the host's, " * 5),
    )[-2:]
    numbers = {"en": "-8", "zh-TW": " 8"}[language]
    assert shown.explanation.count(numbers) == 2
    assert noted.explanation.count("the host's") == 5
