"""Settlement requests played through the writer: chips, cards and hands as commands.

A request of the contract says at once what a recorded round says command by command. The driver
turns the one into the other and returns what the record paid, by line of the answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger import games
from tests.ledger.decisions.decisions_casino import EVOLUTION, LAND_BASED

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.ledger.decisions.decisions_casino import Casino

CASH = 10**8
FLOP = 3
Request = dict[str, Any]


class Player:
    """Plays requests of one game at one table of a casino."""

    def __init__(self, casino: Casino, game: str) -> None:
        self.casino = casino
        self.game = game
        self.plan = games.plan(game)
        self.known: set[str] = set()
        self.table = ""
        if game not in {EVOLUTION, LAND_BASED}:
            casino.list_game(game)
        self.move()

    def move(self) -> None:
        """Go on at a new table."""
        for name in self.known:
            self.casino.do("leave_seat", account=name, table=self.table)
        self.table = self.casino.new_name("t")
        self.casino.open_table_of(self.game, self.table, *self.known)

    def play(self, request: Request) -> dict[str, int]:
        """Play a request; return the haléř that came back on each line of the answer."""
        return FAMILIES[type(self.plan).__name__](self, request)

    # What all rounds have

    def seat(self, request: Request) -> None:
        outcome = request["outcome"]
        names = [wager["player"] for wager in request["wagers"]]
        for name in dict.fromkeys([*names, *outcome.get("seats", ())]):
            if name not in self.known:
                self.known.add(name)
                self.casino.player(name, CASH, table="")
                self.casino.do("take_seat", account=name, table=self.table)

    def open(self, request: Request) -> str:
        self.seat(request)
        round_ = self.casino.new_name("q")
        self.casino.do("open_round", round=round_, table=self.table)
        return round_

    def lay(self, round_: str, request: Request) -> dict[str, str]:
        """Place the chips; return the bets by line."""
        bets = {}
        listed = sorted(enumerate(request["wagers"]), key=lambda entry: not is_main(entry[1]))
        for number, wager in listed:
            facts = {name: wager[name] for name in ("selection", "box") if name in wager}
            if "chip" in wager:
                facts["chip"] = haler(wager["chip"])
            elif self.plan.needs_chip(wager["bet"]):
                facts["chip"] = 1  # what `settle` assumes; a bet has to state it
            chips = {
                "bet": f"{round_}-{number}",
                "account": wager["player"],
                "round": round_,
                "bet_code": wager["bet"],
                "stake": haler(wager["stake"]),
                **{name: value for name, value in facts.items() if value is not None},
            }
            if wager.get("late"):
                bets[wager["id"]] = ""
                continue
            receipt = self.casino.send("place_bet", **chips)
            if receipt.refused is not None and is_gone(wager["player"], request):
                bets[wager["id"]] = ""  # refused chips stay with the player, as `settle` says
                continue
            assert receipt.refused is None, receipt.refused
            bets[wager["id"]] = chips["bet"]
        return bets

    def disconnected(self, request: Request, phase: str) -> None:
        for entry in request["outcome"].get("disconnects", ()):
            if entry["phase"] == phase:
                self.casino.do("disconnect", account=entry["player"], table=self.table)

    def back(self) -> None:
        for name in self.known:
            if self.table in self.casino.account(name).disconnected:
                self.casino.do("reconnect", account=name, table=self.table)

    def close(self, round_: str, request: Request) -> None:
        self.disconnected(request, "before_close")
        self.casino.close(round_)
        self.disconnected(request, "after_close")

    def voids(self, round_: str, request: Request) -> bool:
        """Declare what is void; return whether nobody plays on."""
        void = request["outcome"].get("void")
        if void is None:
            return False
        reason = void["reason"]
        if self.plan.needs_reconstruction(reason):
            attempt = {"how": "video", "by": "inspector", "succeeded": False}
            self.casino.do("reconstruct_round", round=round_, **attempt)
        if reason in self.plan.announced_before_void:
            told = {"channels": ["voice", "chat"], "wording": "A fault.", "by": "dealer"}
            self.casino.do("announce_fault", table=self.table, **told)
        if "players" not in void:
            self.casino.do("void_round", round=round_, ground=reason)
            return True
        for name in void["players"]:
            self.casino.do("void_bets", round=round_, account=name, ground=reason)
        return False

    def pay(self, round_: str, request: Request, bets: dict[str, str]) -> dict[str, int]:
        """Record the result, settle; return what came back, by line."""
        if not self.voids(round_, request):
            self.casino.do("record_result", round=round_)
            if self.casino.round(round_).status == "resulted":
                self.casino.do("settle_round", round=round_)
        self.back()
        return self.came_back(round_, request, bets)

    def came_back(self, round_: str, request: Request, bets: dict[str, str]) -> dict[str, int]:
        lines = {bet: line for line, bet in bets.items() if bet}
        stakes = {wager["id"]: haler(wager["stake"]) for wager in request["wagers"]}
        paid = {line: stakes[line] for line, bet in bets.items() if not bet}
        for name, bet in self.casino.round(round_).bets.items():
            parent, _, added = name.partition(":")
            line = f"{lines[parent]}:{added}" if added else lines[parent]
            paid[line] = bet.paid if bet.status == "settled" else bet.stake
            assert bet.status in {"settled", "voided", "given_back"}, (name, bet.status)
        return paid

    def deal(self, round_: str, recipient: str, *cards: str) -> None:
        self.casino.deal(round_, recipient, " ".join(cards))

    def reveal(self, round_: str, recipient: str, cards: list[str]) -> None:
        """Turn the face-down cards of a recipient."""
        places = [
            (index, card)
            for index, card in sorted(self.casino.round(round_).cards.items())
            if card.recipient == recipient
        ]
        for (index, card), face in zip(places, cards, strict=False):
            if not card.card:
                self.casino.do("reveal_card", round=round_, index=index, card=face)

    def act(self, round_: str, action: Request) -> None:
        facts = {name: action[name] for name in ("street", "times", "free") if name in action}
        if "stake" in action:
            facts["stake"] = haler(action["stake"])
        by = action.get("auto", "player")
        is_there = self.table not in self.casino.account(action["player"]).disconnected
        if by == "disconnect" and is_there:
            self.casino.do("disconnect", account=action["player"], table=self.table)
        if by == "player" and not is_there:
            self.casino.do("reconnect", account=action["player"], table=self.table)
        self.casino.do(
            "decide",
            account=action["player"],
            round=round_,
            decision=action["type"],
            hand=action.get("hand", ""),
            by=by,
            **facts,
        )


def is_main(wager: Request) -> bool:
    """Return whether chips must lie before others of the player."""
    return wager["bet"] in {"main", "ante"}


def is_gone(player: str, request: Request) -> bool:
    """Return whether a player lost the connection before the close."""
    entries = request["outcome"].get("disconnects", ())
    return any((one["player"], one["phase"]) == (player, "before_close") for one in entries)


def haler(text: str) -> int:
    """Read an amount of a request."""
    found = games.parse_amount(text)
    assert found is not None
    return found


# Wheels and balls


def roulette(player: Player, request: Request) -> dict[str, int]:
    """Spin, let the ball fall, and spin again where a chip waits for the next number."""
    casino, outcome = player.casino, request["outcome"]
    round_ = player.open(request)
    bets = player.lay(round_, request)
    for spin in outcome.get("invalid_spins", ()):
        turn(player, round_)
        casino.do("invalidate_spin", round=round_, cause=spin["reason"])
    if outcome.get("void", {}).get("players") is None and "void" in outcome:
        player.close(round_, request)
        return player.pay(round_, request, bets)
    turn(player, round_)
    player.close(round_, request)
    late(player, round_, request)
    if "number" in outcome:
        casino.do("land_ball", round=round_, number=outcome["number"])
    paid_at_once = player.voids(round_, request)
    assert not paid_at_once
    if "number" not in outcome and not casino.round(round_).in_play:
        casino.do("void_round", round=round_, ground=next(iter(player.plan.header.void_reasons)))
    else:
        casino.do("record_result", round=round_)
        settle_what_is_decided(player, round_, outcome.get("next_number"))
    player.back()
    return player.came_back(round_, request, bets)


def turn(player: Player, round_: str) -> None:
    state = player.casino.round(round_)
    way = "clockwise" if state.turned_before != "clockwise" else "counterclockwise"
    other = {"clockwise": "counterclockwise", "counterclockwise": "clockwise"}[way]
    facts = {"wheel_direction": way, "ball_direction": other, "revolutions": 12}
    (spun,) = player.casino.do("spin_wheel", round=round_, **facts)
    assert spun.wheel_direction == way


def late(player: Player, round_: str, request: Request) -> None:
    """Chips after the close are refused, and so never left the wallet."""
    for number, wager in enumerate(request["wagers"]):
        if wager.get("late"):
            chips = {"bet": f"{round_}-{number}", "account": wager["player"], "round": round_}
            chips |= {"bet_code": wager["bet"], "stake": haler(wager["stake"])}
            receipt = player.casino.send("place_bet", **chips)
            assert receipt.refused is not None
            assert receipt.refused.code == "BET_AFTER_CLOSE"


def settle_what_is_decided(player: Player, round_: str, next_number: int | None) -> None:
    casino = player.casino
    if casino.round(round_).status != "resulted":
        return
    if any(not bet.imprisoned for _, bet in casino.round(round_).bets_in("concluded")):
        casino.do("settle_round", round=round_)
    if not casino.round(round_).in_play:
        return
    casino.refuse("BET_IN_PRISON", "settle_round", round=round_)
    assert next_number is not None
    after = casino.new_name("q")
    casino.do("open_round", round=after, table=player.table)
    turn(player, after)
    casino.close(after)
    casino.do("land_ball", round=after, number=next_number)
    casino.do("record_result", round=after)
    casino.do("settle_round", round=round_)


def wheel(player: Player, request: Request) -> dict[str, int]:
    """Close, turn the wheel, let it stop."""
    casino, outcome = player.casino, request["outcome"]
    round_ = player.open(request)
    bets = player.lay(round_, request)
    player.close(round_, request)
    if "field" in outcome:
        casino.do("spin_wheel", round=round_, wheel_direction="clockwise", revolutions=5)
        casino.do("stop_wheel", round=round_, field=outcome["field"])
    return player.pay(round_, request, bets)


# Cards


def baccarat(player: Player, request: Request) -> dict[str, int]:
    """Deal both hands in turn, then the third cards."""
    outcome = request["outcome"]
    round_ = player.open(request)
    bets = player.lay(round_, request)
    player.close(round_, request)
    for place in range(FLOP):
        for hand in ("player", "banker"):
            for card in outcome.get(hand, ())[place : place + 1]:
                player.deal(round_, hand, card)
    return player.pay(round_, request, bets)


def casino_holdem(player: Player, request: Request) -> dict[str, int]:
    """Two cards for all, two hidden ones for the dealer, the flop; then the players decide."""
    outcome, actions = request["outcome"], request.get("actions", [])
    round_ = player.open(request)
    bets = player.lay(round_, request)
    blind = [action for action in actions if action["type"] == "call_blind"]
    for action in blind:
        player.act(round_, action)
    player.close(round_, request)
    board = outcome.get("board", [])
    player.deal(round_, "shared", *outcome.get("player_cards", ()))
    player.deal(round_, "dealer", *("?" for _ in outcome.get("dealer", ())))
    player.deal(round_, "board", *board[:FLOP])
    for action in actions:
        if action not in blind:
            player.act(round_, action)
    if "burn" in outcome:
        player.deal(round_, "burn", outcome["burn"])
    player.deal(round_, "board", *board[FLOP:])
    player.reveal(round_, "dealer", outcome.get("dealer", []))
    return player.pay(round_, request, bets)


def ultimate(player: Player, request: Request) -> dict[str, int]:
    """Two cards to each box and the dealer; actions on three streets."""
    outcome, actions = request["outcome"], request.get("actions", [])
    round_ = player.open(request)
    bets = player.lay(round_, request)
    player.close(round_, request)
    for box, cards in outcome.get("hands", {}).items():
        player.deal(round_, box, *cards)
    player.deal(round_, "dealer", *("?" for _ in outcome.get("dealer", ())))
    board, lies = outcome.get("board", []), 0
    for street, upto in (("preflop", 0), ("flop", FLOP), ("river", 5)):
        player.deal(round_, "burn", *outcome.get("burn", [])[: 1 if upto and not lies else 0])
        player.deal(round_, "board", *board[lies:upto])
        lies = upto
        for action in actions:
            if action["street"] == street:
                player.act(round_, action)
    player.deal(round_, "burn", *outcome.get("burn", [])[1:])
    player.reveal(round_, "dealer", outcome.get("dealer", []))
    return player.pay(round_, request, bets)


class Boxes:
    """Deals the cards of blackjack as the actions ask for them."""

    def __init__(self, player: Player, round_: str, request: Request) -> None:
        self.player, self.round = player, round_
        self.hands: dict[str, list[str]] = dict(request["outcome"].get("hands", {}))
        self.dealer: list[str] = list(request["outcome"].get("dealer", ()))
        self.boxes = list(dict.fromkeys(wager["box"] for wager in request["wagers"]))
        self.is_shared = player.plan.seats.boxes.value == "shared"  # type: ignore[attr-defined]
        self.dealt: dict[str, int] = {}
        self.done: set[tuple[str, str]] = set()

    def pair(self, name: str) -> list[str]:
        """Give the first two cards of a hand, which its halves may have now."""
        if name in self.hands or f"{name}.1" not in self.all_names():
            return self.hands.get(name, [])[:2]
        return [self.first(f"{name}.1"), self.first(f"{name}.2")]

    def all_names(self) -> set[str]:
        return {
            ".".join(name.split(".")[:size])
            for name in self.hands
            for size in range(1, name.count(".") + 2)
        }

    def first(self, name: str) -> str:
        return self.hands[name][0] if name in self.hands else self.first(f"{name}.1")

    def place(self, name: str) -> str:
        """Name the recipient of the cards of a hand."""
        if not self.is_shared:
            return name
        return "shared" + name[len(name.partition(".")[0]) :]

    def give(self, name: str, number: int, card: str) -> None:
        """Deal a card unless it lies there: in a shared box it is the card of all players."""
        place = self.place(name)
        if self.dealt.get(place, 0) < number:
            self.player.deal(self.round, place, card)
            self.dealt[place] = number

    def begin(self, *, hidden: bool) -> None:
        for number in (1, 2):
            for box in self.boxes:
                for card in self.pair(box)[number - 1 : number]:
                    self.give(box, number, card)
            if number == 1 or hidden:
                for card in self.dealer[number - 1 : number]:
                    self.player.deal(self.round, "dealer", card if number == 1 else "?")

    def follow(self, action: Request) -> None:
        """Deal what an action asks for."""
        name, kind = action["hand"], action["type"]
        is_joining = (name, kind) in self.done and not self.is_shared and kind != "hit"
        if kind == "split" and not is_joining:
            for half in (f"{name}.1", f"{name}.2"):
                for card in self.pair(half)[1:]:
                    self.give(half, 1, card)
        elif kind in {"hit", "double"} and not is_joining:
            cards = self.hands.get(name, [])
            taken = self.taken.setdefault(name, 2)
            for card in cards[taken : taken + 1]:
                self.give(name, taken + 1 - ("." in name), card)
            self.taken[name] = taken + 1
        self.done.add((name, kind))

    @property
    def taken(self) -> dict[str, int]:
        return self.__dict__.setdefault("_taken", {})


def blackjack(player: Player, request: Request) -> dict[str, int]:
    """Deal to the boxes and the dealer, follow the actions, then the dealer draws."""
    round_ = player.open(request)
    for box, owner in request["outcome"].get("owners", {}).items():
        player.casino.do("take_box", account=owner, table=player.table, box=box)
    bets = player.lay(round_, request)
    player.close(round_, request)
    boxes = Boxes(player, round_, request)
    hidden = player.plan.dealer.cards_dealt > 1  # type: ignore[attr-defined]
    boxes.begin(hidden=hidden)
    for actions in in_turn(request, is_shared=boxes.is_shared):
        for action in actions:
            player.act(round_, action)
        for action in actions:
            boxes.follow(action)
    player.reveal(round_, "dealer", boxes.dealer)
    player.deal(round_, "dealer", *boxes.dealer[2 if hidden else 1 :])
    return player.pay(round_, request, bets)


def in_turn(request: Request, *, is_shared: bool) -> list[list[Request]]:
    """Group the actions that come before one card: those of all players who share it."""
    groups: dict[tuple[Any, ...], list[Request]] = {}
    taken: dict[tuple[str, bool], int] = {}
    for number, action in enumerate(request.get("actions", [])):
        of_box = action["type"] in {"insurance", "skip_insurance"}
        _, *halves = action["hand"].split(".")
        own = (action["player"] + action["hand"], of_box)
        taken[own] = taken.get(own, 0) + 1
        key: tuple[Any, ...] = (not of_box, tuple(halves), taken[own])
        if not is_shared:
            joins = groups and list(groups.values())[-1][-1]
            is_joining = (
                joins
                and action["type"] in {"double", "split"}
                and ((joins["hand"], joins["type"]) == (action["hand"], action["type"]))
            )
            key = list(groups)[-1] if is_joining else (number,)
        groups.setdefault(key, []).append(action)
    return [groups[key] for key in (sorted(groups) if is_shared else groups)]


FAMILIES: dict[str, Callable[[Player, Request], dict[str, int]]] = {
    "RoulettePlan": roulette,
    "WheelPlan": wheel,
    "BaccaratPlan": baccarat,
    "BlackjackPlan": blackjack,
    "CasinoHoldemPlan": casino_holdem,
    "UltimateHoldemPlan": ultimate,
}
