"""Behind a round that is told with another score, only sums differ: the rest is not read again."""

import pytest

from scorekeeper.match.readings import reader
from scorekeeper.match.readings.effective_log import both_readings, fold, initial
from scorekeeper.match.readings.reader import entries_in
from tests.match.amending import amends, note
from tests.match.story import TEAMS_OF_FOUR, Story, given, tally, views
from tests.match.table import draw, first, play, shows, start, told

ROUNDS = 40
FAR = 100_000
ENDLESS = {
    "plus-minus": {"rounds": 2 * ROUNDS},
    "winner-collects": {"target": None},
    "winner-collects, far target": {"target": FAR},
    "lowest-total": {"target": FAR},
    "elimination": {"target": FAR, "options": {"caught_counts": False}},
    "first-out": {"rounds": 2 * ROUNDS},
    "lowest-total of teams": {"target": None, "teams": TEAMS_OF_FOUR},
}


@pytest.fixture
def steps_read(monkeypatch):
    """A list with an item for each step that a reader has read."""
    read = []
    evolve = reader.evolve
    monkeypatch.setattr(reader, "evolve", lambda *of: (read.append(1), evolve(*of)))
    return read


def as_each_entry_stood(match: Story) -> list[tuple[object, ...]]:
    """What a reader saw after each entry, from a log that ended there."""
    begun = initial(match.state.edition, match.state.opened)
    log = entries_in(match.state.log)
    return [
        views(
            fold(begun, [each.event for each in log[:end]], [each.inferred for each in log[:end]])
        )
        for end in range(len(log) + 1)
    ]


def amended(match: Story, *amendments) -> Story:
    """The match with these amendments, as it is read from the ledger, without any check."""
    return Story(fold(match.state, amendments, [False] * len(amendments)), match.log)


def stands(match: Story) -> None:
    steps = both_readings(match.state).recorded
    assert [views(step.after) for step in steps] == as_each_entry_stood(match)


@pytest.mark.parametrize("name", ENDLESS)
def test_only_the_round_and_the_next_one_are_read_again(name, steps_read):
    mode = name.split(",")[0].split(" of ")[0]
    four = {"bo": 3, "cy": 5, "di": 7}
    match = given("basic", 4, mode, dealer="ann", **ENDLESS[name])
    match = match.when(*[tally("ann", hands=four)] * ROUNDS).then(version=1 + 2 * ROUNDS)
    places = [*range(20, 80, 6), *range(18, 6, -4), 4]
    scores = [amends(at, 1, tally("bo", ann=at, cy=5, di=1)) for at in places]
    match = amended(match, *scores, amends(withdraws=[84]), note())
    steps_read.clear()
    both_readings(match.state)
    assert len(steps_read) <= 2 * ROUNDS + (len(places) + 1) * 8
    stands(match)


READ_ONCE = amends(2, 0, note())
"""The first amendment of a match, which is read from the opening."""


class TestTarget:
    def test_a_score_that_brings_a_later_total_to_the_target_ends_the_match_there(self):
        match = given("basic", 2, "winner-collects", dealer="ann", target=100)
        match = match.when(*[tally("ann", bo=10)] * 8, READ_ONCE)
        match = match.when(amends(4, 1, tally("ann", bo=45))).then(status="won", voided=1)
        stands(match.when(amends(withdraws=[19])).then(status="open", voided=0))

    def test_a_score_that_a_later_total_needs_keeps_the_match_open(self):
        match = given("basic", 2, "winner-collects", dealer="ann", target=100)
        match = match.when(*[tally("ann", bo=25)] * 4, note(), READ_ONCE).then(status="won")
        match = match.when(amends(2, 1, tally("ann", bo=5))).then(status="open")
        match = match.when(tally("ann", bo=10), amends(4, 1, tally("bo", ann=5)))
        stands(match.then(status="open"))

    def test_two_scores_may_bring_a_total_to_the_target_together(self):
        match = given("basic", 2, "winner-collects", dealer="ann", target=112)
        match = match.when(*[tally("ann", bo=10)] * 8, READ_ONCE)
        for at in (12, 6, 2):
            match = match.when(amends(at, 1, tally("ann", bo=25)))
        stands(match.then(status="won", winners=("ann",)))

    def test_a_balance_may_come_to_the_target_and_fall_again(self):
        match = given("basic", 2, "plus-minus", dealer="ann", target=40, rounds=30)
        for points in (10, 30, 5, 5):
            match = match.when(tally("ann", bo=points), tally("bo", ann=points))
        match = match.when(READ_ONCE, amends(2, 1, tally("ann", bo=25)))
        stands(match.then(status="won", winners=("ann",)))

    def test_a_catch_knocks_a_player_out_although_the_round_is_voided_later(self):
        match = given("hello-kitty", 3, "elimination", dealer="ann", target=100)
        match = match.when(*[tally("ann", bo=10, cy=10)] * 3, told("round_started"), first("red-5"))
        match = match.when(shows("bo", "red-1", "wild", as_played=True))
        match = match.when(play("bo", "red-1", as_played=True))
        match = match.when(told("uno_caught", player="bo", by="ann")).then(eliminated=())
        match = match.when(draw("bo", 1, as_played=True))
        match = match.when(told("round_voided", reason="x", redealt=True))
        match = match.when(*[tally("ann", bo=1, cy=1)] * 3, READ_ONCE).then(voided=0)
        stands(match.when(amends(2, 1, tally("ann", bo=60, cy=20))).then(voided=1))

    def test_who_was_out_may_stay(self):
        options = {"caught_counts": False}
        match = given("hello-kitty", 3, "elimination", dealer="ann", target=50, options=options)
        match = match.when(*[tally("ann", bo=2, cy=12)] * 5).then(eliminated=("cy",))
        match = match.when(*[tally("ann", bo=1)] * 3, READ_ONCE)
        stands(match.when(amends(2, 1, tally("ann", bo=2, cy=1))).then(eliminated=(), voided=3))


