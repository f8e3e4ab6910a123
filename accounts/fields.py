"""Fields and widgets that forms of all apps have, and what a page that was left open showed."""

import tempfile
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import ExitStack
from types import MappingProxyType
from typing import Any, BinaryIO, cast

from django import forms
from django.core.exceptions import ValidationError
from django.core.files import File
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from accounts.models import User
from cleverdon.trec.recognize import BEGINNING
from cleverdon.trec.streams import (
    MAX_EXPANSION,
    MAX_LINE_BYTES,
    FormatError,
    at_most,
    opened,
    readable,
)


class AcceptField(forms.CharField):
    """The sentence that a ticked box accepts: see `_components/accept.html`."""

    def __init__(self) -> None:
        super().__init__(required=False, label="please confirm")


class SeenField(forms.CharField):
    """The `version` of what the page showed; None if the client has no page."""

    widget = forms.HiddenInput
    default_error_messages = {"required": "This page does not say what it showed: open it again."}

    def __init__(self, *, required: bool = False) -> None:
        super().__init__(required=required)

    def to_python(self, value: Any) -> Any:
        return None if value is None else super().to_python(value)


class SeenForm(forms.Form):
    """An act that needs nothing but to know what its page showed."""

    seen = SeenField(required=True)


class QuickSelect(forms.Select):
    """A choice of many, without a slow template for each; those in `refused` are disabled."""

    refused: Collection[str] = ()

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        chosen = str(value or "")
        marks = {
            (selected, disabled): flatatt({"selected": selected, "disabled": disabled})
            for selected in (False, True)
            for disabled in (False, True)
        }
        options = (
            (key, marks[key == chosen, key in self.refused], label)
            for key, label in ((str(choice), label) for choice, label in self.choices)
        )
        attributes = flatatt(self.build_attrs(self.attrs, {"name": name, **(attrs or {})}))
        written = format_html_join("", '<option value="{}"{}>{}</option>', options)
        return format_html("<select{}>{}</select>", attributes, written)


class Suggesting(forms.TextInput):
    """A text for which the browser suggests some."""

    def __init__(self, texts: Collection[str]) -> None:
        super().__init__({"autocomplete": "off"})
        self.texts = texts

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        listed = {**(attrs or {}), "list": f"{name}-list"}
        texts = ((text,) for text in self.texts)
        options = format_html_join("", '<option value="{}"></option>', texts)
        field = super().render(name, value, listed, renderer)
        return format_html('{}<datalist id="{}-list">{}</datalist>', field, name, options)


class QuickNumber(forms.NumberInput):
    """A number, without a template, where a page has many."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        given = {"type": self.input_type, "name": name, "value": self.format_value(value)}
        attributes = self.build_attrs(self.attrs, {**given, **(attrs or {})})
        return format_html("<input{}>", flatatt(attributes))


class PersonField(forms.ModelChoiceField[User]):
    """A choice of people by name and username, with the notes of `mark`."""

    widget = QuickSelect
    refused: Mapping[int, str] = MappingProxyType({})
    notes: Mapping[int, str] = MappingProxyType({})

    def __init__(self, *arguments: Any, empty_label: str = "Choose", **options: Any) -> None:
        super().__init__(*arguments, empty_label=empty_label, **options)

    def mark(self, refused: Mapping[int, str], notes: Mapping[int, str]) -> None:
        """Disable the people in `refused`; both add a note to the name, by id."""
        self.refused, self.notes = refused, {**notes, **refused}
        self.widget.refused = {str(pk) for pk in refused}

    def label_from_instance(self, person: User) -> str:
        note = self.notes.get(person.pk)
        return f"{person.label}: {note}" if note else person.label

    @property
    def nobody_is_left(self) -> bool:
        """Whether everybody offered is refused."""
        refused = set(self.refused)
        offered = self.queryset.values_list("pk", flat=True) if self.queryset else []
        return refused.issuperset(offered)


def within(file: File[bytes], limit: int) -> File[bytes]:
    """Refuse a file that already is longer, packed or not, than what is read of it."""
    if file.size > limit:
        raise ValidationError(f"The file has {file.size:,} bytes; at most {limit:,} are accepted.")
    return file


def usable(file: File[bytes], limit: int) -> File[bytes]:
    """Refuse a file that is empty or too long."""
    if not file.size:
        raise ValidationError(f"{readable(str(file.name))} is empty.")
    return within(file, limit)


def beginning(file: File[bytes], limit: int) -> bytes:
    """Return the first bytes of a file, unpacked; b"" if it cannot be."""
    file.seek(0)
    try:
        return opened(cast("BinaryIO", file.file), limit=limit).read(BEGINNING)
    except FormatError:
        return b""
    finally:
        file.seek(0)


def rewrite(
    file: File[bytes], convert: Callable[[Iterable[bytes]], Iterable[bytes]], limit: int
) -> None:
    """Have an uploaded file hold what is made of its lines, plain; what it held stays as it was.

    ValidationError for lines that cannot be converted, and as soon as the limit is passed.
    """
    bounds = {"max_line_bytes": MAX_LINE_BYTES, "max_expansion": MAX_EXPANSION}
    too_long = f"With the other columns it is longer than {limit:,} bytes, which is the limit."
    held = cast("BinaryIO", file.file)
    file.seek(0)
    with ExitStack() as stack:
        made = stack.enter_context(tempfile.TemporaryFile())
        try:
            lines = convert(opened(held, limit=limit, **bounds))
            made.writelines(at_most(limit, lines, too_long))
        except FormatError as error:
            raise ValidationError(str(error)) from error
        file.size = made.tell()
        stack.pop_all()
    held.close()
    file.file = made
    file.seek(0)
    file.name = str(file.name).removesuffix(".gz")


class FilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Several files, at most `most`, or else do `more`; empty ones are for the form to name."""

    widget = FilesInput

    def __init__(self, *, most: int, more: str, **options: Any) -> None:
        super().__init__(allow_empty_file=True, **options)
        self.most, self.more = most, more

    def clean(self, data: Any, initial: Any = None) -> list[File[bytes]]:
        sent = data if isinstance(data, list) else [data] if data else []
        if not sent:
            raise ValidationError("Choose at least one file.")
        if len(sent) > self.most:
            raise ValidationError(
                f"These are {len(sent):,} files; at most {self.most} can be sent at once. "
                f"{self.more}"
            )
        return [cast("File[bytes]", super(FilesField, self).clean(each, initial)) for each in sent]
