"""The places to which pages send their readers exist."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_links_to_files_of_the_repository_lead_somewhere() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    links = [
        (source, target)
        for source in pages
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", source.read_text(encoding="utf-8"))
    ]
    assert links
    missing = [
        f"{source.relative_to(ROOT)} → {target}"
        for source, target in links
        if not (source.parent / target).exists()
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
