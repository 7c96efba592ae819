"""What the sentences about a step say, against the states before and after it.

The facts of the sentences are recounted from the hands, debts and seats alone.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scorekeeper.match.events.card_events import (
    CardGiven,
    CardPlayed,
    CardsDrawn,
    Skip,
    WildDrawFourChallenged,
)
from scorekeeper.match.events.events import RoundEnded
from scorekeeper.match.known_cards import card_count
from scorekeeper.match.readings.reader import Step
from scorekeeper.match.state import State
from scorekeeper.match.table import Table
from scorekeeper.projections.narration.narration import Sentence
from scorekeeper.projections.replay import NarratedStep

Facts = Mapping[str, Any]

NEW_DEBTS = ("must-draw", "must-draw-and-skip", "must-draw-or-stack", "reflected")
ON_TURN = {
    "on-turn": "player",
    "goes-again": "player",
    "passes": "turn",
    "color-named": "turn",
    "turned-up": "player",
    "turned-up-color-named": "player",
    "turned-up-draw": "player",
    "turned-up-reversed": "player",
    "turned-up-skip": "player",
}
PAID = "draws-owed"


class Said:
    """The facts of all sentences about a step, with columns in place of substitutes."""

    def __init__(self, narrated: NarratedStep) -> None:
        step = narrated.step
        sitting = step.before.substitutes.items()
        self._columns = {person: column for column, person in sitting}
        self._said = [(one.saying, self._of_columns(one)) for one in narrated.said]

    def _of_columns(self, said: Sentence) -> Facts:
        return {name: self._column(fact) for name, fact in said.facts.items()}

    def _column(self, fact: Any) -> Any:
        if isinstance(fact, Sentence):
            lost = -1 if fact.saying == "part-hand-lost" else 1
            points = fact.facts["points"]
            assert isinstance(points, int)
            return lost * points
        if isinstance(fact, tuple):
            return tuple(self._column(each) for each in fact)
        if isinstance(fact, Mapping):
            return {self._column(player): points for player, points in fact.items()}
        return self._columns.get(fact, fact) if isinstance(fact, str) else fact

    def __contains__(self, saying: str) -> bool:
        return any(name == saying for name, _ in self._said)

    def all(self, *sayings: str) -> list[Facts]:
        return [facts for name, facts in self._said if name in sayings]

    def people(self, *sayings: str) -> list[str]:
        """Return whom these sentences name, as one or as several players."""
        return [player for one in self.all(*sayings) for player in _listed(one)]

    def begins(self, start: str) -> list[Facts]:
        return [facts for name, facts in self._said if name.startswith(start)]


def _listed(facts: Facts) -> tuple[str, ...]:
    return facts["players"] if "players" in facts else (facts["player"],)


def is_told_truly(narrated: NarratedStep) -> None:
    """Every number, name and card that is said of the step is so on the table."""
    step, said = narrated.step, Said(narrated)
    if "told-late" in said or step.taken is None:
        return
    _who_is_out(step, said)
    if isinstance(step.taken, RoundEnded):
        _scores(step, step.taken, said)
    table, now = step.before.table, step.after.table
    if step.before.running is None or table is None or now is None:
        return
    _cards(step, table, now, said)
    _debts(step, table, now, said)
    _turn(step, table, now, said)
    _uno(table, now, said)


def _gone(state: State) -> list[str]:
    """Return who is out of the match, in the state of a running round as well."""
    if state.running is None:
        return [*state.eliminated]
    caught = state.table.out if state.table else state.running.caught_out
    return [*state.eliminated, *caught]


def _who_is_out(step: Step, said: Said) -> None:
    before, after = _gone(step.before), _gone(step.after)
    assert Counter(said.people("leaves")) == Counter(p for p in after if p not in before)
    if step.after.status != "abandoned":
        assert said.people("stays") == [p for p in before if p not in after]


def _scores(step: Step, event: RoundEnded, said: Said) -> None:
    (won,) = said.all("round-won")
    assert (won["round"], sorted(won["players"])) == (step.before.round, sorted(event.winners))
    if "no-points" in said:
        assert not any(event.scores.values())
        return
    told = {one["player"]: one["score"] for one in said.all("score", "score-told")}
    assert told | dict.fromkeys(said.people("score-nothing"), 0) == event.scores
    assert all(sum(one["sum"]) == one["score"] for one in said.all("score"))
    (totals,) = said.all("totals")
    earlier = step.before.totals
    assert totals["totals"] == {p: n + event.scores[p] for p, n in earlier.items()}


def _cards(step: Step, table: Table, now: Table, said: Said) -> None:
    """The hands are as large as the sentences make them."""
    counts = {player: card_count(hand) for player, hand in table.hands.items()}
    event = step.taken
    match event:
        case CardPlayed(player=player):
            (number,) = [one["count"] for one in said.all("laid-at-once")] or [1]
            counts[player] -= number
        case CardsDrawn(player=player):
            paid = sum(one["count"] for one in said.begins(PAID))
            counts[player] += paid + sum(one["count"] for one in said.all("draws"))
        case CardGiven():
            pass
        case WildDrawFourChallenged(hand=None) if table.suspect and not table.suspect.shuffled:
            for one in said.all("taken-back"):
                counts[one["player"]] += table.suspect.count
        case _:
            return
    for one in said.all("discards"):
        counts[one["player"]] -= len(one["cards"])
    for one in said.all("gives", "gives-unseen"):
        number = one["count"] if "count" in one else len(one["cards"])
        counts[one["player"]] -= number
        counts[one["to"]] += number
    for one in said.all("effect-draws"):
        counts[one["player"]] += one["count"]
    former = _taken_over(table.seats, said)
    left = {player: counts[former.get(player, player)] for player in now.hands}
    assert left == {player: card_count(hand) for player, hand in now.hands.items()}
    # A round also ends when all others have left the match. Then nobody laid a last card.
    ended = now.over and not table.over and len(now.seats) > 1
    assert sorted(said.people("out")) == sorted(now.winners if ended else ())


def _taken_over(seats: Sequence[str], said: Said) -> dict[str, str]:
    """Return whose hand each player takes over, by what is said."""
    former = {one["player"]: one["former"] for one in said.all("takes-hand")}
    for one in said.all("swaps-hands"):
        former |= {one["player"]: one["former"], one["former"]: one["player"]}
    steps = [1] if "exchanged" in said else []
    steps += [-1 if one["direction"] == "clockwise" else 1 for one in said.all("hands-pass")]
    for by in steps:
        former |= {player: seats[(at + by) % len(seats)] for at, player in enumerate(seats)}
    return former


def _owed(table: Table, kind: str) -> Counter[tuple[str, int]]:
    return Counter((debt.player, debt.count) for debt in table.debts if debt.kind == kind)


def _debts(step: Step, table: Table, now: Table, said: Said) -> None:
    """What is said to be owed is owed, and no debt comes up unsaid."""
    before, after = _owed(table, "draw"), _owed(now, "draw")
    if isinstance(step.taken, CardsDrawn):
        still = sum(one["count"] for one in said.all("draws-still"))
        assert still == sum(n for (who, n) in after.elements() if who == step.taken.player)
        return
    told = Counter((one["player"], one["count"]) for one in said.all(*NEW_DEBTS))
    told += Counter((o["victim"], o["count"]) for o in said.all("last-draw", "turned-up-draw"))
    lapsed = Counter((one["player"], one["count"]) for one in said.all("penalty-lapses"))
    assert told <= after
    assert lapsed <= before
    assert after - (before - lapsed) <= told
    for one in said.all("must-draw-and-skip", "must-draw-or-stack"):
        assert any(
            d.hit and (d.player, d.count) == (one["player"], one["count"]) for d in now.debts
        )
    gifts = Counter((one["player"], one["count"]) for one in said.all("gift-owed"))
    assert gifts == (Counter() if "misplay" in said else _owed(now, "give") - _owed(table, "give"))


def _turn(step: Step, table: Table, now: Table, said: Said) -> None:
    """Who is on turn, the colour and the direction are as it is said, and so is every change."""
    for saying, player in ON_TURN.items():
        assert all(one[player] == now.turn for one in said.all(saying))
    for one in said.all("names-color", "color-named", "turned-up-color-named"):
        assert one["color"] == now.color
    open_ = said.people("color-open", "turned-up-color-open")
    assert open_ == [now.color_pending] if open_ else not now.color_pending or table.color_pending
    if "turned-up-reversed" in said or "misplay" in said:
        return
    turns = len(said.all("reversed", "effect-reverses"))
    assert (now.direction != table.direction) == bool(turns % 2)
    assert all(one["direction"] == now.direction for one in said.all("reversed", "hands-pass"))
    if isinstance(step.taken, CardPlayed) and not now.over:
        _passed_over(step.taken, table, now, said)


def _passed_over(event: CardPlayed, table: Table, now: Table, said: Said) -> None:
    """Between the card's player and the next one on turn, all are said to be left out."""
    left_out = [one.player for one in event.effects or () if isinstance(one, Skip)]
    left_out += [*table.skipped, *table.skipping]
    skipped = said.people("skipped", "must-draw-and-skip", "must-draw-or-stack")
    assert ("goes-again" in said) == (now.turn == event.player)
    if now.turn == event.player and not skipped:
        return
    passed = [*_between(event.player, now)]
    assert set(skipped) <= set(passed)
    assert set(passed) <= {*skipped, *left_out}


def _between(player: str, now: Table) -> Iterator[str]:
    by = 1 if now.direction == "clockwise" else -1
    at = now.seats.index(player)
    for steps in range(1, len(now.seats)):
        passed = now.seats[(at + by * steps) % len(now.seats)]
        if passed == now.turn:
            return
        yield passed


def _uno(table: Table, now: Table, said: Said) -> None:
    silent = said.people("uno-not-called", "uno-not-recorded")
    assert all(now.owing[player] for player in said.people("uno-not-called"))
    assert not any(now.owing[player] for player in said.people("uno-not-recorded"))
    assert all(card_count(now.hands[player]) == 1 for player in silent)
    assert not {*now.owing} & {*said.people("calls-uno", "calls-uno-in-time")}
    assert {*said.people("caught", "calls-uno-in-time")} <= {*table.owing}
    assert not {*said.people("caught-in-vain")} & {*table.owing}
