"""``finding write-off`` and what a second person decides about it; ``finding write-offs``."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from typing import Annotated

import typer

from ledger.decisions.findings.write_offs import (
    ConfirmWriteOff,
    DeclineWriteOff,
    ProposeReversal,
    ProposeWriteOff,
)
from ledger.events import event_types as e
from ledger.log.port import Query, events_at
from tools.cli._answering import answers, sends
from tools.cli._finding import By, Evidence, Reason, WholeName, app, identity_of
from tools.cli._options import DATA, Data
from tools.cli._output import money, table, wrapped
from tools.data.notation import haler

__all__ = ["ListedWriteOff", "app"]

TYPES = ("WriteOffProposed", "WriteOffConfirmed", "WriteOffDeclined")
WriteOff = Annotated[
    str,
    typer.Argument(metavar="WRITE-OFF", help="Its name, as `finding write-offs` shows it."),
]


@dataclass(frozen=True, slots=True)
class ListedWriteOff:
    """A write-off, or the reversal of ``reverses``; ``amount`` is the operator's gain in haléř.

    ``state`` is proposed, confirmed or declined; ``decided_by`` is empty while it is proposed.
    """

    write_off: str
    state: str
    item: str
    amount: int
    reverses: str
    proposed_by: str
    decided_by: str
    reason: str
    position: int


@app.command("write-off")
@sends(
    done="Proposed to write off {amount} CZK of finding {finding}; another person confirms it",
    would="Would propose to write off {amount} CZK of finding {finding}",
)
def write_off(
    *,
    finding: WholeName,
    amount: Annotated[str, typer.Option(metavar="CZK", help="How much, in crowns.")],
    reason: Reason,
    by: By,
    evidence: Evidence = "",
    data: Data = DATA,
) -> ProposeWriteOff:
    """Propose to write off an amount of a finding's difference; another person confirms it.

    Example: `gameledger finding write-off 3f0c7d2a90b1e4f6 --amount 0.50 \
    --reason "GoPay rounds" --by cage-2`
    """
    name, given = identity_of(data, finding), haler(amount)
    return ProposeWriteOff(
        finding=name, amount=given, reason=reason, by=by, evidence=evidence, source="cli"
    )


@app.command("reverse-write-off")
@sends(
    done="Proposed to take back write-off {write_off}; another person confirms it",
    would="Would propose to take back write-off {write_off}",
)
def reverse_write_off(
    *, write_off: WriteOff, reason: Reason, by: By, evidence: Evidence = ""
) -> ProposeReversal:
    """Propose to take back a confirmed write-off; another person confirms it.

    Example: `gameledger finding reverse-write-off 3f0c7d2a90b1e4f6-1 --reason "Paid" --by cage-2`
    """
    return ProposeReversal(
        write_off=write_off, reason=reason, by=by, evidence=evidence, source="cli"
    )


@app.command("confirm-write-off")
@sends(done="Booked write-off {write_off}", would="Would book write-off {write_off}")
def confirm_write_off(
    *,
    write_off: WriteOff,
    by: By,
    comment: Annotated[str, typer.Option(help="What is to be noted; it names no person.")] = "",
) -> ConfirmWriteOff:
    """Confirm a write-off or reversal that another person proposed; it is booked.

    Example: `gameledger finding confirm-write-off 3f0c7d2a90b1e4f6-1 --by risk`
    """
    return ConfirmWriteOff(write_off=write_off, by=by, comment=comment, source="cli")


@app.command("decline-write-off")
@sends(done="Declined write-off {write_off}", would="Would decline write-off {write_off}")
def decline_write_off(*, write_off: WriteOff, reason: Reason, by: By) -> DeclineWriteOff:
    """Decline a write-off or reversal that waits, or withdraw one's own.

    Example: `gameledger finding decline-write-off 3f0c7d2a90b1e4f6-1 --reason "Ask" --by risk`
    """
    return DeclineWriteOff(write_off=write_off, reason=reason, by=by, source="cli")


def _show(found: list[ListedWriteOff]) -> None:
    table(
        (
            "write-off", "state", "of", "CZK", "takes back", "proposed by", "decided by",
            wrapped("why"),
        ),
        [
            (
                one.write_off,
                one.state,
                one.item,
                money(one.amount, sign=True),
                one.reverses,
                one.proposed_by,
                one.decided_by,
                one.reason,
            )
            for one in found
        ],
        nothing="No write-off is proposed.",
    )  # fmt: skip


@app.command("write-offs")
@answers(_show)
def write_offs(
    *,
    pending: Annotated[
        bool, typer.Option("--pending", help="Only those that wait for a second person.")
    ] = False,
    data: Data = DATA,
) -> list[ListedWriteOff]:
    """List the write-offs, the oldest first, with those who proposed and decided them.

    Example: `gameledger finding write-offs --pending`
    """
    proposed: dict[str, ListedWriteOff] = {}
    with closing(data.read()) as log:
        for one in events_at(log, log.find(Query(types=TYPES))):
            match one.event:
                case e.WriteOffProposed() as event:
                    proposed[event.write_off] = ListedWriteOff(
                        event.write_off, "proposed", event.item, event.amount, event.reverses,
                        event.by, "", event.reason, one.position,
                    )  # fmt: skip
                case e.WriteOffConfirmed() | e.WriteOffDeclined() as event:
                    is_booked = isinstance(event, e.WriteOffConfirmed)
                    proposed[event.write_off] = replace(
                        proposed[event.write_off],
                        state="confirmed" if is_booked else "declined",
                        decided_by=event.by,
                        position=one.position,
                    )
    return [one for one in proposed.values() if one.state == "proposed" or not pending]
