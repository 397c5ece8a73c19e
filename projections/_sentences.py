"""One sentence for each event, for people.

What comes in: an event's name and facts. What goes out: a sentence. Money is written as
crowns and moments as a clock in Prague shows them; the schema says which field is which. An
event without a sentence of its own gets its schema's description.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import schemas
from projections._words import clock_time, crowns

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["sentence"]

SENTENCES = {
    # Round
    "RoundOpened": "Round opened at table {table}: {game}, plan version {plan_version}.",
    "BetPlaced": "{account} placed {stake} on {wording}.",
    "BetWithdrawn": "{account} took {amount} back.",
    "BetReturned": "{amount} went back to {account}: {cause} ({paragraph}).",
    "BetRefused": "{stake} of {account} on {bet_code} were refused: {sentence} ({paragraph})",
    "BetsClosed": "No more bets: {bets} bets over {stakes}.",
    "BetConcluded": "The bet of {account} over {amount} was concluded.",
    "CardDealt": "Card {index} was dealt to {recipient}: {card}.",
    "CardRevealed": "Card {index} was turned: {card}.",
    "CardRecordCorrected": "Card {index} was {actual}, not {recorded}; established by {by}.",
    "PlayerDecided": "{account}, hand {hand}: {decision} (by {by}).",
    "PlayerDisconnected": "The connection of {account} broke ({phase}).",
    "PlayerReconnected": "The connection of {account} is back.",
    "WheelSpun": "The wheel was spun {wheel_direction}, the ball {ball_direction}; "
    "{revolutions} turns.",
    "SpinDeclaredInvalid": "The spin does not count: {cause}.",
    "BallLanded": "The ball came to rest in {number}.",
    "ContradictionRecorded": "{about} contradicts the record: {sentence}",
    "RoundReconstructed": "Reconstruction by {by}: {how}; succeeded: {succeeded}.",
    "RoundResulted": "The result was recorded: {wording}.",
    "RoundVoided": "The round was declared void: {ground} ({paragraph}).",
    "BetSettled": "The bet of {account}: {result}; {due} due, {paid} paid ({rule}).",
    "BetVoided": "The bet of {account} was declared void: {ground}; {amount} went back.",
    "WinCorrected": "The payment to {account} was corrected by {difference}: {cause}.",
    "BetCorrected": "The stake of {account} was corrected by {difference}: {cause}.",
    "PrizeWithheld": "{amount} are not due to {account}, {collected} were taken back: {cause} "
    "({paragraph}).",
    "CommandRefused": "{command} was refused: {sentence} ({paragraph})",
    # Account
    "AccountOpened": "Account {account} was opened ({regime}); plan version {plan_version}.",
    "AccountModeChanged": "The account is {regime}; internet: {internet}, on land: {land_based}.",
    "AccountClosed": "The account was closed ({ground}).",
    "AccountRestored": "The account is as before: objection {case} was upheld.",
    "AccountStatement": "The books of {gaming_day} were closed: {opening} before, {closing} now.",
    "RegistrationRefused": "The registration was refused: {sentence} ({paragraph})",
    "PaymentMethodRegistered": "{method} was registered ({method_class}, {masked}); proof: "
    "{verified_how}.",
    "PersonVerified": "Verified: {what}, by {how}.",
    "PersonChanged": "Data of the person were changed.",
    "PersonErased": "The key of the person's data was destroyed.",
    "RegisterChecked": "The register was asked ({occasion}): {answer}; live: {live}.",
    "LoggedIn": "Session {session} began ({mode}).",
    "LoginRefused": "The login was refused: {sentence} ({paragraph})",
    "LoggedOut": "Session {session} ended ({cause}).",
    "SeatTaken": "{account} joined table {table}.",
    "SeatLeft": "{account} left table {table}.",
    "CancellationRequested": "Cancellation began, by the {by} ({ground}).",
    "CancellationConfirmed": "Notice of the cancellation was sent; objections until "
    "{objections_until}.",
    "CancellationWithdrawn": "The participant took the cancellation back.",
    "ObjectionFiled": "Objection {case} was filed: {grounds}.",
    "ObjectionConfirmed": "Receipt of objection {case} was confirmed.",
    "ObjectionDecided": "Objection {case} was decided; upheld: {upheld}.",
    "ComplaintFiled": "Complaint {case} was filed: {grounds}.",
    "ComplaintDecided": "Complaint {case} was decided; upheld: {upheld}.",
    # Protection
    "LimitSet": "Measure {measure} was set to {value} ({change}), from {effective_at}.",
    "LimitDeclined": "Measure {measure} was declined, from {effective_at}.",
    "PanicButtonPressed": "The panic button was pressed; play is blocked until {until}.",
    "PanicButtonReported": "The press was reported; acknowledged: {acknowledged}.",
    "LongExclusionOffered": "A long exclusion was offered and {answer}.",
    "LongExclusionRequested": "A long exclusion was asked for; forwarded: {forwarded}.",
    "ExclusionImposed": "Excluded from play ({ground}), until {until}.",
    "ExclusionEnded": "The exclusion ({ground}) ended.",
    "BreakImposed": "Break of continuous play until {until}.",
    # Money
    "DepositCredited": "{amount} came in by {method} ({method_class}).",
    "DepositRefused": "A deposit of {amount} was refused: {sentence} ({paragraph})",
    "DepositReturned": "A deposit of {amount} went back: {reason}.",
    "WithdrawalRequested": "{amount} were set aside for {method}.",
    "WithdrawalPaid": "{amount} were paid out by {method}.",
    "WithdrawalCancelled": "{amount} are back in the wallet: {reason}.",
    "WithdrawalRefused": "A withdrawal of {amount} was refused: {sentence} ({paragraph})",
    "FeeCharged": "A fee of {amount} was charged: {reason}.",
    "FeeReturned": "{amount} of a fee went back: {reason}.",
    "BalanceReturned": "{amount} of the balance went back by {method}.",
}


def sentence(event: str, facts: Mapping[str, Any]) -> str:
    """Say an event in words; ``facts`` are those of its newest schema."""
    text = SENTENCES.get(event)
    if text is None:
        return str(schemas.newest()[event].raw["doc"])
    units = _units(event)
    return text.format_map({name: _shown(value, units.get(name)) for name, value in facts.items()})


def _shown(value: Any, unit: str | None) -> str:
    if value is None:
        return "further notice"
    if unit == "haler":
        return crowns(value)
    if unit == "microseconds":
        return clock_time(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


@cache
def _units(event: str) -> dict[str, str]:
    return {fact["name"]: fact["unit"] for fact in schemas.newest()[event].facts if "unit" in fact}
