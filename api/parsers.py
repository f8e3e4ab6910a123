"""What a program sends: JSON of which no more is read than an act may need, forms with files."""

from collections.abc import Sequence
from math import isfinite
from typing import Any

from rest_framework import status
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import JSONParser, MultiPartParser
from rest_framework.utils import json

from cleverdon.trec.json_values import read_json

MOST_DIGITS = 300  # of a number, which Python would else refuse in words of its own


def _number(text: str) -> float:
    if not isfinite(value := float(text)):
        raise ValueError(f"The number {text[:40]} is too large.")
    return value


def _whole(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise ValueError(f"The number {text[:40]}… is too long.")
    return int(text)


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object whose names are each sent once: of two, one would be passed over."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"The name {name[:40]} is there twice.")
        found[name] = value
    return found


STRICT = {
    "parse_constant": json.strict_constant,  # neither NaN nor Infinity
    "parse_float": _number,
    "parse_int": _whole,
    "object_pairs_hook": _object,
}


class TooLarge(APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE


class JSON(JSONParser):
    """JSON, bounded: guidelines are the longest texts, topics the longest lists."""

    most_bytes, most_values = 1_000_000, 50_000

    def parse(self, stream: Any, *_: Any, **__: Any) -> Any:
        sent = stream.read(self.most_bytes + 1)
        if len(sent) > self.most_bytes:
            raise TooLarge(f"The JSON is longer than {self.most_bytes:,} bytes.")
        try:
            return read_json(
                sent, most_bytes=self.most_bytes, most_values=self.most_values, **STRICT
            )
        except UnicodeDecodeError as error:
            raise ParseError("The JSON cannot be read. It is not in UTF-8.") from error
        except ValueError as error:
            raise ParseError(f"The JSON cannot be read. {error}") from error


PARSERS = [JSON, MultiPartParser]
