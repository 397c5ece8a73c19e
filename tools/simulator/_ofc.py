"""A table of Pineapple open-face Chinese poker: two or three players, game after game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ledger import games
from ledger.core import events as e
from ledger.decisions.hands.open_face import SetCards, StartOpenFace
from ledger.decisions.hands.settlement import SettleHand
from ledger.games import parse_cards
from ledger.games.open_face import fantasyland_cards, rank_set
from ledger.state.hand import HandState, fold
from ledger.state.hand_family import ofc_rules_of
from ledger.state.hand_record import settle
from tools.simulator._card_table import DEALT_BY, CardTable, deal_card
from tools.simulator._poker_hand import DECK, PLAN, Seat

if TYPE_CHECKING:
    from ledger.games.open_face import OfcRules
    from tools.simulator._players import Player
    from tools.simulator._stage import Script, Stage

__all__ = ["DealtOpenFace", "OpenFaceTable"]

DEALT = 17
TRIES = 60
CROWN = 100
POINTS_ON_TABLE = 40
Rows = dict[str, list[str]]


@dataclass(eq=False)
class OpenFaceTable(CardTable):
    """One table; ``point_value`` is haléř, ``fantasyland`` the cards of the next game."""

    point_value: int = 50 * CROWN
    fantasyland: dict[str, int] = field(default_factory=dict)
    seats_max = 3

    def leave(self, player: Player) -> None:
        """Let a player go, out of Fantasyland too."""
        super().leave(player)
        self.fantasyland.pop(player.account, None)

    def stack(self, player: Player) -> int:
        """Give forty points, which every player brings to every game."""
        stack = POINTS_ON_TABLE * self.point_value
        return stack if player.wallet >= stack else 0

    def play_hand(self, name: str, players: list[Player]) -> Script:
        """Play one game."""
        seats = [Seat(player.account, self.stack(player)) for player in players]
        before = {seat.account: seat.stack for seat in seats}
        game = DealtOpenFace(
            self.stage, name, self.name, self.game, seats, self.point_value, self.fantasyland
        )
        yield from game.play()
        if any(self.fantasyland.get(seat.account) for seat in seats):
            self.notable.setdefault("fantasyland_round", name)
        for player, seat in zip(players, seats, strict=True):
            player.wallet += seat.stack - before[seat.account]


@dataclass(slots=True)
class DealtOpenFace:
    """One game; ``fantasyland`` is read for this one and written for the next."""

    stage: Stage
    name: str
    table: str
    game: str
    seats: list[Seat]
    point_value: int
    fantasyland: dict[str, int]
    tournament: str = ""
    is_started: bool = False

    def play(self) -> Script:
        """Play the whole game; the last seat has the button."""
        random = self.stage.random
        rules = ofc_rules_of(games.plan(self.game, PLAN))
        assert rules is not None  # noqa: S101 - the table has such a game
        command = self._start()
        if self.stage.ask(command).refused is not None:
            return
        self.is_started = True
        state = _mirror(command, self.game)
        deck, index = list(DECK), 0
        random.shuffle(deck)
        for seat in self.seats:
            there = self.fantasyland.get(seat.account, 0)
            cards = [deck.pop() for _ in range(there or DEALT)]
            for card in cards:
                deal_card(self.stage, self.name, index, seat.account, card)
                index += 1
            yield random.uniform(20, 60)
            rows = self._arrange(rules, cards)
            self.stage.send(
                SetCards(
                    round=self.name,
                    account=seat.account,
                    front=rows["front"],
                    middle=rows["middle"],
                    back=rows["back"],
                    discards=rows["discards"],
                    source=DEALT_BY,
                )
            )
            self._note(rules, seat.account, rows, state, is_there=bool(there))
        settled = settle(state)
        self.stage.send(SettleHand(round=self.name, source="platform"))
        assert settled.points is not None  # noqa: S101 - open-face has points
        for seat in self.seats:
            seat.stack = settled.points.due[seat.account]

    def _start(self) -> StartOpenFace:
        accounts = [seat.account for seat in self.seats]
        return StartOpenFace(
            round=self.name,
            table=self.table,
            seats=accounts,
            button=accounts[-1],
            stacks={seat.account: seat.stack for seat in self.seats},
            point_value=self.point_value,
            in_fantasyland=[name for name in accounts if self.fantasyland.get(name)],
            tournament=self.tournament,
            source=DEALT_BY,
        )

    def _arrange(self, rules: OfcRules, cards: list[str]) -> Rows:
        """Try some ways to set the cards, and take the best that is no foul."""
        random, best, rows = self.stage.random, (-1, -1, -1), {}
        for _ in range(TRIES):
            mixed = sorted(cards, key=lambda card: DECK.index(card) + random.uniform(0, 30))
            tried = {
                "front": mixed[:3],
                "middle": mixed[3:8],
                "back": mixed[8:13],
                "discards": mixed[13:],
            }
            ranked = rank_set(
                rules.rows,
                {row: parse_cards(tried[row]) for row in ("front", "middle", "back")},
            )
            worth = (int(not ranked.fouled), ranked.royalties, int(ranked.back.category))
            if worth > best:
                best, rows = worth, tried
        return rows

    def _note(
        self, rules: OfcRules, account: str, rows: Rows, state: HandState, *, is_there: bool
    ) -> None:
        ranked = rank_set(
            rules.rows, {row: parse_cards(rows[row]) for row in ("front", "middle", "back")}
        )
        cards = fantasyland_cards(rules.rows.fantasyland, ranked, is_there=is_there) or 0
        self.fantasyland[account] = cards
        event = e.HandsSet(
            round=self.name, table=self.table, tournament=self.tournament, account=account,
            front=tuple(rows["front"]), middle=tuple(rows["middle"]), back=tuple(rows["back"]),
            discards=tuple(rows["discards"]), foul=ranked.fouled, royalties=ranked.royalties,
            fantasyland=cards,
        )  # fmt: skip
        fold(state, event)


def _mirror(command: StartOpenFace, game: str) -> HandState:
    """Make the state of a game of the command that begins it."""
    started = e.HandStarted(
        round=command.round, table=command.table, tournament=command.tournament,
        game=game, plan_version=PLAN,
        accounts=tuple(command.seats), button=command.button, small_blind_of="",
        big_blind_of="", small_blind=0, big_blind=0, ante=0,
        fee="none" if command.tournament else "rake", time_fee=0,
        point_value=command.point_value, value_pairs=(), pair_values=(), stop_loss_of=(),
        stop_losses=(), in_fantasyland=tuple(command.in_fantasyland),
    )  # fmt: skip
    state = HandState(started)
    for account, stack in command.stacks.items():
        act = e.HandAction(
            round=command.round, table=command.table, tournament=command.tournament,
            bet=state.bet_of(account), account=account, street="stack", action="stack",
            amount=stack, total=stack,
            in_hand=stack, all_in=False, by="player",
        )  # fmt: skip
        fold(state, act)
    return state
