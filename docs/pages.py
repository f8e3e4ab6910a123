"""What pages do and what programs do, side by side: by the services that both call."""

from __future__ import annotations

import inspect
from functools import partial
from importlib import import_module
from inspect import unwrap
from pkgutil import walk_packages
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.conf import settings
from django.urls import URLPattern, get_resolver

from api.acting import Act

if TYPE_CHECKING:
    from collections.abc import Iterator

# What only a page, or somebody without an account, does.
NOT_FOR_PROGRAMS = {
    "view_as": "a person looks at pages in another's place",
    "accept_invitation": "whoever follows a link may have no account yet",
    "use_reset": "the link is for somebody who cannot sign in",
    "withdraw_reset": "of a link that only its maker's page has shown",
    "mark_words": "marks are part of the judging page",
    "bring": "the page of an adjudicator asks for it, and *lend* does",
    "see_answers": "what a page has shown",
    "serve_practice": "practice is on the judging page",
    "change_practice": "practice is edited beside its preview",
    "change_account": "of one's own account",
    "make_token": "no program makes what programs sign in with",
    "make_program_token": "no program makes what programs sign in with",
    "revoke_token": "a person takes a token back",
    "change_reading": "of one's own account",
    "change_password": "of one's own account",
    "confirm_known": "a person compares two texts",
    "download_known": "the list of known grades has them",
    "publish_qrels": "large ones are published by a worker, as on the page",
}


def doors(patterns: Any = None, before: str = "") -> Iterator[tuple[str, URLPattern]]:
    """Every address of the API, with its pattern."""
    for each in get_resolver().url_patterns if patterns is None else patterns:
        at = before + str(each.pattern)
        if hasattr(each, "url_patterns"):
            yield from doors(each.url_patterns, at)
        elif at.startswith("api/v1/campaigns/"):
            yield f"/{at}", each


def acts() -> dict[str, tuple[str, Any]]:
    """Every act with its address, by the names of the services that it calls."""
    found: dict[str, tuple[str, Any]] = {}
    for at, pattern in doors():
        view = pattern.callback.view_class  # type: ignore[attr-defined]
        if file := getattr(view, "file", None):
            code = getattr(file.read, "func", file.read).__code__
            found |= {name: (at, file) for name in code.co_names if name not in found}
        if act := getattr(view, "act", None):
            plain = unwrap(act.service)
            for name in {plain.__name__, *plain.__code__.co_names} - {"record"}:
                found.setdefault(name, (at, act))
            found[plain.__name__] = at, act
    return found


def services() -> dict[str, FunctionType]:
    """Return the services by name: what somebody does, who is told who does it."""
    found = {}
    for module in _modules():
        for name, function in inspect.getmembers(module, inspect.isfunction):
            told = inspect.getfullargspec(unwrap(function)).kwonlyargs
            is_own = function.__module__ == module.__name__ and not name.startswith("_")
            if is_own and not {"user", "assessor"}.isdisjoint(told):
                found[name] = function
    return found


def _modules() -> Iterator[ModuleType]:
    for app in settings.OUR_APPS:
        for info in walk_packages([apps.get_app_config(app).path], f"{app}."):
            if info.name.split(".")[1] == "services":
                yield import_module(info.name)


def pages() -> Iterator[tuple[str, set[str]]]:
    """Yield each address of a page, with the names of the services that its view calls."""
    known = {function: name for name, function in services().items()}
    for at, pattern in _patterns(get_resolver().url_patterns, "/"):
        if not at.startswith(("/api/", "/admin/")):
            found = _called(unwrap(pattern.callback), set())
            yield at, {known[each] for each in found if each in known}


def _patterns(patterns: Any, before: str) -> Iterator[tuple[str, URLPattern]]:
    for each in patterns:
        at = before + str(each.pattern)
        if isinstance(each, URLPattern):
            yield at, each
        else:
            yield from _patterns(each.url_patterns, at)


def _called(view: Any, seen: set[Any]) -> set[Any]:
    """Return the functions that a function names, also by those of its module that it names."""
    if not isinstance(view, FunctionType) or view in seen:
        return set()
    seen.add(view)
    names = set(_of_code(view.__code__))
    values = [view.__globals__[name] for name in names if name in view.__globals__]
    values += [cell.cell_contents for cell in view.__closure__ or ()]
    found = set[Any]()
    for each in _inside(values, names):
        found.add(each)
        if getattr(each, "__module__", "") == view.__module__:
            found |= _called(unwrap(each), seen)
    return found


def _inside(values: list[Any], names: set[str]) -> Iterator[Any]:
    """Yield functions, those of modules that are named, and those in tables and partials."""
    for each in values:
        if isinstance(each, FunctionType):
            yield each
        elif isinstance(each, ModuleType):
            yield from _inside([vars(each)[name] for name in names & vars(each).keys()], set())
        elif isinstance(each, partial):
            yield from _inside([each.func], names)
        elif isinstance(each, dict):
            yield from _inside(list(each.values()), names)
        elif isinstance(each, tuple):
            yield from _inside(list(each), names)


def _of_code(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _of_code(each)


def table() -> str:
    """Return a row for each service that a page calls: the page, the act, and its address."""
    by_service: dict[str, list[str]] = {}
    for at, names in pages():
        for name in names:
            by_service.setdefault(name, []).append(at)
    here = acts()
    rows = []
    for name in sorted(services()):
        if name in NOT_FOR_PROGRAMS:
            where = NOT_FOR_PROGRAMS[name]
        elif name in here:
            at, act = here[name]
            method = "POST" if isinstance(act, Act) else "GET"
            where = f"{method} `{_short(at)}`"
        else:
            where = "the lists of judgments, grades, answers and notes"
        on_pages = ", ".join(f"`{_short(at)}`" for at in by_service.get(name, ()))
        if not on_pages:
            is_shared = name in here and getattr(here[name][1], "answers", False)
            on_pages = "the page, by the address of programs" if is_shared else "a job"
        rows.append(f"| {name.replace('_', ' ')} | {on_pages} | {where} |")
    return "\n".join(["| act | page | program |", "|---|---|---|", *rows, ""])


def _short(at: str) -> str:
    parts = {"<slug:slug>": "<slug>", "/api/v1/campaigns/<slug>": "…", "/campaigns/<slug>": "…"}
    for long, short in parts.items():
        at = at.replace(long, short)
    return at.replace(":key", "").replace("<uuid>", "<id>").replace(":pk", "")
