"""The API of files to keep: the log, checkpoints, evidence, packages."""

from __future__ import annotations

from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from hashlib import sha256
from inspect import Parameter as Signed
from itertools import dropwhile, islice
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request
from fastapi import Path as InAddress
from starlette.responses import Response

from ledger.core.clock import in_prague
from ledger.core.errors import InputError, IntegrityError
from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from ledger.events.encoding import decode
from ledger.log.checkpoints import checkpoints
from ledger.log.port import linked_messages
from ledger.storage.workplace import temporary_folder
from projections.evidence.account_statement import as_pdf as statement_pdf
from projections.evidence.account_statement import as_text as statement_text
from projections.evidence.collect import (
    account_evidence,
    covered_rounds,
    require_known,
    round_evidence,
)
from projections.evidence.collection import collect_rounds, packed
from projections.evidence.document import encode
from projections.evidence.letter import as_pdf, as_text
from projections.evidence.page import page_of
from projections.store.period import read_period
from projections.words.catalogue import Language, Words
from tools.access.access_service import require_scopes, serve_query, service_of
from tools.access.addresses import ask_question, route_parameters
from tools.access.checkpoints import CheckpointLine, Checkpoints, list_checkpoints
from tools.access.downloads import Content, Tally, download, file_name, of_bytes
from tools.access.formats import choose, in_form
from tools.access.openapi import gives, gives_files
from tools.access.parameters import (
    POSITION_MAX,
    Before,
    Day,
    Limit,
    Moment,
    Name,
    Named,
    Since,
    Until,
    form_wished,
)
from tools.access.query_context import QueryContext
from tools.access.questions.declaration import sign
from tools.access.questions.rounds import rounds
from tools.access.scopes import WHOLE_LOG, Scope
from tools.access.unmasking import record_unmasked, require_purpose
from tools.access.writers import NDJSON
from tools.data.documents import Judged, masked_document, validation_document
from tools.data.letters import account_statement, case_letter, complaint_letter
from tools.data.moments import Span, day, moment_or_midnight, require_period, when
from tools.sanitize import json_line
from tools.web.problems import not_found, reason_of

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from pathlib import Path

    from ledger.log.port import Log
    from projections.evidence.document import Evidence
    from projections.evidence.letter import Letter
    from tools.access.answer import Answer

__all__ = ["router"]

router = APIRouter(prefix="/api", dependencies=[Depends(form_wished)])

RAW = "application/octet-stream"
HTML = "text/html"
PDF = "application/pdf"
TEXT = "text/plain"
ZIP = "application/zip"
EVIDENCE = {HTML: "html", PDF: "pdf"}
MESSAGES_AT_ONCE = 500
LENGTH_BYTES = 4
PIECE_BYTES = 1 << 18
Absent = Annotated[
    Literal["no", "yes"],
    Query(description="Of an unknown name: give the proof that the log has no event of it."),
]


@router.get("/log", response_class=Response, responses=gives_files(NDJSON, RAW))
def log(request: Request, since: Since = "", until: Until = "") -> Response:
    """Give the whole log, or a span of it, streamed: events as NDJSON, or the raw messages.

    Raw are the exact bytes of each message behind its length (4 bytes, most significant first):
    what an outsider needs to hash the chain again. docs/format.md describes them. Personal fields
    are left out of the events and sealed in the messages. It takes the rights to read everything
    in the log.
    """
    further = sorted(WHOLE_LOG - {Scope.CHAIN})
    require_scopes(request, *further)
    form = choose(request, {NDJSON: "ndjson", RAW: "raw"})

    def prepare(context: QueryContext) -> Content:
        first, last = (when(text) if text else None for text in (since, until))
        span = Span.of(context.log, context.size, None, first, last)
        end = context.size if span.end is None else min(span.end, context.size)
        tally = Tally()
        pieces = _messages(context.log, span.first, end, tally, is_raw=form == RAW)
        suffix = "bin" if form == RAW else "ndjson"
        return Content(pieces, form, f"log-{span.first}-{end}.{suffix}", tally)

    return download(request, Scope.CHAIN, prepare, of_log=True, with_scopes=further)


def _messages(
    log: Log, first: int, end: int, tally: Tally, *, is_raw: bool
) -> Generator[bytes, None, None]:
    """Give messages as they are, or as events, each of which the next one has to vouch for."""
    for begin in range(first, end, MESSAGES_AT_ONCE):
        stop = min(begin + MESSAGES_AT_ONCE, end)
        messages = list(log.read(begin, stop) if is_raw else linked_messages(log, begin, stop))
        tally.rows += len(messages)
        if is_raw:
            yield b"".join(len(one).to_bytes(LENGTH_BYTES, "big") + one for _, one in messages)
        else:
            lines = (json_line(masked_document(*one)) for one in messages)
            yield "".join(f"{line}\n" for line in lines).encode()


