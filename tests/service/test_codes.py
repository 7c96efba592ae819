"""Every refusal that the service can utter is a problem that the API can answer."""

import ast
from pathlib import Path
from typing import get_args

import pytest

import scorekeeper
from scorekeeper.api.problems import Code as Problem
from scorekeeper.match.refusal import Code, Reason, Refusal, Violation
from scorekeeper.match.round_meant import ROUND_MEANT
from scorekeeper.service.refusals import from_refusal

PROBLEMS = {problem.value for problem in Problem}
PACKAGE = Path(scorekeeper.__file__).parent


def uttered():
    """The codes of all `Refused("…")` in service and API."""
    for path in [*PACKAGE.glob("service/**/*.py"), *PACKAGE.glob("api/**/*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refused":
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    yield first.value


def test_every_code_of_the_service_is_a_problem():
    codes = set(uttered())
    assert {"malformed", "not-found", "version-mismatch", "event-id-reused"} <= codes
    assert codes <= PROBLEMS


@pytest.mark.parametrize("code", get_args(Code))
def test_every_code_of_the_decider_is_a_problem_of_422(code):
    """But for what is so because of what was recorded meanwhile."""
    meanwhile = {"dispute-closed", "event-erased", "nothing-to-undo"} | ROUND_MEANT
    assert Problem(code).status == (409 if code in meanwhile else 422)


@pytest.mark.parametrize("language", ["en", "zh-TW"])
@pytest.mark.parametrize("reason", get_args(Reason))
def test_every_reason_is_told_whatever_its_facts(reason, language):
    refused = from_refusal(
        Refusal(code="impossible-event", reason=reason, event_index=2), language, first_index=3
    )
    assert refused.detail
    assert (refused.reason, refused.members["event_index"]) == (reason, 5)


def test_violations_are_counted_from_the_first_event_of_the_request():
    violation = Violation(clause="X-COUNT", reason="cards-left", facts={"cards": 3}, event_index=1)
    refusal = Refusal(code="rule-violation", event_index=1, violations=(violation,))
    refused = from_refusal(refusal, "en", first_index=4)
    assert refused.members["event_index"] == 5
    (told,) = refused.members["violations"]
    assert (told.event_index, told.clause, told.facts) == (5, "X-COUNT", {"cards": 3})
    assert told.message
