"""Text from outside does nothing to a terminal, whichever command shows it."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from contextlib import suppress
from typing import TYPE_CHECKING
from unicodedata import category

import pytest

from ledger.core.clock import SystemClock, in_prague
from ledger.decisions.decider import decode_command
from ledger.rules.operator import rules_for
from tests.tools.cli_cases import bet, command, commands_of_the_program, run_here, studio
from tools.data import DataDirectory, tables
from tools.sanitize import SanitizedStream, escape_controls, json_line, warn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOSTILE = (
    "\x1b[2J\x1b]0;owned\x07\x08\x00\x7f\x9b31m\x85\r\nFORGED\t"
    "\u202eevil\u2066\u200f\u061c\u2028\u2029\u200b\ufeff\u00ad\U000e0041 [bold]x[/bold] [/y]"
)
"""Everything that a terminal obeys or a reader can't see, a forged line, and rich's markup."""

WORDS = [HOSTILE[at : at + 50] for at in range(0, len(HOSTILE), 50)]
"""The same in pieces, where a field takes no more."""

CUP = "69games.texas_holdem_tournament"
PERIOD = "2026112016"
FINDING = "0123456789abcdef"
PACKAGE = f"12345678-V-{PERIOD}-Z-01"
MOMENT = 1_795_190_400_000_000
"""17 h on 20 November 2026 in Prague."""

FACTS = [
    bet(1),
    command("suspend_table", table="t1", cause=HOSTILE),
    command("resume_table", table="t1", cause=HOSTILE),
    *(bet(2, bet_code=word) for word in WORDS),
    *(bet(3 + n, account="a-1", bet_code="red", box=word) for n, word in enumerate(WORDS)),
    command("file_complaint", account="a-1", case="c1", grounds=HOSTILE, round="q1"),
    command("decide_complaint", account="a-1", case="c1", upheld=True, explanation=HOSTILE),
    command("charge_fee", account="a-1", fee="f1", amount=100, reason=HOSTILE),
    command("return_fee", account="a-1", fee="f1", amount=50, reason=HOSTILE),
    command("change_person", account="a-1", name=HOSTILE, address=HOSTILE, email=HOSTILE),
    command("close_bets", round="q1"),
    command(
        "spin_wheel",
        round="q1",
        wheel_direction="clockwise",
        ball_direction="counterclockwise",
        revolutions=9,
    ),
    command("land_ball", round="q1", number=1),
    command("reconstruct_round", round="q1", succeeded=True, how=HOSTILE, by=HOSTILE),
    command("record_result", round="q1", outcome={"number": 1}, wording=HOSTILE),
    command("settle_round", round="q1"),
    command("correct_win", round="q1", bet="q1-1", difference=100, cause=HOSTILE),
    command("open_round", round="q2", table="t1"),
    *(command("void_round", round="q2", ground=word) for word in WORDS),
    command("press_panic_button", account="a-1", channel=HOSTILE),
    command("list_game", game=CUP, name=HOSTILE, category="m"),
    command(
        "publish_rules",
        game=CUP,
        plan_version="unknown",
        effective_from="2025-01-21T00:00:00+01:00",
    ),
    command("launch_game", game=CUP),
    command(
        "announce_tournament",
        tournament="cup",
        game=CUP,
        name=HOSTILE,
        format="re_entry",
        structure=HOSTILE,
        fee_percent="10",
        starts_at="2027-02-10T12:00:00+01:00",
        buy_in=100_000,
        starting_stack=1_000_000,
        limit="no limit",
    ),
    command(
        "place_hold", hold="h1", round="q1", ordered_by=HOSTILE, reason=HOSTILE, reference=HOSTILE
    ),
    command(
        "note_findings",
        raised=[
            {
                "finding": FINDING,
                "fingerprint": FINDING,
                "code": "CLAIM_OPEN",
                "shown_at": 1,
                "detail": HOSTILE,
                "paragraph": HOSTILE,
                "theirs": {"reference": HOSTILE, "amount": 1, "statement": HOSTILE},
            }
        ],
    ),
    *(
        command(name, finding=FINDING, by=HOSTILE, **{said: HOSTILE})
        for name, said in (
            ("assign_finding", "assignee"),
            ("explain_finding", "explanation"),
            ("comment_finding", "comment"),
        )
    ),
    command(
        "set_matching_rules",
        first_day=f"{in_prague(SystemClock().now()).date()}",
        bank_days=5,
        payments_days=2,
        by=HOSTILE,
        reason=HOSTILE,
    ),
    command(
        "name_deputy",
        absent=HOSTILE,
        deputy=f"{HOSTILE}x"[:150],
        by=HOSTILE,
        reason=HOSTILE,
        first_day="2026-11-20",
        last_day="2026-11-21",
    ),
    command("suspend_game", game="sazka.roulette_evolution", cause=HOSTILE),
    command(
        "record_statement_lines",
        statement="0" * 16,
        issuer="x",
        issuer_kind="PAYMENTS",
        currency="CZK",
        first_line=1,
        lines=[{"place": 1, "kind": "payment", "booked": "2026-11-20", "reference": HOSTILE[:250]}],
    ),
    command(
        "import_statements",
        issuer="x",
        issuer_kind="PAYMENTS",
        currency="CZK",
        format="csv",
        covers=[HOSTILE[:50]],
        file=HOSTILE[:250],
        file_digest="0" * 64,
        settings=HOSTILE,
        statements=[
            {
                "statement": "0" * 16,
                "number": HOSTILE[:250],
                "first_day": "2026-11-20",
                "last_day": "2026-11-20",
                "opening": None,
                "closing": None,
                "lines": 1,
                **dict.fromkeys(("incoming", "outgoing", "fees", "stakes", "paid"), 0),
            }
        ],
    ),
]


class _Clock:
    moment = MOMENT

    def now(self) -> int:
        self.moment += 1_000_000
        return self.moment


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A chain whose texts from outside are all hostile."""
    folder = tmp_path_factory.mktemp("hostile")
    directory = DataDirectory(folder / "data")
    names = {"operator_name": HOSTILE, "name": HOSTILE, "address": HOSTILE, "masked": HOSTILE}
    names |= {"verified_how": HOSTILE, "identity": HOSTILE, "registration": HOSTILE}
    with directory.create(
        operator="12345678",
        rules=rules_for("", "sazka"),
        operator_name=HOSTILE,
        chain="hostile",
        clock=_Clock(),
    ) as ledger:
        for facts in [*studio(), *FACTS]:
            given = {name: names.get(name, value) for name, value in facts.items()}
            line = json.dumps({**given, "actor": HOSTILE, "source": HOSTILE})
            receipt = ledger.execute(decode_command(line))
            is_hostile = any(text in (HOSTILE, *WORDS) for text in facts.values())
            assert receipt.refused is None or is_hostile, receipt
    _answers(folder)
    with tables.keep_tables_open(folder / "data" / "projection"):
        yield folder


