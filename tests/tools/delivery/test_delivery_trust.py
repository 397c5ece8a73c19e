"""Whom we believe: revocation by lists and OCSP, the trusted list, time stamps on our seals."""

from __future__ import annotations

import base64
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
from asn1crypto import core
from cryptography import x509
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509 import ocsp
from lxml import etree
from signxml.xades import XAdESSigner

from ledger.core.clock import SECOND, SystemClock
from ledger.core.errors import AvailabilityError, InputError
from projections.packages.country import country_of
from projections.packages.cz.seal import certificates_in, open_sealed, seal
from projections.packages.keys import read_certificates
from projections.packages.results import SealError
from projections.packages.trust import Trust
from tests.projections.packages.seal_certificates import root, vouched, write_certificate
from tests.stamp_authority import StampAuthority
from tests.tools.delivery.delivery_cases import make_keys, revocation_list, write_delivery
from tools.delivery.settings import ReadingSettings, SealSettings, read_delivery
from tools.delivery.trust import require_stamped, time_stamper, trust_for, trusted_list

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

CONTENT = b"a confirmation"


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trust") / "keys"
    make_keys(folder)
    return folder


@pytest.fixture(scope="module")
def sealed() -> bytes:
    return seal(CONTENT, vouched("authority"), [vouched("operator").certificate])


def opened(keys: Path, sealed: bytes, **section: Any) -> bytes:
    """Open as the service does, by settings of which some are others."""
    reading = read_delivery(write_delivery(keys)).reading
    given = {name: getattr(reading, name) for name in reading.__struct_fields__}
    trust = trust_for(ReadingSettings(**given | section), sealed, country_of("cz"))
    return open_sealed(sealed, vouched("operator"), trust).content


def test_a_certificate_that_the_list_does_not_revoke_is_believed(keys: Path, sealed: bytes) -> None:
    assert opened(keys, sealed) == CONTENT


def _list(folder: Path, name: str, content: bytes) -> tuple[str]:
    (folder / name).write_bytes(content)
    return (str(folder / name),)


def test_a_revoked_certificate_is_believed_no_longer(
    keys: Path, sealed: bytes, tmp_path: Path
) -> None:
    serial = vouched("authority").certificate.serial_number
    crl = _list(tmp_path, "revoked.crl", revocation_list(serial))
    with pytest.raises(SealError, match=r"ERR_PKG_SIG_CERT_UNTRUSTED: .* was revoked"):
        opened(keys, sealed, crl=crl)
    assert opened(keys, sealed, crl=(), revocation="not_checked") == CONTENT


@pytest.mark.parametrize("case", ["none", "old", "of others"])
def test_what_can_not_be_found_out_is_not_believed(
    keys: Path, sealed: bytes, tmp_path: Path, case: str
) -> None:
    lists: dict[str, tuple[str, ...]] = {
        "none": (),
        "old": _list(tmp_path, "old.crl", revocation_list(days=-1)),
        "of others": _list(tmp_path, "forged.crl", _forged()),
    }
    with pytest.raises(SealError, match="could not be found out"):
        opened(keys, sealed, crl=lists[case])


def _forged() -> bytes:
    """Make a list in the name of our root, signed by another key."""
    now = datetime.now(UTC)
    return (
        x509.CertificateRevocationListBuilder()
        .issuer_name(root().certificate.subject)
        .last_update(now - timedelta(days=1))
        .next_update(now + timedelta(days=1))
        .sign(root("Other").key, SHA256())
        .public_bytes(Encoding.DER)
    )


def test_a_place_that_does_not_answer_is_asked_again_later(keys: Path, sealed: bytes) -> None:
    with pytest.raises(AvailabilityError, match="can't be read"):
        opened(keys, sealed, crl=(str(keys / "missing.crl"),))
    with pytest.raises(AvailabilityError, match=r"missing.crt can't be read"):
        opened(keys, sealed, trust=(keys / "missing.crt",))
    with pytest.raises(AvailabilityError, match="can't be asked"):
        opened(keys, sealed, ocsp=("http://127.0.0.1:9/",))
    with pytest.raises(InputError, match="holds no revocation list"):
        opened(keys, sealed, crl=(str(keys / "root.crt"),))


