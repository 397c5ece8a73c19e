"""``evidence``: files that prove a round or an account's period to a stranger, and a check."""

from __future__ import annotations

from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import UNSET
from msgspec.structs import replace

from ledger.core.errors import InputError
from ledger.log.finality import Finality, SealState
from ledger.storage.named_files import read_bounded
from projections.evidence.attestations import missing_attestations
from projections.evidence.checking import NOT_COMPARED, check
from projections.evidence.collect import account_evidence, require_known, round_evidence
from projections.evidence.collection import ROUNDS_MAX, collect_rounds, evidence_name, packed
from projections.evidence.document import encode
from projections.evidence.page import FILE_BYTES_MAX, page_of
from projections.evidence.printing import print_page
from projections.evidence.sealing import seal
from projections.evidence.story import certificates_of
from projections.evidence.verify import StampAttestation
from projections.words.catalogue import Language, Words
from projections.words.names import finality_text
from tools.cli import _evidence_balance
from tools.cli._answering import answers, emits
from tools.cli._help import Commands
from tools.cli._log_attestations import (
    StampRoots,
    TrustedKeys,
    WitnessPolicy,
    read_policy,
    read_roots,
)
from tools.cli._log_verify import trusted_keys
from tools.cli._options import DATA, Data, For, Json
from tools.cli._output import counted, echo, emit, facts, moment, number
from tools.cli._report_options import (
    Certificates,
    OptionalKey,
    PassphraseFile,
    read_pair,
)
from tools.cli._when import AsOfPoint, moment_or_midnight
from tools.data.moments import require_period
from tools.whole_files import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from projections.evidence.checking import CheckedEvidence
    from projections.evidence.document import Evidence, Subject
    from projections.evidence.origin import ProvedOrigin
    from projections.packages.keys import KeyPair

__all__ = [
    "EvidenceOpened",
    "EvidenceOrigin",
    "EvidenceWitness",
    "MadeCollection",
    "MadeEvidence",
    "VerifiedEvidence",
    "app",
]

app = Commands("Evidence that stands alone: make a file of a round or an account, verify one.")

app.command("close")(_evidence_balance.close)
app.command("balance")(_evidence_balance.balance)
app.command("balance-page")(_evidence_balance.balance_page)
app.command("verify-balance")(_evidence_balance.verify_file)

ACCOUNT = "account:"
UNTOLD = 1
"""Exit code of a file without a fault of which not all could be told."""

Out = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="FILE", help="The file to write; named after the subject by default."
    ),
]


Absent = Annotated[
    bool,
    typer.Option(
        "--absent", help="Of an unknown name: write the proof that the log has no event of it."
    ),
]

Pdf = Annotated[
    bool, typer.Option("--pdf", help="A PDF/A-3 to print, with the HTML file attached.")
]


@dataclass(frozen=True, slots=True)
class MadeEvidence:
    """An evidence file that was written, and how much it proves and withholds."""

    file: str
    bytes: int
    data_bytes: int
    subject: str
    messages: int
    withheld: int


@dataclass(frozen=True, slots=True)
class MadeCollection:
    """An archive of evidence files that was written, with the rounds in their order."""

    file: str
    bytes: int
    rounds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EvidenceOpened:
    """A personal field that was opened with its key; not proved where the person was erased."""

    position: int
    field: str
    is_proved: bool


@dataclass(frozen=True, slots=True)
class EvidenceWitness:
    """A witness that cosigned a checkpoint, by its verifier key, and when."""

    key: str
    at: int


@dataclass(frozen=True, slots=True)
class EvidenceOrigin:
    """Whether the source of the fact at a position sealed its command, in the seal at another.

    ``certificate`` is the SHA-256 of the source's certificate, empty if it cannot seal;
    ``is_whole``: the digest over all commands of the seal was computed again.
    """

    position: int
    state: SealState
    source: str
    certificate: str
    seal: int | None
    number: int | None
    is_whole: bool


