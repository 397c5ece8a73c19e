"""Every address against everybody who means ill; a new address is tried as soon as it is there.

The addresses, their parameters and whom they let in come from the application itself. That nothing
was written, to chain, tables or keys, is what the ``service`` fixture asserts at its end.
"""

from __future__ import annotations

import re
from functools import cache
from http import HTTPStatus
from importlib import import_module
from itertools import cycle, islice
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from fastapi.routing import APIRoute

from ledger.core.clock import HOUR, MINUTE, StoppedClock, SystemClock
from ledger.events import event_types as e
from ledger.log.port import Query
from tests.search import amount
from tools import access
from tools.access import readers
from tools.access.app import application
from tools.access.refusals import RECORDS_MAX
from tools.access.scopes import ROLES, WHOLE_LOG, scopes_of
from tools.access.sessions import SESSION_LASTS, Sessions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from httpx import Response

    from tests.tools.access.access_cases import Service

APPLICATION = application(None)
OPEN_TO_ALL = {"/health", "/ready", "/metrics", "/sign-in", "/sign-out", "/language/{language}"}
"""What has no answer about the chain in it."""
HOSTILE = (
    "",
    "-1",
    "9" * 40,
    "1e999",
    "NaN",
    "\x00",
    "\x1b]0;x\x07",
    "a" * 5_000,
    "../../../../etc/passwd",
    "..\\..\\windows",
    "' OR '1'='1",
    "x'); DROP TABLE RoundOpened; --",
    "{a:Int64}",
    "%(x)s",
    "{{ 7919*6841 }}${7919*6841}",
    "<script>alert(1)</script>",
    '" onmouseover="alert(1)',
    "javascript:alert(1)",
    "//evil.example/",
    "\u202eevil",
    "=cmd|' /C calc'!A0",
    "a\r\nSet-Cookie: x=1\r\n\r\n<script>",
    "\U0001f0a1" * 30,
    "2026-02-30",
    "9999-12-31T23:59:59+14:00",
)
RAW = ("%ff%fe", "%ed%a0%80", "%", "%00", "..%2f..%2fetc%2fpasswd", "%252e%252e%252f")
"""As they are sent: no UTF-8, half a pair, nothing, slashes that are none."""
ACTING = {"pages_actions", "pages_batches", "pages_licences"}
"""Its addresses are those of a service with ``--actions`` or ``--mirror`` alone."""
EACH = amount(1, 5)
"""Hostile values that each parameter gets; over all parameters every value has its turn."""
BYTES_MAX = 5_000_000


@cache
def routes(method: str) -> dict[str, APIRoute]:
    names = {one.name for one in iter_modules(access.__path__)} - ACTING
    modules = [import_module(f"tools.access.{name}") for name in sorted(names)]
    routers = [module.router for module in modules if hasattr(module, "router")]
    found = [*APPLICATION.routes, *(route for router in routers for route in router.routes)]
    return {
        route.path: route
        for route in found
        if isinstance(route, APIRoute) and method in (route.methods or ())
    }


READING = sorted(routes("GET").keys() - OPEN_TO_ALL)
GIVEN = {
    "position": "7",
    "size": "1",
    "one_day": "2026-11-20",
    "language": "en",
    "file": "hra_toky",
    "row": "1",
}


def address(path: str, **given: str) -> str:
    """Fill in the parts of an address; what is not given is plausible, and not there."""
    names = re.findall(r"{(\w+)(?::\w+)?}", path)
    filled = re.sub(r"{(\w+):\w+}", r"{\1}", path)
    if path.startswith("/api/views/"):
        given = {"name": "reader_bets", **given}  # which views there are is no secret
    return filled.format(**{name: given.get(name, GIVEN.get(name, "nobody")) for name in names})


def asked_for_nothing(path: str) -> str:
    """Give an address what it needs, and a parameter that it does not have."""
    needed = (
        one.alias
        for one in routes("GET")[path].dependant.query_params
        if one.field_info.is_required()
    )
    return f"{address(path)}?no_parameter=1" + "".join(f"&{name}=SELECT%201" for name in needed)


