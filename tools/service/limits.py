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
    """Unauthenticated connections; above this the oldest is closed."""
    lines: int = 512
    """Lines of one client in flight; reading waits at this limit."""
    line_bytes: int = 2 * LINE_BYTES_MAX
    """Bytes of one client's lines in flight."""
    hello_seconds: float = 5.0
    """Time limit for a client to authenticate."""
    line_seconds: float = 10.0
    """Time limit from the first byte of a line to its end."""
    idle_seconds: float = 300.0
    """Time without a line, once all are answered, after which the connection is closed."""
    quiet_seconds: float = 2.0
    """Idle time after which a client may be disconnected in favour of a new one."""
    send_seconds: float = 5.0
    """Time limit for a client to read an answer."""
    linger_seconds: float = 0.5
    """Time for a client to read its last answers before the connection is closed."""
    drain_seconds: float = 10.0
    """Time limit for lines in flight when the service ends."""
    requests: int = 512
    """Concurrent requests over HTTP; above this the answer is 503."""
    client_requests: int = 256
    """Concurrent requests of one client; above this the answer is 429."""
    connections: int = 768
    """Connections over HTTP."""
    body_bytes: int = 64 << 20
    """Total bytes of the single commands being read over HTTP at once."""
