"""nginx with the configuration that is delivered, on ports of a test."""

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.programs import listening, program

DEPLOY = Path(__file__).resolve().parents[1] / "deploy"
ONE_SERVER = "server 127.0.0.1:8000;"


def configured(
    folder: Path, *, port: int, behind: list[int], changed: Mapping[str, str] | None = None
) -> Path:
    """Write the delivered configuration with the ports of a test.

    Files that only root may write are replaced.
    """
    own = {
        "listen 80 ": f"listen 127.0.0.1:{port} ",
        ONE_SERVER: "\n".join(f"server 127.0.0.1:{each};" for each in behind),
        "pid /run/nginx.pid;": f"pid {folder}/nginx.pid; daemon off;",
        "access_log off;": "access_log off;\n" + temporary_files(folder),
    }
    shutil.copytree(DEPLOY / "nginx", folder / "nginx")
    files = {file: file.read_text(encoding="utf-8") for file in (folder / "nginx").glob("*.conf")}
    main = folder / "nginx.conf"
    files[main] = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    included = [main, folder / "nginx/http.conf", folder / "nginx/server.conf"]
    for delivered, here in {**own, **(changed or {})}.items():
        assert sum(files[file].count(delivered) for file in included) == 1, delivered
        for file in included:
            files[file] = files[file].replace(delivered, here)
    for file, text in files.items():
        file.write_text(text, encoding="utf-8")
    return main


def temporary_files(folder: Path) -> str:
    """Return directives that keep temporary files in the folder, since nginx is not root here."""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    return "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)


def check_configuration(configuration: Path) -> None:
    """nginx takes the configuration, and has nothing to warn of."""
    asked = [program("nginx"), "-t", "-c", configuration, "-e", "stderr"]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "warn" not in done.stderr


@contextmanager
def running(configuration: Path, port: int) -> Iterator[None]:
    """Run nginx, from the moment it listens."""
    asked = [program("nginx"), "-c", configuration, "-e", "stderr"]
    with listening(asked, port):
        yield
