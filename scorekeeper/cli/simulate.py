"""`scorekeeper simulate`: play a league of simulated players into a service or a file.

After a tournament in a service, its standings are shown as a table.
"""

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec
from rich import box
from rich.table import Table

from scorekeeper.cli.remote import ANY, Remote, refusal
from scorekeeper.cli.terminal.failures import Failure
from scorekeeper.cli.terminal.options import token_option
from scorekeeper.cli.terminal.output import STANDARD_OUTPUT, bytes_to, counting, output
from scorekeeper.editions.registry import edition_ids, latest
from scorekeeper.match.events.opening import scoring_in_force
from scorekeeper.service.reading.tournaments import TournamentStandingsView
from scorekeeper.simulation.leagues import (
    SLUG,
    LeagueMatch,
    LeaguePlan,
    Post,
    TournamentPlan,
    league_matches,
    opening_posts,
    tournament_matches,
    tournament_posts,
)
from scorekeeper.simulation.tellings import Telling
from scorekeeper.tournament.events import MOST_CYCLES
from scorekeeper.tournament.schedule import DESIGNS, nearest
from scorekeeper.tournament.tournament import schedule_of

Deliver = Callable[[Post], None]

_TABLE = "{:<12} {:<13} {:<16} {:>7} {:>6} {:>7}  {}"


def show_standings(url: str, token: str, path: str) -> None:
    """Ask a service for the standings of the tournament at `path`, and print them.

    Raises ClickException if it does not answer.
    """
    with Remote(url, token) as service:
        _, body = service.ask("GET", f"{path}/standings?limit=1000")
    output().print(standings_table(msgspec.json.decode(body, type=TournamentStandingsView)))


def standings_table(found: TournamentStandingsView) -> Table:
    """Return the standings as a table, best first. Nothing is said by colours alone."""
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


@click.command()
@click.option("--url", help="The service to write to, as in http://127.0.0.1:8000.")
@token_option("An admin token of that service, or a token of the league")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False, writable=True, allow_dash=True),
    help="A file to write the requests to instead, one JSON document a line; - is standard output.",
)
@click.option("--league", default="simulated", show_default=True, help="The slug of the league.")
@click.option(
    "--edition",
    "editions",
    multiple=True,
    type=click.Choice(edition_ids()),
    help="Play this edition only; may be given several times.",
)
@click.option(
    "--players",
    type=click.IntRange(2, 1000),
    default=8,
    show_default=True,
    help="How many people the league has.",
)
@click.option(
    "--matches",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="How many matches they play.",
)
@click.option(
    "--seed", type=int, default=1, show_default=True, help="The same seed gives the same play."
)
@click.option(
    "--telling",
    type=click.Choice([telling.value for telling in Telling]),
    default=Telling.SEEN.value,
    show_default=True,
    help="What is told: all cards, what the table sees, or only what the rules do not force.",
)
@click.option(
    "--house-rules",
    is_flag=True,
    help="Play by house rules, too; the seed chooses them, anew for each match of a league.",
)
@click.option(
    "--tournament",
    "entered",
    type=click.IntRange(min=1),
    help="Play a tournament of so many players instead, with rotating partners.",
)
@click.option(
    "--cycles",
    type=click.IntRange(1, MOST_CYCLES),
    default=1,
    show_default=True,
    help="How often everybody partners everybody in a tournament.",
)
def simulate(
    url: str | None,
    token: str | None,
    out: Path | None,
    league: str,
    editions: tuple[str, ...],
    players: int,
    matches: int,
    seed: int,
    telling: str,
    house_rules: bool,
    entered: int | None,
    cycles: int,
) -> None:
    """Let simulated players play a league and write it to a service or to a file."""
    if (url is None) == (out is None):
        raise click.UsageError("Give either --url or --out.")
    if url is not None and token is None:
        raise click.UsageError("--url needs a --token.")
    found = [latest(edition) for edition in editions or edition_ids()]
    played_in = tuple(edition for edition in found if edition is not None)
    with _to_service(url, token or "") if url else _to_file(out or Path()) as deliver:
        if entered is not None:
            cup = _cup(
                TournamentPlan(
                    league=league,
                    edition=played_in[0],
                    players=entered,
                    cycles=cycles,
                    seed=seed,
                    telling=Telling(telling),
                    house_rules=house_rules,
                )
            )
            written = write_tournament(cup, deliver)
        else:
            plan = LeaguePlan(
                league=league,
                editions=played_in,
                players=players,
                matches=matches,
                seed=seed,
                telling=Telling(telling),
                house_rules=house_rules,
            )
            written = write_league(plan, deliver)
    _summarise(written, aside=out == STANDARD_OUTPUT)
    if entered is not None and url is not None:
        show_standings(url, token or "", f"/v1/leagues/{league}/tournaments/{SLUG}")


