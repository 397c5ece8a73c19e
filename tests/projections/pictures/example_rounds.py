"""A round of each family, played through the real write side at a clock that stands still.

``python tests/projections/pictures/example_rounds.py`` writes the pictures of docs/pictures anew.
"""

from __future__ import annotations

import sys
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import msgspec

from ledger import games
from ledger.core.clock import HOUR, MINUTE, StoppedClock
from ledger.decisions.decider import decode_command
from ledger.log.memory import MemoryLog
from ledger.privacy import KeyStore
from ledger.writer import Ledger
from projections.pictures.charts import draw_house_results, draw_money
from projections.pictures.package_calendar import PackageMark, draw_packages
from projections.pictures.play_clock import draw_play_clock
from projections.pictures.round import draw_round
from projections.questions.accounts import Session
from projections.questions.over_time import BalanceAt, GameDay
from projections.replay.from_log import replay
from projections.words.catalogue import Language
from tests.projections.pictures.picture_cases import sequence

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Do = Callable[..., None]

FOLDER = Path(__file__).parents[3] / "docs" / "pictures"
EVENING = 1_795_197_600_000_000
"""20 November 2026, 19:00 in Prague."""
PEOPLE = ("anna", "bara", "cyril")
TABLES = {
    "roulette": "sazka.roulette_evolution",
    "wheel": "69games.lucky_wheel",
    "blackjack": "sazka.blackjack_synot",
    "baccarat": "baccarat.commission",
    "holdem": "sazka.casino_holdem",
    "poker": "69games.texas_holdem_cash",
    "open-face": "69games.pineapple_ofc_cash",
}
AGAINST_HOUSE = ("roulette", "wheel", "blackjack", "baccarat", "holdem")


def play(log: MemoryLog, folder: Path) -> Ledger:
    """Play a round at each table; each is named after its table."""
    clock = StoppedClock(EVENING)
    ledger = Ledger.create(
        log, KeyStore(folder), operator="26493993", operator_name="o", chain_name="c", clock=clock
    )

    def do(command: str, **facts: Any) -> None:
        facts = {key.rstrip("_"): value for key, value in facts.items()}
        receipt = ledger.execute(decode_command(msgspec.json.encode({"command": command, **facts})))
        assert receipt.refused is None, (command, facts, receipt.refused)

    _open_house(do)
    stories = {"roulette": _roulette, "wheel": _wheel, "blackjack": _blackjack,
               "baccarat": _baccarat, "holdem": _holdem, "poker": _poker,
               "open-face": _open_face}  # fmt: skip
    for table, story in stories.items():
        clock.moment += 5 * MINUTE
        for name in PEOPLE:
            do("take_seat", account=name, table=table)
        if table in AGAINST_HOUSE:
            do("open_round", round=table, table=table)
        story(do)
        if table in AGAINST_HOUSE:
            do("record_result", round=table)
            do("settle_round", round=table)
        for name in PEOPLE:
            do("leave_seat", account=name, table=table)
    return ledger


def _open_house(do: Do) -> None:
    for kind in ("studio", "casino"):
        do("open_casino", place=kind, name=kind, kind=kind, address="Brno")
    for table, game in TABLES.items():
        header = games.plan(game).header
        do("list_game", game=game, name=game)
        do("publish_rules", game=game, plan_version=header.version,
           effective_from="2025-01-21T00:00:00+01:00")  # fmt: skip
        do("launch_game", game=game)
        do("open_table", registration="1", table=table, game=game,
           place="studio" if header.streamed else "casino", streamed=header.streamed)  # fmt: skip
        for kind in sorted(games.plan(game).made_by - {"machine", "shuffler"}):
            do("assign_device", table=table, device=f"{kind}-{table}", kind=kind, serial="1")
    for name in PEOPLE:
        do("open_account", account=name, identity=name, name=name, birth_date="1990-01-01",
           register="clear", verified_how="document", address="Dlouhá 1",
           email="a@example.com", plan_version="2025-01-21")  # fmt: skip
        do("register_payment_method", account=name, method="bank", method_class="account",
           masked="**1", country="CZ", proof="test_payment")  # fmt: skip
        for measure in "abcdefg":
            do("decline_limit", account=name, measure=measure)
        do("deposit", account=name, deposit=f"d-{name}", amount=5_000_000, method="bank")
        do("log_in", account=name, session=f"s-{name}", register="clear")


def _bets(do: Do, round_: str, *bets: tuple[str, str, int, Any]) -> None:
    """Place bets: account, code, stake in crowns, and a selection or a box."""
    for number, (account, code, crowns, where) in enumerate(bets, 1):
        place = {"box": where} if isinstance(where, str) else {"selection": where}
        do("place_bet", bet=f"{round_}-{number}", account=account, round=round_, bet_code=code,
           stake=crowns * 100, **(place if where is not None else {}))  # fmt: skip


