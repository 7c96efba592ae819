"""Any invalid value is reported with its path and in words, wherever it is in the body."""

import json
from copy import deepcopy

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.api.layers.input_validation import decoded
from scorekeeper.service.reading.match_request import AppendRequest, MatchRequest, WhatIf
from scorekeeper.service.reading.tournaments import TournamentRequest
from scorekeeper.service.refused import Refused
from scorekeeper.service.views import ErasureRequest, LeagueOpening, TokenMaking
from scorekeeper.texts.language import LANGUAGES
from scorekeeper.texts.message import problem_detail
from tests.api.serving import examples, for_machines
from tests.api.serving_kinds import on_both
from tests.match.bodies import BODIES

WRITTEN = {"match_opened", "round_ended", "match_won"}
TOLD = [event for body in BODIES if (event := json.loads(body))["type"] not in WRITTEN]
TABLE = {"edition": "basic", "players": ["ann", "bo"]}
TAKEN = [
    (AppendRequest, {"events": TOLD}),
    (MatchRequest, TABLE | {"scoring": {"mode": "first-out", "rounds": 1}, "events": TOLD[:2]}),
    (WhatIf, {"from": 2, "remove": 1, "insert": [{"type": "turn_passed", "player": "ann"}]}),
    (TournamentRequest, TABLE | {"name": "Cup", "rounds_per_partner": 4, "at": None}),
    (ErasureRequest, {"positions": [2, 3], "reason": "asked for"}),
    (LeagueOpening, {"league": "friday", "name": "Friday"}),
    (TokenMaking, {"role": "viewer", "name": "Board"}),
]
JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.sampled_from([0.5, "", "A", "a.b"])
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=5,
)


def refused(kind, body):
    with pytest.raises(Refused) as found:
        decoded(msgspec.json.Decoder(kind), json.dumps(body).encode())
    (misfit,) = found.value.members["errors"]
    return misfit


def places(node, path=()):
    yield path
    if isinstance(node, dict | list):
        for key, inner in node.items() if isinstance(node, dict) else enumerate(node):
            yield from places(inner, (*path, key))


def changed(body, path, value, *, more=False):
    """Return the body with another value at a path, or with an unknown member there."""
    if not path and not more:
        return value
    body = node = deepcopy(body)
    for step in path if more else path[:-1]:
        node = node[step]
    node["surprise" if more else path[-1]] = value
    return body


@examples(150)
@given(st.sampled_from(TAKEN), st.data())
def test_anything_anywhere(taken, data):
    kind, body = taken
    path = data.draw(st.sampled_from(list(places(body))))
    other = changed(body, path, data.draw(JUNK))
    try:
        msgspec.json.decode(json.dumps(other), type=kind)
    except msgspec.ValidationError:
        misfit = refused(kind, other)
        assert misfit.at.startswith("$")
        for language in LANGUAGES:
            told = problem_detail(misfit.wording, misfit.facts | {"nearest": None}, language)
            assert not for_machines(told, json.dumps(other)), (other, told)


def test_a_field_that_nothing_has_is_named_in_every_object():
    for kind, body in TAKEN:
        for path in places(body):
            node = body
            for step in path:
                node = node[step]
            if not isinstance(node, dict) or node.keys() <= {"ann", "bo", "cy", "di", "eve"}:
                continue
            misfit = refused(kind, changed(body, path, 1, more=True))
            at = "$" + "".join(
                f"[{step}]" if isinstance(step, int) else f".{step}" for step in path
            )
            assert (misfit.at, misfit.reason, misfit.facts["field"]) == (
                at,
                "field-unknown",
                "surprise",
            )


@pytest.mark.parametrize(
    ("event", "at", "detail"),
    [
        (
            {"type": "round_tallied", "winners": ["ann"], "hands": {"bo": {"points": 1}, "cy": {}}},
            "$.events[0].hands.cy",
            "events[0].hands.cy: A hand has either cards or points.",
        ),
        (
            {"type": "round_tallied", "winners": ["ann"], "hands": {"bo": {"points": "seven"}}},
            "$.events[0].hands.bo.points",
            "events[0].hands.bo.points has to be a whole number or null.",
        ),
        (
            {"type": "cards_drawn", "player": "ann", "count": 121},
            "$.events[0].count",
            "events[0].count has to lie between 0 and 120.",
        ),
        (
            {"type": "cards_drawn", "player": "ann", "count": 0},
            "$.events[0]",
            "events[0]: A draw of no card is told as played.",
        ),
        ({"type": {}}, "$.events[0].type", "events[0].type has to be a text."),
        (
            {"type": "note_added", "text": ""},
            "$.events[0].text",
            "events[0].text has 0 characters; it has to have 1 to 2000.",
        ),
        (
            {"type": "dispute_opened", "by": "ann", "round": 1, "claim": "no", "entry": "5"},
            "$.events[0].entry",
            "events[0].entry has to be a whole number or an object or null.",
        ),
    ],
)
def test_it_is_said_whose_hand_and_what_fits(event, at, detail):
    misfit = refused(AppendRequest, {"events": [event]})
    assert misfit.at == at
    assert problem_detail(misfit.wording, misfit.facts, "en") == detail


@on_both
@pytest.mark.parametrize(
    ("method", "path"), [("DELETE", "/tokens/{token_id}"), ("POST", "/rebuild")], ids=str.lower
)
def test_a_field_is_unknown_to_an_operation_that_takes_no_body(league, method, path):
    made = league.owner.post("/tokens", {"role": "viewer", "name": "tablet"}).json()
    path = path.format(**made)
    answer = league.owner.ask(method, path, json={"dry_run": True})
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert answer.json()["errors"] == [{"at": "$", "detail": "No field is expected here: dry_run."}]
    assert made["token_id"] in league.owner.get("/tokens").text
    assert league.owner.ask(method, path, json={}).is_success
