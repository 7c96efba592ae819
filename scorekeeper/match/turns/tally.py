"""A round that is told as a whole: what follows from its tally, and which tallies can't be true."""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Final

from msgspec.structs import replace

from scorekeeper.match.events.events import RoundTallied, TalliedHand
from scorekeeper.match.events.refusal import Refusal, Violation, impossible
from scorekeeper.match.knowledge import Reach, beyond_box, groups, reach, too_many
from scorekeeper.match.known_cards import NO_CARDS, UNTOLD, Hand, Hands
from scorekeeper.match.state import State, not_staying
from scorekeeper.match.table import set_hand
from scorekeeper.match.turns.closing import (
    caught_out,
    charges_with,
    left_after,
    points_contradict,
    sides_of,
)
from scorekeeper.match.turns.dealing import begin_round
from scorekeeper.match.turns.event_rule import BETWEEN_ROUNDS, IN_A_ROUND, EventRule
from scorekeeper.match.turns.shown import COUNT, hand_contradicts
from scorekeeper.rules.cards import Box, Card
from scorekeeper.rules.scoring import HandSum


def refused_tally(state: State, tally: RoundTallied) -> Refusal | None:
    """Why the tally can't be true."""
    refused = _refused_names(state, tally) or _refused_charges(state, tally)
    if refused is not None:
        return refused
    left = left_after(state, charges_with(state, tally))
    return (
        _refused_winners(tally.winners, left)
        or _refused_sheet(state, tally, left)
        or _refused_beside_book(state, tally, left)
    )


def _refused_names(state: State, tally: RoundTallied) -> Refusal | None:
    refused = None if tally.dealer is None else not_staying(state, tally.dealer, "dealer")
    named = (
        ("winners", tally.winners),
        ("charges", tally.charges),
        ("hands", tally.hands),
        ("scores", tally.scores),
    )
    for field, players in named:
        for player in players or ():
            refused = refused or not_staying(state, player, field)
    return refused


def _refused_charges(state: State, tally: RoundTallied) -> Refusal | None:
    if not tally.charges:
        return None
    if not state.options.caught_counts:
        return impossible("charges-not-in-mode", mode=state.mode.name)
    if tally.scores is not None:
        return impossible("charges-with-scores")
    for player, points in tally.charges.items():
        if points < 0:
            return impossible("points-negative", player=player, points=points)
    return None


def _refused_winners(winners: tuple[str, ...], left: Collection[str]) -> Refusal | None:
    if not winners or len(set(winners)) < len(winners):
        return impossible("winners-invalid", winners=winners)
    for player in winners:
        if player not in left:
            return impossible("player-eliminated", player=player, field="winners")
    return None


def _refused_sheet(state: State, tally: RoundTallied, left: Collection[str]) -> Refusal | None:
    if tally.scores is not None:
        if tally.hands is not None:
            return impossible("hands-or-scores")
        return _refused_scores(state, tally.winners, tally.scores)
    hands = tally.hands or {}
    counted = state.mode.counted(sides_of(state, left), tally.winners)
    missing = [player for player in counted if player not in hands]
    if missing:
        return impossible(
            "hands-or-scores" if tally.hands is None else "hand-missing", players=tuple(missing)
        )
    return _refused_hands(state.box, hands, tally.winners, left)


def _refused_hands(
    box: Box, hands: Mapping[str, TalliedHand], winners: Collection[str], left: Collection[str]
) -> Refusal | None:
    held: dict[str, TalliedHand] = {}
    discarded: dict[str, TalliedHand] = {}
    for player, hand in hands.items():
        won = player in winners
        refused = _refused_hand(player, hand, won=won)
        if refused is not None:
            return refused
        if player not in left:
            # The hand went under the discard pile. So its cards may have been drawn again.
            discarded[player] = hand
        elif not won:
            held[player] = hand
    refused = _refused_cards(box, held)
    for player, hand in discarded.items():
        refused = refused or _refused_cards(box, {player: hand})
    return refused


def _refused_hand(player: str, hand: TalliedHand, *, won: bool) -> Refusal | None:
    if hand.points is not None and hand.points < 0:
        return impossible("points-negative", player=player, points=hand.points)
    if won:
        if hand.cards or hand.cards_left or hand.points:
            return impossible("winner-has-cards", player=player)
    elif hand.cards == () or hand.cards_left == 0:
        return impossible("loser-without-cards", player=player)
    return None


def _refused_cards(box: Box, hands: Mapping[str, TalliedHand]) -> Refusal | None:
    """Return a refusal if one box can't hold all these hands at once. No hand is empty."""
    cards_told: list[Card] = []
    by_points: dict[str, TalliedHand] = {}
    for player, hand in hands.items():
        if hand.cards is None:
            by_points[player] = hand
        else:
            cards_told += hand.cards
    listed: Mapping[Card, int] = Counter(cards_told) if cards_told else {}
    if any(count > box.counts.get(card, 0) for card, count in listed.items()):
        return beyond_box(box, {player: hand.cards or () for player, hand in hands.items()})
    return _refused_points(reach(groups(box, listed)), by_points) if by_points else None


def _refused_points(left: Reach, hands: Mapping[str, TalliedHand]) -> Refusal | None:
    """Return a refusal if the cards left in the box can't be worth these hands.

    Each hand is judged alone, and then all of them together.
    """
    together = fewest = 0
    counted = True
    for player, hand in hands.items():
        points, cards = hand.points or 0, hand.cards_left
        if not left.holds(points, at_least=cards or 1, at_most=cards):
            return impossible("points-impossible", player=player, points=points, cards_left=cards)
        together += points
        fewest += cards or 1
        if cards is None:
            counted = False
    if not left.holds(together, at_least=fewest, at_most=fewest if counted else None):
        return impossible("points-exceed-box", points=together, players=tuple(hands))
    return None


