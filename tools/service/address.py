"""Where a writer listens: host and port, or the path of a Unix socket."""

from __future__ import annotations

import socket
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple, Self

from ledger.core.errors import AvailabilityError, InputError

__all__ = ["Address", "listening", "port_of", "taken"]

BACKLOG = 128
PORT_DIGITS_MAX = 5


class Address(NamedTuple):
    """Where the service listens: host and port, or the path of a Unix socket."""

    host: str
    port: int
    path: Path | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``host:port`` or ``unix:/path``.

        Raises:
            InputError: it is neither.

        """
        if text.startswith("unix:/"):
            return cls("", 0, Path(text.removeprefix("unix:")))
        host, _, digits = text.rpartition(":")
        port = port_of(digits)
        if not host or port is None:
            raise InputError(f"{text!r} is no place to listen: give host:port or unix:/path")
        return cls(host.strip("[]"), port)

    @classmethod
    def for_http(cls, text: str) -> Self:
        """Read ``host:port``.

        Raises:
            InputError: it is something else.

        """
        found = cls.parse(text)
        if found.path is not None:
            raise InputError(f"{text} is no place for HTTP: give host:port")
        return found

    @classmethod
    def of(cls, listener: socket.socket) -> Self:
        """Return where a port was taken."""
        host, port = listener.getsockname()[:2]
        return cls(host, port)

    @property
    def is_of_this_machine(self) -> bool:
        """Return whether only programs of this machine can connect."""
        if self.path is not None or self.host == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:  # a name, which the network resolves
            return False

    def __str__(self) -> str:
        """Write it as it is read."""
        if self.path:
            return f"unix:{self.path}"
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def port_of(text: str) -> int | None:
    """Read a port, 0 to 65535; return None if it is none."""
    if not (text.isascii() and text.isdigit() and len(text) <= PORT_DIGITS_MAX):
        return None
    port = int(text)
    return port if port < 1 << 16 else None


def listening(text: str) -> socket.socket:
    """Take a port for HTTP and listen at it; the caller closes it.

    Raises:
        InputError: it is no host and port.
        AvailabilityError: it is taken, or not of this machine.

    """
    return taken(Address.for_http(text), backlog=BACKLOG)


def taken(address: Address, *, backlog: int | None = None) -> socket.socket:
    """Take a port, and listen at once where a backlog is given; the caller closes it.

    An address of IPv6 is for IPv6 alone, ``[::]`` too: what is open is what was named.

    Raises:
        AvailabilityError: it is taken, or not of this machine.

    """
    is_of_6 = ":" in address.host
    found = socket.socket(socket.AF_INET6 if is_of_6 else socket.AF_INET)
    try:
        if is_of_6:
            found.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((address.host, address.port))
        if backlog is not None:
            found.listen(backlog)
    except OSError as error:
        found.close()
        raise AvailabilityError(
            f"{address} can't be listened at: {error.strerror or error}"
        ) from error
    return found
