"""`scorekeeper key adopt`, and `serve`, which refuses to start without it."""

from tests.api.live_client import LEAGUE, Scorer
from tests.api.server_process import Server, free_port, server_process
from tests.commands import invoked


def test_whoever_puts_the_key_aside_is_told_what_to_do(tmp_path):
    with server_process(tmp_path) as url, Scorer(url) as scorer:
        scorer.open()
        (old,) = scorer.get(f"{LEAGUE}/log/key").text.splitlines()
    file = tmp_path / "signing-key.pem"
    file.rename(tmp_path / "signing-key-2026.pem")
    refused = invoked("serve", "--port", free_port(), "--data-dir", tmp_path)
    assert refused.exit_code == 1
    assert len(refused.output.splitlines()) == 1
    assert str(file) in refused.output
    assert "`scorekeeper key adopt` makes a new one" in refused.output
    assert not file.exists()
    done = invoked("key", "adopt", "--data-dir", tmp_path)
    assert (done.exit_code, "Restart every process" in done.output) == (0, True)
    assert invoked("key", "adopt", "--data-dir", tmp_path).output in done.output
    server = Server(tmp_path)
    with Scorer(server.url) as scorer:
        new, *older = scorer.get(f"{LEAGUE}/log/key").text.splitlines()
    server.terminate()
    assert older == [old]
    assert new.rpartition("+")[2] in done.output


def test_a_database_that_is_not_there_has_no_key(tmp_path):
    done = invoked("key", "adopt", "--data-dir", tmp_path)
    assert (done.exit_code, "there is no database" in done.output) == (1, True)
    assert list(tmp_path.iterdir()) == []
