"""Fuzz with coverage, some targets or all: ``python tests/fuzz/fuzz.py TARGET… --seconds 60``.

New inputs stay in ``.cache/fuzz/TARGET``, so that a later run goes on from them; one that shows a
fault is written there as ``crash-…``: copy it to ``tests/fuzz/found/TARGET``.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import NoReturn

import atheris  # type: ignore[import-not-found, import-untyped, unused-ignore]

with atheris.instrument_imports(include=["ledger", "projections", "tools"]):
    from tests.fuzz.fuzz_targets import ROOT, TARGETS, give


def main() -> None:
    """Run until the time of each is over or a fault is found; exit code 0 for none."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=" ".join(TARGETS))
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--corpus", type=Path, default=ROOT / ".cache" / "fuzz")
    asked = parser.parse_args()
    if unknown := set(asked.targets) - TARGETS.keys():
        parser.error(f"no target: {', '.join(sorted(unknown))}")
    for target in asked.targets or sorted(TARGETS):
        print(target, file=sys.stderr, flush=True)
        child = os.fork()  # libFuzzer ends its process; the code is loaded and instrumented once
        if child == 0:
            _fuzz(target, asked.corpus / target, asked.seconds)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
            sys.exit(1)


def _fuzz(target: str, corpus: Path, seconds: int) -> NoReturn:
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(TARGETS[target].seeds()):
        (corpus / f"seed-{number}").write_bytes(seed)
    options = (
        f"-max_total_time={seconds}",
        "-timeout=20",
        "-rss_limit_mb=2048",
        "-print_final_stats=1",
        "-verbosity=0",
        f"-artifact_prefix={corpus}/",
    )
    atheris.Setup([sys.argv[0], *options, str(corpus)], lambda data: give(target, data))
    atheris.Fuzz()
    raise AssertionError("libFuzzer ends its process")


if __name__ == "__main__":
    main()
