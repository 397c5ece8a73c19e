"""What a writer answers, as its client reads it: a receipt, an error, or what is neither."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from ledger.core.decoders import decoder_of
from ledger.core.errors import KINDS, AvailabilityError, LedgerError
from ledger.writer import Receipt

if TYPE_CHECKING:
    from tools.service.address import Address

__all__ = ["ANSWER_BYTES_MAX", "SHOWN_BYTES", "NoAnswerError", "decoded", "outcome_of"]

ANSWER_BYTES_MAX = 16 << 20
SHOWN_BYTES = 60


class NoAnswerError(AvailabilityError):
    """What came is no answer of a writer; the text describes it.

    ``retry_seconds`` is how long that address asked to be left alone.
    """

    retry_seconds: float = 0.0


class _Answer(msgspec.Struct, frozen=True):
    """What every answer of a writer has; ``line`` 0 is for the connection."""

    line: int
    status: Literal["recorded", "refused", "error"]
    command_id: str = ""
    kind: str = ""
    text: str = ""


def decoded(text: bytes, address: Address | str) -> _Answer:
    """Read an answer.

    Raises:
        NoAnswerError: it is none.

    """
    try:
        return decoder_of(_Answer).json(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _no_writer(text, address) from error


def outcome_of(answer: _Answer, text: bytes, address: Address | str) -> Receipt | LedgerError:
    """Return the receipt or error in an answer.

    Raises:
        NoAnswerError: it has no receipt and no error.

    """
    if answer.status == "error":
        return KINDS.get(answer.kind, LedgerError)(answer.text)
    try:
        return decoder_of(Receipt).json(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _no_writer(text, address) from error


def _no_writer(text: bytes, address: Address | str) -> NoAnswerError:
    return NoAnswerError(f"{address} is no writer: it said {text[:SHOWN_BYTES]!r}")
