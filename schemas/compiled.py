"""What is compiled from many files of a package, so that a start of the program parses one.

A wheel holds it as a file of the package. A checkout keeps it with the compiled modules, in
``__pycache__``, and compiles it again when a file that it is made of was changed.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from hashlib import sha256
from importlib import resources
from pathlib import Path
from threading import get_ident
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["compiled"]


def compiled(package: str, name: str, patterns: tuple[str, ...], build: Callable[[], str]) -> bytes:
    """Return the content of a compiled file.

    Args:
        package: the package that has it.
        name: the name of the file.
        patterns: of the files that it is made of, within the folder of the package.
        build: returns the content; only called if it is not kept.

    Raises:
        ValueError: a file that it is made of is wrong, as ``build`` says.

    """
    folder = resources.files(package)
    if (file := folder / name).is_file():
        return file.read_bytes()
    if not isinstance(folder, Path):
        return build().encode()
    sources = [Path(str(sys.modules[build.__module__].__file__))]
    for pattern in patterns:
        sources += sorted(folder.glob(pattern))
    stamp = sha256(repr([_state(one) for one in sources]).encode()).digest()
    kept = folder / "__pycache__" / name
    with suppress(OSError):
        content = kept.read_bytes()
        if content.startswith(stamp):
            return content.removeprefix(stamp)
    content = build().encode()
    if not sys.dont_write_bytecode:
        with suppress(OSError):
            fresh = kept.with_name(f"{name}.{os.getpid()}.{get_ident()}")
            fresh.write_bytes(stamp + content)
            fresh.replace(kept)
    return content


def _state(file: Path) -> tuple[str, int, int]:
    found = file.stat()
    return str(file), found.st_mtime_ns, found.st_size
