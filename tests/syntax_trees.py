"""Parsing of source files that a test looks through."""

import ast
import gc
from pathlib import Path


def syntax_tree(path: Path) -> ast.Module:
    """Parse a source file, while nothing is collected.

    In Python 3.11 a collection may come in the midst of it. If a finalizer then parses, too, as
    whoever prints a traceback does, a SystemError is raised (python/cpython#106905).
    """
    source = path.read_text(encoding="utf-8")
    collects = gc.isenabled()
    gc.disable()
    try:
        return ast.parse(source)
    finally:
        if collects:
            gc.enable()
