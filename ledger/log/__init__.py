"""Storage of messages: the port, and the logs that implement it."""

from __future__ import annotations

from ledger.core.message import EMPTY, Head, Message
from ledger.log.memory import MemoryLog
from ledger.log.port import Log, Query, ReadableLog
from ledger.log.sqlite import SqliteLog

__all__ = ["EMPTY", "Head", "Log", "MemoryLog", "Message", "Query", "ReadableLog", "SqliteLog"]
