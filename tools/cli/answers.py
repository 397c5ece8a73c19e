"""What every command answers with ``--json``, as types: the JSON schemas are made of them.

One document, or for the commands in :data:`LINES` one on each line. Money is whole haléř and
moments are microseconds since the epoch in UTC, as in the log. A field that is optional here is
there only under the options that ask for it.
"""

from types import UnionType
from typing import Any, Literal, NotRequired, TypedDict

import msgspec

from ledger.core.refusals import Refusal
from ledger.decisions.statements import Statement
from ledger.writer import Receipt
from projections.books.agreement import Agreement
from projections.books.closing import Closing, TrialLine
from projections.books.tax import TaxBase
from projections.findings import finding as found
from projections.packages.status import PeriodStatus
from projections.questions.accounts import AccountStory
from projections.questions.report import DayReport
from projections.questions.tournaments import TournamentReplay
from projections.reconciliation.finding_lifecycle import FindingRegister
from projections.reconciliation.reconcile import Reconciliation
from projections.replay.round import Replay
from tools.access.accesses import Accesses
from tools.access.management import NewCredentials
from tools.access.questions import accounts, duties, rounds
from tools.access.readers import AccessUser
from tools.cli._answers_chain import (
    Copied,
    ExportedSchemas,
    LogStatus,
    NamedSchemas,
    Projected,
    SignedCheckpoint,
    Tiled,
    VerifiedChain,
)
from tools.cli._answers_packages import (
    BuiltPackage,
    Confirmed,
    DeliveryState,
    NotSealed,
    Opened,
    PublishedPackages,
    RegistrationForm,
    Sealed,
    ToCorrect,
)
from tools.cli._answers_proofs import (
    MadeEvidence,
    NewWitness,
    ProvedMisconduct,
    RotatedKey,
    VerifiedEvidence,
    WatchedLog,
    WitnessMessage,
    WitnessStatus,
)
from tools.cli._demo_packages import CasinoPackage, SealedPackage
from tools.cli._statement import ListedStatement, ShownStatement
from tools.cli._statement_issuers import IssuerTemplate
from tools.cli._statement_matched import MatchedStatement
from tools.data.confidential_chain import CommitmentCoverage, Suspicion
from tools.data.documents import (
    AccountBalance,
    AllBalances,
    Event,
    Explanation,
    Judged,
    PlayTime,
    Retention,
)
from tools.data.fairness import WatchedGames
from tools.data.key_check import KeyCheck
from tools.data.own_plans import CheckedPlan
from tools.data.plans import Edge, GameVersion
from tools.simulator import Summary
from tools.watch.watcher import Alarm

__all__ = [
    "ANSWERS",
    "LINES",
    "Account",
    "AccountBalance",
    "AllBalances",
    "Answer",
    "BeginsLater",
    "Begun",
    "CarriedOut",
    "CaseLetter",
    "CheckedRules",
    "CopiedKeys",
    "Demo",
    "Edge",
    "Event",
    "Explanation",
    "FeedMessage",
    "GameVersion",
    "Judged",
    "PlayTime",
    "ReadStatements",
    "Rehearsed",
    "Retention",
    "Serving",
    "TrialBalanceOf",
    "WriterState",
    "schema_of",
]


class Begun(TypedDict):
    """A new chain; under ``--dry-run`` nothing was written."""

    chain: str
    data: str
    rules: str
    size: NotRequired[int]
    head: NotRequired[str]
    dry_run: NotRequired[Literal[True]]


class BeginsLater(TypedDict):
    """A simulation that could begin; nothing was written."""

    dry_run: Literal[True]
    data: str


class Answer(TypedDict):
    """The answer to one line: the receipt, or what was wrong with the line."""

    line: int
    status: Literal["recorded", "allowed", "refused", "valid", "error"]
    dry_run: NotRequired[Literal[True]]
    command: NotRequired[str]
    kind: NotRequired[str]
    text: NotRequired[str]
    chain: NotRequired[str]
    command_id: NotRequired[str]
    first_position: NotRequired[int]
    last_position: NotRequired[int]
    hash: NotRequired[str]
    recorded_at: NotRequired[int]
    events: NotRequired[list[str]]
    refused: NotRequired[Refusal]


class WriterState(TypedDict):
    """A state of the service, with what belongs to it."""

    state: str
    at: int
    chain: NotRequired[str]
    size: NotRequired[int]
    address: NotRequired[str]
    http: NotRequired[str]
    topics: NotRequired[list[str]]
    topic: NotRequired[str]
    turned_away: NotRequired[int]
    client: NotRequired[str]
    why: NotRequired[str]
    count: NotRequired[int]
    text: NotRequired[str]


class Rehearsed(TypedDict):
    """A command that would be carried out, and the events that would follow."""

    dry_run: Literal[True]
    events: list[str]


class ReadStatements(TypedDict):
    """``statement check`` and ``import``: what a file says; ``notes`` name gaps and balances."""

    file: str
    file_digest: str
    issuer: str
    format: str
    currency: str
    statements: list[Statement]
    supersedes: tuple[str, ...]
    notes: list[str]
    imported: bool


class CheckedRules(TypedDict):
    """Rules of the watch that are in order, counted."""

    rules: int
    destinations: int


class TrialBalanceOf(TypedDict):
    """The trial balance of a period; ``totals`` by currency."""

    period: str
    position: int
    head: str
    first: int
    end: int
    is_over: bool
    trial: list[TrialLine]
    totals: dict[str, TrialLine]


class Account(TypedDict):
    """An account; ``personal`` is there when it was asked for."""

    account: AccountStory
    personal: NotRequired[dict[str, str]]


class CopiedKeys(TypedDict):
    """A copy of the keys of a chain."""

    folder: str


