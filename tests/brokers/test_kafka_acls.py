"""deploy/kafka/acls.sh on a real broker: each user can do its work, and nothing else.

The broker has TLS, SCRAM and the StandardAuthorizer. The script is run as it is, with Kafka's own
tool behind its name; what it granted is read from the calls of that tool.
"""

from __future__ import annotations

import shlex
import time
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from kafka import KafkaConsumer, KafkaProducer, TopicPartition
from kafka.admin import (
    ACL,
    ACLFilter,
    ACLOperation,
    ACLPermissionType,
    ACLResourcePatternType,
    ConfigResource,
    ConfigResourceType,
    KafkaAdminClient,
    ResourcePattern,
    ResourcePatternFilter,
    ResourceType,
)
from kafka.errors import (
    ClusterAuthorizationFailedError,
    KafkaError,
    KafkaTimeoutError,
    TopicAuthorizationFailedError,
)

from ledger.core.errors import AvailabilityError
from ledger.log.kafka.log import PASSWORD_VARIABLE, KafkaLog
from ledger.log.kafka.settings import KafkaSettings
from ledger.log.kafka.standby import KafkaStandby
from ledger.log.kafka.topic import admin_of, describe_error, make_topic
from tests.ledger.chain_cases import Chain, landed
from tests.ledger.log.kafka.kafka_load import QUICK
from tests.ledger.log.kafka.kafka_secured import (
    RIGHTS,
    USERS,
    WORD,
    administered,
    run_tool,
    secured_node,
    write_properties,
    write_tools,
)
from tests.search import sample
from tests.waiting import PATIENCE_SECONDS
from tools.service.kafka.answer_producer import AnswerProducer, AnswerRecord
from tools.service.kafka.command_reader import CommandReader
from tools.service.kafka.topics import dead_letters_of, receipts_of, require_topics

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator

    from tools.workshop.broker import Cluster

pytestmark = pytest.mark.slow

SCRIPT = Path(__file__).parents[2] / "deploy" / "kafka" / "acls.sh"
TOPIC, COMMANDS = "sazka-live", "platform-commands"
NAMES = (TOPIC, COMMANDS, receipts_of(COMMANDS), dead_letters_of(COMMANDS))
REFUSED = "AuthorizationFailedError"


@dataclass(frozen=True)
class Right:
    """A right that the script gives: one operation of a user on one resource."""

    user: str
    operation: str
    option: str
    resource: str

    @property
    def pattern(self) -> tuple[ResourceType, str]:
        return ResourceType[self.option.strip("-").replace("-", "_").upper()], self.resource

    @property
    def parts(self) -> tuple[str, str, ACLOperation, ACLPermissionType]:
        operation = "".join(f"_{one}" if one.isupper() else one for one in self.operation)
        named = ACLOperation[operation.strip("_").upper()]
        return f"User:{self.user}", "*", named, ACLPermissionType.ALLOW

    def grant(self, admin: KafkaAdminClient) -> None:
        assert not admin.create_acls([ACL(*self.parts, ResourcePattern(*self.pattern))])["failed"]

    def revoke(self, admin: KafkaAdminClient) -> None:
        pattern = ResourcePatternFilter(*self.pattern, ACLResourcePatternType.LITERAL)
        ((_, removed, _),) = admin.delete_acls([ACLFilter(*self.parts, pattern)])
        assert len(removed) == 1, self


def rights_of(calls: str) -> list[Right]:
    """Return what the calls of ``kafka-acls.sh`` give, each a line."""
    found = []
    for call in calls.splitlines():
        words = shlex.split(call)
        pairs = [
            (words[at], words[at + 1]) for at in range(words.index("--add") + 1, len(words), 2)
        ]
        (user,) = (value.removeprefix("User:") for name, value in pairs if "principal" in name)
        found += [
            Right(user, operation, option, resource)
            for name, operation in pairs
            if name == "--operation"
            for option, resource in pairs
            if option in {"--topic", "--group", "--transactional-id"}
        ]
    return found


