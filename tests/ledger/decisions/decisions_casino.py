"""A small casino for the decision tests, driven through the public API with a hand-set clock.

One studio with the streamed tables r1 and r2, one casino with the land-based table l1.
``player`` gives an adult with money, all measures declined, logged in and seated at r1.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import msgspec
import pytest

from ledger import games
from ledger.core.clock import MINUTE, StoppedClock, from_datetime
from ledger.core.errors import InputError
from ledger.core.refusals import Refusal
from ledger.decisions.decider import COMMANDS, decode_command, refusals_of
from ledger.events.encoding import decode
from ledger.log.memory import MemoryLog
from ledger.privacy import KeyStore
from ledger.rules.retention import end_of_retention
from ledger.state.ledger_state import LedgerState
from ledger.writer import Ledger
from tests.ledger.decisions.decisions_paragraphs import PARAGRAPHS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ledger.core.entropy import Entropy
    from ledger.events.command import Command
    from ledger.events.event_types import Event
    from ledger.state.account import AccountState
    from ledger.state.round import RoundState
    from ledger.writer import Receipt

EVOLUTION = "sazka.roulette_evolution"
LAND_BASED = "69games.roulette"
VERSION = "2025-01-21"
CROWN = 100


def prague(text: str) -> int:
    """Read a moment as a clock in Prague shows it, such as ``2026-03-02 20:00:00.000001``."""
    return from_datetime(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo("Europe/Prague")))


def command(name: str, /, **facts: Any) -> Command:
    """Read a command from its JSON, as `gameledger record` does."""
    return decode_command(json.dumps({"command": name, **facts}))


def sentence_of(refused: Any) -> str:
    """Render a recorded refusal, or that of a receipt, in English."""
    return Refusal.recorded(refused.code, refused.parameters, refused.paragraph).sentence


class Casino:
    """A ledger with a house; every method sends commands as JSON."""

    def __init__(
        self,
        directory: Path,
        log: MemoryLog | None = None,
        *,
        entropy: Entropy = os.urandom,
        writer: str | None = None,
    ) -> None:
        self.clock = StoppedClock(prague("2026-02-02 12:00"))
        self.log = log or MemoryLog()
        self.keys = directory / "keys"
        self.names = 0
        self.paragraphs = dict(PARAGRAPHS)
        self.ledger = Ledger.create(
            self.log,
            KeyStore(self.keys, entropy),
            operator="26493993",
            operator_name="SAZKA a.s.",
            chain_name="sazka-live",
            clock=self.clock,
            entropy=entropy,
            writer=writer,
        )

    # Commands

    def send(self, name: str, /, **facts: Any) -> Receipt:
        """Send a command and return its receipt."""
        receipt = self.ledger.execute(command(name, **facts))
        if receipt.refused is not None:
            assert receipt.refused.code in refusals_of(COMMANDS[name]), "the docstring lists it"
        return receipt

    def do(self, command: str, **facts: Any) -> list[Event]:
        """Send a command that the rules allow; return its events."""
        receipt = self.send(command, **facts)
        assert receipt.refused is None, receipt.refused
        return self.events_of(receipt)

    def refuse(self, code: str, command: str, **facts: Any) -> list[Event]:
        """Send a command that is to be refused with a code; return the events that record it."""
        receipt = self.send(command, **facts)
        assert receipt.refused is not None, f"{command} was accepted"
        refused = receipt.refused
        assert refused.code == code, refused
        assert refused.paragraph == self.paragraphs[code]
        events = self.events_of(receipt)
        record = next(event for event in events if getattr(event, "code", "") == code)
        assert record.parameters == refused.parameters
        assert record.paragraph == refused.paragraph
        return events

    def fail(self, words: str, command: str, **facts: Any) -> None:
        """Send a command that can't be decided; nothing may be recorded."""
        before = self.ledger.head
        with pytest.raises(InputError, match=words):
            self.send(command, **facts)
        assert self.ledger.head == before

    def events_of(self, receipt: Receipt) -> list[Event]:
        """Read the events of a receipt from the log, statements left out."""
        bodies = self.log.read(receipt.first_position, receipt.last_position + 1)
        events = [decode(body).event for _, body in bodies]
        return [event for event in events if type(event).__name__ != "AccountStatement"]

    def all_events(self, kind: str = "") -> list[Event]:
        """Read all events of the chain, or those of one type."""
        events = [decode(body).event for _, body in self.log.read()]
        return [event for event in events if kind in {"", type(event).__name__}]

    # Time

    def at(self, text: str) -> None:
        """Set the clock to a moment of Prague."""
        self.clock.moment = prague(text)

    def wait(self, *, minutes: float = 0, microseconds: int = 0) -> None:
        """Let time pass."""
        self.clock.moment += round(minutes * MINUTE) + microseconds

    def erase(self, account: str = "anna") -> list[Event]:
        """Erase the person of an account as soon as the period to keep the data is over."""
        person = self.account(account).person
        accounts = [
            self.account(name) for name in self.ledger._ledger_state.accounts_of_person(person)
        ]
        ended_at = max(max(one.closed_at, one.moved_at) for one in accounts)
        self.clock.moment = max(self.clock.moment, end_of_retention(ended_at))
        return self.do("erase_person", account=account)

    # State

    def account(self, name: str = "anna") -> AccountState:
        """Look at what the ledger knows of an account."""
        return self.ledger._ledger_state.account(name)

    def round(self, name: str) -> RoundState:
        """Look at what the ledger knows of a round."""
        return self.ledger._ledger_state.round(name)

    def reopened(self) -> Ledger:
        """Open the same chain again, as a new process would."""
        copy = MemoryLog()
        copy.append(self.log._messages)
        return Ledger(copy, KeyStore(self.keys), clock=self.clock)

    @contextmanager
    def as_reopened(self) -> Iterator[None]:
        """Go on for a while with the same chain opened again."""
        before = self.ledger, self.log
        with self.reopened() as again:
            self.ledger, self.log = again, again._log
            try:
                yield
            finally:
                self.ledger, self.log = before

    def assert_cold_is_hot(self) -> None:
        """Fold the log again and compare with what the writer has in memory."""
        hot, cold = self.ledger._ledger_state, LedgerState(self.log, self.ledger._keys)
        assert cold.operator_state == hot.operator_state
        for name, state in hot._accounts.items():
            assert cold.account_or_new(name) == state
        for name, state in hot._rounds.items():
            assert cold.round_or_new(name) == state
        for name, floor in hot._floors.items():
            assert cold.floor(name) == floor

    # The house and its players

    def new_name(self, kind: str) -> str:
        """Make a name that was not used before."""
        self.names += 1
        return f"{kind}{self.names}"

    def open_house(self) -> None:
        """List two games, put their rules into force, open three tables."""
        self.do("open_casino", place="studio", name="Studio", kind="studio", address="Praha")
        self.do("open_casino", place="casino", name="Casino", kind="casino", address="Brno")
        for game, version in ((EVOLUTION, VERSION), (LAND_BASED, "unknown")):
            self.do("list_game", game=game, name=game)
            day = "2025-01-21T00:00:00+01:00"
            self.do("publish_rules", game=game, plan_version=version, effective_from=day)
            self.do("launch_game", game=game)
        for table in ("r1", "r2"):
            self.open_table(table)
        self.open_table("l1", game=LAND_BASED, place="casino", streamed=False)

    def open_table(self, table: str, **facts: Any) -> None:
        """Take a table into operation, streamed and of Roulette (Evolution) if not said."""
        facts = {"game": EVOLUTION, "place": "studio", "streamed": True} | facts
        self.do("open_table", table=table, registration=f"83/{table}", **facts)
        for kind in sorted(games.plan(facts["game"]).made_by - {"machine", "shuffler"}):
            self.do("assign_device", table=table, device=f"{kind}-{table}", kind=kind, serial="1")

    def change_rules(self, **figures: int) -> None:
        """Publish the operator's rules with other figures."""
        document = msgspec.to_builtins(self.ledger._ledger_state.rules)
        for name, value in figures.items():
            document["figures"][name]["value"] = value
        self.do("publish_operator_rules", name=self.new_name("rules"), rules=document)

    def register(self, account: str = "anna", **facts: Any) -> list[Event]:
        """Open an account for an adult whom the register does not know."""
        return self.do("open_account", **self.registration(account, **facts))

    def registration(self, account: str = "anna", **facts: Any) -> dict[str, Any]:
        """Give the facts of a registration that the rules allow."""
        return {
            "account": account,
            "identity": f"CZ {account}",
            "name": "Anna Nová",
            "birth_date": "1990-05-17",
            "register": "clear",
            "verified_how": "bank identity",
            "address": "Dlouhá 1, 110 00 Praha 1",
            "email": "anna@example.com",
            "plan_version": VERSION,
            **facts,
        }

    def add_method(self, account: str, method: str, method_class: str, **facts: Any) -> None:
        """Register a payment method whose ownership is proved."""
        defaults = {"masked": "**12", "country": "CZ", "proof": "test_payment"}
        named = {"account": account, "method": method, "method_class": method_class}
        self.do("register_payment_method", **named, **defaults | facts)

    def decline_measures(self, account: str = "anna", letters: str = "abcdefg") -> None:
        """Decline measures one by one."""
        for letter in letters:
            self.do("decline_limit", account=account, measure=letter)

    def pay_in(self, amount: int, account: str = "anna", method: str = "bank", **facts: Any) -> str:
        """Deposit crowns; return the name of the deposit."""
        name = self.new_name("d")
        facts |= {"account": account, "deposit": name, "method": method}
        self.do("deposit", amount=amount * CROWN, **facts)
        return name

    def log_in(self, account: str = "anna", register: str = "clear") -> list[Event]:
        """Log in with a new session."""
        return self.do("log_in", account=account, session=self.new_name("s"), register=register)

    def player(self, account: str = "anna", money: int = 100_000, table: str = "r1") -> None:
        """Register a participant with crowns and no measures, logged in and seated."""
        self.register(account)
        self.add_method(account, "bank", "account")
        self.add_method(account, "card", "card")
        self.decline_measures(account)
        if money:
            self.pay_in(money, account)
        self.log_in(account)
        if table:
            self.do("take_seat", account=account, table=table)

    # Rounds

    def open_round(self, table: str = "r1") -> str:
        """Name the round that runs at a table; open one if there is none."""
        running = self.ledger._ledger_state.operator_state.tables[table].round
        if running and self.round(running).status == "open":
            return running
        name = self.new_name("q")
        self.do("open_round", round=name, table=table)
        return name

    def chips(
        self, round_: str, stake: int = 100, account: str = "anna", **facts: Any
    ) -> dict[str, Any]:
        """Give the facts of chips on red, in crowns."""
        bet = f"{round_}-{self.new_name('b')}"
        named = {"bet": bet, "round": round_, "account": account, "stake": stake * CROWN}
        return {**named, "bet_code": "red", **facts}

    def bet(self, round_: str, stake: int = 100, account: str = "anna", **facts: Any) -> str:
        """Place chips; return the name of the bet."""
        chips = self.chips(round_, stake, account, **facts)
        self.do("place_bet", **chips)
        return str(chips["bet"])

    def refuse_bet(
        self, code: str, round_: str, stake: int = 100, account: str = "anna", **facts: Any
    ) -> list[Event]:
        """Place chips that are to be refused."""
        return self.refuse(code, "place_bet", **self.chips(round_, stake, account, **facts))

    def add_game(self, game: str, table: str, *players: str) -> None:
        """List a game, publish its newest plan, open a table of its kind, seat the players."""
        self.list_game(game)
        self.open_table_of(game, table, *players)

    def list_game(self, game: str) -> None:
        """List a game and put its newest plan into force."""
        header = games.plan(game).header
        day = "2025-01-21T00:00:00+01:00"
        self.do("list_game", game=game, name=game)
        for code in ("BET_NOT_ALLOWED", "DECISION_NOT_ALLOWED"):
            self.paragraphs[code] = header.rule_settled
        self.do("publish_rules", game=game, plan_version=header.version, effective_from=day)
        self.do("launch_game", game=game)

    def open_table_of(self, game: str, table: str, *players: str) -> None:
        """Open a table of the kind of a game, seat the players."""
        streamed = games.plan(game).header.streamed
        place = "studio" if streamed else "casino"
        self.open_table(table, game=game, place=place, streamed=streamed)
        for account in players:
            self.do("take_seat", account=account, table=table)

    def deal(self, round_: str, recipient: str, cards: str) -> list[Event]:
        """Deal cards such as "AS TD", "?" face down; return the events of the last one."""
        events: list[Event] = []
        for card in cards.split():
            up = card != "?"
            index = len(self.round(round_).cards)
            facts = {"round": round_, "index": index, "recipient": recipient, "face_up": up}
            events = self.do("deal_card", **facts, **({"card": card} if up else {}))
        return events

    def decide(self, round_: str, decision: str, hand: str = "", **facts: Any) -> list[Event]:
        """Let anna, or another account, decide."""
        named = {"account": "anna", "round": round_, "decision": decision, "hand": hand}
        return self.do("decide", **named | facts)

    def refuse_decision(
        self, code: str, round_: str, decision: str, hand: str = "", **facts: Any
    ) -> list[Event]:
        """Let anna, or another account, decide what is to be refused."""
        named = {"account": "anna", "round": round_, "decision": decision, "hand": hand}
        return self.refuse(code, "decide", **named | facts)

    def payouts(self, round_: str) -> dict[str, int]:
        """Record the result, settle, and return what was paid by bet, its round left out."""
        self.do("record_result", round=round_)
        events = self.do("settle_round", round=round_)
        return {event.bet.removeprefix(f"{round_}-"): event.paid for event in events}

    def spin(self, round_: str, turns: int = 9, ball: str = "counterclockwise") -> list[Event]:
        """Set wheel and ball in motion."""
        facts = {"wheel_direction": "clockwise", "ball_direction": ball, "revolutions": turns}
        return self.do("spin_wheel", round=round_, **facts)

    def close(self, round_: str) -> list[Event]:
        """Call no more bets."""
        return self.do("close_bets", round=round_)

    def land(self, round_: str, number: int = 3) -> None:
        """Spin, close if that is still to come, and let the ball fall."""
        self.spin(round_)
        if self.round(round_).status == "open":
            self.close(round_)
        self.do("land_ball", round=round_, number=number)

    def result(self, round_: str, number: int = 3) -> list[Event]:
        """Play a round to its result; 3 is red."""
        self.land(round_, number)
        return self.do("record_result", round=round_, outcome={"number": number})

    def settle(self, round_: str, number: int = 3, **facts: Any) -> list[Event]:
        """Play a round to its settlement."""
        self.result(round_, number)
        return self.do("settle_round", round=round_, **facts)

    def play(self, number: int = 3, stake: int = 100, account: str = "anna") -> str:
        """Play a whole round with one bet in no time at all."""
        round_ = self.open_round()
        self.bet(round_, stake, account)
        self.settle(round_, number)
        return round_

    def sit_through(self, minutes: int, account: str = "anna") -> None:
        """Play one round whose bet is placed now and evaluated after so many minutes."""
        round_ = self.open_round()
        self.bet(round_, account=account)
        self.wait(minutes=minutes)
        self.settle(round_)


def close(casino: Casino, account: str = "anna") -> None:
    """Let a participant cancel an account and wait until it is closed."""
    casino.do("request_cancellation", account=account, ground="12(4)")
    (confirmed,) = casino.do("confirm_cancellation", account=account, notice="by e-mail")
    casino.clock.moment = confirmed.objections_until
    casino.do("close_account", account=account)


def lay(casino: Casino, round_: str, name: str, code: str, stake: int, **facts: Any) -> None:
    """Place chips, in crowns, under a name that the test can read."""
    chips = {"bet": f"{round_}-{name}", "bet_code": code, **facts}
    casino.do("place_bet", **casino.chips(round_, stake, **chips))


def begin(casino: Casino, game: str, *players: str) -> str:
    """Open a table of a game with players, and a round."""
    for player in players or ("anna",):
        casino.player(player, table="")
    casino.add_game(game, "t1", *(players or ("anna",)))
    return casino.open_round("t1")
