"""Empty tables for the program, made once a run of the tests and copied.

To make them takes hundreds of statements and four times as long as to open a copy, and hundreds
of tests need them. That they are made as they should be is what the tests of the projections ask.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

from projections.store.tables import Store
from tests.worlds import made_once

ROOT = Path(__file__).parents[2]
MAKE = "import sys; from projections.store.tables import Store; Store.open(sys.argv[1]).close()"


class CopiedStore(Store):
    """Tables whose folder begins as a copy."""

    made: Path | None = None
    """Where the tables are that are copied, or will be; without it all are made where they are."""

    @classmethod
    def open(cls, location: Any, **more: Any) -> Self:
        is_new = isinstance(location, Path) and not (location.exists() and any(location.iterdir()))
        if is_new and cls.made is not None:
            made = made_once(cls.made, _make)
            shutil.copytree(made, location, symlinks=True, dirs_exist_ok=True)
        return super().open(location, **more)


def _make(path: Path) -> None:
    """Make the tables in a process of its own, as one process has one engine."""
    subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", MAKE, str(path)],
        check=True,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)},
    )
