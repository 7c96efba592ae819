"""`python -m tests.abuse.measure`: what an honest client sees while another one attacks.

The figures are for docs/reliability.md. The service runs as it is delivered, on SQLite; with
`--nginx` it runs behind nginx, if that is installed.
"""

import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import click

from tests.abuse.honest import honest_client
from tests.abuse.wire import Wire, request
from tests.api.live_client import Scorer
from tests.api.server_process import Server, free_port
from tests.api.serving import ADMIN
from tests.nginx import configured, running
from tests.programs import found

TOKEN = f"Authorization: Bearer {ADMIN}"
JSON = "Content-Type: application/json"
MATCH = "/v1/leagues/home/matches/m"
SHORTEST = b"GET /v1 HTTP/1.1\r\nHost: home\r\n\r\n"
MEGABYTE = 1 << 20


class Ground(NamedTuple):
    """The target of an attack: the port that clients see, and the service behind it.

    `viewer` and `scorekeeper` are tokens of the honest client's league.
    """

    port: int
    server: Server
    viewer: str
    scorekeeper: str


Attack = Callable[[Ground, ExitStack], None]


def pipelined(size: int) -> Attack:
    """Pipeline requests of 32 bytes on one connection without a token; the answers are read."""

    def attack(ground: Ground, stack: ExitStack) -> None:
        wire = stack.enter_context(Wire(ground.port))
        count = size // len(SHORTEST)
        sending = threading.Thread(target=_tried, args=(wire.send, SHORTEST * count))
        sending.start()
        for _ in range(count):
            try:
                wire.answer()
            except (OSError, AssertionError):
                break
        sending.join()

    return attack


def _tried(send: Callable[[bytes], object], message: bytes) -> None:
    try:
        send(message)
    except OSError:
        return


def connections(count: int, begun: bytes) -> Attack:
    """Open connections and leave them silent for five seconds."""

    def attack(ground: Ground, stack: ExitStack) -> None:
        for _ in range(count):
            try:
                stack.enter_context(Wire(ground.port)).send(begun)
            except OSError:
                continue
        time.sleep(5)

    return attack


def streams(count: int) -> Attack:
    """Open streams with one viewer's token, and read none of them."""

    def attack(ground: Ground, stack: ExitStack) -> None:
        asked = request("GET", f"{MATCH}/live", f"Authorization: Bearer {ground.viewer}")
        for _ in range(count):
            try:
                stack.enter_context(Wire(ground.port, takes=4_096)).send(asked)
            except OSError:
                continue
        time.sleep(5)

    return attack


def bodies(count: int, size: int) -> Attack:
    """Send bodies that are far too large, one after the other."""

    def attack(ground: Ground, stack: ExitStack) -> None:
        head = request("POST", "/v1/leagues", JSON, TOKEN, f"Content-Length: {size}")
        for _ in range(count):
            with Wire(ground.port) as wire:
                wire.send(head).send_while_taken([b"a" * MEGABYTE] * (size // MEGABYTE))

    return attack


def guesses(count: int) -> Attack:
    """Guess tokens, one after the other."""

    def attack(ground: Ground, stack: ExitStack) -> None:
        with Wire(ground.port) as wire:
            for nth in range(count):
                guess = f"Authorization: Bearer sk_home_{nth}"
                wire.send(request("GET", "/v1/leagues", guess)).answer()

    return attack


ATTACKS: dict[str, Attack] = {
    "nobody attacks, 5 s": connections(0, b""),
    "512 KiB of pipelined requests without a token": pipelined(MEGABYTE // 2),
    "3 MiB of them": pipelined(3 * MEGABYTE),
    "7 MiB of them": pipelined(7 * MEGABYTE),
    "10,001 connections that say nothing": connections(10_001, b""),
    "5,000 heads that never end": connections(5_000, b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "),
    "5,001 streams with one viewer's token, unread": streams(5_001),
    "twenty bodies of 100 MB": bodies(20, 100 * MEGABYTE),
    "5,000 guesses at tokens": guesses(5_000),
}


@contextmanager
def grounds(folder: Path, *, behind_nginx: bool) -> Iterator[Ground]:
    server = Server(folder, trusted_proxies="127.0.0.1")
    with Scorer(server.url) as scorer:
        _, viewer = scorer.open().token("viewer")
        _, scorekeeper = scorer.token("scorekeeper")
    try:
        if not behind_nginx:
            yield Ground(server.port, server, viewer, scorekeeper)
            return
        port = free_port()
        folder.chmod(0o755)
        with running(configured(folder, port=port, behind=[server.port]), port):
            yield Ground(port, server, viewer, scorekeeper)
    finally:
        server.terminate()


def measured(name: str, ground: Ground) -> str:
    before = ground.server.memory()
    with ExitStack() as stack:
        honest = stack.enter_context(honest_client(ground.port, ground.scorekeeper))
        begun = time.perf_counter()
        ATTACKS[name](ground, stack)
        took = time.perf_counter() - begun
        grown = (ground.server.memory() - before) / MEGABYTE
        seen = honest.stop()
    return f"| {name} | {took:.0f} | {seen.columns()} | {grown:.0f} |"


@click.command()
@click.option("--only", multiple=True, type=click.Choice(sorted(ATTACKS)))
@click.option("--nginx/--direct", "behind_nginx", default=False)
def main(only: tuple[str, ...], *, behind_nginx: bool) -> None:
    """Print a table in Markdown."""
    if behind_nginx and found("nginx") is None:
        raise click.ClickException("There is no nginx here.")
    _allow_connections()
    click.echo("| attack | s | honest requests | failed | p50, ms | p99, ms | slowest, ms | MiB |")
    click.echo("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in only or ATTACKS:
        with (
            tempfile.TemporaryDirectory() as folder,
            grounds(Path(folder), behind_nginx=behind_nginx) as ground,
        ):
            click.echo(measured(name, ground))


def _allow_connections() -> None:
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    socket.setdefaulttimeout(10)


if __name__ == "__main__":
    main()
