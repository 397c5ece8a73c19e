"""Run the tests that reach the line that was changed: what cosmic-ray runs for each change.

``python -m tests.mutation.noticed ORIGINAL STORE SECONDS FILE…``, in the changed copy; the exit
code is 0 where no test noticed the change.
"""

from __future__ import annotations

import ast
import sys
from itertools import zip_longest
from pathlib import Path

import pytest

from tests.mutation.lines import tests_reaching

UNREACHED = "no test reaches this line"


def main() -> None:
    """Find the line, and run its tests."""
    original, store, seconds = Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3])
    tests = [
        test
        for file in sys.argv[4:]
        if (line := _changed(original / file, Path(file)))
        for test in tests_reaching(store, file, _statement(original / file, line), seconds)
    ]
    if not tests:
        print(UNREACHED)
        return
    options = ["-x", "-q", "-rfE", "--tb=no", "-p", "no:cacheprovider", "-p", "no:randomly"]
    sys.exit(pytest.main([*options, *tests]))


def _changed(before: Path, after: Path) -> int:
    """Return the first line with code that differs, 0 if none does."""
    lines = zip_longest(
        before.read_text().splitlines(), after.read_text().splitlines(), fillvalue=""
    )
    differ = (number for number, (old, new) in enumerate(lines, 1) if old != new and old.strip())
    return next(differ, 0)


def _statement(file: Path, line: int) -> range:
    """Return the lines of the innermost statement around one, without those of its body.

    Decorators, parameters and defaults of a function are reached by what reaches the function.
    """
    inner = range(line, line + 1)
    for node in ast.walk(ast.parse(file.read_text())):
        if not isinstance(node, ast.stmt):
            continue
        decorators = getattr(node, "decorator_list", [])
        first, end = min(each.lineno for each in (node, *decorators)), (node.end_lineno or 0) + 1
        body = getattr(node, "body", None)
        head_end = body[0].lineno if isinstance(body, list) else end
        if first <= line < head_end or node.lineno == line:
            is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            inner = range(first, end if is_function else max(head_end, line + 1))
    return inner


if __name__ == "__main__":
    main()
