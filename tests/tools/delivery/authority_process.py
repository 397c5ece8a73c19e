"""The authority, simulated in a process of its own: it fetches, gives notice, and confirms.

``authority_process.py FOLDER`` serves confirmations over TLS to whoever shows our client
certificate, and does what each line of its input orders, in JSON; it answers each with a line.
"""

from __future__ import annotations

import http.client
import io
import json
import ssl
import sys
import threading
import time
import zipfile
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from projections.packages.cz.seal import open_sealed, seal
from projections.packages.keys import read_certificates, read_key
from projections.packages.trust import Trust

SECONDS_MAX = 120
DRIP_SECONDS = 0.3


class Authority:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.key = read_key(folder / "authority.pem", None)
        self.operator = read_certificates([folder / "operator.crt"])
        self.trust = Trust(read_certificates([folder / "root.crt"]))
        self.files: dict[str, bytes] = {}
        self.manner = "well"
        self.asked: list[str] = []
        self.contexts = {
            name: self._context(name) for name in ("authority-server", "expired", "stranger")
        }

    def _context(self, name: str) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / f"{name}.crt", self.folder / f"{name}.pem")
        context.load_verify_locations(self.folder / "ca.crt")
        context.verify_mode = ssl.CERT_REQUIRED
        return context

    def listening(self) -> ThreadingHTTPServer:
        authority = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                name = self.path.rpartition("/")[2]
                authority.asked.append(name)
                if authority.manner == "cut":
                    self.connection.close()
                    return
                if authority.manner == "busy":
                    self.send_response(503)
                    self.end_headers()
                    return
                found = authority.files.get(name)
                if authority.manner.startswith("other "):
                    found = authority.files.get(authority.manner.removeprefix("other "))
                if authority.manner == "garbage":
                    found = b"<html>please wait</html>"
                if found is None:
                    self.send_response(404)
                    self.end_headers()
                    return
                self.send_response(200)
                self.send_header("Content-Length", str(len(found)))
                self.end_headers()
                if authority.manner == "slow":
                    for byte in found:
                        if authority.manner != "slow":
                            break
                        self.wfile.write(bytes([byte]))
                        time.sleep(DRIP_SECONDS)  # a slow end can't be made without slowness
                    return
                self.wfile.write(found)

            def log_message(self, *_: object) -> None: ...

        class Server(ThreadingHTTPServer):
            def handle_error(self, *_: object) -> None: ...

        server = Server(("127.0.0.1", 0), Handler)
        context = self.contexts["authority-server"]

        def chosen(connection: ssl.SSLObject, *_: object) -> None:
            name = self.manner if self.manner in self.contexts else "authority-server"
            connection.context = self.contexts[name]

        context.sni_callback = chosen  # type: ignore[assignment]
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        return server

    def ask(
        self, port: int, path: str, method: str = "GET", body: bytes = b""
    ) -> tuple[int, bytes]:
        context = ssl.create_default_context(cafile=str(self.folder / "ca.crt"))
        context.load_cert_chain(
            self.folder / "authority-client.crt", self.folder / "authority-client.pem"
        )
        line = http.client.HTTPSConnection("localhost", port, context=context, timeout=SECONDS_MAX)
        try:
            line.request(method, path, body or None)
            answer = line.getresponse()
            return answer.status, answer.read()
        finally:
            line.close()

    def do(self, order: dict[str, Any]) -> dict[str, Any]:
        what, package = order["do"], order.get("package", "")
        if what == "behave":
            self.manner = order["how"]
            return {}
        if what == "asked":
            return {"asked": self.asked}
        if what == "fetch":
            status, content = self.ask(order["port"], f"{_at(package)}/data/{package}.zip.p7e.p7s")
            if status != 200:
                return {"status": status}
            opened = open_sealed(content, self.key, self.trust)
            with zipfile.ZipFile(io.BytesIO(opened.content)) as archive:
                reports = {
                    name: sha256(archive.read(name)).hexdigest() for name in archive.namelist()
                }
            (self.folder / f"{package}.json").write_text(json.dumps(reports))
            return {"status": status, "digest": sha256(content).hexdigest()}
        if what == "confirm":
            word = "Ok" if order["verdict"] == "OK" else "Err"
            content = seal(self._confirmation(package, order["verdict"]), self.key, self.operator)
            self.files[f"{package}.{word}.zip.p7e.p7s"] = content
            return {"digest": sha256(content).hexdigest()}
        if what == "notify":
            place = "accepted" if order["verdict"] == "OK" else "refused"
            path = f"{_at(package)}/notify/{place}"
            how = order.get("how", "query")
            if how == "path":
                return {"status": self.ask(order["port"], f"{path}/{package}")[0]}
            if how == "body":
                body = json.dumps({"package": package}).encode()
                return {"status": self.ask(order["port"], path, "POST", body)[0]}
            return {"status": self.ask(order["port"], f"{path}?package={package}")[0]}
        raise ValueError(what)

    def _confirmation(self, package: str, verdict: str) -> bytes:
        known = self.folder / f"{package}.json"
        reports = json.loads(known.read_text()) if known.exists() else {}
        lines = "".join(
            f"{package};{name};{verdict};1;sha256:{digest}\n" for name, digest in reports.items()
        )
        errors = "" if verdict == "OK" else f'{package};ucet.csv;2;MenaKod;ERR_FIELD_CODEBOOK;"x"\n'
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            head = "PackageName;FileName;ValidationResult;LineCount;Hash\n"
            archive.writestr("validation-report.csv", head + lines)
            archive.writestr("validation-errors.csv", errors)
        return out.getvalue()


def _at(package: str) -> str:
    """Return where the addresses of a package's model begin."""
    return "/casino" if "-M-" in package else ""


def _notify(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def main() -> None:
    authority = Authority(Path(sys.argv[1]))
    server = authority.listening()
    _notify({"port": server.server_address[1]})
    for line in sys.stdin:
        try:
            answer = authority.do(json.loads(line))
        except (OSError, http.client.HTTPException) as error:
            answer = {"failed": type(error).__name__}
        _notify(answer)


if __name__ == "__main__":
    main()
