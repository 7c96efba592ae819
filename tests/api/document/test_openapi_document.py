import json
from typing import Annotated

import msgspec
import pytest
from litestar import Response, delete, get, post
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import Stream

from scorekeeper.api.application import document as whole_document
from scorekeeper.api.document.components import OPERATION
from scorekeeper.api.document.openapi import openapi_document
from scorekeeper.api.handler_context import RIGHT
from scorekeeper.api.problems import Code
from scorekeeper.service.identity.access import Right
from scorekeeper.service.views import Listing


class Play(msgspec.Struct, tag="card_played", tag_field="type", forbid_unknown_fields=True):
    card: Annotated[str, msgspec.Meta(max_length=20)]


class Pass(msgspec.Struct, tag="turn_passed", tag_field="type", forbid_unknown_fields=True):
    player: str


class Batch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    events: list[Play | Pass]


class Taken(msgspec.Struct):
    """What was taken.

    `version`: the last one.
    """

    version: int
    data: dict[str, object]


@post(
    "/v1/matches/{match:str}/events",
    operation_id="append",
    summary="Append",
    tags=["matches"],
    opt={
        RIGHT: Right.RECORD,
        OPERATION: {
            "parameters": [{"$ref": "#/components/parameters/IfMatch"}],
            "responses": {"201": {"headers": {"ETag": {"$ref": "#/components/headers/ETag"}}}},
        },
    },
)
async def append(match: FromPath[str], data: JSONBody[Batch]) -> Response[Taken]:
    raise NotImplementedError


@get(
    "/v1/matches/{match:str}/events",
    operation_id="list",
    summary="List",
    tags=["matches"],
    opt={
        RIGHT: Right.READ,
        OPERATION: {"responses": {"200": {"content": {"application/x-ndjson": {"schema": {}}}}}},
    },
)
async def listed(
    match: FromPath[str], limit: Annotated[int, QueryParameter(ge=1, le=1000)] = 100
) -> Response[Listing[Taken]] | Stream:
    raise NotImplementedError


_NOTHING = Batch(events=[])


@post(
    "/v1/matches/{match:str}/undo",
    operation_id="undo",
    summary="Undo",
    tags=["matches"],
    opt={RIGHT: Right.RECORD},
)
async def undo(match: FromPath[str], data: JSONBody[Batch] = _NOTHING) -> Response[Taken]:
    raise NotImplementedError


@delete("/v1/session", operation_id="leave", tags=["tokens"], opt={RIGHT: Right.PUBLIC})
async def leave() -> Response[None]:
    raise NotImplementedError


@get("/metrics", operation_id="metrics", tags=["operations"], opt={RIGHT: Right.PUBLIC})
async def metrics() -> Response[bytes]:
    raise NotImplementedError


@get("/hidden", include_in_schema=False)
async def hidden() -> None:
    raise NotImplementedError


ROUTES = [append, listed, undo, leave, metrics, hidden]


@pytest.fixture(scope="module")
def document():
    return json.loads(openapi_document(ROUTES))


@pytest.fixture(scope="module")
def appending(document):
    return document["paths"]["/v1/matches/{match}/events"]["post"]


@pytest.fixture(scope="module")
def listing(document):
    return document["paths"]["/v1/matches/{match}/events"]["get"]


@pytest.fixture(scope="module")
def paths():
    """The paths of the service's own document."""
    return json.loads(whole_document())["paths"]


def test_the_same_routes_give_the_same_bytes():
    text = openapi_document(ROUTES)
    assert text == openapi_document(list(reversed(ROUTES)))
    assert text.endswith(b"}\n")


def test_a_union_of_events_names_its_discriminator(document):
    events = document["components"]["schemas"]["Batch"]["properties"]["events"]["items"]
    assert events["discriminator"] == {
        "propertyName": "type",
        "mapping": {
            "card_played": "#/components/schemas/Play",
            "turn_passed": "#/components/schemas/Pass",
        },
    }


def test_unknown_fields_and_limits_of_inner_types_are_told(document):
    play = document["components"]["schemas"]["Play"]
    assert play["additionalProperties"] is False
    assert play["properties"]["card"]["maxLength"] == 20
    assert play["properties"]["type"] == {"enum": ["card_played"]}


def test_bodies_and_answers_are_what_msgspec_says(appending, listing):
    body = appending["requestBody"]["content"]["application/json"]["schema"]
    assert body == {"$ref": "#/components/schemas/Batch"}
    answer = listing["responses"]["200"]["content"]["application/json"]["schema"]
    assert answer == {"$ref": "#/components/schemas/Listing_Taken_"}


def test_a_body_that_has_a_default_may_be_left_out(document, appending):
    undoing = document["paths"]["/v1/matches/{match}/undo"]["post"]
    assert appending["requestBody"]["required"] is True
    assert undoing["requestBody"]["required"] is False


def test_an_answer_without_a_body_has_no_media_type(document):
    assert "content" not in document["paths"]["/v1/session"]["delete"]["responses"]["204"]


def test_a_retry_is_answered_200_with_the_same_shape(appending):
    responses = appending["responses"]
    assert responses["200"]["content"] == responses["201"]["content"]
    assert "Idempotency-Replayed" in responses["200"]["headers"]


