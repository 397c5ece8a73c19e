"""A provider's feed: what comes in any order becomes the same chain, once."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from random import Random
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docs.examples.aurora_evening import Message, disordered
from ledger.core.clock import DAY, MINUTE, SECOND, StoppedClock, SystemClock
from ledger.core.errors import AuthorizationError, AvailabilityError, InputError
from ledger.decisions.operator.sources import RegisterSource
from ledger.events.event_types import FeedMessageUnmapped, SourceSealed
from ledger.tlog.source_seals import MARK_BYTES, mark_of
from tests.ledger.source_cases import Source
from tests.tools.feed_cases import adapter, content, not_followed, played, unmapped
from tools.feed.following import Follower
from tools.feed.provider import Place, UnmappedError
from tools.feed.sealing import FeedSealer
from tools.feed.settings import read_feed
from tools.feed.spool import MessageOutcome, Spool
from tools.practice.certificates import write_practice_certificates
from tools.web.webhooks import headers_of, read_webhook_secret, require_signed

if TYPE_CHECKING:
    from pathlib import Path

SEED = 21
EVENING = played(SEED, faults=True)
IN_ORDER = [message for messages in EVENING for message in messages]


@pytest.fixture(scope="module")
def orderly(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, list[Any]], Any]:
    """What the chain says, and does not follow, when all comes as it happened."""
    with adapter(tmp_path_factory.mktemp("orderly")) as one:
        one.put(IN_ORDER)
        one.follow()
        return content(one.events()), unmapped(one.events())


def other(message: Message, **changes: Any) -> Message:
    """The message with another identifier or other content."""
    body = json.loads(message.body)
    identifier = changes.pop("identifier", message.identifier)
    return Message(identifier, json.dumps(body | changes).encode())


def test_an_evening_is_recorded_and_what_means_nothing_is_told_once(orderly: Any) -> None:
    said, told = orderly
    assert {message for message, _ in told} == not_followed(IN_ORDER)
    assert set(told.values()) == {1}
    kinds = [kind for of in said.values() for kind, *_ in of]
    for kind in ("BetPlaced", "BetWithdrawn", "BetSettled", "RoundVoided", "SeatLeft"):
        assert kind in kinds
    settled = [facts for of in said.values() for kind, facts, *_ in of if kind == "BetSettled"]
    assert all(facts["paid"] == facts["due"] for facts in settled)
    assert any(facts["paid"] for facts in settled)
    (source,) = {source for of in said.values() for *_, source in of}
    assert source == "aurora"


@settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(seed=st.integers(0, 2**32), share=st.sampled_from((0.1, 0.5, 1.0)))
def test_disorder_and_repeats_change_nothing(
    orderly: Any, tmp_path_factory: pytest.TempPathFactory, seed: int, share: float
) -> None:
    chance = Random(seed)
    with adapter(tmp_path_factory.mktemp("disorder")) as one:
        for message in disordered(EVENING, chance, share=share):
            one.put([message])
            if chance.random() < 0.2:
                one.follow()
        one.follow()
        assert (content(one.events()), unmapped(one.events())) == orderly
        assert one.spool.waiting() == 0


def test_a_crash_between_decision_and_note_decides_nothing_twice(
    orderly: Any, tmp_path: Path
) -> None:
    """The spool is put back to where it was before the decisions, with the ledger as it is."""
    with adapter(tmp_path) as one:
        for at in range(0, len(IN_ORDER), 20):
            one.put(IN_ORDER[at : at + 20])
            one.spool.close()
            kept = shutil.copy(tmp_path / "feed.sqlite", tmp_path / "kept")
            one.spool = Spool(tmp_path / "feed.sqlite")
            one.follow()
            one.spool.close()
            shutil.copy(kept, tmp_path / "feed.sqlite")
            one.spool = Spool(tmp_path / "feed.sqlite")
        one.follow()
        assert (content(one.events()), unmapped(one.events())) == orderly


def test_a_feed_seals_what_it_sends_and_numbers_it_alike_after_a_crash(tmp_path: Path) -> None:
    """Each step is repeated from the spool as it was before, with the ledger as it is."""
    source, path = Source("aurora", "feed"), tmp_path / "feed.sqlite"
    clock = StoppedClock(SystemClock().now() - DAY)

    def sealer() -> FeedSealer:
        return FeedSealer(
            path, source.key, chain="feed", system="aurora", clock=clock, interval=MINUTE
        )

    with adapter(tmp_path) as one:
        certificate = source.key.certificate
        one.ledger.execute(RegisterSource(system="aurora", certificate=certificate, reason="r"))
        for at in range(0, len(IN_ORDER), 20):
            one.put(IN_ORDER[at : at + 20])
            one.spool.close()
            kept = shutil.copy(path, tmp_path / "kept")
            for is_lost in (True, False):
                one.spool, one.sealer = Spool(path), sealer()
                clock.moment += 2 * MINUTE
                one.follow()
                one.sealer.seal(one.ledger, is_last=at + 20 >= len(IN_ORDER))
                one.sealer.close()
                one.spool.close()
                if is_lost:
                    shutil.copy(kept, path)
            one.spool = Spool(path)
        events = [found for found in one.events() if found.envelope.source == "aurora"]
    seals = [found.event for found in events if isinstance(found.event, SourceSealed)]
    sent = {
        found.envelope.command_id for found in events if not isinstance(found.event, SourceSealed)
    }
    sealed: dict[int, bytes] = {}
    for seal in seals:
        for place in range(seal.commands):
            mark = seal.marks[place * MARK_BYTES : (place + 1) * MARK_BYTES]
            assert sealed.setdefault(seal.first_number + place, mark) == mark
    assert seals[-1].is_last
    assert sorted(sealed) == list(range(1, len(sealed) + 1))
    assert set(sealed.values()) > set(map(mark_of, sent)), "also what no rule could decide"
    assert len(sealed) - len(sent) < len(not_followed(IN_ORDER))


def test_a_feed_whose_seals_are_rejected_sends_commands_nevertheless(tmp_path: Path) -> None:
    """Its source is not registered."""
    path, key = tmp_path / "feed.sqlite", Source("aurora", "feed").key
    stop, told = Event(), []

    def notify(text: str) -> None:
        told.append(text)
        stop.set()

    with (
        adapter(tmp_path) as one,
        closing(
            FeedSealer(path, key, chain="feed", system="aurora", clock=SystemClock(), interval=1)
        ) as sealer,
    ):
        one.put(IN_ORDER[:20])
        follower = Follower(one.spool, one.provider, one.ledger, SystemClock(), sealer=sealer)
        follower.run(stop, Event(), notify, lambda _: None)
        assert one.spool.waiting() == 0
        assert one.events()
    (text,) = told
    assert "nothing is sealed: aurora is not registered" in text


def test_a_number_that_never_comes_is_passed_and_told(tmp_path: Path) -> None:
    with adapter(tmp_path) as one:
        messages = played(3)[0]
        one.put([*messages[:3], *messages[5:]])
        one.follow()
        assert one.spool.waiting() == len(messages) - 5
        one.follow(patience=-MINUTE)
        assert one.spool.waiting() == 0
        (gap,) = (found.event for found in one.events() if hasattr(found.event, "reason"))
        assert (gap.reason, gap.feed, gap.number, gap.messages) == ("missing", "AUR-1", 4, 2)
        one.put(messages)
        one.follow()
        assert unmapped(one.events()) == {
            ("", "missing"): 1,
            (messages[3].identifier, "late"): 1,
            (messages[4].identifier, "late"): 1,
        }


def test_a_feed_that_begins_again_waits_anew_for_what_could_not_come(tmp_path: Path) -> None:
    """While it was down nobody could send the number; passed at once, its bet would count never."""
    with adapter(tmp_path) as one:
        messages = played(3)[0]
        one.put([*messages[:3], *messages[4:]])
        clock = StoppedClock(SystemClock().now() + 60 * MINUTE)
        begun_again = Follower(one.spool, one.provider, one.ledger, clock)
        while begun_again.step():
            clock.moment += SECOND
        assert one.spool.waiting() == len(messages) - 4
        one.put([messages[3]])
        while begun_again.step():
            pass
        assert (one.spool.waiting(), unmapped(one.events())) == (0, {})


def test_a_gap_is_passed_when_too_much_waits_for_it(tmp_path: Path) -> None:
    with adapter(tmp_path) as one:
        ping = played(1)[0][0]
        one.put(
            other(ping, identifier=f"m{number}", number=number, type="ping")
            for number in range(3, 13)
        )
        one.follow(buffered_max=10)
        assert one.spool.waiting() == 10
        one.follow(buffered_max=9)
        assert one.spool.waiting() == 0
        assert unmapped(one.events())["", "missing"] == 1


def test_other_content_under_a_known_name_or_number_is_told_once(tmp_path: Path) -> None:
    with adapter(tmp_path) as one:
        first = played(1)[0][0]
        changed = other(first, data={"player": "a-3"})
        taken = other(first, identifier="msg_new")
        for _ in range(2):
            one.put([first, changed, taken])
            one.follow()
        assert unmapped(one.events()) == {
            (first.identifier, "altered"): 1,
            ("msg_new", "altered"): 1,
        }
        assert [kind for kind, *_ in content(one.events())["a-1"]] == ["SeatTaken"]


def test_what_is_no_message_stops_nothing(tmp_path: Path) -> None:
    bodies = (b"", b"{", b"[]", b"\xff", b"null", b"[" * 40_000, b'{"type": "x", "number": 0}')
    with adapter(tmp_path) as one:
        one.put(Message(f"m{at}", body) for at, body in enumerate(bodies))
        one.put(played(1)[0][:2])
        one.follow()
        told = unmapped(one.events())
        assert told == {(f"m{at}", "unmapped"): 1 for at in range(len(bodies))}
        assert len(content(one.events())) == 2


@pytest.mark.parametrize(
    ("once", "twice"),
    [
        ('"number": ', '"number": 2, "number": '),
        ('"player": "a-1"', '"player": "a-1", "player": "a-2"'),
        ('"at": ', '"new": [{"k": 1, "k": 1}], "at": '),
    ],
)
def test_a_message_with_a_key_twice_is_none(tmp_path: Path, once: str, twice: str) -> None:
    message = played(1)[0][0]
    body = message.body.decode()
    assert once in body
    with adapter(tmp_path) as one:
        one.put([Message("m", body.replace(once, twice).encode()), message])
        one.follow()
        assert unmapped(one.events()) == {("m", "unmapped"): 1}
        told = [at.event for at in one.events() if isinstance(at.event, FeedMessageUnmapped)]
        assert ["twice: give it once" in event.detail for event in told] == [True]
        assert [kind for kind, *_ in content(one.events())["a-1"]] == ["SeatTaken"]


WRONG = (
    ("bet.placed", {"bet": "x", "amount": "1.005"}),
    ("bet.placed", {"bet": "x", "amount": "-1.00"}),
    ("bet.placed", {"bet": "x", "amount": "\N{ARABIC-INDIC DIGIT THREE}"}),
    ("bet.placed", {"bet": "x" * 60}),
    ("bet.placed", {"bet": "x", "player": "x" * 999}),
    ("bet.placed", {"bet": "x", "numbers": list(range(5_000))}),
    ("round.opened", {"round": "../../x"}),
    ("round.result", {"pocket": 37, "turns": 9, "wheel": "cw", "ball": "ccw"}),
    ("round.result", {"pocket": 3, "turns": 9, "wheel": "up", "ball": "ccw"}),
    ("round.cancelled", {"why": "because"}),
    ("round.settled", {"payouts": {"b0": 5}}),
)


def test_content_that_the_ledger_does_not_take_is_told_and_not_sent(tmp_path: Path) -> None:
    with adapter(tmp_path) as one:
        messages = played(1)[0][:3]
        bet = {"round": "AUR-1-0", "player": "a-1", "spot": "red", "amount": "1.00"}
        wrong = [
            other(messages[2], identifier=f"w{at}", number=4 + at, type=kind, data=bet | data)
            for at, (kind, data) in enumerate(
                (kind, {"currency": "CZK", **data}) for kind, data in WRONG
            )
        ]
        elsewhere = other(messages[0], identifier="t", table="AUR-9")
        early = other(messages[2], identifier="e", number=4 + len(WRONG), at="2001-01-01T00:00:00Z")
        one.put([*messages, *wrong, elsewhere, early])
        one.follow()
        names = [f"w{at}" for at in range(len(WRONG))] + ["t", "e"]
        assert unmapped(one.events()) == {(name, "unmapped"): 1 for name in names}
        assert one.spool.waiting() == 0


def test_a_ledger_that_is_away_keeps_all_in_the_spool(orderly: Any, tmp_path: Path) -> None:
    with adapter(tmp_path) as one, adapter(tmp_path, "closed") as closed:
        one.put(IN_ORDER)
        closed.ledger.close()
        away = Follower(one.spool, one.provider, closed.ledger, SystemClock())
        with pytest.raises(AvailabilityError):
            away.step()
        one.follow()
        assert (content(one.events()), unmapped(one.events())) == orderly


def test_a_ledger_that_has_to_be_opened_anew_ends_the_feed(tmp_path: Path) -> None:
    """Whoever starts it again has it open the ledger; the spool keeps what came."""
    with adapter(tmp_path) as one:
        one.put(IN_ORDER)
        one.ledger.close()
        one.ledger._steps.decider.broken = AvailabilityError("closed for good")
        follower = Follower(one.spool, one.provider, one.ledger, SystemClock())
        with pytest.raises(AvailabilityError):
            follower.run(Event(), Event(), pytest.fail, [].append)


# Signatures

PUBLISHED = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}
BODY = b'{"test": 2432232314}'
AT = 1_614_265_330_000_000


@pytest.fixture
def secret(tmp_path: Path) -> bytes:
    """The secret of the example that the convention publishes."""
    path = tmp_path / "secret"
    path.write_text("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n", encoding="ascii")
    path.chmod(0o600)
    return read_webhook_secret(path)


def test_signatures_are_those_of_standard_webhooks(secret: bytes) -> None:
    name = PUBLISHED["webhook-id"]
    assert headers_of(name, BODY, secret=secret, at=AT) == PUBLISHED
    for at in (AT, AT + 5 * MINUTE, AT - 5 * MINUTE):
        assert require_signed(PUBLISHED, BODY, secrets=[b"old", secret], at=at) == name
    both = {**PUBLISHED, "webhook-signature": "v1a,x v1,wrong " + PUBLISHED["webhook-signature"]}
    assert require_signed(both, BODY, secrets=[secret], at=AT) == name


@pytest.mark.parametrize(
    "changes",
    [
        {"webhook-id": "msg_other"},
        {"webhook-id": ""},
        {"webhook-id": "m\x1b[2J"},
        {"webhook-timestamp": "1614265331"},
        {"webhook-timestamp": "9" * 5_000},
        {"webhook-timestamp": "١٦١٤٢٦٥٣٣٠"},
        {"webhook-timestamp": ""},
        {"webhook-signature": "v1,"},
        {"webhook-signature": ""},
        {"webhook-signature": PUBLISHED["webhook-signature"][3:]},
        {"webhook-signature": "v1,\xff"},
    ],
)
def test_what_is_not_signed_is_not_the_providers(secret: bytes, changes: dict[str, str]) -> None:
    with pytest.raises(AuthorizationError):
        require_signed(PUBLISHED | changes, BODY, secrets=[secret], at=AT)


def test_a_changed_body_an_old_message_and_another_secret_are_refused(secret: bytes) -> None:
    for body, at, key in (
        (BODY + b" ", AT, secret),
        (BODY, AT + 6 * MINUTE, secret),
        (BODY, AT - 6 * MINUTE, secret),
        (BODY, AT, b"x" * 24),
    ):
        with pytest.raises(AuthorizationError):
            require_signed(PUBLISHED, body, secrets=[key], at=at)


def test_a_secret_is_long_enough_and_nobody_elses(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    with pytest.raises(InputError, match="there is no such file"):
        read_webhook_secret(path)
    for text in ("whsec_c2hvcnQ=", "whsec_!", "whsec_ěšč"):
        path.write_text(text, encoding="utf-8")
        path.chmod(0o600)
        with pytest.raises(InputError) as said:
            read_webhook_secret(path)
        assert text[6:] not in str(said.value)
    path.chmod(0o640)
    with pytest.raises(AuthorizationError, match="mode 640"):
        read_webhook_secret(path)


# Spool and settings


def test_a_file_that_is_no_spool_is_named(tmp_path: Path) -> None:
    path = tmp_path / "spool"
    path.write_bytes(b"something else" * 100)
    with pytest.raises(InputError, match="spool is no spool"):
        Spool(path)
    with pytest.raises(AvailabilityError, match="can't be used"):
        Spool(tmp_path / "nowhere" / "spool")


def test_a_message_that_a_killed_process_did_not_sync_is_synced_before_a_repeat_counts(
    tmp_path: Path,
) -> None:
    """The journal has it, and a repeat is acknowledged: it must be in the file by then."""
    path, left, alone = (tmp_path / name for name in ("spool", "left", "alone"))
    with closing(Spool(path)) as spool:
        spool.put("m-1", b"{}", Place("t", 1, "k", "r"), "", 1)
        for end in ("", "-wal"):
            shutil.copy(f"{path}{end}", f"{left}{end}")
    with closing(Spool(left)):
        shutil.copy(left, alone)
    with closing(Spool(alone)) as spool:
        assert spool.waiting() == 1


def test_what_was_followed_long_ago_is_forgotten_and_all_else_stays(tmp_path: Path) -> None:
    with closing(Spool(tmp_path / "spool")) as spool:

        def put(number: int) -> None:
            place = Place("t", number, "kind", "r")
            spool.put(f"m-{number}", b"%d" % number, place, "", at=number)

        for number in range(1, 6):
            put(number)
        ((first, second, third, fourth, _),) = spool.ready()
        spool.follow(
            [MessageOutcome(first), MessageOutcome(second, "refused", "x"), MessageOutcome(third)]
        )
        spool.mark_recorded(spool.aside())
        spool.follow([MessageOutcome(fourth, "unmapped", "y")])
        spool.prune(before=3)
        for number in (2, 3, 4, 5):
            put(number)
        assert [one.message for one in spool.aside()] == ["m-4"]
        assert spool.waiting() == 1
        put(1)
        assert [(one.message, one.reason) for one in spool.aside()][1:] == [("m-1", "late")]


def test_a_clock_that_stands_waits_for_a_number(tmp_path: Path) -> None:
    with adapter(tmp_path) as one:
        one.put(played(1)[0][1:])
        clock = StoppedClock(SystemClock().now())
        assert not Follower(one.spool, one.provider, one.ledger, clock).step()


SETTINGS = """
provider = "aurora.py:Aurora"
name = "aurora"
secrets = ["secret"]
spool = "spool.sqlite"
listen = "127.0.0.1:0"
tables = { AUR-1 = "t1" }
"""


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (":Aurora", "", "provider is a file and a class in it"),
        ('name = "aurora"', 'name = "a b"', "name"),
        ('secrets = ["secret"]', "secrets = []", "secrets"),
        ("127.0.0.1:0", "0.0.0.0:7413", "other machines reach"),
        ("127.0.0.1:0", "unix:/x", "give host:port"),
        ("127.0.0.1:0", "nowhere", "nowhere"),
        ("spool =", "pool =", "pool"),
        ("tables", 'key = "k"\ntables', "certificate and key together"),
        ("tables", "tables = ", "feed.toml"),
        ('spool = "spool.sqlite"', 'spool = ""', r"the path of a file - at `\$\.spool`"),
        ('spool = "spool.sqlite"', "spool = 7", r"the path of a file - at `\$\.spool`"),
    ],
)
def test_settings_that_can_not_work_are_named(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    path = tmp_path / "feed.toml"
    path.write_text(SETTINGS, encoding="utf-8")
    assert read_feed(path).spool == tmp_path / "spool.sqlite"
    path.write_text(SETTINGS.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=words) as said:
        read_feed(path)
    assert "connect-a-provider.md" in str(said.value)


def test_the_key_of_the_port_is_nobody_elses_and_fits(tmp_path: Path) -> None:
    write_practice_certificates(tmp_path / "tls", ["localhost"], ["feed.example"])
    path, key = tmp_path / "feed.toml", tmp_path / "tls" / "writer.pem"
    files = 'certificate = "tls/writer.crt"\nkey = "tls/writer.pem"\n'
    path.write_text(files + SETTINGS, encoding="utf-8")
    found = read_feed(path)
    assert found.tls() is not None
    key.chmod(0o640)
    with pytest.raises(AuthorizationError, match="set 600"):
        found.tls()
    key.chmod(0o600)
    key.write_bytes((tmp_path / "tls" / "feed.example.pem").read_bytes())
    with pytest.raises(InputError, match="holds no certificate and key"):
        found.tls()
    secret = load_pem_private_key(key.read_bytes(), None)
    locked = BestAvailableEncryption(b"abc")
    key.write_bytes(secret.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, locked))
    with pytest.raises(InputError, match="without a passphrase"):
        found.tls()
    key.unlink()
    with pytest.raises(InputError, match="there is no such file"):
        found.tls()


def test_a_message_that_has_no_place_is_none(tmp_path: Path) -> None:
    with adapter(tmp_path) as one, pytest.raises(UnmappedError):
        one.provider.place(b'{"type": "x", "table": "", "number": 1}')


@pytest.mark.parametrize(
    ("adapter_text", "words"),
    [
        (None, "No such file"),
        ("class Polaris: ...", "no attribute 'Aurora'"),
        ("class Aurora(", "SyntaxError"),
        ("class Aurora: ...", "takes no arguments"),
    ],
)
def test_an_adapter_that_can_not_be_used_is_named(
    tmp_path: Path, adapter_text: str | None, words: str
) -> None:
    (tmp_path / "feed.toml").write_text(SETTINGS, encoding="utf-8")
    if adapter_text is not None:
        (tmp_path / "aurora.py").write_text(adapter_text, encoding="utf-8")
    with pytest.raises(InputError, match=rf"aurora\.py:Aurora can't be used: .*{words}"):
        read_feed(tmp_path / "feed.toml").reader()


def test_an_installed_adapter_is_named_by_its_entry_point(tmp_path: Path) -> None:
    path = tmp_path / "feed.toml"
    path.write_text(SETTINGS.replace("aurora.py:Aurora", "aurora"), encoding="utf-8")
    assert type(read_feed(path).reader()).__name__ == "Aurora"
    path.write_text(SETTINGS.replace("aurora.py:Aurora", "polaris"), encoding="utf-8")
    with pytest.raises(InputError, match=r"polaris can't be used: .*installed are: .*aurora"):
        read_feed(path).reader()
