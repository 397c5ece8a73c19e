"""A fact that another process records meanwhile is answered as one that was recorded before."""

from __future__ import annotations

from contextlib import closing
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import InputError
from ledger.log.sqlite import SqliteLog
from tests.tools.delivery.delivery_cases import make_keys, publish, recorded, write_delivery
from tools.data import DataDirectory
from tools.data.locations import LOCAL
from tools.delivery.authority_endpoint import AuthorityEndpoint
from tools.delivery.exchange import Exchange
from tools.delivery.recorder import Recorder
from tools.delivery.settings import read_delivery

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.events.command import Command


CLIENT = "ab" * 32


class SecondRecorder(Recorder):
    """A recorder that comes second: another process records the same fact just before."""

    def record(self, command: Command) -> None:
        super().record(command)
        super().record(command)


class RefusingRecorder(Recorder):
    def record(self, command: Command) -> None:
        raise InputError(f"{type(command).__name__} is refused")


def endpoint_with(kind: type[Recorder], folder: Path, states: list[str]) -> AuthorityEndpoint:
    return AuthorityEndpoint(
        read_delivery(write_delivery(folder / "keys")),
        folder / "data" / "sealed",
        Exchange(SqliteLog(folder / "data", writable=False)),
        kind(DataDirectory(folder / "data", LOCAL)),
        sealed=".zip.p7e.p7s",
        admitted_fingerprints=frozenset(),
        notify=lambda state, **_: states.append(state),
        noticed=lambda _: None,
    )


def test_facts_that_another_process_recorded_meanwhile_are_known(tmp_path: Path) -> None:
    make_keys(tmp_path / "keys")
    package, *_ = publish(tmp_path / "data", 1)
    states: list[str] = []
    endpoint = endpoint_with(SecondRecorder, tmp_path, states)
    with closing(endpoint._exchange._log):
        assert endpoint._record_notice(package, "OK", CLIENT) == HTTPStatus.OK
        published = endpoint._published(package)
        assert published is not None
        endpoint._record_fetch(package, published, CLIENT)
    assert states == ["noticed_again", "fetched_again"]
    assert len(recorded(tmp_path / "data", "NoticeReceived", "PackageFetched")) == 2


def test_another_refusal_of_the_chain_is_an_error(tmp_path: Path) -> None:
    make_keys(tmp_path / "keys")
    package, *_ = publish(tmp_path / "data", 1)
    endpoint = endpoint_with(RefusingRecorder, tmp_path, [])
    with closing(endpoint._exchange._log), pytest.raises(InputError, match="is refused"):
        endpoint._record_notice(package, "OK", CLIENT)
