"""Nodes that let clients in by TLS and password alone, and the certificate they show."""

from __future__ import annotations

import os
import subprocess
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from kafka.admin import KafkaAdminClient, ScramMechanism, UserScramCredentialUpsertion

from tests.self_signed import self_signed
from tools.workshop.broker import Cluster, jars

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

__all__ = [
    "LOGIN",
    "RIGHTS",
    "USERS",
    "WORD",
    "administered",
    "run_tool",
    "secured",
    "secured_node",
    "write_properties",
    "write_tools",
]

WORD = "only for this test"
USERS = ("writer", "projector", "mirror", "operator", "commands")
"""Those to whom ``deploy/kafka/acls.sh`` gives rights."""
LOGIN = "org.apache.kafka.common.security.plain.PlainLoginModule required"


RIGHTS = {
    "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-512",
    "listener.name.plaintext.scram-sha-512.sasl.jaas.config": (
        LOGIN.replace("plain.Plain", "scram.Scram") + ";"
    ),
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    # The listener of the controller is of this machine alone, and without a login.
    "super.users": "User:broker;User:ANONYMOUS",
}
"""Settings of a node that checks rights, and takes users by SCRAM; ``broker`` may do everything."""
TOOLS = {
    "kafka-acls.sh": "org.apache.kafka.tools.AclCommand",
    "kafka-features.sh": "org.apache.kafka.tools.FeatureCommand",
    "kafka-topics.sh": "org.apache.kafka.tools.TopicCommand",
}
JAVA = 'exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "{jars}/*" {program} "$@"'


def secured_node(folder: Path, *users: str, **further: str) -> tuple[Cluster, Path]:
    """Prepare a node with users of the password ``WORD``; return it and its certificate."""
    cluster = Cluster(folder / "node")
    cluster.nodes[0].settings, public = secured(folder, *users, **further)
    return cluster, public


def secured(folder: Path, *users: str, **further: str) -> tuple[dict[str, str], Path]:
    """Return the settings of a node with users of the password ``WORD``, and its certificate."""
    public, private = self_signed(folder)
    words = " ".join(f'user_{user}="{WORD}"' for user in ("broker", *users))
    settings = {
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
    return settings, public


@contextmanager
def administered(
    bootstrap: Sequence[str], certificate: Path, users: Iterable[str]
) -> Iterator[KafkaAdminClient]:
    """Connect as ``broker`` to nodes with :data:`RIGHTS`, and add users with ``WORD``."""
    admin = KafkaAdminClient(
        bootstrap_servers=list(bootstrap),
        security_protocol="SASL_SSL",
        sasl_mechanism="PLAIN",
        sasl_plain_username="broker",
        sasl_plain_password=WORD,
        ssl_cafile=str(certificate),
    )
    with closing(admin):
        mechanism = ScramMechanism.SCRAM_SHA_512
        admin.alter_user_scram_credentials(
            [UserScramCredentialUpsertion(user, mechanism, WORD) for user in users]
        )
        yield admin


def write_tools(folder: Path) -> None:
    """Write Kafka's own tools into a folder for ``PATH``; each adds its call to ``$CALLS``."""
    for script, program in TOOLS.items():
        path = folder / script
        line = JAVA.format(jars=jars(), program=program)
        path.write_text(f'#!/bin/sh\necho "$@" >>"$CALLS"\n{line}\n', encoding="utf-8")
        path.chmod(0o755)


def run_tool(
    folder: Path, *command: str | Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a command that finds the tools of :func:`write_tools`, as an operator would."""
    path = {"PATH": f"{folder}:{os.environ['PATH']}", "CALLS": str(folder / "calls")}
    return subprocess.run(  # noqa: S603 - our own script, or a line that we print
        command,
        env={**path, **environment},
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )


def write_properties(folder: Path, user: str, certificate: Path, *, by_scram: bool) -> Path:
    """Write how a user connects, for Kafka's own tools."""
    module, mechanism = LOGIN, "PLAIN"
    if by_scram:
        module, mechanism = LOGIN.replace("plain.Plain", "scram.Scram"), "SCRAM-SHA-512"
    path = folder / f"{user}.properties"
    path.write_text(
        f"security.protocol=SASL_SSL\nsasl.mechanism={mechanism}\n"
        f"ssl.truststore.type=PEM\nssl.truststore.location={certificate}\n"
        f'sasl.jaas.config={module} username="{user}" password="{WORD}";\n',
        encoding="utf-8",
    )
    return path
