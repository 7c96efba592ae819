"""What can happen to a tournament, and what follows at its tables."""

from datetime import UTC, datetime

import pytest

from scorekeeper.texts.message import message
from scorekeeper.tournament.decide import at_the_tables, decide
from scorekeeper.tournament.events import decode, encode, normalise
from scorekeeper.tournament.tournament import by_column, fold
from tests.tournament.cup import EIGHT, cup, results, tables, told

SUBSTITUTE = {"type": "player_substituted", "player": "ann", "substitute": "zoe"}
WITHDRAW = {"type": "player_withdrawn", "player": "ann"}
CLOSE = {"type": "tournament_closed"}
DRAW = {"type": "tie_drawn", "order": ["bo", "ann", "cy"]}


def refused(event, *before, scored=()):
    tournament = cup(*before)
    (event,) = told(event)
    refusal = decide(tournament, event, results(tournament, scored))
    return refusal and refusal.reason


def follows(event, *before, played=0):
    tournament = cup(*before, players=EIGHT)
    (event,) = told(event)
    found = results(tournament, [[(0, 1)] * 4] * played)
    return list(at_the_tables(tournament, event, found))


@pytest.mark.parametrize("event", [SUBSTITUTE, WITHDRAW, CLOSE])
def test_taken_while_the_tournament_runs_and_not_after_it_is_closed(event):
    assert refused(event) is None
    assert refused(event, CLOSE) == "tournament-closed"


@pytest.mark.parametrize("event", [SUBSTITUTE, WITHDRAW, CLOSE])
def test_the_refusal_after_the_closing_names_what_was_told(event):
    (late,) = told(event)
    assert decide(cup(CLOSE), late, {}).facts == {"type": event["type"]}


@pytest.mark.parametrize("event", [SUBSTITUTE, WITHDRAW])
def test_only_of_somebody_who_plays(event):
    assert refused(event | {"player": "zoe"}) == "player-not-in-tournament"
    assert refused(event, WITHDRAW) == "player-withdrawn"


@pytest.mark.parametrize("event", [SUBSTITUTE, WITHDRAW])
def test_the_refusal_names_whoever_does_not_play(event):
    (of_stranger, of_ann) = told(event | {"player": "zoe"}, event)
    assert decide(cup(), of_stranger, {}).facts == {"player": "zoe"}
    assert decide(cup(WITHDRAW), of_ann, {}).facts == {"player": "ann"}


def test_a_substitute_comes_from_outside():
    assert refused(SUBSTITUTE | {"substitute": "bo"}) == "substitute-in-tournament"
    other = {"type": "player_substituted", "player": "bo", "substitute": "zoe"}
    assert refused(SUBSTITUTE, other) == "substitute-in-tournament"
    assert refused(SUBSTITUTE, SUBSTITUTE) is None
    assert refused(SUBSTITUTE | {"substitute": "ann"}, SUBSTITUTE) is None
    assert cup(SUBSTITUTE, SUBSTITUTE | {"substitute": "ann"}).substitutes == {}


def test_whoever_has_a_column_takes_part_though_away_from_the_tables():
    (event,) = told(SUBSTITUTE | {"player": "bo", "substitute": "ann"})
    refusal = decide(cup(WITHDRAW), event, {})
    said = message(refusal.code, refusal.reason, refusal.facts, "en")
    assert said == "ann takes part in this tournament already and cannot stand in for bo."


def test_lots_are_drawn_among_the_tied_once_all_is_played():
    tied = [[(0, 10)] * 4] * 3
    assert refused(DRAW, scored=tied) is None
    assert refused(DRAW, CLOSE, scored=tied) is None
    assert refused(DRAW, scored=tied[:2]) == "rounds-outstanding"
    assert refused(DRAW | {"order": ["ann", "bo"]}, scored=tied) == "not-tied"
    assert refused(DRAW | {"order": ["ann", "bo", "di"]}, scored=tied) == "not-tied"


