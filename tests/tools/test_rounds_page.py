"""The commands of docs/rounds.md do what the page says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ledger import games
from ledger.decisions.decider import decode_command
from ledger.log.memory import MemoryLog
from ledger.privacy import KeyStore
from ledger.writer import Ledger

if TYPE_CHECKING:
    from collections.abc import Callable

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rounds.md"
TABLES = {
    "b1": "sazka.blackjack_synot",
    "u1": "69games.ultimate_texas_holdem",
    "w1": "69games.lucky_wheel",
}
MONEY = 1_000_000


def test_every_command_of_the_page_is_accepted(tmp_path: Path) -> None:
    log = MemoryLog()
    with Ledger.create(
        log, KeyStore(tmp_path), operator="26493993", operator_name="o", chain_name="c"
    ) as ledger:

        def do(command: str, **facts: Any) -> None:
            receipt = ledger.execute(decode_command(json.dumps({"command": command, **facts})))
            assert receipt.refused is None, (command, facts, receipt.refused)

        open_house(do)
        blocks = re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
        assert len(blocks) == len(TABLES)
        for block in blocks:
            commands = [json.loads(line) for line in block.splitlines()]
            table = next(iter(commands))["table"]
            do("take_seat", account="anna", table=table)
            for facts in commands:
                do(facts.pop("command"), **facts)
            if table != "u1":
                do("leave_seat", account="anna", table=table)
        account = ledger._ledger_state.account("anna")
        assert account.in_play == 60_000
        assert account.wallet == MONEY + 20_000 + 25_000 - 60_000


def open_house(do: Callable[..., None]) -> None:
    for kind in ("studio", "casino"):
        do("open_casino", place=kind, name=kind, kind=kind, address="Brno")
    for table, game in TABLES.items():
        header = games.plan(game).header
        day = "2025-01-21T00:00:00+01:00"
        do("list_game", game=game, name=game)
        do("publish_rules", game=game, plan_version=header.version, effective_from=day)
        do("launch_game", game=game)
        place = "studio" if header.streamed else "casino"
        facts = {"table": table, "game": game, "place": place, "streamed": header.streamed}
        do("open_table", registration="1", **facts)
        for kind in sorted(games.plan(game).made_by - {"machine", "shuffler"}):
            do("assign_device", table=table, device=f"{kind}-{table}", kind=kind, serial="1")
    person = {"identity": "CZ 1", "name": "Anna", "birth_date": "1990-01-01"}
    checks = {
        "register": "clear",
        "verified_how": "document",
        "address": "a",
        "email": "e",
        "plan_version": "2025-01-21",
    }
    do("open_account", account="anna", **person, **checks)
    method = {"method": "bank", "method_class": "account", "masked": "**1"}
    do("register_payment_method", account="anna", country="CZ", proof="test_payment", **method)
    for measure in "abcdefg":
        do("decline_limit", account="anna", measure=measure)
    do("deposit", account="anna", deposit="d", amount=MONEY, method="bank")
    do("log_in", account="anna", session="s", register="clear")
