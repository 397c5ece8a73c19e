"""A source that seals over a topic of commands: outages and restarts on both sides lose nothing."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from gameledger_client.seals import SourceJournal

from ledger.events.encoding import decode
from ledger.events.event_types import SourceSealed
from ledger.log.sqlite import SqliteLog
from ledger.tlog.source_seals import SealStatement
from tests.ledger.source_cases import source_pem
from tests.tools.kafka_cases import Topic, deposit
from tests.tools.writer_cases import serving
from tools.service.authentication import ClientAuthenticator
from tools.service.kafka.serving import CommandConsumer
from tools.workshop.broker import Cluster

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.broker, pytest.mark.search]


class Sender:
    """A client of the topic: enters commands into its journal, sends them, and reads receipts."""

    def __init__(self, topic: Topic, folder: Path) -> None:
        self._topic = topic
        self._path = folder / "journal.sqlite"
        self._seals: dict[str, int] = {}
        self._sent = 0
        self._open()

    def _open(self) -> None:
        pem = source_pem("studio")
        self.journal = SourceJournal(self._path, chain="test", system="studio", pem=pem)

    def restart(self) -> None:
        """End without another word, and begin again with what the journal has."""
        self.journal.close()
        self._open()

    def enter(self, *names: str) -> None:
        """Enter deposits that are not sent yet."""
        for name in names:
            self.journal.enter({**deposit(name), "source": "studio"})

    def flush(self) -> None:
        """Send what has no answer, and the seals that are not recorded."""
        unanswered = self.journal.unanswered()
        values = [{**command, "command_id": one} for one, command in unanswered]
        for seal, identifier, command in self.journal.seals():
            self._seals[identifier] = seal
            values.append({**command, "command_id": identifier, "source": "studio"})
        self.send(*values)

    def send(self, *values: dict[str, Any]) -> None:
        self._topic.send(*values)
        self._sent += len(values)

    def receive(self) -> None:
        """Wait for an answer to each record, and note what is recorded."""
        for answer in self._topic.answers(self._sent):
            assert answer.document["status"] == "recorded", answer.document
            identifier = answer.document["command_id"]
            if identifier in self._seals:
                self.journal.recorded(self._seals[identifier])
            else:
                self.journal.answered(identifier)


@pytest.mark.slow("a broker of its own is killed and started again")
def test_a_source_seals_over_a_topic_through_outages_and_restarts(
    kafka_jars: None,  # noqa: ARG001 - asked for its effect
    studio: Path,
    tmp_path: Path,
) -> None:
    with Cluster(tmp_path / "broker") as cluster:
        topic = Topic(cluster, "sealed")
        sender = Sender(topic, tmp_path)

        def consumer() -> CommandConsumer:
            return CommandConsumer(topic.url, ClientAuthenticator(), _notify, plain=False)

        with serving(studio, topics=[consumer()]):
            sender.send({**sender.journal.registration("tables"), "command_id": str(uuid4())})
            sender.enter("d-1", "d-2")
            sender.journal.close_interval()
            sender.flush()
            sender.receive()
        sender.enter("d-3")
        sender.flush()  # no writer reads
        sender.enter("d-4")
        sender.journal.close_interval()
        sender.restart()
        sender.flush()  # the third one again
        with serving(studio, topics=[consumer()]) as (_, _, stop):
            cluster.nodes[0].kill()
            sender.enter("d-5")
            cluster.nodes[0].start()
            sender.journal.close_interval(is_last=True)
            sender.flush()
            sender.receive()
            assert stop.error is None
        assert sender.journal.unanswered() == sender.journal.seals() == []
        sender.journal.close()
    require_sealed_and_recorded(studio, 5)


def _notify(state: str, **facts: Any) -> None:
    """Report nothing to operators."""


def require_sealed_and_recorded(studio: Path, commands: int) -> None:
    """Require that each command is recorded once, in the order of the seals that have it."""
    with closing(SqliteLog(studio, writable=False)) as log:
        recorded = [decode(body) for _, body in log.read()]
    seals = [one.event for one in recorded if isinstance(one.event, SourceSealed)]
    sent = [
        one.envelope.command_id
        for one in recorded
        if one.envelope.source == "studio" and not isinstance(one.event, SourceSealed)
    ]
    assert len(set(sent)) == len(sent) == commands
    numbers = set[int]()
    for seal in seals:
        first, end = seal.first_number, seal.first_number + seal.commands
        statement = SealStatement.over(
            sent[first - 1 : end - 1],
            chain="test",
            system="studio",
            first=first,
            until=seal.until,
            is_last=seal.is_last,
        )
        assert (statement.digest, statement.marks) == (seal.digest, seal.marks)
        numbers.update(range(first, end))
    assert numbers == set(range(1, commands + 1))
    assert seals[-1].is_last
