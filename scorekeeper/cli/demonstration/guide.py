"""The demonstration's first page: what to look at, in both languages, with links."""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Final

from scorekeeper.cli.demonstration.asking import LEAGUE
from scorekeeper.cli.demonstration.cups import OVER, RUNNING
from scorekeeper.cli.demonstration.evenings import CORRECTED, QUARREL, TONIGHT
from scorekeeper.texts.guide import GUIDE
from scorekeeper.texts.language import LANGUAGES, Language, translate

_STYLE: Final = (
    "body{font:1.05rem/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;"
    "color-scheme:light dark}li{margin:.6rem 0}a{display:inline-block;padding:.35rem 0}"
)


def sights(join: str, url: str, step: int) -> Mapping[str, str]:
    """What there is to look at, in the order of a visit: the address of each.

    `join` lets a browser in; `step`: of the round that is disputed.
    """
    league = f"{url}/l/{LEAGUE}"
    return {
        "join": join,
        "league": league,
        "pad": f"{league}/m/{TONIGHT}/pad",
        "tv": f"{league}/m/{TONIGHT}/tv",
        "replay": f"{league}/m/{QUARREL}/r/1?step={step}",
        "corrected": f"{league}/m/{CORRECTED}/r/2",
        "hall": f"{league}/t/{RUNNING}/hall",
        "champion": f"{league}/t/{OVER}",
        "print": f"{league}/t/{RUNNING}/print",
        "table": f"{league}/table",
        "player": f"{league}/players/oma-ida",
        "booklet": f"{url}/e/mickey",
        "admin": f"{league}/admin",
    }


def lines(found: Mapping[str, str]) -> Iterator[str]:
    """For a terminal, in English."""
    for name, address in found.items():
        yield f"  {GUIDE[name]}"
        yield f"    {address}"


def page(found: Mapping[str, str]) -> str:
    """One HTML file that needs nothing else; the pages open in a tab of their own beside it."""
    parts = "\n".join(_part(found, language) for language in LANGUAGES)
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{GUIDE["title"]}</title>\n'
        f"<style>{_STYLE}</style>\n<main>\n{parts}\n</main>\n</html>\n"
    )


def _part(found: Mapping[str, str], language: Language) -> str:
    def say(name: str) -> str:
        return escape(translate(GUIDE[name], language))

    items = "\n".join(
        f'<li><a href="{escape(address)}" target="scorekeeper">{say(name)}</a></li>'
        for name, address in found.items()
    )
    return (
        f'<section lang="{language}">\n<h1>{say("title")}</h1>\n<p>{say("intro")}</p>\n'
        f"<ol>\n{items}\n</ol>\n</section>"
    )
