"""Parse amounts in the details of a settlement."""

from __future__ import annotations

from ledger import games

__all__ = ["haler_in"]


def haler_in(text: object) -> int:
    """Return an amount of a settlement's detail in haléř.

    Raises:
        ValueError: it is not an amount.

    """
    found = games.parse_amount(str(text))
    if found is None:
        raise ValueError(f"{text!r} is no amount")
    return found
