import socket

from click.testing import CliRunner

from scorekeeper.cli.main import scorekeeper


def test_where_somebody_listens_already_nothing_is_begun(tmp_path):
    """Nobody is greeted with the other one's address, and no token is made that nobody sees."""
    data = tmp_path / "data"
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = CliRunner().invoke(
            scorekeeper, ["serve", "--port", str(port), "--data-dir", str(data)]
        )
    assert done.exit_code == 1
    assert f"Can't listen on 127.0.0.1, port {port}" in done.output
    assert not data.exists()
