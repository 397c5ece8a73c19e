"""A rule that is taken out is missing, and its tests notice."""

from __future__ import annotations

import subprocess

import pytest

from tests.mutation.law import OPTIONS, PYTEST, taken_out
from tools.workshop.generate.law import ROOT, parts

REGISTRATION = "tests/ledger/decisions/test_decisions_registration.py"


@pytest.mark.parametrize(
    ("rule", "code"), [("refusal:UNDER_AGE", 1), ("refusal:LISTED_IN_REGISTER", 0)]
)
def test_a_requirement_notices_that_its_refusal_is_gone_and_not_another(
    rule: str, code: int
) -> None:
    command = [*PYTEST, *OPTIONS, "--without", rule, "--law", "L-54", REGISTRATION]
    run = subprocess.run(  # noqa: S603 - our own command
        command, cwd=ROOT, check=False, capture_output=True, timeout=120
    )
    assert run.returncode == code, run.stdout


def test_what_is_taken_out_of_a_requirement_is_what_the_page_of_law_names() -> None:
    lines = {line.requirement.id: line for _, found in parts() for line in found}
    assert [*taken_out(lines["SAZKA 12a(2)"])] == [
        "refusal:NO_PANIC_PRESS",
        "finding:EXCLUSION_NOT_FORWARDED",
        "condition:EXCLUSION_NOT_FORWARDED",
        "finding:EXCLUSION_NOT_OFFERED",
    ]
    assert "figure:credited_minutes" in taken_out(lines["SAZKA 15(3)"])
