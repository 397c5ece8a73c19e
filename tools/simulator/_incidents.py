"""Incidents of an evening: one script for each exceptional case that the rules provide for.

Every script uses a separate guest and the same commands as everyone else; refusals come from the
ledger.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

import msgspec

from ledger.decisions.accounts.cancellation import (
    ConfirmCancellation,
    DecideComplaint,
    FileComplaint,
    RequestCancellation,
    WithdrawCancellation,
)
from ledger.decisions.accounts.legal_holds import PlaceHold
from ledger.decisions.accounts.registration import RegisterPaymentMethod
from ledger.decisions.accounts.sessions import CheckRegister
from ledger.decisions.payments.payments import ChargeFee, Deposit, ReturnFee
from ledger.decisions.protection.blocks import (
    EndExclusion,
    ImposeExclusion,
    OfferLongExclusion,
    PressPanicButton,
    ReportPanicButton,
)
from ledger.decisions.protection.measures import SetLimit
from ledger.decisions.rounds.seats import TakeSeat
from tools.simulator._people import HABITS, Habit, make_person
from tools.simulator._players import HALER, Player

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tools.simulator._house import HouseTable
    from tools.simulator._players import Incident
    from tools.simulator._stage import Script, Stage

__all__ = [
    "IncidentContext",
    "at_a_table",
    "cancellation",
    "cancellation_taken_back",
    "cash_at_cage",
    "complaint",
    "exclusion_by_operator",
    "fee",
    "few_logins",
    "foreign_transfer",
    "incidents",
    "limited",
    "listed_at_login",
    "panic",
    "pause_after_logout",
    "register_away",
    "registrations_refused",
    "table_suspended",
    "two_tables",
]

GUEST = HABITS[1][0]


@dataclass(slots=True)
class IncidentContext:
    """The players and tables that a script may use."""

    stage: Stage
    tables: list[HouseTable]
    notable: dict[str, str]
    players: int = 0

    def new_player(self, habit: Habit = GUEST) -> Player:
        """Bring a new player."""
        self.players += 1
        random = self.stage.random
        return Player(
            self.stage,
            account=f"a-{self.players:04d}",
            person=make_person(random, self.players),
            habit=habit,
            app=random.choice(("web", "web", "app")),
        )

    def table(self) -> HouseTable:
        """Pick a table, with room if there is one."""
        with_room = [table for table in self.tables if table.has_room]
        return self.stage.random.choice(with_room or self.tables)


def incidents(context: IncidentContext) -> Iterator[tuple[float, Script]]:
    """Return every script with its moment, as a part of the evening from 0 to 1."""
    yield 0.02, registrations_refused(context)
    yield 0.05, cash_at_cage(context)
    yield 0.08, foreign_transfer(context)
    yield 0.12, limited(context, "a", 60_000)
    yield 0.14, limited(context, "b", 80_000)
    yield 0.16, limited(context, "c", 50_000)
    yield 0.18, limited(context, "d", 50_000)
    yield 0.20, few_logins(context)
    yield 0.22, limited(context, "f", 12)
    yield 0.24, pause_after_logout(context)
    yield 0.28, two_tables(context)
    yield 0.30, at_a_table(context, "invalid_spin")
    yield 0.34, listed_at_login(context)
    yield 0.36, register_away(context)
    yield 0.38, at_a_table(context, "misrecorded_card")
    yield 0.40, table_suspended(context)
    yield 0.44, panic(context)
    yield 0.48, at_a_table(context, "wrong_payment")
    yield 0.52, at_a_table(context, "interrupted")
    yield 0.54, at_a_table(context, "exposed_card")
    yield 0.56, exclusion_by_operator(context)
    yield 0.60, cancellation(context)
    yield 0.62, cancellation_taken_back(context)
    yield 0.64, at_a_table(context, "held_payout")
    yield 0.66, fee(context)
    yield 0.70, complaint(context)
    yield 0.80, at_a_table(context, "unseen_wrong_payment")


def registrations_refused(context: IncidentContext) -> Script:
    """Applicants: too young, with an account, listed, unverified."""
    stage = context.stage
    known, young = context.new_player(), context.new_player()
    known.register()
    yield 90
    young.person = replace(young.person, birth_date=date(2009, 3, 5))
    context.notable["too_young_account"] = young.account
    stage.send(young.registration())
    yield 60
    again = context.new_player()
    again.person = known.person
    stage.send(again.registration())
    yield 45
    stage.send(context.new_player().registration(register="listed"))
    yield 80
    for field in ("verified_how", "plan_version"):
        form = context.new_player().registration()
        stage.send(msgspec.structs.replace(form, **{field: ""}))
        yield 50
    stage.send(
        RegisterPaymentMethod(
            account=known.account,
            method=f"other-{known.account}",
            method_class="card",
            masked="**** 1111",
            country="CZ",
            proof="declaration",
        )
    )


def cash_at_cage(context: IncidentContext) -> Script:
    """More cash than 10,000 CZK in 24 hours, and cash without a document."""
    guest = context.new_player()
    context.notable["cash_account"] = guest.account
    guest.register()
    yield 120
    guest.pay_in(8_000 * HALER, method="cash")
    yield 300
    guest.pay_in(4_000 * HALER, method="cash")
    yield 30
    guest.pay_in(2_000 * HALER, method="cash")
    yield 60
    context.stage.send(
        Deposit(
            account=guest.account,
            deposit=f"dep-{guest.account}-x",
            amount=500 * HALER,
            method="cash",
            source="cage",
        )
    )
    yield 60
    yield from guest.visit(context.table())


def foreign_transfer(context: IncidentContext) -> Script:
    """Money that came from an account that is not registered goes back."""
    guest = context.new_player()
    guest.register()
    yield 200
    context.stage.send(
        Deposit(
            account=guest.account,
            deposit=f"dep-{guest.account}-x",
            amount=3_000 * HALER,
            method="bank-of-somebody-else",
            received=True,
            source="bank",
        )
    )


def limited(context: IncidentContext, letter: str, value: int) -> Script:
    """Somebody plays until a measure ends it."""
    habit = replace(GUEST, name=f"limit {letter}", limits=((letter, value),), eagerness=1.0)
    guest = context.new_player(habit)
    context.notable[f"measure_{letter}_account"] = guest.account
    yield from guest.visit(context.table())


def few_logins(context: IncidentContext) -> Script:
    """The third login of the month is refused by measure e."""
    guest = context.new_player(replace(GUEST, limits=(("e", 2),)))
    guest.register()
    for _ in range(3):
        yield 240
        if guest.log_in().refused is None:
            yield 100
            guest.log_out()


def pause_after_logout(context: IncidentContext) -> Script:
    """Measure g refuses a bet too soon after the last logout; later it is set longer."""
    guest = context.new_player(replace(GUEST, minutes=(6, 9), limits=(("g", 30),), eagerness=1.0))
    yield from guest.visit(context.table())
    yield 400
    yield from guest.visit(context.table())
    context.stage.send(SetLimit(account=guest.account, measure="g", value=60))


def two_tables(context: IncidentContext) -> Script:
    """Somebody at a streamed table tries to sit down at a second one."""
    guest = context.new_player()
    first, second = context.tables[0], context.tables[-1]
    context.stage.play(guest.visit(first))
    yield 500
    if guest.table is first and second is not first:
        context.stage.send(TakeSeat(account=guest.account, table=second.name, source=guest.app))


def at_a_table(context: IncidentContext, what: Incident) -> Script:
    """Plan an incident for the next round of a table where it can happen."""
    able = [table for table in context.tables if table.knows(what)]
    if able:
        context.stage.random.choice(able).incidents.append(what)
    yield 0


def listed_at_login(context: IncidentContext) -> Script:
    """Somebody stands in the register at login: may look and withdraw, not pay in or play."""
    guest = context.new_player()
    context.notable["excluded_account"] = guest.account
    guest.register()
    yield 60
    guest.pay_in(2_500 * HALER)
    yield 600
    guest.log_in(register="listed")
    yield 30
    guest.pay_in(1_000 * HALER)
    yield 20
    context.stage.send(
        TakeSeat(account=guest.account, table=context.tables[0].name, source=guest.app)
    )
    yield 40
    guest.pay_out(2_500 * HALER)
    yield 25
    guest.log_out()


def register_away(context: IncidentContext) -> Script:
    """The register does not answer at login: its last answer counts."""
    guest = context.new_player()
    guest.register()
    yield 300
    guest.log_in(register="unavailable")
    yield 120
    context.stage.send(CheckRegister(account=guest.account, register="clear", source="register"))
    yield 60
    guest.log_out()


def table_suspended(context: IncidentContext) -> Script:
    """A camera fails: no bets at a table for some minutes."""
    table = context.table()
    while table.round is None or not table.round.is_open:
        if table.is_closing:
            return
        yield 1
    context.notable["suspended_table"] = table.name
    current = table.round
    if table.seated:
        player, wish = table.seated[0], table.some_wish(table.seated[0])
        context.stage.after(0.5, lambda: table.bet(player, current, wish))
    yield from table.suspend("The camera over the wheel has failed.", 260)


def panic(context: IncidentContext) -> Script:
    """The panic button is pressed with chips on the table: no bet is concluded."""
    guest = context.new_player(replace(GUEST, eagerness=1.0))
    table = context.tables[0]
    context.notable["panic_account"] = guest.account
    context.stage.play(guest.visit(table))
    yield 900
    while table.round is None or not table.round.is_open or not table.has_bets_of(guest):
        if guest.table is None:
            return
        yield 1
    context.notable["panic_round"] = table.round.name
    context.stage.send(PressPanicButton(account=guest.account, channel="button in the game"))
    table.take_away(guest)
    guest.leave_at = context.stage.moment
    yield 4
    context.stage.send(
        ReportPanicButton(account=guest.account, acknowledged=True, source="ministry")
    )
    if table.round is not None and table.round.is_open:
        table.bet(guest, table.round, table.some_wish(guest), 50 * HALER)
    yield 45
    context.stage.send(OfferLongExclusion(account=guest.account, answer="declined"))


def exclusion_by_operator(context: IncidentContext) -> Script:
    """The operator excludes a player and ends it after an inquiry."""
    guest = context.new_player()
    guest.register()
    yield 200
    guest.log_in()
    yield 300
    context.stage.send(ImposeExclusion(account=guest.account, ground="operator"))
    yield 900
    context.stage.send(EndExclusion(account=guest.account, ground="operator"))


def cancellation(context: IncidentContext) -> Script:
    """Somebody asks for the account to be cancelled; a deposit after that is refused."""
    guest = context.new_player(replace(GUEST, minutes=(10, 14)))
    context.notable["cancelled_account"] = guest.account
    yield from guest.visit(context.table())
    yield 120
    context.stage.send(RequestCancellation(account=guest.account, ground="12(4)", source=guest.app))
    yield 90
    notice = "Receipt of the request, by electronic mail."
    context.stage.send(ConfirmCancellation(account=guest.account, notice=notice, way="email"))
    yield 200
    guest.pay_in(500 * HALER)


def cancellation_taken_back(context: IncidentContext) -> Script:
    """Somebody thinks better of it."""
    guest = context.new_player()
    guest.register()
    yield 200
    context.stage.send(RequestCancellation(account=guest.account, ground="12(4)", source=guest.app))
    yield 400
    context.stage.send(WithdrawCancellation(account=guest.account, source=guest.app))


def fee(context: IncidentContext) -> Script:
    """A fee for a paper statement, half of it returned."""
    guest = context.new_player()
    guest.register()
    yield 100
    guest.pay_in(1_000 * HALER)
    yield 100
    name, reason = f"fee-{guest.account}-1", "Statement on paper."
    context.stage.send(
        ChargeFee(account=guest.account, fee=name, amount=100 * HALER, reason=reason)
    )
    yield 600
    reason = "It came late."
    context.stage.send(ReturnFee(account=guest.account, fee=name, amount=50 * HALER, reason=reason))


def complaint(context: IncidentContext) -> Script:
    """Somebody complains about a round, which is held; the complaint is decided that evening."""
    guest = context.new_player(replace(GUEST, minutes=(12, 18), eagerness=1.0))
    table = context.table()
    yield from guest.visit(table)
    yield 200
    case, stage = f"case-{guest.account}-1", context.stage
    round_ = f"{table.name}-{max(table.rounds - 8, 1):05d}"
    grounds = "The ball was touched."
    stage.send(FileComplaint(account=guest.account, case=case, grounds=grounds, round=round_))
    context.notable["complaint_account"] = guest.account
    yield 60
    stage.send(
        PlaceHold(
            hold=f"hold-{guest.account}-1",
            round=round_,
            ordered_by="Legal department",
            reason="The complaint may go to court.",
            reference=case,
        )
    )
    context.notable["held_round"] = round_
    yield 900
    explanation = "The recording shows an undisturbed spin of the ball."
    stage.send(
        DecideComplaint(account=guest.account, case=case, upheld=False, explanation=explanation)
    )
