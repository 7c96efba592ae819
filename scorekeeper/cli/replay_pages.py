"""A replay as pages of text: one for each step, and one for the score.

A card says its colour by its name, and a verdict by a sign and a word; colours only help.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from msgspec import UNSET
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from scorekeeper.projections.hands import HandView
from scorekeeper.service.replay.views import (
    ClauseText,
    ReplayItem,
    ReplayView,
    SourceView,
    UnfoldedHand,
    UnfoldedPart,
    UnfoldedRound,
)
from scorekeeper.texts.facts import card_name
from scorekeeper.texts.language import Language
from scorekeeper.texts.page import label

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


def pages(replay: ReplayView, language: Language) -> list[RenderableType]:
    """In the order in which they are to be read."""
    steps = [
        _step(item, number, len(replay.items), language)
        for number, item in enumerate(replay.items, start=1)
    ]
    return steps if replay.score is None else [*steps, _score(replay.score, language)]


def _step(item: ReplayItem, number: int, steps: int, language: Language) -> RenderableType:
    lines: list[RenderableType] = [
        Text.assemble(
            (label("step", language, step=number, steps=steps), "bold"),
            *(f" · {word}" for word in _whence(item, language)),
        ),
        _indented(Text.assemble(_verdict(item, language), "  ", item.explanation), 2),
    ]
    lines.extend(
        _indented(Text(f"! {violation.message}", "bold red"), 4) for violation in item.violations
    )
    lines.extend(_clauses(item.clauses, indent=4))
    lines.extend(_table(item, language))
    lines.extend(_hands(item, language))
    return Group(*lines)


def _clauses(clauses: Iterable[ClauseText], *, indent: int) -> Iterator[RenderableType]:
    for clause in clauses:
        yield _indented(Text.assemble((clause.id, "bold"), "  ", clause.text), indent)


def _whence(item: ReplayItem, language: Language) -> Iterator[str]:
    if item.version is not UNSET:
        yield label("entry", language, version=item.version)
    elif item.amendment is not UNSET:
        yield label("inserted", language, amendment=item.amendment, index=item.index)
    else:
        yield label("follows", language)
    if item.inferred:
        yield label("inferred", language)
    if item.recorded_by is not None:
        yield label("recorded", language, by=item.recorded_by, time=item.recorded_at)
    if item.event is None:
        yield label("erased", language)


def _verdict(item: ReplayItem, language: Language) -> Text:
    if item.voided is not UNSET:
        return Text(f"[-] {label('voided', language)}", "dim")
    said = f"[{_SIGNS[item.verdict]}] {label(item.verdict, language)}"
    return Text(said, _STYLES[item.verdict])


def _table(item: ReplayItem, language: Language) -> Iterator[RenderableType]:
    state = item.state
    if state.top_card is None:
        return
    said = label(
        "table",
        language,
        top=card_name(state.top_card, language),
        color=None if state.color is None else card_name(state.color, language),
        turn=state.turn,
        pile=state.draw_pile_count,
    )
    yield _indented(Text(said, "dim"), 2)


def _indented(line: Text, by: int) -> RenderableType:
    return Padding(line, (0, 0, 0, by), expand=False)


def _hands(item: ReplayItem, language: Language) -> Iterator[RenderableType]:
    for player, then in item.hands.then.items():
        now = item.hands.now.get(player, then)
        line = Text.assemble(f"{player}: ", _hand(then, language), _since(then, now, language))
        yield _indented(line, 4)


def _hand(hand: HandView, language: Language) -> Text:
    cards = Text(" ").join(_card(card, language) for card in hand.known)
    if hand.unknown is None and not hand.known:
        return Text(label("unheard", language))
    if hand.unknown:
        cards.append(" " if hand.known else "")
        cards.append(label("hidden", language, count=hand.unknown))
    return cards if cards.plain else Text("–")


def _since(then: HandView, now: HandView, language: Language) -> Text:
    """Cards that were in the hand although nobody knew it then."""
    learned = list((Counter(now.known) - Counter(then.known)).elements())
    if not learned:
        return Text("")
    cards = [card_name(card, language) for card in learned]
    return Text(f"  ({label('known-now', language, cards=cards)})", "dim")


def _card(card: str, language: Language) -> Text:
    color = card.partition("-")[0]
    return Text(card_name(card, language), _CARD_STYLES.get(color, "bold"))


def _score(score: UnfoldedRound, language: Language) -> RenderableType:
    lines: list[RenderableType] = [Text(label("score", language), "bold")]
    lines.extend(_clauses([*score.clauses, score.points_clause], indent=2))
    for player, one in score.scores.items():
        said = label("total", language, player=player, score=one.score, total=one.total)
        lines.append(_indented(Text(said, "bold"), 2))
        for part in one.parts:
            lines.extend(_part(part, score.hands, language))
    return Group(*lines)


def _part(
    part: UnfoldedPart, hands: Mapping[str, UnfoldedHand], language: Language
) -> Iterator[RenderableType]:
    said = label(f"of-{part.kind}", language, player=part.player, points=part.points)
    hand = hands[part.player] if part.kind == "hand" else None
    told = hand.told if hand is not None else part.source
    source = "" if told is None else f" ({_source(told, language)})"
    yield _indented(Text(said + source), 4)
    for card in hand.cards if hand is not None else ():
        sources = ", ".join(_source(source, language) for source in card.sources)
        doubt = "" if card.certain else f" · {label('maybe', language)}"
        line = Text.assemble(_card(card.card, language), f" {card.points} ({sources}{doubt})")
        yield _indented(line, 6)


def _source(source: SourceView, language: Language) -> str:
    how = label(source.how, language)
    return f"{label('from', language, step=source.item + 1)}: {how}"
