from importlib.util import find_spec

from hypothesis import HealthCheck, settings

pytest_plugins = ["databases"]

# `make browser` brings along what these need.
collect_ignore = [] if find_spec("playwright") else ["browser"]

# What takes its time on a busy machine is no less true.
settings.register_profile(
    "on any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("on any machine")
