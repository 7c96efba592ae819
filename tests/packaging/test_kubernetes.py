"""The manifests for Kubernetes, as built by kustomize, are valid by the schemas of Kubernetes."""

import re
import shutil
import subprocess
from typing import Any

import pytest
import yaml

from tests.nginx import DEPLOY
from tests.programs import installed, program

VERSION = "1.34"
Manifest = dict[str, Any]


@pytest.fixture(scope="module")
def manifests(tmp_path_factory: pytest.TempPathFactory) -> list[Manifest]:
    """All manifests, with secrets of the test."""
    folder = tmp_path_factory.mktemp("deploy")
    for name in ("nginx", "kubernetes"):
        shutil.copytree(DEPLOY / name, folder / name)
    (folder / "kubernetes/secrets.env").write_text("SCOREKEEPER_ADMIN_TOKEN=0123456789abcdef\n")
    (folder / "kubernetes/signing-key.pem").write_text("a key\n")
    asked = [program("kubectl"), "kustomize", folder / "kubernetes"]
    built = subprocess.run(asked, capture_output=True, text=True, timeout=60)
    assert built.returncode == 0, built.stderr
    return list(yaml.safe_load_all(built.stdout))


def named(manifests: list[Manifest], kind: str, name: str) -> Manifest:
    """Return a manifest by its kind and name; generated names end in a digest."""
    (one,) = [
        each
        for each in manifests
        if each["kind"] == kind and re.fullmatch(rf"{name}(-\w{{10}})?", each["metadata"]["name"])
    ]
    return one


def templates(manifests: list[Manifest]) -> list[Manifest]:
    return [each for each in manifests if "template" in each.get("spec", {})]


def containers(manifest: Manifest) -> list[Manifest]:
    pod = manifest["spec"]["template"]["spec"]
    return [*pod.get("initContainers", ()), *pod["containers"]]


def test_they_are_as_the_schemas_have_them(manifests: list[Manifest]) -> None:
    validate = installed("kubernetes_validate").validate
    for manifest in manifests:
        validate(manifest, VERSION, strict=True)
    assert {each["kind"] for each in manifests} >= {
        "StatefulSet",
        "Job",
        "PodDisruptionBudget",
        "NetworkPolicy",
        "Ingress",
        "Secret",
    }


