"""The files of deploy/ fit the program."""

import configparser
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from scorekeeper.api.layers.request_log import Metrics
from scorekeeper.settings import PREFIX, Settings
from tests.programs import installed, postgresql_programs, program

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted([*DEPLOY.glob("*.service"), *DEPLOY.glob("*.timer")])
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


def test_the_units_run_what_is_installed_as_operations_md_says() -> None:
    page = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    (place,) = re.findall(r"UV_PROJECT_ENVIRONMENT=(\S+)", page)
    started = [
        line.split("=")[1].split()[0]
        for unit in UNITS
        for line in unit.read_text(encoding="utf-8").splitlines()
        if line.startswith("ExecStart=")
    ]
    assert set(started) == {f"{place}/bin/scorekeeper"}


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
@pytest.mark.parametrize("name", [file.name for file in UNITS])
def test_systemd_takes_the_units(tmp_path: Path, name: str) -> None:
    for unit in UNITS:
        text = unit.read_text(encoding="utf-8")
        (tmp_path / unit.name).write_text(
            text.replace("/opt/scorekeeper/bin/scorekeeper", "/bin/true"), encoding="utf-8"
        )
    said = subprocess.run(
        ["systemd-analyze", "verify", tmp_path / name], capture_output=True, text=True, timeout=60
    )
    assert "scorekeeper" not in said.stderr
    assert said.returncode == 0


def test_caddy_takes_the_recipe_for_a_house(tmp_path: Path) -> None:
    recipe = DEPLOY / "Caddyfile"
    said = subprocess.run(
        [program("caddy"), "adapt", "--config", recipe, "--adapter", "caddyfile", "--validate"],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=tmp_path,
    )
    assert said.returncode == 0, said.stderr
    assert f'"dial":"127.0.0.1:{Settings().port}"' in said.stdout
    assert '"handler":"static_response","status_code":404' in said.stdout
    assert '"path":["/metrics"]' in said.stdout


def test_the_image_has_a_user_of_its_own_and_pins_what_it_installs() -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    bases = re.findall(r"^FROM (\S+)", text, re.MULTILINE)
    assert set(bases) == {"python:3.14-slim"}
    last = text.rindex("FROM ")
    assert re.search(r"^USER \d+$", text[last:], re.MULTILINE)
    installs = [line for line in text.splitlines() if "pip install" in line]
    assert installs
    assert all("--require-hashes" in line or "--no-deps dist/" in line for line in installs)


def test_the_image_holds_compiled_modules() -> None:
    """The image's user can't write bytecode, so every process would compile at its start."""
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


@pytest.fixture(scope="module")
def exposed() -> set[str]:
    """The names of the metrics that the service exposes to Prometheus."""
    metrics = Metrics()
    metrics.begun()
    metrics.ended("POST", "/v1/leagues", 201, 0.001)
    return set(re.findall(r"^(\w+)", metrics.exposition().decode(), re.MULTILINE))


def figures(expression: str) -> set[str]:
    """Return the metrics in a query: names before labels or a range, so no functions."""
    return set(re.findall(r"\b([a-z_]+)(?=[{\[])", expression))


def test_alerts_watch_figures_that_the_service_has(exposed: set[str]) -> None:
    groups = yaml.safe_load((DEPLOY / "alerts.yaml").read_text(encoding="utf-8"))["groups"]
    rules = [rule for group in groups for rule in group["rules"]]
    watched = {name for rule in rules for name in figures(rule["expr"])}
    assert "scorekeeper_http_request_seconds_bucket" in watched
    assert watched - exposed == {"up"}  # Prometheus' own
    assert [rule["alert"] for rule in rules if "summary" not in rule["annotations"]] == []


@pytest.fixture(scope="module")
def queries() -> list[str]:
    """The queries of the dashboard."""
    board = json.loads((DEPLOY / "grafana.json").read_text(encoding="utf-8"))
    return [target["expr"] for panel in board["panels"] for target in panel["targets"]]


def test_the_dashboard_shows_figures_that_the_service_has(
    queries: list[str], exposed: set[str]
) -> None:
    shown = [figures(query) for query in queries]
    assert all(shown)
    assert set().union(*shown) - exposed == {"up"}


