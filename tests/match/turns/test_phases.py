"""Which phase takes which events, as the contract's table has it."""

import pytest

from scorekeeper.match.decider import EVENT_RULES

SAID = {"note_added", "dispute_opened", "dispute_ruled"}
"""Every phase takes these, and amendments."""
ENDING = {"round_tallied", "match_abandoned"}
IN_A_ROUND = ENDING | {"round_voided", "hand_shown"}
READY = ENDING | {
    "dealer_drawn",
    "round_started",
    "seats_changed",
    "player_substituted",
    "match_closed",
}
PHASE = {
    "ready": READY,
    "turning": IN_A_ROUND | {"first_card_turned", "color_named"},
    "playing": IN_A_ROUND
    | {
        "card_played",
        "cards_drawn",
        "card_given",
        "turn_passed",
        "uno_called",
        "uno_caught",
        "wild_draw_four_challenged",
        "misplay_called",
        "advice_called",
        "accusation_made",
        "pile_reshuffled",
        "color_named",
    },
    # Once no hand is awaited, the phase is `ready`, and its events end the round first.
    "showing_hands": IN_A_ROUND
    | {"cards_drawn", "pile_reshuffled", "wild_draw_four_challenged", "hand_counted"},
    "over": set(),
}


@pytest.mark.parametrize("phase", PHASE)
def test_a_phase_takes_what_the_contract_names(phase):
    taken = {rule.event.__struct_config__.tag for rule in EVENT_RULES if phase in rule.phases}
    assert taken == PHASE[phase] | SAID, "the rules' phases and the table above say the same"
