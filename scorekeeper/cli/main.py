"""The command line: each command lies in a file of its own."""

import sys

import click

from scorekeeper.cli.backup import backup
from scorekeeper.cli.doctor import doctor
from scorekeeper.cli.erase import erase
from scorekeeper.cli.export import export
from scorekeeper.cli.import_league import import_league
from scorekeeper.cli.import_results import import_results
from scorekeeper.cli.migrate import migrate
from scorekeeper.cli.openapi import openapi
from scorekeeper.cli.rebuild import rebuild
from scorekeeper.cli.replay import replay
from scorekeeper.cli.restore import restore
from scorekeeper.cli.serve import serve
from scorekeeper.cli.simulate import simulate
from scorekeeper.cli.token import token
from scorekeeper.cli.verify import verify
from scorekeeper.service.collector import spare_the_collector
from scorekeeper.settings import SettingsInvalid


@click.group()
@click.version_option(package_name="scorekeeper")
def scorekeeper() -> None:
    """A scorekeeper's book for UNO leagues that can be trusted."""


scorekeeper.add_command(serve)
scorekeeper.add_command(migrate)
scorekeeper.add_command(token)
scorekeeper.add_command(doctor)
scorekeeper.add_command(replay)
scorekeeper.add_command(openapi)
scorekeeper.add_command(simulate)
scorekeeper.add_command(import_results)
scorekeeper.add_command(erase)
scorekeeper.add_command(export)
scorekeeper.add_command(import_league)
scorekeeper.add_command(backup)
scorekeeper.add_command(restore)
scorekeeper.add_command(verify)
scorekeeper.add_command(rebuild)


def main() -> None:
    spare_the_collector()
    try:
        scorekeeper()
    except SettingsInvalid as error:
        sys.exit(f"scorekeeper: {error}")
