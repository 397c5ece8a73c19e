"""TLS and a password, against a real broker that asks for both."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import AvailabilityError
from ledger.log.kafka.log import PASSWORD_VARIABLE, KafkaLog
from tests.ledger.chain_cases import Chain, landed
from tests.ledger.log.kafka.kafka_load import QUICK, judge
from tests.ledger.log.kafka.kafka_secured import WORD, secured_node

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tools.workshop.broker import Cluster

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def secured(
    kafka_jars: None,  # noqa: ARG001 - asked for its effect
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Cluster, Path]]:
    """A node that lets clients in by TLS and password alone, and its certificate."""
    folder = tmp_path_factory.mktemp("secured")
    cluster, public = secured_node(folder, "writer")
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
        # A broker sends its answer and closes at once: a busy client may find it closed.
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
