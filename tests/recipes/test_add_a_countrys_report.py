"""``docs/recipes/add-a-countrys-report.md``: another country's packages by the same commands."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from recipe_cases import history

if TYPE_CHECKING:
    from pathlib import Path

    from recipe_cases import Tree

FOLDER = "projections/packages/zz"
ONE_FUNCTION = '''"""The packages of Zetland."""


def read_settings(path):
    return None
'''
COUNTRY = '''"""The packages of Zetland: one file a day, with the balance of every account."""

import datetime as dt
import re
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

from ledger.core.clock import DAY, from_datetime, in_prague
from ledger.core.errors import InputError
from projections.packages.cz.build import Built, BuiltFile
from projections.packages.cz.explain import ExplainedRow
from projections.packages.cz.jobs import Done
from projections.packages.cz.periods import operator_of
from projections.packages.cz.status import PeriodStatus
from projections.packages.cz.validate import Verdict
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
    def start(self):
        return from_datetime(dt.datetime.strptime(self.period + "+0000", "%Y%m%d%z"))


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
    operator, moment = operator_of(store)
    found = []
    while moment + DAY <= now:
        period = f"{in_prague(moment):%Y%m%d}"
        name = str(DayName(operator, period, 1))
        found.append(PeriodStatus(name, period, 0, "due", False, 0))
        moment += DAY
    return found


def pending_jobs(store, settings, now):
    for one in periods_with_status(store, settings, now):
        yield SimpleNamespace(name=parse_name(one.package))


def job_for(store, settings, now, period, *, version=None, known_at=None, cause=""):
    return SimpleNamespace(name=DayName(operator_of(store)[0], period, version or 1))


def _rows(store, name):
    return store.rows(ROWS, size=size_at(store, name.start + DAY, store.position))


def run(store, job, out):
    rows = _rows(store, job.name)
    text = "".join(f"{row['account']};{row['amount']}\\n" for row in rows)
    folder = Path(out) / str(job.name)
    folder.mkdir(parents=True)
    (folder / "balances.csv").write_text(text)
    digest = sha256(text.encode()).hexdigest()
    cut = SimpleNamespace(name=job.name, known_at=store.position)
    file = BuiltFile("balances.csv", len(rows), digest)
    return Done(Built(cut, folder, (file,), digest), None)


def explain(store, package, file, row, *, settings, known_at):
    found = _rows(store, parse_name(package))[int(row) - 1]
    values = {"account": found["account"], "amount": str(found["amount"])}
    return ExplainedRow(package, file, ";".join(values.values()), values, tuple(found["positions"]))


def options_for(package, earlier=None, *, strict=True, allows_late=False):
    return None


def validate(path, options):
    lines = (path / "balances.csv").read_text().splitlines()
    faults = tuple(SimpleNamespace(document={"line": line}) for line in lines if ";-" in line)
    return Verdict(package_name(path), faults, {"balances.csv": len(lines)})


def pack(source, folder): ...
def seal(content, sealer, recipients): ...
def open_sealed(sealed, reader, trust): ...
def read_confirmation(file_name, content): ...
'''


@pytest.mark.slow
def test_another_country_is_listed_built_validated_and_explained(
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
    assert "country.py lacks ANSWER_BYTES_MAX, SEALED, SEALED_BYTES_MAX, explain" in said
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
