"""Signature algorithms of keys of signed notes: the one place that knows their cryptography.

What comes in: secret bytes, or a public key with a signature over some bytes. What goes out: a
function that signs and the public key, or whether the signature is valid. Every input has one
answer; bytes that are no key or no signature are not valid. Sources: RFC 8032, FIPS 186-5 with
RFC 6979, FIPS 204; ADR 0056.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PrivateKey, MLDSA44PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_der_public_key,
)

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "ALGORITHM_CHARACTERS_MAX",
    "ALGORITHM_NAME",
    "ECDSA_P256",
    "ED25519",
    "ML_DSA_44",
    "Algorithm",
]

ALGORITHM_NAME = r"^[A-Za-z0-9-]+\Z"
ALGORITHM_CHARACTERS_MAX = 16
"""Pattern and length of the names of algorithms, as commands give them."""

P256_PREFIX = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d03010703420004")
"""DER of SubjectPublicKeyInfo of a key on P-256, before its coordinates (RFC 5480); one form."""
P256_KEY_BYTES = len(P256_PREFIX) + 64
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


class Algorithm(NamedTuple):
    """A signature algorithm; sizes in bytes, ``signature_bytes`` is the largest one.

    ``load`` takes the secret and returns the function that signs, and the public key. ``verify``
    takes public key, signature and signed bytes.
    """

    name: str
    secret_bytes: int
    key_bytes: int
    signature_bytes: int
    load: Callable[[bytes], tuple[Callable[[bytes], bytes], bytes]]
    verify: Callable[[bytes, bytes, bytes], bool]


def _load_ed25519(secret: bytes) -> tuple[Callable[[bytes], bytes], bytes]:
    key = Ed25519PrivateKey.from_private_bytes(secret)
    return key.sign, key.public_key().public_bytes_raw()


def _verify_ed25519(raw: bytes, signature: bytes, text: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(raw).verify(signature, text)
    except (InvalidSignature, ValueError):
        return False
    return True


def _load_ml_dsa_44(secret: bytes) -> tuple[Callable[[bytes], bytes], bytes]:
    key = MLDSA44PrivateKey.from_seed_bytes(secret)
    return key.sign, key.public_key().public_bytes_raw()


def _verify_ml_dsa_44(raw: bytes, signature: bytes, text: bytes) -> bool:
    try:
        MLDSA44PublicKey.from_public_bytes(raw).verify(signature, text)
    except (InvalidSignature, ValueError):
        return False
    return True


def _load_ecdsa_p256(secret: bytes) -> tuple[Callable[[bytes], bytes], bytes]:
    """Derive the scalar by FIPS 186-5 A.2.1, from 64 bits more than its length."""
    scalar = int.from_bytes(secret) % (P256_ORDER - 1) + 1
    key = ec.derive_private_key(scalar, ec.SECP256R1())
    how = ec.ECDSA(hashes.SHA256(), deterministic_signing=True)
    public = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return lambda text: key.sign(text, how), public


def _verify_ecdsa_p256(raw: bytes, signature: bytes, text: bytes) -> bool:
    try:
        key = load_der_public_key(raw)
        if not isinstance(key, ec.EllipticCurvePublicKey) or not raw.startswith(P256_PREFIX):
            return False
        key.verify(signature, text, ec.ECDSA(hashes.SHA256()))
    except (InvalidSignature, ValueError):
        return False
    return True


ED25519 = Algorithm("Ed25519", 32, 32, 64, _load_ed25519, _verify_ed25519)
ML_DSA_44 = Algorithm("ML-DSA-44", 32, 1312, 2420, _load_ml_dsa_44, _verify_ml_dsa_44)
ECDSA_P256 = Algorithm("ECDSA-P256", 40, P256_KEY_BYTES, 72, _load_ecdsa_p256, _verify_ecdsa_p256)
