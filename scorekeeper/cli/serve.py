"""`scorekeeper serve`: run the service; SQLite needs no configuration."""

import asyncio
import errno
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import sleep
from types import FrameType
from typing import Any
from urllib.request import ProxyHandler, build_opener

import click
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server import MPServer

from scorekeeper.api.structured_log import configure_logging
from scorekeeper.cli.migrate import bring_up_to_date, rebuild_stale_views
from scorekeeper.cli.restore import warn_if_older
from scorekeeper.cli.terminal.failures import Failure, drop_unwritable
from scorekeeper.cli.terminal.greeting import FirstStart, greeting, local_url
from scorekeeper.cli.terminal.options import database_options, signing_key_option
from scorekeeper.cli.terminal.output import print_whole
from scorekeeper.service.identity.invitations import new_setup_code
from scorekeeper.service.identity.tokens import first_admin_token
from scorekeeper.service.integrity.evidence import prepare_signing_key
from scorekeeper.service.live.followers import MOST_FOLLOWERS
from scorekeeper.service.worker_start import STOP_SECONDS
from scorekeeper.settings import Settings, sharing_metrics
from scorekeeper.store.migrate import check

_OF_THE_PORT = frozenset({errno.EADDRINUSE, errno.EACCES})
# How long a request line with its headers may take, once the connection waits for them.
HEAD_SECONDS = 30
HEAD_LIMIT = 1 << 16
"""Bytes."""
# In each worker; further connections wait. Only followers stay connected for long.
MOST_CONNECTIONS = 2 * MOST_FOLLOWERS
_POLL_SECONDS = 0.1
_LOST = "`scorekeeper token admin --renew` makes another admin token."
# The server's own messages become lines of the same log.
_LOGGING = {"loggers": {"_granian": {"propagate": True}}, "handlers": {}, "formatters": {}}


@click.command()
@click.option("--host", help="The address to listen on [SCOREKEEPER_HOST].")
@click.option("--port", type=int, help="The port to listen on [SCOREKEEPER_PORT].")
@click.option(
    "--workers", type=int, help="Worker processes; always 1 on SQLite [SCOREKEEPER_WORKERS]."
)
@click.option(
    "--admin-token",
    help="An admin token; without it the first start makes one [SCOREKEEPER_ADMIN_TOKEN].",
)
@click.option(
    "--rate-limit",
    type=int,
    help="Requests a minute for each token; by default no limit [SCOREKEEPER_RATE_LIMIT].",
)
@signing_key_option
@click.option(
    "--notify-url",
    help="PostgreSQL's own address, if --database-url is a pooler's [SCOREKEEPER_NOTIFY_URL].",
)
@click.option(
    "--trusted-proxies",
    help="Addresses or networks of proxies whose X-Forwarded-For is believed, separated by commas "
    "[SCOREKEEPER_TRUSTED_PROXIES].",
)
@click.option("--public-url", help="The beginning of links and QR codes [SCOREKEEPER_PUBLIC_URL].")
@click.option("--time-zone", help="The time zone of pages [SCOREKEEPER_TIME_ZONE].")
@database_options
def serve(
    host: str | None,
    port: int | None,
    workers: int | None,
    admin_token: str | None,
    rate_limit: int | None,
    signing_key: Path | None,
    notify_url: str | None,
    trusted_proxies: str | None,
    public_url: str | None,
    time_zone: str | None,
    database_url: str | None,
    data_dir: Path | None,
) -> None:
    """Serve the API and the pages. A SQLite database is made and migrated.

    For PostgreSQL run `migrate` first.

    Lists and tables that another version wrote are rebuilt before the service listens.
    """
    settings = Settings.load(
        host=host,
        port=port,
        workers=workers,
        admin_token=admin_token,
        rate_limit=rate_limit,
        signing_key=signing_key,
        notify_url=notify_url,
        trusted_proxies=trusted_proxies,
        public_url=public_url,
        time_zone=time_zone,
        database_url=database_url,
        data_dir=data_dir,
    )
    ending = _ending()
    for number in ending:
        signal.signal(number, _ended)
    with _held_address(settings) as held:
        address = held.getsockname()[0]
        first = asyncio.run(_prepare(settings))
        settings.hand_down()
        _allow_connections()
        configure_logging()
        Thread(target=_greet_when_ready, args=(settings, address, first), daemon=True).start()
    try:
        with sharing_metrics(settings.workers):
            _server(settings, address).serve(target_loader=_application, wrap_loader=False)
    finally:
        for number in ending:
            # It is ending: a second Ctrl-C would kill what Python still has to do.
            signal.signal(number, signal.SIG_IGN)
        drop_unwritable()


