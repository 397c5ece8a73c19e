"""A file comes in whole or not at all, whatever stops it; what comes twice or overlaps is named."""

from __future__ import annotations

import json
import tracemalloc
from contextlib import closing, contextmanager, suppress
from datetime import date
from resource import RLIMIT_FSIZE, getrlimit, setrlimit
from signal import SIGKILL
from subprocess import TimeoutExpired
from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.errors import AvailabilityError, InputError
from ledger.events import event_types as e
from ledger.log.port import Query, events_at
from tests.tools.cli_cases import run_here, started
from tests.tools.statements.statement_files import asked, bank, games, gpc, gpc_line
from tools.data import DataDirectory
from tools.data.personal import text_of_period
from tools.statements.importing import check, import_file, recorded_statements
from tools.statements.reading import ReadRequest, examine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ledger.events.command import Command
    from tests.tools.ready_program import Running

KB = 'kind = "BANK"\nformat = "gpc"\naccount = "19-2000145399/0800"\n'
STUDIO = """
kind = "GAMES"
format = "csv"
delimiter = ","
[columns]
moment = "at"
stake = "stake"
paid = "win"
bet = "bet"
round = "round"
table = "table"
"""
HEADER = "at,bet,round,table,stake,win\n"
ROW = "2026-02-02T20:00:00,b-{0},r-1,t-1,{0}.50,1\n"
SEVEN = HEADER + "".join(ROW.format(number) for number in range(1, 8))


@pytest.fixture
def data(tmp_path: Path) -> DataDirectory:
    """A chain without statements."""
    found = DataDirectory(tmp_path / "data")
    found.create(operator="26493993", operator_name="SAZKA a.s.", chain="c").close()
    (found.path / "issuers").mkdir()
    (found.path / "issuers" / "kb.toml").write_text(KB)
    return found


def recorded(data: DataDirectory, kind: str) -> list[Any]:
    log = data.read()
    try:
        return [one.event for one in events_at(log, log.find(Query(types=(kind,))))]
    finally:
        log.close()


def before(data: DataDirectory) -> Any:
    log = data.read()
    try:
        return recorded_statements(log)
    finally:
        log.close()


def is_running(running: Running) -> bool:
    with suppress(TimeoutExpired):
        running.wait(0.01)
        return False
    return True


class _Killed:
    """A ledger whose process ends before or behind a command."""

    def __init__(self, ledger: Any, after: int, *, is_recorded: bool) -> None:
        self._ledger, self._left, self._is_recorded = ledger, after, is_recorded

    def submit(self, command: Command) -> Any:
        if self._left == 0:
            if self._is_recorded:
                self._ledger.execute(command)
            raise AvailabilityError("killed")
        self._left -= 1
        return self._ledger.submit(command)

    def execute(self, command: Command) -> Any:
        return self.submit(command).result()


def test_a_correction_supersedes_what_was_shown_and_nothing_else(
    data: DataDirectory, tmp_path: Path
) -> None:
    first, others = (tmp_path / name for name in ("first", "others"))
    first.mkdir()
    others.mkdir()
    import_file(asked(tmp_path, SEVEN, games()), before(data), data.write)
    mine = asked(first, SEVEN + ROW.format(8), games())._replace(reason="one bet was missing")
    shown = check(mine, before(data)).supersedes
    theirs = asked(others, SEVEN + ROW.format(9), games())._replace(reason="another one was")
    import_file(theirs, before(data), data.write, supersedes=shown)
    count = before(data)
    with pytest.raises(InputError, match="choose it again"):
        import_file(mine, before(data), data.write, supersedes=shown)
    assert before(data) == count
    assert recorded(data, "StatementLinesRecorded")[-1].statement == count[-1].event.statement


