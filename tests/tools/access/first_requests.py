"""Addresses of every kind over one chain, for tests that ask for all of them."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from fastapi.routing import APIRoute

from ledger.core.clock import to_datetime
from ledger.events import event_types as e
from ledger.log.port import Query, events_at
from tools.access import (
    api,
    api_books,
    api_chain,
    api_files,
    api_findings,
    api_rules,
    api_views,
    pages,
    pages_accounts,
    pages_books,
    pages_findings,
    pages_reading,
    pages_reports,
    pages_sql,
    pages_statements,
)
from tools.data import DataDirectory
from tools.data.locations import LOCAL

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["FORMS", "addresses"]

ROUTERS = (
    api,
    api_chain,
    api_findings,
    api_rules,
    api_files,
    api_views,
    api_books,
    pages,
    pages_reading,
    pages_accounts,
    pages_reports,
    pages_findings,
    pages_books,
    pages_statements,
    pages_sql,
)
FORMS = (
    "/api/bets?form=csv",
    "/api/bets?form=xlsx",
    "/api/bets?form=parquet",
    "/api/views/reader_bet_placed?form=csv",
    "/api/views/reader_bet_placed?form=parquet",
    "/api/views/reader_bet_placed?form=arrow",
    "/api/sql?q=SELECT+count()+FROM+reader_bet_placed",
    "/api/sql?q=SELECT+bet+FROM+reader_bet_placed&form=xlsx",
    "/sql?q=SELECT+count()+FROM+reader_bet_placed",
    "/search?q=q1",
    "/static/style.css",
)
"""Addresses that only parameters make another kind."""


def addresses(data: Path) -> list[str]:
    """List an address for every route that is read, with names that the chain has."""
    with closing(DataDirectory(data, LOCAL).read()) as log:

        def last(kind: type[e.Event]) -> tuple[int, e.Event]:
            query = Query(types=(kind.__name__,))
            found = log.find(query, before=log.head().size, limit=1, backwards=True)
            (recorded,) = events_at(log, found)
            return recorded.envelope.recorded_at, recorded.event

        settled_at, settled = last(e.BetSettled)
        _, opened = last(e.RoundOpened)
        assert isinstance(settled, e.BetSettled)
        assert isinstance(opened, e.RoundOpened)
    names = {
        "rounds": settled.round,
        "accounts": settled.account,
        "games": opened.game,
        "views": "reader_bet_placed",
    }
    values = {
        "one_day": to_datetime(settled_at).date().isoformat(),
        "period": to_datetime(settled_at).date().isoformat()[:7],
        "position": "5",
        "size": "10",
        "language": "en",
        "file": "rounds.xml",
        "row": "1",
    }
    found = []
    for module in ROUTERS:
        for route in module.router.routes:
            assert isinstance(route, APIRoute)
            if "GET" in route.methods:
                subject = route.path.removeprefix("/api").split("/")[1]
                name = names.get(subject, "none")
                found.append(route.path.format(**{"name": name, **values}))
    return [*found, *FORMS]