def test_no_secret_lies_in_the_repository() -> None:
    ignored = (DEPLOY.parent / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert {"deploy/kubernetes/secrets.env", "deploy/kubernetes/signing-key.pem"} <= set(ignored)


def test_nginx_knows_every_pod_by_an_address_that_outlives_it(manifests: list[Manifest]) -> None:
    told = named(manifests, "ConfigMap", "nginx")["data"]["nginx.conf"]
    pods = named(manifests, "StatefulSet", "scorekeeper")
    names = [f"scorekeeper-{number}" for number in range(pods["spec"]["replicas"])]
    assert re.findall(r"^ +server (\S+):8000;", told, re.MULTILINE) == names
    for name in names:
        service = named(manifests, "Service", name)["spec"]
        assert service["selector"] == {"statefulset.kubernetes.io/pod-name": name}
        assert "clusterIP" not in service


def test_what_is_referred_to_is_there(manifests: list[Manifest]) -> None:
    """Only the database's secret is missing, which its operator makes."""
    there = {
        (each["kind"], each["metadata"]["name"])
        for each in manifests
        if each["kind"] in {"ConfigMap", "Secret", "Service"}
    }
    keys = {
        "configMapRef": ("ConfigMap", "name"),
        "configMap": ("ConfigMap", "name"),
        "secretRef": ("Secret", "name"),
        "secret": ("Secret", "secretName"),
        "secretKeyRef": ("Secret", "name"),
        "service": ("Service", "name"),
    }

    def referred(value: Any) -> set[tuple[str, str]]:
        if isinstance(value, list):
            return set().union(*map(referred, value))
        if not isinstance(value, dict):
            return set()
        here = {
            (kind, value[key][name])
            for key, (kind, name) in keys.items()
            if isinstance(value.get(key), dict)
        }
        return here.union(*map(referred, value.values()))

    asked_for = referred([each["spec"] for each in manifests if "spec" in each])
    assert len(asked_for) >= 5
    assert asked_for - there == {("Secret", "scorekeeper-db-app")}


def test_a_pod_has_one_process_and_tells_how_it_is(manifests: list[Manifest]) -> None:
    settings = named(manifests, "ConfigMap", "scorekeeper")["data"]
    assert settings["SCOREKEEPER_WORKERS"] == "1"
    *_, container = containers(named(manifests, "StatefulSet", "scorekeeper"))
    probes = {name: container[f"{name}Probe"] for name in ("startup", "liveness", "readiness")}
    assert {name: probe["httpGet"]["path"] for name, probe in probes.items()} == {
        "startup": "/health/live",
        "liveness": "/health/live",
        "readiness": "/health/ready",
    }


def test_the_key_is_read_where_its_secret_is_mounted(manifests: list[Manifest]) -> None:
    pod = named(manifests, "StatefulSet", "scorekeeper")["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    (key,) = (each["value"] for each in container["env"] if each["name"].endswith("SIGNING_KEY"))
    (mount,) = (each for each in container["volumeMounts"] if each["name"] == "signing-key")
    (volume,) = (each for each in pod["volumes"] if each["name"] == "signing-key")
    secret = named(manifests, "Secret", "scorekeeper-signing-key")
    assert volume["secret"]["secretName"] == secret["metadata"]["name"]
    assert mount["readOnly"] is True
    assert [f"{mount['mountPath']}/{name}" for name in secret["data"]] == [key]


def test_the_database_is_reached_where_its_primary_is(manifests: list[Manifest]) -> None:
    (database,) = yaml.safe_load_all(
        (DEPLOY / "kubernetes/cloudnativepg.yaml").read_text(encoding="utf-8")
    )
    name = database["metadata"]["name"]
    made = database["spec"]["bootstrap"]["initdb"]
    expected = f"postgresql+asyncpg://{made['owner']}:$(DATABASE_PASSWORD)@{name}-rw/"
    for kind, owner in (("StatefulSet", "scorekeeper"), ("Job", "migrate")):
        *_, container = containers(named(manifests, kind, owner))
        told = {each["name"]: each for each in container["env"]}
        assert told["SCOREKEEPER_DATABASE_URL"]["value"] == expected + made["database"]
        assert told["DATABASE_PASSWORD"]["valueFrom"]["secretKeyRef"]["name"] == f"{name}-app"


def test_pods_are_locked_in(manifests: list[Manifest]) -> None:
    for manifest in templates(manifests):
        pod = manifest["spec"]["template"]["spec"]
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["automountServiceAccountToken"] is False
        for container in containers(manifest):
            context = container["securityContext"]
            assert context["readOnlyRootFilesystem"] is True
            assert context["allowPrivilegeEscalation"] is False
            assert context["capabilities"] == {"drop": ["ALL"]}


def test_every_pod_is_chosen_by_what_looks_after_it(manifests: list[Manifest]) -> None:
    labels = [each["spec"]["template"]["metadata"]["labels"] for each in templates(manifests)]
    budgets = [each for each in manifests if each["kind"] == "PodDisruptionBudget"]
    policies = [each for each in manifests if each["kind"] == "NetworkPolicy"]
    chosen = [each["spec"]["selector"]["matchLabels"] for each in budgets]
    assert {each["app"] for each in chosen} == {"scorekeeper", "nginx"}
    for label in labels:
        kinds = {
            kind
            for each in policies
            if each["spec"]["podSelector"]["matchLabels"].items() <= label.items()
            for kind in each["spec"]["policyTypes"]
        }
        assert kinds == {"Ingress", "Egress"}, label
