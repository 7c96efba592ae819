from importlib.util import find_spec

pytest_plugins = ["databases"]

# `make browser` brings along what these need.
collect_ignore = [] if find_spec("playwright") else ["browser"]
