"""One sentence for each event, for people.

What comes in: an event's name and facts. What goes out: a sentence. Money is written as
crowns and moments as a clock in Prague shows them; the schema says which field is which. An
event without a sentence of its own gets its schema's description.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import schemas
from projections.facts.words import clock_time, crowns
from projections.words.catalogue import names_in

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["PLAYED_IN_CHIPS", "sentence"]

SENTENCES = {
    # Round
    "RoundOpened": "Round opened at table {table} (number {registration}): {game}, plan version "
    "{plan_version}{with_devices}.",
    "DeviceAssigned": "{kind} {device} ({serial}) is part of table {table}{in_place_of}.",
    "DeviceRemoved": "{kind} {device} was taken off table {table}: {reason}.",
    "DeviceInspected": "{kind} {device} of table {table} was inspected by {by}; passed: {passed}: "
    "{findings}.",
    "ShoeLoaded": "Shoe {shoe} of {decks} decks stands ready at table {table}: shuffled by "
    "{shuffle_method}, {cut} cards behind the cut card{by_whom}.",
    "RecordingKept": "Camera {camera} shows {begins_at} to {ends_at}; sound: {sound}; kept as "
    "{recording}.",
    "BetPlaced": "{account} placed {stake} on {wording}.",
    "BetWithdrawn": "{account} took {amount} back.",
    "BetReturned": "{amount} went back to {account}: {cause} ({paragraph}).",
    "BetRefused": "{stake} of {account} on {bet_code} were refused: {sentence} ({paragraph})",
    "BetsClosed": "No more bets: {bets} bets over {stakes}.",
    "BetConcluded": "The bet of {account} over {amount} was concluded.",
    "CardDealt": "Card {index} was dealt to {recipient}: {card}.",
    "CardRevealed": "Card {index} was turned: {card}.",
    "CardRecordCorrected": "Card {index} was {actual}, not {recorded}; established by {by}.",
    "PlayerDecided": "{account} decided: {decision}{of_hand} (by {by}).",
    "PlayerDisconnected": "The connection of {account} broke ({phase}).",
    "PlayerReconnected": "The connection of {account} is back.",
    "WheelSpun": "The wheel was spun {wheel_direction}{with_ball}; {revolutions} turns.",
    "WheelStopped": "The wheel came to rest at field {field}.",
    "SpinDeclaredInvalid": "The spin does not count: {cause}.",
    "BallLanded": "The ball came to rest in {number}.",
    "ContradictionRecorded": "{about} contradicts the record: {sentence}",
    "RoundReconstructed": "Reconstruction by {by}: {how}; succeeded: {succeeded}.",
    "RoundResulted": "The result was recorded: {wording}.",
    "RoundVoided": "The round was declared void: {ground} ({paragraph}).",
    "BetSettled": "The bet of {account}: {result}; {due} due, {paid} paid ({rule}).",
    "PayoutHeld": "What the round pays to {account} is on hold by order of {by}: {cause} "
    "({paragraph}).",
    "PayoutReleased": "What the round pays to {account} was released by {by}: {cause}.",
    "RulingGiven": "Ruling of {by} ({role}) on {matter}: {ruling}{of_penalty}.",
    "BetVoided": "The bet of {account} was declared void: {ground}; {amount} went back.",
    "WinCorrected": "The payment to {account} was corrected by {difference}{of_claim}: {cause}.",
    "BetCorrected": "The stake of {account} was corrected by {difference}{of_claim}: {cause}.",
    "PrizeWithheld": "{amount} are not due to {account}, {collected} were taken back{of_claim}: "
    "{cause} "
    "({paragraph}).",
    "ClockMeasured": "The clock was compared with {source_of_time}: {skew} microseconds ahead.",
    "FeedMessageUnmapped": "{provider} told what is not followed ({reason}): {detail}.",
    "BonusAnnounced": "Bonus {bonus} was announced ({kind}): {terms}",
    "BonusGranted": "{account} was given bonus {bonus}, worth {amount}.",
    "CommandRefused": "{command} was refused: {sentence} ({paragraph})",
    # Hands among players
    "HandStarted": "The hand began: {accounts}; button {button}, blinds {small_blind} and "
    "{big_blind}, fee: {fee}.",
    "HandAction": "{account}, {street}: {action}{of_money}.",
    "UncalledReturned": "{amount} went back to {account}: nobody called.",
    "PotAwarded": "Pot {pot} of {amount}, rake {rake}, went to {winners}; paid {paid} ({rule}).",
    "RakeTaken": "Rake of {amount} was taken from {pot}; {due} due, {cap} at most.",
    "TimeCollectionTaken": "Time money of {amount} was taken from {account}.",
    "MisdealDeclared": "Misdeal: {ground}; everything went back to {accounts} ({paragraph}).",
    "HandsSet": "{account} set {front} / {middle} / {back}; foul: {foul}, royalties {royalties}.",
    "PointsSettled": "Points {points} of {pairs}; paid back {paid} ({rule}).",
    "PlayerEliminated": "{accounts} {went_out}; place {place}, {left} left.",
    "SeatDrawn": "{account} got seat {seat} at table {table} ({occasion}).",
    "FaultTold": "{by} told the participants at table {table} ({channels}): {wording}.",
    "CasinoHoursBegan": "Casino {place} opened its doors.",
    "CasinoHoursEnded": "Casino {place} closed its doors.",
    "TournamentAnnounced": "Tournament {name} was announced: {format}, buy-in {buy_in}, fee "
    "{fee_percent} percent, begins {starts_at}.",
    "TournamentStarted": "The tournament began with {entries} entries.",
    "TournamentEntryPaid": "{account} paid {amount} ({kind}) into {tournament}.",
    "TournamentEntryReturned": "{amount} of {tournament} went back to {account}: {cause}.",
    "PrizePoolFixed": "Prize pool {prize_pool} of {entries} entries: column {column}, fee {fee}, "
    "added {top_up}.",
    "DealAgreed": "{accounts} agreed to share {shares}; {playout} is played for.",
    "TournamentEnded": "Tournament {tournament} ended; prize pool {prize_pool}, fee {fee}.",
    "TournamentPrizePaid": "{account} got {paid} for place {place}; {due} due ({rule}).",
    "TournamentCancelled": "Tournament {tournament} was cancelled: {cause}.",
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
    "ErasureDeferred": "The erasure of the person was put off: {sentence} ({paragraph})",
    "LegalHoldPlaced": "Legal hold {hold} was placed by {ordered_by} ({reference}), until "
    "{until}: {reason}.",
    "LegalHoldEnded": "Legal hold {hold} was ended by {ordered_by}: {reason}.",
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
    "DepositReturned": "A deposit of {amount} went back{of_claim}: {reason}.",
    "ClaimSettled": "A claim of {amount} was settled ({way}): {reason}.",
    "WithdrawalRequested": "{amount} were set aside for {method}.",
    "WithdrawalPaid": "{amount} were paid out by {method}.",
    "WithdrawalCancelled": "{amount} are back in the wallet: {reason}.",
    "WithdrawalRefused": "A withdrawal of {amount} was refused: {sentence} ({paragraph})",
    "FeeCharged": "A fee of {amount} was charged: {reason}.",
    "FeeReturned": "{amount} of a fee went back: {reason}.",
    "BalanceReturned": "{amount} of the balance went back by {method}.",
}


def sentence(event: str, facts: Mapping[str, Any]) -> str:
    """Return an event in words; ``facts`` are those of its newest schema."""
    text = SENTENCES.get(event)
    if text is None:
        return str(schemas.newest()[event].raw["doc"])
    units = _units(event)
    if event in PLAYED_IN_CHIPS and facts["tournament"]:
        units = {name: "chips" if unit == "haler" else unit for name, unit in units.items()}
    said = names_in(text)  # of many facts a few
    shown = {name: _shown(value, units.get(name)) for name, value in facts.items() if name in said}
    return text.format_map({**shown, **PHRASES.get(event, _nothing)(facts)})


PLAYED_IN_CHIPS = frozenset(
    {
        "HandStarted",
        "HandAction",
        "UncalledReturned",
        "PotAwarded",
        "MisdealDeclared",
        "PointsSettled",
    }
)
"""Events of hands; in a tournament their amounts are hundredths of a chip."""


def _nothing(_: Mapping[str, Any]) -> dict[str, str]:
    return {}


def _decision(facts: Mapping[str, Any]) -> dict[str, str]:
    """Return where, how often and for how much, as far as the decision has it."""
    parts = (
        (" for free", facts["free"]),
        (f" {facts['times']} times the ante", facts["times"]),
        (f" for {crowns(facts['stake'])}", facts["stake"]),
        (f" on the {facts['street']}", facts["street"]),
        (f", hand {facts['hand']}", facts["hand"]),
    )
    return {"of_hand": "".join(text for text, is_there in parts if is_there)}


def _spin(facts: Mapping[str, Any]) -> dict[str, str]:
    ball = facts["ball_direction"]
    return {"with_ball": f", the ball {ball}" if ball else ""}


def _opened(facts: Mapping[str, Any]) -> dict[str, str]:
    named = zip(facts["device_kinds"], facts["devices"], facts["serials"], strict=True)
    return {"with_devices": "".join(f", {kind} {name} ({serial})" for kind, name, serial in named)}


def _in_place_of(facts: Mapping[str, Any]) -> dict[str, str]:
    return {"in_place_of": f", in place of {facts['replaced']}" if facts["replaced"] else ""}


def _cut(facts: Mapping[str, Any]) -> dict[str, str]:
    return {"by_whom": f", cut by {facts['cut_by']}" if facts["cut_by"] else ""}


def _went_out(facts: Mapping[str, Any]) -> dict[str, str]:
    breach = facts["disqualified_for"]
    return {"went_out": f"disqualified for {breach}" if breach else "lost the last chip"}


def _ruling(facts: Mapping[str, Any]) -> dict[str, str]:
    sit_out = f"{facts['account']} sits out {facts['hands']} hands"
    penalties = {"": "", "warning": f"; {facts['account']} was warned", "sit_out": f"; {sit_out}"}
    return {"of_penalty": penalties[facts["penalty"]]}


def _act(facts: Mapping[str, Any]) -> dict[str, str]:
    """Return what went in; nothing does with a check or a fold."""
    unit = "chips" if facts["tournament"] else "haler"
    amount, total = _shown(facts["amount"], unit), _shown(facts["total"], unit)
    money = f", {amount} more make {total}" if facts["amount"] else ""
    return {"of_money": money + (", all-in" if facts["all_in"] else "")}


def _claim(facts: Mapping[str, Any]) -> dict[str, str]:
    claimed = facts["claimed"]
    return {"of_claim": f", {crowns(claimed)} remain a claim" if claimed else ""}


PHRASES: dict[str, Callable[[Mapping[str, Any]], dict[str, str]]] = {
    "PlayerDecided": _decision,
    "HandAction": _act,
    "WheelSpun": _spin,
    "RoundOpened": _opened,
    "RulingGiven": _ruling,
    "PlayerEliminated": _went_out,
    "DeviceAssigned": _in_place_of,
    "ShoeLoaded": _cut,
    **dict.fromkeys(("WinCorrected", "BetCorrected", "PrizeWithheld", "DepositReturned"), _claim),
    "CardDealt": lambda facts: {"card": facts["card"] or "face down"},
}
"""Parts of sentences that depend on which facts are there."""


def _shown(value: Any, unit: str | None) -> str:
    if value is None:
        return "further notice"
    if isinstance(value, list | tuple):
        return ", ".join(_shown(item, unit) for item in value) or "nobody"
    if unit == "chips":
        return f"{value / 100:g} chips"
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
