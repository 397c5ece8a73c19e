"""Run the checks of the tree: ``python -m tools.workshop.lint``."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.workshop.lint.language import faults

ROOT = Path(__file__).parents[3]

if __name__ == "__main__":
    found = faults(ROOT)
    for line in found:
        print(line)
    sys.exit(1 if found else 0)
