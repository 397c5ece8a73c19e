"""What is generated from the schemas is what the schemas say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_generated_files_are_fresh() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "tools.workshop.generate", "--check"],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert (found.returncode, found.stderr) == (0, "")
