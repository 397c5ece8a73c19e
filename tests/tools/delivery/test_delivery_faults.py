"""Killed between any two steps, and a disk that is full: nothing twice, nothing lost."""

from __future__ import annotations

import errno
import itertools
import os
import random
import shutil
import signal
import time
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest

from ledger.core.errors import AvailabilityError
from ledger.decisions.delivery import RecordNotice
from ledger.decisions.packages import RecordPackage
from ledger.rules.operator import rules_for
from projections.packages.country import country_of
from projections.packages.cz import country as cz
from projections.packages.cz.names import PackageName
from projections.packages.status import PeriodStatus
from tests.projections.packages.package_cases import NAME, ROWS, write_package
from tests.projections.packages.seal_certificates import vouched
from tests.search import amount
from tests.tools.cli_cases import SECONDS_MAX
from tests.tools.delivery.delivery_cases import exchange, recorded
from tools import whole_files
from tools.data import DataDirectory
from tools.delivery import fetching, publishing
from tools.delivery.exchange import Exchange
from tools.delivery.fetching import ConfirmationFetcher
from tools.delivery.publishing import NotValidError, SealingKeys, publish_due
from tools.delivery.recorder import Recorder
from tools.delivery.settings import read_delivery

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.tools.delivery.delivery_cases import Authority

KILLED = 9
STEPS_MAX = 40


@pytest.fixture(scope="module")
def both(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Path, Path, Authority, list[str]]]:
    with exchange(tmp_path_factory.mktemp("faults"), 1) as ends:
        yield ends


def killed_at(step: int, work: Callable[[], object]) -> bool:
    """Do work in a process that is killed before or after the so-manieth step; false if it ended.

    Steps are what leaves a trace: a record, a file, a question to the other end.
    """
    child = os.fork()
    if child == 0:
        code = 1
        try:
            with _counting(step):
                work()
            code = 0
        finally:
            os._exit(code)
    deadline = time.monotonic() + SECONDS_MAX
    while not (ended := os.waitpid(child, os.WNOHANG))[0]:
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
        time.sleep(0.001)
    code = os.waitstatus_to_exitcode(ended[1])
    assert time.monotonic() < deadline, f"the work did not end, at step {step}"
    assert code in {0, KILLED}, f"the work failed at step {step}"
    return code == KILLED


def steps() -> Iterator[int]:
    """Count the steps at which work is killed: every second one, in a search each of them."""
    apart = amount(2, 1)
    return itertools.count(1 + random.randrange(apart), apart)


@contextmanager
def _counting(last: int) -> Iterator[None]:
    count = 0

    def here() -> None:
        nonlocal count
        count += 1
        if count == last:
            os._exit(KILLED)

    def counted(function: Any) -> Any:
        def called(*arguments: Any, **more: Any) -> Any:
            here()
            found = function(*arguments, **more)
            here()
            return found

        return called

    with (
        mock.patch.object(Recorder, "record", counted(Recorder.record)),
        mock.patch.object(fetching, "send_request", counted(fetching.send_request)),
        mock.patch.object(fetching, "write_whole", counted(fetching.write_whole)),
        mock.patch.object(publishing, "write_whole", counted(publishing.write_whole)),
        mock.patch.object(Path, "rename", counted(Path.rename)),
    ):
        yield


def _fetch_all(data: Path, delivery: Path) -> float:
    log = DataDirectory(data).read()
    try:
        return ConfirmationFetcher(
            read_delivery(delivery),
            data / "confirmations",
            Exchange(log),
            Recorder(DataDirectory(data), patience=0),
            country=country_of("cz"),
            notify=lambda *_, **__: None,
        ).work()
    finally:
        log.close()


def _notice(data: Path, package: str) -> None:
    with DataDirectory(data).write() as ledger:
        ledger.execute(RecordNotice(package=package, verdict="OK", client="a" * 64, source="t"))


@pytest.mark.slow
@pytest.mark.law("L-4")
def test_a_confirmation_is_recorded_once_wherever_the_service_is_killed(
    both: tuple[Path, Path, Authority, list[str]], tmp_path: Path
) -> None:
    data, delivery, authority, (package, _) = both
    digest = authority.do("confirm", package=package, verdict="OK")["digest"]
    for step in steps():
        here = shutil.copytree(data, tmp_path / f"data-{step}")
        _notice(here, package)
        was_killed = killed_at(step, lambda here=here: _fetch_all(here, delivery))
        if was_killed:
            _fetch_all(here, delivery)
        found = recorded(here, "ConfirmationFetched", "ConfirmationReceived")
        assert [type(one).__name__ for one in found] == [
            "ConfirmationFetched", "ConfirmationReceived",
        ], f"killed at step {step}"  # fmt: skip
        assert {one.file_digest for one in found} == {digest}
        kept = here / "confirmations" / digest[:16] / found[0].confirmation
        assert sha256(kept.read_bytes()).hexdigest() == digest
        log = DataDirectory(here).read()
        assert Exchange(log).open_notices() == []
        log.close()
        if not was_killed:
            break
        assert step < STEPS_MAX
    assert step > 8


