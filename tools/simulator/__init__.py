"""A simulated casino evening: the studio, its players, and what may happen to them.

Everything goes through ``Ledger.submit``, so every event is a real decision; the clock is
simulated and all chance comes from one seed, so the same seed gives the same chain to the
last hash. :func:`create` makes the ledger, :func:`run` plays;
`breaches` records what the law forbids, :func:`issue` lets banks and providers say
what a chain says and :func:`write` makes files of it, :func:`seat_players` only fills a
table, for who plays by itself.
"""

from __future__ import annotations

from tools.simulator._breaches import Breach, breaches
from tools.simulator._card_room import CARD_ROOM
from tools.simulator._evening import START, Summary, create, run
from tools.simulator._games import ALL, SAZKA, Dealt, chosen
from tools.simulator._issuer_files import write
from tools.simulator._issuers import MISTAKES, Issued, Mistake, issue
from tools.simulator._setup import seat_players

__all__ = [
    "ALL",
    "CARD_ROOM",
    "MISTAKES",
    "SAZKA",
    "START",
    "Breach",
    "Dealt",
    "Issued",
    "Mistake",
    "Summary",
    "breaches",
    "chosen",
    "create",
    "issue",
    "run",
    "seat_players",
    "write",
]