@dataclass(frozen=True, slots=True)
class VerifiedEvidence:
    """What an evidence file proves; ``page`` is the result for the part that people read.

    ``complete_to`` counts the first messages of the chain of which nothing was left out.
    ``first`` and ``end`` are the period of an account, ``end`` not included, open where null.
    """

    subject: str
    meant_for: str
    first: int | None
    end: int | None
    chain: str
    size: int
    root: str
    complete_to: int
    finality: Finality
    signed_by: list[str]
    signer_is_trusted: bool
    opened: list[EvidenceOpened]
    origins: list[EvidenceOrigin]
    witnesses: list[EvidenceWitness]
    stamps: tuple[StampAttestation, ...]
    events: int
    withheld: int
    messages: int
    page: str
    sealed_by: tuple[str, ...]
    made_by: str
    reservations: tuple[str, ...]


def _show_made(made: MadeEvidence, *, pdf: Pdf) -> None:
    shown, target = counted(made.messages, "message"), made.file
    echo(f"{target}: {shown} proved, {made.withheld} withheld, {number(made.bytes)} bytes.")
    reader = "reader of PDF" if pdf else "browser"
    facts(
        [
            ("open", f"without a network, in any {reader}: {target}"),
            ("verify", f"gameledger evidence verify {target}"),
        ]
    )


@app.command("round")
@answers(_show_made)
def round_command(
    context: typer.Context,
    *,
    round_name: Annotated[str, typer.Argument(metavar="ROUND", help="Round.")],
    meant_for: For = "",
    absent: Absent = False,
    pdf: Pdf = False,
    key: OptionalKey = None,
    certificate: Certificates = None,
    passphrase_file: PassphraseFile = None,
    out: Out = None,
    data: Data = DATA,
) -> MadeEvidence:
    """Write all evidence of a round into one HTML file, which shows and verifies itself offline.

    It proves each event of the round against the last signed checkpoint, and that there are no
    others. `--for` withholds what names anybody else, and still proves that nothing is left out.
    A name that the log does not know is refused; `--absent` proves that there is no such round.

    `--pdf` writes a document in both languages that carries this file; with `--key` it is sealed.

    Example: `gameledger evidence round evo-1-00042 --for a-0028 --out evidence.html`
    """
    _require_pdf_for_seal(context, pdf=pdf)
    with closing(data.read()) as log:
        made = round_evidence(log, round_name, account=meant_for)
    sealer = read_pair(key, certificate, passphrase_file) if pdf and key else None
    return _written(made if absent else require_known(made), out, pdf=pdf, sealer=sealer)


def _show_collection(made: MadeCollection) -> None:
    echo(f"{made.file}: {counted(len(made.rounds), 'round')}, {number(made.bytes)} bytes.")
    facts([("open", "contents.html of the archive, without a network")])


@app.command("rounds")
@answers(_show_collection)
def rounds_command(
    *,
    round_names: Annotated[
        list[str], typer.Argument(metavar="ROUND...", help=f"Up to {ROUNDS_MAX} rounds.")
    ],
    meant_for: For = "",
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="The archive to write.")
    ] = Path("evidence-rounds.zip"),
    data: Data = DATA,
) -> MadeCollection:
    """Write the evidence of several rounds into one ZIP archive with a table of contents.

    Each file in it is that of `evidence round` and proves its round alone; `contents.html` and
    `contents.json` list them with their SHA-256. `round list` shows the names of rounds.

    Example: `gameledger evidence rounds evo-1-00041 evo-1-00042 --for a-0028 --out rounds.zip`
    """
    with closing(data.read()) as log:
        content = b"".join(packed(collect_rounds(log, round_names, account=meant_for)))
    write_whole(out, content)
    return MadeCollection(str(out), len(content), tuple(round_names))