def write_league(plan: LeaguePlan, deliver: Deliver) -> list[LeagueMatch]:
    """Hand over every request in order, with progress on standard error."""
    return _write(opening_posts(plan), league_matches(plan), plan.matches, deliver)


def write_tournament(plan: TournamentPlan, deliver: Deliver) -> list[LeagueMatch]:
    """Hand over every request of a tournament in order, with progress on standard error."""
    tables = sum(len(segment.tables) for segment in schedule_of(plan.opened).segments)
    return _write(tournament_posts(plan), tournament_matches(plan), tables, deliver)


def _cup(plan: TournamentPlan) -> TournamentPlan:
    if plan.players not in DESIGNS:
        work = " or ".join(str(count) for count in nearest(plan.players))
        raise click.BadParameter(
            f"no schedule for {plan.players}; {work} work", param_hint="--tournament"
        )
    return plan


def _write(
    opening: Iterable[Post], matches: Iterable[LeagueMatch], count: int, deliver: Deliver
) -> list[LeagueMatch]:
    for post in opening:
        deliver(post)
    written: list[LeagueMatch] = []
    with counting("Matches played", count) as progress:
        for match in matches:
            for post in match.posts:
                deliver(post)
            written.append(msgspec.structs.replace(match, posts=()))
            progress.advance(1)
    return written


@contextmanager
def _to_file(path: Path) -> Generator[Deliver]:
    encode = msgspec.json.Encoder().encode
    with bytes_to(path) as lines:

        def deliver(post: Post) -> None:
            lines.write(encode(post) + b"\n")

        yield deliver


@contextmanager
def _to_service(url: str, token: str) -> Generator[Deliver]:
    with Remote(url, token) as service:

        def deliver(post: Post) -> None:
            status, body = service.ask("POST", post.post, post.body, taken=ANY)
            refuse_problem(post, status, body)

        yield deliver


def refuse_problem(post: Post, status: int, body: bytes) -> None:
    """Raise Failure if the service refused what was posted.

    It may refuse a league's own token to open the league, which then exists already.
    """
    if status < 300 or (status == 403 and post.post == "/v1/leagues"):
        return
    raise Failure(refusal("POST", post.post, status, body))


def _summarise(written: list[LeagueMatch], *, aside: bool) -> None:
    """`aside`: on standard error, since the requests are on standard output."""
    heading = _TABLE.format("match", "edition", "scoring", "players", "rounds", "events", "end")
    click.echo(heading, err=aside)
    for match in written:
        opened = match.played.opened
        click.echo(
            _TABLE.format(
                match.slug,
                opened.edition,
                scoring_in_force(match.played.edition, opened).mode,
                len(opened.players),
                len(match.played.rounds),
                match.events,
                ", ".join(match.played.winners) or "abandoned",
            ),
            err=aside,
        )
    rounds = sum(len(match.played.rounds) for match in written)
    events = sum(match.events for match in written)
    click.echo(f"{len(written)} matches, {rounds} rounds, {events} events told.", err=aside)
