"""Which pages docs/pages.md shows, each with its place in the league of the demonstration."""

from typing import Final, Literal, NamedTuple

Kind = Literal["phone", "wall", "paper"]


class Pictured(NamedTuple):
    """`name`: of the picture; `page`: its title in docs/pages.md; `path`: the page's address."""

    name: str
    page: str
    path: str
    kind: Kind = "phone"


LEAGUE: Final = "/l/demo"
PICTURED: Final = (
    Pictured("home", "/", "/"),
    Pictured("join", "/join", "/join#K7QF-2M9X"),
    Pictured("league", "/l/{league}", LEAGUE),
    Pictured("new-match", "/l/{league}/new", f"{LEAGUE}/new"),
    Pictured("match", "/l/{league}/m/{match}", f"{LEAGUE}/m/corrected"),
    Pictured("pad", "/l/{league}/m/{match}/pad", f"{LEAGUE}/m/autumn-cup-s4-t1/pad"),
    Pictured("cards", "/l/{league}/m/{match}/cards", f"{LEAGUE}/m/tonight/cards"),
    Pictured("tv", "/l/{league}/m/{match}/tv", f"{LEAGUE}/m/tonight/tv", "wall"),
    Pictured("replay", "/l/{league}/m/{match}/r/{n}", f"{LEAGUE}/m/quarrel/r/1?step=3"),
    Pictured("table", "/l/{league}/table", f"{LEAGUE}/table"),
    Pictured("players", "/l/{league}/players", f"{LEAGUE}/players"),
    Pictured("player", "/l/{league}/players/{player}", f"{LEAGUE}/players/oma-ida"),
    Pictured("tournaments", "/l/{league}/t", f"{LEAGUE}/t"),
    Pictured("new-tournament", "/l/{league}/t/new", f"{LEAGUE}/t/new"),
    Pictured("tournament", "/l/{league}/t/{tournament}", f"{LEAGUE}/t/spring-cup"),
    Pictured("hall", "/l/{league}/t/{tournament}/hall", f"{LEAGUE}/t/autumn-cup/hall", "wall"),
    Pictured(
        "print",
        "/l/{league}/t/{tournament}/print",
        f"{LEAGUE}/t/autumn-cup/print?segment=5",
        "paper",
    ),
    Pictured("admin", "/l/{league}/admin", f"{LEAGUE}/admin"),
    Pictured("import", "/l/{league}/admin", f"{LEAGUE}/admin"),
    Pictured("offline", "/offline", "/offline"),
    Pictured("booklet", "/e/{edition}", "/e/mickey"),
)
