"""What matches are called on a page. A slug that the service generated says nothing to people."""

from collections.abc import Collection, Mapping
from functools import cache

from babel.dates import format_date

from scorekeeper.service.booklets import edition_summaries
from scorekeeper.service.reading.occasions import Occasion, PlayedIn
from scorekeeper.texts.language import CONVENTIONS, Language
from scorekeeper.texts.pages import said
from scorekeeper.web.page import PageRequest, language_of, services_of, zone_of


async def titles_of(request: PageRequest, league: str, matches: Collection[str]) -> dict[str, str]:
    """Return the titles of matches, by their slugs, in the reader's language.

    A slug that somebody chose is the title. In place of a generated one the title says which match
    it is: by its edition and day, or by its tournament, segment and table.
    """
    language = language_of(request)
    occasions = await services_of(request).occasions.of(league, matches, zone_of(request))
    return {
        match: _worded(occasions[match], language) if match in occasions else match
        for match in matches
    }


def _worded(occasion: Occasion, language: Language) -> str:
    if isinstance(occasion, PlayedIn):
        place = {"segment": occasion.segment, "table": occasion.table}
        table = said("Segment {segment}, table {table}", language, place)
        return f"{occasion.tournament} · {table}"
    day = format_date(occasion.day, "medium", CONVENTIONS[language].locale)
    title = f"{edition_names(language)[occasion.edition]} · {day}"
    return title if occasion.number == 1 else f"{title} ({occasion.number})"


@cache
def edition_names(language: Language) -> Mapping[str, str]:
    """Return what the booklets are called, by their slugs."""
    return {each.edition: each.name for each in edition_summaries(language)}
