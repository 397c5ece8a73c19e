"""The mirror of the demo: an authority that holds the chain, and one of a second licence."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.clock import StoppedClock, in_prague
from ledger.decisions.operator.devices import AssignDevice
from ledger.decisions.operator.keys import AddSigningKey, RecordCheckpoint
from ledger.decisions.operator.setup import (
    LaunchGame,
    ListGame,
    OpenCasino,
    OpenTable,
    PublishRules,
)
from ledger.events.event_types import DeviceAssigned
from ledger.log.limited_call import CallLimits, call_with_limits
from ledger.log.port import Query, events_at
from ledger.rules.operator import rules_for
from ledger.tlog.signing import SigningKey
from tools.access.questions.licences import LicenceDevices, licence_devices
from tools.cli._output import echo
from tools.data import DataDirectory
from tools.data.locations import LOCAL
from tools.mirror.asking import fill
from tools.mirror.folder import MirrorFolder
from tools.mirror.mirror import Mirror
from tools.mirror.pulling import pull
from tools.mirror.shared_tables import SharedTables
from tools.mirror.status import CopyStatus, copies_of

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["LicenceCopies", "hold_in_process", "sign"]

FILL_SECONDS = 300.0
LIMITS = CallLimits(seconds=600, memory_bytes=1 << 44)
"""The engine of the tables maps far more memory than it uses."""
GAME = "sazka.roulette_evolution"


class LicenceCopies(NamedTuple):
    """What the mirror holds, and the devices that both chains have recorded."""

    copies: list[CopyStatus]
    devices: LicenceDevices


def sign(directory: DataDirectory, moment: int) -> None:
    """Sign a chain with a new key.

    Args:
        directory: of the chain.
        moment: when it is signed, in microseconds; not before the chain ends.

    """
    with directory.write(clock=StoppedClock(moment)) as ledger:
        key = SigningKey.create(directory.signing_key_path, ledger.chain)
        ledger.execute(
            AddSigningKey(key_id=key.key_id, public_key=key.public.raw, reason="Of the demo.")
        )
        ledger.execute(RecordCheckpoint.of(ledger.checkpoint(), key))


def hold_in_process(folder: Path, data: Path, moment: int) -> LicenceCopies:
    """Hold copies in a process of its own, on the second core; see :func:`_hold_copies`."""
    return call_with_limits(_hold_copies, LIMITS, folder, data, moment)


def _hold_copies(folder: Path, data: Path, moment: int) -> LicenceCopies:
    """Mirror a signed chain and one of a second licence, and compare their devices.

    Args:
        folder: of the mirror.
        data: of the evening; that of an operator with one of its wheels is made in ``licence``.
        moment: when the second chain and the copies are signed, in microseconds.

    """
    chain, second = DataDirectory(data, LOCAL), DataDirectory(data / "licence", LOCAL)
    _begin_second(second, chain, moment)
    held = MirrorFolder(folder)
    held.create("authority.example/mirror")
    with closing(Mirror(held, StoppedClock(moment), echo)) as mirror:
        for source in (second, chain):
            key = SigningKey.load(source.signing_key_path).public
            with held.turn() as turn:
                turn.add_key(key)
            pull(mirror, key.name, str(source))
    with SharedTables(held) as shared:
        fill(held, shared, seconds=FILL_SECONDS)
        return LicenceCopies(copies_of(held, moment), licence_devices.ask(shared))


def _begin_second(second: DataDirectory, chain: DataDirectory, moment: int) -> None:
    """Record a table with a wheel that another licence has recorded, too."""
    with closing(chain.read()) as log:
        recorded = events_at(log, log.find(Query(types=("DeviceAssigned",)))[:1])
        serial = next(one.event.serial for one in recorded if isinstance(one.event, DeviceAssigned))
    with second.create(
        operator="12345678",
        operator_name="Druhá licence a.s.",
        chain="second-live",
        rules=rules_for("12345678", "sazka"),
        clock=StoppedClock(moment),
    ) as ledger:
        version = in_prague(moment).replace(year=2025, month=1, day=21)
        for command in (
            ListGame(game=GAME, name="Roulette"),
            PublishRules(game=GAME, plan_version="2025-01-21", effective_from=version),
            LaunchGame(game=GAME),
            OpenCasino(place="s", name="Studio", kind="studio", address="Brno"),
            OpenTable(table="t1", registration="1", game=GAME, place="s", streamed=True),
            AssignDevice(table="t1", device="w1", kind="wheel", serial=serial),
        ):
            ledger.execute(command)
    sign(second, moment)
