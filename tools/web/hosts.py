"""Check the host name and the origin of requests to a server on this machine.

A page of any site can resolve its own name to 127.0.0.1 and then send requests to a server there
as if it were its own (DNS rebinding). So over plain HTTP at an address of this machine, the
``Host`` of a request must be such an address, ``localhost``, or an allowed name. Under TLS the
certificate excludes other names. A request that may change something must not come from another
site, which a browser reports in ``Sec-Fetch-Site``, or else in ``Origin``.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ledger.core.errors import InputError
from tools.web.problems import ProblemError, response_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["VARIABLE", "allowed_hosts", "hosts_checked"]

VARIABLE = "GAMELEDGER_ALLOW_HOSTS"
"""Names besides those of this machine, with commas between them."""
NAME = re.compile(r"[a-z0-9_]([a-z0-9._-]{0,252}[a-z0-9_])?", re.ASCII)
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
OWN_SITES = frozenset({b"same-origin", b"none"})


def allowed_hosts(environment: Mapping[str, str]) -> frozenset[str]:
    """Return the allowed names in lower case.

    Raises:
        InputError: a name has a port, a path or a blank.

    """
    found = environment.get(VARIABLE, "")
    names = frozenset(name for one in found.split(",") if (name := one.strip().lower()))
    for name in names:
        if NAME.fullmatch(name) is None:
            raise InputError(f"{name!r} in {VARIABLE} is no name of a host, such as casino.example")
    return names


def hosts_checked(app: ASGIApp, hosts: frozenset[str]) -> ASGIApp:
    """Wrap an application so that requests for other hosts, or from other sites, are refused."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        problem = _fault_of(scope, hosts) if scope["type"] == "http" else None
        await (app if problem is None else response_of(problem))(scope, receive, send)

    return answer


def _fault_of(scope: Scope, hosts: frozenset[str]) -> ProblemError | None:
    headers: dict[bytes, bytes] = dict(scope["headers"])
    host = headers.get(b"host", b"").decode("latin-1")
    if scope["scheme"] == "http" and _is_of_this_machine(_server(scope)) and host:
        name = _name_in(host)
        if name not in hosts and name != "localhost" and not _is_of_this_machine(name):
            text = f"this server is not {name[:100]!r}: allow the name with --allow-host"
            return ProblemError(HTTPStatus.MISDIRECTED_REQUEST, "host", text)
    if scope["method"] not in SAFE and not _is_of_own_site(headers, host):
        return ProblemError(HTTPStatus.FORBIDDEN, "origin", "this was sent by another site")
    return None


def _server(scope: Scope) -> str:
    """Return the address at which a request arrived; empty for a Unix socket."""
    server = scope.get("server")
    return server[0] if server and server[1] is not None else ""


def _is_of_own_site(headers: Mapping[bytes, bytes], host: str) -> bool:
    if (site := headers.get(b"sec-fetch-site")) is not None:
        return site in OWN_SITES
    origin = headers.get(b"origin")
    return origin is None or urlsplit(origin.decode("latin-1")).netloc == host


def _name_in(host: str) -> str:
    """Return the name in a ``Host``, without port and trailing dot, in lower case."""
    try:
        return (urlsplit(f"//{host}").hostname or "").removesuffix(".")
    except ValueError:
        return ""


def _is_of_this_machine(name: str) -> bool:
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
