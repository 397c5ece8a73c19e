"""Seal the note of a checkpoint with the operator's certificate (CAdES baseline B).

What comes in: the note, a private key in a file or in a device (PKCS#11), and its certificate. What
goes out: the seal, verified as it will be when it is recorded. Rejected: a key of another
certificate, and a PIN in the URI, where a list of processes would show it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote

from ledger.core.errors import AuthorizationError, AvailabilityError, InputError
from ledger.core.extras import require_module
from ledger.tlog.seals import parse_seal
from projections.packages.keys import read_any_key, read_certificates, read_passphrase

if TYPE_CHECKING:
    from cryptography import x509

__all__ = ["PASSPHRASE", "seal_note"]

PASSPHRASE = "GAMELEDGER_SEAL_PASSPHRASE"  # noqa: S105 - the name of a variable
SCHEME = "pkcs11:"


def seal_note(note: bytes, key: str, certificate: Path, now: int) -> bytes:
    """Seal a note.

    Args:
        note: the bytes to be sealed.
        key: path of a key, PEM or PKCS#12, or a URI of PKCS#11 (RFC 7512) with ``module-path``.
        certificate: file with the certificate of the key.
        now: the moment that the seal states, in microseconds.

    Returns:
        CMS SignedData in DER, with this one certificate.

    Raises:
        AuthorizationError: the PIN is wrong, or other users may read the key.
        InputError: the key is not that of the certificate, or not RSA or ECDSA P-256.
        AvailabilityError: a file can't be read, or the device does not answer.

    """
    require_module("pyhanko")
    if key.startswith(SCHEME):
        seal = _seal_by_device(note, key, read_certificates([certificate])[0], now)
    else:
        from projections.packages.cms import file_signer, mechanism_for, sign_detached

        passphrase = read_passphrase(PASSPHRASE, None)
        private, (own, *_) = read_any_key(Path(key), passphrase, certificates=[certificate])
        signer = file_signer(private, [own], mechanism_for(own))
        seal = sign_detached(note, signer, now).dump()
    try:
        parse_seal(seal, note)
    except InputError as error:
        raise InputError(f"the key {key} can't seal for {certificate}: {error}") from error
    return seal


def _seal_by_device(note: bytes, uri: str, certificate: x509.Certificate, now: int) -> bytes:
    try:
        from pkcs11.exceptions import PinIncorrect, PinLenRange, PKCS11Error
        from pyhanko.config.pkcs11 import TokenCriteria
        from pyhanko.sign.general import SigningError
        from pyhanko.sign.pkcs11 import PKCS11Signer, open_pkcs11_session
    except ImportError as error:
        text = "keys in devices need the package python-pkcs11: install gameledger[pkcs11]"
        raise InputError(text) from error
    from projections.packages.cms import mechanism_for, sign_detached, to_asn1

    path, query = _parts(uri)
    mechanism = mechanism_for(certificate)
    pin = read_passphrase(PASSPHRASE, _pin_file(query.get("pin-source", "")))
    try:
        with open_pkcs11_session(
            query["module-path"],
            token_criteria=TokenCriteria(path["token"]),
            user_pin=pin.decode() if pin else None,
        ) as session:
            signer = PKCS11Signer(
                session,
                signing_cert=to_asn1(certificate),
                key_label=path.get("object"),
                key_id=path["id"].encode("latin-1") if "id" in path else None,
                signature_mechanism=mechanism,
                use_raw_mechanism=mechanism is None,  # SoftHSM signs digests alone with ECDSA
            )
            signed = sign_detached(note, signer, now)
            # The library includes a given certificate twice.
            signed["content"]["certificates"] = [signer.signing_cert]
            seal: bytes = signed.dump()
            return seal
    except (PinIncorrect, PinLenRange) as error:
        text = f"the PIN of the token {path['token']} is wrong: set {PASSPHRASE} or pin-source"
        raise AuthorizationError(text) from error
    except (PKCS11Error, SigningError, RuntimeError) as error:
        text = f"the device of {uri} does not seal: {type(error).__name__} {error}".rstrip()
        raise AvailabilityError(
            f"{text}; compare module, token and object with the device"
        ) from error


def _parts(uri: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return the attributes of the path and of the query of a URI (RFC 7512).

    Raises:
        InputError: one that is needed is missing, or it holds the PIN itself.

    """
    path_text, _, query_text = uri.removeprefix(SCHEME).partition("?")
    pairs = (one.partition("=") for one in path_text.split(";"))
    path = {
        name: unquote(value, "latin-1" if name == "id" else "utf-8") for name, _, value in pairs
    }
    query = {name: values[0] for name, values in parse_qs(query_text).items()}
    if "pin-value" in query or "pin-value" in path:
        text = f"a PIN in the URI can be seen by other users: set {PASSPHRASE}, or name its file"
        raise InputError(f"{text} with pin-source=file:PATH")
    if not path.get("token") or "module-path" not in query or not {"object", "id"} & path.keys():
        text = "a key in a device is named pkcs11:token=NAME;object=NAME?module-path=FILE"
        raise InputError(f"{text}, and not {uri}")
    return path, query


def _pin_file(source: str) -> Path | None:
    return Path(source.removeprefix("file:")) if source else None
