# also = ["DUE_WRONG", "OUTCOME_IMPOSSIBLE", "RESULT_ON_CONTRADICTION"]
# settled = true
#
# [OUTCOME_DIFFERS]
# name.en = "Outcome differs from the hand"
# name.cs = "Výsledek hry neodpovídá jejímu průběhu"
# text.en = "The recorded outcome is not what the facts of the hand give: {detail:phrase}."
# text.cs = "Zaznamenaný výsledek neodpovídá průběhu hry: {detail}."
#
# [POT_WRONG]
# name.en = "Pot recorded wrongly"
# name.cs = "Pot je zaznamenán chybně"
# text.en = "A pot is recorded wrongly by {amount:money}: {detail:phrase}."
# text.cs = "Pot je zaznamenán chybně o {amount}: {detail}."
#
# [UNCALLED_WRONG]
# name.en = "Uncalled money returned wrongly"
# name.cs = "Chybně vrácená nedorovnaná částka"
# text.en = "An uncalled amount was returned wrongly: {detail:phrase}."
# text.cs = "Nedorovnaná částka byla vrácena chybně: {detail}."
# identity = "moving"
#
# [RAKE_WRONG]
# name.en = "Rake recorded wrongly"
# name.cs = "Poplatek z potu je zaznamenán chybně"
# text.en = """\
#   The rake recorded as due differs by {amount:money} from what the plan gives: \
#   {detail:phrase}."""
# text.cs = """\
#   Poplatek z potu zaznamenaný jako náležející se liší o {amount} od toho, který dává herní \
#   plán: {detail}."""
# identity = "moving"
#
# [RAKE_TOO_MUCH]
# name.en = "Too much rake"
# name.cs = "Příliš vysoký poplatek z potu"
# text.en = "{amount:money} more rake were taken than is due."
# text.cs = "Na poplatku z potu bylo vybráno o {amount} více, než náleží."
# identity = "moving"
#
# [RAKE_TOO_LITTLE]
# name.en = "Too little rake"
# name.cs = "Příliš nízký poplatek z potu"
# text.en = "{amount:money} less rake were taken than is due."
# text.cs = "Na poplatku z potu bylo vybráno o {amount} méně, než náleží."
# identity = "moving"
#
# [POINTS_WRONG]
# name.en = "Points recorded wrongly"
# name.cs = "Body jsou zaznamenány chybně"
# text.en = "Points are recorded wrongly, {amount:money} of the first player: {detail:phrase}."
# text.cs = "Body jsou zaznamenány chybně, u prvního hráče o {amount}: {detail}."
#
# [SET_WRONG]
# name.en = "Set of cards judged wrongly"
# name.cs = "Sestava karet je posouzena chybně"
# text.en = "A set of cards is judged wrongly: {detail:phrase}."
# text.cs = "Sestava karet je posouzena chybně: {detail}."
#
# [CARDS_MOVED]
# name.en = "Placed cards moved"
# name.cs = "Přesunuté karty"
# text.en = "The rows differ from where the player placed the cards: {detail:phrase}."
# text.cs = "Sestava se liší od umístění karet v průběhu hry: {detail}."
#
# [ACTION_OVER_LIMIT]
# name.en = "Bet outside the limit"
# name.cs = "Sázka mimo limit turnaje"
# text.en = "The bet is outside the announced limit of the tournament: {detail:phrase}."
# text.cs = "Sázka neodpovídá vypsanému limitu turnaje: {detail}."
#
# [ANTE_MISSING]
# name.en = "Ante not paid"
# name.cs = "Ante nevloženo"
# text.en = "The player paid no ante, {amount:money} are owed."
# text.cs = "Hráč nevložil ante, dluží {amount}."
#
# [CARDS_NOT_PLACED]
# name.en = "Cards not placed street by street"
# name.cs = "Karty neumístěny po kolech"
# text.en = "Rows were set without a placement at each street: {detail:phrase}."
# text.cs = "Řady byly rozloženy bez umístění karet v každém kole: {detail}."
#
# [MISDEAL_WRONG]
# name.en = "Misdeal returned wrongly"
# name.cs = "Při chybném rozdání nebylo vráceno, co bylo vloženo"
# text.en = "A misdeal gave back what was not put in, by {amount:money}: {detail:phrase}."
# text.cs = "Při chybném rozdání nebylo vráceno, co bylo vloženo, rozdíl {amount}: {detail}."
#
# [MISDEAL_TOO_LATE]
# name.en = "Misdeal too late"
# name.cs = "Chybné rozdání prohlášeno pozdě"
# text.en = "The hand was misdealt after {detail:count} players had acted."
# text.cs = "Chybné rozdání bylo prohlášeno, až když hráči jednali; jejich počet: {detail}."
#
# [ACTION_OUTSIDE_HAND]
# name.en = "Action outside the hand"
# name.cs = "Vklad mimo průběh hry"
# text.en = "{amount:money} were put in before the hand began or after it was over."
# text.cs = "{amount} bylo vloženo před začátkem hry nebo po jejím konci."
#
# [ACTION_OUT_OF_TURN]
# name.en = "Action out of turn"
# name.cs = "Akce hráče, který nebyl na řadě"
# text.en = "The player acted when it was not the player's turn: {detail:phrase}."
# text.cs = "Hráč jednal, ač nebyl na řadě: {detail}."
#
# [SHOWN_OUT_OF_ORDER]
# name.en = "Cards shown out of order"
# name.cs = "Karty ukázány mimo pořadí"
# text.en = "The player showed or mucked before another one had to: {detail:phrase}."
# text.cs = "Hráč ukázal nebo zahodil karty dříve než hráč, který byl na řadě: {detail}."
# paragraph = "69GAMES poker rules, Showdown"
#
# [POT_WITHOUT_RESULT]
# name.en = "Pot without a result"
# name.cs = "Výplata ze hry bez výsledku"
# text.en = "{amount:money} of a hand were paid, returned or raked without its result."
# text.cs = """\
#   {amount} ze hry bylo vyplaceno, vráceno nebo vybráno jako poplatek bez jejího výsledku."""

