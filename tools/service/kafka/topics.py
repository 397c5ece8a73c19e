"""The three topics of this listener: commands, their answers, and dead letters.

Input: the topic of commands, as a URL. Output: the other two topics, named after it. Guaranteed:
missing topics are created; existing topics are checked before a command is read. Rejected: a topic
that could lose acknowledged records; commands in compressed batches, a few bytes of which can
exhaust memory; brokers of other machines without authentication.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kafka.errors import KafkaError

from ledger.core.errors import InputError
from ledger.log.kafka.topic import (
    admin_of,
    create_topic,
    require_copies,
    require_settings,
    safe_settings,
    unreachable,
)
from tools.service.address import Address
from tools.service.lines import LINE_BYTES_MAX

if TYPE_CHECKING:
    from ledger.log.kafka.settings import KafkaSettings
    from ledger.log.kafka.topic import Wanted
    from tools.service.authentication import ClientAuthenticator

__all__ = [
    "dead_letters_of",
    "group_of",
    "receipts_of",
    "require_guarded_topic",
    "require_topics",
]

SECURED = {"SSL", "SASL_SSL"}


def receipts_of(topic: str) -> str:
    """Return the name of the topic of answers."""
    return f"{topic}.receipts"


def dead_letters_of(topic: str) -> str:
    """Return the name of the topic of commands that could not be decided."""
    return f"{topic}.dead-letters"


def group_of(topic: str) -> str:
    """Return the name of the consumer group whose offsets record which commands are answered."""
    return f"gameledger-{topic}"


def require_guarded_topic(
    settings: KafkaSettings, authenticator: ClientAuthenticator, *, plain: bool
) -> None:
    """Refuse a topic that anyone on the network could write to.

    Raises:
        InputError: the brokers have no authentication, or there is no list of clients.
        AuthorizationError: no listed client has the topic.

    """
    authenticator.admit_topic(settings.topic)
    is_here = all(Address.parse(one).is_of_this_machine for one in settings.servers)
    is_guarded = authenticator.has_list and settings.security_protocol in SECURED
    if not (is_guarded or is_here or plain):
        raise InputError(
            f"whoever reaches {settings.bootstrap} could write to topic {settings.topic}: give "
            "security_protocol=SASL_SSL or SSL in its URL and --clients, or say --plain if "
            "something before it checks"
        )


def require_topics(settings: KafkaSettings) -> None:
    """Create the missing topics, and check all three.

    Raises:
        InputError: a setting of a topic would lose messages; the text names the correction.
        AvailabilityError: no broker answers, or there are too few for the replication factor.

    """
    kept = safe_settings(settings)
    commands: Wanted = {
        **kept,
        "max.message.bytes": (str(2 * LINE_BYTES_MAX), lambda _: True),
        "compression.type": ("uncompressed", lambda value: value == "uncompressed"),
    }
    count = _require(settings, commands, 1)
    for topic in (receipts_of(settings.topic), dead_letters_of(settings.topic)):
        _require(replace(settings, topic=topic), kept, count)


def _require(settings: KafkaSettings, wanted: Wanted, partitions: int) -> int:
    """Check a topic, which is created if missing; return its number of partitions."""
    topic = settings.topic
    try:
        with closing(admin_of(settings)) as admin:
            if topic not in admin.list_topics():
                create_topic(admin, settings, wanted, partitions=partitions)
            found: list[dict[str, Any]] = admin.describe_topics([topic])[0]["partitions"]
            require_copies(settings, topic, found)
            require_settings(admin, settings, topic, wanted)
            return len(found)
    except KafkaError as error:
        raise unreachable(settings, error) from error
