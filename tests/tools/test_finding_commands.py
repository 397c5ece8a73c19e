"""The life of a finding from the command line: found, recorded, handled, closed, back again."""

from __future__ import annotations

import json
import re
import shutil
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.clock import SystemClock, in_prague
from tests.tools.cli_cases import bet, command, run, run_here
from tests.tools.writer_cases import serving
from tools.data import DataDirectory, tables
from tools.data.examination_cache import RECONCILED
from tools.data.locations import LOCAL

if TYPE_CHECKING:
    from pathlib import Path

BY = ("--by", "risk", "--evidence", "R 12/2026")
WHY = ("--reason", "The player paid it back.")


@pytest.fixture(scope="module")
def wrong_once(studio_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A chain in which a bet was paid too much."""
    data = shutil.copytree(studio_once, tmp_path_factory.mktemp("wrong") / "data")
    spun = {"wheel_direction": "clockwise", "ball_direction": "counterclockwise"}
    lines = [
        bet(1),
        command("close_bets", round="q1"),
        command("spin_wheel", round="q1", revolutions=9, **spun),
        command("land_ball", round="q1", number=2),
        command("record_result", round="q1", outcome={"number": 2}, wording="2"),
        command("settle_round", round="q1", payments={"q1-1": 700}),
    ]
    assert run("record", data=data, lines=lines).returncode == 0
    return data


@pytest.fixture
def wrong(wrong_once: Path, tmp_path: Path) -> Path:
    return shutil.copytree(wrong_once, tmp_path / "data")


def asked(data: Path, *arguments: str, code: int | None = 0) -> Any:
    done = run_here(*arguments, "--json", data=data)
    assert done.returncode == code or code is None, done.stderr
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


def listed(data: Path, *arguments: str) -> list[tuple[str, str]]:
    found = asked(data, "finding", "list", *arguments)["findings"]
    return [(one["finding"]["identity"], one["finding"]["state"]) for one in found]


def test_nothing_is_said_to_be_right_that_no_reconciliation_looked_at(wrong: Path) -> None:
    said = run_here("finding", "list", data=wrong).stdout
    assert said.startswith("No reconciliation is recorded")
    run_here("reconcile", "--record", data=wrong)
    said = run_here("finding", "list", "--code", "RAKE_WRONG", data=wrong).stdout
    assert said.startswith("Nothing is open.")


def test_reconcile_looks_for_some_codes_only(wrong: Path) -> None:
    only = ("reconcile", "--only")
    (found,) = asked(wrong, *only, "CLOCK_APART", "--only", "PAID_TOO_MUCH", code=1)["findings"]
    assert found["code"] == "PAID_TOO_MUCH"
    assert asked(wrong, *only, "CLOCK_APART")["findings"] == []
    said = run_here(*only, "CLOCK_APART", data=wrong).stdout
    assert said.startswith("Checked for CLOCK_APART, as of position")
    assert "No CLOCK_APART." in said
    for arguments, fault in (
        (("PAID_TO_MUCH",), "perhaps PAID_TOO_MUCH"),
        (("PAID_TOO_MUCH", "--record"), "leave out `--only`"),
        (("PAID_TOO_MUCH", "--since", "last"), "leave out `--only`"),
        (("PAID_TOO_MUCH", "--summary", "s.eml"), "leave out `--only`"),
    ):
        refused = run_here(*only, *arguments, data=wrong)
        assert (refused.returncode, fault in refused.stderr) == (2, True)


def test_a_finding_is_recorded_handled_closed_and_comes_back(wrong: Path) -> None:
    with tables.keep_tables_open(wrong / "projection"):
        assert listed(wrong) == []
        (new,) = asked(wrong, "reconcile", code=1)["findings"]
        name = new["identity"]
        assert (new["code"], new["amount"], new["state"]) == ("PAID_TOO_MUCH", 700, "new")
        unknown = run_here("finding", "close", name, *WHY, *BY, data=wrong)
        assert (unknown.returncode, "reconcile --record" in unknown.stderr) == (2, True)
        (recorded,) = asked(wrong, "reconcile", "--record", code=1)["findings"]
        assert (recorded["identity"], recorded["state"]) == (name, "open")
        assert listed(wrong) == [(name, "open")]

        number = recorded["number"]
        assert re.fullmatch(r"F-20\d\d-000001", number)
        assert asked(wrong, "finding", "show", number)["findings"][0]["finding"]["number"] == number
        none = run_here("finding", "comment", number[:-1] + "2", "--text", "?", *BY, data=wrong)
        assert (none.returncode, number[:-1] in none.stderr) == (2, True)
        run_here("finding", "assign", number.lower(), "--to", "cage-2", "--by", "risk", data=wrong)
        assert listed(wrong, "--mine", "--by", "cage-2") == [(name, "open")]
        assert listed(wrong, "--assignee", "risk") == listed(wrong, "--code", "RAKE_WRONG") == []
        assert listed(wrong, "--account", "a-1", "--from", "2020-01-01") == [(name, "open")]
        explained = ("finding", "explain", name, "--reason", "Paid by hand.", *BY)
        assert "Would explain" in run_here(*explained, "--dry-run", data=wrong).stdout
        assert run_here(*explained, data=wrong).returncode == 0
        assert listed(wrong) == [(name, "explained")]
        (still,) = asked(wrong, "reconcile", "--since", "last", code=1)["findings"]
        assert (still["state"], still["assignee"]) == ("explained", "cage-2")
        run_here("finding", "close", name, *WHY, *BY, data=wrong)
        assert (listed(wrong), listed(wrong, "--all")) == ([], [(name, "closed")])
        assert [one["state"] for one in asked(wrong, "reconcile")["findings"]] == ["closed"]
        shown = run_here("finding", "show", name[:6], data=wrong).stdout
        for text in (*BY[1::2], WHY[1], "Paid by hand.", "cage-2", "7.00 CZK"):
            assert text in shown

        less = command("correct_win", round="q1", bet="q1-1", difference=-200, cause="half")
        assert run_here("record", data=wrong, lines=json.dumps(less)).returncode == 0
        (back,) = asked(wrong, "reconcile", "--since", "last", "--record", code=1)["findings"]
        assert (back["identity"], back["amount"], back["state"]) == (name, 500, "open")
        rest = {**less, "difference": -500}
        assert run_here("record", data=wrong, lines=json.dumps(rest)).returncode == 0
        whole = asked(wrong, "reconcile", "--since", "last", "--record")
        assert (whole["findings"], listed(wrong, "--all")) == ([], [(name, "gone")])


def test_a_run_goes_on_from_what_the_chain_tells_of_the_last_one(wrong: Path) -> None:
    with tables.keep_tables_open(wrong / "projection"):
        assert asked(wrong, "reconcile", "--since", "last", code=1)["since"] == 0
        until = asked(wrong, "reconcile", "--record", code=1)["position"]
        again = asked(wrong, "reconcile", "--since", "last", code=1)
        assert (again["since"], again["bets"]) == (until, 0)
        kept = DataDirectory(wrong, LOCAL).cache / RECONCILED
        told = json.loads(kept.read_bytes())
        told["examined"][0]["findings"] = []
        told["examined"][1]["answers"]["settled"] = []
        kept.write_text(json.dumps(told))
        believed = asked(wrong, "reconcile", "--since", "last", code=1)
        assert (believed["since"], believed["bets"]) == (until, 1), "a cache does not decide"
        forged = {"finding": "0" * 16, "fingerprint": "0" * 16, "code": "X", "shown_at": 1}
        lines = [
            command("note_findings", raised=[forged]),
            command("conclude_reconciliation", until=until, digest="0" * 64, counts={}),
        ]
        text = "\n".join(map(json.dumps, lines))
        assert run_here("record", data=wrong, lines=text).returncode == 0
        assert asked(wrong, "reconcile", "--since", "last", code=1)["since"] == 0
        done = run_here("reconcile", "--record", "--day", "2026-11-20", data=wrong)
        assert (done.returncode, "leave out the time" in done.stderr) == (2, True)


def test_who_lists_what_is_theirs_says_who_they_are(wrong: Path) -> None:
    done = run_here("finding", "list", "--mine", data=wrong)
    assert (done.returncode, "GAMELEDGER_BY" in done.stderr) == (2, True)


def test_steps_go_through_a_writer_that_holds_the_chain(wrong: Path) -> None:
    with tables.keep_tables_open(wrong / "projection"), serving(wrong) as (server, _, _):
        through = ("--writers", f"unix:{server.path}")
        (recorded,) = asked(wrong, *through, "reconcile", "--record", code=1)["findings"]
        name = recorded["identity"]
        done = run_here(*through, "finding", "close", name, *WHY, *BY, data=wrong)
        assert done.returncode == 0, done.stderr
        assert listed(wrong, "--all") == [(name, "closed")]


def test_a_deputy_lists_what_the_absent_look_after(wrong: Path) -> None:
    with tables.keep_tables_open(wrong / "projection"):
        (finding,) = {
            one["identity"]
            for one in asked(wrong, "reconcile", "--record", code=1)["findings"]
            if one["code"] == "PAID_TOO_MUCH"
        }
        asked(wrong, "finding", "assign", finding, "--to", "jana", "--by", "risk")
        mine = ("--mine", "--by", "petr")
        assert listed(wrong, *mine) == []
        today = in_prague(SystemClock().now()).date()
        days = ("--first-day", f"{today - timedelta(days=2)}", "--last-day", f"{today}")
        named = ("finding", "deputy", "jana", "--by", "risk", *days)
        asked(wrong, *named, "--to", "petr", "--reason", "Vacation.")
        assert listed(wrong, *mine) == listed(wrong, "--assignee", "jana") == [(finding, "open")]
        asked(wrong, *named)
        assert listed(wrong, *mine) == []


WALLET = 'kind = "PAYMENTS"\nformat = "csv"\n[columns]\nbooked = "day"\namount = "amount"\n'
LINE = "day,amount\n2026-11-10,1.50\n"


def test_two_persons_write_a_line_off_and_take_it_back(wrong: Path, tmp_path: Path) -> None:
    (wrong / "issuers").mkdir()
    (wrong / "issuers" / "wallet.toml").write_text(WALLET)
    file = tmp_path / "wallet.csv"
    file.write_text(LINE)

    def open_lines(*how: str) -> list[str]:
        found = asked(wrong, "reconcile", *how, code=None)
        return [one["identity"] for one in found["findings"] if one["code"] == "NOT_IN_BOOKS"]

    only = ("--only", "NOT_IN_BOOKS")

    with tables.keep_tables_open(wrong / "projection"):
        asked(wrong, "statement", "import", str(file), "--issuer", "wallet")
        today = str(in_prague(SystemClock().now()).date())
        (finding,) = open_lines("--record")
        propose = ("finding", "write-off", finding, "--amount", "1,5", "--reason", "Too little.")
        refused = run_here(*propose, "--by", "jana", data=wrong)
        assert (refused.returncode, "at most 0.00 CZK" in refused.stderr) == (5, True)
        windows = ("--bank-days", "5", "--payments-days", "2", "--write-off-max", "100")
        rules = ("--first-day", today, *windows, "--reason", "Rounding.", "--by", "finance")
        asked(wrong, "statement", "set-rules", *rules)
        assert asked(wrong, "statement", "rules")[0]["write_off_max"] == 10_000
        asked(wrong, *propose, "--by", "jana")
        confirm = ("finding", "confirm-write-off", f"{finding}-1", "--by")
        same = run_here(*confirm, "jana", data=wrong)
        assert (same.returncode, "another person confirms it" in same.stderr) == (5, True)
        asked(wrong, *confirm, "eva")
        assert open_lines(*only) == []
        (matched,) = asked(wrong, "statement", "matched")
        assert matched["standing"]["written_off"]["amount"] == 150
        (one,) = asked(wrong, "finding", "write-offs")
        assert (one["state"], one["proposed_by"], one["decided_by"]) == ("confirmed", "jana", "eva")
        trial = run_here("books", "trial", today, data=wrong).stdout
        assert re.search(r"write-offs .* 1\.50", trial), trial
        back = ("finding", "reverse-write-off", f"{finding}-1", "--reason", "It came.")
        asked(wrong, *back, "--by", "eva")
        asked(wrong, "finding", "confirm-write-off", f"{finding}-2", "--by", "jana")
        assert open_lines(*only) == [finding]
        assert asked(wrong, "finding", "write-offs", "--pending") == []
