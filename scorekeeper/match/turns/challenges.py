"""The challenge to a wild-draw-four."""

from typing import Final

from msgspec.structs import replace

from scorekeeper.match.events.card_events import WildDrawFourChallenged
from scorekeeper.match.events.refusal import Refusal, Violation, impossible
from scorekeeper.match.knowledge import holds, not_in_box, too_many
from scorekeeper.match.known_cards import Hand, card_count, hand_with, height, pile_without, without
from scorekeeper.match.state import State, not_in_play, table_of
from scorekeeper.match.table import (
    Suspect,
    Table,
    give_turn,
    owe_draw,
    owe_no_call,
    set_hand,
)
from scorekeeper.match.turns.closing import (
    charge,
    points_contradict,
    points_needed,
    points_seen,
)
from scorekeeper.match.turns.event_rule import PLAYING_OR_OUT, EventRule, without_fields
from scorekeeper.match.turns.legality import bars_wild_draw_four, bluff_violation
from scorekeeper.match.turns.shown import COUNT, hand_contradicts
from scorekeeper.rules.cards import Card


def refused_challenge(state: State, event: WildDrawFourChallenged) -> Refusal | None:
    """Why the challenge can't have been made, or can't be judged."""
    table = table_of(state)
    suspect = table.suspect
    refused = not_in_play(state, event.by, "by") or not_in_box(state.box, event.hand or ())
    if refused is not None:
        return refused
    if suspect is None or suspect.challenger != event.by:
        return impossible("no-challenge-open", by=event.by)
    if event.hand is not None:
        refused = _refused_hand(state, table, suspect, event)
        if refused is not None:
            return refused
    guilty = verdict(state, event)
    if guilty is None:
        return Refusal(code="verdict-needed", facts={"player": suspect.player})
    if guilty:
        return points_needed(state, suspect.player, hand_judged(suspect, event), event.points)
    return None


def _refused_hand(
    state: State, table: Table, suspect: Suspect, event: WildDrawFourChallenged
) -> Refusal | None:
    cards = event.hand or ()
    if event.as_played and len(cards) != card_count(suspect.hand):
        return None
    refused = hand_contradicts(suspect.player, suspect.hand, cards)
    if refused is not None or suspect.hand.unknown == 0:
        return refused
    shown = table.copy()
    _show(shown, suspect, cards)
    return too_many(state.box, shown, without(cards, suspect.hand.known))


def hand_judged(suspect: Suspect, event: WildDrawFourChallenged) -> Hand:
    """Return the hand that was left after the play, as the book or else the challenge shows it."""
    if suspect.hand.unknown and event.hand is not None:
        return Hand(event.hand, 0)
    return suspect.hand


def _evidence(state: State, event: WildDrawFourChallenged) -> bool | None:
    """Return whether the cards prove guilt (True) or innocence (False), None if neither."""
    table = table_of(state)
    suspect = _suspect(table)
    if suspect.last:
        return False
    hand = hand_judged(suspect, event)
    drawn_since = card_count(table.hands[suspect.player]) > card_count(suspect.hand)
    bars = bars_wild_draw_four(state.edition, suspect.top, suspect.color)
    return holds(state.box, table, hand, bars, None if drawn_since else suspect.player)


def verdict(state: State, event: WildDrawFourChallenged) -> bool | None:
    """Return whether the card's player is guilty, None if that is not known.

    The cards decide. If they are not known, or the challenge is told as played, the table's own
    verdict decides.
    """
    return _verdict(event, _evidence(state, event))


def _verdict(event: WildDrawFourChallenged, evidence: bool | None) -> bool | None:
    told = event.guilty
    if told is not None and (evidence is None or event.as_played):
        return told
    return evidence


def breaches_of_challenge(state: State, event: WildDrawFourChallenged) -> tuple[Violation, ...]:
    """Return the violations of a challenge that contradicts the book.

    It may tell another verdict, another number of cards, or other points.
    """
    suspect = _suspect(table_of(state))
    found: tuple[Violation, ...] = ()
    book = card_count(suspect.hand)
    if event.hand is not None and len(event.hand) != book:
        facts = {"player": suspect.player, "cards": len(event.hand), "book": book}
        found = (Violation(clause=COUNT, reason="cards-left", facts=facts),)
    evidence = _evidence(state, event)
    if event.guilty is not None and evidence is not None and event.guilty != evidence:
        edition = state.edition
        clause = edition.shared.last_challenge if suspect.last else edition.challenge.clause
        facts = {"player": suspect.player, "by": event.by}
        found = (
            *found,
            Violation(clause=clause, reason="verdict-contradicts-hand", facts=facts),
        )
    if state.options.caught_counts and _verdict(event, evidence):
        hand = hand_judged(suspect, event)
        found = (*found, *points_contradict(state, suspect.player, hand, event.points))
    return found


