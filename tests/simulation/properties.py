"""Properties of every match, however it is told. Each takes the seed of a match."""

from collections import Counter
from itertools import pairwise
from random import Random

import msgspec
from msgspec.structs import replace

from scorekeeper.match.events.card_events import HandCounted, HandShown, PileReshuffled
from scorekeeper.match.events.events import (
    MatchWon,
    RoundEnded,
    RoundStarted,
    RoundTallied,
    TableEvent,
    decode,
    encode,
)
from scorekeeper.match.events.refusal import Refusal, Violation
from scorekeeper.match.known_cards import card_count, height, known_in, unknown_in
from scorekeeper.match.readings.amended_fold import amended_fold
from scorekeeper.match.readings.effective_log import fold, initial
from scorekeeper.match.readings.hindsight import judge
from scorekeeper.match.record import Recorded, record
from scorekeeper.match.state import State
from scorekeeper.projections.scoreboard import hands, rounds, scoreboard
from scorekeeper.simulation.played_match import PlayedMatch
from scorekeeper.simulation.tellings import Telling
from tests.match.judging import verdicts
from tests.simulation.knowing import (
    cards_named_by_halves_are_taken_for_no_others,
    what_is_concluded_is_so,
    what_is_known_in_hindsight_is_so,
)
from tests.simulation.playing import (
    all_of,
    any_match,
    begin,
    folded_singly,
    log_of,
    recorded,
    recorded_singly,
    recorded_spoken,
    recorded_whole,
    spoken,
    told_events,
)
from tests.simulation.scoring import scores_by_hand
from tests.simulation.translating import Translation


def any_telling(seed: int) -> tuple[PlayedMatch, Telling]:
    return any_match(seed), Random(seed).choice(list(Telling))


def replay_equals_live(seed: int) -> None:
    played, telling = any_telling(seed)
    live = recorded_whole(played, telling)
    kept = [encode(event) for event in log_of(live)]
    replayed = fold(begin(played), [decode(body) for body in kept])
    assert all_of(replayed) == all_of(live.state)


def every_prefix_folds(seed: int) -> None:
    played, telling = any_telling(seed)
    log = []
    live = {}
    for _, outcome in recorded_singly(played, telling):
        log.extend(log_of(outcome))
        live[len(log)] = all_of(outcome.state)
    folded = folded_singly(played, telling)
    assert len(folded) == 1 + len(log)
    for length, state in live.items():
        assert all_of(folded[length]) == state
    length = Random(seed).choice(list(live))
    assert all_of(fold(begin(played), log[:length])) == live[length]


def one_batch_is_the_same_events_singly(seed: int) -> None:
    played, telling = any_telling(seed)
    batch = recorded_whole(played, telling)
    singly = [outcome for _, outcome in recorded_singly(played, telling)]
    assert log_of(batch) == [event for outcome in singly for event in log_of(outcome)]
    assert all_of(batch.state) == all_of(singly[-1].state)
    found = [violation for outcome in singly for violation in outcome.violations]
    assert [_what(one) for one in batch.violations] == [_what(one) for one in found]


def cards_are_conserved(seed: int) -> None:
    played = any_match(seed)
    for telling in Telling:
        for _, outcome in recorded_singly(played, telling):
            exact = telling is Telling.EXACT and not _reshuffled_unseen(outcome)
            _conserved(outcome.state, exact=exact)


def _reshuffled_unseen(outcome: Recorded) -> bool:
    """Return whether a reshuffle was inferred, so that nobody told its cards.

    In `first-out` the draw for the last card is inferred at once, with the reshuffle that it needs.
    """
    return any(made.inferred and isinstance(made.event, PileReshuffled) for made in outcome.entries)


def _conserved(state: State, *, exact: bool) -> None:
    table = state.table
    if table is None:
        return
    in_hands = sum(card_count(hand) for hand in table.hands.values())
    lying = len(table.discards) + table.buried + height(table.pile)
    assert lying + in_hands == state.box.size
    hands = (card for hand in table.hands.values() for card in hand.known)
    known = Counter((*table.discards, *known_in(table.pile), *hands))
    box = state.box.counts
    if exact:
        assert not unknown_in(table.pile)
        assert dict(known) == dict(box)
    else:
        assert all(count <= box.get(card, 0) for card, count in known.items())


