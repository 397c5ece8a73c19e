"""Build hook: packages contain the Git commit from which they were built.

A source distribution includes the file, so a wheel built from it names the same commit.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

__all__ = ["CommitHook"]

FILE = "ledger/core/commit.txt"


class CommitHook(BuildHookInterface[Any]):
    """Add ``ledger/core/commit.txt`` to the build, except to an editable install."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the file."""
        if version == "editable":
            return
        present = Path(self.root, FILE)
        if not present.exists():
            found = subprocess.run(  # noqa: S603 - fixed arguments
                ["git", "-C", self.root, "rev-parse", "HEAD"],  # noqa: S607 - of the machine
                capture_output=True,
                text=True,
                check=False,
            )
            if found.returncode:
                return
            present = Path(tempfile.mkdtemp(), "commit.txt")
            present.write_text(found.stdout, encoding="ascii")
        build_data["force_include"][str(present)] = FILE
