"""A chain apart beside a main chain: what it holds shows nowhere else, and can't be changed."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.clock import HOUR, StoppedClock, SystemClock, to_datetime
from ledger.decisions.decider import decode_command
from ledger.decisions.suspicion import APART
from ledger.events.encoding import decode
from tests.tools.cli_cases import run_here
from tools.data import DataDirectory
from tools.data.confidential_chain import ConfidentialChain

if TYPE_CHECKING:
    from pathlib import Path

SECRETS = ("anna-4711", "never played with", "w-77", "data box", "SuspicionReported.")
REPORT = {
    "command": "report_suspicion",
    "account": "anna-4711",
    "transactions": "w-77",
    "grounds": "never played with",
    "sent": "data box",
}


class Books:
    """A main chain, and a chain apart."""

    def __init__(self, folder: Path) -> None:
        self.main, self.apart = folder / "main", folder / "apart"
        for path, chain in ((self.main, "c"), (self.apart, f"c{APART}")):
            facts: dict[str, Any] = {
                "operator": "26493993",
                "operator_name": "O",
                "chain": chain,
            }
            DataDirectory(path).create(**facts, clock=StoppedClock(SystemClock().now())).close()
        self.apart.chmod(0o700)

    def report(self, name: str, *, hours: float = 0) -> None:
        """Report a suspicion that arose so many hours before."""
        moment = SystemClock().now() - int(hours * HOUR)
        facts = {"report": name, "suspected_at": to_datetime(moment).isoformat()}
        with DataDirectory(self.apart).write() as ledger:
            ledger.execute(decode_command(json.dumps({**REPORT, **facts})))

    def ask(self, command: str, *, code: int = 0) -> Any:
        arguments = ["suspicion", command, "--apart", str(self.apart), "--json"]
        done = run_here(*arguments, data=self.main)
        assert done.returncode == code, done.stderr
        return json.loads(done.stdout) if code == 0 else done.stderr

    def messages(self) -> list[bytes]:
        log = DataDirectory(self.main).read()
        try:
            return [message for _, message in log.read()]
        finally:
            log.close()


@pytest.fixture
def books(tmp_path: Path) -> Books:
    return Books(tmp_path)


@pytest.mark.law("L-57")
def test_the_main_chain_is_the_same_whether_or_not_something_was_reported(books: Books) -> None:
    """By number, types, sizes and tags of its messages, and by every byte beside its log."""
    books.ask("commit")
    books.ask("commit")
    quiet = books.messages()[-1]
    before = {path: path.read_bytes() for path in books.main.rglob("*") if path.is_file()}
    books.report("s-1")
    assert before == {path: path.read_bytes() for path in books.main.rglob("*") if path.is_file()}
    books.ask("commit")
    busy = books.messages()[-1]
    assert len(busy) == len(quiet)
    first, second = decode(quiet), decode(busy)
    assert type(first.event) is type(second.event)
    assert first.event.TAGS == ()
    for path in books.main.rglob("*"):
        content = path.read_bytes() if path.is_file() else b""
        assert not [text for text in SECRETS[:-1] if text.encode() in content], path


@pytest.mark.law("L-57")
def test_commitments_tell_nothing_without_the_key(books: Books) -> None:
    """The same chain apart gives another commitment on another day: nobody sees that it rests."""
    with ConfidentialChain.at(books.apart) as chain:
        one, other = (chain.commitment(day) for day in ("2026-11-21", "2026-11-22"))
        assert one == chain.commitment("2026-11-21")
    assert one != other
    shutil.rmtree(books.apart / "keys")
    assert "no key store" in books.ask("commit", code=2)


@pytest.mark.law("L-57")
def test_a_report_that_was_delayed_is_late(books: Books) -> None:
    books.report("s-1", hours=23.9)
    assert [one["is_late"] for one in books.ask("list")] == [False]
    books.report("s-2", hours=24.1)
    done = run_here("suspicion", "list", "--apart", str(books.apart), data=books.main)
    assert (done.returncode, "1 report was not made without delay" in done.stdout) == (1, True)
    with ConfidentialChain.at(books.apart) as chain:
        assert [one.is_late for one in chain.reports()] == [False, True]


@pytest.mark.law("L-57")
def test_reports_are_read_by_whoever_owns_the_folder_alone(books: Books) -> None:
    books.report("s-1")
    (report,) = books.ask("list")
    assert (report["report"], report["account"], report["sent"]) == ("s-1", "anna-4711", "data box")
    books.apart.chmod(0o750)
    assert "others can use what it holds" in books.ask("list", code=5)


def test_a_changed_or_shortened_chain_apart_is_found(books: Books) -> None:
    books.report("s-1")
    copy = books.apart.with_name("copy")
    shutil.copytree(books.apart, copy)
    books.report("s-2")
    books.ask("commit")
    books.report("s-3")
    found = books.ask("verify")
    assert (found["commitments"], found["size"] - found["covered"]) == (1, 2)
    shutil.rmtree(books.apart)
    copy.rename(books.apart)
    assert "was not made of this chain" in books.ask("verify", code=3)
    books.report("s-2")
    assert "was not made of this chain" in books.ask("verify", code=3), "backdated"


def test_a_changed_report_is_found_whatever_the_tree_beside_the_log_says(books: Books) -> None:
    """The tree may be older than the change: only the messages tell what was reported."""
    first = DataDirectory(books.apart).read()
    begin = first.head().size
    first.close()
    for number in range(256 + 8 - begin):
        books.report(f"s-{number}")
    books.ask("commit")
    assert books.ask("verify")["commitments"] == 1
    assert (books.apart / "tree.sqlite").exists()
    with closing(sqlite3.connect(books.apart / "log.sqlite")) as log:
        (body,) = log.execute(
            "SELECT body FROM message WHERE position = ?", (begin + 1,)
        ).fetchone()
        altered = body[:-1] + bytes([body[-1] ^ 1])
        log.execute("UPDATE message SET body = ? WHERE position = ?", (altered, begin + 1))
        log.commit()
    assert "was not made of this chain" in books.ask("verify", code=3)


def test_a_main_chain_is_no_chain_apart(books: Books) -> None:
    books.apart = books.main
    books.main.chmod(0o700)
    assert "not a chain apart" in books.ask("list", code=2)
