"""What holds for every match that can be told."""

from collections import Counter
from functools import reduce
from operator import and_

from hypothesis import HealthCheck, settings
from hypothesis import given as over
from hypothesis import strategies as st

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.match.decider import by_column, decide
from scorekeeper.match.events.events import (
    DealerDrawn,
    MatchAbandoned,
    MatchClosed,
    NoteAdded,
    PlayerSubstituted,
    RoundEnded,
    RoundStarted,
    RoundTallied,
    RoundVoided,
    SeatsChanged,
    TableEvent,
    decode,
    encode,
)
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.readings.effective_log import fold, initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.projections.scoreboard import rounds
from scorekeeper.rules.scoring import MODES
from tests.match.story import NAMES, TEAMS_OF_FOUR, Story, given, hand, views

quick = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])

EDITION = st.sampled_from([edition for edition, _ in EDITIONS])
MODE = st.sampled_from(sorted(MODES))
SEATED = list(NAMES[:4])
CARD = st.sampled_from(["red-0", "red-1", "red-9", "green-5", "blue-draw-two", "wild", "no-card"])
IN_EVERY_BOX = sorted(
    reduce(and_, (Counter(edition.deck.value) for edition in EDITIONS.values())).elements()
)
SOMEBODY = st.sampled_from([*SEATED, "zoe"])
TOLD_HAND = st.one_of(
    st.lists(CARD, max_size=5),
    st.integers(-2, 260),
    st.tuples(st.integers(0, 120), st.integers(0, 5)),
).map(hand)
TALLIES = st.builds(
    RoundTallied,
    winners=st.lists(SOMEBODY, max_size=2).map(tuple),
    hands=st.none() | st.dictionaries(SOMEBODY, TOLD_HAND),
    scores=st.none() | st.dictionaries(SOMEBODY, st.integers(-50, 200)),
    dealer=st.none() | SOMEBODY,
    charges=st.none() | st.dictionaries(SOMEBODY, st.integers(-1, 300), max_size=2),
    as_played=st.booleans(),
)
EVENTS: st.SearchStrategy[TableEvent] = st.one_of(
    TALLIES,
    st.builds(RoundStarted, dealer=st.none() | SOMEBODY),
    st.builds(RoundVoided, reason=st.just("x"), redealt=st.booleans()),
    st.builds(SeatsChanged, players=st.permutations(SEATED).map(tuple)),
    st.builds(PlayerSubstituted, player=SOMEBODY, substitute=SOMEBODY),
    st.builds(DealerDrawn, draws=st.dictionaries(SOMEBODY, CARD)),
    st.builds(NoteAdded, text=st.just("x")),
    st.builds(MatchClosed),
    st.builds(MatchAbandoned, reason=st.just("x")),
)


@st.composite
def honest_tallies(draw: st.DrawFn) -> RoundTallied:
    """A possible round: the losers' cards are dealt from one deck."""
    cards = draw(st.permutations(IN_EVERY_BOX))
    won = draw(st.sampled_from(SEATED))
    hands = {}
    for player in SEATED:
        if player != won:
            hands[player] = hand([cards.pop() for _ in range(draw(st.integers(1, 6)))])
    return RoundTallied(winners=(won,), hands=hands)


@st.composite
def matches(draw: st.DrawFn) -> Story:
    """A match of four players, with those events of a random list that are not refused."""
    edition, mode = draw(EDITION), draw(MODE)
    fields: dict[str, object] = {"rounds": 6}
    if MODES[mode].teams and draw(st.booleans()):
        fields["teams"] = TEAMS_OF_FOUR
    match = given(edition, SEATED, mode, **fields)
    for told in draw(st.lists(st.one_of(honest_tallies(), EVENTS), max_size=10)):
        if isinstance(decide(match.state, by_column(match.state, told)), Refusal):
            match.refuses(told)
        else:
            match = match.when(told)
    return match


@quick
@over(matches())
def test_replaying_what_the_ledger_keeps_gives_the_same_match(match):
    assert views(match.replayed()) == views(match.state)


@quick
@over(matches())
def test_every_prefix_folds_and_versions_count_the_entries(match):
    for length in range(1, len(match.log) + 1):
        state = match.replayed(upto=length)
        assert state.version == length
        views(state)


@quick
@over(matches())
def test_events_survive_being_stored(match):
    for event in match.log:
        assert decode(encode(event)) == event
        assert encode(decode(encode(event))) == encode(event)