def parameters(path: str) -> Iterator[tuple[str, bool]]:
    """Name the parameters of an address, and whether each is a part of it."""
    route = routes("GET")[path]
    parts = [route.dependant, *route.dependant.dependencies]
    for part in parts:
        yield from ((one.alias, True) for one in part.path_params)
        yield from ((one.alias, False) for one in part.query_params)


def hostile_addresses() -> Iterator[str]:
    values = cycle([*(quote(one, safe="") for one in HOSTILE), *RAW])
    for path in READING:
        for name, is_part in parameters(path):
            for value in islice(values, EACH):
                if is_part:
                    yield address(path, **{name: value or "%20"})
                else:
                    yield f"{address(path)}?{name}={value}"


def assert_harmless(found: Response, asked: str) -> None:
    assert found.status_code < HTTPStatus.INTERNAL_SERVER_ERROR, (asked, found.text[:500])
    assert "Set-Cookie" not in found.headers, asked
    assert len(found.content) < BYTES_MAX, asked
    location = found.headers.get("Location", "/")
    assert re.match(r"/(?![/\\])", location), (asked, location)
    assert "\u202e" not in found.text, asked
    kind = found.headers.get("Content-Type", "").partition(";")[0]
    is_page = not found.headers.get("Content-Disposition", "").startswith("attachment")
    if kind == "text/html" and is_page:
        for acting in ("<script>", 'onmouseover="', 'href="javascript:', "54173879"):
            assert acting not in found.text, (asked, acting)
    if asked.startswith("/api/") and found.status_code >= HTTPStatus.BAD_REQUEST:
        assert kind == "application/problem+json", asked
        assert found.json()["status"] == found.status_code


def test_every_parameter_of_every_address_bears_what_is_hostile(service: Service) -> None:
    asked = list(hostile_addresses())
    assert len(asked) > EACH * len(READING)
    for one in asked:
        assert_harmless(service.get(one), one)


def test_every_address_is_for_those_alone_whose_role_has_its_right(service: Service) -> None:
    """Whoever may is told of the parameter that is none; whoever may not learns nothing else."""
    for name in ("stranger", *ROLES):
        if name not in service.tokens:
            service.add(name, "auditor")
    service.desk.chain.wait_until_current()
    known = service.desk.readers.named("the-stranger")
    assert known is not None
    service.desk.readers._by_name["the-stranger"] = readers.replace(known, roles=("none",))
    for path in READING:
        asked = asked_for_nothing(path)
        nobody = service.client.get(asked)
        if path.startswith("/api/"):
            assert nobody.status_code == HTTPStatus.UNAUTHORIZED, path
            assert nobody.headers["WWW-Authenticate"].startswith("Bearer")
        else:
            assert nobody.headers["Location"].partition("?")[0] == "/sign-in", path
        refused = service.get(asked, "stranger")
        assert refused.status_code == HTTPStatus.FORBIDDEN, (path, refused.text[:300])
        (scope,) = re.findall(r"this needs the right (\w+:\w+),", refused.text)
        for role in ROLES:
            needed = WHOLE_LOG if path == "/api/log" else {scope}
            may = scopes_of((role,)) >= needed
            status = service.get(asked, role).status_code
            expected = HTTPStatus.BAD_REQUEST if may else HTTPStatus.FORBIDDEN
            assert status == expected, (path, role, scope)


def test_no_form_is_taken_from_another_site_and_nothing_else_is_sent(service: Service) -> None:
    forms = routes("POST").keys()
    assert forms == {"/sign-in", "/sign-out", "/saved", "/accounts/{name}/person", "/persons"}
    browser = service.new_browser()
    token = service.tokens["regulator"]
    assert browser.post("/sign-in", data={"token": token}).is_redirect
    sent = {"token": token, "purpose": "MF-1", "form_token": "x" * 43}
    for path in forms:
        foreign = browser.post(address(path), data=sent, headers={"Origin": "https://evil.example"})
        assert foreign.status_code == HTTPStatus.FORBIDDEN, path
    for path in forms - {"/sign-in"}:
        assert browser.post(address(path), data=sent).status_code == HTTPStatus.FORBIDDEN, path
    for path in set(READING) - forms:
        assert browser.post(address(path)).status_code == HTTPStatus.METHOD_NOT_ALLOWED, path


