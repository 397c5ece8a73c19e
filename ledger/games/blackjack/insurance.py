"""Insurance against a dealer's blackjack: when it may be taken, and for how much.

The offer ends with the first action on the box. If a game lets a player insure more after a paid
split or double, the offer stays open for that player until the first hit on the box.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.games.api.contract import Code, SettlementError
from ledger.games.blackjack.boxes import Box, ExtraStake
from ledger.games.blackjack.rules import InsuranceTerms

if TYPE_CHECKING:
    from ledger.games.api.contract import Wager


def insure(
    box: Box,
    player: str,
    stake_haler: int,
    *,
    terms: InsuranceTerms,
    table_haler_min: int | None,
) -> None:
    """Add an insurance of a player to the box.

    Raises:
        SettlementError: ACTION_NOT_ALLOWED at the wrong time, INVALID_STAKE if the stake is not a
            positive amount, STAKE_MISMATCH if it is not an allowed amount.

    """
    wager = box.mains[player]
    insured = box.insured.get(player, [])
    if player in box.paid_early or not (
        _may_insure_more(box, wager, terms) if insured else not box.has_moved
    ):
        raise SettlementError(
            Code.ACTION_NOT_ALLOWED,
            Phrase("INSURANCE_TOO_LATE", player=player, box=box.name),
        )
    if stake_haler <= 0:
        raise SettlementError(Code.INVALID_STAKE, Phrase("INSURANCE_NOT_POSITIVE"))
    if not _fits(box, player, stake_haler, terms, table_haler_min):
        raise SettlementError(
            Code.STAKE_MISMATCH, Phrase("INSURANCE_AMOUNT_WRONG", amount=stake_haler)
        )
    box.insured[player] = [*insured, stake_haler]
    number = f":{len(insured) + 1}" if insured else ""
    box.extras.append(ExtraStake(f"{wager.id}:insurance{number}", wager, stake_haler, None))


def _may_insure_more(box: Box, wager: Wager, terms: InsuranceTerms) -> bool:
    return (
        terms is InsuranceTerms.TABLE_HALVES
        and not box.has_hit
        and box.own_money_haler(wager.player) > wager.stake_haler
    )


def _fits(
    box: Box, player: str, stake_haler: int, terms: InsuranceTerms, table_haler_min: int | None
) -> bool:
    stake = box.mains[player].stake_haler
    match terms:
        case InsuranceTerms.HALF:
            return stake_haler == stake // 2
        case InsuranceTerms.UP_TO_HALF:
            return 2 * stake_haler <= stake
        case InsuranceTerms.TABLE_HALVES:
            together = stake_haler + sum(box.insured.get(player, ()))
            is_multiple = not table_haler_min or 2 * stake_haler % table_haler_min == 0
            return is_multiple and 2 * together <= box.own_money_haler(player)
