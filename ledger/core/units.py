"""Units of whole numbers, declared with the type of a field: money, moments, plain numbers.

What formats an answer for people reads the unit from the type; a number is never formatted by the
spelling of its name.
"""

from __future__ import annotations

from enum import Enum
from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

__all__ = ["Count", "Haler", "Hundredth", "Moment", "Unit", "unit_of", "units_of"]


class Unit(Enum):
    """What a whole number is a number of."""

    HALER = "haler"
    HUNDREDTH = "hundredth"
    MOMENT = "moment"
    COUNT = "count"


Haler = Annotated[int, Unit.HALER]
"""Money in haléř."""
Hundredth = Annotated[int, Unit.HUNDREDTH]
"""Money in hundredths of a currency that another field of the row names."""
Moment = Annotated[int, Unit.MOMENT]
"""Microseconds since the epoch in UTC."""
Count = Annotated[int, Unit.COUNT]
"""A number without a unit: how many, or which in an order."""


def unit_of(hint: Any) -> Unit | None:
    """Return the unit that a type declares, alone or beside None."""
    parts = get_args(hint) if isinstance(hint, UnionType) or get_origin(hint) is Union else (hint,)
    declared = (one for part in parts for one in getattr(part, "__metadata__", ()))
    return next((one for one in declared if isinstance(one, Unit)), None)


@cache
def units_of(kind: type) -> dict[str, Unit | None]:
    """Return the units of the fields of a class by name."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: unit_of(hint) for name, hint in hints.items()}
