"""A package of each model made by hand, and ways to spoil it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.clock import from_datetime
from projections.packages.cz.fields import files, table
from projections.packages.cz.names import Model, PackageName
from projections.packages.cz.validate import Options, validate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from projections.packages.results import Verdict

NAME = PackageName.parse("12345678-V-2025012516-Z-01")
"""The quarter's package, so that it holds exchange rates too."""

INSIDE = "2025-01-25T16:00:00.0+01:00"
LAST = "2025-01-25T23:59:59.9+01:00"
BEFORE = "2025-01-25T15:59:59.9+01:00"
BEHIND = "2025-01-26T00:00:00.0+01:00"
LONG_AGO = "2021-07-01T12:00:00.0+02:00"
SAME_IN_UTC = "2025-01-25T22:59:59.9Z"


class Noon:
    """A clock after the end of every period of these tests."""

    def now(self) -> int:
        """Tell the moment."""
        return from_datetime(datetime(2025, 4, 27, 12, tzinfo=UTC))


def _own(text: str) -> str:
    return text.replace("@", f"{NAME.operator}-")


ROWS: dict[str, tuple[str, ...]] = {
    name: tuple(_own(row) for row in rows)
    for name, rows in {
        "provozovatel": ("12345678;Živá hra, a.s.",),
        "konto": (
            f"@a1;12345678;{LONG_AGO}",
            f"@a2;12345678;{INSIDE}",
        ),
        "evidence_her": (
            f"@g1;Ruleta;Z;m;12345678;{LONG_AGO}",
            "@g2;Turnaj;Z;j;12345678;",
        ),
        "konto_zmeny": (
            f"@c1;@a1;Z;0;1;T;{INSIDE}",
            f"@c2;@a2;Z;0;1;D;{LAST}",
        ),
        "jedna_hra": (
            f'@r1;@g1;{LONG_AGO};10 až 5000 Kč;volně;10 Kč;;"35 : 1; ""plein""";17 černá;0',
            f"@r2;@g2;{INSIDE};;;;;;;",
        ),
        "turnaj_detaily": ("@t1;@r2;10 minut;vyřazovací;do začátku;5000,00;120;CZK",),
        "hra_toky": (
            f"@b1;Z;m;@a1;100,00;{INSIDE};1,50;{INSIDE};plein 17;3600,00;3600,00;{LAST};CZK;;",
            f"@b2;Z;m;@a2;0,5;{BEFORE};;;;;0,00;{SAME_IN_UTC};CZK;;",
            f"@b3;Z;j;;;{LAST};;;;;;;EUR;;",
        ),
        "vazba_hra_sazka": (
            "@v1;@g1;@r1;@b1",
            "@v2;@g2;;@b3",
        ),
        "hra_toky_oprava": (
            f"@o1;@b1;G;100,00;{INSIDE};CZK",
            f"@o2;@b2;B;-20,00;{LAST};CZK",
        ),
        "ostatni_plneni": (
            f"@p1;12345678;@a1;Z;25,00;{INSIDE};CZK;",
            f"@p2;12345678;;Z;0,00;{LAST};CZK;",
        ),
        "ostatni_plneni_oprava": (f"@q1;@p1;I;25,00;{LAST};CZK",),
        "prihlaseni": (
            f"@s1;@a1;{INSIDE};{LAST};",
            f"@s2;@a2;{BEFORE};{INSIDE};",
            f"@s3;@a2;{LAST};;",
        ),
        "sebeomezeni": (
            f"@m1;@a1;a;1000,00;;;{INSIDE};2025-02-02T00:00:00.0+01:00;0;CZK",
            f"@m2;@a1;e;;30;;{INSIDE};{INSIDE};0;",
            f"@m3;@a1;f;;;240;{INSIDE};{INSIDE};;",
            f"@m4;@a2;b;;;;{LAST};{LAST};1;",
        ),
        "sebeomezeni_hra_druh": ("@k1;@m1;Z",),
        "ucet": (
            f"@u1;@a1;500,00;{INSIDE};1;platební karta;CZK",
            f"@u2;@a1;-120,5;{LAST};0;hotovost;CZK",
        ),
        "mena_kurs": ("@x1;12345678;Z;24,315;EUR;2024-12-30",),
    }.items()
}
"""The first row of each file is the one that tests spoil; every column is filled somewhere."""

