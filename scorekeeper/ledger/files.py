"""Files that must be whole and on the disk, or not there."""

import os
from pathlib import Path
from tempfile import mkstemp


def write_durably(path: Path, content: bytes, *, replace: bool = True) -> None:
    """Write a file of mode 0600 in one step, on the disk when this returns.

    Without `replace` a file that is there already stays as it is.
    """
    handle, name = mkstemp(prefix=f".{path.name}.", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if replace:
            temporary.replace(path)
        else:
            _link(temporary, path)
        _sync(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def _link(temporary: Path, path: Path) -> None:
    try:
        path.hardlink_to(temporary)
    except FileExistsError:
        return


def _sync(folder: Path) -> None:
    if os.name != "posix":  # elsewhere a folder can't be opened
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
