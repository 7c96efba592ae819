"""How hands at the end of a round, its score, and the end of a match are narrated."""

from typing import Final

from scorekeeper.match.events.card_events import HandCounted, HandShown
from scorekeeper.match.events.events import (
    MatchAbandoned,
    MatchClosed,
    MatchWon,
    RoundEnded,
    RoundTallied,
    RoundVoided,
)
from scorekeeper.match.known_cards import worth
from scorekeeper.match.state import State, running_round
from scorekeeper.match.turns.shown import COUNT
from scorekeeper.projections.narration.narration import (
    Clauses,
    Moment,
    Narration,
    Saying,
    Sentence,
    Sentences,
    sentence,
    where_listed,
)
from scorekeeper.projections.narration.next_dealer import who_deals, who_deals_on
from scorekeeper.projections.scores import ScoreSummand, score_parts, scoring_clauses


def _hand_cited(moment: Moment[HandShown | HandCounted]) -> Clauses:
    if moment.before.phase == "showing_hands":
        yield moment.edition.points.clause
    event = moment.event
    if isinstance(event, HandShown) or event.cards_left is not None:
        yield from where_listed(moment.edition, COUNT)


def _show(moment: Moment[HandShown]) -> Sentences:
    event, before = moment.event, moment.before
    if not event.cards:
        yield sentence("shows-none", player=event.player)
        return
    yield sentence("shows", player=event.player, cards=event.cards)
    if before.phase == "showing_hands" and not before.mode.rounds_decide:
        points = worth(before.box, moment.now.hands[event.player])
        yield sentence("worth", points=points, clause=moment.edition.points.clause)


def _count(moment: Moment[HandCounted]) -> Sentences:
    event, clause = moment.event, moment.edition.points.clause
    yield sentence("counts", player=event.player, points=event.points, clause=clause)


def _tally_cited(moment: Moment[RoundTallied]) -> Clauses:
    edition, event = moment.edition, moment.event
    yield edition.shared.round_end
    if event.hands and not moment.after.mode.rounds_decide:
        yield edition.points.clause
    if len(event.winners) > 1:
        yield edition.joint_winner_cards.clause
    yield from scoring_clauses(moment.after)


def _tally(moment: Moment[RoundTallied]) -> Sentences:
    event = moment.event
    yield sentence("tallied", players=event.winners, clause=moment.edition.shared.round_end)
    if event.scores is not None:
        yield sentence("tallied-scores")
    if moment.before.running is not None:
        yield sentence("tallied-on-top")
    charges, counted = event.charges or {}, moment.before.charges
    for player in moment.after.seating:
        if player in charges:
            # The points of a tally replace those that were counted at catches before.
            saying: Saying = "charged-in-all" if player in counted else "charged"
            yield Sentence(saying, {"player": player, "points": charges[player]})


def _void_cited(moment: Moment[RoundVoided]) -> Clauses:
    yield from who_deals(moment.after)


def _void(moment: Moment[RoundVoided]) -> Sentences:
    event = moment.event
    yield sentence("voided-redealt" if event.redealt else "voided", reason=event.reason)
    yield from _who_stays(moment)


def _end_cited(moment: Moment[RoundEnded]) -> Clauses:
    edition = moment.edition
    yield from scoring_clauses(moment.before)
    if not moment.before.mode.rounds_decide and not _are_scores_told(moment.before):
        yield edition.points.clause
    if len(moment.event.winners) > 1:
        yield edition.joint_winner_cards.clause
    yield from who_deals_on(moment.after)


def _are_scores_told(state: State) -> bool:
    """Return whether a tally told the scores, so that no hand is known to have been counted."""
    tally = state.running.tally if state.running else None
    return tally is not None and tally.scores is not None


def _end(moment: Moment[RoundEnded]) -> Sentences:
    before, event = moment.before, moment.event
    clause = moment.edition.modes[before.mode.name].clause
    if event.winners:
        yield sentence("round-won", round=event.round, players=event.winners, clause=clause)
    else:
        yield sentence("round-won-by-nobody", round=event.round, clause=clause)
    if before.mode.rounds_decide:
        yield sentence("no-points", clause=clause)
        return
    scored = score_parts(before, event)
    nothing = tuple(player for player, parts in scored.items() if not parts)
    for player, parts in scored.items():
        if not parts:
            continue
        if any(part.kind == "told" for part in parts):
            yield sentence("score-told", player=player, score=event.scores[player])
        else:
            sum_ = tuple(_summand(part) for part in parts)
            yield sentence("score", player=player, score=event.scores[player], sum=sum_)
    if nothing:
        yield sentence("score-nothing", players=nothing)
    yield sentence("totals", totals=moment.after.totals)
    known = (*before.eliminated, *_left_when_caught(before))
    left = tuple(player for player in moment.after.eliminated if player not in known)
    if left:
        yield sentence("leaves", players=left)
    yield from _who_stays(moment)


def _who_stays(moment: Moment[RoundEnded | RoundVoided]) -> Sentences:
    """Say who was out by a catch that does not count after all."""
    caught, out = _left_when_caught(moment.before), moment.after.eliminated
    staying = tuple(player for player in caught if player not in out)
    if staying:
        yield sentence("stays", players=staying)


def _left_when_caught(state: State) -> tuple[str, ...]:
    """Return the players who left in the running round when they were caught."""
    return running_round(state).caught_out if state.table is None else state.table.out


def _summand(part: ScoreSummand) -> Sentence:
    if part.kind == "charge":
        return sentence("part-charge", points=part.points)
    saying: Saying = "part-hand" if part.points >= 0 else "part-hand-lost"
    return Sentence(saying, {"player": part.player, "points": abs(part.points)})


def _close(_moment: Moment[MatchClosed]) -> Sentences:
    yield sentence("closed")


def _abandon(moment: Moment[MatchAbandoned]) -> Sentences:
    yield sentence("abandoned", reason=moment.event.reason)


def _decision_cited(moment: Moment[MatchClosed | MatchWon]) -> Clauses:
    yield from scoring_clauses(moment.before)
    after = moment.after
    if sum(any(player in after.winners for player in side) for side in after.sides) > 1:
        yield moment.edition.shared.tie


def _win(moment: Moment[MatchWon]) -> Sentences:
    before, event = moment.before, moment.event
    clause = moment.edition.modes[before.mode.name].clause
    winner = event.winners[0]
    if before.mode.rounds_decide:
        rounds = next(before.sides_won[side[0]] for side in before.sides if winner in side)
        yield sentence("match-won-rounds", players=event.winners, rounds=rounds, clause=clause)
    else:
        points = event.totals[winner]
        yield sentence("match-won", players=event.winners, points=points, clause=clause)


HAND_SHOWN: Final = Narration(event=HandShown, cites=_hand_cited, says=_show)
HAND_COUNTED: Final = Narration(event=HandCounted, cites=_hand_cited, says=_count)
ROUND_TALLIED: Final = Narration(event=RoundTallied, cites=_tally_cited, says=_tally)
ROUND_VOIDED: Final = Narration(event=RoundVoided, cites=_void_cited, says=_void)
ROUND_ENDED: Final = Narration(event=RoundEnded, cites=_end_cited, says=_end)
MATCH_CLOSED: Final = Narration(event=MatchClosed, cites=_decision_cited, says=_close)
MATCH_ABANDONED: Final = Narration(event=MatchAbandoned, says=_abandon)
MATCH_WON: Final = Narration(event=MatchWon, cites=_decision_cited, says=_win)
