"""Settings: the operator's interpretation of points that the decree leaves open.

Every package is built with a :class:`Settings`, and ``PackageBuilt`` records it, so that a package
can be rebuilt as it was. ``docs/reporting.md`` explains for each field what is unclear.
"""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - named in public signatures
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct, field

from ledger.core.decoders import decoder_of
from ledger.core.errors import InputError
from ledger.storage.named_files import read_text

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

    def to_json(self) -> str:
        """Encode the settings as JSON in a fixed order."""
        return msgspec.json.encode(self, order="deterministic").decode()


def read_settings(path: Path | None) -> Settings:
    """Parse settings from a TOML file; return the defaults without one.

    Raises:
        InputError: the file cannot be read, or is not valid.

    """
    if path is None:
        return Settings()
    content = read_text(path)
    try:
        return decoder_of(Settings).toml(content)
    except ValueError as error:
        raise InputError(f"{path}: {error}: see docs/reporting.md for the settings") from error


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
