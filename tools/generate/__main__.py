"""Run the generators: ``python -m tools.generate``."""

import sys

from tools.generate.main import main

sys.exit(main(sys.argv[1:]))