@pytest.mark.parametrize("is_recorded", [False, True])
@pytest.mark.parametrize("after", range(5))
def test_a_run_that_is_killed_leaves_nothing_in_force_and_the_next_completes_it(
    data: DataDirectory, tmp_path: Path, after: int, is_recorded: bool
) -> None:
    """Seven lines, two a piece: four pieces and what puts them in force."""
    of = asked(tmp_path, SEVEN, games())

    @contextmanager
    def killed() -> Iterator[Any]:
        with data.write() as ledger:
            yield _Killed(ledger, after, is_recorded=is_recorded)

    with pytest.raises(AvailabilityError, match="killed"):
        import_file(of, before(data), killed, lines_max=2)
    is_in_force = is_recorded and after == 4
    assert len(before(data)) == is_in_force
    if is_in_force:
        with pytest.raises(InputError, match="is imported already"):
            import_file(of, before(data), data.write, lines_max=2)
    else:
        import_file(of, before(data), data.write, lines_max=2)
    pieces = recorded(data, "StatementLinesRecorded")
    assert [piece.first_line for piece in pieces] == [1, 3, 5, 7]
    (statement,) = recorded(data, "StatementImported")
    assert (statement.lines, statement.stakes, statement.paid) == (7, 3_150, 700)
    assert pieces[-1].stakes == statement.stakes


@pytest.mark.parametrize("further", [0, 500])
def test_a_full_folder_of_temporary_files_is_no_fault_of_the_file(
    data: DataDirectory, tmp_path: Path, further: int
) -> None:
    of = asked(tmp_path, SEVEN + "".join(map(ROW.format, range(further))), games())
    soft, hard = getrlimit(RLIMIT_FSIZE)
    setrlimit(RLIMIT_FSIZE, (100, hard))
    try:
        with pytest.raises(AvailabilityError, match="can't be stored in"):
            import_file(of, [], data.write)
    finally:
        setrlimit(RLIMIT_FSIZE, (soft, hard))
    assert not before(data)


def test_a_file_of_a_killed_run_under_the_wrong_issuer_is_imported_under_the_right_one(
    data: DataDirectory, tmp_path: Path
) -> None:
    wrong = asked(tmp_path, SEVEN, games())

    @contextmanager
    def killed() -> Iterator[Any]:
        with data.write() as ledger:
            yield _Killed(ledger, 2, is_recorded=False)

    with pytest.raises(AvailabilityError, match="killed"):
        import_file(wrong, before(data), killed, lines_max=2)
    import_file(wrong._replace(name="right"), before(data), data.write, lines_max=2)
    pieces = recorded(data, "StatementLinesRecorded")
    assert [piece.issuer for piece in pieces] == ["issuer-1"] * 2 + ["right"] * 4
    (statement,) = recorded(data, "StatementImported")
    assert (statement.issuer, statement.lines) == ("right", 7)


def test_two_files_take_the_place_of_each_other_again_and_again_for_one_reason(
    data: DataDirectory, tmp_path: Path
) -> None:
    one = asked(tmp_path, SEVEN, games(), "one")
    other = asked(tmp_path, SEVEN.replace("b-7", "b-8"), games(), "other")
    import_file(one, before(data), data.write)
    for of in (other, one, other, one):
        judged = import_file(of._replace(reason="R"), before(data), data.write)
        with pytest.raises(InputError, match="is imported already"):
            import_file(of._replace(reason="R"), before(data), data.write)
        (in_force,) = (found for found in before(data) if not found.superseded_by)
        assert in_force.event.statement == judged.parsed.statements[0].statement
        with closing(data.keys()) as keys:
            assert text_of_period(keys, in_force.event, "file") == of.path.name
    assert len({found.event.statement for found in before(data)}) == 5


