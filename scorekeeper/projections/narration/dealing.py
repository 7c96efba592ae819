"""What is told of the opening, of seats, and of the deal."""

from typing import Final

from scorekeeper.match.events.events import (
    DealerDrawn,
    PlayerSubstituted,
    RoundStarted,
    SeatsChanged,
)
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.projections.narration.moment import Moment
from scorekeeper.projections.narration.narration import Clauses, Narration, Sentences
from scorekeeper.projections.narration.sentence import sentence
from scorekeeper.projections.scores import scoring_clauses


def _opening_cited(moment: Moment[MatchOpened]) -> Clauses:
    yield moment.edition.deck.clause
    yield from scoring_clauses(moment.after)


def _opening(moment: Moment[MatchOpened]) -> Sentences:
    event, mode = moment.event, moment.after.mode.name
    yield sentence("match-opened", players=event.players, edition=event.edition, mode=mode)


def _dealer_cited(moment: Moment[DealerDrawn]) -> Clauses:
    yield moment.edition.dealer_draw.clause
    if moment.after.drawing or moment.before.drawing:
        yield moment.edition.shared.dealer_tie


def _dealer(moment: Moment[DealerDrawn]) -> Sentences:
    event, after, clause = moment.event, moment.after, moment.edition.dealer_draw.clause
    if not after.drawing:
        dealer = after.dealer or ""
        yield sentence("dealer-drawn", player=dealer, card=event.draws.get(dealer), clause=clause)
    elif len(after.drawing) == len(event.draws) and moment.before.drawing != after.drawing:
        yield sentence("dealer-none", players=after.drawing, clause=clause)
    else:
        clause = moment.edition.shared.dealer_tie
        yield sentence("dealer-tied", players=after.drawing, clause=clause)


def _seats_cited(moment: Moment[SeatsChanged]) -> Clauses:
    yield moment.edition.shared.first_player
    team_scoring = moment.before.scoring.team_scoring
    if team_scoring is not None:
        yield moment.edition.team_clauses[team_scoring]


def _seats(moment: Moment[SeatsChanged]) -> Sentences:
    yield sentence("seats", players=moment.event.players)


def _substitute(moment: Moment[PlayerSubstituted]) -> Sentences:
    player, substitute = moment.event.player, moment.event.substitute
    if player == substitute:
        yield sentence("substituted-back", player=player)
    else:
        yield sentence("substituted", player=player, substitute=substitute)


def _deal_cited(moment: Moment[RoundStarted]) -> Clauses:
    edition = moment.edition
    yield edition.hand_size.clause
    yield edition.next_dealer.clause if moment.before.round else edition.dealer_draw.clause


def _deal(moment: Moment[RoundStarted]) -> Sentences:
    dealt, after = moment.edition.hand_size, moment.after
    yield sentence(
        "dealt",
        player=after.dealer,
        count=dealt.value,
        players=after.staying,
        clause=dealt.clause,
    )


MATCH_OPENED: Final = Narration(event=MatchOpened, cites=_opening_cited, says=_opening)
DEALER_DRAWN: Final = Narration(event=DealerDrawn, cites=_dealer_cited, says=_dealer)
SEATS_CHANGED: Final = Narration(event=SeatsChanged, cites=_seats_cited, says=_seats)
PLAYER_SUBSTITUTED: Final = Narration(event=PlayerSubstituted, says=_substitute)
ROUND_STARTED: Final = Narration(event=RoundStarted, cites=_deal_cited, says=_deal)
