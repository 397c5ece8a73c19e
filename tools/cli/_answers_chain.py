"""Answers of ``log`` and of what is made of a chain: copies, tables, tiles, checkpoints.

Types of JSON documents, see :mod:`tools.cli.answers`.
"""

from typing import Literal, NotRequired, TypedDict

__all__ = [
    "AskedWitness",
    "Copied",
    "CoveredSize",
    "ExportedSchemas",
    "LogStatus",
    "NamedSchemas",
    "Projected",
    "SignedCheckpoint",
    "Tiled",
    "UnknownSchema",
    "VerifiedChain",
]


class UnknownSchema(TypedDict):
    """A published schema that this program does not have, and how many events are in it."""

    name: str
    version: int
    events: int


class VerifiedChain(TypedDict):
    """What a verification covered; with ``--from`` only what is behind ``verified_from``.

    ``facts``: whether they were read, which ``--links`` leaves out. ``verifier``: the program that
    verified, ``gameledger-verify`` or ``gameledger``.
    """

    chain: str
    size: int
    head: str
    root: str
    decisions: int
    checkpoints: int
    covered: int
    first_recorded_at: int
    last_recorded_at: int
    since: int | None
    verified_from: int | None
    facts: bool
    indexed: int
    tag_map: bool
    witnessed: int | None
    stamped: int | None
    verifier: str
    unknown: list[UnknownSchema]
    reservations: list[str]


class AskedWitness(TypedDict):
    """What came of asking a witness: when it cosigned, or why it did not."""

    witness: str
    cosigned_at: int | None
    problem: str | None


class SignedCheckpoint(TypedDict):
    """A checkpoint; under ``--dry-run`` nothing was signed."""

    size: int
    root: str
    map_root: NotRequired[str]
    key: NotRequired[str]
    note: NotRequired[str]
    witnesses: NotRequired[list[AskedWitness]]
    witnessed: NotRequired[bool]
    stamped_at: NotRequired[int | None]
    warnings: NotRequired[list[str]]
    dry_run: NotRequired[Literal[True]]


class CoveredSize(TypedDict):
    """A checkpoint with its note; ``at`` is the moment of what was said of it last."""

    size: int
    recorded_at: int
    at: int | None
    age: int
    note: str


class LogStatus(TypedDict):
    """How long the chain is, and what of it others have seen; moments in microseconds."""

    size: int
    head: str
    checkpoint: CoveredSize | None
    cosigned_by: list[str]
    witnessed: CoveredSize | None
    stamped: CoveredSize | None
    misconduct: list[str]
    warnings: list[str]


class Tiled(TypedDict):
    """How far a folder of tiles goes; with ``--follow`` one such document each time."""

    size: int
    written: int
    folder: str


class Copied(TypedDict):
    """A copy of a chain; under ``--dry-run`` nothing was copied."""

    size: int
    head: str
    copied: NotRequired[int]
    verified: NotRequired[Literal[True]]
    target: NotRequired[str]
    dry_run: NotRequired[Literal[True]]


class Projected(TypedDict):
    """How far the tables are; with ``--follow`` one such document each time."""

    position: int
    projected: int
    torn: NotRequired[int]


class NamedSchemas(TypedDict):
    """Event types with their versions, and commands whose answers have a schema."""

    events: list[str]
    answers: list[str]


class ExportedSchemas(TypedDict):
    """Files that were written, by their paths in the folder."""

    folder: str
    files: list[str]
