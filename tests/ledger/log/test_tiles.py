"""A log in tiles: what is published is the log, grows with it, and shows every change."""

from __future__ import annotations

import errno
import gzip
import http.server
import socket
import threading
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import schemas
from ledger.chain import FORMAT_VERSION, HASH_ALGORITHM
from ledger.core.errors import AvailabilityError, InputError, IntegrityError
from ledger.events import event_types as e
from ledger.log.checkpoints import last_note
from ledger.log.memory import MemoryLog
from ledger.log.port import checkpoint_of
from ledger.log.tiles import TiledLog, publish
from ledger.tlog.merkle import node_hash
from ledger.tlog.signing import SigningKey
from ledger.tlog.tiles import bundle_of, bundle_path, entries_of, tile_path
from ledger.verification.verify import verify
from tests.ledger.chain_cases import Chain, landed, published

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "casino.example/live"
KEY = SigningKey(NAME, b"\x07" * 32)


class SignedLog:
    """A log of real messages that can be signed at any size."""

    def __init__(self, name: str = NAME) -> None:
        self.log, self.chain, self.name = MemoryLog(), Chain(), name
        self.key = SigningKey(name, b"\x07" * 32)
        self.add(
            e.ChainOpened(
                operator="1",
                operator_name="O",
                chain=name,
                format_version=FORMAT_VERSION,
                hash_algorithm=HASH_ALGORITHM,
            )
        )
        kinds = ("BallLanded", "SigningKeyAdded", "CheckpointSigned")
        self.add(*(published(schemas.newest()[kind]) for kind in kinds))
        public = self.key.public
        self.add(
            e.SigningKeyAdded(
                key_id=public.key_id, public_key=public.raw, reason="first", algorithm="Ed25519"
            )
        )

    def add(self, *decision: e.Event) -> None:
        self.log.append(self.chain.add(*decision))

    def sign(self) -> str:
        """Record a checkpoint over all messages and return its note."""
        signed = checkpoint_of(self.name, self.log)
        self.add(
            e.CheckpointSigned(
                size=signed.size,
                root=signed.root,
                map_root=signed.map_root,
                key_id=self.key.key_id,
                signature=self.key.sign(signed),
            )
        )
        return last_note(self.log)

    def grow(self, size: int) -> None:
        for number in range(size - self.chain.head.size):
            self.add(landed(number % 37))


def check(place: str) -> int:
    """Verify a published log as a stranger does; return its size."""
    log = TiledLog(place)
    found = verify(log.read())
    assert (found.head.size, found.root) == (log.checkpoint.size, log.checkpoint.root)
    return found.head.size


@pytest.fixture
def signed() -> SignedLog:
    return SignedLog()


def node_at(leaves: dict[int, bytes], level: int, index: int) -> bytes:
    if level == 0:
        return leaves[index]
    return node_hash(*(node_at(leaves, level - 1, 2 * index + one) for one in (0, 1)))


def files_of(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def test_what_is_published_is_the_log(signed: SignedLog, tmp_path: Path) -> None:
    signed.grow(700)
    note = signed.sign()
    assert publish(signed.log, note, tmp_path / "log") == (700, 0)
    log = TiledLog(str(tmp_path / "log"))
    assert list(log.read()) == signed.chain.stored[:700]
    assert log.note == note
    assert check(str(tmp_path / "log")) == 700
    assert sorted(files_of(tmp_path / "log")) == [
        "checkpoint",
        "tile/0/000",
        "tile/0/001",
        "tile/0/002.p/188",
        "tile/1/000.p/2",
        "tile/entries/000",
        "tile/entries/001",
        "tile/entries/002.p/188",
    ]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(6, 900), min_size=1, max_size=4))
def test_a_folder_that_grew_holds_the_tiles_of_one_that_was_made_at_once(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int]
) -> None:
    folder, signed = tmp_path_factory.mktemp("tiles"), SignedLog()
    before: dict[str, bytes] = {}
    for size in sorted(sizes):
        signed.grow(size)
        note = signed.sign()
        publish(signed.log, note, folder / "grown")
        files = files_of(folder / "grown")
        unchanged = {path: files[path] for path in before if path != "checkpoint"}
        assert unchanged == {path: before[path] for path in unchanged}
        before = files
    publish(signed.log, note, folder / "once")
    assert files_of(folder / "once").items() <= before.items()
    assert check(str(folder / "grown")) == check(str(folder / "once"))


