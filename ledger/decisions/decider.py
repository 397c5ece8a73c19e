"""Registry of all commands and their decisions: the entry point of the write side.

:func:`decide` is pure except for its queries of the state: it takes a command and the current time
and returns events. A refusal is returned as the event that records it.
"""

from __future__ import annotations

import json
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias, Union, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from ledger.core.clock import from_datetime, is_moment
from ledger.core.decoders import TypeDecoder, decoder_of
from ledger.core.dispatch import on, table
from ledger.core.errors import InputError
from ledger.core.json_keys import require_keys_once
from ledger.core.refusals import Refusal, RefusedError
from ledger.decisions import delivery, feeds, packages, statements, suspicion
from ledger.decisions.accounts import (
    books,
    cancellation,
    diligence,
    erasure,
    legal_holds,
    registration,
    sessions,
    temporary,
)
from ledger.decisions.findings import deputies, handling, write_offs
from ledger.decisions.floor import correcting, counting, days, jackpots, slips
from ledger.decisions.hands import button, guard, open_face
from ledger.decisions.hands import play as hands
from ledger.decisions.hands import settlement as hand_settlement
from ledger.decisions.operator import (
    attestations,
    devices,
    keys,
    matching_rules,
    rules,
    setup,
    sources,
)
from ledger.decisions.payments import claims, payments
from ledger.decisions.protection import admission, blocks, bonuses, informing, measures
from ledger.decisions.rounds import (
    actions,
    betting,
    boxes,
    closing,
    colours,
    corrections,
    opening,
    recordings,
    results,
    rulings,
    seats,
    studio,
)
from ledger.decisions.tournaments import entries, running, seating, stages
from ledger.events import event_types as e
from ledger.events.command import Command, name_of
from ledger.state.ledger_state import accounts_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.state.ledger_state import LedgerState

__all__ = [
    "AHEAD",
    "COMMANDS",
    "DECISIONS",
    "DecisionResult",
    "decide",
    "decode_command",
    "encode_command",
    "refusals_of",
]

_Decisions: TypeAlias = "dict[type[Command], Callable[[LedgerState, Any, int], list[e.Event]]]"

