"""What comes with the sources works on machines that are set up in other ways."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WITH_NODE = ROOT / ".ci/with-node"
UNPACKING = "unpack-chromium.js"


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_checkout_has_every_byte_where_git_writes_crlf(tmp_path: Path) -> None:
    kept = [".gitattributes", ".ci/timed", "scorekeeper/web/static/icon.png"]
    kept += [str(path.relative_to(ROOT)) for path in (ROOT / "tests/golden").rglob("*.*")]
    for name in kept:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    for asked in (["init"], ["add", "."]):
        subprocess.run(["git", *asked], cwd=tmp_path, check=True, capture_output=True)
    for name in kept[1:]:
        (tmp_path / name).unlink()
    checkout = ["git", "-c", "core.autocrlf=true", "checkout", "--", "."]
    subprocess.run(checkout, cwd=tmp_path, check=True, capture_output=True)
    assert [n for n in kept if (tmp_path / n).read_bytes() != (ROOT / n).read_bytes()] == []


def on(machine: str, architecture: str, folder: Path) -> list[str]:
    """Return the options by which node believes that it runs on such a machine."""
    claim = folder / "claim.cjs"
    claim.write_text(
        f"Object.defineProperty(process, 'platform', {{ value: '{machine}' }});"
        f"Object.defineProperty(process, 'arch', {{ value: '{architecture}' }});"
    )
    return ["--require", str(claim)]


def node(*arguments: str | Path, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [WITH_NODE, "node", *arguments],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize(("machine", "architecture"), [("darwin", "x64"), ("linux", "arm64")])
def test_the_browser_says_where_it_does_not_run(
    machine: str, architecture: str, tmp_path: Path
) -> None:
    said = node(*on(machine, architecture, tmp_path), ROOT / ".ci/pages" / UNPACKING)
    assert said.returncode == 1
    assert f"this is {machine} on {architecture}" in said.stderr
    assert "Install chromium, and run: .venv/bin/pytest " in said.stderr


def test_the_browser_is_unpacked_in_a_folder_of_any_name(tmp_path: Path) -> None:
    folder = tmp_path / "ünï 100%"
    packed = folder / "node_modules/@sparticuz/chromium/bin"
    packed.mkdir(parents=True)
    shutil.copy(ROOT / ".ci/pages" / UNPACKING, folder / "unpack.mjs")
    (packed / "program").write_text("a browser")
    (packed / "lib").mkdir()
    (packed / "lib/library").write_text("a library")
    for name, content in (("al2023", "lib"), ("swiftshader", "program")):
        subprocess.run(["tar", "-cf", f"{name}.tar", content], cwd=packed, check=True)
    (packed / "program").rename(packed / "chromium")
    pack = (
        "const fs = require('fs'), { brotliCompressSync } = require('zlib');"
        "for (const name of ['al2023.tar', 'swiftshader.tar', 'chromium'])"
        "fs.writeFileSync(name + '.br', brotliCompressSync(fs.readFileSync(name)))"
    )
    subprocess.run([WITH_NODE, "node", "-e", pack], cwd=packed, check=True, timeout=120)
    said = node(*on("linux", "x64", tmp_path), folder / "unpack.mjs")
    assert said.returncode == 0, said.stderr
    unpacked = folder / "node_modules/.chromium"
    assert (unpacked / "chromium").read_text() == "a browser"
    assert (unpacked / "lib/library").read_text() == "a library"


@pytest.mark.parametrize("version", ["12.22.9", "18.20.4", "20.11.0"])
def test_a_node_that_is_too_old_is_passed_over(version: str, tmp_path: Path) -> None:
    """Debian 12 has 18, for instance, with which the linters of the OpenAPI document fail."""
    assert ran(tmp_path, version) != version


def test_a_node_that_is_new_enough_is_taken(tmp_path: Path) -> None:
    assert ran(tmp_path, "20.19.0") == "20.19.0"
    assert ran(tmp_path, "24.1.0") == "24.1.0"


def ran(folder: Path, version: str) -> str:
    """Return the version of the node that is run where the machine has this one."""
    machines = folder / version
    machines.mkdir()
    real = node("-p", "process.execPath").stdout.strip()
    claim = f'Object.defineProperty(process.versions, "node", {{ value: "{version}" }})'
    (machines / "claim.cjs").write_text(claim)
    (machines / "npm").touch(0o755)
    program = machines / "node"
    program.write_text(f'#!/bin/sh\nexec "{real}" --require "{machines}/claim.cjs" "$@"\n')
    program.chmod(0o755)
    path = os.pathsep.join([str(machines), os.environ["PATH"]])
    return node("-p", "process.versions.node", PATH=path).stdout.strip()


def test_tools_are_installed_where_other_projects_are_served() -> None:
    """There npm leaves out what packages only need to be developed, as these tools are named."""
    asked = [WITH_NODE, "npm", "config", "get", "omit"]
    told = os.environ | {"NODE_ENV": "production", "NPM_CONFIG_OMIT": "dev"}
    said = subprocess.run(asked, env=told, capture_output=True, text=True, timeout=120)
    assert (said.stdout.strip(), said.returncode) == ("", 0)


def test_the_first_python_that_is_new_enough_is_taken(tmp_path: Path) -> None:
    """A Mac's own python3 is 3.9, for instance, and Rocky Linux 9 has python3.12 beside 3.9."""
    pythons(tmp_path, {"python3": (3, 9), "python3.12": (3, 12), "python3.14": (3, 14)})
    (install,) = (line for line in made(tmp_path).stdout.splitlines() if " -m pip " in line)
    assert "python3.12 -m pip install " in install
    # Where pip's settings ask for an environment, or for the user's folder, it refuses a target.
    assert {"PIP_REQUIRE_VIRTUALENV=0", "PIP_USER=0"} < set(install.split())
    # Of pip 22.1. Ubuntu 22.04 has 22.0 beside its Python 3.11.
    assert "--root-user-action" not in install


