"""What people ask: by day in Prague, for one participant, as CSV, and when it was clicked."""

from __future__ import annotations

import csv
import io
import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest
import typer

from ledger.core.clock import DAY, HOUR, MINUTE, PRAGUE, SECOND, StoppedClock, from_datetime
from ledger.decisions.decider import decode_command
from ledger.rules.operator import rules_for
from projections.facts.masking import masked
from projections.facts.timing import APART, timing
from tests.tools.cli_cases import bet, command, run_here, studio
from tools.cli._cuts import cut, warn_of_cuts
from tools.cli._output import moment, money, right, table, wrapped
from tools.cli._when import day, moment_in_prague, when
from tools.data import DataDirectory, tables

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MIDNIGHT = from_datetime(datetime(2026, 11, 21, tzinfo=PRAGUE))
OTHERS = ("b-2", "zed")
FORMULAS = ("=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "\uff1d1", "\uff0d1", " =1")


def _player(name: str) -> list[dict[str, Any]]:
    """The commands of the studio that open an account, for another one."""
    named = [one for one in studio() if one.get("account") == "a-1"]
    return [
        {
            **one,
            "account": name,
            **({"identity": f"CZ {name}"} if one["command"] == "open_account" else {}),
            **({"deposit": f"d-{name}"} if "deposit" in one else {}),
            **({"session": f"s-{name}"} if "session" in one else {}),
        }
        for one in named
    ]


def _evening() -> list[tuple[int, dict[str, Any]]]:
    """Commands with how long before midnight they are recorded; three players, a late click."""
    people = [one for name in OTHERS for one in _player(name)]
    before = [(-HOUR, one) for one in [*studio(), *people]]
    click = datetime.fromtimestamp((MIDNIGHT + 9 * SECOND + 600_000) / 1e6, tz=PRAGUE).isoformat()
    spin = {"wheel_direction": "clockwise", "ball_direction": "counterclockwise"}
    return [
        *before,
        (-2 * MINUTE, bet(1)),
        (-1 * MINUTE, bet(2, account="b-2")),
        (-1 * MINUTE, bet(3, account="zed", stake=5_000)),
        (10 * SECOND, command("close_bets", round="q1")),
        (10 * SECOND + 200_000, bet(4, occurred_at=click)),
        (10 * SECOND + 300_000, bet(5, account="b-2")),
        (12 * SECOND, command("spin_wheel", round="q1", revolutions=9, **spin)),
        (20 * SECOND, command("land_ball", round="q1", number=1)),
        (21 * SECOND, command("record_result", round="q1", outcome={"number": 1})),
        (22 * SECOND, command("settle_round", round="q1")),
        (2 * MINUTE, command("charge_fee", account="a-1", fee="f", amount=1, reason="as b-2 said")),
        (DAY, command("open_round", round="q2", table="t1")),
    ]


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    data = DataDirectory(tmp_path_factory.mktemp("look") / "data")
    clock = StoppedClock(MIDNIGHT - 2 * HOUR)
    with data.create(
        operator="12345678", rules=rules_for("", "sazka"), operator_name="T", chain="t", clock=clock
    ) as ledger:
        for after, facts in _evening():
            clock.moment = MIDNIGHT + after
            ledger.execute(decode_command(json.dumps(facts)))
    with tables.keep_tables_open(data.path / "projection"):
        yield data.path


def _ask(data: Path, *arguments: str) -> Any:
    done = run_here(*arguments, "--json", data=data)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_late_click_is_told_beside_its_record_and_the_close(books: Path) -> None:
    done = run_here("round", "replay", "q1", data=books, environment={"COLUMNS": "400"})
    text = " ".join(done.stdout.split())
    assert text.count("clicked 0.400 s before the close, recorded 0.200 s after the close") == 2
    assert text.count("clicked") == 2
    story = _ask(books, "account", "show", "a-1")["account"]
    told = [one["timing"] for one in story["facts"] if one["timing"]]
    assert told == ["clicked 0.400 s before the close, recorded 0.200 s after the close"]


def test_a_moment_between_click_and_record_is_not_worth_a_word() -> None:
    assert timing("BetPlaced", 0, APART, 10) == ""
    assert timing("BetPlaced", 0, APART + 1, 0).startswith("clicked at the close, recorded 0.050 s")
    assert "1:00.000000 min before it was recorded" in timing("CardDealt", 0, MINUTE, 5)
    assert "2.000 s after it was recorded" in timing("BetPlaced", 2 * SECOND, 0, None)
    assert timing("BetPlaced", 0, HOUR, HOUR).startswith("clicked at 1970")


@pytest.mark.law("SAZKA 6(1)")
def test_no_other_account_is_named_in_what_is_meant_for_one(books: Path) -> None:
    for own, strangers in (("a-1", OTHERS), ("b-2", ("a-1", "zed"))):
        for arguments in (
            ("round", "replay", "q1", "--for", own),
            ("account", "show", own, "--limit", "500"),
            ("bet", "list", "--account", own),
        ):
            for form in ((), ("--json",)):
                shown = run_here(*arguments, *form, data=books).stdout
                assert own in shown
                named = [one for one in strangers if one in shown]
                assert named == [], (arguments, shown)
    replay = _ask(books, "round", "replay", "q1", "--for", "a-1")
    assert [one["account"] for one in replay["wagers"]] == ["a-1", "player 2", "player 3"]
    assert [one["stake"] for one in replay["wagers"]] == [1_000, 1_000, 5_000]
    assert run_here("round", "replay", "q1", "--for", "x", data=books).returncode == 2


@pytest.mark.law("SAZKA 6(1)")
def test_masking_spares_what_only_looks_like_an_account() -> None:
    text = '20 at 20:00:20.20, 1 20.00 CZK, q-20, 20-1, player:20, {"20": 1}, 20.'
    assert masked(text, ["20", "me"], "me") == (
        'player 2 at 20:00:20.20, 1 20.00 CZK, q-20, 20-1, player:player 2, {"player 2": 1}, '
        "player 2."
    )


def test_hashes_are_whole_where_asked(books: Path) -> None:
    whole = _ask(books, "round", "replay", "q1")["facts"][0]["hash"]
    for arguments in (("round", "replay", "q1"), ("log", "show", "--round", "q1")):
        assert whole not in run_here(*arguments, data=books).stdout
        wide = run_here(*arguments, "--full-hashes", data=books)
        assert whole in wide.stdout
    assert whole in run_here("log", "show", "--round", "q1", "--csv", data=books).stdout


def test_a_bet_belongs_to_the_day_of_its_record(books: Path) -> None:
    def bets(*arguments: str) -> list[str]:
        return [one["bet"] for one in _ask(books, "bet", "list", *arguments)["bets"]]

    assert bets("--day", "2026-11-20") == []
    assert bets("--day", "2026-11-21") == ["q1-3", "q1-2", "q1-1"]
    assert bets("--account", "b-2", "--from", "2026-11-20", "--to", "2026-11-21") == ["q1-2"]
    (line,) = _ask(books, "bet", "list", "--account", "zed")["bets"]
    assert (line["status"], line["stake"], line["paid"]) == ("settled", 5_000, 10_000)
    assert line["placed_at"] == MIDNIGHT - MINUTE
    assert line["concluded_at"] == MIDNIGHT + 10 * SECOND


def test_days_and_moments_stand_for_positions(books: Path) -> None:
    evening, night = ("--at", "2026-11-20"), ("--at", "2026-11-21T00:00:21.5")
    early = _ask(books, "balance", "a-1", *evening)["balance"]
    assert (early["wallet"], early["reserved"]) == (999_000, 1_000)
    assert _ask(books, "balance", "a-1", "--day", "2026-11-20")["balance"] == early
    assert _ask(books, "balance", "a-1", *night)["balance"]["in_play"] == 1_000
    assert _ask(books, "balance", "a-1", "--at", str(early["position"]))["balance"] == early
    names = [one["round"] for one in _ask(books, "round", "list", "--from", "2026-11-21")["rounds"]]
    assert names == ["q2"]
    assert _ask(books, "play-time", "--day", "2026-11-19")["play"]["sequences"] == []
    assert _ask(books, "reconcile", "--to", "2026-11-21T00:00:21")["bets"] == 0
    shown = run_here("log", "export", "--day", "2026-11-22", data=books).stdout
    assert "q2" in shown
    assert "q1" not in shown
    assert run_here("log", "show", "--day", "2026-11-21", "--from", "1", data=books).returncode == 2
    assert run_here("log", "show", "--from", "yesterday", data=books).returncode == 2


def test_days_follow_the_clock_changes_of_prague() -> None:
    for text, hours in (("2026-03-29", 23), ("2026-10-25", 25), ("2026-11-20", 24)):
        found = day(text)
        assert found.ends - found.begins == hours * HOUR
    first = moment_in_prague("2026-10-25T02:30+02:00")
    assert moment_in_prague("2026-10-25T02:30+01:00") == first + HOUR
    with pytest.raises(typer.BadParameter, match=r"twice: add \+02:00 or \+01:00"):
        when("2026-10-25T02:30")
    with pytest.raises(typer.BadParameter, match="never shows"):
        when("2026-03-29T02:30")
    assert when("20000").size == 20_000


@pytest.mark.parametrize(
    ("arguments", "json_key"),
    [
        (("round", "list", "--limit", "1"), "rounds"),
        (("bet", "list", "--limit", "1"), "bets"),
        (("log", "show", "--limit", "1"), ""),
        (("account", "show", "a-1", "--limit", "1"), ""),
        (("play-time", "--limit", "1"), ""),
        (("report", "status", "--limit", "1"), ""),
    ],
)
def test_a_list_that_is_cut_says_so(books: Path, arguments: tuple[str, ...], json_key: str) -> None:
    forms = ((),) if arguments[0] == "play-time" else ((), ("--json",))  # its JSON has all
    for form in forms:
        done = run_here(*arguments, *form, data=books)
        assert "--limit" in done.stderr, done.stderr
    if json_key:
        assert len(json.loads(done.stdout)[json_key]) == 1


LISTS = (
    ("round", "list"),
    ("bet", "list"),
    ("balances",),
    ("tournament", "list"),
    ("complaint", "list"),
    ("play-time",),
    ("reconcile",),
    ("log", "show"),
    ("report", "status"),
    ("games", "list"),
)


def test_csv_quotes_what_separates_cells_in_any_spreadsheet(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = [("a;=1", 'a"b', "a,b", "plain", ""), ("x", "y", "z", "a|b", "-")]
    table(("one;", "two", "three", "four", "five"), rows, as_csv=True)
    shown = capsys.readouterr().out
    assert shown == ('"one;",two,three,four,five\n"a;=1","a""b","a,b",plain,\nx,y,z,"a|b",\'-\n')
    for separator in (",", ";"):
        lines = csv.reader(io.StringIO(shown), delimiter=separator)
        assert not [cell for line in lines for cell in line if cell.startswith("=")]


@pytest.mark.parametrize("arguments", LISTS, ids=" ".join)
def test_every_list_is_also_csv(books: Path, arguments: tuple[str, ...]) -> None:
    done = run_here(*arguments, "--csv", data=books)
    assert done.returncode in {0, 1}, done.stderr
    rows = list(csv.reader(io.StringIO(done.stdout)))
    assert len({len(row) for row in rows}) == 1


def test_csv_keeps_numbers_and_neutralises_formulas(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [(text, -5, money(-123_450), moment(MIDNIGHT)) for text in FORMULAS]
    table((wrapped("text"), right("count"), right("CZK"), "when"), rows, as_csv=True)
    cut("more\n=1")
    warn_of_cuts()
    shown = capsys.readouterr()
    heading, *lines = csv.reader(io.StringIO(shown.out))
    assert heading == ["text", "count", "CZK", "when"]
    for line in lines:
        assert line[1:] == ["-5", "-1234.50", "2026-11-21T00:00:00.000000+01:00"]
        assert line[0].startswith(("'", "\\"))
    assert shown.err == "gameledger: more\\n=1\n"
