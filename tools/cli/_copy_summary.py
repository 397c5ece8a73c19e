"""Print the summary of a copy as JSON, in a process of its own: only it opens the copy's tables."""

from __future__ import annotations

import sys
from pathlib import Path

from msgspec import json

from ledger.core.errors import LedgerError
from tools.cli._project import up_to_date
from tools.data import DataDirectory
from tools.data.locations import LOCAL
from tools.mirror.summary import summarize

__all__ = ["main"]


def main(path: str, since: str) -> None:
    """Summarize the copy in a data directory; an error is printed on stderr, with exit code 4."""
    try:
        with up_to_date(DataDirectory(Path(path), LOCAL)) as (store, _):
            sys.stdout.buffer.write(json.encode(summarize(store, since)))
    except LedgerError as error:
        sys.stderr.write(f"gameledger: {error}\n")
        sys.exit(4)


if __name__ == "__main__":
    main(*sys.argv[1:])
