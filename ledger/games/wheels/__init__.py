"""Wheels of fortune: one bet for each kind of field."""

from ledger.games.wheels.plan import WheelPlan

__all__ = ["WheelPlan"]
