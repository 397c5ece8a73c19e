"""The alert rules in ``deploy/watch``: each fires for one licence among two, and only then.

Prometheus's own ``promtool`` evaluates them. The writer's real metrics show that every series that
an alert asks for exists at zero from the start.
"""

from __future__ import annotations

import copy
import json
import os
import re
import shutil
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from tests.tools.cli_cases import ROOT
from tools.data.projector_metrics import ProjectorMetrics
from tools.feed.following import feed_waiting
from tools.mirror.metrics import measure_copies
from tools.service.health import ProcessHealth
from tools.service.metrics import Metrics
from tools.watch.rules import Destination, Rules
from tools.watch.running import Metrics as WatchMetrics
from tools.watch.spool import Spool
from tools.web.metrics import ChainRegistry

WATCH = ROOT / "deploy" / "watch"
RULES = sorted(WATCH.glob("*-alerts.yaml"))
QUIET = Path(__file__).with_name("alerts.yaml")
PROMTOOL = shutil.which("promtool")
ANSWERS = 'gameledger_answers_total{chain="b", instance="b1", status="error", code="%s"}'
CERTIFICATE = '{chain="b", file="writer.crt", instance="b1"}'
LAST = 'gameledger_last_seconds{chain="b", instance="p", kind="%s"}'
TOPIC = '{chain="b", instance="b1", topic="t"}'
FIRING: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "NobodyLeads": ({'gameledger_leading{chain="b", instance="b1"}': "1x80 0x160"}, {}),
    "TwoLead": ({'gameledger_leading{chain="b", instance="b2"}': "0x80 1x160"}, {}),
    "LogDamaged": ({ANSWERS % "integrity": "0x110 1x130"}, {}),
    "NotStored": ({ANSWERS % "availability": "0x110 1x130"}, {}),
    "LogUnsafe": ({'gameledger_log_unsafe{chain="b", instance="b1"}': "0x80 1x160"}, {}),
    "AnswersSlow": (
        {'gameledger_answer_seconds_bucket{chain="b", instance="b1", le="0.25"}': "0+8x240"},
        {},
    ),
    "CommandsWait": ({'gameledger_waiting_commands{chain="b", instance="b1"}': "6000x240"}, {}),
    "ChainStands": ({'gameledger_head_messages{chain="b", instance="b1"}': "100x240"}, {}),
    "ClientsTurnedAway": (
        {'gameledger_turned_away_total{chain="b", instance="b1", why="token"}': "0x90 0+5x150"},
        {},
    ),
    "TopicNotRead": ({f"gameledger_topic_reading{TOPIC}": "1x80 0x160"}, {"topic": "t"}),
    "TopicBehind": ({f"gameledger_topic_behind_messages{TOPIC}": "6000x240"}, {"topic": "t"}),
    "DeadLetters": ({f"gameledger_dead_letters_total{TOPIC}": "0x110 1x130"}, {"topic": "t"}),
    "DiskAlmostFull": (
        {'gameledger_disk_free_bytes{chain="b", instance="b1"}': "9x240"},
        {"instance": "b1"},
    ),
    "CertificateExpires": (
        {f"gameledger_certificate_expires_seconds{CERTIFICATE}": "1000000x240"},
        {"instance": "b1", "file": "writer.crt"},
    ),
    "ProjectorBehind": (
        {'gameledger_projector_behind_messages{chain="b", instance="p"}': "20000x240"},
        {},
    ),
    "ProjectorStands": (
        {'gameledger_projector_seen_seconds{chain="b", instance="p"}': "0+15x80 1200x160"},
        {},
    ),
    "CheckpointOld": ({LAST % "checkpoint": "-100000x240"}, {}),
    "CosignatureOld": ({LAST % "cosignature": "-100000x240"}, {}),
    "ReconciliationOld": ({LAST % "reconciliation": "-100000x240"}, {}),
    "NightRunOld": ({LAST % "night": "-100000x240"}, {}),
    "BackupOld": ({LAST % "backup": "-100000x240"}, {}),
    "ClockSkewed": ({'gameledger_clock_skew_seconds{chain="b", instance="p"}': "-1.5x240"}, {}),
    "ClockNotMeasured": ({LAST % "clock": "-100000x240"}, {}),
    "WatchBehind": ({'gameledger_watch_behind_messages{chain="b", instance="w"}': "5000x240"}, {}),
    "AlarmsUndelivered": (
        {'gameledger_watch_undelivered{chain="b", destination="duty", instance="w"}': "1x240"},
        {"destination": "duty"},
    ),
    "ReconciliationFailed": (
        {
            'gameledger_watch_reconciliations_total{chain="b", instance="w", outcome="failed"}': (
                "0x110 1x130"
            )
        },
        {},
    ),
    "FeedWaits": (
        {'gameledger_feed_waiting_messages{chain="", feed="aurora", instance="f"}': "500x240"},
        {"feed": "aurora"},
    ),
    "MirrorSilent": (
        {'gameledger_mirror_silent{chain="", instance="m", log="casino"}': "1x240"},
        {"log": "casino"},
    ),
    "MirrorBehind": (
        {
            'gameledger_mirror_announced_messages{chain="", instance="m", log="casino"}': "500x240",
            'gameledger_mirror_held_messages{chain="", instance="m", log="casino"}': "400x240",
        },
        {"log": "casino"},
    ),
    "TablesAway": ({'up{job="clickhouse", instance="ch"}': "0x240"}, {"instance": "ch"}),
    "ManyParts": (
        {'ClickHouseAsyncMetrics_MaxPartCountForPartition{instance="ch"}': "400x240"},
        {"instance": "ch"},
    ),
    "InsertsDelayed": (
        {'ClickHouseProfileEvents_DelayedInserts{instance="ch"}': "0x90 0+5x150"},
        {"instance": "ch"},
    ),
    "InsertsRefused": (
        {'ClickHouseProfileEvents_RejectedInserts{instance="ch"}': "0x110 1x130"},
        {"instance": "ch"},
    ),
    "InsertsFail": (
        {'ClickHouseProfileEvents_FailedInsertQuery{instance="ch"}': "0x90 0+5x150"},
        {"instance": "ch"},
    ),
    "ReplicaReadOnly": (
        {'ClickHouseMetrics_ReadonlyReplica{instance="ch"}': "0x80 1x160"},
        {"instance": "ch"},
    ),
    "ReplicaBehind": (
        {'ClickHouseAsyncMetrics_ReplicasMaxAbsoluteDelay{instance="ch"}': "900x240"},
        {"instance": "ch"},
    ),
    "PartsLost": (
        {'ClickHouseProfileEvents_ReplicatedDataLoss{instance="ch"}': "0x110 1x130"},
        {"instance": "ch"},
    ),
    "TablesDiskAlmostFull": (
        {'ClickHouseAsyncMetrics_DiskAvailable_default{instance="ch"}': "5x240"},
        {"instance": "ch"},
    ),
    "QueriesOutOfMemory": (
        {'ClickHouseProfileEvents_QueryMemoryLimitExceeded{instance="ch"}': "0x110 1x130"},
        {"instance": "ch"},
    ),
}
"""By alert: series of licence ``b`` that differ from a quiet hour, and labels besides the chain."""

