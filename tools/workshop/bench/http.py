"""``http``: bets over HTTP and Kafka, beside the socket, the process, a constant.

``python -m tools.workshop.bench.http [--seconds S] [--connections N] [--most N]`` makes a chain
for each
door and places bets at 100 and 1,000 a second, then as fast as they are answered. Over HTTP each
bet is a request of its own on one of N kept connections; over the socket and in the process they go
as they come. From Kafka they go through one node on this machine, commands and receipts; without
Java that is left out. The baseline is the same server with the same connections answering one
receipt without a decision.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import Future
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from uuid import uuid4

import msgspec
from rich.console import Console
from rich.table import Table

from ledger.core.clock import SystemClock
from ledger.core.decoders import decoder_of
from ledger.decisions.decider import encode_command
from ledger.decisions.rounds.opening import OpenRound
from ledger.log.sqlite import SqliteLog
from ledger.privacy import KeyStore
from ledger.writer import Ledger, Receipt
from tools.garbage import collect_seldom
from tools.sanitize import unguarded
from tools.service.client import LedgerClient
from tools.workshop.bench.kafka_latency import fastest, paced
from tools.workshop.bench.load import ACCOUNTS, TABLE, begin, straight
from tools.workshop.bench.machine import machine, show
from tools.workshop.broker import BrokerMissingError, Cluster

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from starlette.types import Receive, Scope, Send

    from ledger.events.command import Command

__all__ = ["main"]

RATES = (100, 1_000)
MOST_BETS = 10_000
ROUND = "http"
RECEIPT = Receipt("bench", "0" * 36, 1, 1, "0" * 64, 1, ("BetPlaced",))
"""What the baseline answers."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.workshop.bench.http", description=__doc__
    )
    parser.add_argument("--seconds", type=float, default=10, help="length of each rate")
    parser.add_argument("--connections", type=int, default=64, help="kept connections over HTTP")
    parser.add_argument("--most", type=int, default=MOST_BETS, help="bets as fast as they go")
    parser.add_argument("--bare", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    collect_seldom()
    if asked.bare:
        _serve_constant()
        return
    console = Console(file=unguarded(sys.stderr))
    table = Table(title="bets to their receipts", title_justify="left")
    for column in ("through", "asked", "p50", "p99", "longest", "answered"):
        table.add_column(column, justify="left" if column == "through" else "right")
    with console.status("") as status:
        for name, door in DOORS.items():
            try:
                measured = _measure(name, door, asked, status.update)
            except BrokerMissingError as error:
                console.print(str(error), markup=False)
                continue
            for found in measured:
                table.add_row(
                    name,
                    found["asked"],
                    *(f"{found[key]:.2f} ms" for key in ("p50_ms", "p99_ms", "max_ms")),
                    f"{found['rate']:,.0f}/s",
                )
    show(table, machine("uvicorn", "h11", "msgspec", sqlite="WAL, synchronous=FULL"))


def _measure(
    name: str, door: Callable[..., Any], asked: argparse.Namespace, say: Callable[[str], None]
) -> list[dict[str, Any]]:
    """Place bets through a door at each rate, then as fast as they are answered."""
    say(f"{name}: opening accounts")
    with tempfile.TemporaryDirectory() as place, ExitStack() as stack:
        with begin(Path(place), clock=SystemClock()) as ledger:
            ledger.execute(OpenRound(round=ROUND, table=TABLE))
        send = stack.enter_context(door(Path(place), asked.connections))
        bets = _bets()
        found = []
        for rate in RATES:
            say(f"{name}: {rate:,}/s")
            found.append(paced(send, islice(bets, int(rate * asked.seconds)), rate))
        say(f"{name}: as fast as they are answered")
        return [*found, fastest(send, islice(bets, asked.most))]


def _bets() -> Iterator[Command]:
    for number in count(1):
        yield straight(f"{ROUND}-{number}", ACCOUNTS[number % len(ACCOUNTS)], ROUND, number)


@contextmanager
def _in_process(folder: Path, _: int) -> Iterator[Callable[[Command], Future[Receipt]]]:
    log = SqliteLog(folder, writable=True)
    with Ledger(log, KeyStore(folder / "keys"), clock=SystemClock()) as ledger:
        yield ledger.submit


@contextmanager
def _socket(folder: Path, _: int) -> Iterator[Callable[[Command], Future[Receipt]]]:
    with (
        _writer(folder, "--listen", f"unix:{folder}/socket") as read_value,
        LedgerClient([read_value("address")]) as ledger,
    ):
        yield ledger.submit


@contextmanager
def _http(folder: Path, connections: int) -> Iterator[Callable[[Command], Future[Receipt]]]:
    with (
        _writer(folder, "--http", "127.0.0.1:0") as read_value,
        _PersistentConnections(read_value("http"), connections) as kept,
    ):
        yield kept.submit


@contextmanager
def _client(folder: Path, _: int) -> Iterator[Callable[[Command], Future[Receipt]]]:
    place = ("--http", "127.0.0.1:0")
    with _writer(folder, *place) as read_value, LedgerClient([read_value("http")]) as ledger:
        yield ledger.submit


@contextmanager
def _topic(folder: Path, _: int) -> Iterator[Callable[[Command], Future[Receipt]]]:
    with Cluster(folder / "broker", is_quick=False) as cluster:
        place = ("--listen", f"unix:{folder}/socket", "--commands-from", cluster.url("bets"))
        with (
            _writer(folder, *place) as read_value,
            closing(_Receipts(cluster.bootstrap, "bets")) as receipts,
        ):
            read_value("topics")
            yield receipts.submit


@contextmanager
def _constant(_: Path, connections: int) -> Iterator[Callable[[Command], Future[Receipt]]]:
    with (
        _process("tools.workshop.bench.http", "--bare") as read_value,
        _PersistentConnections(read_value("http"), connections) as kept,
    ):
        yield kept.submit


DOORS = {
    "the process": _in_process,
    "the socket": _socket,
    "HTTP, a request each": _http,
    "HTTP, LedgerClient": _client,
    "a topic of Kafka": _topic,
    "baseline: a constant": _constant,
}


def _writer(folder: Path, *place: str) -> AbstractContextManager[Callable[[str], str]]:
    return _process("tools.cli", "--data", str(folder), "writer", "--json", *place)


@contextmanager
def _process(module: str, *arguments: str) -> Iterator[Callable[[str], str]]:
    """Run a server; return its first line."""
    process = subprocess.Popen(  # noqa: S603 - our own programs
        [sys.executable, "-m", module, *arguments], stdout=subprocess.PIPE, text=True
    )

    def read_value(name: str) -> str:
        for line in process.stdout or ():
            found = json.loads(line)
            if name in found:
                return str(found[name])
        raise RuntimeError("the server ended")

    try:
        yield read_value
    finally:
        process.terminate()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


class _PersistentConnections:
    """A pool of persistent connections, each with one bet in flight; a minimal HTTP client."""

    def __init__(self, url: str, connections: int) -> None:
        self._host, _, port = url.removeprefix("http://").partition(":")
        self._port, self._connections = int(port), connections
        self._loop = asyncio.new_event_loop()
        self._queue: asyncio.Queue[tuple[bytes, Future[Receipt]]] = asyncio.Queue()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def submit(self, command: Command) -> Future[Receipt]:
        """Send a command on the next connection that is free."""
        body, answer = encode_command(command), Future[Receipt]()
        head = (
            "POST /v1/commands HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        put = partial(self._queue.put_nowait, (head.encode() + body, answer))
        self._loop.call_soon_threadsafe(put)
        return answer

    def _run(self) -> None:
        work = [self._loop.create_task(self._work()) for _ in range(self._connections)]
        self._loop.run_forever()
        for one in work:
            one.cancel()
        self._loop.run_until_complete(asyncio.gather(*work, return_exceptions=True))
        self._loop.close()

    async def _work(self) -> None:
        reader, writer = await asyncio.open_connection(self._host, self._port)
        try:
            while True:
                request, answer = await self._queue.get()
                writer.write(request)
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0])
                body = await reader.readexactly(length)
                try:
                    answer.set_result(decoder_of(Receipt).json(body))
                except msgspec.DecodeError:
                    answer.set_exception(RuntimeError(body.decode()))
        finally:
            writer.close()


