"""No number in a log that should be a moment stands in the way of a reader.

The writer records none, and verification names one; a log may hold it all the same.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from datetime import date
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from fastavro import schemaless_reader, schemaless_writer

import schemas
from ledger.core.clock import (
    HOUR,
    MINUTE,
    age_in_years,
    day_of,
    in_prague,
    midnight_after,
    month_of,
    months_before,
)
from ledger.decisions.decider import decode_command
from ledger.events.encoding import hash_of
from ledger.rules.operator import rules_for
from projections.facts.words import clock_time
from tests.search import sample
from tests.tools.cli_cases import begin, run_here, studio
from tests.tools.test_plain import CASES, FACTS, HOSTILE, _Clock
from tools.cli._output import clock, minute, moment
from tools.data import DataDirectory, tables
from tools.data.moments import moment_or_midnight
from tools.data.notation import period_end

if TYPE_CHECKING:
    from pathlib import Path

EXTREMES = [-(2**63), -1, 253_402_300_800_000_000, 2**63 - 1]
"""Beyond what calendars have: before all of them, before 1970, in the year 10000, beyond all."""

QUESTIONS = sorted(
    set(CASES)
    - {"init", "writer", "feed", "person erase", "hold place", "hold end", "report validate"}
    - {"keys backup", "keys restore", "retention carry-out"}
    - {
        "report seal",
        "report open",
        "report practice-keys",
        "games list",
        "games show",
        "games edge",
        "settle",
    }
    - {"log copy", "simulate", "demo", "report confirm", "practice-certificates"}
)
"""Commands that read a chain; ``project`` and ``rebuild`` come first."""


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("evening") / "data"
    with DataDirectory(data).create(
        operator="12345678",
        rules=rules_for("", "sazka"),
        operator_name="O",
        chain="c",
        clock=_Clock(),
    ) as ledger:
        for facts in [*studio(), *FACTS]:
            ledger.execute(decode_command(json.dumps(facts).replace(json.dumps(HOSTILE), '"text"')))
    return data


def forge(data: Path, *, records: bool) -> None:
    """Put extremes into moments of every message and link all of them again.

    Either into when it was recorded, which does not go back, or into all other moments.
    """
    with closing(sqlite3.connect(data / "log.sqlite")) as database:
        rows = list(database.execute("SELECT position, body FROM message ORDER BY position"))
        previous = bytes(32)
        for position, body in rows:
            schema = schemas.catalogue()[body[2:10]]
            record: Any = schemaless_reader(BytesIO(body[10:]), schema.parsed, None)
            for field in schema.raw["fields"]:
                name = field["name"]
                if records and name == "recorded_at":
                    record[name] = EXTREMES[position * len(EXTREMES) // len(rows)]
                elif not records and name != "recorded_at" and field.get("unit") == "microseconds":
                    record[name] = record[name] and EXTREMES[position % len(EXTREMES)]
            out = BytesIO()
            schemaless_writer(out, schema.parsed, {**record, "previous_hash": previous})
            message = body[:10] + out.getvalue()
            previous = hash_of(message)
            update = "UPDATE message SET body = ? WHERE position = ?"
            database.execute(update, (message, position))
        database.commit()
    for path in (*data.glob("index.sqlite*"), *data.glob("tree.sqlite*")):
        path.unlink()


@pytest.mark.slow
@pytest.mark.parametrize("records", [False, True], ids=["facts", "records"])
def test_every_question_is_answered_whatever_the_moments_are(
    evening: Path, tmp_path: Path, records: bool
) -> None:
    data = shutil.copytree(evening, tmp_path / "data")
    forge(data, records=records)
    (tmp_path / "lines").write_text("{}")
    asked = {"log verify", *sample(QUESTIONS, len(QUESTIONS) // 2)}
    with tables.keep_tables_open(data / "projection"):
        for name in ("rebuild", *sorted(asked)):
            given = [
                one.replace("{folder}", str(tmp_path)).replace("\x00", "")  # no shell can give it
                for one in CASES[name]
            ]
            if name == "log verify":
                given = []  # there a log in tiles is named
            done = run_here(*name.split(), *given, data=data)
            assert "unexpected" not in done.stderr, (name, done.stderr)
            if name == "log verify":
                assert "is no moment from 1970 to 2199" in done.stderr


@pytest.mark.parametrize("number", EXTREMES)
def test_clocks_and_calendars_are_total(number: int) -> None:
    for read in (in_prague, day_of, month_of, midnight_after):
        assert read(number)
    assert months_before(number, 24)
    assert isinstance(age_in_years(date(2000, 2, 29), number), int)
    for write in (
        moment,
        minute,
        partial(clock, after=0),
        partial(clock, after=number),
        clock_time,
    ):
        assert write(number) == f"{number} µs"


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("2026-12-31", "2026-12-31"),
        ("2027-03-28", "2027-03-28"),
        ("2026-12-31T12:30", "2026-12-31 12:30:00.000"),
    ],
)
def test_the_end_of_a_readers_right_is_the_day_that_was_given(
    tmp_path: Path, given: str, shown: str
) -> None:
    data = tmp_path / "data"
    begin(data)
    added = run_here("reader", "add", "ins", "--role", "auditor", "--until", given, data=data)
    assert added.returncode == 0, added.stderr
    end = moment_or_midnight(given).ends
    assert period_end(end) == shown
    assert f"  {shown}  " in run_here("reader", "list", data=data).stdout
    exact = in_prague(end).isoformat(timespec="microseconds")
    assert exact in run_here("reader", "list", "--csv", data=data).stdout


def test_moments_in_the_hour_that_occurs_twice_are_shown_apart() -> None:
    """On 25 October 2026 clocks go back from 3 to 2 o'clock; only there the offset is shown."""
    first = 1_792_886_400_000_000 + 30 * MINUTE
    moments = [first + hour * HOUR for hour in (-1, 0, 1, 2)]
    assert [str(minute(one)) for one in moments] == [
        "2026-10-25 01:30",
        "2026-10-25 02:30+02:00",
        "2026-10-25 02:30+01:00",
        "2026-10-25 03:30",
    ]
    shown = [str(clock(one, after=moments[0])) for one in moments[1:3]]
    assert shown == ["02:30:00.000+02:00", "02:30:00.000+01:00"]
    assert str(moment(moments[3])) == "2026-10-25 03:30:00.000"


def test_a_time_of_day_is_shown_alone_only_on_the_day_that_is_seen() -> None:
    """A login over midnight, or a correction days after its round, is not taken for another."""
    seen = 1_792_922_400_000_000
    later = [seen + 11 * HOUR, seen + 12 * HOUR, seen + 36 * HOUR, seen - 13 * HOUR]
    assert [str(clock(one, after=seen)) for one in later] == [
        "22:00:00.000",
        "23:00:00.000",
        "2026-10-26 23:00:00.000",
        "2026-10-24 23:00:00.000",
    ]
