"""The watch as it runs: a real process, a real log that grows, a real receiver that fails first."""

from __future__ import annotations

import base64
import hmac
import json
import queue
import signal
import sys
import threading
from contextlib import closing, contextmanager, suppress
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import httpx
import pytest

from ledger.core.clock import SECOND, SystemClock
from ledger.core.errors import AvailabilityError, InputError
from ledger.log.memory import MemoryLog
from ledger.log.opening import opening_of
from ledger.log.port import Query
from ledger.rules.operator import shipped_rules
from projections.findings.finding import DetectedFinding, render_findings
from projections.reconciliation.reconcile import Reconciliation, examine
from projections.store.projector import Projector
from projections.store.tables import Store
from tests.tools.cli_cases import SECONDS_MAX, begin, bet, command, run, run_here, started, studio
from tools.data import DataDirectory
from tools.simulator import breaches
from tools.watch.periodic_reconciliation import PeriodicReconciliation
from tools.watch.rules import Rule, Rules, read_rules
from tools.watch.spool import Delivery, Spool
from tools.watch.watcher import Alarm, AlarmBatch, Watcher
from tools.watch.webhook_sender import WebhookSender

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tools.workshop.broker import Cluster

ON_KAFKA = pytest.param("on Kafka", marks=pytest.mark.broker)
SOON = 5.0
SECRET = b"a secret of thirty-two bytes ..."
WRONG = [
    bet(1, stake=10_000, bet_code="red"),
    command("close_bets", round="q1"),
    command(
        "spin_wheel",
        round="q1",
        wheel_direction="clockwise",
        ball_direction="counterclockwise",
        revolutions=9,
    ),
    command("land_ball", round="q1", number=1),
    command("record_result", round="q1", outcome={"number": 1}, wording="1 red"),
    command("settle_round", round="q1", payments={"q1-1": 12_300}),
]
"""A round that pays 123 CZK where 200 CZK are due."""


class Receiver(ThreadingHTTPServer):
    """A webhook that answers 503, or so, so many times before it takes anything."""

    def __init__(self, failures: int, status: int = 503) -> None:
        self.failures, self.status = failures, status
        self.attempts: list[str] = []
        self.taken: queue.Queue[tuple[dict[str, str], bytes]] = queue.Queue()
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/alarms"


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.attempts.append(self.headers["webhook-id"])
        fails = len(self.server.attempts) <= self.server.failures
        self.send_response(self.server.status if fails else 200)
        self.end_headers()
        if not fails:
            self.server.taken.put(({k.lower(): v for k, v in self.headers.items()}, body))

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class _Endless(_Handler):
    """Takes everything, and never ends what it says of that."""

    def do_POST(self) -> None:
        super().do_POST()
        with suppress(OSError):
            while True:
                self.wfile.write(bytes(1 << 16))


@contextmanager
def receiving(
    failures: int, status: int = 503, handler: type[_Handler] = _Handler
) -> Iterator[Receiver]:
    with Receiver(failures, status) as server:
        server.RequestHandlerClass = handler
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def rules_for(folder: Path, url: str) -> Path:
    secret = folder / "secret"
    secret.write_text("whsec_" + base64.b64encode(SECRET).decode())
    secret.chmod(0o600)
    path = folder / "watch.toml"
    path.write_text(
        f"""
beat_seconds = 0

[[rule]]
codes = ["PAID_TOO_LITTLE", "PAID_TOO_MUCH"]
severity = "page"

[[rule]]
event = "TableOpened"
severity = "note"
to = []

[[destination]]
name = "duty"
url = "{url}"
secret_file = "{secret}"
"""
    )
    return path


@contextmanager
def watching(
    data: Path, rules: Path, *more: str, environment: dict[str, str] | None = None
) -> Iterator[tuple[Any, str]]:
    """Start the watch; return it and the address of its metrics once it watches."""
    arguments = ("watch", "--rules", str(rules), "--health", "127.0.0.1:0", "--json", *more)
    with started(*arguments, data=data, environment=environment) as running:
        try:
            first, second = (running.stderr.readline().decode() for _ in range(2))
            assert second == "gameledger: watching\n", (first, second)
            yield running, f"{first.rpartition(' ')[2].strip()}/metrics"
            running.send_signal(signal.SIGTERM)
            assert running.wait(SECONDS_MAX) == 0
        finally:
            running.kill()


