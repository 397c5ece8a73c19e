"""The alert rules in ``deploy/watch``: each fires for one licence among two, and only then.

Prometheus's own ``promtool`` evaluates them. The writer's real metrics show that every series that
an alert asks for exists at zero from the start.
"""

from __future__ import annotations

import copy
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from cli_cases import ROOT
from prometheus_client.parser import text_string_to_metric_families

from tools.service.metrics import Metrics

RULES = ROOT / "deploy" / "watch" / "writer-alerts.yaml"
QUIET = Path(__file__).with_name("alerts.yaml")
PROMTOOL = shutil.which("promtool")
ANSWERS = 'gameledger_answers_total{chain="b", instance="b1", status="error", code="%s"}'
TOPIC = '{chain="b", instance="b1", topic="t"}'
FIRING: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "NobodyLeads": ({'gameledger_leading{chain="b", instance="b1"}': "1x80 0x160"}, {}),
    "TwoLead": ({'gameledger_leading{chain="b", instance="b2"}': "0x80 1x160"}, {}),
    "LogDamaged": ({ANSWERS % "integrity": "0x110 1x130"}, {}),
    "NotStored": ({ANSWERS % "availability": "0x110 1x130"}, {}),
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
}
"""By alert: series of licence ``b`` that differ from a quiet hour, and labels besides the chain."""

needs_promtool = pytest.mark.skipif(
    PROMTOOL is None and not os.environ.get("CI"),
    reason="promtool is not installed (Debian: apt-get install prometheus): alerts are not tried",
)


def rules() -> dict[str, dict[str, Any]]:
    (group,) = yaml.safe_load(RULES.read_text(encoding="utf-8"))["groups"]
    return {rule["alert"]: rule for rule in group["rules"]}


def test_every_alert_has_a_case() -> None:
    assert rules().keys() == FIRING.keys()
    quiet = yaml.safe_load(QUIET.read_text(encoding="utf-8"))["tests"][0]["alert_rule_test"]
    assert {one["alertname"] for one in quiet} == FIRING.keys()


@needs_promtool
def test_alerts_fire_for_one_licence_and_are_silent_otherwise(tmp_path: Path) -> None:
    cases = yaml.safe_load(QUIET.read_text(encoding="utf-8"))
    cases["rule_files"] = [str(RULES)]
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
    shown = {"chain": "b", **labels}
    texts = {
        key: re.sub(r"\{\{ \$labels\.(\w+) \}\}", lambda found: shown[found[1]], text)
        for key, text in rule["annotations"].items()
    }
    alert = {"exp_labels": {**shown, **rule["labels"]}, "exp_annotations": texts}
    return {"eval_time": "29m", "alertname": name, "exp_alerts": [alert]}


def test_every_series_that_an_alert_counts_is_there_at_zero() -> None:
    metrics = Metrics()
    metrics.serve_topic("t")
    metrics.registry.chain = "b"
    samples = [
        sample
        for family in text_string_to_metric_families(metrics.text())
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
        assert all(one.value == 0 for one in found)
