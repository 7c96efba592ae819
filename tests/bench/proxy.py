"""nginx as it is delivered, in front of several processes, without limits for an address."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.service import free_port
from tests.nginx import configured, running

# All clients of a measurement have one address.
_UNLIMITED = {"limit_conn requests 50;": "", "limit_req zone=rate burst=400 nodelay;": ""}


@contextmanager
def sharing_out(directory: str, behind: list[int]) -> Iterator[int]:
    """The port on which nginx hands the requests of a league to one of the ports behind it."""
    folder = Path(directory, f"nginx-{len(behind)}")
    folder.mkdir()
    port = free_port()
    with running(configured(folder, port=port, behind=behind, changed=_UNLIMITED), port):
        yield port
