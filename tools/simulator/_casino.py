"""A casino on land with a cage: operating days that end long after midnight, tables, slips, counts.

Its guests have no accounts and play with chips. At the roulette every round and every bet is
recorded by seat; at the other tables only money and chips are recorded, so their result is known
when their chips are counted. A count finds the actual amounts, which the simulated casino tracks in
its own books.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Literal
from zoneinfo import ZoneInfo

from ledger import games
from ledger.core.clock import HOUR, MINUTE, SECOND, midnight_after
from ledger.decisions.floor.correcting import CorrectSlip
from ledger.decisions.floor.counting import CountCage, CountDrop, CountTableFloat
from ledger.decisions.floor.days import (
    CloseOperatingDay,
    CloseSection,
    OpenOperatingDay,
    OpenSection,
)
from ledger.decisions.floor.slips import (
    ExchangeCurrency,
    FundCage,
    MoveDrop,
    MoveTronc,
    RecordCredit,
    RecordFill,
    RecordTip,
    RedeemChips,
    SellChips,
    SettleChipBet,
    WithdrawFromCage,
)
from ledger.decisions.operator.setup import (
    BeginCasinoHours,
    EndCasinoHours,
    LaunchGame,
    ListGame,
    OpenCasino,
    PublishRules,
)
from ledger.decisions.packages import FixRate
from tools.simulator._duties import clock_measured
from tools.simulator._games import ALL
from tools.simulator._setup import inspection, table_commands
from tools.simulator._wheels import RouletteTable

if TYPE_CHECKING:
    from ledger.events.command import Command
    from tools.simulator._betting import Round
    from tools.simulator._house import HouseTable
    from tools.simulator._stage import Script, Stage

__all__ = ["Casino", "SeatTable"]

PLACE, CAGE = "kasino_praha", "cage-1"
DESK, PIT, COUNT_ROOM = "cage", "pit", "count room"
DEALERS = tuple(f"floor-dealer-{number:02d}" for number in range(1, 9))
ROULETTE = "czech_casinos.american_roulette"
TABLES = {
    "floor-ar-1": ROULETTE,
    "floor-ar-2": "69games.roulette",
    "floor-bj-1": "69games.blackjack",
}
FIRST_TABLE = 500
"""Number from which on its tables and devices are counted."""
CROWN, CHIP, SEATS = 100, 10_000, 5
CAGE_CASH, CAGE_EUROS, CAGE_CHIPS = 2_000_000 * CROWN, 4_000 * CROWN, 3_000_000 * CROWN
FLOAT = 500_000 * CROWN
RATE_EURO = 24
BETWEEN_ROUNDS = 6 * MINUTE
CLOSES = 3 * HOUR + 30 * MINUTE
"""How long after midnight the operating day ends at the latest."""
PAYS_STRAIGHT = 36


@dataclass
class SeatTable(RouletteTable):
    """A roulette whose guests bet from seats; ``won`` is what the house won from them."""

    section: str = ""
    won: int = 0

    def _result(self, current: Round) -> Script:
        yield from super()._result(current)
        for seat in range(1, SEATS + 1):
            stake = self.random.choice((1, 2, 5)) * CHIP
            hit = self.random.randrange(37) == current.number
            paid = PAYS_STRAIGHT * stake if hit else 0
            self.won += stake - paid
            self.stage.send(
                SettleChipBet(
                    section=self.section,
                    slip=f"{current.name}-s{seat}",
                    round=current.name,
                    seat=seat,
                    bet_code="straight",
                    amount=stake,
                    paid=paid,
                    source=PIT,
                )
            )
        self.waits_until = self.stage.moment + BETWEEN_ROUNDS


@dataclass(slots=True)
class Casino:
    """The casino with its tables; ``day`` is the script of one operating day.

    ``books`` hold the actual amounts, as a count will find them: haléř of cash and chips by section
    of the cage or table; the cash in a table's box has the prefix ``box``.
    """

    stage: Stage
    notable: dict[str, str]
    listed: frozenset[str]
    tables: list[HouseTable] = field(default_factory=list)
    books: Counter[str] = field(default_factory=Counter)
    number: int = 0
    slips: int = 0

    def __post_init__(self) -> None:
        """Open the casino and take its tables into operation."""
        in_force = datetime(2025, 1, 21, tzinfo=ZoneInfo("Europe/Prague"))
        address = "Praha 1, Příkopy 10"
        self._send(OpenCasino(place=PLACE, name="Kasino Praha", kind="casino", address=address))
        dealt = {one.game: one for one in ALL}
        for index, (name, game) in enumerate(TABLES.items()):
            header = games.plan(game).header
            if game not in self.listed:
                self._send(ListGame(game=game, name=header.name))
                rules = PublishRules(
                    game=game, plan_version=header.version, effective_from=in_force
                )
                self._send(rules)
                self._send(LaunchGame(game=game))
            kind = SeatTable if game == ROULETTE else dealt[game].table
            table = kind(self.stage, name, game, DEALERS, self.notable)
            self.tables.append(table)
            for command in table_commands(table, FIRST_TABLE + index, PLACE):
                self._send(command)
        self._send(FixRate(currency="EUR", rate=RATE_EURO * 1_000, day=date(2026, 9, 30)))
        start = {"cash": CAGE_CASH, "EUR": CAGE_EUROS, "chips": CAGE_CHIPS}
        self.books.update(start | dict.fromkeys(TABLES, FLOAT))

    @property
    def rounds(self) -> int:
        """Number of recorded rounds."""
        return sum(table.rounds for table in self.tables)

    def day(self, length: int) -> Script:
        """Play an operating day whose tables are open for some microseconds."""
        stage = self.stage
        self.number += 1
        opened, end = stage.moment, midnight_after(stage.moment) + CLOSES
        self._send(OpenOperatingDay(place=PLACE, source=DESK))
        self.notable["operating_day_place"] = PLACE
        self._open("cage", CAGE)
        self._count_cage("opening")
        for index, table in enumerate(self.tables, FIRST_TABLE):
            self._open("table", table.name)
            self._count_table(table, "opening")
            self._send(inspection(table, index))
        self._send(BeginCasinoHours(place=PLACE, source=DESK))
        seats = self.tables[0]
        assert isinstance(seats, SeatTable)  # noqa: S101 - the first of TABLES
        seats.section, seats.won = self._section(seats.name), 0
        seats.open()
        while stage.moment < opened + length:
            self._business()
            yield stage.random.uniform(240, 600)
        for table in self.tables:
            table.is_closing = True
        yield (end - HOUR - stage.moment) / SECOND
        clock_measured(stage)
        self._send(EndCasinoHours(place=PLACE, source=DESK))
        self.books[seats.name] += seats.won
        for table in self.tables:
            yield from self._close_table(table)
        self._count_cage("closing")
        self._send(CloseSection(section=self._section(CAGE), source=DESK))
        yield 60
        self._send(CloseOperatingDay(place=PLACE, source=DESK))
        stage.drain()

    def _business(self) -> None:
        """Do what happens at cage and tables in some minutes."""
        random, cage = self.stage.random, self._section(CAGE)
        amount = random.randint(5, 60) * CHIP
        table = random.choice(self.tables)
        section = self._section(table.name)
        self._sell(cage, amount, "card" if random.random() < 0.2 else "cash")  # noqa: PLR2004 - a taste
        self._sell(section, amount // 2 // CHIP * CHIP + CHIP, "cash", at=table.name)
        back = random.randint(1, 40) * CHIP
        self._send(RedeemChips(section=cage, slip=self._next(), amount=back, source=DESK))
        self.books.update({"cash": -back, "chips": back})
        tip = random.randint(1, 4) * CHIP
        self._send(RecordTip(section=section, slip=self._next(), amount=tip, source=PIT))
        self.books["tronc"] += tip
        if random.random() < 0.3:  # noqa: PLR2004 - a taste
            self._between(RecordFill, table.name, 100 * CHIP)
        if random.random() < 0.2:  # noqa: PLR2004 - a taste
            self._between(RecordCredit, table.name, 50 * CHIP)
        if random.random() < 0.2:  # noqa: PLR2004 - a taste
            self._exchange(random.randint(1, 10) * 50 * CROWN)

    def _sell(
        self, section: str, amount: int, method: Literal["cash", "card"], at: str = "chips"
    ) -> None:
        source = DESK if at == "chips" else PIT
        slip = self._next()
        self._send(
            SellChips(section=section, slip=slip, amount=amount, method=method, source=source)
        )
        self.books[at] -= amount
        if at != "chips":
            self.books[f"box {at}"] += amount
        elif method == "cash":
            self.books["cash"] += amount
        if "corrected_slip" not in self.notable:
            self.notable["corrected_slip"] = slip
            cause = "A note was counted twice."
            self._send(
                CorrectSlip(
                    slip=self._next(),
                    corrects=slip,
                    amount=amount - CHIP,
                    cause=cause,
                    source=DESK,
                )
            )
            self.books[at] += CHIP
            self.books["cash"] -= CHIP if method == "cash" else 0

    def _between(self, kind: type[RecordFill | RecordCredit], table: str, amount: int) -> None:
        command = kind(
            section=self._section(table),
            cage_section=self._section(CAGE),
            slip=self._next(),
            amount=amount,
            pieces={str(CHIP): amount // CHIP},
            source=PIT,
        )
        self._send(command)
        moved = amount if kind is RecordFill else -amount
        self.books.update({table: moved, "chips": -moved})

    def _exchange(self, euros: int) -> None:
        given = euros * RATE_EURO
        self._send(
            ExchangeCurrency(
                section=self._section(CAGE),
                slip=self._next(),
                amount=euros,
                currency="EUR",
                given=given,
                given_currency="CZK",
                source=DESK,
            )
        )
        self.books.update({"EUR": euros, "cash": -given})

    def _close_table(self, table: HouseTable) -> Script:
        """Count, empty the box, take the tips to the cage."""
        section, cage, name = self._section(table.name), self._section(CAGE), table.name
        if not isinstance(table, SeatTable):
            self.books[name] += self.stage.random.randint(-30, 60) * CHIP
        self._count_table(table, "closing")
        yield 300
        drop = self.books[f"box {name}"]
        self._send(CountDrop(section=section, amount=drop, counted_by="two", source=COUNT_ROOM))
        if drop:
            facts = {"section": section, "cage_section": cage, "source": COUNT_ROOM}
            self._send(MoveDrop(slip=self._next(), amount=drop, **facts))  # type: ignore[arg-type]
            self.books.update({f"box {name}": -drop, "cash": drop})
        if tips := self.books["tronc"]:
            facts = {"section": section, "cage_section": cage, "source": DESK}
            self._send(MoveTronc(slip=self._next(), amount=tips, **facts))  # type: ignore[arg-type]
            self.books.update({"tronc": -tips, "chips": tips})
        self._send(CloseSection(section=section, source=PIT))

    def _count_table(self, table: HouseTable, stage: Literal["opening", "closing"]) -> None:
        self._send(
            CountTableFloat(
                section=self._section(table.name),
                stage=stage,
                amount=self.books[table.name],
                counted_by="inspector",
                pieces={str(CHIP): self.books[table.name] // CHIP},
                source=PIT,
            )
        )

    def _count_cage(self, stage: Literal["opening", "closing"]) -> None:
        """Count all that the cage holds; money kept apart makes it up after the opening."""
        section = self._section(CAGE)
        counts: list[tuple[Literal["cash", "chips", "tronc"], str, str]] = [
            ("cash", "CZK", "cash"),
            ("cash", "EUR", "EUR"),
            ("chips", "CZK", "chips"),
            ("tronc", "CZK", "tronc"),
        ]
        if stage == "closing" and (more := self.books["cash"] - CAGE_CASH) > 0:
            facts = {"section": section, "amount": more, "source": DESK}
            self._send(WithdrawFromCage(slip=self._next(), **facts))  # type: ignore[arg-type]
            self.books["cash"] -= more
        for means, currency, name in counts:
            self._send(
                CountCage(
                    section=section,
                    stage=stage,
                    means=means,
                    currency=currency,
                    amount=self.books[name],
                    counted_by="cashier and inspector",
                    source=DESK,
                )
            )
        if stage == "opening" and (less := CAGE_CASH - self.books["cash"]) > 0:
            facts = {"section": section, "amount": less, "source": DESK}
            self._send(FundCage(slip=self._next(), **facts))  # type: ignore[arg-type]
            self.books["cash"] += less

    def _open(self, kind: Literal["cage", "table"], station: str) -> None:
        facts = {
            "section": self._section(station),
            "place": PLACE,
            "station": station,
            "source": DESK,
        }
        self._send(OpenSection(kind=kind, **facts))  # type: ignore[arg-type]

    def _section(self, station: str) -> str:
        return f"{station}-{self.number}"

    def _next(self) -> str:
        self.slips += 1
        return f"slip-{self.slips}"

    def _send(self, command: Command) -> None:
        self.stage.send(command)
