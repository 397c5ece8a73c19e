"""What the workers of a run share: one of them makes each chain, with its tables; all copy it."""

from __future__ import annotations

import fcntl
import os
import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

__all__ = ["made_once", "shared_folder", "world"]


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the run, which all workers have."""
    folder = factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


def made_once(path: Path, make: Callable[[Path], object]) -> Path:
    """Return the path that ``make`` filled, here or in another worker; the others wait for it."""
    with path.with_name(f"{path.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            making = path.with_name(f"{path.name}.making")
            shutil.rmtree(making, ignore_errors=True)
            make(making)
            making.rename(path)
    return path


def world(
    factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object], *, copied: bool
) -> Path:
    """Return a data directory that is made once a run, or a copy of it to change."""
    made = made_once(shared_folder(factory) / f"world-{name}", make)
    if not copied:
        return made
    return shutil.copytree(made, factory.mktemp(name) / "data", symlinks=True)
