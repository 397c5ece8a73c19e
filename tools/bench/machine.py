"""What a figure was measured on."""

from __future__ import annotations

import platform
from pathlib import Path

__all__ = ["processor"]

_CPUS = Path("/proc/cpuinfo")


def processor() -> str:
    """Name the processor as exactly as the system tells."""
    lines = _CPUS.read_text(encoding="utf-8").splitlines() if _CPUS.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor())
