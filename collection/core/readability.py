"""What keeps a text from being read: it is empty, or most of it could not be decoded."""

import re

EMPTY, UNREADABLE = "empty", "unreadable"

# Ranges of characters, in the notation of both Python and PostgreSQL. `BLANK` is white space and
# what has no width. `BROKEN` replaces bytes that could not be decoded, or controls a terminal.
BLANK = (
    r"\u0009-\u000d\u0020\u0085\u00a0\u00ad\u1680\u2000-\u200f"
    r"\u2028\u2029\u202f\u205f\u2060\u3000\ufeff"
)
BROKEN = r"\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffd"
_SHOWN = re.compile(f"[^{BLANK}]")
_BLANK = re.compile(f"[{BLANK}]+")
_BROKEN = re.compile(f"[{BROKEN}]")
_WHOLE = re.compile(f"[^{BROKEN}]+")


def fault_of(text: str) -> str:
    r"""Return what keeps a text from being read: `EMPTY`, `UNREADABLE` or "".

    It is unreadable if more than half of its characters, without blanks, are broken.
    `Document.fault` is the same, computed by the database.

    >>> fault_of(" \u00a0\n"), fault_of("\ufffd\ufffd \ufffdk"), fault_of("na\ufffdve")
    ('empty', 'unreadable', '')
    """
    if not _SHOWN.search(text):
        return EMPTY
    if not _BROKEN.search(text):
        return ""
    n_broken = len(_WHOLE.sub("", text))
    return UNREADABLE if 2 * n_broken > len(_BLANK.sub("", text)) else ""
