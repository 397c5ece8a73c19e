"""A poker room for the queries: the real write side with every table among players."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ledger.writer import Receipt
    from tests.projections.history_cases import Casino

TABLES = {
    "x": "69games.texas_holdem_cash",
    "o": "69games.omaha_cash",
    "p": "69games.pineapple_ofc_cash",
    "xt": "69games.texas_holdem_tournament",
    "pt": "69games.pineapple_ofc_tournament",
}
NAMES = ("a", "b", "c")
CARDS = {"a": ("AS", "AD"), "b": ("KS", "KD"), "c": ("QS", "QD")}
DRAWN = ("KD", "KC", "9S")
"""The first one gets the button."""
BOARD = ("2C", "7D", "9H", "JS", "3D")
SETS: dict[str, dict[str, list[str]]] = {
    "a": {
        "front": ["QC", "QD", "2C"],
        "middle": ["AC", "AD", "3D", "4H", "5S"],
        "back": ["KC", "KD", "KH", "7S", "8S"],
        "discards": ["2S", "3S", "4S", "6S"],
    },
    "b": {
        "front": ["9C", "8C", "6C"],
        "middle": ["JC", "JD", "3C", "4C", "5C"],
        "back": ["TC", "TD", "9D", "9H", "7C"],
        "discards": ["2D", "4D", "5D", "6D"],
    },
    "c": {
        "front": ["AH", "AS", "2H"],
        "middle": ["TH", "TS", "3H", "5H", "6H"],
        "back": ["JH", "JS", "7D", "7H", "8H"],
        "discards": ["8D", "9S", "QH", "QS"],
    },
}
"""Sets of open-face; that of ``c`` is a foul."""


def placement(rows: dict[str, list[str]], street: int) -> dict[str, list[str]]:
    """Give what a player places at a street: five cards first, then two and one thrown away."""
    places = [(row, card) for row in ("front", "middle", "back") for card in rows[row]]
    now = places[:5] if street == 0 else places[3 + 2 * street : 5 + 2 * street]
    placed: dict[str, list[str]] = {"front": [], "middle": [], "back": []}
    for row, card in now:
        placed[row].append(card)
    return placed | {"discards": rows["discards"][street - 1 : street]}


class PokerRoom:
    """Hands and tournaments of three players; amounts are crowns."""

    def __init__(self, casino: Casino) -> None:
        self.casino = casino
        self.dealt = Counter[str]()
        self.drawn: set[str] = set()
        casino.do("open_casino", place="room", name="Room", kind="casino", address="Brno")
        for table, game in TABLES.items():
            casino.do("list_game", game=game, name=game)
            casino.do(
                "publish_rules",
                game=game,
                plan_version="unknown",
                effective_from="2025-01-21T00:00:00+01:00",
            )
            casino.do("launch_game", game=game)
            casino.do(
                "open_table", table=table, registration="1", game=game, place="room",
                streamed=False,
            )  # fmt: skip
        for name in NAMES:
            casino.seat(name)
            for table in ("x", "o", "p"):
                casino.do("take_seat", account=name, table=table)

    def start(self, name: str, *seats: str, table: str = "x", **terms: Any) -> None:
        seats = seats or NAMES
        if table in {"x", "o"} and table not in self.drawn:
            self.drawn.add(table)
            self.casino.do("draw_button", table=table, cards=dict(zip(seats, DRAWN, strict=False)))
        facts: dict[str, Any] = {
            "small_blind_of": seats[1 % len(seats)],
            "big_blind_of": seats[2 % len(seats)],
            "small_blind": 50_00,
            "big_blind": 100_00,
        }
        self.casino.do(
            "start_hand", round=name, table=table, seats=list(seats), button=seats[0],
            **facts | terms,
        )  # fmt: skip
        self.act(name, facts["small_blind_of"], "post", 50)
        self.act(name, facts["big_blind_of"], "post", 100)

    def act(self, name: str, account: str, action: str, amount: int = 0, **more: Any) -> None:
        receipt = self.casino.do(
            "act_in_hand", round=name, account=account, action=action, amount=amount * 100, **more
        )
        assert receipt.refused is None, receipt.refused

    def deal(self, name: str, recipient: str, *cards: str) -> None:
        for card in cards:
            self._deal(name, recipient=recipient, face_up=True, card=card)

    def burn(self, name: str) -> None:
        self._deal(name, recipient="burn", face_up=False)

    def _deal(self, name: str, **facts: Any) -> None:
        self.casino.do("deal_card", round=name, index=self.dealt[name], **facts)
        self.dealt[name] += 1

    def deal_hands(self, name: str) -> None:
        """Deal one card after the other, from the left of the button."""
        for number in range(2):
            for account in ("b", "c", "a"):
                self.deal(name, account, CARDS[account][number])

    def deal_board(self, name: str) -> None:
        """Burn a card before flop, turn and river."""
        for street in (BOARD[:3], BOARD[3:4], BOARD[4:]):
            self.burn(name)
            self.deal(name, "board", *street)

    def play(self, name: str, *, table: str = "x", **settlement: Any) -> Receipt:
        """Play 300 crowns to the showdown, which ``a`` wins with aces."""
        terms = {"tournament": "cup"} if table == "xt" else {}
        self.start(name, table=table, **terms)
        self.deal_hands(name)
        self.act(name, "a", "call", 100)
        self.act(name, "b", "call", 50)
        self.act(name, "c", "check")
        self.deal_board(name)
        return self.casino.do("settle_hand", round=name, **settlement)

    def open_face(self, name: str, *, table: str = "p", **settlement: Any) -> Receipt:
        """Play a game of open-face with stacks of 2,000 crowns and points of 100."""
        receipt = self.casino.do(
            "start_open_face", round=name, table=table, seats=list(NAMES), button="a",
            stacks=dict.fromkeys(NAMES, 200_000), point_value=10_000,
            **({"tournament": "cup"} if table == "pt" else {}),
        )  # fmt: skip
        assert receipt.refused is None, receipt.refused
        for account, rows in SETS.items():
            for street in range(5):
                receipt = self.casino.do(
                    "place_cards", round=name, account=account, **placement(rows, street)
                )
                assert receipt.refused is None, receipt.refused
            receipt = self.casino.do("set_cards", round=name, account=account, **rows)
            assert receipt.refused is None, receipt.refused
        return self.casino.do("settle_hand", round=name, **settlement)

    def tournament(self, **payments: int) -> None:
        """Play a tournament of three entries of 1,000 crowns, which ``a`` wins."""
        casino = self.casino
        casino.do(
            "announce_tournament", tournament="cup", game="69games.texas_holdem_tournament",
            name="Cup", format="freezeout", structure="s", fee_percent="10", buy_in=100_000,
            starting_stack=1_000_000, starts_at="2026-12-24T12:00:00+01:00", guarantee=500_000,
        )  # fmt: skip
        for name in NAMES:
            receipt = casino.do(
                "pay_tournament_entry", tournament="cup", account=name, kind="buy_in",
                amount=100_000,
            )  # fmt: skip
            assert receipt.refused is None, receipt.refused
        casino.wait(120 * 24 * 60)
        casino.do("start_tournament", tournament="cup")
        casino.do("close_registration", tournament="cup")
        for seat, name in enumerate(NAMES, 1):
            casino.do("draw_seat", tournament="cup", account=name, table="xt", seat=seat)
        self.play("t", table="xt")
        casino.do("eliminate_players", tournament="cup", accounts=["c"], round="t")
        casino.do("eliminate_players", tournament="cup", accounts=["b"])
        receipt = casino.do("end_tournament", tournament="cup", payments=payments)
        assert receipt.refused is None, receipt.refused
