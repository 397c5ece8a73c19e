"""The exchange with the authority: its own process, real TLS, step by step."""

from __future__ import annotations

import json
import signal
import subprocess
from shutil import which
from typing import TYPE_CHECKING, Any

import pytest

from projections.packages.cz.names import PackageName
from projections.packages.status import period_status
from tests.tools.cli_cases import run as program
from tests.tools.delivery.delivery_cases import FIRST, Authority, Operator, exchange, recorded
from tools.cli._project import up_to_date
from tools.data import DataDirectory
from tools.delivery.exchange import Exchange

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

STEPS = (
    "PackageFetched",
    "NoticeReceived",
    "ConfirmationFetched",
    "ConfirmationRefused",
    "ConfirmationReceived",
)


class Ends:
    """Both ends, with the service running."""

    def __init__(self, data: Path, delivery: Path, authority: Authority, names: list[str]) -> None:
        self.data, self.delivery, self.authority = data, delivery, authority
        *names, self.casino = names
        self.unused = iter(names)
        self.keys = delivery.parent
        self.operator = Operator(data, delivery)

    def do(self, what: str, package: str, **facts: Any) -> dict[str, Any]:
        return self.authority.do(what, package=package, port=self.operator.port, **facts)

    def steps(self, package: str) -> list[str]:
        return [type(event).__name__ for event in recorded(self.data, *STEPS, package=package)]

    def state(self, package: str) -> tuple[str, str]:
        with up_to_date(DataDirectory(self.data)) as (store, _):
            found = period_status(store, PackageName.parse(package))
        return found.state, found.step

    def again(self) -> None:
        """Kill the service and start it anew."""
        self.operator.end(signal.SIGKILL)
        self.operator = Operator(self.data, self.delivery)


@pytest.fixture(scope="module")
def ends(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ends]:
    with exchange(tmp_path_factory.mktemp("exchange"), 30) as (data, delivery, authority, names):
        both = Ends(data, delivery, authority, names)
        yield both
        assert both.operator.end(signal.SIGTERM) == 0


@pytest.fixture
def package(ends: Ends) -> Iterator[str]:
    yield next(ends.unused)
    ends.authority.do("behave", how="well")


@pytest.mark.law("L-4")
def test_a_package_goes_to_the_authority_and_its_confirmation_comes_back(
    ends: Ends, package: str
) -> None:
    assert ends.do("fetch", package)["status"] == 200
    assert ends.steps(package) == ["PackageFetched"]
    digest = ends.do("confirm", package, verdict="OK")["digest"]
    assert ends.do("notify", package, verdict="OK") == {"status": 200}
    told = ends.operator.heard("confirmed", package=package)
    assert told["next"] == ["The package is accepted. There is nothing to do."]
    assert ends.steps(package) == ["PackageFetched", *STEPS[1:3], "ConfirmationReceived"]
    taken, notice, fetched, received = recorded(ends.data, *STEPS, package=package)
    assert fetched.file_digest == received.file_digest == digest
    assert taken.client == notice.client != fetched.server
    kept = list((ends.data / "confirmations").rglob(f"{package}.*"))
    assert [path.parent.name for path in kept] == [digest[:16]]


@pytest.mark.law("L-4")
def test_a_casinos_month_goes_by_the_addresses_of_its_casino(ends: Ends) -> None:
    assert ends.do("fetch", ends.casino)["status"] == 200
    ends.do("confirm", ends.casino, verdict="OK")
    assert ends.do("notify", ends.casino, verdict="OK") == {"status": 200}
    ends.operator.heard("confirmed", package=ends.casino)
    assert ends.steps(ends.casino) == ["PackageFetched", *STEPS[1:3], "ConfirmationReceived"]


@pytest.mark.law("L-4")
def test_a_refusal_says_what_to_do_next(ends: Ends, package: str) -> None:
    ends.do("fetch", package)
    ends.do("confirm", package, verdict="ERR")
    assert ends.do("notify", package, verdict="ERR", how="body") == {"status": 200}
    told = ends.operator.heard("confirmed", package=package)
    assert (told["verdict"], told["findings"]) == ("ERR", 1)
    assert "build the next version" in " ".join(told["next"])


def test_the_same_twice_changes_nothing(ends: Ends, package: str) -> None:
    assert ends.do("fetch", package) == ends.do("fetch", package)
    ends.operator.heard("fetched_again", package=package)
    ends.authority.do("behave", how="busy")
    ends.do("confirm", package, verdict="OK")
    for how in ("path", "query", "body"):
        assert ends.do("notify", package, verdict="OK", how=how) == {"status": 200}
    assert ends.steps(package) == ["PackageFetched", "NoticeReceived"]
    ends.authority.do("behave", how="well")
    ends.operator.heard("confirmed", package=package)
    assert ends.do("notify", package, verdict="OK") == {"status": 200}
    ends.operator.heard("confirmed_before", package=package)
    assert ends.steps(package).count("ConfirmationReceived") == 1
    assert ends.state(package) == ("accepted", ""), "nothing is left to be read"