needs_promtool = pytest.mark.skipif(
    PROMTOOL is None and not os.environ.get("CI"),
    reason="promtool is not installed (Debian: apt-get install prometheus): alerts are not tried",
)


def rules() -> dict[str, dict[str, Any]]:
    groups = [yaml.safe_load(file.read_text(encoding="utf-8"))["groups"] for file in RULES]
    return {rule["alert"]: rule for (group,) in groups for rule in group["rules"]}


def test_the_dashboard_of_the_programs_shows_figures_that_they_measure() -> None:
    board = json.loads((WATCH / "process-dashboard.json").read_text(encoding="utf-8"))
    shown = {
        name
        for panel in board["panels"]
        for one in panel["targets"]
        for name in re.findall(r"gameledger_\w+", one["expr"])
    }
    measured = {
        name
        for file in (ROOT / "tools").rglob("*.py")
        for name in re.findall(r'"(gameledger_\w+)"', file.read_text(encoding="utf-8"))
    }
    assert {re.sub(r"_(total|bucket|info)$", "", name) for name in shown} <= measured
    alerted = {
        name
        for file in RULES
        if "process" in file.name
        for name in re.findall(r"gameledger_\w+", file.read_text(encoding="utf-8"))
    }
    assert alerted - {"gameledger_watch_reconciliations_total"} <= shown


def test_every_alert_has_a_case() -> None:
    assert rules().keys() == FIRING.keys()
    quiet = yaml.safe_load(QUIET.read_text(encoding="utf-8"))["tests"][0]["alert_rule_test"]
    assert {one["alertname"] for one in quiet} == FIRING.keys()


