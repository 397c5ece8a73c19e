"""Run the service: listening address, certificates, timeouts for slow clients, graceful shutdown.

Requests are parsed by h11, which rejects ambiguous messages (request smuggling). A connection has a
time limit to say what it requests, and the number of connections is limited. With TLS a client may
show a certificate of the configured authority; its fingerprint identifies the reader.
"""

from __future__ import annotations

import os
import signal
import ssl
import sys
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any

import structlog
import uvicorn

from ledger.core.clock import HOUR, SystemClock
from ledger.core.errors import AvailabilityError, InputError, IntegrityError
from ledger.events.event_types import ChainOpened
from ledger.log.opening import opening_of
from projections.packages.country import CZ
from tools.access.access_service import AccessService
from tools.access.anchor import LOST, anchored, recorded_head, require_continued
from tools.access.chain import FOLDER, AccessChain
from tools.access.readers import AccessUser, Readers, new_token, trial_reader
from tools.access.refusals import Refusals
from tools.access.sessions import FailedTokens, Sessions
from tools.access.sources import Sources
from tools.access.warm_up import load_engine, warm_up
from tools.service.health import ProcessHealth
from tools.web.serving import config_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from ledger.log.port import Log
    from tools.access.pages_actions import Writers
    from tools.data import DataDirectory
    from tools.mirror.folder import MirrorFolder
    from tools.service.address import Address
    from tools.service.tls import TlsFiles

__all__ = ["access_chain", "open_service", "serve"]

_log = structlog.get_logger("gameledger.access")

CONNECTIONS_MAX = 256
KEEP_ALIVE_SECONDS = 15
DRAIN_SECONDS = 5
END_SECONDS = 9.0
"""After this the process ends whatever still runs: queries are cancelled before, Python is not."""
TRIAL_LASTS = 12 * HOUR
BEHIND_THE_WRITER = 10
"""How much less of a core that both want goes to readers than to the writer beside them."""
SWITCH_SECONDS = 0.0005
"""How long a thread computes while others wait: what asks the log a dozen times would else wait
as often for a page that is being drawn, 5 ms each."""


def access_chain(
    data: DataDirectory, log: Log, readers: Readers, *, serving: bool, is_successor: bool = False
) -> AccessChain:
    """Open the chain of accesses of a data directory, which is named after the main chain.

    Args:
        data: the directory.
        log: the main chain, whose last recorded head the chain of accesses must continue.
        readers: filled from the chain.
        serving: keep the chain open for long.
        is_successor: create a new chain in place of a lost one.

    Raises:
        IntegrityError: the chain is not the one that the main chain recorded, or lacks messages.
        InputError: a successor is requested although the chain exists.

    """
    opening, folder = opening_of(log), data.path / FOLDER
    known = recorded_head(log)
    is_there = (folder / "log.sqlite").exists()
    if is_successor and (is_there or known is None):
        raise InputError(
            f"{folder} holds a chain of accesses, or the chain recorded none: move what is left "
            "of it away first"
        )
    if known is not None and not is_there and not is_successor:
        raise IntegrityError(f"the chain of accesses {known.chain} is not in {folder}: {LOST}")
    name = f"{opening.chain}/access" if known is None else known.chain
    begun = ChainOpened(
        operator=opening.operator,
        operator_name=opening.operator_name,
        chain=_successor(name) if is_successor else name,
        format_version=opening.format_version,
        hash_algorithm=opening.hash_algorithm,
    )
    chain = AccessChain(folder, begun, readers.learn, serving=serving)
    try:
        if known is not None and not is_successor:
            require_continued(chain, known)
    except BaseException:
        chain.close()
        raise
    return chain


def _successor(name: str) -> str:
    """Return the name of the next chain: ``x/access-2`` after ``x/access``."""
    stem, _, number = name.rpartition("access")
    return f"{stem}access-{int(number.removeprefix('-') or 1) + 1}"


@contextmanager
def open_service(
    data: DataDirectory, *, is_secure: bool = False, token: str = "", country: str = CZ
) -> Iterator[tuple[AccessService, AccessUser | None]]:
    """Open everything that the service needs.

    Args:
        data: of the chain.
        is_secure: browsers connect over TLS.
        token: of the trial reader, which exists if no reader was ever recorded.
        country: code of the country whose packages are shown.

    Yields:
        The service, and the trial reader if there is one.

    """
    clock = SystemClock()
    sources = Sources(data, country)
    try:
        readers = Readers()
        with access_chain(data, sources.log, readers, serving=True) as chain:
            trial = None
            if token and not readers.all():
                trial = trial_reader(token, clock.now(), TRIAL_LASTS)
                readers.admit(trial)
            cookie = "__Host-gameledger" if is_secure else "gameledger"
            sessions, wrong = Sessions(clock), FailedTokens(clock)
            with anchored(data, chain), closing(Refusals(chain, clock)) as refusals:
                service = AccessService(
                    sources, chain, readers, sessions, wrong, refusals, cookie, clock
                )
                with closing(service.examiner):
                    yield service, trial
    finally:
        sources.close()


