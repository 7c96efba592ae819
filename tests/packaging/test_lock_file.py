"""Everything that is installed is locked: from public hosts, with a hash for every file."""

import json
import re
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from packaging.tags import Tag
from packaging.utils import parse_wheel_filename

ROOT = Path(__file__).resolve().parents[2]
PUBLIC = {"pypi.org", "files.pythonhosted.org"}


@pytest.fixture(scope="module")
def packages() -> list[dict]:
    return tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))["package"]


def test_the_lock_file_names_public_hosts_only() -> None:
    addresses = re.findall(r"\b[a-z+]+://[^\s\"']+", (ROOT / "uv.lock").read_text(encoding="utf-8"))
    assert {urlsplit(address).hostname for address in addresses} == PUBLIC


def test_every_package_but_the_product_itself_comes_from_the_public_index(
    packages: list[dict],
) -> None:
    sources = {package["name"]: package["source"] for package in packages}
    assert sources.pop("scorekeeper") == {"editable": "."}
    assert {tuple(source.items()) for source in sources.values()} == {
        (("registry", "https://pypi.org/simple"),)
    }


def test_every_locked_file_is_pinned_by_its_hash(packages: list[dict]) -> None:
    files = [
        file
        for package in packages
        for file in [*package.get("wheels", []), package.get("sdist")]
        if file is not None
    ]
    assert len(files) > len(packages)
    assert [
        file["url"] for file in files if not re.fullmatch(r"sha256:[0-9a-f]{64}", file["hash"])
    ] == []


def test_uv_itself_is_pinned_by_hash_and_by_nothing_else() -> None:
    lines = (ROOT / ".ci/uv.txt").read_text(encoding="utf-8").splitlines()
    assert re.fullmatch(r"uv==[\d.]+ \\", lines[0])
    assert all(re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line) for line in lines[1:])


@pytest.fixture(scope="module")
def npm_packages() -> dict[str, dict]:
    """The packages of the linters for the OpenAPI document, by path."""
    lock = json.loads((ROOT / ".ci/node/package-lock.json").read_text(encoding="utf-8"))
    return {path: package for path, package in lock["packages"].items() if path}


def test_every_npm_package_is_pinned_by_its_hash(npm_packages: dict[str, dict]) -> None:
    assert npm_packages
    assert [
        path
        for path, package in npm_packages.items()
        if not re.fullmatch(r"sha512-[A-Za-z0-9+/]{86}==", package.get("integrity", ""))
    ] == []


def test_no_npm_package_names_a_host_but_the_public_one(npm_packages: dict[str, dict]) -> None:
    named = {
        path: package["resolved"]
        for path, package in npm_packages.items()
        if "resolved" in package
        and not package["resolved"].startswith("https://registry.npmjs.org/")
    }
    assert named == {}


# The machines of README.md for which nothing has to be compiled.
MACHINES = {
    "Linux on x86-64": r"manylinux.*_x86_64",
    "Linux on ARM": r"manylinux.*_aarch64",
    "Alpine on x86-64": r"musllinux.*_x86_64",
    "Alpine on ARM": r"musllinux.*_aarch64",
    "macOS on Apple silicon": r"macosx.*_(arm64|universal2)",
}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("python", ["cp311", "cp312", "cp313", "cp314"])
def test_the_product_comes_compiled(packages: list[dict], machine: str, python: str) -> None:
    platform = re.compile(rf"any|{MACHINES[machine]}")
    product = of_the_product({package["name"]: package for package in packages})
    assert {"asyncpg", "granian", "greenlet", "msgspec"} <= product.keys()
    lacking = [
        name
        for name, package in product.items()
        if not any(
            fits(tag, python) and platform.fullmatch(tag.platform)
            for wheel in package.get("wheels", [])
            for tag in parse_wheel_filename(wheel["url"].rsplit("/", 1)[1])[3]
        )
    ]
    assert lacking == []


def of_the_product(packages: dict[str, dict]) -> dict[str, dict]:
    """Return what is installed without development groups, by name."""
    found: dict[str, dict] = {}
    waiting = ["scorekeeper"]
    while waiting:
        package = packages[waiting.pop()]
        for needed in package.get("dependencies", []):
            extras = packages[needed["name"]].get("optional-dependencies", {})
            of_extras = [each for extra in needed.get("extra", []) for each in extras[extra]]
            for each in (needed, *of_extras):
                if each["name"] not in found:
                    found[each["name"]] = packages[each["name"]]
                    waiting.append(each["name"])
    return found


def fits(tag: Tag, python: str) -> bool:
    """Tell whether a wheel is for this Python, whatever its machine."""
    if tag.abi == "abi3":
        return int(tag.interpreter[3:]) <= int(python[3:])
    return (tag.interpreter, tag.abi) in {(python, python), (python, "none"), ("py3", "none")}
