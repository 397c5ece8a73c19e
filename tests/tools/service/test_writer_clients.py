"""Who may come to a writer and what each may send: certificates, tokens, roles."""

from __future__ import annotations

import contextlib
import json
import secrets
import signal
import socket
import ssl
from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx
import pytest

from ledger.core.errors import AuthorizationError, InputError
from ledger.decisions.decider import COMMANDS
from ledger.decisions.payments.payments import Deposit
from ledger.decisions.rounds.betting import PlaceBet
from ledger.events.encoding import decode_envelope
from ledger.log.sqlite import SqliteLog
from tests.tools.cli_cases import answers, bet, command, run
from tests.tools.writer_cases import (
    ANY_PORT,
    SECONDS_MAX,
    Writer,
    connecting,
    free_port,
    serving,
    socket_of,
)
from tools.practice.certificates import write_practice_certificates
from tools.service.address import Address
from tools.service.authentication import ClientAuthenticator
from tools.service.client import LedgerClient, Timeouts
from tools.service.http.serving import HttpListener
from tools.service.limits import Limits
from tools.service.roles import ROLES, commands_of, roles_by_command
from tools.service.tls import TlsFiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tools.service.server import Server

STUDIO, CAGE, STRANGER = "studio.example.cz", "cage.example.cz", "stranger.example.cz"
TOKEN = secrets.token_urlsafe(32)
LIST = f"""
[clients.studio-prague]
certificate = "{STUDIO}"
roles = ["studio"]

[clients.cage-1]
certificate = "{CAGE}"
token_sha256 = "{sha256(TOKEN.encode()).hexdigest()}"
roles = ["cage"]
"""
DEPOSIT = Deposit(account="a-1", deposit="d9", amount=100, method="card-1")
DEPOSIT_AGAIN = Deposit(account="a-1", deposit="d10", amount=100, method="card-1")
BET = PlaceBet(bet="q1-1", account="a-1", round="q1", bet_code="red", stake=1_000)
PATIENCE = Timeouts(total=10.0)


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tls")
    write_practice_certificates(folder, ["localhost", "127.0.0.1"], [STUDIO, CAGE, STRANGER])
    write_practice_certificates(folder / "other", ["127.0.0.1"], [CAGE])
    return folder


@pytest.fixture
def clients(tmp_path: Path) -> Path:
    path = tmp_path / "clients.toml"
    path.write_text(LIST, encoding="utf-8")
    return path


def files(keys: Path, name: str, authority: Path | None = None) -> TlsFiles:
    return TlsFiles(authority or keys / "ca.crt", keys / f"{name}.crt", keys / f"{name}.pem")


@pytest.fixture
def told() -> list[dict[str, Any]]:
    return []


class Guarded(NamedTuple):
    """A service that asks for certificates."""

    http: HttpListener
    server: Server

    @property
    def place(self) -> tuple[str, int]:
        return self.http.address[:2]


@pytest.fixture
def guarded(
    studio: Path, keys: Path, clients: Path, told: list[dict[str, Any]]
) -> Iterator[Guarded]:
    """A service with TLS and the list."""

    def notify(state: str, **facts: Any) -> None:
        told.append({"state": state, **facts})

    authenticator = ClientAuthenticator(clients, files(keys, "writer"))
    with (
        closing(HttpListener(ANY_PORT, authenticator)) as http,
        serving(studio, authenticator=authenticator, notify=notify, http=http) as (server, _, _),
    ):
        yield Guarded(http, server)


def connected(http: HttpListener, tls: TlsFiles | None) -> LedgerClient:
    return LedgerClient([http.url], tls=tls, patience=PATIENCE)


def at_socket(server: Server, token: str | None) -> LedgerClient:
    return LedgerClient([f"unix:{server.path}"], token=token, patience=PATIENCE)


def test_every_command_belongs_to_a_role_and_no_other_does() -> None:
    assert set(roles_by_command()) == set(COMMANDS)
    assert all(roles and set(roles) <= set(ROLES) for roles in roles_by_command().values())
    assert all(map(commands_of, ROLES))


