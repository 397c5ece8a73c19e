"""A stand-in for a ClickHouse server: the chDB engine behind ClickHouse's HTTP interface.

It is **not** ClickHouse's server. The engine that parses, stores and answers is the real one,
chDB; the HTTP in front of it is written here, just enough for ``clickhouse-connect``: queries
and inserts in the body or in ``query``, ``param_…`` in the URL or as a form, settings, the
database, errors with their code, one user with a password, TLS. There are no users to create,
no grants, no sessions, no compression, no streaming, no replication; what a real server does
under load or behind a load balancer is not shown by it.

``shards`` says how many replicas each shard of the cluster ``main`` has. There is one engine all
the same: what is to be done ON CLUSTER is done here, with tables that are not replicated.

Faults that a network and a cluster have: ``lose_answer`` carries out a request and closes the
connection instead of answering; ``only_claim`` answers a request and does not carry it out, as
where a quorum is claimed that is not there; ``be_unclear`` answers that the status of an insert is
unknown, after it was carried out, or, with ``only_claim``, without. Also a program:
``python clickhouse_double.py DIRECTORY [PASSWORD]`` prints its URL and serves until its standard
input ends.
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
import ssl
import sys
import tempfile
import threading
from base64 import b64encode
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

import chdb
from clickhouse_connect.driver.exceptions import _error_code_from_message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

USER = "ledger"
TRANSPORT = {
    "buffer_size", "client_protocol_version", "compress", "database", "decompress",
    "default_format", "enable_http_compression", "http_headers_progress_interval_ms", "query",
    "query_id", "role", "send_progress_in_http_headers", "session_id", "wait_end_of_query",
}  # fmt: skip
"""Parameters of a request that are no settings of the engine."""
REPLICATED = re.compile(r"ENGINE = Replicated(\w*MergeTree)\('[^']*', '[^']*'(?:, )?([^)]*)\)")


UNCLEAR = b"Code: 319. DB::Exception: Unknown quorum status. (UNKNOWN_STATUS_OF_INSERT)"


class ClickHouseDouble(ThreadingHTTPServer):
    """Serves one chDB directory on a port of its own."""

    daemon_threads = False

    def __init__(self, path: Path | str, *, password: str = "") -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.path = str(path)
        self.authorization = "Basic " + b64encode(f"{USER}:{password}".encode()).decode()
        self.lose_answer: Callable[[str], bool] = lambda _: False
        self.only_claim: Callable[[str], bool] = lambda _: False
        self.be_unclear: Callable[[str], bool] = lambda _: False
        self.queries: list[str] = []
        self.ports: list[int] = []
        self.settings: list[dict[str, str]] = []
        self.shards: list[int] = []
        self.scheme = "http"
        self.connections: set[socket.socket] = set()

    def use_tls(self, certificate: Path, key: Path) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.socket = context.wrap_socket(self.socket, server_side=True)
        self.scheme = "https"

    def url(self, database: str = "") -> str:
        return f"{self.scheme}://{USER}@127.0.0.1:{self.server_port}/{database}"

    def alone(self, text: str) -> str:
        """Say for one engine what is said for a cluster."""
        text = text.replace(" ON CLUSTER `main`", "", 1)
        text = text.replace("clusterAllReplicas(`main`, system.databases)", "system.databases")
        replicas = [shard for shard, number in enumerate(self.shards) for _ in range(number)]
        cluster = f"(SELECT 'main' AS cluster, arrayJoin({replicas}::Array(UInt32)) AS shard_num)"
        text = text.replace("FROM system.clusters", f"FROM {cluster}")
        return REPLICATED.sub(r"ENGINE = \1(\2)", text, count=1)

    @contextlib.contextmanager
    def running(self) -> Iterator[ClickHouseDouble]:
        thread = threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self.shutdown()
            thread.join()
            for connection in list(self.connections):  # clients keep theirs open
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
            self.server_close()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Know a connection before its thread does: the end waits for every thread."""
        self.connections.add(request)
        super().process_request(request, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that went away."""


class _Handler(BaseHTTPRequestHandler):
    """One connection of a client, with an engine handle of its own."""

    server: ClickHouseDouble
    protocol_version = "HTTP/1.1"

    def setup(self) -> None:
        super().setup()
        self.engine = chdb.connect(self.server.path)
        self.database = "default"
        self.settings: dict[str, str] = {}

    def finish(self) -> None:
        with contextlib.suppress(OSError):
            super().finish()
        self.server.connections.discard(self.connection)
        self.engine.close()

    def log_message(self, *_: Any) -> None:
        """Keep quiet."""

    def do_GET(self) -> None:
        self.do_POST()

    def do_POST(self) -> None:
        parameters = dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.headers.get_content_type() == "multipart/form-data":
            parameters |= self._form(body)
            body = b""
        if self.headers["Authorization"] != self.server.authorization:
            self._answer(403, b"Code: 516. DB::Exception: wrong password. (AUTHENTICATION_FAILED)")
            return
        text, data = _parts(parameters.get("query", "").encode(), body)
        self.server.queries.append(text)
        self.server.ports.append(self.client_address[1])
        try:
            is_claim = self.server.only_claim(text)
            answer = b"" if is_claim else self._carry_out(text, data, parameters)
            status = 200
        except (RuntimeError, chdb.ChdbError) as error:
            message = str(error)
            answer, status = message[max(message.find("Code: "), 0) :].encode(), 500
        if self.server.be_unclear(text):
            answer, status = UNCLEAR, 500
        if self.server.lose_answer(text):
            self.close_connection = True
            self.connection.close()
            return
        self._answer(status, answer)

    def _form(self, body: bytes) -> dict[str, str]:
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        message = BytesParser(policy=HTTP).parsebytes(head + body)
        return {
            str(part.get_param("name", header="content-disposition")): part.get_content()
            if part.is_multipart()
            else part.get_payload(decode=True).decode()
            for part in message.iter_parts()
        }

    def _carry_out(self, text: str, data: bytes | None, parameters: dict[str, str]) -> bytes:
        self._prepare(parameters)
        if data is not None:
            with tempfile.NamedTemporaryFile(suffix=".raw") as file:
                file.write(data)
                file.flush()
                at = text.rindex(" FORMAT ")
                self.engine.query(f"{text[:at]} FROM INFILE '{file.name}'{text[at:]}")
            return b""
        values = {
            name.removeprefix("param_"): value
            for name, value in parameters.items()
            if name.startswith("param_")
        }
        text = self.server.alone(text)
        return bytes(self.engine.query(text, "TabSeparated", params=values).bytes() or b"")

    def _prepare(self, parameters: dict[str, str]) -> None:
        """Bring database and settings of the handle to what this request asks for."""
        database = parameters.get("database", "default")
        if database != self.database:
            self.engine.query(f"USE `{database}`")
            self.database = database
        wanted = {
            name: value
            for name, value in parameters.items()
            if name not in TRANSPORT and not name.startswith("param_")
        }
        self.server.settings.append(wanted)
        for name in self.settings.keys() - wanted.keys():
            self.engine.query(f"SET {name} = DEFAULT")
        for name, value in wanted.items():
            if self.settings.get(name) != value:
                self.engine.query(f"SET {name} = '{value}'")
        self.settings = wanted

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        if status != 200:
            code = _error_code_from_message(body.decode("utf-8", "replace"))
            self.send_header("X-ClickHouse-Exception-Code", str(code or 1))
        self.send_header("X-ClickHouse-Timezone", "UTC")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _parts(query: bytes, body: bytes) -> tuple[str, bytes | None]:
    """Part SQL and the rows to insert: rows stand behind the line of an INSERT … FORMAT."""
    if query:
        return query.decode(), body or None
    line, _, rest = body.partition(b"\n")
    if line.startswith(b"INSERT INTO ") and b" FORMAT " in line:
        return line.decode(), rest
    return body.decode(), None


def main(path: str, password: str = "") -> None:
    with ClickHouseDouble(path, password=password).running() as double:
        print(double.url(), flush=True)  # noqa: T201 - what the test reads
        sys.stdin.read()
        os._exit(0)  # handles of connections that are still open would hold the end up


if __name__ == "__main__":
    main(*sys.argv[1:])
