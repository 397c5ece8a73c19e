"""``report`` as it is typed: validate, seal, open, confirm, correct."""

from __future__ import annotations

import json
import shutil
import zipfile
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.errors import AvailabilityError
from ledger.decisions.packages import PublishPackage, RecordPackage
from ledger.events.encoding import decode
from ledger.events.event_types import ConfirmationReceived, CorrectionRequested, PackagePublished
from ledger.log.sqlite import SqliteLog
from ledger.rules.operator import rules_for
from ledger.writer import Ledger
from projections.packages.cz.pack import pack
from projections.packages.cz.seal import seal
from projections.packages.status import PeriodStatus
from tests.projections.packages.package_cases import NAME, ROWS, text_of, write_package
from tests.projections.packages.seal_certificates import root, vouched, write_certificate, write_key
from tests.tools.cli_cases import run as program
from tests.tools.cli_cases import run_here
from tools.cli import _report_seal
from tools.cli._report import next_step
from tools.data import DataDirectory

if TYPE_CHECKING:
    import subprocess

    from ledger.events.command import Command
    from ledger.writer import Receipt
    from projections.packages.cz.names import PackageName
    from projections.packages.status import Step

SEALED = f"{NAME}.zip.p7e.p7s"


def run(*arguments: str | Path, data: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return program("report", *map(str, arguments), data=data, environment=environment)


def answer(*arguments: str | Path, data: Path) -> Any:
    done = run(*arguments, "--json", data=data)
    assert done.returncode == 0, done.stderr + done.stdout
    return json.loads(done.stdout)


def recorded(data: Path) -> list[Any]:
    log = SqliteLog(data, writable=False)
    found = [decode(message).event for _, message in log.read()]
    log.close()
    return found


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A chain that knows a package made by hand, and the one before, which is published."""
    data = tmp_path_factory.mktemp("commands") / "data"
    with DataDirectory(data).create(
        operator="12345678", rules=rules_for("", "sazka"), operator_name="A", chain="c"
    ) as ledger:
        for name in (NAME, NAME.following):
            package = write_package(
                data / "packages",
                ROWS if name == NAME else {"provozovatel": ROWS["provozovatel"]},
                package=name,
                files_left_out=() if name.has_rates else ["mena_kurs"],
            )
            digest = pack(package, data / "zip").digest
            files = {
                file.name: (1, sha256(file.read_bytes()).hexdigest()) for file in package.iterdir()
            }
            ledger.execute(
                RecordPackage(
                    package=str(name),
                    known_at=1,
                    files=files,
                    digest=digest,
                    settings="{}",
                    source="t",
                )
            )
        ledger.execute(_published(name, digest))
    return data


def _published(name: PackageName, digest: str) -> PublishPackage:
    return PublishPackage(
        package=str(name),
        digest=digest,
        file=f"{name}.zip.p7e.p7s",
        file_digest=digest,
        size=1,
        source="t",
    )


@pytest.fixture
def data(once: Path, tmp_path: Path) -> Path:
    return shutil.copytree(once, tmp_path / "data")


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    """Keys and certificates of the operator and the authority."""
    folder = tmp_path / "keys"
    folder.mkdir()
    write_certificate(folder, "root", root())
    for name in ("operator", "authority"):
        write_certificate(folder, name, vouched(name))
        write_key(folder, name, vouched(name))
    return folder


def _seal_options(keys: Path) -> tuple[str | Path, ...]:
    recipients = ("--recipient", keys / "authority.crt", "--recipient", keys / "operator.crt")
    return "--key", keys / "operator.pem", *recipients


def test_a_package_is_sealed_recorded_and_opened_again(
    data: Path, keys: Path, tmp_path: Path
) -> None:
    done = run("seal", str(NAME), *_seal_options(keys), data=data)
    assert done.returncode == 0, done.stderr
    assert "CN=Test authority,C=CZ" in done.stdout
    sealed = data / "sealed" / SEALED
    event = recorded(data)[-1]
    assert isinstance(event, PackagePublished)
    assert (event.file, event.size) == (SEALED, sealed.stat().st_size)
    assert event.file_digest == sha256(sealed.read_bytes()).hexdigest()
    assert [one.name for one in (data / "sealed").iterdir()] == [SEALED]
    found = answer(
        "open", sealed, "--key", keys / "authority.pem", "--trust", keys / "root.crt",
        "--out", tmp_path / "out", data=data,
    )  # fmt: skip
    assert found["signer"] == "CN=Test operator,C=CZ"
    with zipfile.ZipFile(tmp_path / "out" / f"{NAME}.zip") as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    folder = data / "packages" / str(NAME)
    assert content == {file.name: file.read_bytes() for file in folder.iterdir()}
    again = run("seal", str(NAME), *_seal_options(keys), data=data)
    assert (again.returncode, sealed.exists()) == (2, True)
    assert "published already" in again.stderr


def test_a_sealed_file_stays_where_no_answer_told_that_it_is_published(
    data: Path, keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute = Ledger.execute

    def unheard(ledger: Ledger, command: Command) -> Receipt:
        execute(ledger, command)
        raise AvailabilityError("no writer answered")

    monkeypatch.setattr(Ledger, "execute", unheard)
    done = run_here("report", "seal", str(NAME), *map(str, _seal_options(keys)), data=data)
    assert done.returncode == AvailabilityError.exit_code
    content = (data / "sealed" / SEALED).read_bytes()
    assert recorded(data)[-1].file_digest == sha256(content).hexdigest()


def test_a_run_killed_before_its_record_is_repeated(
    data: Path, keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("report", "seal", str(NAME), *map(str, _seal_options(keys)))
    with monkeypatch.context() as killed:
        killed.setattr(_report_seal, "_record_or_remove", lambda *_: None)
        assert run_here(*words, data=data).returncode == 0
    left = (data / "sealed" / SEALED).read_bytes()
    done = run_here(*words, data=data)
    assert done.returncode == 0, done.stderr
    content = (data / "sealed" / SEALED).read_bytes()
    assert content != left
    assert recorded(data)[-1].file_digest == sha256(content).hexdigest()


def test_a_file_elsewhere_may_have_been_delivered_and_is_kept(
    data: Path, keys: Path, tmp_path: Path
) -> None:
    words = ("seal", str(NAME), *_seal_options(keys), "--out", tmp_path / "out")
    assert run(*words, "--no-record", data=data).returncode == 0
    left = (tmp_path / "out" / SEALED).read_bytes()
    done = run(*words, data=data)
    assert (done.returncode, (tmp_path / "out" / SEALED).read_bytes()) == (2, left)
    assert "holds other content" in done.stderr


def test_an_invalid_package_is_never_sealed(data: Path, keys: Path) -> None:
    folder = data / "packages" / str(NAME)
    rows = [ROWS["ucet"][0].replace("CZK", "ABC")]
    (folder / "ucet.csv").write_text(text_of("ucet", rows), encoding="utf-8", newline="")
    before = recorded(data)
    done = run("seal", str(NAME), *_seal_options(keys), data=data)
    assert done.returncode == 1
    assert "ERR_FIELD_CODEBOOK" in done.stdout
    assert "Nothing was sealed" in done.stdout
    assert not (data / "sealed").exists()
    assert recorded(data) == before


def test_what_was_not_built_by_the_chain_is_not_published(data: Path, keys: Path) -> None:
    """A valid package with other content than was recorded leaves no sealed file behind."""
    folder = data / "packages" / str(NAME)
    rows = [ROWS["ucet"][0].replace("500,00", "600,00")]
    (folder / "ucet.csv").write_text(text_of("ucet", rows), encoding="utf-8", newline="")
    done = run("seal", str(NAME), *_seal_options(keys), data=data)
    assert done.returncode == 2
    assert "built with other content" in done.stderr
    assert list((data / "sealed").iterdir()) == []


def test_findings_are_shown_as_a_table_as_lines_and_as_json(data: Path) -> None:
    folder = data / "packages" / str(NAME)
    rows = [ROWS["ucet"][0].replace("500,00", "500.00")]
    (folder / "ucet.csv").write_text(text_of("ucet", rows), encoding="utf-8", newline="")
    line = (
        f"{NAME};ucet.csv;2;TransakceVyse;ERR_FIELD_BAD_FORMAT_RE;"
        "\"'500.00' is not of the type money: "
        'such as 1234,50 or -0,50, at most 13 digits before the comma"'
    )
    lines = run("validate", folder, "--lines", data=data)
    assert (lines.returncode, lines.stdout) == (1, line + "\n")
    shown = run("validate", str(NAME), data=data)
    assert (shown.returncode, "1 findings" in shown.stdout) == (1, True)
    document = json.loads(run("validate", str(NAME), "--json", data=data).stdout)
    assert document["valid"] is False
    assert [one["code"] for one in document["findings"]] == ["ERR_FIELD_BAD_FORMAT_RE"]
    assert run("validate", data, data=data).returncode == 2


def test_a_wrong_key_a_stranger_and_tampering_are_named(
    data: Path, keys: Path, tmp_path: Path
) -> None:
    sealed = tmp_path / SEALED
    content = seal(b"content", vouched("operator"), [vouched("operator").certificate])
    sealed.write_bytes(content)
    wrong = run(
        "open", sealed, "--key", keys / "authority.pem", "--trust", keys / "root.crt", data=data
    )
    assert (wrong.returncode, "ERR_PKG_ENC_RECIPIENT" in wrong.stderr) == (1, True)
    write_certificate(keys, "other", root("Other"))
    unknown = run(
        "open", sealed, "--key", keys / "operator.pem", "--trust", keys / "other.crt", data=data
    )
    assert (unknown.returncode, "ERR_PKG_SIG_CERT_UNTRUSTED" in unknown.stderr) == (1, True)
    (keys / "operator.pem").chmod(0o644)
    loose = run(
        "open", sealed, "--key", keys / "operator.pem", "--trust", keys / "root.crt", data=data
    )
    assert (loose.returncode, "mode 644" in loose.stderr) == (5, True)
    assert not (tmp_path / f"{NAME}.zip").exists()


def _confirmation(folder: Path, word: str, **files: str) -> Path:
    path = folder / f"{NAME}.{word}.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"{name.replace('_', '-')}.csv", text)
    return path


def _publish(data: Path) -> None:
    """Record that the package is published, as `report seal` does."""
    digest = pack(data / "packages" / str(NAME), data / "zip").digest
    with DataDirectory(data).write() as ledger:
        ledger.execute(_published(NAME, digest))


@pytest.mark.law("L-4")
def test_a_sealed_refusal_is_opened_recorded_and_explained(
    data: Path, keys: Path, tmp_path: Path
) -> None:
    _publish(data)
    read = sha256((data / "packages" / str(NAME) / "ucet.csv").read_bytes()).hexdigest()
    plain = _confirmation(
        tmp_path,
        "Err",
        validation_report=(
            "PackageName;FileName;ValidationResult;LineCount;Hash\r\n"
            f"{NAME};ucet.csv;INVALID;4;sha256:{read}\r\n"
            f"{NAME};konto.csv;VALID;4;sha256:{'0' * 64}\r\n"
        ),
        validation_errors=f'{NAME};ucet.csv;2;TransakceVyse;ERR_FIELD_TYPE;"no ""money"""\r\n',
        db_validation_errors=(
            "Package;File;Key;Code;Text\r\n"
            f"{NAME};hra_toky.csv;12345678-b1;ERR_DB_REFERENCE;no such account\r\n"
        ),
    )
    sealed = plain.with_name(f"{plain.name}.p7e.p7s")
    operator, authority = vouched("operator"), vouched("authority")
    sealed.write_bytes(seal(plain.read_bytes(), authority, [operator.certificate]))
    options = ("--key", keys / "operator.pem", "--trust", keys / "root.crt")
    options += ("--signer", keys / "authority.crt")
    found = answer("confirm", sealed, *options, data=data)
    assert (found["package"], found["verdict"]) == (str(NAME), "ERR")
    assert found["files_that_differ"] == ["konto.csv"]
    assert any("report build --period 2025012516 --cause" in one for one in found["next"])
    event = recorded(data)[-1]
    assert isinstance(event, ConfirmationReceived)
    assert (event.verdict, event.confirmation) == ("ERR", sealed.name)
    assert event.file_digest == sha256(sealed.read_bytes()).hexdigest()
    assert event.files == ("ucet.csv", "hra_toky.csv")
    assert event.keys == ("2", "12345678-b1")
    assert event.codes == ("ERR_FIELD_TYPE", "ERR_DB_REFERENCE")
    assert event.messages == ('no "money"', "no such account")
    stranger = run("confirm", sealed, *options[:4], "--signer", keys / "operator.crt", data=data)
    assert (stranger.returncode, "CERT_UNKNOWN" in stranger.stderr) == (1, True)


