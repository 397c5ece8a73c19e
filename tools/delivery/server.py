"""The port for the authority: TLS 1.2 or later, with pinned client certificates.

A certificate is trusted by itself and not by its issuer, so that another certificate of the same
issuer is not admitted. The number of connections and the time of each are limited.
"""

from __future__ import annotations

import ssl
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding

from projections.packages.keys import read_certificates
from tools.web.serving import config_of, in_thread
from tools.web.tls import with_key

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator

    from starlette.types import ASGIApp

    from tools.delivery.settings import ClientSettings, ServerSettings

__all__ = ["admitted_fingerprints", "for_authority", "serving", "to_authority"]

CONNECTIONS_MAX = 64


def admitted_fingerprints(server: ServerSettings) -> frozenset[str]:
    """Return the SHA-256 of the admitted certificates, hexadecimal."""
    found = read_certificates(server.clients)
    return frozenset(one.fingerprint(SHA256()).hex() for one in found)


def for_authority(server: ServerSettings) -> ssl.SSLContext:
    """Return the TLS context of our port.

    Raises:
        InputError: a file is malformed.
        AuthorizationError: other users may read the key.
        AvailabilityError: a file can't be read.

    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.verify_mode = ssl.CERT_REQUIRED
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN  # a certificate is trusted by itself
    context.num_tickets = 0
    context.options |= ssl.OP_NO_TICKET
    for one in read_certificates(server.clients):
        context.load_verify_locations(cadata=one.public_bytes(Encoding.PEM).decode())
    return with_key(context, server.certificate, server.key)


def to_authority(client: ClientSettings) -> ssl.SSLContext:
    """Return the TLS context for requests to the authority; errors as :func:`for_authority`."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    for one in read_certificates(client.authority):
        context.load_verify_locations(cadata=one.public_bytes(Encoding.PEM).decode())
    return with_key(context, client.certificate, client.key)


@contextmanager
def serving(
    app: ASGIApp,
    listener: socket.socket,
    tls: ssl.SSLContext,
    hosts: frozenset[str] = frozenset(),
) -> Iterator[None]:
    """Answer requests in a separate thread, for any host name, until the end of the block.

    Raises:
        AvailabilityError: the server did not start.

    """
    config = config_of(
        app,
        tls,
        hosts=hosts,
        limit_concurrency=CONNECTIONS_MAX,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=5,
    )
    with in_thread(config, listener, "port for the authority"):
        yield
