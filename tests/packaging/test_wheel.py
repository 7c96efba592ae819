"""The wheel contains everything that the program reads, and has the project's version."""

import importlib.metadata
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

WEB_LICENCES = "scorekeeper/web/static/vendor/preact.LICENSE.txt"


def stated_version() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project["version"]


def test_the_version_stands_in_one_place() -> None:
    assert importlib.metadata.version("scorekeeper") == stated_version()
    copies = [
        path.relative_to(ROOT)
        for path in (ROOT / "scorekeeper").rglob("*.py")
        if re.search(rf"[\"']{re.escape(stated_version())}[\"']", path.read_text(encoding="utf-8"))
    ]
    assert copies == []


def test_the_program_tells_its_version() -> None:
    program = Path(sys.executable).with_name("scorekeeper")
    told = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=60)
    assert told.stdout.split()[-1] == stated_version()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    place = tmp_path_factory.mktemp("wheel")
    build = [ROOT / ".uv/bin/uv", "build", "--quiet", "--wheel", "--out-dir", place]
    subprocess.run(build, cwd=ROOT, check=True, timeout=300)
    (built,) = place.glob("*.whl")
    return zipfile.ZipFile(built)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "pattern", "place"),
    [
        ("modules", "scorekeeper/**/*.py", "."),
        ("words in two languages", "scorekeeper/texts/**/*.po", "."),
        ("static files of the documentation page", "scorekeeper/api/static/**/*.*", "."),
        ("migrations", "migrations/**/*.py", "scorekeeper"),
        ("the OpenAPI document", "openapi/openapi.json", "scorekeeper"),
        ("the mark of typed code", "scorekeeper/py.typed", "."),
    ],
)
def test_the_wheel_holds(wheel: zipfile.ZipFile, kind: str, pattern: str, place: str) -> None:
    expected = {
        str(Path(place) / path.relative_to(ROOT))
        for path in ROOT.glob(pattern)
        if "__pycache__" not in path.parts
    }
    assert expected, f"the tree has no {kind}"
    assert expected - set(wheel.namelist()) == set()


@pytest.mark.slow
def test_the_wheel_holds_nothing_of_development(wheel: zipfile.ZipFile) -> None:
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert tops == {"scorekeeper", f"scorekeeper-{stated_version()}.dist-info"}
    assert not [name for name in wheel.namelist() if "__pycache__" in name or "/tests/" in name]


def test_what_the_pages_are_built_with_keeps_its_licences() -> None:
    folder = (ROOT / WEB_LICENCES).parent
    packages = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["packages"]
    text = (ROOT / WEB_LICENCES).read_text(encoding="utf-8")
    assert packages
    heads = [f"{package['name']} {package['version']}\n" for package in packages]
    assert [head for head in heads if head not in text] == []
    assert {package["license"] for package in packages} == {"MIT", "Apache-2.0"}
    assert text.count("MIT License") == 3
    assert "Apache License" in text


@pytest.mark.slow
def test_the_wheel_tells_its_version_its_licence_and_its_command(wheel: zipfile.ZipFile) -> None:
    about = f"scorekeeper-{stated_version()}.dist-info"
    metadata = Parser().parsestr(wheel.read(f"{about}/METADATA").decode())
    assert metadata["Version"] == stated_version()
    assert metadata["License-Expression"] == "MIT"
    assert "The Scorekeeper authors" in wheel.read(f"{about}/licenses/LICENSE").decode()
    licences = [name for name in wheel.namelist() if name.startswith(f"{about}/licenses/")]
    assert f"{about}/licenses/{WEB_LICENCES}" in licences
    assert f"{about}/licenses/scorekeeper/api/static/swagger-ui.NOTICE.txt" in licences
    commands = wheel.read(f"{about}/entry_points.txt").decode()
    assert "scorekeeper = scorekeeper.cli.main:main" in commands
