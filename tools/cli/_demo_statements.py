"""Bank and payment provider of the demo: their files of the evening, imported and matched."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from ledger.core.clock import StoppedClock, in_prague
from ledger.log.port import Query
from projections.matching.match import matched_statements
from projections.matching.values import Sums
from tools.simulator import START, issue, write
from tools.statements.importing import import_file, recorded_statements
from tools.statements.issuer import read_issuer
from tools.statements.reading import ReadRequest

if TYPE_CHECKING:
    from ledger.log.port import Log
    from projections.store.tables import Store
    from tools.data import DataDirectory

__all__ = ["import_statements", "lines_matched"]

MONEY = Query(types=("DepositCredited", "DepositReturned", "WithdrawalPaid"))
FORMS = {"cards": "csv", "bank": "camt.053"}


def import_statements(directory: DataDirectory, log: Log, moment: int) -> None:
    """Write the statements of bank and payment provider for the evening, and import them.

    Args:
        directory: of the demo.
        log: its chain.
        moment: when they are imported, in microseconds; not before the chain ends.

    """
    folder = directory.path / "issuers"
    folder.mkdir()
    first = in_prague(START).date()
    last = first + timedelta(days=1)
    messages = (message for at in log.find(MONEY) for message in log.read(at, at + 1))
    issued, _ = issue(messages, (first, last), random=Random(START), mistakes=0)
    write_to = partial(directory.write, clock=StoppedClock(moment))
    for one in issued:
        path, issuer = write(one, FORMS[one.name], folder), read_issuer(folder, one.name)
        asked = ReadRequest(path, one.name, issuer, first_day=first, last_day=last)
        import_file(asked, recorded_statements(log), write_to)


def lines_matched(store: Store) -> tuple[Sums, Sums]:
    """Return what was imported and what of it is matched, by tables as far as the chain."""
    imported, agreed = Sums(), Sums()
    for one in matched_statements(store):
        imported, agreed = imported.plus(one.imported), agreed.plus(one.matched)
    return imported, agreed
