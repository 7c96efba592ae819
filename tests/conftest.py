import gc
import os
from collections.abc import Generator, Iterator
from importlib.util import find_spec

import pytest
import structlog
from hypothesis import HealthCheck, settings

from scorekeeper.service.interpreter import tune_interpreter
from scorekeeper.settings import PREFIX
from tests.league_bound import OF_ALL_LEAGUES, Statements
from tests.surroundings import forget

pytest_plugins = ["tests.databases", "tests.shared_work"]

# Before anything is started: processes of a run, servers and programs have the same variables.
forget(os.environ)

# Tests of the pages need Playwright, which `make browser` installs.
collect_ignore = [] if find_spec("playwright") else ["browser"]

# A slow example on a busy machine is no fault.
settings.register_profile(
    "on any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("on any machine")


@pytest.fixture(scope="session", autouse=True)
def _statements_name_their_league() -> Iterator[None]:
    """Fail the run if a statement of the product names no league, unless it is listed."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        statements = Statements()
        statements.listen(monkeypatch)
        yield
        statements.stop()
    unlisted = {
        place: of for place, of in statements.unbound().items() if place not in OF_ALL_LEAGUES
    }
    assert unlisted == {}, "statements name no league for these tables"


@pytest.fixture(scope="session", autouse=True)
def _no_installation_is_here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep away the data of a service that is run from this checkout."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        nowhere = tmp_path_factory.mktemp("installation") / "scorekeeper-data"
        monkeypatch.setenv(f"{PREFIX}DATA_DIR", str(nowhere))
        yield


# Tracebacks as the service logs them: without local variables, which take seconds to render.
structlog.configure(
    processors=[
        structlog.processors.add_log_level,
        structlog.dev.ConsoleRenderer(
            colors=False, exception_formatter=structlog.dev.plain_traceback
        ),
    ]
)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """The garbage collector need not look through thousands of collected tests again and again."""
    gc.disable()
    collected = yield
    gc.enable()
    tune_interpreter()
    return collected
