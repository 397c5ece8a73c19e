"""Metrics of a writer for Prometheus; units are part of the names.

Every series begins at zero, because Prometheus sees no increase in a series that first appears with
its first occurrence, and has the label ``chain``. No client, account or content of a command is a
label, so that metrics hold no personal data and the refusal codes bound the number of series.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from prometheus_client import Counter, Gauge, Histogram, generate_latest

from ledger.core.errors import KINDS
from ledger.core.texts import REFUSALS
from tools.web.metrics import ChainRegistry

if TYPE_CHECKING:
    from ledger.writer import Ledger

__all__ = ["Metrics"]

TURNED_AWAY = ("command", "token", "unknown")
"""Reasons for which clients and commands are not let in."""
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
BATCHES = (1, 2, 5, 10, 25, 50, 100, 250, 512)


class Metrics:
    """The series of one writer, in their own registry; an observer of its ledger."""

    def __init__(self) -> None:
        """Begin at zero, as a standby."""
        self.registry = registry = ChainRegistry()
        self._answers = Counter(
            "gameledger_answers",
            "Commands answered: recorded, refused (with the code), error (with the kind).",
            ("status", "code"),
            registry=registry,
        )
        self._answer_seconds = Histogram(
            "gameledger_answer_seconds",
            "From a command that came in to its answer, the commit included.",
            buckets=SECONDS,
            registry=registry,
        )
        self._commit_seconds = Histogram(
            "gameledger_commit_seconds",
            "What one append to the log took.",
            buckets=SECONDS,
            registry=registry,
        )
        self._commit_decisions = Histogram(
            "gameledger_commit_decisions",
            "Decisions that one append made durable.",
            buckets=BATCHES,
            registry=registry,
        )
        self.turned_away = Counter(
            "gameledger_turned_away",
            "Clients and commands that were not let in, by the reason.",
            ("why",),
            registry=registry,
        )
        self._waiting = Gauge(
            "gameledger_waiting_commands", "Commands that wait for a decision.", registry=registry
        )
        self._head = Gauge(
            "gameledger_head_messages", "Messages of the recorded chain.", registry=registry
        )
        self._leading = Gauge(
            "gameledger_leading", "1 while this writer leads, else 0.", registry=registry
        )
        self._leading_since = Gauge(
            "gameledger_leading_since_seconds",
            "When it began to lead, in seconds since the epoch.",
            registry=registry,
        )
        self.storing_fails = Gauge(
            "gameledger_storing_fails",
            "1 while this leader can't store what it decides, else 0.",
            registry=registry,
        )
        self.log_unsafe = Gauge(
            "gameledger_log_unsafe",
            "1 while the log's topic could lose messages or holds readers back, else 0.",
            registry=registry,
        )
        self.topic_reading = Gauge(
            "gameledger_topic_reading",
            "1 while commands of the topic are read, 0 while its brokers can't be used.",
            ("topic",),
            registry=registry,
        )
        self.topic_behind = Gauge(
            "gameledger_topic_behind_messages",
            "Messages of a topic of commands that have no answer yet.",
            ("topic",),
            registry=registry,
        )
        self.dead_letters = Counter(
            "gameledger_dead_letters",
            "Messages of a topic of commands that could not be decided.",
            ("topic",),
            registry=registry,
        )
        self._answers.labels("recorded", "")
        for code in REFUSALS:
            self._answers.labels("refused", code)
        for kind in KINDS:
            self._answers.labels("error", kind)
        for why in TURNED_AWAY:
            self.turned_away.labels(why)

    def serve_topic(self, topic: str) -> None:
        """Begin the series of a command topic at zero."""
        self.topic_reading.labels(topic)
        self.topic_behind.labels(topic)
        self.dead_letters.labels(topic)

    def watch(self, ledger: Ledger) -> None:
        """Measure a ledger, which leads from now on."""
        ledger.observe(self)
        self.registry.chain = ledger.chain
        self._waiting.set_function(lambda: ledger.waiting)
        self._head.set_function(lambda: ledger.head.size)
        self._leading.set(1)
        self._leading_since.set_to_current_time()

    def answered(self, answer: dict[str, Any], seconds: float) -> None:
        """Count an answer."""
        refused = answer.get("refused")
        code = answer.get("kind", "") if refused is None else refused["code"]
        self._answers.labels(answer["status"], code).inc()
        self._answer_seconds.observe(seconds)

    def committed(self, decisions: int, seconds: float) -> None:
        """Measure a commit."""
        self._commit_decisions.observe(decisions)
        self._commit_seconds.observe(seconds)

    def text(self) -> str:
        """Format the metrics for Prometheus.

        Raises:
            LedgerError: the ledger can no longer be read.

        """
        return generate_latest(self.registry).decode()