def test_every_page_of_a_list_has_a_link(paths):
    pages = [
        operation
        for item in paths.values()
        for operation in item.values()
        if any(each.get("name") == "cursor" for each in operation["parameters"])
    ]
    assert pages
    assert all("Link" in page["responses"]["200"]["headers"] for page in pages)


def test_a_list_of_one_page_has_a_link_too(paths):
    assert "Link" in paths["/v1/editions"]["get"]["responses"]["200"]["headers"]


@pytest.mark.parametrize(
    ("address", "versioned"),
    [
        ("/v1/leagues", False),
        ("/v1/leagues/{league}/players", False),
        ("/v1/leagues/{league}/matches", True),
        ("/v1/leagues/{league}/tournaments", True),
    ],
)
def test_what_has_an_address_is_made_with_its_location(paths, address, versioned):
    for status in ("200", "201"):
        headers = paths[address]["post"]["responses"][status]["headers"]
        assert "Location" in headers
        assert ("ETag" in headers) == versioned


@pytest.mark.parametrize("stream", ["matches/{match}", "tournaments/{tournament}"])
def test_a_batch_whose_head_was_known_says_so(paths, stream):
    appended = paths[f"/v1/leagues/{{league}}/{stream}/events"]["post"]["responses"]["201"]
    assert {"ETag", "Idempotency-Replayed"} <= set(appended["headers"])


def test_past_matches_that_were_known_in_part_say_so(paths):
    brought_in = paths["/v1/leagues/{league}/past-matches"]["post"]["responses"]["201"]
    assert "Idempotency-Replayed" in brought_in["headers"]


def test_another_version_is_refused_with_the_tag_of_the_current_one(document):
    assert "ETag" in document["components"]["responses"]["Problem412"]["headers"]


def test_what_keeps_no_answer_says_nothing_of_retries(paths):
    responses = paths["/v1/leagues/{league}/matches/{match}/what-if"]["post"]["responses"]
    assert "201" not in responses
    assert not responses["200"]["headers"]


def test_an_import_makes_nothing_with_an_address_and_may_be_answered_again(paths):
    responses = paths["/v1/leagues/{league}/imports"]["post"]["responses"]
    assert "201" not in responses
    assert set(responses["200"]["headers"]) == {"Idempotency-Replayed"}


@pytest.mark.parametrize("address", ["export", "live", "matches/{match}/live"])
def test_a_stream_has_no_etag(paths, address):
    responses = paths[f"/v1/leagues/{{league}}/{address}"]["get"]["responses"]
    assert "304" not in responses
    assert "ETag" not in responses["200"]["headers"]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 412, 413, 415, 422, 429, 500, 503])
def test_every_refusal_of_a_writing_request_is_a_problem(document, appending, status):
    reference = appending["responses"][str(status)]["$ref"]
    response = document["components"]["responses"][reference.rpartition("/")[2]]
    assert response["content"] == {
        "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
    }


def test_every_operation_may_fail_and_says_how(document):
    for item in document["paths"].values():
        for operation in item.values():
            assert {"400", "429", "500", "503"} <= set(operation["responses"])


def test_the_codes_are_a_closed_list(document):
    schemas = document["components"]["schemas"]
    assert schemas["Problem"]["properties"]["code"] == {"$ref": "#/components/schemas/Code"}
    assert set(schemas["Code"]["enum"]) == {code.value for code in Code}


def test_a_token_is_asked_for_but_where_everybody_may_look(document, appending):
    assert document["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert document["security"] == [{"token": []}]
    assert "security" not in appending
    assert document["paths"]["/metrics"]["get"]["security"] == []
    assert "401" not in document["paths"]["/metrics"]["get"]["responses"]


def test_a_handler_adds_what_nobody_else_knows(appending, listing):
    assert {"$ref": "#/components/parameters/IfMatch"} in appending["parameters"]
    assert {"$ref": "#/components/parameters/IdempotencyKey"} in appending["parameters"]
    assert "ETag" in appending["responses"]["201"]["headers"]
    assert set(listing["responses"]["200"]["content"]) == {
        "application/json",
        "application/x-ndjson",
    }


def test_numbers_are_whole_and_defaults_are_left_out(listing):
    [limit] = [each for each in listing["parameters"] if each.get("name") == "limit"]
    assert limit["schema"] == {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}
    assert json.dumps(limit).count(".0") == 0
    assert "deprecated" not in limit


def test_only_what_is_named_is_shared(document):
    text = json.dumps(document)
    for kind in ("schemas", "responses", "parameters", "headers"):
        for name in document["components"][kind]:
            assert f'"#/components/{kind}/{name}"' in text, name


def test_what_is_not_of_the_api_is_left_out(document):
    assert "/hidden" not in document["paths"]
    assert [tag["name"] for tag in document["tags"]] == ["matches", "operations", "tokens"]
    assert all(tag["description"] for tag in document["tags"])
    assert document["openapi"] == "3.1.0"


def test_a_description_is_not_indented(document):
    """In Markdown, four leading spaces would make a code block (CommonMark, section 4.4)."""
    described = document["components"]["schemas"]["Taken"]["description"]
    assert described == "What was taken.\n\n`version`: the last one."
