"""``docs/recipes/add-a-countrys-report.md``: another country's packages by the same commands."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.recipes.recipe_cases import history

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recipes.recipe_cases import Tree

FOLDER = "projections/packages/zz"
ONE_FUNCTION = '''"""The packages of Zetland."""


def read_settings(path):
    return None
'''
COUNTRY = '''"""The packages of Zetland: one file a day, with the balance of every account."""

import datetime as dt
import re
import zipfile
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

from ledger.core.clock import DAY, from_datetime, in_prague
from ledger.core.errors import InputError
from ledger.decisions.packages import RecordPackage
from projections.packages.results import (
    BuiltFile, BuiltFolder, Confirmation, ExplainedRow, JobResult, OpenedPackage, RebuiltFile,
    Totals, Verdict, ZipPackage
)
from projections.packages.status import PeriodStatus, built_version, histories, recorded_status
from projections.store.as_of import size_at

SEALED = ".sealed"
SEALED_BYTES_MAX = 1 << 20
ANSWER_BYTES_MAX = 1000
ROWS = (
    "SELECT account, sum(amount) AS amount, groupArray(position) AS positions FROM postings "
    "WHERE kind = 'wallet' AND position < {size:Int64} GROUP BY account ORDER BY account"
)


class DayName(NamedTuple):
    operator: str
    period: str
    version: int

    def __str__(self):
        return f"{self.operator}-V-{self.period}-{self.version:02d}"

    @property
    def place(self):
        return ""

    @property
    def start(self):
        return from_datetime(dt.datetime.strptime(self.period + "+0000", "%Y%m%d%z"))

    @property
    def end(self):
        return self.start + DAY


def operator_of(store):
    (row,) = store.rows("SELECT operator, recorded_at FROM ChainOpened")
    return row["operator"], row["recorded_at"]


def due_since(operator, since, casinos, now, settings):
    while since + DAY <= now:
        yield DayName(operator, f"{in_prague(since):%Y%m%d}", 1)
        since += DAY


def due_of_period(store, begins, ends, now):
    operator, since = operator_of(store)
    return (("", one) for one in due_since(operator, max(since, begins), (), min(ends, now), None))


def parse_name(text):
    found = re.fullmatch(r"(\\w+)-V-(\\d{8})-(\\d\\d)", text)
    if found is None:
        raise InputError(f"{text!r} is no package of Zetland")
    return DayName(found[1], found[2], int(found[3]))


def package_name(path):
    return parse_name(path.name)


def read_settings(path):
    return None


def periods_with_status(store, settings, now):
    operator, since = operator_of(store)
    known = histories(store)
    return [
        recorded_status(one, known.get(str(one)[:-3], []))
        for one in due_since(operator, since, (), now, settings)
    ]


def pending_jobs(store, settings, now):
    for one in periods_with_status(store, settings, now):
        if one.state == "due":
            yield SimpleNamespace(name=parse_name(one.package))


def job_for(store, settings, now, period, *, version=None, known_at=None, cause=""):
    return SimpleNamespace(name=DayName(operator_of(store)[0], period, version or 1))


def _rows(store, name):
    return store.rows(ROWS, size=size_at(store, name.start + DAY, store.position))


def run(store, job, out):
    rows = _rows(store, job.name)
    text = "".join(f"{row['account']};{row['amount']}\\n" for row in rows)
    folder = Path(out) / str(job.name)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "balances.csv").write_text(text)
    digest = sha256(text.encode()).hexdigest()
    cut = SimpleNamespace(name=job.name, known_at=store.position)
    file = BuiltFile("balances.csv", len(rows), digest)
    command = RecordPackage(
        package=str(job.name), known_at=store.position, digest=digest, settings="-",
        files={file.name: (file.rows, digest)},
    )
    return JobResult(BuiltFolder(cut, folder, (file,), digest), command)


def rows_known_at(store, name, *, settings, known_at):
    rows = store.rows(ROWS, size=size_at(store, name.start + DAY, known_at))
    return [
        {"file": "balances.csv", "key": row["account"], "amount": str(row["amount"])}
        for row in rows
    ]


def rebuild_package(store, name):
    recorded = built_version(store, name)
    rows = len(_rows(store, name))
    return tuple(RebuiltFile(one, rows, rows, True) for one in recorded.files)


def totals_of(store, name, at):
    sums = dict.fromkeys(("stakes", "winnings", "returned"), 0)
    return Totals(0, 0, store.position, "", sums)


def period_at(operator, moment):
    return DayName(operator, f"{in_prague(moment):%Y%m%d}", 1)


def month_of(place, day, settings):
    raise InputError("Zetland has no casinos")


def practice_settings(places):
    return None


def file_names(name):
    return ("balances.csv",)


def explain(store, package, file, row, *, settings, known_at):
    found = _rows(store, parse_name(package))[int(row) - 1]
    values = {"account": found["account"], "amount": str(found["amount"])}
    return ExplainedRow(package, file, ";".join(values.values()), values, tuple(found["positions"]))


def options_for(package, earlier=None, *, strict=True, allows_late=False):
    return None


def validate(path, options, *, clock=None):
    if path.suffix == ".zip":
        lines = zipfile.ZipFile(path).read("balances.csv").decode().splitlines()
    else:
        lines = (path / "balances.csv").read_text().splitlines()
    faults = tuple(SimpleNamespace(document={"line": line}) for line in lines if ";-" in line)
    return Verdict(parse_name(path.name.removesuffix(".zip")), faults, {"balances.csv": len(lines)})


def pack(source, folder):
    path = folder / f"{source.name}.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(source / "balances.csv", "balances.csv")
    digest = sha256((source / "balances.csv").read_bytes()).hexdigest()
    return ZipPackage(parse_name(source.name), path, digest)


def seal(content, sealer, recipients, *, time_stamper=None):
    return b"sealed " + content


def certificates_in(sealed):
    return ()


def stamped_seal(sealed, roots, now):
    raise InputError("Zetland stamps nothing")


def open_sealed(sealed, reader, trust):
    return OpenedPackage(sealed.removeprefix(b"sealed "), "the authority", None)


def read_confirmation(file_name, content):
    return Confirmation(parse_name(file_name.partition(".")[0]), "OK", (), (), False)
'''


SERVED = """
import sys
from starlette.testclient import TestClient
from tools.access.app import application
from tools.access.readers import new_token
from tools.access.serving import open_service
from tools.data import DataDirectory
from tools.data.locations import LOCAL

