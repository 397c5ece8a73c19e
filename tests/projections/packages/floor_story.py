"""A month of two casinos and the studio, told by commands, and what a package must say of it.

Every evening each casino opens a cage and a table, seeded by its day. What a section's package
rows should be is added up here from what was told, apart from the ledger. March 2026 has a clock
change on its 29th, and its last night ends in April.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date, timedelta
from random import Random
from typing import TYPE_CHECKING, Any

from projections.packages.cz.settings import CasinoFacts, Settings
from tests.projections.packages.build_cases import Studio

if TYPE_CHECKING:
    from pathlib import Path

LAND, CUP = "69games.roulette", "69games.texas_holdem_tournament"
NORTH, SOUTH = "kasino_sever", "jih-1"
FACTS = {
    "street": "Dlouhá",
    "house_number": 12,
    "postal_code": 77900,
    "municipality": "Olomouc",
    "region": "OLK",
    "address_code": 1234567,
}
SETTINGS = Settings(casinos={NORTH: CasinoFacts(**FACTS), SOUTH: CasinoFacts(**FACTS)})  # type: ignore[arg-type]
MONTHS = {place: f"202603-{place.replace('-', '_')}" for place in (NORTH, SOUTH)}
CAGE, FLOAT = 50_000_000, 20_000_000
FIRST, LAST = date(2026, 3, 1), date(2026, 3, 31)
QUIET = 9
"""On the ninth day of the month both casinos stay closed."""


class Floor:
    """One casino; ``totals`` are those of its sections by code, currency and way."""

    def __init__(self, studio: Studio, place: str) -> None:
        self.studio, self.place = studio, place
        self.table, self.cage = f"stul-{place[:3]}", f"pokladna-{place[:3]}"
        self.cash = {"CZK": CAGE, "EUR": 100_000}
        self.chips, self.tronc, self.float = CAGE, 0, FLOAT
        self.slips = 0
        self.totals: dict[str, Counter[tuple[str, str, str]]] = defaultdict(Counter)
        self.results: dict[str, int] = {}
        self.counts: dict[tuple[str, str, str], list[int]] = defaultdict(list)
        studio.do("open_casino", place=place, name=f"Kasino {place}", kind="casino", address="ČR")
        facts = {"registration": f"7{place[:1]}", "game": LAND, "place": place}
        studio.do("open_table", table=self.table, streamed=False, **facts)

    def slip(self, command: str, **facts: Any) -> str:
        """Send a slip under the next number."""
        self.slips += 1
        slip = f"{self.place[:3]}-{self.slips}"
        self.studio.do(command, slip=slip, **facts)
        return slip

    def count(self, section: str, stage: str) -> None:
        """Count the cage as it should be."""
        held = {("cash", money): amount for money, amount in self.cash.items()}
        held |= {("chips", "CZK"): self.chips, ("tronc", "CZK"): self.tronc}
        for (means, money), amount in held.items():
            facts = {"section": section, "stage": stage, "means": means, "currency": money}
            self.studio.do("count_cage", **facts, amount=amount, counted_by="cashier")
            self.counts[section, means, money].append(amount)

    def count_float(self, section: str, stage: str) -> None:
        facts = {"section": section, "stage": stage, "counted_by": "inspector"}
        self.studio.do("count_table_float", **facts, amount=self.float)

    def open(self, day: date) -> tuple[str, str]:
        """Open the operating day with a cage and a table."""
        cage, table = (f"{one}-{day:%m%d}" for one in (self.cage, self.table))
        do = self.studio.do
        do("open_operating_day", place=self.place)
        do("open_section", section=cage, place=self.place, kind="cage", station=self.cage)
        self.count(cage, "opening")
        do("open_section", section=table, place=self.place, kind="table", station=self.table)
        self.count_float(table, "opening")
        return cage, table

    def evening(self, cage: str, table: str, chance: Random) -> None:
        """Move cash and chips between guests, table, tronc and cage."""
        amounts = [chance.randrange(1, 40) * 5_000 for _ in range(12)]
        fill, sold, at_cage, card, tip, other, credit, redeemed, fund, taken, lost, given = amounts
        both = {"section": table, "cage_section": cage}
        self.slip("record_fill", **both, amount=fill)
        self.slip("sell_chips", section=table, amount=sold, seat=2)
        self.slip("sell_chips", section=cage, amount=at_cage)
        self.slip("sell_chips", section=cage, amount=card, method="card")
        self.slip("record_tip", section=table, amount=tip)
        self.slip("record_tip", section=table, amount=given, into_tronc=False)
        self.slip("move_tronc", **both, amount=tip)
        self.slip("record_credit", **both, amount=credit)
        wrong = self.slip("redeem_chips", section=cage, amount=redeemed + 1_000)
        self.slip("correct_slip", corrects=wrong, amount=redeemed, cause="read wrongly")
        self.slip("fund_cage", section=cage, amount=fund)
        self.slip("withdraw_from_cage", section=cage, amount=taken)
        self.slip("take_other_cash", section=cage, amount=other, reason="cloakroom")
        self.slip("record_missing_chips", section=table, amount=lost, reason="not returned")
        euros = {"amount": 1_000, "currency": "EUR", "given": 24_000, "given_currency": "CZK"}
        self.slip("exchange_currency", section=cage, **euros)
        told = {
            (cage, "J1", "CZK", "0"): at_cage,
            (cage, "J1", "CZK", "1"): card,
            (cage, "K1", "CZK", "0"): redeemed,
            (cage, "3", "CZK", ""): fund,
            (cage, "7", "CZK", ""): taken + 24_000,
            (cage, "4", "CZK", ""): other,
            (cage, "4", "EUR", ""): 1_000,
            (table, "10", "CZK", ""): fill,
            (table, "11", "CZK", ""): credit,
            (table, "J2", "CZK", "0"): sold,
            (table, "9", "CZK", ""): sold,
            (table, "12", "CZK", ""): tip,
            (table, "13", "CZK", ""): tip,
            (table, "8", "CZK", ""): given,
            (table, "L1", "CZK", ""): lost,
        }
        for (section, *kind), amount in told.items():
            self.totals[section][kind[0], kind[1], kind[2]] += amount
        self.cash["CZK"] += at_cage - redeemed + fund - taken + other - 24_000 + sold
        self.cash["EUR"] += 1_000
        self.chips += credit + redeemed + tip - fill - at_cage - card
        won = chance.randrange(-80, 120) * 2_500
        self.float += fill - credit - sold + won
        self.results[table] = won

    def close(self, cage: str, table: str) -> None:
        """Count, empty and close everything."""
        do = self.studio.do
        self.count_float(table, "closing")
        drop = self.totals[table]["9", "CZK", ""]
        if drop:
            do("count_drop", section=table, amount=drop, counted_by="count room")
            self.slip("move_drop", section=table, cage_section=cage, amount=drop)
        do("close_section", section=table)
        self.count(cage, "closing")
        do("close_section", section=cage)
        do("close_operating_day", place=self.place)


def told(folder: Path) -> tuple[Studio, dict[str, Floor]]:
    """Tell March 2026: both casinos every evening, the studio's round beside them."""
    studio = Studio(folder, "2026-02-20 09:00")
    day = "2025-01-21T00:00:00+01:00"
    for game in (LAND, CUP):
        studio.do("list_game", game=game, name=game, category="j" if game == CUP else "m")
        studio.do("publish_rules", game=game, plan_version="unknown", effective_from=day)
        studio.do("launch_game", game=game)
    floors = {place: Floor(studio, place) for place in (NORTH, SOUTH)}
    studio.player("anna")
    studio.play("q1", "anna", 10_000)
    studio.log_out("anna")
    _jackpots(studio, floors[NORTH])
    chance = Random(26)
    day_on = FIRST
    while day_on <= LAST:
        if day_on.day != QUIET:
            _night(studio, floors, day_on, chance)
        day_on += timedelta(days=1)
    return studio, floors


