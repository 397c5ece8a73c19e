"""Which files of tests take long: ``python -m tests.durations whole.xml``.

What comes in: the JUnit file of a whole run (``make test`` with ``--junit-xml=whole.xml``). What
goes out: ``durations.json``, seconds by file, by which ``conftest.py`` orders the files of a run;
those that took less than ``SECONDS_MIN`` are left out and come last.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from xml.etree.ElementTree import parse

SECONDS_MIN = 3
HERE = Path(__file__).parent


def file_of(name: str) -> str:
    """Return the file of a name with dots, which may go on with classes."""
    parts = name.split(".")
    while parts and not HERE.parent.joinpath(*parts).with_suffix(".py").is_file():
        parts.pop()
    return "/".join(parts) + ".py"


def main() -> None:
    seconds: Counter[str] = Counter()
    for case in parse(sys.argv[1]).iter("testcase"):  # noqa: S314 - a file of our own
        seconds[file_of(case.attrib["classname"])] += float(case.attrib["time"])
    found = {name: round(took) for name, took in sorted(seconds.items()) if took >= SECONDS_MIN}
    HERE.joinpath("durations.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
