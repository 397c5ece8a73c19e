"""``--listen unix:PATH`` replaces a socket of ours that nobody serves, and nothing else."""

from __future__ import annotations

import os
import socket
import stat
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import AvailabilityError, InputError
from tests.tools.cli_cases import run
from tools.service.socket_file import SocketFile

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_log_at_the_path_of_the_socket_is_left_alone(studio: Path) -> None:
    path = studio / "log.sqlite"
    before = path.read_bytes()
    done = run("writer", "--listen", f"unix:{path}", data=studio)
    assert done.returncode == 2
    assert f"{path} is no socket" in done.stderr
    assert path.read_bytes() == before


def _file(path: Path) -> None:
    path.write_bytes(b"evidence")


def _folder(path: Path) -> None:
    path.mkdir()


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _link_to_a_file(path: Path) -> None:
    _file(path.with_name("file"))
    path.symlink_to("file")


def _link_to_a_dead_socket(path: Path) -> None:
    _dead_socket(path.with_name("dead"))
    path.symlink_to("dead")


def _link_to_nothing(path: Path) -> None:
    path.symlink_to("nothing")


def _dead_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))


def _socket_of_another_user(path: Path) -> None:
    if os.geteuid():
        pytest.skip("only root can give a socket away")
    _dead_socket(path)
    os.chown(path, 4_711, -1)


@pytest.mark.parametrize(
    "lay",
    [
        _file,
        _folder,
        _pipe,
        _link_to_a_file,
        _link_to_a_dead_socket,
        _link_to_nothing,
        _socket_of_another_user,
    ],
)
def test_what_is_not_ours_is_named_and_left_alone(
    tmp_path: Path, lay: Callable[[Path], None]
) -> None:
    """Also when it came between the start of a standby and its turn."""
    path = tmp_path / "socket"
    file = SocketFile(path)
    lay(path)
    before = path.lstat()
    with socket.socket(socket.AF_UNIX) as listening:
        for use in (lambda: SocketFile(path), lambda: file.listen(listening, 1)):
            with pytest.raises(InputError, match=f"{path} is .* left alone"):
                use()
    file.remove()
    after = path.lstat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_socket_that_is_served_stays_with_who_serves_it(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    with closing(socket.socket(socket.AF_UNIX)) as served, socket.socket(socket.AF_UNIX) as second:
        served.bind(str(path))
        served.listen()
        file = SocketFile(path)  # a standby may wait for this path
        with pytest.raises(AvailabilityError, match="served by another process"):
            file.listen(second, 1)
        file.remove()
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(path))


def test_socket_that_takes_datagrams_is_served(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    with (
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as served,
        socket.socket(socket.AF_UNIX) as second,
    ):
        served.bind(str(path))
        with pytest.raises(AvailabilityError, match="served"):
            SocketFile(path).listen(second, 1)
        assert stat.S_ISSOCK(path.lstat().st_mode)


def test_dead_socket_is_replaced_and_only_our_own_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    _dead_socket(path)
    files = [SocketFile(path) for _ in range(2)]
    for file in files:
        with socket.socket(socket.AF_UNIX) as listening:
            file.listen(listening, 1)
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
    files[0].remove()  # it was replaced by the second
    assert path.exists()
    files[1].remove()
    files[1].remove()
    assert not path.exists()


@pytest.mark.parametrize("name", ["missing/socket", "s" * 200])
def test_path_that_can_hold_no_socket_is_an_input_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="socket"):
        SocketFile(tmp_path / name)


def test_group_that_is_none_is_an_input_error(tmp_path: Path) -> None:
    file = SocketFile(tmp_path / "socket", "no-such-group")
    with socket.socket(socket.AF_UNIX) as listening, pytest.raises(InputError, match="no-such"):
        file.listen(listening, 1)
    assert not (tmp_path / "socket").exists()
