from collections.abc import Iterator
from importlib.util import find_spec

import pytest
import structlog
from hypothesis import HealthCheck, settings
from league_bound import OF_ALL_LEAGUES, Statements

from scorekeeper.service.interpreter import tune_interpreter

pytest_plugins = ["databases", "shared_work"]

# `make browser` brings along what these need.
collect_ignore = [] if find_spec("playwright") else ["browser"]

# What takes its time on a busy machine is no less true.
settings.register_profile(
    "on any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("on any machine")


@pytest.fixture(scope="session", autouse=True)
def _statements_name_their_league() -> Iterator[None]:
    """Each statement of the product in this run, as servers with some of the leagues need it."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        statements = Statements()
        statements.listen(monkeypatch)
        yield
        statements.stop()
    unlisted = {
        place: of for place, of in statements.unbound().items() if place not in OF_ALL_LEAGUES
    }
    assert unlisted == {}, "statements name no league for these tables"


# Tracebacks as the service logs them: without local variables, which take seconds to render.
structlog.configure(
    processors=[
        structlog.processors.add_log_level,
        structlog.dev.ConsoleRenderer(
            colors=False, exception_formatter=structlog.dev.plain_traceback
        ),
    ]
)


def pytest_collection_finish() -> None:
    """The garbage collector need not look through thousands of collected tests again and again."""
    tune_interpreter()
