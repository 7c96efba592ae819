"""How draws, turns that end without a card, and a new draw pile are narrated."""

from typing import Final

from scorekeeper.match.events.card_events import (
    AccusationMade,
    AdviceCalled,
    CardPlayed,
    CardsDrawn,
    FirstCardTurned,
    MisplayCalled,
    PileReshuffled,
    TurnPassed,
    UnoCaught,
    WildDrawFourChallenged,
)
from scorekeeper.match.events.events import Event
from scorekeeper.match.known_cards import height
from scorekeeper.match.table import Debt, Table, beyond_debt, owed
from scorekeeper.projections.narration.narration import (
    Clauses,
    Fact,
    Moment,
    Narration,
    Sentence,
    Sentences,
    sentence,
)


def _paid(table: Table, event: CardsDrawn) -> list[tuple[int, Debt, int]]:
    """Return the debts that a draw pays: their places on the table, and how many cards of each.

    If a draw told as played takes more than all debts, the last one gets the surplus.
    """
    left = event.number
    found: list[tuple[int, Debt, int]] = []
    for place, debt in enumerate(table.debts):
        if debt.kind == "draw" and debt.player == event.player and left:
            found.append((place, debt, min(left, debt.count)))
            left -= min(left, debt.count)
    surplus = left - beyond_debt(table, event)
    if surplus > 0:
        place, debt, count = found[-1]
        found[-1] = (place, debt, count + surplus)
    return found


def _draw_cited(moment: Moment[CardsDrawn]) -> Clauses:
    edition, table, event = moment.edition, moment.table, moment.event
    for _, debt, _ in _paid(table, event):
        yield debt.clause
        if table.over and debt.hit:
            yield edition.last_card_draws.clause
    if beyond_debt(table, event):
        yield edition.draws_without_match.clause
        if table.drawn is None:
            yield edition.keep.clause
    now = moment.after.table
    if now is not None and not now.available and event.number < owed(table, event.player):
        yield edition.shared.short_pile


def _draw(moment: Moment[CardsDrawn]) -> Sentences:
    """Yield a sentence for each debt that is paid, and one for the cards drawn beyond them."""
    event, table = moment.event, moment.table
    player = event.player
    due = owed(table, player)
    for place, debt, count in _paid(table, event):
        yield _owed_since(moment.causes.debts[place].event, debt, count)
    beyond = beyond_debt(table, event)
    if beyond:
        clause = moment.edition.draws_without_match.clause
        yield sentence("draws", player=player, count=beyond, clause=clause)
    if event.cards:
        yield sentence("drawn-cards", cards=event.cards)
    if event.number < due:
        if event.as_played:
            yield sentence("draws-settled", player=player)
        elif moment.now.available:
            yield sentence("draws-still", player=player, count=due - event.number)


def _owed_since(cause: Event, debt: Debt, count: int) -> Sentence:
    owed_by: dict[str, Fact] = {"player": debt.player, "count": count, "clause": debt.clause}
    match cause:
        case CardPlayed(player=by, card=card):
            return Sentence("draws-owed-play", {**owed_by, "by": by, "card": card})
        case FirstCardTurned(card=card):
            return Sentence("draws-owed-turned-up", {**owed_by, "card": card})
        case UnoCaught():
            return Sentence("draws-owed-uno", owed_by)
        case WildDrawFourChallenged(by=by):
            innocent = by == debt.player
            return Sentence("draws-owed-innocent" if innocent else "draws-owed-guilty", owed_by)
        case MisplayCalled():
            return Sentence("draws-owed-misplay", owed_by)
        case AdviceCalled():
            return Sentence("draws-owed-advice", owed_by)
        case AccusationMade():
            return Sentence("draws-owed-accusation", owed_by)
        case _:
            return Sentence("draws-owed", owed_by)


def _pass_cited(moment: Moment[TurnPassed]) -> Clauses:
    yield moment.edition.draws_without_match.clause
    house = moment.edition.house
    if house.plays_drawn and moment.table.drawn is not None:
        yield house.plays_drawn
    if not moment.table.available:
        yield moment.edition.shared.short_pile


def _pass(moment: Moment[TurnPassed]) -> Sentences:
    clause = moment.edition.draws_without_match.clause
    yield sentence("passes", player=moment.event.player, turn=moment.now.turn, clause=clause)


def _reshuffle_cited(moment: Moment[PileReshuffled]) -> Clauses:
    yield moment.edition.shared.reshuffle
    yield moment.edition.shared.short_pile


def _reshuffle(moment: Moment[PileReshuffled]) -> Sentences:
    now, clause = moment.now, moment.edition.shared.reshuffle
    yield sentence("reshuffled", top=now.top, count=height(now.pile), clause=clause)


CARDS_DRAWN: Final = Narration(event=CardsDrawn, cites=_draw_cited, says=_draw)
TURN_PASSED: Final = Narration(event=TurnPassed, cites=_pass_cited, says=_pass)
PILE_RESHUFFLED: Final = Narration(event=PileReshuffled, cites=_reshuffle_cited, says=_reshuffle)