_HOUSE: _Decisions = table(
    # Operator, games, tables
    on(rules.PublishOperatorRules, rules.publish_operator_rules),
    on(setup.ListGame, setup.list_game),
    on(setup.LaunchGame, setup.launch_game),
    on(setup.WithdrawGame, setup.withdraw_game),
    on(setup.PublishRules, setup.publish_rules),
    on(setup.OpenCasino, setup.open_casino),
    on(setup.BeginCasinoHours, setup.begin_casino_hours),
    on(setup.EndCasinoHours, setup.end_casino_hours),
    on(setup.OpenTable, setup.open_table),
    on(setup.CloseTable, setup.close_table),
    on(setup.SetTableLimits, setup.set_table_limits),
    on(devices.AssignDevice, devices.assign_device),
    on(devices.RemoveDevice, devices.remove_device),
    on(devices.InspectDevice, devices.inspect_device),
    on(setup.LoadShoe, setup.load_shoe),
    on(setup.SeatDealer, setup.seat_dealer),
    on(setup.SuspendTable, setup.suspend_table),
    on(setup.ResumeTable, setup.resume_table),
    on(setup.AnnounceFault, setup.announce_fault),
    on(setup.SuspendGame, setup.suspend_game),
    on(setup.ResumeGame, setup.resume_game),
    on(keys.AddSigningKey, keys.add_signing_key),
    on(keys.RevokeSigningKey, keys.revoke_signing_key),
    on(keys.RecordCheckpoint, keys.record_checkpoint),
    on(attestations.RecordCosignature, attestations.record_cosignature),
    on(attestations.RecordStamp, attestations.record_stamp),
    on(attestations.RecordSeal, attestations.record_seal),
    on(keys.RecordAccessHead, keys.record_access_head),
    on(keys.RecordClock, keys.record_clock),
    on(sources.RegisterSource, sources.register_source),
    on(suspicion.RecordCommitment, suspicion.record_commitment),
    # Separate chains
    on(suspicion.ReportSuspicion, suspicion.report_suspicion),
    # The regulator's packages
    on(packages.RecordPackage, packages.record_package),
    on(packages.PublishPackage, packages.publish_package),
    on(packages.RecordConfirmation, packages.record_confirmation),
    on(packages.RequestCorrection, packages.request_correction),
    on(packages.FixRate, packages.fix_rate),
    on(delivery.RecordFetch, delivery.record_fetch),
    on(delivery.RecordNotice, delivery.record_notice),
    on(delivery.RecordConfirmationFetch, delivery.record_confirmation_fetch),
    on(delivery.RefuseConfirmation, delivery.refuse_confirmation),
    # Feeds of providers
    on(feeds.RecordUnmappedMessage, feeds.record_unmapped_message),
    # Findings
    on(handling.NoteFindings, handling.note_findings),
    on(handling.ConcludeReconciliation, handling.conclude_reconciliation),
    on(handling.AssignFinding, handling.assign_finding),
    on(handling.ExplainFinding, handling.explain_finding),
    on(handling.CommentFinding, handling.comment_finding),
    on(handling.CloseFinding, handling.close_finding),
    on(handling.ReopenFinding, handling.reopen_finding),
    on(deputies.NameDeputy, deputies.name_deputy),
    on(write_offs.ProposeWriteOff, write_offs.propose_write_off),
    on(write_offs.ProposeReversal, write_offs.propose_reversal),
    on(write_offs.ConfirmWriteOff, write_offs.confirm_write_off),
    on(write_offs.DeclineWriteOff, write_offs.decline_write_off),
    # External statements
    on(statements.RecordStatementLines, statements.record_statement_lines),
    on(statements.ImportStatements, statements.import_statements),
    on(matching_rules.SetMatchingRules, matching_rules.set_matching_rules),
    # The floor of a casino
    on(admission.AdmitGuest, admission.admit_guest),
    on(days.OpenOperatingDay, days.open_operating_day),
    on(days.CloseOperatingDay, days.close_operating_day),
    on(days.OpenSection, days.open_section),
    on(days.CloseSection, days.close_section),
    on(counting.CountCage, counting.count_cage),
    on(counting.CountTableFloat, counting.count_table_float),
    on(counting.CountDrop, counting.count_drop),
    on(slips.SellChips, slips.sell_chips),
    on(slips.RedeemChips, slips.redeem_chips),
    on(slips.FundCage, slips.fund_cage),
    on(slips.WithdrawFromCage, slips.withdraw_from_cage),
    on(slips.TakeOtherCash, slips.take_other_cash),
    on(slips.ExchangeCurrency, slips.exchange_currency),
    on(slips.RecordFill, slips.record_fill),
    on(slips.RecordCredit, slips.record_credit),
    on(slips.MoveDrop, slips.move_drop),
    on(slips.RecordTip, slips.record_tip),
    on(slips.MoveTronc, slips.move_tronc),
    on(slips.RecordMissingChips, slips.record_missing_chips),
    on(slips.SettleChipBet, slips.settle_chip_bet),
    on(correcting.CorrectSlip, correcting.correct_slip),
    on(jackpots.DefineJackpot, jackpots.define_jackpot),
    on(jackpots.RecordJackpot, jackpots.record_jackpot),
    # Accounts
    on(registration.OpenAccount, registration.open_account),
    on(registration.ChangeAccountMode, registration.change_account_mode),
    on(registration.RegisterPaymentMethod, registration.register_payment_method),
    on(registration.VerifyPerson, registration.verify_person),
    on(registration.ChangePerson, registration.change_person),
    on(diligence.CheckPerson, diligence.check_person),
    on(erasure.ErasePerson, erasure.erase_person),
    on(erasure.DestroyPeriodKey, erasure.destroy_period_key),
    on(legal_holds.PlaceHold, legal_holds.place_hold),
    on(legal_holds.EndHold, legal_holds.end_hold),
    on(sessions.LogIn, sessions.log_in),
    on(sessions.LogOut, sessions.log_out),
    on(sessions.CheckRegister, sessions.check_register),
    on(cancellation.RequestCancellation, cancellation.request_cancellation),
    on(cancellation.ConfirmCancellation, cancellation.confirm_cancellation),
    on(cancellation.WithdrawCancellation, cancellation.withdraw_cancellation),
    on(cancellation.FileObjection, cancellation.file_objection),
    on(cancellation.ConfirmObjection, cancellation.confirm_objection),
    on(cancellation.DecideObjection, cancellation.decide_objection),
    on(cancellation.FileComplaint, cancellation.file_complaint),
    on(cancellation.DecideComplaint, cancellation.decide_complaint),
    on(cancellation.CloseAccount, cancellation.close_account),
    on(temporary.EndTemporaryAccount, temporary.end_temporary_account),
    on(books.CloseBooks, books.close_books),
    on(books.CloseBalances, books.close_balances),
    # Protection
    on(measures.SetLimit, measures.set_limit),
    on(measures.DeclineLimit, measures.decline_limit),
    on(blocks.PressPanicButton, blocks.press_panic_button),
    on(blocks.ReportPanicButton, blocks.report_panic_button),
    on(blocks.OfferLongExclusion, blocks.offer_long_exclusion),
    on(blocks.RequestLongExclusion, blocks.request_long_exclusion),
    on(blocks.ImposeExclusion, blocks.impose_exclusion),
    on(blocks.EndExclusion, blocks.end_exclusion),
    on(informing.ShowInformation, informing.show_information),
    on(bonuses.AnnounceBonus, bonuses.announce_bonus),
    on(bonuses.GrantBonus, bonuses.grant_bonus),
    # Money
    on(payments.Deposit, payments.deposit),
    on(payments.ReturnDeposit, payments.return_deposit),
    on(payments.Withdraw, payments.withdraw),
    on(payments.PayWithdrawal, payments.pay_withdrawal),
    on(payments.CancelWithdrawal, payments.cancel_withdrawal),
    on(payments.ChargeFee, payments.charge_fee),
    on(payments.ReturnFee, payments.return_fee),
    on(claims.SettleClaim, claims.settle_claim),
)
_PLAY: _Decisions = table(
    on(sources.SealSource, sources.seal_source),
    # Rounds
    on(opening.OpenRound, opening.open_round),
    on(boxes.TakeBox, boxes.take_box),
    on(colours.IssueColourChips, colours.issue_colour_chips),
    on(colours.ReturnColourChips, colours.return_colour_chips),
    on(seats.TakeSeat, seats.take_seat),
    on(seats.LeaveSeat, seats.leave_seat),
    on(seats.Disconnect, seats.disconnect),
    on(seats.Reconnect, seats.reconnect),
    on(studio.DealCard, studio.deal_card),
    on(studio.RevealCard, studio.reveal_card),
    on(studio.CorrectCard, studio.correct_card),
    on(studio.SpinWheel, studio.spin_wheel),
    on(studio.InvalidateSpin, studio.invalidate_spin),
    on(studio.LandBall, studio.land_ball),
    on(studio.StopWheel, studio.stop_wheel),
    on(recordings.KeepRecording, recordings.keep_recording),
    on(recordings.DestroyRecord, recordings.destroy_record),
    on(actions.Decide, actions.decide),
    on(betting.PlaceBet, betting.place_bet),
    on(betting.WithdrawBet, betting.withdraw_bet),
    on(closing.CloseBets, closing.close_bets),
    on(results.RecordResult, results.record_result),
    on(results.SettleRound, results.settle_round),
    on(results.VoidRound, results.void_round),
    on(results.VoidBets, results.void_bets),
    on(results.ReconstructRound, results.reconstruct_round),
    on(rulings.GiveRuling, rulings.give_ruling),
    on(rulings.CheckPayouts, rulings.check_payouts),
    on(rulings.HoldPayout, rulings.hold_payout),
    on(rulings.ReleasePayout, rulings.release_payout),
    on(corrections.CorrectWin, corrections.correct_win),
    on(corrections.CorrectBet, corrections.correct_bet),
    on(corrections.WithholdPrize, corrections.withhold_prize),
    # Hands among players
    on(button.DrawButton, button.draw_button),
    on(hands.StartHand, hands.start_hand),
    on(hands.ActInHand, hands.act_in_hand),
    on(hands.DeclareMisdeal, hands.declare_misdeal),
    on(open_face.StartOpenFace, open_face.start_open_face),
    on(open_face.PlaceCards, open_face.place_cards),
    on(open_face.SetCards, open_face.set_cards),
    on(hand_settlement.SettleHand, hand_settlement.settle_hand),
    on(hand_settlement.AnnounceTimeCollection, hand_settlement.announce_time_collection),
    on(hand_settlement.TakeTimeCollection, hand_settlement.take_time_collection),
)
_TOURNAMENTS: _Decisions = table(
    # Tournaments
    on(stages.AnnounceTournament, stages.announce_tournament),
    on(stages.StartTournament, stages.start_tournament),
    on(entries.PayTournamentEntry, entries.pay_tournament_entry),
    on(entries.HandBackChips, entries.hand_back_chips),
    on(seating.HoldChipRace, seating.hold_chip_race),
    on(running.StartLevel, running.start_level),
    on(running.SetHandForHand, running.set_hand_for_hand),
    on(entries.ReturnTournamentEntry, entries.return_tournament_entry),
    on(seating.DrawSeat, seating.draw_seat),
    on(stages.CloseRegistration, stages.close_registration),
    on(stages.EliminatePlayers, stages.eliminate_players),
    on(stages.AgreeDeal, stages.agree_deal),
    on(stages.EndTournament, stages.end_tournament),
    on(entries.CancelTournament, entries.cancel_tournament),
)
DECISIONS = _HOUSE | _PLAY | _TOURNAMENTS
"""Every command with the function that decides it."""
AHEAD = frozenset(_PLAY)
"""Commands that may be decided while their predecessors are still being stored.

They read from the log only accounts, rounds and tournaments that are not in memory, and events
that are still being stored concern none of those. A command of which that is not true belongs into
another table (``tests/tools/simulator/test_decided_ahead.py``).
"""

