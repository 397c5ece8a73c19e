"""Fictitious people: the data with which they open accounts, and how they play."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

__all__ = ["HABITS", "NIGHT_OWL", "REGULAR", "Habit", "Person", "make_person"]

FIRST_NAMES = [
    "Adam",
    "Alena",
    "Barbora",
    "Daniel",
    "David",
    "Eva",
    "Filip",
    "Hana",
    "Ivana",
    "Jakub",
    "Jan",
    "Jana",
    "Jiří",
    "Karel",
    "Kateřina",
    "Lenka",
    "Lucie",
    "Lukáš",
    "Marek",
    "Marie",
    "Martin",
    "Michal",
    "Milan",
    "Monika",
    "Ondřej",
    "Pavel",
    "Petr",
    "Petra",
    "Tereza",
    "Tomáš",
    "Václav",
    "Veronika",
    "Vojtěch",
    "Zdeněk",
    "Zuzana",
]
LAST_NAMES = [
    "Novák",
    "Svoboda",
    "Dvořák",
    "Černý",
    "Procházka",
    "Kučera",
    "Veselý",
    "Horák",
    "Němec",
    "Pokorný",
    "Marek",
    "Pospíšil",
    "Hájek",
    "Jelínek",
    "Král",
    "Růžička",
    "Beneš",
    "Fiala",
    "Sedláček",
    "Doležal",
    "Zeman",
    "Kolář",
    "Krejčí",
    "Navrátil",
    "Čermák",
    "Vaněk",
    "Urban",
    "Kratochvíl",
    "Šimek",
    "Blažek",
    "Kříž",
    "Kopecký",
    "Bartoš",
    "Vlček",
    "Musil",
]
TOWNS = [
    "Praha",
    "Brno",
    "Ostrava",
    "Plzeň",
    "Liberec",
    "Olomouc",
    "Zlín",
    "Jihlava",
    "Pardubice",
    "Kladno",
]
BORN_LAST = date(2007, 11, 1)
BORN_WITHIN_DAYS = 55 * 365


@dataclass(frozen=True, slots=True)
class Habit:
    """Playing habits of a person; money in crowns.

    ``eagerness`` is the chance to bet in a round, ``tastes`` are weights of outside, inside
    and announced bets, ``minutes`` bound the length of a visit, ``limits`` are measures a to g
    that are set, the rest being declined.
    """

    name: str
    bankroll: tuple[int, int]
    chips: tuple[int, ...]
    bets: tuple[int, int]
    eagerness: float
    minutes: tuple[int, int]
    tastes: tuple[int, int, int]
    limits: tuple[tuple[str, int], ...] = ()


CAREFUL = Habit(
    "careful",
    bankroll=(500, 2_000),
    chips=(20, 20, 50),
    bets=(1, 2),
    eagerness=0.55,
    minutes=(25, 80),
    tastes=(8, 2, 0),
    limits=(("a", 150_000), ("c", 80_000), ("f", 120), ("g", 10)),
)
REGULAR = Habit(
    "regular",
    bankroll=(2_000, 8_000),
    chips=(20, 50, 50, 100),
    bets=(1, 4),
    eagerness=0.75,
    minutes=(50, 150),
    tastes=(4, 5, 2),
)
HEAVY = Habit(
    "heavy",
    bankroll=(20_000, 80_000),
    chips=(100, 200, 500, 1_000),
    bets=(2, 6),
    eagerness=0.88,
    minutes=(80, 200),
    tastes=(2, 5, 4),
    limits=(("d", 30_000_000),),
)
NIGHT_OWL = Habit(
    "night owl",
    bankroll=(6_000, 15_000),
    chips=(20, 50, 100),
    bets=(1, 3),
    eagerness=0.97,
    minutes=(240, 300),
    tastes=(5, 3, 2),
)
HABITS = ((CAREFUL, 40), (REGULAR, 40), (HEAVY, 14), (NIGHT_OWL, 6))
"""Habits with their share of the crowd in a hundred."""


@dataclass(frozen=True, slots=True)
class Person:
    """The data that a person gives at registration."""

    identity: str
    name: str
    birth_date: date
    address: str
    email: str
    document: str


def make_person(random: Random, number: int) -> Person:
    """Make up an adult; ``number`` tells this one from all others."""
    first, last = random.choice(FIRST_NAMES), random.choice(LAST_NAMES)
    if first.endswith(("a", "e")) and not last.endswith(("ý", "í")):
        last = f"{last.removesuffix('a')}ová"
    elif first.endswith(("a", "e")) and last.endswith("ý"):
        last = f"{last.removesuffix('ý')}á"
    town = random.choice(TOWNS)
    return Person(
        identity=f"CZ {random.randint(10**8, 10**9 - 1)}/{number:06d}",
        name=f"{first} {last}",
        birth_date=BORN_LAST - timedelta(days=random.randrange(BORN_WITHIN_DAYS)),
        address=f"{town}, Nádražní {random.randint(1, 240)}",
        email=f"player{number}@example.org",
        document=f"OP {random.randint(10**8, 10**9 - 1)}",
    )
