"""Nouns read by programs: lists in pages or as a stream, and single records."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple
from urllib.parse import urlencode

from django.core import signing
from django.core.exceptions import NON_FIELD_ERRORS
from django.db.models import QuerySet
from django.forms import ChoiceField, Field, ModelChoiceField
from django.http import Http404, HttpResponseBase, StreamingHttpResponse
from django.utils.choices import flatten_choices
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder
from rest_framework.views import APIView

from accounts.access import check
from api.arguments import one_of
from campaigns.models.campaign import Campaign
from cleverdon.trec.cells import finite, in_blocks, table_csv
from cleverdon.trec.versions import version

if TYPE_CHECKING:
    from django.http import HttpRequest
    from rest_framework.request import Request

    from campaigns.noun import Noun

PER_PAGE, MOST_PER_PAGE = 100, 1000
NAMES = ("per_page", "cursor", "sort", "fields", "format")
# Where the rows of a noun are: the campaign, or something in it that its address names.
Owner = Callable[..., Any]


def written(value: Any) -> Any:
    """Return a value as JSON has it: what is no finite number is null."""
    return finite(value) if isinstance(value, float) else value


class Lines(BaseRenderer):
    media_type, format, charset = "application/x-ndjson", "ndjson", "utf-8"


class Cells(BaseRenderer):
    media_type, format, charset = "text/csv", "csv", "utf-8"


def _ndjson(names: Sequence[str], records: Iterable[dict[str, Any]]) -> Iterator[str]:
    for record in records:
        row = {name: written(record[name]) for name in names}
        yield json.dumps(row, cls=JSONEncoder, ensure_ascii=False) + "\n"


def _csv(names: Sequence[str], records: Iterable[dict[str, Any]]) -> Iterator[str]:
    return table_csv({name: partial(_cell, name) for name in names}, records)


def _cell(name: str, record: dict[str, Any]) -> object:
    value = record[name]
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value


STREAMS = {Lines.format: _ndjson, Cells.format: _csv}


class Cursor(NamedTuple):
    """Where a page begins: after a row of the noun's own order, or at a number of sorted rows."""

    after: Any = None
    at: int = 0

    def signed(self, path: str) -> str:
        """Return it as text for the list at this address alone: nobody else can make one.

        So whoever reads a list has begun at its start, where that is recorded.
        """
        after = self.after if isinstance(self.after, int | None) else str(self.after)
        return signing.dumps((after, self.at), salt=path)

    @classmethod
    def of(cls, text: str, path: str) -> Cursor:
        """Read what `signed` wrote; ValidationError for anything else."""
        try:
            return cls(*signing.loads(text, salt=path))
        except signing.BadSignature as error:
            sentence = "This is no cursor: take the address of the next page from `Link`."
            raise ValidationError({"cursor": [sentence]}) from error


class Page(NamedTuple):
    """Rows of a list, and where the next page begins; None after the last one."""

    rows: Sequence[Any]
    next: Cursor | None


def page_of(noun: Noun, rows: Any, cursor: Cursor, n: int, *, is_sorted: bool) -> Page:
    """Return a page of rows: after the row that the last page ended with, unless they are sorted.

    Rows that come or go meanwhile neither repeat nor hide others then.
    """
    if is_sorted or not isinstance(rows, QuerySet):
        end = cursor.at + n + 1
        found = list(
            rows[cursor.at : end] if isinstance(rows, QuerySet) else islice(rows, cursor.at, end)
        )
        return Page(found[:n], Cursor(at=cursor.at + n) if len(found) > n else None)
    if cursor.after is not None:
        rows = rows.filter(**{f"{noun.order}__gt": cursor.after})
    found = list(rows[: n + 1])
    last = getattr(found[n - 1], noun.order) if len(found) > n else None
    return Page(found[:n], None if last is None else Cursor(after=last))


class Reading(APIView):
    """What every view of a noun knows. `owner` finds what has the rows, for who may see it."""

    noun: ClassVar[Noun]
    owner: ClassVar[Owner]

    def owned(self, request: Request, keys: dict[str, Any]) -> Any:
        """Return what has the rows, for somebody who may see them."""
        thing = type(self).owner(request.user, **keys)
        check(self.noun.see, request.user, thing)
        return thing

    def names(self, request: Request, *, is_one: bool = False) -> list[str]:
        """Return the fields that are asked for, all of them unless some are."""
        known = list(self.noun.every_field if is_one or self.noun.is_one else self.noun.fields)
        asked = [each for each in request.query_params.get("fields", "").split(",") if each]
        if unknown := [each for each in asked if each not in known]:
            sentence = f"There is no field {unknown[0]}. There are: {', '.join(known)}."
            raise ValidationError({"fields": [sentence]})
        return asked or known

    def one(self, thing: Any, row: Any, names: Sequence[str]) -> Response:
        """Answer with a record. Its ETag, sent back with an act, refuses what became stale."""
        body = record_of(self.noun, thing, row)
        return Response({name: body[name] for name in names}, headers={"ETag": etag(body)})


def check_parameters(request: Request | HttpRequest, *known: str) -> None:
    """Refuse what is asked in the address and not known: it is not passed over."""
    if unknown := [name for name in request.GET if name not in known]:
        sentence = f"There is no such parameter. There are: {', '.join(known) or 'none'}."
        raise ValidationError({unknown[0]: [sentence]})
    if again := [name for name, its in request.GET.lists() if len(its) > 1]:
        raise ValidationError({again[0]: ["Send it once."]})


def named(key: Any, keys: dict[str, Any]) -> Any:
    """Return what names a row in an address: of a campaign, which is in nothing, its slug."""
    return keys["slug"] if key is None else key


