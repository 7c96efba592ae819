"""A sixth edition is one file of data and one line of the registry: no code knows its name."""

from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from scorekeeper.editions import registry
from scorekeeper.match.events.card_events import (
    CardGiven,
    CardPlayed,
    CardsDrawn,
    Discard,
    FirstCardTurned,
    Give,
    HandCounted,
    TurnPassed,
    UnoCaught,
)
from scorekeeper.match.events.events import RoundStarted, RoundTallied, TableEvent, TalliedHand
from scorekeeper.match.events.opening import MatchOpened, Opening, open_match
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.match.state import State
from scorekeeper.projections.scoreboard import Scoreboard, scoreboard
from scorekeeper.rules.edition import Edition
from scorekeeper.simulation.dealt_round import Habits
from scorekeeper.simulation.leagues import open_table
from scorekeeper.simulation.played_match import play_match
from scorekeeper.simulation.tellings import Telling
from tests.editions.invented_edition import INVENTED, WITH_ONE_LINE_MORE
from tests.simulation import playing
from tests.simulation.properties import PROPERTIES


@pytest.fixture(autouse=True)
def one_line_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "EDITIONS", WITH_ONE_LINE_MORE)


def registered() -> Edition:
    edition = registry.latest("travel")
    assert edition is registry.EDITIONS["travel", 1]
    assert edition is not None
    return edition


def opened(*players: str) -> State:
    edition = registered()
    opening = open_match(edition, Opening(edition="travel", players=players, dealer=players[0]))
    assert isinstance(opening, MatchOpened)
    return initial(edition, opening)


def tell(state: State, *events: TableEvent) -> Recorded:
    recorded = record(state, events)
    assert isinstance(recorded, Recorded), recorded
    return recorded


def board(state: State) -> Scoreboard:
    return scoreboard(state, match="m", position=1)


def test_a_match_is_played_in_an_edition_that_the_program_never_heard_of() -> None:
    left = TalliedHand(cards=("orange-draw-two", "wild", "red-4"))
    tally = RoundTallied(winners=("ann",), hands={"bo": left}, dealer="bo")
    assert tell(opened("ann", "bo"), tally).state.totals == {"ann": 0, "bo": 20 + 50 + 4}


def test_a_round_is_followed_in_it_card_by_card() -> None:
    """Shows what is special in this edition.

    Five cards are dealt. Cards match by colour alone. A player without a match draws two cards. A
    reverse makes the next player draw two.
    """
    dealt = {"bo": ("green-reverse", "green-1", "green-2", "wild", "red-0")}
    state = tell(
        opened("ann", "bo", "cy"), RoundStarted(hands=dealt), FirstCardTurned(card="green-5")
    ).state
    assert (board(state).turn, board(state).draw_pile_count) == ("bo", 116 - 3 * 5 - 1)

    state = tell(state, CardPlayed(player="bo", card="green-reverse")).state
    assert (board(state).turn, board(state).direction) == ("ann", "clockwise")
    owed = [(debt.player, debt.count, debt.clause) for debt in board(state).pending]
    assert owed == [("cy", 2, "T-PLAY")]

    refused = record(state, [CardPlayed(player="ann", card="red-reverse")])
    assert isinstance(refused, Refusal)
    assert [violation.clause for violation in refused.violations] == ["T-PLAY"]
    assert "T-PLAY" in {clause.id for clause in INVENTED.clauses}

    drawn = tell(state, CardsDrawn(player="ann", count=2))
    assert [(entry.event.player, entry.inferred) for entry in drawn.entries] == [
        ("cy", True),
        ("ann", False),
    ]
    state = tell(drawn.state, CardPlayed(player="bo", card="green-1")).state
    state = tell(state, CardsDrawn(player="cy", count=2), TurnPassed(player="cy")).state
    state = tell(state, CardPlayed(player="ann", card="green-9")).state
    state = tell(state, CardPlayed(player="bo", card="green-2")).state
    state = tell(state, CardPlayed(player="cy", card="wild", color="blue")).state
    state = tell(state, CardPlayed(player="ann", card="wild", color="red")).state
    state = tell(state, CardPlayed(player="bo", card="wild", color="red", uno=False)).state
    caught = tell(state, UnoCaught(player="bo", by="cy"))
    owed = [(debt.player, debt.count, debt.clause) for debt in board(caught.state).pending]
    assert owed == [("bo", 3, "T-PLAY")]

    # Nobody pointed it out before the next turn began.
    state = tell(state, CardsDrawn(player="cy", count=2)).state
    assert not board(tell(state, UnoCaught(player="bo", by="cy")).state).pending
    state = tell(state, CardsDrawn(player="ann", count=2)).state
    out = tell(state, CardPlayed(player="bo", card="red-0")).state
    assert (board(out).phase, board(out).awaiting_hands) == ("showing_hands", ("ann", "cy"))
    ended = tell(out, HandCounted(player="ann", points=61), HandCounted(player="cy", points=12))
    assert board(ended.state).totals == {"ann": 61, "bo": 0, "cy": 12}
    assert board(ended.state).dealer == "bo"


def test_a_gift_alone_is_told_with_its_card_or_after_it() -> None:
    state = tell(
        opened("ann", "bo", "cy"),
        RoundStarted(hands={"bo": ("super-star", "green-1", "green-2", "wild", "red-0")}),
        FirstCardTurned(card="green-5"),
    ).state
    star = CardPlayed(player="bo", card="super-star", color="red")
    given = replace(star, effects=(Give(giver="bo", to="cy", cards=("red-0",)),))
    one = tell(state, given)
    other = tell(state, star, CardGiven(player="bo", to="cy", card="red-0"))
    assert board(one.state).hand_counts == board(other.state).hand_counts
    assert board(one.state).hand_counts == {"ann": 5, "bo": 3, "cy": 6}
    wild_laid_off = replace(star, effects=(Discard(player="bo", cards=("wild",)),))
    refused = record(state, [wild_laid_off])
    assert isinstance(refused, Refusal)
    assert refused.code == "effects-not-allowed"


@pytest.fixture
def played_in_it(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Play simulated matches in this edition. The cache of matches is emptied around the test."""
    monkeypatch.setattr(playing, "EDITIONS", {("travel", 1): registered()})
    playing.any_match.cache_clear()
    yield
    playing.any_match.cache_clear()


@pytest.mark.parametrize("seed", range(4))
def test_what_holds_for_any_match_holds_for_those_played_in_it(
    seed: int, played_in_it: None
) -> None:
    assert playing.any_match(seed).edition is INVENTED
    for holds in PROPERTIES:
        holds(seed)


def test_simulated_players_lay_any_card_where_no_colour_is_in_force() -> None:
    """A wild is turned up, and in this edition play then starts without a colour."""
    rng = Random(8)
    seats = ("ann", "bo", "cy", "di")
    opening = open_table(rng, INVENTED, seats, mode="lowest-total", rounds=3)
    played = play_match(rng, INVENTED, opening, Habits(), most_rounds=3)
    assert len(played.rounds) == 3
    told = playing.told_events(played, Telling.EXACT)
    turned_up = [event.card for event in told if isinstance(event, FirstCardTurned)]
    assert "wild" in turned_up
