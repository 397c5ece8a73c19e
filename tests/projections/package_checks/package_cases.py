"""A package made by hand, with every column filled somewhere, and ways to spoil it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ledger.core.clock import from_datetime
from projections.packages.cz.fields import files, table
from projections.packages.cz.names import PackageName
from projections.packages.cz.validate import Options, Verdict, validate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

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
        return from_datetime(datetime(2025, 1, 27, 12, tzinfo=UTC))


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
"""The first row of each file is the one that tests spoil."""


def row_of(values: Iterable[str]) -> str:
    """Write a row; what holds a separator or a quote is quoted."""
    quoted = ('"' + value.replace('"', '""') + '"' for value in values)
    return ";".join(one if ";" in one or '""' in one[1:-1] else one[1:-1] for one in quoted)


def text_of(
    name: str, rows: Iterable[str], *, package: PackageName = NAME, newline: str = "\r\n"
) -> str:
    """Write a file."""
    head = f"#{package};{name}.csv;2025-01-27T01:00:00.0+01:00;1.0"
    return "".join(f"{line}{newline}" for line in (head, table(name).header, *rows))


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
    for name in files():
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