class TestEnd:
    def test_who_wins_is_seen_again(self):
        match = given("basic", 2, "first-out", dealer="ann", rounds=5)
        match = match.when(*[tally("ann"), tally("ann"), tally("ann"), tally("bo"), tally("bo")])
        match = match.when(note(), note(), note(), READ_ONCE).then(winners=("ann",))
        match = match.when(amends(2, 1, tally("bo"))).then(winners=("bo",))
        stands(match.when(note(), amends(4, 1, tally("bo")), note()).then(winners=("bo",)))

    def test_a_match_that_is_over_before_and_after_is_not_read_again(self, steps_read):
        match = given("basic", 2, "first-out", dealer="ann", rounds=5)
        match = match.when(*[tally("ann")] * 5, *[note()] * 50)
        match = amended(match, READ_ONCE, *[amends(at, 1, tally("bo")) for at in (2, 4)])
        steps_read.clear()
        both_readings(match.state)
        assert len(steps_read) <= 61 + 2 * 12
        stands(match.then(winners=("ann",)))


def test_corrections_in_any_order_add_up():
    match = given("basic", 3, "lowest-total", dealer="ann", target=None)
    match = match.when(*[tally("ann", bo=9, cy=8)] * 20)
    for at in (30, 6, 18, 20, 12, 36, 10, 4):
        match = match.when(amends(at, 1, tally("bo", ann=at, cy=1)))
    match = match.when(amends(withdraws=[44, 46]))
    match = match.when(amends(22, 1), amends(24, 0, tally("cy", bo=7, ann=1)))
    stands(match.when(amends(withdraws=[45]), amends(20, 1, tally("cy", ann=50, bo=50))))


def test_the_next_dealer_is_the_winner_as_it_is_read_then():
    """If the winner deals, another winner changes who deals the next round, but no later one."""
    match = given("hello-kitty", 3, "lowest-total", dealer="ann", target=None)
    match = match.when(*[tally("ann", bo=9, cy=8), tally("cy", bo=9, ann=8)] * 9, READ_ONCE)
    stands(match.when(amends(4, 1, tally("bo", ann=9, cy=8))))


def test_a_hand_that_is_told_late_belongs_to_the_round_as_it_is_read_then():
    match = start("classic-2025", 2, mode="first-out", rounds=9)
    match = match.when(tally("ann"), told("round_started"), first("red-5"))
    for player, card in (("ann", "red-1"), ("bo", "red-draw-two")):
        match = match.when(shows(player, card, as_played=True))
    match = match.when(play("bo", "red-draw-two", as_played=True)).then(round=2, phase="ready")
    match = match.when(draw("ann", cards=["red-9", "wild"]), note(), tally("bo"), READ_ONCE)
    stands(match.when(amends(4, 1, tally("bo")), note()))


def test_a_play_told_otherwise_changes_its_round_alone(steps_read):
    match = start("basic", turned="red-5")
    for card in ("red-7", "red-8", "red-9"):
        match = match.when(play("bo", card, as_played=True), *[draw("cy", 1, as_played=True)] * 20)
        match = match.when(tally("ann", bo=1, cy=1, di=1, as_played=True))
        match = match.when(told("round_started"), first("red-5"))
    whole = match.state.version
    match = amended(match, READ_ONCE, amends(4, 1, play("bo", "red-2", as_played=True)))
    steps_read.clear()
    both_readings(match.state)
    assert len(steps_read) <= whole + 2 + 30
    stands(match)
