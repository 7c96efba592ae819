from importlib.util import find_spec

import structlog
from hypothesis import HealthCheck, settings

from scorekeeper.service.garbage_collection import tune_garbage_collection

pytest_plugins = ["databases"]

# `make browser` brings along what these need.
collect_ignore = [] if find_spec("playwright") else ["browser"]

# What takes its time on a busy machine is no less true.
settings.register_profile(
    "on any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("on any machine")

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
    tune_garbage_collection()