"""Settle a hand among players again from its recorded events, and compare it with the record.

Pure functions: the history and later changes come in; findings and corrections go out. Amounts are
haléř; hands of tournaments are compared in hundredths of a chip.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import partial, reduce
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ledger import games
from ledger.core.phrases import Phrase
from ledger.games import ofc_rules_of
from ledger.games.poker import clockwise_after
from projections.checks.after_result import late_facts_of_hand
from projections.checks.dealing import dealing_faults
from projections.checks.rounds import CheckResult, Correction, money_faults
from projections.findings.finding import DetectedFinding
from projections.resettlement.amendments import UNTOUCHED, Amendment
from projections.resettlement.faults import fault_of
from projections.resettlement.hand import ACTED_FOR_MISDEAL, NO_LIMIT, POT_LIMIT
from projections.resettlement.hand_settlement import outcome_of, settle_hand

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ledger.events import event_types as e
    from projections.resettlement.hand import PokerHand
    from projections.resettlement.hand_settlement import HandSettlement, PointsDue, PotDue
    from projections.resettlement.hands import HandHistory
    from projections.store.events import EventAt

__all__ = ["check_hand"]

OF_SETS = ("ROYALTIES_DIFFER", "FANTASYLAND_OF_SET")
LIMITS = {NO_LIMIT: "WITHOUT_LIMIT", POT_LIMIT: "WITH_POT_LIMIT"}
"""Codes of the limits that a tournament can announce for bets."""
PLACEMENTS = 5
"""Streets of open-face, at each of which a player places cards."""
Ending: TypeAlias = "EventAt[e.PotAwarded] | EventAt[e.PointsSettled]"


def check_hand(
    history: HandHistory, amendments: Mapping[str, Amendment]
) -> CheckResult[HandSettlement]:
    """Settle a hand again and return its findings and corrections."""
    hand = history.hand
    if hand is None:
        return CheckResult(0, [*_strange(history)], [])
    findings = [
        *_strange(history),
        *_sets(history, hand),
        *_not_placed(history, hand),
        *_misdeal(history, hand),
    ]
    if history.resulted is None:
        return CheckResult(0, findings, [])
    position = history.resulted.position
    if hand.doubts:
        doubts = tuple(sorted(hand.doubts, key=str))
        found = DetectedFinding(
            "RESULT_ON_CONTRADICTION", position=position, round=history.round, detail=doubts
        )
        findings.append(found)
    findings += late_facts_of_hand(history, hand)
    try:
        settled = settle_hand(hand)
    except (games.SettlementError, ValueError) as error:
        found = DetectedFinding(
            "OUTCOME_IMPOSSIBLE", position=position, round=history.round, detail=fault_of(error)
        )
        return CheckResult(0, [*findings, found], [])
    findings += _outcome(history, hand)
    findings += _dealing(history, hand)
    findings += _antes(history, hand)
    findings += _uncalled(history, settled)
    findings += _rake(history, settled)
    findings += [*_pots(history, settled), *_points(history, settled)]
    money, corrected = _money(history, hand, settled, amendments)
    return CheckResult(len(hand.payers), findings + money, corrected, settled)


def _outcome(history: HandHistory, hand: PokerHand) -> Iterator[DetectedFinding]:
    """Compare the recorded outcome with the facts of the hand."""
    assert history.resulted is not None  # noqa: S101 - only then is there an outcome
    try:
        recorded = json.loads(history.resulted.event.outcome)
    except (ValueError, RecursionError):
        recorded = None
    again = outcome_of(hand)
    if recorded == again:
        return
    shown = recorded if isinstance(recorded, dict) else {}
    names = [name for name in {**again, **shown} if again.get(name) != shown.get(name)]
    yield DetectedFinding(
        "OUTCOME_DIFFERS",
        position=history.resulted.position,
        round=history.round,
        detail=(
            Phrase("FIELDS_DIFFER", fields=tuple(sorted(names)))
            if names
            else Phrase("ALL_OF_OUTCOME")
        ),
    )


def _dealing(history: HandHistory, hand: PokerHand) -> Iterator[DetectedFinding]:
    """Compare the order of the cards, and the burnt ones, with the plan."""
    assert history.resulted is not None  # noqa: S101 - only then is the hand over
    started = hand.started
    recipients = [card.recipient for card in hand.dealt]
    seats = clockwise_after(started.accounts, started.button)
    for code, detail, paragraph in dealing_faults(started.game, recipients, seats):
        yield DetectedFinding(
            code,
            position=history.resulted.position,
            round=history.round,
            detail=detail,
            paragraph=paragraph,
            about=str(detail),
        )


def _antes(history: HandHistory, hand: PokerHand) -> Iterator[DetectedFinding]:
    """Find players who did not pay the ante of the hand."""
    assert history.resulted is not None  # noqa: S101 - only then is the hand over
    for name in hand.antes_missing():
        yield DetectedFinding(
            "ANTE_MISSING",
            position=history.resulted.position,
            account=name,
            round=history.round,
            amount=hand.started.ante,
        )


def _uncalled(history: HandHistory, settled: HandSettlement) -> Iterator[DetectedFinding]:
    due = settled.uncalled or ("", 0)
    back: dict[str, int] = {}
    for _, _, event in history.uncalled:
        back[event.account] = back.get(event.account, 0) + event.amount
    for name in sorted({due[0], *back} - {""}):
        right, recorded = (due[1] if name == due[0] else 0), back.get(name, 0)
        if right != recorded:
            yield _finding(
                history,
                "UNCALLED_WRONG",
                history.uncalled,
                account=name,
                amount=recorded - right,
                detail=Phrase("MONEY_AGAINST", recorded=recorded, right=right),
                paragraph=settled.rule,
            )


def _rake(history: HandHistory, settled: HandSettlement) -> Iterator[DetectedFinding]:
    due = sum(event.due for _, _, event in history.rake)
    taken = sum(event.amount for _, _, event in history.rake)
    if due != settled.rake:
        yield _finding(
            history,
            "RAKE_WRONG",
            history.rake,
            amount=due - settled.rake,
            detail=Phrase("MONEY_AGAINST", recorded=due, right=settled.rake),
        )
    if taken > settled.rake:
        yield _finding(history, "RAKE_TOO_MUCH", history.rake, amount=taken - settled.rake)
    elif taken < settled.rake:
        yield _finding(history, "RAKE_TOO_LITTLE", history.rake, amount=settled.rake - taken)


def _pots(history: HandHistory, settled: HandSettlement) -> Iterator[DetectedFinding]:
    found = partial(_finding, history, "POT_WRONG", history.pots, paragraph=settled.rule)
    recorded = Counter(at.event.pot for at in history.pots)
    for number, pot in enumerate(settled.pots):
        if not recorded[number]:
            detail = _of_pot(number, Phrase("POT_NOT_RECORDED"))
            yield found(amount=-pot.amount, detail=detail, about=f"pot {number}")
    due = dict(enumerate(settled.pots))
    for position, _, event in history.pots:
        pot_due = due.get(event.pot)
        faults = [Phrase("NO_SUCH_POT")] if pot_due is None else [*_pot_faults(event, pot_due)]
        if faults:
            yield found(
                position=position,
                amount=event.amount - (pot_due.amount if pot_due is not None else 0),
                detail=_of_pot(event.pot, *faults),
                about=f"pot {event.pot}",
            )


def _of_pot(number: int, *faults: Phrase) -> Phrase:
    if number:
        return Phrase("SIDE_POT", number=number, faults=faults)
    return Phrase("MAIN_POT", faults=faults)


def _pot_faults(event: e.PotAwarded, pot: PotDue) -> Iterator[Phrase]:
    if (event.amount, event.rake) != (pot.amount, pot.rake):
        yield Phrase("MONEY_AGAINST", recorded=event.amount, right=pot.amount)
    if event.eligible != pot.eligible:
        yield Phrase("POT_OPEN_TO", recorded=event.eligible, right=pot.eligible)
    if event.winners != pot.winners:
        yield Phrase("POT_WON_BY", recorded=event.winners, right=pot.winners)
    stakes = dict(zip(event.accounts, event.stakes, strict=False))
    if {name: stake for name, stake in stakes.items() if stake} != pot.stakes:
        yield Phrase("POT_OF_OTHER_STAKES")


def _points(history: HandHistory, settled: HandSettlement) -> Iterator[DetectedFinding]:
    points: PointsDue | None = settled.points
    if points is None:
        return
    recorded: dict[str, tuple[int, int]] = {}
    for _, _, event in history.points:
        for pair, count, amount in zip(event.pairs, event.points, event.amounts, strict=False):
            recorded[pair] = (count, amount)
    for pair, count in points.points.items():
        was = recorded.get(pair, (0, 0))
        right = (count, points.amounts[pair])
        if was != right:
            player, _, other = pair.partition("|")
            yield _finding(
                history,
                "POINTS_WRONG",
                history.points,
                amount=was[1] - right[1],
                detail=Phrase(
                    "POINTS_OF_PAIR",
                    player=player,
                    other=other,
                    recorded=f"{was[0]:+d}",
                    right=f"{right[0]:+d}",
                ),
                about=pair,
                paragraph=settled.rule,
            )


def _money(
    history: HandHistory,
    hand: PokerHand,
    settled: HandSettlement,
    amendments: Mapping[str, Amendment],
) -> tuple[list[DetectedFinding], list[Correction]]:
    """Compare each player's payment, including later changes, with the amount due by the plan."""
    ends = _ends(history)
    recorded, paid = _sums(ends, "due"), _sums(ends, "paid")
    right: dict[str, int] = dict(settled.points.due) if settled.points else {}
    for pot in settled.pots:
        for name, share in pot.due.items():
            right[name] = right.get(name, 0) + share
    findings: list[DetectedFinding] = []
    corrected: list[Correction] = []
    for name in dict.fromkeys((*hand.payers, *paid)):
        bet = hand.bet_of(name) if name in hand.started.accounts else ""
        change = amendments.get(bet, UNTOUCHED)
        due = max(right.get(name, 0) - change.withheld, 0)
        before, now = paid.get(name, 0), paid.get(name, 0) + change.win - change.collected
        if now == due and change.last_position:
            corrected.append(
                Correction(change.last_position, name, history.round, bet, before, now, due)
            )
            continue
        found = partial(_finding, history, at=ends, account=name, bet=bet, paragraph=settled.rule)
        old, new = recorded.get(name, 0), right.get(name, 0)
        if old != new:
            detail = Phrase("MONEY_AGAINST", recorded=old, right=new)
            findings.append(found("DUE_WRONG", amount=old - new, detail=detail))
        findings += [found(code, amount=amount) for code, amount in money_faults(now - due, change)]
    return findings, corrected


