"""How the points of the decree that its text leaves open are read: one value, recorded.

Every package is built by a :class:`Settings`, and ``PackageBuilt`` keeps it, so that a package
can be made again as it was. ``docs/reporting.md`` says for each field what is unsure.
"""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - named in public signatures
from typing import Literal

import msgspec
from msgspec import Struct, field

from ledger.core.errors import InputError

__all__ = ["Settings", "read_settings", "settings_from_json"]

Flag = Literal[0, 1]


def _ways() -> dict[str, Flag]:
    return {"cash": 0, "account": 1, "card": 1, "other": 1, "postal": 1}


def _way_words() -> dict[str, str]:
    return {
        "cash": "hotovost",
        "account": "bankovní převod",
        "card": "platební karta",
        "other": "jiný platební prostředek",
        "postal": "poštovní poukázka",
    }


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """Readings of the decree.

    Attributes:
        static_rows: which accounts and games every package repeats: those that it refers to,
            or all.
        late_settlement: how the win of a bet of an earlier period is told: the row again and
            whole, or a correction of type B.
        entitlement: when VyhraVyseNarok is filled: for wins, for every settled bet, or never.
        measure_kinds: measures (letters of TypSO) that get a row in sebeomezeni_hra_druh.
        claim_text: NarokVyhra names the rules, their version and digest, or holds the pay
            table in full.
        ways: TransakceZpusob by class of the payment method.
        way_words: TransakceZpusobUpresneni by class of the payment method.
        delay_minutes: how long after its end a period is due.

    """

    static_rows: Literal["referenced", "all"] = "referenced"
    late_settlement: Literal["again", "correction"] = "again"
    entitlement: Literal["won", "always", "never"] = "won"
    measure_kinds: str = "abcd"
    claim_text: Literal["reference", "full"] = "reference"
    ways: dict[str, Flag] = field(default_factory=_ways)
    way_words: dict[str, str] = field(default_factory=_way_words)
    delay_minutes: int = 0

    def __post_init__(self) -> None:
        """Refuse a reading that leaves a class of payment without a value."""
        for name, found in (("ways", self.ways), ("way_words", self.way_words)):
            missing = sorted(_ways().keys() - found.keys())
            if missing:
                raise ValueError(f"{name} lacks {', '.join(missing)}")
        if self.delay_minutes < 0:
            raise ValueError("delay_minutes is below 0")

    def to_json(self) -> str:
        """Write the readings as JSON, always in the same order."""
        return msgspec.json.encode(self, order="deterministic").decode()


def read_settings(path: Path | None) -> Settings:
    """Read readings from a TOML file; the defaults without one.

    Raises:
        InputError: the file can't be read, or holds something else.

    """
    if path is None:
        return Settings()
    try:
        return msgspec.toml.decode(path.read_bytes(), type=Settings)
    except (OSError, msgspec.DecodeError, ValueError) as error:
        raise InputError(f"{path}: {error}: see docs/reporting.md for the settings") from error


def settings_from_json(text: str) -> Settings:
    """Read what ``PackageBuilt`` keeps.

    Raises:
        InputError: it was written by another version of this program.

    """
    try:
        return msgspec.json.decode(text, type=Settings)
    except msgspec.DecodeError as error:
        raise InputError(
            f"the package was built by other settings than are known: {error}"
        ) from error