def test_a_service_may_send_what_its_pages_send_and_nothing_else() -> None:
    """A service that was taken over erases no person and publishes no rules."""
    handling = {"assign_finding", "explain_finding", "comment_finding"}
    handling |= {"close_finding", "reopen_finding"}
    handling |= {"note_findings", "conclude_reconciliation", "name_deputy"}
    handling |= {"propose_write_off", "propose_reversal", "confirm_write_off", "decline_write_off"}
    importing = {"record_statement_lines", "import_statements"}
    assert commands_of("service") == handling | importing | {"record_access_head"}


@pytest.mark.law("L-21")
def test_client_sends_what_its_role_may_and_is_refused_the_rest(
    guarded: Guarded, keys: Path, told: list[dict[str, Any]]
) -> None:
    with connected(guarded.http, files(keys, CAGE)) as cage:
        size = cage.execute(DEPOSIT).last_position
        for _ in range(3):
            with pytest.raises(AuthorizationError, match="cage-1 may not send place_bet"):
                cage.execute(BET)
        assert cage.execute(DEPOSIT_AGAIN).last_position == size + 1  # nothing lies between
    assert told == [{"state": "turned_away", "client": "cage-1", "why": "command", "count": 1}]
    assert guarded.server.turned_away.total == 3


@pytest.mark.law("L-21")
def test_source_of_what_is_recorded_begins_with_the_name_of_the_client(
    guarded: Guarded, studio: Path, keys: Path
) -> None:
    said = ["", "cage-1", "cage-1/desk", "studio-prague", "cage-10"]
    recorded = ["cage-1", "cage-1", "cage-1/desk", "cage-1/studio-prague", "cage-1/cage-10"]
    with connected(guarded.http, files(keys, CAGE)) as cage:
        for number, source in enumerate(said):
            cage.execute(
                Deposit(
                    account="a-1", deposit=f"s{number}", amount=1, method="card-1", source=source
                )
            )
    with closing(SqliteLog(studio, writable=False)) as log:
        envelopes = [decode_envelope(message) for _, message in log.read()]
    assert [one.source for one in envelopes][-len(said) :] == recorded


@pytest.mark.parametrize(
    ("who", "sentence"),
    [
        (lambda keys: files(keys, STRANGER), f"'{STRANGER}' is not on the writer's list"),
        (lambda keys: files(keys / "other", CAGE, keys / "ca.crt"), "does not accept"),
        (lambda keys: files(keys, CAGE, keys / "other" / "ca.crt"), "nothing was sent"),
        (lambda _: None, "nothing was sent"),
    ],
    ids=["not on the list", "of another authority", "writer of another authority", "no files"],
)
def test_who_is_not_known_does_not_come_in(
    guarded: Guarded, keys: Path, who: Callable[[Path], TlsFiles | None], sentence: str
) -> None:
    """At once, not when all patience is over, and nobody else is disturbed."""
    with (
        connected(guarded.http, who(keys)) as remote,
        pytest.raises(AuthorizationError, match=sentence),
    ):
        remote.execute(DEPOSIT)
    with connected(guarded.http, files(keys, CAGE)) as cage:
        assert cage.execute(DEPOSIT).refused is None


