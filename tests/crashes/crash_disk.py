"""Every state that a loss of power could leave of what a program wrote, after strace.

What comes in: a program and its folder. What goes out: its writes, syncs and changes of names in
order, and folders as a disk could hold them after a crash at any point:

* bytes that were synced are there; of those that were not, any sectors are, in no order;
* a name that was made, changed or removed is certain when its folder was synced; of later changes
  in a folder, the first ones are there, any number of them;
* what another folder's name was not synced for is lost with it.

A process that is killed is the case in which everything is there. Shared memory of SQLite
(``-shm``) is left out: the first process that opens a file makes it again.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from random import Random

__all__ = ["Crash", "Recording", "record"]

SECTOR_BYTES = 512
CALLS = (
    "open,openat,creat,mkdir,mkdirat,write,pwrite64,writev,pwritev,pwritev2,ftruncate,truncate,"
    "fallocate,fsync,fdatasync,sync_file_range,rename,renameat,renameat2,unlink,unlinkat,rmdir,"
    "link,linkat,symlink,copy_file_range,sendfile"
)
_LINE = re.compile(r"(\d+) +(\w+)\((.*)\) += (-?\d+)(?:<.*>)?(?: .*)?$", re.DOTALL)
_UNFINISHED, _RESUMED = (
    " <unfinished ...>",
    re.compile(r"(\d+) +<\.\.\. \w+ resumed>(.*)", re.DOTALL),
)
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')
_HANDLE = re.compile(r"(-?\d+|AT_FDCWD)<((?:\\x[0-9a-f]{2})*)>")
_DELETED = " (deleted)"


class Write(NamedTuple):
    """Bytes at an offset of a file; ``content`` None cuts or extends it to the offset."""

    file: int
    offset: int
    content: bytes | None


class Named(NamedTuple):
    """A name in a folder that now means a file, a folder (-1) or nothing (None)."""

    folder: str
    name: str
    file: int | None
    instead_of: str = ""
    """Name in the same folder that it had until then."""


class Synced(NamedTuple):
    """A file (by number) or the names of a folder (by path) are on the disk."""

    what: int | str


class Said(NamedTuple):
    """A line that the program gave out: what it acknowledged."""

    text: str


Step = Write | Named | Synced | Said
FOLDER = -1


@dataclass
class Recording:
    """What a program did to its folder, in order."""

    root: str
    steps: list[Step]

    def crash(self, at: int, keep: Callable[[Sequence[Write]], list[Write]], names: float) -> Crash:
        """Return the state after the first ``at`` steps.

        Args:
            at: number of steps that were made.
            keep: chooses what is there of the writes to a file that were not synced.
            names: which part of the changes of names that were not synced is there, 0 to 1.

        """
        durable: dict[int, list[Write]] = {}
        pending: dict[int, list[Write]] = {}
        there: dict[str, list[Named]] = {}
        loose: dict[str, list[Named]] = {}
        said: list[str] = []
        for step in self.steps[:at]:
            match step:
                case Write():
                    pending.setdefault(step.file, []).append(step)
                case Named():
                    loose.setdefault(step.folder, []).append(step)
                case Synced(int(file)):
                    durable.setdefault(file, []).extend(pending.pop(file, ()))
                case Synced(str(folder)):
                    there.setdefault(folder, []).extend(loose.pop(folder, ()))
                case Said(text):
                    said.append(text)
        for folder, changes in loose.items():
            there.setdefault(folder, []).extend(changes[: round(names * len(changes))])
        contents = {
            file: _content([*durable.get(file, ()), *keep(pending.get(file, ()))])
            for file in {*durable, *pending}
        }
        tree = _tree(self.root, there, contents)
        return Crash(at, said, {path.removeprefix(f"{self.root}/"): held for path, held in tree})

    def without_syncs(self, of: str) -> Recording:
        """Return what a program would have done that never synced the files of such a name."""
        files = {step.file for step in self.steps if isinstance(step, Named) and step.name == of}
        left = [one for one in self.steps if not (isinstance(one, Synced) and one.what in files)]
        return Recording(self.root, left)

    def states(self, chance: Random) -> Iterator[Crash]:
        """Yield states without end: first of each point in turn, then at random."""
        for at in range(len(self.steps) + 1):
            yield self.crash(at, list, 1)
            yield self.crash(at, lambda _: [], 0)
        while True:
            yield self.random(chance)

    def acknowledged(self) -> Iterator[Crash]:
        """Yield the least that there may be just after each acknowledgement."""
        for at, step in enumerate(self.steps):
            if isinstance(step, Said):
                yield self.crash(at + 1, lambda _: [], 0)

    def random(self, chance: Random) -> Crash:
        """Return a state at a random point with random sectors."""
        share = chance.choice((0.05, 0.5, 0.95))
        shape = chance.choice((_some_sectors, _without_one, _only_one, _torn))
        return self.crash(
            chance.randrange(len(self.steps) + 1),
            lambda writes: shape(writes, chance, share),
            chance.choice((0, 1, chance.random())),
        )


def _some_sectors(writes: Sequence[Write], chance: Random, share: float) -> list[Write]:
    return [one for write in writes for one in _sectors(write) if chance.random() < share]


def _without_one(writes: Sequence[Write], chance: Random, _: float) -> list[Write]:
    left = list(writes)
    if left:
        del left[chance.randrange(len(left))]
    return left


def _only_one(writes: Sequence[Write], chance: Random, _: float) -> list[Write]:
    return [chance.choice(writes)] if writes else []


def _torn(writes: Sequence[Write], chance: Random, _: float) -> list[Write]:
    """Keep the first ones, the last of them in part."""
    if not writes:
        return []
    last = chance.randrange(len(writes))
    parts = _sectors(writes[last])
    return [*writes[:last], *parts[: chance.randrange(len(parts) + 1)]]


def _sectors(write: Write) -> list[Write]:
    if write.content is None:
        return [write]
    parts, done = [], 0
    while done < len(write.content):
        room = SECTOR_BYTES - (write.offset + done) % SECTOR_BYTES
        content = write.content[done : done + room]
        parts.append(Write(write.file, write.offset + done, content))
        done += room
    return parts


def _content(writes: Sequence[Write]) -> bytes:
    held = bytearray()
    for _, offset, content in writes:
        end = offset if content is None else offset + len(content)
        held.extend(bytes(max(0, end - len(held))))
        if content is None:
            del held[offset:]
        else:
            held[offset:end] = content
    return bytes(held)


def _tree(
    folder: str, there: dict[str, list[Named]], contents: dict[int, bytes]
) -> Iterator[tuple[str, bytes | None]]:
    """Yield the paths below a folder with their content, None for a folder."""
    names: dict[str, int] = {}
    for _, name, file, before in there.get(folder, ()):
        names.pop(before, None)
        if file is None:
            names.pop(name, None)
        else:
            names[name] = file
    for name, file in names.items():
        path = f"{folder}/{name}"
        if file == FOLDER:
            yield path, None
            yield from _tree(path, there, contents)
        elif not name.endswith("-shm"):
            yield path, contents.get(file, b"")


@dataclass(frozen=True)
class Crash:
    """A folder as a crash left it."""

    at: int
    said: list[str]
    """What the program had acknowledged by then."""
    files: dict[str, bytes | None]

    @property
    def digest(self) -> bytes:
        """Return what tells it from other states."""
        return sha256(repr((self.said, sorted(self.files.items()))).encode()).digest()

    def restore(self, folder: Path) -> Path:
        """Make a new folder of it; files are their owner's alone, as secrets have to be."""
        folder.mkdir(mode=0o700, parents=True)
        for path, content in self.files.items():
            place = folder / path
            if content is None:
                place.mkdir(mode=0o700)
            else:
                place.write_bytes(content)
                place.chmod(0o600)
        return folder


