"""Golden rounds, told to the book line by line and compared with what they claim."""

from collections import Counter
from typing import Any, NamedTuple

import msgspec
from reading import Expected, GoldenRound, Line
from telling import Told

from scorekeeper.editions.registry import latest
from scorekeeper.match.events import Event, TableEvent, decode, encode, normalise
from scorekeeper.match.fold import fold, initial
from scorekeeper.match.opening import MatchOpened, Opening, box_in_force, open_match
from scorekeeper.match.opening import options_in_force
from scorekeeper.match.record import Recorded, record
from scorekeeper.match.refusal import Refusal
from scorekeeper.match.state import State
from scorekeeper.projections.hands import hands
from scorekeeper.projections.rounds import rounds
from scorekeeper.projections.scoreboard import Scoreboard, scoreboard

SERVER_MADE = ("round_ended", "match_won")
NOTHING = ("nothing", "nobody", "none")


class Driven(NamedTuple):
    """A round after its last line: the state, all entries, and what was told without refusal."""

    opened: MatchOpened
    state: State
    entries: tuple[Event, ...]
    told: tuple[TableEvent, ...]
    violations: tuple[str, ...]


def wire(event: Told) -> TableEvent:
    """The event as a service would read it."""
    return normalise(msgspec.json.decode(msgspec.json.encode(event), type=TableEvent))


def begin(golden: GoldenRound) -> tuple[MatchOpened, State]:
    """The match at version 1."""
    edition = latest(golden.opening["edition"])
    assert edition is not None
    sent = msgspec.json.decode(msgspec.json.encode(golden.opening), type=Opening)
    opened = open_match(edition, sent)
    assert isinstance(opened, MatchOpened), opened
    return opened, initial(edition, opened)


def drive(golden: GoldenRound) -> Driven:
    """AssertionError names the line whose claim does not hold."""
    opened, state = begin(golden)
    entries: list[Event] = []
    accepted: list[TableEvent] = []
    violations: list[str] = []
    setting = [event for event in (_start(golden, opened), golden.first) if event]
    for line in (*(Line(f"setting: {e}", e, (), quiet=True) for e in setting), *golden.lines):
        event = wire(line.told)
        answer = record(state, [event])
        if isinstance(answer, Refusal):
            _refused(line, answer)
            continue
        assert "refused" not in dict(line.expected), f"recorded, not refused: {line.text}"
        accepted.append(event)
        entries.extend(entry.event for entry in answer.entries)
        violations.extend(found.clause for found in answer.violations)
        state = answer.state
        _followed(line, answer)
    for name, claim in golden.end:
        shown = sorted(violations) if name == "violations" else _shown(state, name, claim)
        assert shown == _claimed(name, claim), f"in the end, {name}: {claim} (is {shown})"
    return Driven(opened, state, tuple(entries), tuple(accepted), tuple(violations))


def _start(golden: GoldenRound, opened: MatchOpened) -> Told | None:
    """The deal; `pile on top` becomes a whole pile, the rest of the box in order beneath."""
    if golden.start is None or golden.pile_on_top is None:
        return golden.start
    edition = latest(opened.edition)
    assert edition is not None
    box = Counter(dict(box_in_force(edition, options_in_force(edition, opened)).counts))
    for cards in (golden.pile_on_top, *golden.start.get("hands", {}).values()):
        box.subtract(cards)
    size = box_size(opened) - 7 * len(opened.players)
    rest = sorted(box.elements())[: size - len(golden.pile_on_top)]
    return {**golden.start, "draw_pile": [*golden.pile_on_top, *rest]}


def box_size(opened: MatchOpened) -> int:
    """How many cards the table plays with."""
    edition = latest(opened.edition)
    assert edition is not None
    return box_in_force(edition, options_in_force(edition, opened)).size


def _refused(line: Line, refusal: Refusal) -> None:
    claimed = dict(line.expected).get("refused")
    assert claimed is not None, f"refused ({refusal}): {line.text}"
    code, *words = claimed.split()
    assert refusal.code == code, f"{refusal}: {line.text}"
    clauses = sorted(word for word in words if word[0].isupper())
    if clauses:
        assert sorted(found.clause for found in refusal.violations) == clauses, line.text
    for reason in (word for word in words if not word[0].isupper()):
        assert refusal.reason == reason, f"{refusal}: {line.text}"
    # a claim about the state after a refusal is one about the state before it
    assert not [name for name, _ in line.expected if name != "refused"], line.text


def _followed(line: Line, answer: Recorded) -> None:
    """What nobody mentions did not happen: no inferred entry, no violation."""
    claims = dict(line.expected)
    added = [spoken(entry.event) for entry in answer.entries if entry.inferred]
    expected = _list(claims.pop("inferred", "nothing"))
    assert added == expected, f"inferred (is {added}): {line.text}"
    flags = claims.pop("flags", "none")
    flagged = sorted(found.clause for found in answer.violations)
    assert flags == "?" or flagged == _claimed("violations", flags), f"flags (is {flagged}): {line.text}"
    for name, claim in line.expected:
        if name not in ("inferred", "flags"):
            shown = _shown(answer.state, name, claim)
            assert shown == _claimed(name, claim), f"{name} {claim} (is {shown}): {line.text}"


