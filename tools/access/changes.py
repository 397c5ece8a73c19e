"""Which questions can be asked at two places of the chain, and what changed between their answers.

Input: a question, its parameters and two places. Output: the differences of both answers, each of
which is the one that the question gives as of its place. A list by positions is compared from its
newest rows back, a bounded number of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ledger.core.errors import InputError
from ledger.core.units import Count
from tools.access import api, api_books, api_chain, api_findings, api_rules
from tools.access.addresses import ask_question
from tools.access.answer import Basis  # noqa: TC001 - the answer's schema reads it
from tools.access.differences import OWN, Change, differences
from tools.access.questions import accounts, duties, rounds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tools.access.query_context import QueryContext
    from tools.access.questions.declaration import Question

__all__ = ["COMPARED", "EVERY", "ROWS_MAX", "Changes", "Compared", "Field", "Part", "changes_of"]

ROWS_MAX = 1_000
"""Newest rows of a list by positions that are compared."""
ALL_FACTS = 10_000
OF_PLACE = frozenset({"position", "head", "recorded_at", "moment", "before"})
"""Fields of an answer that name its place in the chain, or the next page."""


class Field(NamedTuple):
    """A field that a page shows, and the form of its value (``tools.access.pages_changes``)."""

    path: str
    form: str


def _fields(text: str, above: str = "") -> tuple[Field, ...]:
    """Read fields such as ``account stake:money``."""
    parts = (one.partition(":") for one in text.split())
    return tuple(Field(f"{above}{path}", form or "text") for path, _, form in parts)


class Part(NamedTuple):
    """A list of an answer: its path, what identifies a row, what a page shows of it.

    A part of which nothing is shown is compared all the same. ``page`` is the address of a row.
    """

    path: str
    names: tuple[Field, ...]
    shown: tuple[Field, ...] = ()
    page: str = ""


def _part(path: str, names: str, shown: str = "", page: str = "") -> Part:
    return Part(path, _fields(names), _fields(shown), page)


@dataclass(frozen=True)
class Compared:
    """A question that can be compared with itself.

    Attributes:
        question: what is asked at both places.
        parts: the lists of its answer.
        shown: of the answer's own fields, those that a page shows.
        left_out: paths of fields that say something about the answer, not about the chain.
        given: parameters that are fixed.
        address: path of the answer, if the question does not name all of it.
        page: address of its page; the same path by default.

    """

    question: Question
    parts: tuple[Part, ...] = ()
    shown: tuple[Field, ...] = ()
    left_out: frozenset[str] = frozenset()
    given: Mapping[str, Any] = field(default_factory=dict)
    address: str = ""
    page: str = ""

    @property
    def path(self) -> str:
        """Path of the answer below ``/api``, and by default of the page."""
        return self.address or self.question.path

    @cached_property
    def names(self) -> dict[str, tuple[str, ...]]:
        """The identifying fields of each list by its path."""
        return {part.path: tuple(one.path for one in part.names) for part in self.parts}

    @cached_property
    def _forms(self) -> dict[str, dict[str, str]]:
        parts = {part.path: (*part.names, *part.shown) for part in self.parts}
        return {path: dict(fields) for path, fields in {OWN: self.shown, **parts}.items()}

    def forms(self, part: str) -> dict[str, str]:
        """Return how the fields of a part are written, by their paths; see :class:`Field`."""
        return self._forms[part]

    def differences(self, earlier: Any, later: Any) -> tuple[Change, ...]:
        """Return the differences of two answers; None for one that there was not."""
        before, after = self._document(earlier), self._document(later)
        return tuple(differences(before, after, self.names, self.left_out | OF_PLACE))

    def _document(self, found: Any) -> Any:
        plain = msgspec.to_builtins(found)
        return {self.parts[0].path: plain} if isinstance(plain, list) else plain


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed between two places of the chain.

    ``earlier`` is the first place; None if nothing was recorded by then. The second is that of the
    answer. Of a list by positions only rows from ``since`` on are compared; 0 for all of them.
    """

    earlier: Basis | None
    since: Count
    changes: tuple[Change, ...]


