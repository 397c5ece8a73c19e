"""Clients of kafka-python that release everything on failure, and calls with a time limit."""

from __future__ import annotations

import logging
from contextlib import suppress
from operator import attrgetter
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

import kafka
from kafka.errors import KafkaConnectionError, KafkaError, KafkaTimeoutError
from kafka.net.compat import KafkaNetClient

from ledger.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["bounded", "connect", "require_parts"]

_CONNECTIONS = logging.getLogger("kafka.net.connection")
_CAUSES_MAX = 3

Client = TypeVar("Client")
Answer = TypeVar("Answer")


def connect(kind: Callable[..., Client], **options: Any) -> Client:
    """Create a client; if no broker answers, close its sockets and threads.

    Raises:
        KafkaError: no broker answers, or it rejects the client.

    """
    begun: list[Any] = []
    causes = _Causes()
    _CONNECTIONS.addHandler(causes)

    def begin(**configuration: Any) -> Any:
        begun.append(KafkaNetClient(**configuration))
        return begun[-1]

    try:
        return kind(**options, kafka_client=begin)
    except BaseException as error:
        for each in begun:
            with suppress(Exception):
                each.close()
        if isinstance(error, KafkaTimeoutError) and causes.found:
            raise KafkaConnectionError(f"no connection: {causes.text}") from error
        raise
    finally:
        _CONNECTIONS.removeHandler(causes)


def bounded(call: Callable[[], Answer], seconds: float, what: str) -> Answer:
    """Wait for a call up to a time limit; a slower call continues in the background.

    Raises:
        KafkaTimeoutError: the limit was exceeded.
        KafkaError: it failed.

    """
    answers: list[Answer] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            answers.append(call())
        except BaseException as error:  # noqa: BLE001 - handed to the thread that waits
            errors.append(error)

    thread = Thread(target=run, name="gameledger-kafka", daemon=True)
    thread.start()
    thread.join(seconds)
    if answers:
        return answers[0]
    if not errors:
        raise KafkaTimeoutError(f"{what} took longer than {seconds:g} s")
    (error,) = errors
    raise error if isinstance(error, KafkaError) else KafkaError(repr(error))


def require_parts(client: object, parts: Iterable[str]) -> None:
    """Check that a client has the private parts that we use; another version may lack them.

    Args:
        client: a client of kafka-python.
        parts: paths of attributes from it, with dots.

    Raises:
        InputError: one is missing.

    """
    for part in parts:
        try:
            attrgetter(part)(client)
        except AttributeError as error:
            raise InputError(
                f"kafka-python {kafka.__version__} has no {type(client).__name__}.{part}, which "
                "the log on Kafka uses: install the version that requirements.txt locks"
            ) from error


class _Causes(logging.Handler):
    """Collects the reasons why connections were lost, which kafka-python only logs.

    Otherwise every such failure, such as a wrong password or an untrusted certificate, would be
    reported as a timeout.
    """

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        self.found.add(record.getMessage().partition("Connection lost: ")[2])

    @property
    def text(self) -> str:
        """The reasons that say most."""
        return "; ".join(sorted(self.found, key=len, reverse=True)[:_CAUSES_MAX])
