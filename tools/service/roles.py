"""Which command belongs to whom: the operator's back office, the site, the studio, the cage.

A role is what one system of the operator does; a client of the writer has one role or several.
Every command has at least one, which a test proves; a command that is not here can be sent by
nobody who is held to a role.
"""

from __future__ import annotations

__all__ = ["BY_ROLE"]

BACK_OFFICE, SITE, STUDIO, CAGE = "back_office", "site", "studio", "cage"
SUSPICION = "suspicion"

_COMMANDS = {
    # Operator, games, tables
    "list_game": (BACK_OFFICE,),
    "launch_game": (BACK_OFFICE,),
    "withdraw_game": (BACK_OFFICE,),
    "publish_rules": (BACK_OFFICE,),
    "open_casino": (BACK_OFFICE,),
    "begin_casino_hours": (BACK_OFFICE, STUDIO),
    "end_casino_hours": (BACK_OFFICE, STUDIO),
    "open_table": (BACK_OFFICE,),
    "close_table": (BACK_OFFICE,),
    "set_table_limits": (BACK_OFFICE,),
    "assign_device": (BACK_OFFICE, STUDIO),
    "remove_device": (BACK_OFFICE, STUDIO),
    "inspect_device": (BACK_OFFICE, STUDIO),
    "load_shoe": (STUDIO,),
    "seat_dealer": (STUDIO,),
    "suspend_table": (BACK_OFFICE, STUDIO),
    "resume_table": (BACK_OFFICE, STUDIO),
    "tell_fault": (STUDIO,),
    "suspend_game": (BACK_OFFICE,),
    "resume_game": (BACK_OFFICE,),
    "add_signing_key": (BACK_OFFICE,),
    "revoke_signing_key": (BACK_OFFICE,),
    "record_checkpoint": (BACK_OFFICE,),
    "record_cosignature": (BACK_OFFICE,),
    "record_stamp": (BACK_OFFICE,),
    "record_access_head": (BACK_OFFICE,),
    "record_clock": (BACK_OFFICE,),
    "record_commitment": (SUSPICION,),
    "report_suspicion": (SUSPICION,),
    # The regulator's packages
    "record_package": (BACK_OFFICE,),
    "publish_package": (BACK_OFFICE,),
    "record_confirmation": (BACK_OFFICE,),
    "request_correction": (BACK_OFFICE,),
    "fix_rate": (BACK_OFFICE,),
    # Accounts
    "open_account": (BACK_OFFICE, SITE, CAGE),
    "change_account_mode": (BACK_OFFICE, SITE),
    "register_payment_method": (BACK_OFFICE, SITE, CAGE),
    "verify_person": (BACK_OFFICE, SITE, CAGE),
    "change_person": (BACK_OFFICE, SITE),
    "check_person": (BACK_OFFICE, CAGE),
    "erase_person": (BACK_OFFICE,),
    "place_hold": (BACK_OFFICE,),
    "end_hold": (BACK_OFFICE,),
    "log_in": (SITE,),
    "log_out": (BACK_OFFICE, SITE),
    "check_register": (BACK_OFFICE, SITE),
    "request_cancellation": (BACK_OFFICE, SITE),
    "confirm_cancellation": (BACK_OFFICE,),
    "withdraw_cancellation": (BACK_OFFICE, SITE),
    "file_objection": (BACK_OFFICE, SITE),
    "confirm_objection": (BACK_OFFICE,),
    "decide_objection": (BACK_OFFICE,),
    "file_complaint": (BACK_OFFICE, SITE, CAGE),
    "decide_complaint": (BACK_OFFICE,),
    "close_account": (BACK_OFFICE,),
    "close_books": (BACK_OFFICE,),
    "end_temporary_account": (BACK_OFFICE,),
    # Protection
    "set_limit": (BACK_OFFICE, SITE),
    "decline_limit": (BACK_OFFICE, SITE),
    "press_panic_button": (BACK_OFFICE, SITE),
    "report_panic_button": (BACK_OFFICE, SITE),
    "offer_long_exclusion": (BACK_OFFICE, SITE),
    "request_long_exclusion": (BACK_OFFICE, SITE),
    "impose_exclusion": (BACK_OFFICE,),
    "end_exclusion": (BACK_OFFICE,),
    "show_information": (SITE,),
    "announce_bonus": (BACK_OFFICE,),
    "grant_bonus": (BACK_OFFICE, SITE),
    # Money
    "deposit": (BACK_OFFICE, SITE, CAGE),
    "return_deposit": (BACK_OFFICE, CAGE),
    "withdraw": (SITE, CAGE),
    "pay_withdrawal": (BACK_OFFICE, CAGE),
    "cancel_withdrawal": (BACK_OFFICE, SITE, CAGE),
    "charge_fee": (BACK_OFFICE,),
    "return_fee": (BACK_OFFICE,),
    "settle_claim": (BACK_OFFICE,),
    # Rounds
    "open_round": (STUDIO,),
    "take_seat": (SITE, STUDIO),
    "leave_seat": (SITE, STUDIO),
    "disconnect": (SITE, STUDIO),
    "reconnect": (SITE, STUDIO),
    "deal_card": (STUDIO,),
    "reveal_card": (STUDIO,),
    "correct_card": (STUDIO,),
    "spin_wheel": (STUDIO,),
    "invalidate_spin": (STUDIO,),
    "land_ball": (STUDIO,),
    "stop_wheel": (STUDIO,),
    "keep_recording": (STUDIO,),
    "decide": (SITE, STUDIO),
    "place_bet": (SITE,),
    "withdraw_bet": (SITE,),
    "close_bets": (STUDIO,),
    "record_result": (STUDIO,),
    "settle_round": (STUDIO,),
    "void_round": (BACK_OFFICE, STUDIO),
    "void_bets": (BACK_OFFICE,),
    "reconstruct_round": (BACK_OFFICE, STUDIO),
    "correct_win": (BACK_OFFICE,),
    "correct_bet": (BACK_OFFICE,),
    "withhold_prize": (BACK_OFFICE,),
    "give_ruling": (BACK_OFFICE, STUDIO),
    "hold_payout": (BACK_OFFICE, STUDIO),
    "release_payout": (BACK_OFFICE,),
    # Hands among players
    "start_hand": (STUDIO,),
    "act_in_hand": (SITE, STUDIO),
    "declare_misdeal": (STUDIO,),
    "start_open_face": (STUDIO,),
    "set_cards": (SITE, STUDIO),
    "settle_hand": (STUDIO,),
    "take_time_collection": (STUDIO,),
    # Tournaments
    "announce_tournament": (BACK_OFFICE,),
    "start_tournament": (BACK_OFFICE, STUDIO),
    "draw_seat": (STUDIO,),
    "pay_tournament_entry": (SITE, CAGE),
    "return_tournament_entry": (SITE, CAGE),
    "close_registration": (BACK_OFFICE, STUDIO),
    "eliminate_players": (STUDIO,),
    "agree_deal": (STUDIO,),
    "end_tournament": (BACK_OFFICE, STUDIO),
    "cancel_tournament": (BACK_OFFICE,),
}

BY_ROLE = {
    role: frozenset(name for name, roles in _COMMANDS.items() if role in roles)
    for role in (BACK_OFFICE, SITE, STUDIO, CAGE, SUSPICION)
}
"""The commands that each role may send."""
