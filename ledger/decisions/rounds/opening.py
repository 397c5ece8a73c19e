"""Opening of a round at a table, by the plan in force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger import games
from ledger.core.errors import InputError
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.operator.attestations import require_copy
from ledger.decisions.operator.devices import require_device
from ledger.decisions.operator.setup import open_table_of, require_kind
from ledger.events import event_types as e
from ledger.events.command import Command, Id

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState


OPEN_REFUSALS = (
    "TABLE_NOT_OPEN",
    "GAME_NOT_OFFERED",
    "GAME_SUSPENDED",
    "TABLE_SUSPENDED",
    "ROUND_RUNNING",
    "NO_RULES_IN_FORCE",
    "TABLE_KIND_WRONG",
    "DEVICE_MISSING",
    "COPY_TOO_OLD",
)
"""Refusals of a round that opens, in the order of the checks."""


class OpenRound(Command, frozen=True):
    """Open a round at a table; betting starts."""

    round: Id
    table: Id


@refuses(*OPEN_REFUSALS)
def open_round(ledger_state: LedgerState, command: OpenRound, now: int) -> list[e.Event]:
    """Decide :class:`OpenRound`."""
    table = open_table_of(ledger_state, command.table)
    game = ledger_state.operator_state.games[table.game]
    if ledger_state.round_or_new(command.round).status != "unknown":
        raise InputError(f"round {command.round} exists already")
    if not game.launched or game.withdrawn:
        raise RefusedError("GAME_NOT_OFFERED")
    if game.suspended:
        raise RefusedError("GAME_SUSPENDED")
    if table.suspended:
        raise RefusedError("TABLE_SUSPENDED")
    if table.round:
        raise RefusedError("ROUND_RUNNING", round=table.round)
    version = game.plan_version(now)
    if not version:
        raise RefusedError("NO_RULES_IN_FORCE")
    require_kind(table.game, version, streamed=table.streamed)
    plan = games.plan(table.game, version)
    require_device(table, plan.made_by)
    require_copy(ledger_state, now)
    turned = ""
    if plan.alternates and table.last_round:
        turned = ledger_state.round(table.last_round).last_turned
    return [
        e.RoundOpened(
            round=command.round,
            table=command.table,
            registration=table.registration,
            game=table.game,
            plan_version=version,
            dealer=table.dealer,
            shoe=table.shoe,
            devices=tuple(device.device for device in table.devices.values()),
            device_kinds=tuple(table.devices),
            serials=tuple(device.serial for device in table.devices.values()),
            wheel_turned=turned,
            streamed=table.streamed,
        )
    ]