def _ending() -> list[signal.Signals]:
    """Return the signals that end the service: a terminal that is closed does, but for `nohup`."""
    ending = [signal.SIGINT, signal.SIGTERM]
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        ending.append(signal.SIGHUP)
    return ending


def _ended(number: int, frame: FrameType | None) -> None:
    """Exit with 0, since being stopped is no failure. The server later handles signals itself."""
    sys.exit(0)


def _held_address(settings: Settings) -> socket.socket:
    """Hold the address to listen on before anything else is begun. Raises Failure."""
    at = socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET)
    at.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        at.bind((settings.host, settings.port))
    except OSError as error:
        at.close()
        where = f"{settings.host}, port {settings.port}"
        variable = "SCOREKEEPER_PORT" if error.errno in _OF_THE_PORT else "SCOREKEEPER_HOST"
        why = f"{error.strerror}; {variable} names another one"
        raise Failure(f"Can't listen on {where}: {why}.") from error
    return at


class _Server(MPServer):
    """The server's main process, which starts the workers and ends them.

    `survives_terminal`: SIGHUP is ignored, as by `nohup`. It would else end the service.
    """

    survives_terminal = False

    def signal_handler_reload(self, *told: object) -> None:
        """End on SIGHUP, for which the server would start further workers.

        There is nothing to load again. On SQLite a new worker would wait for the database of the
        old one in vain.
        """
        if not self.survives_terminal:
            self.signal_handler_interrupt(*told)  # type: ignore[no-untyped-call]

    def shutdown(self, exit_code: int = 0) -> None:
        """End the workers. Exits with 1 if one had ended by itself, unless a signal asked for it.

        A supervisor may send its signal to the workers, too. Under load they may be gone before
        this process has handled its own.
        """
        try:
            super().shutdown(exit_code)  # type: ignore[no-untyped-call]
        except SystemExit:
            if not self.interrupt_signal:
                raise


def _application() -> Callable[..., Any]:
    """Return the application. A worker calls this first.

    By its name the server would look for it, and for all that it imports, in the working directory.
    """
    _leave_signals_to_parent()
    from scorekeeper.app import from_environment

    return from_environment()


def _leave_signals_to_parent() -> None:
    """Have this worker end by its parent's signal alone, and at once while it still starts.

    Ctrl-C and the end of a terminal reach all its processes. A worker that they ended would count
    as a failed one. Until the server sets handlers of its own, a worker has those of its parent,
    which only note the signal.
    """
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGHUP])


def _server(settings: Settings, address: str) -> MPServer:
    server = _Server(
        "scorekeeper.app:from_environment",
        interface=Interfaces.ASGI,
        address=address,
        port=settings.port,
        workers=settings.workers,
        loop=Loops.auto,
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(
            header_read_timeout=HEAD_SECONDS * 1000, max_buffer_size=HEAD_LIMIT
        ),
        websockets=False,
        backpressure=MOST_CONNECTIONS,
        log_level=LogLevels.warning,
        log_dictconfig=_LOGGING,
        respawn_failed_workers=True,
        workers_kill_timeout=STOP_SECONDS,
    )
    if sys.platform != "win32":
        server.survives_terminal = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return server


def _allow_connections() -> None:
    """Let worker processes open as many files as connections need, within the system's limit."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = (
            2 * MOST_CONNECTIONS
            if hard == resource.RLIM_INFINITY
            else min(2 * MOST_CONNECTIONS, hard)
        )
        if soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


async def _prepare(settings: Settings) -> FirstStart:
    """Bring the database up to date. Make the setup code and the admin token, if still needed."""
    if settings.on_sqlite:
        await bring_up_to_date(settings)
    else:
        await check(settings.url)
        await rebuild_stale_views(settings)
    # Before the workers start, since all of them need it.
    await prepare_signing_key(settings.url, settings.evidence_files.signing_key)
    await warn_if_older(settings)
    # Last, since they are shown once, by a start that comes to its end.
    code = await new_setup_code(settings.url)
    if settings.admin_token is not None:
        return FirstStart(code=code)
    return FirstStart(await first_admin_token(settings.url), code)


def _greet_when_ready(settings: Settings, listening: str, first: FirstStart) -> None:
    # The environment may name a proxy, which can't reach the loopback address of this machine.
    opener = build_opener(ProxyHandler({}))
    while True:
        # Sleep first: workers are being forked, and no thread should be working at that time.
        sleep(_POLL_SECONDS)
        try:
            with opener.open(f"{local_url(listening, settings.port)}/health/live"):
                break
        except OSError:
            pass
    try:
        print_whole(greeting(settings, listening, first))
        sys.stdout.flush()
    except OSError as error:
        # It serves all the same, as with a full disk under its log.
        drop_unwritable()
        with suppress(OSError):
            click.echo(f"Where it serves can't be printed: {error.strerror}. {_LOST}", err=True)
