"""Keep tokens, those of links and of the API, out of logs: anybody who reads one can use it."""

import json
import logging
import re
from datetime import UTC, datetime
from typing import Any

from api.core.spelling import PREFIX, TOKEN


def _spelled(*letters: str) -> str:
    """Return a pattern of letters, each as it is or encoded any number of times."""
    return "".join(
        f"(?:{re.escape(each)}|%(?:25)*{ord(each):x}|%(?:25)*{ord(each.upper()):x})"
        for each in letters
    )


# In a path, in a query with one, and in a Referer. A path may be decoded, so that blanks and quotes
# do not end it: only the end of the line does, or the protocol.
SECRET = re.compile(
    # What stands between the word and the slash leads nowhere, but somebody may mistype it.
    rf"((?:{_spelled(*'invitations')}|{_spelled(*'passwords')})[^\s/]{{0,100}}?(?:{_spelled('/')})+)"
    r"(?:(?! HTTP/\d)[^\r\n])+",
    re.IGNORECASE,
)


def masked(text: str) -> str:
    return re.sub(TOKEN, f"{PREFIX}...", SECRET.sub(r"\1...", text))


class Masked(logging.Formatter):
    """Formats a record and its traceback, which may quote an address."""

    def format(self, record: logging.LogRecord) -> str:
        return masked(super().format(record))


class MaskedJson(Masked):
    """Formats a record as a line of JSON: when, level, logger, message, and a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "message": masked(record.getMessage()),
        }
        if record.exc_info:
            told["traceback"] = masked(self.formatException(record.exc_info))
        return json.dumps(told, ensure_ascii=False)


def mask_records() -> None:
    """Mask tokens in the records of all loggers, gunicorn's too."""
    made_by = logging.getLogRecordFactory()

    def made(*arguments: Any, **options: Any) -> logging.LogRecord:
        record = made_by(*arguments, **options)
        if isinstance(record.msg, str):
            message = record.getMessage()
            if (told := masked(message)) != message:
                record.msg, record.args = told, ()
        return record

    logging.setLogRecordFactory(made)
