"""What was sent with an act, read as its page's form reads it or by the types of its service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.core.files import File
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from rest_framework import serializers
from rest_framework.validators import ProhibitSurrogateCharactersValidator

from api.arguments import no_such
from api.reading import errors_of

if TYPE_CHECKING:
    from api.acting import Act


NO_OBJECT = "Send an object with the names of what this act takes."


def values_of(act: Act, data: Any, context: dict[str, Any]) -> dict[str, Any]:
    """Return what the service is told by what was sent; ValidationError names what does not fit."""
    if not hasattr(data, "items"):
        raise serializers.ValidationError(NO_OBJECT)
    if act.form:
        form = act.form(*as_form(data), sent=data, **context)
        known = [*form.fields, *act.fields]
        unknown = next((name for name in data if name not in known), None)
        if unknown is not None:
            raise no_such(unknown, known)
        if isinstance(form, forms.BaseForm):
            _complete(form, data)
        if not form.is_valid():
            raise serializers.ValidationError(errors_of(form))
        return {name: value for name, value in form.cleaned_data.items() if name != "seen"}
    sent = act.request(data=data, context=context)
    sent.is_valid(raise_exception=True)
    return dict(sent.validated_data)


# How a box is said to be ticked, or not.
YES_OR_NO = {"", "true", "false", "on", "off", "1", "0"}
# How inputs that have one value, or one file, are read.
ONE_INPUT = (forms.Widget.value_from_datadict, forms.FileInput.value_from_datadict)


def _complete(form: forms.BaseForm, data: Any) -> None:
    """Take what a page shows at first for what was not sent; refuse more values than an input has.

    Nothing that was sent is passed over.
    """
    values = cast("QueryDict", form.data)
    for name, its in form.fields.items():
        is_one = type(its.widget).value_from_datadict in ONE_INPUT and not getattr(
            its.widget, "allow_multiple_selected", False
        )
        n_sent = len(values.getlist(name)) + len(form.files.getlist(name))
        if name not in data and its.required and its.initial is not None:
            values[name] = str(its.initial)
        elif isinstance(data.get(name), dict) or (is_one and n_sent > 1):
            raise serializers.ValidationError({name: ["Send one value."]})
        elif isinstance(its, forms.BooleanField) and values.get(name, "").lower() not in YES_OR_NO:
            raise serializers.ValidationError({name: ["Send true or false."]})


def as_form(sent: Any) -> tuple[QueryDict, MultiValueDict[str, Any]]:
    """Return values and files as a form of a page has them."""
    values, files = QueryDict(mutable=True), MultiValueDict[str, Any]()
    for name in sent:
        its = sent.getlist(name) if isinstance(sent, MultiValueDict) else sent[name]
        for each in its if isinstance(its, list) else [its]:
            if each is not its and isinstance(each, dict | list):
                raise serializers.ValidationError({name: ["Send a list of plain values."]})
            if isinstance(each, File):
                files.appendlist(name, each)
            elif each is not None:
                values.appendlist(name, _text(name, each))
    return values, files


def as_words(values: QueryDict, name: str) -> None:
    """Have a list read as a page's text of several, with blanks between."""
    values[name] = " ".join(values.getlist(name))


def _text(name: str, value: Any) -> str:
    text = str(value)
    try:
        ProhibitSurrogateCharactersValidator()(text)
    except serializers.ValidationError as error:
        raise serializers.ValidationError({name: error.detail}) from error
    return text
