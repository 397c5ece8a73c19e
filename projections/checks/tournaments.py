# settled = true
#
# [POOL_WRONG]
# name.en = "Prize pool divided wrongly"
# name.cs = "Peníze turnaje jsou rozděleny chybně"
# text.en = "The money of the tournament is divided wrongly, by {amount:money}: {detail:phrase}."
# text.cs = "Peníze turnaje jsou rozděleny chybně, o {amount}: {detail}."
#
# [PRIZE_WRONG]
# name.en = "Prize recorded wrongly"
# name.cs = "Výhra v turnaji je zaznamenána chybně"
# text.en = """\
#   The prize recorded as due differs by {amount:money} from what the plan gives: \
#   {detail:phrase}."""
# text.cs = """\
#   Výhra zaznamenaná jako náležející se liší o {amount} od té, kterou dává herní plán: \
#   {detail}."""
#
# [PRIZE_TOO_LITTLE]
# name.en = "Prize too little"
# name.cs = "Výhra v turnaji je nižší, než náleží"
# text.en = "{amount:money} less prize were paid than is due."
# text.cs = "Na výhře bylo vyplaceno o {amount} méně, než náleží."
#
# [PRIZE_TOO_MUCH]
# name.en = "Prize too much"
# name.cs = "Výhra v turnaji je vyšší, než náleží"
# text.en = "{amount:money} more prize were paid than is due."
# text.cs = "Na výhře bylo vyplaceno o {amount} více, než náleží."
#
# [TOURNAMENT_IMPOSSIBLE]
# name.en = "Tournament that can't be settled"
# name.cs = "Turnaj nelze vyhodnotit"
# text.en = "The tournament can't be settled as recorded: {detail:phrase}."
# text.cs = "Turnaj nelze podle záznamu vyhodnotit: {detail}."
#
# [ANNOUNCED_TOO_LATE]
# name.en = "Tournament announced too late"
# name.cs = "Turnaj byl vypsán pozdě"
# text.en = """\
#   The tournament began less than {figures.announced_days.value:count} days after its \
#   announcement: {detail:local}."""
# text.cs = "Turnaj začal dříve než {figures.announced_days.value} dní po svém vypsání: {detail}."
#
# [ENTRY_RETURN_WRONG]
# name.en = "Payment into a tournament returned wrongly"
# name.cs = "Platba do turnaje byla vrácena chybně"
# text.en = "{amount:money} of a payment into the tournament went back wrongly: {detail:phrase}."
# text.cs = "{amount} z platby do turnaje bylo vráceno chybně: {detail}."
#
# [ENTRY_NOT_RETURNED]
# name.en = "Payment into a cancelled tournament not returned"
# name.cs = "Platba do zrušeného turnaje nebyla vrácena"
# text.en = "The tournament was cancelled, {amount:money} did not go back."
# text.cs = "Turnaj byl zrušen, {amount} nebylo vráceno."
#
# [ENTRY_NOT_ALLOWED]
# name.en = "Tournament entry not allowed"
# name.cs = "Nedovolený vstup do turnaje"
# text.en = "{amount:money} were paid into the tournament against its rules: {detail:phrase}."
# text.cs = "{amount} bylo do turnaje zaplaceno v rozporu s pravidly: {detail}."
# paragraph = "69GAMES tournament rules, kinds of tournament"
#
# [FEE_NOT_ALLOWED]
# name.en = "Tournament fee outside the plan"
# name.cs = "Poplatek turnaje mimo herní plán"
# text.en = "The fee of the tournament is outside the plan: {detail:phrase}."
# text.cs = "Poplatek turnaje není v mezích herního plánu: {detail}."
# paragraph = "69GAMES tournament rules, Payouts"
#
# [DEAL_WRONG]
# name.en = "Deal without all players"
# name.cs = "Dohoda bez všech hráčů"
# text.en = "The deal is not one of all players in play: {detail:phrase}."
# text.cs = "Dohodu neuzavřeli všichni hráči, kteří byli ve hře: {detail}."
# paragraph = "69GAMES tournament rules, Deal"

