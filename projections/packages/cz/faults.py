"""Fault codes of packages, the authority's and our own, and their report lines.

Codes that begin with ``ERR_`` are the authority's; `docs/reporting.md` explains which of them is
used for a case that its rules leave open. Codes that begin with ``OWN_`` are checks that the
authority makes in its database with unpublished codes: the prefix distinguishes them.
"""

from __future__ import annotations

from enum import StrEnum

__all__ = ["FAULTS_MAX", "Code"]

FAULTS_MAX = 300
"""Maximum faults of one file; one more stops the check."""


class Code(StrEnum):
    """Code of a kind of fault."""

    SIGNATURE_DER = "ERR_PKG_SIG_INVALID_DER"
    SIGNATURE = "ERR_PKG_SIG_INVALID_SIGNATURE"
    CERTIFICATE_UNTRUSTED = "ERR_PKG_SIG_CERT_UNTRUSTED"
    CERTIFICATE_UNKNOWN = "ERR_PKG_SIG_CERT_UNKNOWN"
    ENVELOPE_DER = "ERR_PKG_ENC_INVALID_DER"
    RECIPIENT = "ERR_PKG_ENC_RECIPIENT"
    ENVELOPE_DATA = "ERR_PKG_ENC_BAD_DATA"

    UNZIP = "ERR_PKG_UNZIP"
    EXTRA_FILES = "ERR_PKG_EXTRA_FILES"
    MISSING_FILE = "ERR_PKG_MISSING_FILE"

    RECORD_COUNT = "ERR_FILE_BAD_RECORD_COUNT"
    TOO_MANY = "ERR_FILE_TOO_MANY_ERRORS"

    META = "ERR_LINE_META"
    META_HASH = "ERR_LINE_INVALID_HASH"
    META_PARTS = "ERR_LINE_SPLIT_META"
    META_MOMENT = "ERR_META_FIELD_DATETIME"
    META_PACKAGE = "ERR_META_FIELD_BAD_PACKAGE"
    META_NAME = "ERR_META_FIELD_BAD_NAME"
    META_VERSION = "ERR_META_FIELD_VERSION"

    UTF8 = "ERR_LINE_BAD_UTF8"
    LINE_LENGTH = "ERR_LINE_TOO_LONG"
    CSV = "ERR_LINE_INVALID_CSV"
    HEADER = "ERR_LINE_BAD_HEADER"
    FIELD_COUNT = "ERR_LINE_BAD_FIELD_COUNT"

    EMPTY = "ERR_FIELD_NOT_NULL"
    MANDATORY = "ERR_FIELD_MANDATORY"
    FORMAT = "ERR_FIELD_BAD_FORMAT_RE"
    TYPE = "ERR_FIELD_TYPE"
    DOMAIN = "ERR_FIELD_DOMAIN_TYPE"
    CODEBOOK = "ERR_FIELD_CODEBOOK"
    TOO_LONG = "ERR_FIELD_TOO_LONG"
    TOO_SHORT = "ERR_FIELD_TOO_SHORT"
    KIND = "ERR_FIELD_CTX_GAMETYPE"
    OPERATOR = "ERR_FIELD_CTX_OPERTORID"
    """Spelled as in the authority's documentation."""
    PREFIX = "ERR_FIELD_CTX_OPERATORID_PREFIX"
    TIMESPAN = "ERR_FIELD_CTX_PKG_TIMESPAN"

    KEY_REPEATED = "OWN_KEY_REPEATED"
    KEY_SENT_BEFORE = "OWN_KEY_SENT_BEFORE"
    REFERENCE = "OWN_REFERENCE_DANGLING"
    CHANGED = "OWN_VALUE_CHANGED"