def record(command: Sequence[str], folder: Path) -> dict[str, Recording]:
    """Run a program under strace; it may change only folders in a folder that are empty before.

    It gives out a folder's name before it writes there; what it gives out then, it acknowledges.

    Raises:
        subprocess.CalledProcessError: it failed, or can't be traced.

    """
    with tempfile.TemporaryDirectory() as place:
        trace = Path(place) / "trace"
        options = ["-f", "--seccomp-bpf", "-y", "-xx", "-s", str(8 << 20), "-e", "signal=none"]
        subprocess.run(  # noqa: S603 - our own programs
            [_strace(), *options, "-e", f"trace={CALLS}", "-o", str(trace), *command],
            check=True,
            stdout=subprocess.PIPE,
        )
        found: dict[str, Recording] = {}
        part = Recording("", [])
        for step in _Reading(folder).of(trace):
            if isinstance(step, Said) and (folder / step.text).is_dir():
                part = found[step.text] = Recording(step.text, [])
            else:
                part.steps.append(step)
        return found


def _strace() -> str:
    found = shutil.which("strace")
    assert found is not None, "strace is missing: apt-get install strace"
    return found


@dataclass
class _Reading:
    """Turns the lines of strace into steps."""

    folder: Path
    names: dict[str, int] = field(default_factory=dict)
    places: dict[int, int] = field(default_factory=dict)
    files: int = 0
    steps: list[Step] = field(default_factory=list)

    def of(self, trace: Path) -> list[Step]:
        waiting: dict[str, str] = {}
        with trace.open() as lines:
            for raw in lines:
                line = raw.rstrip("\n")
                if line.endswith(_UNFINISHED):
                    waiting[line.split(maxsplit=1)[0]] = line.removesuffix(_UNFINISHED)
                    continue
                if resumed := _RESUMED.match(line):
                    line = waiting.pop(resumed[1]) + resumed[2]
                call = _LINE.match(line)
                if call is not None and int(call[4]) >= 0:
                    self._take(call[2], call[3], int(call[4]))
        return self.steps

    def _take(self, name: str, arguments: str, result: int) -> None:
        handles = [(fd, _decoded(path)) for fd, path in _HANDLE.findall(arguments)]
        texts = [_decoded(text) for text, _ in _TEXT.findall(arguments)] if "open" in name else []
        match name:
            case "open" | "openat" | "creat":
                self._open(self._absolute(handles, texts[0]), arguments)
            case "write" | "pwrite64":
                content = _TEXT.search(arguments)
                assert content is not None
                assert not content[2], "strace cut a write"
                self._write(name, handles[0], arguments, _bytes(content[1])[:result])
            case "ftruncate":
                file = self._file(handles[0][1])
                if file is not None:
                    self.steps.append(Write(file, int(arguments.rsplit(", ", 1)[1]), None))
            case "fsync" | "fdatasync":
                self._sync(handles[0][1])
            case _:
                self._change(name, handles, arguments)

    def _open(self, path: str, arguments: str) -> None:
        inside = self._inside(path)
        if inside is None or "O_DIRECTORY" in arguments or self.names.get(inside) == FOLDER:
            return
        if inside not in self.names:
            if "O_CREAT" not in arguments:
                return
            self.files += 1
            self._name(inside, self.files)
        file = self.names[inside]
        self.places[file] = 0
        if "O_TRUNC" in arguments:
            self.steps.append(Write(file, 0, None))

    def _write(self, name: str, handle: tuple[str, str], arguments: str, content: bytes) -> None:
        if handle[0] == "1":
            self.steps += [Said(line) for line in content.decode().splitlines()]
            return
        file = self._file(handle[1])
        if file is None:
            return
        if name == "pwrite64":
            offset = int(arguments.rsplit(", ", 1)[1])
        else:
            offset = self.places[file]
            self.places[file] += len(content)
        self.steps.append(Write(file, offset, content))

    def _sync(self, path: str) -> None:
        inside = self._inside(path)
        if inside is not None:
            is_folder = "/" not in inside or self.names.get(inside) == FOLDER
            file = self.names.get(inside, 0)
            self.steps.append(Synced(inside if is_folder else file))

    def _change(self, name: str, handles: list[tuple[str, str]], arguments: str) -> None:
        paths = [
            self._inside(self._absolute(handles[at : at + 1], _decoded(text)))
            for at, (text, _) in enumerate(_TEXT.findall(arguments))
        ]
        if all(path is None for path in paths) and not any(
            self._file(path) is not None for _, path in handles
        ):
            return
        match name, paths:
            case "mkdir" | "mkdirat", [str(path)] if path:
                self._name(path, FOLDER)
            case "mkdir" | "mkdirat", _:
                pass
            case "unlink" | "unlinkat" | "rmdir", [str(path)]:
                self._name(path, None)
            case "link" | "linkat", [str(old), str(new)]:
                self._name(new, self.names[old])
            case "rename" | "renameat" | "renameat2", [str(old), str(new)]:
                self._rename(old, new)
            case _:
                raise AssertionError(f"{name} of {paths} is not followed")

    def _rename(self, old: str, new: str) -> None:
        file = self.names[old]
        assert file != FOLDER, "a folder that is renamed is not followed"
        folder, _, name = old.rpartition("/")
        if folder == new.rpartition("/")[0]:
            del self.names[old]
            self._name(new, file, instead_of=name)
        else:
            self._name(new, file)
            self._name(old, None)

    def _name(self, inside: str, file: int | None, *, instead_of: str = "") -> None:
        folder, _, name = inside.rpartition("/")
        if file is None:
            self.names.pop(inside, None)
        else:
            self.names[inside] = file
        self.steps.append(Named(folder, name, file, instead_of))

    def _absolute(self, handles: list[tuple[str, str]], path: str) -> str:
        return path if path.startswith("/") or not handles else f"{handles[0][1]}/{path}"

    def _inside(self, path: str) -> str | None:
        """Return a path relative to the folder; None for one elsewhere."""
        place = Path(path)
        if path.endswith(_DELETED) or not place.is_relative_to(self.folder):
            return None
        inside = str(place.relative_to(self.folder))
        return "" if inside == "." else inside

    def _file(self, path: str) -> int | None:
        inside = self._inside(path)
        file = None if inside is None else self.names.get(inside)
        return None if file == FOLDER else file


def _bytes(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))


def _decoded(text: str) -> str:
    return _bytes(text).decode()
