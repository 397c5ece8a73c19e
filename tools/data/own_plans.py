"""Game plans in files of an operator, before they are published to the chain.

Input: TOML files, by default those of the folder ``plans`` in the data directory. Output: the
checked plans, and the command that publishes one. Rejected: a file that is not a plan, lacks an
English name, or has the name and version of another plan.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Literal

import msgspec

from ledger import games
from ledger.core.errors import InputError
from ledger.decisions.decider import decode_command
from ledger.decisions.operator.setup import PublishRules
from ledger.rules.published_plans import register_plans
from ledger.storage.named_files import read_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tools.data.directory import DataDirectory

__all__ = ["CheckedPlan", "check_plans", "plan_command"]

FOLDER = "plans"


@dataclass(frozen=True, slots=True)
class CheckedPlan:
    """A valid plan file; ``known`` ones ship with the program or are in the chain."""

    file: str
    game: str
    version: str
    name: str
    name_en: str | None
    sha256: str
    state: Literal["known", "new"]


def check_plans(data: DataDirectory, files: Sequence[Path]) -> list[CheckedPlan]:
    """Check plan files, by default those of the data directory.

    Raises:
        InputError: a file is not a plan, or has the name and version of another one.

    """
    if data.has_log:
        with closing(data.read()) as log:
            register_plans(log)
    return [_checked(file) for file in files or sorted((data.path / FOLDER).glob("*.toml"))]


def plan_command(file: Path, effective_from: datetime) -> PublishRules:
    """Return the command that publishes a plan file.

    Raises:
        InputError: the file cannot be read or is not a plan.

    """
    return _command(read_text(file), file, effective_from)[0]


def _command(
    text: str, file: Path, effective_from: datetime
) -> tuple[PublishRules, games.PlanHeader]:
    header = games.read_new_plan(text.encode(), str(file)).header
    command = {
        "command": "publish_rules",
        "game": header.game,
        "plan_version": header.version,
        "effective_from": effective_from,
        "document": text,
        "source": "cli",
    }
    published = decode_command(msgspec.json.encode(command))
    if not isinstance(published, PublishRules):
        raise TypeError(published)
    return published, header


def _checked(file: Path) -> CheckedPlan:
    command, header = _command(read_text(file), file, datetime.now(UTC))
    try:
        known = games.document(header.game, header.version)
    except games.UnknownGameError:
        known = None
    if known not in {None, command.document}:
        raise InputError(
            f"{file}: {header.game} has another plan of version {header.version}: give this one a "
            "version of its own"
        )
    return CheckedPlan(
        file=str(file),
        game=header.game,
        version=header.version,
        name=header.name,
        name_en=header.name_en,
        sha256=sha256(command.document.encode()).hexdigest(),
        state="new" if known is None else "known",
    )
