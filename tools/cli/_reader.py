"""``reader`` and ``access``: the readers of the service, and what they read."""

from __future__ import annotations

import re
from contextlib import ExitStack, closing, contextmanager
from getpass import getuser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.core.clock import SystemClock
from ledger.core.errors import InputError
from ledger.receipts import Receipt
from projections.store.clickhouse import DEFAULT_DATABASE
from tools.access.accesses import Access, Accesses, ShownAccount, read_accesses, require_known
from tools.access.anchor import record_head
from tools.access.grants import grants
from tools.access.management import NewCredentials, add_reader, renew_reader, revoke_reader
from tools.access.readers import AccessUser, Readers
from tools.access.scopes import ROLES
from tools.access.serving import access_chain
from tools.cli._answering import answers, emits
from tools.cli._cuts import cut_before
from tools.cli._help import Commands
from tools.cli._options import DATA, Csv, Data, Json
from tools.cli._output import echo, emit, moment, table, wrapped
from tools.cli._when import moment_or_midnight
from tools.data import DataDirectory
from tools.data.notation import period_end

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tools.access.chain import AccessChain

__all__ = ["access_app", "app", "open_access_chain"]

app = Commands("Readers of the access service: add, list, renew, revoke.")
access_app = Commands("Accesses: report, record, begin, grants.")

USER = re.compile(r"[a-z][a-z0-9_]{0,49}")
Name = Annotated[str, typer.Argument(metavar="READER", help="Reader.")]
Until = Annotated[
    str, typer.Option("--until", metavar="DAY|MOMENT", help="End of the right, in Prague.")
]
Certificate = Annotated[
    Path | None,
    typer.Option(help="Client certificate (PEM) to be known by, instead of a token."),
]


@contextmanager
def open_access_chain(
    data: DataDirectory, *, is_successor: bool = False
) -> Iterator[tuple[AccessChain, Readers]]:
    """Open the chain of accesses in its turn, and the readers that it knows."""
    readers = Readers()
    with (
        closing(data.read()) as log,
        access_chain(data, log, readers, serving=False, is_successor=is_successor) as chain,
    ):
        yield chain, readers


def _show_token(given: NewCredentials) -> None:
    if given.token:
        echo(f"{given.reader} reads with this token, which is shown once: {given.token}")
    elif given.let_in:
        echo(f"{given.reader} reads with the certificate {given.certificate}")
    else:
        echo(f"{given.reader} is let in no more.")


@app.command()
@answers(_show_token)
def add(
    *,
    name: Name,
    role: Annotated[
        list[str], typer.Option(help=f"What the reader may see: {', '.join(ROLES)}; repeatable.")
    ],
    until: Until,
    certificate: Certificate = None,
    data: Data = DATA,
) -> NewCredentials:
    """Admit a reader to the service; the token is shown once and kept nowhere.

    Example: `gameledger reader add mf-novakova --role regulator --until 2027-06-30`
    """
    end = moment_or_midnight(until).ends
    with open_access_chain(data) as (chain, readers):
        return add_reader(
            chain,
            readers,
            name,
            roles=tuple(role),
            expires_at=end,
            certificate=certificate,
            now=SystemClock().now(),
            actor=getuser(),
        )


@app.command()
@answers(_show_token)
def renew(
    *,
    name: Name,
    until: Until,
    certificate: Certificate = None,
    data: Data = DATA,
) -> NewCredentials:
    """Give a reader another end and a new token or certificate; the old one counts no more.

    Example: `gameledger reader renew mf-novakova --until 2027-12-31`
    """
    end = moment_or_midnight(until).ends
    with open_access_chain(data) as (chain, readers):
        return renew_reader(
            chain,
            readers,
            name,
            expires_at=end,
            certificate=certificate,
            now=SystemClock().now(),
            actor=getuser(),
        )


@app.command()
@answers(_show_token)
def revoke(
    *,
    name: Name,
    reason: Annotated[str, typer.Option(help="Why.")],
    data: Data = DATA,
) -> NewCredentials:
    """Let a reader in no more, from the next request on.

    Example: `gameledger reader revoke mf-novakova --reason "left the office"`
    """
    with open_access_chain(data) as (chain, readers):
        return revoke_reader(chain, readers, name, reason=reason, actor=getuser())


