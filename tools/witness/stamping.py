"""Request a time stamp (RFC 3161) over the note of a checkpoint from a time-stamp authority."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.clock import CLOCKS_APART_MAX
from ledger.core.errors import AvailabilityError, IntegrityError
from ledger.tlog.stamps import STAMP_BYTES_MAX, stamp_request, verify_stamp
from tools.witness.web import send_request

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cryptography.x509 import Certificate

__all__ = ["request_stamp"]

STAMP_SECONDS = 15.0
_QUERY = "application/timestamp-query"


def request_stamp(
    url: str,
    note: bytes,
    roots: Sequence[Certificate],
    *,
    recorded_at: int,
    now: Callable[[], int],
    seconds: float = STAMP_SECONDS,
) -> bytes:
    """Request a time stamp over a note, and verify it.

    Args:
        url: of the authority.
        note: the bytes to be stamped.
        roots: certificates that vouch for the authority.
        recorded_at: timestamp of the record in microseconds; no stamp over it can be older.
        now: returns the timestamp of the answer, in microseconds.
        seconds: how long the authority may take.

    Returns:
        The time stamp, in the form in which it is recorded.

    Raises:
        AvailabilityError: no answer, or none in time.
        InputError: the answer is not a time stamp.
        IntegrityError: the stamp is invalid, no root vouches for it, or its clock is wrong.

    """
    request = stamp_request(note)
    content = request.as_bytes()
    answer = send_request(url, content, kind=_QUERY, seconds=seconds, bytes_max=STAMP_BYTES_MAX)
    if answer.status != 200:  # noqa: PLR2004 - HTTP
        raise AvailabilityError(f"{url} answers {answer.status}")
    moment = verify_stamp(answer.body, note, roots, nonce=request.nonce)
    if not recorded_at - CLOCKS_APART_MAX <= moment <= now() + CLOCKS_APART_MAX:
        text = f"the clock of {url} contradicts the record by more than a minute"
        raise IntegrityError(f"{text}: compare both with the right time")
    return answer.body