def _answers(folder: Path) -> None:
    """Put a confirmation and a package beside it whose members and findings are hostile."""
    name = f"{HOSTILE.replace(chr(0), '')}.csv"
    finding = f'{PACKAGE};"{HOSTILE.splitlines()[0]}";1;"\u202ex";ERR_X_Y;"\x1b[2J\u202e"\r\n'
    for file, members in (
        (f"{PACKAGE}.Err.zip", {"validation-errors.csv": finding}),
        (f"{PACKAGE}.zip", {name: "x", f"konto{name}": "x", "konto.csv": HOSTILE}),
    ):
        with zipfile.ZipFile(folder / file, "w") as archive:
            for member, content in members.items():
                archive.writestr(member, content)
    (folder / "statement.csv").write_text(f"d;a\n2026-11-20;{HOSTILE}\n")
    (folder / "data" / "issuers").mkdir()
    (folder / "data" / "issuers" / "x.toml").write_text(
        'kind = "PAYMENTS"\nformat = "csv"\n[columns]\nbooked = "d"\namount = "a"\n'
    )
    (folder / "demo").mkdir()
    (folder / "demo" / "file").touch()
    (folder / "lines").write_text(json.dumps({"command": HOSTILE}) + "\n" + HOSTILE)


CASES: dict[str, list[str]] = {
    "init": ["--operator", HOSTILE, "--name", HOSTILE, "--chain", HOSTILE],
    "record": ["--dry-run", "{folder}/lines"],
    "watch": ["--rules", HOSTILE],
    "writer": ["--listen", HOSTILE],
    "feed": ["{folder}/lines"],
    "serve": ["--listen", HOSTILE],
    "reader add": [HOSTILE, "--role", HOSTILE, "--until", "2199-01-01"],
    "reader list": [],
    "reader renew": [HOSTILE, "--until", HOSTILE],
    "reader revoke": [HOSTILE, "--reason", HOSTILE],
    "access grants": ["--user", HOSTILE],
    "access record": [],
    "access begin": [],
    "access report": ["--reader", HOSTILE, "--account", HOSTILE],
    "person erase": ["a-1", "--dry-run"],
    "hold place": [
        *("h9", "--account", "a-1", "--by", HOSTILE, "--reason", HOSTILE, "--reference", HOSTILE),
        "--dry-run",
    ],
    "hold end": [HOSTILE, "--by", HOSTILE, "--reason", HOSTILE, "--dry-run"],
    "hold list": ["--all"],
    "duty list": ["--account", HOSTILE],
    "evidence round": ["q1", "--out", "{folder}/round.html"],
    "evidence rounds": ["q1", "--out", "{folder}/rounds.zip"],
    "evidence account": ["a-1", "--out", "{folder}/account.html"],
    "evidence verify": ["{folder}/demo/file"],
    "evidence balance": [HOSTILE, "2026-11-20"],
    "evidence balance-page": ["--out", "{folder}/" + HOSTILE],
    "evidence close": [HOSTILE],
    "evidence verify-balance": ["{folder}/demo/file"],
    "retention show": ["--all"],
    "retention carry-out": ["--dry-run"],
    "retention unclaimed": [],
    "suspicion list": ["--apart", HOSTILE],
    "suspicion commit": ["--apart", HOSTILE],
    "suspicion verify": ["--apart", HOSTILE],
    "keys backup": ["{folder}/data/" + HOSTILE],
    "keys check": [],
    "keys restore": [HOSTILE],
    "statement check": ["{folder}/statement.csv", "--issuer", "x"],
    "statement import": ["{folder}/" + HOSTILE, "--issuer", "x"],
    "statement issuers": ["stripe"],
    "statement list": [],
    "statement matched": [],
    "statement rules": [],
    "statement fetch": ["--source", HOSTILE],
    "statement set-rules": [
        "--first-day",
        HOSTILE,
        "--bank-days",
        "5",
        "--payments-days",
        "2",
        "--reason",
        "x",
        "--by",
        "x",
    ],
    "statement show": ["0" * 16],
    "account movements": ["a-1"],
    "balance": ["a-1"],
    "balances": [],
    "play-time": [],
    "reconcile": [],
    "books day": ["2026-11-20"],
    "books open-items": [],
    "books month": ["2026-11", "--xlsx", "{folder}/books.xlsx"],
    "books trial": [HOSTILE],
    "books tax": ["2026-Q4"],
    "books check": ["2026-11"],
    "finding list": ["--all"],
    "finding show": [FINDING],
    "finding assign": [FINDING, "--to", "x", "--by", HOSTILE, "--dry-run"],
    "finding explain": [HOSTILE, "--reason", HOSTILE, "--by", HOSTILE, "--dry-run"],
    "finding write-off": [FINDING, "--amount", HOSTILE, "--reason", HOSTILE, "--by", HOSTILE],
    "finding reverse-write-off": [HOSTILE, "--reason", "x", "--by", "x"],
    "finding confirm-write-off": [f"{FINDING}-1", "--by", HOSTILE],
    "finding decline-write-off": [f"{FINDING}-1", "--reason", HOSTILE, "--by", "x"],
    "finding write-offs": [],
    "finding deputy": [HOSTILE, "--first-day", "2026-11-20", "--last-day", HOSTILE, "--by", "x"],
    "finding comment": [FINDING, "--text", HOSTILE, "--by", HOSTILE, "--dry-run"],
    "finding close": [FINDING, "--reason", HOSTILE, "--by", HOSTILE, "--dry-run"],
    "finding reopen": [FINDING, "--reason", HOSTILE, "--by", HOSTILE, "--dry-run"],
    "report build": ["--period", PERIOD, "--no-record"],
    "report explain": [PACKAGE, "evidence_her", "1"],
    "report status": [],
    "report validate": ["{folder}/" + f"{PACKAGE}.zip", "--lines"],
    "report seal": ["{folder}/" + f"{PACKAGE}.zip", "--key", HOSTILE, "--recipient", HOSTILE],
    "report open": ["{folder}/" + f"{PACKAGE}.Err.zip", "--key", HOSTILE],
    "report confirm": ["{folder}/" + f"{PACKAGE}.Err.zip", "--no-record"],
    "report correct": [PACKAGE, "--explanation", HOSTILE, "--dry-run"],
    "report practice-keys": ["{folder}/" + f"{PACKAGE}.zip"],
    "report run": ["--delivery", HOSTILE],
    "report serve": ["--delivery", HOSTILE],
    "report register": [
        *("--delivery", "{folder}/lines", "--out", HOSTILE, "--effective-from", "2199-01-01"),
    ],
    "round list": [],
    "round show": ["q1"],
    "account list": [],
    "completion": [HOSTILE],
    "schema list": [],
    "schema show": [HOSTILE],
    "schema export": ["{folder}/" + HOSTILE],
    "keys rotate": ["--reason", HOSTILE],
    "bet list": [],
    "round replay": ["q1"],
    "tables backup": [HOSTILE],
    "tables compare": [],
    "tables restore": [HOSTILE],
    "tournament list": [],
    "tournament show": ["cup"],
    "account show": ["a-1", "--personal"],
    "complaint list": ["--all"],
    "complaint letter": ["c1"],
    "complaint show": ["c1"],
    "games list": [],
    "rules show": [HOSTILE],
    "plan check": [HOSTILE],
    "plan publish": [HOSTILE, "--effective-from", "2199-01-01"],
    "games show": [HOSTILE],
    "games edge": [HOSTILE],
    "games fairness": ["--of", HOSTILE, "--picture", "{folder}/x.svg"],
    "settle": [],
    "log show": [],
    "log verify": [HOSTILE],
    "log tiles": ["{folder}/" + HOSTILE],
    "log export-seal": ["{folder}/" + HOSTILE],
    "log export-source-seal": ["0", "--out", "{folder}/" + HOSTILE],
    "log checkpoint": ["--dry-run"],
    "log status": ["--note", HOSTILE],
    "log export": [],
    "log copy": ["{folder}/data", HOSTILE, "--dry-run"],
    "mirror init": ["{folder}/data", "--name", HOSTILE],
    "mirror add": ["{folder}/data", HOSTILE, "--from", HOSTILE],
    "mirror status": ["{folder}/" + HOSTILE],
    "mirror challenge": ["{folder}/" + HOSTILE, HOSTILE],
    "mirror ask": ["{folder}/" + HOSTILE, "round list"],
    "mirror totals": ["{folder}/" + HOSTILE, "2026-11"],
    "mirror project": ["{folder}/" + HOSTILE],
    "mirror rates": ["{folder}/" + HOSTILE],
    "mirror devices": ["{folder}/" + HOSTILE],
    "mirror play-time": ["{folder}/" + HOSTILE],
    "mirror duties": ["{folder}/" + HOSTILE],
    "mirror run": ["{folder}/" + HOSTILE, "--listen", HOSTILE],
    "witness init": ["{folder}/data", "--name", HOSTILE],
    "witness check": ["{folder}/" + HOSTILE, HOSTILE],
    "witness add": ["{folder}/data", HOSTILE],
    "witness status": ["{folder}/" + HOSTILE],
    "witness run": ["{folder}/" + HOSTILE, "--listen", HOSTILE],
    "project": [],
    "rebuild": [],
    "simulate": ["--games", HOSTILE],
    "demo": ["--data", "{folder}/demo"],
    "practice-certificates": ["{folder}/demo", HOSTILE],
}
"""What to ask each command so that it shows a text from outside, or an error that quotes one."""


