"""How a log asks its witnesses: all at once, each with the proof from what it saw last.

What comes in: a signed checkpoint, the log that it is of, and a policy. What goes out: of each
witness a cosignature that was checked, or a sentence why there is none. Promised: a witness that is
away, slow, or lies costs its own cosignature and a bounded time, nothing else. Told apart from a
mere refusal: a witness that forgot what it cosigned, and one that saw another history, of which a
proof of misconduct is made where that witness shows what it saw.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.clock import CLOCKS_APART_MAX, SECOND
from ledger.core.errors import AvailabilityError, InputError
from ledger.tlog import merkle
from ledger.tlog.cosigning import Cosignature
from ledger.tlog.misconduct import Submission, is_signed, misconduct
from ledger.tlog.notes import NOTE_CHARACTERS_MAX, Note, NoteSignature, parse_size
from tools.witness.web import ask
from tools.witness.witness import log_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ledger.tlog.merkle import NodeHash
    from ledger.tlog.policy import Witness
    from ledger.tlog.signing import PublicKey

__all__ = ["Asking", "CosignResult", "ask_witnesses", "contradiction"]

ASK_SECONDS = 10.0
WITNESSES_AT_ONCE = 16
ATTEMPTS_MAX = 3
ANSWER_BYTES_MAX = 4 * NOTE_CHARACTERS_MAX

_STATUS = {
    400: "does not understand the request",
    403: "does not accept the signature of the log: it needs the key of the log",
    404: "does not watch this log, or is not at this address: its operator adds the log's key",
}


@dataclass(frozen=True, slots=True)
class Asking:
    """What all witnesses are asked.

    ``note`` is the checkpoint as the log alone signed it, ``keys`` are the log's; ``node`` looks
    up the tree; ``recorded_at`` is the moment of the checkpoint and ``now`` tells that of an
    answer, both in microseconds; ``signed`` tells the size of the log's last checkpoint by then,
    which another process may have signed meanwhile.
    """

    note: Note
    keys: tuple[PublicKey, ...]
    node: NodeHash
    recorded_at: int
    now: Callable[[], int]
    signed: Callable[[], int]
    seconds: float = ASK_SECONDS


class CosignResult(NamedTuple):
    """What came of asking one witness.

    A ``cosignature``, or a ``problem`` in words. ``is_split``: the witness saw another history;
    ``proof`` of that, empty where it does not show what it saw.
    """

    witness: Witness
    cosignature: Cosignature | None
    problem: str = ""
    is_split: bool = False
    proof: str = ""


class _Conflict(NamedTuple):
    """An answer 409: the size that the witness names."""

    size: int


def ask_witnesses(
    witnesses: Iterable[Witness], asking: Asking, cosigned: Mapping[str, int]
) -> list[CosignResult]:
    """Ask witnesses for their cosignatures.

    Args:
        witnesses: those with a URL are asked.
        asking: what they are asked.
        cosigned: the largest size that each is known to have cosigned, by the text of its key.

    """
    asked = [one for one in witnesses if one.url]
    if not asked:
        return []
    with ThreadPoolExecutor(WITNESSES_AT_ONCE, "witness") as pool:
        return list(pool.map(lambda one: _ask(one, asking, cosigned.get(one.key.text, 0)), asked))


def _ask(witness: Witness, asking: Asking, cosigned: int) -> CosignResult:
    try:
        return _ask_until_it_knows(witness, asking, cosigned)
    except (AvailabilityError, InputError) as error:
        return CosignResult(witness, None, str(error))


def _ask_until_it_knows(witness: Witness, asking: Asking, cosigned: int) -> CosignResult:
    """Ask, and again with the size that the witness names: it may know more or less than we think.

    Raises:
        AvailabilityError: no answer.
        InputError: an answer that is none.

    """
    old, size = cosigned, asking.note.head.size
    for _ in range(ATTEMPTS_MAX):
        found = _post(witness, asking, old)
        if not isinstance(found, _Conflict):
            return found
        if found.size < cosigned:
            text = f"it cosigned {cosigned} messages and now says {found.size}"
            return CosignResult(witness, None, f"has lost its memory or lies: {text}")
        if size < found.size <= asking.signed():
            text = f"has cosigned a later checkpoint already, of {found.size} messages"
            return CosignResult(witness, None, text)
        if found.size > size:
            text = f"has seen {found.size} messages of this log, which now has {size}"
            return CosignResult(
                witness, None, f"{text}: there are two of it, or its end was cut off", True
            )
        if found.size == old:
            return _split(witness, asking)
        old = found.size
    return CosignResult(witness, None, "names another size each time it is asked")


def _post(witness: Witness, asking: Asking, old: int) -> CosignResult | _Conflict:
    size = asking.note.head.size
    proof = merkle.consistency(asking.node, old, size) if 0 < old < size else []
    body = str(Submission(old, tuple(proof), asking.note))
    url = f"{witness.url.rstrip('/')}/add-checkpoint"
    answer = ask(url, body.encode(), seconds=asking.seconds, bytes_max=ANSWER_BYTES_MAX)
    text = answer.body.decode(errors="replace")
    if answer.status == 200:  # noqa: PLR2004 - HTTP
        return _cosigned(witness, asking, text)
    if answer.status == 409:  # noqa: PLR2004 - the same
        return _Conflict(parse_size(text.strip()))
    if answer.status == 422:  # noqa: PLR2004 - the same
        return _split(witness, asking)
    said = _STATUS.get(answer.status, "refuses")
    return CosignResult(witness, None, f"{said} (status {answer.status} from {url})")


def _cosigned(witness: Witness, asking: Asking, text: str) -> CosignResult:
    """Find the line of the witness in its answer, and check it."""
    for line in text.removesuffix("\n").split("\n"):
        found = NoteSignature.parse(line)
        if (found.name, found.key_id) != (witness.key.name, witness.key.key_id):
            continue
        cosignature = Cosignature.parse(found.signature)
        if not witness.key.is_cosigner_of(asking.note.text, cosignature):
            return CosignResult(witness, None, "answers with a false cosignature")
        moment = cosignature.seconds * SECOND
        if moment < asking.recorded_at - CLOCKS_APART_MAX:
            return CosignResult(witness, None, "names a time before the checkpoint was recorded")
        if moment > asking.now() + CLOCKS_APART_MAX:
            return CosignResult(witness, None, "names a time that is yet to come")
        return CosignResult(witness, cosignature)
    return CosignResult(witness, None, "answers with another key than the policy names")


def _split(witness: Witness, asking: Asking) -> CosignResult:
    """Say that a witness saw another history, with the proof if it shows what it saw."""
    head = asking.note.head
    url = f"{witness.url.rstrip('/')}/logs/{log_path(head.origin)}/checkpoint"
    problem = "has cosigned another history of this log"
    try:
        answer = ask(url, seconds=asking.seconds, bytes_max=ANSWER_BYTES_MAX)
        other = Note.parse(answer.body.decode())
        is_shown = is_signed(other, asking.keys) and 0 < other.head.size <= head.size
    except (AvailabilityError, InputError, UnicodeDecodeError):
        is_shown = False
    if not is_shown:
        text = f"{problem}, and shows no checkpoint of it: ask its operator for one"
        return CosignResult(witness, None, text, is_split=True)
    proof = contradiction(asking.node, other, asking.note)
    if not proof:
        return CosignResult(
            witness, None, "refuses, and yet what it saw is the beginning of this log"
        )
    return CosignResult(witness, None, problem, is_split=True, proof=proof)


def contradiction(node: NodeHash, earlier: Note, later: Note) -> str:
    """Write the proof that an earlier note is not of the history of a later one, if it is not.

    Args:
        node: looks up the tree of the later note.
        earlier: of at least one message, and of no more than the later one.
        later: the other.

    """
    old, size = earlier.head.size, later.head.size
    steps = merkle.consistency(node, old, size)
    if not old & (old - 1):
        steps = [merkle.root(node, old), *steps]
    return misconduct(earlier, steps, later)
