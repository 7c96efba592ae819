"""What lies in deploy/ is what the program can be run with."""

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from scorekeeper.api.log.metrics import Metrics
from scorekeeper.settings import PREFIX, Settings

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
SETTINGS = {PREFIX + field.upper() for field in Settings.__struct_fields__}


@pytest.fixture
def unit() -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=False, interpolation=None, delimiters=["="])
    parser.optionxform = str
    parser.read(DEPLOY / "scorekeeper.service", encoding="utf-8")
    return parser


def test_the_unit_is_locked_in(unit: configparser.ConfigParser) -> None:
    service = unit["Service"]
    assert service["DynamicUser"] == "yes"
    assert service["StateDirectory"] == "scorekeeper"
    assert service["ProtectSystem"] == "strict"
    assert service["CapabilityBoundingSet"] == ""
    assert {
        name
        for name in (
            "NoNewPrivileges",
            "ProtectHome",
            "PrivateTmp",
            "PrivateDevices",
            "RestrictNamespaces",
        )
        if service[name] != "yes"
    } == set()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    text = (DEPLOY / "scorekeeper.service").read_text(encoding="utf-8")
    copy = tmp_path / "scorekeeper.service"
    copy.write_text(text.replace("/opt/scorekeeper/bin/scorekeeper", "/bin/true"), encoding="utf-8")
    said = subprocess.run(
        ["systemd-analyze", "verify", copy], capture_output=True, text=True, timeout=60
    )
    assert "scorekeeper.service" not in said.stderr
    assert said.returncode == 0


@pytest.mark.skipif(shutil.which("caddy") is None, reason="needs caddy")
def test_caddy_takes_the_recipe_for_a_house(tmp_path: Path) -> None:
    recipe = DEPLOY / "Caddyfile"
    said = subprocess.run(
        ["caddy", "adapt", "--config", recipe, "--adapter", "caddyfile", "--validate"],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=tmp_path,
    )
    assert said.returncode == 0, said.stderr
    assert f'"dial":"127.0.0.1:{Settings().port}"' in said.stdout


def test_compose_migrates_before_it_serves() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"]
    assert services["migrate"]["command"] == ["migrate"]
    assert services["scorekeeper"]["depends_on"] == {
        "migrate": {"condition": "service_completed_successfully"}
    }
    assert services["migrate"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}


def test_the_image_has_a_user_of_its_own_and_pins_what_it_installs() -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    bases = re.findall(r"^FROM (\S+)", text, re.MULTILINE)
    assert set(bases) == {"python:3.11-slim"}
    last = text.rindex("FROM ")
    assert re.search(r"^USER \d+$", text[last:], re.MULTILINE)
    installs = [line for line in text.splitlines() if "pip install" in line]
    assert installs
    assert all("--require-hashes" in line or "--no-deps dist/" in line for line in installs)


def test_the_image_holds_compiled_modules() -> None:
    """Its user may not write beside them: every process would compile them again at its start."""
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    installs = [line for line in text.splitlines() if "uv pip install" in line]
    assert len(installs) == 2
    assert all("--compile-bytecode" in line for line in installs)


def test_what_the_image_copies_is_there_and_let_through() -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    copied = [
        name
        for line in re.findall(r"^COPY (?!--from)(.+)$", text, re.MULTILINE)
        for name in line.split()[:-1]
    ]
    assert copied
    assert [name for name in copied if not (ROOT / name).exists()] == []
    assert [name for name in copied if f"!{name}" not in ignored] == []


def test_alerts_watch_figures_that_the_service_has() -> None:
    groups = yaml.safe_load((DEPLOY / "alerts.yaml").read_text(encoding="utf-8"))["groups"]
    rules = [rule for group in groups for rule in group["rules"]]
    metrics = Metrics()
    metrics.begun()
    metrics.ended("POST", "/v1/leagues", 201, 0.001)
    exposed = set(re.findall(r"^(\w+)", metrics.exposition().decode(), re.MULTILINE))
    watched = {name for rule in rules for name in re.findall(r"scorekeeper_\w+", rule["expr"])}
    assert watched
    assert watched - exposed == set()
    assert [rule["alert"] for rule in rules if "summary" not in rule["annotations"]] == []


def test_only_settings_that_exist_are_set_or_described() -> None:
    for path in [*DEPLOY.iterdir(), ROOT / "docs/operations.md", ROOT / "Makefile"]:
        named = set(re.findall(r"\bSCOREKEEPER_[A-Z_]+", path.read_text(encoding="utf-8")))
        assert named <= SETTINGS, path


def test_every_setting_is_described_with_its_flag() -> None:
    page = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    described = dict(
        re.findall(r"^\| `(SCOREKEEPER_[A-Z_]+)` \| `(--[a-z-]+)` \|", page, re.MULTILINE)
    )
    assert described == {
        name: "--" + name.removeprefix(PREFIX).lower().replace("_", "-") for name in SETTINGS
    }
