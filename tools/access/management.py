"""Add, renew and revoke readers for the command line; recorded in the chain of accesses."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from ledger.core.errors import InputError
from ledger.events import event_types as e
from ledger.storage.named_files import read_bounded
from tools.access.readers import TRIAL, digest_of, new_token
from tools.access.scopes import ROLES

if TYPE_CHECKING:
    from pathlib import Path

    from tools.access.chain import AccessChain
    from tools.access.readers import AccessUser, Readers

__all__ = ["NewCredentials", "add_reader", "renew_reader", "revoke_reader"]

NAME = re.compile(r"[\w.-]{1,50}", re.ASCII)
REASON_MAX = 4000


@dataclass(frozen=True, slots=True)
class NewCredentials:
    """The new credentials of a reader; the token is returned here only and not stored."""

    reader: str
    let_in: bool
    token: str = ""
    certificate: str = ""
    expires_at: int = 0


def add_reader(
    chain: AccessChain,
    readers: Readers,
    name: str,
    *,
    roles: tuple[str, ...],
    expires_at: int,
    certificate: Path | None,
    now: int,
    actor: str,
) -> NewCredentials:
    """Add a reader.

    Raises:
        InputError: the name is taken or invalid, there is no such role, or the end is in the past.

    """
    if not NAME.fullmatch(name) or name == TRIAL:
        text = "the name of a reader is 1 to 50 letters of ASCII, digits, '_', '.' or '-'"
        raise InputError(f"{text}, and not {TRIAL!r}")
    if readers.named(name) is not None:
        raise InputError(f"there is a reader {name}: renew that one, or take another name")
    for role in roles:
        if role not in ROLES:
            raise InputError(f"there is no role {role!r}: there are {', '.join(ROLES)}")
    token, digest, fingerprint = _secret(readers, name, certificate)
    _require_ahead(expires_at, now)
    added = e.ReaderAdded(
        reader=name,
        roles=tuple(dict.fromkeys(roles)),
        token_digest=digest,
        certificate=fingerprint,
        expires_at=expires_at,
    )
    chain.record(added, actor=actor)
    return NewCredentials(
        name, let_in=True, token=token, certificate=fingerprint, expires_at=expires_at
    )


def renew_reader(
    chain: AccessChain,
    readers: Readers,
    name: str,
    *,
    expires_at: int,
    certificate: Path | None,
    now: int,
    actor: str,
) -> NewCredentials:
    """Give a reader a new end of validity, and a new token or certificate.

    Raises:
        InputError: there is no such reader, it was revoked, or the end is in the past.

    """
    _known(readers, name)
    token, digest, fingerprint = _secret(readers, name, certificate)
    _require_ahead(expires_at, now)
    renewed = e.ReaderRenewed(
        reader=name, token_digest=digest, certificate=fingerprint, expires_at=expires_at
    )
    chain.record(renewed, actor=actor)
    return NewCredentials(
        name, let_in=True, token=token, certificate=fingerprint, expires_at=expires_at
    )


def revoke_reader(
    chain: AccessChain, readers: Readers, name: str, *, reason: str, actor: str
) -> NewCredentials:
    """Revoke a reader.

    Raises:
        InputError: there is no such reader, or it was revoked already.

    """
    _known(readers, name)
    if not 0 < len(reason) <= REASON_MAX:
        raise InputError(f"a reason has 1 to {REASON_MAX} characters")
    chain.record(e.ReaderRevoked(reader=name, reason=reason), actor=actor)
    return NewCredentials(name, let_in=False)


def _known(readers: Readers, name: str) -> AccessUser:
    found = readers.named(name)
    if found is None:
        raise InputError(f"there is no reader {name}: `gameledger reader list`")
    if found.revoked_at is not None:
        raise InputError(f"reader {name} was revoked: add one of another name")
    return found


def _secret(readers: Readers, name: str, certificate: Path | None) -> tuple[str, str, str]:
    """Return a new token with its digest, or the fingerprint of a certificate."""
    if certificate is None:
        token = new_token()
        return token, digest_of(token), ""
    content = read_bounded(certificate)
    try:
        found = x509.load_pem_x509_certificate(content)
    except ValueError as error:
        raise InputError(f"{certificate} holds no certificate in PEM: name one") from error
    fingerprint = sha256(found.public_bytes(Encoding.DER)).hexdigest()
    for one in readers.all():
        if one.certificate == fingerprint and one.revoked_at is None and one.name != name:
            raise InputError(f"{certificate} is the certificate of reader {one.name}: name another")
    return "", "", fingerprint


def _require_ahead(expires_at: int, now: int) -> None:
    if expires_at <= now:
        raise InputError("the end of the right is over: name a day to come")
