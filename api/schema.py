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
from rest_framework.parsers import MultiPartParser

from accounts.fields import FilesField
from api.acting import Act, Acting
from api.files import Sending
from api.once import HEADER
from api.parsers import JSON
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
    (forms.UUIDField, serializers.UUIDField),
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
    now = serializers.DictField(
        required=False, help_text="Of a note that was changed elsewhere: how it is now."
    )
    saved = serializers.ListField(
        child=serializers.UUIDField(),
        required=False,
        help_text="Of judgments none of which can be recorded now: those recorded before.",
    )


def told(its: Field) -> Argument:
    """Return what tells of a field of a noun."""
    kinds = get_args(its.type) if get_origin(its.type) is UnionType else (its.type,)
    [kind] = [each for each in kinds if each is not NoneType]
    how: dict[str, Any] = {"allow_null": NoneType in kinds, "help_text": its.help}
    if its.choices:
        return serializers.ChoiceField(its.choices, **how)
    found: Argument = OF_TYPE[get_origin(kind) or kind](**how)
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
        if name.endswith(f"{ARRIVED}Request"):
            known = {**EXAMPLES[name.replace(ARRIVED, "")], UPLOAD: EXAMPLES["Uploads"]["id"]}
        if known:
            its["examples"] = [{each: known[each] for each in its["properties"] if each in known}]
    return result


# What is added to the name of what an act is told where its file has arrived before.
ARRIVED = "Arrived"
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
    """Return what an act is told, by type of content: a file in a form, in JSON an upload."""
    file = act.file_field
    fields = fields_sent(act)
    if not file:
        its = serializer(name_of(act), fields, act.words)
        return {JSON.media_type: serializers.ListSerializer(child=its) if act.answers else its}
    upload = serializers.UUIDField(help_text=OR_UPLOAD.format(file))
    arrived = {**{name: its for name, its in fields.items() if name != file}, UPLOAD: upload}
    fields[UPLOAD] = serializers.UUIDField(required=False, help_text=OR_UPLOAD.format(file))
    return {
        MultiPartParser.media_type: serializer(name_of(act), fields, act.words),
        JSON.media_type: serializer(f"{name_of(act)}{ARRIVED}", arrived, act.words),
    }


def fields_sent(act: Act) -> dict[str, Any]:
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
    return fields


def name_of(act: Act) -> str:
    """Return the name of what an act is told in the document, which adds "Request"."""
    return f"{camel(act.noun.name)}{camel(act.name or 'new')}"


def _of_form(field: forms.Field, *, is_needed: bool) -> Argument:
    chosen = getattr(field, "kind", getattr(field, "coerce", str))  # of several
    usual = OF_TYPE.get(chosen, serializers.CharField)
    kind = next((its for of, its in OF_FORM if isinstance(field, of)), usual)
    label = str(field.help_text or field.label or "")
    how: dict[str, Any] = {
        "required": is_needed,
        "allow_null": not is_needed,
        "help_text": WORDS.get(label, label),
    }
    if names := names_of(field):
        of_one = serializers.ChoiceField(names)
        is_list = kind is serializers.ListField
        return kind(child=of_one, **how) if is_list else serializers.ChoiceField(names, **how)
    found: Argument = kind(**how)
    return found


# Labels of pages that say nothing without their page.
WORDS = {
    "type": "Whether a person intervened; null for what is not stated.",
    "among": "User names of those who share the topics.",
    "state": "One state, or what the page filters by.",
    "round": "The number of a round.",
    "please confirm": "The sentence of a refusal that asks to be confirmed.",
    "Topics": "The half of the topics, or all.",
    "Means over": "Which topics count in means.",
    "Rule set": "Whose rules order equal scores and count topics.",
}


def names_of(field: forms.Field) -> list[str]:
    """Return the values that a choice has on every page; none if each campaign has its own."""
    choices = getattr(field, "choices", ())
    chosen = getattr(field, "kind", getattr(field, "coerce", str))
    if isinstance(field, forms.ModelChoiceField) or chosen in {int, float, bool}:
        return []
    return [str(value) for value, _ in choices if value]


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

    def map_parsers(self) -> list[str]:
        is_list = isinstance(self.doing, Act) and self.doing.answers
        return [JSON.media_type] if is_list else super().map_parsers()

    def _get_request_for_media_type(self, serializer: Any, *how: Any) -> Any:
        schema, is_needed = super()._get_request_for_media_type(serializer, *how)  # type: ignore[no-untyped-call]
        if isinstance(serializer, serializers.ListSerializer):
            schema["maxItems"] = self.doing.most
        return schema, is_needed

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
        if act.answers:
            return {(200, "application/json"): act.answers()}
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
            return {
                (200, "application/json"): serializer(
                    "Counted", {"n": OF_TYPE[int](help_text="how many")}
                )
            }
        if (noun := noun_of(kind)) is None:
            words = OpenApiResponse(OpenApiTypes.OBJECT, description="What came of it")
            return {(200, "application/json"): words, 204: OpenApiResponse(description="Done")}
        status = 202 if kind is Job else 201 if act.makes(noun) else 200
        gone = {
            204: OpenApiResponse(
                description="Done, and no record to tell: it is gone, or not shown to you"
            )
        }
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
        OpenApiParameter(
            name,
            str,
            enum=names_of(its) or None,
            description=WORDS.get(str(its.label), str(its.label or "")),
        )
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
