"""Location and connection settings of a log on Kafka, parsed from one URL.

``kafka://host:port[,host:port]/topic?replication=3&security_protocol=SASL_SSL&…``: every field of
:class:`KafkaSettings` may follow the question mark. The password may not: it is read from
``GAMELEDGER_KAFKA_PASSWORD``, or from the file that ``sasl_password_file`` names, so that no
process list, shell history or error text shows it.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from ledger.core.errors import InputError
from ledger.storage.named_files import reading
from ledger.storage.secret_files import read_secret, require_private

__all__ = ["PASSWORD_VARIABLE", "KafkaSettings"]

PASSWORD_VARIABLE = "GAMELEDGER_KAFKA_PASSWORD"  # noqa: S105 - the name of a variable

PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
COMPRESSIONS = ("none", "gzip")
SCAN_CLIENTS = ("auto", "kafka-python", "confluent")
INSYNC = 2
MEBIBYTE = 1 << 20

_TOPIC = re.compile(r"[A-Za-z0-9._-]{1,249}")
_SERVER = re.compile(r"[^\s:/?#@]+:[0-9]{1,5}|\[[0-9a-fA-F:]+\]:[0-9]{1,5}")


@dataclass(frozen=True, kw_only=True)
class KafkaSettings:
    """One topic of one cluster, and its timeouts.

    Attributes:
        servers: bootstrap servers, each ``host:port``.
        topic: the topic; it holds one chain in its one partition.
        replication: required copies of every message. 1 declares a development set-up: the
            machine's disk is the only copy.
        security_protocol: one of ``PROTOCOLS``.
        sasl_mechanism: one of ``MECHANISMS``, where the protocol has SASL.
        sasl_username: user name for SASL.
        sasl_password_file: file with the password; the environment variable takes precedence.
        ssl_cafile: CA certificates that verify the brokers' certificates.
        ssl_certfile: client certificate, where the brokers require one.
        ssl_keyfile: its key.
        compression: compression of our batches.
        scan_client: client for long reads: one of ``SCAN_CLIENTS``; ``auto`` uses the fast one
            if it is installed.
        message_bytes_max: size of the largest event; the topic must accept it.
        request_seconds: timeout of one request before another connection is tried.
        commit_seconds: timeout of a transaction before its outcome counts as unknown.
        settle_seconds: how long the outcome is looked up before the log stops for good.
        read_seconds: how long a read waits for the next message.
        transaction_seconds: after it the broker aborts a transaction by itself; longer than a
            commit and the search for its outcome, because the broker then fences us.
        until_offset: readers take the topic as ended before this offset, behind which something
            stands that is not of the chain; 0: they read to the end.

    """

    servers: tuple[str, ...]
    topic: str
    replication: int = 3
    security_protocol: str = "PLAINTEXT"
    sasl_mechanism: str = ""
    sasl_username: str = ""
    sasl_password_file: str = ""
    ssl_cafile: str = ""
    ssl_certfile: str = ""
    ssl_keyfile: str = ""
    compression: str = "none"
    scan_client: str = "auto"
    message_bytes_max: int = 8 * MEBIBYTE
    request_seconds: float = 10.0
    commit_seconds: float = 20.0
    settle_seconds: float = 180.0
    read_seconds: float = 30.0
    transaction_seconds: float = 600.0
    until_offset: int = 0

    def __post_init__(self) -> None:
        """Validate what can be validated without a broker.

        Raises:
            InputError: a setting is out of range or conflicts with the others.

        """
        for name, value, allowed in (
            ("security_protocol", self.security_protocol, PROTOCOLS),
            ("sasl_mechanism", self.sasl_mechanism, MECHANISMS if self._has_sasl else ("",)),
            ("compression", self.compression, COMPRESSIONS),
            ("scan_client", self.scan_client, SCAN_CLIENTS),
        ):
            if value not in allowed:
                words = ", ".join(repr(word) for word in allowed)
                raise InputError(f"{name} of the Kafka log is {value!r}: it must be {words}")
        if not self.servers or not all(_SERVER.fullmatch(server) for server in self.servers):
            raise InputError("the Kafka log needs servers: kafka://host:port[,host:port]/topic")
        if not _TOPIC.fullmatch(self.topic) or self.topic in {".", ".."}:
            raise InputError(f"{self.topic!r} is no name of a topic: letters, digits, . _ -")
        if self._has_sasl and not self.sasl_username:
            raise InputError("the Kafka log logs in: name the user with sasl_username")
        if self.until_offset < 0:
            raise InputError("until_offset of the Kafka log must be 0 or more")
        if self.replication < 1 or self.message_bytes_max < MEBIBYTE:
            raise InputError("the Kafka log needs replication ≥ 1, message_bytes_max ≥ 1 MiB")
        spans = (self.request_seconds, self.commit_seconds, self.settle_seconds, self.read_seconds)
        if min(spans) <= 0:
            raise InputError("every time-out of the Kafka log must be more than 0 seconds")
        if self.transaction_seconds <= 2 * self.commit_seconds + self.settle_seconds:
            text = "transaction_seconds of the Kafka log must be more than twice commit_seconds"
            raise InputError(f"{text} and settle_seconds together")

    @classmethod
    def from_url(cls, url: str) -> KafkaSettings:
        """Parse a URL.

        Raises:
            InputError: it does not have the form above, or contains a password.

        """
        parts = urlsplit(url)
        if parts.scheme != "kafka" or parts.fragment:
            raise InputError("a log on Kafka is named kafka://host:port[,host:port]/topic")
        if "@" in parts.netloc:
            text = "the URL of a Kafka log takes no user or password: name the user with"
            raise InputError(f"{text} sasl_username, put the password into {PASSWORD_VARIABLE}")
        kinds = {field.name: str(field.type) for field in fields(cls)}
        values: dict[str, Any] = {}
        for name, text in parse_qsl(parts.query, keep_blank_values=True):
            if name in values or name not in kinds or name in {"servers", "topic"}:
                known = ", ".join(kinds)
                raise InputError(f"{name!r} is no setting of a Kafka log, or twice there: {known}")
            values[name] = _read(name, text, kinds[name])
        servers = tuple(parts.netloc.split(","))
        return cls(servers=servers, topic=parts.path.removeprefix("/"), **values)

    @property
    def url(self) -> str:
        """The URL of these settings; what is as by default is left out."""
        values = {
            field.name: value
            for field in fields(self)
            if field.name not in {"servers", "topic"}
            and (value := getattr(self, field.name)) != field.default
        }
        query = f"?{urlencode(values, safe='/')}" if values else ""
        return f"kafka://{self.bootstrap}/{self.topic}{query}"

    @property
    def bootstrap(self) -> str:
        """The servers in the format of Kafka's own tools."""
        return ",".join(self.servers)

    @property
    def transactional_id(self) -> str:
        """The ID by which a newer writer fences an older one: topic and partition."""
        return f"gameledger-{self.topic}-0"

    @property
    def insync(self) -> int:
        """Copies that must have a message before it is acknowledged."""
        return min(INSYNC, self.replication)

    @property
    def transaction_ms(self) -> int:
        """``transaction_seconds`` in milliseconds."""
        return int(self.transaction_seconds * 1000)

    def connection(self) -> dict[str, Any]:
        """Return the options common to all clients of kafka-python.

        Raises:
            InputError: the password is missing, or a file cannot be read.
            AuthorizationError: other users may access the file of the password or of the key.

        """
        options: dict[str, Any] = {
            "bootstrap_servers": list(self.servers),
            "client_id": "gameledger",
            "security_protocol": self.security_protocol,
            "request_timeout_ms": int(self.request_seconds * 1000),
            "bootstrap_timeout_ms": int(self.request_seconds * 1000),
            "reconnect_backoff_ms": 50,
            "reconnect_backoff_max_ms": 1000,
            "metrics_enabled": False,
        }
        for name in ("ssl_cafile", "ssl_certfile", "ssl_keyfile"):
            path = getattr(self, name)
            if path:
                if not os.access(path, os.R_OK):
                    raise InputError(f"{name} of the Kafka log can't be read: {path}")
                if name == "ssl_keyfile":
                    require_private(Path(path))
                options[name] = path
        if self._has_sasl:
            options["sasl_mechanism"] = self.sasl_mechanism
            options["sasl_plain_username"] = self.sasl_username
            options["sasl_plain_password"] = self._password()
        return options

    @property
    def _has_sasl(self) -> bool:
        return self.security_protocol.startswith("SASL")

    def _password(self) -> str:
        password = os.environ.get(PASSWORD_VARIABLE)
        if password is None and self.sasl_password_file:
            with reading(self.sasl_password_file, named="sasl_password_file"):
                content = read_secret(Path(self.sasl_password_file))
                password = content.decode("utf-8").rstrip("\r\n")
        if not password:
            text = "the password of the Kafka log is missing"
            raise InputError(f"{text}: set {PASSWORD_VARIABLE} or sasl_password_file")
        return password


def _read(name: str, text: str, kind: str) -> Any:
    try:
        return {"int": int, "float": float, "str": str}[kind](text)
    except ValueError as error:
        raise InputError(f"{name} of the Kafka log is {text!r}: it must be a number") from error
