"""Failures of the environment, reported in one line. A bug keeps its traceback."""

import errno
import os
import re
import select
import sqlite3
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final, TextIO

import click

if TYPE_CHECKING:
    from scorekeeper.service.refused import Refused


# Control characters, those that end a line included, and those that turn the direction of writing.
_OBEYED: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """Return the text with each character that a terminal would obey replaced by its code.

    Names and exported files come from other people. Without this they could make the terminal show
    anything.
    """
    return _OBEYED.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


class Failure(click.ClickException):
    """Why a command failed, in one line. The command exits with 1."""

    def __init__(self, said: str) -> None:
        super().__init__(printable(" ".join(said.split())))


class NotChecked(Failure):
    """Something kept a check from coming to its end. The command exits with 2."""

    exit_code = 2


class NotBegun(Failure):
    """Wrong usage, or settings that can't be used. The command exits with 2."""

    exit_code = 2


class OutputLost(Exception):
    """Something can't be printed, in the midst of a read of the database.

    An OSError would be taken for one of the database, which would then be read again.
    """

    def __init__(self, error: OSError) -> None:
        super().__init__(f"The output can't be written: {error.strerror}.")


@contextmanager
def reported_in_one_line(kind: type[Failure] = Failure, *, about: str = "") -> Generator[None]:
    """Report errors that are no bugs in one line.

    Raises NotBegun for wrong usage and unusable settings, and `kind` for a refusal or a failure of
    the environment. Nothing is said if nobody reads the output any more: the command ends with the
    exit code of `kind`. `about`: what was asked for; it stands before the reason of a refusal.
    """
    try:
        yield
    except (click.exceptions.Exit, click.Abort, click.exceptions.NoArgsIsHelpError):
        raise
    except click.UsageError as error:
        said = error.format_message()
        stop = "" if said.endswith((".", "?", "?)")) else "."
        more = f" `{error.ctx.command_path} --help` explains it." if error.ctx else ""
        raise NotBegun(said + stop + more) from error
    except click.ClickException:
        raise
    except Exception as error:
        if _is_closed_pipe(error):
            _drop_unwritten(sys.stdout, sys.stderr)
            raise click.exceptions.Exit(kind.exit_code) from error
        if isinstance(error, OSError) and error.filename is None and not _can_write():
            error = OutputLost(error)
        if isinstance(error, OutputLost):
            _drop_unwritten(sys.stdout)
        failure = _failure(error, kind, about)
        if failure is None:
            raise
        raise failure from error


def _is_closed_pipe(error: Exception) -> bool:
    """Return whether the program that reads our output has ended, which is no failure to report.

    If that happens while a database is read, the error is only the cause of another one. The pipe
    to a process, or a connection, is a failure.
    """
    told = any(
        isinstance(each, OSError) and each.errno == errno.EPIPE for each in (error, error.__cause__)
    )
    return told and any(map(_has_no_reader, (sys.stdout, sys.stderr)))


def _has_no_reader(stream: TextIO) -> bool:
    """Return whether the stream is a pipe or a socket whose other end was closed."""
    if sys.platform == "win32":
        return True  # which can't be found out there
    try:
        asked = select.poll()
        asked.register(stream.fileno(), 0)
    except OSError:  # it has no file
        return False
    return any(found & (select.POLLERR | select.POLLHUP) for _, found in asked.poll(0))


def _can_write(stream: TextIO | None = None) -> bool:
    """Return whether the stream, by default standard output, takes what is not written yet."""
    try:
        (stream or sys.stdout).flush()
    except OSError:
        return False
    return True


def drop_unwritable() -> None:
    """Drop what standard output and error don't take, with which Python would exit with 120."""
    _drop_unwritten(*(each for each in (sys.stdout, sys.stderr) if not _can_write(each)))


def _drop_unwritten(*streams: TextIO) -> None:
    """Drop what has not been written yet, since writing it at the end would fail aloud."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in streams:
        with suppress(OSError):  # it has no file
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def why_refused(refused: "Refused") -> str:
    """Return the reason in a sentence: the detail that the problem of the same code has."""
    from scorekeeper.texts.language import DEFAULT
    from scorekeeper.texts.message import problem_detail, wording

    facts = refused.facts or {}
    template = wording(refused.code, refused.reason, facts)
    return problem_detail(template, facts, DEFAULT, refused.words)


def _failure(error: Exception, kind: type[Failure], about: str) -> Failure | None:
    """Return the failure that reports the error, None for a bug."""
    # Imported here only: together they take a second, and most commands don't fail.
    from sqlalchemy.exc import DBAPIError

    from scorekeeper.files import LedgerInUse
    from scorekeeper.ledger.database_errors import LedgerUnavailable
    from scorekeeper.ledger.integrity.signing import SigningKeyUnusable
    from scorekeeper.ledger.integrity.tree import LedgerIncomplete
    from scorekeeper.service.export.exporting import LedgerBroken
    from scorekeeper.service.refused import Refused
    from scorekeeper.settings import SettingsInvalid
    from scorekeeper.store.migrate import DatabaseNotReady

    match error:
        case SettingsInvalid():
            return NotBegun(str(error))
        case Refused():
            why = why_refused(error)
            return kind(f"{about}: {why}" if about else why)
        case (
            DatabaseNotReady()
            | LedgerBroken()
            | LedgerIncomplete()
            | LedgerInUse()
            | LedgerUnavailable()
            | OutputLost()
            | SigningKeyUnusable()
        ):
            return kind(str(error))
        case DBAPIError():
            return kind(f"The database can't be used: {error.orig}")
        case UnicodeEncodeError(reason="surrogates not allowed"):
            # Python reads a byte of an argument that is not UTF-8 as half a surrogate pair.
            return kind(f"{error.object} is no text in UTF-8")
        case sqlite3.Error():
            return kind(f"The database can't be used: {error}")
        case OSError(filename=str() | bytes() | os.PathLike()):
            return kind(f"{os.fsdecode(error.filename)} can't be used: {error.strerror}")
        case OSError():
            return kind(str(error))
        case _:
            return None