def serve(
    data: DataDirectory,
    address: Address,
    *,
    tls: TlsFiles | None,
    plain: bool,
    notify: Callable[[str, str], None],
    writers: Writers | None = None,
    tiles: Path | None = None,
    mirror: MirrorFolder | None = None,
    country: str = CZ,
) -> None:
    """Serve until SIGTERM or SIGINT; requests in progress are answered first.

    Args:
        data: of the chain.
        address: where to listen.
        tls: certificates; None: without TLS.
        plain: allow other machines without TLS, because a proxy in front terminates it.
        notify: called with the address, and the token of the trial reader or an empty text.
        writers: where actions are sent; by default there are no actions.
        tiles: folder of the published tiles, whose state the front page shows.
        mirror: the mirror of which the chain is a copy, for the page over all its logs.
        country: code of the country whose packages are shown.

    Raises:
        InputError: other machines could connect without TLS, or without a reader's credentials.
        AvailabilityError: the address is in use.

    """
    os.nice(BEHIND_THE_WRITER)
    token = new_token()
    if isinstance(data.tables_to_read(), Path):
        load_engine()
    opened = open_service(data, is_secure=tls is not None, token=token, country=country)
    with opened as (service, trial):
        service.tiles = tiles
        now = service.clock.now()
        is_read = trial is None and any(one.is_let_in(now) for one in service.readers.all())
        if not address.is_of_this_machine and not is_read:
            raise InputError(
                "no reader is admitted, so only this machine is served: add one with "
                "`gameledger reader add`, or listen on 127.0.0.1"
            )
        if not address.is_of_this_machine and tls is None and not plain:
            raise InputError(
                "tokens must not cross a network in the clear: give --tls-cert, --tls-key and "
                "--tls-ca, or --plain where something before it has TLS"
            )
        from tools.access.app import application  # while the engine starts

        warm_up()
        service.examiner.start()
        app = application(service, is_secure=tls is not None, writers=writers, mirror=mirror)
        ProcessHealth("serve", app.state.metrics.registry, data.path, data.certificates).enter(
            "serving", ready=True
        )
        config = config_of(
            app,
            None if tls is None else _context(tls),
            hosts=data.hosts,
            host=address.host,
            port=address.port,
            uds=str(address.path) if address.path else None,
            limit_concurrency=CONNECTIONS_MAX,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=DRAIN_SECONDS,
        )
        scheme = "http" if tls is None else "https"

        def listening(port: int) -> None:
            place = address._replace(port=port)
            notify(f"{scheme}://{place}/", token if trial else "")

        sys.setswitchinterval(SWITCH_SECONDS)
        _Server(config, listening, service.over.set).run()


class _Server(uvicorn.Server):
    """A uvicorn server that reports when and where it listens, and when it is to end."""

    def __init__(
        self,
        config: uvicorn.Config,
        listening: Callable[[int], None],
        ending: Callable[[], None],
    ) -> None:
        super().__init__(config)
        self._listening, self._ending = listening, ending

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._ending()
        if not self.should_exit:
            _end_in_time()
        super().handle_exit(sig, frame)

    async def startup(self, sockets: Any = None) -> None:
        try:
            await super().startup(sockets)
        except SystemExit as error:  # uvicorn ends the process if it can't listen
            place = f"{self.config.host}:{self.config.port}"
            text = f"{place} can't be listened on: it is in use, or not of this machine"
            raise AvailabilityError(text) from error
        names = [one.getsockname() for server in self.servers for one in server.sockets]
        self._listening(next((name[1] for name in names if isinstance(name, tuple)), 0))

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End on SIGTERM and SIGINT without raising them again, since the end was requested."""
        numbers = (signal.SIGTERM, signal.SIGINT)
        before = [signal.signal(number, self.handle_exit) for number in numbers]
        try:
            yield
        finally:
            for number, handler in zip(numbers, before, strict=True):
                signal.signal(number, handler)


def _end_in_time() -> None:
    """End the process after a while if a thread still waits for the engine then.

    Nothing is lost: accesses are recorded before answers are sent, and tables left open are
    checked when they are opened again.
    """

    def end() -> None:
        _log.warning("ended_while_busy", seconds=END_SECONDS)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)

    timer = Timer(END_SECONDS, end)
    timer.daemon = True
    timer.start()


def _context(tls: TlsFiles) -> ssl.SSLContext:
    """Return a TLS context that requests a client certificate but does not require one."""
    context = tls.for_writer()
    context.verify_mode = ssl.CERT_OPTIONAL
    return context
