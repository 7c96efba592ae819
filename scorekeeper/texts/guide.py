"""The guide for visitors of the demonstration, in English, which is also the catalogs' key."""

from collections.abc import Mapping
from typing import Final

GUIDE: Final[Mapping[str, str]] = {
    "title": "Scorekeeper in five minutes",
    "intro": (
        "A league of simulated people. Change in it whatever you like: the command makes it anew "
        "with --fresh."
    ),
    "join": "Come in first: any name will do for this device. It may do everything in this league.",
    "league": "The league: what is played now, the table, tournaments, open disputes.",
    "pad": "The pad on a phone: a round in two taps and the cards. Save one, then take it back.",
    "tv": "The board for the wall. Leave it open while you save a round on the pad.",
    "replay": (
        "A disputed round at the step in question, with the clause beside it. Try what would have "
        "come of it otherwise, and decide the dispute."
    ),
    "corrected": "A round that was put right: it is read as recorded and as corrected.",
    "hall": "A tournament of eight that is being played, for the wall of the hall.",
    "champion": "A tournament that is over: who scored what with whom and against whom.",
    "print": "The sheets of a tournament for paper, where there is no network.",
    "table": "The table over three years, by season, edition and company.",
    "player": "What a person has achieved, and a rating with its band.",
    "booklet": "A booklet, clause by clause, each with an address of its own.",
    "admin": (
        "For owners: invite a phone, import a spreadsheet, check the evidence in the browser, take "
        "the export home."
    ),
}
