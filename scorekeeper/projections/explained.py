"""What is said of each step: a sentence or a few, still in no language."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from scorekeeper.match.events.card_events import (
    AccusationMade,
    AdviceCalled,
    CardGiven,
    CardPlayed,
    CardsDrawn,
    ColorNamed,
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
from scorekeeper.match.events.dispute_events import DisputeOpened, DisputeRuled
from scorekeeper.match.events.events import (
    DealerDrawn,
    Event,
    LogAmended,
    MatchAbandoned,
    MatchClosed,
    MatchWon,
    NoteAdded,
    PlayerSubstituted,
    RoundEnded,
    RoundStarted,
    RoundTallied,
    RoundVoided,
    SeatsChanged,
    event_type,
)
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.turns.late import is_late
from scorekeeper.projections.explained_calls import (
    accusation,
    advice,
    catch,
    challenge,
    count,
    draw,
    misplay,
    passing,
    reshuffle,
    show,
    uno_call,
)
from scorekeeper.projections.explained_plays import (
    card_given,
    card_played,
    color_named,
    first_card,
)
from scorekeeper.projections.moment import Moment
from scorekeeper.projections.saying import Said, Saying, in_person, say
from scorekeeper.projections.scores import Part, score_parts

Sentences = Iterator[Said]


def explained(moment: Moment) -> tuple[Said, ...]:
    """At least one sentence, whatever the event is; of the people who sit at the table."""
    said = _said(moment)
    before, after = moment.before.substitutes, moment.after.substitutes
    # Who comes back is called by the column's name at once, who hands over still by the own one.
    sitting = {column: person for column, person in before.items() if column in after}
    return tuple(in_person(one, sitting) for one in said) if sitting else said


def _said(moment: Moment) -> tuple[Said, ...]:
    if not isinstance(moment.event, MatchOpened | LogAmended) and is_late(
        moment.before, moment.event
    ):
        return (say("told-late"),)
    return tuple(EXPLAINED[type(moment.event)](moment, moment.event))


def _opened(moment: Moment, event: MatchOpened) -> Sentences:
    mode = moment.after.mode.name
    yield say("match-opened", players=event.players, edition=event.edition, mode=mode)


def _dealer_drawn(moment: Moment, event: DealerDrawn) -> Sentences:
    after, clause = moment.after, moment.before.edition.dealer_draw.clause
    if not after.drawing:
        dealer = after.dealer or ""
        yield say("dealer-drawn", player=dealer, card=event.draws.get(dealer), clause=clause)
    elif len(after.drawing) == len(event.draws) and moment.before.drawing != after.drawing:
        yield say("dealer-none", players=after.drawing, clause=clause)
    else:
        clause = moment.before.edition.dealer_tie.clause
        yield say("dealer-tied", players=after.drawing, clause=clause)


def _round_started(moment: Moment, event: RoundStarted) -> Sentences:
    del event
    dealt = moment.before.edition.hand_size
    yield say(
        "dealt",
        player=moment.after.dealer,
        count=dealt.value,
        players=moment.after.staying,
        clause=dealt.clause,
    )


def _round_tallied(moment: Moment, event: RoundTallied) -> Sentences:
    yield say("tallied", players=event.winners, clause=moment.before.edition.round_end.clause)
    if event.scores is not None:
        yield say("tallied-scores")
    if moment.before.running is not None:
        yield say("tallied-on-top")
    charges = event.charges or {}
    for player in moment.after.seating:
        if player in charges:
            yield say("charged", player=player, points=charges[player])


def _round_voided(moment: Moment, event: RoundVoided) -> Sentences:
    del moment
    yield say("voided-redealt" if event.redealt else "voided", reason=event.reason)


def _seats_changed(moment: Moment, event: SeatsChanged) -> Sentences:
    del moment
    yield say("seats", players=event.players)


def _player_substituted(moment: Moment, event: PlayerSubstituted) -> Sentences:
    del moment
    if event.player == event.substitute:
        yield say("substituted-back", player=event.player)
    else:
        yield say("substituted", player=event.player, substitute=event.substitute)


def _match_closed(moment: Moment, event: MatchClosed) -> Sentences:
    del moment, event
    yield say("closed")


def _match_abandoned(moment: Moment, event: MatchAbandoned) -> Sentences:
    del moment
    yield say("abandoned", reason=event.reason)


def _note_added(moment: Moment, event: NoteAdded) -> Sentences:
    del moment
    yield say("note", text=event.text)


def _log_amended(moment: Moment, event: LogAmended) -> Sentences:
    del moment
    if event.first is not None:
        last = event.first + event.remove - 1
        if event.remove:
            yield say("amended-out", first=event.first, last=last)
        if event.insert:
            types = tuple(event_type(each) for each in event.insert)
            yield say("amended-in", first=event.first, types=types)
    if event.withdraws:
        yield say("amended-back", versions=tuple(str(version) for version in event.withdraws))
    yield say("amended", reason=event.reason)


def _dispute_opened(moment: Moment, event: DisputeOpened) -> Sentences:
    del moment
    yield say("disputed", by=event.by, round=event.round, claim=event.claim)


def _dispute_ruled(moment: Moment, event: DisputeRuled) -> Sentences:
    dispute = moment.before.disputes.get(event.dispute)
    by = dispute.opened.by if dispute is not None else None
    saying: Saying = "ruling-upheld" if event.ruling == "upheld" else "ruling-rejected"
    yield Said(saying, {"dispute": event.dispute, "by": by, "reason": event.reason})


def _round_ended(moment: Moment, event: RoundEnded) -> Sentences:
    before = moment.before
    clause = before.edition.modes[before.mode.name].clause
    yield say("round-won", round=event.round, players=event.winners, clause=clause)
    if before.mode.rounds_decide:
        yield say("no-points", clause=clause)
        return
    scored = score_parts(before, event)
    nothing = tuple(player for player, parts in scored.items() if not parts)
    for player, parts in scored.items():
        if not parts:
            continue
        if any(part.kind == "told" for part in parts):
            yield say("score-told", player=player, score=event.scores[player])
        else:
            sum_ = tuple(_summand(part) for part in parts)
            yield say("score", player=player, score=event.scores[player], sum=sum_)
    if nothing:
        yield say("score-nothing", players=nothing)
    yield say("totals", totals=moment.after.totals)


def _summand(part: Part) -> Said:
    if part.kind == "charge":
        return say("part-charge", points=part.points)
    saying: Saying = "part-hand" if part.points >= 0 else "part-hand-lost"
    return Said(saying, {"player": part.player, "points": abs(part.points)})


def _match_won(moment: Moment, event: MatchWon) -> Sentences:
    before = moment.before
    clause = before.edition.modes[before.mode.name].clause
    winner = event.winners[0]
    if before.mode.rounds_decide:
        rounds = next(before.sides_won[side[0]] for side in before.sides if winner in side)
        yield say("match-won-rounds", players=event.winners, rounds=rounds, clause=clause)
    else:
        points = event.totals[winner]
        yield say("match-won", players=event.winners, points=points, clause=clause)


EXPLAINED: Final[Mapping[type[Event], Callable[[Moment, Any], Sentences]]] = {
    MatchOpened: _opened,
    DealerDrawn: _dealer_drawn,
    RoundStarted: _round_started,
    RoundTallied: _round_tallied,
    RoundVoided: _round_voided,
    RoundEnded: _round_ended,
    SeatsChanged: _seats_changed,
    PlayerSubstituted: _player_substituted,
    MatchClosed: _match_closed,
    MatchAbandoned: _match_abandoned,
    MatchWon: _match_won,
    NoteAdded: _note_added,
    LogAmended: _log_amended,
    DisputeOpened: _dispute_opened,
    DisputeRuled: _dispute_ruled,
    FirstCardTurned: first_card,
    ColorNamed: color_named,
    CardPlayed: card_played,
    CardsDrawn: draw,
    CardGiven: card_given,
    TurnPassed: passing,
    UnoCalled: uno_call,
    UnoCaught: catch,
    WildDrawFourChallenged: challenge,
    MisplayCalled: misplay,
    AdviceCalled: advice,
    AccusationMade: accusation,
    PileReshuffled: reshuffle,
    HandShown: show,
    HandCounted: count,
}
"""By the type of the event."""
