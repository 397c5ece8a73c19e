"""Commands from a topic: answered as over HTTP, once each, whatever is sent or goes wrong."""

from __future__ import annotations

import json
import re
from contextlib import ExitStack, closing
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from kafka import KafkaProducer
from kafka.admin import NewPartitions
from kafka.errors import KafkaError

from ledger.core.clock import SystemClock
from ledger.core.errors import AuthorizationError, FencedError, InputError
from ledger.events.encoding import decode, decode_envelope
from ledger.events.event_types import DepositCredited
from ledger.log.kafka.producer import TransactionalProducer
from ledger.log.kafka.settings import KafkaSettings
from ledger.log.sqlite import SqliteLog
from ledger.privacy import KeyStore
from ledger.writer import Ledger
from tests.tools.cli_cases import ROOT, bet, command
from tests.tools.kafka_cases import Topic, deposit, once
from tests.tools.writer_cases import ask, healthy, is_ended, serving, socket_of
from tests.waiting import until
from tools.service.authentication import ClientAuthenticator
from tools.service.kafka import command_reader
from tools.service.kafka.command_reader import RECORDS_MAX
from tools.service.kafka.intake import KEY_BYTES_MAX
from tools.service.kafka.serving import CommandConsumer
from tools.service.kafka.topics import dead_letters_of, group_of, receipts_of
from tools.service.lines import LINE_BYTES_MAX
from tools.service.server import Server
from tools.service.stop import Stop

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tools.workshop.broker import Cluster

SCHEMAS = json.loads((ROOT / "docs" / "commands.openapi.json").read_text(encoding="utf-8"))
SCHEMAS = SCHEMAS["components"]["schemas"]
STEPS = ("begin_transaction", "send", "flush", "send_offsets_to_transaction", "commit_transaction")


PAGE = (ROOT / "docs" / "commands-from-kafka.md").read_text(encoding="utf-8")
RIGHTS = (ROOT / "deploy" / "kafka" / "acls.sh").read_text(encoding="utf-8")


@pytest.fixture
def topic(broker: Cluster, request: pytest.FixtureRequest) -> Topic:
    return Topic(broker, f"c-{abs(hash(request.node.nodeid))}")


class Notifications(list[tuple[str, dict[str, Any]]]):
    """States that the consumer reported to operators."""

    def __call__(self, state: str, **facts: Any) -> None:
        self.append((state, facts))


def opened(
    topic: Topic,
    authenticator: ClientAuthenticator | None = None,
    notified: Notifications | None = None,
) -> CommandConsumer:
    return CommandConsumer(
        topic.url,
        authenticator or ClientAuthenticator(),
        Notifications() if notified is None else notified,
        plain=False,
    )


@pytest.fixture
def served(topic: Topic, studio: Path) -> Iterator[tuple[Server, Ledger, Stop]]:
    with serving(studio, topics=[opened(topic)]) as found:
        yield found


def fits(answer: object, name: str) -> None:
    schema = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": SCHEMAS}}
    jsonschema.validate(answer, schema)


def test_what_cannot_be_decided_is_a_dead_letter_and_keeps_nobody_waiting(
    topic: Topic, served: tuple[Server, Ledger, Stop]
) -> None:
    """Good commands between every kind of bad ones, each answered in its place."""
    first = deposit("d-1")
    wrong = {
        "not a JSON object": b"\xff{",
        "not a JSON object: Input data was truncated": None,
        "longer than 1048576": b" " * (LINE_BYTES_MAX - 10) + json.dumps(first).encode(),
        "no command 'fly'": command("fly"),
        "amount": deposit("d-2", amount="1"),
        "without command_id": command(
            "deposit", account="a-1", deposit="d-3", amount=1, method="card-1"
        ),
        "with other content": {**first, "amount": 101},
    }
    values: list[Any] = [first]
    for number, one in enumerate(wrong.values()):
        values += [one, deposit(f"good-{number}")]
    refused = {**bet(1, 10**9), "command_id": deposit("x")["command_id"]}
    offsets = topic.send(*values, refused, first)
    long_key = topic.send(deposit("d-4"), key=b"k" * (KEY_BYTES_MAX + 1))
    answers = once(topic.answers(len(offsets) + 1))
    assert [one.of[1] for one in answers] == [*offsets, *long_key]
    documents = [one.document for one in answers]
    assert documents[0] == documents[-2]
    for answer in (documents[0], *documents[2:-3:2], documents[-2]):
        fits(answer, "Recorded")
    fits(documents[-3], "Refused")
    bad = [*documents[1:-3:2], documents[-1]]
    for text, problem in zip([*wrong, "the key of the record has"], bad, strict=True):
        fits(problem, "Problem")
        assert text in problem["detail"]
        assert problem["type"] == "urn:gameledger:problem:input"
    dead = once(topic.answers(len(bad), of="dead-letters"))
    assert [json.loads(one.headers["problem"]) for one in dead] == bad
    assert [one.value for one in dead[:2]] == [b"\xff{", None]
    assert dead[2].value is None
    assert [one.key for one in (dead[0], dead[-1])] == [b"a-1", None]
    metrics = served[0].metrics.text()
    labels = f'{{chain="{served[1].chain}",topic="{topic.name}"}}'
    assert f"gameledger_dead_letters_total{labels} {len(bad)}.0" in metrics
    assert f"gameledger_topic_behind_messages{labels} 0.0" in metrics


