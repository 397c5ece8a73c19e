"""Parse and bind the address of a writer: a host and port, or the path of a Unix socket."""

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
    """An address of the service: a host and port, or the path of a Unix socket."""

    host: str
    port: int
    path: Path | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse ``host:port`` or ``unix:/path``.

        Raises:
            InputError: the text is neither.

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
        """Parse ``host:port``.

        Raises:
            InputError: the text is not a host and port.

        """
        found = cls.parse(text)
        if found.path is not None:
            raise InputError(f"{text} is no place for HTTP: give host:port")
        return found

    @classmethod
    def of(cls, listener: socket.socket) -> Self:
        """Return the address to which a socket is bound."""
        host, port = listener.getsockname()[:2]
        return cls(host, port)

    @property
    def is_of_this_machine(self) -> bool:
        """Return whether only programs on this machine can connect."""
        if self.path is not None or self.host == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:  # a host name, resolved by the network
            return False

    def __str__(self) -> str:
        """Format the address so that :meth:`parse` reads it again."""
        if self.path:
            return f"unix:{self.path}"
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def port_of(text: str) -> int | None:
    """Parse a port number, 0 to 65535; return None if the text is not a valid port."""
    if not (text.isascii() and text.isdigit() and len(text) <= PORT_DIGITS_MAX):
        return None
    port = int(text)
    return port if port < 1 << 16 else None


def listening(text: str) -> socket.socket:
    """Bind a port for HTTP and listen on it; the caller closes the returned socket.

    Raises:
        InputError: the address is not a host and port.
        AvailabilityError: the port is taken, or the host is not of this machine.

    """
    return taken(Address.for_http(text), backlog=BACKLOG)


def taken(address: Address, *, backlog: int | None = None) -> socket.socket:
    """Bind a port, and listen on it if a backlog is given; the caller closes the returned socket.

    An IPv6 address, including ``[::]``, is bound for IPv6 only, so that no address is opened that
    the operator did not name.

    Raises:
        AvailabilityError: the port is taken, or the host is not of this machine.

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
