"""Failures of the environment, reported in one line. A bug keeps its traceback."""

import errno
import os
import re
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from scorekeeper.service.refused import Refused


# Control characters, those that end a line included, and those that turn the direction of writing.
_OBEYED: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """The text with what a terminal would obey written out by its code.

    Whoever names something, or makes a file for others to check, could have it say what they like.
    """
    return _OBEYED.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


class Failure(click.ClickException):
    """Why a command came to no good end, in one line; it exits with 1."""

    def __init__(self, said: str) -> None:
        super().__init__(printable(" ".join(said.split())))


class NotBegun(Failure):
    """What was asked for in a wrong way, or with settings that can't be used; it exits with 2."""

    exit_code = 2


@contextmanager
def reported_in_one_line(kind: type[Failure] = Failure, *, about: str = "") -> Generator[None]:
    """Raise NotBegun, or this kind of failure for what the world outside did not let happen.

    `about` names what was asked for, in front of why the service refused it.
    """
    try:
        yield
    except (click.exceptions.Exit, click.Abort, click.exceptions.NoArgsIsHelpError):
        raise
    except click.UsageError as error:
        more = f" `{error.ctx.command_path} --help` explains it." if error.ctx else ""
        raise NotBegun(error.format_message() + more) from error
    except click.ClickException:
        raise
    except Exception as error:
        _raise_closed_pipe(error)
        failure = _failure(error, kind, about)
        if failure is None:
            raise
        raise failure from error


def _raise_closed_pipe(error: Exception) -> None:
    """Raise it again where whoever read our output has left: click ends in silence then.

    What is printed while a database is read comes as if the database could not be reached.
    """
    for each in (error, error.__cause__):
        if isinstance(each, OSError) and each.errno == errno.EPIPE:
            raise each


def why_refused(refused: "Refused") -> str:
    """In a sentence, as the problem of the same code has it."""
    from scorekeeper.texts.language import DEFAULT
    from scorekeeper.texts.message import problem_detail, wording

    facts = refused.facts or {}
    told = wording(refused.code, refused.reason, facts)
    return problem_detail(told, facts, DEFAULT, refused.words)


def _failure(error: Exception, kind: type[Failure], about: str) -> Failure | None:
    """None for a bug."""
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
            told = why_refused(error)
            return kind(f"{about}: {told}" if about else told)
        case (
            DatabaseNotReady()
            | LedgerBroken()
            | LedgerIncomplete()
            | LedgerInUse()
            | LedgerUnavailable()
            | SigningKeyUnusable()
        ):
            return kind(str(error))
        case DBAPIError():
            return kind(f"The database can't be used: {error.orig}")
        case UnicodeEncodeError(reason="surrogates not allowed"):
            # Half a surrogate pair stands for a byte of an argument.
            return kind(f"{error.object} is no text in UTF-8")
        case sqlite3.Error():
            return kind(f"The database can't be used: {error}")
        case OSError(filename=str() | bytes() | os.PathLike()):
            return kind(f"{os.fsdecode(error.filename)} can't be used: {error.strerror}")
        case OSError():
            return kind(str(error))
        case _:
            return None
