"""Settings: the operator's interpretation of points that the decree leaves open.

Every package is built with a :class:`Settings`, and ``PackageBuilt`` records it, so that a package
can be rebuilt as it was. ``docs/reporting.md`` explains for each field what is unclear.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from pathlib import Path  # noqa: TC003 - named in public signatures
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta, Struct, field

from ledger.core.decoders import decoder_of
from ledger.core.errors import InputError
from ledger.storage.named_files import read_text
from projections.packages.cz.fields import files
from projections.packages.cz.names import Model, PackageName
from projections.packages.cz.values import Rules, problem

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["CasinoFacts", "Settings", "read_settings", "settings_from_json"]

Flag = Literal[0, 1]
DelayMinutes = Annotated[int, Meta(ge=0, le=366 * 24 * 60)]
"""At most a year: a package that waits longer is not delivered."""
Number = Annotated[int, Meta(ge=0, le=10**9)]
"""A number of an address or a code list."""


def _play_channels() -> dict[str, Flag]:
    return {"cash": 0, "account": 1, "card": 1, "other": 1, "postal": 1}


def _way_words() -> dict[str, str]:
    return {
        "cash": "hotovost",
        "account": "bankovní převod",
        "card": "platební karta",
        "other": "jiný platební prostředek",
        "postal": "poštovní poukázka",
    }


class CasinoFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """Content of ``misto.csv`` for a casino; values that are 0 or empty stay empty.

    Attributes:
        in_names: the casino in names of packages; by default its identifier in the ledger, with
            ``_`` for characters that names do not allow.
        permit_name: its name in the permit of placement; by default that of ``CasinoOpened``.
        address_code: address point of the register of addresses; without one ``latitude`` and
            ``longitude`` are required, degrees such as ``49,5938``.
        region: three letters of the code list Kraj.

    """

    in_names: str = ""
    permit_name: str = ""
    street: str = ""
    house_number: Number = 0
    orientation_number: str = ""
    part: str = ""
    postal_code: Number = 0
    municipality: str = ""
    district: Number = 0
    region: str = ""
    address_code: Number = 0
    latitude: str = ""
    longitude: str = ""


_COLUMNS = {
    "permit_name": "MistoNazev",
    "street": "Ulice",
    "house_number": "CP",
    "orientation_number": "CO",
    "part": "CastObce",
    "postal_code": "PSC",
    "municipality": "Obec",
    "district": "Obvod",
    "region": "Kraj",
    "address_code": "SidloKodRuian",
    "latitude": "GPSX",
    "longitude": "GPSY",
}
"""The column of ``misto.csv`` of each part of a casino's address."""

_ANY_NAME = PackageName("0", date(2000, 1, 1), 0)
"""No value that is checked here depends on the package."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """Interpretation of the decree.

    Attributes:
        static_rows: the accounts and games that every package repeats: the referenced ones, or
            all.
        late_settlement: how the win of a bet of an earlier period is reported: by repeating the
            complete row, or by a correction of type B.
        entitlement: when VyhraVyseNarok is filled: for wins, for every settled bet, or never.
        measure_kinds: measures (letters of TypSO) with a row in sebeomezeni_hra_druh.
        claim_text: NarokVyhra names the rules, their version and digest, or contains the complete
            pay table.
        ways: TransakceZpusob by class of the payment method.
        way_words: TransakceZpusobUpresneni by class of the payment method.
        delay_minutes: how long after its end a period is due.
        casino_delay_minutes: how long after the close of its last operating day the month of a
            casino is due; events recorded until then count.
        exchange: whether money that guests exchange is reported as cash from and for other
            movements, or left out.
        tournament_fee: whether the operator's fee is included in the total of stakes of a
            tournament.
        casinos: further content for the packages of casinos, by their identifiers.

    """

    static_rows: Literal["referenced", "all"] = "referenced"
    late_settlement: Literal["again", "correction"] = "again"
    entitlement: Literal["won", "always", "never"] = "won"
    measure_kinds: str = "abcd"
    claim_text: Literal["reference", "full"] = "reference"
    ways: dict[str, Flag] = field(default_factory=_play_channels)
    way_words: dict[str, str] = field(default_factory=_way_words)
    delay_minutes: DelayMinutes = 0
    casino_delay_minutes: DelayMinutes = 0
    exchange: Literal["reported", "left_out"] = "reported"
    tournament_fee: Literal["within", "apart"] = "within"
    casinos: dict[str, CasinoFacts] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Reject settings without a value for a class of payment."""
        for name, found in (("ways", self.ways), ("way_words", self.way_words)):
            missing = sorted(_play_channels().keys() - found.keys())
            if missing:
                raise ValueError(f"{name} lacks {', '.join(missing)}")

    def in_name(self, place: str) -> str:
        """Return a casino's identifier as used in package names."""
        facts = self.casinos.get(place)
        return (facts.in_names if facts else "") or re.sub(r"[^0-9A-Za-z_]", "_", place)

    def to_json(self) -> str:
        """Encode the settings as JSON in a fixed order."""
        return msgspec.json.encode(self, order="deterministic").decode()


