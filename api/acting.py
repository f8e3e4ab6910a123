"""Acts by programs: what a service is told is read from its signature, and so is what it answers.

The same services as pages use, with their rules and sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from inspect import Parameter, signature, unwrap
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast, get_args, get_origin, get_type_hints

from django import forms
from django.http import Http404
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.views import APIView

from accounts.access import Refused, check
from api import once, uploads
from api.answers import answer_to, answered
from api.arguments import Sent, argument
from api.parsers import PARSERS
from api.reading import Owner, check_parameters, named, row_of
from api.sent import values_of
from api.stale import as_read
from campaigns.access.roles import campaign_of
from campaigns.models.campaign import Campaign

if TYPE_CHECKING:
    from rest_framework.request import Request
    from rest_framework.response import Response

    from accounts.models import User
    from campaigns.noun import Noun

Service = Callable[..., Any]
Find = Callable[[], Any]


@dataclass(frozen=True)
class Act:
    """What programs may do to a noun, by the service of pages.

    `name` is the last part of its address, "" for what makes a row of the noun. Its service is
    told the row that the address names, what has the rows where `of_all`, or nothing but who asks.
    What else it is told the page's `form` reads, where there is one with rules of its own; else it
    is read from the signature, but for `fields`. `gathered` are those that go into one argument.
    `verb` is what the service asks, unless it says so itself. The answer is the record of what the
    service returns, or `tells` of what it was told, and what `once` adds, which is stored nowhere.
    A row that `is_told_as_made` has all that its list tells, and is not read again.
    What is nothing but such a secret is not remembered, so that a key does not keep it from coming
    twice. A service that `answers`, in these words, is told the request: it finds its row and reads
    a list of at most so many of what its form reads by itself, where every query counts.
    """

    noun: Noun
    name: str
    service: Service
    verb: Callable[[Any, Any], None] | None = None
    _: KW_ONLY
    scope: str = "organize"
    of_all: bool = False
    is_of_nothing: bool = False
    fields: Mapping[str, serializers.Field[Any, Any, Any, Any]] = field(default_factory=dict)
    form: Callable[..., Any] | None = None
    gathered: str = ""
    tells: Noun | None = None
    is_remembered: bool = True
    once: Callable[[Any], Mapping[str, Any]] = lambda *_: {}
    answers: type[serializers.Serializer[Any]] | None = None
    most: int = 0
    is_told_as_made: bool = False

    @property
    def is_of_all(self) -> bool:
        return self.of_all or not self.name

    @property
    def asked(self) -> Callable[[Any, Any], None]:
        """The verb that the service asks, asked before anything that was sent is read."""
        return self.verb or cast("Any", self.service).verb

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """What the service is told, by name, who asks first."""
        return signature(unwrap(self.service)).parameters

    @property
    def subject(self) -> str:
        """The name of the argument that the service acts on, "" if there is none."""
        [_, subject, *_] = self.parameters
        return "" if self.is_of_nothing else subject

    @cached_property
    def request(self) -> type[serializers.Serializer[Any]]:
        """What a program sends, as a serializer."""
        name = f"{self.noun.name}-{self.name or 'new'}"
        return cast("type[serializers.Serializer[Any]]", type(name, (Sent,), self._arguments()))

    def _arguments(self) -> dict[str, Any]:
        types, parameters = get_type_hints(unwrap(self.service)), self.parameters
        told = {next(iter(parameters)), "seen", self.subject, self.gathered, *self.fields}
        found = {
            name: argument(types[name], its.default)
            for name, its in parameters.items()
            if name not in told and its.kind is Parameter.KEYWORD_ONLY
        }
        return found | dict(self.fields)

    @property
    def words(self) -> str:
        """What it does: the first paragraph of its service."""
        written = unwrap(self.service).__doc__ or f"{self.service.__name__.replace('_', ' ')}."
        said = " ".join(written.partition("\n\n")[0].split())
        return said[:1].upper() + said[1:]

    @property
    def form_fields(self) -> Mapping[str, forms.Field]:
        """The fields of the page's form, without what a page says that it showed."""
        its = getattr(self.form, "reads", None)
        return (
            {name: each for name, each in its.base_fields.items() if name != "seen"} if its else {}
        )

    def needs(self, name: str, field: forms.Field) -> bool:
        """Whether a program must send what a field of the page's form asks for."""
        is_usual = name in getattr(self.form, "usual", ())
        return field.required and field.initial is None and not is_usual

    @cached_property
    def returns(self) -> set[Any]:
        """The types that its service says it returns."""
        kind = get_type_hints(unwrap(self.service))["return"]
        return set(get_args(kind)) if get_origin(kind) is UnionType else {kind or NoneType}

    def makes(self, noun: Noun) -> bool:
        """Whether what it returns is new: of what acts on a row another one, or a campaign."""
        return self.is_of_all or noun.model is Campaign or noun.model is not self.noun.model

    @cached_property
    def file_field(self) -> str:
        """The name of what it takes as a file, "" if it takes none."""
        kinds = forms.FileField, serializers.FileField
        fields = self.form_fields if self.form else self.request().fields
        return next((name for name, each in fields.items() if isinstance(each, kinds)), "")

    def is_told(self, name: str) -> bool:
        return name in self.parameters


