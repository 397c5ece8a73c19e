"""What nobody thought of: requests made from the description, right ones and wrong ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.search import amount

if TYPE_CHECKING:
    from tests.tools.access.access_cases import Service

DESCRIBED = Path(__file__).parents[3] / "docs" / "openapi.json"
CHECKS = [
    content_type_conformance,
    not_a_server_error,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
]
EXAMPLES = amount(1, 20)
"""Requests of each kind to each address."""


@pytest.mark.parametrize("mode", schemathesis.GenerationMode)
def test_every_answer_is_as_described(service: Service, mode: schemathesis.GenerationMode) -> None:
    described = schemathesis.openapi.from_dict(json.loads(DESCRIBED.read_text(encoding="utf-8")))
    described.app = service.client.app
    headers = {
        "Authorization": f"Bearer {service.tokens['regulator']}",
        "Gameledger-Purpose": "test",
    }
    asked = 0
    for found in described.get_all_operations():
        operation = found.ok()

        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(
            max_examples=EXAMPLES,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def answers(case: schemathesis.Case) -> None:
            response = case.call(headers=headers)
            case.validate_response(response, checks=CHECKS)

        answers()
        asked += 1
    assert asked == len(described)