def _refused_scores(
    state: State, winners: Collection[str], scores: Mapping[str, int]
) -> Refusal | None:
    missing = tuple(player for player in state.staying if player not in scores)
    if missing:
        return impossible("score-missing", players=missing)
    sides = sides_of(state, state.staying)
    for side in sides:
        if any(scores[player] != scores[side[0]] for player in side):
            return impossible("score-contradicts-mode", players=side, mode=state.mode.name)
    if state.options.caught_counts:
        # Such a score may contain the points of any number of catches besides those of the hand.
        claims = tuple(HandSum(side, scores[side[0]]) for side in sides)
        return _contradiction(state, claims)
    claims = state.mode.claims(sides, winners, scores)
    return _contradiction(state, claims) or _refused_claims(state.box, claims)


def _contradiction(state: State, claims: Collection[HandSum]) -> Refusal | None:
    worth: dict[tuple[str, ...], int] = {}
    for claim in claims:
        if claim.points and not claim.players:
            return impossible("score-contradicts-mode", points=claim.points, mode=state.mode.name)
        if claim.points < 0:
            return impossible(
                "score-contradicts-mode",
                players=claim.players,
                points=claim.points,
                mode=state.mode.name,
            )
        if worth.setdefault(claim.players, claim.points) != claim.points:
            return impossible("scores-do-not-balance", mode=state.mode.name)
    return None


def _refused_claims(box: Box, claims: Collection[HandSum]) -> Refusal | None:
    whole = reach(groups(box, {}))
    for claim in claims:
        hands = len(claim.players)
        if hands and not whole.holds(claim.points, at_least=hands, at_most=None):
            return impossible(
                "points-impossible" if hands == 1 else "points-exceed-box",
                players=claim.players,
                points=claim.points,
            )
    return None


def _refused_beside_book(
    state: State, tally: RoundTallied, left: Collection[str]
) -> Refusal | None:
    """Return why the tally can't be true of a round that was followed card by card."""
    table = state.table
    if state.running is None or table is None:
        return None
    # Some draws and plays may be missing before a tally. Only the cards that were laid are sure to
    # lie where the book has them.
    after = table.copy()
    after.pile = ()
    for player in table.hands:
        set_hand(after, player, NO_CARDS)
    listed: list[Card] = []
    for player, told in (tally.hands or {}).items():
        if told.cards is None or player not in left or player not in table.hands:
            continue
        refused = hand_contradicts(player, table.hands[player], told.cards)
        if refused is not None:
            return refused
        set_hand(after, player, Hand(told.cards, 0))
        listed += told.cards
    return too_many(state.box, after, listed)


def breaches_of_tally(state: State, tally: RoundTallied) -> tuple[Violation, ...]:
    """Return the violations of a tally.

    There is one for joint winners if no card of the box can empty several hands at once. There is
    one for each hand with another number of cards, or with other points, than in the book.
    """
    found: list[Violation] = []
    joint = state.edition.joint_winner_cards
    if len(tally.winners) > 1 and not (
        joint.value & state.box.counts.keys() or state.options.extra_cards
    ):
        found.append(
            Violation(clause=joint.clause, reason="joint-winners", facts={"winners": tally.winners})
        )
    if state.running is None:
        return tuple(found)
    for player, hand in (tally.hands or {}).items():
        known = state.hands.get(player)
        if known is None:
            continue
        if hand.cards and known.count not in (None, len(hand.cards)):
            facts = {"player": player, "cards": len(hand.cards), "book": known.count}
            found.append(Violation(clause=COUNT, reason="cards-left", facts=facts))
        if player not in tally.winners:
            found.extend(points_contradict(state, player, known, hand.points))
    return tuple(found)


def take_tally(state: State, tally: RoundTallied) -> None:
    """End the play of a round with its tally, whether or not it was followed card by card."""
    charges = charges_with(state, tally)
    if state.running is None:
        state.running = begin_round(state, tally.dealer, tally=tally, charges=charges)
    else:
        dealer = state.dealer = tally.dealer or state.dealer
        state.running = replace(
            state.running,
            dealer=dealer,
            tally=tally,
            charges=charges,
            caught_out=caught_out(state),
        )
    state.hands = _hands_at_end(state, tally)
    state.table = None
    state.phase = "showing_hands"


def _hands_at_end(state: State, tally: RoundTallied) -> Hands:
    """Return what the tally says about each hand, in seating order."""
    told = tally.hands or {}
    winners = tally.winners
    hands: Hands = {}
    for player in state.staying:
        if player in winners:
            hands[player] = NO_CARDS
            continue
        hand = told.get(player)
        if hand is None:
            hands[player] = UNTOLD
        elif hand.cards is not None:
            hands[player] = Hand(hand.cards, 0)
        else:
            hands[player] = Hand((), hand.cards_left, hand.points)
    return hands


def _in_doubt(_state: State, tally: RoundTallied) -> bool:
    return tally.scores is not None


ROUND_TALLIED: Final = EventRule(
    event=RoundTallied,
    names=("winners", "hands", "scores", "dealer", "charges"),
    settles_debts=True,
    phases=BETWEEN_ROUNDS | IN_A_ROUND,
    refuse=refused_tally,
    breach=breaches_of_tally,
    evolve=take_tally,
    doubt=_in_doubt,
)
