"""The standings of a tournament as a table in the terminal."""

import msgspec
from rich import box
from rich.table import Table

from scorekeeper.cli.remote import Remote
from scorekeeper.cli.terminal.output import output
from scorekeeper.service.reading.tournaments import TournamentStandingsView


def show_standings(url: str, token: str, path: str) -> None:
    """Ask a service for the standings of the tournament at `path`, and print them.

    Raises ClickException where it does not answer.
    """
    with Remote(url, token) as service:
        _, body = service.ask("GET", f"{path}/standings?limit=1000")
    output().print(standings_table(msgspec.json.decode(body, type=TournamentStandingsView)))


def standings_table(found: TournamentStandingsView) -> Table:
    """Best first; what colour says is said in words too."""
    title = "Standings" if found.complete else "Standings so far"
    table = Table(title=title, box=box.SIMPLE, title_justify="left")
    table.add_column("rank", justify="right")
    table.add_column("player")
    for name in ("total", "rounds", "won", "per round"):
        table.add_column(name, justify="right")
    table.add_column("")
    for each in found.items:
        champion = each.player in found.champions
        table.add_row(
            str(each.rank),
            each.player,
            str(each.total),
            str(each.rounds),
            str(each.round_wins),
            f"{each.total / each.rounds:.1f}" if each.rounds else "–",
            "champion" if champion else "withdrawn" if each.withdrawn else "",
            style="bold green" if champion else None,
        )
    return table
