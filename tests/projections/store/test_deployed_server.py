"""What deploy/ has for a ClickHouse server is what the engine knows: users, and figures of alerts.

No server runs here, and the engine in the process has no users: the statements are parsed, not run.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from projections.store.tables import Store

DEPLOY = Path(__file__).parents[3] / "deploy"


def test_statements_that_make_users_are_read_by_the_engine(tables: Store) -> None:
    text = (DEPLOY / "clickhouse" / "users.sql").read_text(encoding="utf-8")
    statements = [
        each.strip() for each in re.sub(r"^--.*$", "", text, flags=re.MULTILINE).split(";")
    ]
    read = [
        str(tables.value("SELECT formatQuerySingleLine({text:String})", text=each))
        for each in statements
        if each
    ]
    reader = [each for each in read if each.startswith("GRANT") and "TO gameledger_reader" in each]
    assert len(reader) == 5
    assert all(re.match(r"GRANT SELECT ON \S+ TO ", each) for each in reader)
    written = [each for each in read if re.search(r"\bINSERT\b", each)]
    assert len(written) == 2
    assert all("TO gameledger_projector" in each for each in written)


def test_figures_of_the_alerts_are_those_that_the_engine_measures(tables: Store) -> None:
    text = (DEPLOY / "watch" / "clickhouse-alerts.yaml").read_text(encoding="utf-8")
    asked = set(re.findall(r"ClickHouse(?:Metrics|ProfileEvents)_(\w+)", text))
    assert len(asked) == 6
    known = tables.rows(
        "SELECT metric AS name FROM system.metrics UNION ALL SELECT event FROM system.events "
        "SETTINGS system_events_show_zero_values = 1"
    )
    assert asked <= {row["name"] for row in known}
