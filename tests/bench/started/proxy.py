"""nginx as delivered, in front of several processes, without limits by address."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.started.service import free_port
from tests.nginx import configured, running

# All clients of a measurement share one address.
_UNLIMITED = {"limit_conn requests 50;": "", "limit_req zone=rate burst=400 nodelay;": ""}


@contextmanager
def sharing_out(directory: str, behind: list[int]) -> Iterator[int]:
    """Run nginx, which assigns each league to one of the ports behind it, and yield its port."""
    folder = Path(directory, f"nginx-{len(behind)}")
    folder.mkdir()
    port = free_port()
    with running(configured(folder, port=port, behind=behind, changed=_UNLIMITED), port):
        yield port