def the_book_holds_what_the_players_hold(seed: int) -> None:
    played = any_match(seed)
    state = recorded_whole(played, Telling.EXACT).state
    for dealt, view in zip(played.rounds, rounds(state), strict=True):
        assert (view.status == "voided") == dealt.voided
        assert set(view.winners) == set(dealt.winners)
        if dealt.voided:
            continue
        assert view.charges == dealt.charges
        for player, cards in dealt.hands.items():
            hand = view.hands[player]
            if state.mode.rounds_decide:
                # In these modes nobody told which cards were drawn for the last card.
                continue
            assert hand is not None and hand.cards is not None
            assert sorted(hand.cards) == sorted(cards)


def points_are_the_sum_of_what_is_left(seed: int) -> None:
    played, telling = any_telling(seed)
    state = recorded_whole(played, telling).state
    totals = dict.fromkeys(state.seating, 0)
    for dealt, view in zip(played.rounds, rounds(state), strict=True):
        if not dealt.voided:
            assert view.scores == scores_by_hand(state, dealt)
        for player, score in view.scores.items():
            totals[player] += score
    assert state.totals == totals


def hidden_hands_never_contradict_known_ones(seed: int) -> None:
    played = any_match(seed)
    rng = Random(seed)
    known = tuple(player for player in played.opened.players if not rng.randrange(4))
    seen = iter(recorded_singly(played, Telling.SEEN, known=known))
    knowing, watching = begin(played), begin(played)
    found: list[Counter[tuple[str, ...]]] = [Counter(), Counter()]
    for exact, knows in recorded_singly(played, Telling.EXACT):
        event, sees = next(seen)
        _verdicts_agree(knowing, watching, exact, event)
        knowing, watching = knows.state, sees.state
        _tables_agree(knowing, watching)
        while knowing.running is None and watching.phase == "showing_hands":
            _, closing = next(seen)
            found[1].update(_what(violation) for violation in closing.violations)
            watching = closing.state
        for counter, outcome in zip(found, (knows, sees), strict=True):
            counter.update(_what(violation) for violation in outcome.violations)
    assert next(seen, None) is None
    assert found[1] <= found[0]
    assert _results(watching) == _results(knowing)


def _verdicts_agree(knowing: State, watching: State, exact: TableEvent, seen: TableEvent) -> None:
    """A verdict may be unknown to those who watch, but never differs otherwise."""
    assert judge(watching, seen).verdict in ("unknown", judge(knowing, exact).verdict)


def _tables_agree(knowing: State, watching: State) -> None:
    if knowing.running is None:
        return
    one, other = (scoreboard(state, match="m", position=1) for state in (knowing, watching))
    for field in ("turn", "direction", "top_card", "color", "pending", "color_pending",
                  "draw_pile_count", "hand_counts", "phase", "totals", "eliminated"):  # fmt: skip
        assert getattr(one, field) == getattr(other, field), field


def hindsight_only_settles_what_was_unknown(seed: int) -> None:
    played = any_match(seed)
    exact = recorded_whole(played, Telling.EXACT)
    seen = recorded_whole(played, Telling.SEEN)
    true = [
        judgement.verdict
        for entry, judgement in zip(
            exact.entries, verdicts(begin(played), log_of(exact)), strict=True
        )
        if not isinstance(entry.event, RoundEnded | MatchWon)
    ]
    later = verdicts(begin(played), log_of(seen))
    states = pairwise(folded_singly(played, Telling.SEEN))
    at = 0
    for entry, judgement, (before, state) in zip(log_of(seen), later, states, strict=True):
        then = judge(before, entry).verdict
        assert judgement.verdict == then or then == "unknown"
        if isinstance(entry, RoundEnded | MatchWon | HandCounted | RoundTallied):
            continue
        if isinstance(entry, HandShown) and state.phase != "playing":
            continue
        assert judgement.verdict in ("unknown", true[at])
        at += 1
    assert at == len(true)


