"""Answers of ``witness`` and ``evidence``.

Types of JSON documents, see :mod:`tools.cli.answers`.
"""

from typing import TypedDict

__all__ = [
    "CosignedLog",
    "EvidenceOpened",
    "EvidenceStamp",
    "EvidenceWitness",
    "MadeEvidence",
    "NewWitness",
    "ProvedMisconduct",
    "RotatedKey",
    "VerifiedEvidence",
    "WatchedLog",
    "WitnessMessage",
    "WitnessStatus",
]


class NewWitness(TypedDict):
    """A witness that was made."""

    folder: str
    key: str


class WatchedLog(TypedDict):
    """A log that a witness watches, with the keys that may sign for it."""

    log: str
    keys: list[str]
    size: int


class CosignedLog(TypedDict):
    """A log that a witness watches, and its last note; empty before the first."""

    log: str
    size: int
    note: str


class WitnessStatus(TypedDict):
    """What a witness watches, and files of proof that a log signed two histories."""

    key: str
    logs: list[CosignedLog]
    misconduct: list[str]


class ProvedMisconduct(TypedDict):
    """Two checkpoints of a log that can't both be true."""

    log: str
    sizes: list[int]
    roots: list[str]


class WitnessMessage(TypedDict):
    """What a witness at work tells its operator."""

    at: int
    text: str


class MadeEvidence(TypedDict):
    """An evidence file that was written, and how much it proves and withholds."""

    file: str
    bytes: int
    data_bytes: int
    subject: str
    messages: int
    withheld: int


class EvidenceOpened(TypedDict):
    """A personal field that was opened with its key; not proved where the person was erased."""

    position: int
    field: str
    is_proved: bool


class EvidenceWitness(TypedDict):
    """A witness that cosigned a checkpoint, by its verifier key, and when."""

    key: str
    at: int


class EvidenceStamp(TypedDict):
    """An authority that stamped a checkpoint, and when."""

    authority: str
    at: int


class VerifiedEvidence(TypedDict):
    """What an evidence file proves; ``page`` is the result for the part that people read.

    ``first`` and ``end`` are the period of an account, ``end`` not included, open where null.
    """

    subject: str
    meant_for: str
    first: int | None
    end: int | None
    chain: str
    size: int
    root: str
    signed_by: list[str]
    signer_is_trusted: bool
    opened: list[EvidenceOpened]
    witnesses: list[EvidenceWitness]
    stamps: list[EvidenceStamp]
    events: int
    withheld: int
    messages: int
    page: str
    sealed_by: list[str]
    made_by: str
    reservations: list[str]


class RotatedKey(TypedDict):
    """IDs of the old and the new signing key, the new public key, and the size that it signed."""

    old: str
    new: str
    key: str
    size: int
