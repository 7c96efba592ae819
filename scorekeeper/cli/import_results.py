"""`scorekeeper import-results`: rounds of the past, from a spreadsheet into a league."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from scorekeeper.cli.one_ahead import one_ahead
from scorekeeper.cli.past_matches import PastMatch, past_matches
from scorekeeper.cli.past_requests import PastRequest, requests
from scorekeeper.cli.remote import Remote
from scorekeeper.cli.result_rows import BadRow, ResultRow, read_rows

_SHOWN: Final = 200
_CREATED: Final = 201


@click.command("import-results")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--url", required=True, help="The service to write to, as in http://127.0.0.1:8000.")
@click.option("--token", required=True, help="A token of the league that may record.")
@click.option("--league", required=True, help="The slug of the league.")
@click.option("--skip-bad", is_flag=True, help="Import the good rows and say which were skipped.")
@click.option("--leave-open", is_flag=True, help="Do not close matches that nobody has won.")
def import_results(
    file: Path, url: str, token: str, league: str, *, skip_bad: bool, leave_open: bool
) -> None:
    """Import rounds of the past from a CSV FILE: one row a round, nothing twice."""
    with file.open(encoding="utf-8-sig", newline="") as lines:
        read = list(read_rows(lines))
    rows = [row for row in read if isinstance(row, ResultRow)]
    matches, refused = past_matches(rows, leave_open=leave_open)
    bad = sorted(
        [*(row for row in read if isinstance(row, BadRow)), *refused], key=lambda row: row.line
    )
    _report(bad, skipped=skip_bad)
    if bad and not skip_bad:
        raise click.ClickException(f"{len(bad)} bad rows; nothing was imported.")
    with Remote(url, token) as service:
        _register(service, league, rows)
        new = _send(service, league, matches)
    rounds = sum(match.rounds for match in matches)
    click.echo(
        f"{rounds} rounds in {len(matches)} matches; {new} of the matches were new."
        + (f" {len(bad)} bad rows were skipped." if bad else "")
    )


def _report(bad: Sequence[BadRow], *, skipped: bool) -> None:
    for row in bad[:_SHOWN]:
        click.echo(f"line {row.line}: {row.why}{' (skipped)' if skipped else ''}", err=True)
    if len(bad) > _SHOWN:
        click.echo(f"… and {len(bad) - _SHOWN} more bad rows", err=True)


class _Listed(msgspec.Struct):
    """What is read of a page of players."""

    items: list[dict[str, object]]
    next: str | None


def _register(service: Remote, league: str, rows: Iterable[ResultRow]) -> None:
    """Whoever is not in the league yet is registered, under the slug as the name."""
    root = f"/v1/leagues/{league}/players"
    there: set[object] = set()
    query = "?limit=1000"
    while query:
        _, body = service.ask("GET", root + query)
        page = msgspec.json.decode(body, type=_Listed)
        there |= {item["player"] for item in page.items}
        query = f"?limit=1000&cursor={page.next}" if page.next else ""
    for player in dict.fromkeys(player for row in rows for player in row.players):
        if player not in there:
            service.ask("POST", root, {"player": player, "name": player})


class _BroughtIn(msgspec.Struct):
    """What is read of the answer for a match."""

    match: str
    appended: int


class _Answer(msgspec.Struct):
    matches: list[_BroughtIn]


def _send(service: Remote, league: str, matches: Sequence[PastMatch]) -> int:
    """How many of the matches were new; those that had been imported are left as they are.

    One request after the other, so that the log has the matches in the order of the file.
    """
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    new = 0
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("Rounds", total=sum(match.rounds for match in matches))
        # The next request is made up while the service works on this one.
        for request in one_ahead(requests(league, matches)):
            new += _ask(service, league, request)
            progress.advance(task, request.rounds)
    return new


def _ask(service: Remote, league: str, request: PastRequest) -> int:
    """How many of the matches were new; every event's id is known if it was sent before."""
    root = f"/v1/leagues/{league}"
    _, told = service.ask("POST", f"{root}/past-matches", request.body)
    answer = msgspec.json.decode(told, type=_Answer)
    new = {match.match for match in answer.matches if match.appended}
    for match, rest in request.rests:
        status, _ = service.ask("POST", f"{root}/matches/{match}/events", {"events": rest})
        new |= {match} if status == _CREATED else set()
    return len(new)