def test_every_command_is_looked_at() -> None:
    assert sorted(CASES) == sorted(commands_of_the_program())


def _acting(text: str) -> set[str]:
    """Give the characters that act, or hide, in a text."""
    return {one for one in text if not one.isprintable() and one != "\n" and category(one) != "Zs"}


@pytest.mark.parametrize("name", sorted(CASES))
def test_nothing_acts_in_what_a_command_shows(books: Path, name: str) -> None:
    given = [one.replace("{folder}", str(books)) for one in CASES[name]]
    for arguments in (
        [*name.split(), *given],
        [*name.split(), *given, "--json"],
        [*name.split(), f"--{HOSTILE}"],
        [*name.split(), *([HOSTILE] * 9)],
    ):
        given = [one.replace("\x00", "") for one in arguments]
        done = run_here(*given, data=books / "data", lines=json.dumps({"id": HOSTILE}))
        for text in (done.stdout, done.stderr):
            assert _acting(text) == set(), text
            assert not any(line.startswith("FORGED") for line in text.splitlines()), text
            assert "unexpected: " not in text
        if "--json" in arguments:
            for line in done.stdout.splitlines():
                json.loads(line)


def test_a_text_from_outside_is_shown_and_not_taken_for_markup(books: Path) -> None:
    shown = run_here("tournament", "show", "cup", data=books / "data").stdout
    assert f"Tournament cup: {escape_controls(HOSTILE)}" in shown
    arguments = ("log", "show", "--type", "TournamentAnnounced", "--json")
    line = run_here(*arguments, data=books / "data").stdout
    assert json.loads(line)["facts"]["name"] == HOSTILE