AGAINST_HOUSE = frozenset(
    {
        opening.OpenRound,
        betting.PlaceBet,
        closing.CloseBets,
        results.RecordResult,
        results.VoidRound,
        results.VoidBets,
        results.ReconstructRound,
    }
)
"""Commands of rounds against the house, not among players."""

REFUSAL_EVENTS: dict[type[Command], Callable[[LedgerState, Any, Refusal], list[e.Event]]] = table(
    on(registration.OpenAccount, registration.registration_refused),
    on(erasure.ErasePerson, erasure.erasure_deferred),
    on(sessions.LogIn, sessions.login_refused),
    on(payments.Deposit, payments.deposit_refused),
    on(payments.Withdraw, payments.withdrawal_refused),
    on(payments.ReturnDeposit, payments.return_refused),
    on(payments.CancelWithdrawal, payments.cancellation_refused),
    on(betting.PlaceBet, betting.bet_refused),
    on(betting.WithdrawBet, betting.withdrawal_refused),
    on(actions.Decide, actions.action_refused),
)
"""Commands with their own event for a refusal; the others get a CommandRefused."""

COMMANDS = {name_of(command): command for command in DECISIONS}
"""Every command class by its name in JSON."""

JSON_BYTES_MAX = {"selection": 2_000, "outcome": 20_000, "rules": 50_000}
"""Fields of free JSON, with their maximum bytes as ASCII."""

