"""Practice certificates for a writer's TLS: an authority, a writer, and its clients.

The authority's key is deleted, so that no other certificate can be issued with it. In production
the operator's own authority issues the certificates.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import trustme

from ledger.core.errors import InputError
from tools.practice.keys import PUBLIC, SECRET, write_new

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["write_practice_certificates"]

VALID_DAYS = 30
NAME_CHARACTERS_MAX = 64


def write_practice_certificates(
    folder: Path, hosts: Sequence[str], clients: Sequence[str]
) -> list[Path]:
    """Create ``ca.crt``, and ``<name>.crt`` and ``<name>.pem`` (mode 600) of writer and clients.

    Args:
        folder: for the files.
        hosts: names or IP addresses by which clients connect to the writer.
        clients: DNS names of the clients.

    Raises:
        InputError: a name is not valid for a certificate, or a file exists already.
        AvailabilityError: the folder can't be written.

    """
    for name in (*hosts, *clients):
        if not 0 < len(name) <= NAME_CHARACTERS_MAX or not name.isascii() or "/" in name:
            raise InputError(f"{name!r} can't be the name of a writer or client")
    authority = trustme.CA(organization_name="gameledger practice authority")
    end = datetime.now(UTC) + timedelta(days=VALID_DAYS)
    contents = {"ca.crt": (authority.cert_pem.bytes(), PUBLIC)}
    for name, names in {"writer": hosts, **{client: [client] for client in clients}}.items():
        issued = authority.issue_cert(*names, common_name=name, not_after=end)
        contents[f"{name}.crt"] = (issued.cert_chain_pems[0].bytes(), PUBLIC)
        contents[f"{name}.pem"] = (issued.private_key_pem.bytes(), SECRET)
    return write_new(folder, contents)