@app.command("account")
@answers(_show_made)
def account_command(
    context: typer.Context,
    *,
    account: Annotated[str, typer.Argument(help="Account.")],
    first: Annotated[
        AsOfPoint | None,
        typer.Option(
            "--from", parser=moment_or_midnight, metavar="DAY|MOMENT", help="From here on."
        ),
    ] = None,
    until: Annotated[
        AsOfPoint | None,
        typer.Option(
            "--to", parser=moment_or_midnight, metavar="DAY|MOMENT", help="Up to here; a day whole."
        ),
    ] = None,
    unmask: Annotated[
        bool, typer.Option("--unmask", help="Show personal fields in plain text; needs the keys.")
    ] = False,
    absent: Absent = False,
    pdf: Pdf = False,
    key: OptionalKey = None,
    certificate: Certificates = None,
    passphrase_file: PassphraseFile = None,
    out: Out = None,
    data: Data = DATA,
) -> MadeEvidence:
    """Write all evidence of an account in a period into one HTML file, as `evidence round` does.

    Events that name other accounts are withheld. The event before the period and the one behind it
    are shown with it: they prove where it begins and ends. `--pdf` prints it, as for a round.

    Example: `gameledger evidence account a-0001 --from 2026-11-20 --to 2026-11-20`
    """
    _require_pdf_for_seal(context, pdf=pdf)
    require_period(first, until)
    with ExitStack() as stack:
        log = stack.enter_context(closing(data.read()))
        keys = None
        if unmask:
            keys = stack.enter_context(closing(data.keys()))
        made = account_evidence(
            log,
            account,
            first=first.begins if first else None,
            end=until.ends if until else None,
            keys=keys,
        )
    sealer = read_pair(key, certificate, passphrase_file) if pdf and key else None
    return _written(made if absent else require_known(made), out, pdf=pdf, sealer=sealer)


@app.command()
@emits(VerifiedEvidence)
def verify(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="HTML file, PDF, or data part.")],
    key: TrustedKeys = None,
    witness_policy: WitnessPolicy = None,
    stamp_roots: StampRoots = None,
    as_json: Json = False,
) -> None:
    """Verify an evidence file without any log: hashes, proofs, signatures, and what its page shows.

    The first thing that does not fit is named with its place; exit code 3. With `--key`, one of
    these keys must have signed the checkpoint; without it, one of a log that `--witness-policy`
    names, if it names any. Exit code 1 if nothing is wrong and yet not all could be told: another
    version made the page, an event is of a type not known here, or the checkpoint lacks the
    cosignatures of `--witness-policy` or a time stamp for `--stamp-roots`.

    Example: `gameledger evidence verify evidence.html --key keys.txt`
    """
    policy, roots = read_policy(witness_policy), read_roots(stamp_roots)
    trusted = trusted_keys(key, policy)
    found = check(_read(file), trusted)
    lacking = missing_attestations(found.verified, policy, roots)
    found = replace(found, reservations=(*found.reservations, *lacking))
    if as_json:
        emit(_answer(found, is_trusted=bool(trusted)))
    else:
        _describe(file, found, is_trusted=bool(trusted))
    if found.reservations:
        raise typer.Exit(UNTOLD)


def _require_pdf_for_seal(context: typer.Context, *, pdf: bool) -> None:
    """Refuse a key that was written for this file alone; one from the environment is for others."""
    source = context.get_parameter_source("key")
    if not pdf and source is not None and source.name == "COMMANDLINE":
        raise InputError("--key seals a document: ask for one with --pdf, or leave --key out")


def _written(
    made: Evidence, out: Path | None, *, pdf: bool, sealer: KeyPair | None
) -> MadeEvidence:
    target = out or Path(evidence_name(made.subject.tag, ".pdf" if pdf else ".html"))
    data = encode(made)
    page = page_of(data)  # which verifies it: a proof is checked by who makes it
    if pdf:
        page = print_page(page)
    if sealer is not None:
        page = seal(page, sealer)
    write_whole(target, page)
    return MadeEvidence(
        file=str(target),
        bytes=len(page),
        data_bytes=len(data),
        subject=made.subject.tag,
        messages=len(made.messages),
        withheld=len(made.withheld),
    )


def _read(path: Path) -> bytes:
    return read_bounded(path, bytes_max=FILE_BYTES_MAX)


def _period(subject: Subject) -> list[tuple[str, str]]:
    """Return the period of an account that a file covers; a round has none."""
    if not subject.tag.startswith(ACCOUNT):
        return []
    first, end = (one if one is None else moment(one) for one in (subject.first, subject.end))
    if first and end:
        return [("period", f"from {first}, before {end}")]
    if first:
        return [("period", f"from {first} on, up to the checkpoint")]
    return [("period", f"before {end}" if end else "everything up to the checkpoint")]


