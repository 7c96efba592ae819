import sys

from click.testing import CliRunner

from tests.bench.files_entered import AIMS, main


def test_the_files_that_a_request_enters_are_counted_and_named():
    told = CliRunner().invoke(main, ["--files"], catch_exceptions=False).stdout
    assert "service/matches/recording.py\n" in told
    assert "projections/replay.py\n" in told
    for name in AIMS:
        assert f"{name}:\n" in told
    assert sys.getprofile() is None