@router.get("/checkpoints", responses=gives(Checkpoints, is_list=True))
def all_checkpoints(request: Request, before: Before = None, limit: Limit = 100) -> Response:
    """List signed checkpoints with who cosigned and stamped them, newest first."""

    def ask(context: QueryContext) -> Checkpoints:
        return list_checkpoints(context.log, before=before, limit=limit)

    answer = serve_query(
        request, Scope.CHAIN, ask, of_log=True, rows=lambda found: len(found.checkpoints)
    )
    return in_form(request, answer, answer.found.checkpoints, CheckpointLine)


@router.get("/checkpoints/{size}", response_class=Response, responses=gives_files(TEXT))
def one_checkpoint(
    request: Request,
    size: Annotated[int, InAddress(ge=1, le=POSITION_MAX, description="Messages that it covers.")],
) -> Response:
    """Give a checkpoint as a signed note, to be kept: `gameledger log verify --since` takes it."""
    choose(request, {TEXT: "text"})

    def prepare(context: QueryContext) -> Content:
        behind = dropwhile(lambda one: one.size > size, checkpoints(context.log))
        found = next(islice(behind, 1), None)
        if found is None or found.size != size:
            raise not_found(Phrase("CHECKPOINT_UNKNOWN", size=size))
        return Content(of_bytes(str(found.note).encode()), TEXT, f"checkpoint-{size}.txt")

    return download(request, Scope.CHAIN, prepare, of_log=True)


@router.get("/rounds/{name}/evidence", response_class=Response, responses=gives_files(*EVIDENCE))
def evidence_of_a_round(
    request: Request, name: Name, account: Named = "", absent: Absent = "no"
) -> Response:
    """Give all evidence of a round in one file, which shows and verifies itself without us.

    It rests on the last checkpoint. With `account`, what names anybody else is withheld. With
    `absent`, a name that the log does not know gives the proof that there is no such round.
    """
    form = choose(request, EVIDENCE)

    def prepare(context: QueryContext) -> Content:
        made = _known(round_evidence(context.log, name, account=account), absent)
        _require_may_read(context, made)
        return _evidence(made, form, "round", name)

    return download(request, Scope.ROUNDS, prepare, of_log=True, round=name, account=account)


def _evidence_of_rounds(
    request: Request, *, day: str, before: int | None, limit: int, meant_for: str, **narrowed: Any
) -> Response:
    """Give the evidence of the rounds of a list, at most 200, in one archive with its contents.

    The parameters are those of the list of rounds. Each file proves its round alone; with
    `meant_for`, what names anybody else is withheld. Rounds that go on behind the last checkpoint
    are left out, and the contents name them.
    """

    def prepare(context: QueryContext) -> Content:
        page = ask_question(rounds, context, narrowed, day=day, before=before, limit=limit)
        names = [line.round for line in page.rounds]
        covered = covered_rounds(context.log, names) or names  # of none the error says why
        made = collect_rounds(context.log, covered, account=meant_for)
        for evidence in made:
            _require_may_read(context, evidence)
        lacking = [name for name in names if name not in covered]
        return Content(packed(made, lacking), ZIP, "evidence-rounds.zip")

    account = meant_for or narrowed["account"]
    return download(request, Scope.ROUNDS, prepare, account=account)


sign(
    _evidence_of_rounds,
    [
        ("request", Request, Signed.empty),
        *(one for one in route_parameters(rounds) if one[0] != "as_of"),
        ("meant_for", Named, ""),
    ],
)
router.add_api_route(
    "/evidence/rounds",
    _evidence_of_rounds,
    name="evidence_of_rounds",
    methods=["GET"],
    response_class=Response,
    responses=gives_files(ZIP),
)


def _require_may_read(context: QueryContext, made: Evidence) -> None:
    for one in made.messages:
        context.require_may_read_whole(type(decode(one.body).event).__name__)


LetterLanguage = Annotated[Language, Query(description="Of the letter.")]


