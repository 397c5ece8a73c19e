"""Bets over a measure in force at their conclusion: examples, and a plain fold at random."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.clock import DAY, HOUR, MINUTE, midnight_after
from ledger.events import event_types as e
from projections.reconciliation.reconcile import reconcile
from tests.measures_twin import Breach, MeasuresTwin
from tests.projections.history_cases import House, concluded, placed, project, settled, voided
from tests.projections.projection_cases import Chain
from tests.search import amount

if TYPE_CHECKING:
    from projections.store.tables import Store

CODES = frozenset({"MEASURE_PASSED", "LOGIN_TIME_PASSED", "PAUSE_VIOLATED"})


def found(chain: Chain, store: Store) -> list[Breach]:
    """Give what reconciliation finds; in the twin's form and order."""
    project(chain, store)
    rows = store.rows(
        "SELECT code, position, account, bet, detail, amount "
        "FROM measure_findings(size = {size:Int64})",
        size=len(chain.messages),
    )
    letters = {"LOGIN_TIME_PASSED": "f", "PAUSE_VIOLATED": "g"}
    return sorted(
        Breach(
            row["code"],
            row["position"],
            row["account"],
            row["bet"],
            letters.get(row["code"], row["detail"]),
            row["amount"],
        )
        for row in rows
    )


def reported(store: Store) -> set[str]:
    """Give the codes of these findings that a user is shown."""
    return {one.code for one in reconcile(store, only=CODES)}


def limit(
    measure: str, value: int, at: int, change: str = "first", *, account: str = "a"
) -> e.LimitSet:
    days = {"stricter": 1, "looser": 7}
    effective_at = midnight_after(at, days=days[change]) if change in days else at
    return e.LimitSet(
        account=account,
        measure=measure,
        value=value,
        previous=None,
        change=change,
        effective_at=effective_at,
    )


def corrected(difference: int, claimed: int, account: str = "a") -> e.BetCorrected:
    """Correct the stake of a bet of long ago; the wallet did not hold what is claimed."""
    return e.BetCorrected(
        bet="r-1",
        account=account,
        round="r",
        difference=difference,
        claimed=claimed,
        cause="c",
    )


@pytest.mark.law("SAZKA 7(1)")
@pytest.mark.law("SAZKA 13(2)", "L-47")
def test_a_bet_is_judged_by_the_measure_of_its_conclusion(store: Store) -> None:
    """Two bets, each placed a minute before midnight and concluded a minute after."""
    chain = Chain()
    house = House(chain)
    house.table()
    house.account()
    noon = chain.moment
    house.at(1, limit("a", 5_000, noon), limit("b", 10**9, noon))
    house.at(2, limit("a", 1_500, noon, "stricter"))
    to_midnight = (midnight_after(noon) - noon) / MINUTE
    house.opened(to_midnight - 2, "r")
    first, second = placed("r", 1), placed("r", 2)
    house.at(to_midnight - 1, first, second)
    position = house.closed(to_midnight + 1, "r", first, second)
    house.resulted(to_midnight + 2, "r")
    house.at(to_midnight + 2, *(settled(bet, due=0) for bet in (first, second)))
    project(chain, store)
    (one,) = reconcile(store, only=CODES)
    assert (one.code, one.position, one.bet, one.amount) == (
        "MEASURE_PASSED", position + 2, "r-2", 500,
    )  # fmt: skip
    assert one.sentence == "The bet passed self-restricting measure a by 5.00 CZK."
    assert found(chain, store) == MeasuresTwin.of(chain.messages).breaches


def test_a_stake_after_a_claim_was_settled_is_judged_with_it(store: Store) -> None:
    """1000 of 1500 are lost by a correction, 500 are claimed and settled; then 100 more are bet."""
    chain = Chain()
    house = House(chain)
    house.account()
    house.at(1, limit("c", 1_500, chain.moment), limit("a", 1_100, chain.moment))
    house.at(2, corrected(1_500, claimed=500))
    bet = placed("q", stake=100)
    house.at(3, bet)
    house.at(4, concluded(bet))
    house.at(5, e.ClaimSettled(account="a", amount=500, way="wallet", reason="r"))
    late = placed("q", 2, stake=100)
    house.at(6, late)
    position = house.at(7, concluded(late))
    breaches = [
        Breach("MEASURE_PASSED", position, "a", "q-2", "a", 100),
        Breach("MEASURE_PASSED", position, "a", "q-2", "c", 200),
    ]
    assert found(chain, store) == breaches
    assert MeasuresTwin.of(chain.messages).breaches == breaches


