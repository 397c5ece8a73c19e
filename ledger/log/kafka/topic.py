"""The topic of a log: created with safe settings, and checked before it is trusted.

A topic that expires, compacts, has several partitions or elects a leader without the data would
lose acknowledged messages, silently and much later. Every setting that can cause that is checked
before a writer starts and while it leads; an unsafe one is rejected, and the command that corrects
it is a note of the error. A reader is only warned: what the topic still holds proves itself.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kafka.admin import ConfigResource, ConfigResourceType, KafkaAdminClient
from kafka.errors import (
    KafkaError,
    TopicAlreadyExistsError,
    TransactionalIdNotFoundError,
    UnknownTopicOrPartitionError,
)

from ledger.core.errors import AvailabilityError, InputError
from ledger.log.kafka.client import bounded, connect

if TYPE_CHECKING:
    from ledger.log.kafka.settings import KafkaSettings

__all__ = [
    "Wanted",
    "admin_of",
    "fault_of",
    "last_writer_mark_of",
    "make_topic",
    "require_copies",
    "require_settings",
    "safe_settings",
    "unreachable",
]

Wanted = dict[str, tuple[str, Any]]
"""By setting of a topic: the value used at creation, and the accepted values."""

_READABLE = {"producer", "uncompressed", "gzip"}
"""Compressions that every reader supports without further packages."""


def make_topic(settings: KafkaSettings) -> None:
    """Create the topic if there is none.

    Raises:
        AvailabilityError: no broker answers, or there are too few for the replication.

    """
    wanted = {name: value for name, (value, _) in _wanted(settings).items()}
    try:
        with closing(admin_of(settings)) as admin:
            if settings.topic in admin.list_topics():
                return
            topic_settings = {
                "num_partitions": 1,
                "replication_factor": settings.replication,
                "configs": wanted,
            }
            try:
                admin.create_topics({settings.topic: topic_settings}, wait_for_metadata=True)
            except TopicAlreadyExistsError:
                admin.wait_for_topics([settings.topic])
    except KafkaError as error:
        raise unreachable(settings, error) from error


def fault_of(settings: KafkaSettings) -> InputError | None:
    """Return why nothing may be written to the topic; None if every setting is safe.

    Raises:
        InputError: there is no such topic.
        AvailabilityError: no broker answers.

    """
    try:
        with closing(admin_of(settings)) as admin:
            partitions = _partitions(admin, settings)
            try:
                _check_partitions(settings, partitions)
                require_settings(admin, settings, settings.topic, _wanted(settings))
            except InputError as fault:
                return fault
    except KafkaError as error:
        raise unreachable(settings, error) from error
    return None


def require_settings(
    admin: KafkaAdminClient, settings: KafkaSettings, topic: str, wanted: Wanted
) -> None:
    """Check settings of a topic of the cluster.

    Raises:
        InputError: one is unsafe; a note contains the command that corrects it.
        KafkaError: the broker does not answer.

    """
    resource = ConfigResource(ConfigResourceType.TOPIC, topic)
    configs = admin.describe_configs([resource], config_filter="all")["topic"][topic]
    wrong = {
        name: (configs[name]["value"], right)
        for name, (right, is_right) in wanted.items()
        if not is_right(configs[name]["value"])
    }
    if wrong:
        words = ", ".join(f"{name} is {is_}, not {right}" for name, (is_, right) in wrong.items())
        mending = ",".join(f"{name}={right}" for name, (_, right) in wrong.items())
        raise _with_command(
            f"topic {topic} could lose messages or refuse them: {words}; mend it with the command",
            f"kafka-configs.sh --bootstrap-server {settings.bootstrap} --alter "
            f"--entity-type topics --entity-name {topic} --add-config {mending}",
        )


def require_copies(settings: KafkaSettings, topic: str, partitions: list[dict[str, Any]]) -> None:
    """Reject a topic with a partition that has fewer replicas than configured.

    Raises:
        InputError: a partition has; a note contains the command that corrects it.

    """
    copies = min(len(partition["replica_nodes"]) for partition in partitions)
    if copies < settings.replication:
        raise _with_command(
            f"topic {topic} has {copies} replicas, not {settings.replication}: declare a set-up "
            "for development with replication=1 in the URL, or write "
            f'{{"version":1,"partitions":[{{"topic":"{topic}","partition":0,"replicas":[…]}}]}} '
            f"with {settings.replication} node numbers into plan.json and use the command",
            f"kafka-reassign-partitions.sh --bootstrap-server {settings.bootstrap} "
            "--reassignment-json-file plan.json --execute",
        )


def safe_settings(settings: KafkaSettings) -> Wanted:
    """Return the settings that preserve acknowledged messages during the retention time."""
    largest, insync = settings.message_bytes_max, settings.insync
    return {
        "cleanup.policy": ("delete", lambda value: value == "delete"),
        "min.insync.replicas": (str(insync), lambda value: int(value) >= insync),
        "unclean.leader.election.enable": ("false", lambda value: value == "false"),
        "max.message.bytes": (str(largest), lambda value: int(value) >= largest),
    }


def last_writer_mark_of(settings: KafkaSettings) -> int | None:
    """Return the mark of the writer that took the right to write last; None if none ever did.

    Raises:
        KafkaError: the responsible broker does not answer.

    """
    name = settings.transactional_id

    def ask() -> Any:
        with closing(admin_of(settings)) as admin:
            return admin.describe_transactions([name])[name]

    try:
        described = bounded(ask, 2 * settings.request_seconds, "looking up the owner of the topic")
    except TransactionalIdNotFoundError:
        return None
    return int(described.transaction_timeout_ms) - settings.transaction_ms


def unreachable(settings: KafkaSettings, error: Exception) -> AvailabilityError:
    """Return the error that the broker cannot be used, with the reason."""
    text = (
        f"topic {settings.topic} at {settings.bootstrap} can't be used ({_describe_error(error)})"
    )
    return AvailabilityError(f"{text}: look at the brokers and repeat")


def admin_of(settings: KafkaSettings) -> KafkaAdminClient:
    """Open an admin client, which the caller closes.

    Raises:
        KafkaError: no broker answers.

    """
    options = settings.connection()
    del options["metrics_enabled"]
    return connect(KafkaAdminClient, **options)


def _partitions(admin: KafkaAdminClient, settings: KafkaSettings) -> list[dict[str, Any]]:
    missing = InputError(
        f"there is no topic {settings.topic} at {settings.bootstrap}: begin a chain with "
        "`gameledger init`, or name another topic"
    )
    try:
        (described,) = admin.describe_topics([settings.topic])
    except UnknownTopicOrPartitionError as error:
        raise missing from error
    if described["error_code"] == UnknownTopicOrPartitionError.errno:
        raise missing
    partitions: list[dict[str, Any]] = described["partitions"]
    return partitions


def _check_partitions(settings: KafkaSettings, partitions: list[dict[str, Any]]) -> None:
    topic = settings.topic
    if len(partitions) != 1:
        raise _with_command(
            f"topic {topic} has {len(partitions)} partitions and a chain has one, which can't be "
            "undone: nothing is written there any more; copy the chain, which is in partition 0 "
            "and can be read, to a topic of its own",
            f"gameledger log copy {settings.url} {replace(settings, topic=f'{topic}-1').url}",
        )
    require_copies(settings, topic, partitions)


def _wanted(settings: KafkaSettings) -> Wanted:
    """Return the settings of a topic that retains a chain without a time limit."""
    return {
        **safe_settings(settings),
        "retention.ms": ("-1", lambda value: value == "-1"),
        "retention.bytes": ("-1", lambda value: value == "-1"),
        "compression.type": ("producer", lambda value: value in _READABLE),
    }


def _with_command(text: str, command: str) -> InputError:
    error = InputError(text)
    error.add_note(command)
    return error


def _describe_error(error: Exception) -> str:
    return str(error) or type(error).__name__
