"""OpenTelemetry traces of a writer: from a request over HTTP to the commit of each command.

Tracing needs the extra ``telemetry`` and is on if ``OTEL_EXPORTER_OTLP_ENDPOINT`` (or
``OTEL_EXPORTER_OTLP_TRACES_ENDPOINT``) names a collector; all other variables of OpenTelemetry
apply. Guaranteed: a request continues the trace named by its ``traceparent``; the span of a command
ends when its decision is durable and contains a span of the commit, which several commands may
share; no span holds the personal data of a command. When off, it costs one comparison a command.
"""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Any

from ledger.core.errors import InputError, LedgerError
from ledger.events.command import name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from concurrent.futures import Future

    from opentelemetry.context import Context
    from opentelemetry.trace import Span, Tracer

    from ledger.events.command import Command
    from ledger.writer import Ledger, Receipt

__all__ = ["Tracing", "tracing_of"]

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")


class Tracing:
    """Create spans, or nothing without a tracer."""

    def __init__(
        self, tracer: Tracer | None = None, close: Callable[[], Any] = lambda: None
    ) -> None:
        """Store a tracer, and the provider that exports its last spans."""
        self._tracer, self.close = tracer, close
        self._commit = (0, 0, 0)

    def watch(self, ledger: Ledger) -> None:
        """Observe the commits of a ledger whose decisions are traced."""
        if self._tracer is not None:
            ledger.observe(self)

    def committed(self, decisions: int, seconds: float) -> None:
        """Store the time of the last commit; the answers that follow in its thread belong to it."""
        end = time.time_ns()
        self._commit = (end - int(seconds * 1e9), end, decisions)

    @contextlib.contextmanager
    def request(self, headers: Mapping[bytes, bytes]) -> Iterator[Context | None]:
        """Create the span of a request; return the context for its commands."""
        if self._tracer is None:
            yield None
            return
        from opentelemetry import trace

        span = self._tracer.start_span(
            "POST /v1/commands", self.continued(headers), kind=trace.SpanKind.SERVER
        )
        try:
            yield trace.set_span_in_context(span)
        finally:
            span.end()

    def continued(self, headers: Mapping[bytes, bytes]) -> Context | None:
        """Return the trace named by the headers of a request or a record."""
        if self._tracer is None:
            return None
        from opentelemetry.propagate import extract

        return extract(
            {
                name: headers[name.encode()].decode("latin-1")
                for name in ("traceparent", "tracestate", "baggage")
                if name.encode() in headers
            }
        )

    def decided(self, command: Command, within: Context | None, answer: Future[Receipt]) -> None:
        """Create the span of a submitted command; it ends with the command's decision."""
        if self._tracer is None:
            return
        span, begun = self._tracer.start_span(name_of(command), within), time.time_ns()
        answer.add_done_callback(lambda done: self._end(span, begun, done))

    def _end(self, span: Span, begun: int, done: Future[Receipt]) -> None:
        """End a command's span; a commit since the span began recorded the command."""
        from opentelemetry import trace

        start, end, decisions = self._commit
        if self._tracer is not None and done.exception() is None and start >= begun:
            within = trace.set_span_in_context(span)
            commit = self._tracer.start_span("commit", within, start_time=start)
            commit.set_attribute("gameledger.decisions", decisions)
            commit.end(end)
        _end(span, done)


def _end(span: Span, done: Future[Receipt]) -> None:
    error = done.exception()
    if error is not None:
        span.set_attribute("gameledger.status", "error")
        span.set_attribute("gameledger.kind", getattr(error, "kind", LedgerError.kind))
    else:
        receipt = done.result()
        refused = receipt.refused
        span.set_attribute("gameledger.status", "recorded" if refused is None else "refused")
        span.set_attribute("gameledger.position", receipt.last_position)
        span.set_attribute("gameledger.command_id", receipt.command_id)
        if refused is not None:
            span.set_attribute("gameledger.code", refused.code)
    span.end()


def tracing_of(environment: Mapping[str, str]) -> Tracing:
    """Configure tracing from the environment; return a disabled one if no collector is named.

    Raises:
        InputError: a collector is named and the extra is not installed.

    """
    if not any(environment.get(name) for name in ENDPOINTS):
        return Tracing()
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise InputError(
            f"{ENDPOINTS[0]} asks for traces: install gameledger[telemetry], or leave it out"
        ) from error
    provider = TracerProvider(resource=Resource.create({"service.name": "gameledger-writer"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return Tracing(provider.get_tracer("gameledger"), provider.shutdown)
