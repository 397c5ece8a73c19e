"""Locate and open a chain, its keys and its tables."""

from __future__ import annotations

from tools.data.directory import DataDirectory, open_log

__all__ = ["DataDirectory", "open_log"]
