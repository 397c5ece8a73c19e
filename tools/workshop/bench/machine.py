"""Describe the machine on which a figure was measured."""

from __future__ import annotations

import platform
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["machine", "processor", "show"]

_CPUS = Path("/proc/cpuinfo")


def machine(*packages: str, **more: str) -> dict[str, str]:
    """Name the processor, Python, what else matters, and versions of packages."""
    return {
        "cpu": processor(),
        "python": platform.python_version(),
        **more,
        **{name: version(name) for name in packages},
    }


def show(table: Table, on: dict[str, str]) -> None:
    """Print figures with what they were measured on."""
    console = Console()
    console.print(table)
    console.print(", ".join(f"{name} {value}" for name, value in on.items()))


def processor() -> str:
    """Name the processor as exactly as the system tells."""
    lines = _CPUS.read_text(encoding="utf-8").splitlines() if _CPUS.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor())
