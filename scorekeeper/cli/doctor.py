"""`scorekeeper doctor`: whether an installation is sound."""

import asyncio
import sys
from contextlib import aclosing
from pathlib import Path
from typing import Final

import click
from msgspec import Struct
from rich.text import Text

from scorekeeper.cli.terminal.options import database_options, json_option, signing_key_option
from scorekeeper.cli.terminal.output import output, print_document
from scorekeeper.service.integrity.checkup import CheckResult, Grade, checkup
from scorekeeper.settings import Settings

_FAILED: Final = 1
_COLORS = {Grade.OK: "green", Grade.WARNING: "yellow", Grade.FAILURE: "red"}


class DoctorView(Struct, frozen=True):
    """`ok`: nothing failed; the checks in the order in which they were made."""

    ok: bool
    checks: list[CheckResult]


@click.command()
@json_option
@signing_key_option
@database_options
def doctor(
    as_json: bool, database_url: str | None, data_dir: Path | None, signing_key: Path | None
) -> None:
    """Check an installation, a line for each check; the exit code is 1 if something failed.

    The service may be running. Entries themselves are checked by `scorekeeper verify`.
    """
    settings = Settings.load(database_url=database_url, data_dir=data_dir, signing_key=signing_key)
    if not asyncio.run(_show(settings, as_json=as_json)):
        sys.exit(_FAILED)


async def _show(settings: Settings, *, as_json: bool) -> bool:
    """Print the result of each check. Return whether nothing failed."""
    console, found = output(), list[CheckResult]()
    checks = checkup(settings.url, settings.data_dir, settings.evidence_files)
    async with aclosing(checks) as findings:
        async for finding in findings:
            found.append(finding)
            if not as_json:
                grade = Text(f"{finding.grade:<8} ", _COLORS[finding.grade])
                console.print(grade + Text(finding.message), soft_wrap=True)
    sound = all(finding.grade is not Grade.FAILURE for finding in found)
    if as_json:
        print_document(DoctorView(sound, found))
    return sound
