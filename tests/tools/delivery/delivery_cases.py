"""Both ends of the exchange: our chain with published packages, and the authority's process."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import accumulate, islice, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cryptography import x509
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding

from ledger.core.clock import StoppedClock
from ledger.decisions.packages import PublishPackage, RecordPackage
from ledger.events.encoding import decode
from ledger.log.sqlite import SqliteLog
from ledger.rules.operator import rules_for
from projections.packages.cz.names import PackageName
from projections.packages.cz.pack import pack
from projections.packages.cz.seal import seal
from tests.projections.packages.package_cases import CASINO, CASINO_ROWS, ROWS, write_package
from tests.projections.packages.seal_certificates import root, vouched, write_certificate, write_key
from tests.tools.cli_cases import ROOT, started
from tests.tools.delivery.delivery_certificates import TlsAuthority
from tools.data import DataDirectory

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ledger.writer import Ledger

SECONDS_MAX = 60
FIRST = PackageName.parse("12345678-V-2025110100-Z-01")
DELIVERY = """
[seal]
key = "operator.pem"
recipients = ["authority.crt", "operator.crt"]

[reading]
key = "operator.pem"
trust = ["root.crt"]
signers = ["authority.crt"]
crl = ["root.crl"]

[server]
listen = "127.0.0.1:0"
certificate = "operator-server.crt"
key = "operator-server.pem"
clients = ["authority-client.crt"]

[client]
certificate = "operator-client.crt"
key = "operator-client.pem"
authority = ["ca.crt"]
confirmations = "https://localhost:{port}/confirmations/{{package}}.{{verdict}}.zip.p7e.p7s"
answer_seconds = 2
retry_seconds = 0.1
retry_seconds_max = 0.2

[[addresses]]
model = "V"
packages = "https://localhost/data/"
accepted = "https://localhost/notify/accepted"
refused = "https://localhost/notify/refused"

[[addresses]]
model = "M"
casino = "kasino_1"
packages = "https://localhost/casino/data/"
accepted = "https://localhost/casino/notify/accepted"
refused = "https://localhost/casino/notify/refused"
"""


def make_keys(folder: Path) -> None:
    """Make everything that either end shows or believes."""
    folder.mkdir(parents=True)
    ca, others = TlsAuthority(folder, "ca"), TlsAuthority(folder, "others")
    for name in ("authority-server", "authority-client", "operator-server", "operator-client"):
        ca.vouch(name)
    ca.vouch("neighbour")
    ca.vouch("expired", days=(-20, -10))
    others.vouch("stranger")
    write_certificate(folder, "root", root())
    for name in ("operator", "authority"):
        write_certificate(folder, name, vouched(name))
        write_key(folder, name, vouched(name))
    (folder / "root.crl").write_bytes(revocation_list())


def revocation_list(*serials: int, days: int = 30) -> bytes:
    """Make a list of the root of seals that revokes some certificates."""
    now = datetime.now(UTC)
    builder = (
        x509.CertificateRevocationListBuilder()
        .issuer_name(root().certificate.subject)
        .last_update(now - timedelta(days=60))
        .next_update(now + timedelta(days=days))
        .add_extension(x509.CRLNumber(1), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(root().key.public_key()),
            critical=False,
        )
    )
    for serial in serials:
        one = x509.RevokedCertificateBuilder().serial_number(serial)
        builder = builder.add_revoked_certificate(
            one.revocation_date(now - timedelta(days=2)).build()
        )
    return builder.sign(root().key, SHA256()).public_bytes(Encoding.DER)


def write_delivery(folder: Path, port: int = 1, **replaced: str) -> Path:
    """Write the settings; ``replaced`` gives other texts for some."""
    text = DELIVERY.format(port=port)
    for old, new in replaced.items():
        text = text.replace(old, new)
    path = folder / "delivery.toml"
    path.write_text(text)
    return path


def begun(data: Path) -> Ledger:
    """Begin a chain at the first period."""
    return DataDirectory(data).create(
        operator="12345678",
        rules=rules_for("", "sazka"),
        operator_name="A",
        chain="c",
        clock=StoppedClock(FIRST.start),
    )


def publish(data: Path, count: int) -> list[str]:
    """Begin a chain and publish packages of so many periods, and one of a casino's month."""
    names = list(islice(accumulate(repeat(FIRST), lambda name, _: name.following), count))
    (data / "sealed").mkdir(parents=True)
    with begun(data) as ledger:
        for name in names:
            _publish(ledger, data, name, {"provozovatel": ROWS["provozovatel"]})
        _publish(ledger, data, CASINO, CASINO_ROWS)
    return [*map(str, names), str(CASINO)]