def _deal(do: Do, round_: str, cards: Sequence[str], *, first: int = 0) -> None:
    """Deal cards written as ``recipient:card``; a dot instead of the colon lays it face down."""
    for index, text in enumerate(cards, first):
        is_up = ":" in text
        recipient, _, card = text.partition(":" if is_up else "|")
        do("deal_card", round=round_, index=index, recipient=recipient, face_up=is_up, card=card)


def _roulette(do: Do) -> None:
    _bets(
        do,
        "roulette",
        ("anna", "split", 100, [17, 20]),
        ("anna", "straight", 50, [17]),
        ("anna", "neighbours", 250, {"number": 25, "each_side": 2}),
        ("bara", "red", 200, None),
        ("bara", "dozen", 100, 2),
        ("bara", "corner", 40, [28, 29, 31, 32]),
        ("cyril", "black", 500, None),
        ("cyril", "street", 60, [1, 2, 3]),
    )
    do("withdraw_bet", bet="roulette-6", account="bara", round="roulette")
    spin = {"wheel_direction": "clockwise", "ball_direction": "counterclockwise"}
    do("spin_wheel", round="roulette", revolutions=14, **spin)
    do("close_bets", round="roulette")
    do("invalidate_spin", round="roulette", cause="foreign_object")
    do("spin_wheel", round="roulette", revolutions=12, **spin)
    do("land_ball", round="roulette", number=17)


def _wheel(do: Do) -> None:
    _bets(
        do,
        "wheel",
        ("anna", "x25_black", 50, None),
        ("bara", "x2", 200, None),
        ("cyril", "x5", 100, None),
        ("cyril", "x2", 100, None),
    )
    do("close_bets", round="wheel")
    do("spin_wheel", round="wheel", wheel_direction="clockwise", revolutions=4)
    do("stop_wheel", round="wheel", field="x2")


def _blackjack(do: Do) -> None:
    _bets(
        do,
        "blackjack",
        ("anna", "main", 100, "1"),
        ("anna", "player_pair", 50, "1"),
        ("bara", "main", 200, "2"),
        ("bara", "21+3", 50, "2"),
        ("cyril", "main", 500, "4"),
    )
    do("close_bets", round="blackjack")
    _deal(do, "blackjack", ["1:8H", "2:TS", "4:AC", "dealer:AD", "1:8D", "2:7C", "4:KH", "dealer|"])
    do("decide", account="bara", round="blackjack", decision="insurance", hand="2", stake=10_000)

    def decide(account: str, decision: str, hand: str, **more: str) -> None:
        do("decide", account=account, round="blackjack", decision=decision, hand=hand, **more)

    decide("anna", "split", "1")
    _deal(do, "blackjack", ["1.1:3C", "1.2:TS"], first=8)
    decide("anna", "double", "1.1")
    _deal(do, "blackjack", ["1.1:9C"], first=10)
    decide("anna", "stand", "1.2", by="timeout")
    decide("bara", "hit", "2")
    _deal(do, "blackjack", ["2:9D"], first=11)
    do("reveal_card", round="blackjack", index=7, card="7S")
    do("correct_card", round="blackjack", index=7, actual="7H", by="pit boss")


def _baccarat(do: Do) -> None:
    _bets(
        do,
        "baccarat",
        ("anna", "banker", 500, None),
        ("bara", "player", 200, None),
        ("bara", "tie", 50, None),
        ("cyril", "egalite_6", 20, None),
    )
    do("close_bets", round="baccarat")
    cards = ["player:2H", "banker:TD", "player:3S", "banker:5C", "player:4D", "banker:2C"]
    _deal(do, "baccarat", ["burn|", *cards])


def _holdem(do: Do) -> None:
    _bets(
        do,
        "holdem",
        ("anna", "ante", 100, None),
        ("anna", "aa", 50, None),
        ("bara", "ante", 200, None),
        ("cyril", "ante", 100, None),
    )
    do("close_bets", round="holdem")
    _deal(do, "holdem", ["shared:KS", "dealer|", "shared:8D", "dealer|"])
    _deal(do, "holdem", ["board:KH", "board:3C", "board:8S"], first=4)
    do("decide", account="anna", round="holdem", decision="call")
    do("decide", account="bara", round="holdem", decision="call")
    do("decide", account="cyril", round="holdem", decision="fold", by="timeout")
    _deal(do, "holdem", ["board:QD", "board:2H"], first=7)
    for index, card in ((1, "AS"), (3, "AD")):
        do("reveal_card", round="holdem", index=index, card=card)


