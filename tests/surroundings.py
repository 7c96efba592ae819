"""What a shell sets for other programs, or for ours, which would change what tests see."""

import re
from collections.abc import MutableMapping

# Each has made a test fail, or would do so elsewhere: `git init` by GIT_DIR in the repository of
# whoever runs the tests from a hook of git, for instance.
_CHANGING = re.compile(
    r"""
    SCOREKEEPER_.*              # the settings of an installation
    | PG[A-Z]+                  # of psql, and of the server that the tests start
    | PYTHON(?!HOME|HASHSEED)[A-Z]+
    | LITESTAR_.* | PROMETHEUS_.* | prometheus_.*
    | GIT_(DIR|WORK_TREE|INDEX_FILE|CONFIG.*|OBJECT_DIRECTORY|COMMON_DIR|NAMESPACE|PREFIX)
    | MAKE(FLAGS|LEVEL|OVERRIDES|FILES) | MFLAGS
    | ALL_PROXY | all_proxy     # of SOCKS mostly, for which httpx needs a package of its own
    """,
    re.VERBOSE,
)


def forget(environ: MutableMapping[str, str]) -> None:
    """Remove the variables, and have no proxy asked for the servers of tests on this machine."""
    for name in [each for each in environ if _CHANGING.fullmatch(each)]:
        del environ[name]
    without_proxy = environ.get("no_proxy", environ.get("NO_PROXY", ""))
    if without_proxy != "*":
        environ["no_proxy"] = f"127.0.0.1,localhost,{without_proxy}"
