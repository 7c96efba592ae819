"""A match as a viewer sees it while a round is in progress.

A viewer sees what the table sees: the cards that are laid, shown and discarded, and how many cards
are drawn, given and held. A viewer's reading is the fold of the log without its hidden cards. So
nothing that is derived from it can reveal a hidden card.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.decider import RULES, evolve
from scorekeeper.match.events.card_events import (
    HandCounted,
    PileReshuffled,
    UnoCaught,
    WildDrawFourChallenged,
)
from scorekeeper.match.events.events import Event, LogAmended, RoundStarted
from scorekeeper.match.events.fields import Address, Inserted, Told
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.known_cards import Hand, card_count, height, unknown_pile, worth
from scorekeeper.match.readings.effective_log import corrected_steps
from scorekeeper.match.readings.hindsight import Judgement
from scorekeeper.match.readings.reader import Step, amendments_in, entries_in
from scorekeeper.match.state import State, table_of
from scorekeeper.match.turns.late import is_late
from scorekeeper.match.turns.payments import made_up

E = TypeVar("E", bound=Event)


class VisibilityHorizon(Struct, frozen=True):
    """The place up to which viewers see everything: the end of the last round that is over.

    Events that were told later hide their cards. This includes events that were taken back or told
    again since then. `since`: the version of the first recorded entry that hides its cards.
    `shown`, `beyond`: the events that amendments in force insert, up to that place and after it.
    """

    since: int
    shown: frozenset[Inserted] = frozenset()
    beyond: frozenset[Inserted] = frozenset()

    def hides(self, address: int | Inserted, place: int) -> bool:
        """Return whether an event hides its cards.

        `place`: the version of its entry, or of the entry before which it was inserted.
        """
        if address in self.beyond:
            return True
        return address not in self.shown and place >= self.since


def visibility_horizon(latest: State) -> VisibilityHorizon:
    """Return the visibility horizon of a match, by its latest state."""
    if not latest.amendments and not latest.erased:
        running = latest.running
        return VisibilityHorizon(latest.version + 1 if running is None else running.first_version)
    steps = corrected_steps(latest)
    over = [
        at
        for at, step in enumerate(steps, start=1)
        if step.taken is not None and _closes_round(step.before, step.taken, step.after)
    ]
    end = over[-1] if over else 1
    since = steps[end - 1].after.version + 1
    return VisibilityHorizon(since, _inserted(steps[:end]), _inserted(steps[end:]))


def advance_horizon(
    horizon: VisibilityHorizon, before: State, event: Event, after: State
) -> VisibilityHorizon:
    """Return the horizon of an amended match after one more entry, which is no amendment.

    `horizon`: the horizon in the state `before`.
    """
    if not _closes_round(before, event, after):
        return horizon
    return VisibilityHorizon(after.version + 1, horizon.shown | horizon.beyond)


def _closes_round(before: State, taken: Event, after: State) -> bool:
    """Return whether the event ends a round, or is told late of a round that is over."""
    if isinstance(taken, MatchOpened | LogAmended):
        return False
    return after.finished is not before.finished or is_late(before, taken)


def _inserted(steps: Iterable[Step]) -> frozenset[Inserted]:
    return frozenset(step.address for step in steps if isinstance(step.address, Inserted))


def redact(event: E) -> E:
    """Return the event without hidden cards, or the event itself if it has none."""
    rule = RULES.get(type(event))
    return event if rule is None or rule.hides is None else rule.hides(event)


def redact_for_viewers(event: E, version: int, horizon: VisibilityHorizon) -> E:
    """Return an entry's event as viewers get it.

    In an amendment, hidden cards are left out of the events that it inserts.
    """
    if not isinstance(event, LogAmended):
        return redact(event) if horizon.hides(version, version) else event
    place = event.first or version
    insert = tuple(
        redact(each) if horizon.hides(Inserted(version, index), place) else each
        for index, each in enumerate(event.insert)
    )
    whole = all(left is told for left, told in zip(insert, event.insert, strict=True))
    return event if whole else replace(event, insert=insert)


class ViewerFold(Struct, frozen=True):
    """The state of a match as a viewer may see it; `redacted`: something was left out of it."""

    state: State
    redacted: bool = False


def viewer_fold(book: State, horizon: VisibilityHorizon) -> ViewerFold:
    """Return what a viewer sees of a match whose own state is `book`."""
    *_, (_, seen) = _watched(corrected_steps(book), book, horizon)
    if not seen.redacted:
        return ViewerFold(book)
    own = seen.state.copy()
    own.version, own.voided = book.version, book.voided
    own.amendments, own.disputes = book.amendments, book.disputes
    return ViewerFold(own, redacted=True)


def viewer_steps(steps: Iterable[Step], book: State, horizon: VisibilityHorizon) -> list[Step]:
    """Return the steps of a log, corrected or as recorded, as a viewer sees them.

    `book`: the state after the log.
    """
    return [step for step, _ in _watched(steps, book, horizon)]


def _watched(
    steps: Iterable[Step], book: State, horizon: VisibilityHorizon
) -> Iterator[tuple[Step, ViewerFold]]:
    places = places_of(book)
    hidden = False
    seen: ViewerFold | None = None
    for step in steps:
        hidden = hidden or _hides(horizon, step.address, places)
        if not hidden:
            yield step, ViewerFold(step.after)
            continue
        earlier = seen if seen is not None and seen.redacted else ViewerFold(step.before)
        if isinstance(step.taken, LogAmended):
            seen = viewer_fold(step.after, horizon)
        else:
            seen = watch(earlier, step.taken, step.before, step.after)
        yield _seen(step, earlier.state, seen.state, horizon), seen


def _seen(step: Step, before: State, after: State, horizon: VisibilityHorizon) -> Step:
    event, taken = step.event, step.taken
    if isinstance(event, LogAmended) and isinstance(step.address, int):
        event = taken = redact_for_viewers(event, step.address, horizon)
    else:
        event = None if event is None else redact(event)
        taken = None if taken is None else _with_outcome(step.before, taken, redact(taken))
    # Everybody sees that the event is impossible, but the reason may rest on hidden cards.
    voided = None if step.voided is None else Refusal(code=step.voided.code)
    return replace(
        step,
        event=event,
        taken=taken,
        before=before,
        after=after,
        voided=voided,
        doubtful=taken is not None and _may_be_known_better(before, taken),
    )


def _may_be_known_better(before: State, taken: Event) -> bool:
    """Return whether the event may break a rule that only hidden cards show.

    Such an event is told as played, since the table let the breach pass.
    """
    if not isinstance(taken, Told) or not taken.as_played:
        return False
    match taken:
        case RoundStarted() | PileReshuffled() | WildDrawFourChallenged():
            return True
        case UnoCaught(player=player) | HandCounted(player=player):
            hand = table_of(before).hands.get(player)
            return hand is not None and worth(before.box, hand) is None
        case _:
            return False


def in_sight(step: Step, judgement: Judgement) -> Judgement:
    """Return a viewer's verdict: `legal` becomes `unknown` if hidden cards may show a breach."""
    doubted = step.doubtful and judgement.verdict == "legal"
    return Judgement("unknown", judgement.violations) if doubted else judgement


