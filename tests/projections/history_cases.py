"""Histories for the queries: events at given moments, and the real write side driven by JSON."""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol

from ledger.core.clock import MINUTE, StoppedClock
from ledger.decisions.decider import decode_command
from ledger.events import event_types as e
from ledger.log.memory import MemoryLog
from ledger.privacy import KeyStore
from ledger.rules.operator import rules_for
from ledger.writer import Ledger
from projections.store.projector import Projector
from tests.projections.projection_cases import START, Chain

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.log.port import Log
    from ledger.writer import Receipt
    from projections.store.tables import Store

GAME = "sazka.roulette_evolution"
VERSION = "2025-01-21"
DEPOSITS = count(1)
"""Names of deposits that a test leaves open."""
SEALED = dict.fromkeys(("name", "birth_date", "address", "email", "document"), b"sealed")
PARTS = ("ground", "objection", "email_address", "postal_address")


def record(chain: Chain, moment: int, *events: e.Event) -> int:
    """Add a decision recorded at a moment; return the position of its first event."""
    chain.moment = moment - 1_000
    position = chain.head.size
    chain.decide(*events)
    return position


def project(chain: Chain, store: Store) -> None:
    """Project a chain; nothing crashed before, so that nothing is looked for and repaired."""
    projector = Projector(chain.log(), store)
    projector._head = store.head
    projector.catch_up()


def filled(store: Store) -> list[str]:
    """Return the names of the tables that have rows."""
    rows = store.rows(
        "SELECT name FROM system.tables WHERE database = currentDatabase() AND total_rows > 0"
    )
    return [row["name"] for row in rows]


def emptied(store: Store) -> Store:
    """Take all rows out of tables that a test has for itself."""
    for table in filled(store):
        store.command(f"TRUNCATE TABLE {table}")
    return store


def round_opened(
    name: str,
    *,
    table: str,
    streamed: bool,
    game: str = GAME,
    plan_version: str = VERSION,
    **facts: Any,
) -> e.RoundOpened:
    """Return a round that is opened by dealer d, without devices unless ``facts`` name them."""
    plain: dict[str, Any] = {"dealer": "d", "shoe": "", "registration": "1", "wheel_turned": ""}
    plain |= dict.fromkeys(("devices", "device_kinds", "serials"), ())
    opened = {"round": name, "table": table, "game": game, "plan_version": plan_version}
    return e.RoundOpened(streamed=streamed, **opened, **(plain | facts))


class House:
    """Events of a small casino, made by hand so that they may break every rule.

    Moments are minutes after ``START``, with microseconds on top where they matter.
    """

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        self.at(
            0,
            e.ChainOpened(
                operator="26493993",
                operator_name="o",
                chain="c",
                format_version=1,
                hash_algorithm="RFC6962-SHA256",
            ),
            rules_for("", "sazka").event,
        )
        self.at(0, rules_published())

    def at(self, minute: float, *events: e.Event, micros: int = 0) -> int:
        return record(self.chain, START + int(minute * MINUTE) + micros, *events)

    def table(self, name: str = "t", *, streamed: bool = True) -> None:
        self.at(
            0,
            e.TableOpened(table=name, registration="r", game=GAME, place="p", streamed=streamed),
        )

    def account(
        self,
        name: str = "a",
        *,
        money: int = 10**8,
        person: str = "",
        regime: str = "permanent",
        minute: float = 0,
        is_checked: bool = True,
    ) -> None:
        self.at(
            minute,
            e.AccountOpened(
                name_digest="",
                account=name,
                person=person or f"p-{name}",
                regime=regime,
                internet=True,
                land_based=False,
                plan_version=VERSION,
                earlier_account="",
                **SEALED,
            ),
            e.PersonVerified(account=name, what="identity", how="bank identity"),
            checked(name, "registration"),
        )
        self.at(minute, registered(name))
        self.at(minute, *(declined(name, measure) for measure in "abcdefg"))
        if is_checked:
            self.at(minute, e.PersonChecked(account=name, check="control", how="document"))
        self.at(minute, deposited(name, money))
        self.at(minute, *logged_in(name))

    def opened(self, minute: float, name: str, *, table: str = "t", streamed: bool = True) -> int:
        return self.at(
            minute,
            round_opened(name, table=table, streamed=streamed),
        )

    def closed(self, minute: float, name: str, *bets: e.BetPlaced, table: str = "t") -> int:
        """Spin, and close with these bets."""
        self.at(minute, spun(name))
        return self.at(
            minute,
            e.BetsClosed(
                round=name, table=table, bets=len(bets), stakes=sum(bet.stake for bet in bets)
            ),
            *(concluded(bet) for bet in bets),
        )

    def resulted(
        self, minute: float, name: str, number: int = 17, *, table: str = "t", micros: int = 0
    ) -> int:
        """Let the ball fall, and record the result."""
        self.at(minute, e.BallLanded(round=name, number=number), micros=micros)
        return self.at(
            minute,
            e.RoundResulted(
                round=name,
                table=table,
                outcome=json.dumps({"number": number}),
                wording=str(number),
                streamed=True,
                accounts=(),
            ),
            micros=micros,
        )

    def played(
        self, minute: float, name: str, *, until: float, number: int = 17, **bet: Any
    ) -> e.BetPlaced:
        """Play a round with one bet: placed at a minute, evaluated and settled at another."""
        self.opened(minute, name)
        chips = placed(name, **bet)
        self.at(minute, chips)
        self.closed(minute, name, chips)
        self.resulted(until, name, number)
        self.at(until, settled(chips, due=2 * chips.stake if number == 1 else 0))
        return chips


