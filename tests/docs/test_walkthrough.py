"""The links of docs/walkthrough.md lead to the functions that it names."""

from tests.docs.walkthrough import LINK, PAGE, with_lines


def test_every_step_stands_where_the_page_says() -> None:
    """If a name no longer exists, the page has to be rewritten by hand."""
    page = PAGE.read_text(encoding="utf-8")
    assert with_lines(page) == page, "Run .venv/bin/python -m tests.docs.walkthrough"


def test_no_step_names_its_place_in_another_way() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert len(LINK.findall(page)) == page.count("](../scorekeeper/") > 20
