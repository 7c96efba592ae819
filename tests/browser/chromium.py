"""The browser: the packaged one, or else the one installed on the machine."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Playwright

PACKED = Path(__file__).resolve().parents[2] / ".ci/pages/node_modules/.chromium"
IN_MEMORY = Path("/dev/shm")
ROOM = 1 << 30
AT_HOME = "house.test"
"""A name that is not a secure context, like an address in the local network (RFC 6761)."""
FLAGS = (
    f"--host-resolver-rules=MAP {AT_HOME} 127.0.0.1",
    "--no-sandbox",
    "--no-zygote",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--headless=shell",
)


def program() -> tuple[str, dict[str, str]] | None:
    """Return the browser's program and its additional environment, or None if there is none."""
    if (PACKED / "chromium").exists():
        return str(PACKED / "chromium"), {"LD_LIBRARY_PATH": str(PACKED / "lib")}
    own = shutil.which("chromium") or shutil.which("google-chrome")
    return None if own is None else (own, {})


def launched(playwright: Playwright) -> Browser:
    """Start the browser, which must exist."""
    found = program()
    assert found is not None
    path, environment = found
    return playwright.chromium.launch(
        executable_path=path,
        args=list(FLAGS),
        env={**os.environ, **environment},
        ignore_default_args=list(_unneeded()),
    )


def _unneeded() -> Iterator[str]:
    """Yield those of Playwright's own flags that this machine does not need."""
    # The flag is for containers, which have 64 MB of shared memory. By it, what the browser's
    # processes share lies in files of /tmp, and each visit takes an eighth more processor time.
    if IN_MEMORY.exists() and shutil.disk_usage(IN_MEMORY).free >= ROOM:
        yield "--disable-dev-shm-usage"
