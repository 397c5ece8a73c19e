"""Build hook: what a package has beside the files of the repository.

Every build, also of an editable install, writes the classes of the events from their schemas.
A package also contains the texts of the events and of each root package as one file, the headers of
the checks as another, and the Git commit from which it was built; a source distribution includes
them, so a wheel built from it names the same commit.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

__all__ = ["BuildHook"]

FILE = "ledger/core/commit.txt"


class BuildHook(BuildHookInterface[Any]):
    """Add what is built to the package; an editable install gets the classes of the events only."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files."""
        sys.path.insert(0, self.root)
        from schemas.build import write

        if version == "editable":
            write(Path(self.root), is_checkout=True)
            return
        built = Path(tempfile.mkdtemp())
        for name in write(built, is_checkout=False):
            build_data["force_include"][str(built / name)] = name
        from ledger.core.texts import COMPILED, compile_texts

        for root in ("ledger", "projections", "tools"):
            (built / f"{root}.json").write_text(compile_texts(root), encoding="utf-8")
            build_data["force_include"][str(built / f"{root}.json")] = f"{root}/{COMPILED}"
        from projections.findings.headers import COMPILED as HEADERS
        from projections.findings.headers import compile_headers

        (built / HEADERS).write_bytes(compile_headers())
        build_data["force_include"][str(built / HEADERS)] = f"projections/{HEADERS}"
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
