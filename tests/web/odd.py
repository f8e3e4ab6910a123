"""Odd requests: what the doors expect, with something in it that nobody should send.

The same seed and number give the same request.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

# What follows stands side by side: one a line would be two pages.
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
TEXTS = (
    "", " ", ".", "..", "../../etc/passwd", "/", "//", "%", "%00", "\0", "a\0b", "\ud800",
    "a\udfffb", "\ufeff", "\u202e", "\r\n", "abc", "new", "New", "None", "null", "true", "[]",
    "{}", "[" * 1000, "<script>", "'; --", "=1+1", "\N{GRINNING FACE}" * 90,
    "\N{MATHEMATICAL SCRIPT CAPITAL A}" * 90, "a." + "\N{GRINNING FACE}" * 90,
    "\N{LATIN SMALL LETTER E WITH ACUTE}" * 130, "0", "-1", "-0", "1.5", "1e999", "NaN", "inf",
    "\N{SUPERSCRIPT TWO}", "\N{ARABIC-INDIC DIGIT THREE}", "\N{FULLWIDTH DIGIT ONE}", "32768",
    str(2**31), str(2**63), str(2**64 + 1), "9" * 30, "9" * 5000, "-" + "9" * 5000,
    "0001-01-01T00:00", "9999-12-31T23:59", "1900-01-01T00:00", "10000-01-01T00:00",
    "2026-02-30T00:00", "2026-01-01T00:00", "Asia/Tokyo", "America/Los_Angeles",
    "Pacific/Kiritimati", "../UTC", "localtime",
)  # fmt: skip
LONG = "x" * 1_000_000
# Anything that JSON can hold, where something else was expected.
VALUES = (
    None, True, False, [], {}, [[]], {"a": 1}, 0, -1, 1.5, 1e308, 2**31, 2**63, 10**400, [1, 2],
)  # fmt: skip
QUERIES = (
    "page", "state", "docno", "number", "qrels", "by", "version", "depth", "runs", "missing",
    "next", "pool", "odd", "with", "other", "picture", "run", "cost", "order",
    "evaluation", "what", "audience", "subject", "q", "progress", "who", "whole", "first",
    "second", "topic", "topics", "strategy", "from", "show", "of_round", "sample", "round",
    "kind", "second_percent", "board-open", "board-find", "board-kind", "run-list-sort",
    "topics-sort", "values-sort", "people-sort", "values-find",
)  # fmt: skip
# Fields that a form has beside those that the doors post.
SETTINGS = (
    "submission_opens_at submission_closes_at judging_opens_at judging_closes_at seen guidelines "
    "notice time_zone time_zone name"
)
MORE_FIELDS: Mapping[str, str] = {
    "login": "username password next",
    "account": "last_name email",
    "keys": "single_key_shortcuts later undo",
    "reading": "reading_width reading_face",
    "invitation": "first_name last_name email",
    "campaigns:create": SETTINGS,
    "campaigns:settings": SETTINGS,
    "collection:documents": "completes_collection is_html",
    "collection:import": "takes_versions",
    "collection:declare_collection": "is_whole",
    "runs:runs": "description is_manual",
    "runs:describe_run": "seen",
    "runs:extensions": "closes_at times_are_in seen",
    "runs:merge_team": "seen",
    "collection:topic": "seen",
    "collection:document": "seen",
    "assess:limits": "seen",
    "campaigns:people": "team_name name max_uses days",
    "runs:rename_team": "seen",
    "practice:edit_practice": "seen description narrative may_skip act grade",
    "agreement:controls": "seen how",
    "agreement:remove_known": "seen topic",
    "evaluation:score": "others qrels",
}
BODIES = (
    b"", b"\0", b"[" * 100_000, b'{"a":' * 100_000, b"\xff\xfe\xfa", b'{"docno": "\\ud800"}',
    b"NaN", b"null", b"[]", b'"x"', b"1" * 5000, b"{", b"a=%ff&b=%00", b"&" * 2000, b"=" * 2000,
    b"x" * 2_000_000,
)  # fmt: skip
BOUNDARY = "=odd="
KINDS = (
    "application/json",
    "application/x-www-form-urlencoded",
    f"multipart/form-data; boundary={BOUNDARY}",
    "multipart/form-data",
    "text/plain",
    "",
    "multipart/form-data; boundary=\N{LATIN SMALL LETTER E WITH ACUTE}",
    "text/plain; charset=nonesuch",
    ";",
    "/",
)
HEADERS = (
    ("HX-Request", "true"), ("HX-Request", "true"), ("HX-Request", "true"),
    ("HX-Current-URL", "http://[bad"), ("HX-Current-URL-URI-AutoEncoded", "%ff"),
    ("Host", "evil.example"), ("Cookie", "sessionid=\0; csrftoken=\xff"),
    ("Cookie", "messages=" + "x" * 3000), ("Accept", "image/nonesuch"), ("Accept", ";;q=\xff"),
    ("Accept-Language", "x" * 600), ("X-Forwarded-For", "\0, ::::1"), ("Range", "bytes=-1--9"),
    ("If-Modified-Since", "Mon, 01 Jan 0001 00:00:00 GMT"), ("Transfer-Encoding", "chunked"),
    ("Authorization", "Basic \xff"), ("Origin", "null"), ("Content-Encoding", "gzip"),
)  # fmt: skip


@dataclass(frozen=True)
class Door:
    """An address, with what makes the act succeed; a value in bytes is a file."""

    name: str
    route: str
    method: str
    person: str
    arguments: Mapping[str, Any]
    data: Mapping[str, Any]


@dataclass
class OddRequest:
    """A request and, in `oddities`, what is wrong with it."""

    number: int
    person: str
    method: str
    door: str
    address: str = ""
    body: bytes = b""
    kind: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    oddities: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"#{self.number} {self.person} {self.method} {self.address[:120]} "
            f"({'; '.join(self.oddities)})"
        )


def odd_request(seed: int, number: int, doors: Sequence[Door], people: Sequence[str]) -> OddRequest:
    """The request of this number: one to three oddities in one that would be in order."""
    rng = Random(f"{seed} {number}")
    [door] = rng.choices(doors, [3 if door.data else 1 for door in doors])
    method = door.method if rng.random() < 0.8 else rng.choice(METHODS)
    person = door.person if rng.random() < 0.7 else rng.choice(people)
    made = OddRequest(number, person, method, door.name)
    made.address = _path(rng, door, made)
    if rng.random() < 0.3:
        made.address += "?" + _query(rng, made)
    if method in {"POST", "PUT", "PATCH"}:
        _fill(rng, door, made)
    for name, value in rng.sample(HEADERS, rng.choice((0, 0, 0, 1, 2))):
        made.headers[name] = value
        made.oddities.append(f"{name}: {value[:20]!r}")
    return made


def _path(rng: Random, door: Door, made: OddRequest) -> str:
    odd = rng.choice(list(door.arguments)) if door.arguments and rng.random() < 0.25 else None

    def filled(match: re.Match[str]) -> str:
        name = match[1]
        value = rng.choice(TEXTS) if name == odd else str(door.arguments[name])
        if name == odd:
            made.oddities.append(f"{name}={value[:20]!r}")
        return _quoted(value)

    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", filled, door.route)


def _quoted(text: str) -> str:
    return quote(text.encode("utf-8", "surrogatepass"), safe="")


def _query(rng: Random, made: OddRequest) -> str:
    names = rng.choices(QUERIES, k=rng.choice((1, 1, 2, 3)))
    pairs = [(name + rng.choice(("", "", "[]")), rng.choice(TEXTS)) for name in names]
    made.oddities += [f"?{name}={value[:20]!r}" for name, value in pairs]
    return "&".join(f"{name}={_quoted(value)}" for name, value in pairs)


def _fill(rng: Random, door: Door, made: OddRequest) -> None:
    """Give the request a body: mostly the fields of the form with one or two of them changed."""
    if rng.random() < 0.15:
        made.body = rng.choice(BODIES)
        made.kind = rng.choice(KINDS)
        made.oddities.append(f"body {made.body[:20]!r} as {made.kind!r}")
        return
    fields = [(name, each) for name, value in door.data.items() for each in _each(value)]
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        _spoil(rng, door, fields, made)
    made.kind = f"multipart/form-data; boundary={BOUNDARY}"
    made.body = _multipart(rng, fields, made)
    if not any(isinstance(value, bytes) for _, value in fields) and rng.random() < 0.5:
        made.kind = "application/x-www-form-urlencoded"
        made.body = urlencode(
            [(name, str(value).encode("utf-8", "surrogatepass")) for name, value in fields]
        ).encode()
    elif rng.random() < 0.05:
        made.body = made.body[: rng.randrange(len(made.body))]
        made.oddities.append(f"cut after {len(made.body)} bytes")


def _each(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [value]


def _spoil(rng: Random, door: Door, fields: list[tuple[str, Any]], made: OddRequest) -> None:
    """Change, add, drop or repeat a field."""
    names = [*(name for name, _ in fields), *MORE_FIELDS.get(door.name, "").split()] or ["odd"]
    name = rng.choice(names)
    act = rng.choice(
        ("change", "change", "change", "change", "drop", "repeat", "add", "file", "long")
    )
    value: Any = rng.choice(TEXTS)
    if act == "long" and rng.random() < 0.2:
        value = LONG
    if act == "file":
        value = rng.choice((b"", b"\0" * 10, b"\xff\xfe", b"\x1f\x8b\x08", b"1 Q0 d1 1 1 two\n"))
    if act in {"change", "drop", "file", "long"}:
        fields[:] = [pair for pair in fields if pair[0] != name]
    if act != "drop":
        fields.append((name if act != "add" else "odd[]", value))
    made.oddities.append(f"{act} {name}: {value[:20]!r}")


def _multipart(rng: Random, fields: Sequence[tuple[str, Any]], made: OddRequest) -> bytes:
    parts = []
    for name, value in fields:
        head = f'Content-Disposition: form-data; name="{name}"'
        content = value
        if isinstance(value, bytes):
            file_name = rng.choice(TEXTS) if rng.random() < 0.4 else "file.txt"
            made.oddities.append(f"file {file_name[:20]!r}")
            head += f'; filename="{file_name}"'
        else:
            content = str(value).encode("utf-8", "surrogatepass")
        parts += [
            f"--{BOUNDARY}\r\n{head}\r\n\r\n".encode("utf-8", "surrogatepass"),
            content,
            b"\r\n",
        ]
    return b"".join([*parts, f"--{BOUNDARY}--\r\n".encode()])