class _Receipts:
    """Send commands to a topic and wait for their receipts, as a platform would."""

    def __init__(self, bootstrap: str, topic: str) -> None:
        from kafka import KafkaConsumer, KafkaProducer, TopicPartition

        self._topic, self._waiting = topic, dict[str, Future[Receipt]]()
        self._producer = KafkaProducer(bootstrap_servers=bootstrap, acks="all")
        self._consumer = KafkaConsumer(
            bootstrap_servers=bootstrap, isolation_level="read_committed", group_id=None
        )
        partition = TopicPartition(f"{topic}.receipts", 0)
        self._consumer.assign([partition])
        self._consumer.seek(partition, 0)
        self._is_over = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def submit(self, command: Command) -> Future[Receipt]:
        """Send a command."""
        command, answer = msgspec.structs.replace(command, command_id=uuid4()), Future[Receipt]()
        self._waiting[str(command.command_id)] = answer
        self._producer.send(self._topic, encode_command(command))
        return answer

    def close(self) -> None:
        """Disconnect."""
        self._is_over = True
        self._thread.join()
        self._producer.close()
        self._consumer.close()

    def _run(self) -> None:
        while not self._is_over:
            for records in self._consumer.poll(timeout_ms=100).values():
                for record in records:
                    receipt = decoder_of(Receipt).json(record.value)
                    self._waiting.pop(receipt.command_id).set_result(receipt)


def _serve_constant() -> None:
    """Answer every request with the same receipt, with the server and protocol of the writer."""
    import uvicorn

    from tools.web.protocol import Protocol

    body = msgspec.json.encode(RECEIPT)
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]

    async def constant(_: Scope, receive: Receive, send: Send) -> None:
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 201, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    config = uvicorn.Config(
        constant, host="127.0.0.1", port=0, http=Protocol, log_config=None, access_log=False
    )
    listening = config.bind_socket()
    print(json.dumps({"http": f"http://127.0.0.1:{listening.getsockname()[1]}"}), flush=True)
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