def _ends(history: HandHistory) -> list[Ending]:
    """Return the events that pay out the money of a hand: pots, and points of open-face poker."""
    return [*history.pots, *history.points]


def _sums(ends: Sequence[Ending], field: Literal["due", "paid"]) -> dict[str, int]:
    sums: dict[str, int] = {}
    for _, _, event in ends:
        for name, amount in zip(event.accounts, getattr(event, field), strict=False):
            sums[name] = sums.get(name, 0) + amount
    return sums


def _sets(history: HandHistory, hand: PokerHand) -> Iterator[DetectedFinding]:
    """Check each open-face set again: foul, royalties, Fantasyland."""
    started = hand.started
    rules = None
    if history.sets:
        try:
            rules = ofc_rules_of(games.plan(started.game, started.plan_version))
        except games.SettlementError:
            return  # reported as PLAN_UNKNOWN
    for position, _, event in history.sets if rules is not None else ():
        assert rules is not None  # noqa: S101 - the loop is empty otherwise
        try:
            rows = {
                row: games.parse_cards(getattr(event, row)) for row in ("front", "middle", "back")
            }
            ranked = games.rank_set(rules.rows, rows)
        except (games.SettlementError, ValueError, KeyError, IndexError):
            continue  # the settlement reports faulty cards
        cards = games.fantasyland_cards(
            rules.rows.fantasyland, ranked, is_there=event.account in started.in_fantasyland
        )
        right = (ranked.fouled, ranked.royalties, cards or 0)
        was = (event.foul, event.royalties, event.fantasyland)
        if was != right:
            yield DetectedFinding(
                "SET_WRONG",
                position=position,
                account=event.account,
                round=history.round,
                detail=_differences_of_set(was, right),
                paragraph=rules.rule,
            )


