"""What is said of draws, passes, calls and hands that are shown."""

from collections.abc import Iterator

from scorekeeper.match.events.card_events import (
    AccusationMade,
    AdviceCalled,
    CardPlayed,
    CardsDrawn,
    FirstCardTurned,
    HandCounted,
    HandShown,
    MisplayCalled,
    PileReshuffled,
    TurnPassed,
    UnoCalled,
    UnoCaught,
    WildDrawFourChallenged,
)
from scorekeeper.match.events.events import Event
from scorekeeper.match.table.hand import worth
from scorekeeper.match.table.pile import height
from scorekeeper.match.table.table import Debt, owed
from scorekeeper.match.turns.challenges import verdict
from scorekeeper.match.turns.draws import beyond_debt
from scorekeeper.projections.applied import paid
from scorekeeper.projections.moment import Moment
from scorekeeper.projections.saying import Fact, Said, Saying, say

Sentences = Iterator[Said]


def draw(moment: Moment, event: CardsDrawn) -> Sentences:
    """One sentence for each debt that is paid, one for what is drawn beyond."""
    table, player = moment.table, event.player
    due = owed(table, player)
    for place, debt, count in paid(table, event):
        yield _owed_since(moment.causes[place], debt, count)
    beyond = beyond_debt(table, event)
    if beyond:
        clause = moment.before.edition.draws_without_match.clause
        yield say("draws", player=player, count=beyond, clause=clause)
    if event.cards:
        yield say("drawn-cards", cards=event.cards)
    if event.number < due:
        if event.as_played:
            yield say("draws-settled", player=player)
        elif moment.now.available:
            yield say("draws-still", player=player, count=due - event.number)


def _owed_since(cause: Event, debt: Debt, count: int) -> Said:
    owed_by: dict[str, Fact] = {"player": debt.player, "count": count, "clause": debt.clause}
    match cause:
        case CardPlayed(player=by, card=card):
            return Said("draws-owed-play", {**owed_by, "by": by, "card": card})
        case FirstCardTurned(card=card):
            return Said("draws-owed-turned-up", {**owed_by, "card": card})
        case UnoCaught():
            return Said("draws-owed-uno", owed_by)
        case WildDrawFourChallenged(by=by):
            innocent = by == debt.player
            return Said("draws-owed-innocent" if innocent else "draws-owed-guilty", owed_by)
        case MisplayCalled():
            return Said("draws-owed-misplay", owed_by)
        case AdviceCalled():
            return Said("draws-owed-advice", owed_by)
        case AccusationMade():
            return Said("draws-owed-accusation", owed_by)
        case _:
            return Said("draws-owed", owed_by)


def passing(moment: Moment, event: TurnPassed) -> Sentences:
    clause = moment.before.edition.draws_without_match.clause
    yield say("passes", player=event.player, turn=moment.now.turn, clause=clause)


def uno_call(moment: Moment, event: UnoCalled) -> Sentences:
    if event.player in moment.table.owing:
        clause = moment.before.edition.uno.clause
        yield say("calls-uno-in-time", player=event.player, clause=clause)
    else:
        yield say("calls-uno", player=event.player)


def catch(moment: Moment, event: UnoCaught) -> Sentences:
    clause = moment.before.edition.uno.clause
    if event.player not in moment.table.owing or event.by == event.player:
        yield say("caught-in-vain", by=event.by, player=event.player, clause=clause)
        return
    yield say("caught", by=event.by, player=event.player, clause=clause)
    yield from _charges(moment)
    yield from _new_debts(moment)


def challenge(moment: Moment, event: WildDrawFourChallenged) -> Sentences:
    edition, suspect = moment.before.edition, moment.table.suspect
    if suspect is None:
        return
    said: dict[str, Fact] = {"by": event.by, "player": suspect.player, "card": suspect.card}
    if verdict(moment.before, event):
        yield Said("challenge-guilty", {**said, "clause": edition.challenge.clause})
        if edition.challenge.value.taken_back:
            yield say("taken-back", player=suspect.player, card=suspect.card)
        yield from _charges(moment)
        yield from _new_debts(moment)
        if moment.now.turn is not None:
            yield say("on-turn", player=moment.now.turn)
        return
    if suspect.last:
        yield Said("challenge-last", {**said, "clause": edition.last_challenge.clause})
    else:
        yield Said("challenge-innocent", {**said, "clause": edition.challenge.clause})
    yield from _new_debts(moment)


def _charges(moment: Moment) -> Sentences:
    for player, points in moment.now.charges.items():
        counted = points - moment.table.charges.get(player, 0)
        if counted or player not in moment.table.charges:
            yield say("charged", player=player, points=counted)
    left = moment.now.out[len(moment.table.out) :]
    if left:
        yield say("leaves", players=left)


def _new_debts(moment: Moment) -> Sentences:
    earlier = list(moment.table.debts)
    for debt in moment.now.debts:
        if debt in earlier:
            earlier.remove(debt)
        elif debt.kind == "draw":
            saying: Saying = "must-draw-and-skip" if debt.hit else "must-draw"
            yield Said(saying, {"player": debt.player, "count": debt.count})


def misplay(moment: Moment, event: MisplayCalled) -> Sentences:
    misplayed = moment.table.misplayed
    clause = moment.before.edition.misplay.clause
    if misplayed is not None:
        player, card = misplayed.player, misplayed.card
        yield say("misplay", by=event.by, player=player, card=card, clause=clause)
    yield from _new_debts(moment)
    if moment.now.turn is not None:
        yield say("on-turn", player=moment.now.turn)


def advice(moment: Moment, event: AdviceCalled) -> Sentences:
    cited = moment.before.edition.advice_draws
    yield say("advice", by=event.by, player=event.player, clause=cited.clause if cited else None)
    yield from _new_debts(moment)


def accusation(moment: Moment, event: AccusationMade) -> Sentences:
    cited = moment.before.edition.accusation_draws
    yield say(
        "accusation", by=event.by, player=event.player, clause=cited.clause if cited else None
    )
    yield from _new_debts(moment)


def reshuffle(moment: Moment, event: PileReshuffled) -> Sentences:
    del event
    clause = moment.before.edition.reshuffle.clause
    yield say("reshuffled", top=moment.now.top, count=height(moment.now.pile), clause=clause)


def show(moment: Moment, event: HandShown) -> Sentences:
    if not event.cards:
        yield say("shows-none", player=event.player)
        return
    yield say("shows", player=event.player, cards=event.cards)
    if moment.before.phase == "showing_hands" and not moment.before.mode.rounds_decide:
        points = worth(moment.before.box, moment.now.hands[event.player])
        yield say("worth", points=points, clause=moment.before.edition.points.clause)


def count(moment: Moment, event: HandCounted) -> Sentences:
    clause = moment.before.edition.points.clause
    yield say("counts", player=event.player, points=event.points, clause=clause)
