"""The API described: OpenAPI made of the nouns and acts, as programs read it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, get_args, get_origin

from django import forms
from drf_spectacular.authentication import SessionScheme
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from accounts.fields import FilesField
from api.acting import Act, Acting
from api.files import Sending
from api.once import HEADER
from api.problems import KINDS, MEDIA_TYPE
from api.reading import MOST_PER_PAGE, Cells, Lines, ListOf, OneOf
from api.registry import noun_of
from api.stale import HEADER as IF_MATCH
from api.uploads import UPLOAD
from jobs.models import Job

if TYPE_CHECKING:
    from collections.abc import Mapping

    from api.arguments import Argument
    from campaigns.noun import Field, Noun

OF_TYPE: dict[Any, Any] = {
    str: serializers.CharField,
    int: serializers.IntegerField,
    float: serializers.FloatField,
    bool: serializers.BooleanField,
    datetime: serializers.DateTimeField,
    date: serializers.DateField,
    dict: serializers.DictField,
    list: serializers.ListField,
    Sequence: serializers.ListField,
}
OF_FORM: list[tuple[type[forms.Field], Any]] = [
    (FilesField, serializers.FileField),
    (forms.FileField, serializers.FileField),
    (forms.BooleanField, serializers.BooleanField),
    (forms.IntegerField, serializers.IntegerField),
    (forms.FloatField, serializers.FloatField),
    (forms.DateTimeField, serializers.DateTimeField),
    (forms.MultipleChoiceField, serializers.ListField),
    (forms.ModelMultipleChoiceField, serializers.ListField),
]


class Problem(serializers.Serializer[Any]):
    """A refusal as problem details (RFC 9457)."""

    type = serializers.CharField(help_text=f"It ends in one of: {', '.join(KINDS)}.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="The sentence that a page would show.")
    remedy = serializers.CharField(help_text="What to do.")
    fields = serializers.DictField(  # type: ignore[assignment]  # as problems name it
        child=serializers.ListField(child=serializers.CharField()), required=False
    )


def told(its: Field) -> Argument:
    """Return what tells of a field of a noun."""
    kinds = get_args(its.type) if get_origin(its.type) is UnionType else (its.type,)
    [kind] = [each for each in kinds if each is not NoneType]
    found: Argument = OF_TYPE[get_origin(kind) or kind](
        allow_null=NoneType in kinds, help_text=its.help
    )
    return found


# Of each noun's records and of what is sent, by their names in the document; tests write them.
EXAMPLES_FILE = Path(__file__).parent / "examples.json"
EXAMPLES: dict[str, Any] = json.loads(EXAMPLES_FILE.read_text("utf-8"))


def with_examples(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add to each description of a record, or of what is sent, its example.

    A hook of drf-spectacular.
    """
    for name, its in result["components"]["schemas"].items():
        known = EXAMPLES.get(name.removesuffix("Record").removesuffix("Row"))
        if known:
            its["examples"] = [{each: known[each] for each in its["properties"] if each in known}]
    return result


OR_UPLOAD = "In place of {}: the id of an upload that has arrived."

# One class to a name: the document tells them apart by it.
_made: dict[str, Any] = {}


def serializer(name: str, fields: Mapping[str, Any], words: str = "") -> Any:
    if name not in _made:
        _made[name] = type(name, (serializers.Serializer,), {**fields, "__doc__": words})
    return _made[name]()


def record(noun: Noun, *, is_one: bool) -> Any:
    its = noun.every_field if is_one else noun.fields
    fields = {name: told(each) for name, each in its.items()}
    return serializer(f"{camel(noun.name)}{'Record' if is_one else 'Row'}", fields, noun.help)


def sent(act: Act) -> Any:
    """Return what an act is told, of a page's form as its fields are on every page."""
    file = act.file_field
    fields = dict(act.fields)
    if act.form is None:
        fields = dict(act.request().fields)
        if file:
            fields[file] = serializers.FileField(required=False)
    else:
        own = act.form_fields.items()
        fields = {n: _of_form(f, is_needed=n != file and act.needs(n, f)) for n, f in own} | fields
    if file:
        fields[UPLOAD] = serializers.UUIDField(required=False, help_text=OR_UPLOAD.format(file))
    its = serializer(name_of(act), fields, act.words)
    return serializers.ListSerializer(child=its) if act.answers else its


def name_of(act: Act) -> str:
    """Return the name of what an act is told in the document, which adds "Request"."""
    return f"{camel(act.noun.name)}{camel(act.name or 'new')}"


def _of_form(field: forms.Field, *, is_needed: bool) -> Argument:
    chosen = getattr(field, "kind", getattr(field, "coerce", str))  # of several
    usual = OF_TYPE.get(chosen, serializers.CharField)
    kind = next((its for of, its in OF_FORM if isinstance(field, of)), usual)
    words = str(field.help_text or field.label or "")
    found: Argument = kind(required=is_needed, allow_null=not is_needed, help_text=words)
    return found


def camel(name: str) -> str:
    return name.title().replace("-", "").replace(".", "")


