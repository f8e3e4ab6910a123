"""The handbook and the pages it leads to, served as help, and where help on a page stands."""

import posixpath
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

DOCS = Path(settings.BASE_DIR) / "docs"
# By their names in addresses, in the order of the list.
PAGES: Mapping[str, tuple[str, str]] = {
    "organizers": ("For organizers", "handbook/organizers.md"),
    "assessors": ("For assessors", "handbook/assessors.md"),
    "participants": ("For participants", "handbook/participants.md"),
    "permissions": ("Who may do what", "handbook/permissions.md"),
    "settings": ("Settings, and who sees what", "settings.md"),
    "people": ("People", "people.md"),
    "runs": ("Runs", "runs.md"),
    "first-hour": ("A first hour with the files", "first-hour.md"),
    "from-my-files": ("From my files to a campaign", "from-my-files.md"),
    "formats": ("File formats", "formats.md"),
    "measures": ("Measures", "measures.md"),
    "agreement": ("Agreement", "agreement.md"),
    "flags": ("Flags", "flags.md"),
    "command": ("The command", "command.md"),
    "client": ("The client", "client.md"),
    "api": ("The API", "api.md"),
    "addresses": ("Addresses of the API", "addresses.md"),
    "glossary": ("Glossary", "glossary.md"),
}
# The page of a role, and where in it help on a tab stands; settings have a page of their own.
SECTIONS: Mapping[str, Mapping[str, str]] = {
    "organizers": {
        "topics": "2-topics-and-documents",
        "documents": "2-topics-and-documents",
        "people": "3-people",
        "runs": "4-runs",
        "pool": "5-the-pool",
        "judging": "6-assigning",
        "agreement": "7-while-they-judge",
        "qrels": "8-qrels",
        "leaderboard": "9-scores",
    },
    "assessors": {"judging": "judging"},
    "participants": {
        "topics": "joining",
        "runs": "the-file",
        "team": "joining",
        "qrels": "scores",
        "leaderboard": "scores",
    },
}
_BY_FILE = {file: name for name, (_, file) in PAGES.items()}
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


class HelpPage(NamedTuple):
    """A page as HTML, and its sections: anchor and heading of each."""

    html: SafeString
    sections: list[tuple[str, str]]


@lru_cache
def read(name: str) -> HelpPage:
    """Return a page of PAGES, whose links lead to other pages of it; others become text.

    Pictures are left out: they show what the site itself does, and no container has them.
    """
    file = PAGES[name][1]
    tokens = _without_pictures(_MARKDOWN.parse((DOCS / file).read_text(encoding="utf-8")))
    sections = []
    for n, token in enumerate(tokens):
        if token.type == "heading_open":
            heading = tokens[n + 1].content
            token.attrSet("id", anchor(heading))
            if token.tag == "h2":
                sections.append((anchor(heading), re.sub(r"[*`]", "", heading)))
        if token.children:
            token.children = _with_links(token.children, posixpath.dirname(file))
    html = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    return HelpPage(mark_safe(html), sections)  # noqa: S308 - of files of our own


def _without_pictures(tokens: Sequence[Token]) -> list[Token]:
    """Leave out the paragraphs that are a picture."""
    pictures = [
        n
        for n, token in enumerate(tokens)
        if token.children and all(each.type == "image" for each in token.children)
    ]
    left_out = {place for n in pictures for place in (n - 1, n, n + 1)}  # opened, and closed
    return [token for n, token in enumerate(tokens) if n not in left_out]


def anchor(heading: str) -> str:
    """Return a heading's anchor, as GitHub makes it.

    >>> anchor("2. Topics and `documents`, in")
    '2-topics-and-documents-in'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _with_links(tokens: Sequence[Token], folder: str) -> list[Token]:
    """Return the parts of a text with links as they are here."""
    kept, is_left_out = list[Token](), False
    for token in tokens:
        if token.type == "link_open":
            address = _address(str(token.attrGet("href")), folder)
            is_left_out = not address
            if address:
                token.attrSet("href", address)
        if not (is_left_out and token.type in {"link_open", "link_close"}):
            kept.append(token)
    return kept


def _address(href: str, folder: str) -> str:
    """Return where a link of the documentation leads on the site; "" if it is not served."""
    if href.startswith(("#", "https://")):
        return href
    path, _, section = href.partition("#")
    name = _BY_FILE.get(posixpath.normpath(posixpath.join(folder, path)))
    return _at(name, section) if name else ""


def _at(name: str, section: str = "") -> str:
    return f"{reverse('help', args=[name])}{f'#{section}' if section else ''}"


def help_on(roles: Sequence[str], tab: str) -> str:
    """Return the address of help on a tab of a campaign for somebody of these roles."""
    name = next((each for each in SECTIONS if each in roles), "")
    if not name:
        return reverse("help_pages")
    return _at("settings") if tab == "settings" else _at(name, SECTIONS[name].get(tab, ""))


@require_safe
def help_pages(request: HttpRequest) -> HttpResponse:
    return render(request, "help_pages.html", {"pages": _listed()})


@require_safe
def help_page(request: HttpRequest, name: str) -> HttpResponse:
    if name not in PAGES:
        raise Http404
    context: dict[str, Any] = {"page": read(name), "pages": _listed(), "name": name}
    return render(request, "help.html", {**context, "title": PAGES[name][0]})


def _listed() -> list[tuple[str, str]]:
    return [(name, title) for name, (title, _) in PAGES.items()]
