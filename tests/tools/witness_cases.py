"""Witnesses to test with: real ones on a port of their own, and some that do as they are told."""

from __future__ import annotations

import http.server
import socket
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from ledger.core.clock import SECOND, StoppedClock, SystemClock
from ledger.tlog import merkle
from ledger.tlog.misconduct import Submission
from ledger.tlog.notes import Note
from ledger.tlog.signing import Checkpoint, SigningKey, make_note
from tools.witness.server import serving
from tools.witness.state import WitnessFolder
from tools.witness.witness import Reply, Witness

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ledger.core.clock import Clock
    from ledger.tlog.signing import PublicKey

NOW = 1_800_000_000
LOG = SigningKey("casino.example/live", b"\x07" * 32)
STRANGER = SigningKey("casino.example/live", b"\x08" * 32)


class History:
    """A log that may be any size; two of them with other words are a fork."""

    def __init__(self, words: str = "true", name: str = "casino.example/live") -> None:
        self.name = name
        self._leaves = [merkle.leaf_hash(f"{words} {number}".encode()) for number in range(64)]

    def node(self, level: int, index: int) -> bytes:
        if level == 0:
            return self._leaves[index]
        return merkle.node_hash(*(self.node(level - 1, 2 * index + one) for one in (0, 1)))

    def read(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Have no messages: witnesses ask for none."""
        raise AssertionError(start, stop)

    def note(self, size: int, *keys: SigningKey) -> Note:
        checkpoint = Checkpoint(self.name, size, merkle.root(self.node, size))
        signatures = [(key.public, key.sign(checkpoint)) for key in keys or (LOG,)]
        return Note.parse(make_note(checkpoint, signatures))

    def submission(self, old: int, size: int, *keys: SigningKey) -> bytes:
        proof = merkle.consistency(self.node, old, size) if 0 < old < size else []
        return str(Submission(old, tuple(proof), self.note(size, *keys))).encode()


TRUE, FORK = History(), History("fork")


class House:
    """A witness of the log, with what its operator was told."""

    def __init__(
        self,
        path: Path,
        log: PublicKey = LOG.public,
        *,
        clock: Clock | None = None,
        algorithm: str = "Ed25519",
    ) -> None:
        self.folder = WitnessFolder(path)
        self.key = self.folder.create("witness.example", algorithm)
        with self.folder.turn() as turn:
            turn.add_key(log)
        self.clock = clock or StoppedClock(NOW * SECOND)
        self.told: list[str] = []
        self.witness = self.open()

    def open(self) -> Witness:
        return Witness(self.folder, self.clock, self.told.append)

    def proofs(self) -> list[str]:
        return [path.read_text() for path in sorted(self.folder.misconduct.glob("*"))]

    @contextmanager
    def serving(self) -> Iterator[str]:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            url = f"http://127.0.0.1:{listener.getsockname()[1]}"
            with serving(self.witness, listener, self.told.append):
                yield url


@contextmanager
def watched(studio: Path) -> Iterator[Path]:
    """Serve a witness of a studio, which gets its key before the program makes one: the policy."""
    key = SigningKey.create(studio / "keys" / "checkpoint.key", "test")
    house = House(studio.parent / "watch", key.public, clock=SystemClock())
    with house.serving() as url:
        policy = studio.parent / "policy.txt"
        policy.write_text(f"witness w {house.key.public.text} {url}\nquorum w\n")
        yield policy


@contextmanager
def answering(answer: Callable[[str, bytes], Reply]) -> Iterator[str]:
    """Serve whatever a function says for a path and a body."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.do_GET()

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            reply = answer(self.path, body)
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.kind)
            self.end_headers()
            with suppress(ConnectionError):
                self.wfile.write(reply.body.encode())

        def log_message(self, *_: object) -> None: ...

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