def _results(state: State) -> tuple[object, ...]:
    board = scoreboard(state, match="m", position=1)
    told = [(view.status, view.dealer, view.winners, view.scores, view.charges)
            for view in rounds(state)]  # fmt: skip
    return (board.status, board.totals, board.winners, board.rounds_won, board.eliminated,
            board.dealer, board.round, board.players, told)  # fmt: skip


def _what(violation: Violation) -> tuple[str, ...]:
    facts = violation.facts
    return (violation.clause, violation.reason, str(facts.get("player")), str(facts.get("card")))


def sparse_comes_to_the_same_as_exact(seed: int) -> None:
    played = any_match(seed)
    exact = recorded_whole(played, Telling.EXACT)
    sparse = recorded_whole(played, Telling.SPARSE)
    assert _results(sparse.state) == _results(exact.state)


def telling_what_is_inferred_changes_nothing(seed: int) -> None:
    played, telling = any_telling(seed)
    silent = recorded_whole(played, telling)
    at_once = recorded(begin(played), spoken(played, telling))
    assert Counter(map(encode, log_of(at_once))) == Counter(map(encode, log_of(silent)))
    for state in (at_once.state, recorded_spoken(played, telling)):
        assert _results(state) == _results(silent.state)
        assert hands(state) == hands(silent.state)
        assert state.violations == silent.state.violations


def read_anew_it_is_the_same(seed: int) -> None:
    played, telling = any_telling(seed)
    silent = recorded_whole(played, telling)
    for state in (silent.state, recorded_spoken(played, telling)):
        again = amended_fold(begin(played), state.log)
        assert not any(step.voided for step in again.steps)
        assert all_of(again.state) == all_of(state)


def other_names_and_colors_change_nothing_else(seed: int) -> None:
    played, telling = any_telling(seed)
    translation = Translation.of(seed, played)
    opened = translation.event(played.opened)
    here = recorded_whole(played, telling)
    told = [translation.event(event) for event in told_events(played, telling)]
    there = recorded(initial(played.edition, opened), told)
    for entry, (mine, other) in enumerate(zip(log_of(here), log_of(there), strict=True), start=2):
        assert translation.event(mine) == other, entry
    boards = [
        msgspec.json.decode(msgspec.json.encode(scoreboard(outcome.state, match="m", position=1)))
        for outcome in (here, there)
    ]
    assert translation.document(boards[0]) == boards[1]


def whoever_names_the_round_tells_it_once(seed: int) -> None:
    played, telling = any_telling(seed)
    before = begin(played)
    for event, outcome in recorded_singly(played, telling):
        if isinstance(event, RoundStarted | RoundTallied):
            number = outcome.state.round
            named = recorded(before, [replace(event, round=number)])
            assert [*map(encode, log_of(named))] == [*map(encode, log_of(outcome))]
            assert all_of(named.state) == all_of(outcome.state)
            for other in range(1, number + 3):
                refused = record(before, [replace(event, round=other)])
                assert (other == number) != isinstance(refused, Refusal)
                if isinstance(refused, Refusal):
                    code = "round-taken" if other < number else "round-not-reached"
                    assert (refused.code, refused.facts["next"]) == (code, number)
        before = outcome.state


def versions_have_no_gaps(seed: int) -> None:
    played, telling = any_telling(seed)
    versions = [state.version for state in folded_singly(played, telling)]
    assert all(later == earlier + 1 for earlier, later in pairwise(versions))


PROPERTIES = (
    replay_equals_live,
    every_prefix_folds,
    one_batch_is_the_same_events_singly,
    cards_are_conserved,
    what_is_concluded_is_so,
    what_is_known_in_hindsight_is_so,
    cards_named_by_halves_are_taken_for_no_others,
    the_book_holds_what_the_players_hold,
    points_are_the_sum_of_what_is_left,
    hidden_hands_never_contradict_known_ones,
    hindsight_only_settles_what_was_unknown,
    sparse_comes_to_the_same_as_exact,
    telling_what_is_inferred_changes_nothing,
    read_anew_it_is_the_same,
    other_names_and_colors_change_nothing_else,
    whoever_names_the_round_tells_it_once,
    versions_have_no_gaps,
)
