"""A segment of a rotation, four rounds of the same partners, as its schedule seats them."""

import msgspec
import pytest

from scorekeeper.editions.registry import latest
from scorekeeper.match.events.opening import MatchOpened, Opening, open_match
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.projections.scoreboard import rounds, scoreboard
from tests.match.scenes.driving import wire
from tests.projections.replayed import in_words

# seats 1 and 3 deal twice, then seats 2 and 4 change places and deal
SEGMENT = [
    {"players": ["ann", "bo", "cy", "di"], "dealer": "ann"},
    {"players": ["ann", "bo", "cy", "di"], "dealer": "cy"},
    {"players": ["ann", "di", "cy", "bo"], "dealer": "di"},
    {"players": ["ann", "di", "cy", "bo"], "dealer": "bo"},
]
OPENING = {
    "edition": "basic",
    "players": ["ann", "bo", "cy", "di"],
    "teams": [["ann", "cy"], ["bo", "di"]],
    "scoring": {"mode": "lowest-total", "target": None, "rounds": 4},
    "seating": SEGMENT,
}
ROUND = [
    {"type": "round_started"},
    {"type": "first_card_turned", "card": "red-5"},
    {
        "type": "round_tallied",
        "winners": ["ann"],
        "hands": {"bo": {"points": 1}, "cy": {"points": 2}, "di": {"points": 3}},
    },
]


def opened_match(tournament=None):
    opened = open_match(
        latest("basic"), msgspec.json.decode(msgspec.json.encode(OPENING), type=Opening)
    )
    assert isinstance(opened, MatchOpened)
    return initial(latest("basic"), msgspec.structs.replace(opened, tournament=tournament))


@pytest.mark.clause("X-ROTATE", "B-ROTATE-4", "B-ROTATE-8")
def test_everybody_deals_once_and_the_left_of_the_dealer_begins():
    state = opened_match()
    begun = []
    for _ in SEGMENT:
        for told in ROUND:
            answer = record(state, [wire(told)])
            assert isinstance(answer, Recorded), answer
            state = answer.state
            if told["type"] == "first_card_turned":
                begun.append(scoreboard(state, match="m", position=1).turn)
    assert [dealt.dealer for dealt in rounds(state)] == ["ann", "cy", "di", "bo"]
    assert begun == ["bo", "di", "cy", "ann"]
    # ann sits to the left of di in two rounds and to the left of bo in two
    assert [dealt.players[3] for dealt in rounds(state)] == ["di", "di", "bo", "bo"]
    assert state.totals == {"ann": 8, "cy": 8, "bo": 16, "di": 16}
    assert state.status == "won"


def test_a_replay_says_that_the_schedule_of_a_tournament_names_the_dealers():
    answer = record(opened_match("cup"), [wire(told) for told in ROUND * len(SEGMENT)])
    assert isinstance(answer, Recorded), answer
    cited = [
        (items[0].clauses[1].id, items[3].clauses[-1].id)
        for number in range(1, len(SEGMENT) + 1)
        for items in [in_words(answer.state, number, "en").items]
    ]
    # Nobody deals after the last round.
    assert cited == [("X-ROTATE", "X-ROTATE")] * 3 + [("X-ROTATE", "B-POINTS")]
