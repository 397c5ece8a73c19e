"""The certificates that a reader of packages trusts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from cryptography import x509

from projections.packages.keys import to_der

__all__ = ["Trust"]

CERTIFICATES = ("roots", "seals", "stamp_roots")
OTHERS_OF_TRUST = ("crls", "ocsps", "is_revocation_required")


@dataclass(frozen=True, slots=True)
class Trust:
    """Settings of trust in seals.

    ``roots`` are the trusted root certificates. If ``seals`` names certificates, no other seal is
    accepted. ``crls`` and ``ocsps`` are revocation lists and OCSP responses in DER; with
    ``is_revocation_required``, one of them must confirm each certificate below a root.
    ``stamp_roots`` are the roots of time stamps; without them a time stamp is not checked.
    """

    roots: tuple[x509.Certificate, ...]
    seals: tuple[x509.Certificate, ...] = ()
    crls: tuple[bytes, ...] = ()
    ocsps: tuple[bytes, ...] = ()
    is_revocation_required: bool = False
    stamp_roots: tuple[x509.Certificate, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickling, to pass it to another process."""
        ders = tuple(tuple(map(to_der, getattr(self, name))) for name in CERTIFICATES)
        others = {name: getattr(self, name) for name in OTHERS_OF_TRUST}
        return partial(_trust, **others), (ders,)


def _trust(certificates: tuple[tuple[bytes, ...], ...], **others: Any) -> Trust:
    loaded: list[Any] = [tuple(map(x509.load_der_x509_certificate, ders)) for ders in certificates]
    return Trust(**dict(zip(CERTIFICATES, loaded, strict=True)), **others)
