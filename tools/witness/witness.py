"""A witness (C2SP tlog-witness): cosign a checkpoint if it extends the last cosigned one.

Input: the body of an ``add-checkpoint`` request. Output: an HTTP status and a body as specified by
C2SP. Guaranteed: the cosigned checkpoint is durable before the answer is sent, and no checkpoint
that contradicts it is ever cosigned; a contradicting checkpoint with a valid signature of the log
is stored as a proof of misconduct. Rejected: logs that the witness is not configured to watch.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.clock import SECOND
from ledger.core.errors import InputError, IntegrityError
from ledger.tlog.cosigning import cosign_all
from ledger.tlog.merkle import EMPTY_ROOT, require_consistency
from ledger.tlog.misconduct import Submission, is_signed, prove_misconduct
from ledger.tlog.notes import Note
from tools.witness.proofs import keep_proof
from tools.witness.state import WitnessedLog

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.core.clock import Clock
    from ledger.tlog.cosigning import CosignerKey
    from ledger.tlog.notes import NoteSignature, TreeHead
    from tools.witness.state import WitnessFolder

__all__ = ["SIZE_TYPE", "TEXT_TYPE", "CheckpointTaker", "Reply", "Witness", "log_path"]

TEXT_TYPE = "text/plain; charset=utf-8"
SIZE_TYPE = "text/x.tlog.size"


class Reply(NamedTuple):
    """The HTTP response to a request."""

    status: int
    body: str
    kind: str = TEXT_TYPE


class CheckpointTaker:
    """Takes checkpoints of logs, each only if it continues the one before; thread-safe."""

    def __init__(self, folder: WitnessFolder, notify: Callable[[str], None]) -> None:
        """Set the folder of the state, and what is called with messages for the operator."""
        self._folder, self._notify = folder, notify

    def take(self, body: bytes, sign: Callable[[str], tuple[NoteSignature, ...]]) -> Reply:
        """Answer an ``add-checkpoint`` request with the lines that ``sign`` gives for its text.

        Raises:
            IntegrityError: the state is lost or damaged; nothing was taken.
            AvailabilityError: the state can't be read or written; nothing was taken.

        """
        try:
            asked = Submission.parse(body.decode())
            head = asked.note.head
        except (InputError, UnicodeDecodeError) as error:
            return Reply(400, f"{error}\n")
        with self._folder.turn() as turn:
            memory = turn.find(head.origin)
            if memory is None:
                return Reply(404, "a log of this name is not watched here\n")
            if not is_signed(asked.note, memory.keys):
                return Reply(403, "no key of the log signed the checkpoint, or one did falsely\n")
            known = {(key.name, key.key_id) for key in memory.keys}
            own = tuple(one for one in asked.note.signatures if (one.name, one.key_id) in known)
            asked = Submission(asked.old, asked.proof, Note(asked.note.text, own))
            refused = self._refusal(asked, head, memory)
            if refused is not None:
                return refused
            lines = sign(asked.note.text)
            note = Note(asked.note.text, (*own, *lines))
            turn.put(WitnessedLog(memory.origin, memory.keys, head.size, note))
        return Reply(200, "".join(line.line for line in lines))

    def _refusal(self, asked: Submission, head: TreeHead, memory: WitnessedLog) -> Reply | None:
        """Return why a checkpoint is not cosigned, checked in the order of C2SP; None if it is."""
        if asked.old > head.size:
            return Reply(400, "the old size is larger than that of the checkpoint\n")
        if memory.note is not None and memory.size == head.size:
            self._keep_proof(memory.note, (), asked.note)
        if asked.old != memory.size:
            return Reply(409, f"{memory.size}\n", SIZE_TYPE)
        root = EMPTY_ROOT if memory.note is None else memory.note.head.root
        if head.size == memory.size and head.root != root:
            return Reply(422, f"another root is known for {head.size} messages\n")
        if memory.note is None or memory.size == 0:
            return Reply(422, "the first checkpoint has no proof\n") if asked.proof else None
        try:
            require_consistency(memory.size, root, head.size, head.root, asked.proof)
        except IntegrityError as error:
            self._keep_proof(memory.note, asked.proof, asked.note)
            return Reply(422, f"{error}\n")
        return None

    def _keep_proof(self, earlier: Note, steps: tuple[bytes, ...], later: Note) -> None:
        proof = prove_misconduct(earlier, steps, later)
        if proof:
            path = keep_proof(self._folder.misconduct, proof)
            self._notify(f"{earlier.head.origin} signed two histories: the proof is {path}")


class Witness:
    """A running witness; thread-safe."""

    def __init__(self, folder: WitnessFolder, clock: Clock, notify: Callable[[str], None]) -> None:
        """Read the witness's keys and check its state.

        Args:
            folder: of the witness.
            clock: returns the time of each cosignature.
            notify: called with messages for the operator.

        Raises:
            InputError: there is no witness.
            AuthorizationError: other users may read its key.
            IntegrityError: its state is lost or damaged.

        """
        self._folder, self._clock = folder, clock
        self._taker = CheckpointTaker(folder, notify)
        self._keys = folder.own_keys()

    @property
    def keys(self) -> tuple[CosignerKey, ...]:
        """The public halves of the witness's keys; they have one name."""
        return tuple(key.public for key in self._keys)

    def add_checkpoint(self, body: bytes) -> Reply:
        """Answer an ``add-checkpoint`` request.

        Raises:
            IntegrityError: the state is lost or damaged; nothing was cosigned.
            AvailabilityError: the state can't be read or written; nothing was cosigned.

        """
        return self._taker.take(
            body, lambda text: cosign_all(self._keys, text, self._clock.now() // SECOND)
        )

    def last(self, log: str) -> Reply:
        """Return the last cosigned checkpoint of a log, by the SHA-256 of its name."""
        for memory in self._folder.remembered():
            if log_path(memory.origin) == log and memory.note is not None:
                return Reply(200, str(memory.note))
        return Reply(404, "this witness has cosigned no checkpoint of such a log\n")


def log_path(origin: str) -> str:
    """Return the name of a log in URLs: SHA-256 of its origin, hexadecimal."""
    return sha256(origin.encode()).hexdigest()
