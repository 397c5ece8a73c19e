"""The month of issuers that err, told in files: what each form loses does not hide an error."""

from __future__ import annotations

from contextlib import nullcontext
from random import Random
from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import StoppedClock
from ledger.privacy import KeyStore
from ledger.writer import Ledger
from tests.projections.matching.statement_cases import moment
from tests.projections.matching.test_issuers_that_err import DAYS, found, issued_by, month, named
from tools.simulator import MISTAKES, write
from tools.statements.importing import import_file, recorded_statements
from tools.statements.issuer import read_issuer
from tools.statements.reading import ReadRequest

if TYPE_CHECKING:
    from pathlib import Path

    from projections.store.tables import Store
    from tests.projections.matching.statement_cases import Books
    from tools.simulator import IssuedStatement

FORMS = [
    {"bank": "camt.053", "cards": "csv", "studio-a": "jsonl", "studio-b": "csv"},
    {"bank": "gpc", "cards": "xlsx", "studio-a": "csv", "studio-b": "jsonl"},
    {"bank": "mt940", "cards": "jsonl", "studio-a": "xlsx", "studio-b": "csv"},
]


def import_files(
    books: Books, issued: list[IssuedStatement], forms: dict[str, str], folder: Path
) -> None:
    """Import the files of all issuers into the books, a week behind the last day."""
    log, clock = books.chain.tagged(), StoppedClock(moment(DAYS[1] + 7))
    keys = KeyStore(folder / "keys", entropy=bytes)  # the key of the books: see `named`
    with Ledger(log, keys, clock=clock) as ledger:
        for one in issued:
            path = write(one, forms[one.name], folder)
            asked = ReadRequest(
                path,
                one.name,
                read_issuer(folder, one.name),
                first_day=one.first_day,
                last_day=one.last_day,
            )
            import_file(asked, recorded_statements(log), lambda: nullcontext(ledger))
        books.chain.messages = [body for _, body in log.read()]


@pytest.mark.parametrize("forms", FORMS, ids=lambda forms: forms["bank"])
def test_every_error_in_files_is_found_once_and_nothing_else(
    store: Store, tmp_path: Path, forms: dict[str, str]
) -> None:
    random = Random(2)
    books = month(random, rounds=30)
    issued, mistakes = issued_by(books, random, len(MISTAKES))
    assert {one.what for one in mistakes} == set(MISTAKES)
    assert len(mistakes) == 4 * len(MISTAKES)
    import_files(books, issued, forms, tmp_path)
    assert found(books, store) == named(mistakes)
