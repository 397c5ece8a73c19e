"""What every command answers with ``--json``, as types: the JSON schemas are made of them.

One document, or for the commands in :data:`LINES` one on each line. Money is whole haléř and
moments are microseconds since the epoch in UTC, as in the log. A field that is optional here is
there only under the options that ask for it.
"""

from types import UnionType
from typing import Any, Literal, NotRequired, TypedDict

import msgspec

from ledger.core.refusals import Refusal
from ledger.decisions.packages import (
    Finding,
    PublishPackage,
    RecordConfirmation,
    RecordPackage,
    RequestCorrection,
)
from ledger.decisions.statements import Statement
from ledger.writer import Receipt
from projections.books.agreement import Agreement
from projections.books.closing import Closing, TrialLine
from projections.books.tax import TaxBase
from projections.fairness.watch import Fairness
from projections.packages.cz.build import BuiltFile
from projections.packages.cz.status import PeriodStatus
from projections.questions.accounts import AccountStory
from projections.questions.bets import Bets
from projections.questions.report import DayReport
from projections.questions.tournaments import TournamentLine, TournamentReplay
from projections.reconciliation import findings as found
from projections.reconciliation.bonuses import UnclaimedRegister
from projections.reconciliation.complaints import CaseRegister
from projections.reconciliation.holds import HoldRegister
from projections.reconciliation.life import FindingRegister
from projections.reconciliation.reconcile import Reconciliation
from projections.replay.round import Replay
from projections.replay.rounds import Rounds
from tools.access.accesses import Accesses
from tools.access.management import Given
from tools.access.readers import Reader
from tools.cli._demo_packages import CasinoPackage, SealedPackage
from tools.cli._statement import ListedStatement, ShownStatement
from tools.cli._statement_matched import MatchedStatement
from tools.data.apart import Covered, Suspicion
from tools.data.documents import (
    AccountBalance,
    AllBalances,
    Envelope,
    Event,
    Explanation,
    FaultOfPackage,
    Judged,
    PlayTime,
    Retention,
)
from tools.data.key_check import KeyCheck
from tools.data.plans import Edge, GameVersion
from tools.delivery.certificates import Expiring
from tools.delivery.publishing import Published
from tools.delivery.registration import Registration
from tools.simulator import Summary
from tools.watch.watcher import Alarm

__all__ = [
    "ANSWERS",
    "LINES",
    "Account",
    "AccountBalance",
    "AllBalances",
    "Answer",
    "AskedWitness",
    "Begun",
    "BuiltPackage",
    "CarriedOut",
    "CheckedRules",
    "Confirmed",
    "Copied",
    "CopiedKeys",
    "CosignedLog",
    "CoveredSize",
    "DeliveryState",
    "Demo",
    "Edge",
    "Envelope",
    "Event",
    "EvidenceStamp",
    "EvidenceWitness",
    "Explanation",
    "FaultOfPackage",
    "FeedTold",
    "GameVersion",
    "HouseResult",
    "Judged",
    "LogStatus",
    "MadeEvidence",
    "NewWitness",
    "NotSealed",
    "Opened",
    "PlayTime",
    "Projected",
    "ProvedMisconduct",
    "PublishedPackages",
    "ReadStatements",
    "RegistrationForm",
    "Rehearsed",
    "Retention",
    "Sealed",
    "Serving",
    "SignedCheckpoint",
    "Tiled",
    "ToCorrect",
    "TrialBalanceOf",
    "UnknownSchema",
    "VerifiedChain",
    "VerifiedEvidence",
    "WatchedGames",
    "WatchedLog",
    "WitnessStatus",
    "WitnessTold",
    "WriterState",
    "schema_of",
]


class Begun(TypedDict):
    """A new chain; under ``--dry-run`` nothing was written."""

    chain: str
    data: str
    size: NotRequired[int]
    head: NotRequired[str]
    dry_run: NotRequired[Literal[True]]


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


class BuiltPackage(TypedDict):
    """A package that was built, and the command that records it."""

    package: str
    folder: str
    known_at: int
    digest: str
    files: list[BuiltFile]
    command: RecordPackage | None


class NotSealed(TypedDict):
    """A package that is not valid was not sealed."""

    package: str
    findings: int


class Sealed(TypedDict):
    """A sealed file, and the command that records that it is published."""

    file: str
    size: int
    command: PublishPackage


