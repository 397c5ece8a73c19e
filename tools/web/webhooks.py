"""Sign and verify webhooks: an HMAC over identifier, timestamp and raw body.

The convention is Standard Webhooks: headers ``webhook-id``, ``webhook-timestamp`` (seconds) and
``webhook-signature`` (``v1,`` and base64; several, separated by spaces, while a secret is being
replaced). Rejected: a body that was changed, and a timestamp too far from our clock, because an
attacker could replay a recorded message.
"""

from __future__ import annotations

import base64
import binascii
import hmac
from hashlib import sha256
from typing import TYPE_CHECKING

from ledger.core.clock import MINUTE, SECOND
from ledger.core.errors import AuthorizationError, InputError
from ledger.storage.named_files import reading
from ledger.storage.secret_files import read_secret

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

__all__ = ["ID", "SIGNATURE", "TIMESTAMP", "headers_of", "read_webhook_secret", "require_signed"]

ID, TIMESTAMP, SIGNATURE = "webhook-id", "webhook-timestamp", "webhook-signature"
PREFIX, VERSION = "whsec_", "v1,"
SECRET_BYTES_MIN = 24
APART_MAX = 5 * MINUTE
MESSAGE_MAX = 250


def read_webhook_secret(path: Path) -> bytes:
    """Read a secret in the format that providers use: ``whsec_`` and base64.

    Raises:
        InputError: the secret is malformed, shorter than 24 bytes, or can't be read.
        AuthorizationError: other users may read the file.

    """
    with reading(path):
        content = read_secret(path)
    try:
        text = content.decode("ascii").strip()
        secret = base64.b64decode(text.removeprefix(PREFIX), validate=True)
    except (UnicodeDecodeError, binascii.Error) as error:
        raise InputError(f"{path} holds no secret of webhooks: whsec_ and base64") from error
    if len(secret) < SECRET_BYTES_MIN:
        raise InputError(f"the secret in {path} is shorter than {SECRET_BYTES_MIN} bytes")
    return secret


def headers_of(message: str, body: bytes, *, secret: bytes, at: int) -> dict[str, str]:
    """Return the headers that sign a webhook sent at a timestamp in microseconds."""
    seconds = str(at // SECOND)
    signature = base64.b64encode(_signed(message, seconds, body, secret)).decode()
    return {ID: message, TIMESTAMP: seconds, SIGNATURE: f"{VERSION}{signature}"}


def require_signed(
    headers: Mapping[str, str], body: bytes, *, secrets: Iterable[bytes], at: int
) -> str:
    """Verify the signature of a webhook; return its identifier.

    Args:
        headers: of the request, by names in lower case.
        body: raw bytes.
        secrets: a signature with any of them is valid.
        at: our time in microseconds.

    Raises:
        AuthorizationError: the webhook is not signed with one of the secrets, or is too old.

    """
    message, seconds = headers.get(ID, ""), headers.get(TIMESTAMP, "")
    if not message or len(message) > MESSAGE_MAX or not message.isprintable():
        raise AuthorizationError(f"{ID} names no message: sign by Standard Webhooks")
    if not (seconds.isascii() and seconds.isdigit() and len(seconds) <= len(str(at // SECOND))):
        raise AuthorizationError(f"{TIMESTAMP} is no moment in seconds")
    if abs(int(seconds) * SECOND - at) > APART_MAX:
        raise AuthorizationError(
            f"{TIMESTAMP} is more than {APART_MAX // MINUTE} minutes from our clock: sign it again"
        )
    shown = [
        part.removeprefix(VERSION).encode()
        for part in headers.get(SIGNATURE, "").split(" ")
        if part.startswith(VERSION)
    ]
    for secret in secrets:
        right = base64.b64encode(_signed(message, seconds, body, secret))
        if any(hmac.compare_digest(right, one) for one in shown):
            return message
    raise AuthorizationError(f"{SIGNATURE} is not one over this body with our secret")


def _signed(message: str, seconds: str, body: bytes, secret: bytes) -> bytes:
    return hmac.digest(secret, f"{message}.{seconds}.".encode() + body, sha256)
