"""A page that sends its reader somewhere sends them to a place that exists."""

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
