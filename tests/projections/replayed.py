"""Replays as lines of text, which a person can read beside the cards on a table."""

from scorekeeper.match.readings.effective_log import both_readings, corrected_steps
from scorekeeper.match.state import State
from scorekeeper.projections.replay import Replay, replay, replay_as_recorded
from scorekeeper.projections.scoreboard import rounds
from scorekeeper.service.reading.replay_views import ReplayItem, ReplayView, SourceView
from scorekeeper.service.reading.replays import Ledgered, RecordedAt, replay_view
from scorekeeper.texts.language import Language

WRITTEN = RecordedAt(1, "t-1", "2026-11-20T19:00:00.000000Z")


def in_words(state: State, number: int, language: Language) -> ReplayView:
    """Return the replay of a round, by the reading as corrected."""
    return _worded(replay(corrected_steps(state), number), state, language)


def in_words_as_recorded(state: State, number: int, language: Language) -> ReplayView:
    """Return the replay of a round as recorded, by what was known at each entry."""
    recorded, now = both_readings(state)
    found = replay_as_recorded(recorded, number, now)
    return _worded(found, state, language)


def _worded(found: Replay | None, state: State, language: Language) -> ReplayView:
    assert found is not None
    ledgered = Ledgered(dict.fromkeys(range(1, state.version + 1), WRITTEN))
    return replay_view(found, match="m", ledgered=ledgered, recorders={}, language=language)


def as_lines(view: ReplayView) -> str:
    """What happened, with its clauses and verdicts; below the dashes the score."""
    lines = [line for item in view.items for line in _step(item)]
    if view.score is not None:
        lines += ["---", *(line for player in view.score.scores for line in _score(view, player))]
    return "\n".join(lines) + "\n"


def _step(item: ReplayItem) -> list[str]:
    clauses = " ".join(clause.id for clause in item.clauses)
    mark = {"legal": " ", "illegal": "!", "unknown": "?"}[item.verdict]
    inferred = " (inferred)" if item.inferred else ""
    lines = [f"{item.version:>3}{mark} {item.explanation}{inferred}", f"     {clauses}"]
    return [*lines, *(f"     ! {violation.message}" for violation in item.violations)]


def _score(view: ReplayView, player: str) -> list[str]:
    assert view.score is not None
    one = view.score.scores[player]
    lines = [f"{player} {one.score}, in all {one.total}"]
    for part in one.parts:
        lines.append(f"  {part.kind} of {part.player} {part.points}{_source(part.source)}")
        hand = view.score.hands[part.player] if part.kind == "hand" else None
        for card in hand.cards if hand else ():
            sources = "".join(_source(source) for source in card.sources)
            lines.append(f"    {card.card} {card.points}{sources}{'' if card.certain else ' ?'}")
    return lines


def _source(source: SourceView | None) -> str:
    return "" if source is None else f" <- {source.version} {source.how}"


def replays(state: State) -> list[Replay]:
    steps = corrected_steps(state)
    found = [replay(steps, number) for number in range(1, state.round + 1)]
    assert replay(steps, 0) is replay(steps, state.round + 1) is None
    return [one for one in found if one is not None]


def scores_unfold(state: State) -> None:
    """Every point of every score comes from a card, a catch or something that was told."""
    for view, one in zip(rounds(state), replays(state), strict=True):
        score = one.score
        assert (score is not None) == (view.status == "ended")
        if score is None:
            continue
        steps = len(one.steps)
        assert {player: each.score for player, each in score.scores.items()} == view.scores
        for each in score.scores.values():
            assert sum(part.points for part in each.parts) == each.score
            for part in each.parts:
                hand = score.hands[part.player]
                assert part.kind != "hand" or abs(part.points) == hand.points
                assert (part.told is None) == (part.kind == "hand")
        for hand in score.hands.values():
            if hand.told is None and hand.points is not None:
                assert sum(card.points for card in hand.cards) == hand.points
            for card in hand.cards:
                assert card.arrivals
                assert all(0 <= arrival.step < steps for arrival in card.arrivals)
