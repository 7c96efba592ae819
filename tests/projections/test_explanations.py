"""A replay writes sums, hands and notes in full, however long they are."""

import re

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
from tests.match.story import given, tally
from tests.match.table import draw, first, play, shows, told
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


@pytest.mark.clause("H-ELIMINATION")
@pytest.mark.parametrize("told_whole", [True, False])
def test_one_sentence_says_that_a_player_is_out_of_the_match(*, told_whole: bool) -> None:
    """di is out by the first round, bo at a catch in the second one, and cy by its end."""
    match = given("hello-kitty", 5, "elimination", target=40, dealer="ed")
    match = match.when(tally("ann", bo=1, cy=2, di=50, ed=1))
    match = match.when(told("round_started"), first("red-5"))
    match = match.when(shows("bo", "red-1", "wild", as_played=True), play("bo", "red-1"))
    match = match.when(told("uno_caught", player="bo", by="ann"))
    hand = ["blue-9", "blue-9", "red-9", "red-9", "yellow-9"]
    if told_whole:
        match = match.when(tally("ann", cy=hand, ed=1, as_played=True))
    else:
        match = match.when(shows("ed", "red-2", as_played=True), shows("cy", *hand, as_played=True))
        match = match.when(draw("cy", cards=["wild"]), play("ed", "red-2"))
        match = match.when(shows("ann", "red-0", as_played=True))
    match.then(phase="ready", eliminated=("di", "bo", "cy"))
    items = [item for number in (1, 2) for item in in_words(match.state, number, "en").items]
    said = [re.findall(r"Out of the match by it: (.+?)\.", item.explanation) for item in items]
    assert [names for names in said if names] == [["di"], ["bo"], ["cy"]]


@pytest.mark.clause("H-ELIMINATION")
@pytest.mark.parametrize(
    ("charged", "parts"), [(2, [(2, "counted", 6)]), (9, [(9, "told", 8)]), (0, [(0, "told", 8)])]
)
def test_points_of_a_catch_unfold_to_the_tally_where_it_tells_others(
    charged: int, parts: list[tuple[int, str, int]]
) -> None:
    match = given("hello-kitty", 3, "elimination", dealer="ann")
    match = match.when(told("round_started"), first("red-5"))
    match = match.when(shows("bo", "red-1", "red-2", as_played=True), play("bo", "red-1"))
    match = match.when(told("uno_caught", player="bo", by="cy", points=2))
    match = match.when(tally("ann", charges={"bo": charged}, bo=10, cy=5))
    score = in_words(match.state, 1, "en").score
    assert score is not None
    hand, *charges = score.scores["bo"].parts
    assert (hand.kind, hand.points, score.scores["bo"].score) == ("hand", 10, 10 + charged)
    assert [(one.points, one.source.how, one.source.version) for one in charges] == parts
