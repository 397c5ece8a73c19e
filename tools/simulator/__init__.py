"""A simulated casino evening: the studio, its players, and incidents.

All commands go through ``Ledger.submit``, so every event is a real decision; the clock is simulated
and all randomness comes from one seed, so the same seed gives the same chain to the last hash.
:func:`create` creates the ledger, :func:`run` plays; `breaches` records violations of the law,
:func:`issue` makes banks' and providers' statements of a chain and :func:`write` writes them to
files; :func:`seat_players` only fills a table, for a caller that plays by itself.
"""

from __future__ import annotations

from tools.simulator._breaches import Breach, breaches
from tools.simulator._card_room import CARD_ROOM
from tools.simulator._evening import START, Summary, create, run
from tools.simulator._games import ALL, SAZKA, SimulatedGame, chosen
from tools.simulator._issuer_files import write
from tools.simulator._issuers import MISTAKES, IssuedStatement, Mistake, issue
from tools.simulator._setup import seat_players
from tools.simulator._sources import SourceFault

__all__ = [
    "ALL",
    "CARD_ROOM",
    "MISTAKES",
    "SAZKA",
    "START",
    "Breach",
    "IssuedStatement",
    "Mistake",
    "SimulatedGame",
    "SourceFault",
    "Summary",
    "breaches",
    "chosen",
    "create",
    "issue",
    "run",
    "seat_players",
    "write",
]
