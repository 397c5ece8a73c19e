"""Answers of ``report``: packages that were built, sealed, delivered, confirmed and corrected.

Types of JSON documents, see :mod:`tools.cli.answers`.
"""

from typing import NotRequired, TypedDict

from ledger.decisions.packages import (
    Finding,
    PublishPackage,
    RecordConfirmation,
    RecordPackage,
    RequestCorrection,
)
from projections.packages.results import BuiltFile
from tools.delivery.certificates import ExpiringCertificate
from tools.delivery.publishing import PublishedPackage
from tools.delivery.registration import Registration

__all__ = [
    "BuiltPackage",
    "Confirmed",
    "DeliveryState",
    "NotSealed",
    "Opened",
    "PublishedPackages",
    "RegistrationForm",
    "Sealed",
    "ToCorrect",
]


class BuiltPackage(TypedDict):
    """A package that was built, and the command that records it."""

    package: str
    folder: str
    known_at: int
    digest: str
    files: list[BuiltFile]
    command: RecordPackage | None


class NotSealed(TypedDict):
    """A package that is not valid was not sealed."""

    package: str
    findings: int


class Sealed(TypedDict):
    """A sealed file, and the command that records that it is published."""

    file: str
    size: int
    command: PublishPackage


class Opened(TypedDict):
    """A file whose seal is good."""

    file: str
    signer: str
    signed_at: str | int | None


class Confirmed(TypedDict):
    """What the authority answered, and what to do next."""

    package: str
    verdict: str
    findings: list[Finding]
    files_that_differ: list[str]
    next: list[str]
    command: RecordConfirmation | None


class ToCorrect(TypedDict):
    """A package to be corrected, and those that will be checked again."""

    package: str
    checked_again: list[str]
    command: RequestCorrection


class PublishedPackages(TypedDict):
    """What a run published, why it stopped (null: it did not), and certificates to replace."""

    published: list[PublishedPackage]
    stopped: str | None
    expiring: list[ExpiringCertificate]


class RegistrationForm(TypedDict):
    """The form for the authority, its file, and certificates to replace."""

    file: str
    form: Registration
    expiring: list[ExpiringCertificate]


class DeliveryState(TypedDict):
    """What happened at the port for the authority, or on the way to it."""

    state: str
    at: int
    address: NotRequired[str]
    package: NotRequired[str]
    packages: NotRequired[list[str]]
    verdict: NotRequired[str]
    client: NotRequired[str]
    size: NotRequired[int]
    path: NotRequired[str]
    file: NotRequired[str]
    why: NotRequired[str]
    findings: NotRequired[int]
    next: NotRequired[list[str]]
    again_in_seconds: NotRequired[float]
    purpose: NotRequired[str]
    subject: NotRequired[str]
    until: NotRequired[int]
    days: NotRequired[int]
    fingerprint: NotRequired[str]