class Responder:
    """Answers by OCSP for our root, by HTTP; also gives its revocation list."""

    def __init__(self) -> None:
        self.revoked: set[int] = set()

    def answer(self, body: bytes) -> bytes:
        request = ocsp.load_der_ocsp_request(body)
        now = datetime.now(UTC)
        is_revoked = request.serial_number in self.revoked
        known = [vouched(name).certificate for name in ("authority", "operator")]
        asked = next(one for one in known if one.serial_number == request.serial_number)
        return (
            ocsp.OCSPResponseBuilder()
            .add_response(
                asked,
                root().certificate,
                SHA256(),
                ocsp.OCSPCertStatus.REVOKED if is_revoked else ocsp.OCSPCertStatus.GOOD,
                now - timedelta(minutes=1),
                now + timedelta(hours=1),
                now - timedelta(days=1) if is_revoked else None,
                None,
            )
            .responder_id(ocsp.OCSPResponderEncoding.HASH, root().certificate)
            .sign(root().key, SHA256())
            .public_bytes(Encoding.DER)
        )


@pytest.fixture(scope="module")
def responder() -> Iterator[tuple[Responder, str]]:
    found = Responder()
    with _serving(lambda body: found.answer(body) if body else revocation_list()) as url:
        yield found, url


class _serving:  # noqa: N801 - reads as a verb
    """Serve what a function says for a body; GET has none."""

    def __init__(self, answer: Callable[[bytes], bytes]) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.do_GET()

            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                found = answer(body)
                self.send_response(200)
                self.send_header("Content-Length", str(len(found)))
                self.end_headers()
                self.wfile.write(found)

            def log_message(self, *_: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = Thread(target=self._server.serve_forever, args=(0.01,))

    def __enter__(self) -> str:
        self._thread.start()
        return f"http://127.0.0.1:{self._server.server_address[1]}/"

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def test_ocsp_and_lists_are_asked_at_the_configured_places(
    keys: Path, sealed: bytes, responder: tuple[Responder, str]
) -> None:
    house, url = responder
    assert opened(keys, sealed, crl=(), ocsp=(url,)) == CONTENT
    assert opened(keys, sealed, crl=(url,)) == CONTENT
    house.revoked.add(vouched("authority").certificate.serial_number)
    try:
        with pytest.raises(SealError, match="was revoked"):
            opened(keys, sealed, crl=(), ocsp=(url,))
    finally:
        house.revoked.clear()


@pytest.mark.slow
def test_a_seal_bears_a_time_stamp_that_is_checked_when_it_is_made_and_opened(
    tmp_path: Path, keys: Path
) -> None:
    house, other = StampAuthority(tmp_path / "tsa"), StampAuthority(tmp_path / "other")
    roots = tuple(tmp_path / name / "roots.pem" for name in ("tsa", "other"))
    section = SealSettings(key=keys / "operator.pem", recipients=(), time_stamp_roots=roots[:1])
    recipients = [vouched("operator").certificate]
    with house.serving() as url:
        stamped = seal(CONTENT, vouched("authority"), recipients, time_stamper=time_stamper(url))
    require_stamped(stamped, section, country_of("cz"))
    trust = Trust((root().certificate,), stamp_roots=read_certificates(roots[:1]))
    found = open_sealed(stamped, vouched("operator"), trust)
    assert found.stamped_at is not None
    assert abs(found.stamped_at - SystemClock().now()) < 60 * SECOND
    with other.serving() as url:
        foreign = seal(CONTENT, vouched("authority"), recipients, time_stamper=time_stamper(url))
    with pytest.raises(SealError, match="not trusted"):
        require_stamped(foreign, section, country_of("cz"))
    with pytest.raises(SealError, match="not trusted"):
        open_sealed(foreign, vouched("operator"), trust)
    plain = seal(CONTENT, vouched("authority"), recipients)
    with pytest.raises(SealError, match="has no time stamp"):
        require_stamped(plain, section, country_of("cz"))
    assert open_sealed(plain, vouched("operator"), trust).stamped_at is None
    with _encoded() as encoded:
        assert certificates_in(stamped) == certificates_in(plain)
    assert len(encoded) < 100  # and not again at each depth of a stamp


@contextmanager
def _encoded() -> Iterator[list[core.Sequence]]:
    """Gather what the library encodes meanwhile."""
    found: list[core.Sequence] = []
    encode = core.Sequence._set_contents

    def noted(one: core.Sequence, *args: object, **more: object) -> None:
        found.append(one)
        encode(one, *args, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core.Sequence, "_set_contents", noted)
        yield found


def test_a_stamp_authority_that_is_away_stops_the_seal() -> None:
    with pytest.raises(AvailabilityError, match="can't be asked"):
        seal(
            CONTENT, vouched("authority"), [vouched("operator").certificate],
            time_stamper=time_stamper("http://127.0.0.1:9/"),
        )  # fmt: skip
    assert time_stamper("") is None
    with _serving(lambda _: b"no stamp") as url, pytest.raises(AvailabilityError, match="gives no"):
        seal(
            CONTENT, vouched("authority"), [vouched("operator").certificate],
            time_stamper=time_stamper(url),
        )  # fmt: skip


LIST = """<?xml version="1.0" encoding="UTF-8"?>
<TrustServiceStatusList xmlns="http://uri.etsi.org/02231/v2#" Id="list">
<SchemeInformation/><TrustServiceProviderList><TrustServiceProvider><TSPInformation/>
<TSPServices>{services}</TSPServices></TrustServiceProvider></TrustServiceProviderList>
</TrustServiceStatusList>"""
SERVICE = """<TSPService><ServiceInformation>
<ServiceTypeIdentifier>http://uri.etsi.org/TrstSvc/Svctype/CA/QC</ServiceTypeIdentifier>
<ServiceName><Name xml:lang="en">{name}</Name></ServiceName>
<ServiceDigitalIdentity><DigitalId><X509Certificate>{certificate}</X509Certificate></DigitalId>
</ServiceDigitalIdentity>
<ServiceStatus>http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/{status}</ServiceStatus>
<StatusStartingTime>2020-01-01T00:00:00Z</StatusStartingTime>
</ServiceInformation></TSPService>"""


def _service(name: str, status: str) -> str:
    der = root(name).certificate.public_bytes(Encoding.DER)
    return SERVICE.format(name=name, status=status, certificate=base64.b64encode(der).decode())


def _signed(text: str) -> str:
    """Sign a list as its operator does (XAdES, enveloped)."""
    signer = vouched("list operator")
    key, certificate = signer.key, signer.certificate
    tree = XAdESSigner().sign(etree.fromstring(text.encode()), key=key, cert=[certificate])
    return str(etree.tostring(tree).decode())


def test_the_trusted_list_says_who_may_vouch_and_only_as_its_operator_signed_it(
    keys: Path, sealed: bytes, tmp_path: Path
) -> None:
    text = _signed(
        LIST.format(services=_service("Root", "granted") + _service("Gone", "withdrawn"))
    )
    path = tmp_path / "list.xml"
    path.write_text(text)
    operator = write_certificate(tmp_path, "list-operator", vouched("list operator"))
    assert trusted_list(path, read_certificates([operator])) == (root().certificate,)
    given = {"trust": (), "trusted_list": path, "trusted_list_signers": (operator,)}
    assert opened(keys, sealed, **given) == CONTENT
    with pytest.raises(InputError, match="not trusted"):
        opened(keys, sealed, **given | {"trusted_list_signers": ()})
    with pytest.raises(InputError, match="is no trusted list of these signers"):
        opened(keys, sealed, **given | {"trusted_list_signers": (keys / "root.crt",)})
    path.write_text(text.replace("withdrawn", "granted"))
    with pytest.raises(InputError, match="is no trusted list of these signers"):
        opened(keys, sealed, **given)
    path.write_text("<html/>")
    with pytest.raises(InputError, match="is no trusted list of these signers"):
        opened(keys, sealed, **given)