def test_the_list_says_whose_topic_it_is_and_what_may_come(
    topic: Topic, studio: Path, tmp_path: Path
) -> None:
    clients = tmp_path / "clients.toml"
    clients.write_text(f'[clients.web]\ntopic = "{topic.name}"\nroles = ["site"]\n', "utf-8")
    authenticator = ClientAuthenticator(clients)
    with serving(studio, authenticator=authenticator, topics=[opened(topic, authenticator)]) as (
        server,
        ledger,
        _,
    ):
        topic.send(deposit("d-1", source="desk"), {**command("close_table"), "table": "t1"})
        topic.send(
            {"command_id": deposit("x")["command_id"], **command("settle_round", round="q1")}
        )
        found = topic.answers(3)
        assert [one.document.get("status") for one in found] == ["recorded", 400, 403]
        position = found[0].document["last_position"]
        ((_, message),) = ledger._log.read(position, position + 1)
        assert decode_envelope(message).source == "web/desk"
        clients.write_text('[clients.a]\ntopic = "other"\nroles = ["site"]\n', "utf-8")
        authenticator.reload()
        topic.send(deposit("d-2"))
        assert topic.answers(4)[-1].document["status"] == 403
        assert server.turned_away.total == 2
    assert [one.of[1] for one in topic.answers(3, of="dead-letters")] == [1, 2, 3]
    with pytest.raises(AuthorizationError, match="not on the writer's list"):
        opened(topic, authenticator)


