"""Run the program as ``python -m tools.cli``."""

from __future__ import annotations

from tools.cli import main

main()
