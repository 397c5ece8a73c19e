"""A TCP proxy that knows where a Kafka request ends: it acts before or after a chosen one.

It stands between clients and one broker, which advertises the proxy's port as its own. A rule
waits for the next request of one kind that our client sends; ``before`` the broker gets it, or
``after`` the broker has answered and before the client hears of it, the rule's action is called.
An action may cut all connections, keep new ones out, or do something else, such as letting
another writer take over.

Besides, ``fate_of`` decides what becomes of each request of our client by its kind: it may wait,
be kept back, and reach the broker later and any number of times over other connections, which
overtakes it by what is sent since.
"""

from __future__ import annotations

import socket
import struct
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

PRODUCE, FIND_COORDINATOR, INIT, ADD_PARTITIONS, END, OFFSETS = 0, 10, 22, 24, 26, 28
CLIENT = b"gameledger"


@dataclass
class Rule:
    """Acts once, at the next request of a kind."""

    kind: int
    is_after: bool
    action: Callable[[], None]
    done: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True)
class Fate:
    """What becomes of a request."""

    wait_seconds: float = 0
    is_kept_back: bool = False
    """The broker does not get it now, and the client no answer."""
    copies: tuple[float, ...] = ()
    """After so many seconds each, a copy reaches the broker; nobody hears the answer."""


USUAL = Fate()


class Proxy:
    """Listens on a free ``port`` and speaks to the broker at ``target``; both are on loopback."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._lock = threading.Lock()
        self._rule: Rule | None = None
        self._is_open = True
        self.fate_of: Callable[[int], Fate] = lambda _: USUAL
        """Kind and answer of each copy that reached the broker."""
        self._sockets: set[socket.socket] = set()
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self._listening.getsockname()[1]
        self._serve(self._accept)

    def act(self, kind: int, action: Callable[[], None], *, is_after: bool) -> Rule:
        rule = Rule(kind, is_after, action)
        with self._lock:
            self._rule = rule
        return rule

    def cut(self) -> None:
        """Cut every connection; new ones are let in."""
        with self._lock:
            sockets, self._sockets = self._sockets, set()
        for each in sockets:
            _shut(each)

    def keep_out(self) -> None:
        """Cut every connection and let in no new one."""
        self._is_open = False
        self.cut()

    def let_in(self) -> None:
        self._is_open = True

    def close(self) -> None:
        self._is_open = False
        _shut(self._listening)
        self.cut()

    def _serve(self, work: Callable[..., None], *arguments: object) -> None:
        threading.Thread(target=work, args=arguments, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            if not self._is_open:
                _shut(client)
                continue
            try:
                broker = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                _shut(client)
                continue
            with self._lock:
                self._sockets |= {client, broker}
            answers: dict[int, Rule] = {}
            self._serve(self._forward, client, broker, answers)
            self._serve(self._give_back, broker, client, answers)

    def _forward(
        self, client: socket.socket, broker: socket.socket, answers: dict[int, Rule]
    ) -> None:
        with suppress(OSError, EOFError):
            while True:
                request = _frame(client)
                kind, _, number = struct.unpack_from(">hhi", request, 4)
                rule = self._take(kind, request)
                if rule is not None and rule.is_after:
                    answers[number] = rule
                elif rule is not None:
                    rule.action()
                    rule.done.set()
                fate = self.fate_of(kind) if CLIENT in request[12:40] else USUAL
                for seconds in fate.copies:
                    self._serve(self._send_late, seconds, request)
                time.sleep(fate.wait_seconds)
                if not fate.is_kept_back:
                    broker.sendall(request)
        _shut(client)
        _shut(broker)

    def _send_late(self, seconds: float, request: bytes) -> None:
        time.sleep(seconds)
        with suppress(OSError, EOFError):
            self.send(request)

    def send(self, request: bytes) -> bytes:
        """Send a request to the broker over a connection of its own; return the answer."""
        with socket.create_connection(("127.0.0.1", self._target), timeout=10) as broker:
            broker.sendall(request)
            return _frame(broker)

    def _give_back(
        self, broker: socket.socket, client: socket.socket, answers: dict[int, Rule]
    ) -> None:
        with suppress(OSError, EOFError):
            while True:
                answer = _frame(broker)
                rule = answers.pop(struct.unpack_from(">i", answer, 4)[0], None)
                if rule is not None:
                    rule.action()
                    rule.done.set()
                client.sendall(answer)
        _shut(client)
        _shut(broker)

    def _take(self, kind: int, request: bytes) -> Rule | None:
        """Take the rule if this request is the one that it waits for."""
        if CLIENT not in request[12:40]:
            return None  # the broker speaks to itself through the same port
        with self._lock:
            rule = self._rule
            if rule is None or rule.kind != kind:
                return None
            self._rule = None
            return rule


def _frame(source: socket.socket) -> bytes:
    head = _exactly(source, 4)
    return head + _exactly(source, struct.unpack(">i", head)[0])


def _exactly(source: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        part = source.recv(size - len(data))
        if not part:
            raise EOFError
        data += part
    return data


def _shut(each: socket.socket) -> None:
    with suppress(OSError):
        each.shutdown(socket.SHUT_RDWR)
    each.close()
