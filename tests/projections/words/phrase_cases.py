"""A value for each type of place, and how each language writes it."""

from __future__ import annotations

from typing import Any

from ledger.core.phrases import Phrase
from projections.words.catalogue import Language

__all__ = ["SHOWN", "VALUES"]

EVENING = 1_795_374_900_123_456
VALUES: dict[str, Any] = {
    "": "<text>",
    "quoted": "<quoted>",
    "money": 123_456,
    "amount": 7_890,
    "count": 17,
    "moment": EVENING,
    "day": "2026-11-22",
    "local": "2026-11-22 20:15",
    "decimal": "+1,234.50",
    "whole": "<whole>",
    "english": "<english>",
    "listed": ("<one>", "<other>"),
    "names": ("<one>", "<other>"),
    "choice": ("<one>", "<other>"),
    "phrase": Phrase("CARD_NUMBERED", number=3),
    "phrases": (Phrase("CARD_NUMBERED", number=3), Phrase("THE_SPIN")),
}
SHOWN = {
    Language.EN: {
        "": "<text>",
        "quoted": "'<quoted>'",
        "money": "CZK 1,234.56",
        "amount": "78.90",
        "count": "17",
        "moment": "22 November 2026, 20:15:00.123 CET",
        "day": "22 November 2026",
        "local": "22 November 2026, 20:15:00.000 CET",
        "decimal": "+1,234.50",
        "whole": "<whole>",
        "english": "<english>",
        "listed": "<one> and <other>",
        "names": "<one>, <other>",
        "choice": "<one> or <other>",
        "phrase": "card 3",
        "phrases": "card 3; the spin",
    },
    Language.CS: {
        "": "<text>",
        "quoted": "'<quoted>'",
        "money": "1 234,56 Kč",
        "amount": "78,90",
        "count": "17",
        "moment": "22. listopadu 2026, 20:15:00,123 SEČ",
        "day": "22. listopadu 2026",
        "local": "22. listopadu 2026, 20:15:00,000 SEČ",
        "decimal": "+1 234,50",
        "whole": "<whole>",
        "english": "<english>",
        "listed": "<one> a <other>",
        "names": "<one>, <other>",
        "choice": "<one> nebo <other>",
        "phrase": "karta č. 3",
        "phrases": "karta č. 3; roztočení",
    },
}
