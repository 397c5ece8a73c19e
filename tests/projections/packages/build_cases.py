"""A studio whose days are told in Prague time, and packages read back from their files."""

from __future__ import annotations

import csv
import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ledger.core.clock import PRAGUE, from_datetime
from ledger.decisions.decider import decode_command
from ledger.log.memory import MemoryLog
from ledger.privacy import KeyStore
from ledger.writer import Ledger
from projections.packages.cz.build import build, cut_of
from projections.packages.cz.names import PackageName
from projections.packages.cz.settings import Settings
from projections.store.projector import Projector

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.log.port import Log
    from ledger.writer import Receipt
    from projections.packages.results import BuiltFolder
    from projections.store.tables import Store

OPERATOR = "26493993"
GAME = "sazka.roulette_evolution"
PLAN = "2025-01-21"
MONEY_FILES = ("hra_toky", "hra_toky_oprava", "ostatni_plneni", "ostatni_plneni_oprava", "ucet")


def prague(text: str, *, fold: int = 0) -> int:
    """Read a moment such as ``2026-03-29 07:59:59.96``; ``fold`` 1 is the second 2 o'clock."""
    return from_datetime(datetime.fromisoformat(text).replace(tzinfo=PRAGUE, fold=fold))


class HandClock:
    """Shows what it was set to; each look takes a microsecond."""

    def __init__(self, moment: int) -> None:
        self.moment = moment

    def now(self) -> int:
        self.moment += 1
        return self.moment


class Studio:
    """The real write side with one streamed roulette table, driven by commands as JSON."""

    def __init__(self, folder: Path, opened: str, *, log: Log | None = None) -> None:
        self.clock, self.log = HandClock(prague(opened)), log or MemoryLog()
        self.ledger = Ledger.create(
            self.log,
            KeyStore(folder / "keys"),
            operator=OPERATOR,
            operator_name="SAZKA a.s.",
            chain_name="live",
            clock=self.clock,
            writer="test",
        )
        self.do("list_game", game=GAME, name='Ruleta; "živě"', category="m")
        self.do(
            "publish_rules",
            game=GAME,
            plan_version=PLAN,
            effective_from="2025-01-21T00:00:00+01:00",
        )
        self.do("launch_game", game=GAME)
        self.do("open_casino", place="p", name="Studio", kind="studio", address="Praha")
        self.do("open_table", table="t", registration="1", game=GAME, place="p", streamed=True)
        self.do("assign_device", table="t", device="w", kind="wheel", serial="W-1")
        stakes = {"red": [1_000, 5_000_000], "straight": [2_000, 500_000]}
        self.do("set_table_limits", table="t", stakes=stakes, round_maximum=20_000_000)

    def at(self, text: str, *, fold: int = 0) -> None:
        """Let it be a moment in Prague."""
        self.clock.moment = prague(text, fold=fold)

    def send(self, command: str, **facts: Any) -> Receipt:
        """Send a command and return its receipt."""
        return self.ledger.execute(decode_command(json.dumps({"command": command, **facts})))

    def do(self, command: str, **facts: Any) -> Receipt:
        """Send a command that the rules allow."""
        receipt = self.send(command, **facts)
        assert receipt.refused is None, receipt.refused
        return receipt

    def refuse(self, code: str, command: str, **facts: Any) -> Receipt:
        """Send a command that is refused with a code."""
        receipt = self.send(command, **facts)
        assert receipt.refused is not None
        assert receipt.refused.code == code
        return receipt

    def player(self, account: str, *, money: int = 1_000_000, regime: str = "permanent") -> None:
        """Open an account with all measures declined and money on it; log in and sit down."""
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
            plan_version=PLAN,
            regime=regime,
        )
        for method, method_class in (("bank", "account"), ("card", "card")):
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
        if money:
            self.do("deposit", account=account, deposit=f"d-{account}", amount=money, method="bank")
        self.log_in(account, "1")

    def log_in(self, account: str, name: str) -> None:
        self.do("log_in", account=account, session=f"s-{account}-{name}", register="clear")
        self.do("take_seat", account=account, table="t")

    def log_out(self, account: str) -> None:
        self.do("leave_seat", account=account, table="t")
        self.do("log_out", account=account)

    def bet(self, round_name: str, number: int, account: str, stake: int, **facts: Any) -> str:
        """Place chips on red or what is said; return the name of the bet."""
        bet = f"{round_name}-{number}"
        named = {"bet": bet, "round": round_name, "account": account, "stake": stake}
        self.do("place_bet", **{"bet_code": "red", **named, **facts})
        return bet

    def open_round(self, name: str) -> None:
        self.do("open_round", round=name, table="t")

    def close_bets(self, name: str) -> None:
        self.do(
            "spin_wheel",
            round=name,
            wheel_direction="clockwise",
            ball_direction="counterclockwise",
            revolutions=9,
        )
        self.do("close_bets", round=name)

    def result(self, name: str, number: int = 3) -> None:
        """Let the ball fall and record the result; 3 is red."""
        self.do("land_ball", round=name, number=number)
        self.do("record_result", round=name, outcome={"number": number}, wording=f"číslo {number}")

    def settle(self, name: str, **payments: int) -> None:
        paid = {f"{name}-{number.removeprefix('bet')}": paid for number, paid in payments.items()}
        self.do("settle_round", round=name, payments=paid)

    def play(self, name: str, account: str, stake: int, number: int = 3) -> str:
        """Play a round with one bet on red from its opening to the settlement."""
        self.open_round(name)
        bet = self.bet(name, 1, account, stake)
        self.close_bets(name)
        self.result(name, number)
        self.settle(name)
        return bet

    def project(self, store: Store) -> None:
        Projector(self.log, store).catch_up()

    def close(self) -> None:
        self.ledger.close()


def built(
    store: Store,
    out: Path,
    period: str,
    settings: Settings | None = None,
    *,
    known_at: int | None = None,
    version: int = 1,
) -> BuiltFolder:
    """Build the package of a period."""
    name = PackageName.of_period(OPERATOR, period, version)
    return build(store, cut_of(store, name, settings or Settings(), known_at=known_at), out)


def rows_of(package: BuiltFolder, file: str) -> list[dict[str, str]]:
    """Read the records of a file; its bytes are checked on the way."""
    raw = (package.folder / f"{file}.csv").read_bytes()
    assert raw.endswith(b"\r\n")
    lines = raw.decode("utf-8").split("\r\n")[:-1]
    assert not any("\n" in line or "\r" in line for line in lines)
    header = lines[1].split(";")
    return [
        dict(zip(header, row, strict=True))
        for row in csv.reader(lines[2:], delimiter=";", strict=True)
    ]


def first_of(rows: list[dict[str, str]], **values: str) -> dict[str, str]:
    """Find the one row with these values."""
    (found,) = (row for row in rows if all(row[name] == value for name, value in values.items()))
    return found


def haler(text: str) -> int:
    """Read an amount as the decree writes it; an empty one is none."""
    return int(text.replace(",", "")) if text else 0


def own(name: str) -> str:
    """Write an identifier as the files do."""
    return f"{OPERATOR}-{name}"