@dataclass(frozen=True)
class Brokers:
    """The node, and how its users connect."""

    cluster: Cluster
    certificate: Path
    folder: Path
    admin: KafkaAdminClient

    def settings(self, user: str, topic: str = TOPIC, **options: object) -> KafkaSettings:
        asked = {
            "security_protocol": "SASL_SSL",
            "sasl_mechanism": "SCRAM-SHA-512",
            "sasl_username": user,
            "ssl_cafile": self.certificate,
            "request_seconds": 3,
        }
        return KafkaSettings.from_url(self.cluster.url(topic, **{**QUICK, **asked, **options}))

    def run(self, *command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a command that finds Kafka's tools, as an operator would."""
        done = run_tool(self.folder, *command, **environment)
        done.check_returncode()
        return done

    def properties(self, user: str) -> Path:
        """Write how a user connects, for Kafka's own tools."""
        return write_properties(self.folder, user, self.certificate, by_scram=user in USERS)


@pytest.fixture(scope="module")
def brokers(
    kafka_jars: None,  # noqa: ARG001 - asked for its effect
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Brokers]:
    """A node that checks rights, with five users that have none yet."""
    folder = tmp_path_factory.mktemp("acls")
    cluster, certificate = secured_node(folder, **RIGHTS)
    write_tools(folder)
    with (
        cluster,
        administered(cluster.bootstrap.split(","), certificate, USERS) as admin,
    ):
        yield Brokers(cluster, certificate, folder, admin)


@pytest.fixture(scope="module")
def rights(brokers: Brokers) -> list[Right]:
    """Run the script, and make the topics as the operator."""
    brokers.run(SCRIPT, brokers.cluster.bootstrap, brokers.properties("broker"), TOPIC, COMMANDS)
    calls = brokers.folder / "calls"
    given = rights_of(calls.read_text(encoding="utf-8"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(PASSWORD_VARIABLE, WORD)
        create(brokers)
    return given


@pytest.fixture(autouse=True)
def password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PASSWORD_VARIABLE, WORD)


def create(brokers: Brokers) -> None:
    """Make the topics as the operator, and correct a setting of each."""
    make_topic(brokers.settings("operator"))
    require_topics(brokers.settings("operator", COMMANDS))
    with closing(admin_of(brokers.settings("operator"))) as admin:
        for topic in NAMES:
            resource = ConfigResource(ConfigResourceType.TOPIC, topic, {"cleanup.policy": "delete"})
            altered = admin.alter_configs([resource], raise_on_unknown=False, incremental=True)
            (outcome,) = altered["topic"].values()
            if outcome != "OK":
                raise TopicAuthorizationFailedError(topic, outcome)


def append(brokers: Brokers, folder: Path, user: str = "writer", topic: str = TOPIC) -> None:
    """Append as a writer, which takes over from the one before."""
    with closing(KafkaLog(brokers.settings(user, topic), folder, writable=True)) as log:
        if not log.head().size:
            log.append(Chain().open().messages)
        log.append(Chain.behind(log).add(landed(1)))
        log.confirm()


def stand_by(brokers: Brokers, folder: Path, user: str = "writer") -> None:
    """Wait for the lease and lead."""
    standby = KafkaStandby(brokers.settings(user), folder, lease_seconds=6)
    with closing(standby):
        deadline = time.monotonic() + 20
        while not standby.wait(0.5):
            assert time.monotonic() < deadline, "no lease"
        assert not standby.has_others()


def read(
    brokers: Brokers, folder: Path, user: str = "projector", client: str = "kafka-python"
) -> None:
    """Read the log to its end."""
    settings = brokers.settings(user, scan_client=client)
    with closing(KafkaLog(settings, folder, writable=False)) as log:
        assert sum(1 for _ in log.read()) == log.head().size


def answer(brokers: Brokers, folder: Path, user: str = "writer") -> None:
    """Take a command from the topic, and answer it."""
    send(brokers, folder)
    settings = brokers.settings(user, COMMANDS)
    require_topics(settings)
    with closing(CommandReader(settings, "sazka-live", lambda *_: None)) as reading:
        found = []
        deadline = time.monotonic() + 20
        while not found and time.monotonic() < deadline:
            found = reading.poll(500)
        producer = AnswerProducer(settings, 1)
        try:
            topics = (receipts_of(COMMANDS), dead_letters_of(COMMANDS))
            records = [AnswerRecord(topic, 0, b"a-1", b"{}", []) for topic in topics]
            producer.commit_answers(records, dict([reading.behind(found[-1])]))
        finally:
            producer.close()


def send(brokers: Brokers, folder: Path, user: str = "commands") -> None:  # noqa: ARG001 - one shape
    """Send a command, as the platform does."""
    settings = brokers.settings(user, COMMANDS)
    with closing(
        KafkaProducer(**settings.connection(), enable_idempotence=False, max_block_ms=5000)
    ) as producer:
        producer.send(COMMANDS, b"{}", key=b"a-1").get(20)


def poll_until(consumer: KafkaConsumer, seconds: float) -> bool:
    """Return whether a record comes in time."""
    deadline = time.monotonic() + seconds
    while not (found := consumer.poll(500)) and time.monotonic() < deadline:
        pass
    return bool(found)


def receive(brokers: Brokers, folder: Path, user: str = "commands") -> None:  # noqa: ARG001 - one shape
    """Read answers as a member of a group, as the platform does."""
    consumer = KafkaConsumer(
        receipts_of(COMMANDS),
        **brokers.settings(user).connection(),
        group_id="commands",
        enable_auto_commit=False,
        auto_offset_reset="earliest",
    )
    with closing(consumer):
        if not poll_until(consumer, 8):
            raise KafkaTimeoutError("no answer")
        consumer.commit()


def read_dead_letters(brokers: Brokers, folder: Path, user: str = "operator") -> None:  # noqa: ARG001 - one shape
    with closing(KafkaConsumer(**brokers.settings(user).connection())) as consumer:
        place = TopicPartition(dead_letters_of(COMMANDS), 0)
        if place.topic not in consumer.topics():
            raise TopicAuthorizationFailedError(place.topic)
        consumer.assign([place])
        consumer.seek_to_beginning(place)
        assert poll_until(consumer, 20), "no dead letter"


def make_again(brokers: Brokers, folder: Path) -> None:
    """Make the topics as on the first day, and fill them; the rights to them outlive them."""
    there = set(brokers.admin.list_topics())
    if gone := [name for name in NAMES if name in there]:
        brokers.admin.delete_topics(gone)
        while there & set(gone):
            there = set(brokers.admin.list_topics())
    create(brokers)
    append(brokers, folder / f"filled-{time.monotonic_ns()}")
    answer(brokers, folder)


WORKS: dict[str, tuple[Any, ...]] = {
    "commands": (send, receive),
    "writer": (append, stand_by, answer),
    "projector": (read, partial(read, client="confluent")),
    "mirror": (partial(read, user="mirror"),),
    "operator": (read_dead_letters, make_again),
}


def failure_of(work: Any, brokers: Brokers, folder: Path) -> str | None:
    """Return how a work is refused, with what our commands say; None if it is done."""
    try:
        work(brokers, folder)
    except AvailabilityError as error:
        return str(error)
    except KafkaError as error:
        named = [name for name in NAMES if name in str(error)]
        return describe_error(error, max(named or [COMMANDS], key=len))
    return None


def restore(brokers: Brokers, folder: Path) -> None:
    """Make the topics that the work of an operator without a right removed."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while failure_of(make_again, brokers, folder) is not None:
        assert time.monotonic() < deadline


@pytest.fixture
def populated(brokers: Brokers, rights: list[Right], tmp_path: Path) -> Path:  # noqa: ARG001 - the rights are given
    """A chain, a command, its answer and a dead letter; returns a folder."""
    append(brokers, tmp_path / "first")
    answer(brokers, tmp_path)
    return tmp_path


@pytest.mark.parametrize("user", USERS)
def test_user_can_do_its_work(brokers: Brokers, populated: Path, user: str) -> None:
    for number, work in enumerate(WORKS[user]):
        assert failure_of(work, brokers, populated / f"{user}-{number}") is None


FORBIDDEN = {
    "the projector appends": (partial(append, user="projector"), f"gameledger-{TOPIC}-0"),
    "the mirror appends": (partial(append, user="mirror"), f"gameledger-{TOPIC}-0"),
    "the operator appends": (partial(append, user="operator"), f"--topic {TOPIC}"),
    "the platform appends": (partial(append, user="commands"), f"--topic {TOPIC}"),
    "the projector stands by": (partial(stand_by, user="projector"), f"gameledger-{TOPIC}-writer"),
    "the mirror stands by": (partial(stand_by, user="mirror"), f"gameledger-{TOPIC}-writer"),
    "the operator reads": (partial(read, user="operator"), f"--topic {TOPIC}"),
    "the platform reads": (partial(read, user="commands"), f"--topic {TOPIC}"),
    "the platform reads fast": (
        partial(read, user="commands", client="confluent"),
        f"--topic {TOPIC}",
    ),
    "the writer begins a topic": (partial(append, topic="other"), "--topic other"),
    "the operator begins another topic": (
        partial(append, user="operator", topic="other"),
        "--topic other",
    ),
    "the projector answers": (partial(answer, user="projector"), f"--topic {COMMANDS}"),
    "the projector sends": (partial(send, user="projector"), ""),
    "the writer sends": (partial(send, user="writer"), f"--topic {COMMANDS}"),
    "the mirror receives": (partial(receive, user="mirror"), REFUSED),
    "the mirror reads dead letters": (partial(read_dead_letters, user="mirror"), REFUSED),
}


@pytest.mark.parametrize("name", FORBIDDEN)
def test_what_is_not_its_work_is_refused_by_name(
    brokers: Brokers, populated: Path, name: str
) -> None:
    work, resource = FORBIDDEN[name]
    failure = failure_of(work, brokers, populated / "forbidden")
    assert failure is not None
    assert resource in failure


@pytest.mark.parametrize("user", USERS)
def test_no_user_may_give_rights(brokers: Brokers, rights: list[Right], user: str) -> None:
    (right, *_) = rights
    with closing(admin_of(brokers.settings(user))) as admin:
        answers = admin.create_acls([ACL(*right.parts, ResourcePattern(*right.pattern))])
    assert answers == {"succeeded": [], "failed": [ClusterAuthorizationFailedError]}


def test_each_right_is_needed_and_named_when_it_is_missing(
    brokers: Brokers, populated: Path, rights: list[Right]
) -> None:
    """Each is taken away once: the work of its user then fails, and the error names its line.

    A run takes some of them, a search all.
    """
    wrong = {}
    for number, right in enumerate(sample(rights, 2)):
        right.revoke(brokers.admin)
        failure = None
        deadline = time.monotonic() + PATIENCE_SECONDS
        try:
            while failure is None and time.monotonic() < deadline:
                for index, work in enumerate(WORKS[right.user]):
                    folder = populated / f"without-{number}-{index}-{time.monotonic_ns()}"
                    failure = failure or failure_of(work, brokers, folder)
        finally:
            right.grant(brokers.admin)
        if right.user == "operator":
            restore(brokers, populated / f"restored-{number}")
        of_the_platform = right.user == "commands"  # which has a client of its own
        if failure is None or not (
            of_the_platform or f"{right.option} {right.resource}" in failure
        ):
            wrong[right] = failure
    assert wrong == {}


def test_topic_that_a_writer_may_not_make_is_made_by_the_printed_command(
    brokers: Brokers, populated: Path
) -> None:
    brokers.admin.delete_topics([TOPIC])
    with pytest.raises(AvailabilityError, match=f"--topic {TOPIC}") as caught:
        append(brokers, populated / "again")
    (command,) = caught.value.__notes__
    properties = brokers.properties("operator")
    brokers.run(*shlex.split(command), "--command-config", properties)
    append(brokers, populated / "again")
