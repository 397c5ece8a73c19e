"""Measures, accounts, recordings and wheels that were neglected on purpose: each is found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import DAY, MINUTE, midnight_after, months_before
from ledger.events import event_types as e
from tests.projections.history_cases import (
    SEALED,
    VERSION,
    House,
    checked,
    notified,
    placed,
    round_opened,
    round_voided,
    rules_published,
    settled,
)
from tests.projections.projection_cases import START, Chain
from tests.projections.shared_cases import LAST, Asking, codes, found_in, together

if TYPE_CHECKING:
    from projections.store.tables import Store

DAYS = DAY // MINUTE
WHEEL = "czech_casinos.american_roulette"


def midnight(minute: float, days: int) -> int:
    return midnight_after(START + int(minute * MINUTE), days=days)


def limit(
    value: int, at: int, *, account: str = "a", measure: str = "a", change: str = "first"
) -> e.LimitSet:
    """Set a limit; what a fact says of the change is not believed."""
    return e.LimitSet(
        account=account,
        measure=measure,
        value=value,
        previous=None,
        change=change,
        effective_at=at,
    )


def removed(at: int, measure: str = "a") -> e.LimitDeclined:
    return e.LimitDeclined(account="a", measure=measure, previous=None, effective_at=at)


@dataclass
class Wish:
    minute: float
    fact: e.Event
    is_found: bool = False


@pytest.mark.law("L-43")
@pytest.mark.law("L-48")
@pytest.mark.law("L-45")
@pytest.mark.parametrize(
    "wishes",
    [
        [Wish(1, limit(100, midnight(1, 1))), Wish(2, limit(200, midnight(2, 7), change="looser"))],
        [
            Wish(1, limit(100, midnight(1, 1))),
            Wish(2, limit(200, midnight(2, 7) - 1, change="stricter"), is_found=True),
        ],
        [Wish(1, limit(100, midnight(1, 1))), Wish(2, removed(midnight(2, 1)), is_found=True)],
        [Wish(1, limit(100, midnight(1, 1))), Wish(2, removed(midnight(2, 7)))],
        [  # the pause of measure g: longer is stricter
            Wish(1, limit(60, midnight(1, 1), measure="g")),
            Wish(2 * DAYS, limit(90, midnight(2 * DAYS, 1), measure="g")),
            Wish(4 * DAYS, limit(60, midnight(4 * DAYS, 1), measure="g"), is_found=True),
        ],
        [  # a stricter one waits, and is what counts; then a looser one waits and does not
            Wish(1, limit(100, midnight(1, 1))),
            Wish(2 * DAYS, limit(50, midnight(2 * DAYS, 1))),
            Wish(2 * DAYS + 1, limit(80, midnight(2 * DAYS, 1)), is_found=True),
        ],
        [
            Wish(1, limit(100, midnight(1, 1))),
            Wish(2 * DAYS, limit(300, midnight(2 * DAYS, 7), change="looser")),
            Wish(3 * DAYS, limit(200, midnight(3 * DAYS, 1)), is_found=True),
            Wish(4 * DAYS, limit(90, midnight(4 * DAYS, 1))),
        ],
        [  # undone by a stricter one, it never binds
            Wish(1, limit(100, midnight(1, 1))),
            Wish(2 * DAYS, limit(300, midnight(2 * DAYS, 7), change="looser")),
            Wish(3 * DAYS, limit(90, midnight(3 * DAYS, 1))),
            Wish(20 * DAYS, limit(200, midnight(20 * DAYS, 1)), is_found=True),
        ],
    ],
)
@together
def test_a_measure_that_is_loosened_too_early_is_found(house: House, wishes: list[Wish]) -> Asking:
    expected = []
    for wish in wishes:
        position = house.at(wish.minute, wish.fact)
        if wish.is_found:
            expected.append(("MEASURE_LOOSENED_EARLY", position))
    assert [(one.code, one.position) for one in (yield)] == expected


def closed(house: House, minute: float) -> None:
    """Close account a, rightly."""
    house.at(
        minute - 20 * DAYS,
        e.CancellationRequested(
            person="p-a", account="a", by="participant", ground="12(4)", explanation=b""
        ),
        notified(),
    )
    returned = e.BalanceReturned(account="a", amount=10**8, method="bank", way="account")
    house.at(minute, returned, e.AccountClosed(account="a", ground="12(4)"))


@pytest.mark.law("L-46")
@pytest.mark.parametrize(
    ("days", "value", "expected"),
    [
        (1, 900, []),
        (1, 1_000, []),
        (1, 1_001, ["MEASURE_LOOSER_THAN_BEFORE"]),
        (7, 1_001, ["MEASURE_LOOSER_THAN_BEFORE"]),
        (8, 1_001, []),
    ],
)
@together
def test_looser_measures_after_closing_and_reopening_are_found(
    house: House, days: int, value: int, expected: list[str]
) -> Asking:
    """The account of before is found by its person; the new one does not name it."""
    house.at(1, limit(1_000, midnight(1, 1)))
    closed(house, 30 * DAYS)
    house.at(
        (30 + days) * DAYS,
        e.AccountOpened(
            name_digest="",
            account="b", person="p-a", regime="permanent", internet=True, land_based=False,
            plan_version=VERSION, earlier_account="",
            **SEALED,
        ),
        e.PersonVerified(account="b", what="identity", how="bank identity"),
        e.RegisterChecked(account="b", occasion="registration", answer="clear", live=True),
    )  # fmt: skip
    first = START + (30 + days) * DAY + MINUTE
    house.at((30 + days) * DAYS + 1, limit(value, first, account="b"))
    house.at((30 + days) * DAYS + 1, limit(10**9, first, account="b", measure="c"))
    assert codes((yield)) == expected


def minutes(months: int, days: float = 0) -> float:
    """Minutes from the start to as many months and days later."""
    return (months_before(START, -months) - START) / MINUTE + days * DAYS


def silent(house: House, minute: float) -> None:
    """Let time pass until something is recorded."""
    house.at(minute, checked("nobody", "other"))


@pytest.mark.law("SAZKA 12(1)")
def test_an_account_that_nobody_uses_is_to_be_cancelled(store: Store) -> None:
    """Of the accounts, one was left alone too long and two were cancelled while in use."""
    house = House(Chain())
    house.table()
    for name in ("left", "cancelled", "early", "playing"):
        house.account(name)
    house.account("young", minute=20 * DAYS)
    house.account("back", minute=0)

    def cancel(account: str, days: float) -> int:
        return house.at(
            minutes(24, days),
            e.CancellationRequested(
                person="p-a",
                account=account,
                by="operator",
                ground="12(1)b",
                explanation=b"24 months",
            ),
            notified(account),
        )

    expected = {("DORMANT_NOT_CANCELLED", "left")}
    cancel("early", -1)
    house.played(minutes(24, -10), "r", until=minutes(24, -10) + 1, account="playing")
    cancel("playing", 1)
    expected |= {("DORMANCY_NOT_GIVEN", "early"), ("DORMANCY_NOT_GIVEN", "playing")}
    cancel("back", 5)
    house.at(minutes(24, 6), e.AccountRestored(account="back", case="k"))
    cancel("cancelled", 29)
    silent(house, minutes(24, 31) + 1)
    assert {(one.code, one.account) for one in found_in(house, store)} == expected


@pytest.mark.law("SAZKA 15(1)", "SAZKA 15(3)")
def test_a_payout_is_not_kept_back_for_ever(store: Store) -> None:
    """Thirty days are assumed; from the release on, a credit has its sixty minutes."""
    house = House(Chain())
    house.table()
    house.account()
    expected = {}
    for number, (released, paid, codes_of) in enumerate(
        (
            (0, 0, ["HELD_TOO_LONG"]),
            (10, 60, []),
            (10, 61, ["CREDITED_LATE"]),
            (31, 60, ["HELD_TOO_LONG"]),
            (31, 90, ["CREDITED_LATE", "HELD_TOO_LONG"]),
        )
    ):
        name, begun = f"r{number}", 10 * number
        chips = placed(name)
        house.opened(begun, name)
        house.at(begun, chips)
        house.closed(begun + 1, name, chips)
        fields = {"round": name, "account": "a", "by": "inspector", "cause": "cameras"}
        house.at(begun + 1, e.PayoutHeld(paragraph="SAZKA 15(1)", **fields))
        house.resulted(begun + 2, name, 1)
        if released:
            house.at(released * DAYS, e.PayoutReleased(**fields))
            house.at(released * DAYS + paid, settled(chips, due=2_000))
        expected[name] = codes_of
    silent(house, 40 * DAYS)
    found = found_in(house, store)
    assert {
        name: sorted(codes([one for one in found if one.round == name])) for name in expected
    } == expected


@pytest.mark.law("L-39", "Czech Casinos, the wheel")
def test_a_round_without_recording_and_a_day_without_inspection_are_found(store: Store) -> None:
    """A table is judged from its first recording on, a wheel where its plan asks for it."""
    house = House(Chain())
    house.table()
    house.at(0, rules_published(game=WHEEL, version="unknown"))
    expected = set()
    for number in range(4):
        for table in ("t", "never recorded"):
            name = f"{table}{number}"
            position = house.opened(number, name, table=table)
            house.at(number, round_voided(name, table=table))
            if name == "t2":
                expected.add(("RECORDING_MISSING", position))
            if name in ("t1", "t3"):
                house.at(number, recorded(name))
    for day in range(4):
        for number in range(2):
            position = spun_by_hand(house, day * DAYS + number, f"w{day}{number}")
            if (day, number) == (1, 0):
                expected.add(("WHEEL_NOT_INSPECTED", position))
        if day not in (1, 3):
            house.at(day * DAYS + 3, INSPECTED)
    assert {(one.code, one.position) for one in found_in(house, store)} == expected


def recorded(name: str) -> e.RecordingKept:
    return e.RecordingKept(
        round=name,
        camera="c",
        recording="f",
        begins_at=START,
        ends_at=START + 1,
        sound=True,
        digest="",
    )


def spun_by_hand(house: House, minute: float, name: str) -> int:
    """Open a round of a wheel on land, and void it."""
    position = house.at(
        minute,
        round_opened(
            name,
            table="w",
            game=WHEEL,
            plan_version="unknown",
            devices=("s", "wheel-1"),
            device_kinds=("shoe", "wheel"),
            serials=("S", "W"),
            streamed=False,
        ),
    )
    void = e.RoundVoided(round=name, table="w", ground="no_spin_direction", paragraph="p")
    house.at(minute, void)
    return position


INSPECTED = e.DeviceInspected(
    table="w", round="", device="wheel-1", kind="wheel", by="inspector", passed=True, findings=""
)


@pytest.mark.law("L-11")
@pytest.mark.parametrize(
    ("days", "is_streamed", "late"),
    [([0, 2, 4], True, []), ([0, 4, 14], True, [0, 1]), ([0, 14], False, []), ([0], True, [0])],
)
def test_packages_that_stop_are_found(
    store: Store, days: list[int], is_streamed: bool, late: list[int]
) -> None:
    """The chain ends with the last package, or ten days after the only one."""
    house = House(Chain())
    house.opened(0, "r", streamed=is_streamed)
    built = [
        house.at(day * DAYS + 1, e.PackageBuilt(
            series=f"s-{day}", version=1, known_at=1, cause="", files=(), rows=(), digests=(),
            digest="", settings="", software_version="",
        ))
        for day in days
    ]  # fmt: skip
    if len(days) == 1:
        house.at(10 * DAYS, LAST)
    found = found_in(house, store, "PACKAGES_SILENT")
    assert [one.position for one in found] == [built[index] for index in late]
