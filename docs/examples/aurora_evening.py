"""Aurora's side, simulated: an evening at its tables, sent as webhooks in the worst order.

What comes in: tables, players, a seed. What goes out: messages as ``aurora.py`` reads them,
with what a real provider spoils: some come twice, late or before what they follow, some mean
nothing to us. Each is sent until it is acknowledged. It runs as a program of its own, to try an
adapter against: ``python docs/examples/aurora_evening.py --help``.
"""

from __future__ import annotations

import argparse
import json
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from time import sleep
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx

from ledger.core.clock import SystemClock
from tools.web.webhooks import headers_of, read_webhook_secret

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["Message", "disordered", "evening", "send"]

RED = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}
ROLLED_BACK, CANCELLED, TOO_LATE = 0.1, 0.05, 0.3
"""Shares of bets, of rounds, and of rounds with faults."""
SHIFT_MAX = 12
"""How many messages may overtake one."""
RETRY_SECONDS = 0.2
ATTEMPTS_MAX = 300


class Message(NamedTuple):
    """One webhook: identifier and body; ``is_followed`` if the ledger can follow it."""

    identifier: str
    body: bytes
    is_followed: bool = True


class _Table:
    """One table and its messages in order."""

    def __init__(self, name: str, players: Sequence[str], chance: Random, at: datetime) -> None:
        self.messages: list[Message] = []
        self._name, self._players, self._chance, self._at = name, players, chance, at

    def say(self, kind: str, *, is_followed: bool = True, **data: Any) -> None:
        self._at += timedelta(milliseconds=self._chance.randint(5, 50))
        number = len(self.messages) + 1
        document = {"type": kind, "table": self._name, "number": number}
        document |= {"at": self._at.isoformat(), "data": data}
        body = json.dumps(document).encode()
        self.messages.append(Message(f"msg_{self._name}_{number}", body, is_followed))

    def play(self, number: int, *, faults: bool) -> None:
        """Play one round."""
        chance, name = self._chance, f"{self._name}-{number}"
        self.say("round.opened", round=name, dealer="Ema")
        bets: dict[str, tuple[str, int, int]] = {}
        names = count()
        for player in self._players:
            for _ in range(chance.randint(0, 2)):
                spot = chance.choice(("red", "black", "straight_up"))
                pocket, stake = chance.randint(0, 36), chance.randint(1, 20) * 1_000
                bets[bet := f"b{next(names)}"] = (spot, pocket, stake)
                placed = _bet(name, bet, player, spot, stake)
                if spot == "straight_up":
                    placed["numbers"] = [pocket]
                self.say("bet.placed", **placed)
                if chance.random() < ROLLED_BACK:
                    del bets[bet]
                    self.say("bet.rolled_back", round=name, bet=bet, player=player)
        if faults:
            self._fault(name)
        if chance.random() < CANCELLED:
            self.say("round.cancelled", round=name, why="technical")
            return
        self.say("round.closed", round=name)
        if faults and chance.random() < TOO_LATE:
            late = _bet(name, "late", self._players[0], "red", 1_000)
            self.say("bet.placed", is_followed=False, **late)
        landed = chance.randint(0, 36)
        turns, ways = chance.randint(6, 12), chance.choice((("cw", "ccw"), ("ccw", "cw")))
        self.say(
            "round.result", round=name, pocket=landed, turns=turns, wheel=ways[0], ball=ways[1]
        )
        paid = {bet: f"{_paid(landed, *of) // 100}.00" for bet, of in bets.items()}
        self.say("round.settled", round=name, payouts=paid)

    def _fault(self, name: str) -> None:
        """Create a message that has no command."""
        player = self._players[0]
        match self._chance.randrange(6):
            case 0:
                self.say("chat.message", is_followed=False, player=player, text="hello")
            case 1:
                wrong = _bet(name, "euro", player, "red", 1_000) | {"currency": "EUR"}
                self.say("bet.placed", is_followed=False, **wrong)
            case 2:
                wrong = _bet(name, "spot", player, "snake", 1_000)
                self.say("bet.placed", is_followed=False, **wrong)
            case 3:
                wrong = _bet(name, "who", "nobody", "red", 1_000)
                self.say("bet.placed", is_followed=False, **wrong)


