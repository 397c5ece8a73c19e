"""Keys are backed up apart from the log and brought back; who was erased stays erased."""

from __future__ import annotations

import json
import resource
import shutil
import time
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.clock import DAY, StoppedClock, SystemClock
from ledger.core.errors import AuthorizationError, AvailabilityError
from ledger.decisions.decider import decode_command
from ledger.events.event_types import AccountOpened
from ledger.log.port import Query, events_at
from ledger.privacy import KeyStore, copy_keys, open_fields
from tests.tools.cli_cases import SECONDS_MAX, run_here, started
from tools.data import DataDirectory
from tools.mirror.folder import MirrorFolder
from tools.practice.keys import write_practice_keys

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ledger.writer import Ledger

RULES: dict[str, Any] = {
    "command": "publish_rules",
    "game": "sazka.roulette_evolution",
    "plan_version": "2025-01-21",
    "effective_from": "2010-01-01T00:00:00+01:00",
}
FORM = {
    "birth_date": "1980-01-01",
    "register": "clear",
    "verified_how": "x",
    "address": "a",
    "email": "e",
}


def send(ledger: Ledger, name: str, /, **facts: Any) -> None:
    receipt = ledger.execute(decode_command(json.dumps({"command": name, **facts})))
    assert receipt.refused is None, receipt.refused


def enrol(ledger: Ledger, account: str, identity: str) -> None:
    facts = {**FORM, "plan_version": RULES["plan_version"]}
    send(ledger, "open_account", account=account, identity=identity, name=account, **facts)


def leave(ledger: Ledger, clock: StoppedClock, account: str) -> None:
    send(ledger, "request_cancellation", account=account, ground="12(4)")
    send(ledger, "confirm_cancellation", account=account, notice="sent")
    clock.moment += 30 * DAY  # the 15 days for objections may end after the Christmas holidays
    send(ledger, "close_account", account=account)


class Books:
    """A chain whose keys were backed up before some persons came and others went."""

    def __init__(self, folder: Path) -> None:
        self.data, self.copy = DataDirectory(folder / "data"), folder / "safe" / "keys"

    def begin(self) -> None:
        clock = StoppedClock(SystemClock().now() - 12 * 366 * DAY)
        facts = {"operator": "26493993", "operator_name": "O", "chain": "c", "clock": clock}
        with self.data.create(**facts) as ledger:  # type: ignore[arg-type]
            send(ledger, "list_game", game=RULES["game"], name="R")
            ledger.execute(decode_command(json.dumps(RULES)))
            for name in ("stays", "goes", "back"):
                enrol(ledger, name, name)
            assert self.run("keys", "backup", str(self.copy)).returncode == 0
            for name in ("goes", "back"):
                leave(ledger, clock, name)
            clock.moment += 11 * 366 * DAY
            for name in ("goes", "back"):
                send(ledger, "erase_person", account=name)
            enrol(ledger, "back2", "back")
            enrol(ledger, "late", "late")

    def run(self, *arguments: str, keys: Path | None = None) -> Any:
        environment = {"GAMELEDGER_KEYS": str(keys)} if keys else {}
        return run_here(*arguments, data=self.data.path, environment=environment)

    def ask(self, *arguments: str, keys: Path | None = None) -> dict[str, int]:
        found: dict[str, int] = json.loads(self.run(*arguments, "--json", keys=keys).stdout)
        return {name: count for name, count in found.items() if count and name != "size"}

    def personal(self, account: str) -> str | None:
        """Read the name of the person of an account, as `account show --personal` does."""
        query = Query(types=("AccountOpened",), tags=(f"account:{account}",))
        with closing(self.data.read()) as log, closing(self.data.keys()) as keys:
            (opened,) = events_at(log, log.find(query))
            assert isinstance(opened.event, AccountOpened)
            return open_fields(keys, opened.event.person, opened.event)["name"]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("books")
    Books(folder).begin()
    return folder


@pytest.fixture
def books(original: Path, tmp_path: Path) -> Books:
    return Books(shutil.copytree(original, tmp_path / "books"))