@quick
@over(matches())
def test_totals_are_the_sums_of_the_scores(match):
    sums = Counter(dict.fromkeys(SEATED, 0))
    for dealt in rounds(match.state):
        for player, score in dealt.scores.items():
            sums[player] += score
    assert match.state.totals == dict(sums)


@quick
@over(EDITION, MODE, st.lists(honest_tallies(), min_size=2, max_size=5))
def test_one_batch_is_the_same_events_singly(edition, mode, tallies):
    at_once = given(edition, SEATED, mode, rounds=99, target=None)
    singly = given(edition, SEATED, mode, rounds=99, target=None)
    recorded = record(at_once.state, tallies)
    if mode == "elimination":
        recorded = record(at_once.state, tallies[:1])
        tallies = tallies[:1]
    assert isinstance(recorded, Recorded)
    for told in tallies:
        singly = singly.when(told)
    assert views(recorded.state) == views(singly.state)


@quick
@over(EDITION, MODE, honest_tallies())
def test_a_tally_by_cards_is_the_same_as_by_its_points(edition, mode, by_cards):
    match = given(edition, SEATED, mode, rounds=2)
    worth = match.state.box.points
    by_points = RoundTallied(
        winners=by_cards.winners,
        hands={p: hand(sum(worth[c] for c in h.cards)) for p, h in by_cards.hands.items()},
    )
    by_count = RoundTallied(
        winners=by_cards.winners,
        hands={
            p: hand((sum(worth[c] for c in h.cards), len(h.cards)))
            for p, h in by_cards.hands.items()
        },
    )
    ended = {ended_of(match.when(told)) for told in (by_cards, by_points, by_count)}
    assert len(ended) == 1


def ended_of(match: Story) -> bytes:
    (ended,) = (one.event for one in match.added if isinstance(one.event, RoundEnded))
    return encode(ended)


@quick
@over(EDITION, MODE, honest_tallies(), st.permutations(SEATED))
def test_other_names_make_other_names_in_the_result_and_nothing_else(edition, mode, told, names):
    renamed = dict(zip(SEATED, names, strict=True))
    one = given(edition, SEATED, mode, rounds=1).when(told)
    other = given(edition, names, mode, rounds=1).when(
        RoundTallied(
            winners=tuple(renamed[p] for p in told.winners),
            hands={renamed[p]: h for p, h in told.hands.items()},
        )
    )
    assert {renamed[p]: total for p, total in one.board.totals.items()} == other.board.totals
    assert tuple(renamed[p] for p in one.board.winners) == other.board.winners
    assert (renamed[one.board.dealer] if one.board.dealer else None) == other.board.dealer


@quick
@over(EDITION, honest_tallies())
def test_plus_minus_sums_to_nothing_with_one_winner(edition, told):
    match = given(edition, SEATED, "plus-minus", rounds=2).when(told)
    assert sum(match.board.totals.values()) == 0


@quick
@over(matches(), st.lists(EVENTS, min_size=1, max_size=3))
def test_a_refusal_leaves_no_trace_and_names_the_first_fault(match, told):
    before = views(match.state)
    outcome = record(match.state, told)
    assert views(match.state) == before
    if isinstance(outcome, Refusal):
        index = outcome.event_index
        assert index is not None
        head = record(match.state, told[:index])
        assert isinstance(head, Recorded)
        assert isinstance(decide(head.state, told[index]), Refusal)


def test_a_fold_leaves_the_state_that_it_began_with():
    match = given("basic", 2)
    longer = match.when(RoundTallied(winners=("ann",), hands={"bo": hand(7)}))
    edition = match.state.edition
    start = initial(edition, longer.log[0])
    before = views(start)
    fold(start, longer.log[1:])
    assert views(start) == before


def test_two_continuations_of_one_match_know_nothing_of_each_other():
    match = given("basic", 2, target=None).when(
        RoundTallied(winners=("ann",), hands={"bo": hand(1)})
    )
    left = match.when(RoundTallied(winners=("ann",), hands={"bo": hand(2)}))
    right = match.when(RoundTallied(winners=("bo",), hands={"ann": hand(3)}))
    assert [dealt.scores for dealt in rounds(left.state)] == [
        {"ann": 0, "bo": 1},
        {"ann": 0, "bo": 2},
    ]
    assert [dealt.scores for dealt in rounds(right.state)] == [
        {"ann": 0, "bo": 1},
        {"ann": 3, "bo": 0},
    ]
