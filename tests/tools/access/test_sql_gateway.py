"""The SQL gateway: questions over the views pass, and nothing else does."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from http import HTTPStatus
from typing import TYPE_CHECKING

import msgspec
import pytest
from pyarrow import parquet

from tools.access.sql_gateway import LIMITS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.tools.access.access_cases import Service

HOSTILE = [
    # Files, the network, other engines
    "SELECT file('/etc/passwd')",
    "SELECT `file`('/etc/passwd')",
    "SELECT * FROM file('/etc/passwd', 'LineAsString')",
    "SELECT * FROM `file`('/etc/passwd', 'LineAsString', 'line String')",
    "SELECT * FROM url('http://127.0.0.1:8411/', 'LineAsString')",
    "SELECT * FROM s3('http://127.0.0.1/x', 'CSV')",
    "SELECT * FROM remote('127.0.0.1', system.one)",
    "SELECT * FROM cluster('default', system.one)",
    "SELECT * FROM mysql('127.0.0.1', 'a', 'b', 'c', 'd')",
    "SELECT * FROM postgresql('127.0.0.1', 'a', 'b', 'c', 'd')",
    "SELECT * FROM sqlite('/etc/log.sqlite', 'message')",
    "SELECT * FROM executable('id', 'TSV', 'a String')",
    "SELECT * FROM python('x')",
    "SELECT * FROM fileCluster('default', '/etc/passwd', 'LineAsString')",
    "SELECT 1 INTO OUTFILE '{folder}/stolen'",
    "SELECT 1 INTO OUTFILE '{folder}/stolen' TRUNCATE FORMAT CSV",
    "SELECT * FROM (SELECT 1 INTO OUTFILE '{folder}/stolen')",
    "SELECT * APPLY(file) FROM reader_rounds",
    "SELECT * REPLACE(file('/etc/passwd') AS round) FROM reader_rounds",
    "SELECT COLUMNS('round') APPLY(x -> file(x)) FROM reader_rounds",
    "SELECT arrayMap(x -> file(x), ['/etc/passwd'])",
    "SELECT if(1, file('/etc/passwd'), '')",
    "WITH file('/etc/passwd') AS x SELECT x",
    "SELECT round FROM reader_rounds ORDER BY file('/etc/passwd')",
    "SELECT count() FROM reader_rounds GROUP BY file('/etc/passwd')",
    "SELECT count() FROM reader_rounds HAVING file('/etc/passwd') != ''",
    "SELECT sum(1) OVER (ORDER BY file('/etc/passwd')) FROM reader_rounds",
    "SELECT 1 LIMIT length(file('/etc/passwd'))",
    # Other statements
    "SELECT 1; SELECT 2",
    "SELECT 1; DROP DATABASE gameledger",
    "SELECT 1;",
    "DROP TABLE gameledger.generation",
    "INSERT INTO gameledger.generation VALUES (9, 'x')",
    "CREATE TABLE x (a Int64) ENGINE = Memory",
    "ALTER TABLE gameledger.generation DELETE WHERE 1",
    "SET readonly = 0",
    "SYSTEM SHUTDOWN",
    "KILL QUERY WHERE 1",
    "SHOW TABLES",
    "DESCRIBE gameledger.generation",
    "EXPLAIN AST SELECT 1",
    "USE system",
    "GRANT ALL ON *.* TO x",
    "WITH 1 AS a INSERT INTO gameledger.generation SELECT 9, 'x'",
    "ATTACH TABLE x",
    "BACKUP DATABASE gameledger TO Disk('default', 'x')",
    "(SELECT 1)",
    "graph = 1 SELECT 1",
    # Settings and forms
    "SELECT 1 SETTINGS readonly = 0",
    "SELECT 1 SETTINGS max_execution_time = 0, max_memory_usage = 0",
    "SELECT * FROM (SELECT 1 SETTINGS readonly = 0)",
    "SELECT 1 FORMAT Null",
    "SELECT getSetting('readonly')",
    "SELECT @@version",
    # Other tables
    "SELECT * FROM system.tables",
    "SELECT * FROM system.query_log",
    "SELECT * FROM `system`.`tables`",
    "SELECT * FROM `system.tables`",
    "SELECT * FROM information_schema.tables",
    "SELECT name FROM gameledger_1.AccountOpened",
    "SELECT name FROM AccountOpened",
    "SELECT * FROM generation",
    "SELECT * FROM gameledger.generation",
    "SELECT 1 WHERE 1 IN system.one",
    "SELECT 1 WHERE 1 NOT IN generation",
    "SELECT * FROM reader_rounds JOIN system.tables ON 1",
    "SELECT * FROM reader_rounds UNION ALL SELECT * FROM system.one",
    "SELECT (SELECT count() FROM system.tables)",
    "SELECT exists(SELECT 1 FROM system.tables)",
    "WITH t AS (SELECT * FROM system.tables) SELECT * FROM t",
    "SELECT * FROM merge('gameledger', '.*')",
    "SELECT * FROM view(SELECT 1)",
    "SELECT dictGet('d', 'a', 1)",
    "SELECT joinGet('gameledger.generation', 'number', 1)",
    "SELECT dummy FROM loop(system.one)",
    # The machine
    "SELECT hostName()",
    "SELECT version()",
    "SELECT currentUser()",
    "SELECT getOSKernelVersion()",
    "SELECT filesystemAvailable()",
    "SELECT getMacro('x')",
    "SELECT demangle(addressToSymbol(1))",
    "SELECT getServerPort('http_port')",
    # Time and memory
    "SELECT sleep(3)",
    "SELECT sleepEachRow(3) FROM reader_rounds",
    "SELECT * FROM numbers(100000000000)",
    "SELECT count() FROM system.numbers",
    "SELECT range(1000000000)",
    "SELECT repeat('x', 1000000000)",
    "SELECT * FROM generateRandom('a Int64')",
    "SELECT * FROM zeros(1000000000)",
    "SELECT arrayWithConstant(1000000000, 1)",
    "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT count() FROM t",
    "SELECT " + "(" * 500 + "1" + ")" * 500,
    "SELECT " + "-" * 1 + "1" + "+1" * 3900,
    # The tree of the parse
    "SELECT 1 AS `x\n     Literal y`",
    "SELECT 1 WHERE 1 IN `a\n       Subquery`",
    "SELECT 1\0",
    "SELECT",
    "",
    "SELECT 1 FROM",
    "SELECT {p:String}",
    "SELECT name FROM reader_account_opened",
]
RIGHT = {
    "SELECT 1 AS a": 1,
    "SELECT round, game FROM reader_rounds ORDER BY opened_position LIMIT 3": 3,
    "SELECT game, count() AS n, sum(stake) FROM reader_bets AS b "
    "JOIN reader_rounds AS r ON b.round = r.round GROUP BY game HAVING n > 0 ORDER BY n LIMIT 1": 1,
    "WITH w AS (SELECT account, sum(amount) AS held FROM reader_postings WHERE kind = 'wallet' "
    "GROUP BY account) SELECT count(), quantile(0.5)(held), max(held) FROM w": 1,
    "SELECT row_number() OVER (PARTITION BY account ORDER BY position) FROM reader_postings "
    "WHERE account IN (SELECT account FROM reader_account_opened) LIMIT 2": 2,
    "SELECT formatDateTime(fromUnixTimestamp64Micro(recorded_at), '%H:%i'), "
    "CASE WHEN amount > 0 THEN 'in' ELSE 'out' END FROM reader_postings LIMIT 2": 2,
    "SELECT count(DISTINCT account), countIf(amount > 0) FROM reader_postings": 1,
    "SELECT 'a--b', 1::Int64, [1, 2][1], (1, 2).1": 1,
}


@pytest.mark.parametrize("question", sorted(RIGHT))
def test_a_question_over_the_views_is_answered(service: Service, question: str) -> None:
    found = service.get("/api/sql", params={"q": question})
    assert found.status_code == HTTPStatus.OK, found.text
    assert found.json()["answer"]["rows"] == RIGHT[question]


def test_nothing_hostile_passes(service: Service, tmp_path: Path) -> None:
    """Over sixty statements, each refused as a question that can't be put; no file comes to be."""
    assert len(HOSTILE) >= 60
    passed = {}
    for statement in HOSTILE:
        text = statement.replace("{folder}", str(tmp_path))
        found = service.get("/api/sql", params={"q": text})
        if found.status_code != HTTPStatus.BAD_REQUEST or "root:" in found.text:
            passed[statement[:80]] = (found.status_code, found.text[:200])
    assert passed == {}
    assert list(tmp_path.iterdir()) == []
    assert service.get("/api/sql", params={"q": "SELECT count() FROM reader_rounds"}).json()