def courier_of(spool: Spool, duty: Receiver, folder: Path, **more: Any) -> WebhookSender:
    """Let an alarm wait for a webhook; return who delivers it."""
    alarm = Alarm("alarm_1", "X", "page", "s", "", "c", 3, 0, "", "", "", 0)
    spool.keep("c", AlarmBatch(4, ((alarm, ("duty",)),)))
    (destination,) = read_rules(rules_for(folder, duty.url)).destination
    return WebhookSender(destination, spool, **more)


def signature_of(headers: dict[str, str], body: bytes) -> str:
    signed = b".".join(
        (headers["webhook-id"].encode(), headers["webhook-timestamp"].encode(), body)
    )
    return "v1," + base64.b64encode(hmac.digest(SECRET, signed, sha256)).decode()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    begin(tmp_path / "data")
    return tmp_path / "data"


def test_a_wrong_payment_reaches_a_webhook_that_fails_first_and_a_stopped_watch_goes_on(
    data: Path, tmp_path: Path
) -> None:
    with receiving(failures=2) as duty:
        rules = rules_for(tmp_path, duty.url)
        with watching(data, rules) as (running, metrics):
            lines = "".join(f"{json.dumps(one)}\n" for one in WRONG)
            done = run("record", data=data, lines=lines)
            assert done.returncode == 0, done.stdout
            render_findings = json.loads(running.stdout.readline())
            headers, body = duty.taken.get(timeout=SECONDS_MAX)
            shown = httpx.get(metrics).text
        assert (render_findings["code"], render_findings["round"], render_findings["bet"]) == (
            "PAID_TOO_LITTLE",
            "q1",
            "q1-1",
        )
        assert render_findings["severity"] == "page"
        assert duty.attempts == [render_findings["id"]] * 3
        assert headers["webhook-id"] == render_findings["id"]
        assert headers["webhook-signature"] == signature_of(headers, body)
        assert json.loads(body) == render_findings
        assert (
            'gameledger_watch_alarms_total{chain="test",code="PAID_TOO_LITTLE",severity="page"} 1.0'
            in shown
        )
        assert (
            'gameledger_watch_delivery_failures_total{chain="test",destination="duty"} 2.0' in shown
        )
        assert 'gameledger_watch_undelivered{chain="test",destination="duty"}' in shown

        again = command("correct_win", round="q1", bet="q1-1", difference=-100, cause="wrong way")
        done = run("record", data=data, lines=[again])
        assert done.returncode == 0, done.stdout
        with watching(data, rules) as (running, _):
            told_now = json.loads(running.stdout.readline())
            headers, body = duty.taken.get(timeout=SECONDS_MAX)
        assert told_now["amount"] == render_findings["amount"] + 100
        assert json.loads(body) == told_now
        assert told_now["id"] != render_findings["id"]


def test_what_a_webhook_did_not_take_is_delivered_after_a_restart(
    data: Path, tmp_path: Path
) -> None:
    with (
        receiving(failures=10**6) as duty,
        watching(data, rules_for(tmp_path, duty.url)) as (running, _),
    ):
        run("record", data=data, lines="".join(f"{json.dumps(one)}\n" for one in WRONG))
        render_findings = json.loads(running.stdout.readline())
    with closing(Spool(data / "watch")) as spool:
        assert spool.waiting == 1
        waiting = spool.next_of("duty")
        assert waiting is not None
        assert waiting.id == render_findings["id"]
        spool.keep("other", AlarmBatch(1, ((Alarm(**render_findings), ("gone",)),)))
    with receiving(failures=0) as duty:
        with watching(data, rules_for(tmp_path, duty.url)) as (running, _):
            assert b"1 alarm waits for gone" in running.stderr.readline()
            _, body = duty.taken.get(timeout=SECONDS_MAX)
        assert json.loads(body) == render_findings
        assert duty.attempts == [render_findings["id"]]
    with closing(Spool(data / "watch")) as spool:
        assert spool.waiting == spool.waiting_for("gone") == 1


class _TriedForADay(Spool):
    """A spool whose deliveries failed every minute for a day."""

    def next_of(self, destination: str) -> Delivery | None:
        found = super().next_of(destination)
        return found and found._replace(attempts=24 * 60)


