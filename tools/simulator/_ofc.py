"""A table of Pineapple open-face Chinese poker: two or three players, game after game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ledger import games
from ledger.decisions.hands.open_face import PlaceCards, SetCards, StartOpenFace
from ledger.decisions.hands.settlement import SettleHand
from ledger.events import event_types as e
from ledger.games import ofc_rules_of, parse_cards
from ledger.games.open_face import fantasyland_cards, rank_set
from ledger.state.hand import HandState, fold
from ledger.state.hand_record import settle
from tools.simulator._card_table import DEALT_BY, CardTable, deal_card
from tools.simulator._poker_hand import DECK, PLAN, Seat

if TYPE_CHECKING:
    from ledger.games.open_face import OfcRules
    from tools.simulator._players import Player
    from tools.simulator._stage import Script, Stage

__all__ = ["DealtOpenFace", "OpenFaceTable"]

FIRST, LATER, STREETS = 5, 3, 5
"""Cards dealt first and on later streets; of the later ones a player throws one away."""
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
        """Remove a player, also from Fantasyland."""
        super().leave(player)
        self.fantasyland.pop(player.account, None)

    def stack(self, player: Player) -> int:
        """Return forty points, which every player brings to every game."""
        stack = POINTS_ON_TABLE * self.point_value
        return stack if player.wallet >= stack else 0

    def play_hand(self, name: str, players: list[Player]) -> Script:
        """Play one game; the button moves on by one seat."""
        turn = self.rounds % len(players)
        players = players[turn:] + players[:turn]
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
    index: int = 0

    def play(self) -> Script:
        """Play the whole game; the last seat has the button."""
        rules = ofc_rules_of(games.plan(self.game, PLAN))
        assert rules is not None  # noqa: S101 - the table has such a game
        command = self._start()
        if self.stage.ask(command).refused is not None:
            return
        self.is_started = True
        state = _mirror(command, self.game)
        yield from self._deal_and_set(rules, state)
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

    def _deal_and_set(self, rules: OfcRules, state: HandState) -> Script:
        """Deal five cards to each, then three four times; in Fantasyland the rest at once."""
        deck = list(DECK)
        self.stage.random.shuffle(deck)
        there = {seat.account: self.fantasyland.get(seat.account, 0) for seat in self.seats}
        streets: dict[str, list[list[str]]] = {name: [[]] for name in there}
        for _ in range(FIRST):
            for name in there:
                streets[name][0] += self._deal(name, deck, 1)
        for name, count in there.items():
            streets[name][0] += self._deal(name, deck, max(count - FIRST, 0))
        for _ in range(STREETS - 1):
            for name, count in there.items():
                if not count:
                    streets[name].append([deck.pop() for _ in range(LATER)])
        rows = {name: self._arrange(rules, streets[name]) for name in there}
        for street in range(STREETS):
            for name, count in there.items():
                if count:
                    continue
                if street:
                    self._deal(name, streets[name][street][::-1], LATER)
                yield self.stage.random.uniform(4, 12)
                placed = _placed(rows[name], streets[name][street])
                self.stage.send(
                    PlaceCards(
                        round=self.name,
                        account=name,
                        front=placed["front"],
                        middle=placed["middle"],
                        back=placed["back"],
                        discards=placed["discards"],
                        source=DEALT_BY,
                    )
                )
        for name, count in there.items():
            yield self.stage.random.uniform(2, 8)
            self.stage.send(
                SetCards(
                    round=self.name,
                    account=name,
                    front=rows[name]["front"],
                    middle=rows[name]["middle"],
                    back=rows[name]["back"],
                    discards=rows[name]["discards"],
                    source=DEALT_BY,
                )
            )
            self._note(rules, name, rows[name], state, is_there=bool(count))

    def _deal(self, account: str, deck: list[str], count: int) -> list[str]:
        """Deal cards from the end of a deck."""
        cards = [deck.pop() for _ in range(count)]
        for card in cards:
            deal_card(self.stage, self.name, self.index, account, card)
            self.index += 1
        return cards

    def _arrange(self, rules: OfcRules, streets: list[list[str]]) -> Rows:
        """Try several random arrangements and return the best; a foul ranks below all others.

        The simulated player knows all cards in advance. One random card of each later street is
        discarded; in Fantasyland, the cards that are left when all rows are filled.
        """
        random, best, rows = self.stage.random, (-1, -1, -1), {}
        for _ in range(TRIES):
            thrown = [random.choice(street) for street in streets[1:]]
            kept = [card for street in streets for card in street if card not in thrown]
            mixed = sorted(kept, key=lambda card: DECK.index(card) + random.uniform(0, 30))
            tried = {
                "front": mixed[:3],
                "middle": mixed[3:8],
                "back": mixed[8:13],
                "discards": mixed[13:] + thrown,
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


def _placed(rows: Rows, street: list[str]) -> Rows:
    """Return where the cards of a street go."""
    return {row: [card for card in cards if card in street] for row, cards in rows.items()}


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
            in_hand=stack, all_in=False, by="player", asked_at=0, until=0,
        )  # fmt: skip
        fold(state, act)
    return state
