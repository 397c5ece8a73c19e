"""The topic of a log: created with safe settings, and checked before it is trusted.

A topic that expires, compacts, has several partitions or elects a leader without the data would
lose acknowledged messages, silently and much later. Every setting that can cause that is checked
before a writer starts and while it leads; an unsafe one is rejected, and the command that corrects
it is a note of the error. A reader is only warned: what the topic still holds proves itself.
"""

from __future__ import annotations

import re
from contextlib import closing, suppress
from dataclasses import replace
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, TypeVar

from kafka.admin import ConfigResource, ConfigResourceType, KafkaAdminClient
from kafka.errors import (
    GroupAuthorizationFailedError,
    KafkaError,
    TopicAlreadyExistsError,
    TopicAuthorizationFailedError,
    TransactionalIdAuthorizationFailedError,
    TransactionalIdNotFoundError,
    UnknownTopicOrPartitionError,
)

from ledger.core.errors import AvailabilityError, InputError
from ledger.log.kafka.client import bounded, connect

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.log.kafka.settings import KafkaSettings

__all__ = [
    "Wanted",
    "admin_of",
    "create_topic",
    "describe_error",
    "fault_of",
    "last_writer_mark_of",
    "make_topic",
    "require_copies",
    "require_settings",
    "require_topic",
    "safe_settings",
    "unreachable",
]

Wanted = dict[str, tuple[str, Any]]
"""By setting of a topic: the value used at creation, and the accepted values."""

_READABLE = {"producer", "uncompressed", "gzip"}
"""Compressions that every reader supports without further packages."""

_TIERED: Wanted = {"remote.log.delete.on.disable": ("false", lambda value: value == "false")}
"""Checked where the brokers know it (Kafka 3.9), but not set, because older ones refuse it."""

_ELIGIBLE = "eligible.leader.replicas.version"

_RESOURCES = {
    TopicAuthorizationFailedError: "topic {topic}",
    GroupAuthorizationFailedError: "group {group}",
    TransactionalIdAuthorizationFailedError: "transactional-id gameledger-{topic}-0",
}
"""By refusal of the brokers' access list: the option of ``kafka-acls.sh`` that names it."""

T = TypeVar("T")

_SPREAD_SECONDS = 5.0
"""Within it each broker knows of a topic that any of them knows; clients of Kafka wait longer."""


def make_topic(settings: KafkaSettings) -> None:
    """Create the topic if there is none.

    Raises:
        AvailabilityError: no broker answers, or there are too few for the replication, or they
            do not let this user create it; a note contains the command for another user.

    """
    try:
        with closing(admin_of(settings)) as admin:
            if settings.topic not in admin.list_topics():
                create_topic(admin, settings, _wanted(settings), partitions=1)
    except KafkaError as error:
        raise unreachable(settings, error) from error


def create_topic(
    admin: KafkaAdminClient, settings: KafkaSettings, wanted: Wanted, *, partitions: int
) -> None:
    """Create the topic of the settings; one that another process creates meanwhile is kept.

    Raises:
        AvailabilityError: the brokers do not let this user create it.
        KafkaError: the broker does not answer.

    """
    values = {name: value for name, (value, _) in wanted.items()}
    made = {
        "num_partitions": partitions,
        "replication_factor": settings.replication,
        "configs": values,
    }
    try:
        with suppress(TopicAlreadyExistsError):
            admin.create_topics({settings.topic: made}, wait_for_metadata=True)
    except TopicAuthorizationFailedError as error:
        refused = unreachable(settings, error)
        configs = " ".join(f"--config {name}={value}" for name, value in values.items())
        refused.add_note(
            f"kafka-topics.sh --bootstrap-server {settings.bootstrap} --create "
            f"--topic {settings.topic} --partitions {partitions} "
            f"--replication-factor {settings.replication} {configs}"
        )
        raise refused from error
    admin.wait_for_topics([settings.topic])


def require_topic(settings: KafkaSettings) -> None:
    """Check that there is the topic.

    Raises:
        InputError: there is no such topic.
        AvailabilityError: no broker answers.

    """
    _ask(settings, lambda admin: _partitions(admin, settings))


