"""The port for the authority refuses a request that another reader could end elsewhere."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

import pytest

from ledger.log.memory import MemoryLog
from tests.tools.delivery.delivery_cases import make_keys, write_delivery
from tests.tools.framing_cases import AMBIGUOUS, require_closed_unread, require_refused
from tools.data import DataDirectory
from tools.data.locations import LOCAL
from tools.delivery.authority_endpoint import AuthorityEndpoint
from tools.delivery.exchange import Exchange
from tools.delivery.recorder import Recorder
from tools.delivery.server import admitted_fingerprints, for_authority, serving, to_authority
from tools.delivery.settings import read_delivery
from tools.service.address import listening

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Iterator

SECONDS_MAX = 60
NOTICES = "/notify/accepted"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Any]]:
    """Connect to the port with the certificate of a name."""
    folder = tmp_path_factory.mktemp("delivery")
    make_keys(folder / "keys")
    given = read_delivery(write_delivery(folder / "keys"))
    endpoint = AuthorityEndpoint(
        given,
        folder / "sealed",
        Exchange(MemoryLog()),
        Recorder(DataDirectory(folder / "data", LOCAL)),
        sealed=".zip.p7e.p7s",
        admitted_fingerprints=admitted_fingerprints(given.server),
        notify=lambda *_, **__: None,
        noticed=lambda _: None,
    )
    with (
        listening("127.0.0.1:0") as listener,
        serving(endpoint.app, listener, for_authority(given.server)),
    ):
        keys, place = folder / "keys", listener.getsockname()

        def connect(name: str) -> ssl.SSLSocket:
            context = to_authority(given.client)
            context.load_cert_chain(keys / f"{name}.crt", keys / f"{name}.pem")
            plain = socket.create_connection(place, SECONDS_MAX)
            return context.wrap_socket(plain, server_hostname="localhost")

        yield connect


@pytest.mark.parametrize("fields", AMBIGUOUS.values(), ids=AMBIGUOUS.keys())
def test_a_request_that_can_be_read_in_two_ways_is_refused_on_every_path(
    port: Callable[[str], Any], fields: bytes
) -> None:
    for path in (NOTICES, "/nothing"):
        require_refused(lambda: port("authority-client"), path, fields)


@pytest.mark.parametrize("path", ["/nothing", "/data/none.zip.p7e"])
def test_an_answer_before_the_body_was_read_closes_the_connection(
    port: Callable[[str], Any], path: str
) -> None:
    require_closed_unread(lambda: port("authority-client"), path)
