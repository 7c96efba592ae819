"""Which matches a page looks at: a season or days, an edition, how many players, with whom."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final
from urllib.parse import urlencode

import msgspec

from scorekeeper.service.booklets import edition_summaries
from scorekeeper.service.refused import not_found
from scorekeeper.store.standings import Chosen
from scorekeeper.texts.language import Language
from scorekeeper.web.page import PageRequest, language_of

_FEWEST: Final = 2
_MOST: Final = 10
_MOST_YEARS: Final = 30


class Season(msgspec.Struct, frozen=True):
    """A year as a link; `year` is None for all of them. `shown`: it is the one on the page."""

    year: int | None
    address: str
    shown: bool


class Choice(msgspec.Struct, frozen=True):
    """What was chosen, and what may be.

    `year` is that of a whole year, else None. `more`: something other than a season was chosen.
    """

    chosen: Chosen
    year: int | None
    more: bool
    seasons: Sequence[Season]
    editions: Mapping[str, str]
    seats: Sequence[int]
    people: Mapping[str, str]


def choice_of(
    request: PageRequest, years: Sequence[int], names: Mapping[str, str], *, besides: str = ""
) -> Choice:
    """As the address says, in the words of the API. `besides`: whom nobody need be with.

    Raises Refused (`not-found`) where a part of it can't be: no link of ours leads there.
    """
    editions = _editions(language_of(request))
    asked = {name: value for name, value in request.query_params.items() if value}
    chosen = Chosen(
        other=_among(asked.get("with"), names),
        since=_day(asked.get("from")),
        until=_day(asked.get("to")),
        seats=_seats(asked.get("seats")),
        edition=_among(asked.get("edition"), editions),
    )
    year = _year(chosen)
    others: dict[str, str] = {
        name: asked[name] for name in ("edition", "seats", "with") if name in asked
    }
    shown = [None, *sorted(years, reverse=True)[:_MOST_YEARS]]
    none = chosen.since is None and chosen.until is None
    return Choice(
        chosen=chosen,
        year=year,
        more=bool(others) or not (none or year is not None),
        seasons=[
            Season(
                each,
                _address(request.scope["path"], {**_days_of(each), **others}),
                none if each is None else each == year,
            )
            for each in shown
        ],
        editions=editions,
        seats=tuple(range(_FEWEST, _MOST + 1)),
        people={player: name for player, name in names.items() if player != besides},
    )


def _address(path: str, query: Mapping[str, str]) -> str:
    return f"{path}?{urlencode(query)}" if query else path


def _days_of(year: int | None) -> Mapping[str, str]:
    if year is None:
        return {}
    return {"from": f"{year:04}-01-01", "to": f"{year:04}-12-31"}


def _year(chosen: Chosen) -> int | None:
    """The one that all the days are of, from its first to its last."""
    if chosen.since is None:
        return None
    year = int(chosen.since[: len("2026")])
    return year if {"from": chosen.since, "to": chosen.until} == _days_of(year) else None


def _editions(language: Language) -> Mapping[str, str]:
    """The booklets' names by their slugs."""
    return {each.edition: each.name for each in edition_summaries(language)}


def _day(text: str | None) -> str | None:
    try:
        return None if text is None else date.fromisoformat(text).isoformat()
    except ValueError:
        raise not_found("address") from None


def _seats(text: str | None) -> int | None:
    if text is None:
        return None
    if text not in {str(number) for number in range(_FEWEST, _MOST + 1)}:
        raise not_found("address")
    return int(text)


def _among(text: str | None, known: Mapping[str, str]) -> str | None:
    if text is not None and text not in known:
        raise not_found("address")
    return text
