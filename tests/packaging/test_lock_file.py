"""Everything that is installed is locked: from public hosts, with a hash for every file."""

import json
import re
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

import pytest

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
