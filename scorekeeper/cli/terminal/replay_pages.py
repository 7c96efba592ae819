"""A replay as pages of text: one for each step, and one for the score.

Colour is never the only sign: cards name their colour, and a verdict has a symbol and a word.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from msgspec import UNSET, Struct
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from scorekeeper.cli.terminal.failures import printable
from scorekeeper.projections.scoreboard import HandView
from scorekeeper.service.reading.replay_views import (
    ClauseText,
    ReplayItem,
    ReplayView,
    SourceView,
    UnfoldedHand,
    UnfoldedPart,
    UnfoldedRound,
)
from scorekeeper.texts.explanations import label
from scorekeeper.texts.language import Language
from scorekeeper.texts.words import PLAIN, Words, words_of

_SIGNS = {"legal": "+", "illegal": "!", "unknown": "?"}
_STYLES = {"legal": "green", "illegal": "bold red", "unknown": "yellow"}
_CARD_STYLES = {
    "red": "red",
    "yellow": "yellow",
    "green": "green",
    "blue": "blue",
    "pink": "magenta",
    "orange": "dark_orange",
}


class _Speech(Struct, frozen=True):
    """The language, the booklet's words in it, and the names of those who recorded."""

    language: Language
    words: Words
    recorders: Mapping[str, str]

    def label(self, name: str, **facts: object) -> str:
        return label(name, self.language, self.words, **facts)

    def card(self, card: str) -> str:
        return self.words.card(card, self.language)


def pages(replay: ReplayView, language: Language) -> list[RenderableType]:
    """Return the pages in the order in which they are to be read."""
    words = words_of(replay.items[0].state.edition) if replay.items else PLAIN
    speech = _Speech(language, words, replay.recorders)
    steps = [
        _step(item, number, len(replay.items), speech)
        for number, item in enumerate(replay.items, start=1)
    ]
    if replay.score is None:
        return steps
    return [*steps, _score(replay.score, replay.items[-1].state.substitutes or {}, speech)]


def _step(item: ReplayItem, number: int, steps: int, speech: _Speech) -> RenderableType:
    lines: list[RenderableType] = [
        Text.assemble(
            (speech.label("step", step=number, steps=steps), "bold"),
            *(f" · {word}" for word in _whence(item, speech)),
        ),
        _indented(Text.assemble(_verdict(item, speech), "  ", printable(item.explanation)), 2),
    ]
    lines.extend(
        _indented(Text(f"! {printable(violation.message)}", "bold red"), 4)
        for violation in item.violations
    )
    lines.extend(_clauses(item.clauses, indent=4))
    lines.extend(_table(item, speech))
    lines.extend(_hands(item, speech))
    return Group(*lines)


def _clauses(clauses: Iterable[ClauseText], *, indent: int) -> Iterator[RenderableType]:
    for clause in clauses:
        yield _indented(Text.assemble((clause.id, "bold"), "  ", clause.text), indent)


def _whence(item: ReplayItem, speech: _Speech) -> Iterator[str]:
    if item.version is not UNSET:
        yield speech.label("entry", version=item.version)
    elif item.amendment is not UNSET:
        yield speech.label("inserted", amendment=item.amendment, index=item.index)
    else:
        yield speech.label("follows")
    if item.inferred:
        yield speech.label("inferred")
    if item.recorded_by is not None:
        by = printable(speech.recorders[item.recorded_by])
        yield speech.label("recorded", by=by, time=item.recorded_at)
    if item.event is None:
        yield speech.label("erased")


def _verdict(item: ReplayItem, speech: _Speech) -> Text:
    if item.voided is not UNSET:
        return Text(f"[-] {speech.label('voided')}", "dim")
    said = f"[{_SIGNS[item.verdict]}] {speech.label(item.verdict)}"
    return Text(said, _STYLES[item.verdict])


def _table(item: ReplayItem, speech: _Speech) -> Iterator[RenderableType]:
    state = item.state
    if state.top_card is None:
        return
    said = speech.label(
        "table",
        top=state.top_card,
        color=state.color,
        turn=state.turn,
        pile=state.draw_pile_count,
    )
    yield _indented(Text(said, "dim"), 2)


def _indented(line: Text, by: int) -> RenderableType:
    return Padding(line, (0, 0, 0, by), expand=False)


def _hands(item: ReplayItem, speech: _Speech) -> Iterator[RenderableType]:
    sitting = item.state.substitutes or {}
    for player, then in item.hands.then.items():
        now = item.hands.now.get(player, then)
        line = Text.assemble(
            speech.label("hand", player=sitting.get(player, player)),
            _hand(then, speech),
            _since(then, now, speech),
        )
        yield _indented(line, 4)


def _hand(hand: HandView, speech: _Speech) -> Text:
    cards = Text(" ").join(_card(card, speech) for card in hand.known)
    if hand.unknown is None and not hand.known:
        return Text(speech.label("unheard"))
    if hand.unknown:
        cards.append(" " if hand.known else "")
        cards.append(speech.label("hidden", count=hand.unknown))
    return cards if cards.plain else Text("–")


def _since(then: HandView, now: HandView, speech: _Speech) -> Text:
    """Return the cards that were in the hand although nobody knew it then."""
    learned = list((Counter(now.known) - Counter(then.known)).elements())
    if not learned:
        return Text("")
    return Text(f"  {speech.label('known-now', cards=learned)}", "dim")


def _card(card: str, speech: _Speech) -> Text:
    color = card.partition("-")[0]
    return Text(speech.card(card), _CARD_STYLES.get(color, "bold"))


def _score(score: UnfoldedRound, sitting: Mapping[str, str], speech: _Speech) -> RenderableType:
    """`sitting`: the substitutes, by the players in whose columns they scored."""
    lines: list[RenderableType] = [Text(speech.label("score"), "bold")]
    lines.extend(_clauses([*score.clauses, score.points_clause], indent=2))
    for player, one in score.scores.items():
        who = sitting.get(player, player)
        said = speech.label("total", player=who, score=one.score, total=one.total)
        lines.append(_indented(Text(said, "bold"), 2))
        for part in one.parts:
            lines.extend(_part(part, score.hands, sitting, speech))
    return Group(*lines)


def _part(
    part: UnfoldedPart,
    hands: Mapping[str, UnfoldedHand],
    sitting: Mapping[str, str],
    speech: _Speech,
) -> Iterator[RenderableType]:
    who = sitting.get(part.player, part.player)
    said = speech.label(f"of-{part.kind}", player=who, points=part.points)
    hand = hands[part.player] if part.kind == "hand" else None
    source = hand.told if hand is not None else part.source
    if source is not None:
        said = speech.label("of-source", whole=said, source=_source(source, speech))
    yield _indented(Text(said), 4)
    for card in hand.cards if hand is not None else ():
        sources = [_source(source, speech) for source in card.sources]
        name = "of-card" if card.certain else "of-card-maybe"
        worth = speech.label(name, points=card.points, sources=sources)
        yield _indented(Text.assemble(_card(card.card, speech), " ", worth), 6)


def _source(source: SourceView, speech: _Speech) -> str:
    return speech.label("source", step=source.item + 1, how=speech.label(source.how))
