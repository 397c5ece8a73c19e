"""The version of this program, as recorded by ``WriterStarted``."""

from __future__ import annotations

from importlib import resources

__all__ = ["VERSION", "commit"]

VERSION = "1.0.0"


def commit() -> str:
    """Return the Git commit of a built package, in hexadecimal; empty in a clone."""
    file = resources.files("ledger.core") / "commit.txt"
    return file.read_text(encoding="ascii").strip() if file.is_file() else ""
