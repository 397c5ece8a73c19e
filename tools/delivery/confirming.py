"""Turn a confirmation into the command that records it, and list the next steps.

Input: the opened answer of the authority, and the recorded state of the package. Output: values. A
file named by an operator and a file fetched by the service are treated alike.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from ledger.decisions.packages import RecordConfirmation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from projections.packages.results import Confirmation, Name

__all__ = ["build_again", "confirmation_command", "files_that_differ", "next_steps"]


def confirmation_command(
    found: Confirmation, file_name: str, received: bytes, *, source: str
) -> RecordConfirmation:
    """Create the command that records a confirmation; ``received`` are its raw bytes."""
    return RecordConfirmation(
        package=str(found.package),
        confirmation=file_name,
        verdict=found.verdict,
        file_digest=sha256(received).hexdigest(),
        findings=found.findings,
        cut=found.is_cut,
        source=source,
    )


def files_that_differ(found: Confirmation, built: Mapping[str, str]) -> list[str]:
    """Return the names of the files whose bytes at the authority differ from those that were built.

    Args:
        found: the confirmation.
        built: SHA-256 of the files by their names.

    """
    return sorted(
        {
            report.file
            for report in found.reports
            if report.digest and built and built.get(report.file) != report.digest
        }
    )


def next_steps(
    found: Confirmation, *, was_accepted: bool, others: list[str], newest: int
) -> list[str]:
    """Return what is to be done after a confirmation.

    Args:
        found: the confirmation.
        was_accepted: an earlier confirmation of the same version accepted it.
        others: files whose bytes at the authority differ from those that were built.
        newest: the newest published version of the package.

    """
    name = found.package
    steps = []
    if others:
        steps += [
            f"The authority read other bytes than were built of {', '.join(others)}.",
            "Find out what was published before anything else.",
        ]
    if newest > name.version:
        steps += [
            f"Version {newest:02d} was published since, and is the one that counts.",
            "What is to be done with it: `gameledger report status`.",
        ]
    elif found.verdict == "OK" and others:
        steps.append("What was accepted is not what was built.")
    elif found.verdict == "OK" and not found.findings:
        steps.append("The package is accepted. There is nothing to do.")
    elif found.verdict == "OK":
        steps += [
            "The package is accepted, although the database checks found something.",
            f"Look at each finding; if a fact is wrong: {_correct(name)} (decree § 5).",
        ]
    elif was_accepted:
        steps += [
            "The package was accepted before and is refused now.",
            "An earlier package was corrected, and this one was checked against it again.",
            f"Correct what it refers to, or build it again: {build_again(name)}.",
        ]
    else:
        steps += [
            "The package is refused for a formal error (decree § 4).",
            f"Remove the cause, then build the next version: {build_again(name)}.",
            f"Seal and publish it; version {name.version:02d} stays readable.",
        ]
    if found.is_cut:
        steps.append("Findings were left out or shortened: keep the file itself.")
    return steps


def build_again(name: Name) -> str:
    """Return the command that builds the next version."""
    return f"`gameledger report build --period {name.period} --cause …`"


def _correct(name: Name) -> str:
    return f"`gameledger report correct {name} --explanation …`"
