"""Clients that send commands until each has an answer, over a network that loses and doubles."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import UUID

from ledger.core.errors import AvailabilityError, FencedError, InputError, IntegrityError
from ledger.decisions.decider import decode_command, encode_command
from ledger.decisions.operator.keys import AddSigningKey, RecordCheckpoint
from ledger.events.encoding import decode
from ledger.receipts import Receipt
from ledger.tlog.signing import SigningKey
from tests.ledger.decisions.decisions_casino import Casino
from tests.simulation.simulated_checks import UNKNOWN
from tests.simulation.simulated_library import Connections, execute
from tests.simulation.simulated_loop import SimulatedLoop
from tests.simulation.simulated_template import GONE, PLAYERS, template
from tests.simulation.simulated_world import SECOND, Process

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.events.command import Command
    from ledger.tlog.signing import Checkpoint
    from tests.simulation.simulated_checks import Checks
    from tests.simulation.simulated_host import Host
    from tests.simulation.simulated_plan import Chosen, Plan
    from tests.simulation.simulated_ports import SimulatedCommands
    from tests.simulation.simulated_world import World
    from tests.simulation.simulation import Simulation

FOLDERS = re.compile(r"/dev/shm/\w+/|/tmp/\w+/")  # noqa: S108 - their names differ from run to run
PATIENCE = 40 * SECOND
CHECKPOINTS = 2
LATENCY = 20_000
STREAM_COMMANDS = 5
CHAINED_MAX = 2
"""Of so many commands the second depends on the first; more have nothing to do with each other."""

if TYPE_CHECKING:
    Reply = Callable[[int, Any], None]


class Network:
    """Brings commands to the host that a client takes for the leader, and answers back."""

    def __init__(self, world: World, happens: Chosen, hosts: list[Host]) -> None:
        self._world, self.happens, self._hosts = world, happens, hosts
        self._chance = world.stream("network of commands")
        self.leader = 0
        self.topic: SimulatedCommands | None = None
        self.doors: tuple[str, ...] = ("ledger",)
        self.has_library = False
        self._clients = SimulatedLoop(world, Process(world, "clients"))
        self.size_of_truth: Callable[[], int] = lambda: 0
        self.on_stale: Callable[[str], None] = lambda _: None

    def send(self, commands: list[Command], reply: Reply, *, is_chained: bool = True) -> None:
        """Send commands in one piece, each but the first depending on the one before, or on none.

        Now and then the wait for an answer is cancelled, which takes no command back.
        """
        if self.happens("command is lost"):
            return
        times = 2 if self.happens("command is doubled") else 1
        door = self._chance.choice(self.doors) if len(self.doors) > 1 else self.doors[0]
        if door == "http" and len(commands) > 1 and is_chained:
            door = "ledger"  # which alone knows that one depends on another
        if door == "http" and len(commands) == 1 and self.has_library:
            self._clients.run(self._execute(commands[0], reply))
            return
        for _ in range(times):
            delay = self._chance.randrange(1, LATENCY)
            if self.happens("command is late"):
                delay = self._chance.randrange(60 * SECOND)
            arrive = partial(self._arrive, self._hosts[self.leader], is_chained)
            if door == "topic":
                arrive = self._produce
            elif door == "http":
                arrive = partial(self._post, self._hosts[self.leader])
            self._world.call_in(delay, partial(arrive, commands, reply))

    def _produce(self, commands: list[Command], reply: Reply) -> None:
        assert self.topic is not None
        for number, command in enumerate(commands):
            self.topic.put(number, command, partial(self._back, reply=reply))

    def _post(self, host: Host, commands: list[Command], reply: Reply) -> None:
        if not host.is_up or host.doors is None:
            return  # nobody listens
        size = self.size_of_truth()

        def back(number: int, answer: Any) -> None:
            self._judge(host, size, answer)
            self._back(number, answer, reply)

        host.doors.post(commands, back)

    async def _execute(self, command: Command, reply: Reply) -> None:
        """Leave all that may go wrong to the library."""
        first = self._hosts[self.leader :] + self._hosts[: self.leader]
        connections = Connections(self.happens, first, self.size_of_truth, self._judge)
        reply(0, await execute(command, [host.name for host in first], connections))

    def _arrive(
        self,
        host: Host,
        is_chained: bool,
        commands: list[Command],
        reply: Reply,
    ) -> None:
        if not host.is_up or host.ledger is None:
            return  # nobody listens
        after, size = None, self.size_of_truth()
        for number, command in enumerate(commands):
            try:
                future = host.ledger.submit(command, after=after)
            except AvailabilityError as error:
                self._back(number, error, reply)
                return
            future.add_done_callback(partial(self._done, host, size, number, reply))
            after = future if is_chained else None
            if self.happens("a wait is cancelled"):
                delay = self._chance.randrange(LATENCY)
                self._world.call_in(delay, lambda future=future: future.cancel())

    def _done(self, host: Host, size: int, number: int, reply: Reply, done: Any) -> None:
        if done.cancelled():
            return
        answer = done.exception() or done.result()
        self._judge(host, size, answer)
        self._back(number, answer, reply)

    def _judge(self, host: Host, size: int, answer: Any) -> None:
        """Judge that an answer rests on all that was recorded when the command arrived."""
        if isinstance(answer, InputError | Receipt) and host.size < size:
            text = f"{host.name} answers {_brief(answer)} from {host.size} messages of {size}"
            self.on_stale(text)

    def _back(self, number: int, answer: Any, reply: Reply) -> None:
        if not self.happens("receipt is lost"):
            delay = self._chance.randrange(1, LATENCY)
            self._world.call_in(delay, lambda: reply(number, answer))


def _brief(answer: Any) -> str:
    if isinstance(answer, Receipt):
        return str(answer.first_position)
    return FOLDERS.sub("", repr(answer))[:90]


class Client:
    """Sends commands one after the other; each is repeated until it is answered for good."""

    def __init__(
        self, name: str, plan: Plan, world: World, network: Network, checks: Checks
    ) -> None:
        self.name, self.world, self._plan = name, world, plan
        self._network, self._checks = network, checks
        self._chance = world.stream(f"client {name}")
        self._identifiers = world.stream(f"identifiers {name}")
        self._answers: dict[int, Any] = {}
        self._attempt = 0
        self.is_done = False
        self._part = Process(world, name).spawn(self._run, self._chance.randrange(SECOND))

    def commands(self) -> Iterator[list[dict[str, Any]]]:
        """Yield what to send next; one or two commands."""
        raise NotImplementedError

    def answered(self, facts: dict[str, Any], answer: Receipt | Exception) -> None:
        """Learn the answer to a command."""

    def _run(self) -> None:
        for texts in self.commands():
            self.world.pause(self._chance.randrange(self._plan.thinking))
            for text in texts:
                text.setdefault("command_id", str(UUID(int=self._identifiers.getrandbits(128))))
                text["actor"] = self.name
            for text, answer in zip(texts, self._ask(texts), strict=True):
                self.answered(text, answer)
        self.is_done = True

    def _ask(self, texts: list[dict[str, Any]]) -> list[Any]:
        """Send until every command has its answer."""
        commands = [decode_command(json.dumps(text)) for text in texts]
        is_chained = len(texts) <= CHAINED_MAX and len({one.command_id for one in commands}) > 1
        for each in [texts] if is_chained else [[text] for text in texts]:
            self._checks.sent(self.name, each)
        known: dict[int, Any] = {}
        while len(known) < len(commands):
            self._attempt += 1
            self._answers, attempt = {}, self._attempt
            self._network.send(
                commands, partial(self._reply, attempt, texts), is_chained=is_chained
            )
            deadline = self.world.now + PATIENCE
            while len(self._answers) < len(commands) and self.world.now < deadline:
                self.world.park(deadline - self.world.now)
            for number, answer in sorted(self._answers.items()):
                self.world.log(self.name, f"{texts[number]['command']}: {_brief(answer)}")
                if isinstance(answer, Receipt | InputError):
                    known.setdefault(number, answer)
                elif isinstance(answer, IntegrityError):
                    self._checks.named(answer)
                elif not isinstance(answer, AvailabilityError | FencedError):
                    raise answer
            if len(known) < len(commands):
                self.world.pause(self._chance.randrange(SECOND, 3 * SECOND))
        return [known[number] for number in range(len(commands))]

    def _reply(self, attempt: int, texts: list[dict[str, Any]], number: int, answer: Any) -> None:
        if isinstance(answer, Receipt | InputError):  # also one that comes late, or twice
            self._checks.answer(self.name, texts[number], answer)
        if attempt == self._attempt:
            self._answers[number] = answer
            self.world.signal(self._part)


class Player(Client):
    """Moves money and bets; sometimes sends what is wrong."""

    def __init__(self, name: str, studio: Studio, *context: Any) -> None:
        self._studio = studio
        self._account = PLAYERS[int(name[-1]) % len(PLAYERS)]
        self._last_identifier = ""
        super().__init__(name, *context)

    def commands(self) -> Iterator[list[dict[str, Any]]]:
        """Draw kinds by the weights of the plan."""
        for number in range(self._plan.streams):
            if (f"{self.name} stream", number) not in self._plan.dropped:
                names = (f"{self.name}-s{number}-{line}" for line in range(STREAM_COMMANDS))
                yield [self._made("deposit", name, 100) for name in names]
        kinds = sorted(self._plan.commands)
        weights = [self._plan.commands[kind] for kind in kinds]
        for number in range(self._plan.length):
            (kind,) = self._chance.choices(kinds, weights)
            amount = self._chance.randrange(1, 50) * 100
            if (self.name, number) in self._plan.dropped:
                continue
            if kind == "a pair":
                yield [
                    self._made("deposit", f"{self.name}-{number}", amount),
                    self._made("charge_fee", f"{self.name}-{number}", amount),
                ]
            else:
                made = self._made(kind, f"{self.name}-{number}", amount)
                crosses = made["command"] == "place_bet" and self.world.stream("arrival").random()
                if crosses and crosses < self._plan.crossed:
                    back = {name: made[name] for name in ("account", "round", "bet")}
                    yield [{"command": "withdraw_bet", **back}]
                yield [made]
            if self._network.happens("identifier is used twice"):
                both = {"command_id": str(UUID(int=self._identifiers.getrandbits(128)))}
                names = (f"{self.name}-{number}-{which}" for which in "ab")
                yield [self._made("deposit", name, amount) | both for name in names]

    def answered(self, facts: dict[str, Any], answer: Receipt | Exception) -> None:
        """Remember an identifier that was used."""
        if isinstance(answer, Receipt):
            self._last_identifier = facts["command_id"]

    def _made(self, kind: str, name: str, amount: int) -> dict[str, Any]:
        account = {"account": self._account}
        money = {**account, "amount": amount, "method": "bank"}
        round_ = self._studio.open_round
        if kind == "place_bet" and round_:
            bet = {
                "bet": f"{round_}-{name.replace('-', '_')}",
                "round": round_,
                "bet_code": "red",
                "stake": amount,
            }
            return {"command": kind, **account, **bet}
        if kind == "identifier used again" and self._last_identifier:
            again = {"command_id": self._last_identifier, "deposit": name}
            return {"command": "deposit", **money, **again}
        return {
            "withdraw": {"command": kind, **money, "withdrawal": name},
            "file_complaint": {"command": kind, **account, "case": name, "grounds": "late"},
            "charge_fee": {
                "command": kind, **account, "fee": name, "amount": amount, "reason": "card",
            },
            "log_out": {"command": kind, **account},
            "log_in": {"command": kind, **account, "session": name, "register": "clear"},
            "set_limit": {"command": kind, **account, "measure": "a", "value": amount},
            "open_account": {"command": kind, **Casino.registration(None, name)},  # type: ignore[arg-type]
            "unknown account": {
                "command": "deposit", **money, "account": UNKNOWN, "deposit": name,
            },
        }.get(kind, {"command": "deposit", **money, "deposit": name})  # fmt: skip


class Studio(Client):
    """Plays rounds at a table, each step after the answer to the one before."""

    def __init__(self, *context: Any) -> None:
        self.open_round = ""
        super().__init__(*context)

    def commands(self) -> Iterator[list[dict[str, Any]]]:
        """Open a round, leave time for bets, play it."""
        for number in range(self._plan.length // 2 + 1):
            if ("studio", number) in self._plan.dropped:
                continue
            round_ = {"round": f"q{number}"}
            yield [{"command": "open_round", **round_, "table": "r1"}]
            self.open_round = round_["round"]
            self.world.pause(self._chance.randrange(5 * self._plan.thinking))
            spin = {"wheel_direction": "clockwise", "ball_direction": "counterclockwise"}
            yield [{"command": "spin_wheel", **round_, **spin, "revolutions": 9}]
            self.open_round = ""
            ball = self._chance.randrange(37)
            yield [{"command": "close_bets", **round_}]
            yield [{"command": "land_ball", **round_, "number": ball}]
            yield [{"command": "record_result", **round_, "outcome": {"number": ball}}]
            yield [{"command": "settle_round", **round_}]


class Office(Client):
    """Erases persons who then come back."""

    def commands(self) -> Iterator[list[dict[str, Any]]]:
        """Erase, ask for the erasure again, and register the person anew."""
        for name in GONE:
            self.world.pause(self._chance.randrange(10 * self._plan.thinking))
            erasure = {"command": "erase_person", "account": name}
            person = Casino.registration(None, f"{name}2", identity=f"CZ {name}")  # type: ignore[arg-type]
            registration = {"command": "open_account", **person}
            if self._chance.random() < 0.5:
                yield [erasure, registration]
            else:
                yield [erasure]
                yield [registration]


class Notary(Client):
    """Records checkpoints, on which the evidence of a round rests."""

    def __init__(self, simulation: Simulation, *context: Any) -> None:
        self._simulation = simulation
        super().__init__("notary", *context)

    def commands(self) -> Iterator[list[dict[str, Any]]]:
        """Add a key, then sign what the writer has."""
        opened: Any = decode(template().messages[0].body).event
        key = SigningKey(opened.chain, bytes(range(32)))
        added = AddSigningKey(key_id=key.key_id, public_key=key.public.raw, reason="simulated")
        yield [_facts(added)]
        for _ in range(CHECKPOINTS):
            self.world.pause(self._chance.randrange(10 * self._plan.thinking))
            while (checkpoint := self._checkpoint()) is None:
                self.world.pause(SECOND)
            yield [_facts(RecordCheckpoint.of(checkpoint, key))]

    def _checkpoint(self) -> Checkpoint | None:
        leader = self._simulation.leader
        if leader is None or leader.ledger is None:
            return None
        with suppress(AvailabilityError, FencedError):
            return leader.ledger.checkpoint()
        return None


def _facts(command: Command) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(encode_command(command))
    return facts