def test_the_dashboard_has_places_that_do_not_overlap() -> None:
    board = json.loads((DEPLOY / "grafana.json").read_text(encoding="utf-8"))
    places = [panel["gridPos"] for panel in board["panels"]]
    covered = [
        (x, y)
        for place in places
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(set(covered)) == len(covered)
    assert {x for x, _ in covered} == set(range(24))
    assert [panel["title"] for panel in board["panels"] if not panel["description"]] == []


def test_prometheus_takes_the_rules_and_the_queries(queries: list[str], tmp_path: Path) -> None:
    asked = tmp_path / "queries.yaml"
    rules = [{"record": f"panel_{number}", "expr": query} for number, query in enumerate(queries)]
    asked.write_text(yaml.safe_dump({"groups": [{"name": "panels", "rules": rules}]}))
    for file in (DEPLOY / "alerts.yaml", asked):
        said = subprocess.run(
            [program("promtool"), "check", "rules", file],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert said.returncode == 0, said.stderr


# No setting of the installation: the token with which a command asks a service.
OF_COMMANDS = {PREFIX + "TOKEN"}


def test_only_settings_that_exist_are_set_or_described() -> None:
    described = [path for path in DEPLOY.rglob("*") if path.is_file()]
    assert DEPLOY / "kubernetes/kustomization.yaml" in described
    for path in [*described, ROOT / "docs/operations.md", ROOT / "Makefile"]:
        named = set(re.findall(r"\bSCOREKEEPER_[A-Z_]+", path.read_text(encoding="utf-8")))
        assert named <= SETTINGS | OF_COMMANDS, path


def test_every_setting_is_described_with_its_flag() -> None:
    page = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    described = dict(
        re.findall(r"^\| `(SCOREKEEPER_[A-Z_]+)` \| `(--[a-z-]+)` \|", page, re.MULTILINE)
    )
    assert described == {
        name: "--" + name.removeprefix(PREFIX).lower().replace("_", "-") for name in SETTINGS
    }


def test_every_postgresql_sorts_by_bytes_and_lets_go_of_a_lost_machine() -> None:
    """Indexes of text then outlast an upgrade of the system, and locks a machine without power."""

    def read(name: str) -> Any:
        return yaml.safe_load((DEPLOY / name).read_text(encoding="utf-8"))

    compose = read("compose.yaml")["services"]["postgres"]
    patroni = read("patroni/patroni.yml")["bootstrap"]
    on_kubernetes = read("kubernetes/cloudnativepg.yaml")["spec"]
    made = "--locale-provider=builtin --locale=C.UTF-8"
    assert compose["environment"]["POSTGRES_INITDB_ARGS"] == made
    assert {"locale-provider": "builtin"} in patroni["initdb"]
    assert {"locale": "C.UTF-8"} in patroni["initdb"]
    assert on_kubernetes["bootstrap"]["initdb"]["localeCollate"] == "C"

    told = dict(each.split("=") for each in compose["command"][2::2])
    assert told == {
        "tcp_keepalives_idle": "10",
        "tcp_keepalives_interval": "2",
        "tcp_keepalives_count": "3",
        "idle_in_transaction_session_timeout": "5min",
    }
    assert compose["command"][1::2] == ["-c"] * len(told)
    for others in (patroni["dcs"]["postgresql"], on_kubernetes["postgresql"]):
        assert told.items() <= others["parameters"].items()


def test_patroni_takes_its_configuration(tmp_path: Path) -> None:
    installed("patroni")
    told = (DEPLOY / "patroni/patroni.yml").read_text(encoding="utf-8")
    for name, here in (("bin_dir", postgresql_programs()), ("data_dir", tmp_path / "data")):
        told, count = re.subn(rf"^  {name}: .*", f"  {name}: {here}", told, flags=re.MULTILINE)
        assert count == 1
    (tmp_path / "patroni.yml").write_text(told, encoding="utf-8")
    patroni = [sys.executable, "-m", "patroni", "--validate-config", "--ignore-listen-port"]
    said = subprocess.run(
        [*patroni, tmp_path / "patroni.yml"], capture_output=True, text=True, timeout=60
    )
    assert (said.returncode, said.stdout) == (0, ""), said.stderr


def test_patroni_is_let_in_by_the_server_that_it_starts() -> None:
    """It comes as two users by localhost, and others by TLS, which has to be on for that."""
    told = yaml.safe_load((DEPLOY / "patroni/patroni.yml").read_text(encoding="utf-8"))
    server = told["postgresql"]
    assert (server["listen"], "use_unix_socket" in server) == ("0.0.0.0:5432", False)
    lines = [line.split() for line in server["pg_hba"]]
    at_home = {tuple(line[1:3]) for line in lines if line[0] == "host" and "127.0.0.1/32" in line}
    assert at_home == {("replication", server["authentication"]["replication"]["username"])} | {
        ("all", "all")
    }
    assert "hostssl" in {line[0] for line in lines}
    parameters = told["bootstrap"]["dcs"]["postgresql"]["parameters"]
    assert parameters["ssl"] == "on"
    assert {"ssl_cert_file", "ssl_key_file"} <= set(parameters)