def places_of(book: State) -> dict[int, int]:
    """Return the place of the events that each amendment inserts, by the amendment's version."""
    if not book.amendments:
        return {}
    recorded = amendments_in(entries_in(book.log))
    return {version: one.first for version, one in recorded.items() if one.first is not None}


def _hides(horizon: VisibilityHorizon, address: Address, places: Mapping[int, int]) -> bool:
    """Return whether the event at this address hides its cards.

    False for an event that is inferred in this reading only. It is never the first hidden one,
    because it follows from a told event.
    """
    match address:
        case Inserted(amendment=amendment):
            return horizon.hides(address, places[amendment])
        case int():
            return horizon.hides(address, address)
        case None:
            return False


def watch(seen: ViewerFold, taken: Event | None, before: State, after: State) -> ViewerFold:
    """Return what a viewer sees after one more event, which hides its cards.

    `taken`: None if the event was voided. `before`, `after`: the book's own states. A viewer sees
    these as long as nothing is hidden.

    Raises TypeError for an opening or an amendment that would come after a hidden event.
    """
    left = None if taken is None else redact(taken)
    if left is taken and not seen.redacted:
        return ViewerFold(after)
    if isinstance(left, MatchOpened | LogAmended):
        raise TypeError("an opening shows nothing, and after an amendment the log is read anew")
    own = seen.state.copy()
    own.voided, own.version = after.voided, after.version
    if taken is not None and left is not None:
        own.version -= 1
        evolve(own, _with_outcome(before, taken, left))
        _count_as(own, taken, after)
    return ViewerFold(own, redacted=True)


def _with_outcome(before: State, event: Event, left: E) -> E:
    """Return the redacted event with the consequences of hidden cards that everybody saw.

    These are the verdict of a challenge, and the points that were counted.
    """
    rule = RULES.get(type(event))
    return left if rule is None or rule.reveals is None else rule.reveals(before, event, left)


def _count_as(own: State, event: Event, after: State) -> None:
    """Take over the numbers of cards in hands and piles from the book's own state, `after`.

    They differ if a hidden part of the event told another number of cards than the rules give.
    """
    table, true = own.table, after.table
    if table is None or true is None:
        return
    mine = table.copy()
    mine.hands = {
        player: _as_many(table.hands.get(player, Hand()), card_count(hand))
        for player, hand in true.hands.items()
    }
    unsure = isinstance(event, PileReshuffled) and made_up(event)
    if unsure:
        mine.uncounted = True
        if mine.suspect is not None:
            mine.suspect = replace(mine.suspect, shuffled=None)
    if unsure or height(mine.pile) != height(true.pile):
        mine.pile = unknown_pile(height(true.pile))
    if unsure or mine.under_top != true.under_top:
        mine.discards, mine.buried = mine.discards[-1:], true.under_top
    own.table = mine
    own.hands = mine.hands


def _as_many(hand: Hand, count: int) -> Hand:
    return hand if card_count(hand) == count else Hand((), count)
