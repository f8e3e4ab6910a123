"""The part of an address that is a name as people give them: of a document, a topic, a team."""

import re

from django.urls import register_converter
from django.urls.converters import PathConverter


class DocnoConverter(PathConverter):
    """A name may contain slashes, and anything else that PostgreSQL stores: all but NUL.

    Browsers go to other folders where one or two dots stand between slashes, so a tilde stands
    before them in addresses.
    """

    regex = r"[^\x00]+"

    def to_url(self, value: str) -> str:
        return re.sub(r"(?<![^/])(~*\.{1,2})(?![^/])", r"~\1", str(value))

    def to_python(self, value: str) -> str:
        return re.sub(r"(?<![^/])~(~*\.{1,2})(?![^/])", r"\1", value)


# Its name in addresses.
DOCNO = "docno"
register_converter(DocnoConverter, DOCNO)
