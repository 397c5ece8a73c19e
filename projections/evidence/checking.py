"""An evidence file checked as a whole: its data part, and that it shows what it proves.

What comes in: the bytes of a page, of a printed form, or of a data part alone. What goes out: what
the data part proves, and what is said of the rest. Refused: a page that shows anything else than
what this version makes of its data part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from projections.evidence.collect import MADE_BY
from projections.evidence.document import DATA_BYTES_MAX, EvidenceError
from projections.evidence.page import data_in, page_of
from projections.evidence.verify import Verified, verify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.core.signing import PublicKey

__all__ = ["Checked", "check"]

BARE = b'{"evidence":'


class Checked(Struct, frozen=True):
    """What was found; ``page`` says in words what became of the part that people read."""

    verified: Verified
    page: str
    reservations: tuple[str, ...]


def check(content: bytes, keys: Sequence[PublicKey] = ()) -> Checked:
    """Check an evidence file.

    Args:
        content: its bytes.
        keys: public keys that the reader trusts from elsewhere; one of them must have signed.

    Raises:
        InputError: it is no evidence file.
        EvidenceError: it does not prove what it says, or shows something else.

    """
    if content.startswith(BARE):
        found = verify(content, keys)
        return Checked(found, "none: this is the data part alone", found.reservations)
    data = data_in(content)
    if len(data) > DATA_BYTES_MAX:
        raise EvidenceError("data", f"the data part has more than {DATA_BYTES_MAX} bytes")
    found = verify(data, keys)
    made_by = found.evidence.made_by
    if page_of(data) == content:
        return Checked(found, "shows what is proved, to the byte", found.reservations)
    if made_by == MADE_BY:
        text = "the page is not the one that this version makes of the data part: it was altered"
        raise EvidenceError("page", text)
    said = f"The page was made by {made_by}, this is {MADE_BY}: what it shows was not compared."
    return Checked(found, "not compared", (*found.reservations, said))
