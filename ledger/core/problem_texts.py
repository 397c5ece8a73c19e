"""English texts of errors of the services by their codes (:mod:`ledger.core.phrases`)."""

from __future__ import annotations

__all__ = ["PROBLEMS"]

PROBLEMS: dict[str, str] = {
    "ENGINE_REFUSED": "the engine did not take it: {english:english}",
    "QUERY_TOO_COSTLY": "the question costs too much; ask for less: {english:english}",
    "NO_SELECT": (
        "this is no SELECT over the views for readers: {why:phrase}; docs/sql.md lists the views"
    ),
    "VIEW_WITH_DATABASE": "views are asked for by their names alone, without a database",
    "SQL_NOT_SELECT": "it does not begin with SELECT or WITH",
    "SQL_RECURSIVE": "it is recursive",
    "SQL_WITH_SEMICOLON": "it holds a semicolon, or a sign that can't be seen",
    "SQL_WITH_OUTPUT": "it says where the answer goes, in which form, or under which settings",
    "SQL_SYNTAX_NOT_ALLOWED": "it holds something of the kind {syntax}",
    "SQL_PART_WITH_OUTPUT": "a part of it says where its answer goes, or in which form",
    "SQL_NO_VIEW": "it asks something that is no view: a table function, perhaps",
    "SQL_FUNCTION_UNKNOWN": "the function {function} is not one of those that are known here",
    "SQL_IN_TABLE": "IN takes a list or a SELECT, not the name of a table",
    "SQL_VIEW_UNKNOWN": "{view} is none of the views for readers",
    "SQL_TOO_LONG": "it is too long",
    "SQL_AMBIGUOUS": "it can't be read as one tree",
    "DAY_MALFORMED": "{text} is no day: write it as {example}",
    "MOMENT_MALFORMED": "{text} is none: {forms:phrase}",
    "MOMENT_SKIPPED": "the clock in Prague never shows {text}: it is set forward then",
    "MOMENT_TWICE": "the clock in Prague shows {text} twice: add {offsets:choice}",
    "PERIOD_MALFORMED": (
        "{text} is no period: write a day such as 2026-11-20, a month such as 2026-11, or a "
        "quarter such as 2026-Q4"
    ),
    "PERIOD_BEFORE_CHAIN": "{text} lies before the beginning of the chain",
    "DAY_AND_SPAN": "ask for --day, or for --from and --to, not for both",
    "TABLES_INCONSISTENT": "a message is in no table or in two: rebuild the tables",
    "POSITION_NOT_PROJECTED": "position {size} is not projected: give 0 to {most}",
    "POSITION_NOT_IN_CHAIN": "position {size} is not in the chain: give 1 to {most}",
    "NOTHING_RECORDED_BY_THEN": "nothing was recorded by then",
    "PARAMETER_UNKNOWN": "there is no parameter {name}: this address has {names}",
    "PARAMETER_TWICE": "parameter {name} is given twice: give it once",
    "LIMIT_OUT_OF_RANGE": "limit {limit} is out of range: give 1 to {most}",
    "EVENT_TYPE_HIDDEN": "there is no event type {event}, or your roles do not show it",
    "PAGE_NUMBER_UNKNOWN": "page {number} is not there: the last one is {pages}",
    "MESSAGE_UNKNOWN": "there is no message {at}: the chain has {size}",
    "EVENT_TYPE_UNKNOWN": "there is no event type {name}: docs/events.md lists them",
    "ACCOUNT_UNKNOWN": "account {name} is unknown below position {size}",
    "TOURNAMENT_UNKNOWN": "tournament {name} is unknown below position {size}",
    "ROUND_UNKNOWN": "round {name} is unknown below position {size}",
    "CASE_UNKNOWN": (
        "case {name} is unknown below position {size}: `gameledger complaint list --all` names "
        "the cases"
    ),
    "FINDING_UNKNOWN": (
        "finding {name} is not recorded below position {size}: `gameledger finding list --all` "
        "names those that are"
    ),
    "FINDING_AMBIGUOUS": "{count} findings begin with {name}: give more digits",
    "VIEW_UNKNOWN": "there is no view {name}: /api/views lists them",
    "PACKAGE_UNKNOWN": "there is no package {name}: /api/packages lists them",
    "PACKAGE_FILE_NOT_PUBLISHED": "no sealed file of {name} is published, or it is not here",
    "CHECKPOINT_UNKNOWN": "no checkpoint covers {size} messages: /api/checkpoints lists them",
    "PACKAGE_NAME_MALFORMED": (
        "{text} is not the name of a package of model V or M, kind Z, such as "
        "12345678-V-2026112108-Z-01 or 12345678-M-202611-Z-kasino_1-01"
    ),
    "PACKAGE_DAY_UNKNOWN": "{text} names a day that there is not: {digits}",
    "PACKAGE_YEAR_UNKNOWN": "{text} names a year that no package can be of: {digits}",
    "PACKAGE_OPERATOR_MALFORMED": (
        "{text} can't be the operator in the name of a package: letters, digits and underscores, "
        "at most 20"
    ),
    "PACKAGE_CASINO_MALFORMED": (
        "{text} can't be the casino in the name of a package: letters, digits and underscores, "
        "at most 50"
    ),
    "PACKAGE_PERIOD_NO_MONTH": "the period of a casino is a month, it can't begin on {day:day}",
    "PACKAGE_HOUR_WRONG": "periods begin at 0, 8 and 16 o'clock, not at {hour}",
    "PACKAGE_VERSION_WRONG": "{version} is not a version of a package: 1 to {most}",
    "PACKAGE_NOT_BUILT": "package {name} was not built: `gameledger report status` lists them",
    "PACKAGE_TO_BUILD": "package {name} was not built: `gameledger report build`",
    "PACKAGE_BEFORE_CHAIN": "package {name} lies before the beginning of the chain",
    "PACKAGE_WITHOUT_FILE": "package {name} holds no {file}: only the quarterly ones do",
    "PACKAGE_FILE_UNKNOWN": "packages of model {model} have no file {file}; they have {names}",
    "PACKAGE_ROW_UNKNOWN": "{file} of {name} has no row {row}: give its number from 1, or its key",
    "SCOPE_MISSING": "this asks for {scope}, which your roles do not have",
    "FORM_OF_OTHER_SESSION": "this form is not of this session: open the page again",
    "FORM_OF_OTHER_SITE": "this form was sent by another site",
    "FORM_MALFORMED": "send the form as it is",
    "FORM_TOO_LARGE": "too many fields",
    "TOO_MANY_WRONG_TOKENS": "too many wrong tokens came from this address: wait a minute",
    "TOKEN_UNKNOWN": "the token is not known, or its time is over",
    "PURPOSE_MISSING": "give the purpose, in the header Gameledger-Purpose or when you sign in",
    "READ_ONLY_SERVICE": "this service is read only: GET, and POST for its few forms",
    "BODY_ENCODED": "a body is taken as it is: send it without Content-Encoding",
    "BODY_TOO_LARGE": "a body has {most} bytes at most",
    "ADDRESS_UNKNOWN": "Nothing matches the given URI",
    "FORMATS_GIVEN": "this is given as {forms}",
    "XLSX_TOO_LARGE": "XLSX is given up to {most:decimal} rows: narrow the question, or take CSV",
    "ANSWER_LATE": (
        "there is no answer within {seconds:decimal} s: repeat in a moment, or ask for less"
    ),
    "EXAMINATIONS_WAITING": (
        "too many requests wait for an examination of the chain: repeat in a moment"
    ),
    "EXAMINATION_RUNNING": "the chain is still being examined: repeat in a moment",
    "TOO_MANY_QUERIES": "too many questions at once: repeat in a moment",
    "TOO_MANY_LIVE_PAGES": "too many pages renew themselves: reload this one by hand",
    "TOO_MANY_DOWNLOADS": "too many downloads at once: repeat when one has ended",
    "POSITION_PENDING": "position {size} is not projected yet: repeat in a moment",
    "TABLES_BEING_MADE": "the tables are being made: repeat in a moment",
    "TABLES_UNUSABLE": "the tables can't be asked: {english:english}",
    "NOTHING_PROJECTED": "nothing is projected yet: keep `gameledger project --follow` running",
    "ACCESS_CHAIN_IN_USE": "the chain of accesses is in use: repeat in a moment",
    "ACCESS_CHAIN_UNWRITABLE": "the chain of accesses can't be written: {english:english}",
    "ACCESS_CHAIN_OTHER_WRITER": (
        "another process writes to the chain of accesses: repeat in a moment"
    ),
    "ACCESS_NOT_RECORDED": "the access can't be recorded, so nothing is read",
    "ACCESS_NOT_RECORDED_BY": "the access can't be recorded, so nothing is read: {english:english}",
    "SERVICE_FAULT": "this is a fault of the service; it is in its log",
    "SIGN_IN_REQUIRED": "say who you are: with a token, a certificate, or by signing in",
    "VIEW_NOT_NARROWED": "{view} can't be narrowed by {names}: it has no such column",
    "PLACE_FORMS": (
        "write a position, a day such as 2026-11-20, or a moment such as 2026-11-20T08:15"
    ),
    "SAVED_QUESTION_UNKNOWN": "there is no saved question {name} of yours",
    "FORM_PART_NO_FIELD": "a part of the form is no field",
    "ONE_FILE_REQUIRED": "choose one file",
    "UPLOAD_FORGOTTEN": "the uploaded file is no longer kept: choose it again",
}