def refusals(service: Service, number: int) -> list[e.AccessRefused]:
    found = service.desk.chain.newest(Query(types=("AccessRefused",)), number)
    return [one.event for one in found if isinstance(one.event, e.AccessRefused)]


@pytest.mark.law("L-21")
def test_who_was_refused_stands_in_the_chain_of_accesses_and_does_not_fill_it(
    service: Service,
) -> None:
    desk, clock = service.desk, StoppedClock(SystemClock().now())
    desk.refusals.close()
    desk.refusals._clock = clock
    clock.moment += HOUR
    before = service.accesses()
    for _ in range(50):
        assert service.get("/api/sql?q=SELECT%201", "investigator").status_code == 403
    assert service.accesses() == before + RECORDS_MAX
    clock.moment += 2 * MINUTE
    assert service.get("/api/accesses", "investigator").status_code == 403
    (last, *_) = refusals(service, 1)
    assert (last.reader, last.why, last.scope) == ("the-investigator", "scope", "access:read")
    assert (last.question, last.attempts) == ("GET /api/accesses", 50 - RECORDS_MAX + 1)
    service.client.get("/api/chain", headers={"Authorization": "Bearer wrong"})
    (last, *_) = refusals(service, 1)
    assert (last.reader, last.why, last.attempts) == ("", "token", 1)
    listed = service.get("/api/accesses?reader=the-investigator", "data-protection").json()
    assert listed["answer"]["accesses"][0]["what"] == "AccessRefused"


def test_a_session_ends_unused_and_at_its_end_and_is_not_guessed(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = StoppedClock(SystemClock().now())
    monkeypatch.setattr(service.desk, "sessions", Sessions(clock))

    def signed_in() -> Any:
        browser = service.new_browser()
        assert browser.post("/sign-in", data={"token": service.tokens["auditor"]}).is_redirect
        return browser

    def is_in(browser: Any) -> bool:
        return bool(browser.get("/my-accesses").status_code == HTTPStatus.OK)

    browser = signed_in()
    clock.moment += 29 * MINUTE
    assert is_in(browser)
    clock.moment += 30 * MINUTE
    assert not is_in(browser)
    browser, begun = signed_in(), clock.moment
    while clock.moment + 20 * MINUTE < begun + SESSION_LASTS:
        clock.moment += 20 * MINUTE
        assert is_in(browser)
    clock.moment = begun + SESSION_LASTS
    assert not is_in(browser)
    name = signed_in().cookies["gameledger"]
    for forged in ("", "x", name[:-1], name + "x", name.swapcase(), "x" * 8_000, "%00", '"'):
        assert not is_in_with(service, forged)
    assert is_in_with(service, name)
    plain = service.browser(service.client.app)
    plain.base_url = "http://ledger.example"  # the same browser, lured to where nothing is sealed
    plain.cookies = signed_in().cookies
    assert not is_in(plain)


def is_in_with(service: Service, name: str) -> bool:
    found = service.client.get("/my-accesses", headers={"Cookie": f"gameledger={name}"})
    return found.status_code == HTTPStatus.OK


def test_looking_for_a_token_takes_as_many_comparisons_whoever_it_is(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[bool] = []
    compare = readers.compare_digest

    def counted(one: str, other: str) -> bool:
        compared.append(compare(one, other))
        return compared[-1]

    monkeypatch.setattr(readers, "compare_digest", counted)
    numbers = set()
    for token in (*service.tokens.values(), "wrong", ""):
        service.desk.readers.by_token(token, service.desk.clock.now())
        numbers.add(len(compared))
        compared.clear()
    assert numbers == {len(service.desk.readers.all())}
