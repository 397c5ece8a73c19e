"""The health port of a long-running process, without TLS or authentication.

``/health`` answers 200 while the process runs, ``/ready`` 200 while it does its work and otherwise
503 with its state, ``/metrics`` gives the series of the process for Prometheus. No response
contains data of persons or content of the chain.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING

from cryptography import x509
from prometheus_client import CONTENT_TYPE_LATEST, Gauge, Info, generate_latest
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from ledger.core.version import VERSION
from tools.service.address import Address, listening
from tools.web.serving import config_of, in_thread, starlette_app

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from starlette.requests import Request

    from tools.web.metrics import ChainRegistry

__all__ = ["ProcessHealth", "health_port"]


class ProcessHealth:
    """State and common series of one process.

    Args:
        program: its command, such as ``writer``; a label.
        registry: all series of the process; those of this class are added.
        data: data directory, whose free disk space is measured.
        certificates: PEM files whose expiry is measured.

    """

    def __init__(
        self,
        program: str,
        registry: ChainRegistry,
        data: Path,
        certificates: Iterable[Path] = (),
    ) -> None:
        """Begin in the state ``starting``, which is not ready."""
        self.registry = registry
        self.state, self.is_ready = "starting", False
        Info("gameledger_process", "Program and version.", registry=registry).info(
            {"program": program, "version": VERSION}
        )
        ready = Gauge(
            "gameledger_ready", "1 while the process does its work, else 0.", registry=registry
        )
        ready.set_function(lambda: float(self.is_ready))
        free = Gauge(
            "gameledger_disk_free_bytes",
            "Free space on the disk of the data directory.",
            registry=registry,
        )
        free.set_function(partial(_free_bytes, data))
        size = Gauge(
            "gameledger_disk_size_bytes",
            "Size of the disk of the data directory.",
            registry=registry,
        )
        size.set_function(partial(_size_bytes, data))
        expiry = Gauge(
            "gameledger_certificate_expires_seconds",
            "Expiry of a certificate, in seconds since the epoch; 0 if it can't be read.",
            ("file",),
            registry=registry,
        )
        for file in certificates:
            expiry.labels(str(file)).set_function(partial(_expiry_seconds, file))

    def enter(self, state: str, *, ready: bool) -> None:
        """Enter a state, such as ``leading`` or ``standby``."""
        self.state, self.is_ready = state, ready


@contextmanager
def health_port(place: str | None, health: ProcessHealth, hosts: frozenset[str]) -> Iterator[None]:
    """Serve health, readiness and metrics at ``HOST:PORT`` until the end of the block.

    Requests may address the port by this machine's own names and by those in ``hosts``.

    Raises:
        InputError: the address is not a host and port.
        AvailabilityError: the port is taken, or the host is not of this machine.

    """
    if place is None:
        yield
        return

    async def alive(_: Request) -> Response:
        return PlainTextResponse("alive\n")

    async def ready(_: Request) -> Response:
        status = HTTPStatus.OK if health.is_ready else HTTPStatus.SERVICE_UNAVAILABLE
        return JSONResponse({"ready": health.is_ready, "state": health.state}, status)

    def metrics(_: Request) -> Response:
        return Response(generate_latest(health.registry), media_type=CONTENT_TYPE_LATEST)

    routes = [Route("/health", alive), Route("/ready", ready), Route("/metrics", metrics)]
    with listening(place) as listener:
        shown = f"http://{Address.of(listener)}"
        config = config_of(starlette_app(routes), hosts=hosts)
        with in_thread(config, listener, "health port"):
            print(f"gameledger: health and metrics at {shown}", file=sys.stderr, flush=True)
            yield


def _free_bytes(folder: Path) -> float:
    disk = os.statvfs(folder)
    return float(disk.f_bavail * disk.f_frsize)


def _size_bytes(folder: Path) -> float:
    disk = os.statvfs(folder)
    return float(disk.f_blocks * disk.f_frsize)


def _expiry_seconds(file: Path) -> float:
    """Return the seconds until a certificate expires; the file is read again each time."""
    try:
        found = x509.load_pem_x509_certificate(file.read_bytes())
    except (OSError, ValueError):
        return 0.0
    return found.not_valid_after_utc.timestamp()