@pytest.mark.law("L-6")
def test_an_accepted_package_can_be_refused_later(data: Path, tmp_path: Path) -> None:
    _publish(data)
    report = f"{NAME};ucet.csv;VALID;4;\r\n"
    good = answer("confirm", _confirmation(tmp_path, "Ok", validation_report=report), data=data)
    assert good["next"] == ["The package is accepted. There is nothing to do."]
    row = f"{NAME};hra_toky.csv;12345678-b1;ERR_DB_REFERENCE;no account\r\n"
    tolerated = _confirmation(tmp_path, "ok", db_validation_errors=row)
    assert "although" in run("confirm", tolerated, data=data).stdout
    refused = _confirmation(tmp_path, "Err", db_validation_errors=row * 2)
    assert "accepted before" in run("confirm", refused, data=data).stdout
    verdicts = [one.verdict for one in recorded(data) if isinstance(one, ConfirmationReceived)]
    assert verdicts == ["OK", "OK", "ERR"]
    again = run("confirm", refused, data=data)
    assert (again.returncode, "recorded already" in again.stderr) == (2, True)


@pytest.mark.law("L-4")
def test_a_refusal_of_a_version_that_was_replaced_asks_for_no_other(
    data: Path, tmp_path: Path
) -> None:
    _publish(data)
    with DataDirectory(data).write() as ledger:
        second, digest = replace(NAME, version=2), "2" * 64
        ledger.execute(
            RecordPackage(
                package=str(second),
                known_at=1,
                files={},
                digest=digest,
                settings="{}",
                cause="late",
                source="t",
            )
        )
        ledger.execute(_published(second, digest))
    row = f"{NAME};hra_toky.csv;12345678-b1;ERR_DB_REFERENCE;no account\r\n"
    late = _confirmation(tmp_path, "Err", db_validation_errors=row)
    steps = " ".join(answer("confirm", late, data=data)["next"])
    assert "Version 02 was published since" in steps
    assert "build" not in steps


