"""Every refusal that the service can utter is a problem that the API can answer, in words."""

import ast
from pathlib import Path
from typing import get_args

import pytest

import scorekeeper
from scorekeeper.api.problems import Code as Problem
from scorekeeper.match.events.refusal import Reason, Refusal, RefusalCode, Violation
from scorekeeper.match.record import ROUND_MEANT
from scorekeeper.service.matches.deciding import from_refusal
from scorekeeper.service.refused import Sought
from scorekeeper.texts.message import message
from scorekeeper.texts.request_templates import REQUEST_MESSAGES
from scorekeeper.texts.templates import MESSAGES
from tests.syntax_trees import syntax_tree
from tests.texts.terms import REQUEST_TERMS

PROBLEMS = {problem.value for problem in Problem}
PACKAGE = Path(scorekeeper.__file__).parent


def calls(*names):
    """Yield all calls of these functions in service, api and match."""
    paths = (
        path for part in ("service", "api", "match") for path in PACKAGE.glob(f"{part}/**/*.py")
    )
    for path in paths:
        for node in ast.walk(syntax_tree(path)):
            if isinstance(node, ast.Call) and _name(node.func) in names:
                yield node


def _name(function):
    return getattr(function, "id", getattr(function, "attr", ""))


def _constant(node):
    return node.value if isinstance(node, ast.Constant) else None


def uttered():
    """Yield code and reason of each `Refused("…", reason="…")`. What is not constant is None."""
    for call in calls("Refused"):
        named = {keyword.arg: keyword.value for keyword in call.keywords}
        reason = named.get("reason")
        if reason is None or isinstance(reason, ast.Constant):
            yield _constant(call.args[0]), reason and reason.value
    for call in calls("_malformed", "misfit"):
        yield "malformed", _constant(call.args[0])


def test_every_code_of_the_service_is_a_problem():
    codes = {code for code, _ in uttered()} - {None}
    assert {"malformed", "forbidden", "version-mismatch", "event-id-reused"} <= codes
    assert codes <= PROBLEMS


def test_every_refusal_of_the_service_has_words_of_its_own():
    told = {(code, reason) for code, reason in uttered() if code is not None}
    assert len(told) > 30
    assert told <= {*REQUEST_MESSAGES, *MESSAGES}
    assert {("not-found", what) for what in get_args(Sought)} <= set(REQUEST_MESSAGES)


def test_what_a_struct_says_of_its_fields_can_be_told_in_every_language():
    told = {_constant(call.args[0]) for call in calls("ValueError", "TimeOutOfRange") if call.args}
    assert {why for why in told if why and why.endswith(".")} == {
        why for why in REQUEST_TERMS if why.endswith(".")
    }


@pytest.mark.parametrize("code", get_args(RefusalCode))
def test_every_code_of_the_decider_is_a_problem_of_422(code):
    """Most codes are a 422. Those that depend on what was recorded meanwhile are a 409."""
    meanwhile = {"dispute-closed", "event-erased", "nothing-to-undo"} | ROUND_MEANT
    assert Problem(code).status == (409 if code in meanwhile else 422)


@pytest.mark.parametrize("language", ["en", "zh-TW"])
@pytest.mark.parametrize("reason", get_args(Reason))
def test_every_reason_is_told_whatever_its_facts(reason, language):
    refused = from_refusal(
        Refusal(code="impossible-event", reason=reason, event_index=2), language, first_index=3
    )
    assert message(refused.code, refused.reason, refused.facts, language)
    assert (refused.reason, refused.members["event_index"]) == (reason, 5)


def test_violations_are_counted_from_the_first_event_of_the_request():
    violation = Violation(clause="X-COUNT", reason="cards-left", facts={"cards": 3}, event_index=1)
    refusal = Refusal(code="rule-violation", event_index=1, violations=(violation,))
    refused = from_refusal(refusal, "en", first_index=4)
    assert refused.members["event_index"] == 5
    (told,) = refused.members["violations"]
    assert (told.event_index, told.clause, told.facts) == (5, "X-COUNT", {"cards": 3})
    assert told.message