def test_a_question_that_costs_too_much_is_ended(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LIMITS, "max_execution_time", 1)
    many = ", ".join(f"reader_postings AS p{n}" for n in range(6))
    found = service.get("/api/sql", params={"q": f"SELECT count() FROM {many}"})  # noqa: S608
    assert found.status_code == HTTPStatus.BAD_REQUEST
    assert found.json()["type"].endswith("sql-limit")


def test_a_question_that_fails_is_recorded_once_it_was_asked(service: Service) -> None:
    """The engine's words hold what it read, and that it fails at all tells something of it."""
    question = (
        "SELECT CAST(arrayStringConcat(groupUniqArray(account), ',') AS UInt8) FROM reader_bets"
    )
    for address in ("/api/sql", "/sql"):
        found = service.get(address, params={"q": question})
        assert found.status_code == HTTPStatus.BAD_REQUEST
        assert "a-0" in found.text
        access = service.last_access()
        assert access.question == f"GET {address}"
        assert msgspec.json.decode(service.last_parameters()) == {"q": question}
        assert access.rows is None
    service.get("/api/sql", params={"q": "SELECT file('/etc/passwd')"})
    assert service.last_access().rows == 0


def test_answers_in_sql_have_forms_too(service: Service) -> None:
    params = {"q": "SELECT '=1+1' AS a, position FROM reader_postings ORDER BY position LIMIT 4"}

    def get(accept: str) -> bytes:
        found = service.get("/api/sql", params=params, headers={"Accept": accept})
        assert found.status_code == HTTPStatus.OK
        return found.content

    assert get("text/csv").splitlines()[1].startswith(b'"\'=1+1",')
    assert get("application/x-ndjson").count(b"\n") == 4
    columns = parquet.read_table(io.BytesIO(get("application/vnd.apache.parquet")))
    assert columns.num_rows == 4