CASINO = PackageName.parse("12345678-M-202503-Z-kasino_1-01")
NIGHT = "2025-03-31T18:00:00.0+02:00"
AFTER_MIDNIGHT = "2025-04-01T04:30:00.0+02:00"

CASINO_ROWS: dict[str, tuple[str, ...]] = {
    name: tuple(_own(row) for row in rows)
    for name, rows in {
        "provozovatel": ("12345678;Živá hra, a.s.",),
        "misto": (
            "@kasino_1;U mostu;12345678;49,5938;17,2509;Dlouhá;12;12a;Lazce;77900;Olomouc;1;OLK;",
        ),
        "evidence_her": ("@g1;12345678;Ruleta;Z", "@g2;12345678;Turnaj;Z"),
        "pokladna_stul_turnaj_bingo": (
            f"@z1;@stul-1;S;@kasino_1;@g1;-1500,00;CZK;{NIGHT};{AFTER_MIDNIGHT}",
            f"@z2;@pokladna;P;@kasino_1;;;;{NIGHT};{AFTER_MIDNIGHT}",
            f"@z3;@turnaj 7/25;T;@kasino_1;@g2;;;{NIGHT};{AFTER_MIDNIGHT}",
        ),
        "prostredek": (
            "@p1;@z2;@pokladna;0;CZK;100000,00;98500,00",
            "@p2;@z2;@pokladna;2;CZK;0,00;200,5",
        ),
        "PSTB_transakce": (
            "@t1;@z2;@pokladna;J1;500,00;CZK;0",
            "@t2;@z1;@stul-1;10;1000,00;CZK;",
        ),
        "hra_turnaj_bingo": (
            f"@h1;@z3;@turnaj 7/25;Jarní;{NIGHT};{AFTER_MIDNIGHT};90,0;9;8;0;5;bez;1 Kč;CZK;9;4,00",
        ),
        "mozna_vyhra_stul_bingo": ("@m1;@z1;@stul-1;Jackpot;10,00;20,00;CZK",),
        "mozna_vyhra_pro_hru": ("@n1;@g1;@kasino_1;10,00;20,00;CZK;2025-03-31",),
        "mena_kurs": ("@x1;@kasino_1;Z;24,315;EUR;2025-03-28",),
    }.items()
}


class Case(NamedTuple):
    """A package of a model, and moments and days outside its period."""

    name: PackageName
    rows: dict[str, tuple[str, ...]]
    before: str
    behind: str
    day_before: str
    day_behind: str


CASES = {
    Model.REMOTE: Case(NAME, ROWS, BEFORE, BEHIND, "2025-01-24", "2025-01-26"),
    Model.CASINO: Case(
        CASINO,
        CASINO_ROWS,
        "2025-02-28T23:59:59.9+01:00",
        "2025-04-02T00:00:00.0+02:00",
        "2025-02-28",
        "2025-04-01",
    ),
}


def row_of(values: Iterable[str]) -> str:
    """Write a row; what holds a separator or a quote is quoted."""
    quoted = ('"' + value.replace('"', '""') + '"' for value in values)
    return ";".join(one if ";" in one or '""' in one[1:-1] else one[1:-1] for one in quoted)


def text_of(
    name: str, rows: Iterable[str], *, package: PackageName = NAME, newline: str = "\r\n"
) -> str:
    """Write a file."""
    found = table(name, package.model)
    head = f"#{package};{found.file_name};2025-01-27T01:00:00.0+01:00;1.0"
    return "".join(f"{line}{newline}" for line in (head, found.header, *rows))


def write_package(
    folder: Path,
    rows: Mapping[str, Iterable[str]] = ROWS,
    *,
    package: PackageName = NAME,
    files_left_out: Iterable[str] = (),
) -> Path:
    """Write a package into a folder."""
    path = folder / str(package)
    path.mkdir(parents=True)
    for name in files(package.model):
        if name not in files_left_out:
            content = text_of(name, rows.get(name, ()), package=package)
            (path / f"{name}.csv").write_text(content, encoding="utf-8", newline="")
    return path


def judge(path: Path, *, earlier: Path | None = None, strict: bool = True) -> Verdict:
    """Judge a package; ``earlier`` is a folder of earlier ones."""
    folders = None if earlier is None else (earlier,)
    return validate(path, Options(strict=strict, earlier=folders), clock=Noon())


def codes(verdict: Verdict) -> set[tuple[str, int | None, str, str]]:
    """Give file, line, field and code of what was found."""
    return {(one.file, one.line, one.field, one.code.value) for one in verdict.faults}