class Acting(APIView):
    """A POST for each act at its address; `owner` finds what has the rows."""

    act: ClassVar[Act]
    owner: ClassVar[Owner]
    parser_classes = PARSERS

    @property
    def leaves_campaign(self) -> bool:
        """Whether it makes another campaign, which a token for one may not."""
        return bool(self.act.name) and Campaign in self.act.returns and not self.act.tells

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Answer an act in JSON, though the list at the same address has other forms."""
        if request.method == "POST":
            return JSONRenderer(), JSONRenderer.media_type
        return super().perform_content_negotiation(request, force)

    def post(self, request: Request, key: Any = None, **keys: Any) -> Response:
        act, user = self.act, cast("User", request.user)
        if act.answers:
            plain = request._request  # noqa: SLF001 - as pages have it
            return cast("Response", act.service(plain, key=key, **keys))
        known = once.known(request) if act.is_remembered else None
        try:
            found = self._acted_on(user, key, keys)
        except (Refused, Http404):  # by now, as what is repeated may have been done
            if known is None:
                raise
            if known.body:
                check(act.noun.see, user, type(self).owner(user, **keys))
        its = once.key_of(request, known) if act.is_remembered else None
        return answered(known) if known else self._done(request, its, *found)

    def _done(
        self, request: Request, its: once.Key | None, thing: Any, subject: Any, find: Find
    ) -> Response:
        act, user = self.act, cast("User", request.user)
        check_parameters(request, "format")
        context = {"user": user, "campaign": subject and campaign_of(subject), "thing": subject}
        with uploads.in_place(act.file_field, request.data, user, context["campaign"]) as sent:
            values = values_of(act, sent, context)
            secret: Mapping[str, Any] = {}
            with once.only(user, its) as answer:
                if not answer.is_given:
                    with as_read(request, act, thing, subject, find) as now:
                        told = self._told(request, now, values)
                        result = uploads.spending(act.service)(**told)
                    answer.give(*answer_to(act, user, thing, now, result))
                    answer.tells_of(context["campaign"] or result)
                    links = act.once(result).items()
                    secret = {name: request.build_absolute_uri(at) for name, at in links}
        return answered(answer, secret)

    def _acted_on(self, user: User, key: Any, keys: dict[str, Any]) -> tuple[Any, Any, Find]:
        """Return what has the rows, what is acted on, and what finds that again.

        Whether somebody may act is asked before anything that was sent is read.
        """
        user.memberships_known = {}
        thing = subject = type(self).owner(user, **keys)

        def find() -> Any:
            return row_of(self.act.noun, user, thing, named(key, keys))

        if not self.act.is_of_all:
            subject = find()
        check(self.act.asked, user, subject)
        user.memberships_known = None  # the service reads them anew
        return thing, subject, find

    def _told(self, request: Request, subject: Any, values: dict[str, Any]) -> dict[str, Any]:
        """Return what the service is told."""
        act = self.act
        [who, *_] = act.parameters
        if act.gathered:
            values[act.gathered] = {n: values.pop(n) for n in act.fields if n in values}
        if act.is_told("accepts"):
            values.setdefault("accepts", "")
        if act.is_told("seen"):
            values["seen"] = None
        its = {act.subject: subject} if act.subject else {}
        return {who: request.user, **its, **values}


Reader = TypeVar("Reader", bound=Callable[..., Any])


def reads_as(form: type[Any], *usual: str) -> Callable[[Reader], Reader]:
    """Note the form of whose fields a reader of what was sent makes one; the `usual` it fills."""

    def noted(reader: Reader) -> Reader:
        reader.reads, reader.usual = form, usual  # type: ignore[attr-defined]
        return reader

    return noted


def of_page(form: type[forms.BaseForm]) -> Callable[..., forms.BaseForm]:
    """Read what was sent by a form that needs to know nothing else."""

    @reads_as(form)
    def reader(values: Any, files: Any, **_: Any) -> forms.BaseForm:
        return form(values, files)

    return reader
