"""Wheels of fortune."""

from ledger.games.wheels.plan import WheelPlan

__all__ = ["WheelPlan"]
