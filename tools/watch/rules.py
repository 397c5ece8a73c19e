"""Alarm rules: findings by code and amount, and events by type, field values and frequency.

Input: a small TOML file. Output: checked rules and destinations, so that a mistake is reported when
the file is read. The first rule that matches a finding or an event applies; without a matching rule
nothing is sent. Rejected: unknown codes, events and fields; destinations that are not defined;
secrets that can't be read or that other users can read.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import httpx
import msgspec
from msgspec import Meta, Struct, field

from ledger.core.decoders import decoder_of
from ledger.core.errors import InputError, LedgerError
from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from ledger.storage.named_files import read_text
from projections.findings.headers import known_findings
from tools.web.webhooks import read_webhook_secret

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.findings.finding import Finding

__all__ = ["ALL", "Destination", "Rule", "Rules", "Severity", "read_rules"]

ALL = "*"
Severity = Literal["page", "ticket", "note"]
"""Severity: wake the operator on duty, show it in the morning, only log it."""
BEAT_SECONDS = 300
Name = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_-]{0,49}$")]
Value = str | int | bool


class Rule(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A rule for findings (``codes``, ``*`` for all) or for an ``event``.

    ``amount_least`` is in haléř. ``where`` names event fields and their values. An event raises
    an alarm when it occurs ``times`` within ``within_seconds``; counting then restarts. ``to``
    names destinations besides the standard output; all destinations if omitted.
    """

    codes: tuple[str, ...] = ()
    event: str = ""
    where: dict[str, Value] = field(default_factory=dict)
    severity: Severity = "page"
    amount_least: Annotated[int, Meta(ge=0, le=10**15)] = 0
    times: Annotated[int, Meta(ge=1, le=10_000)] = 1
    within_seconds: Annotated[int, Meta(ge=1, le=86_400)] = 60
    to: tuple[Name, ...] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The codes or the event type under which the rule's alarms are counted."""
        codes = tuple(known_findings()) if ALL in self.codes else self.codes
        return (*codes, self.event) if self.event else codes

    def fits(self, event: e.Event) -> bool:
        """Return whether the rule matches an event."""
        return self.event == event.type and all(
            getattr(event, name) == value for name, value in self.where.items()
        )


class Destination(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A webhook (Standard Webhooks 1.0.0); its secret file holds ``whsec_`` and base64."""

    name: Name
    url: Annotated[str, Meta(pattern=r"^https?://[^\s/]+(/\S*)?$", max_length=2_000)]
    secret_file: str

    def __post_init__(self) -> None:
        """Reject an invalid address."""
        try:
            httpx.URL(self.url)
        except httpx.InvalidURL as error:
            raise ValueError(f"{self.url} is no address: {error}") from error

    def secret(self) -> bytes:
        """Read the secret.

        Raises:
            InputError: the file holds no secret.
            AuthorizationError: other users may read the file.
            AvailabilityError: the file can't be read.

        """
        try:
            return read_webhook_secret(Path(self.secret_file))
        except LedgerError as error:
            raise type(error)(f"destination {self.name}: {error}") from error


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """Rules in their order, and destinations; without a file all findings raise pages.

    A whole reconciliation runs every so many seconds, 0 for never.
    """

    beat_seconds: Annotated[int, Meta(ge=0, le=86_400)] = BEAT_SECONDS
    rule: tuple[Rule, ...] = (Rule(codes=(ALL,)),)
    destination: tuple[Destination, ...] = ()

    def of_finding(self, finding: Finding) -> Rule | None:
        """Return the first rule that matches a finding, if any.

        An amount in another currency is never too small, because nothing converts it to haléř.
        """
        is_foreign = finding.currency != "CZK"
        for one in self.rule:
            is_great = is_foreign or abs(finding.amount) >= one.amount_least
            if is_great and (finding.code in one.codes or ALL in one.codes):
                return one
        return None

    def of_event(self, event: e.Event) -> tuple[int, Rule] | None:
        """Return the first rule that matches an event, with its number."""
        return next(((at, one) for at, one in enumerate(self.rule) if one.fits(event)), None)

    def destinations_of(self, rule: Rule) -> list[str]:
        """Return the destinations of a rule."""
        return [one.name for one in self.destination] if rule.to is None else list(rule.to)


def read_rules(path: Path | None) -> Rules:
    """Read and check a file of rules.

    Raises:
        InputError: the file can't be read, or a value is invalid; the text names the place.
        AuthorizationError: other users may read the secret of a destination.
        AvailabilityError: a secret can't be read.

    """
    if path is None:
        return Rules()
    text = read_text(path)
    try:
        rules = decoder_of(Rules).toml(text)
    except msgspec.DecodeError as error:
        raise InputError(f"{path}: {error}: docs/watch.md has the form") from error
    for problem in _problems(rules):
        raise InputError(f"{path}: {problem}")
    for one in rules.destination:
        one.secret()
    return rules


def _problems(rules: Rules) -> Iterator[str]:
    names = [one.name for one in rules.destination]
    for name in names:
        if names.count(name) > 1:
            yield f"destination {name} stands twice"
    for number, rule in enumerate(rules.rule, 1):
        for problem in (*_of_rule(rule), *_of_places(rule, names)):
            yield f"rule {number}: {problem}"


def _of_places(rule: Rule, names: list[str]) -> Iterator[str]:
    for name in rule.to or ():
        if name not in names:
            yield f"there is no destination {name}; there are {', '.join(names) or 'none'}"


def _of_rule(rule: Rule) -> Iterator[str]:
    if bool(rule.codes) == bool(rule.event):
        yield "name either codes or an event"
    for code in rule.codes:
        if code not in known_findings() and code != ALL:
            yield f"no finding has the code {code}: `gameledger reconcile` and docs/watch.md"
    if rule.codes and (rule.where or rule.times > 1):
        yield "where and times are for events"
    if rule.event and rule.amount_least:
        yield "amount_least is for findings"
    if rule.event and rule.event not in e.EVENTS:
        yield str(Phrase("EVENT_TYPE_UNKNOWN", name=rule.event))
    elif rule.event:
        fields = e.EVENTS[rule.event].__struct_fields__
        for name in rule.where:
            if name not in fields:
                yield f"{rule.event} has no field {name}; it has {', '.join(fields)}"