class Opened(TypedDict):
    """A file whose seal is good."""

    file: str
    signer: str
    signed_at: str | int | None


class CopiedKeys(TypedDict):
    """A copy of the keys of a chain."""

    folder: str


class CarriedOut(TypedDict):
    """Accounts whose persons were erased, and why others were kept after all."""

    erased: list[str]
    kept: dict[str, str]
    dry_run: NotRequired[Literal[True]]


class Confirmed(TypedDict):
    """What the authority answered, and what to do next."""

    package: str
    verdict: str
    findings: list[Finding]
    files_that_differ: list[str]
    next: list[str]
    command: RecordConfirmation | None


class ToCorrect(TypedDict):
    """A package to be corrected, and those that will be checked again."""

    package: str
    checked_again: list[str]
    command: RequestCorrection


class PublishedPackages(TypedDict):
    """What a run published, why it stopped (null: it did not), and certificates to replace."""

    published: list[Published]
    stopped: str | None
    expiring: list[Expiring]


class RegistrationForm(TypedDict):
    """The form for the authority, its file, and certificates to replace."""

    file: str
    form: Registration
    expiring: list[Expiring]


class DeliveryState(TypedDict):
    """What happened at the port for the authority, or on the way to it."""

    state: str
    at: int
    address: NotRequired[str]
    package: NotRequired[str]
    packages: NotRequired[list[str]]
    verdict: NotRequired[str]
    client: NotRequired[str]
    size: NotRequired[int]
    path: NotRequired[str]
    file: NotRequired[str]
    why: NotRequired[str]
    findings: NotRequired[int]
    next: NotRequired[list[str]]
    again_in_seconds: NotRequired[float]
    purpose: NotRequired[str]
    subject: NotRequired[str]
    until: NotRequired[int]
    days: NotRequired[int]
    fingerprint: NotRequired[str]


class HouseResult(TypedDict):
    """What the house kept of a bet (haléř), what the edge gives, and the deviations between."""

    game: str
    version: str
    bet: str
    rounds: int
    staked: int
    kept: int
    expected: int
    deviations: float


class WatchedGames(TypedDict):
    """Results of wheels, dealers and shoes, and of the house, against what the plans say."""

    fairness: Fairness
    house: list[HouseResult]


class UnknownSchema(TypedDict):
    """A published schema that this program does not have, and how many events are in it."""

    name: str
    version: int
    events: int


class VerifiedChain(TypedDict):
    """What a verification covered; with ``--from`` only what is behind ``verified_from``."""

    chain: str
    size: int
    head: str
    root: str
    decisions: int
    checkpoints: int
    covered: int
    first_recorded_at: int
    last_recorded_at: int
    since: int | None
    verified_from: int | None
    indexed: int
    tag_map: bool
    witnessed: int | None
    stamped: int | None
    unknown: list[UnknownSchema]
    reservations: list[str]


class AskedWitness(TypedDict):
    """What came of asking a witness: when it cosigned, or why it did not."""

    witness: str
    cosigned_at: int | None
    problem: str | None


class SignedCheckpoint(TypedDict):
    """A checkpoint; under ``--dry-run`` nothing was signed."""

    size: int
    root: str
    map_root: NotRequired[str]
    key: NotRequired[str]
    note: NotRequired[str]
    witnesses: NotRequired[list[AskedWitness]]
    witnessed: NotRequired[bool]
    stamped_at: NotRequired[int | None]
    warnings: NotRequired[list[str]]
    dry_run: NotRequired[Literal[True]]


class CoveredSize(TypedDict):
    """A checkpoint with its note; ``at`` is the moment of what was said of it last."""

    size: int
    recorded_at: int
    at: int | None
    age: int
    note: str


class LogStatus(TypedDict):
    """How long the chain is, and what of it others have seen; moments in microseconds."""

    size: int
    head: str
    checkpoint: CoveredSize | None
    cosigned_by: list[str]
    witnessed: CoveredSize | None
    stamped: CoveredSize | None
    misconduct: list[str]
    warnings: list[str]


class NewWitness(TypedDict):
    """A witness that was made."""

    folder: str
    key: str


class WatchedLog(TypedDict):
    """A log that a witness watches, with the keys that may sign for it."""

    log: str
    keys: list[str]
    size: int


class CosignedLog(TypedDict):
    """A log that a witness watches, and its last note; empty before the first."""

    log: str
    size: int
    note: str