@pytest.mark.law("SAZKA 8(5)")
@pytest.mark.law("L-47")
@pytest.mark.parametrize(("left", "is_passed"), [(100, False), (101, True)])
def test_the_month_goes_on_with_the_next_account(
    store: Store, left: int, *, is_passed: bool
) -> None:
    """900 of 1000 are lost with the first account of the person; somebody else lost as much."""
    chain = Chain()
    house = House(chain)
    house.account("c")
    house.account(person="p")
    for minute, account in enumerate("ac", 1):
        bet = placed(f"r{account}", account=account, stake=900)
        house.at(minute, bet)
        house.at(minute, concluded(bet))
    house.at(5, e.AccountClosed(account="a", ground="12(6)"))
    house.account("b", person="p", minute=6)
    house.at(7, limit("d", 1_000, chain.moment, account="b"))
    late = placed("q", account="b", stake=left)
    house.at(8, late)
    position = house.at(9, concluded(late))
    passed = Breach("MEASURE_PASSED", position, "b", "q-1", "d", 1)
    assert found(chain, store) == ([passed] if is_passed else [])
    assert reported(store) == ({"MEASURE_PASSED"} if is_passed else set())


@pytest.mark.law("L-43")
@pytest.mark.law("SAZKA 13(2)")
@pytest.mark.law("SAZKA 8(5)")
@pytest.mark.law("SAZKA 7(1)")
@pytest.mark.law("L-48")
@pytest.mark.parametrize(("minute", "is_early"), [(34, True), (35, False)])
def test_pause_and_login_time_go_on_with_the_next_account(
    store: Store, minute: float, *, is_early: bool
) -> None:
    """The first account was logged in for 5 minutes; the second bets in its first minute."""
    chain = Chain()
    house = House(chain)
    house.account(person="p")
    house.at(5, e.LoggedOut(session="s-a", account="a", cause="automatic"))
    house.at(5, e.AccountClosed(account="a", ground="12(6)"))
    house.account("b", person="p", minute=minute)
    house.at(minute, limit("f", 5, chain.moment, account="b"))
    house.at(minute, limit("g", 30, chain.moment, account="b"))
    bet = placed("q", account="b")
    house.at(minute, bet)
    position = house.at(minute, concluded(bet))
    time = Breach("LOGIN_TIME_PASSED", position, "b", "q-1", "f", 0)
    pause = Breach("PAUSE_VIOLATED", position, "b", "q-1", "g", 0)
    assert found(chain, store) == ([time, pause] if is_early else [time])
    assert reported(store) == ({time.code, pause.code} if is_early else {time.code})


# Random histories

GAPS = (1, MINUTE, 20 * MINUTE, HOUR, 5 * HOUR, 11 * HOUR, DAY, 4 * DAY)
KINDS = """
    bet bet bet bet void win hand hand back misdeal enter leave limit decline log log
    correct claim switch
"""
VALUES = {**dict.fromkeys("abcd", (0, 1_000, 3_000, 9_000)), **dict.fromkeys("fg", (0, 30, 900))}


