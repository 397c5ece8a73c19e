"""Request cosignatures from all witnesses in parallel, and send mirrors what they lack.

Input: a signed checkpoint, its log, and a policy. Output: for each witness a verified cosignature,
or the reason why there is none. Guaranteed: a witness that is unreachable, slow or malicious costs
only its own cosignature and a bounded time. Distinguished from a mere refusal: a witness that
forgot what it cosigned, and a witness that saw another history; for the latter a proof of
misconduct is built if the witness returns the checkpoint that it saw.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.clock import CLOCKS_APART_MAX, SECOND
from ledger.core.errors import AvailabilityError, InputError
from ledger.tlog import merkle
from ledger.tlog.misconduct import is_signed, prove_misconduct
from ledger.tlog.notes import NOTE_CHARACTERS_MAX, Note, NoteSignature, parse_size
from tools.witness.uploading import HttpMirror, TreeSource, announcement, upload_entries
from tools.witness.web import send_request
from tools.witness.witness import log_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ledger.tlog.cosigning import Cosignature
    from ledger.tlog.merkle import NodeHash
    from ledger.tlog.policy import Witness
    from ledger.tlog.signing import PublicKey

__all__ = ["CosignRequest", "CosignResult", "contradiction", "request_cosignatures"]

ASK_SECONDS = 10.0
MIRROR_SECONDS = 60.0
"""A mirror gets so many seconds of messages; the next checkpoint goes on where it stopped."""
WITNESSES_AT_ONCE = 16
ATTEMPTS_MAX = 3
ANSWER_BYTES_MAX = 4 * NOTE_CHARACTERS_MAX

_STATUS = {
    400: "does not understand the request",
    403: "does not accept the signature of the log: it needs the key of the log",
    404: "does not watch this log, or is not at this address: its operator adds the log's key",
}


@dataclass(frozen=True, slots=True)
class CosignRequest:
    """The request that all witnesses receive.

    ``note`` is the checkpoint signed by the log alone, ``keys`` are the log's; ``log`` has the
    messages and the tree; ``recorded_at`` is the timestamp of the checkpoint and ``now`` returns
    the timestamp of an answer, both in microseconds; ``signed`` returns the size of the log's
    latest signed checkpoint, which another process may have signed meanwhile.
    """

    note: Note
    keys: tuple[PublicKey, ...]
    log: TreeSource
    recorded_at: int
    now: Callable[[], int]
    signed: Callable[[], int]
    seconds: float = ASK_SECONDS


class CosignResult(NamedTuple):
    """The result of one request to a witness.

    ``is_mirror``: it took the messages before it signed.

    It has a ``cosignature``, or a ``problem`` as text. ``is_split``: it saw another history;
    ``proof`` is the proof of that, empty if the witness does not return what it saw.
    """

    witness: Witness
    cosignature: Cosignature | None
    problem: str = ""
    is_split: bool = False
    proof: str = ""
    is_mirror: bool = False


class _Conflict(NamedTuple):
    """A response 409: the tree size that the witness names."""

    size: int


def request_cosignatures(
    witnesses: Iterable[Witness], request: CosignRequest, cosigned: Mapping[str, int]
) -> list[CosignResult]:
    """Request cosignatures from witnesses.

    Args:
        witnesses: those with a URL are asked.
        request: the request.
        cosigned: the largest size that each witness is known to have cosigned, by the text of its
            key.

    """
    asked = [one for one in witnesses if one.url]
    if not asked:
        return []
    with ThreadPoolExecutor(WITNESSES_AT_ONCE, "witness") as pool:
        return list(
            pool.map(lambda one: _request(one, request, cosigned.get(one.key.text, 0)), asked)
        )


def _request(witness: Witness, request: CosignRequest, cosigned: int) -> CosignResult:
    try:
        return _request_with_known_size(witness, request, cosigned)
    except (AvailabilityError, InputError) as error:
        return CosignResult(witness, None, str(error))


def _request_with_known_size(
    witness: Witness, request: CosignRequest, cosigned: int
) -> CosignResult:
    """Send the request, and repeat it with the size that the witness names in a 409.

    Raises:
        AvailabilityError: no answer.
        InputError: the answer is malformed.

    """
    old, size = cosigned, request.note.head.size
    for _ in range(ATTEMPTS_MAX):
        found = _post(witness, request, old)
        if not isinstance(found, _Conflict):
            return found
        if found.size < cosigned:
            text = f"it cosigned {cosigned} messages and now says {found.size}"
            return CosignResult(witness, None, f"has lost its memory or lies: {text}")
        if size < found.size <= request.signed():
            text = f"has cosigned a later checkpoint already, of {found.size} messages"
            return CosignResult(witness, None, text)
        if found.size > size:
            text = f"has seen {found.size} messages of this log, which now has {size}"
            return CosignResult(
                witness, None, f"{text}: there are two of it, or its end was cut off", True
            )
        if found.size == old:
            return _split(witness, request)
        old = found.size
    return CosignResult(witness, None, "names another size each time it is asked")


def _post(witness: Witness, request: CosignRequest, old: int) -> CosignResult | _Conflict:
    body = announcement(request.log, old, request.note)
    url = f"{witness.url.rstrip('/')}/add-checkpoint"
    answer = send_request(url, body, seconds=request.seconds, bytes_max=ANSWER_BYTES_MAX)
    text = answer.body.decode(errors="replace")
    if answer.status == 200:  # noqa: PLR2004 - HTTP
        found = _cosigned(witness, request, text or _mirrored(witness, request))
        return found._replace(is_mirror=not text)
    if answer.status == 409:  # noqa: PLR2004 - the same
        return _Conflict(parse_size(text.strip()))
    if answer.status == 422:  # noqa: PLR2004 - the same
        return _split(witness, request)
    said = _STATUS.get(answer.status, "refuses")
    return CosignResult(witness, None, f"{said} (status {answer.status} from {url})")


def _mirrored(witness: Witness, request: CosignRequest) -> str:
    """Send a mirror, which signs no checkpoint at once, what it lacks; return what it signed."""
    end = monotonic() + MIRROR_SECONDS
    mirror = HttpMirror(witness.url, MIRROR_SECONDS)
    return upload_entries(
        mirror.add_entries, request.log, request.note.head, is_over=lambda: monotonic() > end
    )


def _cosigned(witness: Witness, request: CosignRequest, text: str) -> CosignResult:
    """Find the witness's cosignature in its answer, and verify it."""
    for line in text.removesuffix("\n").split("\n"):
        found = NoteSignature.parse(line)
        if (found.name, found.key_id) != (witness.key.name, witness.key.key_id):
            continue
        cosignature = witness.key.parse_cosignature(found.signature)
        if not witness.key.is_cosigner_of(request.note.text, cosignature):
            return CosignResult(witness, None, "answers with a false cosignature")
        moment = cosignature.seconds * SECOND
        if moment < request.recorded_at - CLOCKS_APART_MAX:
            return CosignResult(witness, None, "names a time before the checkpoint was recorded")
        if moment > request.now() + CLOCKS_APART_MAX:
            return CosignResult(witness, None, "names a time that is yet to come")
        return CosignResult(witness, cosignature)
    return CosignResult(witness, None, "answers with another key than the policy names")


