from collections import Counter
from itertools import chain

import pytest
from prometheus_client.parser import text_string_to_metric_families

from scorekeeper.api.layers.request_log import Metrics
from tests.api.operations.counting_process import count_one
from tests.forked_programs import printed_by


def figures(metrics):
    families = text_string_to_metric_families(metrics.exposition().decode())
    return {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in families
        for sample in family.samples
    }


def test_answers_are_counted_by_method_route_and_status():
    metrics = Metrics()
    for status in (200, 200, 404):
        metrics.begun()
        metrics.ended("GET", "/v1/leagues/{league}", status, 0.02)
    seen = figures(metrics)
    route = "/v1/leagues/{league}"
    assert seen["scorekeeper_http_requests_total", route, "200", "GET"] == 2
    assert seen["scorekeeper_http_requests_total", route, "404", "GET"] == 1
    assert seen["scorekeeper_http_request_seconds_count", route, "GET"] == 3
    assert seen["scorekeeper_http_request_seconds_sum", route, "GET"] == pytest.approx(0.06)
    assert seen["scorekeeper_http_requests_in_flight",] == 0


def test_what_is_in_flight_is_counted():
    metrics = Metrics()
    metrics.begun()
    metrics.begun()
    metrics.ended("GET", None, 404, 0.01)
    assert figures(metrics)["scorekeeper_http_requests_in_flight",] == 1


def test_a_client_can_not_make_up_labels():
    metrics = Metrics()
    for method in ("BREW", "PROPFIND"):
        metrics.begun()
        metrics.ended(method, None, 405, 0.01)
    assert figures(metrics)["scorekeeper_http_requests_total", "405", "other", "unmatched"] == 2


def test_the_process_is_measured():
    assert "process_resident_memory_bytes" in Metrics().exposition().decode()


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/v1/leagues", {}, "401"),
        ("POST", "/v1/leagues/none/matches/none/events", {}, "401"),
        ("GET", "/v1/leagues", {"host": "a b"}, "400"),
    ],
)
def test_what_an_inner_layer_refuses_is_counted_as_it_was_answered(
    served, method, path, headers, status
):
    def counted():
        """Return how many requests of this method had which status, by any route."""
        counts = Counter()
        families = text_string_to_metric_families(served.ask("GET", "/metrics", token=None).text)
        for sample in chain.from_iterable(family.samples for family in families):
            told = sample.labels
            if sample.name == "scorekeeper_http_requests_total" and told["method"] == method:
                counts[told["status"]] += sample.value
        return counts

    before = counted()
    body = {"content": b"{}"} if method == "POST" else {}
    answer = served.ask(method, path, token="sk_nobody", headers=headers, **body)
    assert str(answer.status_code) == status
    added = counted() - before
    assert added.pop("200", 1) == 1  # the first look at the figures
    assert added == {status: 1}


@pytest.mark.parametrize("path", ["/metrics/", "//metrics", "/metrics%2F", "/%6Detrics"])
def test_the_figures_have_one_address_only(served, path):
    """A proxy that blocks that address would let other spellings of it through."""
    answer = served.ask("GET", f"http://test{path}", token=None)
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")
    assert served.ask("GET", "/metrics", token=None).status_code == 200


def run_sibling(directory, *, until_written=False):
    return printed_by(count_one, str(directory), until_written)


def test_siblings_answer_for_each_other(tmp_path):
    for _ in range(2):
        said = run_sibling(tmp_path)
    assert 'scorekeeper_http_requests_total{method="GET",route="/x",status="200"} 2.0' in said


def test_a_sibling_that_is_never_asked_shows_its_figures_all_the_same(tmp_path):
    """The idle process writes its figures to disk within about a second without being asked."""
    run_sibling(tmp_path, until_written=True)
    said = run_sibling(tmp_path)
    assert 'scorekeeper_http_requests_total{method="GET",route="/x",status="200"} 2.0' in said
    assert "scorekeeper_http_requests_in_flight 0.0" in said
    assert 'scorekeeper_http_request_seconds_count{method="GET",route="/x"} 2.0' in said