def row_of(noun: Noun, user: Any, thing: Any, key: Any) -> Any:
    """Return the row of a noun that has this key, for somebody who may see them; else Http404."""
    check(noun.see, user, thing)
    row = noun.one(user, thing, key)
    if row is None:
        raise Http404
    # It knows its campaign, which has been read already.
    if isinstance(thing, Campaign) and getattr(row, "campaign_id", None) == thing.pk:
        row.campaign = thing
    return for_reader(row, user)


def for_reader(row: Any, user: Any) -> Any:
    """Return a row that knows for whom its record is, as `details` may depend on it."""
    row.read_by = user
    return row


def errors_of(form: Any) -> dict[str, Any]:
    """Return the faults of a form by field, "" for those of all of it.

    A page shows what can be chosen; a program is told.
    """
    errors = form.errors.items()
    return {
        "" if name == NON_FIELD_ERRORS else name: _sentences(form.fields.get(name), its)
        for name, its in errors
    }


def _sentences(field: Field | None, errors: Any) -> list[str]:
    """Return the sentences about a value, with what there is to choose where nothing fits."""
    codes = {each.code for each in getattr(errors, "data", ())}
    is_of_rows = isinstance(field, ModelChoiceField)
    if isinstance(field, ChoiceField) and not is_of_rows and "invalid_choice" in codes:
        choices: Any = field.choices
        return [one_of(dict(flatten_choices(choices)))]
    return [*map(str, errors)]


class ListOf(Reading):
    renderer_classes = [JSONRenderer, Lines, Cells]

    def get(self, request: Request, **keys: Any) -> HttpResponseBase:
        thing = self.owned(request, keys)
        rows, names = self._found(request, thing), self.names(request)
        form = request.accepted_renderer.format
        cursor = _cursor(request, form)
        if self.noun.is_one and form not in STREAMS:
            [row] = rows
            return self.one(thing, row, names)
        if cursor is None:
            self.noun.noted(request.user, thing)
        sort = self._sort(request, rows)
        rows = self._in_order(rows, sort)
        if write := STREAMS.get(form):
            lines = write(names, self.noun.records(thing, rows, names))
            kind = f"{request.accepted_renderer.media_type}; charset=utf-8"
            return StreamingHttpResponse(in_blocks(lines), content_type=kind)
        n = _per_page(request)
        page = page_of(self.noun, rows, cursor or Cursor(), n, is_sorted=bool(sort))
        records = self.noun.records(thing, page.rows, names)
        body = [{name: written(value) for name, value in each.items()} for each in records]
        headers = {"Link": _link(request, page.next)} if page.next else {}
        return Response(body, headers=headers)

    def _in_order(self, rows: Any, sort: str) -> Any:
        if sort:
            return self.noun.sorts.sorted(rows, sort)
        return rows.order_by(self.noun.order) if isinstance(rows, QuerySet) else rows

    def _found(self, request: Request, thing: Any) -> Any:
        """Return the rows that the filters ask for; ValidationError for what is no filter."""
        form = self.noun.filters(request.query_params)
        check_parameters(request, *form.fields, *NAMES)
        if not form.is_valid():
            raise ValidationError(errors_of(form))
        rows = self.noun.matching(request.user, thing, form)
        own = getattr(request.auth, "campaign_id", None)  # a token for one campaign lists it alone
        return rows.filter(pk=own) if own and self.noun.model is Campaign else rows

    def _sort(self, request: Request, rows: Any) -> str:
        """Return the sort that is asked for, as `Sorting` names it."""
        asked = request.query_params.get("sort", "")
        if not asked:
            return ""
        names = {key.strip("_"): name for name, key in self.noun.sorts.keys.items()}
        name = names.get(asked.removeprefix("-"))
        if name is None:
            known = f"There are: {', '.join(names)}." if names else "This list has one order."
            raise ValidationError({"sort": [f"It cannot be sorted by that. {known}"]})
        if isinstance(rows, QuerySet) and name not in self.noun.sorts.offered(rows.count()):
            raise ValidationError({"sort": ["The list is too long to be sorted by that."]})
        return f"-{name}" if asked.startswith("-") else name


def _cursor(request: Request, form: str) -> Cursor | None:
    """Return where the page that is asked for begins; None for the start."""
    at = request.query_params.get("cursor")
    if at is not None and form in STREAMS:
        raise ValidationError({"cursor": ["A stream is the whole list: it has no pages."]})
    return None if at is None else Cursor.of(at, request.path)


def _per_page(request: Request) -> int:
    text = request.query_params.get("per_page", str(PER_PAGE))
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(MOST_PER_PAGE))
    if not is_number or not 1 <= int(text) <= MOST_PER_PAGE:
        sentence = f"It is a number from 1 to {MOST_PER_PAGE:,}."
        raise ValidationError({"per_page": [sentence]})
    return int(text)


def _link(request: Request, cursor: Cursor) -> str:
    query = {**request.query_params.dict(), "cursor": cursor.signed(request.path)}
    return f'<{request.build_absolute_uri(request.path)}?{urlencode(query)}>; rel="next"'


class OneOf(Reading):
    def get(self, request: Request, key: Any = None, **keys: Any) -> Response:
        check_parameters(request, "fields", "format")
        thing = type(self).owner(request.user, **keys)
        row = row_of(self.noun, request.user, thing, named(key, keys))
        return self.one(thing, row, self.names(request, is_one=True))


def record_of(noun: Noun, thing: Any, row: Any) -> dict[str, Any]:
    record = noun.record(noun.told(thing, row))
    return {name: written(value) for name, value in record.items()}


def etag(record: dict[str, Any]) -> str:
    """Return the version of a record: it changes with any of its fields."""
    return f'"{version(json.dumps(record, cls=JSONEncoder))}"'