def flags_of_challenge(state: State, event: WildDrawFourChallenged) -> tuple[Violation, ...]:
    """Return the violation of the earlier play, if the challenge shows that it was a bluff.

    There is none if the cards prove innocence, or if the play was flagged before.
    """
    suspect = _suspect(table_of(state))
    if suspect.flagged:
        return ()
    evidence = _evidence(state, event)
    if evidence is False or not _verdict(event, evidence):
        return ()
    return (bluff_violation(state, suspect.player),)


def challenge(state: State, event: WildDrawFourChallenged) -> None:
    """Carry out a challenge.

    A guilty player draws, and the challenger plays. If the player is innocent, the challenger draws
    more than the penalty.
    """
    table = table_of(state).copy()
    suspect = _suspect(table)
    guilty = verdict(state, event)
    table.suspect = table.blow = table.misplayed = None
    if event.hand is not None:
        _show(table, suspect, event.hand)
    cited = state.edition.challenge
    table.debts = tuple(d for d in table.debts if not (d.hit and d.player == event.by))
    if not guilty:
        count = cited.value.innocent_draws + suspect.beyond
        owe_draw(table, event.by, count, cited.clause, hit=True)
        state.lay_out(table)
        return
    hand = hand_judged(suspect, event)
    if cited.value.taken_back:
        _take_back(table, suspect, state.edition.caught_draws.clause)
        if table.over:
            # The table holds a last card against its player, who has it in the hand again.
            table.over, table.winners = False, ()
            state.phase = "playing"
    if not table.over:
        give_turn(table, event.by)
    if not charge(state, table, suspect.player, hand, event.points):
        count = cited.value.guilty_draws + suspect.beyond
        owe_draw(table, suspect.player, count, cited.clause)
    state.lay_out(table)


def _show(table: Table, suspect: Suspect, shown: tuple[Card, ...]) -> None:
    """Make the shown hand known, beside the cards that were drawn since the play."""
    now = table.hands[suspect.player]
    since = max(0, card_count(now) - card_count(suspect.hand))
    if not since:
        set_hand(table, suspect.player, Hand(shown, 0))
        return
    drawn = without(now.known, suspect.hand.known)
    # If more cards are known than were drawn, the whole hand was shown since.
    known = (*shown, *drawn) if len(drawn) <= since else now.known
    set_hand(table, suspect.player, Hand(known, len(shown) + since - len(known)))


def _take_back(table: Table, suspect: Suspect, uno: str) -> None:
    """Take the challenged card back into its player's hand, and undo its effects (H-CHALLENGE).

    `uno`: the clause of the penalty for a forgotten UNO. A debt by this clause lapses. It comes
    from this card, because earlier debts were paid before the play.
    """
    player = suspect.player
    table.debts = tuple(d for d in table.debts if (d.player, d.clause) != (player, uno))
    back = _uncover(table, suspect)
    table.laid = False
    set_hand(table, player, hand_with(table.hands[player], (suspect.card,) * back))
    table.color = suspect.color
    table.color_pending = None
    owe_no_call(table, player)
    table.called -= {player}


def _uncover(table: Table, suspect: Suspect) -> int:
    """Take the challenged cards from the discard pile, and return how many were found.

    If the cards under the top one were shuffled, they are taken from the draw pile, as long as
    everybody can see that they must still be in it. Otherwise they stay where they are, since
    somebody may have drawn them.
    """
    if suspect.shuffled == 0:
        table.discards = table.discards[: len(table.discards) - suspect.count]
        return suspect.count
    table.discards = table.discards[:-1]
    if suspect.shuffled is None:
        # A viewer can't say either which of the cards that were not shuffled lies on top now.
        table.discards, table.buried = (), table.buried + len(table.discards)
        return 1
    if height(table.pile) < suspect.shuffled:
        return 1
    for _ in range(1, suspect.count):
        table.pile = pile_without(table.pile, suspect.card)
    if suspect.top is not None:
        table.pile = pile_without(table.pile, suspect.top)
        table.discards = (*table.discards, suspect.top)
    return suspect.count


def _suspect(table: Table) -> Suspect:
    if table.suspect is None:
        raise ValueError("no challenge is open: the entries are not the book's")
    return table.suspect


def _with_verdict(
    state: State, event: WildDrawFourChallenged, left: WildDrawFourChallenged
) -> WildDrawFourChallenged:
    """Return what viewers get of a challenge, with the verdict and the points that were counted.

    Everybody has seen and heard these.
    """
    guilty = verdict(state, event)
    suspect = table_of(state).suspect
    hand = hand_judged(suspect, event) if suspect is not None and guilty else None
    return replace(left, guilty=guilty, points=points_seen(state, hand, event.points))


WILD_DRAW_FOUR_CHALLENGED: Final = EventRule(
    event=WildDrawFourChallenged,
    names=("by",),
    phases=PLAYING_OR_OUT,
    refuse=refused_challenge,
    breach=breaches_of_challenge,
    flag=flags_of_challenge,
    evolve=challenge,
    flags_earlier=True,
    # By most booklets, only the challenger sees the hand.
    hides=without_fields("hand"),
    reveals=_with_verdict,
)
