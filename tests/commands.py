"""The product's commands, run in the process of the tests."""

from click.testing import CliRunner, Result

from scorekeeper.cli.main import scorekeeper


def invoked(*arguments: object) -> Result:
    """Run `scorekeeper` with these arguments. The result has what it printed and its exit code."""
    return CliRunner().invoke(scorekeeper, [str(argument) for argument in arguments])