_ASCII_GROWTH = 6
"""Maximum growth of JSON as ASCII: U+007F becomes six characters."""

_JSON_BYTES_LEAST = min(JSON_BYTES_MAX.values())

_DECODER: TypeDecoder[Command] = decoder_of(Union[tuple(DECISIONS)])  # noqa: UP007 - made at run time
_ENCODER = msgspec.json.Encoder(order="deterministic")


class DecisionResult(Struct, frozen=True, gc=False):
    """Result of a command; ``refusal`` is None unless the rules refused the command."""

    events: list[e.Event]
    refusal: Refusal | None = None


def decode_command(text: bytes | str) -> Command:
    """Parse a command from a JSON object.

    Raises:
        InputError: it is not a command, an object has a duplicate key, or a timestamp is outside
            the years of the format; the text names the fault and its place.

    """
    try:
        command = _DECODER.json(text)
        _require_keys_once(command, text if isinstance(text, bytes) else text.encode())
    except msgspec.DecodeError as error:
        raise InputError(_explain(text, error)) from error
    except UnicodeDecodeError as error:
        raise InputError(f"not a JSON object: it is not UTF-8 ({error})") from error
    except RecursionError as error:
        raise InputError("not a command: its values are nested too deeply") from error
    is_short = isinstance(text, bytes) and len(text) * _ASCII_GROWTH <= _JSON_BYTES_LEAST
    for name in _fields_to_check(type(command)):
        value = getattr(command, name)
        if isinstance(value, datetime) and not is_moment(from_datetime(value)):
            text = f"{name_of(command)}: {name} {value.isoformat()}"
            raise InputError(f"{text} is no moment from 1970 to 2199")
        if not is_short:
            _require_bounded(command, name, value)
    return command


