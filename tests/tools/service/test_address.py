"""Places to listen at: how they are written, and what is open then."""

from __future__ import annotations

import socket
from contextlib import closing

import pytest

from ledger.core.errors import AvailabilityError, InputError
from tools.service.address import Address, listening, taken


def _is_of_6() -> bool:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


of_6 = pytest.mark.skipif(not _is_of_6(), reason="this machine has no IPv6")


@pytest.mark.parametrize("text", ["127.0.0.1:7412", "writer-1:0", "[::1]:65535", "unix:/run/w"])
def test_a_place_is_written_as_it_is_read(text: str) -> None:
    assert str(Address.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    ["", "7412", ":7412", "host:", "host:x", "host:65536", "unix:w"]
    + [f"host:{port}" for port in ("²", "٧٤١٢", "7" * 5_000)],
)
def test_what_is_no_place_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is no place to listen"):
        Address.parse(text)


def test_a_path_is_no_place_for_http() -> None:
    with pytest.raises(InputError, match="is no place for HTTP"):
        listening("unix:/run/w")


@pytest.mark.parametrize(
    "host", ["127.0.0.1", *(pytest.param(one, marks=of_6) for one in ("[::1]", "[::]"))]
)
def test_where_a_port_was_taken_is_said_as_an_address_has_it(host: str) -> None:
    with closing(listening(f"{host}:0")) as one:
        place = Address.of(one)
        assert str(place) == f"{host}:{one.getsockname()[1]}"
        with pytest.raises(AvailabilityError, match="can't be listened at"):
            taken(place)


@of_6
def test_an_address_of_the_sixth_version_is_open_to_no_other() -> None:
    with closing(listening("[::]:0")) as one:
        port = one.getsockname()[1]
        socket.create_connection(("::1", port)).close()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port)).close()