def changes_of(
    compared: Compared,
    context: QueryContext,
    earlier: Basis | None,
    values: Mapping[str, Any],
    day: str = "",
) -> tuple[Changes, dict[str, str]]:
    """Ask a question at the place of a context and at that of its ``earlier`` one.

    Returns the changes, and the account or round that only the answer reveals.

    Args:
        compared: the question.
        context: of the query.
        earlier: names the earlier place in the answer.
        values: parameters of the question.
        day: only rows of a day, for lists by positions.

    Raises:
        InputError: the question has no answer at the later place.

    """
    question, values = compared.question, {**values, **compared.given}
    later = ask_question(question, context, values, day=day, limit=ROWS_MAX)
    since = (getattr(later, "before", None) or 0) if question.paged else 0
    before = None
    if context.earlier is not None:
        try:
            before = ask_question(
                question, context.earlier, values, day=day, limit=ROWS_MAX, since=since
            )
        except InputError:  # what was asked about was not there yet
            before = None
    found = Changes(earlier, since, compared.differences(before, later))
    return found, question.concerns(later)


ROUND = (
    "table game:games status:statuses wording:wording bets:count stakes:money paid:money "
    "house_result:money opened_at:moment closed_at:moment resulted_at:moment voided_at:moment"
)
HELD = "wallet:money reserved:money in_play:money withdrawals:money claims:money"
FINDINGS = _part(
    "findings",
    "identity",
    "code:findings account:account round:round bet amount:amount paragraph:paragraph state:states "
    "assignee number",
    "/findings/{identity}",
)
HOLDS = _part(
    "holds",
    "hold",
    "account:account round:round reference placed_at:moment until:moment ended_at:moment",
)
CASES = _part(
    "cases",
    "case",
    "kind:cases account:account status:cases is_overdue:flag filed_at:moment answer_until:moment "
    "rounds:list bets:list ended_at:moment",
    "/cases/{case}",
)
FACTS = _part("facts", "position:count", "facts:fact", "/events/{position}")
SEQUENCES = _part(
    "play.sequences",
    "account:account number:count",
    "started_at:moment last_evaluated_at:moment length:length rounds:count bets:count "
    "break_until:moment",
)
VIOLATIONS = _part(
    "violations.violations",
    "position:position",
    "account:account round:round bet placed_at:moment until:moment stake:money",
)
EVERY = (Field("*", "code"),)
"""Shows all fields of a row by their names in the answer."""
GROUPS = ("decisions", "refusals", "returned", "voids", "contradictions", "corrections")
OF_PLAY = frozenset({"play.position", "violations.position"})

