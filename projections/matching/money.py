"""Match money with statements of banks and payment providers: by reference, then by amount and day.

What comes in: the sets of :mod:`projections.matching.money_sets`. What goes out: the status of each
line, added to a tally, and the differences.

One reference may have several lines and entries. If their sums are equal, they are matched
together, as when a bank pays a withdrawal in two parts. Otherwise each entry takes the first line
of its amount; a surplus line is a duplicate or a chargeback, and what remains on both sides is a
difference; one within the tolerance of its day stays open alone. A line without a reference is
paired with an entry of the same amount that no line names, and of the account if the line names
one, by the nearest days within the window; a line that names an account is never paired with an
entry of another one. A deposit and its return cancel each other if no line names them: they come
last, and need no lines.
Where the rules of its day demand a reference, such a line is not paired. A line with a reference of
ours that our books do not contain is never matched by amount. A line of 0 moved no money: it
differs from an entry if no other line names this entry, and otherwise needs none.

Guaranteed: memory is bounded by the items of one amount and by the number of differences.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from projections.matching.coverage import EPOCH
from projections.matching.matching_scope import SPILLING
from projections.matching.money_sets import COSTS, SETS, SHORT
from projections.matching.pairing import pair_by_day
from projections.matching.tally import sums_in
from projections.matching.values import Difference, Entry, LineInForce, LineStatus, Sums

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from projections.matching.matching_scope import MatchingScope
    from projections.matching.tally import Tally
    from projections.store.tables import Store

__all__ = ["match_money", "rounded_or_differs"]

CROWN = 100
OF_DEPOSITS = frozenset({"DepositCredited", "DepositReturned"})

_Amount = tuple[str, int]
"""Kind of issuer, and amount in haléř."""


def match_money(store: Store, scope: MatchingScope, tally: Tally) -> Iterator[Difference]:
    """Match the lines about money; count each line in the tally, and yield the differences."""
    parameters = {"statements": list(scope.covering.periods), "size": scope.size}
    for row in store.rows(COSTS, **parameters):
        tally.add(row["statement"], LineStatus(row["status"]), sums_in(row), row["day"])
    yield from tally.guarded(_of_short_payouts(store, scope, tally))
    left: dict[_Amount, _Unpaired] = defaultdict(_Unpaired)
    unpaired: dict[str, _Unpaired] = defaultdict(_Unpaired)
    rows = store.stream(SETS + SPILLING, **scope.parameters)
    sets = groupby(rows, key=lambda row: (row["is_single"], row["issuer_kind"], row["of_amount"]))
    for (is_single, kind, amount), of_amount in sets:
        matcher = _MoneyMatcher(scope, kind, tally)
        if is_single:
            items = left.pop((kind, amount), _Unpaired())
            for row in of_amount:
                items.lines += [LineInForce(*line) for line in row["of_theirs"]]
                items.entries += [Entry(*entry) for entry in row["of_ours"]]
            yield from tally.guarded(matcher.of_amount(items, unpaired[kind]))
            continue
        for row in of_amount:
            if row["is_plain"]:
                _record_plain(row, tally)
                continue
            lines = sorted((LineInForce(*line) for line in row["of_theirs"]), key=_sort_key)
            entries = sorted((Entry(*entry) for entry in row["of_ours"]), key=_sort_key)
            is_cancelled = not lines and _are_cancelled(entries)
            unnamed = entries
            if lines and entries:
                unnamed = []
                yield from tally.guarded(matcher.of_reference(lines, entries, unnamed))
                lines = []
            for line in lines:
                left[kind, line.amount].lines.append(line)
            for entry in unnamed:
                items = left[kind, entry.amount]
                (items.cancelled if is_cancelled else items.entries).append(entry)
    for (kind, _), items in sorted(left.items(), key=itemgetter(0)):
        matcher = _MoneyMatcher(scope, kind, tally)
        yield from tally.guarded(matcher.of_amount(items, unpaired[kind]))
    for kind, of_kind in sorted(unpaired.items()):
        yield from tally.guarded(_MoneyMatcher(scope, kind, tally).of_unpaired(of_kind))


def _of_short_payouts(store: Store, scope: MatchingScope, tally: Tally) -> Iterator[Difference]:
    """Compare payouts with the lines of their batch: a provider may not keep a part of it.

    A payout of more is no difference: the first lines of a batch may be in an earlier statement. A
    difference is that of a total, line 0: no line of the batch alone explains it.
    """
    for row in store.rows(SHORT, **scope.parameters):
        lines = []
        for position, size, booked_on, statement, _, fee in row["payouts"]:
            day = (booked_on - EPOCH).days
            lines.append(
                LineInForce(
                    statement, 0, position, row["issuer"], "settlement", day, -size, fee, 0, 0,
                    row["batch"], row["batch"], "",
                )
            )  # fmt: skip
            tally.move(statement, LineStatus.TOTAL_DIFFERS, Sums(1, -size, fee), day)
        last = lines[-1]
        due = Entry(
            last.position, 0, "total", row["batch"], "", "", row["amount"] - row["rest"],
            0, 0, last.day, last.day, 0, True,
        )  # fmt: skip
        rules = scope.rules_on(last.day)
        yield Difference(LineStatus.TOTAL_DIFFERS, (due,), tuple(lines), rules=rules)


def _record_plain(row: dict[str, Any], tally: Tally) -> None:
    tally.add(row["statement"], LineStatus.REFERENCE, sums_in(row))
    if row["paid_out_in"]:
        sums = Sums(row["lines"], -row["amount"], row["payout_fee"])
        tally.move(row["paid_out_in"], LineStatus.SETTLEMENT, sums, row["payout_day"])


def _sort_key(one: LineInForce | Entry) -> tuple[int, tuple[int, ...]]:
    return one.day, one.order


def _sum(all_of: Iterable[LineInForce | Entry]) -> int:
    return sum(one.amount for one in all_of)


def rounded_or_differs(theirs: int, ours: int) -> LineStatus:
    """Return ``ROUNDED`` if the amount was rounded to whole crowns, otherwise ``DIFFERS``."""
    is_rounded = theirs % CROWN == 0 and abs(theirs - ours) < CROWN
    return LineStatus.ROUNDED if is_rounded else LineStatus.DIFFERS


def _are_cancelled(entries: Sequence[Entry]) -> bool:
    """Return whether entries of one reference are a deposit and its return."""
    return _sum(entries) == 0 and all(entry.event in OF_DEPOSITS for entry in entries)


class _Unpaired:
    """Lines and entries without a partner; ``cancelled`` are deposits with their return."""

    def __init__(self) -> None:
        """Start empty."""
        self.lines: list[LineInForce] = []
        self.entries: list[Entry] = []
        self.cancelled: list[Entry] = []


class _MoneyMatcher:
    """Matches lines and entries of one kind of issuer, and counts them in the tally."""

    def __init__(self, scope: MatchingScope, kind: str, tally: Tally) -> None:
        """Store the scope with its rules, the kind of issuer, and the tally."""
        self._scope = scope
        self._kind = kind
        self._today = scope.today
        self._tally = tally

    def of_reference(
        self, lines: Sequence[LineInForce], entries: Sequence[Entry], unnamed: list[Entry]
    ) -> Iterator[Difference]:
        """Match the lines and entries of one reference.

        Entries without a line are added to ``unnamed``: a line without a reference may be theirs.

        If only their total sums are equal (incoming and outgoing together), all of them match;
        otherwise each direction is matched separately. A line of 0 has the direction of the first
        entry.
        """
        if any(line.amount for line in lines):
            self._of_zero(line for line in lines if not line.amount)
            lines = [line for line in lines if line.amount]
        of_zero = entries[0].amount
        directions = [
            (
                [line for line in lines if ((line.amount or of_zero) > 0) == is_in],
                [entry for entry in entries if (entry.amount > 0) == is_in],
            )
            for is_in in (True, False)
        ]
        is_each_even = all(_sum(some) == _sum(ours) for some, ours in directions)
        if _sum(lines) == _sum(entries) and not is_each_even:
            yield from self._together(lines, entries)
            return
        for some, of_ours in directions:
            if _sum(some) == _sum(of_ours):
                yield from self._together(some, of_ours)
            else:
                yield from self._of_direction(some, of_ours, entries[0])
                unnamed += (entry for entry in of_ours if entry.is_covered)

    def _of_zero(self, lines: Iterable[LineInForce]) -> None:
        """Count lines of 0: no entry belongs to them, and a fee that they have is a cost."""
        for line in lines:
            self._tally.record((line,), LineStatus.COST if line.fee else LineStatus.NO_MONEY, ())

    def _together(
        self, lines: Sequence[LineInForce], entries: Sequence[Entry]
    ) -> Iterator[Difference]:
        """Match lines whose sum equals that of the entries.

        Yields a difference if both sides are further apart than the window.
        """
        if not lines:
            return
        days = [entry.day for entry in entries]
        apart = max(lines[-1].day - max(days), min(days) - lines[0].day)
        status = LineStatus.REFERENCE if len(lines) == len(entries) == 1 else LineStatus.TOGETHER
        if apart > self._window_of(lines[-1].day):
            status, rules = LineStatus.LATE, self._scope.rules_on(lines[-1].day)
            yield Difference(status, tuple(entries), tuple(lines), days_apart=apart, rules=rules)
        self._tally.record(lines, status, entries)

    def _of_direction(
        self, lines: list[LineInForce], entries: list[Entry], first: Entry
    ) -> Iterator[Difference]:
        """Match lines and entries of one direction (in or out) whose sums differ; remove them.

        An entry that a statement must contain comes first: a deposit by card and the payout of a
        batch may have one name, and of these only the payout is due at the bank.
        """
        taken: dict[int, Entry] = {}
        for entry in sorted(entries, key=lambda one: not one.is_due):
            line = next((one for one in lines if one.amount == entry.amount), None)
            if line is not None:
                lines.remove(line)
                entries.remove(entry)
                taken[entry.amount] = entry
                yield from self._together([line], [entry])
        if lines and entries:
            is_less = abs(_sum(lines)) < abs(_sum(entries))
            if is_less and self._may_continue(lines[-1]) and not self._is_tolerated(lines, entries):
                self._tally.record(lines, LineStatus.WAITING, entries)
                self._tally.add_waiting((*lines, *entries), self._window_of)
            else:
                yield self._differing(lines, entries)
            entries.clear()
            return
        for line in lines:
            if line.amount in taken:
                yield self._differences(LineStatus.DOUBLE, (taken[line.amount],), (line,))
            elif self._may_continue(line):
                self._tally.record((line,), LineStatus.WAITING, ())
                self._tally.add_waiting((line,), self._window_of)
            elif (line.amount > 0) != (first.amount > 0):
                yield self._differences(LineStatus.CHARGED_BACK, (first,), (line,))
            else:
                yield self._differences(LineStatus.NOT_IN_BOOKS, (), (line,))

    def of_amount(self, items: _Unpaired, unpaired: _Unpaired) -> Iterator[Difference]:
        """Pair lines and entries of one amount; append the unpaired ones to ``unpaired``.

        Deposits that their return cancels come last.
        """
        named: dict[str, list[LineInForce]] = defaultdict(list)
        for line in items.lines:
            if not line.amount:
                self._of_zero([line])
            elif self._is_bound(line) or not self._scope.rules_on(line.day).by_amount:
                unpaired.lines.append(line)
            else:
                named[line.account].append(line)
        free: dict[str, _Unpaired] = defaultdict(_Unpaired)
        for entry in items.entries:
            free[entry.account].entries.append(entry)
        for entry in items.cancelled:
            free[entry.account].cancelled.append(entry)
        anonymous, everybody = named.pop("", []), _Unpaired()
        for account, of_account in sorted(named.items()):
            yield from self._paired(of_account, free[account], unpaired)
        for of_one in free.values():
            everybody.entries += of_one.entries
            everybody.cancelled += of_one.cancelled
        yield from self._paired(anonymous, everybody, unpaired)
        unpaired.entries += everybody.entries
        unpaired.cancelled += everybody.cancelled

    def _paired(
        self, lines: list[LineInForce], free: _Unpaired, unpaired: _Unpaired
    ) -> Iterator[Difference]:
        """Pair lines with free entries, and remove these; append other lines to ``unpaired``."""
        pairs, single_lines, _ = pair_by_day(
            lines, free.entries, self._window_of, last=free.cancelled
        )
        known: dict[tuple[str, str], Entry] = {}
        for line, entry in pairs:
            self._tally.record((line,), LineStatus.AMOUNT, (entry,))
            known[line.issuer, line.their_reference] = entry
        for line in single_lines:
            entry_of = known.get((line.issuer, line.their_reference))
            if entry_of is None or not line.their_reference:
                unpaired.lines.append(line)
            else:
                yield self._differences(LineStatus.DOUBLE, (entry_of,), (line,))
        paired = {entry.order for _, entry in pairs}
        free.entries = [entry for entry in free.entries if entry.order not in paired]
        free.cancelled = [entry for entry in free.cancelled if entry.order not in paired]

    def of_unpaired(self, unpaired: _Unpaired) -> Iterator[Difference]:
        """Match unpaired items of one account with different amounts; report the others.

        What is left of a deposit and its return is reported unless it still cancels itself.
        """
        cancelled: dict[str, list[Entry]] = defaultdict(list)
        for entry in unpaired.cancelled:
            cancelled[entry.reference].append(entry)
        for of_reference in cancelled.values():
            if _sum(of_reference):
                unpaired.entries += of_reference
        lines: dict[tuple[str, bool], list[LineInForce]] = defaultdict(list)
        entries: dict[tuple[str, bool], list[Entry]] = defaultdict(list)
        for line in unpaired.lines:
            is_free = not self._is_bound(line) and self._scope.rules_on(line.day).by_amount
            lines[line.account if is_free else "", line.amount > 0].append(line)
        for entry in unpaired.entries:
            entries[entry.account, entry.amount > 0].append(entry)
        for group in sorted(lines.keys() | entries.keys()):
            of_theirs, of_ours = lines[group], entries[group]
            if group[0]:
                pairs, of_theirs, of_ours = pair_by_day(of_theirs, of_ours, self._window_of)
                for line, entry in pairs:
                    yield self._differing([line], [entry])
            for line in of_theirs:
                if self._may_continue(line):
                    self._tally.record((line,), LineStatus.WAITING, ())
                    self._tally.add_waiting((line,), self._window_of)
                else:
                    yield self._differences(LineStatus.NOT_IN_BOOKS, (), (line,))
            yield from self._missing(of_ours)

    @staticmethod
    def _is_bound(line: LineInForce) -> bool:
        """Return whether a line has a reference of ours, or a foreign currency as its kind."""
        return bool(line.reference) or not line.kind.islower()

    def _may_continue(self, line: LineInForce) -> bool:
        """Return whether the window of a line is open: its counterpart may still come."""
        return line.day + self._window_of(line.day) >= self._today

    def _window_of(self, day: int) -> int:
        """Return how many days may lie between an entry and a line of a day."""
        return self._scope.rules_on(day).window_of(self._kind)

    def _is_tolerated(self, lines: Sequence[LineInForce], entries: Sequence[Entry]) -> bool:
        """Return whether the sums differ by no more than the tolerance, on days near enough."""
        day = lines[-1].day
        is_near = min(abs(day - entry.day) for entry in entries) <= self._window_of(day)
        return is_near and abs(_sum(lines) - _sum(entries)) <= self._scope.rules_on(day).tolerance

    def _differing(self, lines: Sequence[LineInForce], entries: Sequence[Entry]) -> Difference:
        if self._is_tolerated(lines, entries):
            self._tally.record_tolerated(lines, entries, _sum(lines) - _sum(entries))
            rules = self._scope.rules_on(lines[-1].day)
            return Difference(LineStatus.TOLERATED, tuple(entries), tuple(lines), rules=rules)
        status = rounded_or_differs(_sum(lines), _sum(entries))
        return self._differences(status, tuple(entries), tuple(lines))

    def _differences(
        self, status: LineStatus, ours: tuple[Entry, ...], theirs: tuple[LineInForce, ...]
    ) -> Difference:
        is_told = status in {LineStatus.DOUBLE, LineStatus.CHARGED_BACK}
        self._tally.record(theirs, status, () if is_told else ours)
        return Difference(
            status, ours, theirs, rules=self._scope.rules_on((theirs or ours)[-1].day)
        )

    def _missing(self, entries: Iterable[Entry]) -> Iterator[Difference]:
        for entry in entries:
            if entry.is_due:
                self._tally.record((), LineStatus.NOT_IN_STATEMENT, (entry,))
                rules = self._scope.rules_on(entry.day)
                yield Difference(LineStatus.NOT_IN_STATEMENT, (entry,), (), rules=rules)
            else:
                self._tally.add_waiting((entry,), self._window_of)