def test_json_is_equal_when_parsed_and_nothing_in_it_acts() -> None:
    document = {"name": HOSTILE, "list": ["\U0001f600", "Novák \u00a0"]}
    line = json_line(document)
    assert json.loads(line) == document
    assert _acting(line) == set()
    assert "Novák" in line
    half = json_line({"path": "\udcff"})
    assert json.loads(half) == {"path": "\udcff"}
    assert half.isascii()


def test_a_terminal_keeps_our_styles_and_no_other_command(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, pipe = io.StringIO(), io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    text = "\x1b[1;31mred\x1b[0m \x1b[2J\x1b]0;x\x07\nend\r"
    for stream in (terminal, pipe):
        SanitizedStream(stream).write(text)
    assert terminal.getvalue() == "\x1b[1;31mred\x1b[0m \\x1b[2J\\x1b]0;x\\x07\nend\\r"
    assert _acting(pipe.getvalue()) == set()


@pytest.mark.parametrize("kind", ["full", "closed"])
def test_a_service_goes_on_if_nobody_can_be_told(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open("/dev/full", "w", encoding="utf-8", buffering=1) as stream:  # noqa: PTH123 - a device
        if kind == "closed":
            stream.close()
        monkeypatch.setattr(sys, "stderr", stream)
        warn("a command failed")
        with suppress(OSError):
            stream.close()