def _answer(found: CheckedEvidence, *, is_trusted: bool) -> VerifiedEvidence:
    proved = found.verified
    evidence = proved.evidence
    return VerifiedEvidence(
        subject=evidence.subject.tag,
        meant_for=evidence.subject.account,
        first=evidence.subject.first,
        end=evidence.subject.end,
        chain=proved.checkpoint.chain,
        size=proved.checkpoint.size,
        root=proved.checkpoint.root.hex(),
        complete_to=proved.complete_to,
        finality=proved.finality,
        signed_by=[key.text for key in proved.signers],
        signer_is_trusted=is_trusted,
        opened=[
            EvidenceOpened(one.position, one.field, one.text is not None) for one in proved.opened
        ],
        origins=[_origin(one) for one in proved.origins],
        witnesses=[EvidenceWitness(one.key.text, one.at) for one in proved.witnessed],
        stamps=proved.stamped,
        events=len(proved.events),
        withheld=len(evidence.withheld),
        messages=len(evidence.messages),
        page=found.page,
        sealed_by=found.sealed_by,
        made_by=evidence.made_by,
        reservations=found.reservations,
    )


def _origin(one: ProvedOrigin) -> EvidenceOrigin:
    is_sealed = one.seal.state is SealState.SEALED
    return EvidenceOrigin(
        position=one.position,
        state=one.seal.state,
        source=one.seal.system,
        certificate=one.certificate,
        seal=one.seal.position if is_sealed else None,
        number=one.seal.number if is_sealed else None,
        is_whole=one.is_whole,
    )


def _origin_rows(origins: Iterable[ProvedOrigin]) -> Iterator[tuple[str, str]]:
    """Yield a row for each seal with the positions of its facts, and for those without one."""
    positions = dict[tuple[str, str], list[str]]()
    for one in origins:
        name, by = "not sealed", f"{one.seal.system} cannot seal"
        if one.seal.state is SealState.UNREGISTERED:
            by = f"{one.seal.system or '-'}, not registered in this file"
        elif one.seal.state is SealState.UNSEALED:
            by = f"{one.seal.system}, no seal in this file"
        elif one.seal.state is SealState.SEALED:
            how = "its digest computed again" if one.is_whole else "by marks alone"
            by = f"{one.seal.system}, seal at position {one.seal.position}, {how}"
            name = "sealed by"
        positions.setdefault((name, by), []).append(str(one.position))
    for (name, by), facts_sealed in positions.items():
        yield name, f"{by}: {', '.join(facts_sealed)}"


def _map_of(evidence: Evidence) -> str:
    """Return what holds the root of the tag map that counts the events of a file."""
    at = evidence.completeness.checkpoint
    return "the note" if at is UNSET else f"the checkpoint recorded at position {at}"


def _describe(file: Path, found: CheckedEvidence, *, is_trusted: bool) -> None:
    proved = found.verified
    said = proved.evidence
    if not found.reservations:
        echo(f"{file} proves what it says.", style="green")
    elif found.page == NOT_COMPARED:
        echo(
            f"The facts recorded in {file} are proved; its page was NOT compared with them.",
            style="yellow",
        )
    else:
        echo(f"The facts recorded in {file} are proved, with reservations.", style="yellow")
    for reservation in found.reservations:
        echo(reservation, style="yellow")
    if not is_trusted:
        echo(
            "The owner of the key was not checked: compare `signed by` with the key that the "
            "operator published, or give that key with --key.",
            style="yellow",
        )
    count = said.completeness.value.count if said.completeness.value else 0
    facts(
        [
            ("subject", said.subject.tag),
            *_period(said.subject),
            ("events", f"{len(proved.events)} shown, {len(said.withheld)} withheld, of {count}"),
            ("rests on", counted(len(proved.basis), "message")),
            ("chain", proved.checkpoint.chain),
            ("checkpoint", f"the first {number(proved.checkpoint.size)} messages"),
            ("complete", f"of the first {number(proved.complete_to)} messages, by {_map_of(said)}"),
            ("finality", finality_text(Words(Language.EN), proved.finality)),
            ("signed by", ", ".join(key.text for key in proved.signers)),
            *(("witness", f"{one.key.short_text}, {moment(one.at)}") for one in proved.witnessed),
            *(("time stamp", f"{one.authority}, {moment(one.at)}") for one in proved.stamped),
            *_origin_rows(proved.origins),
            *(("certificate", one) for one in certificates_of(proved)),
            ("personal fields", f"{sum(one.text is not None for one in proved.opened)} opened"),
            ("page", found.page),
            *(("seal", name) for name in found.sealed_by),
        ]
    )
