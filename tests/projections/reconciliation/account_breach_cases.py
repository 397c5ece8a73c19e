"""Breaches of accounts and cases, and what resembles them: money, play time, notices, packages."""

from __future__ import annotations

import json
from typing import Any

from msgspec.structs import replace

from ledger.core.clock import MINUTE
from ledger.events import event_types as e
from tests.projections.history_cases import (
    House,
    deposited,
    notified,
    placed,
    registered,
    settled,
)
from tests.projections.projection_cases import START
from tests.projections.reconciliation.play_breach_cases import (
    DAYS,
    paid_late,
    stake_corrected,
)
from tests.projections.reconciliation.test_plan_findings import (
    CANCELLED,
    EXCLUDED,
    account_without_email,
    recorded,
)
from tests.projections.reconciliation.test_rules_in_force import document_with
from tests.projections.shared_cases import Neighbour

PRESSED = e.PanicButtonPressed(account="a", until=0, channel="web")


def pressed(house: House, **reported: Any) -> None:
    house.at(1, PRESSED, e.LongExclusionOffered(account="a", answer="declined"))
    house.at(2, e.PanicButtonReported(account="a", **reported))


def accepted(house: House) -> None:
    house.at(1, PRESSED, e.PanicButtonReported(account="a", acknowledged=True))
    house.at(1, e.LongExclusionOffered(account="a", answer="accepted"))


def objected(house: House) -> None:
    case = {"person": "p-a", "account": "a", "case": "objected"}
    house.at(1, CANCELLED, notified("a"))
    house.at(2, e.ObjectionFiled(**case, grounds=b"g"))
    house.at(3, e.ObjectionDecided(**case, upheld=False, explanation=b"e"))


def objection_upheld(house: House, *after: e.Event) -> None:
    case = {"account": "a", "case": "upheld"}
    house.at(1, CANCELLED, notified("a"))
    house.at(2, e.ObjectionFiled(person="p-a", **case, grounds=b"g"))
    house.at(3, e.ObjectionConfirmed(**case))
    decided = e.ObjectionDecided(person="p-a", **case, upheld=True, explanation=b"e")
    house.at(4, decided, *after)


def cancelled_by_operator(house: House, **notice: Any) -> None:
    asked = e.CancellationRequested(
        person="p-a", account="a", by="operator", ground="12", explanation=b"e"
    )
    house.at(1, asked)
    house.at(2, notified("a", **notice))


def noticed_without_address(house: House) -> None:
    house.at(0, account_without_email("b"))
    house.at(2, notified("b"))


def destroyed(house: House) -> None:
    house.at(0, recorded("early"))
    house.at(
        20 * DAYS,
        e.RecordDestroyed(
            kind="document", record="early", made_on="2025-10-09", by="b", reason="r"
        ),
    )


def played_long(house: House, minutes: int, *, shown: int = 0) -> None:
    for number, minute in enumerate(range(1, minutes + 1, 10)):
        house.played(minute, f"long{number}", until=minute + 1)
        if shown and minute < shown <= minute + 10:
            seen = e.InformationShown(
                account="a", kind="play_time", text="", play_minutes=shown, net_result=None
            )
            house.at(shown, seen)
    house.at(minutes, e.LoggedOut(session="s-a", account="a", cause="user"))


def played_while(house: House, *facts: e.Event) -> None:
    house.at(1, *facts)
    house.played(2, "r", until=3)


def sent_back(house: House, name: str, *amounts: int, method: str = "bank") -> None:
    bank = {"method": "bank", "method_class": "account"}
    house.at(1, e.DepositRefused(
        account="a", deposit=name, amount=100, code="EXCLUDED", parameters='{"ground":"register"}',
        paragraph="p", received=True, **bank,
    ))  # fmt: skip
    for amount in amounts:
        house.at(2, e.DepositReturned(
            account="a", deposit=name, amount=amount, method=method, method_class="account",
            credited=False, reason="EXCLUDED", claimed=0, name_digest="",
        ))  # fmt: skip


def cancelled_withdrawal(
    house: House, name: str, *behind: str, until: float | None = None, minute: float = 2
) -> None:
    end = until and START + int(until * MINUTE)
    house.at(0, replace(EXCLUDED, ground="own", until=end) if end else EXCLUDED)
    facts: dict[str, Any] = {"amount": 100, "method": "bank", "method_class": "account"}
    house.at(1, e.WithdrawalRequested(account="a", withdrawal=name, **facts))
    house.at(minute, e.WithdrawalCancelled(
        account="a", withdrawal=name, amount=100, reason="bank"
    ))  # fmt: skip
    for again in behind:
        house.at(3, e.WithdrawalRequested(account="a", withdrawal=again, **facts))
        house.at(4, e.WithdrawalPaid(
            account="a", withdrawal=again, document_shown=False, name_digest="", **facts
        ))  # fmt: skip


def published(house: House, series: str, digest: str) -> None:
    facts = {"series": series, "version": 1}
    house.at(1, replace(package(series), digest="built"))
    house.at(2, e.PackagePublished(**facts, digest=digest, file="", file_digest="", size=0))


def moded(house: House, *, internet: bool) -> None:
    changed = {"account": "a", "regime": "permanent", "internet": internet}
    house.at(1, e.AccountModeChanged(**changed, land_based=True))
    house.played(1, "r", until=2)