def _differences_of_set(was: tuple[bool, int, int], right: tuple[bool, int, int]) -> Phrase:
    """Return which of foul, royalties and Fantasyland differ."""
    differ = []
    if was[0] != right[0]:
        differ.append(Phrase("FOUL_UNFOUNDED" if was[0] else "FOUL_MISSED"))
    for code, old, new in zip(OF_SETS, was[1:], right[1:], strict=True):
        if old != new:
            differ.append(Phrase(code, recorded=old, right=new))
    return reduce(lambda first, second: Phrase("TWO_DETAILS", first=first, second=second), differ)


def _not_placed(history: HandHistory, hand: PokerHand) -> Iterator[DetectedFinding]:
    """Find sets recorded only as a whole, outside Fantasyland, so that no street can be checked."""
    for position, _, event in history.sets:
        placed = len(hand.placements.get(event.account, ()))
        if event.account not in hand.started.in_fantasyland and placed < PLACEMENTS:
            yield DetectedFinding(
                "CARDS_NOT_PLACED",
                position=position,
                account=event.account,
                round=history.round,
                detail=Phrase("PLACEMENTS_OF", count=placed, due=PLACEMENTS),
            )


def _strange(history: HandHistory) -> Iterator[DetectedFinding]:
    """Find events out of place: money after the end of the hand, an action out of turn."""
    for position, _, act in history.late:
        yield DetectedFinding(
            "ACTION_OUTSIDE_HAND",
            position=position,
            account=act.account,
            round=history.round,
            bet=act.bet,
            amount=act.amount,
        )
    hand = history.hand
    for position, _, event in history.sets if hand is not None else ():
        placements = hand.placements.get(event.account, []) if hand is not None else []
        for row in ("front", "middle", "back", "discards") if placements else ():
            placed = {card for one in placements for card in getattr(one, row)}
            moved = placed ^ set(getattr(event, row))
            if moved:
                yield DetectedFinding(
                    "CARDS_MOVED",
                    position=position,
                    account=event.account,
                    round=history.round,
                    detail=Phrase("CARDS_OF_ROW", row=row, cards=tuple(sorted(moved))),
                    about=row,
                )
    is_ordered = hand is not None and hand.has_order_of_showing
    for code, acts in (
        ("ACTION_OUT_OF_TURN", history.out_of_turn),
        ("SHOWN_OUT_OF_ORDER", history.shown_early if is_ordered else []),
    ):
        for position, _, act in acts:
            yield DetectedFinding(
                code,
                position=position,
                account=act.account,
                round=history.round,
                bet=act.bet,
                detail=Phrase("ACTION_TAKEN", action=act.action),
            )
    for position, _, act in history.over_limit:
        yield DetectedFinding(
            "ACTION_OVER_LIMIT",
            position=position,
            account=act.account,
            round=history.round,
            bet=act.bet,
            detail=Phrase(LIMITS[history.limit]),
        )
    if history.hand is not None and history.resulted is not None:
        return
    paid = [(at.position, sum(at.event.paid)) for at in _ends(history)]
    back = [(at.position, at.event.amount) for at in history.uncalled]
    rake = [(at.position, at.event.amount) for at in history.rake]
    for position, amount in (*paid, *back, *rake):
        yield DetectedFinding(
            "POT_WITHOUT_RESULT", position=position, round=history.round, amount=amount
        )