def read_settings(path: Path | None) -> Settings:
    """Parse settings from a TOML file; return the defaults without one.

    Values are checked here and not by the type, because a recorded package is built again with the
    settings of its time, whatever they were.

    Raises:
        InputError: the file cannot be read, or is not valid.

    """
    if path is None:
        return Settings()
    content = read_text(path)
    try:
        settings = decoder_of(Settings).toml(content)
    except ValueError as error:
        raise InputError(f"{path}: {error}: see docs/reporting.md for the settings") from error
    for text in _problems(settings):
        raise InputError(f"{path}: {text}: see docs/reporting.md for the settings")
    return settings


def _problems(settings: Settings) -> Iterator[str]:
    """Find values that no valid package could contain."""
    measures = files(Model.REMOTE)["sebeomezeni"].field("TypSO").codes
    for letter in sorted(set(settings.measure_kinds) - measures.keys()):
        yield f"measure_kinds: {letter!r} is no measure of the code list TypSO"
    for name, given in (("ways", settings.ways), ("way_words", settings.way_words)):
        for unknown in sorted(given.keys() - _play_channels().keys()):
            yield f"{name}: {unknown} is no class of payment"
    column = files(Model.REMOTE)["ucet"].field("TransakceZpusobUpresneni")
    for name, word in settings.way_words.items():
        if found := problem(column, word, Rules(_ANY_NAME, strict=True)):
            yield f"way_words.{name}: {found[1]}"
    for casino, facts in settings.casinos.items():
        for name, text in _casino_problems(facts):
            yield f"casinos.{casino}.{name}: {text}"
    named: dict[str, str] = {}
    for casino in settings.casinos:
        other = named.setdefault(settings.in_name(casino), casino)
        if other != casino:
            yield f"casinos.{casino}.in_names: casino {other} has the same name in packages"


def _casino_problems(facts: CasinoFacts) -> Iterator[tuple[str, str]]:
    try:
        replace(_ANY_NAME, place=facts.in_names)
    except InputError as error:
        yield "in_names", str(error)
        return
    table = files(Model.CASINO)["misto"]
    for setting, column in _COLUMNS.items():
        value = str(getattr(facts, setting) or "")
        found = (
            problem(table.field(column), value, Rules(_ANY_NAME, strict=True)) if value else None
        )
        if found is not None:
            yield setting, found[1]


def settings_from_json(text: str) -> Settings:
    """Parse the settings that ``PackageBuilt`` records.

    Raises:
        InputError: it was written by another version of this program.

    """
    try:
        return decoder_of(Settings).json(text)
    except msgspec.DecodeError as error:
        raise InputError(
            f"the package was built by other settings than are known: {error}"
        ) from error