def test_python_of_the_page_runs(
    broker: Cluster, studio: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    with serving(studio, topics=[opened(Topic(broker, "commands"))]):
        exec(block.replace("127.0.0.1:9092", broker.bootstrap), {})  # noqa: S102 - the page's own
    assert capsys.readouterr().out.startswith("application/json {'status': 'recorded'")


def test_names_and_bounds_of_the_page_are_those_of_the_program() -> None:
    for text in (
        f"Up to {KEY_BYTES_MAX >> 10} KiB",
        f"up to {LINE_BYTES_MAX >> 20} MiB",
        f"At most {RECORDS_MAX} records",
        f"within {command_reader.METADATA_MS // 1000} s",
        receipts_of("TOPIC"),
        dead_letters_of("TOPIC"),
    ):
        assert text in PAGE
    for name in (
        group_of("$commands"),
        receipts_of("$commands"),
        dead_letters_of("$commands"),
        KafkaSettings.from_url("kafka://h:1/c").transactional_id.replace("-c-", "-$commands-"),
    ):
        assert name in RIGHTS


def test_brokers_that_ask_nobody_are_trusted_on_this_machine_only() -> None:
    for url in ("kafka://kafka-1:9092/c", "kafka://127.0.0.1:1,10.0.0.1:1/c"):
        with pytest.raises(InputError, match="could write to topic c"):
            CommandConsumer(url, ClientAuthenticator(), Notifications(), plain=False)


def test_topics_that_could_lose_or_flood_are_refused_with_what_mends_them(topic: Topic) -> None:
    with closing(topic.broker.open_admin()) as admin:
        configs = {"compression.type": "producer", "cleanup.policy": "compact"}
        made = {"num_partitions": 2, "replication_factor": 1, "configs": configs}
        admin.create_topics({topic.name: made}, wait_for_metadata=True)
        with pytest.raises(InputError, match=r"cleanup\.policy=delete,compression\.type=un"):
            opened(topic)


def test_a_topic_belongs_to_one_chain(topic: Topic, studio: Path, tmp_path: Path) -> None:
    with serving(studio, topics=[opened(topic)]):
        topic.send(deposit("d-1"))
        topic.answers(1)
    other = tmp_path / "other"
    log = SqliteLog(other, writable=True)
    names = {"operator": "26493993", "operator_name": "T", "chain_name": "other"}
    Ledger.create(log, KeyStore(other / "keys"), **names).close()
    with serving(other, topics=[opened(topic)]) as (_, _, stop):
        assert is_ended(stop)
        assert isinstance(stop.error, InputError)
        assert "commands of chain test" in str(stop.error)


def failures(notified: Notifications) -> int:
    return [state for state, _ in notified].count("commands_away")


@pytest.mark.parametrize("is_after", [False, True])
def test_a_failure_between_any_two_steps_repeats_and_answers_once(
    topic: Topic, studio: Path, is_after: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each step of a transaction fails once, before or after the broker carried it out."""
    failing: list[str] = []

    def failed(step: str) -> Any:
        real = getattr(KafkaProducer, step)

        def call(producer: KafkaProducer, *arguments: Any, **more: Any) -> Any:
            is_due = step in failing and producer.config["transactional_id"]
            if is_due and not is_after:
                failing.remove(step)
                raise KafkaError(step)
            answer = real(producer, *arguments, **more)
            if is_due:
                failing.remove(step)
                raise KafkaError(step)
            return answer

        return call

    for step in STEPS:
        monkeypatch.setattr(KafkaProducer, step, failed(step))
    notified = Notifications()
    with serving(studio, topics=[opened(topic, notified=notified)]) as (_, ledger, stop):
        for turn, step in enumerate(STEPS, 1):
            failing.append(step)
            topic.send(*(deposit(f"{step}-{number}") for number in range(3)))
            answers = once(topic.answers(3 * turn))
            until(lambda turn=turn: failures(notified) == turn, lambda: notified)
            assert not failing
        positions = [one.document["last_position"] for one in answers]
        assert positions == sorted(set(positions))
        events = [decode(message).event for _, message in ledger._log.read(min(positions))]
        assert sum(isinstance(one, DepositCredited) for one in events) == len(positions)
        assert stop.error is None


def test_whoever_was_overtaken_answers_nothing_more(topic: Topic, studio: Path) -> None:
    with serving(studio, topics=[opened(topic)]) as (_, _, stop):
        topic.send(deposit("d-1"))
        topic.answers(1)
        with closing(TransactionalProducer(KafkaSettings.from_url(topic.url), 1)):
            topic.send(deposit("d-2"))
            assert is_ended(stop)
        assert isinstance(stop.error, FencedError)
    with serving(studio, topics=[opened(topic)]):
        answers = once(topic.answers(2))
        assert [one.document["status"] for one in answers] == ["recorded"] * 2


class LateClock(SystemClock):
    """A clock that can be set back."""

    behind = 0

    def now(self) -> int:
        """Return what it shows."""
        return super().now() - self.behind


def test_what_cannot_be_stored_is_stored_later_in_its_order(topic: Topic, studio: Path) -> None:
    """The clock goes back under load: nothing is answered until it is right, nothing is lost."""
    clock, stop = LateClock(), Stop()
    server = Server(topics=[opened(topic)])
    with ExitStack() as stack:
        log, keys = SqliteLog(studio, writable=True), KeyStore(studio / "keys")
        ledger = stack.enter_context(Ledger(log, keys, clock=clock))
        server.listen()
        thread = Thread(target=server.serve, args=(ledger, stop, healthy(server, stop)))
        thread.start()
        stack.callback(thread.join)
        stack.callback(stop)
        topic.send(deposit("d-0"))
        topic.answers(1)
        clock.behind = 3_600_000_000
        sent = [deposit(f"d-{number}") for number in range(1, 3 * RECORDS_MAX)]
        topic.send(*sent)
        counted = re.compile(r'answers_total\{[^}]*code="availability"[^}]*\} [1-9]')
        while counted.search(server.metrics.text()) is None:
            Event().wait(0.05)
        clock.behind = 0
        answers = once(topic.answers(3 * RECORDS_MAX))
    positions = [one.document["last_position"] for one in answers]
    assert positions == sorted(positions)
    assert [one.document["command_id"] for one in answers[1:]] == [
        one["command_id"] for one in sent
    ]


def test_a_sender_that_repeats_for_ever_keeps_nobody_waiting(
    topic: Topic, served: tuple[Server, Ledger, Stop]
) -> None:
    """The same command, again and again: one receipt, bounded work, and the socket is answered."""
    server, ledger, _ = served
    again, head = deposit("d-1"), ledger.head.size
    topic.send(*[again] * 4_000)
    waiting = []
    for _ in range(20):
        ask(socket_of(server), command("log_out", account="a-1"))
        waiting.append(ledger.waiting)
    answers = once(topic.answers(4_000))
    assert len({one.value for one in answers}) == 1
    assert max(waiting) <= 2 * RECORDS_MAX
    assert ledger.head.size <= head + 20 + 3


def test_partitions_that_are_added_are_read_and_keys_keep_their_order(
    topic: Topic, studio: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_reader, "METADATA_MS", 500)
    with serving(studio, topics=[opened(topic)]):
        topic.send(*(deposit(f"d-{number}") for number in range(5)))
        topic.answers(5)
        with closing(topic.broker.open_admin()) as admin:
            admin.create_partitions({topic.name: NewPartitions(3)})
        for partition in range(3):
            topic.send(*(deposit(f"e-{partition}-{one}") for one in range(5)), partition=partition)
        once(topic.answers(20))
