"""Fuzz one target with coverage: ``python tests/fuzz/fuzz.py TARGET --seconds 60``.

New inputs stay in ``.cache/fuzz/TARGET``, so that a later run goes on from them; one that shows a
fault is written there as ``crash-…``: copy it to ``tests/fuzz/found/TARGET``.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import atheris  # type: ignore[import-not-found, import-untyped, unused-ignore]

with atheris.instrument_imports(include=["ledger", "projections", "tools"]):
    from tests.fuzz.fuzz_targets import ROOT, TARGETS, give


def main() -> None:
    """Run until the time is over or a fault is found; exit code 0 for none."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("target", nargs="?", choices=sorted(TARGETS))
    parser.add_argument("--list", action="store_true", help="name the targets")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--corpus", type=Path, default=ROOT / ".cache" / "fuzz")
    asked = parser.parse_args()
    if asked.target is None:
        print(*sorted(TARGETS))  # noqa: T201
        return
    corpus: Path = asked.corpus / asked.target
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(TARGETS[asked.target].seeds()):
        (corpus / f"seed-{number}").write_bytes(seed)
    options = (
        f"-max_total_time={asked.seconds}",
        "-timeout=20",
        "-rss_limit_mb=2048",
        "-print_final_stats=1",
        "-verbosity=0",
        f"-artifact_prefix={corpus}/",
    )
    atheris.Setup([sys.argv[0], *options, str(corpus)], lambda data: give(asked.target, data))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