def test_a_full_disk_delays_a_confirmation_and_loses_nothing(
    both: tuple[Path, Path, Authority, list[str]], tmp_path: Path
) -> None:
    data, delivery, authority, (package, _) = both
    authority.do("confirm", package=package, verdict="OK")
    here = shutil.copytree(data, tmp_path / "data")
    _notice(here, package)
    with _full_disk():
        assert _fetch_all(here, delivery) < 1, "it is tried again"
    assert recorded(here, "ConfirmationFetched") == []
    assert [path for path in (here / "confirmations").rglob("*") if path.is_file()] == []
    _fetch_all(here, delivery)
    assert len(recorded(here, "ConfirmationReceived")) == 1


@contextmanager
def _full_disk() -> Iterator[None]:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with mock.patch.object(whole_files, "os", SimpleNamespace(**vars(os) | {"fsync": full})):
        yield


class Calendar:
    """The country, with idle periods written by hand in the place of what tables give."""

    def __init__(self, data: Path, *, spoilt: PackageName | None = None) -> None:
        self._data, self._spoilt = data, spoilt
        self._names = [NAME, NAME.following]

    def __getattr__(self, name: str) -> Any:
        return getattr(cz, name)

    def _known(self, name: PackageName) -> list[str]:
        types = ("PackageBuilt", "PackagePublished")
        return [type(one).__name__ for one in recorded(self._data, *types, package=str(name))]

    def _all(self, state: str) -> Iterator[PackageName]:
        states = {0: "due", 1: "built", 2: "published"}
        return (one for one in self._names if states[len(self._known(one))] == state)

    def periods_with_status(self, *_: object) -> list[PeriodStatus]:
        return [
            PeriodStatus(str(one), one.period, int(state != "due"), state, False, 0)  # type: ignore[arg-type]
            for one in self._names
            for state in ("due", "built", "published")
            if one in self._all(state)
        ]

    def pending_jobs(self, *_: object) -> list[Any]:
        return [SimpleNamespace(name=one) for one in self._all("due")]

    def job_for(self, _s: object, _r: object, _n: int, period: str, *, version: None) -> Any:
        assert version is None, "the first version is built anew under its number"
        return SimpleNamespace(name=PackageName.of_period(NAME.operator, period))

    def run(self, _: object, job: Any, out: Path) -> Any:
        rows = {"provozovatel": ("1;x",) if job.name == self._spoilt else ROWS["provozovatel"]}
        left_out = () if job.name.has_rates else ["mena_kurs"]
        folder = out / str(job.name)
        if not folder.exists():
            write_package(out, rows, package=job.name, files_left_out=left_out)
        with TemporaryDirectory() as place:
            digest = cz.pack(folder, Path(place)).digest
        command = RecordPackage(
            package=str(job.name), known_at=1, files={}, digest=digest, settings="{}", source="t"
        )
        known = self._known(job.name)
        return SimpleNamespace(
            built=SimpleNamespace(folder=folder), command=None if known else command
        )


def _publish(data: Path, of: Calendar) -> list[str]:
    means = SealingKeys(vouched("operator"), [vouched("authority").certificate])
    record = Recorder(DataDirectory(data), patience=0).record
    store: Any = None
    with publishing.publishing(data):
        done = publish_due(store, data, of, means, record, readings=None, now=0)  # type: ignore[arg-type]
        return [one.package for one in done]


def _begun(data: Path) -> Path:
    with DataDirectory(data).create(
        operator="12345678", rules=rules_for("", "sazka"), operator_name="A", chain="c"
    ):
        return data


@pytest.mark.slow
def test_every_package_is_published_once_wherever_a_run_is_killed(tmp_path: Path) -> None:
    empty = _begun(tmp_path / "empty")
    for step in steps():
        data = shutil.copytree(empty, tmp_path / f"data-{step}")
        was_killed = killed_at(step, lambda data=data: _publish(data, Calendar(data)))
        before = [one.series for one in recorded(data, "PackagePublished")]
        again = _publish(data, Calendar(data))
        found = recorded(data, "PackagePublished")
        assert len(before) + len(again) == len(found) == 2, f"killed at step {step}"
        assert len({one.series for one in found}) == 2
        for one in found:
            content = (data / "sealed" / one.file).read_bytes()
            assert sha256(content).hexdigest() == one.file_digest, "what is served is that file"
        assert _publish(data, Calendar(data)) == []
        if not was_killed:
            break
        assert step < STEPS_MAX
    assert step > 12


def test_a_full_disk_publishes_nothing_and_the_next_run_everything(tmp_path: Path) -> None:
    data = _begun(tmp_path / "data")
    with _full_disk(), pytest.raises(AvailabilityError, match="No space left"):
        _publish(data, Calendar(data))
    assert recorded(data, "PackagePublished") == []
    assert list((data / "sealed").iterdir()) == []
    assert len(_publish(data, Calendar(data))) == 2


def test_a_run_stops_before_a_package_that_is_not_valid_and_all_behind_it(tmp_path: Path) -> None:
    data = _begun(tmp_path / "data")
    for _ in range(2):
        with pytest.raises(NotValidError, match="neither it nor a later one was published"):
            _publish(data, Calendar(data, spoilt=NAME.following))
        assert [one.series for one in recorded(data, "PackagePublished")] == [str(NAME)[:-3]]
        assert len(list((data / "sealed").iterdir())) == 1


def test_two_runs_at_a_time_are_one(tmp_path: Path) -> None:
    data = _begun(tmp_path / "data")
    with publishing.publishing(data), pytest.raises(AvailabilityError, match="by another run"):
        _publish(data, Calendar(data))