class Walk:
    """Turns chance into events; nothing stops it from breaking a measure."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.chain = Chain()
        self.session = ""
        self.bets: list[e.BetPlaced] = []
        self.hands: dict[str, int] = {}
        self.entries: list[tuple[str, int]] = []
        house = House(self.chain)
        for account in "ab":
            house.account(account, person="p")
        self.account, self.session = "b", "s-b"
        self.switch()

    def step(self) -> None:
        self.chain.moment += self.draw.choice(GAPS)
        getattr(self, self.draw.choice(KINDS.split()))()

    def put(self, *events: e.Event) -> None:
        self.chain.decide(*events)

    def amount(self) -> int:
        return self.draw.randrange(1, 30) * 100

    def name(self) -> str:
        return f"r{self.chain.head.size}"

    def bet(self) -> None:
        bet = placed(self.name(), account=self.account, stake=self.amount())
        self.bets.append(bet)
        self.put(bet)
        self.chain.moment += self.draw.choice(GAPS)
        self.put(concluded(bet))

    def one_bet(self) -> e.BetPlaced | None:
        return self.bets.pop(self.draw.randrange(len(self.bets))) if self.bets else None

    def void(self) -> None:
        if bet := self.one_bet():
            self.put(voided(bet))

    def win(self) -> None:
        if bet := self.one_bet():
            self.put(settled(bet, due=self.amount()))

    def correct(self) -> None:
        """Correct the stake of a bet by a difference of which the wallet holds a part."""
        difference = self.draw.choice((1, -1)) * self.amount()
        claimed = self.draw.randrange(max(difference, 0) + 1)
        self.put(corrected(difference, claimed, account=self.account))

    def claim(self) -> None:
        way = self.draw.choice(("wallet", "outside"))
        self.put(e.ClaimSettled(account=self.account, amount=self.amount(), way=way, reason="r"))

    def switch(self) -> None:
        """Go on with the other account of the person."""
        if self.session:
            self.log()
        self.account = "b" if self.account == "a" else "a"

    def hand(self) -> None:
        name = self.draw.choice([*self.hands, self.name()])
        self.hands[name] = self.hands.get(name, 0) + (amount := self.amount())
        self.put(
            e.HandAction(
                round=name,
                table="x",
                tournament="",
                bet=f"{name}-1",
                account=self.account,
                street="flop",
                action="bet",
                amount=amount,
                total=amount,
                in_hand=amount,
                all_in=False,
                by="player",
                asked_at=0,
                until=0,
            )
        )

    def back(self) -> None:
        if self.hands:
            name, money = self.hands.popitem()
            back = self.draw.randrange(1, money + 1)
            fields: dict[str, Any] = {"bet": f"{name}-1", "account": self.account, "amount": back}
            self.put(e.UncalledReturned(round=name, table="x", tournament="", **fields))

    def misdeal(self) -> None:
        if self.hands:
            name, money = self.hands.popitem()
            self.put(
                e.MisdealDeclared(
                    round=name,
                    table="x",
                    tournament="",
                    ground="g",
                    paragraph="p",
                    acted=1,
                    accounts=(self.account,),
                    bets=(f"{name}-1",),
                    amounts=(money,),
                )
            )

    def enter(self) -> None:
        entry = f"t-{self.chain.head.size}"
        self.entries.append((entry, amount := self.amount()))
        self.put(
            e.TournamentEntryPaid(
                tournament="t",
                entry=entry,
                account=self.account,
                kind="buy_in",
                amount=amount,
                chips=0,
            )
        )

    def leave(self) -> None:
        if self.entries:
            entry, amount = self.entries.pop()
            fields = {"cause": "withdrawn", "paragraph": "p"}
            self.put(
                e.TournamentEntryReturned(
                    tournament="t", entry=entry, account=self.account, amount=amount, **fields
                )
            )

    def limit(self) -> None:
        measure = self.draw.choice("abcdfg")
        change = self.draw.choice(("first", "stricter", "looser"))
        at = self.chain.moment + 1_000
        value = self.draw.choice(VALUES[measure])
        self.put(limit(measure, value, at, change, account=self.account))

    def decline(self) -> None:
        at = self.chain.moment + 1_000
        effective_at = self.draw.choice((at, midnight_after(at, days=7)))
        measure = self.draw.choice("abcdfg")
        self.put(
            e.LimitDeclined(
                account=self.account, measure=measure, previous=0, effective_at=effective_at
            )
        )

    def log(self) -> None:
        if self.session:
            self.put(e.LoggedOut(session=self.session, account=self.account, cause="user"))
            self.session = ""
        else:
            self.session = f"s-{self.chain.head.size}"
            self.put(e.LoggedIn(session=self.session, account=self.account, mode="full", reason=""))


@pytest.mark.law("SAZKA 8(5)", "L-47")
@pytest.mark.parametrize("seed", [0, 2, 5, 7][: amount(2, 4)])
def test_findings_agree_with_a_plain_fold(store: Store, seed: int) -> None:
    walk = Walk(seed)
    for _ in range(500):
        walk.step()
    twin = MeasuresTwin.of(walk.chain.messages)
    assert {breach.measure for breach in twin.breaches} == set("abcdfg")
    assert found(walk.chain, store) == sorted(twin.breaches)