def rules_published(
    effective_from: int = START - 1, version: str = VERSION, *, game: str = GAME
) -> e.RulesPublished:
    return e.RulesPublished(
        game=game,
        plan_version=version,
        effective_from=effective_from,
        document_digest="",
        rules="",
        document="",
    )


def checked(account: str, occasion: str = "login", answer: str = "clear") -> e.RegisterChecked:
    return e.RegisterChecked(account=account, occasion=occasion, answer=answer, live=True)


def logged_in(account: str, session: str = "", mode: str = "full") -> tuple[e.Event, e.Event]:
    """Ask the register, and log in."""
    return checked(account), e.LoggedIn(
        session=session or f"s-{account}", account=account, mode=mode, reason=""
    )


def notified(account: str = "a", **facts: Any) -> e.CancellationConfirmed:
    """Send the notice or receipt of a cancellation, whole and by e-mail."""
    known: dict[str, Any] = {"person": "p-a", "notice": "", "words": b"n"}
    known |= {"objections_until": 0, "way": "email", "parts": PARTS}
    return e.CancellationConfirmed(account=account, **known | facts)


def declined(account: str, measure: str) -> e.LimitDeclined:
    return e.LimitDeclined(account=account, measure=measure, previous=None, effective_at=START)


def placed(
    name: str,
    number: int = 1,
    *,
    account: str = "a",
    stake: int = 1_000,
    code: str = "red",
    selection: Any = None,
    parent: str = "",
    table: str = "t",
) -> e.BetPlaced:
    return e.BetPlaced(
        bet=f"{name}-{number}",
        account=account,
        round=name,
        table=table,
        box="",
        bet_code=code,
        selection="" if selection is None else json.dumps(selection),
        wording=code,
        stake=stake,
        parent=parent,
    )


def concluded(bet: e.BetPlaced) -> e.BetConcluded:
    return e.BetConcluded(
        bet=bet.bet, account=bet.account, round=bet.round, table=bet.table, amount=bet.stake
    )


def settled(bet: e.BetPlaced, *, due: int, paid: int | None = None) -> e.BetSettled:
    return e.BetSettled(
        bet=bet.bet,
        account=bet.account,
        round=bet.round,
        result="win" if due else "lose",
        stake=bet.stake,
        due=due,
        paid=due if paid is None else paid,
        rule="22",
    )


def withdrawn(bet: e.BetPlaced) -> e.BetWithdrawn:
    return e.BetWithdrawn(bet=bet.bet, account=bet.account, round=bet.round, amount=bet.stake)


def voided(bet: e.BetPlaced) -> e.BetVoided:
    return e.BetVoided(
        bet=bet.bet,
        account=bet.account,
        round=bet.round,
        amount=bet.stake,
        ground="operator_interruption",
        paragraph="SAZKA 14(3)",
    )


def round_voided(name: str, *, table: str = "t") -> e.RoundVoided:
    return e.RoundVoided(
        round=name, table=table, ground="operator_interruption", paragraph="SAZKA 14(3)"
    )


def spun(
    name: str, *, turns: int = 9, one_direction: bool = False, way: str = "clockwise"
) -> e.WheelSpun:
    other = "counterclockwise" if way == "clockwise" else "clockwise"
    return e.WheelSpun(
        round=name,
        wheel_direction=way,
        ball_direction=way if one_direction else other,
        revolutions=turns,
    )


def registered(
    account: str, method: str = "bank", method_class: str = "account"
) -> e.PaymentMethodRegistered:
    return e.PaymentMethodRegistered(
        account=account,
        method=method,
        method_class=method_class,
        masked="**1",
        country="CZ",
        verified_how="test_payment",
    )


