"""Devices that produce results: assigned to a table (ZHH 83), inspected, replaced, removed.

A table has at most one device of each kind. The plan's requirements are checked when a round opens;
a device that fails during a round is removed or replaced then, and the event names the round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ledger.core.errors import InputError
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.operator.setup import open_table_of
from ledger.events import event_types as e
from ledger.events.command import Command, Id, Name, Text

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState
    from ledger.state.operator_state import Table

__all__ = [
    "AssignDevice",
    "InspectDevice",
    "RemoveDevice",
    "assign_device",
    "inspect_device",
    "remove_device",
    "require_device",
]


class AssignDevice(Command, frozen=True):
    """Install a device at a table, replacing one of its kind (ZHH 83).

    A ``machine`` deals or spins by itself.
    """

    table: Id
    device: Id
    kind: Literal["wheel", "shoe", "shuffler", "machine"]
    serial: Name


class RemoveDevice(Command, frozen=True):
    """Remove a device from a table."""

    table: Id
    device: Id
    reason: Text


class InspectDevice(Command, frozen=True):
    """Record the inspection of a device, such as the balance of a wheel."""

    table: Id
    device: Id
    by: Name
    passed: bool
    findings: Text


@refuses("TABLE_NOT_OPEN", "DEVICE_ELSEWHERE")
def assign_device(ledger_state: LedgerState, command: AssignDevice, _: int) -> list[e.Event]:
    """Decide :class:`AssignDevice`."""
    table = open_table_of(ledger_state, command.table)
    for name, other in ledger_state.operator_state.tables.items():
        if other.open and any(
            installed.device == command.device for installed in other.devices.values()
        ):
            if name == command.table:
                raise InputError(f"device {command.device} is part of table {name} already")
            raise RefusedError("DEVICE_ELSEWHERE", table=name)
    before = table.devices.get(command.kind)
    return [
        command.as_event(
            e.DeviceAssigned, round=table.round, replaced=before.device if before else ""
        )
    ]


@refuses("TABLE_NOT_OPEN")
def remove_device(ledger_state: LedgerState, command: RemoveDevice, _: int) -> list[e.Event]:
    """Decide :class:`RemoveDevice`."""
    table = open_table_of(ledger_state, command.table)
    return [_removed(table, command, _kind_of(table, command), command.reason)]


@refuses("TABLE_NOT_OPEN")
def inspect_device(ledger_state: LedgerState, command: InspectDevice, _: int) -> list[e.Event]:
    """Decide :class:`InspectDevice`; a device that failed no longer counts as part of the table."""
    table = open_table_of(ledger_state, command.table)
    kind = _kind_of(table, command)
    inspected = command.as_event(e.DeviceInspected, round=table.round, kind=kind)
    if command.passed:
        return [inspected]
    return [inspected, _removed(table, command, kind, command.findings)]


def require_device(table: Table, kinds: frozenset[str]) -> None:
    """Refuse a round at a table without a required device.

    Args:
        table: the table.
        kinds: kinds of device of which the plan requires one; empty if people deal by hand.

    Raises:
        RefusedError: DEVICE_MISSING.

    """
    if kinds and kinds.isdisjoint(table.devices):
        raise RefusedError("DEVICE_MISSING", kinds=tuple(sorted(kinds)))


def _kind_of(table: Table, command: RemoveDevice | InspectDevice) -> str:
    for kind, installed in table.devices.items():
        if installed.device == command.device:
            return kind
    text = f"device {command.device} is not part of table {command.table}"
    raise InputError(f"{text}; make it one with assign_device")


def _removed(
    table: Table, command: RemoveDevice | InspectDevice, kind: str, reason: str
) -> e.DeviceRemoved:
    return command.as_event(e.DeviceRemoved, round=table.round, kind=kind, reason=reason)
