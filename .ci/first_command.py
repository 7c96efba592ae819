"""README's first command, typed into a fresh clone on a machine that has next to nothing."""

import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from threading import Timer

HOME = Path(__file__).resolve().parent.parent
# Packages come over the network, so this is a bound and no expectation.
GREETED_WITHIN = 600.0
STOPPED_WITHIN = 20.0

# A proxy of this machine is not asked for what it serves itself.
ASKING = urllib.request.build_opener(urllib.request.ProxyHandler({}))
HELD: list[socket.socket] = []

# What the Makefile calls beside Python and its own shell; git's part ends with the clone.
TOOLS = ("make", "printenv", "echo", "rm", "touch")
# How this machine reaches a package index, and whose certificates it trusts.
REACHES = (
    "PIP_",
    "UV_",
    "SSL_CERT_",
    "REQUESTS_CA_BUNDLE",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
)
REACHES_BY_FILE = (".config/pip", ".pip", ".config/uv")

GREETING = {
    "the address": r"^Scorekeeper serves (http://\S+) ",
    "the admin token": r"^Admin token, shown once: +(\S+)$",
    "the next step": r"^Next, open a league:\n +(curl .+)$",
    "the next step without curl": r"^Without curl, .+ (http://\S+)$",
}


def main() -> None:
    command = first_command()
    with tempfile.TemporaryDirectory(prefix="scorekeeper-first-") as name:
        place = Path(name)
        clone = place / "scorekeeper"
        subprocess.run(["git", "clone", "--quiet", HOME, clone], check=True)
        serve_once(command, clone, bare_machine(place))
    sys.stdout.write(f"--- `{command}` set everything up, served, said how to go on, and stopped\n")


def first_command() -> str:
    page = (HOME / "README.md").read_text(encoding="utf-8")
    block = re.search(r"^```sh\n(.+)\n```$", page, re.MULTILINE)
    if block is None:
        raise SystemExit("README.md has no command")
    return block[1]


def bare_machine(place: Path) -> dict[str, str]:
    """The variables of a machine with Python, pip, make and little else, and an empty home."""
    tools, home = place / "bin", place / "home"
    tools.mkdir()
    for tool in TOOLS:
        (tools / tool).symlink_to(found(tool))
    # The Python of this environment, not the environment.
    (tools / "python3").symlink_to(Path(sys.executable).resolve())
    for name in REACHES_BY_FILE:
        kept = Path.home() / name
        if kept.exists():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).symlink_to(kept)
    home.mkdir(exist_ok=True)
    reaches = {
        name: value for name, value in os.environ.items() if name.upper().startswith(REACHES)
    }
    return {
        **reaches,
        "PATH": str(tools),
        "HOME": str(home),
        "SCOREKEEPER_PORT": str(free_port()),
    }


def found(tool: str) -> Path:
    path = shutil.which(tool)
    if path is None:
        raise SystemExit(f"this machine has no {tool}")
    return Path(path)


def free_port() -> int:
    """Return a port that nobody else is given as long as this process lives.

    A server with SO_REUSEADDR may listen there all the same.
    """
    probe = socket.socket()
    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    probe.bind(("", 0))
    HELD.append(probe)
    return int(probe.getsockname()[1])


def serve_once(command: str, clone: Path, machine: dict[str, str]) -> None:
    """Type the command, read on until all is said that is promised, ask, and press Ctrl-C."""
    began = time.monotonic()
    typed = subprocess.Popen(
        shlex.split(command),
        cwd=clone,
        env=machine,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    bound = Timer(GREETED_WITHIN, os.killpg, (typed.pid, signal.SIGKILL))
    bound.start()
    try:
        url, _, _, documentation = greeting(typed)
        sys.stdout.write(f"--- {url} after {time.monotonic() - began:.0f} s\n")
        for address in (f"{url}/health/ready", documentation):
            ASKING.open(address, timeout=10).close()
        # As a terminal does: to make and to the program alike.
        os.killpg(typed.pid, signal.SIGINT)
        said, _ = typed.communicate(timeout=STOPPED_WITHIN)
    finally:
        bound.cancel()
        if typed.poll() is None:
            os.killpg(typed.pid, signal.SIGKILL)
            typed.wait()
    # make ends by the signal itself, and complains if its program ended with other than 0.
    if typed.returncode not in (0, -signal.SIGINT) or "***" in said:
        raise SystemExit(f"it did not end well, with {typed.returncode}:\n{said}")


def greeting(typed: subprocess.Popen[str]) -> tuple[str, ...]:
    """What GREETING asks for, as soon as all of it is printed."""
    assert typed.stdout is not None
    printed = ""
    for line in typed.stdout:
        printed += line
        told = [re.search(pattern, printed, re.MULTILINE) for pattern in GREETING.values()]
        if all(told):
            return tuple(match[1] for match in told if match is not None)
    lacking = [
        what for what, pattern in GREETING.items() if not re.search(pattern, printed, re.MULTILINE)
    ]
    raise SystemExit(f"it ended before it told {', '.join(lacking)}:\n{printed}")


if __name__ == "__main__":
    main()
