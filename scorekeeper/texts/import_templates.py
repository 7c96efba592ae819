"""English sentences about a spreadsheet of past rounds: what is wrong with a row, what it tells.

Like those in `templates`, they are the keys of the catalogs of other languages, and a sentence has
several wordings where some of its facts may be missing.
"""

from collections.abc import Mapping
from typing import Final

_ROWS: Final = {
    "cells": ("there are more cells than columns",),
    "columns-missing": ("the heading lacks {columns}",),
    "columns-unknown": ("the heading has unknown columns: {columns}",),
    "hands-missing": ("the heading has neither points nor cards",),
    "hands-twice": ("a row has either points or cards",),
    "hand-count": ("there are {seats} players and {hands} hands",),
    "hand-empty": ("{name} has nothing left and is none of the winners",),
    "in-future": ("{day} lies in the future; {flag} imports it", "{day} lies in the future"),
    "name-long": ("a name has at most {most} characters: {name}",),
    "name-unclear": ("{name} is the name of {either}: write which of them",),
    "no-csv": ("from here on no cells can be read; a closing quotation mark may be missing",),
    "no-date": ("{found} is no date like 2024-11-20", "nothing is no date like 2024-11-20"),
    "no-edition": ("there is no edition {found}", "there is no edition without a name"),
    "no-mode": ("there is no scoring mode {found}",),
    "no-number": ("{name} is no number: {found}",),
    "no-round": ("this round can't be recorded: {found}",),
    "no-substitute": ("{found} does not say who sat in for whom, as ann=eve does",),
    "no-text": ("from here on this is no {encoding}; save it as CSV in UTF-8",),
    "nobody-won": ("nobody won: give the winner {sign} for points, or say winners",),
    "other-scoring": ("another scoring than in line {line} of the same match",),
    "other-table": ("another edition or other players than in line {line} of the same match",),
    "rows": ("a file has at most {most} rows",),
    "seat-twice": ("somebody sits at the table twice",),
    "substitute-seated": ("{name} sits in and has a place of the own",),
    "substitute-for-nobody": ("{name} sits in for {absent}, who is none of the players",),
    "winner-away": ("won without playing: {names}",),
}

_OPENED: Final = (
    ", which can't be amended: abandon it in the league, and import the rows under another name"
)

_MATCHES: Final = {
    "amended-since": (
        "it was amended or went on in the league since it was imported: put it right there",
    ),
    "amended-to-this": ("it was amended in the league since",),
    "erased": ("what some of its entries held was erased; it is left as it is",),
    "imported-otherwise": (
        "it was imported otherwise; {flag} puts that right",
        "it was imported otherwise",
    ),
    "name-taken": ("the league has another match of this name; name this one otherwise",),
    "opened-at": (f"it was opened with another date{_OPENED}",),
    "opened-edition": (f"it was opened with another edition{_OPENED}",),
    "opened-players": (f"it was opened with other players, or other seats{_OPENED}",),
    "opened-scoring": (f"it was opened with another scoring{_OPENED}",),
}

_EVENTS: Final = {
    "told-abandoned": ("the match is abandoned",),
    "told-back": ("{name} plays again",),
    "told-closed": ("the match is closed",),
    "told-day": ("{day}: {told}",),
    "told-round": ("{names} won; {hands}", "{names} won"),
    "told-substitute": ("{name} sits in for {absent}",),
}

IMPORT_MESSAGES: Final[Mapping[str, tuple[str, ...]]] = {**_ROWS, **_MATCHES, **_EVENTS}