@pytest.mark.law("L-4")
@pytest.mark.parametrize(
    ("name", "match"),
    [
        (f"{NAME}.zip", "not the name of a confirmation"),
        (f"{NAME}.Ok.zip", "not a ZIP file"),
        (f"{NAME}.Ok.zip.p7e.p7s", "name our key"),
    ],
)
def test_what_is_no_confirmation_is_refused(
    name: str, match: str, data: Path, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(b"nothing")
    done = run("confirm", path, data=data)
    assert done.returncode == 2
    assert match in done.stderr


@pytest.mark.parametrize(
    ("files", "match"),
    [
        ({}, "it holds none of"),
        ({"other": "x"}, "it holds none of"),
        ({"validation_report": f"{NAME.following};ucet.csv;VALID;4;\r\n"}, "is about package"),
        (
            {"db_validation_errors": f"{replace(NAME, version=2)};ucet.csv;x;ERR_DB_X;y"},
            "is about package",
        ),
    ],
)
def test_a_confirmation_without_reports_or_of_another_package_is_refused(
    files: dict[str, str], match: str, data: Path, tmp_path: Path
) -> None:
    """Anybody may rename a file; an empty "Ok" must not make a package accepted."""
    _publish(data)
    before = recorded(data)
    done = run("confirm", _confirmation(tmp_path, "Ok", **files), data=data)
    assert (done.returncode, match in done.stderr) == (2, True), done.stderr
    assert recorded(data) == before


@pytest.mark.law("L-4")
def test_an_accepted_package_of_other_bytes_is_not_called_done(data: Path, tmp_path: Path) -> None:
    _publish(data)
    report = f"{NAME};ucet.csv;VALID;4;sha256:{'0' * 64}\r\n"
    found = answer("confirm", _confirmation(tmp_path, "Ok", validation_report=report), data=data)
    assert found["files_that_differ"] == ["ucet.csv"]
    assert not any("nothing to do" in step for step in found["next"])


@pytest.mark.law("L-6")
def test_a_correction_lists_what_will_be_checked_again(data: Path) -> None:
    _publish(data)
    asked = ("correct", str(NAME), "--explanation", "a win was paid twice")
    assert answer(*asked, "--dry-run", data=data)["checked_again"] == [str(NAME.following)]
    done = run(*asked, data=data)
    assert str(NAME.following) in done.stdout
    events = [one for one in recorded(data) if isinstance(one, CorrectionRequested)]
    assert [(one.version, one.kind, one.explanation) for one in events] == [
        (1, "material", "a win was paid twice")
    ]
    last = run("correct", str(NAME.following), "--explanation", "x", data=data)
    assert "none will be checked again" in last.stdout


def test_practice_keys_seal_and_open(data: Path, tmp_path: Path) -> None:
    keys = tmp_path / "practice"
    made = answer("practice-keys", keys, data=data)
    assert sorted(Path(one).name for one in made) == [
        "authority.crt",
        "authority.pem",
        "operator.crt",
        "operator.pem",
        "root.crt",
    ]
    sealed = answer("seal", str(NAME), "--no-record", *_seal_options(keys), data=data)
    assert sealed["command"]["package"] == str(NAME)
    options = ("--key", keys / "authority.pem", "--trust", keys / "root.crt")
    options += ("--signer", keys / "operator.crt", "--out", tmp_path)
    assert answer("open", sealed["file"], *options, data=data)["signer"] == (
        "CN=gameledger practice operator"
    )
    again = run("practice-keys", keys, data=data)
    assert (again.returncode, "never overwritten" in again.stderr) == (2, True)


@pytest.mark.parametrize("step", ["", "fetched"])
def test_a_package_to_be_corrected_is_built_again_although_it_is_fetched(step: Step) -> None:
    status = PeriodStatus(
        package=str(NAME), period=NAME.period, version=1, state="published",
        to_correct=True, findings=0, step=step,
    )  # fmt: skip
    assert next_step(status).startswith("report build --period")