def test_what_comes_out_of_order_is_taken_as_it_comes(ends: Ends, package: str) -> None:
    later = next(ends.unused)
    for one in (later, package):
        ends.do("confirm", one, verdict="OK")
        assert ends.do("notify", one, verdict="OK") == {"status": 200}, "nobody fetched it yet"
        ends.operator.heard("confirmed", package=one)
        assert ends.do("fetch", one)["status"] == 200
    ends.do("confirm", package, verdict="ERR")
    assert ends.do("notify", package, verdict="ERR") == {"status": 200}
    told = ends.operator.heard("confirmed", package=package, verdict="ERR")
    assert "was accepted before and is refused now" in " ".join(told["next"])


@pytest.mark.parametrize(
    ("manner", "why"),
    [
        ("cut", "can't be asked"),
        ("busy", "answers 503"),
        ("slow", "did not answer within 2 s"),
        ("expired", "certificate has expired"),
        ("stranger", "unable to get local issuer"),
    ],
)
def test_an_authority_that_can_not_be_reached_is_asked_again(
    ends: Ends, package: str, manner: str, why: str
) -> None:
    ends.do("confirm", package, verdict="OK")
    ends.authority.do("behave", how=manner)
    ends.do("notify", package, verdict="OK")
    told = ends.operator.heard("not_confirmed", package=package)
    assert why in told["why"]
    assert told["again_in_seconds"] == 0.1
    assert ends.steps(package) == ["NoticeReceived"]
    ends.authority.do("behave", how="well")
    ends.operator.heard("confirmed", package=package)


@pytest.mark.law("L-4")
@pytest.mark.parametrize(
    ("manner", "why"), [("garbage", "ERR_PKG_SIG_INVALID_DER"), ("other", "is about package")]
)
def test_an_answer_that_is_none_of_this_package_is_refused_kept_and_asked_for_again(
    ends: Ends, package: str, manner: str, why: str
) -> None:
    other = next(ends.unused)
    for one in (package, other):
        assert ends.do("fetch", one)["status"] == 200
        ends.do("confirm", one, verdict="OK")
    if manner == "other":
        manner = f"other {other}.Ok.zip.p7e.p7s"
    ends.authority.do("behave", how=manner)
    ends.do("notify", package, verdict="OK")
    told = ends.operator.heard("refused_confirmation", package=package)
    assert why in told["why"]
    ends.operator.heard("not_confirmed", package=package, again_in_seconds=0.2)
    ends.do("notify", package, verdict="ERR")
    ends.operator.heard("not_confirmed", package=package, verdict="ERR")
    assert ends.steps(package).count("ConfirmationRefused") == 1
    assert ends.state(package) == ("published", "confirmation_refused")
    ends.authority.do("behave", how="well")
    ends.operator.heard("confirmed", package=package)
    assert ends.steps(package)[-2:] == ["ConfirmationFetched", "ConfirmationReceived"]


def test_the_file_of_another_verdict_answers_no_notice(ends: Ends, package: str) -> None:
    ends.do("fetch", package)
    ends.do("confirm", package, verdict="OK")
    ends.do("notify", package, verdict="OK")
    ends.operator.heard("confirmed", package=package)
    ends.authority.do("behave", how=f"other {package}.Ok.zip.p7e.p7s")
    ends.do("notify", package, verdict="ERR")
    ends.operator.heard("not_confirmed", package=package, verdict="ERR", again_in_seconds=0.2)
    assert ends.state(package) == ("accepted", "confirmation_refused")
    ends.authority.do("behave", how="well")
    ends.do("confirm", package, verdict="ERR")
    ends.operator.heard("confirmed", package=package, verdict="ERR")
    assert ends.state(package) == ("refused", "")


def test_a_damaged_list_of_revocations_delays_a_confirmation_and_refuses_nothing(
    ends: Ends, package: str
) -> None:
    crl = ends.keys / "root.crl"
    good = crl.read_bytes()
    crl.write_bytes(b"<html>please wait</html>")
    ends.do("confirm", package, verdict="OK")
    ends.do("notify", package, verdict="OK")
    told = ends.operator.heard("not_confirmed", package=package, again_in_seconds=0.2)
    crl.write_bytes(good)
    assert "holds no revocation list" in told["why"]
    ends.operator.heard("confirmed", package=package)
    assert ends.steps(package) == ["NoticeReceived", "ConfirmationFetched", "ConfirmationReceived"]


def test_notices_that_name_no_package_of_ours_are_refused(ends: Ends, package: str) -> None:
    stranger = package.replace("-V-2025", "-V-2031")
    assert ends.do("notify", stranger, verdict="OK") == {"status": 404}
    assert ends.do("notify", package[:-2] + "07", verdict="OK") == {"status": 404}
    assert ends.do("notify", "", verdict="OK") == {"status": 400}
    assert ends.do("notify", f"{package}&b={stranger}", verdict="OK") == {"status": 400}
    assert ends.do("notify", "../../log.sqlite", verdict="OK", how="path") == {"status": 400}
    assert ends.steps(package) == []