def test_the_past_is_asked_in_sql(service: Service) -> None:
    """Every part of a question sees the views as they were: joins, unions, subqueries, WITH."""
    questions = [
        "SELECT count(), max(position) FROM reader_postings",
        "SELECT count() FROM reader_rounds UNION ALL SELECT count() FROM reader_rounds",
        (
            "WITH w AS (SELECT round FROM reader_bets) SELECT count() FROM w WHERE round IN "
            "(SELECT round FROM reader_rounds)"
        ),
        (
            "SELECT (SELECT max(position) FROM reader_postings), count() FROM reader_bets AS b "
            "JOIN (SELECT round FROM reader_rounds) AS r ON r.round = b.round"
        ),
        *(
            f"SELECT {first} UNION ALL {with_its_own} SELECT max(position) FROM reader_postings"  # noqa: S608
            for first in ("toInt64(0)", "max(position) FROM reader_postings")
            for with_its_own in ("WITH 1 AS a", "WITH a AS (SELECT 1)")
        ),
        "SELECT toInt64(0) UNION ALL (WITH 1 AS a SELECT max(position) FROM reader_postings)",
        (
            "WITH 1 AS a SELECT max(position) FROM reader_postings UNION DISTINCT "
            "WITH 2 AS a SELECT max(position) - a FROM reader_postings -- both"
        ),
    ]
    now = service.get("/api/chain").json()["basis"]["position"]
    for question in questions:
        asked = {"q": question}
        early = service.get("/api/sql", params={**asked, "as_of": "600"}).json()
        assert early["basis"]["position"] == 600
        assert all(int(one) <= 600 for row in early["answer"]["data"] for one in row)
        today = sorted(service.get("/api/sql", params=asked).json()["answer"]["data"])
        assert today != sorted(early["answer"]["data"])
        same = service.get("/api/sql", params={**asked, "as_of": str(now)}).json()
        assert sorted(same["answer"]["data"]) == today