def _require_keys_once(command: Command, text: bytes) -> None:
    try:
        require_keys_once(text)
    except InputError as error:
        raise InputError(f"{name_of(command)}: {error}") from error


@cache
def _fields_to_check(kind: type[Command]) -> tuple[str, ...]:
    """Return the fields that need a check beyond their types: timestamps and free JSON."""
    return tuple(
        field.name
        for field in fields(kind)
        if field.name in JSON_BYTES_MAX or _may_be_moment(field.type)
    )


def _may_be_moment(kind: Any) -> bool:
    return kind is datetime or any(map(_may_be_moment, get_args(kind)))


def _require_bounded(command: Command, name: str, value: Any) -> None:
    """Reject free JSON that would be too long when recorded."""
    limit = JSON_BYTES_MAX.get(name)
    if limit is None or value is None:
        return
    try:
        if len(_ENCODER.encode(value)) * _ASCII_GROWTH <= limit:
            return
        size = len(json.dumps(value))
    except RecursionError as error:
        raise InputError(f"{name_of(command)}: its values are nested too deeply") from error
    if size > limit:
        raise InputError(f"{name_of(command)}: `{name}` has {size} bytes as JSON, {limit} at most")


def _explain(text: bytes | str, error: msgspec.DecodeError) -> str:
    try:
        name: Any = msgspec.json.decode(text).get("command")
    except (msgspec.DecodeError, AttributeError, UnicodeDecodeError, RecursionError):
        return f"not a JSON object: {error}"
    if not isinstance(name, str):
        return 'no command named: give "command", such as "place_bet"'
    if name not in COMMANDS:
        return f"there is no command {name!r}: `gameledger record --help` lists them"
    return f"{name}: {error}"


def encode_command(command: Command) -> bytes:
    """Encode a command as canonical JSON.

    Raises:
        InputError: it has values that JSON cannot represent.

    """
    try:
        return _ENCODER.encode(command)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"{name_of(command)}: it can't be written as JSON: {error}") from error


def decide(ledger_state: LedgerState, command: Command, now: int) -> DecisionResult:
    """Decide a command.

    The first decision of an account in a new gaming day closes its books: the statements
    come first.

    Raises:
        InputError: the command is invalid; nothing is to be recorded.

    """
    refusal, kind = None, type(command)
    try:
        if kind in AGAINST_HOUSE:
            guard.require_against_house(ledger_state, command, now)
        events = DECISIONS[kind](ledger_state, command, now)
    except RefusedError as error:
        refusal = ledger_state.rules.refusal(error)
        record = REFUSAL_EVENTS.get(kind, _command_refused)
        events = record(ledger_state, command, refusal)
    except RecursionError as error:
        raise InputError(f"{name_of(command)}: its values are nested too deeply") from error
    statements = _statements(ledger_state, events, now)
    return DecisionResult([*statements, *events] if statements else events, refusal)


def refusals_of(command: type[Command]) -> list[str]:
    """Return the codes that can refuse a command, in the order of the checks."""
    return list(getattr(DECISIONS[command], "refuses", ()))


def _statements(ledger_state: LedgerState, events: list[e.Event], now: int) -> list[e.Event]:
    if isinstance(events[0], e.AccountStatement):
        return []
    statements: list[e.Event] = []
    seen: set[str] = set()
    for event in events:
        for name in accounts_of(event):
            if name not in seen:
                seen.add(name)
                statement = books.due_statement(ledger_state.account_or_new(name), now)
                if statement is not None:
                    statements.append(statement)
    return statements


def _command_refused(_: LedgerState, command: Command, refusal: Refusal) -> list[e.Event]:
    return [
        e.CommandRefused(
            command=name_of(command),
            account=getattr(command, "account", ""),
            round=getattr(command, "round", ""),
            table=getattr(command, "table", ""),
            code=refusal.code,
            parameters=refusal.parameters,
            paragraph=refusal.paragraph,
        )
    ]