@pytest.mark.law("L-20", "L-58")
def test_lost_keys_come_back_and_the_erased_do_not(books: Books) -> None:
    assert books.ask("keys", "check") == {"persons": 4, "readable": 3, "erased": 1}
    of_copy = {"persons": 4, "readable": 1, "left": 1, "strange": 1, "missing": 1}
    assert books.ask("keys", "check", keys=books.copy) == of_copy
    shutil.rmtree(books.data.keys_path)
    assert books.run("record").returncode == 2

    done = books.run("keys", "restore", str(books.copy))
    assert done.returncode == 1, "somebody came after the copy"
    assert "2 keys of the erased destroyed" in done.stdout
    assert books.ask("keys", "check") == {"persons": 4, "readable": 1, "erased": 1, "missing": 2}
    names = {name: books.personal(name) for name in ("stays", "goes", "back", "back2", "late")}
    assert names.pop("stays") == "stays"
    assert set(names.values()) == {None}
    with books.data.write() as ledger:
        send(ledger, "change_person", account="late", address="Brno")
    assert books.personal("late") is None, "and not altered, under the new key"


def test_a_restore_that_is_killed_opens_nothing_of_the_erased(books: Books) -> None:
    """Killed as soon as the keys are there: they are not replaced, so nothing is left to do."""
    shutil.rmtree(books.data.keys_path)
    latest = time.monotonic() + SECONDS_MAX
    with started("keys", "restore", str(books.copy), data=books.data.path):
        while not KeyStore.exists_in(books.data.keys_path):
            assert time.monotonic() < latest
    assert [books.personal(name) for name in ("stays", "goes", "back")] == ["stays", None, None]
    assert books.ask("keys", "check") == {"persons": 4, "readable": 1, "erased": 1, "missing": 2}
    with books.data.write() as ledger:
        send(ledger, "change_person", account="late", address="Brno")
    assert books.personal("late") is None


def test_a_copy_that_is_new_brings_everything_back(books: Books, tmp_path: Path) -> None:
    copy = tmp_path / "new" / "keys"
    with books.data.write():
        assert books.run("keys", "backup", str(copy)).returncode == 0
    KeyStore(copy, writable=False).close()
    shutil.rmtree(books.data.keys_path)
    assert books.run("keys", "restore", str(copy)).returncode == 0
    assert books.personal("late") == "late"
    assert books.run("log", "checkpoint").returncode == 0


def test_what_is_no_copy_or_would_overwrite_is_refused(books: Books, tmp_path: Path) -> None:
    for arguments, words in (
        (("backup", str(books.copy)), "holds files already"),
        (("backup", str(books.data.path / "safe")), "lies beside the log"),
        (("restore", str(books.copy)), "holds keys already"),
    ):
        done = books.run("keys", *arguments)
        assert (done.returncode, words in done.stderr) == (2, True), done.stderr
    KeyStore(tmp_path / "other").close()
    shutil.rmtree(books.data.keys_path)
    for folder, words in (("other", "opens no personal data"), ("none", "no whole copy")):
        done = books.run("keys", "restore", str(tmp_path / folder))
        assert (done.returncode, words in done.stderr) == (2, True), done.stderr
    assert not books.data.keys_path.exists()


def test_an_interrupted_copy_is_no_whole_one(tmp_path: Path) -> None:
    with closing(KeyStore(tmp_path / "keys")) as keys:
        keys.seal("p", "AccountOpened.name", "Jana")
    (tmp_path / "keys" / "checkpoint.key").write_bytes(b"x")
    (tmp_path / "keys" / "checkpoint.key").chmod(0o640)
    with pytest.raises(AuthorizationError, match="others can use"):
        copy_keys(tmp_path / "keys", tmp_path / "copy")
    assert not KeyStore.exists_in(tmp_path / "copy")


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """No file grows beyond a size, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _mirror(_: Path, target: Path) -> None:
    MirrorFolder(target).create("authority.example/mirror")


def _practice_keys(_: Path, target: Path) -> None:
    write_practice_keys(target)


@pytest.mark.parametrize(
    ("make", "size"),
    [(copy_keys, 0), (copy_keys, 8192), (_mirror, 0), (_practice_keys, 0), (_practice_keys, 2048)],
)
def test_what_a_full_disk_cut_off_is_removed_and_can_be_repeated(
    tmp_path: Path, make: Callable[[Path, Path], object], size: int
) -> None:
    source, target = tmp_path / "keys", tmp_path / "made"
    with closing(KeyStore(source)) as keys:
        keys.seal("p", "AccountOpened.name", "Jana")
    with files_up_to(size), pytest.raises(AvailabilityError, match=str(target)):
        make(source, target)
    assert list(target.iterdir()) == []
    make(source, target)
    assert len(list(target.iterdir())) > 1
