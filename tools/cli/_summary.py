"""``--summary``: what a run of the night found, as a message for the morning."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from projections.store.as_of import moment_of
from projections.words.catalogue import Language, Words
from tools.data.summary import MARK, night_message
from tools.whole_files import write_whole

if TYPE_CHECKING:
    from ledger.log.port import Log
    from projections.reconciliation.reconcile import Reconciliation
    from projections.store.tables import Store

__all__ = ["Summary", "SummaryLanguage", "write_summary"]

Summary = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        envvar="GAMELEDGER_SUMMARY",
        help="Write what is open as a message (.eml, text and HTML) to be sent.",
    ),
]
SummaryLanguage = Annotated[
    Language, typer.Option("--summary-language", help="Language of the message: cs or en.")
]


def write_summary(
    path: Path | None, language: Language, found: Reconciliation, log: Log, store: Store
) -> None:
    """Write the message, in place of that of the night before and of nothing else.

    Raises:
        InputError: another file lies there.
        AvailabilityError: it can't be written.

    """
    if path is None:
        return
    from ledger.log.opening import opening_of

    message = night_message(
        found.open,
        Words(language),
        chain=opening_of(log).chain,
        position=found.position,
        head=found.head,
        recorded_at=moment_of(store, found.position),
    )
    is_ours = path.is_file() and MARK in path.read_bytes()
    write_whole(path, message, replacing=is_ours)