def _jackpots(studio: Studio, floor: Floor) -> None:
    facts = {"place": floor.place, "game": LAND}
    studio.do("define_jackpot", jackpot="stolni", name="Stolní", station=floor.table, **facts)
    studio.do("define_jackpot", jackpot="spolecny", name="Společný", **facts)


def _night(studio: Studio, floors: dict[str, Floor], day: date, chance: Random) -> None:
    studio.at(f"{day} 18:00")
    opened = {place: floor.open(day) for place, floor in floors.items()}
    if day == FIRST:
        _values(studio, opened[NORTH][1], "opening", 1_000)
        _desk(studio, floors[NORTH], opened[NORTH][0])
    studio.at(f"{day + timedelta(days=1)} 00:30")
    for place, floor in floors.items():
        floor.evening(*opened[place], chance)
    if day == FIRST:
        _values(studio, opened[NORTH][1], "closing", 2_500)
    studio.at(f"{day + timedelta(days=1)} 04:30")
    for place, floor in floors.items():
        floor.close(*opened[place])


def _values(studio: Studio, section: str, stage: str, amount: int) -> None:
    studio.do("record_jackpot", jackpot="stolni", section=section, stage=stage, amount=amount)
    studio.do("record_jackpot", jackpot="spolecny", stage=stage, amount=amount * 10)


def _desk(studio: Studio, floor: Floor, cage: str) -> None:
    """Take cash for an account at the cage, and pay some of it out."""
    facts = {"account": "anna", "method": "cash", "document_shown": True, "section": cage}
    paid = {"account": 30_000, "tournament_entry": 20_000, "fee": 5_000}
    back = {"account": 4_000, "tournament_prize": 3_000, "tournament_return": 2_000,
            "fee_return": 1_000}  # fmt: skip
    codes = {"account": "2", "tournament_entry": "1", "fee": "H1"}
    codes_back = {"account": "6", "tournament_prize": "5", "tournament_return": "G1",
                  "fee_return": "I1"}  # fmt: skip
    for number, (purpose, amount) in enumerate(paid.items()):
        studio.do("deposit", deposit=f"dc-{number}", amount=amount, purpose=purpose, **facts)
        way = "" if purpose == "account" else "0"
        floor.totals[cage][codes[purpose], "CZK", way] += amount
        floor.cash["CZK"] += amount
    for number, (purpose, amount) in enumerate(back.items()):
        studio.do("withdraw", withdrawal=f"wc-{number}", amount=amount, purpose=purpose, **facts)
        way = "" if purpose == "account" else "0"
        floor.totals[cage][codes_back[purpose], "CZK", way] += amount
        floor.cash["CZK"] -= amount