def test_a_view_is_not_asked_with_its_database(service: Service) -> None:
    """It would show what is projected by then, and not what the answer says it rests on."""
    for named in ({}, {"as_of": "600"}):
        asked = {"q": "SELECT 1 FROM gameledger.reader_rounds", **named}
        found = service.get("/api/sql", params=asked)
        assert found.status_code == HTTPStatus.BAD_REQUEST
        assert "without its database" in found.json()["detail"]


def test_a_spreadsheet_of_an_answer_in_sql_computes_nothing(service: Service) -> None:
    question = "SELECT '=1+1' AS `=cmd`, 1.5 AS b, [1, 2] AS c FROM reader_rounds LIMIT 2"
    found = service.get("/api/sql", params={"q": question, "form": "xlsx"})
    with zipfile.ZipFile(io.BytesIO(found.content)) as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
    assert "<f>" not in sheet
    assert "<v>1.5</v>" in sheet
    lines = service.get("/api/sql", params={"q": question, "form": "csv"}).text.splitlines()
    assert list(csv.reader(lines)) == [["'=cmd", "b", "c"], *[["'=1+1", "1.5", "[1,2]"]] * 2]


@pytest.mark.parametrize("form", ["json", "ndjson", "csv"])
def test_nothing_acts_in_an_answer_in_sql(service: Service, form: str) -> None:
    acting = {"e280ae": "\u202e", "c29b": "\x9b", "1b5b": "\x1b["}
    question = "SELECT " + ", ".join(f"unhex('{text}ff') AS a{text}" for text in acting)
    found = service.get("/api/sql", params={"q": question, "form": form})
    assert found.status_code == HTTPStatus.OK
    assert found.content.decode().replace("\r\n", "").rstrip("\n").isprintable()
    if form == "ndjson":
        row = msgspec.json.decode(found.content)
        assert list(row.values()) == [f"{sign}\ufffd" for sign in acting.values()]


def test_no_form_of_an_answer_in_sql_rounds_a_number(service: Service) -> None:
    numbers = ["1234567890123456.78", "1.5", "-0.3333333333333333"]
    question = (
        f"SELECT toDecimal64('{numbers[0]}', 2) AS a, 1.5 AS b, -1 / 3 AS c, unhex('FF') AS d"
    )

    def get(form: str) -> bytes:
        found = service.get("/api/sql", params={"q": question, "form": form})
        assert found.status_code == HTTPStatus.OK
        return found.content

    as_json = ",".join(numbers).encode()
    assert b'"data":[[' + as_json + b',"\xef\xbf\xbd"]]' in get("json")
    named = zip("abc", numbers, strict=True)
    assert ",".join(f'"{name}":{number}' for name, number in named).encode() in get("ndjson")
    assert ",".join(f'"{number}"' for number in numbers).encode() in get("csv")
    with zipfile.ZipFile(io.BytesIO(get("xlsx"))) as book:
        sheet = book.read("xl/worksheets/sheet1.xml")
    assert b"<v>1.5</v>" in sheet
    assert b"<t>1234567890123456.78</t>" in sheet
    page = service.get("/sql", params={"q": question}).text
    assert all(f"<td>{number}</td>" in page for number in numbers)


def test_a_text_that_no_cell_of_a_spreadsheet_holds_says_that_it_is_cut(service: Service) -> None:
    question = "SELECT leftPad('', 32767, 'x') AS a, leftPad('', 32768, 'y') AS b"
    found = service.get("/api/sql", params={"q": question, "form": "xlsx"})
    with zipfile.ZipFile(io.BytesIO(found.content)) as book:
        texts = re.findall("<t>(.*?)</t>", book.read("xl/worksheets/sheet1.xml").decode())
    whole, cut = texts[-2:]
    assert whole == "x" * 32_767
    assert len(cut) == len(whole)
    assert cut.endswith("y … (cut: take another form)")


def test_who_lacks_the_scope_gets_no_sql(service: Service) -> None:
    for role in ("investigator", "reconciliation", "data-protection"):
        found = service.get("/api/sql", role, params={"q": "SELECT 1"})
        assert found.status_code == HTTPStatus.FORBIDDEN
