"""The `type` of a problem is the address of a page that explains it."""

import pytest

from scorekeeper.api.problems import Code


@pytest.mark.parametrize("code", Code, ids=lambda code: code.value)
def test_every_type_of_problem_is_explained_in_both_languages(served, code):
    english = served.ask("GET", f"/problems/{code.value}", token=None)
    assert english.json() == {
        "type": f"/problems/{code.value}",
        "code": code.value,
        "status": code.status,
        "title": code.title,
    }
    chinese = served.ask("GET", f"/problems/{code.value}?lang=zh-TW", token=None)
    assert chinese.json()["title"] != code.title


def test_a_type_that_does_not_exist_is_not_found(served):
    assert served.ask("GET", "/problems/no-such-thing", token=None).status_code == 404
