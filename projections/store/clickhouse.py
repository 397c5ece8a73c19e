"""Location of a ClickHouse server and its connection settings, parsed from a URL.

``clickhouse://USER@HOST:8123/DATABASE?secure=true&ca_cert=FILE&cluster=NAME``; ``http`` and
``https`` stand for ``clickhouse`` without and with TLS. The database is the registry of one chain,
its generations are ``DATABASE_1`` and so on. The password is passed separately, because a URL
ends up in process lists and logs; no text here ever contains it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import parse_qsl, unquote, urlsplit

from ledger.core.errors import InputError

if TYPE_CHECKING:
    from urllib.parse import SplitResult

__all__ = ["DEFAULT_DATABASE", "ClickHouseServer", "is_server_url"]

DEFAULT_DATABASE = "gameledger"
PORT, PORT_TLS = 8123, 8443
SCHEMES = {"clickhouse": False, "clickhouses": True, "http": False, "https": True}
CLUSTER = re.compile(r"[A-Za-z0-9_.-]{1,64}")
FILES = ("ca_cert", "client_cert", "client_cert_key")
TRUE, FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off"}
CONNECT_SECONDS, ANSWER_SECONDS = 10, 600


def is_server_url(location: str) -> bool:
    """Return whether a location is the URL of a server and not a directory."""
    return urlsplit(location).scheme in SCHEMES


@dataclass(frozen=True, slots=True)
class ClickHouseServer:
    """A server and the database on it; no text of this class contains the password.

    ``ca_cert`` names a file with the authority to trust instead of those of the system,
    ``client_cert`` and ``client_cert_key`` the certificate that the server may request.
    ``cluster`` names the replicas on which tables are created.
    """

    host: str
    port: int = PORT
    user: str = "default"
    database: str = DEFAULT_DATABASE
    secure: bool = False
    ca_cert: str | None = None
    client_cert: str | None = None
    client_cert_key: str | None = None
    cluster: str = ""
    password: str = field(default="", repr=False)

    @classmethod
    def parse(cls, url: str, *, password: str | None = None) -> Self:
        """Parse a URL.

        Args:
            url: see the module; a password in it is used unless another is given.
            password: of the user, from a file or the environment.

        Raises:
            InputError: the URL is not valid, with the fault; the password is not repeated.
        """
        parts = urlsplit(url)
        if parts.scheme not in SCHEMES or not parts.hostname:
            raise InputError(
                "the place of ClickHouse is no URL such as clickhouse://user@host:8123/gameledger"
            )
        port = _port(parts)
        options = dict(parse_qsl(parts.query, keep_blank_values=True))
        secure = _flag(options.pop("secure", ""), default=SCHEMES[parts.scheme])
        cluster = options.pop("cluster", "")
        if cluster and not CLUSTER.fullmatch(cluster):
            raise InputError(f"{cluster!r} in the URL of ClickHouse can't name a cluster")
        unknown = sorted(options.keys() - set(FILES))
        if unknown:
            raise InputError(
                f"the URL of ClickHouse has an option {unknown[0]!r}: there are secure, cluster, "
                f"{', '.join(FILES)}"
            )
        return cls(
            host=parts.hostname,
            port=port or (PORT_TLS if secure else PORT),
            user=unquote(parts.username or "") or "default",
            database=unquote(parts.path.strip("/")) or DEFAULT_DATABASE,
            secure=secure,
            cluster=cluster,
            password=unquote(parts.password or "") if password is None else password,
            **options,
        )

    def __str__(self) -> str:
        """Return the server without the password."""
        scheme = "https" if self.secure else "http"
        return f"{scheme}://{self.user}@{self.host}:{self.port}/{self.database}"

    def options(self) -> dict[str, Any]:
        """Return the client's connection options, without a database, which may not exist yet."""
        files = {name: getattr(self, name) for name in FILES if getattr(self, name)}
        return {
            "host": self.host,
            "port": self.port,
            "username": self.user,
            "password": self.password,
            "interface": "https" if self.secure else "http",
            "connect_timeout": CONNECT_SECONDS,
            "send_receive_timeout": ANSWER_SECONDS,
            "autogenerate_session_id": False,
            **files,
        }


def _port(parts: SplitResult) -> int | None:
    try:
        return parts.port
    except ValueError as error:
        raise InputError("the port in the URL of ClickHouse is no number up to 65535") from error


def _flag(text: str, *, default: bool) -> bool:
    if not text:
        return default
    if text.lower() not in TRUE | FALSE:
        raise InputError(f"secure in the URL of ClickHouse is true or false, not {text!r}")
    return text.lower() in TRUE
