"""How calls are narrated, as well as catches, challenges, misplays, advice and accusations."""

from typing import Final

from scorekeeper.match.events.card_events import (
    AccusationMade,
    AdviceCalled,
    MisplayCalled,
    UnoCalled,
    UnoCaught,
    WildDrawFourChallenged,
)
from scorekeeper.match.events.events import Event
from scorekeeper.match.table import Suspect
from scorekeeper.match.turns.challenges import verdict
from scorekeeper.projections.narration.narration import (
    Clauses,
    Fact,
    Moment,
    Narration,
    Saying,
    Sentence,
    Sentences,
    sentence,
    where_listed,
)
from scorekeeper.projections.scores import newly_charged
from scorekeeper.rules.cards import WILD_DRAW_FOUR

UNO: Final = "X-UNO"


def _call_cited(moment: Moment[UnoCalled]) -> Clauses:
    yield moment.edition.uno.clause


def _call(moment: Moment[UnoCalled]) -> Sentences:
    player = moment.event.player
    if player in moment.table.owing:
        yield sentence("calls-uno-in-time", player=player, clause=moment.edition.uno.clause)
    else:
        yield sentence("calls-uno", player=player)


def _catch_cited(moment: Moment[UnoCaught]) -> Clauses:
    yield moment.edition.uno.clause
    if _in_vain(moment):
        yield from where_listed(moment.edition, UNO)
    else:
        yield moment.edition.caught_draws.clause
    yield from _charges_cited(moment)


def _in_vain(moment: Moment[UnoCaught]) -> bool:
    event = moment.event
    return event.player not in moment.table.owing or event.by == event.player


def _catch(moment: Moment[UnoCaught]) -> Sentences:
    event, clause = moment.event, moment.edition.uno.clause
    if _in_vain(moment):
        saying: Saying = "caught-oneself" if event.by == event.player else "caught-in-vain"
        yield Sentence(saying, {"by": event.by, "player": event.player, "clause": clause})
        return
    yield sentence("caught", by=event.by, player=event.player, clause=clause)
    yield from _charges(moment)
    yield from _new_debts(moment)


def _challenge_cited(moment: Moment[WildDrawFourChallenged]) -> Clauses:
    edition, suspect = moment.edition, moment.table.suspect
    yield edition.challenge.clause
    if suspect is not None and suspect.last:
        yield edition.shared.last_challenge
    else:
        yield edition.wild_draw_four_legal.clause
    if suspect is not None:
        yield from _more_than_one_cited(moment, suspect)
    yield from _charges_cited(moment)


def _more_than_one_cited(moment: Moment[Event], suspect: Suspect) -> Clauses:
    """Yield what makes the penalty more than that of a single card."""
    house = moment.edition.house
    clauses = {debt.clause for debt in moment.table.debts if debt.player == suspect.challenger}
    if house.stacks and house.stacks.clause in clauses:
        yield house.stacks.clause
    if house.at_once and suspect.count > 1:
        yield house.at_once.clause


def _challenge(moment: Moment[WildDrawFourChallenged]) -> Sentences:
    edition, suspect = moment.edition, moment.table.suspect
    if suspect is None:
        return
    said: dict[str, Fact] = {
        "by": moment.event.by,
        "player": suspect.player,
        "card": suspect.card,
    }
    if verdict(moment.before, moment.event):
        yield Sentence("challenge-guilty", {**said, "clause": edition.challenge.clause})
        if edition.challenge.value.taken_back:
            yield sentence("taken-back", player=suspect.player, card=suspect.card)
        yield from _charges(moment)
        yield from _new_debts(moment)
        yield from _on_turn(moment)
        return
    if suspect.last:
        yield Sentence("challenge-last", {**said, "clause": edition.shared.last_challenge})
    else:
        yield Sentence("challenge-innocent", {**said, "clause": edition.challenge.clause})
    yield from _new_debts(moment)


def _misplay_cited(moment: Moment[MisplayCalled]) -> Clauses:
    edition, misplayed = moment.edition, moment.table.misplayed
    yield edition.misplay.clause
    if edition.house.bluff and misplayed is not None and misplayed.card == WILD_DRAW_FOUR:
        yield edition.house.bluff.clause
    yield edition.shared.misplay_window


def _misplay(moment: Moment[MisplayCalled]) -> Sentences:
    misplayed, by = moment.table.misplayed, moment.event.by
    clause = moment.edition.misplay.clause
    if misplayed is not None:
        player, card = misplayed.player, misplayed.card
        yield sentence("misplay", by=by, player=player, card=card, clause=clause)
    yield from _new_debts(moment)
    yield from _on_turn(moment)


def _advice_cited(moment: Moment[AdviceCalled]) -> Clauses:
    cited = moment.edition.advice_draws
    if cited is not None:
        yield cited.clause


def _advice(moment: Moment[AdviceCalled]) -> Sentences:
    event, cited = moment.event, moment.edition.advice_draws
    yield sentence(
        "advice", by=event.by, player=event.player, clause=cited.clause if cited else None
    )
    yield from _new_debts(moment)


def _accusation_cited(moment: Moment[AccusationMade]) -> Clauses:
    cited = moment.edition.accusation_draws
    if cited is not None:
        yield cited.clause


def _accusation(moment: Moment[AccusationMade]) -> Sentences:
    event, cited = moment.event, moment.edition.accusation_draws
    clause = cited.clause if cited else None
    yield sentence("accusation", by=event.by, player=event.player, clause=clause)
    yield from _new_debts(moment)


def _charges_cited(moment: Moment[Event]) -> Clauses:
    now = moment.after.table
    if now is not None and now.charges != moment.table.charges:
        yield moment.edition.modes[moment.before.mode.name].clause
        yield moment.edition.points.clause


def _charges(moment: Moment[Event]) -> Sentences:
    for player, points in newly_charged(moment.table, moment.now):
        yield sentence("charged", player=player, points=points)
    left = moment.now.out[len(moment.table.out) :]
    if left:
        yield sentence("leaves", players=left)


def _new_debts(moment: Moment[Event]) -> Sentences:
    earlier = list(moment.table.debts)
    for debt in moment.now.debts:
        if debt in earlier:
            earlier.remove(debt)
        elif debt.kind == "draw":
            saying: Saying = "must-draw-and-skip" if debt.hit else "must-draw"
            yield Sentence(saying, {"player": debt.player, "count": debt.count})


def _on_turn(moment: Moment[Event]) -> Sentences:
    if moment.now.turn is not None:
        yield sentence("on-turn", player=moment.now.turn)


UNO_CALLED: Final = Narration(event=UnoCalled, cites=_call_cited, says=_call)
UNO_CAUGHT: Final = Narration(event=UnoCaught, cites=_catch_cited, says=_catch)
WILD_DRAW_FOUR_CHALLENGED: Final = Narration(
    event=WildDrawFourChallenged, cites=_challenge_cited, says=_challenge
)
MISPLAY_CALLED: Final = Narration(event=MisplayCalled, cites=_misplay_cited, says=_misplay)
ADVICE_CALLED: Final = Narration(event=AdviceCalled, cites=_advice_cited, says=_advice)
ACCUSATION_MADE: Final = Narration(event=AccusationMade, cites=_accusation_cited, says=_accusation)
