"""A poker room for the decision tests: tables of every game among players, and their hands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.ledger.decisions.decisions_casino import CROWN, Casino

if TYPE_CHECKING:
    from ledger.events.event_types import Event

TEXAS = "69games.texas_holdem_cash"
OMAHA = "69games.omaha_cash"
PINEAPPLE = "69games.pineapple_ofc_cash"
TOURNAMENT = "69games.texas_holdem_tournament"
OFC_TOURNAMENT = "69games.pineapple_ofc_tournament"
TABLES = {"x1": TEXAS, "o1": OMAHA, "p1": PINEAPPLE, "t1": TOURNAMENT, "q1": OFC_TOURNAMENT}
PLAYERS = ("anna", "bara", "cyril")
BOARD = ("2C", "7D", "9H", "JS", "3D")


class Room:
    """Hands at the tables of a casino; amounts are crowns."""

    def __init__(self, casino: Casino) -> None:
        self.casino = casino
        self.index = 0
        for table, game in TABLES.items():
            casino.do("list_game", game=game, name=game)
            day = "2025-01-21T00:00:00+01:00"
            casino.do("publish_rules", game=game, plan_version="unknown", effective_from=day)
            casino.do("launch_game", game=game)
            casino.open_table(table, game=game, place="casino", streamed=False)

    def players(self, *names: str, money: int = 10_000, table: str = "x1") -> None:
        for name in names or PLAYERS:
            self.casino.player(name, money, table="")
            if table:
                self.casino.do("take_seat", account=name, table=table)

    def hand(self, round_: str, *names: str, table: str = "x1", **terms: Any) -> list[Event]:
        """Begin a hand with blinds of 50 and 100; the first player is on the button."""
        if "tournament" in terms:
            self.draw_seats(terms["tournament"], table, *(names or PLAYERS))
        return self.casino.do("start_hand", **self.terms(round_, *names, table=table, **terms))

    def draw_seats(self, tournament: str, table: str, *names: str) -> None:
        """Give players of a tournament seats at a table, in their order, where they have none."""
        seats = self.casino.ledger._ledger_state.tournament(tournament).seats
        for number, name in enumerate(names, 1):
            if seats.get(name, ("", 0))[0] != table:
                seat = {"account": name, "table": table, "seat": number}
                self.casino.do("draw_seat", tournament=tournament, **seat)

    def terms(self, round_: str, *names: str, table: str = "x1", **terms: Any) -> dict[str, Any]:
        names = names or PLAYERS
        blinds = {"small_blind_of": names[1 % len(names)], "big_blind_of": names[2 % len(names)]}
        if len(names) == 2:
            blinds = {"small_blind_of": names[0], "big_blind_of": names[1]}
        facts: dict[str, Any] = {
            "round": round_,
            "table": table,
            "seats": list(names),
            "button": names[0],
            "small_blind": 50 * CROWN,
            "big_blind": 100 * CROWN,
        }
        return facts | blinds | terms

    def act(
        self, round_: str, account: str, action: str, amount: int = 0, **facts: Any
    ) -> list[Event]:
        named = {"round": round_, "account": account, "action": action, **facts}
        return self.casino.do("act_in_hand", amount=amount * CROWN, **named)

    def refuse(
        self, code: str, round_: str, account: str, action: str, amount: int = 0, **facts: Any
    ) -> None:
        named = {"round": round_, "account": account, "action": action, **facts}
        self.casino.refuse(code, "act_in_hand", amount=amount * CROWN, **named)

    def blinds(self, round_: str, *names: str) -> None:
        names = names or PLAYERS
        small, big = (names[0], names[1]) if len(names) == 2 else (names[1], names[2])
        self.act(round_, small, "post", 50)
        self.act(round_, big, "post", 100)

    def deal(self, round_: str, recipient: str, *cards: str) -> None:
        for card in cards:
            self.index += 1
            facts = {"round": round_, "index": self.index % 1000, "recipient": recipient}
            self.casino.do("deal_card", face_up=bool(card), card=card, **facts)

    def play(self, round_: str, **facts: Any) -> list[Event]:
        """Play a hand to the showdown: everybody puts 100 in, anna has aces; 300 in the pot."""
        self.hand(round_)
        self.blinds(round_)
        self.deal(round_, "anna", "AS", "AD")
        self.deal(round_, "bara", "KS", "KD")
        self.deal(round_, "cyril", "QS", "QD")
        self.act(round_, "anna", "call", 100)
        self.act(round_, "bara", "call", 50)
        self.act(round_, "cyril", "check")
        self.deal(round_, "board", *BOARD)
        return self.casino.do("settle_hand", round=round_, **facts)

    def wallets(self, *names: str) -> list[int]:
        """Tell what the players have, in crowns."""
        return [self.casino.account(name).wallet // CROWN for name in names or PLAYERS]