"""Replay tournaments event by event, settle them again, and report violations.

What comes in: rows of the event tables. What goes out: histories of tournaments, and findings about
the pool, the prizes and the returns. Money is haléř.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ledger import games
from ledger.core.clock import in_prague
from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from ledger.games.tournament import check_entries
from projections.findings.finding import DetectedFinding
from projections.resettlement.faults import fault_of
from projections.resettlement.tournament import (
    Pool,
    Prize,
    Tournament,
    pool_of,
    prizes_of,
    wager_of,
    why_not_over,
)
from projections.store.events import EventAt, read_events

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from projections.store.operator import PublishedRules
    from projections.store.tables import Store

__all__ = [
    "TournamentHistory",
    "check_tournament",
    "tournament_histories",
    "tournament_histories_in",
]


TOURNAMENT_EVENTS = (
    "TournamentAnnounced",
    "TournamentStarted",
    "TournamentEntryPaid",
    "TournamentEntryReturned",
    "HandStarted",
    "MisdealDeclared",
    "PrizePoolFixed",
    "PlayerEliminated",
    "ChipsHandedBack",
    "DealAgreed",
    "TournamentEnded",
    "TournamentCancelled",
    "TournamentPrizePaid",
)


@dataclass(slots=True)
class TournamentHistory:
    """One tournament, its checks so far, and the settlement by its plan.

    ``fixed`` holds each recorded prize pool with the pool computed at that event (or the reason why
    it cannot be computed); ``ended`` is the event of the end. ``right_pool`` and ``right_prizes``
    are computed at the end, ``problem`` is the reason if that is impossible.
    """

    tournament: str
    state: Tournament | None = None
    announced_position: int = 0
    started: EventAt[e.TournamentStarted] | None = None
    fixed: list[tuple[EventAt[e.PrizePoolFixed], Pool | Phrase]] = field(default_factory=list)
    ended: EventAt[e.TournamentEnded] | None = None
    cancelled: EventAt[e.TournamentCancelled] | None = None
    right_pool: Pool | None = None
    right_prizes: list[Prize] = field(default_factory=list)
    problem: Phrase | None = None
    prizes: list[EventAt[e.TournamentPrizePaid]] = field(default_factory=list)
    wrong_entries: list[tuple[EventAt[e.TournamentEntryPaid], Phrase]] = field(default_factory=list)
    wrong_returns: list[tuple[EventAt[e.TournamentEntryReturned], Phrase]] = field(
        default_factory=list
    )
    hands: int = 0
    addons: dict[str, EventAt[e.TournamentEntryPaid]] = field(default_factory=dict)
    wrong_deals: list[tuple[int, str, Phrase]] = field(default_factory=list)


def tournament_histories(store: Store, size: int, *, name: str = "") -> list[TournamentHistory]:
    """Replay the tournaments below a position, all or the named one, in order of announcement."""
    one = "tournament != '' AND ({name:String} = '' OR tournament = {name:String})"
    wanted = dict.fromkeys(TOURNAMENT_EVENTS, one)
    return tournament_histories_in(read_events(store, wanted, first=0, end=size, name=name))


def tournament_histories_in(events: Iterable[EventAt[Any]]) -> list[TournamentHistory]:
    """Replay tournaments from their events, which must be in the order of the chain."""
    found: dict[str, TournamentHistory] = {}
    for at in events:
        name = at.event.tournament
        history = found.setdefault(name, TournamentHistory(name))
        _check(history, at)
        _apply(history, at)
    return [history for history in found.values() if history.state is not None]


def _check(history: TournamentHistory, at: EventAt[Any]) -> None:
    """Check an event against the state of its tournament before it."""
    match at.event:
        case e.TournamentAnnounced():
            history.announced_position = history.announced_position or at.position
        case e.TournamentStarted():
            history.started = history.started or at
        case e.HandStarted() as event:
            history.hands += 1
            early = [history.addons.pop(name) for name in event.accounts if name in history.addons]
            history.wrong_entries += [(one, Phrase("ADDON_EARLY")) for one in early]
        case e.PrizePoolFixed():
            history.addons.clear()
        case e.DealAgreed() as event:
            history.wrong_deals += _deal_faults(history.state, at.position, event)
        case e.TournamentEntryPaid():
            _check_entry(history, at)
        case e.TournamentPrizePaid():
            history.prizes.append(at)
        case e.TournamentEntryReturned() as event:
            why = _why_not_returned(history.state, event)
            if why:
                history.wrong_returns.append((at, why))
        case e.TournamentCancelled():
            history.cancelled = history.cancelled or at
        case e.TournamentEnded():
            if history.ended is None:
                history.ended = at
                _settle(history)


def _check_entry(history: TournamentHistory, at: EventAt[e.TournamentEntryPaid]) -> None:
    """Check a payment; an add-on is held until the registration ends or its player plays on."""
    why = _why_not_entered(history.state, at.event)
    if why:
        history.wrong_entries.append((at, why))
    elif at.event.kind == "addon":
        history.addons[at.event.account] = at


def _apply(history: TournamentHistory, at: EventAt[Any]) -> None:
    if history.state is not None:
        history.state.follow(at.event)
        if isinstance(at.event, e.PrizePoolFixed):
            history.fixed.append((at, _pool(history.state)))
    elif isinstance(at.event, e.TournamentAnnounced):
        history.state = Tournament(at.event, at.recorded_at)


def _why_not_entered(state: Tournament | None, event: e.TournamentEntryPaid) -> Phrase | None:
    """Return why a payment is not allowed (registration, kind, amount), or None."""
    if state is None:
        return Phrase("NO_SUCH_TOURNAMENT")
    if state.status in {"ended", "cancelled"}:
        return Phrase("TOURNAMENT_WAS", status=state.status)
    if state.pool is not None:
        return Phrase("REGISTRATION_WAS_CLOSED")
    if event.account in state.disqualified:
        return Phrase("PLAYER_WAS_DISQUALIFIED")
    if event.kind == "addon" and state.status == "announced":
        return Phrase("ADDON_EARLY")
    if event.kind == "addon" and any(event.account in names for names in state.out):
        return Phrase("PLAYER_WAS_OUT")
    if event.kind == "re_entry" and event.account in state.playing:
        return Phrase("PLAYER_HAD_CHIPS")
    announced = state.announced
    if event.kind == "rebuy" and event.chips > announced.starting_stack:
        return Phrase("CHIPS_ABOVE_STACK", chips=event.chips, most=announced.starting_stack)
    price = {"rebuy": announced.rebuy, "addon": announced.addon}.get(event.kind, announced.buy_in)
    if event.amount != price:
        return Phrase("AGAINST_ANNOUNCED", paid=event.amount, price=price)
    try:
        plan = state.plan
        entries = [wager_of(one) for one in (*state.payments_of(event.account), event)]
        check_entries(plan.header, entries, plan.formats[announced.format])
    except games.SettlementError as error:
        return error.phrase
    except (KeyError, TypeError):
        return Phrase("NO_TOURNAMENT_OF_KIND", format=announced.format)
    return None


def _deal_faults(
    state: Tournament | None, position: int, event: e.DealAgreed
) -> Iterator[tuple[int, str, Phrase]]:
    """Compare the players of a deal with those in play."""
    playing = state.playing if state is not None else []
    for name in sorted({*playing} ^ {*event.accounts}):
        code = "DEAL_LEAVES_OUT" if name in playing else "DEAL_WITH_ANOTHER"
        yield position, name, Phrase(code, player=name)


def _fee_faults(history: TournamentHistory) -> Iterator[DetectedFinding]:
    """Find an announced fee that the plan does not allow."""
    if history.state is None:
        return
    percent = history.state.announced.fee_percent
    try:
        fee = history.state.plan.fee
        is_allowed = fee.percent_min <= Fraction(percent) <= fee.percent_max
    except (games.SettlementError, TypeError):
        return
    except (ValueError, ZeroDivisionError):
        is_allowed = False
    if not is_allowed:
        least, most = fee.percent_min, fee.percent_max
        detail = Phrase("FEE_PERCENT", percent=percent, least=least, most=most)
        yield DetectedFinding("FEE_NOT_ALLOWED", position=history.announced_position, detail=detail)


def _why_not_returned(state: Tournament | None, event: e.TournamentEntryReturned) -> Phrase | None:
    """Return why the return of a payment is not allowed, or None."""
    if state is None:
        return Phrase("NO_SUCH_TOURNAMENT")
    paid = [entry for entry in state.payments if entry.entry == event.entry]
    if not paid or (paid[0].account, paid[0].amount) != (event.account, event.amount):
        return Phrase("NOT_PAID_LIKE_THIS")
    return None if event.cause == "cancelled" else _why_not_withdrawn(state, event.account)


def _why_not_withdrawn(state: Tournament, account: str) -> Phrase | None:
    if any(account in dealt for dealt in state.dealt.values()):
        return Phrase("PLAYER_HAD_PLAYED")
    if account not in state.playing:
        return Phrase("PLAYER_WAS_OUT")
    if state.deal is not None:
        return Phrase("DEAL_WAS_AGREED")
    if state.pool is not None and state.playing == [account]:
        return Phrase("NOBODY_ELSE_LEFT")
    return None


def _pool(state: Tournament) -> Pool | Phrase:
    try:
        return pool_of(state)
    except (games.SettlementError, ValueError, TypeError) as error:
        return fault_of(error)


def _settle(history: TournamentHistory) -> None:
    """Compute the pool and the prizes of a tournament at its end."""
    if history.state is None:
        history.problem = Phrase("NOT_ANNOUNCED")
        return
    history.problem = why_not_over(history.state)
    if history.problem:
        return
    try:
        history.right_pool, history.right_prizes = pool_of(history.state), prizes_of(history.state)
    except (games.SettlementError, ValueError, TypeError) as error:
        history.problem = fault_of(error)


def check_tournament(
    history: TournamentHistory, published: PublishedRules
) -> list[DetectedFinding]:
    """Check start, fees, entries, prize pool, end and prizes of a tournament against its plan."""
    found = [*_started(history, published), *_fee_faults(history), *_cancelled(history)]
    found += [
        DetectedFinding(
            "ENTRY_NOT_ALLOWED",
            position=position,
            account=event.account,
            amount=event.amount,
            detail=why,
        )
        for (position, _, event), why in history.wrong_entries
    ]
    found += [
        DetectedFinding(
            "ENTRY_RETURN_WRONG",
            position=position,
            account=event.account,
            amount=event.amount,
            detail=why,
        )
        for (position, _, event), why in history.wrong_returns
    ]
    found += [
        DetectedFinding("DEAL_WRONG", position=position, account=account, detail=why)
        for position, account, why in history.wrong_deals
    ]
    if history.ended is None:
        found += [
            DetectedFinding("PRIZE_TOO_MUCH", position=at, account=event.account, amount=event.paid)
            for at, _, event in history.prizes
        ]
    for fixed, right in history.fixed:
        found += _pool_faults(fixed, right)
    if history.ended is not None:
        found += _end_faults(history, history.ended)
        found += _prize_faults(history, history.ended)
    return found


def _started(history: TournamentHistory, published: PublishedRules) -> Iterator[DetectedFinding]:
    if history.started is None or history.state is None:
        return
    position, moment, _ = history.started
    until = published.at_moment(moment).figures.announced_until(moment)
    if history.state.announced_at > until:
        detail = in_prague(history.state.announced_at).isoformat(sep=" ", timespec="minutes")
        yield DetectedFinding("ANNOUNCED_TOO_LATE", position=position, detail=detail)


def _cancelled(history: TournamentHistory) -> Iterator[DetectedFinding]:
    if history.cancelled is None or history.state is None:
        return
    for name, stake in history.state.stakes.items():
        position = history.cancelled.position
        yield DetectedFinding("ENTRY_NOT_RETURNED", position=position, account=name, amount=stake)


def _pool_faults(
    fixed: EventAt[e.PrizePoolFixed], right: Pool | Phrase
) -> Iterator[DetectedFinding]:
    position, _, event = fixed
    if isinstance(right, Phrase):
        yield DetectedFinding("TOURNAMENT_IMPOSSIBLE", position=position, detail=right)
        return
    for name in ("entries", "players", "column", "money_pool", "fee", "top_up", "prize_pool"):
        was, due = getattr(event, name), getattr(right, name)
        if was != due:
            is_money = name not in {"entries", "players", "column"}
            yield DetectedFinding(
                "POOL_WRONG",
                position=position,
                amount=was - due if is_money else 0,
                detail=Phrase(f"POOL_{name.upper()}", recorded=was, right=due),
                about=f"{position} {name}",
            )


def _end_faults(
    history: TournamentHistory, ended: EventAt[e.TournamentEnded]
) -> Iterator[DetectedFinding]:
    position, _, event = ended
    if history.right_pool is None or history.state is None:
        yield DetectedFinding("TOURNAMENT_IMPOSSIBLE", position=position, detail=history.problem)
        return
    for name in ("fee", "top_up", "prize_pool"):
        was, due = getattr(event, name), getattr(history.right_pool, name)
        if was != due:
            yield DetectedFinding(
                "POOL_WRONG",
                position=position,
                amount=was - due,
                detail=Phrase(f"POOL_{name.upper()}", recorded=was, right=due),
                about=f"{position} {name}",
            )
    stakes = dict(zip(event.accounts, event.stakes, strict=False))
    paid_in = history.state.stakes
    for name in dict.fromkeys((*paid_in, *stakes)):
        difference = stakes.get(name, 0) - paid_in.get(name, 0)
        if difference:
            yield DetectedFinding(
                "POOL_WRONG",
                position=position,
                account=name,
                amount=difference,
                detail=Phrase("PAYMENTS_OF", player=name),
            )


def _prize_faults(
    history: TournamentHistory, ended: EventAt[e.TournamentEnded]
) -> Iterator[DetectedFinding]:
    if history.right_pool is None:
        return
    due_of = {prize.account: prize for prize in history.right_prizes}
    recorded: dict[str, tuple[int, int, int]] = {}
    for position, _, event in history.prizes:
        _, due, paid = recorded.get(event.account, (0, 0, 0))
        recorded[event.account] = (position, due + event.due, paid + event.paid)
    for name in dict.fromkeys((*due_of, *recorded)):
        prize = due_of.get(name)
        right = prize.due if prize is not None else 0
        position, due, paid = recorded.get(name, (ended.position, 0, 0))
        place = {"position": position, "account": name}
        if due != right:
            detail = Phrase("MONEY_AGAINST", recorded=due, right=right)
            yield DetectedFinding("PRIZE_WRONG", **place, amount=due - right, detail=detail)  # type: ignore[arg-type]
        if paid < right:
            yield DetectedFinding("PRIZE_TOO_LITTLE", **place, amount=right - paid)  # type: ignore[arg-type]
        elif paid > right:
            yield DetectedFinding("PRIZE_TOO_MUCH", **place, amount=paid - right)  # type: ignore[arg-type]
