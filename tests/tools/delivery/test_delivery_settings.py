"""Settings of the exchange, the form for the authority, and certificates that expire."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import SystemClock, in_prague
from ledger.core.errors import InputError
from tests.tools.cli_cases import run as program
from tests.tools.delivery.delivery_cases import (
    FIRST,
    begun,
    make_keys,
    recorded,
    revocation_list,
    write_delivery,
)
from tests.tools.delivery.delivery_certificates import TlsAuthority
from tools.delivery.authority_endpoint import _is_of
from tools.delivery.certificates import expiring_certificates, registered_certificates
from tools.delivery.registration import make_registration
from tools.delivery.server import admitted_fingerprints, for_authority
from tools.delivery.settings import read_delivery

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("settings") / "keys"
    make_keys(folder)
    return folder


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("[server]", "[sever]", "unknown field `sever`"),
        ('listen = "127.0.0.1:0"', "listen = 7", "Expected `str`"),
        ('clients = ["authority-client.crt"]', "clients = []", "no client could fetch anything"),
        ('authority = ["ca.crt"]', "authority = []", "no certificate vouches for its server"),
        ("https://localhost/data/", "http://localhost/data/", "no address with https://"),
        ("https://localhost/data/", "https://localhost/", "has no path of its own"),
        ("notify/refused", "notify/accepted", "is the address of accepted and of refused"),
        ("{package}.{verdict}", "x.{verdict}", "lacks {package} or {verdict}"),
        ("{package}.{verdict}", "{package}.Ok", "lacks {package} or {verdict}"),
        ("{package}.{verdict}", "{paket}.{verdict}", "has no such field: 'paket'"),
        ("{package}.{verdict}", "{package.x}{package}{verdict}", "no such field: 'package.x'"),
        ("{package}.{verdict}", "{package:>9999999999}{verdict}", "without a format"),
        ("{package}.{verdict}", "{package}{verdict", "client.confirmations is malformed"),
        ("[client]", '[client]\nrefused = "../E"', r"`\$\.client\.refused`"),
        ("[client]", '[client]\naccepted = "a\\nb"', r"`\$\.client\.accepted`"),
        ('["root.crt"]', "[7]", r"the path of a file - at `\$\.reading\.trust\[0\]`"),
        ('["root.crt"]', '[""]', r"the path of a file - at `\$\.reading\.trust\[0\]`"),
        ("retry_seconds = 0.1", "retry_seconds = 0", r"> 0\.0 - at `\$\.client\.retry_seconds`"),
        ("retry_seconds_max = 0.2", "retry_seconds_max = inf", r"<= 86400\.0 - at"),
        ("retry_seconds = 0.1", "retry_seconds = 2", "retry_seconds is above retry_seconds_max"),
        ("answer_seconds = 2", "answer_seconds = nan", r"> 0\.0 - at `\$\.client\.answer_seconds`"),
        ("localhost:1/", "localhost:x/", "'https://localhost:x/.*' is no address with https://"),
        ("https://localhost/data/", "https://localhost/da ta/", "no address with https://"),
        ('model = "V"', 'model = "V"\ncasino = "k"', "number 1: one of model V has none"),
        ('casino = "kasino_1"', 'casino = ""', "number 2: one of model M names its casino"),
        ('["authority.crt", "operator.crt"]', "[]", r"seal\.recipients is empty"),
        ('trust = ["root.crt"]', "", r"reading\.trust is empty"),
        ('trust = ["root.crt"]', 'trusted_list = "l.xml"', "trusted_list_signers is empty"),
        ('crl = ["root.crl"]', "", r"reading\.crl and reading\.ocsp are empty"),
        ('["root.crl"]', '["htp://x/y"]', "'htp://x/y' is no address with https:// or http://"),
        ("[reading]", 'time_stamps = "ftp://x"\n[reading]', "no address with https:// or http://"),
        ("[seal]", "published_days = -1\n[seal]", r">= 0 - at `\$\.published_days`"),
    ],
)
def test_settings_that_could_not_work_are_refused(
    tmp_path: Path, old: str, new: str, why: str
) -> None:
    with pytest.raises(InputError, match=why):
        read_delivery(write_delivery(tmp_path, **{old: new}))


def test_a_missing_file_is_named(tmp_path: Path, keys: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere.toml can't be read: there is no such file"):
        read_delivery(tmp_path / "nowhere.toml")
    given = read_delivery(write_delivery(keys, **{"operator-server.pem": "gone.pem"}))
    with pytest.raises(InputError, match=r"gone.pem can't be read"):
        for_authority(given.server)
    given = read_delivery(write_delivery(keys, **{"operator-server.pem": "operator-client.pem"}))
    with pytest.raises(InputError, match="holds no certificate and key in PEM"):
        for_authority(given.server)
    for name in ("operator-server.pem", "authority-client.crt"):
        given = read_delivery(write_delivery(keys, **{name: "a\\u0000b"}))
        with pytest.raises(InputError, match="can't be read: no name of a file holds"):
            for_authority(given.server)


def test_a_casino_has_addresses_of_its_own() -> None:
    assert _is_of("12345678-M-202511-Z-kasino_1-01", frozenset({("M", "Z", "kasino_1")}))
    assert not _is_of("12345678-M-202511-Z-kasino_2-01", frozenset({("M", "Z", "kasino_1")}))
    assert not _is_of(str(FIRST), frozenset({("M", "Z", "kasino_1")}))
    assert _is_of(str(FIRST), frozenset({("V", "Z", "")}))


def test_certificates_that_expire_are_named_before_they_do(tmp_path: Path) -> None:
    make_keys(tmp_path / "keys")
    ca = TlsAuthority(tmp_path / "keys", "ca")
    ca.vouch("operator-client", days=(-1, 20))
    ca.vouch("operator-server", days=(-30, -2))
    ca.vouch("ca", days=(-1, 30))
    given = read_delivery(write_delivery(tmp_path / "keys"))
    now = SystemClock().now()
    found = {one.purpose: one.days for one in expiring_certificates(given, now)}
    assert found == {"server": -3, "client": 19, "authority_server_issuer": 29}
    assert len(admitted_fingerprints(given.server)) == 1


@pytest.mark.law("L-2")
def test_the_form_holds_everything_and_then_what_changed(keys: Path) -> None:
    given, now = read_delivery(write_delivery(keys)), SystemClock().now()
    soon = in_prague(now).date() + timedelta(days=31)
    form = make_registration(given, "12345678", soon, now)
    purposes = [one.purpose for one in form.certificates]
    assert purposes == ["seal", "encryption", "seal_issuer", "client", "server"]
    assert [(one.model, one.casino, one.packages) for one in form.addresses] == [
        ("V", "", "https://localhost/data/"),
        ("M", "kasino_1", "https://localhost/casino/data/"),
    ]
    assert (form.incremental, len(form.added), form.removed) == (False, 7, [])
    with pytest.raises(InputError, match="nothing changed"):
        make_registration(given, "12345678", soon, now, form)
    moved = read_delivery(write_delivery(keys, **{"localhost/data/": "localhost/moved/"}))
    again = make_registration(moved, "12345678", soon, now, form)
    assert (again.incremental, again.added, again.removed) == (True, ["V Z"], ["V Z"])
    with pytest.raises(InputError, match="has to know 30 days before"):
        make_registration(given, "12345678", soon - timedelta(days=2), now)
    late = soon + timedelta(days=300)
    with pytest.raises(InputError, match="replace it first"):
        make_registration(given, "12345678", late, now)
    assert all("PRIVATE" not in one.pem for one in form.certificates)
    assert {one.purpose for one in registered_certificates(given)} == set(purposes)


@pytest.mark.slow
def test_the_program_registers_runs_and_stops_before_nothing(tmp_path: Path, keys: Path) -> None:
    """Idle periods, from building to the sealed file; the second run finds nothing to do."""
    data, delivery = tmp_path / "data", write_delivery(keys)
    begun(data).close()
    (keys / "root.crl").write_bytes(revocation_list())
    day = in_prague(SystemClock().now()).date() + timedelta(days=40)
    done = program(
        "report", "register", "--delivery", str(delivery), "--out", str(tmp_path / "form.json"),
        "--effective-from", day.isoformat(), "--json", data=data,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    form = json.loads((tmp_path / "form.json").read_text())
    assert (form["operator"], form["effective_from"]) == ("12345678", day.isoformat())
    run = ("report", "run", "--delivery", str(delivery), "--until", "2025-11-02", "--json")
    dry = json.loads(program(*run, "--dry-run", data=data).stdout)
    assert dry == [str(FIRST), str(FIRST.following), str(FIRST.following.following)]
    for expected in (dry, []):
        done = program(*run, data=data)
        assert done.returncode == 0, done.stderr
        answer = json.loads(done.stdout)
        assert ([one["package"] for one in answer["published"]], answer["stopped"]) == (
            expected,
            None,
        )
    assert len(recorded(data, "PackagePublished")) == 3
    assert len(list((data / "sealed").iterdir())) == 3
