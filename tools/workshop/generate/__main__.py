"""Run the generators: ``python -m tools.workshop.generate``."""

import sys

from ledger.core.errors import LedgerError
from tools.workshop.generate.main import main

try:
    sys.exit(main(sys.argv[1:]))
except LedgerError as error:  # of a plan, say, or of an operator's rules
    sys.exit(f"nothing was generated: {error}")