def _show_list(found: list[AccessUser], *, as_csv: Csv = False) -> None:
    now = SystemClock().now()
    table(
        ("reader", "roles", "known by", "added (Prague)", "until (Prague)", "let in"),
        [_line(one, now) for one in found],
        nothing="Nobody yet: `gameledger reader add`.",
        as_csv=as_csv,
    )


@app.command("list")
@answers(_show_list)
def list_command(*, data: Data = DATA) -> list[AccessUser]:
    """List readers with their roles and ends, those who are let in no more too.

    Example: `gameledger reader list`
    """
    with open_access_chain(data) as (_, readers):
        return readers.all()


def _line(reader: AccessUser, now: int) -> tuple[object, ...]:
    return (
        reader.name,
        ", ".join(reader.roles),
        "certificate" if reader.certificate else "token",
        moment(reader.added_at),
        period_end(reader.expires_at),
        "yes" if reader.is_let_in(now) else "no",
    )


@access_app.callback()
def access() -> None:
    """Accesses."""


def _show_report(found: Accesses, *, as_csv: Csv = False) -> None:
    columns = (
        "position",
        "time (Prague)",
        "reader",
        wrapped("what"),
        wrapped("purpose"),
        wrapped("asked"),
        "rows",
    )
    table(
        columns,
        [_access(one) for one in found.accesses],
        nothing="Nobody read anything like that.",
        as_csv=as_csv,
    )


@access_app.command()
@answers(_show_report)
def report(
    *,
    reader: Annotated[str, typer.Option(help="Only of a reader.")] = "",
    account: Annotated[
        str,
        typer.Option(
            help="Only what was asked about an account, or may have shown it among others."
        ),
    ] = "",
    before: Annotated[int | None, typer.Option(help="Only before this position.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many at most.")] = 100,
    data: Data = DATA,
) -> Accesses:
    """Say who read what, newest first, for the data-protection officer.

    Example: `gameledger access report --account a-0001`
    """
    with open_access_chain(data) as (chain, _), ExitStack() as stack:
        shown = None
        if reader or account:
            log = stack.enter_context(closing(data.read()))
            require_known(chain, log, reader=reader, account=account)
            shown = ShownAccount(log, account) if account else None
        found = read_accesses(chain, reader=reader, account=shown, before=before, limit=limit)
    cut_before(found.before, limit)
    return found


def _show_record(receipt: Receipt) -> None:
    echo(f"Recorded at position {receipt.first_position}.")


@access_app.command()
@answers(_show_record)
def record(*, data: Data = DATA) -> Receipt:
    """Record the head of the chain of accesses in the chain itself.

    The service does so every hour where `--writers` are named; without them, do it where the
    writer is.

    Example: `gameledger access record`
    """
    with open_access_chain(data) as (chain, _), data.write() as ledger:
        return record_head(chain, ledger)


@access_app.command()
@emits(Receipt)
def begin(*, data: Data = DATA, as_json: Json = False) -> None:
    """Begin another chain of accesses in the place of one that is lost for good.

    The chain itself records the head of the new one, and keeps the last head of the lost one, so
    that what is missing stays known. Readers are to be added again.

    Example: `gameledger access begin`
    """
    with open_access_chain(data, is_successor=True) as (chain, _), data.write() as ledger:
        receipt = record_head(chain, ledger)
    if as_json:
        emit(receipt)
    else:
        echo(f"{chain.name} begins; recorded at position {receipt.first_position}.")


def _show_grants(found: list[str]) -> None:
    for statement in found:
        echo(f"{statement};")


@access_app.command("grants")
@answers(_show_grants)
def grants_command(
    *,
    user: Annotated[
        str, typer.Option(help="Name of the user of the service.")
    ] = "gameledger_access",
    data: Data = DATA,
) -> list[str]:
    """Print what gives the service a ClickHouse user that reads and nothing else.

    Example: `gameledger access grants | clickhouse-client --multiquery`
    """
    if not USER.fullmatch(user):
        raise InputError("the name of the user is 1 to 50 of a-z, 0-9 and _, a letter first")
    place = data.tables_to_read()
    servers = [DEFAULT_DATABASE] if isinstance(place, Path) else [one.database for one in place]
    return [line for database in dict.fromkeys(servers) for line in grants(database, user)]


def _access(one: Access) -> tuple[object, ...]:
    rows = "" if one.rows is None else one.rows
    return one.position, moment(one.at), one.reader, one.what, one.purpose, one.parameters, rows
