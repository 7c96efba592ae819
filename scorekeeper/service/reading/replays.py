"""Replaying a round of a match, put into a language, with who recorded each step."""

from collections.abc import Collection, Iterable, Mapping

import msgspec
from msgspec import UNSET, Struct

from scorekeeper.ledger.entry import Entry, Header
from scorekeeper.match.events.events import Event
from scorekeeper.match.events.fields import Address, Inserted, Told
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.readings.reader import Step
from scorekeeper.projections.narration.narration import Fact, Sentence, sentence
from scorekeeper.projections.origins import Arrival
from scorekeeper.projections.replay import NarratedStep, Replay, replay, replay_as_recorded
from scorekeeper.projections.scoreboard import scoreboard
from scorekeeper.projections.scores import HandUnfolded, RoundUnfolded, ScorePart, ScoreUnfolded
from scorekeeper.rules.edition import Edition
from scorekeeper.service.identity.access import Audience
from scorekeeper.service.reading.entry_presenter import (
    FoldedState,
    PlaceInLog,
    naming,
    place_of,
    violation_views,
)
from scorekeeper.service.reading.matches import MatchSteps, Reading, View, kept_steps
from scorekeeper.service.reading.people import NamesBySlug, Naming, people_in, worded_tag
from scorekeeper.service.reading.replay_views import (
    ClauseText,
    HandsThenNow,
    ReplayItem,
    ReplayView,
    SourceView,
    UnfoldedCard,
    UnfoldedHand,
    UnfoldedPart,
    UnfoldedRound,
    UnfoldedScore,
    VoidedStepView,
)
from scorekeeper.service.refused import not_found
from scorekeeper.service.streams import fold_entries
from scorekeeper.texts.explanations import explanation, joined
from scorekeeper.texts.language import Language, text_in
from scorekeeper.texts.message import message
from scorekeeper.texts.words import Words, words_of


class RecordedAt(Struct, frozen=True):
    """An entry's position in the ledger, and when it was recorded by which token."""

    position: int
    recorded_by: str
    recorded_at: str


class Ledgered(Struct, frozen=True):
    """What only the ledger knows of steps: positions, times and recorders of entries, by version.

    `whole`: in full, the events of which a viewer gets only a part, by their addresses.
    """

    written: Mapping[int, RecordedAt]
    whole: Mapping[Address, Event] = {}


def recorded_by(found: Replay, ledgered: Ledgered) -> Collection[str]:
    """Return the ids of the tokens that recorded the steps of a replay."""
    all_written = (_written(narrated.step.address, ledgered) for narrated in found.steps)
    return {written.recorded_by for written in all_written if written is not None}


def entries_shown(found: Replay) -> Collection[int]:
    """Return the versions of the entries that a replay tells of, or whose positions it shows."""
    steps = [narrated.step for narrated in found.steps]
    own = {version for step in steps if (version := _version_of(step.address)) is not None}
    return own.union(step.after.version for step in steps)


def replay_view(
    found: Replay,
    *,
    match: str,
    ledgered: Ledgered,
    recorders: Mapping[str, str],
    language: Language,
    names: NamesBySlug | None = None,
) -> ReplayView:
    """Put the replay of a round into words.

    `recorders`: the names of the tokens that recorded it. `names`: the names of the players; None
    to call them by their slugs.
    """
    if not found.steps:
        return ReplayView([], None, recorders)
    words = _Words(found.steps[0].step.after.edition, language, names or {})
    places = [place_of(narrated.step.address) for narrated in found.steps]
    return ReplayView(
        items=[
            _item(narrated, place, words, match, ledgered)
            for narrated, place in zip(found.steps, places, strict=True)
        ],
        score=None if found.score is None else _round(found.score, places, words),
        recorders=recorders,
    )


class _Words:
    """The clauses of an edition in one language, each looked up once, and its other words."""

    def __init__(self, edition: Edition, language: Language, names: NamesBySlug) -> None:
        self.language: Language = language
        self._words = words_of(edition.id)
        self._names = names
        self._edition = edition
        self._clauses: dict[str, ClauseText] = {}

    def clause(self, clause_id: str) -> ClauseText:
        known = self._clauses.get(clause_id)
        if known is None:
            words = text_in(self._edition.clause(clause_id).text, self.language)
            known = self._clauses[clause_id] = ClauseText(clause_id, words)
        return known

    def of_columns(self, step: Step) -> Words:
        """Return words for texts about a step. They call a column by the player who sits in it."""
        return self._words.seated(step.before.substitutes).calling(self._names)

    def said(self, said: Sentence) -> str:
        facts = {name: self._fact(fact) for name, fact in said.facts.items()}
        return explanation(said.saying, facts, self.language, self._words.calling(self._names))

    def _fact(self, fact: Fact) -> object:
        """Put a fact into words: the parts of a sum as one text, points by player as a list."""
        if isinstance(fact, tuple):
            parts = [self.said(part) for part in fact if isinstance(part, Sentence)]
            return " + ".join(parts) if parts else fact
        if isinstance(fact, Mapping):
            each = fact.items()
            return [self.said(sentence("part-total", player=who, points=n)) for who, n in each]
        return fact


def _version_of(address: Address) -> int | None:
    """Return the version of the entry in which an event was recorded, None if it is in none."""
    return address.amendment if isinstance(address, Inserted) else address


def _written(address: Address, ledgered: Ledgered) -> RecordedAt | None:
    version = _version_of(address)
    return None if version is None else ledgered.written[version]