def test_nodes_of_the_tree_are_read_from_tiles(signed: SignedLog, tmp_path: Path) -> None:
    signed.grow(700)
    publish(signed.log, signed.sign(), tmp_path / "log")
    log = TiledLog(str(tmp_path / "log"))
    for level in range(10):
        for index in range(700 >> level):
            assert log.node(level, index) == signed.log.node(level, index)


def test_publishing_again_changes_nothing(signed: SignedLog, tmp_path: Path) -> None:
    signed.grow(300)
    note = signed.sign()
    publish(signed.log, note, tmp_path / "log")
    before = files_of(tmp_path / "log")
    assert publish(signed.log, note, tmp_path / "log") == (300, 300)
    assert files_of(tmp_path / "log") == before


def test_two_do_not_publish_to_one_folder_at_once(signed: SignedLog, tmp_path: Path) -> None:
    note, refused = signed.sign(), []

    def publish_too(*_: int) -> None:
        with pytest.raises(AvailabilityError, match="another process writes tiles to") as error:
            publish(signed.log, note, tmp_path / "log")
        refused.append(error)

    publish(signed.log, note, tmp_path / "log", progress=publish_too)
    assert refused


def test_a_log_without_a_checkpoint_has_no_note(signed: SignedLog) -> None:
    with pytest.raises(InputError, match="no checkpoint yet: sign one"):
        last_note(signed.log)


def test_a_folder_with_something_else_is_left_alone(signed: SignedLog, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="is not empty and holds no checkpoint"):
        publish(signed.log, signed.sign(), tmp_path)
    assert list(tmp_path.iterdir()) == [tmp_path / "mine.txt"]