COMPARED = (
    Compared(rounds.rounds, (_part("rounds", "round", ROUND, "/rounds/{round}"),)),
    Compared(
        api.one_round,
        (
            _part(
                "wagers",
                "bet",
                "account:account box bet_code:bets stake:money status:statuses result:results "
                "due:money paid:money",
            ),
            FACTS,
            FINDINGS,
            HOLDS,
            _part("hands", "name"),
            *(_part(group, "position") for group in GROUPS),
        ),
        shown=_fields(ROUND, "round."),
    ),
    Compared(
        rounds.bets,
        (
            _part(
                "bets",
                "bet",
                "account:account round:round table status:statuses stake:money "
                "paid:money placed_at:moment concluded_at:moment",
            ),
        ),
    ),
    Compared(
        rounds.tournaments,
        (
            _part(
                "tournaments",
                "tournament",
                "name game:games status:statuses starts_at:moment entries:count money_pool:money "
                "prize_pool:money",
                "/tournaments/{tournament}",
            ),
        ),
    ),
    Compared(
        api.one_tournament,
        (
            _part("payments", "", "entry account:account kind:bets amount:money"),
            _part("prizes", "place:count account:account", "due:money paid:money"),
            FINDINGS,
        ),
        shown=_fields(
            "status:statuses starts_at:moment entries:count hands:count pool.money_pool:money "
            "pool.fee:money pool.top_up:money pool.prize_pool:money"
        ),
    ),
    Compared(
        api.one_account,
        (
            _part(
                "measures",
                "measure:accounts.measure",
                "value:measure next_value:measure next_at:moment",
            ),
            _part("blocks", "kind:accounts.block since:moment", "until:moment"),
            _part("sessions", "session", "began_at:moment ended_at:moment cause"),
            HOLDS,
            FACTS,
        ),
        shown=(
            *_fields("status:accounts.status internet:flag land_based:flag"),
            *_fields(HELD, "balance."),
            *_fields("answer asked_at:moment", "register."),
            *_fields("length:length break_until:moment", "sequence."),
        ),
        left_out=frozenset({"balance.position"}),
        given={"last": ALL_FACTS},
    ),
    Compared(
        accounts.one_balance,
        (
            _part(
                "open_stakes.stakes",
                "round:round bet kind:ledger_account",
                "amount:money",
            ),
        ),
        shown=_fields(HELD, "balance."),
        left_out=frozenset({"balance.position", "open_stakes.position"}),
        page="/accounts/{name}",
    ),
    Compared(
        accounts.movements,
        (
            _part(
                "movements",
                "position:position round:round bet",
                "event:events recorded_at:moment amount:money balance:money",
            ),
        ),
        shown=_fields("opening:money credits:money debits:money closing:money"),
    ),
    Compared(
        accounts.balances,
        (_part("balances", "account:account", HELD),),
        left_out=frozenset({"balances.position", "trial_balance.position"}),
        page="/",
    ),
    Compared(api.one_play_time, (SEQUENCES, VIOLATIONS), left_out=OF_PLAY),
    Compared(api.play_time, (SEQUENCES, VIOLATIONS), left_out=OF_PLAY),
    Compared(
        api.report_of_a_day,
        (
            _part("channels", "channel:channel", "deposits:money withdrawals:money"),
            _part("games", "game:games", "rounds:count bets:count stakes:money house_result:money"),
        ),
        shown=_fields(
            "rounds_opened:count rounds_resulted:count rounds_voided:count bets:count stakes:money "
            "breaks_imposed:count findings_total:count"
        ),
        page="/?day={one_day}",
    ),
    Compared(duties.cases, (CASES,), given={"ended": "yes"}),
    Compared(duties.one_case, (CASES,)),
    Compared(
        duties.duties,
        (
            _part(
                "duties",
                "code:duties account:account round:round subject position:position",
                "begun_at:moment until:moment is_overdue:flag paragraph:paragraph",
            ),
        ),
    ),
    Compared(
        duties.items_by_age,
        (
            _part(
                "items",
                "kind:open_items issuer currency",
                "items:count days_0_1:amount days_2_7:amount days_8_30:amount older:amount "
                "total:amount books:amount",
            ),
        ),
        left_out=frozenset({"day"}),
    ),
    Compared(
        duties.statements,
        (
            _part(
                "statements",
                "issuer account first_day:date last_day:date statement:statement",
                "currency lines:count unmatched:count open_amount:amount is_superseded:flag "
                "gap_days:count",
                "/statements#{statement}",
            ),
        ),
    ),
    Compared(duties.holds, (HOLDS,), given={"ended": "yes"}, page="/"),
    Compared(
        api_findings.findings,
        (FINDINGS, _part("corrected", "round:round bet", "paid_before:money paid:money due:money")),
        left_out=frozenset({"rounds", "bets", "since"}),
        given={"order": None, "part": None},
    ),
    Compared(
        api_books.closing,
        (
            _part(
                "trial",
                "account:ledger_account currency",
                "opening:amount debit:amount credit:amount closing:amount",
            ),
            _part(
                "games",
                "game:games table streamed:streamed",
                "stakes:amount returned:amount winnings:amount corrections:amount result:amount "
                "open:amount",
            ),
            _part(
                "channels",
                "channel:channel",
                "deposits:amount deposits_returned:amount paid_out:amount written_off:amount "
                "net:amount",
            ),
            _part(
                "floor",
                "place means:floor currency movement:events",
                "count:count into:amount out:amount",
            ),
            _part("earlier", "", "day movement:events account:account what currency amount:amount"),
            _part("write_offs", "write_off", "reverses proposed_by by reason amount:amount"),
        ),
        shown=_fields("is_over:flag"),
        address="/books/{period}",
        page="/books?period={period}",
    ),
    Compared(
        api_books.tax,
        (
            _part(
                "parts",
                "way:way game:games place table currency",
                "stakes:amount returned:amount winnings:amount corrections:amount base:amount "
                "base_czk:money",
            ),
        ),
        shown=_fields("base:money percent:count tax:money is_over:flag"),
        address="/books/{period}/tax",
        page="/books?period={period}",
    ),
    Compared(api_chain.package_rows, (Part("rows", _fields("file key"), EVERY),)),
    Compared(
        api_rules.tables,
        (
            _part(
                "tables",
                "table",
                "game:games place state:offers round_maximum:maximum limits:limits",
            ),
            _part("games", "game:games", "state:offers plan_version"),
        ),
    ),
)
"""What can be compared."""
