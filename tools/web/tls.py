"""Load the certificate and key of one side of an HTTPS connection from PEM files."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING

from ledger.core.errors import InputError
from ledger.storage.named_files import reading
from ledger.storage.secret_files import require_private

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["with_key"]


def with_key(context: ssl.SSLContext, certificate: Path, key: Path) -> ssl.SSLContext:
    """Load certificate and key into a context, which then requires TLS 1.2 or later.

    Raises:
        InputError: a file is malformed.
        AuthorizationError: other users may read the key.
        AvailabilityError: a file can't be read.

    """
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    with reading(key):
        require_private(key)
    with reading(f"{certificate} or {key}"):
        try:
            context.load_cert_chain(certificate, key, password=_refuse_password)
        except ssl.SSLError as error:
            text = f"{certificate} with {key} holds no certificate and key in PEM"
            raise InputError(f"{text}: {error.reason or error}") from error
    return context


def _refuse_password() -> str:
    raise InputError("the key of a TLS end is encrypted: give one without a passphrase, mode 600")
