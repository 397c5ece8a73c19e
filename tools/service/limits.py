"""Limits of a service for its clients: connections, lines and time."""

from __future__ import annotations

from dataclasses import dataclass

from tools.service.lines import LINE_BYTES_MAX

__all__ = ["Limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on clients, on the resources of each, and on the time that each may take."""

    clients: int = 128
    waiting: int = 64
    """Connections that have not said yet who they are; the oldest makes room for the next."""
    lines: int = 512
    """Lines of one client on their way; it waits when there are more."""
    line_bytes: int = 2 * LINE_BYTES_MAX
    """Bytes of these lines."""
    hello_seconds: float = 5.0
    """Until a client has said who it is."""
    line_seconds: float = 10.0
    """From the first byte of a line to its end."""
    idle_seconds: float = 300.0
    """Without a line, when all is answered."""
    quiet_seconds: float = 2.0
    """After this a client that does nothing makes room, if there is no other."""
    send_seconds: float = 5.0
    """How long an answer may be left unread."""
    linger_seconds: float = 0.5
    """How long a client gets to read its last answers."""
    drain_seconds: float = 10.0
    """At the end, how long what is on its way may take."""
    requests: int = 512
    """Requests over HTTP at work at once, and then 503."""
    client_requests: int = 256
    """Those of one client, and then 429."""
    connections: int = 768
    """Connections over HTTP."""
    body_bytes: int = 64 << 20
    """Bytes of the single commands that are being read over HTTP."""
