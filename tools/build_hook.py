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
        from schemas.build import write_event_classes

        write_event_classes(Path(self.root))
        if version == "editable":
            return
        built = Path(tempfile.mkdtemp())
        for number, (name, content) in enumerate(_compiled().items()):
            file = built / str(number)
            file.write_text(content, encoding="utf-8")
            build_data["force_include"][str(file)] = name
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


def _compiled() -> dict[str, str]:
    """Return the texts and headers of all packages as the files that a wheel has of them."""
    from ledger.core import texts
    from projections.findings import headers
    from schemas import event_texts

    return {
        f"schemas/{event_texts.COMPILED}": event_texts.compile_texts(),
        f"projections/{headers.COMPILED}": headers.compile_headers(),
        **{
            f"{root}/{texts.COMPILED}": texts.compile_texts(root)
            for root in ("ledger", "projections", "tools")
        },
    }
