"""Heads that sort the rows of a table by what each row has, whole on its page or in pages."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from django import template
from django.template import RequestContext

from campaigns.web.frame import listed
from campaigns.web.listing import ListPage
from campaigns.web.sorting import Column, Sorting
from cleverdon.trec.streams import storable

register = template.Library()


@register.inclusion_tag("_components/head.html", takes_context=True)
def head(
    context: RequestContext, table: str, name: str, by: str, *, number: bool = False, **shown: Any
) -> dict[str, Any]:
    """Write the head of a column; rows have its value at the path `by`, as in a template."""
    column = Column(by, is_number=number, name=name, title=shown.pop("title", ""))
    sorting, request = Sorting(table, column=column), context.request
    sort = sorting.asked(request.GET.get(sorting.parameter, ""), 0)
    if sort:
        context.render_context[sorting.parameter] = partial(sorting.sorted, sort=sort)

    def address(other: str) -> str:
        query = request.GET.copy()
        query[sorting.parameter] = other
        query.pop(f"{table}-page", None)
        # A form that was refused may have been sent where no page is.
        return "" if request.method == "POST" else f"?{query.urlencode()}"

    return {"head": sorting.heads(sort, 0, address)["column"], **shown}


@register.simple_tag(takes_context=True)
def in_order(context: RequestContext, table: str, rows: Iterable[Any]) -> list[Any]:
    """Return the rows in the order that the heads above them were asked for."""
    ordered = context.render_context.get(f"{table}-sort")
    return ordered(list(rows)) if ordered else list(rows)


@register.simple_tag(takes_context=True)
def in_pages(
    context: RequestContext, table: str, rows: Iterable[Any], per_page: int = 0
) -> ListPage:
    """Return the page of the rows `in_order` that the address asks for."""
    ordered, name = in_order(context, table, rows), f"{table}-page"
    return listed(context.request, ordered, Sorting(table), name=name, per_page=per_page)


@register.simple_tag(takes_context=True)
def sought(context: RequestContext, table: str) -> str:
    """Return the words that the address seeks in a table, which are too many for one page."""
    return storable(context.request.GET.get(f"{table}-find", "")).strip()


@register.filter
def with_words(rows: Sequence[Any], words: str) -> list[Any]:
    """Return the rows that have the words in the name of their user."""
    names = ((each, f"{each.user} {each.user.username}") for each in rows)
    return [each for each, name in names if words.lower() in name.lower()]
