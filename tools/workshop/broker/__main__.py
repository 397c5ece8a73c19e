"""Start a Kafka on loopback by hand and keep it until it is interrupted.

``python -m tools.workshop.broker --nodes 3 --data DIR`` prints the address for ``--log``.
"""

from __future__ import annotations

import argparse
import contextlib
import signal
import tempfile
from pathlib import Path

from tools.workshop.broker.cluster import Cluster

__all__ = ["main"]


def main() -> None:
    """Run a cluster until it is interrupted."""
    parser = argparse.ArgumentParser(prog="python -m tools.workshop.broker", description=__doc__)
    parser.add_argument("--nodes", type=int, choices=(1, 3), default=1)
    parser.add_argument("--data", type=Path, help="folder of the nodes; a temporary one if not set")
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with (
        tempfile.TemporaryDirectory() as place,
        contextlib.suppress(KeyboardInterrupt),
        Cluster(asked.data or Path(place), size=asked.nodes) as cluster,
    ):
        print(f"{asked.nodes} node(s) of Kafka serve; end with Ctrl-C. For example:")
        print(f"gameledger --log '{cluster.url('ledger')}' init --help", flush=True)
        signal.pause()


if __name__ == "__main__":
    main()