class WitnessStatus(TypedDict):
    """What a witness watches, and files of proof that a log signed two histories."""

    key: str
    logs: list[CosignedLog]
    misconduct: list[str]


class ProvedMisconduct(TypedDict):
    """Two checkpoints of a log that can't both be true."""

    log: str
    sizes: list[int]
    roots: list[str]


class FeedTold(TypedDict):
    """What a feed at work tells its operator."""

    at: int
    text: str


class WitnessTold(TypedDict):
    """What a witness at work tells its operator."""

    at: int
    text: str


class Tiled(TypedDict):
    """How far a folder of tiles goes; with ``--follow`` one such document each time."""

    size: int
    written: int
    folder: str


class MadeEvidence(TypedDict):
    """An evidence file that was written, and how much it proves and withholds."""

    file: str
    bytes: int
    data_bytes: int
    subject: str
    messages: int
    withheld: int


class EvidenceWitness(TypedDict):
    """A witness that cosigned a checkpoint, by its verifier key, and when."""

    key: str
    at: int


class EvidenceStamp(TypedDict):
    """An authority that stamped a checkpoint, and when."""

    authority: str
    at: int


class VerifiedEvidence(TypedDict):
    """What an evidence file proves; ``page`` says what became of the part that people read."""

    subject: str
    meant_for: str
    chain: str
    size: int
    root: str
    signed_by: list[str]
    witnesses: list[EvidenceWitness]
    stamps: list[EvidenceStamp]
    events: int
    withheld: int
    messages: int
    page: str
    sealed_by: list[str]
    made_by: str
    reservations: list[str]


class Copied(TypedDict):
    """A copy of a chain; under ``--dry-run`` nothing was copied."""

    size: int
    head: str
    copied: NotRequired[int]
    verified: NotRequired[Literal[True]]
    target: NotRequired[str]
    dry_run: NotRequired[Literal[True]]


class Projected(TypedDict):
    """How far the tables are; with ``--follow`` one such document each time."""

    position: int
    projected: int
    torn: NotRequired[int]


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


ANSWERS: dict[str, Any] = {
    "access grants": list[str],
    "access record": Receipt,
    "access report": Accesses,
    "account show": Account,
    "balance": AccountBalance,
    "balances": AllBalances,
    "bet list": Bets,
    "bench": dict[str, Any],
    "books check": Agreement,
    "books day": Closing,
    "books month": Closing,
    "books tax": TaxBase,
    "books trial": TrialBalanceOf,
    "complaint list": CaseRegister,
    "complaint show": CaseRegister,
    "demo": Demo,
    "evidence account": MadeEvidence,
    "evidence round": MadeEvidence,
    "evidence verify": VerifiedEvidence,
    "feed": FeedTold,
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
    "finding show": FindingRegister,
    "games bench": dict[str, Any],
    "games fairness": WatchedGames,
    "games edge": list[Edge],
    "games list": list[GameVersion],
    "games show": dict[str, Any],
    "hold end": Receipt | Rehearsed,
    "hold list": HoldRegister,
    "hold place": Receipt | Rehearsed,
    "init": Begun,
    "keys backup": CopiedKeys,
    "keys check": KeyCheck,
    "keys restore": KeyCheck,
    "log checkpoint": SignedCheckpoint,
    "log copy": Copied,
    "log export": Event,
    "log show": Event,
    "log status": LogStatus,
    "log tiles": Tiled,
    "log verify": VerifiedChain,
    "person erase": Receipt | Rehearsed,
    "play-time": PlayTime,
    "practice-certificates": list[str],
    "project": Projected,
    "reader add": Given,
    "reader list": list[Reader],
    "reader renew": Given,
    "reader revoke": Given,
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
    "retention unclaimed": UnclaimedRegister,
    "round list": Rounds,
    "round replay": Replay,
    "serve": Serving,
    "simulate": Summary,
    "statement check": ReadStatements,
    "statement import": ReadStatements,
    "statement list": list[ListedStatement],
    "statement show": ShownStatement,
    "statement matched": list[MatchedStatement],
    "suspicion commit": Receipt,
    "suspicion list": list[Suspicion],
    "suspicion verify": Covered,
    "tournament list": list[TournamentLine],
    "tournament show": TournamentReplay,
    "witness add": WatchedLog,
    "witness check": ProvedMisconduct,
    "witness init": NewWitness,
    "witness run": WitnessTold,
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