def test_a_program_that_is_killed_between_pieces_leaves_nothing_in_force(
    data: DataDirectory, tmp_path: Path
) -> None:
    """Kill -9 once the first of eighty pieces is recorded; import the file again."""
    rows = [ROW.format(number) for number in range(1, 40_001)]
    of = asked(tmp_path, HEADER + "".join(rows), games(), "month.csv")
    (data.path / "issuers" / "studio.toml").write_text(STUDIO)
    arguments = ("statement", "import", str(of.path), "--issuer", "studio")
    with started(*arguments, data=data.path) as running:
        while not recorded(data, "StatementLinesRecorded"):
            assert is_running(running), running.stderr.read()
        running.kill()
        assert running.wait() == -SIGKILL
    assert 0 < len(recorded(data, "StatementLinesRecorded")) < 80
    assert not before(data)
    done = run_here(*arguments, data=data.path)
    assert done.returncode == 0, done.stderr
    pieces = recorded(data, "StatementLinesRecorded")
    assert [piece.first_line for piece in pieces] == list(range(1, 40_001, 500))
    (statement,) = recorded(data, "StatementImported")
    assert (statement.lines, statement.stakes) == (40_000, 80_004_000_000)
    assert "is imported already" in run_here(*arguments, data=data.path).stderr


def test_what_is_wrong_at_the_end_leaves_nothing_in_the_chain(
    data: DataDirectory, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="line 9, column 5"):
        import_file(asked(tmp_path, f"{SEVEN}{ROW.format('x')}", games()), [], data.write)
    assert not recorded(data, "StatementLinesRecorded")


def test_names_and_accounts_of_persons_are_not_in_the_chain(
    data: DataDirectory, tmp_path: Path
) -> None:
    (tmp_path / "f").write_bytes(gpc(gpc_line(5, name="Karel Novák")).encode("cp1250"))
    run_here("statement", "import", str(tmp_path / "f"), "--issuer", "kb", data=data.path)
    (piece,) = recorded(data, "StatementLinesRecorded")
    assert len(piece.counterparties[0]) == 32
    log = data.read()
    whole = b"".join(body for _, body in log.read())
    log.close()
    assert b"Karel" not in whole
    assert b"1234567890" not in whole


def test_a_month_at_the_command_line(data: DataDirectory, tmp_path: Path) -> None:
    """Import, again, a gap, a correction, what is listed and shown."""

    def told(*arguments: str) -> Any:
        return json.loads(run_here("statement", *arguments, "--json", data=data.path).stdout)

    def fails(words: str, *arguments: str) -> None:
        done = run_here("statement", *arguments, data=data.path)
        assert (done.returncode, words in done.stderr) == (2, True), done.stderr

    first, third, anew = (str(tmp_path / f"{name}.gpc") for name in ("first", "third", "anew"))
    (tmp_path / "first.gpc").write_text(gpc(gpc_line(700, symbol=42), gpc_line(200, "1")))
    (tmp_path / "third.gpc").write_text(gpc(opening=1, days=("030226", "040226")))
    (tmp_path / "anew.gpc").write_text(gpc(gpc_line(701, symbol=42), gpc_line(200, "1")))
    kb = ("--issuer", "kb")
    assert told("check", first, *kb)["imported"] is False
    assert not told("list")
    done = told("import", first, *kb)
    (name,) = [one["statement"] for one in done["statements"]]
    assert done["imported"]
    fails(f"first.gpc is imported already: statement {name}", "import", first, *kb)
    fails("overlaps statement", "check", anew, *kb)
    fails("that it could supersede", "import", third, *kb, "--reason", "r")
    gap = told("import", third, *kb)
    assert "gap of 1 day between 2026-02-02" in gap["notes"][0]
    corrected = told("import", anew, *kb, "--reason", "one haléř was missing")
    assert corrected["supersedes"] == [name]
    assert [one["gap_days"] for one in told("list")] == [0, 1]
    assert [one["superseded_by"] != "" for one in told("list", "--all")] == [True, False, False]
    again = corrected["statements"][0]["statement"]
    shown = told("show", again[:9], "--limit", "1")
    assert (shown["reason"], len(shown["first_lines"])) == ("one haléř was missing", 1)
    assert shown["first_lines"][0]["variable_symbol"] == "42"
    assert json.loads(shown["settings"])["account"] == "19-2000145399/0800"
    assert "one haléř was missing" in run_here("statement", "show", again, data=data.path).stdout
    fails("no statement begins with 'zz'", "show", "zz")


