"""A careless operator: what the law forbids, recorded by a writer without decisions.

The write side decides nothing here: events are linked into a chain as they are, so that the read
side has something to find. One breach after the other, each of a participant or table of its own;
the rest of the history is lawful.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ledger.chain import FORMAT_VERSION, HASH_ALGORITHM, link
from ledger.core.clock import DAY, HOUR, MINUTE, SECOND, midnight_after
from ledger.events import event_types as e
from ledger.rules.operator import rules_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.log.port import Log

__all__ = ["Breach", "breaches"]

GAME, VERSION = "sazka.roulette_evolution", "2025-01-21"
SEALED = dict.fromkeys(("name", "birth_date", "address", "email", "document"), b"sealed")
LEANING_SPINS = 30
AFTERWARDS = 40 * DAY
"""Until everything that had a day to be done by is overdue."""


@dataclass(frozen=True, slots=True)
class Breach:
    """A recorded violation of the law, and the finding that it must lead to."""

    family: str
    what: str
    finding: str


def breaches(log: Log, moment: int) -> tuple[Breach, ...]:
    """Record a history of breaches in an empty log, from a moment on; return what they are."""
    hand = _Hand(log, moment)
    found = tuple(_recorded(hand))
    hand.log_out()
    hand.wait(AFTERWARDS)
    hand.write(e.ClockMeasured(source_of_time="ntp", skew=3 * SECOND, uncertainty=0))
    clock = Breach("clock of the record", "three seconds from its source", "CLOCK_APART")
    return (*found, clock)


def _recorded(hand: _Hand) -> Iterator[Breach]:
    """Record the breaches, family by family."""
    yield from _of_settlement(hand)
    yield from _of_rounds(hand)
    yield from _of_protection(hand)
    yield from _of_money(hand)
    yield from _of_operation(hand)


def _of_settlement(hand: _Hand) -> Iterator[Breach]:
    bet = hand.bet("paid")
    hand.play(bet, number=1, paid=bet.stake)
    yield Breach("settlement", "red wins, and its stake alone is paid", "PAID_TOO_LITTLE")
    bet = hand.bet("wrong-number")
    hand.play(bet, number=2, seen=17)
    yield Breach("round", "another number than the ball fell into", "RESULT_NOT_LANDED")


def _of_rounds(hand: _Hand) -> Iterator[Breach]:
    bet = hand.bet("late", stake=2_000)
    hand.open(bet.round)
    hand.close(bet.round)
    hand.write(bet, hand.concluded(bet))
    hand.result(bet.round, 2)
    hand.settle(bet)
    yield Breach("bet", "chips placed behind the close", "BET_AFTER_CLOSE")
    for number in range(2):
        bet = hand.bet(f"camera-{number}", table="filmed")
        hand.play(bet)
        if not number:
            kept: dict[str, Any] = {"begins_at": hand.moment - MINUTE, "ends_at": hand.moment}
            hand.write(
                e.RecordingKept(
                    round=bet.round, camera="c", recording="f", sound=True, digest="", **kept
                )
            )
    yield Breach("record", "a round of a filmed table without its recording", "RECORDING_MISSING")
    for number in range(LEANING_SPINS):
        hand.open(f"lean-{number}", table="leaning")
        hand.close(f"lean-{number}", table="leaning")
        hand.result(f"lean-{number}", 17, table="leaning")
    yield Breach("fairness", f"a wheel that shows 17 {LEANING_SPINS} times", "RESULTS_LEAN")


def _of_protection(hand: _Hand) -> Iterator[Breach]:
    hand.account("asked-nobody", register="")
    yield Breach("register", "a login without asking the register", "REGISTER_NOT_ASKED")
    now = hand.moment
    limit: dict[str, Any] = {"account": "loose", "measure": "a", "previous": None}
    bet = hand.bet("loose", stake=200_000)
    hand.write(e.LimitSet(value=100_000, change="first", effective_at=now, **limit))
    hand.play(bet)
    yield Breach("measures", "a bet over the stakes of a day", "MEASURE_PASSED")
    tomorrow = midnight_after(hand.moment)
    hand.write(e.LimitSet(value=900_000, change="looser", effective_at=tomorrow, **limit))
    yield Breach("measures", "a looser measure from tomorrow on", "MEASURE_LOOSENED_EARLY")
    bet = hand.bet("tired")
    hand.open(bet.round)
    hand.write(bet)
    hand.close(bet.round, bet)
    hand.wait(121 * MINUTE)
    hand.result(bet.round, 2)
    hand.settle(bet)
    hand.play(hand.bet("tired", "again"))
    yield Breach("clock of play", "a bet within the break after 120 minutes", "BREAK_VIOLATED")
    yield Breach("clock of play", "play without the time of play shown", "INFORMATION_NOT_SHOWN")
    bet, other = hand.bet("everywhere"), hand.bet("everywhere", "beside", table="second")
    for one in (bet, other):
        hand.open(one.round, table=one.table)
        hand.write(one)
        hand.close(one.round, one, table=one.table)
    for one in (bet, other):
        hand.result(one.round, 2, table=one.table)
        hand.settle(one)
    yield Breach("tables", "bets at two streamed tables at once", "TWO_TABLES")
    bet = hand.bet("panicked")
    until = hand.moment + 48 * HOUR
    pressed = e.PanicButtonPressed(account="panicked", until=until, channel="web")
    offered = e.LongExclusionOffered(account="panicked", answer="declined")
    hand.write(pressed, offered)
    hand.play(bet)
    yield Breach("panic button", "a bet within the 48 hours", "BET_WHILE_PANIC")
    yield Breach("panic button", "a press that the ministry never learns of", "PANIC_NOT_REPORTED")


def _of_money(hand: _Hand) -> Iterator[Breach]:
    hand.account("cash")
    cash: dict[str, Any] = {"method": "cash", "method_class": "cash", "document_shown": True}
    hand.write(
        e.DepositCredited(account="cash", deposit="cash", amount=1_500_000, name_digest="", **cash)
    )
    yield Breach("cash", "15,000 CZK in cash on a day", "CASH_LIMIT_PASSED")
    hand.account("listed", money=1_000)
    hand.write(e.ExclusionImposed(account="listed", ground="register", until=None))
    listed: dict[str, Any] = {"method": "bank", "method_class": "account", "document_shown": False}
    hand.write(
        e.DepositCredited(
            account="listed", deposit="listed", amount=100_000, name_digest="", **listed
        )
    )
    yield Breach("register", "a deposit of an excluded participant", "DEPOSIT_WHILE_EXCLUDED")
    hand.account("rich", money=6_000_000)
    yield Breach("money laundering", "60,000 CZK without a check of the person", "CHECK_NOT_DONE")
    hand.account("books")
    figures = (
        "opening deposits withdrawals fees stakes winnings corrections closing reserved in_play"
    )
    statement = dict.fromkeys(figures.split(), 0) | {"deposits": 1_000_000, "closing": 900_000}
    hand.write(
        e.AccountStatement(
            account="books", gaming_day="2026-11-20", state_version=1, state="", **statement
        )
    )
    yield Breach("books", "a statement that differs from the postings", "STATEMENT_WRONG")
    hand.account("bonus")
    hand.write(e.BonusGranted(account="bonus", bonus="welcome", amount=10_000))
    yield Breach("bonuses", "a bonus without announced terms", "BONUS_NOT_ANNOUNCED")


def _of_operation(hand: _Hand) -> Iterator[Breach]:
    hand.account("complained")
    hand.write(
        e.ComplaintFiled(
            account="complained",
            case="k-1",
            person="p-complained",
            round="",
            grounds=b"",
            rounds=(),
            bets=(),
        )
    )
    yield Breach("complaints", "a complaint without an answer in 30 days", "COMPLAINT_OVERDUE")
    hand.account("leaving")
    hand.write(
        e.CancellationRequested(
            account="leaving", person="p-leaving", by="participant", ground="12(4)", explanation=b""
        )
    )
    yield Breach("cancellation", "a request to close without a receipt", "RECEIPT_NOT_SENT")
    hand.account("erased")
    hand.write(e.PersonErased(person="p-erased", account="erased", fields=("name",)))
    yield Breach("personal data", "a participant with an account is erased", "ERASED_TOO_EARLY")
    hand.write(
        e.RoundOpened(
            round="unpublished",
            table="t",
            game=GAME,
            plan_version="2019-01-01",
            **_opening("unpublished"),
        ),
        e.RoundVoided(round="unpublished", table="t", ground="g", paragraph="p"),
    )
    yield Breach("rules", "a round under rules that were not published", "RULES_NOT_IN_FORCE")
    hand.write(e.CasinoHoursBegan(place="casino"))
    yield Breach("hours", "a casino that opens its doors without tables", "TOO_FEW_TABLES")
    _count_short(hand)
    yield Breach("floor of a casino", "a cage counted 500 CZK short", "COUNT_DIFFERS")


def _count_short(hand: _Hand) -> None:
    """Record an operating day whose cage has less at its end than came in."""
    day = {"place": "casino", "day": "2026-11-20"}
    section: dict[str, Any] = {"section": "c-1", "station_kind": "cage", "station": "c"}
    counted: dict[str, Any] = {
        "place": "casino", "section": "c-1", "station": "c", "means": "cash", "till": "cage:c",
        "currency": "CZK", "denominations": (), "pieces": (), "counted_by": "nobody",
    }  # fmt: skip
    before: dict[str, Any] = {"stage": "opening", "amount": 100_000, "expected": 0}
    after: dict[str, Any] = {"stage": "closing", "amount": 50_000, "expected": 100_000}
    hand.write(e.OperatingDayOpened(**day))
    hand.write(e.SectionOpened(**day, **section, game="", currency=""))
    hand.write(e.CageCounted(against="stock", **before, **counted))
    hand.write(e.CageCounted(against="differences", **after, **counted))
    hand.write(e.SectionClosed(**day, **section, currency="", result=None))
    hand.write(e.OperatingDayClosed(**day, books_kinds=(), books_amounts=()))


def _opening(name: str) -> dict[str, Any]:
    return {
        "dealer": f"dealer of {name}", "shoe": "", "registration": "1", "devices": (),
        "device_kinds": (), "serials": (), "wheel_turned": "", "streamed": True,
    }  # fmt: skip


class _Hand:
    """Write events in order, without checking them."""

    def __init__(self, log: Log, moment: int) -> None:
        """Begin a chain, with rules in force and tables."""
        self.log, self.moment = log, moment
        self._accounts = set[str]()
        chain = "sazka-live/careless"
        opened = {"operator": "26493993", "operator_name": "A careless operator", "chain": chain}
        self.write(
            e.ChainOpened(format_version=FORMAT_VERSION, hash_algorithm=HASH_ALGORITHM, **opened),
            rules_for(opened["operator"]).event,
        )
        self.write(
            e.RulesPublished(
                game=GAME, plan_version=VERSION, effective_from=moment, document_digest="",
                rules="", document="",
            )
        )  # fmt: skip
        for table in ("t", "second", "filmed", "leaning"):
            facts = {"registration": "1", "game": GAME, "place": "studio"}
            self.write(e.TableOpened(table=table, streamed=True, **facts))

    def wait(self, length: int) -> None:
        """Advance the clock."""
        self.moment += length

    def write(self, *events: e.Event) -> None:
        """Record events without a decision; a second passes."""
        self.wait(SECOND)
        head = self.log.head()
        messages, _ = link(
            head,
            events,
            command_id=head.size.to_bytes(16, "big"),
            command_digest=bytes(16),
            recorded_at=self.moment,
            occurred_at=self.moment,
            actor="nobody",
            source="careless",
        )
        self.log.append(messages)

    def account(self, name: str, *, money: int = 1_000_000, register: str = "clear") -> None:
        """Open an account, put money on it, and log in."""
        if name in self._accounts:
            return
        self._accounts.add(name)
        self.write(
            e.AccountOpened(
                account=name, person=f"p-{name}", regime="permanent", internet=True,
                land_based=False, plan_version=VERSION, earlier_account="", name_digest="",
                **SEALED,
            ),
            e.PersonVerified(account=name, what="identity", how="bank identity"),
            e.RegisterChecked(account=name, occasion="registration", answer="clear", live=True),
        )  # fmt: skip
        bank: dict[str, Any] = {"method": "bank", "method_class": "account"}
        self.write(
            e.PaymentMethodRegistered(
                account=name, masked="**1", country="CZ", verified_how="test_payment", **bank
            ),
            *(
                e.LimitDeclined(
                    account=name, measure=letter, previous=None, effective_at=self.moment
                )
                for letter in ("bcdefg" if name == "loose" else "abcdefg")
            ),
            e.DepositCredited(
                account=name,
                deposit=f"d-{name}",
                amount=money,
                document_shown=False,
                name_digest="",
                **bank,
            ),
        )
        asked = e.RegisterChecked(account=name, occasion="login", answer=register, live=True)
        logged_in = e.LoggedIn(session=f"s-{name}", account=name, mode="full", reason="")
        self.write(*([asked] if register else []), logged_in)

    def log_out(self) -> None:
        """Log out each participant."""
        for name in sorted(self._accounts):
            self.write(e.LoggedOut(session=f"s-{name}", account=name, cause="user"))

    def bet(
        self, account: str, name: str = "", *, table: str = "t", stake: int = 10_000
    ) -> e.BetPlaced:
        """Make chips on red, for a round of their own."""
        self.account(account)
        name = name or account
        return e.BetPlaced(
            bet=f"{name}-1", account=account, round=name, table=table, box="", bet_code="red",
            selection="", wording="červená", stake=stake, parent="",
        )  # fmt: skip

    def concluded(self, bet: e.BetPlaced) -> e.BetConcluded:
        """Make the bet of some chips."""
        return e.BetConcluded(
            bet=bet.bet, account=bet.account, round=bet.round, table=bet.table, amount=bet.stake
        )

    def open(self, name: str, *, table: str = "t") -> None:
        """Open a round."""
        facts = {"game": GAME, "plan_version": VERSION, **_opening(name)}
        self.write(e.RoundOpened(round=name, table=table, **facts))

    def close(self, name: str, *bets: e.BetPlaced, table: str = "t") -> None:
        """Spin, and close with these bets."""
        spun = {"wheel_direction": "clockwise", "ball_direction": "counterclockwise"}
        self.write(e.WheelSpun(round=name, revolutions=9, **spun))
        stakes = sum(bet.stake for bet in bets)
        closed = e.BetsClosed(round=name, table=table, bets=len(bets), stakes=stakes)
        self.write(closed, *map(self.concluded, bets))

    def result(self, name: str, number: int, *, table: str = "t", seen: int | None = None) -> None:
        """Spin the ball, and record a result."""
        self.write(e.BallLanded(round=name, number=number if seen is None else seen))
        self.write(
            e.RoundResulted(
                round=name, table=table, outcome=json.dumps({"number": number}),
                wording=str(number), streamed=True, accounts=(),
            )
        )  # fmt: skip

    def settle(self, bet: e.BetPlaced, *, due: int = 0, paid: int | None = None) -> None:
        """Pay what is due, or something else."""
        result = "win" if due else "lose"
        self.write(
            e.BetSettled(
                bet=bet.bet, account=bet.account, round=bet.round, result=result, stake=bet.stake,
                due=due, paid=due if paid is None else paid, rule="22",
            )
        )  # fmt: skip

    def play(
        self, bet: e.BetPlaced, *, number: int = 2, paid: int | None = None, seen: int | None = None
    ) -> None:
        """Play a round with one bet on red, from its opening to its settlement."""
        self.open(bet.round, table=bet.table)
        self.write(bet)
        self.close(bet.round, bet, table=bet.table)
        self.result(bet.round, number, table=bet.table, seen=seen)
        self.settle(bet, due=2 * bet.stake if number == 1 else 0, paid=paid)
