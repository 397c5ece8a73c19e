"""TLS and a password, against a real broker that asks for both."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from ledger.core.errors import AvailabilityError
from ledger.log.kafka.log import PASSWORD_VARIABLE, KafkaLog
from tests.ledger.chain_cases import Chain, landed
from tests.ledger.log.kafka.kafka_load import QUICK, judge
from tools.workshop.broker import Cluster

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow

WORD = "only for this test"


def certificate(folder: Path) -> tuple[Path, Path]:
    """Make a certificate for 127.0.0.1 that vouches for itself; return it, and it with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "broker")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    public, private = folder / "ca.pem", folder / "broker.pem"
    public.write_bytes(made.public_bytes(Encoding.PEM))
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    private.write_bytes(secret + made.public_bytes(Encoding.PEM))
    return public, private


@pytest.fixture(scope="module")
def secured(
    kafka_jars: None,  # noqa: ARG001 - asked for its effect
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Cluster, Path]]:
    """A node that lets clients in by TLS and password alone, and its certificate."""
    folder = tmp_path_factory.mktemp("secured")
    public, private = certificate(folder)
    cluster = Cluster(folder / "node")
    (node,) = cluster.nodes
    login = "org.apache.kafka.common.security.plain.PlainLoginModule required"
    node.settings = {
        "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:SASL_SSL",
        "sasl.enabled.mechanisms": "PLAIN",
        "sasl.mechanism.inter.broker.protocol": "PLAIN",
        "listener.name.plaintext.plain.sasl.jaas.config": (
            f'{login} username="broker" password="{WORD}" user_broker="{WORD}" '
            f'user_writer="{WORD}";'
        ),
        "ssl.keystore.type": "PEM",
        "ssl.keystore.location": str(private),
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": str(public),
    }
    with cluster:
        yield cluster, public


def url_of(cluster: Cluster, public: Path, **options: object) -> str:
    asked = {
        "security_protocol": "SASL_SSL",
        "sasl_mechanism": "PLAIN",
        "sasl_username": "writer",
        "ssl_cafile": public,
    }
    return cluster.url("secured", **{**QUICK, "request_seconds": 3, **asked, **options})


def test_log_works_through_tls_and_password(
    secured: tuple[Cluster, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PASSWORD_VARIABLE, WORD)
    url = url_of(*secured)
    with closing(KafkaLog(url, tmp_path / "writer", writable=True)) as log:
        chain = Chain().open()
        for number in range(1200):  # a long read is one of the fast client, if it is there
            chain.add(landed(number % 37))
        log.append(chain.messages)
    for client in ("kafka-python", "confluent"):
        judge(f"{url}&scan_client={client}", tmp_path / "reader", chain.messages)


@pytest.mark.parametrize(
    ("word", "options", "cause"),
    [
        # A busy broker may cut the connection before its answer is read.
        ("wrong", {}, "Invalid username or password|no connection: .*socket disconnected"),
        (WORD, {"ssl_cafile": ""}, "certificate verify failed"),
        (
            WORD,
            {"security_protocol": "PLAINTEXT", "sasl_mechanism": "", "sasl_username": ""},
            "no connection",
        ),
    ],
)
def test_who_may_not_in_is_told_and_the_password_is_not(
    secured: tuple[Cluster, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    word: str,
    options: dict[str, object],
    cause: str,
) -> None:
    monkeypatch.setenv(PASSWORD_VARIABLE, word)
    with pytest.raises(AvailabilityError, match=cause) as caught:
        KafkaLog(url_of(*secured, **options), tmp_path, writable=True)
    assert word not in str(caught.value)
