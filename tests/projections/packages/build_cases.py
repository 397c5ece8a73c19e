"""A studio whose days are told in Prague time, and packages read back from their files."""

from __future__ import annotations

import csv
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ledger.core.clock import PRAGUE, from_datetime
from projections.packages.cz.build import build, cut_of
from projections.packages.cz.names import PackageName
from projections.packages.cz.settings import Settings
from tests.projections.history_cases import Casino

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.log.port import Log
    from ledger.writer import Receipt
    from projections.packages.results import BuiltFolder
    from projections.store.tables import Store

OPERATOR = "26493993"


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


class Studio(Casino):
    """A casino whose days are in Prague time, and whose commands must be allowed."""

    def __init__(self, folder: Path, opened: str, *, log: Log | None = None) -> None:
        clock = HandClock(prague(opened))
        names = {"operator_name": "SAZKA a.s.", "game_name": 'Ruleta; "živě"'}
        super().__init__(folder, clock, log=log, **names)

    def begin(self) -> None:
        stakes = {"red": [1_000, 5_000_000], "straight": [2_000, 500_000]}
        self.do("set_table_limits", table="t", stakes=stakes, round_maximum=20_000_000)

    def at(self, text: str, *, fold: int = 0) -> None:
        """Let it be a moment in Prague."""
        self.clock.moment = prague(text, fold=fold)

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
        self.open_account(account, regime=regime, bank="account", card="card")
        if money:
            self.do("deposit", account=account, deposit=f"d-{account}", amount=money, method="bank")
        self.log_in(account, "1")

    def log_in(self, account: str, name: str) -> None:
        self.do("log_in", account=account, session=f"s-{account}-{name}", register="clear")
        self.do("take_seat", account=account, table="t")

    def log_out(self, account: str) -> None:
        self.do("leave_seat", account=account, table="t")
        self.do("log_out", account=account)

    def place_bet(self, name: str, number: int, account: str, stake: int, **facts: Any) -> str:
        """Place chips on red or what is said; return the name of the bet."""
        bet = f"{name}-{number}"
        named = {"bet": bet, "round": name, "account": account, "stake": stake}
        self.do("place_bet", **{"bet_code": "red", **named, **facts})
        return bet

    def open_round(self, name: str) -> None:
        self.do("open_round", round=name, table="t")

    def result(self, name: str, number: int = 3) -> None:
        """Let the ball fall and record the result; 3 is red."""
        self.do("land_ball", round=name, number=number)
        self.do("record_result", round=name, outcome={"number": number}, wording=f"číslo {number}")

    def play(self, name: str, account: str, stake: int, number: int = 3) -> str:
        """Play a round with one bet on red from its opening to the settlement."""
        self.open_round(name)
        bet = self.place_bet(name, 1, account, stake)
        self.close_bets(name)
        self.result(name, number)
        self.settle(name)
        return bet


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
