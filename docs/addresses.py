"""The addresses of the API: the page that is made from its nouns and acts."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, NamedTuple, get_args, get_origin

from django.urls import URLPattern, get_resolver

from api.reading import ListOf, OneOf
from docs import pages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from api.acting import Act
    from api.files import FileOf
    from campaigns.noun import Field, Noun

INTRODUCTION = """# Addresses of the API

[//]: # (Made from the nouns and acts of the API by python -m docs.generate.)

All stand below `/api/v1/`; [the API](api.md) says how they are used. `<slug>` is the campaign's
name in addresses. A list is read with `GET`, and so is one of its records, which has an `ETag`;
every act is a `POST`. Acts take what is named here as JSON, or as a form where there is a file;
what stands in brackets may be left out. The same is at `/api/v1/openapi.json` for programs.
"""


BY_PAGE = """
## Page by page

What each page does, and where a program does the same. `…` is `/campaigns/<slug>` of a page, and
`/api/v1/campaigns/<slug>` of a program.

"""


class Door(NamedTuple):
    at: str
    view: Any


def doors() -> list[Door]:
    """Return every address below a campaign, and those of campaigns themselves."""
    return list(_doors(get_resolver().url_patterns, ""))


def _doors(patterns: Any, before: str) -> Iterator[Door]:
    for each in patterns:
        at = before + str(each.pattern)
        if not isinstance(each, URLPattern):
            yield from _doors(each.url_patterns, at)
        elif at.startswith("api/v1/campaigns/"):
            yield Door(at.removeprefix("api/v1/"), each.callback.view_class)  # type: ignore[attr-defined]


def page() -> str:
    nouns: dict[str, tuple[Noun, list[Door]]] = {}
    for door in doors():
        nouns.setdefault(door.view.noun.name, (door.view.noun, []))[1].append(door)
    own = "".join(_noun(*each) for _, each in sorted(nouns.items()))
    return f"{INTRODUCTION}{own}{BY_PAGE}{pages.table()}"


def _noun(noun: Noun, own: list[Door]) -> str:
    lines = [f"\n## {noun.name}\n"]
    if noun.help:
        lines.append(f"{noun.help}\n")
    lines += ["| | address | scope | |", "|---|---|---|---|", *sorted(map(_row, own)), ""]
    told = {name: each for name, each in noun.every_field.items() if each.help}
    lines.append(f"**Fields**: {', '.join(map(_field, noun.fields.items()))}.")
    if noun.details:
        lines.append(f"In a record also {', '.join(map(_field, noun.details.items()))}.")
    if asked := [*noun.filters({}).fields]:
        lines.append(f"**Filters**: {', '.join(f'`{name}`' for name in asked)}.")
    if sorts := [key.strip("_") for key in noun.sorts.keys.values()]:
        lines.append(f"**Sorts**: {', '.join(f'`{name}`' for name in sorts)}.")
    lines += [f"- `{name}`: {each.help}" for name, each in told.items()]
    return "\n".join(lines) + "\n"


def _field(named: tuple[str, Field]) -> str:
    name, its = named
    kinds = get_args(its.type) if get_origin(its.type) is UnionType else (its.type,)
    words = " or ".join(_kind(kind) for kind in kinds if kind is not NoneType)
    return f"`{name}` ({words}{', or null' if NoneType in kinds else ''})"


def _kind(kind: Any) -> str:
    names = {str: "text", int: "whole number", float: "number", bool: "true or false"}
    names |= {dict: "object", list: "list"}
    return names.get(get_origin(kind) or kind, getattr(kind, "__name__", "text"))


def _row(door: Door) -> str:
    at = door.at.replace("slug:slug", "slug").replace(":key", "").replace(":of", "")
    view = door.view
    if act := getattr(view, "act", None):
        methods = "GET, POST" if issubclass(view, ListOf) else "POST"
        return f"| {methods} | `{at}` | {act.scope} | {act.words}{_told(act)} |"
    if file := getattr(view, "file", None):
        return f"| GET | `{at}` | read | {_words_of(file)} |"
    read = "one record" if issubclass(view, OneOf) else "the list"
    own = [name for name in ("head", "post", "patch", "delete") if name in vars(view)]
    if own:
        methods = ", ".join(["GET", *map(str.upper, own)])
        read += "; the others are [those of tus](api.md#uploads-that-survive)"
        return f"| {methods} | `{at}` | read; to send submit or organize | {read} |"
    return f"| GET | `{at}` | read | {read} |"


def _words_of(file: FileOf) -> str:
    return f"the file {file.name}" if "." in file.name else f"its {file.name}, as it is"


def _told(act: Act) -> str:
    """Return what an act is told: " Takes `name`, [`team`].", or of a list what each has."""
    if act.form:
        needed = {name: act.needs(name, its) for name, its in act.form_fields.items()}
        needed |= {name: its.required for name, its in act.fields.items()}
    else:
        needed = {name: its.required for name, its in act.request().fields.items()}
    named = [f"`{name}`" if is_needed else f"[`{name}`]" for name, is_needed in needed.items()]
    takes = "Each has" if act.answers else "Takes"
    return f" {takes} {', '.join(named)}." if named else ""