@router.get("/cases/{name}/letter", response_class=Response, responses=gives_files(TEXT, PDF))
def letter_of_a_case(
    request: Request, name: Name, language: LetterLanguage = Language.CS
) -> Response:
    """Give the letter that answers a case, with the recorded facts of its rounds, bet by bet.

    The text of the answer is in it where the service has the keys at hand.
    """

    def written(context: QueryContext, words: Words) -> Letter:
        with context.sources.keys_at_hand() as keys:
            return case_letter(context.store, context.log, name, words, at=context.size, keys=keys)

    return _letter(request, language, written, name)


@router.get("/rounds/{name}/letter", response_class=Response, responses=gives_files(TEXT, PDF))
def letter_of_a_round(
    request: Request,
    name: Name,
    account: Annotated[Named, Query(description="The participant whom the letter is to.")] = "",
    filed: Annotated[Day, Query(description="Day of the complaint; today if left out.")] = "",
    language: LetterLanguage = Language.CS,
) -> Response:
    """Give the letter that answers a complaint about a round that is not recorded as a case.

    Its decision follows from the record: whether what was paid is due by the game plan.
    """

    def written(context: QueryContext, words: Words) -> Letter:
        filed_at = day(filed).begins if filed else None
        given = (context.store, context.log, [name], account, words)
        return complaint_letter(*given, filed_at=filed_at, now=context.now, at=context.size)

    return _letter(request, language, written, name, of_round=name, account=account)


def _letter(
    request: Request,
    language: Language,
    written: Callable[[QueryContext, Words], Letter],
    name: str,
    *,
    of_round: str = "",
    account: str = "",
) -> Response:
    form, words = choose(request, {TEXT: "text", PDF: "pdf"}), Words(language)

    def prepare(context: QueryContext) -> Content:
        letter = written(context, words)
        content = as_pdf(words, letter) if form == PDF else as_text(words, letter).encode()
        suffix = "pdf" if form == PDF else "txt"
        file = f"{file_name('letter', name)}.{suffix}"
        return Content(of_bytes(content), form, file, about={"account": letter.account})

    return download(
        request, Scope.ACCOUNTS, prepare, is_named=True, round=of_round, account=account
    )


@router.get("/accounts/{name}/statement", response_class=Response, responses=gives_files(TEXT, PDF))
def statement_of_an_account(
    request: Request,
    name: Name,
    period: Annotated[
        Named,
        Query(description="Day, month or quarter; the month of the last record if left out."),
    ] = "",
    language: Annotated[Language, Query(description="Of the statement.")] = Language.CS,
) -> Response:
    """Give the movements of an account with the balance after each, as a document for its player.

    It has at most 5,000 movements.
    """
    form, words = choose(request, {TEXT: "text", PDF: "pdf"}), Words(language)

    def prepare(context: QueryContext) -> Content:
        asked = read_period(period or f"{in_prague(context.recorded_at):%Y-%m}")
        found = account_statement(context.store, context.log, name, asked, words, at=context.size)
        is_pdf = form == PDF
        content = statement_pdf(words, found) if is_pdf else statement_text(words, found).encode()
        file = f"{file_name('statement', name, asked.text)}.{'pdf' if is_pdf else 'txt'}"
        return Content(of_bytes(content), form, file)

    return download(request, Scope.MONEY, prepare, is_named=True, account=name)


@router.get("/accounts/{name}/evidence", response_class=Response, responses=gives_files(*EVIDENCE))
def evidence_of_an_account(
    request: Request,
    name: Name,
    since: Moment = "",
    until: Moment = "",
    unmask: Annotated[
        Literal["no", "yes"], Query(description="Open personal fields; takes a purpose.")
    ] = "no",
    absent: Absent = "no",
) -> Response:
    """Give all evidence of an account in a period in one file, as that of a round.

    Events that name other accounts are withheld.
    """
    form, service = choose(request, EVIDENCE), service_of(request)
    visitor = service.visitor(request)
    opened: list[tuple[str, tuple[str, ...]]] = []

    def prepare(context: QueryContext) -> Content:
        begun, over = (moment_or_midnight(text) if text else None for text in (since, until))
        require_period(begun, over)
        gathered = partial(
            account_evidence,
            context.log,
            name,
            first=begun.begins if begun else None,
            end=over.ends if over else None,
        )
        if unmask == "no":
            return _evidence(_known(gathered(), absent), form, "account", name)
        require_purpose(visitor.purpose)
        with closing(service.sources.keys()) as keys:
            made = _known(gathered(keys=keys), absent)
        opened.extend(_opened(made))
        content = _evidence(made, form, "account", name)
        return replace(content, headers={"Cache-Control": "no-store"})

    def noting(_: Answer) -> None:
        for person, fields in opened:
            record_unmasked(request, visitor.reader, name, visitor.purpose, person, fields)

    scope = Scope.ACCOUNTS if unmask == "no" else Scope.UNMASK
    return download(request, scope, prepare, of_log=True, noting=noting, account=name)


