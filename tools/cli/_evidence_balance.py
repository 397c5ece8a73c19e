"""``evidence close``, ``balance``, ``balance-page``, ``verify-balance``: balances of a period."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.core.clock import SystemClock
from ledger.core.errors import InputError
from ledger.decisions.accounts.books import CloseBalances
from ledger.storage.named_files import read_bounded, reading
from ledger.tlog.balance_map import balances_root
from ledger.tlog.notes import Note
from projections.evidence.balance import (
    balance_proof,
    parse_balance,
    verify_balance,
)
from projections.evidence.page import balance_page as render_balance_page
from projections.questions.balances import held_by_all
from projections.store.as_of import size_at
from projections.store.period import read_period
from tools.cli._answering import answers, emits
from tools.cli._log_attestations import (
    TrustedKeys,
    WitnessPolicy,
    read_policy,
)
from tools.cli._log_verify import trusted_keys
from tools.cli._options import DATA, Data, DryRun, Json
from tools.cli._output import counted, echo, emit, facts, moment, money, number
from tools.cli._project import up_to_date
from tools.whole_files import write_whole

if TYPE_CHECKING:
    from projections.store.tables import Store

__all__ = [
    "ClosedBalances",
    "MadeBalance",
    "MadePage",
    "VerifiedBalance",
    "balance",
    "balance_page",
    "close",
    "verify_file",
]

A_PERIOD = Annotated[
    str, typer.Argument(metavar="PERIOD", help="Day or month, such as 2026-11-20 or 2026-11.")
]
UNTOLD = 1


@dataclass(frozen=True, slots=True)
class ClosedBalances:
    """The balances of all accounts at the close of a period, as they are recorded."""

    period: str
    size: int
    accounts: int
    total: int
    root: str


@dataclass(frozen=True, slots=True)
class MadeBalance:
    """A file with the balance of an account at the close of a period."""

    file: str
    bytes: int
    account: str
    period: str
    balance: int


@dataclass(frozen=True, slots=True)
class MadePage:
    """The page that verifies balances in a browser, and the SHA-256 of its bytes."""

    file: str
    sha256: str


@dataclass(frozen=True, slots=True)
class VerifiedBalance:
    """The balance of an account that a file proves; ``closings`` counts those of the period."""

    chain: str
    account: str
    period: str
    balance: int
    position: int
    recorded_at: int
    closings: int
    size: int
    witnessed: int | None
    reservations: list[str]


def _show_closed(done: ClosedBalances) -> None:
    count = counted(done.accounts, "account")
    echo(f"The balances of {count} at the close of {done.period}: {money(done.total)} CZK.")
    facts([("of the first messages", number(done.size)), ("root", done.root)])


@answers(_show_closed)
def close(
    *,
    period: A_PERIOD,
    data: Data = DATA,
    dry_run: DryRun = False,
) -> ClosedBalances:
    """Record the balances of all accounts at the close of a day or month, by one root.

    Run it after the period, before the next checkpoint. If a closing was wrong, run it again: the
    last one of a period counts. With `--dry-run` the root is computed and nothing is recorded.

    Example: `gameledger evidence close 2026-11-20`
    """
    with up_to_date(data) as (store, _):
        size = _size_of(store, period)
        balances = held_by_all(store, at=size)
    root, total = balances_root(balances), sum(balances.values())
    if not dry_run:
        with data.write() as ledger:
            ledger.execute(
                CloseBalances(
                    period=period,
                    size=size,
                    count=len(balances),
                    total=total,
                    root=root,
                    source="cli",
                )
            )
    return ClosedBalances(period, size, len(balances), total, root.hex())


def _show_made(made: MadeBalance) -> None:
    echo(f"{made.file}: {money(made.balance)} CZK, {number(made.bytes)} bytes.")
    facts([("verify", f"gameledger evidence verify-balance {made.file}")])


@answers(_show_made)
def balance(
    *,
    account: Annotated[str, typer.Argument(help="Account.")],
    period: A_PERIOD,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="The file to write; named by default."),
    ] = None,
    data: Data = DATA,
) -> MadeBalance:
    """Write the balance of an account at the close of a period as a small file that proves itself.

    It holds wallet and reserved chips as `evidence close` recorded them, with the proof that this
    closing is the last of the period that the checkpoint counts.

    Example: `gameledger evidence balance a-0001 2026-11-20`
    """
    with up_to_date(data) as (store, log):
        proof = balance_proof(log, period, account, lambda size: held_by_all(store, at=size))
    verify_balance(proof, [])  # a proof is checked by who makes it
    content = str(proof).encode()
    target = out or Path(f"balance-{account}-{period}.txt")
    write_whole(target, content)
    return MadeBalance(str(target), len(content), account, period, proof.amount)


def _show_page(made: MadePage) -> None:
    echo(f"{made.file}: open it in a browser; it needs no network.")
    facts([("SHA-256", made.sha256)])


@answers(_show_page)
def balance_page(
    *,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The file to write.")] = Path(
        "verify-balance.html"
    ),
) -> MadePage:
    """Write the page that verifies the file of a balance in a browser, without a network.

    It is the same for every chain. Publish it with the keys of the chain: readers of a statement
    paste the text of its QR code there.

    Example: `gameledger evidence balance-page --out verify-balance.html`
    """
    content = render_balance_page()
    write_whole(out, content)
    return MadePage(str(out), sha256(content).hexdigest())


@emits(VerifiedBalance)
def verify_file(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="As `evidence balance` wrote it.")],
    key: TrustedKeys = None,
    witness_policy: WitnessPolicy = None,
    as_json: Json = False,
) -> None:
    """Verify the balance of an account at the close of a period without any log.

    The first fault is named with its place; exit code 3. Exit code 1 if nothing is wrong and yet
    not all could be verified: without `--key` no signature of the log is.

    Example: `gameledger evidence verify-balance balance.txt --key keys.txt`
    """
    policy = read_policy(witness_policy)
    keys = trusted_keys(key, policy)
    with reading(file):
        proof = parse_balance(read_bounded(file).decode())
    proved = verify_balance(proof, keys)
    reservations, witnessed = [], None
    if not keys:
        text = "No key was given, so no signature of the log was checked: name keys with --key."
        reservations.append(text)
    if policy is not None:
        cosigned = policy.cosigned(Note.parse(proof.note))
        # The proof rests on the tag map, which only some kinds of keys cosign.
        of_map = [one for one in cosigned if policy.witnesses[one].key.covers_extensions]
        witnessed = proved.checkpoint.size if policy.is_met(of_map) else 0
        if not witnessed:
            text = "UNWITNESSED: the policy does not accept the checkpoint with its tag map."
            reservations.append(text)
    found = VerifiedBalance(
        chain=proved.checkpoint.chain,
        account=proved.account,
        period=proved.closing.period,
        balance=proved.amount,
        position=proved.position,
        recorded_at=proved.recorded_at,
        closings=proof.closings,
        size=proved.checkpoint.size,
        witnessed=witnessed,
        reservations=reservations,
    )
    if as_json:
        emit(found)
    else:
        style = "yellow" if reservations else "green"
        echo(f"{file} proves a balance of {found.chain}.", style=style)
        for reservation in reservations:
            echo(reservation, style="yellow")
        facts(
            [
                ("account", found.account),
                ("period", found.period),
                ("balance", f"{money(found.balance)} CZK"),
                ("recorded", f"{moment(found.recorded_at)}, position {number(found.position)}"),
                ("closings", f"this is the last of {found.closings} of the period"),
                ("checkpoint", f"the first {number(found.size)}"),
            ]
        )
    if reservations:
        raise typer.Exit(UNTOLD)


def _size_of(store: Store, period: str) -> int:
    """Return how many messages were recorded before a day or month ended.

    Raises:
        InputError: it is neither, or it is not over.

    """
    read = read_period(period)
    if read.kind == "quarter":
        raise InputError(f"balances are closed for days and months, and {period} is a quarter")
    if read.ends > SystemClock().now():
        raise InputError(f"{period} is not over: its balances are closed afterwards")
    return size_at(store, read.ends, store.position)