def test_the_refusal_of_a_lot_names_those_who_are_tied():
    open_cup = cup()
    (lot,) = told(DRAW | {"order": ["ann", "di"]})
    refusal = decide(open_cup, lot, results(open_cup, [[(0, 10)] * 4] * 3))
    assert refusal.facts == {"players": ("ann", "di"), "tied": (("ann", "bo", "cy"),)}


def test_where_nobody_is_tied_any_more_the_refusal_names_nobody():
    """Another device drew the lot meanwhile."""
    drawn = cup(DRAW)
    (again,) = told(DRAW)
    refusal = decide(drawn, again, results(drawn, [[(0, 10)] * 4] * 3))
    assert (refusal.reason, refusal.facts) == ("not-tied", {"players": ("bo", "ann", "cy")})
    said = message(refusal.code, refusal.reason, refusal.facts, "en")
    assert said == "Nobody shares a rank at the end: no lot is left to be drawn."


def test_a_substitute_sits_in_at_all_tables_that_are_left():
    found = follows(SUBSTITUTE, played=3)
    tournament = cup(players=EIGHT)
    anns = [t.match for t in tables(tournament)[3:] if any("ann" in team for team in t.teams)]
    assert [match for match, _ in found] == anns
    assert {(event.player, event.substitute) for _, event in found} == {("ann", "zoe")}


def test_who_withdraws_abandons_the_open_tables():
    found = follows(WITHDRAW, played=3)
    assert len(found) == len([m for m, _ in follows(SUBSTITUTE, played=3)])
    assert {event.reason for _, event in found} == {"ann withdrew"}
    assert {event.reason for _, event in follows(WITHDRAW | {"reason": "ill"})} == {"ill"}


def test_whoever_sat_in_for_somebody_who_withdrew_is_free_to_sit_in_for_others():
    for_bo = {"type": "player_substituted", "player": "bo", "substitute": "zoe"}
    assert refused(for_bo, SUBSTITUTE, WITHDRAW) is None
    assert cup(SUBSTITUTE, WITHDRAW, for_bo).substitutes == {"bo": "zoe"}


def test_a_substitute_is_taken_for_the_player_whose_column_it_is():
    there = cup(SUBSTITUTE)
    named = told(
        WITHDRAW | {"player": "zoe"},
        SUBSTITUTE | {"player": "zoe", "substitute": "ann"},
        DRAW | {"order": ["bo", "zoe", "cy"]},
    )
    meant = told(WITHDRAW, SUBSTITUTE | {"substitute": "ann"}, DRAW)
    assert [by_column(there, event) for event in named] == meant
    assert [by_column(cup(), event) for event in named] == named


def test_closing_abandons_all_open_tables():
    assert len(follows(CLOSE)) == 14
    assert len(follows(CLOSE, played=5)) == 9
    assert follows(DRAW) == []


@pytest.mark.parametrize("event", [SUBSTITUTE, WITHDRAW, CLOSE, DRAW])
def test_events_come_back_from_their_bodies_and_are_folded(event):
    (event,) = told(event | {"id": "018F0000-0000-7000-8000-00000000000A"})
    event = normalise(event)
    assert event.id == "018f0000-0000-7000-8000-00000000000a"
    assert b"018f" not in encode(event)
    after = fold(cup(), [decode(encode(event))])
    assert after.version == 2


@pytest.mark.parametrize(
    ("event", "without"), [(WITHDRAW, "ann withdrew"), (CLOSE, "the tournament was closed")]
)
def test_a_table_is_abandoned_for_the_reason_that_was_told(event, without):
    for told_event, reason in ((event | {"reason": "fire"}, "fire"), (event, without)):
        found = follows(told_event)
        assert found
        assert {abandoned.reason for _, abandoned in found} == {reason}


@pytest.mark.parametrize("event", [SUBSTITUTE, WITHDRAW, CLOSE])
def test_what_follows_at_a_table_was_at_the_time_that_was_told(event):
    evening = datetime(2026, 11, 20, 19, tzinfo=UTC)
    for at in (evening, None):
        found = follows(event | {"at": at})
        assert found
        assert {at_table.at for _, at_table in found} == {at}