def _known(made: Evidence, absent: str) -> Evidence:
    try:
        return made if absent == "yes" else require_known(made)
    except InputError as error:
        raise not_found(reason_of(error)) from error


def _evidence(made: Evidence, form: str, kind: str, name: str) -> Content:
    def pieces() -> Generator[bytes, None, None]:
        page = page_of(encode(made))
        if form == PDF:
            from projections.evidence.printing import (
                print_page,  # takes a third of the service's start
            )

            page = print_page(page)
        yield page

    return Content(pieces(), form, f"{file_name('evidence', kind, name)}.{EVIDENCE[form]}")


def _opened(made: Evidence) -> list[tuple[str, tuple[str, ...]]]:
    """Name the persons whose fields stand open in an evidence file, with these fields."""
    bodies = {one.position: one.body for one in made.messages}
    found: dict[str, dict[str, None]] = {}
    for one in made.opened:
        event = decode(bodies[one.position]).event
        if isinstance(event, e.AccountOpened | e.PersonChanged):
            found.setdefault(event.person, {})[one.field] = None
    return [(person, tuple(fields)) for person, fields in found.items()]


@router.get("/packages/{name}/zip", response_class=Response, responses=gives_files(ZIP))
def package_as_built(request: Request, name: Name) -> Response:
    """Give a package that was built, made again from the tables: its digest is the recorded one."""

    def prepare(context: QueryContext) -> Content:
        with ExitStack() as stack:
            place = stack.enter_context(temporary_folder())
            packed = context.sources.country.pack(_built(context, name, place), place / "packed")
            return Content(_file(packed.path, stack.pop_all()), ZIP, f"{packed.name}.zip")

    return download(request, Scope.PACKAGES, prepare, is_named=True)


@router.get("/packages/{name}/sealed", response_class=Response, responses=gives_files(RAW))
def package_as_sealed(request: Request, name: Name) -> Response:
    """Give the sealed file of a package, as it was published for the authority."""
    sources = service_of(request).sources
    country = sources.country

    def prepare(context: QueryContext) -> Content:
        package = country.parse_name(name)
        series, _, _ = str(package).rpartition("-")
        published = context.store.rows(
            "SELECT file_digest FROM PackagePublished WHERE series = {series:String} "
            "AND version = {version:Int32} AND position < {size:Int64} ORDER BY position DESC",
            series=series,
            version=package.version,
            size=context.size,
        )
        file = sources.folder / "sealed" / f"{package}{country.SEALED}"
        if not published or not file.is_file():
            raise not_found(Phrase("PACKAGE_FILE_NOT_PUBLISHED", name=package))
        with file.open("rb") as content:
            digest = sha256()
            while piece := content.read(PIECE_BYTES):
                digest.update(piece)
        if digest.hexdigest() != published[0]["file_digest"]:
            raise IntegrityError(f"{file.name} is not the file that was published")
        return Content(_file(file, ExitStack()), RAW, file.name)

    return download(request, Scope.PACKAGES, prepare, is_named=True)


@router.get("/packages/{name}/verdict", responses=gives(Judged))
def verdict(request: Request, name: Name) -> Response:
    """Judge a package that was built as the authority will, and more strictly."""

    def ask(context: QueryContext) -> Judged:
        country = context.sources.country
        with temporary_folder() as place:
            folder = _built(context, name, place)
            return validation_document(country.validate(folder, country.options_for(folder)))

    return in_form(request, serve_query(request, Scope.PACKAGES, ask, is_named=True))


def _built(context: QueryContext, name: str, place: Path) -> Path:
    """Make a recorded package again in a folder that goes away."""
    country = context.sources.country
    package, settings = country.parse_name(name), country.read_settings(None)
    job = country.job_for(
        context.store, settings, context.recorded_at, package.period, version=package.version
    )
    if str(job.name) != str(package):
        raise not_found(Phrase("PACKAGE_UNKNOWN", name=package))
    done = country.run(context.store, job, place)
    return done.built.folder


def _file(path: Path, ending: ExitStack) -> Generator[bytes, None, None]:
    """Give a file in pieces, and do at the end what is to be done then."""
    with ending, path.open("rb") as content:
        while piece := content.read(PIECE_BYTES):
            yield piece
