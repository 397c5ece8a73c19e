"""Questions about chains of their own: a person who was erased, and rounds of cards."""

from __future__ import annotations

import json
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.clock import DAY, SystemClock, in_prague
from ledger.decisions.accounts.cancellation import (
    CloseAccount,
    ConfirmCancellation,
    RequestCancellation,
)
from ledger.decisions.decider import decode_command
from ledger.decisions.operator.setup import ListGame, PublishRules
from ledger.privacy import period_key
from tests.tools.cli_cases import run, run_here
from tools.data import DataDirectory, tables
from tools.statements.importing import import_file
from tools.statements.issuer import read_issuer
from tools.statements.reading import ReadRequest

if TYPE_CHECKING:
    from pathlib import Path


def _ask(data: Path, *arguments: str) -> Any:
    done = run_here(*arguments, "--json", data=data, environment={"GAMELEDGER_NOW": ""})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Past:
    """A clock that begins eleven years ago."""

    now_ = SystemClock().now() - 11 * 366 * DAY

    def now(self) -> int:
        self.now_ += 1
        return self.now_


def record_closed_accounts(data: Path) -> None:
    """Close two accounts long ago and a third, of another person each, just now."""
    clock, directory = Past(), DataDirectory(data)
    version, game = "2025-01-21", "sazka.roulette_evolution"
    form = {
        "register": "clear",
        "verified_how": "x",
        "address": "a",
        "email": "e",
        "plan_version": version,
    }
    in_force = datetime(2010, 1, 21, tzinfo=UTC)
    with directory.create(operator="26493993", operator_name="T", chain="t", clock=clock) as ledger:
        ledger.execute(ListGame(game=game, name="Roulette"))
        ledger.execute(PublishRules(game=game, plan_version=version, effective_from=in_force))
        for account in ("a-9", "c-9", "b-9"):
            person = {"identity": account, "name": "Erasable Name", "birth_date": "1980-01-01"}
            facts = {"command": "open_account", "account": account, **person, **form}
            ledger.execute(decode_command(json.dumps(facts)))
            if account == "b-9":
                early = run("person", "erase", "a-9", data=data)
                assert early.returncode == 4
                clock.now_ = SystemClock().now() - 40 * DAY
            ledger.execute(RequestCancellation(account=account, ground="12(4)"))
            ledger.execute(ConfirmCancellation(account=account, notice="sent"))
            clock.now_ += 20 * DAY
            ledger.execute(CloseAccount(account=account))


def test_an_erased_person_is_nowhere_and_every_hash_is_valid(tmp_path: Path) -> None:
    data = tmp_path / "data"
    record_closed_accounts(data)
    with tables.keep_tables_open(data / "projection"):
        refused = run_here("person", "erase", "b-9", data=data)
        assert refused.returncode == 5
        assert "must be kept up to and including" in refused.stderr
        assert "Erasable" in run_here("account", "show", "a-9", "--personal", data=data).stdout
        asked = ("--by", "Court", "--reason", "Action", "--json")
        placing = ("hold", "place", "h1", "--account", "a-9", "--reference", "12 C 3/26", *asked)
        for more in (("--dry-run",), ()):
            assert run_here(*placing, *more, data=data).returncode == 0
        held = run_here("person", "erase", "a-9", data=data)
        assert held.returncode == 5
        assert "Hold h1 keeps the person's data" in held.stderr
        for question in (("account", "show", "a-9"), ("hold", "list")):
            assert "12 C 3/26" in run_here(*question, data=data).stdout
        assert run_here("hold", "end", "h1", *asked, data=data).returncode == 0
        assert run_here("person", "erase", "a-9", "--dry-run", data=data).returncode == 0
        due = _ask(data, "retention", "show")["persons"]
        assert [one["account"] for one in due] == ["a-9", "c-9"]
        done = run_here("person", "erase", "a-9", data=data)
        assert done.returncode == 0, done.stderr
        assert _ask(data, "retention", "carry-out", "--dry-run")["erased"] == ["c-9"]
        assert _ask(data, "retention", "carry-out") == {
            "erased": ["c-9"], "destroyed": [], "kept": {},
        }  # fmt: skip
        assert _ask(data, "retention", "carry-out")["erased"] == []
        (kept,) = _ask(data, "retention", "show", "--all")["persons"]
        assert (kept["account"], kept["due_since"]) == ("b-9", None)
        assert kept["asked_at"] is not None
        for account in ("a-9", "c-9"):
            shown = run_here("account", "show", account, "--personal", data=data).stdout
            assert "Erasable" not in shown
            assert "(erased)" in shown
        assert "Erasable" in run_here("account", "show", "b-9", "--personal", data=data).stdout
        assert run_here("log", "verify", data=data).returncode == 0
    files = [file for file in data.rglob("*") if file.is_file()]
    assert not [file for file in files if b"Erasable" in file.read_bytes()]


