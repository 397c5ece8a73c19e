"""The command line: ``gameledger``, one noun-verb command for each thing that people do.

Presentation only: every command asks the ledger or the projections and shows the answer.
Only the module of the command that is asked for is imported, so that ``record`` starts
without the engine of the projections.

Exit codes are those of ``ledger.core.errors``: 0 is done, 1 findings or an unexpected error.
"""

from __future__ import annotations

from tools.cli._start import main

__all__ = ["main"]
