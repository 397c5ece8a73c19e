"""Decode the answers of a writer for its client: a receipt, an error, or an invalid answer."""

from __future__ import annotations

from typing import Literal

import msgspec

from ledger.core.decoders import decoder_of
from ledger.core.errors import KINDS, AvailabilityError, LedgerError
from ledger.writer import Receipt

__all__ = ["ANSWER_BYTES_MAX", "SHOWN_BYTES", "NoAnswerError", "decoded", "outcome_of"]

ANSWER_BYTES_MAX = 16 << 20
SHOWN_BYTES = 60


class NoAnswerError(AvailabilityError):
    """The data received is not an answer of a writer; the text describes it.

    ``retry_seconds`` is the delay that the writer asked for before the next request.
    """

    retry_seconds: float = 0.0


class _Answer(msgspec.Struct, frozen=True):
    """Fields of all answers of a writer; ``line`` 0 answers the connection as a whole."""

    line: int
    status: Literal["recorded", "refused", "error"]
    command_id: str = ""
    kind: str = ""
    text: str = ""


def decoded(text: bytes, address: str) -> _Answer:
    """Decode an answer.

    Raises:
        NoAnswerError: the data is not an answer of a writer.

    """
    try:
        return decoder_of(_Answer).json(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _no_writer(text, address) from error


def outcome_of(answer: _Answer, text: bytes, address: str) -> Receipt | LedgerError:
    """Return the receipt or error in an answer.

    Raises:
        NoAnswerError: the answer has neither a receipt nor an error.

    """
    if answer.status == "error":
        return KINDS.get(answer.kind, LedgerError)(answer.text)
    try:
        return decoder_of(Receipt).json(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _no_writer(text, address) from error


def _no_writer(text: bytes, address: str) -> NoAnswerError:
    return NoAnswerError(f"{address} is no writer: it said {text[:SHOWN_BYTES]!r}")