def closed_after_play(house: House, *behind: e.Event, is_evaluated: bool = True) -> None:
    """Play a round and close the account 20 days later; ``behind`` came on the fifth day."""
    chips = placed("r")
    house.opened(1, "r")
    house.at(1, chips)
    house.closed(1, "r", chips)
    if is_evaluated:
        house.resulted(1, "r")
        house.at(1, settled(chips, due=0))
    house.at(2, e.LoggedOut(session="s-a", account="a", cause="user"), CANCELLED, notified())
    if behind:
        house.at(5 * DAYS, *behind)
    money = e.BalanceReturned(account="a", amount=10**8 - 1_000, method="bank", way="account")
    house.at(20 * DAYS, money, e.AccountClosed(account="a", ground="12(4)"))
    house.at(20 * DAYS, e.ComplaintDecided(
        person="p-a", account="a", case="late", upheld=False, explanation=b"e"
    ))  # fmt: skip


def temporary(house: House, minute: float) -> None:
    """Close a temporary account of which nothing was spent."""
    house.account("b", regime="temporary", money=500)
    house.at(1, e.LoggedOut(session="s-b", account="b", cause="user"))
    money = e.BalanceReturned(account="b", amount=500, method="bank", way="account")
    house.at(minute, money, e.AccountClosed(account="b", ground="ZHH 80(1)"))


def withdrawn_twice(house: House, name: str, *, paid: bool) -> None:
    """Request two withdrawals; one ends, and is paid then."""
    bank: dict[str, Any] = {"amount": 100, "method": "bank", "method_class": "account"}
    for one in (name, f"{name}, other"):
        house.at(1, e.WithdrawalRequested(account="a", withdrawal=one, **bank))
    payment = e.WithdrawalPaid(
        account="a", withdrawal=name, document_shown=False, name_digest="", **bank
    )
    given_up = e.WithdrawalCancelled(account="a", withdrawal=name, amount=100, reason="r")
    house.at(2, payment if paid else given_up, payment)


def charged(house: House, *back: int) -> None:
    house.at(1, e.FeeCharged(account="a", fee="f", amount=100, reason="r"))
    for amount in back:
        house.at(2, e.FeeReturned(account="a", fee="f", amount=amount, reason="r"))


COMPLAINED = e.ComplaintFiled(
    person="p-a", account="a", case="late", grounds=b"g", round="", rounds=(), bets=()
)


def never_paid(house: House) -> None:
    facts: dict[str, Any] = {"method": "bank", "method_class": "account"}
    house.at(1, e.WithdrawalRequested(account="a", withdrawal="never paid", amount=100, **facts))


def refused_money(house: House) -> None:
    facts = {
        "code": "EXCLUDED",
        "parameters": '{"ground":"register"}',
        "paragraph": "p",
        "received": True,
    }
    bank = {"method": "bank", "method_class": "account"}
    house.at(1, e.DepositRefused(account="a", deposit="refused", amount=100, **facts, **bank))


def package(series: str) -> e.PackageBuilt:
    return e.PackageBuilt(
        series=series, version=1, known_at=1, cause="", files=(), rows=(), digests=(), digest="",
        settings="", software_version="",
    )  # fmt: skip


def rejected(house: House) -> None:
    series = {"series": "rejected", "version": 1}
    published = e.PackagePublished(**series, digest="", file="", file_digest="", size=0)
    house.at(1, package("rejected"), published)
    wrong = e.ConfirmationReceived(
        **series, confirmation="c", verdict="ERR", file_digest="", files=(), keys=(), columns=(),
        codes=(), messages=(), cut=False,
    )  # fmt: skip
    house.at(2, wrong)


def over_the_limit(house: House) -> None:
    chips = placed("r", stake=10**9)
    house.opened(1, "r")
    house.at(1, chips)
    house.closed(2, "r", chips)
    house.resulted(3, "r", 1)
    house.at(3, settled(chips, due=2 * 10**9))


def not_taken_back(house: House) -> None:
    paid_late(house)
    taken = e.PrizeWithheld(
        bet="r-1", account="a", round="r", amount=2_000, collected=500, claimed=500,
        paragraph="SAZKA 17(2)", cause="tampering",
    )  # fmt: skip
    house.at(5, taken)


def complained(house: House, *, upheld: bool) -> None:
    """Correct a stake after a complaint about the round; cases have no mark."""
    assert isinstance(house, Neighbour)
    case = {"person": "p-a", "account": "a", "case": f"stake{house.mark}"}
    stake_corrected(
        house,
        e.ComplaintFiled(**case, round="r", grounds=b"g", rounds=(), bets=()),
        e.ComplaintDecided(**case, upheld=upheld, explanation=b"e"),
    )


def refunded(house: House, paid_in: int, *refunds: tuple[str, str, int]) -> None:
    """Return the balance of an account to means of payment; a card paid in so much."""
    if paid_in:
        house.at(1, registered("a", "card", "card"))
        house.at(1, deposited("a", paid_in, name="c", method="card", method_class="card"))
    for method, way, amount in refunds:
        house.at(2, e.BalanceReturned(account="a", amount=amount, method=method, way=way))


def stricter_rules() -> e.OperatorRulesPublished:
    document = document_with(
        **dict.fromkeys(("cash_haler", "linked_haler", "credited_minutes", "held_days"), 1),
        **dict.fromkeys(("announced_days", "dormant_evaluated_days"), 300),
        play_minutes=1,
    )
    for period in document["periods"].values():
        period["days"] = 40
    return e.OperatorRulesPublished(name="other", rules=json.dumps(document))