class CaseLetter(TypedDict):
    """The letter that answers a case, as text."""

    case: str
    language: str
    text: str


class CarriedOut(TypedDict):
    """Accounts whose persons were erased, destroyed keys of months, and why others stay."""

    erased: list[str]
    destroyed: list[str]
    kept: dict[str, str]
    dry_run: NotRequired[Literal[True]]


class FeedMessage(TypedDict):
    """What a feed at work tells its operator."""

    at: int
    text: str


class Serving(TypedDict):
    """Where the service is, and the token of the reader for trying, if there is one."""

    address: str
    token: str | None


class Demo(TypedDict):
    """The evening of the demo."""

    summary: Summary
    report: DayReport
    reconciliation: Reconciliation
    verified: Literal[True]
    packages: list[SealedPackage]
    casinos: list[CasinoPackage]
    breaches: tuple[found.Finding, ...]
    seconds: float


QUESTIONS = (
    *(accounts.accounts, accounts.balances, accounts.one_balance, accounts.unclaimed),
    *(duties.cases, duties.duties, duties.holds, duties.one_case, duties.one_finding),
    *(rounds.bets, rounds.rounds, rounds.tournaments),
)
"""Questions that are declared once; see :mod:`tools.access.questions.declaration`."""

ANSWERS: dict[str, Any] = {
    **{question.command: question.answer for question in QUESTIONS},
    "access grants": list[str],
    "access begin": Receipt,
    "access record": Receipt,
    "access report": Accesses,
    "account show": Account,
    "books check": Agreement,
    "books day": Closing,
    "books month": Closing,
    "books tax": TaxBase,
    "books trial": TrialBalanceOf,
    "complaint letter": CaseLetter,
    "demo": Demo,
    "evidence account": MadeEvidence,
    "evidence round": MadeEvidence,
    "evidence verify": VerifiedEvidence,
    "feed": FeedMessage,
    **dict.fromkeys(
        (
            "finding assign",
            "finding close",
            "finding comment",
            "finding explain",
            "finding reopen",
        ),
        Receipt | Rehearsed,
    ),
    "finding list": FindingRegister,
    "games fairness": WatchedGames,
    "games edge": list[Edge],
    "games list": list[GameVersion],
    "games show": dict[str, Any],
    "hold end": Receipt | Rehearsed,
    "hold place": Receipt | Rehearsed,
    "init": Begun,
    "keys backup": CopiedKeys,
    "keys check": KeyCheck,
    "keys rotate": RotatedKey,
    "keys restore": KeyCheck,
    "log checkpoint": SignedCheckpoint,
    "log copy": Copied,
    "log export": Event,
    "log show": Event,
    "rules show": dict[str, Any],
    "log status": LogStatus,
    "log tiles": Tiled,
    "log verify": VerifiedChain,
    "person erase": Receipt | Rehearsed,
    "plan check": list[CheckedPlan],
    "plan publish": Receipt | Rehearsed,
    "play-time": PlayTime,
    "practice-certificates": list[str],
    "project": Projected,
    "reader add": NewCredentials,
    "reader list": list[AccessUser],
    "reader renew": NewCredentials,
    "reader revoke": NewCredentials,
    "rebuild": Projected,
    "reconcile": Reconciliation,
    "record": Answer,
    "report build": list[BuiltPackage] | list[str],
    "report confirm": Confirmed,
    "report correct": ToCorrect,
    "report explain": Explanation,
    "report open": Opened,
    "report practice-keys": list[str],
    "report register": RegistrationForm,
    "report run": PublishedPackages | list[str],
    "report seal": Sealed | NotSealed,
    "report serve": DeliveryState,
    "report status": list[PeriodStatus],
    "report validate": Judged,
    "retention carry-out": CarriedOut,
    "retention show": Retention,
    "round replay": Replay,
    "round show": Replay,
    "schema export": ExportedSchemas,
    "schema list": NamedSchemas,
    "serve": Serving,
    "simulate": Summary | BeginsLater,
    "statement check": ReadStatements,
    "statement import": ReadStatements,
    "statement issuers": list[IssuerTemplate],
    "statement list": list[ListedStatement],
    "statement show": ShownStatement,
    "statement matched": list[MatchedStatement],
    "suspicion commit": Receipt,
    "suspicion list": list[Suspicion],
    "suspicion verify": CommitmentCoverage,
    "tournament show": TournamentReplay,
    "witness add": WatchedLog,
    "witness check": ProvedMisconduct,
    "witness init": NewWitness,
    "witness run": WitnessMessage,
    "witness status": WitnessStatus,
    "watch": Alarm | CheckedRules,
    "writer": WriterState,
}
"""Type of the answer, by command."""

LINES = frozenset(
    {
        "feed",
        "log export",
        "log show",
        "log tiles",
        "project",
        "record",
        "report serve",
        "witness run",
        "watch",
        "writer",
    }
)
"""Commands that answer one document a line."""


def schema_of(command: str) -> dict[str, Any]:
    """Make the JSON Schema (2020-12) of a command's answer."""
    named, is_line = f"gameledger {command}", command in LINES
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{named} --json" + (", each line" if is_line else ""),
        **_schema(ANSWERS[command]),
    }


def _schema(kind: Any) -> dict[str, Any]:
    """Make a schema; types that msgspec would not tell apart when it reads are parted here."""
    parts = getattr(kind, "__args__", ()) if isinstance(kind, UnionType) else ()
    if not parts:
        (shape,), named = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
        return {**shape, "$defs": named} if named else shape
    shapes, named = msgspec.json.schema_components(parts, ref_template="#/$defs/{name}")
    return {"anyOf": list(shapes), "$defs": named}
