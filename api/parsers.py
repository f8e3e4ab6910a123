"""What a program sends: JSON of which no more is read than an act may need, forms with files."""

from typing import Any

from django.core.exceptions import RequestDataTooBig
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser, MultiPartParser
from rest_framework.utils import json

from cleverdon.trec.json_values import read_json

STRICT = {"parse_constant": json.strict_constant}  # neither NaN nor Infinity


class JSON(JSONParser):
    """JSON, bounded: guidelines are the longest texts, topics the longest lists."""

    most_bytes, most_values = 1_000_000, 50_000

    def parse(self, stream: Any, *_: Any, **__: Any) -> Any:
        sent = stream.read(self.most_bytes + 1)
        if len(sent) > self.most_bytes:
            raise RequestDataTooBig
        try:
            return read_json(
                sent, most_bytes=self.most_bytes, most_values=self.most_values, **STRICT
            )
        except ValueError as error:
            raise ParseError(f"The JSON cannot be read. {error}") from error


PARSERS = [JSON, MultiPartParser]
