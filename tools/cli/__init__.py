"""The command line: ``gameledger``, one noun-verb command for each thing that people do.

Presentation only: every command asks the ledger or the projections and shows the answer.
Only the module of the command that is asked for is imported, so that ``record`` starts
without the engine of the projections.

Exit codes: 0 done; 1 findings, or an unexpected error; 2 input; 3 integrity; 4 availability
(a repeat is safe); 5 not allowed.
"""

from __future__ import annotations

from tools.cli._app import main

__all__ = ["main"]
