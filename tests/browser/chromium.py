"""A browser: the one that comes in a package, or else the machine's own."""

import os
import shutil
from pathlib import Path

from playwright.sync_api import Browser, Playwright

PACKED = Path(__file__).resolve().parents[2] / ".ci/pages/node_modules/.chromium"
AT_HOME = "house.test"
"""By this name, as by an address in the house, the pages are no secure context (RFC 6761)."""
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
    """The browser's program, and what its environment needs besides; None where there is none."""
    if (PACKED / "chromium").exists():
        return str(PACKED / "chromium"), {"LD_LIBRARY_PATH": str(PACKED / "lib")}
    own = shutil.which("chromium") or shutil.which("google-chrome")
    return None if own is None else (own, {})


def launched(playwright: Playwright) -> Browser:
    """A browser that runs; there has to be one."""
    found = program()
    assert found is not None
    path, environment = found
    return playwright.chromium.launch(
        executable_path=path, args=list(FLAGS), env={**os.environ, **environment}
    )
