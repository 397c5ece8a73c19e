"""Nodes that let clients in by TLS and password alone, and the certificate they show."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from tools.workshop.broker import Cluster

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["LOGIN", "WORD", "secured_node"]

WORD = "only for this test"
LOGIN = "org.apache.kafka.common.security.plain.PlainLoginModule required"


def secured_node(folder: Path, *users: str, **further: str) -> tuple[Cluster, Path]:
    """Prepare a node with users of the password ``WORD``; return it and its certificate."""
    public, private = _certificate(folder)
    cluster = Cluster(folder / "node")
    (node,) = cluster.nodes
    words = " ".join(f'user_{user}="{WORD}"' for user in ("broker", *users))
    node.settings = {
        "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:SASL_SSL",
        "sasl.enabled.mechanisms": "PLAIN",
        "sasl.mechanism.inter.broker.protocol": "PLAIN",
        "listener.name.plaintext.plain.sasl.jaas.config": (
            f'{LOGIN} username="broker" password="{WORD}" {words};'
        ),
        "ssl.keystore.type": "PEM",
        "ssl.keystore.location": str(private),
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": str(public),
        **further,
    }
    return cluster, public


def _certificate(folder: Path) -> tuple[Path, Path]:
    """Make a self-signed certificate for 127.0.0.1; return it, and it with its key."""
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
