"""An operator's duties outside of play: clock comparison, information, a bonus, a player check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.clock import MINUTE, SECOND, to_datetime
from ledger.decisions.accounts.diligence import CheckPerson
from ledger.decisions.operator.keys import RecordClock
from ledger.decisions.protection.bonuses import AnnounceBonus, GrantBonus
from ledger.decisions.protection.informing import ShowInformation
from tools.simulator._players import HALER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tools.simulator._incidents import IncidentContext
    from tools.simulator._stage import Script, Stage

__all__ = ["checked", "clock_measured", "duties", "informed"]

SKEW_MAX_MICROSECONDS = 4_000


def duties(context: IncidentContext) -> Iterator[tuple[float, Script]]:
    """Return every script with its moment, as a part of the evening from 0 to 1."""
    yield 0.10, informed(context)
    yield 0.26, checked(context)


def clock_measured(stage: Stage, skew: int | None = None) -> None:
    """Compare the clock with the source of time, as the writer does every hour."""
    if skew is None:
        skew = stage.random.randint(-SKEW_MAX_MICROSECONDS, SKEW_MAX_MICROSECONDS)
    stage.send(
        RecordClock(source_of_time="ntp.example.cz", skew=skew, uncertainty=900, source="writer")
    )


def informed(context: IncidentContext) -> Script:
    """Somebody is shown rules and a warning, gets an announced bonus, and sees how it went."""
    guest, stage = context.new_player(), context.stage
    context.notable["informed_account"] = guest.account
    bonus = f"welcome-{guest.account}"
    stage.send(
        AnnounceBonus(
            bonus=bonus,
            kind="login",
            terms="For the first login of the month: 50 CZK, to be played once.",
            effective_from=to_datetime(stage.moment + 30 * SECOND),
        )
    )
    yield 40
    guest.register()
    yield 40
    shown = (
        ShowInformation(account=guest.account, kind="rules", text=f"plan {stage.plan_version}"),
        ShowInformation(account=guest.account, kind="warning", text="Gambling can be addictive."),
        GrantBonus(account=guest.account, bonus=bonus, amount=50 * HALER),
    )
    for command in shown:
        stage.send(command)
        yield 5
    came_at = stage.moment
    yield from guest.visit(context.table())
    minutes = (stage.moment - came_at) // MINUTE
    stage.send(ShowInformation(account=guest.account, kind="play_time", play_minutes=minutes))


def checked(context: IncidentContext) -> Script:
    """Somebody pays in so much that the person is checked."""
    guest = context.new_player()
    guest.register()
    yield 60
    guest.pay_in(50_000 * HALER)
    yield 300
    context.stage.send(
        CheckPerson(account=guest.account, check="control", how="questionnaire, bank statement")
    )
