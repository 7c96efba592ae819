"""The score of a round: hands that count for somebody, and catches.

`unfold` traces it to the hands, the cards and the steps that it comes from.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Literal, TypeAlias

from msgspec import Struct

from scorekeeper.match.events.card_events import HandCounted
from scorekeeper.match.events.events import RoundEnded, RoundTallied
from scorekeeper.match.known_cards import Hand
from scorekeeper.match.state import State, running_round
from scorekeeper.match.table import Table
from scorekeeper.match.turns.closing import left_after, sides_of
from scorekeeper.projections.origins import Arrival, Passed, TracedHands, Ways, traced
from scorekeeper.rules.cards import Card

PartKind: TypeAlias = Literal["hand", "charge", "told"]


class ScoreSummand(Struct, frozen=True):
    """A part of a score. `points` are below 0 if a hand is lost.

    `player`: whose hand it is, or who was caught. The kind `told` is a whole score from an old
    score sheet, whose parts are not known.
    """

    kind: PartKind
    player: str
    points: int


def score_parts(before: State, ended: RoundEnded) -> Mapping[str, tuple[ScoreSummand, ...]]:
    """Return the parts of each player's score, which add up to it.

    Players and parts are in seating order. `before`: the state in which the round ended.
    """
    running, charges = running_round(before), before.charges
    found: dict[str, tuple[ScoreSummand, ...]] = dict.fromkeys(running.seating, ())
    if running.tally is not None and running.tally.scores is not None:
        told = running.tally.scores
        found = {
            player: (ScoreSummand("told", player, told[player]),)
            for player in found
            if player in told
        }
    else:
        _count_hands(before, ended, charges, found)
    for player, points in charges.items():
        found[player] += (ScoreSummand("charge", player, points),)
    return found


def _count_hands(
    before: State,
    ended: RoundEnded,
    charges: Mapping[str, int],
    found: dict[str, tuple[ScoreSummand, ...]],
) -> None:
    """Add to `found` the hands that count in each player's score.

    In every mode, scores are sums over hands, each with a factor. The factor of a hand is the award
    if that hand has one point and the others have none.
    """
    sides = sides_of(before, left_after(before, charges))
    for holder in before.seating:
        points = ended.hand_points.get(holder)
        if points is None or holder in ended.winners:
            continue
        counts = before.mode.award(sides, ended.winners, {holder: 1})
        for player, factor in counts.items():
            if factor:
                found[player] += (ScoreSummand("hand", holder, factor * points),)


def newly_charged(before: Table, after: Table) -> Iterator[tuple[str, int]]:
    """Yield the players caught between two tables, and the points counted against them."""
    for player, points in after.charges.items():
        counted = points - before.charges.get(player, 0)
        if counted or player not in before.charges:
            yield player, counted


def scoring_clauses(state: State) -> Iterator[str]:
    """Yield the clause of the scoring mode, and that of the team scoring if there are teams."""
    yield state.edition.modes[state.mode.name].clause
    if state.scoring.team_scoring is not None:
        yield state.edition.team_clauses[state.scoring.team_scoring]


class CardUnfolded(Struct, frozen=True):
    """A card in a hand at the end of a round.

    `arrivals`: the steps by which the card came into the hand. If they are not `certain`, it came
    by only some of them.
    """

    card: Card
    points: int
    arrivals: tuple[Arrival, ...]
    certain: bool


class HandUnfolded(Struct, frozen=True):
    """A hand at the end of a round.

    `points`: None if they are not known. `told`: the step that told the points instead of the
    cards.
    """

    points: int | None
    cards: tuple[CardUnfolded, ...]
    told: Arrival | None


class ScorePart(Struct, frozen=True):
    """A part of a score. `points` are below 0 if they are lost.

    `player`: whose hand it is, or who was caught. `told`: the step that told the points, None for a
    hand.
    """

    kind: PartKind
    player: str
    points: int
    told: Arrival | None


class ScoreUnfolded(Struct, frozen=True):
    """A player's score of a round, and its parts, which add up to it.

    `total`: the player's total in the match after the round.
    """

    score: int
    parts: tuple[ScorePart, ...]
    total: int


class RoundUnfolded(Struct, frozen=True):
    """The hands and scores of a round by player, in seating order.

    `clauses`: those of the scoring. `points_clause`: the clause of the cards' points.
    """

    clauses: tuple[str, ...]
    points_clause: str
    hands: Mapping[str, HandUnfolded]
    scores: Mapping[str, ScoreUnfolded]


def unfold(passed: Sequence[Passed]) -> RoundUnfolded | None:
    """Return the score of a round, None if it has not ended, or was broken off.

    The last end counts: in the log as recorded, an amendment may have opened the round again.
    """
    for at, one in reversed(list(enumerate(passed))):
        if isinstance(one.event, RoundEnded):
            return _unfolded(passed[:at], one, one.event)
    return None


def _unfolded(led: Sequence[Passed], last: Passed, ended: RoundEnded) -> RoundUnfolded:
    before = last.before
    cards = traced(led)
    charges = _charges(led, before)
    return RoundUnfolded(
        clauses=tuple(scoring_clauses(before)),
        points_clause=before.edition.points.clause,
        hands={
            player: _hand(before, player, ended, cards, led)
            for player in running_round(before).seating
            if player in ended.hand_points
        },
        scores={
            player: ScoreUnfolded(
                score=ended.scores[player],
                parts=tuple(_parts(parts, charges.get(player, ()), led)),
                total=last.after.totals[player],
            )
            for player, parts in score_parts(before, ended).items()
        },
    )


def _parts(
    parts: Iterable[ScoreSummand], charges: Iterable[ScorePart], led: Sequence[Passed]
) -> Iterator[ScorePart]:
    """Yield the parts of a score, with `charges`, one for each catch, in place of their sum."""
    for part in parts:
        if part.kind == "charge":
            yield from charges
        else:
            told = _tally(led) if part.kind == "told" else None
            yield ScorePart(part.kind, part.player, part.points, told)


def _back_to_an_end(led: Sequence[Passed]) -> Iterator[Passed]:
    """Yield the latest steps first, back to an end of the round that an amendment took back."""
    return takewhile(lambda one: not isinstance(one.event, RoundEnded), reversed(led))


def _tally(led: Sequence[Passed]) -> Arrival | None:
    for one in _back_to_an_end(led):
        if isinstance(one.event, RoundTallied):
            return Arrival(one.step, "told")
    return None


def _charges(led: Sequence[Passed], before: State) -> Mapping[str, tuple[ScorePart, ...]]:
    """Return the points counted at each catch, or those of the tally if these differ.

    Catches that an amendment put in, or took out, may have no step.
    """
    found: dict[str, tuple[ScorePart, ...]] = {}
    for one in led:
        if one.before.table is None or one.after.table is None:
            continue
        for player, points in newly_charged(one.before.table, one.after.table):
            part = ScorePart("charge", player, points, Arrival(one.step, "counted"))
            found[player] = (*found.get(player, ()), part)
    for player, points in before.charges.items():
        if sum(part.points for part in found.get(player, ())) != points or player not in found:
            found[player] = (ScorePart("charge", player, points, _tally(led)),)
    return found


def _hand(
    before: State, player: str, ended: RoundEnded, cards: TracedHands, led: Sequence[Passed]
) -> HandUnfolded:
    hand = before.hands.get(player, Hand())
    points = ended.hand_points[player]
    if player in ended.winners:
        return HandUnfolded(points, (), None)
    if hand.points is not None:
        return HandUnfolded(points, (), _counted(player, led))
    tally = _tally(led)
    if tally is not None:
        told: Ways = frozenset({(tally,)})
        return HandUnfolded(points, tuple(_card(before, c, told) for c in hand.known), None)
    lots = list(cards[player].known) if player in cards else []
    unfolded = tuple(_card(before, card, _taken(lots, card)) for card in hand.known)
    return HandUnfolded(points, unfolded, None)


def _taken(lots: list[tuple[Card, Ways]], card: Card) -> Ways:
    for place, (name, ways) in enumerate(lots):
        if name == card:
            del lots[place]
            return ways
    return frozenset()


def _counted(player: str, led: Sequence[Passed]) -> Arrival | None:
    for one in _back_to_an_end(led):
        if isinstance(one.event, HandCounted) and one.event.player == player:
            return Arrival(one.step, "counted")
    return _tally(led)


def _card(before: State, card: Card, ways: Ways) -> CardUnfolded:
    arrivals = sorted({arrival for way in ways for arrival in way})
    return CardUnfolded(card, before.box.points[card], tuple(arrivals), len(ways) == 1)