@pytest.mark.parametrize(
    ("kind", "status"), [(Spool, 520), (_TriedForADay, 503)], ids=["no status of ours", "a day"]
)
def test_a_webhook_gets_its_alarm_whatever_it_answered_before(
    tmp_path: Path, kind: type[Spool], status: int
) -> None:
    with receiving(failures=1, status=status) as duty, closing(kind(tmp_path / "watch")) as spool:
        said: list[str] = []

        def failed(_: str, why: str) -> None:
            said.append(why)
            courier.wake()

        courier = courier_of(spool, duty, tmp_path, failed=failed)
        courier.start()
        try:
            duty.taken.get(timeout=SOON)
        finally:
            courier.stop()
        assert said == [f"alarm_1 was not taken: status {status}"]
        assert spool.waiting == 0


def test_an_alarm_is_delivered_whatever_went_wrong_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with receiving(failures=0) as duty, closing(Spool(tmp_path / "watch")) as spool:
        said: list[str] = []

        def failed(_: str, why: str) -> None:
            said.append(why)
            monkeypatch.undo()
            courier.wake()

        def no_certificates(**_: object) -> None:
            raise FileNotFoundError("no such bundle")

        monkeypatch.setattr(httpx, "Client", no_certificates)
        courier = courier_of(spool, duty, tmp_path, failed=failed)
        courier.start()
        try:
            duty.taken.get(timeout=SECONDS_MAX)
        finally:
            courier.stop()
        assert (said, spool.waiting) == (["no such bundle"], 0)


def test_what_a_webhook_says_is_not_read(tmp_path: Path) -> None:
    with (
        receiving(failures=0, handler=_Endless) as duty,
        closing(Spool(tmp_path / "watch")) as spool,
    ):
        courier = courier_of(spool, duty, tmp_path)
        courier.start()
        duty.taken.get(timeout=SOON)
        courier.stop()
        assert (spool.waiting, duty.attempts) == (0, ["alarm_1"])


