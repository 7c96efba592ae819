"""docs/errors.md lists the problems that the API can answer with: all of them, and no other."""

import re
from pathlib import Path

from scorekeeper.api.problems import Code, Problem

ROOT = Path(__file__).resolve().parents[2]


def test_every_problem_is_listed_with_its_status_in_the_order_of_the_code() -> None:
    page = (ROOT / "docs/errors.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([a-z-]+)` \| (\d{3}) \| \S.* \|$", page, re.MULTILINE)
    assert listed == [(code.value, str(code.status)) for code in Code]


def test_every_member_of_a_problem_is_explained() -> None:
    page = (ROOT / "docs/errors.md").read_text(encoding="utf-8")
    members = page[page.index("| member |") : page.index("A refused request")]
    named = re.findall(r"^\| ([^|]+) \|", members, re.MULTILINE)
    assert set(re.findall(r"`([a-z_]+)`", " ".join(named))) == set(Problem.__struct_fields__)
