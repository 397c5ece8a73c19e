"""The nightly summary: a message in text and HTML that any mail program opens and sends.

Input: the findings of a reconciliation. Output: the bytes of an RFC 5322 message without
recipients, the same for the same findings. The message contains codes, positions and amounts, and
no personal data: accounts are pseudonyms. The choice of mail system is the operator's.
"""

from __future__ import annotations

from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from html import escape
from typing import TYPE_CHECKING

from ledger.core.clock import in_prague
from projections.words.names import named
from tools.sanitize import escape_controls

if TYPE_CHECKING:
    from collections.abc import Sequence

    from projections.findings.finding import Finding
    from projections.words.catalogue import Words

__all__ = ["MARK", "night_message"]

MARK = b"@gameledger.invalid>"
"""Stands in each of these messages, and so tells them from other files."""

FINDINGS_MAX = 200
"""Findings that a message lists, besides their number."""


def night_message(
    findings: Sequence[Finding],
    words: Words,
    *,
    chain: str,
    position: int,
    head: str,
    recorded_at: int,
) -> bytes:
    """Write the message.

    Args:
        findings: open findings.
        words: texts of its language.
        chain: name of the chain.
        position: number of messages examined.
        head: hash of the last of them.
        recorded_at: timestamp of the last message, in microseconds; the date of the mail.

    """
    subject = words.counted("night.open", len(findings))
    message = EmailMessage(policy=SMTP)
    message["Subject"] = f"{escape_controls(chain)}: {subject}"
    message["Date"] = format_datetime(in_prague(recorded_at))
    message["Message-ID"] = f"<{head[:32]}.{position}{MARK.decode()}"
    message["Content-Language"] = words.language.value
    message["Auto-Submitted"] = "auto-generated"
    basis = words.text("night.basis", position=position, head=head)
    rows = [_row(one, words) for one in findings[:FINDINGS_MAX]]
    lines = [subject, basis, "", *(f"- {' | '.join(cell for cell in row if cell)}" for row in rows)]
    if len(findings) > FINDINGS_MAX:
        lines.append(words.text("night.more", count=len(findings) - FINDINGS_MAX))
    lines += ["", words.text("night.next")]
    message.set_content("\n".join(lines) + "\n")
    message.add_alternative(_html(subject, basis, rows, lines[-1], words), subtype="html")
    message.set_boundary(f"night-{head[:32]}")
    return message.as_bytes()


def _row(one: Finding, words: Words) -> tuple[str, ...]:
    place = one.bet or one.round or one.account
    what = named(words, "findings", one.code)
    amount = words.money_in(one.currency, one.amount) if one.amount else ""
    return tuple(
        map(escape_controls, (str(one.position), one.code, place, what, amount, one.paragraph))
    )


def _html(
    subject: str, basis: str, rows: Sequence[tuple[str, ...]], following: str, words: Words
) -> str:
    names = ("position", "code", "place", "what", "amount", "paragraph")
    heads = "".join(f'<th align="left">{escape(_head(words, one))}</th>' for one in names)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    table = f'<table border="1" cellpadding="4"><tr>{heads}</tr>{body}</table>' if rows else ""
    return (
        f'<!doctype html><html lang="{words.language}"><head><meta charset="utf-8">'
        f"<title>{escape(subject)}</title></head><body><h1>{escape(subject)}</h1>"
        f"<p>{escape(basis)}</p>{table}<p>{escape(following)}</p></body></html>\n"
    )


def _head(words: Words, name: str) -> str:
    keys = {
        "position": "night.position",
        "code": "night.code",
        "place": "night.place",
        "what": "night.what",
        "amount": "night.amount",
        "paragraph": "night.paragraph",
    }
    return words.text(keys[name])