@pytest.mark.parametrize("kept", ["in a folder", ON_KAFKA])
def test_an_alarm_comes_soon_after_its_event(
    kept: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    record_property: Any,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The bound leaves room for a busy machine; the seconds are shown."""
    environment = {"GAMELEDGER_KEYS": str(tmp_path / "keys")}
    if kept == "on Kafka":
        broker: Cluster = request.getfixturevalue("broker")
        environment["GAMELEDGER_LOG"] = broker.url(f"watched-{uuid4().hex}")
    places: dict[str, Any] = {"data": tmp_path / "data", "environment": environment}
    begun = ("init", "--operator", "26493993", "--name", "Test", "--chain", "test")
    assert run(*begun, **places).returncode == 0
    assert run("record", lines=studio(), **places).returncode == 0
    again = [
        [command("correct_win", round="q1", bet="q1-1", difference=-100, cause="wrong way")]
    ] * 3
    late = []
    with watching(rules=rules_for(tmp_path, "http://127.0.0.1:1/"), **places) as (running, _):
        for lines in (WRONG, *again):
            done = run("record", lines=lines, **places)
            assert done.returncode == 0, done.stdout
            render_findings = json.loads(running.stdout.readline())
            assert render_findings["code"] == "PAID_TOO_LITTLE"
            late.append((SystemClock().now() - render_findings["recorded_at"]) / SECOND)
    record_property("seconds", late)
    with capsys.disabled():
        print(f"\n{kept}: {', '.join(f'{one:.3f}' for one in late)} s")  # noqa: T201 - to be seen
    assert max(late) < SOON


def test_what_needs_the_whole_history_is_told_by_the_slower_beat(
    data: Path, tmp_path: Path
) -> None:
    wrong = command("record_clock", source_of_time="tik.cesnet.cz", skew=3_000_000, uncertainty=1)
    assert run("record", data=data, lines=[wrong]).returncode == 0
    rules = tmp_path / "watch.toml"
    rules.write_text("beat_seconds = 3600\n[[rule]]\ncodes = ['*']\nseverity = 'ticket'\n")
    elsewhere = {"GAMELEDGER_DATA": str(tmp_path / "none")}
    behind = ("--from", "0", "--data", str(data))
    with watching(data, rules, *behind, environment=elsewhere) as (running, _):
        render_findings = json.loads(running.stdout.readline())
    assert (render_findings["code"], render_findings["severity"]) == ("CLOCK_APART", "ticket")
    with closing(DataDirectory(data).read()) as log, closing(Spool(data / "watch")) as spool:
        chain = opening_of(log).chain
        assert render_findings["position"] == log.head().size - 1
        assert spool.last_reconciliation(chain) == (0, frozenset({render_findings["id"]}))


def test_a_finding_of_the_whole_history_alarms_once_and_again_when_it_comes_back() -> None:
    log = MemoryLog()
    breaches(log, SystemClock().now())
    opening, nothing = opening_of(log), AlarmBatch(0, ())
    rules = shipped_rules()["sazka"]

    def beat(watcher: Watcher, *positions: int) -> list[int]:
        found = tuple(
            render_findings(
                [DetectedFinding("SPIN_WRONG_DIRECTION", position=one) for one in positions], rules
            )
        )
        seen = watcher.add_findings(Reconciliation(99, "", 0, 0, found, ()), nothing)
        assert seen.open is not None
        assert len(seen.open) == len(positions)
        return [alarm.position for alarm, _ in seen.alarms]

    watcher = Watcher(log, opening, Rules(), since=5)
    assert beat(watcher, 3, 7) == [7], "what was there before the watch began is old"
    assert beat(watcher, 3, 7, 8) == [8]
    assert beat(watcher, 3, 8) == []
    assert beat(watcher, 3, 7, 8) == [7]
    known = watcher.add_findings(Reconciliation(99, "", 0, 0, (), ()), nothing).open
    assert beat(Watcher(log, opening, Rules(), open_before=known, since=5), 3) == [3]


def test_the_slower_beat_does_not_tell_again_what_was_told_at_once(tmp_path: Path) -> None:
    log = MemoryLog()
    breaches(log, SystemClock().now())
    watcher = Watcher(log, opening_of(log), Rules())
    seen = watcher.read_alarms(0)
    with Store.open(tmp_path) as store:
        Projector(log, store).catch_up()
        found = examine(store)
    later = watcher.add_findings(found, seen).alarms[len(seen.alarms) :]
    at_once = {alarm.code for alarm, _ in seen.alarms}
    assert "MEASURE_PASSED" in at_once
    assert {alarm.code for alarm, _ in later} == set(found.by_code) - at_once
    assert len(seen.alarms) + len(later) == len(found.findings)


def test_a_reconciliation_that_fails_is_told_and_ends_with_the_watch() -> None:
    failures: queue.Queue[str] = queue.Queue()
    slow = "import sys, time; sys.stderr.write('no tables'); sys.exit(4)"
    with PeriodicReconciliation([sys.executable, "-c", slow], 0.01, failed=failures.put) as beat:
        assert failures.get(timeout=30) == "no tables"
        assert beat.take() is None
    endless = [sys.executable, "-c", "import time; time.sleep(600)"]
    with PeriodicReconciliation(endless, 600, failed=failures.put):
        pass


def seen_of(data: Path, rules: Rules) -> list[Alarm]:
    """Look at a whole chain."""
    with closing(DataDirectory(data).read()) as log:
        watcher, position, alarms = Watcher(log, opening_of(log), rules), 0, []
        while (seen := watcher.read_alarms(position)).position > position:
            position = seen.position
            alarms += [alarm for alarm, _ in seen.alarms]
        assert position == log.head().size
    return alarms


def test_an_event_alarms_when_it_comes_often_enough(data: Path) -> None:
    rules = Rules(rule=(Rule(event="LimitDeclined", times=3, severity="ticket"),))
    with closing(DataDirectory(data).read()) as log:
        count = len(log.find(Query(types=("LimitDeclined",))))
    found = seen_of(data, rules)
    assert len(found) == count // 3 > 0
    assert {(one.code, one.severity) for one in found} == {("LimitDeclined", "ticket")}
    assert all(one.sentence for one in found)


def test_breaches_are_told_as_their_facts_arrive_each_under_one_name() -> None:
    """What the careless operator of the demo recorded, as far as it shows at once."""
    log = MemoryLog()
    breaches(log, SystemClock().now())
    watcher = Watcher(log, opening_of(log), Rules())
    alarms = [alarm for alarm, _ in watcher.read_alarms(0).alarms]
    assert {one.code for one in alarms} == {
        "PAID_TOO_LITTLE",
        "RESULT_NOT_LANDED",
        "MEASURE_PASSED",
        "BREAK_VIOLATED",
        "BET_WHILE_PANIC",
    }
    assert len({one.id for one in alarms}) == len(alarms)
    again = Watcher(log, opening_of(log), Rules()).read_alarms(0).alarms
    assert [alarm.id for alarm, _ in again] == [one.id for one in alarms]


def test_a_spool_has_a_bound_and_one_owner(tmp_path: Path) -> None:
    alarm = Alarm("alarm_1", "X", "page", "s", "", "c", 3, 0, "", "", "", 0)
    with closing(Spool(tmp_path, most=2)) as spool:
        assert spool.position("c") is None
        spool.keep("c", AlarmBatch(4, ((alarm, ("a", "b")),)))
        assert (spool.position("c"), spool.waiting) == (4, 2)
        assert (spool.is_full(["a", "b"]), spool.is_full(["a"])) == (True, False)
        with pytest.raises(AvailabilityError):
            Spool(tmp_path)
        one = spool.next_of("a")
        assert one is not None
        spool.failed(one.number)
        assert spool.next_of("a") == one._replace(attempts=1)
        spool.delivered(one.number)
        assert (spool.next_of("a"), spool.waiting_for("b")) == (None, 1)
        assert not spool.is_full(["a", "b"])


@pytest.mark.parametrize(
    ("amount", "currency", "severity"),
    [
        (99_999, "", "note"),
        (100_000, "", "page"),
        (-100_000, "", "page"),
        (5_000, "EUR", "page"),
    ],
)
def test_a_rule_for_great_amounts_knows_that_euros_are_no_crowns(
    tmp_path: Path, amount: int, currency: str, severity: str
) -> None:
    path = tmp_path / "watch.toml"
    path.write_text(
        "[[rule]]\ncodes = ['PAID_TOO_LITTLE']\namount_least = 100_000\n"
        "[[rule]]\ncodes = ['*']\nseverity = 'note'\n"
    )
    found = DetectedFinding("PAID_TOO_LITTLE", position=1, amount=amount, currency=currency)
    (finding,) = render_findings([found], shipped_rules()["sazka"])
    rule = read_rules(path).of_finding(finding)
    assert rule is not None
    assert rule.severity == severity


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[[rule]]\ncodes = ['NONE_SUCH']", "rule 1: no finding has the code NONE_SUCH"),
        ("[[rule]]\nevent = 'BetLost'", "rule 1: there is no event type BetLost"),
        (
            "[[rule]]\nevent = 'BetRefused'\nwhere = {colour = 'red'}",
            "BetRefused has no field colour; it has bet, account",
        ),
        ("[[rule]]\nseverity = 'page'", "name either codes or an event"),
        ("[[rule]]\ncodes = ['*']\nto = ['duty']", "there is no destination duty"),
        ("[[rule]]\ncodes = ['*']\nwhere = {a = 1}", "where and times are for events"),
        ("[[rule]]\nevent = 'BetRefused'\namount_least = 5", "amount_least is for findings"),
        ("[[rule]]\ncodes = ['*']\nseverity = 'loud'", "severity"),
        ("[[rule]]\ncodes = ['*']\ncolour = 1", "colour"),
        ("[[destination]]\nname = 'd'\nurl = 'ftp://x'\nsecret_file = 's'", "url"),
        (
            "[[destination]]\nname = 'd'\nurl = 'https://[::1/'\nsecret_file = 's'",
            "https://[::1/ is no address",
        ),
        ("beat_seconds = -1", "beat_seconds"),
        ("rule =", "Invalid value"),
    ],
)
def test_rules_that_can_not_be_so_are_refused_with_their_place(
    tmp_path: Path, text: str, problem: str
) -> None:
    path = tmp_path / "watch.toml"
    path.write_text(text)
    with pytest.raises(InputError) as refused:
        read_rules(path)
    assert problem in str(refused.value)
    assert str(path) in str(refused.value)


def test_rules_are_checked_without_a_chain(tmp_path: Path) -> None:
    path = rules_for(tmp_path, "http://127.0.0.1:1/")
    done = run_here("watch", "--rules", str(path), "--check-rules", data=tmp_path)
    assert (done.returncode, done.stdout) == (0, "2 rules and 1 destination are in order.\n")
    secret = tmp_path / "secret"
    kept = secret.read_text()
    for text, mode, code, problem in (
        ("whsec_c2hvcnQ=", 0o600, 2, "is shorter than 24 bytes"),
        (kept, 0o640, 5, "so others can use what it holds"),
    ):
        secret.write_text(text)
        secret.chmod(mode)
        done = run_here("watch", "--rules", str(path), "--check-rules", data=tmp_path)
        assert done.returncode == code
        assert f"destination duty: {'the secret in ' if code == 2 else ''}{secret} " in done.stderr
        assert problem in done.stderr
    secret.unlink()
    done = run_here("watch", "--rules", str(path), "--check-rules", data=tmp_path)
    assert done.returncode == 2
    assert f"destination duty: {secret} can't be read" in done.stderr
