"""What a service is told, as fields that read it from a request, by its types."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from inspect import Parameter
from types import NoneType, UnionType
from typing import Any, BinaryIO, Union, get_args, get_origin
from uuid import UUID

from django.core.files import File
from django.db import models
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.access import can
from accounts.models import User
from api.registry import noun_of
from campaigns.core.spans import read_numbers
from campaigns.models.campaign import DATES

serializers.Serializer.default_error_messages["invalid"] = "Send an object."
serializers.DictField.default_error_messages["not_a_dict"] = "Send an object."
serializers.ListField.default_error_messages["not_a_list"] = "Send a list."


class Moment(serializers.DateTimeField):
    """A moment: a day alone has none, as it begins elsewhere in each zone."""

    def to_internal_value(self, value: Any) -> Any:
        if isinstance(value, str) and ":" not in value:
            self.fail("invalid", format="YYYY-MM-DDThh:mm[:ss][+HH:MM|-HH:MM|Z]")
        return super().to_internal_value(value)


class Identifier(serializers.UUIDField):
    """A UUID as text: no number is one, though Python's class takes it."""

    def to_internal_value(self, data: Any) -> UUID:
        if not isinstance(data, str):
            self.fail("invalid", value=data)
        its: UUID = super().to_internal_value(data)
        return its


TEXT = {"type": "string"}


@extend_schema_field({"oneOf": [TEXT, {"type": "array", "items": TEXT}]})
class Numbers(serializers.ListField):
    """Numbers of topics of the campaign: a list, or a text with spans."""

    child = serializers.CharField()
    default_error_messages = {"not_a_list": "Send a list, or a text with spans."}

    def to_internal_value(self, data: Any) -> list[str]:
        text = data if isinstance(data, str) else " ".join(super().to_internal_value(data))
        known = list(self.context["campaign"].topic_set.values_list("number", flat=True))
        try:
            return read_numbers(text, known)
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from error


Argument = serializers.Field[Any, Any, Any, Any]
# Longer texts are files.
MOST_CHARACTERS, MOST_ITEMS = 20_000, 10_000
PLAIN: dict[Any, tuple[type[Argument], dict[str, Any]]] = {
    str: (serializers.CharField, {"max_length": MOST_CHARACTERS}),
    int: (serializers.IntegerField, {"min_value": -(2**31), "max_value": 2**31 - 1}),
    float: (serializers.FloatField, {}),
    bool: (serializers.BooleanField, {}),
    datetime: (Moment, {"validators": DATES}),
    UUID: (Identifier, {}),
}


@extend_schema_field(OpenApiTypes.STR)
class Reference(serializers.Field[Any, Any, Any, Any]):
    """A row of the campaign, named as its list names it, which the person must see."""

    def __init__(self, model: type[models.Model], **options: Any) -> None:
        super().__init__(**options)
        self.model = model

    def to_internal_value(self, data: Any) -> Any:
        key = serializers.CharField(max_length=300).run_validation(data)
        user, campaign = self.context["user"], self.context["campaign"]
        found = _member(campaign, key) if self.model is User else self._row(user, campaign, key)
        if found is None:
            raise serializers.ValidationError(f"There is no {self.words} {key} here.")
        return found

    def to_representation(self, value: Any) -> str:
        return str(value)

    @property
    def words(self) -> str:
        return "member" if self.model is User else self.model.__name__.lower()

    def _row(self, user: Any, campaign: Any, key: str) -> Any | None:
        noun = noun_of(self.model)
        if noun is None or not can(noun.see, user, campaign):
            return None
        if noun.key.part == "uuid":
            key = str(serializers.UUIDField().run_validation(key))
        return noun.one(user, campaign, key)


def _member(campaign: Any, username: str) -> User | None:
    """Return a member by user name: each act asks itself for the roles that it needs."""
    members = User.objects.filter(membership__campaign=campaign, username=username)
    return members.distinct().first()


def argument(kind: Any, default: Any = Parameter.empty) -> Argument:
    """Return the field for an argument of this type; TypeError for one that has none."""
    types = set(get_args(kind)) if get_origin(kind) in {Union, UnionType} else {kind}
    options: dict[str, Any] = {"required": default is Parameter.empty}
    if NoneType in types:
        options["allow_null"] = True
    [its, *others] = types - {NoneType}
    if others:
        raise TypeError(f"{kind} is several types")
    if its is str and default == "":
        options["allow_blank"] = True
    return _field(its, options)


def _field(its: Any, options: dict[str, Any]) -> Argument:
    if its in PLAIN:
        field, more = PLAIN[its]
        return field(**more, **options)
    if its is BinaryIO or File in {its, get_origin(its)}:
        return serializers.FileField(max_length=255, **options)
    if get_origin(its) in {Sequence, Collection, list}:
        [each] = get_args(its)
        return serializers.ListField(child=argument(each), max_length=MOST_ITEMS, **options)
    if isinstance(its, type) and issubclass(its, models.Model):
        return Reference(its, **options)
    raise TypeError(f"An act is told {its}, which has no field: name it in `fields`.")


def of_model(model: type[models.Model], *names: str, **options: Any) -> dict[str, Argument]:
    """Return fields with the types, bounds and choices of a model's columns."""
    meta = type("Meta", (), {"model": model, "fields": names, "extra_kwargs": options})
    its = serializers.ModelSerializer
    kinds = {**its.serializer_field_mapping, models.DateTimeField: Moment}
    known = {"Meta": meta, "serializer_field_mapping": kinds}
    serializer = type(f"{model.__name__}Values", (its,), known)
    found: dict[str, Argument] = serializer().get_fields()
    return found


def one_of(choices: Iterable[object]) -> str:
    return f"Send one of: {', '.join(str(each) for each in choices if each not in ('', None))}."


class Sent(serializers.Serializer[Any]):
    """What is sent with an act."""

    def get_fields(self) -> dict[str, Argument]:
        fields: dict[str, Argument] = super().get_fields()
        for each in fields.values():
            if isinstance(each, serializers.ChoiceField):
                each.error_messages["invalid_choice"] = one_of(each.choices)
        return fields

    def to_internal_value(self, data: Any) -> Any:
        if hasattr(data, "keys") and (
            unknown := [name for name in data if name not in self.fields]
        ):
            raise no_such(unknown[0], self.fields)
        return super().to_internal_value(data)


def no_such(name: str, known: Iterable[str]) -> serializers.ValidationError:
    """Return the refusal of what an act does not know: it is not passed over."""
    takes = ", ".join(known) or "nothing"
    return serializers.ValidationError({name: [f"There is no such value. It takes: {takes}."]})
