"""Clients of kafka-python, made so that a failure leaves nothing behind, and calls with a bound."""

from __future__ import annotations

from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from kafka.errors import KafkaError, KafkaTimeoutError
from kafka.net.compat import KafkaNetClient

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["bounded", "connect"]

Client = TypeVar("Client")
Answer = TypeVar("Answer")


def connect(kind: Callable[..., Client], **options: Any) -> Client:
    """Make a client; if no broker answers, close the sockets and threads that it had begun.

    Raises:
        KafkaError: no broker answers, or it refuses.

    """
    begun: list[Any] = []

    def begin(**configuration: Any) -> Any:
        begun.append(KafkaNetClient(**configuration))
        return begun[-1]

    try:
        return kind(**options, kafka_client=begin)
    except BaseException:
        for each in begun:
            with suppress(Exception):
                each.close()
        raise


def bounded(call: Callable[[], Answer], seconds: float, what: str) -> Answer:
    """Wait for a call for so long; one that takes longer goes on without anybody waiting.

    Raises:
        KafkaTimeoutError: it took longer.
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
