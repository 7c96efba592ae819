"""The examples of the OpenAPI document can be sent unchanged."""

import json

from scorekeeper.api.document.documentation import committed_document
from scorekeeper.api.document.examples import STORY, address
from tests.api.serving_kinds import on_both

DOCUMENT = json.loads(committed_document())
OPERATIONS = {
    operation["operationId"]: (method.upper(), path, operation)
    for path, item in DOCUMENT["paths"].items()
    for method, operation in item.items()
}
WITH_A_BODY = {name for name, (_, _, each) in OPERATIONS.items() if "requestBody" in each}


def parameters():
    for name, (_, _, operation) in OPERATIONS.items():
        for each in operation.get("parameters", ()):
            kind = each.get("$ref", "").rpartition("/")[2]
            yield name, DOCUMENT["components"]["parameters"][kind] if kind else each


def test_no_parameter_is_filled_in_beforehand():
    """Swagger UI sends examples along; a default only says what holds without the parameter."""
    found = list(parameters())
    assert len(found) > 100
    for operation, parameter in found:
        for described in (parameter, parameter["schema"]):
            assert described.keys().isdisjoint({"example", "examples", "const"}), operation
        if parameter["in"] != "query":
            assert "default" not in parameter["schema"], operation


def test_every_body_has_examples_and_each_of_them_a_title_and_a_place():
    assert {example.operation for example in STORY} == WITH_A_BODY
    for name in WITH_A_BODY:
        _, _, operation = OPERATIONS[name]
        shown = operation["requestBody"]["content"]["application/json"]["examples"]
        told = [example for example in STORY if example.operation == name]
        assert [(each["summary"], each["value"]) for each in shown.values()] == [
            (example.title, example.body) for example in told
        ]
        assert all(each["description"].startswith("To `/v1/") for each in shown.values())


def test_events_of_every_kind_of_round_are_among_them():
    told = {
        event["type"]
        for example in STORY
        for event in example.body.get("events", ())
        if example.operation == "appendEvents"
    }
    assert {"round_tallied", "player_substituted", "dispute_opened", "dispute_ruled"} <= told
    assert {"log_amended", "round_started", "card_played", "cards_drawn", "hand_shown"} <= told


@on_both
def test_the_examples_are_accepted_in_their_order(served):
    code = None
    for example in STORY:
        method, path, _ = OPERATIONS[example.operation]
        body = dict(example.body)
        if "code" in body:
            # The code is a secret, which no example can contain.
            body["code"] = code
        headers = {} if example.seen is None else {"if-match": f'"{example.seen}"'}
        answer = served.ask(method, address(example, path), json=body, headers=headers)
        assert answer.status_code in {200, 201}, (example.title, answer.text)
        if example.operation == "makeInvitation":
            code = code or answer.json()["code"]
    board = served.ask("GET", "/v1/leagues/friday/matches/friday-1").json()
    assert (board["status"], board["open_disputes"]) == ("won", 0)