def spoken(event: Any) -> str:
    """An inferred entry in the words of the golden rounds."""
    data = msgspec.to_builtins(event)
    player = data.get("player")
    match data["type"]:
        case "cards_drawn":
            count = data.get("count") or len(data.get("cards", ())) or 1
            return f"{player} draws {count}"
        case "turn_passed":
            return f"{player} passes"
        case "pile_reshuffled":
            return "shuffle"
        case "round_ended":
            return "round ends"
        case "match_won":
            return "match won"
        case other:
            return str(other)


def _list(said: str) -> list[str]:
    return [] if said in NOTHING else [one.strip() for one in said.split(",")]


def _numbers(said: str) -> dict[str, int]:
    return {player: int(n) for player, n in (one.split() for one in said.split(","))}


def _claimed(name: str, claim: str) -> object:
    if name == "violations":
        return [] if claim in NOTHING else sorted(claim.split())
    if name in ("counts", "scores", "points", "totals"):
        return _numbers(claim)
    if name in ("owes", "awaiting", "winners", "out of the match", "won by"):
        return _list(claim)
    if name in ("pile", "round"):
        return int(claim)
    if name == "hand":
        _, *cards = claim.split()
        return sorted(cards)
    return None if claim in NOTHING else claim


def _shown(state: State, name: str, claim: str) -> object:
    """What the book shows where a line claims something; of numbers only those that it names."""
    board = scoreboard(state, match="m", position=1)
    match name:
        case "turn":
            return board.turn
        case "top":
            return board.top_card
        case "color":
            return board.color
        case "names":
            return board.color_pending
        case "owes":
            return [_debt(one, open_="?" in claim) for one in board.pending]
        case "pile":
            return board.draw_pile_count
        case "phase":
            return board.phase
        case "direction":
            return board.direction
        case "awaiting":
            return list(board.awaiting_hands)
        case "dealer":
            return board.dealer
        case "round":
            return board.round
        case "won by":
            return list(board.winners)
        case "out of the match":
            return list(board.eliminated)
        case "winners":
            return list(rounds(state)[-1].winners)
        case _:
            return _shown_numbers(state, board, name, claim)


def _shown_numbers(state: State, board: Scoreboard, name: str, claim: str) -> object:
    held = hands(state)
    if name == "hand":
        hand = held[claim.split()[0]]
        return sorted([*hand.known, *(["?"] * (hand.unknown or 0))])
    if name == "counts":
        shown = {player: len(hand.known) + (hand.unknown or 0) for player, hand in held.items()}
        return {player: shown[player] for player in _numbers(claim)}
    if name == "totals":
        return {player: board.totals[player] for player in _numbers(claim)}
    last = rounds(state)[-1]
    shown_points = last.scores if name == "scores" else last.hand_points
    return {player: shown_points[player] for player in _numbers(claim)}


def _debt(pending: Any, *, open_: bool) -> str:
    """`open_`: where the booklet leaves open which clause is to be named, the round says `?`."""
    verb = "" if pending.kind == "draw" else f" {pending.kind}s"
    return f"{pending.player}{verb} {pending.count} {'?' if open_ else pending.clause}"


def in_one_batch(driven: Driven, start: State) -> State:
    """All that was told, once more and at once."""
    answer = record(start, driven.told)
    assert isinstance(answer, Recorded), answer
    return answer.state


def told_in_full(driven: Driven, start: State) -> State:
    """Every entry told by the table, also those that the book had written itself.

    What the book writes at once it can't be told before; that is not told again.
    """
    state, written = start, []
    for event in driven.entries:
        if event.__struct_config__.tag in SERVER_MADE or event in written:
            continue
        answer = record(state, [wire(msgspec.to_builtins(event))])
        assert isinstance(answer, Recorded), (event, answer)
        told = next(place for place, e in enumerate(answer.entries) if not e.inferred)
        assert told == 0, f"inferred before it, though all was told: {event}"
        written = [entry.event for entry in answer.entries[1:]]
        state = answer.state
    return state


def folded(driven: Driven, start: State) -> State:
    """The same from what the ledger keeps."""
    kept = [decode(encode(event)) for event in driven.entries]
    return fold(start, kept)


def views(state: State) -> tuple[Any, ...]:
    """All that a reader of the match gets to see."""
    return (scoreboard(state, match="m", position=1), rounds(state), hands(state))


def expectations(golden: GoldenRound) -> Expected:
    """All that a round claims, for tests about the rounds."""
    return (*golden.end, *(claim for line in golden.lines for claim in line.expected))