def _misdeal(history: HandHistory, hand: PokerHand) -> Iterator[DetectedFinding]:
    """Check a misdeal: all money is returned, and fewer than two acted or none can win."""
    void = history.misdeal or history.voided
    if void is None:
        return
    back: dict[str, int] = {}
    if history.misdeal is not None:
        misdeal = history.misdeal.event
        back = dict(zip(misdeal.accounts, misdeal.amounts, strict=False))
    for name in dict.fromkeys((*hand.payers, *back)):
        difference = back.get(name, 0) - hand.total(name)
        if difference:
            yield DetectedFinding(
                "MISDEAL_WRONG",
                position=void.position,
                account=name,
                round=history.round,
                amount=difference,
                detail=Phrase("MONEY_AGAINST", recorded=back.get(name, 0), right=hand.total(name)),
            )
    if len(hand.acted) >= ACTED_FOR_MISDEAL and not _is_without_claim(hand):
        yield DetectedFinding(
            "MISDEAL_TOO_LATE",
            position=void.position,
            round=history.round,
            detail=len(hand.acted),
        )


def _is_without_claim(hand: PokerHand) -> bool:
    """Return whether no player with money in the hand is left, so that it can't be settled."""
    try:
        settle_hand(hand)
    except games.SettlementError as error:
        return error.phrase.code == "POT_WITHOUT_PLAYERS"
    except ValueError:
        return False
    return False


def _finding(
    history: HandHistory, code: str, at: Sequence[EventAt[Any]], **facts: Any
) -> DetectedFinding:
    """Create a finding at the last event that shows it, or at the result if there is none."""
    assert history.resulted is not None  # noqa: S101 - nothing is compared before
    shown = at[-1].position if at else history.resulted.position
    position = facts.pop("position", 0) or shown
    return DetectedFinding(code, position=position, round=history.round, **facts)