def fault_of(settings: KafkaSettings) -> InputError | None:
    """Return why nothing may be written to the topic; None if every setting is safe.

    Raises:
        InputError: there is no such topic.
        AvailabilityError: no broker answers.

    """

    def find(admin: KafkaAdminClient) -> InputError | None:
        partitions = _partitions(admin, settings)
        try:
            _check_partitions(settings, partitions)
            _check_election(admin, settings)
            require_settings(admin, settings, settings.topic, {**_wanted(settings), **_TIERED})
        except InputError as fault:
            return fault
        return None

    return _ask(settings, find)


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
    if not configs:  # kafka-python drops the refusal
        raise TopicAuthorizationFailedError(topic)
    wrong = {
        name: (configs[name]["value"], right)
        for name, (right, is_right) in wanted.items()
        if name in configs and not is_right(configs[name]["value"])
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
    user = f" by user {settings.sasl_username}" if settings.sasl_username else ""
    reason = describe_error(error, settings.topic)
    return AvailabilityError(
        f"topic {settings.topic} at {settings.bootstrap} can't be used{user} ({reason}): "
        "look at the brokers and repeat"
    )


def describe_error(error: Exception, topic: str) -> str:
    """Describe an error of Kafka; a missing right with the line of the script that gives it.

    Args:
        error: an error of kafka-python, whose text may name another error as its reason.
        topic: the topic whose rights were needed.

    """
    text = str(error) or type(error).__name__
    for refusal, resource in _RESOURCES.items():
        if isinstance(error, refusal) or refusal.__name__ in text:
            said = str(error.args[0]) if error.args else ""
            group = named[1] if (named := re.search(r"GROUP/([\w.-]+)", said)) else said
            line = resource.format(topic=topic, group=group)
            return f"{refusal.__name__}: deploy/kafka/acls.sh gives the right with `--{line}`"
    return text


def admin_of(settings: KafkaSettings) -> KafkaAdminClient:
    """Open an admin client, which the caller closes.

    Raises:
        KafkaError: no broker answers.

    """
    options = settings.connection()
    del options["metrics_enabled"]
    return connect(KafkaAdminClient, **options)


def _ask(settings: KafkaSettings, question: Callable[[KafkaAdminClient], T]) -> T:
    """Ask a broker about the topic; one that has just started may not know it yet."""
    deadline = monotonic() + _SPREAD_SECONDS
    while True:
        try:
            with closing(admin_of(settings)) as admin:
                return question(admin)
        except UnknownTopicOrPartitionError as error:
            if monotonic() > deadline:
                raise InputError(
                    f"there is no topic {settings.topic} at {settings.bootstrap}: begin a chain "
                    "with `gameledger init`, or name another topic"
                ) from error
        except KafkaError as error:
            raise unreachable(settings, error) from error
        sleep(_SPREAD_SECONDS / 20)


def _partitions(admin: KafkaAdminClient, settings: KafkaSettings) -> list[dict[str, Any]]:
    (described,) = admin.describe_topics([settings.topic])
    if described["error_code"] == UnknownTopicOrPartitionError.errno:
        raise UnknownTopicOrPartitionError
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


def _check_election(admin: KafkaAdminClient, settings: KafkaSettings) -> None:
    """Reject brokers that could elect a leader without acknowledged messages (KIP-966).

    Kafka 4.0 and newer know which replicas outside the in-sync ones hold every such message. A new
    cluster uses that; one that was upgraded does not until this is set. Older brokers can't.
    """
    feature = admin.describe_features().get(_ELIGIBLE, {})
    if (
        settings.replication > 1
        and "supported" in feature
        and not feature.get("finalized", (0,))[0]
    ):
        raise _with_command(
            f"the brokers at {settings.bootstrap} have {_ELIGIBLE} switched off: after all in-sync "
            "replicas failed, one that lacks acknowledged messages could lead; mend it with the "
            "command",
            f"kafka-features.sh --bootstrap-server {settings.bootstrap} upgrade "
            f"--feature {_ELIGIBLE}=1",
        )


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
