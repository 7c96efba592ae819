"""`python -m tests.bench.replay`: a ledger read from its first entry, beside the peer.

A million entries are the full size: `--entries 1000000 --laps 1`.
"""

from contextlib import ExitStack

import click

from tests.bench.loads.bulk import Bulk, Content, matches_for
from tests.bench.loads.commands import command
from tests.bench.loads.reading_work import ReadingWork
from tests.bench.measuring import lines
from tests.bench.measuring.children import done_apart
from tests.bench.measuring.samples import Work
from tests.bench.references.peer_jobs import PeerReplay
from tests.bench.started.databases import KINDS, Databases, Kind, written

REPLAY = "replay by the rules, match by match"
CHAIN = "chains and tree"
VERIFY = "scorekeeper verify"
PEER = "eventsourcing, repository.get"


def measure(kind: Kind, content: Content, entries: int, laps: int) -> None:
    with ExitStack() as stack:
        databases = Databases(stack)
        bulk = Bulk(databases.fresh(kind), "large", matches_for(content, entries), content=content)
        settings = databases.peer_settings(kind)
        size = written(bulk)
        peer = done_apart(
            "tests.bench.references.peer_replay", PeerReplay(settings, bulk, "write"), Work
        )
        databases.settle(kind)
        click.echo(
            f"{kind}, {content}: {size.entries:,} entries in {bulk.matches:,} matches, written at"
            f" {size.entries / size.seconds:,.0f}/s in bulk, by the peer at"
            f" {peer.per_second:,.0f}/s; {lines.load()}"
        )

        def reading(what: str) -> Work:
            return done_apart(
                "tests.bench.loads.reading_work", ReadingWork(bulk.url, "large", what), Work
            )

        done = lines.laps_of(
            {
                REPLAY: lambda: reading("replay"),
                PEER: lambda: done_apart(
                    "tests.bench.references.peer_replay", PeerReplay(settings, bulk, "read"), Work
                ),
                CHAIN: lambda: reading("chain"),
                VERIFY: lambda: command(
                    ["verify", "large"], bulk.url, databases.directory, size.entries
                ),
            },
            laps,
        )
    lines.ratio(done, REPLAY, PEER, "per_second", "≥ 4, then 10")
    lines.ratio(done, CHAIN, PEER, "per_second", "≥ 5")
    for ours, to_reach in ((REPLAY, "≥ 4, then 10"), (CHAIN, "≥ 5")):
        lines.ratio(done, ours, PEER, "per_processor_second", to_reach)
    lines.ratio(done, VERIFY, PEER, "per_second", "reported")
    lines.works(done)
    click.echo(f"verify has to reach 60,000 entries/s and at most 300 MB; {lines.load()}")


@click.command()
@click.option("--entries", type=click.IntRange(min=1000), default=50_000, show_default=True)
@click.option("--laps", type=click.IntRange(min=1), default=3, show_default=True)
@click.option("--database", multiple=True, type=click.Choice(KINDS), default=KINDS)
@click.option(
    "--content", type=click.Choice(["mixed", "cards", "tallied"]), default="mixed",
    help="Matches card by card, tallied ones, or every other of each.",
)  # fmt: skip
def main(entries: int, laps: int, database: tuple[Kind, ...], content: Content) -> None:
    """Measure replay and verification side by side with the peer's reading of as much."""
    for kind in database:
        measure(kind, content, entries, laps)


if __name__ == "__main__":
    main()
