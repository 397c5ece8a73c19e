"""What passes between us and the authority becomes a fact once, in any order that can happen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ledger.events.event_types import (
    ConfirmationFetched,
    ConfirmationRefused,
    NoticeReceived,
    PackageFetched,
)

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

SERIES = "26493993-V-2026020208-Z"
PACKAGE = f"{SERIES}-01"
A, B, C, CLIENT = "a" * 64, "b" * 64, "c" * 64, "d" * 64


def notice(verdict: str = "OK") -> dict[str, Any]:
    return {"package": PACKAGE, "verdict": verdict, "client": CLIENT}


def of_file(digest: str = C, verdict: str = "OK", **more: Any) -> dict[str, Any]:
    name = f"{PACKAGE}.{verdict.title()}.zip.p7e.p7s"
    facts = {"package": PACKAGE, "confirmation": name, "file_digest": digest, "verdict": verdict}
    return facts | more


def fetched(digest: str = C, verdict: str = "OK") -> dict[str, Any]:
    return of_file(digest, verdict, size=9, server=CLIENT)


@pytest.fixture
def published(bare: Casino) -> Casino:
    bare.do(
        "record_package",
        package=PACKAGE,
        known_at=1,
        files={"provozovatel.csv": [1, A]},
        digest=A,
        settings="{}",
    )
    file = f"{PACKAGE}.zip.p7e.p7s"
    bare.do("publish_package", package=PACKAGE, digest=A, file=file, file_digest=B, size=1)
    return bare


@pytest.mark.law("L-4")
def test_a_package_is_fetched_noticed_and_its_confirmation_fetched(published: Casino) -> None:
    (taken,) = published.do("record_fetch", package=PACKAGE, file_digest=B, client=CLIENT)
    assert taken == PackageFetched(series=SERIES, version=1, file_digest=B, client=CLIENT)
    (told,) = published.do("record_notice", **notice())
    assert told == NoticeReceived(series=SERIES, version=1, verdict="OK", client=CLIENT)
    (here,) = published.do("record_confirmation_fetch", **fetched())
    assert isinstance(here, ConfirmationFetched)
    published.do("record_confirmation", **of_file())


def test_nothing_passes_before_a_package_is_published(bare: Casino) -> None:
    for name, facts in (
        ("record_fetch", {"package": PACKAGE, "file_digest": B, "client": CLIENT}),
        ("record_notice", notice()),
        ("record_confirmation_fetch", fetched()),
        ("refuse_confirmation", of_file(reason="x")),
    ):
        bare.fail("was not published", name, **facts)


def test_each_step_is_recorded_once(published: Casino) -> None:
    taken = {"package": PACKAGE, "file_digest": B, "client": CLIENT}
    published.fail("as another file", "record_fetch", **taken | {"file_digest": C})
    published.do("record_fetch", **taken)
    published.fail("recorded already", "record_fetch", **taken)
    published.do("record_fetch", **taken | {"client": A})
    published.do("record_notice", **notice())
    published.fail("recorded already", "record_notice", **notice())
    published.do("record_confirmation_fetch", **fetched())
    published.fail("recorded already", "record_confirmation_fetch", **fetched())
    published.fail("was not fetched", "refuse_confirmation", **of_file(A, reason="x"))
    (no,) = published.do("refuse_confirmation", **of_file(reason="of another package"))
    assert isinstance(no, ConfirmationRefused)
    published.fail("judged already", "refuse_confirmation", **of_file(reason="x"))


def test_a_notice_stays_open_until_its_confirmation_is_recorded(published: Casino) -> None:
    published.do("record_notice", **notice())
    published.do("record_confirmation_fetch", **fetched(A))
    published.do("refuse_confirmation", **of_file(A, reason="of another package"))
    published.fail("recorded already", "record_notice", **notice())
    published.do("record_confirmation_fetch", **fetched())
    published.do("record_confirmation", **of_file())
    with published.as_reopened():
        published.do("record_notice", **notice())


def test_a_notice_that_is_repeated_later_is_closed_by_the_file_that_is_known(
    published: Casino,
) -> None:
    published.do("record_notice", **notice())
    published.do("record_confirmation_fetch", **fetched())
    published.do("record_confirmation", **of_file())
    published.do("record_notice", **notice())
    published.fail("recorded already", "record_notice", **notice())
    published.do("record_confirmation_fetch", **fetched())
    published.do("record_notice", **notice())


def test_a_refusal_may_overtake_an_acceptance(published: Casino) -> None:
    published.do("record_notice", **notice())
    published.do("record_notice", **notice("ERR"))
    published.do("record_confirmation_fetch", **fetched(A, "ERR"))
    published.do("record_confirmation", **of_file(A, "ERR"))
    published.fail("recorded already", "record_notice", **notice())
    published.do("record_notice", **notice("ERR"))
