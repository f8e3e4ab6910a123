"""The addresses of nouns: their lists, their records, and the acts that change them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path

from api.acting import Act, Acting
from api.files import FileOf, Sending
from api.reading import ListOf, OneOf, row_of
from api.registry import register
from campaigns.converters import DOCNO
from campaigns.models.campaign import Campaign
from campaigns.nouns import CAMPAIGNS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rest_framework.request import Request
    from rest_framework.response import Response

    from api.reading import Owner
    from campaigns.noun import Noun


def nothing(_: Any, **__: Any) -> None:
    """Campaigns are in nothing."""


def of_campaign(_: Any, slug: str) -> Campaign:
    """Find the campaign of an address, as what has the rows."""
    return get_object_or_404(Campaign, slug=slug)


def of_row(noun: Noun, find: Owner = of_campaign) -> Owner:
    """Find the row that an address names before its last noun, for somebody who may see it."""

    def owner(user: Any, of: Any, **keys: Any) -> Any:
        return row_of(noun, user, find(user, **keys), of)

    return owner


def doors(
    noun: Noun, *does: Act | FileOf, of: Noun | None = None, lists: bool = True
) -> list[URLPattern]:
    """Return the addresses of a noun, below those of the rows of another if it is `of` one.

    An app above that of the noun adds acts, and does not have it listed again.
    """
    register(noun)
    owner = of_row(of) if of else nothing if noun is CAMPAIGNS else of_campaign
    below = f"{of.name}/<{of.key.part}:of>/" if of else ""
    return [
        path(
            f"{below}{_start(noun)}{rest}", _view(noun, owner, doing, of), name=f"{noun.name}{name}"
        )
        for rest, name, doing in _places(noun, does)
        if lists or doing[0] not in LISTS
    ]


class Beside(OneOf):
    """The record of a row that is named as an act's address ends: it is read, the act is sent."""

    act: ClassVar[Act]

    def get(self, request: Request, key: Any = None, **keys: Any) -> Response:
        name = self.act.name if key is None else f"{key}/{self.act.name}"
        return super().get(request, name, **keys)


def _is_name_too(noun: Noun, act: Act) -> bool:
    """Whether a row may have the name that the address of an act has after its noun's."""
    return noun.key.part == DOCNO or (act.of_all and noun.key.part == "str")


def _key(noun: Noun) -> str:
    """Return the part of an address that names a row: of a campaign its slug, as everywhere."""
    return "<slug:slug>" if noun is CAMPAIGNS else f"<{noun.key.part}:key>"


def _start(noun: Noun) -> str:
    return "" if noun is CAMPAIGNS else f"{noun.name}/"


def _places(noun: Noun, does: Sequence[Act | FileOf]) -> Iterator[tuple[str, str, list[Any]]]:
    """Yield the end of each address, that of its name, and what is done there."""
    making = [each for each in does if not each.name]
    yield "", "", [ListOf, *making]
    named = [each for each in does if each.name]
    for each in sorted(named, key=lambda each: not each.of_all):
        key = "" if each.of_all else f"{_key(noun)}/"
        end = "" if "." in each.name else "/"
        rest = [Beside] if isinstance(each, Act) and _is_name_too(noun, each) else []
        yield f"{key}{each.name}{end}", f"_{each.name}", [each, *rest]
    if noun.key.part:
        yield f"{_key(noun)}/", "_one", [OneOf]


LISTS = (ListOf, OneOf)
BASES = {Act: (Acting, "act"), FileOf: (Sending, "file")}


def _view(noun: Noun, owner: Owner, doing: list[Any], of: Noun | None) -> Callable[..., Any]:
    """Make the view of an address from what is done there."""
    known = {"noun": noun, "owner": staticmethod(owner), "scope": property(_scope)}
    known["of"] = of.name if of else ""
    known["finds_campaign"] = property(_lists_campaigns)
    bases = []
    for each in doing:
        base, name = BASES.get(type(each), (each, ""))
        bases.append(base)
        known |= {name: each} if name else {}
    door: Any = type("Door", tuple(bases), known)
    view: Callable[..., Any] = door.as_view()
    return view


def _lists_campaigns(view: Any) -> bool:
    """Whether it shows a token for one campaign that campaign alone."""
    return view.noun is CAMPAIGNS and not view.kwargs and view.request.method != "POST"


def _scope(view: Any) -> str:
    """Return what a token must be for: reading, unless an act says otherwise."""
    is_act = view.request.method == "POST"
    return str(view.act.scope) if is_act else "read"
