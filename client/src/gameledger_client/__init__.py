"""Send commands to a gameledger writer, read from its service, verify evidence."""

from gameledger_client._errors import (
    AccessError,
    DamagedError,
    GameledgerError,
    RequestError,
    UnavailableError,
)
from gameledger_client._evidence import Verdict, verify_evidence
from gameledger_client._service import AsyncService, Service
from gameledger_client._writer import AsyncWriter, Receipt, Refusal, Writer

__all__ = [
    "AccessError",
    "AsyncService",
    "AsyncWriter",
    "DamagedError",
    "GameledgerError",
    "Receipt",
    "Refusal",
    "RequestError",
    "Service",
    "UnavailableError",
    "Verdict",
    "Writer",
    "verify_evidence",
]