def _item(
    narrated: NarratedStep, place: PlaceInLog, words: _Words, match: str, ledgered: Ledgered
) -> ReplayItem:
    step, language, own = narrated.step, words.language, words.of_columns(narrated.step)
    written = _written(step.address, ledgered)
    at = step.event.at if isinstance(step.event, Told) else None
    sentences = [words.said(said) for said in narrated.said]
    voided = None if step.voided is None else _voided(step.voided, language, own)
    if voided is not None:
        sentences.append(voided.message)
    position = ledgered.written[step.after.version].position
    return ReplayItem(
        **place,
        event=_event(step, ledgered.whole),
        inferred=step.inferred,
        recorded_by=written.recorded_by if written else None,
        recorded_at=written.recorded_at if written else None,
        at=None if at is None else msgspec.to_builtins(at),
        state=scoreboard(step.after, match=match, position=position),
        hands=HandsThenNow(narrated.then, narrated.now),
        clauses=[words.clause(clause_id) for clause_id in narrated.clauses],
        verdict=narrated.judgement.verdict,
        violations=list(
            violation_views(
                narrated.judgement.violations, first_index=0, language=language, words=own
            )
        ),
        explanation=joined(sentences, language),
        voided=UNSET if voided is None else voided,
    )


def _event(step: Step, whole: Mapping[Address, Event]) -> dict[str, object] | None:
    """Return the event as it was sent. Fields that a viewer does not get are listed in it."""
    if step.event is None:
        return None
    left: dict[str, object] = msgspec.to_builtins(step.event)
    full = whole.get(step.address, step.event)
    return left if full is step.event else naming(msgspec.to_builtins(full), left)


def _voided(why: Refusal, language: Language, words: Words) -> VoidedStepView:
    said = message(why.code, why.reason, why.facts, language, words)
    return VoidedStepView(why.code, why.reason, said)


def _round(score: RoundUnfolded, places: list[PlaceInLog], words: _Words) -> UnfoldedRound:
    return UnfoldedRound(
        clauses=[words.clause(clause_id) for clause_id in score.clauses],
        points_clause=words.clause(score.points_clause),
        hands={player: _hand(hand, places) for player, hand in score.hands.items()},
        scores={player: _score(one, places) for player, one in score.scores.items()},
    )


def _hand(hand: HandUnfolded, places: list[PlaceInLog]) -> UnfoldedHand:
    return UnfoldedHand(
        points=hand.points,
        cards=[
            UnfoldedCard(
                card=card.card,
                points=card.points,
                sources=[_source(arrival, places) for arrival in card.arrivals],
                certain=card.certain,
            )
            for card in hand.cards
        ],
        told=_source(hand.told, places) if hand.told else None,
    )


def _score(one: ScoreUnfolded, places: list[PlaceInLog]) -> UnfoldedScore:
    return UnfoldedScore(one.score, [_part(part, places) for part in one.parts], one.total)


def _part(part: ScorePart, places: list[PlaceInLog]) -> UnfoldedPart:
    source = _source(part.told, places) if part.told else None
    return UnfoldedPart(part.kind, part.player, part.points, source)


def _source(arrival: Arrival, places: list[PlaceInLog]) -> SourceView:
    return SourceView(item=arrival.step, **places[arrival.step], how=arrival.how)


class RoundReplay(Struct, frozen=True, kw_only=True):
    """The question for a round step by step. `at`: a past version; None: the latest."""

    league: str
    match: str
    round: int
    audience: Audience
    view: View
    at: int | None
    language: Language
    naming: Naming | None


async def replayed(reading: Reading, asked: RoundReplay) -> tuple[str, ReplayView]:
    """Return the tag of what was read, and the round step by step. Raises Refused (`not-found`)."""
    league = asked.league
    read = await reading.steps(asked.audience, league, asked.match, asked.view, asked.at)
    found = _found(read, asked.round, asked.view)
    headers = await reading.headers(league, asked.match, entries_shown(found))
    ledgered = _ledgered(headers, read)
    names = None
    if asked.naming is not None:
        names = await reading.names.people(league, people_in(step.event for step in read.steps))
    shown = replay_view(
        found,
        match=asked.match,
        ledgered=ledgered,
        recorders=await reading.names.recorders(league, recorded_by(found, ledgered)),
        language=asked.language,
        names=names,
    )
    return worded_tag(read.tag, asked.language, names), shown


def replayed_from(
    entries: list[Entry],
    tokens: Mapping[str, str],
    match: str,
    round_: int,
    *,
    view: View,
    at: int | None,
    language: Language,
) -> ReplayView:
    """Return a replay with all cards, made from all entries of a match and the names of tokens.

    Raises Refused (`not-found`).
    """
    until = entries[:at]
    if not until or (at is not None and at != len(until)):
        raise not_found("version")
    read = kept_steps(FoldedState(fold_entries(None, until), until[-1].position), view)
    found = _found(read, round_, view)
    ledgered = _ledgered(until, read)
    return replay_view(
        found,
        match=match,
        ledgered=ledgered,
        recorders={each: tokens.get(each, each) for each in sorted(recorded_by(found, ledgered))},
        language=language,
        names=None,
    )


def _found(read: MatchSteps, round_: int, view: View) -> Replay:
    if view == "recorded":
        found = replay_as_recorded(read.steps, round_, read.read_now)
    else:
        found = replay(read.steps, round_)
    if found is None:
        raise not_found("round")
    return found


def _ledgered(recorded: Iterable[Header | Entry], read: MatchSteps) -> Ledgered:
    return Ledgered(
        written={
            each.version: RecordedAt(each.position, each.actor, each.time) for each in recorded
        },
        whole={
            whole.address: whole.event
            for step, whole in zip(read.steps, read.whole, strict=True)
            if whole.event is not None and step.event is not whole.event
        },
    )
