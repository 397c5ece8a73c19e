"""Run the checks of the tree: ``python -m tools.lint``."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.lint.language import faults

ROOT = Path(__file__).parents[2]

if __name__ == "__main__":
    found = faults(ROOT)
    for line in found:
        print(line)
    sys.exit(1 if found else 0)
