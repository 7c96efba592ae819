"""The Compose files: the containers, their order, and nginx's list of them."""

import importlib.resources
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from tests.nginx import DEPLOY, check_configuration, temporary_files
from tests.programs import installed

FILES = ("compose.yaml", "compose.small.yaml")


def services(name: str) -> dict[str, dict[str, Any]]:
    return yaml.safe_load((DEPLOY / name).read_text(encoding="utf-8"))["services"]


@pytest.mark.parametrize("name", FILES)
def test_they_are_as_the_schema_has_them(name: str) -> None:
    installed("check_jsonschema")
    jsonschema = installed("jsonschema")
    vendored = importlib.resources.files("check_jsonschema") / "builtin_schemas/vendor"
    schema = json.loads((vendored / "compose-spec.json").read_text(encoding="utf-8"))
    written = yaml.safe_load((DEPLOY / name).read_text(encoding="utf-8"))
    validator = jsonschema.validators.validator_for(schema)(schema)
    assert [error.message for error in validator.iter_errors(written)] == []


def test_it_migrates_before_it_serves() -> None:
    found = services("compose.yaml")
    assert found["migrate"]["command"] == ["migrate"]
    assert found["migrate"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    for name in serving():
        assert found[name]["depends_on"] == {
            "migrate": {"condition": "service_completed_successfully"}
        }


def test_the_database_is_healthy_once_it_is_reached_over_the_network() -> None:
    """The image's first start makes the database with a server that has a socket alone, and ends.

    Asked there, it would be ready too early, and `migrate`, which is not tried again, would fail.
    """
    asked = services("compose.yaml")["postgres"]["healthcheck"]["test"]
    assert asked[:2] == ["CMD", "pg_isready"]
    assert asked[asked.index("--host") + 1] == "127.0.0.1"


def serving() -> list[str]:
    return [name for name in services("compose.yaml") if name.startswith("scorekeeper-")]


def test_each_container_has_one_process_that_nginx_knows() -> None:
    """Two processes on one port would compete for the head of each ledger."""
    found = services("compose.yaml")
    told = (DEPLOY / "nginx/compose.conf").read_text(encoding="utf-8")
    assert len(serving()) >= 2
    assert re.findall(r"^ +server (\S+):8000;", told, re.MULTILINE) == serving()
    assert {found[name]["environment"]["SCOREKEEPER_WORKERS"] for name in serving()} == {"1"}
    # Requests can't bypass nginx, and nginx restarts with each of them.
    assert [name for name in serving() if "ports" in found[name]] == []
    waits = {"condition": "service_healthy", "restart": True}
    assert found["nginx"]["depends_on"] == dict.fromkeys(serving(), waits)


def test_browsers_are_told_to_come_by_https_alone() -> None:
    told = (DEPLOY / "nginx/compose.conf").read_text(encoding="utf-8")
    secure = told[told.index("listen 443 ssl") :]
    assert re.search(
        r"^ +add_header Strict-Transport-Security \"max-age=\d{8}\" always;", secure, re.MULTILINE
    )


@pytest.mark.parametrize(
    ("name", "service"),
    [("compose.yaml", "scorekeeper-0"), ("compose.small.yaml", "scorekeeper")],
)
def test_the_service_believes_the_network_from_which_a_proxy_asks(name: str, service: str) -> None:
    written = yaml.safe_load((DEPLOY / name).read_text(encoding="utf-8"))
    (network,) = written["networks"]["default"]["ipam"]["config"]
    believed = written["services"][service]["environment"]["SCOREKEEPER_TRUSTED_PROXIES"]
    assert believed == network["subnet"]


@pytest.mark.parametrize("name", FILES)
def test_what_is_mounted_from_the_repository_is_there(name: str) -> None:
    mounted = [
        volume.split(":")[0]
        for service in services(name).values()
        for volume in service.get("volumes", ())
        if volume.startswith(".")
    ]
    assert [file for file in mounted if not (DEPLOY / file).is_file()] == []


@pytest.mark.parametrize("name", ["compose.conf", "kubernetes.conf"])
def test_nginx_takes_its_configuration(name: str, tmp_path: Path) -> None:
    """Only the services' names, which can't be resolved here, and its folders are replaced."""
    told = (DEPLOY / "nginx" / name).read_text(encoding="utf-8")
    told, servers = re.subn(r"server scorekeeper-(\d):", r"server 127.0.0.1:900\1; #", told)
    told, folders = re.subn(r"^ *\w+_temp_path .*\n", "", told, flags=re.MULTILINE)
    assert servers >= 2
    assert folders == 5
    certificate = tmp_path / "certificate"
    certificate.mkdir()
    _make_certificate(certificate)
    told = told.replace("/etc/nginx", str(tmp_path)).replace("/tmp/nginx", f"{tmp_path}/nginx")
    told = re.sub(r"listen (\d+)", r"listen 127.0.0.1:1\1", told)
    for included in ("http.conf", "server.conf"):
        text = (DEPLOY / "nginx" / included).read_text(encoding="utf-8")
        (tmp_path / included).write_text(
            text.replace("access_log off;", "access_log off;\n" + temporary_files(tmp_path)),
            encoding="utf-8",
        )
    main = tmp_path / name
    main.write_text(told, encoding="utf-8")
    check_configuration(main)


def _make_certificate(folder: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "uno.test")])
    from_on = datetime(2026, 1, 1, tzinfo=UTC)
    builder = x509.CertificateBuilder(
        name, name, key.public_key(), 1, from_on, from_on.replace(2027)
    )
    made = builder.sign(key, hashes.SHA256())
    (folder / "fullchain.pem").write_bytes(made.public_bytes(Encoding.PEM))
    written = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "privkey.pem").write_bytes(written)


def test_the_small_one_keeps_its_database_and_copies_of_it() -> None:
    found = services("compose.small.yaml")
    assert set(found) == {"scorekeeper", "backup"}
    assert "SCOREKEEPER_DATABASE_URL" not in str(found)
    state = "state:/var/lib/scorekeeper"
    assert state in found["scorekeeper"]["volumes"]
    assert state in found["backup"]["volumes"]
    (loop,) = found["backup"]["command"]
    assert "scorekeeper backup --overwrite /backups/" in loop