def _publish(
    ledger: Ledger, data: Path, name: PackageName, rows: Mapping[str, Iterable[str]]
) -> None:
    operator, authority = vouched("operator"), vouched("authority")
    left_out = () if name.has_rates else ("mena_kurs",)
    folder = write_package(data / "packages", rows, package=name, files_left_out=left_out)
    packed = pack(folder, data / "zip")
    files = {file.name: (1, sha256(file.read_bytes()).hexdigest()) for file in folder.iterdir()}
    sealed = seal(packed.path.read_bytes(), operator, [authority.certificate, operator.certificate])
    (data / "sealed" / f"{name}.zip.p7e.p7s").write_bytes(sealed)
    ledger.execute(
        RecordPackage(
            package=str(name), known_at=1, files=files, digest=packed.digest,
            settings="{}", source="t",
        )
    )  # fmt: skip
    ledger.execute(
        PublishPackage(
            package=str(name), digest=packed.digest, file=f"{name}.zip.p7e.p7s",
            file_digest=sha256(sealed).hexdigest(), size=len(sealed), source="t",
        )
    )  # fmt: skip


def recorded(data: Path, *types: str, package: str = "") -> list[Any]:
    """Read events from the chain, of some types and one package."""
    log = SqliteLog(data, writable=False)
    found = [decode(message).event for _, message in log.read()]
    log.close()
    return [
        event
        for event in found
        if (not types or type(event).__name__ in types)
        and (not package or f"{event.series}-{event.version:02d}" == package)
    ]


class Lines:
    """A process that is read line by line, in JSON."""

    def __init__(self, process: Any) -> None:
        self.process = process
        self.told: list[dict[str, Any]] = []
        self._changed = threading.Condition()
        self._over = False
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        for line in self.process.stdout:
            with self._changed:
                self.told.append(json.loads(line))
                self._changed.notify_all()
        with self._changed:
            self._over = True
            self._changed.notify_all()

    def heard(self, state: str, after: int = 0, **facts: Any) -> dict[str, Any]:
        """Wait for a line that says a state and some facts."""

        def found() -> dict[str, Any] | None:
            for one in self.told[after:]:
                if one.get("state") == state and facts.items() <= one.items():
                    return one
            return None

        with self._changed:
            assert self._changed.wait_for(lambda: found() or self._over, SECONDS_MAX), self.told
            one = found()
            assert one is not None, self.told
            return one

    def first(self) -> dict[str, Any]:
        """Wait for the first line."""
        with self._changed:
            assert self._changed.wait_for(lambda: self.told or self._over, SECONDS_MAX)
        return self.told[0]


class Operator(Lines):
    """``gameledger report serve``."""

    def __init__(self, data: Path, delivery: Path) -> None:
        arguments = ("report", "serve", "--json", "--delivery", str(delivery))
        super().__init__(started(*arguments, data=data))
        address = self.heard("serving")["address"]
        self.port = int(address.rpartition(":")[2])

    def end(self, number: int) -> int:
        self.process.send_signal(number)
        code: int = self.process.wait(SECONDS_MAX)
        self._thread.join()
        self.process.close()
        return code


class Authority:
    """The authority's process."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - a script of the tests
            [sys.executable, str(Path(__file__).parent / "authority_process.py"), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)},
            text=True,
        )
        self.port = self._answer()["port"]

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        found: dict[str, Any] = json.loads(self._process.stdout.readline())
        return found

    def do(self, what: str, **facts: Any) -> dict[str, Any]:
        """Order something and wait for what came of it."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"do": what, **facts}) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def close(self) -> None:
        self._process.communicate()


@contextmanager
def exchange(folder: Path, count: int) -> Iterator[tuple[Path, Path, Authority, list[str]]]:
    """Make both ends; return our data, the settings, the authority and the packages."""
    keys, data = folder / "keys", folder / "data"
    make_keys(keys)
    names = publish(data, count)
    authority = Authority(keys)
    try:
        yield data, write_delivery(keys, authority.port), authority, names
    finally:
        authority.close()