token = new_token()
data = DataDirectory(sys.argv[1], LOCAL)
with open_service(data, token=token, country="zz") as (service, _):
    assert service.sources.wait_until_ready(120), service.sources.fault
    client = TestClient(application(service), headers={"Authorization": f"Bearer {token}"})
    print(client.get("/api/packages").raise_for_status().text)
    client.get("/packages").raise_for_status()
    client.get("/").raise_for_status()
"""


def served_packages(tree: Tree, data: Path) -> str:
    done = tree.python("-c", SERVED, str(data))
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.search
def test_another_country_is_listed_built_sealed_confirmed_and_in_the_books(
    tree: Tree, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    history(data, "99999999")

    def report(*arguments: str) -> tuple[int, str]:
        done = tree.python(
            "-m", "tools.cli", "--data", str(data), "report", "--country", "zz", *arguments
        )
        return done.returncode, done.stdout or done.stderr

    # 1. What is missing is named, one after the other.
    assert "there is no country 'zz'" in report("status")[1]
    tree.write(f"{FOLDER}/__init__.py", '"""Zetland."""\n')
    assert f"{FOLDER}/country.py is missing" in report("status")[1]
    tree.write(f"{FOLDER}/country.py", ONE_FUNCTION)
    code, said = report("status")
    assert code == 2
    assert "country.py lacks ANSWER_BYTES_MAX, SEALED, SEALED_BYTES_MAX, certificates_" in said
    (tree.path / FOLDER / "country.py").unlink()

    # 2. With all of it, the same commands work.
    tree.write(f"{FOLDER}/country.py", COUNTRY)
    code, said = report("build", "--pending", "--dry-run", "--json")
    assert code == 0, said
    name = json.loads(said)[0]
    code, said = report("status", "--limit", "10000", "--json")
    assert json.loads(said[said.index("[") :])[0]["package"] == name
    code, said = report("build", "--period", name.split("-")[2], "--no-record", "--json")
    assert code == 0, said
    (built,) = json.loads(said)
    assert built["files"][0]["rows"] == 1
    assert report("validate", name)[0] == 0
    code, said = report("explain", name, "balances", "1", "--json")
    row = json.loads(said)
    assert row["row"]["values"]["account"] == "a-1"
    assert {event["type"] for event in row["events"]} >= {"DepositCredited", "BetPlaced"}

    # 3. It is recorded, sealed, opened and confirmed.
    code, said = report("build", "--pending")
    assert code == 0, said
    keys = tmp_path / "keys"
    code, said = report("practice-keys", str(keys))
    assert code == 0, said
    code, said = report(
        "seal", name, "--key", f"{keys}/operator.pem", "--recipient", f"{keys}/authority.crt"
    )
    assert code == 0, said
    sealed = data / "sealed" / f"{name}.sealed"
    code, said = report(
        "open", str(sealed), "--key", f"{keys}/authority.pem", "--trust", f"{keys}/root.crt",
        "--out", str(tmp_path / "opened"),
    )  # fmt: skip
    assert code == 0, said
    answer = tmp_path / f"{name}.Ok.zip"
    answer.write_bytes(b"PK")
    code, said = report("confirm", str(answer))
    assert code == 0, said
    code, said = report("status", "--limit", "10000", "--json")
    states = {one["package"]: one["state"] for one in json.loads(said[said.index("[") :])}
    assert states[name] == "accepted"

    # 4. The books compare its packages.
    month = f"{name.split('-')[2][:4]}-{name.split('-')[2][4:6]}"
    done = tree.python(
        "-m", "tools.cli", "books", "check", month, "--country", "zz", "--json", "--data", str(data)
    )
    assert done.stdout, done.stderr
    books = json.loads(done.stdout)
    assert {one["package"] for one in books["compared"]} >= {name}

    # 5. The service shows them, in its API and on its page.
    assert name in served_packages(tree, data)