def test_the_list_names_a_balance_that_does_not_go_on(data: DataDirectory, tmp_path: Path) -> None:
    for name, opening, days in (
        ("first", 5, ("010226", "020226")),
        ("second", 5, ("020226", "030226")),
        ("third", 7, ("030226", "040226")),
        ("fifth", 9, ("050226", "060226")),
    ):
        of = asked(tmp_path, gpc(opening=opening, days=days), bank(), name)
        import_file(of, before(data), data.write)
    said = run_here("statement", "list", "--csv", data=data.path).stdout.splitlines()
    ends = ["", "", "other balance than before it", "1 day before it"]
    assert [line.rpartition(",")[2] for line in said[1:]] == ends
    told = json.loads(run_here("statement", "list", "--json", data=data.path).stdout)
    assert [one["opens_at_closing"] for one in told] == [True, True, False, True]


def test_a_file_of_the_wrong_issuer_is_imported_under_the_right_one(
    data: DataDirectory, tmp_path: Path
) -> None:
    (data.path / "issuers" / "other.toml").write_text(KB)
    file = tmp_path / "of-other.gpc"
    file.write_text(gpc(gpc_line(700, symbol=42)))

    def told(code: int, *arguments: str) -> Any:
        done = run_here("statement", *arguments, "--json", data=data.path)
        assert done.returncode == code, done.stderr
        return json.loads(done.stdout) if code == 0 else done.stderr

    (wrong,) = told(0, "import", str(file), "--issuer", "kb")["statements"]
    right = ("import", str(file), "--issuer", "other")
    assert "or as issuer other, in place of that, say why" in told(2, *right)
    done = told(0, *right, "--reason", "It is the other account's.")
    assert done["supersedes"] == [wrong["statement"]]
    (one,) = told(0, "list")
    assert (one["issuer"], one["statement"]) == ("other", done["statements"][0]["statement"])
    file.write_text(gpc(gpc_line(900, symbol=43)))
    told(0, "import", str(file), "--issuer", "kb")
    assert [one["issuer"] for one in told(0, "list")] == ["kb", "other"]


def test_a_file_may_come_late_and_two_issuers_say_the_same_days(
    data: DataDirectory, tmp_path: Path
) -> None:
    late = asked(tmp_path, SEVEN.replace("2026-02-02", "2026-02-01"), games(), "late")
    import_file(asked(tmp_path, SEVEN, games()), [], data.write)
    import_file(late._replace(name="other"), before(data), data.write)
    judged = import_file(
        asked(tmp_path, SEVEN.replace("02-02", "01-31"), games(), "early"),
        before(data),
        data.write,
    )
    assert str(judged.notes[0]).startswith("gap of 1 day between 2026-01-31")


def test_a_table_may_cover_days_without_lines(data: DataDirectory, tmp_path: Path) -> None:
    of = asked(tmp_path, HEADER, games())._replace(
        first_day=date(2026, 2, 1), last_day=date(2026, 2, 28)
    )
    assert check(of, []).parsed.statements[0].lines == 0
    import_file(of, [], data.write)
    (statement,) = recorded(data, "StatementImported")
    assert isinstance(statement, e.StatementImported)
    assert (statement.first_day, statement.last_day) == ("2026-02-01", "2026-02-28")


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """Ten times the lines, and no more than 2 MiB on top."""

    def of(lines: int) -> ReadRequest:
        rows = (ROW.format(number) for number in range(lines))
        return asked(tmp_path, HEADER + "".join(rows), games(), str(lines))

    small, large = of(1_000), of(10_000)
    with (tmp_path / "kept").open("wb") as kept:
        tracemalloc.start()
        examine(small, keep=kept.write)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        examine(large, keep=kept.write)
        _, later = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert later - peak < 2**21