@pytest.mark.parametrize("versions", [{}, {"python3": (3, 9)}, {"python3": (3, 10)}])
def test_where_no_python_is_new_enough_it_says_so(
    versions: dict[str, tuple[int, int]], tmp_path: Path
) -> None:
    pythons(tmp_path, versions)
    said = made(tmp_path)
    assert said.returncode != 0
    assert (
        "Python 3.11 or newer is needed, and python3 is none. To name another one: " in said.stderr
    )


def test_a_python_that_was_named_has_to_be_new_enough_as_well(tmp_path: Path) -> None:
    pythons(tmp_path, {"python3": (3, 13), "python3.10": (3, 10)})
    said = made(tmp_path, PYTHON="python3.10")
    assert "Python 3.11 or newer is needed, and python3.10 is none." in said.stderr


def pythons(folder: Path, versions: dict[str, tuple[int, int]]) -> None:
    """Make programs that say they are Pythons of these versions, and what make needs besides."""
    for tool in ("make", "sh", "printenv", "mkdir"):
        (folder / tool).symlink_to(str(shutil.which(tool)))
    for name, version in versions.items():
        site = folder / f"{name}-site"
        site.mkdir()
        (site / "sitecustomize.py").write_text(f"import sys; sys.version_info = {version}")
        program = folder / name
        program.write_text(f'#!/bin/sh\nPYTHONPATH="{site}" exec "{sys.executable}" "$@"\n')
        program.chmod(0o755)


def made(folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Return what make would do to set uv up where there are only these programs."""
    return subprocess.run(
        ["make", "--just-print", "--what-if=.ci/uv.txt", ".uv/bin/uv"],
        cwd=ROOT,
        env={"PATH": str(folder), "HOME": str(folder), **settings},
        capture_output=True,
        text=True,
        timeout=120,
    )