def deposited(
    account: str,
    amount: int,
    *,
    method: str = "bank",
    method_class: str = "account",
    name: str = "",
    shown: bool = False,
) -> e.DepositCredited:
    return e.DepositCredited(
        name_digest="",
        account=account,
        deposit=f"{name or next(DEPOSITS)}-{account}",
        amount=amount,
        method=method,
        method_class=method_class,
        document_shown=shown,
    )


class SetClock(Protocol):
    """A clock that shows what it was set to."""

    moment: int

    def now(self) -> int: ...


class Casino:
    """The real write side with one streamed roulette table, driven by commands as JSON."""

    def __init__(
        self,
        folder: Path,
        clock: SetClock | None = None,
        *,
        log: Log | None = None,
        operator_name: str = "o",
        game_name: str = "Ruleta",
    ) -> None:
        self.clock, self.log = clock or StoppedClock(1_790_000_000_000_000), log or MemoryLog()
        self.ledger = Ledger.create(
            self.log,
            KeyStore(folder / "keys"),
            operator="26493993",
            operator_name=operator_name,
            chain_name="live",
            clock=self.clock,
            writer="test",
        )
        self.do("list_game", game=GAME, name=game_name, category="m")
        self.do(
            "publish_rules",
            game=GAME,
            plan_version=VERSION,
            effective_from="2025-01-21T00:00:00+01:00",
        )
        self.do("launch_game", game=GAME)
        self.do("open_casino", place="p", name="Studio", kind="studio", address="Praha")
        self.do("open_table", table="t", registration="1", game=GAME, place="p", streamed=True)
        self.do("assign_device", table="t", device="w", kind="wheel", serial="W-1")
        self.begin()

    def begin(self) -> None:
        self.do("seat_dealer", table="t", dealer="d-1")

    def send(self, command: str, **facts: Any) -> Receipt:
        """Send a command and return its receipt."""
        return self.ledger.execute(decode_command(json.dumps({"command": command, **facts})))

    def do(self, command: str, **facts: Any) -> Receipt:
        """Execute a command; a millisecond passes."""
        receipt = self.send(command, **facts)
        self.clock.moment += 1_000
        return receipt

    def wait(self, minutes: float) -> None:
        self.clock.moment += int(minutes * MINUTE)

    def open_account(self, account: str, *, regime: str = "permanent", **methods: str) -> None:
        """Open an account with all measures declined; methods of payment with their classes."""
        self.do(
            "open_account",
            account=account,
            identity=f"CZ {account}",
            name="Jan",
            birth_date="1990-01-01",
            register="clear",
            verified_how="bank identity",
            address="Dlouhá 1, 110 00 Praha 1",
            email="jan@example.com",
            plan_version=VERSION,
            regime=regime,
        )
        for method, method_class in methods.items():
            self.do(
                "register_payment_method",
                account=account,
                method=method,
                method_class=method_class,
                masked="**1",
                country="CZ",
                proof="test_payment",
            )
        for measure in "abcdefg":
            self.do("decline_limit", account=account, measure=measure)

    def seat(self, account: str = "a", *, money: int = 10**6) -> None:
        """Open an account, with money, and take a seat."""
        self.open_account(account, bank="account")
        self.do("deposit", account=account, deposit=f"d-{account}", amount=money, method="bank")
        self.do("log_in", account=account, session=f"s-{account}", register="clear")
        self.do("take_seat", account=account, table="t")

    def bet(self, name: str, number: int, code: str, stake: int, **fields: Any) -> Receipt:
        return self.do(
            "place_bet",
            bet=f"{name}-{number}",
            round=name,
            bet_code=code,
            stake=stake,
            **{"account": "a", **fields},
        )

    def close_bets(self, name: str) -> None:
        """Spin the wheel and close."""
        self.do(
            "spin_wheel",
            round=name,
            wheel_direction="clockwise",
            ball_direction="counterclockwise",
            revolutions=9,
        )
        self.do("close_bets", round=name)

    def settle(self, name: str, **payments: int) -> None:
        """Settle; payments by the bet's number."""
        paid = {f"{name}-{number.removeprefix('bet')}": paid for number, paid in payments.items()}
        self.do("settle_round", round=name, payments=paid)

    def finish(self, name: str, number: int, **payments: int) -> None:
        """Close, spin, record the result and settle; payments by the bet's number."""
        self.close_bets(name)
        self.do("land_ball", round=name, number=number)
        self.do("record_result", round=name, outcome={"number": number}, wording=str(number))
        self.settle(name, **payments)

    def project(self, store: Store) -> None:
        Projector(self.log, store).catch_up()

    def close(self) -> None:
        self.ledger.close()