def test_a_message_that_was_altered_behind_the_tree_is_not_published(
    signed: SignedLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is published is never written again, so it would stay broken when the log is mended."""
    signed.grow(300)
    note, read = signed.sign(), signed.log.read
    nodes = {at: signed.log.node(0, at) for at in range(300)}

    def altered(first: int = 0, end: int | None = None) -> Iterator[tuple[int, bytes]]:
        for position, body in read(first, end):
            yield position, body[:-1] + b"\x24" if position == 270 else body

    with monkeypatch.context() as log:
        log.setattr(signed.log, "node", lambda level, at: node_at(nodes, level, at))
        log.setattr(signed.log, "read", altered)
        with pytest.raises(IntegrityError, match="message 270 is not the one") as refused:
            publish(signed.log, note, tmp_path / "log")
    assert refused.value.position == 270
    publish(signed.log, note, tmp_path / "log")
    assert check(str(tmp_path / "log")) == 300


@pytest.mark.parametrize("files", [1, 3, 8])
def test_a_first_publication_that_was_cut_off_is_repeated(
    signed: SignedLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: int
) -> None:
    signed.grow(700)
    note, written = signed.sign(), []

    def full(descriptor: int) -> None:
        written.append(descriptor)
        if len(written) == files:
            raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr("os.fsync", full)
        with pytest.raises(AvailabilityError, match="repair the cause and repeat"):
            publish(signed.log, note, tmp_path / "log")
    publish(signed.log, note, tmp_path / "log")
    publish(signed.log, note, tmp_path / "once")
    assert files_of(tmp_path / "log") == files_of(tmp_path / "once")
    assert check(str(tmp_path / "log")) == 700


@pytest.mark.parametrize("content", [b"\xff", b"notes of mine\n"])
def test_a_folder_with_another_checkpoint_is_left_alone(
    signed: SignedLog, tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "checkpoint"
    file.write_bytes(content)
    with pytest.raises(InputError, match=f"^{file} .*name another folder"):
        publish(signed.log, signed.sign(), tmp_path)
    assert files_of(tmp_path) == {"checkpoint": content}


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_a_file_in_place_of_a_folder_is_refused(
    signed: SignedLog, tmp_path: Path, name: str
) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="name another folder"):
        publish(signed.log, signed.sign(), tmp_path / name)


def test_a_folder_of_another_chain_or_history_is_refused(tmp_path: Path) -> None:
    first, other, twin = SignedLog(), SignedLog("other.example/live"), SignedLog()
    first.grow(20)
    publish(first.log, first.sign(), tmp_path)
    before = files_of(tmp_path)
    with pytest.raises(InputError, match=f"holds the chain {NAME}, and this is other"):
        publish(other.log, other.sign(), tmp_path)
    early = twin.sign()
    with pytest.raises(InputError, match="holds 20 messages, and the checkpoint 5"):
        publish(twin.log, early, tmp_path)
    twin.add(landed(36))
    twin.grow(30)
    with pytest.raises(IntegrityError, match="another root than the log"):
        publish(twin.log, twin.sign(), tmp_path)
    with pytest.raises(IntegrityError, match="the checkpoint of size 20 has another root"):
        publish(twin.log, first.sign().replace("\n21\n", "\n20\n"), tmp_path / "new")
    assert files_of(tmp_path) == before


CASES = [
    ("tile/entries/000", lambda raw: raw[:-1], "ends within entry 255", 255),
    ("tile/entries/000", lambda raw: raw + b"\x00", "goes on behind its 256 entries", 256),
    ("tile/entries/001.p/44", lambda raw: raw[2:], "entr|altered|message", None),
    ("tile/entries/001.p/44", lambda raw: raw + b"\x00", "goes on behind its 44 entries", 300),
    ("tile/0/001.p/44", lambda raw: raw + raw[:32], "is not the tile", 256),
    ("tile/entries/000", lambda _: None, "lacks tile/entries/000", 0),
    ("tile/entries/000", lambda raw: raw + bytes(17_000_000), "is too long", 0),
    ("tile/0/000", lambda raw: bytes([raw[0] ^ 1]) + raw[1:], "is not the tile", 0),
    ("tile/0/000", lambda raw: raw[:-32], "is not the tile", 0),
    ("tile/0/000", lambda raw: raw + raw, "is too long", 0),
    ("tile/0/001.p/44", lambda _: None, "lacks tile/0/001.p/44", 256),
    ("tile/1/000.p/1", lambda raw: raw[::-1], "is not the tile", 0),
]


@pytest.mark.parametrize(("path", "change", "cause", "position"), CASES)
def test_a_broken_file_is_named(
    signed: SignedLog, tmp_path: Path, path: str, change: object, cause: str, position: int | None
) -> None:
    signed.grow(300)
    publish(signed.log, signed.sign(), tmp_path)
    content = change((tmp_path / path).read_bytes())  # type: ignore[operator]
    if content is None:
        (tmp_path / path).unlink()
    else:
        (tmp_path / path).write_bytes(content)
    with pytest.raises(IntegrityError, match=cause) as caught:
        check(str(tmp_path))
    if position is not None:
        assert caught.value.position == position


@settings(deadline=None)
@given(st.data())
def test_every_flipped_bit_of_a_message_is_found(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    signed, folder = SignedLog(), tmp_path_factory.mktemp("tiles")
    signed.grow(20)
    publish(signed.log, signed.sign(), folder)
    bundle = folder / "tile/entries/000.p/20"
    raw = bytearray(bundle.read_bytes())
    raw[data.draw(st.integers(0, len(raw) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    bundle.write_bytes(raw)
    with pytest.raises(IntegrityError):
        check(str(folder))


@contextmanager
def talking(answer: bytes) -> Iterator[str]:
    """Serve one request with some bytes, whatever is asked."""

    def talk() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(1 << 16)
            connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=talk)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        thread.join()


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves a folder and writes no log."""

    extra: ClassVar[dict[str, str]] = {}

    def end_headers(self) -> None:
        for name, value in self.extra.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """Serve the folder of the test as any web server does."""
    handler = partial(Quiet, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_plain_web_server_is_a_full_mirror(
    signed: SignedLog, tmp_path: Path, served: str
) -> None:
    signed.grow(300)
    publish(signed.log, signed.sign(), tmp_path / "log")
    assert check(f"{served}/log/") == 300
    (tmp_path / "log" / tile_path(0, 0)).unlink()
    with pytest.raises(IntegrityError, match="lacks tile/0/000"):
        check(f"{served}/log")
    with pytest.raises(InputError, match="holds no checkpoint"):
        TiledLog(f"{served}/elsewhere")


def test_a_server_that_is_away_is_named() -> None:
    with pytest.raises(AvailabilityError, match=r"http://127\.0\.0\.1:9/checkpoint can't be read"):
        TiledLog("http://127.0.0.1:9")


@pytest.mark.parametrize("answer", [b"nonsense\r\n\r\n", b"HTTP/1.1 200 OK\r\nX: " + b"x" * 70_000])
def test_a_server_that_speaks_no_http_is_named(answer: bytes) -> None:
    with talking(answer) as url, pytest.raises(AvailabilityError, match=f"{url}/checkpoint can't"):
        TiledLog(url)


@pytest.mark.parametrize(
    "url",
    ["http://[::1", "http://exa mple", "HTTP://h:99999", "http://", "https:/h", "https://h/š"],
)
def test_what_is_no_url_is_named(url: str) -> None:
    with pytest.raises(InputError, match="is no address of a log"):
        TiledLog(url)


def test_an_answer_that_was_cut_off_accuses_nobody(signed: SignedLog, tmp_path: Path) -> None:
    """The connection broke: the log may be whole."""
    signed.grow(300)
    publish(signed.log, signed.sign(), tmp_path / "log")
    note = (tmp_path / "log" / "checkpoint").read_bytes()
    for length in (b"Content-Length: 9999\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\nfff\r\n"):
        with (
            talking(b"HTTP/1.1 200 OK\r\n" + length + note) as url,
            pytest.raises(AvailabilityError, match="was cut off"),
        ):
            TiledLog(url)


def test_what_a_server_compresses_unasked_is_read(
    signed: SignedLog, tmp_path: Path, served: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C2SP lets a log do so; what is compressed has the bound of what is not."""
    signed.grow(300)
    publish(signed.log, signed.sign(), tmp_path / "log")
    for path in (tmp_path / "log").rglob("*"):
        if path.is_file():
            path.write_bytes(gzip.compress(path.read_bytes()))
    monkeypatch.setattr(Quiet, "extra", {"Content-Encoding": "gzip"})
    assert check(f"{served}/log") == 300
    tile = tmp_path / "log" / tile_path(0, 0)
    whole = tile.read_bytes()
    for content, refused, cause in (
        (gzip.compress(bytes(10**8)), IntegrityError, "is too long"),
        (whole[:-9], AvailabilityError, "was cut off"),
        (b"\x00" + whole, AvailabilityError, "was cut off"),
    ):
        tile.write_bytes(content)
        with pytest.raises(refused, match=cause):
            check(f"{served}/log")


def test_a_log_that_grew_and_dropped_its_partial_tiles_is_whole(
    signed: SignedLog, tmp_path: Path
) -> None:
    """C2SP lets it do so where the full ones are there, also while somebody reads."""
    folder = tmp_path / "log"
    signed.grow(300)
    publish(signed.log, signed.sign(), folder)
    log = TiledLog(str(folder))
    signed.grow(520)
    publish(signed.log, signed.sign(), folder)
    for path in (tile_path(0, 1, 44), bundle_path(1, 44)):
        (folder / path).unlink()
    assert list(log.read()) == signed.chain.stored[:300]
    (folder / bundle_path(1)).write_bytes((folder / bundle_path(1)).read_bytes()[:500])
    with pytest.raises(IntegrityError, match="ends within entry"):
        list(log.read())
    (folder / bundle_path(1)).unlink()
    with pytest.raises(IntegrityError, match=r"lacks tile/entries/001\.p/44"):
        list(log.read())


def test_paths_are_those_of_the_specification() -> None:
    assert tile_path(0, 1_234_067) == "tile/0/x001/x234/067"
    assert bundle_path(5, 7) == "tile/entries/005.p/7"
    assert bundle_path(1_000) == "tile/entries/x001/000"


def test_a_message_that_fits_no_bundle_is_refused() -> None:
    largest = b"x" * 0xFFFF
    assert list(entries_of(bundle_of([largest, b""]), 4, 2)) == [(4, largest), (5, b"")]
    with pytest.raises(InputError, match="65536 bytes does not fit"):
        bundle_of([largest + b"x"])


def test_what_is_no_name_of_a_folder_is_refused(signed: SignedLog) -> None:
    with pytest.raises(InputError, match="is no name of a folder"):
        TiledLog("a\x00b")
    with pytest.raises(InputError, match="is no name of a folder"):
        publish(signed.log, signed.sign(), Path("a\x00b"))
