"""A registry of Prometheus series that all carry the name of the chain.

Several licences may send to one Prometheus; without the label their series add up, and alerts about
one of them fire for all or for none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from prometheus_client import CollectorRegistry, Metric

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["ChainRegistry"]


class ChainRegistry(CollectorRegistry):
    """Series of one process; ``chain`` is empty until the process knows which chain it serves."""

    def __init__(self, chain: str = "") -> None:
        """Begin without series."""
        super().__init__()
        self.chain = chain

    def collect(self) -> Iterable[Metric]:
        """Return all series, each sample with the label ``chain``."""
        for metric in super().collect():
            metric.samples = [
                one._replace(labels={"chain": self.chain, **one.labels}) for one in metric.samples
            ]
            yield metric

    def restricted_registry(self, names: Any) -> Any:  # noqa: ARG002 - of the library
        """Return all series, whatever selection is requested: a selection would lack the label."""
        return self