def _poker(do: Do) -> None:
    def act(account: str, action: str, crowns: int = 0, *, all_in: bool = False) -> None:
        do("act_in_hand", round="poker", account=account, action=action, amount=crowns * 100,
           all_in=all_in)  # fmt: skip

    do("start_hand", round="poker", table="poker", seats=list(PEOPLE), button="cyril",
       small_blind_of="anna", small_blind=5_000, big_blind_of="bara", big_blind=10_000)  # fmt: skip
    act("anna", "post", 50)
    act("bara", "post", 100)
    _deal(do, "poker", [f"{name}|" for name in (*PEOPLE, *PEOPLE)])
    act("cyril", "raise", 300)
    act("anna", "call", 250)
    act("bara", "call", 200)
    _deal(do, "poker", ["burn|", "board:9H", "board:7H", "board:2S"], first=6)
    act("anna", "check")
    act("bara", "bet", 500, all_in=True)
    act("cyril", "raise", 1_500)
    act("anna", "call", 1_500)
    _deal(do, "poker", ["burn|", "board:KD"], first=10)
    act("anna", "check")
    act("cyril", "check")
    _deal(do, "poker", ["burn|", "board:4C"], first=12)
    act("anna", "bet", 2_000)
    act("cyril", "call", 2_000)
    shown = {0: "AH", 3: "KH", 1: "9S", 4: "9D", 2: "KC", 5: "QS"}
    for index, card in shown.items():
        do("reveal_card", round="poker", index=index, card=card)
    do("settle_hand", round="poker")


def _open_face(do: Do) -> None:
    do("start_open_face", round="open-face", table="open-face", seats=["anna", "bara"],
       button="bara", stacks={"anna": 200_000, "bara": 200_000}, point_value=10_000)  # fmt: skip
    sets = {
        "anna": ("QC QD 2C", "AC AD 3D 4H 5S", "KC KD KH 7S 8S", "2S 3S 4S 6S"),
        "bara": ("9C 9S 6C", "JC 2H 3C 4C 5C", "TC TD 9D 9H 7C", "2D 4D 5D 6D"),
    }
    for name, rows in sets.items():
        front, middle, back, discards = (row.split() for row in rows)
        do("set_cards", round="open-face", account=name, front=front, middle=middle, back=back,
           discards=discards)  # fmt: skip
    do("settle_hand", round="open-face")


def drawn(log: MemoryLog) -> dict[str, str]:
    """Draw everything that the page shows, by the name of its file."""
    cs, en = Language.CS, Language.EN
    found = {name: draw_round(replay(log, name), en) for name in TABLES}
    found["roulette-cs"] = draw_round(replay(log, "roulette"), cs)
    return found | charts()


def charts() -> dict[str, str]:
    """Draw the charts of the page."""
    en = Language.EN
    stretches = [
        sequence(EVENING, EVENING + 37 * MINUTE),
        sequence(EVENING + HOUR, EVENING + 181 * MINUTE, EVENING + 196 * MINUTE),
        sequence(EVENING + 200 * MINUTE, EVENING + 250 * MINUTE),
    ]
    crowns = (0, 2000, 1900, 1700, 2100, 1600, 1500, 2400, 2200, 1800, 1300, 0)
    money = [
        BalanceAt(EVENING + place * 23 * MINUTE, amount * 100)
        for place, amount in enumerate(crowns)
    ]
    days = [date(2026, 11, 16) + timedelta(days=place) for place in range(7)]
    results = [
        GameDay(game, day, (place * 7_919 + row * 104_729) % 90_000 - 25_000 * row)
        for row, game in enumerate(("sazka.roulette_synot", "sazka.casino_holdem"))
        for place, day in enumerate(days)
    ]
    marks = [
        PackageMark(date(2026, 11, day), hour, "accepted" if day < 19 else "published")
        for day in range(1, 21)
        for hour in (0, 8, 16)
    ]
    marks[25] = PackageMark(date(2026, 11, 9), 8, "refused", to_correct=True)
    marks += [PackageMark(date(2026, 11, 21), hour, "due") for hour in (0, 8, 16)]
    return {
        "clock": draw_play_clock(
            stretches, en, title="anna", limit_minutes=120,
            bets_in_breaks=[EVENING + 188 * MINUTE],
            sessions=[
                Session("s", "internet", EVENING - 4 * MINUTE, EVENING + 240 * MINUTE, "own"),
            ],
        ),
        "money": draw_money(money, en, title="anna"),
        "results": draw_house_results(results, en, title="House result"),
        "packages": draw_packages(marks, en, title="Packages"),
    }  # fmt: skip


def main() -> None:
    """Write the pictures."""
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        log = MemoryLog()
        ledger = play(log, Path(folder) / "keys")
        for name, picture in drawn(log).items():
            (FOLDER / f"{name}.svg").write_text(picture + "\n", encoding="utf-8")
        ledger.close()


if __name__ == "__main__":
    sys.exit(main())