class Token(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How a token is sent."""

    target_class = "api.authentication.BearerAuthentication"
    name = "token"

    def get_security_definition(self, _: AutoSchema) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}


class Session(SessionScheme):  # type: ignore[no-untyped-call]
    """How a browser is known, whose class is our own."""

    target_class = "api.authentication.SessionAuthentication"


class Schema(AutoSchema):
    """Describes a door by what is done there."""

    view: Any

    def is_excluded(self) -> bool:
        """Whether it is described elsewhere: a record is, at the address of all records."""
        is_act = isinstance(self.view, Acting) and isinstance(self.view, OneOf)
        return self.method == "GET" and is_act

    @property
    def doing(self) -> Any:
        is_post = self.method == "POST"
        return self.view.act if is_post and isinstance(self.view, Acting) else self.view

    def get_tags(self) -> list[str]:
        return [self.view.noun.name]

    def get_operation_id(self) -> str:
        doing = self.doing
        if isinstance(doing, Act):
            return f"{doing.noun.name}_{doing.name or 'new'}"
        of = getattr(self.view, "of", "")
        if isinstance(doing, Sending):
            return f"{doing.file.noun.name}_{doing.file.name}"
        kind = "one" if isinstance(doing, OneOf) else "list"
        return "_".join(filter(None, (of, doing.noun.name, kind)))

    def get_description(self) -> str:  # type: ignore[override]  # the library's own does too
        doing = self.doing
        if isinstance(doing, Act):
            return f"{doing.words} Scope of a token: {doing.scope}."
        return str(self.view.noun.help)

    def get_request_serializer(self) -> Any:
        doing = self.doing
        return sent(doing) if isinstance(doing, Act) else None

    def get_response_serializers(self) -> Any:
        doing, problem = self.doing, OpenApiResponse(Problem(), description="Refused")
        found: dict[Any, Any] = {(status, MEDIA_TYPE): problem for status in PROBLEMS}
        if isinstance(doing, Act):
            return found | self._answers(doing)
        if isinstance(doing, Sending):
            return found | {(200, doing.file.kind): bytes}
        noun, is_one = doing.noun, isinstance(doing, OneOf) or doing.noun.is_one
        rows = record(noun, is_one=is_one)
        body = rows if is_one else serializers.ListSerializer(child=rows)
        streams = {} if isinstance(doing, OneOf) else {(200, each): str for each in STREAMED}
        return found | {(200, "application/json"): body} | streams

    def _answers(self, act: Act) -> dict[Any, Any]:
        """Return what is told, by the types that the service says it returns."""
        none = {204: OpenApiResponse(description="Done, with nothing to tell")}
        if act.tells:
            return {(200, "application/json"): record(act.tells, is_one=True)}
        kinds = act.returns - {NoneType}
        found = dict[Any, Any](none) if NoneType in act.returns else {}
        if NoneType in act.returns and not act.is_of_all:
            found[200, "application/json"] = record(act.noun, is_one=True)
        for kind in kinds:
            found |= self._of_type(act, kind)
        return found

    def _of_type(self, act: Act, kind: Any) -> dict[Any, Any]:
        if kind is int:
            return {(200, "application/json"): serializer("Counted", {"n": OF_TYPE[int]()})}
        if (noun := noun_of(kind)) is None:
            words = OpenApiResponse(OpenApiTypes.OBJECT, description="What came of it")
            return {(200, "application/json"): words, 204: OpenApiResponse(description="Done")}
        status = 202 if kind is Job else 201 if act.makes(noun) else 200
        gone = {204: OpenApiResponse(description="Done; you do not see it any more")}
        return {(status, "application/json"): record(noun, is_one=True), **gone}

    def get_override_parameters(self) -> list[Any]:
        doing = self.doing
        if isinstance(doing, Act) and doing.answers:
            return []
        if isinstance(doing, Act):
            header: dict[str, Any] = {"location": OpenApiParameter.HEADER, "type": str}
            once = "The same key twice is one act, also after a lost answer."
            match = "The ETag of the record that was read; 412 if it changed since."
            found = [OpenApiParameter(HEADER, description=once, **header)]
            if not doing.is_of_all:
                found.append(OpenApiParameter(IF_MATCH, description=match, **header))
            return found
        if not isinstance(doing, ListOf) or doing.noun.is_one:
            return []
        return [*_filters(doing.noun), *_of_lists(doing.noun)]


STREAMED = (Lines.media_type, Cells.media_type)
PROBLEMS = ("4XX", "503")


def _filters(noun: Noun) -> list[OpenApiParameter]:
    return [
        OpenApiParameter(name, str, description=str(its.label or ""))
        for name, its in noun.filters({}).fields.items()
    ]


def _of_lists(noun: Noun) -> list[OpenApiParameter]:
    names = [key.strip("_") for key in noun.sorts.keys.values()]
    sorts = [each for name in names for each in (name, f"-{name}")]
    known = {
        "cursor": "Where the page begins: take the address of the next one from `Link`.",
        "fields": f"Some of: {', '.join(noun.fields)}.",
        "format": "csv and ndjson stream the whole list; the same as by `Accept`.",
    }
    sort = [OpenApiParameter("sort", str, enum=sorts)] if sorts else []
    rows = {"type": "integer", "minimum": 1, "maximum": MOST_PER_PAGE}
    per_page = OpenApiParameter("per_page", rows, description="Rows on a page.")
    return [
        *(OpenApiParameter(name, str, description=words) for name, words in known.items()),
        *sort,
        per_page,
    ]