ISSUER = """
kind = "BANK"
format = "csv"
currency = "CZK"
encoding = "utf-8"

[columns]
booked = "day"
amount = "amount"
end_to_end = "text"
"""


@pytest.mark.law("L-58")
def test_a_key_of_a_month_goes_with_its_period_and_is_in_no_file(tmp_path: Path) -> None:
    data, payer, clock = tmp_path / "data", "Erasable Payer", Past()
    file, settings = tmp_path / f"{payer}.csv", tmp_path / "kb.toml"
    day = in_prague(clock.now()).date()
    file.write_text(f"day,amount,text\n{day},5.00,{payer}\n")
    settings.write_text(ISSUER)
    asked = ReadRequest(file, "kb", read_issuer(tmp_path, "kb"), first_day=day, last_day=day)
    opened = DataDirectory(data).create(
        operator="26493993", operator_name="T", chain="t", clock=clock
    )
    with opened as ledger:
        import_file(asked, [], lambda: nullcontext(ledger))
    (imported,) = _ask(data, "statement", "list")
    assert imported["file"] == file.name
    showing = ("statement", "show", imported["statement"])
    assert run_here(*showing, data=data).stdout.count(payer) == 2
    away = (data / "keys").rename(tmp_path / "away")
    without = run_here(*showing, data=data)
    assert (without.returncode, payer in without.stdout) == (0, False)
    assert "(sealed; the keys are not here)" in without.stdout
    away.rename(data / "keys")
    month = period_key("statement", clock.now())
    assert _ask(data, "keys", "check")["readable"] == 1
    assert _ask(data, "retention", "show")["months"] == [month]
    dry = _ask(data, "retention", "carry-out", "--dry-run")
    assert (dry["destroyed"], _ask(data, "retention", "show")["months"]) == ([month], [month])
    assert _ask(data, "retention", "carry-out")["destroyed"] == [month]
    assert _ask(data, "retention", "carry-out")["destroyed"] == []
    assert "(erased)" in run_here(*showing, data=data).stdout
    assert run_here("log", "verify", data=data).returncode == 0
    assert _ask(data, "keys", "check")["erased"] == 1
    files = [file for file in data.rglob("*") if file.is_file()]
    assert not [file for file in files if payer.encode() in file.read_bytes()]


def test_a_replay_of_cards_shows_hands_and_who_decided(tmp_path: Path) -> None:
    data = tmp_path / "cards"
    game = "sazka.infinite_blackjack"
    told = run("simulate", "--games", game, "--hours", "0.1", "--players", "9", "--json", data=data)
    assert told.returncode == 0, told.stderr
    with tables.keep_tables_open(data / "projection"):
        listing = ("round", "list", "--limit", "50", "--status", "settled", "--json")
        rounds = json.loads(run_here(*listing, data=data).stdout)["rounds"]
        assert {line["game"] for line in rounds} == {game}
        name = max(rounds, key=lambda line: line["bets"])["round"]
        found = json.loads(run_here("round", "replay", name, "--json", data=data).stdout)
        dealer, *hands = found["hands"]
        named = (dealer["name"], f"dealer {dealer['words']}")
        assert named == ("dealer", found["round"]["wording"])
        assert hands
        shown = run_here("round", "replay", name, data=data).stdout
        annex = "SAZKA annex Infinite Blackjack 27"
        for title in ("Hands", "Decisions", "Bets, settled again", annex):
            assert title in shown
        assert any(suit in shown for suit in "♣♦♥♠")
    wrong = run("simulate", "--games", "whist", data=tmp_path / "none")
    assert wrong.returncode == 2
    assert "deals no 'whist'" in wrong.stderr
