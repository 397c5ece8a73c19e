"""Where a chain, its keys and its tables are, and how they are opened."""

from __future__ import annotations

from tools.data.directory import DataDirectory, open_log

__all__ = ["DataDirectory", "open_log"]