def evening(
    *, seed: int, tables: dict[str, Sequence[str]], rounds: int, at: datetime, faults: bool = False
) -> list[list[Message]]:
    """Return the messages of each table, in the order in which they happened.

    Args:
        seed: of the random numbers.
        tables: the players of each table.
        rounds: number of rounds of each table.
        at: timestamp of the beginning, in microseconds.
        faults: include messages that can't be processed.

    """
    found = []
    for name, players in tables.items():
        table = _Table(name, players, Random(f"{seed}|{name}"), at)
        for player in players:
            table.say("player.joined", player=player)
        for number in range(rounds):
            table.play(number, faults=faults)
        for player in players:
            table.say("player.left", player=player)
        found.append(table.messages)
    return found


def disordered(
    tables: Iterable[Sequence[Message]], chance: Random, *, share: float
) -> list[Message]:
    """Interleave the tables; a share of the messages is delayed, and as many are repeated."""
    placed: list[tuple[float, Message]] = []
    for messages in tables:
        for at, message in enumerate(messages):
            place = at / len(messages)
            if chance.random() < share:
                place += chance.randint(1, SHIFT_MAX) / len(messages)
            placed.append((place, message))
            if chance.random() < share:
                again = place + chance.random() * 2 * SHIFT_MAX / len(messages)
                placed.append((again, message))
    placed.sort(key=lambda one: one[0])
    return [message for _, message in placed]


def send(messages: Iterable[Message], url: str, secret: bytes) -> Iterator[str]:
    """Send each until it is acknowledged; yield the identifiers of those that were."""
    clock = SystemClock()
    with httpx.Client(timeout=5.0) as client:
        for message in messages:
            for _ in range(ATTEMPTS_MAX):
                signed = headers_of(message.identifier, message.body, secret=secret, at=clock.now())
                signed["Content-Type"] = "application/json"
                try:
                    answer = client.post(url, content=message.body, headers=signed)
                except httpx.TransportError:
                    sleep(RETRY_SECONDS)
                    continue
                if answer.status_code == httpx.codes.ACCEPTED:
                    break
                if answer.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                    raise SystemExit(f"{answer.status_code}: {answer.text}")
                sleep(RETRY_SECONDS)
            else:
                raise SystemExit(f"{message.identifier} was not acknowledged")
            yield message.identifier


def _bet(name: str, bet: str, player: str, spot: str, stake: int) -> dict[str, Any]:
    amount = f"{stake // 100}.{stake % 100:02}"
    return {
        "round": name, "bet": bet, "player": player, "spot": spot, "amount": amount,
        "currency": "CZK",
    }  # fmt: skip


def _paid(landed: int, spot: str, pocket: int, stake: int) -> int:
    if spot == "straight_up":
        return 36 * stake if landed == pocket else 0
    return 2 * stake if landed and (landed in RED) == (spot == "red") else 0


def main() -> None:
    """Play an evening and send it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", help="where webhooks go, http://127.0.0.1:7413/v1/webhooks")
    parser.add_argument("--secret", type=Path, required=True, help="file with whsec_…")
    parser.add_argument("--table", action="append", required=True, metavar="NAME=PLAYER,…")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=0.3, help="of messages out of order, twice")
    parser.add_argument("--faults", action="store_true", help="with some that mean nothing")
    given = parser.parse_args()
    tables = {
        name: players.split(",") for name, _, players in (one.partition("=") for one in given.table)
    }
    at = datetime.now(UTC)
    played = evening(
        seed=given.seed, tables=tables, rounds=given.rounds, at=at, faults=given.faults
    )
    messages = disordered(played, Random(given.seed), share=given.share)
    acknowledged = list(send(messages, given.url, read_webhook_secret(given.secret)))
    print(json.dumps({"messages": len(set(acknowledged)), "sent": len(acknowledged)}))


if __name__ == "__main__":
    main()