def _split(witness: Witness, request: CosignRequest) -> CosignResult:
    """Report that a witness saw another history, with the proof if it returns what it saw."""
    head = request.note.head
    url = f"{witness.url.rstrip('/')}/{log_path(head.origin)}/checkpoint"
    problem = "has cosigned another history of this log"
    try:
        answer = send_request(url, seconds=request.seconds, bytes_max=ANSWER_BYTES_MAX)
        other = Note.parse(answer.body.decode())
        is_shown = is_signed(other, request.keys) and 0 < other.head.size <= head.size
    except (AvailabilityError, InputError, UnicodeDecodeError):
        is_shown = False
    if not is_shown:
        text = f"{problem}, and shows no checkpoint of it: ask its operator for one"
        return CosignResult(witness, None, text, is_split=True)
    proof = contradiction(request.log.node, other, request.note)
    if not proof:
        return CosignResult(
            witness, None, "refuses, and yet what it saw is the beginning of this log"
        )
    return CosignResult(witness, None, problem, is_split=True, proof=proof)


def contradiction(node: NodeHash, earlier: Note, later: Note) -> str:
    """Build the proof that an earlier note contradicts a later one; empty if they are consistent.

    Args:
        node: looks up nodes of the tree of the later note.
        earlier: a note of at least one message, and of no more than the later one.
        later: the other note.

    """
    old, size = earlier.head.size, later.head.size
    steps = merkle.consistency(node, old, size)
    if not old & (old - 1):
        steps = [merkle.root(node, old), *steps]
    return prove_misconduct(earlier, steps, later)