def test_there_is_no_list_and_nothing_but_what_is_published(ends: Ends, package: str) -> None:
    (ends.data / "sealed" / "secret.txt").write_text("x")
    sealed = ends.data / "sealed" / f"{package}.zip.p7e.p7s"
    (ends.data / "sealed" / f"{package[:-2]}02.zip.p7e.p7s").write_bytes(b"x")
    for name in ("", "secret.txt", "../keys/x", package, f"{package[:-2]}02.zip.p7e.p7s"):
        assert _curl(ends, f"data/{name}") == "404"
    content = sealed.read_bytes()
    sealed.write_bytes(b"other")
    assert _curl(ends, f"data/{sealed.name}") == "503", "never another file than was published"
    sealed.write_bytes(content)
    assert _curl(ends, f"data/{sealed.name}", "--head") == "200"
    assert ends.steps(package) == []
    assert _curl(ends, f"data/{sealed.name}") == "200"
    assert _curl(ends, f"data/{sealed.name}", "--data", "x") == "405"
    assert _curl(ends, "") == "404"


def _curl(ends: Ends, path: str, *more: str, who: str = "authority-client") -> str:
    """Ask with curl; return the status, 000 where the door stays closed."""
    curl = which("curl")
    assert curl is not None, "these tests need curl"
    known = () if not who else ("--cert", f"{who}.crt", "--key", f"{who}.pem")
    done = subprocess.run(  # noqa: S603 - arguments are those of the test
        [
            curl, "--silent", "--output", "/dev/null", "--write-out", "%{http_code}", "--max-time",
            "20", "--path-as-is", "--cacert", "ca.crt", *known, *more,
            f"https://localhost:{ends.operator.port}/{path}",
        ],
        cwd=ends.keys, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout


@pytest.mark.parametrize("who", ["", "neighbour", "stranger", "expired", "operator-client"])
def test_the_door_is_closed_to_everybody_else(ends: Ends, who: str) -> None:
    """Also to another certificate of the very authority that issued the right one."""
    assert _curl(ends, f"data/{FIRST}.zip.p7e.p7s", who=who) == "000"
    assert "HTTP/1.1" not in _s_client(ends, who, "-tls1_3")


@pytest.mark.parametrize("version", ["-tls1", "-tls1_1"])
def test_nothing_older_than_tls_1_2_is_spoken(ends: Ends, version: str) -> None:
    assert "HTTP/1.1" not in _s_client(ends, "authority-client", version)
    for good in ("-tls1_2", "-tls1_3"):
        assert "HTTP/1.1 404" in _s_client(ends, "authority-client", good)


def _s_client(ends: Ends, who: str, version: str) -> str:
    openssl = which("openssl")
    assert openssl is not None, "these tests need openssl"
    known = () if not who else ("-cert", f"{who}.crt", "-key", f"{who}.pem")
    done = subprocess.run(  # noqa: S603 - arguments are those of the test
        [
            openssl, "s_client", "-connect", f"localhost:{ends.operator.port}", version,
            "-CAfile", "ca.crt", *known, "-ign_eof", "-quiet", "-cipher", "ALL:@SECLEVEL=0",
        ],
        cwd=ends.keys, capture_output=True, text=True, check=False, timeout=30,
        input="GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    )  # fmt: skip
    return done.stdout + done.stderr


def test_a_service_that_was_killed_goes_on_from_the_chain(ends: Ends, package: str) -> None:
    ends.do("fetch", package)
    ends.do("confirm", package, verdict="OK")
    ends.authority.do("behave", how="busy")
    ends.do("notify", package, verdict="OK")
    ends.again()
    ends.operator.heard("not_confirmed", package=package)
    ends.authority.do("behave", how="well")
    ends.operator.heard("confirmed", package=package)
    assert ends.steps(package) == ["PackageFetched", *STEPS[1:3], "ConfirmationReceived"]
    log = DataDirectory(ends.data).read()
    assert package not in {one.package for one in Exchange(log).open_notices()}
    log.close()


def test_status_tells_how_far_a_package_has_got(ends: Ends, package: str) -> None:
    ends.authority.do("behave", how="busy")
    wanted = {}
    for name, done in (("fetched", ["fetch"]), ("noticed", ["fetch", "notify"])):
        one = next(ends.unused)
        for what in done:
            ends.do(what, one, verdict="OK")
        wanted[one] = ("published", name)
    wanted[package] = ("published", "")
    done = program(
        "report", "status", "--limit", "100", "--until", "2025-11-12", "--json", data=ends.data
    )
    found = {one["package"]: (one["state"], one["step"]) for one in json.loads(done.stdout)}
    assert {name: found.get(name) for name in wanted} == wanted
