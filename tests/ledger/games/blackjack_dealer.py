"""A dealer and players of blackjack for tests: they play random rounds by the rules of each game.

Written from the rules alone: the code under test is not looked at and not used. `play` gives a
legal request together with what every line must return, in haler. Shoes are sometimes poor in
ranks, so that splits, blackjacks, six cards and dealers with 22 come often.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tests.ledger.games.banker_cases import RANKS
from tests.ledger.games.blackjack_cases import (
    ALL_BETS,
    EVOLUTION,
    FREE_BET,
    INFINITE,
    LAND,
    SAZKA,
    SHARED,
    SIXTY_NINE,
    SYNOT,
)
from tests.ledger.games.blackjack_odds import amount, paid, side_payout, total, value

if TYPE_CHECKING:
    import random

SIDE_BETS = {
    SYNOT: ["21+3", "top3", "player_pair", "dealer_pair"],
    ALL_BETS: ["21+3", "top3", "player_pair", "dealer_pair", "lucky_lucky", "buster_blackjack"],
    INFINITE: ["21+3", "perfect_pairs", "bust_it", "hot3"],
    EVOLUTION: ["21+3", "perfect_pairs"],
    SIXTY_NINE: ["perfect_pairs"],
    FREE_BET: ["push22"],
}
WAITING = {"buster_blackjack", "bust_it", "push22"}
SHOES = [RANKS, RANKS, "23456789TJQKA", "A2", "A23", "A5TK", "TJQKA", "55668899", "AA77", "2345A6"]


@dataclass
class Hand:
    """A hand with the players who have something on it and the lines that ride on it."""

    name: str
    cards: list[str]
    riders: list[str]
    lines: list[tuple[str, str, int | None]]
    """Line id, player, stake in haler; None is a token."""
    is_split: bool = False
    is_free: dict[str, bool] = field(default_factory=dict)
    is_doubled: bool = False


class Round:
    """One round while it is played."""

    def __init__(self, game: str, drawer: random.Random) -> None:
        """Shuffle and seat the players."""
        self.game, self.drawer = game, drawer
        ranks = drawer.choice(SHOES)
        decks = 8 if game in SAZKA else 6
        self.shoe = [
            rank + suit for rank in dict.fromkeys(ranks) for suit in "CDHS" for _ in range(decks)
        ]
        drawer.shuffle(self.shoe)
        self.common: dict[tuple[str, int], str] = {}
        self.wagers: list[dict[str, Any]] = []
        self.actions: list[dict[str, Any]] = []
        self.expected: dict[str, int] = {}
        self.main: dict[tuple[str, str], tuple[str, int]] = {}
        self.sides: list[tuple[str, str, str, int]] = []
        self.insured: dict[tuple[str, str], list[int]] = {}
        self.early: set[tuple[str, str]] = set()
        self.final: dict[str, list[Hand]] = {}
        self.first: dict[str, list[str]] = {}

    def draw(self, box: str, hand: str, index: int) -> str:
        """Draw a card; in a shared box the same place of the tree has the same card for all."""
        if self.game not in SHARED:
            return self.shoe.pop()
        return self.common.setdefault((hand.removeprefix(box), index), self.shoe.pop())

    def act(self, player: str, hand: str, kind: str, **more: Any) -> None:
        self.actions.append({"player": player, "hand": hand, "type": kind, **more})

    def chance(self, share: float) -> bool:
        return self.drawer.random() < share

    def seat(self) -> dict[str, list[str]]:
        """Place the bets; each box with its players, the owner first."""
        boxes: dict[str, list[str]] = {}
        for n in range(self.drawer.randint(1, 3)):
            if self.game in SHARED:
                boxes[f"p{n}"] = [f"p{n}"]
            elif self.game in LAND:
                boxes[f"b{n}"] = [f"p{m}" for m in range(self.drawer.randint(1, 3))]
            else:
                boxes[str(n + 1)] = [f"p{n % 2}"]
        for box, players in boxes.items():
            for player in players:
                stake = self.drawer.choice([10_000, 5_001, self.drawer.randint(5_000, 800_000)])
                self.main[box, player] = (f"m-{box}-{player}", stake)
                self.bet(box, player, "main", stake, f"m-{box}-{player}")
                for bet in SIDE_BETS[self.game]:
                    if self.chance(0.4):
                        side = self.drawer.randint(2_500, 100_000)
                        self.bet(box, player, bet, side, f"{bet}-{box}-{player}")
                        self.sides.append((bet, box, player, side))
        return boxes

    def bet(self, box: str, player: str, bet: str, stake: int, line: str) -> None:
        self.wagers.append(
            {"id": line, "player": player, "box": box, "bet": bet, "stake": amount(stake)}
        )

    def insure(self, box: str, player: str, most: int) -> None:
        stake = self.main[box, player][1] // 2
        if self.game not in SAZKA:
            stake = self.drawer.randint(1, max(1, most))
        if 0 < stake <= most:
            self.insured.setdefault((box, player), []).append(stake)
            self.act(player, box, "insurance", stake=amount(stake))

    def own_money(self, player: str, hands: list[Hand]) -> int:
        return sum(
            stake
            for hand in hands
            for _, rider, stake in hand.lines
            if rider == player and stake is not None
        )

    def insure_more(self, box: str, hands: list[Hand], *, hit: bool) -> None:
        """Free Bet: more insurance for money added by a split or double, before the first hit."""
        if self.game != FREE_BET or hit:
            return
        for (insured_box, player), taken in list(self.insured.items()):
            money = self.own_money(player, hands)
            added = money > self.main[box, player][1] if insured_box == box else False
            if added and self.chance(0.4):
                self.insure(box, player, money // 2 - sum(taken))

    def offer_insurance(self, box: str, players: list[str], open_card: str) -> None:
        if open_card[0] != "A":
            return
        for player in players:
            if self.chance(0.4):
                self.insure(box, player, self.main[box, player][1] // 2)
            elif self.chance(0.3):
                self.act(player, box, "skip_insurance")

    def play_box(self, box: str, players: list[str], dealer: list[str]) -> None:
        """Play one box to its end."""
        cards = self.first[box]
        lines = [(*self.main[box, player], player) for player in players]
        root = Hand(box, list(cards), list(players), [(i, p, s) for i, s, p in lines])
        has_blackjack = total(cards) == 21
        self.offer_insurance(box, players, dealer[0])
        if has_blackjack:
            if self.game == FREE_BET and value(dealer[0]) >= 10:
                for player in players:
                    if self.chance(0.4):
                        self.act(player, box, "even_money")
                        self.early.add((box, player))
            self.final[box] = [root]
            return
        hands, splits, hit = [root], 0, False
        position = 0
        while position < len(hands):
            hand = hands[position]
            move = self.choose(hand, splits)
            owner = players[0]
            match move:
                case "stop":
                    position += 1
                case "hit":
                    hand.cards.append(self.draw(box, hand.name, len(hand.cards)))
                    hit = True
                case "double" | "free_double":
                    self.double(box, hand, owner, is_free=move == "free_double")
                    self.insure_more(box, hands, hit=hit)
                case _:
                    hands[position : position + 1] = self.split(
                        box, hand, owner, is_free=move == "free_split"
                    )
                    splits += 1
                    self.insure_more(box, hands, hit=hit)
        self.final[box] = hands

    def choose(self, hand: Hand, splits: int) -> str:
        """Choose a legal move of the owner and record it, but for splits and doubles."""
        game, cards, points = self.game, hand.cards, total(hand.cards)
        owner = self.owner_of(hand)
        pair = len(cards) == 2 and value(cards[0]) == value(cards[1])
        aces = pair and cards[0][0] == "A"
        may_split = pair and splits < (3 if game in LAND else 1)
        if hand.is_split and hand.cards[0][0] == "A" and not (aces and game == FREE_BET):
            may_split = False
        won_at = {INFINITE: 6, EVOLUTION: 6, ALL_BETS: 10}.get(game, 99)
        ended = hand.is_doubled or points > 21 or (len(cards) >= won_at)
        ended = ended or (points == 21 and game in LAND)
        if ended:
            return "stop"
        moves = []
        if may_split:
            moves += ["split"] * 3
            if game == FREE_BET and value(cards[0]) != 10:
                moves += ["free_split"] * 3
        is_split_ace = hand.is_split and cards[0][0] == "A"
        if not is_split_ace:
            moves += ["hit", "hit"]
            if len(cards) == 2:
                moves.append("double")
                no_ace = all(card[0] != "A" for card in cards)
                if game == FREE_BET and points in (9, 10, 11) and no_ace and self.free(hand, owner):
                    moves += ["free_double"] * 3
        if is_split_ace or not (game == FREE_BET and points <= 11):
            moves += ["stop"] * (4 if points > 16 else 2)
        move = self.drawer.choice(moves)
        if move == "hit":
            low = {INFINITE: 11, EVOLUTION: 11, FREE_BET: 16}.get(game, 0)
            word = "absent" if game == FREE_BET else "timeout"
            auto = {"auto": word} if points <= low and self.chance(0.2) else {}
            self.act(owner, hand.name, "hit", **auto)
        if move == "stop":
            self.stop(hand, owner, points, is_split_ace=is_split_ace)
        return move

    def stop(self, hand: Hand, owner: str, points: int, *, is_split_ace: bool) -> None:
        least = {INFINITE: 12, EVOLUTION: 12, FREE_BET: 17, SIXTY_NINE: 99}.get(self.game, 0)
        word = "absent" if self.game == FREE_BET else "disconnect"
        if points >= least and not is_split_ace and self.chance(0.2):
            self.act(owner, hand.name, "stand", auto=word)
        elif self.chance(0.5) or (points <= 11 and self.game in (INFINITE, EVOLUTION)):
            self.act(owner, hand.name, "stand")

    def owner_of(self, hand: Hand) -> str:
        box = hand.name.split(".")[0]
        return next(player for known, player in self.main if known == box)

    def free(self, hand: Hand, player: str) -> bool:
        """Tell whether a hand is the first one or the last split made it free for the player."""
        return not hand.is_split or hand.is_free.get(player, hand.is_free[self.owner_of(hand)])

    def double(self, box: str, hand: Hand, owner: str, *, is_free: bool) -> None:
        points = total(hand.cards)
        low = points in (9, 10, 11) and all(card[0] != "A" for card in hand.cards)
        for player in sorted(hand.riders, key=lambda rider: rider != owner):
            token = is_free
            if player != owner:
                if self.chance(0.5):
                    continue
                allowed = self.game == FREE_BET and low and self.free(hand, player)
                token = allowed and self.chance(0.5)
            line, stake = self.main[box, player]
            kind, more = ("free_double", {"free": True}) if token else ("double", {})
            self.act(player, hand.name, "double", **more)
            hand.lines.append((f"{line}:{kind}:{hand.name}", player, None if token else stake))
        hand.is_doubled = True
        hand.cards.append(self.draw(box, hand.name, 2))

    def split(self, box: str, hand: Hand, owner: str, *, is_free: bool) -> list[Hand]:
        first, second = f"{hand.name}.1", f"{hand.name}.2"
        joined: dict[str, bool] = {}
        lines: list[tuple[str, str, int | None]] = []
        for player in sorted(hand.riders, key=lambda rider: rider != owner):
            token = is_free
            if player != owner:
                if self.chance(0.5):
                    continue
                tens = value(hand.cards[0]) == 10
                token = self.game == FREE_BET and not tens and self.chance(0.5)
            line, stake = self.main[box, player]
            kind, more = ("free_split", {"free": True}) if token else ("split", {})
            self.act(player, hand.name, "split", **more)
            joined[player] = token
            lines.append((f"{line}:{kind}:{second}", player, None if token else stake))
        cards = [
            [card, self.draw(box, name, 1)]
            for card, name in zip(hand.cards, (first, second), strict=True)
        ]
        return [
            Hand(first, cards[0], hand.riders, hand.lines, is_split=True, is_free=joined),
            Hand(second, cards[1], list(joined), lines, is_split=True, is_free=joined),
        ]

    def finish(self, dealer: list[str], boxes: dict[str, list[str]]) -> None:
        """Draw the dealer's cards, as far as they are needed."""
        game = self.game
        blackjacks = {box for box in boxes if total(self.first[box]) == 21}
        won_at = {INFINITE: 6, EVOLUTION: 6, ALL_BETS: 10}.get(game, 99)
        undecided = any(
            total(hand.cards) <= 21 and len(hand.cards) < won_at and box not in blackjacks
            for box, hands in self.final.items()
            for hand in hands
        )
        waiting = any(
            bet in WAITING and not (bet == "bust_it" and box in blackjacks)
            for bet, box, _, _ in self.sides
        )
        needed = len(dealer)
        threatened = value(dealer[0]) >= 10 and any(
            (box, player) not in self.early for box in blackjacks for player in boxes[box]
        )
        if threatened or self.insured:
            needed = 2
        while len(dealer) < needed:
            dealer.append(self.shoe.pop())
        if undecided or waiting or self.chance(0.5):
            while total(dealer) < 17:
                dealer.append(self.shoe.pop())

    def due(self, hand: Hand, dealer: list[str], *, early: bool, blackjack: bool) -> Any:
        """Odds of a win as a number, "push", or None for a loss."""
        points, dealers = total(hand.cards), total(dealer)
        natural = len(dealer) >= 2 and total(dealer[:2]) == 21
        if points > 21:
            return None
        if early:
            return 1
        if blackjack:
            return "push" if natural else Fraction(3, 2)
        if self.game in (INFINITE, EVOLUTION) and len(hand.cards) >= 6:
            return 1
        if natural:
            ten_up = dealer[0][0] in "TJQK"
            if self.game in SAZKA and hand.is_doubled and ten_up:
                return "push"
            return "push" if self.game == SIXTY_NINE and points == 21 else None
        if self.game == ALL_BETS and len(hand.cards) >= 10:
            return 1
        if points == dealers or (self.game == FREE_BET and dealers == 22):
            return "push"
        return 1 if dealers > 21 or points > dealers else None

    def settle(self, dealer: list[str]) -> None:
        """Work out what every line returns."""
        natural = len(dealer) >= 2 and total(dealer[:2]) == 21
        for box, hands in self.final.items():
            blackjack = total(self.first[box]) == 21
            for hand in hands:
                for line, player, stake in hand.lines:
                    early = (box, player) in self.early
                    due = self.due(hand, dealer, early=early, blackjack=blackjack)
                    main = self.main[box, player][1]
                    if stake is None:
                        self.expected[line] = main if due == 1 else 0
                    else:
                        self.expected[line] = stake if due == "push" else paid(stake, due)
        for (box, player), stakes in self.insured.items():
            for n, stake in enumerate(stakes):
                line = f"{self.main[box, player][0]}:insurance" + (f":{n + 1}" if n else "")
                self.expected[line] = 3 * stake if natural else 0
        for bet, box, player, stake in self.sides:
            self.expected[f"{bet}-{box}-{player}"] = side_payout(
                self.game,
                bet,
                stake,
                self.first[box],
                dealer,
                blackjack=total(self.first[box]) == 21,
            )


def play(game: str, drawer: random.Random) -> tuple[dict[str, Any], dict[str, int]]:
    """Play a round by the rules and return the request with what each line must return."""
    game_round = Round(game, drawer)
    boxes = game_round.seat()
    for index in range(2):
        for box in boxes:
            card = game_round.draw(box, box, index)
            game_round.first.setdefault(box, []).append(card)
    dealer = [game_round.shoe.pop() for _ in range(2 if game in SAZKA else 1)]
    for box, players in boxes.items():
        game_round.play_box(box, players, dealer)
    game_round.finish(dealer, boxes)
    game_round.settle(dealer)
    hands = {hand.name: hand.cards for hands in game_round.final.values() for hand in hands}
    request = {
        "id": "r",
        "game": game,
        "wagers": game_round.wagers,
        "actions": game_round.actions,
        "outcome": {"dealer": dealer, "hands": hands},
    }
    return request, game_round.expected