def test_client_without_a_certificate_does_not_come_in(guarded: Guarded, keys: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(keys / "ca.crt")
    place = guarded.place
    with (
        socket.create_connection(place, SECONDS_MAX) as connection,
        context.wrap_socket(connection, server_hostname="localhost") as tls,
    ):
        tls.settimeout(SECONDS_MAX)
        with pytest.raises(ssl.SSLError, match=r"(?i)certificate.required"):
            tls.recv(100)


def test_older_tls_is_not_spoken(guarded: Guarded, keys: Path) -> None:
    context = files(keys, CAGE).for_client()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    place = guarded.place
    with socket.create_connection(place, SECONDS_MAX) as connection, pytest.raises(ssl.SSLError):
        context.wrap_socket(connection, server_hostname="localhost")


def test_certificate_of_the_writer_must_name_its_host(
    studio: Path, keys: Path, clients: Path
) -> None:
    authenticator = ClientAuthenticator(clients, files(keys, "writer"))
    with (
        closing(HttpListener(Address("127.0.0.2", 0), authenticator)) as http,
        serving(studio, http=http),
        connected(http, files(keys, CAGE)) as cage,
        pytest.raises(AuthorizationError, match="is not whom it should be"),
    ):
        cage.execute(DEPOSIT)


def test_strangers_who_say_nothing_push_out_only_each_other(studio: Path, clients: Path) -> None:
    limits = Limits(clients=1, waiting=3, hello_seconds=SECONDS_MAX)
    authenticator = ClientAuthenticator(clients)
    with (
        serving(studio, authenticator=authenticator, limits=limits) as (server, _, _),
        contextlib.ExitStack() as stack,
    ):
        with at_socket(server, TOKEN) as cage:
            assert cage.execute(DEPOSIT).refused is None
            silent = [stack.enter_context(connecting(socket_of(server))) for _ in range(9)]
            assert cage.execute(DEPOSIT_AGAIN).refused is None
        with (
            at_socket(server, TOKEN) as remote,
            pytest.raises(AuthorizationError, match="may not send place_bet"),
        ):
            remote.execute(BET)
        for number, one in enumerate(silent):
            with contextlib.suppress(ConnectionResetError):
                assert number >= 6 or one.recv(1) == b""


def test_token_says_who_it_is_at_a_socket(studio: Path, clients: Path) -> None:
    with serving(studio, authenticator=ClientAuthenticator(clients)) as (server, _, _):
        with at_socket(server, TOKEN) as cage:
            assert cage.execute(DEPOSIT).refused is None
            with pytest.raises(AuthorizationError, match="may not send place_bet"):
                cage.execute(BET)
        for token, sentence in ((TOKEN[1:], "not on the writer's list"), (None, "--token-file")):
            with (
                at_socket(server, token) as remote,
                pytest.raises(AuthorizationError, match=sentence),
            ):
                remote.execute(DEPOSIT)
        assert server.turned_away.total == 3


def test_a_standby_reads_the_list_again_before_it_leads(studio: Path, clients: Path) -> None:
    """Who was taken off must not come in by the old one while it takes over."""
    http = f"127.0.0.1:{free_port()}"
    options = ("--http", http, "--clients", str(clients))
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with contextlib.ExitStack() as stack, closing(SqliteLog(studio, writable=True)):
        writer = Writer(studio, *options, environment={})
        stack.callback(writer.kill)
        writer.wait_for("standby")
        assert httpx.get(f"http://{http}/metrics", headers=headers).status_code == 200
        clients.write_text("nonsense")
        writer.send_signal(signal.SIGHUP)
        assert "no list of clients" in writer.wait_for("not_reloaded", seconds=30)["text"]
        clients.write_text(LIST.replace(sha256(TOKEN.encode()).hexdigest(), "0" * 64))
        writer.send_signal(signal.SIGHUP)
        writer.wait_for("reloaded", seconds=30)
        assert httpx.get(f"http://{http}/metrics", headers=headers).status_code == 401


def test_a_token_that_nobody_asks_for_is_no_command(studio: Path) -> None:
    """Its answer would be taken for that of the first command, which is recorded all the same."""
    with serving(studio) as (server, ledger, _), at_socket(server, TOKEN) as cage:
        answers = [cage.submit(one) for one in (DEPOSIT, DEPOSIT_AGAIN)]
        assert [one.result().refused for one in answers] == [None, None]
        assert answers[-1].result().last_position == ledger.head.size - 1


def test_program_shows_certificates_and_reads_the_list_again(
    studio: Path, keys: Path, clients: Path
) -> None:
    address = f"localhost:{free_port()}"

    def who(name: str) -> tuple[str, ...]:
        folder = ("--tls-ca", keys / "ca.crt", "--tls-cert", keys / f"{name}.crt")
        return tuple(map(str, (*folder, "--tls-key", keys / f"{name}.pem")))

    environment = {
        "GAMELEDGER_TLS_CA": str(keys / "ca.crt"),
        "GAMELEDGER_TLS_CERT": str(keys / "writer.crt"),
        "GAMELEDGER_TLS_KEY": str(keys / "writer.pem"),
    }
    options = ("--http", address, "--clients", str(clients))
    writer = Writer(studio, *options, environment=environment)
    try:
        writer.wait_for("leading")
        through = ("--writers", f"https://{address}")
        lines = [
            command("deposit", account="a-1", deposit="d9", amount=100, method="card-1"),
            bet(1),
        ]
        done = run(*through, *who(CAGE), "record", data=studio, lines=lines)
        assert [one["status"] for one in answers(done)] == ["recorded", "error"]
        assert done.returncode == 5
        clients.write_text("nonsense")
        writer.send_signal(signal.SIGHUP)
        assert str(clients) in writer.wait_for("not_reloaded")["text"]
        clients.write_text(LIST.replace('"cage"', '"site"'))
        writer.send_signal(signal.SIGHUP)
        writer.wait_for("reloaded")
        done = run(*through, *who(CAGE), "record", data=studio, lines=lines[1:])
        assert [one["status"] for one in answers(done)] == ["recorded"], done.stdout
        writer.send_signal(signal.SIGTERM)
        assert writer.wait() == 0
        assert writer.states["stopped"]["turned_away"] == 1
    finally:
        writer.kill()


def test_port_for_other_machines_needs_certificates(studio: Path, keys: Path) -> None:
    for options in ((), ("--clients", str(keys / "missing.toml"))):
        done = run("writer", "--http", "0.0.0.0:0", *options, data=studio)
        assert done.returncode == 2
    assert "missing.toml" in done.stderr


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("nonsense", "no list of clients"),
        ("[clients.a]\nroles = []", "no client can be a"),
        ('[clients.a]\nroles = ["boss"]\ncertificate = "x"', "roles are back_office"),
        ('[clients."a/b"]\nroles = []\ncertificate = "x"', "no name"),
        ('[clients.a]\nroles = []\ntoken_sha256 = "short"', "no list of clients"),
        ('[clients.a]\nroles = []\ncertificat = "x"', "no list of clients"),
        (
            '[clients.a]\nroles = []\ncertificate = "x"\n[clients.b]\nroles = []\ncertificate="x"',
            "b and a have the same certificate",
        ),
    ],
)
def test_list_with_a_mistake_is_an_input_error(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "clients.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=sentence):
        ClientAuthenticator(path)


def test_files_of_tls_that_can_not_be_used_are_named(keys: Path, tmp_path: Path) -> None:
    readable = tmp_path / "readable.pem"
    readable.write_bytes((keys / "writer.pem").read_bytes())
    readable.chmod(0o640)
    ca, crt, pem = keys / "ca.crt", keys / "writer.crt", keys / "writer.pem"
    for wrong, error in (
        (TlsFiles(ca, crt, readable), AuthorizationError),
        (TlsFiles(ca, crt, keys / f"{CAGE}.pem"), InputError),
        (TlsFiles(pem, crt, pem), InputError),
        (TlsFiles(ca, keys / "missing.crt", pem), InputError),
        (TlsFiles(keys / "missing.crt", crt, pem), InputError),
        (TlsFiles(ca, crt, keys / "missing.pem"), InputError),
    ):
        for use in (wrong.for_writer, wrong.for_client):
            with pytest.raises(error, match=str(tmp_path if error is AuthorizationError else keys)):
                use()
    with pytest.raises(InputError, match="GAMELEDGER_TLS_CERT, GAMELEDGER_TLS_KEY is not set"):
        TlsFiles.from_environment({"GAMELEDGER_TLS_CA": "ca.crt"})


def test_certificates_for_practice_are_never_overwritten(tmp_path: Path) -> None:
    made = run("practice-certificates", str(tmp_path), CAGE, "--json", data=tmp_path)
    assert made.returncode == 0, made.stderr
    assert len(json.loads(made.stdout)) == 5
    again = run("practice-certificates", str(tmp_path), CAGE, data=tmp_path)
    assert again.returncode == 2
    assert run("practice-certificates", str(tmp_path), "a/b", data=tmp_path).returncode == 2
