"""Files of a noun: what a program downloads of a record, or of all of them."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from django.http import FileResponse, HttpResponseBase, StreamingHttpResponse
from rest_framework.views import APIView

from accounts.access import check
from api.negotiation import AsItIs
from api.reading import check_parameters, named, row_of
from cleverdon.trec.cells import in_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rest_framework.request import Request

    from api.reading import Owner
    from campaigns.noun import Noun


class Download(NamedTuple):
    """What is sent: the content, read as it is sent, under a name."""

    content: Any
    name: str


@dataclass(frozen=True)
class FileOf:
    """A file of the record that the address names or, `of_all`, of what has the rows.

    `read` is told who asks and of what; `kind` is its media type.
    """

    noun: Noun
    name: str
    verb: Callable[[Any, Any], None]
    read: Callable[[Any, Any], Download]
    _: KW_ONLY
    kind: str = "text/plain"
    of_all: bool = False


# Types that have no characters of their own.
WHOLE = {"application/zip", "application/pdf"}


class Sending(APIView):
    file: ClassVar[FileOf]
    owner: ClassVar[Owner]
    content_negotiation_class = AsItIs

    def get(self, request: Request, key: Any = None, **keys: Any) -> HttpResponseBase:
        check_parameters(request)
        thing = type(self).owner(request.user, **keys)
        if not self.file.of_all:
            thing = row_of(self.file.noun, request.user, thing, named(key, keys))
        check(self.file.verb, request.user, thing)
        content, name = self.file.read(request.user, thing)
        kind = self.file.kind if self.file.kind in WHOLE else f"{self.file.kind}; charset=utf-8"
        if hasattr(content, "read"):
            return FileResponse(content, as_attachment=True, filename=name, content_type=kind)
        return _streamed(content, name, kind)


def _streamed(lines: Iterable[str], name: str, kind: str) -> StreamingHttpResponse:
    response = StreamingHttpResponse(in_blocks(lines), content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
