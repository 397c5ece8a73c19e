"""Which tests reach which line, recorded once by coverage with a context for each test.

As a plugin of pytest (``-p tests.mutation.lines --lines STORE``) it records; `tests_reaching`
answers. A test that failed, needs a broker or is slow is not among the answers.
"""

from __future__ import annotations

import signal
import sqlite3
from collections import defaultdict
from contextlib import closing
from itertools import chain, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

import coverage
import pytest
from coverage.numbits import register_sqlite_functions

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence
    from types import FrameType

SETUP = "|setup"
"""Ends the context of what runs before a test; a fixture that files share runs before one alone."""
CPU_SECONDS_MAX = 10
"""A test that takes longer, while its lines are recorded, is left out."""
FUNCTION_SECONDS_MAX = 20
"""What is left of the parameters of a test is left out once they took so long together."""
REACHING = """
SELECT context.context FROM line_bits
JOIN file ON file.id = file_id JOIN context ON context.id = context_id
WHERE path = ? AND (? OR num_in_numbits(?, numbits))
"""


class TooSlow(BaseException):
    """A test takes too long. Hypothesis would go on after an Exception."""


class Recorder:
    """Records the lines that each test reaches, how long it takes, and whether it passes."""

    def __init__(self, store: Path) -> None:
        """Begin, before the code is imported."""
        self.store, self.seconds, self.failed = store, defaultdict[str, float](float), set[str]()
        self.functions = defaultdict[str, float](float)
        signal.signal(signal.SIGVTALRM, self._stop)
        self.measured = coverage.Coverage(
            data_file=store, source=["ledger", "projections"], config_file=False
        )
        self.measured.set_option("run:relative_files", True)
        self.measured.start()

    @staticmethod
    def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
        """Leave out what needs a broker."""
        items[:] = [
            one
            for one in items
            if "kafka_jars" not in getattr(one, "fixturenames", ()) and "[kafka" not in one.name
        ]

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, None, None]:
        """Give what a test needs a context of its own."""
        self.measured.switch_context(item.nodeid + SETUP)
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, None, None]:
        """Give a test its context, and an end."""
        function = item.nodeid.partition("[")[0]
        if self.functions[function] > FUNCTION_SECONDS_MAX:
            pytest.skip("takes too long")
        self.measured.switch_context(item.nodeid)
        signal.setitimer(signal.ITIMER_VIRTUAL, CPU_SECONDS_MAX)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    @staticmethod
    def _stop(_signal: int, _frame: FrameType | None) -> None:
        raise TooSlow

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up the time of a test."""
        self.seconds[report.nodeid] += report.duration
        self.functions[report.nodeid.partition("[")[0]] += report.duration
        if not report.passed:
            self.failed.add(report.nodeid)

    def pytest_unconfigure(self) -> None:
        """Store what was recorded."""
        self.measured.stop()
        self.measured.save()
        with closing(sqlite3.connect(self.store)) as file:
            file.execute("CREATE TABLE passed (test TEXT PRIMARY KEY, seconds REAL NOT NULL)")
            passed = [pair for pair in self.seconds.items() if pair[0] not in self.failed]
            file.executemany("INSERT INTO passed VALUES (?, ?)", passed)
            file.commit()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take the file that gets the lines."""
    parser.addoption("--lines", type=Path, required=True)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Begin before anything of ours is imported."""
    early_config.pluginmanager.register(Recorder(early_config.known_args_namespace.lines))


def tests_reaching(store: Path, path: str, lines: Sequence[int], seconds_max: float) -> list[str]:
    """Return tests that reach one of the lines, the fastest of each file first, up to so long.

    What only an import reaches, such as a constant, is checked by all that reach the file; what
    only runs before a test, by the tests of that file.
    """
    with closing(sqlite3.connect(store)) as file:
        register_sqlite_functions(file)
        seconds = dict(file.execute("SELECT test, seconds FROM passed"))
        rows = [row for line in lines for row in file.execute(REACHING, (path, False, line))]
        if set(rows) == {("",)}:
            rows = file.execute(REACHING, (path, True, 0)).fetchall()
        found = {context for (context,) in rows}
    direct = found & seconds.keys()
    shared = {one.partition("::")[0] for one in found if one.endswith(SETUP)}
    near = {test for test in seconds if test.partition("::")[0] in shared} - direct
    tests, sum_seconds = [], 0.0
    for test in chain(_in_turns(direct, seconds), _in_turns(near, seconds)):
        sum_seconds += seconds[test]
        if sum_seconds > seconds_max and tests:
            break
        tests.append(test)
    return tests


def _in_turns(tests: Iterable[str], seconds: dict[str, float]) -> list[str]:
    """Return the fastest test of each file, then the second of each, and so on."""
    files = defaultdict[str, list[str]](list)
    for test in sorted(tests, key=lambda test: (seconds[test], test)):
        files[test.partition("::")[0]].append(test)
    rounds = zip_longest(*files.values())
    return [test for each in rounds for test in each if test is not None]
