"""A time-stamp authority to test with: certificates made here, stamps by ``openssl ts``."""

from __future__ import annotations

import http.server
import shutil
import subprocess
import threading
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OPENSSL = shutil.which("openssl") or "/usr/bin/openssl"
DAY = timedelta(days=1)
CONFIG = """\
[tsa]
default_tsa = it
[it]
serial = {folder}/serial
default_policy = 1.2.3.4.1
digests = sha256
signer_digest = sha256
ess_cert_id_chain = no
ess_cert_id_alg = sha256
"""


class StampAuthority:
    """Gives stamps; ``days`` say from when to when its certificate holds, counted from now."""

    def __init__(self, folder: Path, *, days: tuple[int, int] = (-1, 30)) -> None:
        folder.mkdir(parents=True)
        self.folder = folder
        now = datetime.now(UTC)
        self._begin, self._end = now + days[0] * DAY, now + days[1] * DAY
        root_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
        usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING])
        root = self._certificate("root", "root", root_key, root_key, None)
        signer = self._certificate("authority", "root", key, root_key, usage)
        self.roots = root.public_bytes(serialization.Encoding.PEM)
        (folder / "roots.pem").write_bytes(self.roots)
        (folder / "signer.pem").write_bytes(signer.public_bytes(serialization.Encoding.PEM))
        encoded = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        (folder / "signer.key").write_bytes(encoded)
        (folder / "serial").write_text("01\n")
        (folder / "tsa.cnf").write_text(CONFIG.format(folder=folder))

    def answer(self, request: bytes) -> bytes:
        """Answer a request as ``openssl ts`` does."""
        (self.folder / "request").write_bytes(request)
        files = {"config": "tsa.cnf", "queryfile": "request", "signer": "signer.pem"}
        options = [f"-{name}={file}" for name, file in files.items()]
        words = [word for option in options for word in option.split("=")]
        done = subprocess.run(  # noqa: S603 - OpenSSL of this machine
            [OPENSSL, "ts", "-reply", *words, "-inkey", "signer.key"],
            cwd=self.folder,
            check=True,
            capture_output=True,
        )
        return done.stdout

    @contextmanager
    def serving(self) -> Iterator[str]:
        """Answer by HTTP; return the URL."""
        authority = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                answer = authority.answer(body)
                self.send_response(200)
                self.send_header("Content-Type", "application/timestamp-reply")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: object) -> None: ...

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            try:
                yield f"http://127.0.0.1:{server.server_address[1]}/"
            finally:
                server.shutdown()
                thread.join()

    def _certificate(
        self,
        subject: str,
        issuer: str,
        key: ec.EllipticCurvePrivateKey,
        signer: ec.EllipticCurvePrivateKey,
        usage: x509.ExtendedKeyUsage | None,
    ) -> x509.Certificate:
        names = [
            x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"{name} of {self.folder.name}")])
            for name in (subject, issuer)
        ]
        builder = x509.CertificateBuilder(
            subject_name=names[0],
            issuer_name=names[1],
            public_key=key.public_key(),
            serial_number=x509.random_serial_number(),
            not_valid_before=self._begin,
            not_valid_after=self._end,
        ).add_extension(x509.BasicConstraints(ca=usage is None, path_length=None), critical=True)
        if usage is not None:
            builder = builder.add_extension(usage, critical=True)
        return builder.sign(signer, hashes.SHA256())
