"""The commands of docs/poker.md do what the page says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ledger.core.clock import DAY, StoppedClock
from ledger.decisions.decider import decode_command
from ledger.log.memory import MemoryLog
from ledger.privacy import KeyStore
from ledger.writer import Ledger

if TYPE_CHECKING:
    from ledger.writer import Receipt

PAGE = Path(__file__).resolve().parents[2] / "docs" / "poker.md"
START = 1_770_500_000_000_000 - 2 * DAY
GAMES = {
    "x1": "69games.texas_holdem_cash",
    "p1": "69games.pineapple_ofc_cash",
    "t1": "69games.texas_holdem_tournament",
}


def test_every_command_of_the_page_is_accepted(tmp_path: Path) -> None:
    clock = StoppedClock(START)
    with Ledger.create(
        MemoryLog(), KeyStore(tmp_path), operator="26493993", operator_name="o", chain_name="c",
        clock=clock,
    ) as ledger:  # fmt: skip

        def do(command: str, **facts: Any) -> Receipt:
            receipt = ledger.execute(
                decode_command(msgspec.json.encode(facts | {"command": command}))
            )
            assert receipt.refused is None, (command, receipt.refused)
            return receipt

        open_room(do)
        blocks = re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
        assert len(blocks) == 5
        for block in blocks:
            for line in block.splitlines():
                facts = msgspec.json.decode(line)
                if facts["command"] == "start_tournament":
                    clock.moment += 10 * DAY
                do(facts.pop("command"), **facts)
        wallets = [ledger._ledger_state.account(name).wallet for name in ("anna", "bara")]
        assert sum(wallets) == 2_000_000 - 1_000 - 500 - 5_000 - 20_000


def open_room(do: Any) -> None:
    do("open_casino", place="room", name="Room", kind="casino", address="Brno")
    for table, game in GAMES.items():
        do("list_game", game=game, name=game)
        do(
            "publish_rules", game=game, plan_version="unknown",
            effective_from="2025-01-21T00:00:00+01:00",
        )  # fmt: skip
        do("launch_game", game=game)
        do("open_table", table=table, registration="1", game=game, place="room", streamed=False)
    for name in ("anna", "bara"):
        do(
            "open_account", account=name, identity=name, name=name, birth_date="1990-01-01",
            register="clear", verified_how="document", address="Dlouhá 1",
            email="a@example.com", plan_version="unknown",
        )  # fmt: skip
        do(
            "register_payment_method", account=name, method="bank", method_class="account",
            masked="**1", country="CZ", proof="test_payment",
        )  # fmt: skip
        for measure in "abcdefg":
            do("decline_limit", account=name, measure=measure)
        do("deposit", account=name, deposit=f"d-{name}", amount=1_000_000, method="bank")
        do("log_in", account=name, session=f"s-{name}", register="clear")
        for table in ("x1", "p1"):
            do("take_seat", account=name, table=table)