@needs_promtool
def test_alerts_fire_for_one_licence_and_are_silent_otherwise(tmp_path: Path) -> None:
    cases = yaml.safe_load(QUIET.read_text(encoding="utf-8"))
    cases["rule_files"] = [str(file) for file in RULES]
    (quiet,) = cases["tests"]
    cases["tests"] += [_firing(quiet, name, rule) for name, rule in rules().items()]
    lost = copy.deepcopy(quiet)
    lost["name"] = "all writers of a licence are gone"
    for one in lost["input_series"]:
        if '"b"' in one["series"]:
            one["values"] = f"{one['values'].partition('x')[0]}x60 _x180"
    lost["alert_rule_test"] = [_expected("NobodyLeads", rules()["NobodyLeads"], {})]
    cases["tests"].append(lost)
    file = tmp_path / "cases.yaml"
    file.write_text(yaml.safe_dump(cases), encoding="utf-8")
    assert PROMTOOL is not None, "CI installs promtool"
    done = subprocess.run(  # noqa: S603 - a program of Debian's
        [PROMTOOL, "test", "rules", str(file)], capture_output=True, check=False, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _firing(quiet: dict[str, Any], name: str, rule: dict[str, Any]) -> dict[str, Any]:
    series, labels = FIRING[name]
    case = copy.deepcopy(quiet)
    case["name"] = name
    known = {one["series"]: one for one in case["input_series"]}
    assert series.keys() <= known.keys()
    for one, values in series.items():
        known[one]["values"] = values
    case["alert_rule_test"] = [_expected(name, rule, labels)]
    return case


def _expected(name: str, rule: dict[str, Any], labels: dict[str, str]) -> dict[str, Any]:
    has_chain = "gameledger_" in rule["expr"] and not {"feed", "log"} & labels.keys()
    shown = {**({"chain": "b"} if has_chain else {}), **labels}
    texts = {
        key: re.sub(r"\{\{ \$labels\.(\w+) \}\}", lambda found: shown[found[1]], text)
        for key, text in rule["annotations"].items()
    }
    alert = {"exp_labels": {**shown, **rule["labels"]}, "exp_annotations": texts}
    return {"eval_time": "29m", "alertname": name, "exp_alerts": [alert]}


def test_every_series_that_an_alert_counts_is_there_at_zero(tmp_path: Path) -> None:
    writer = Metrics()
    writer.serve_topic("t")
    writer.registry.chain = "b"
    projector, feed = ProjectorMetrics("b", tmp_path, tmp_path).registry, ChainRegistry("b")
    feed_waiting(feed, "aurora")
    measure_copies(feed, [""], len, len, bool)
    with closing(Spool(tmp_path / "watch")) as spool:
        rules_of_watch = Rules(
            destination=(Destination(name="duty", url="http://duty", secret_file="s"),)  # noqa: S106 - a file
        )
        watch = WatchMetrics("b", rules_of_watch, spool).registry
        ProcessHealth("watch", watch, tmp_path, [tmp_path / "none.crt"])
        texts = [generate_latest(one).decode() for one in (writer.registry, projector, feed, watch)]
    samples = [
        sample
        for text in texts
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    ]
    assert {sample.labels["chain"] for sample in samples} == {"b"}
    selectors = {
        found
        for rule in rules().values()
        for found in re.findall(r"(gameledger_\w+)(?:\{([^}]*)\})?", rule["expr"])
    }
    assert len(selectors) >= 9
    for name, matchers in selectors:
        wanted = dict(re.findall(r'(\w+)="([^"]*)"', matchers))
        found = [
            one for one in samples if one.name == name and wanted.items() <= one.labels.items()
        ]
        assert found, (name, wanted)
        assert all(one.value == 0 for one in found) or name.startswith("gameledger_disk_")


def test_every_alert_has_a_section_in_the_runbook() -> None:
    page = (ROOT / "docs" / "runbook.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^## (\w+)$", page, re.MULTILINE)) == rules().keys()


def test_every_series_of_an_alert_is_explained() -> None:
    pages = [
        (ROOT / "docs" / name).read_text("utf-8")
        for name in ("operations.md", "http.md", "watch.md")
    ]
    explained = set(re.findall(r"gameledger_\w+", " ".join(pages)))
    for name, rule in rules().items():
        for series in re.findall(r"gameledger_\w+", rule["expr"]):
            assert {series, series.removesuffix("_bucket")} & explained, (name, series)
