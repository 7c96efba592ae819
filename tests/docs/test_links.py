"""The places to which pages send their readers exist."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    page
    for places in ("*.md", "docs/**/*.md", "tests/**/*.md")
    for page in sorted(ROOT.glob(places))
]
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)")


def headings(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as hosts of repositories make them."""
    text = re.sub(
        r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    return {
        re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-")
        for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    }


def test_links_to_files_and_headings_of_the_repository_lead_somewhere() -> None:
    links = [
        (page, page.parent / target if target else page, heading)
        for page in PAGES
        for target, heading in LINK.findall(page.read_text(encoding="utf-8"))
    ]
    assert {"README.md", "SECURITY.md", "evidence.md", "machines.md"} <= {
        p.name for p, _, _ in links
    }
    assert sum(bool(heading) for _, _, heading in links) > 20
    missing = [
        f"{page.relative_to(ROOT)} → {target}#{heading}"
        for page, target, heading in links
        if not target.exists()
        or (heading and target.suffix == ".md" and heading not in headings(target))
    ]
    assert missing == []


def test_the_places_to_which_a_developer_is_sent_exist() -> None:
    """docs/extending.md names them in the repository or the package, with or without `.py`."""
    page = (ROOT / "docs/extending.md").read_text(encoding="utf-8")
    named = {place for place in re.findall(r"`([\w-]+/[\w./-]+)`", page) if "NAME" not in place}
    assert len(named) > 40
    places = [ROOT, ROOT / "scorekeeper"]
    missing = [
        name
        for name in sorted(named)
        if not any((at / f"{name}{end}").exists() for at in places for end in ("", ".py"))
    ]
    assert missing == []
