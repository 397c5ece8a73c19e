"""Packages for the regulator become facts of the chain in one order only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ledger.events.event_types import (
    ConfirmationReceived,
    CorrectionRequested,
    PackageBuilt,
    PackagePublished,
    RateFixed,
)

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

SERIES = "26493993-V-2026020208-Z"
FIRST, SECOND = f"{SERIES}-01", f"{SERIES}-02"
A, B, C = "a" * 64, "b" * 64, "c" * 64


def built(package: str = FIRST, digest: str = A, **facts: Any) -> dict[str, Any]:
    files = {"provozovatel.csv": [1, B], "hra_toky.csv": [7, C]}
    return {
        "package": package,
        "known_at": 1,
        "files": files,
        "digest": digest,
        "settings": "{}",
        **facts,
    }


def published(package: str = FIRST, digest: str = A) -> dict[str, Any]:
    return {
        "package": package,
        "digest": digest,
        "file": f"{package}.zip.p7e.p7s",
        "file_digest": B,
        "size": 12,
    }


def confirmed(verdict: str = "OK", digest: str = C, **facts: Any) -> dict[str, Any]:
    return {
        "package": FIRST,
        "confirmation": f"{FIRST}.{verdict}.zip",
        "verdict": verdict,
        "file_digest": digest,
        **facts,
    }


@pytest.mark.law("L-4", "L-5")
def test_a_package_goes_from_built_over_published_to_confirmed_and_its_next_version(
    bare: Casino,
) -> None:
    (first,) = bare.do("record_package", **built())
    assert isinstance(first, PackageBuilt)
    assert (first.series, first.version, first.files, first.rows, first.digests) == (
        SERIES,
        1,
        ("hra_toky.csv", "provozovatel.csv"),
        (7, 1),
        (C, B),
    )
    (out,) = bare.do("publish_package", **published())
    assert isinstance(out, PackagePublished)
    finding = {"file": "ucet.csv", "key": "26493993-9", "code": "ERR_FIELD_TYPE"}
    (error,) = bare.do("record_confirmation", **confirmed("ERR", findings=[finding]))
    assert isinstance(error, ConfirmationReceived)
    assert (error.files, error.keys, error.codes) == (
        ("ucet.csv",),
        ("26493993-9",),
        ("ERR_FIELD_TYPE",),
    )
    (asked,) = bare.do("request_correction", package=FIRST, kind="formal", explanation="a type")
    assert isinstance(asked, CorrectionRequested)
    with bare.as_reopened():
        (second,) = bare.do("record_package", **built(SECOND, B, cause="a type"))
        assert isinstance(second, PackageBuilt)
        assert second.cause == "a type"
        bare.do("publish_package", **published(SECOND, B))
        facts = {"kind": "material", "explanation": "x"}
        bare.fail(f"replaced by {SECOND}", "request_correction", package=FIRST, **facts)
        bare.do("request_correction", package=SECOND, **facts)


def test_what_was_built_and_not_published_may_be_built_again(bare: Casino) -> None:
    bare.do("record_package", **built())
    bare.do("record_package", **built(digest=B))
    bare.fail("was built with other content", "publish_package", **published(digest=A))
    bare.do("publish_package", **published(digest=B))
    bare.fail("is published: build the next version", "record_package", **built())


def test_a_later_confirmation_of_the_same_package_counts_and_the_same_one_does_not(
    bare: Casino,
) -> None:
    bare.do("record_package", **built())
    bare.do("publish_package", **published())
    bare.do("record_confirmation", **confirmed("OK"))
    bare.do("record_confirmation", **confirmed("ERR", B))
    bare.fail("is recorded already", "record_confirmation", **confirmed("ERR", B))


@pytest.mark.parametrize(
    ("words", "command", "facts"),
    [
        ("not of operator 26493993", "record_package", built("11111111-V-2026020208-Z-01")),
        ("less than 99999", "record_package", built(known_at=99_999)),
        ("version 2 can't follow version 0", "record_package", built(SECOND, cause="x")),
        ("version 0 can't follow", "record_package", built(f"{SERIES}-00")),
        ("was not built: `gameledger report build`", "publish_package", published()),
        ("was not published", "record_confirmation", confirmed()),
        (
            "was not published",
            "request_correction",
            {"package": FIRST, "kind": "formal", "explanation": "x"},
        ),
        (
            "no exchange rate",
            "fix_rate",
            {"currency": "CZK", "rate": 1_000, "day": "2026-03-31"},
        ),
    ],
)
def test_what_is_out_of_order_is_no_fact(
    bare: Casino, words: str, command: str, facts: dict[str, Any]
) -> None:
    bare.fail(words, command, **facts)


@pytest.mark.law("L-5")
def test_the_next_version_has_a_cause_and_a_published_version_before_it(bare: Casino) -> None:
    bare.do("record_package", **built())
    bare.fail("build that version again", "record_package", **built(SECOND, cause="x"))
    bare.do("publish_package", **published())
    bare.fail("another version has a cause", "record_package", **built(SECOND))
    bare.fail("is published already", "publish_package", **published())


def test_a_rate_is_fixed_for_a_day(bare: Casino) -> None:
    (rate,) = bare.do("fix_rate", currency="EUR", rate=24_315, day="2026-03-31")
    assert rate == RateFixed(currency="EUR", rate=24_315, day="2026-03-31")
