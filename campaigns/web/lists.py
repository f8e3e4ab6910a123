"""A noun on its page and in its file."""

import json
from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any

from django import forms
from django.http import HttpRequest, StreamingHttpResponse
from django.views.decorators.http import require_safe

from accounts.access import Refused
from accounts.pages import UserRequest, View, signed_in
from campaigns.models.campaign import Campaign
from campaigns.noun import Noun
from campaigns.sorting import Sorting
from campaigns.web.frame import guarded, listed, streamed
from campaigns.web.listing import ListPage
from cleverdon.trec.cells import table_csv

# How a file has the values of a type that are not written as they are.
WRITTEN: dict[Any, Callable[[Any], str]] = {
    bool: lambda value: "yes" if value else "",
    bool | None: lambda value: {True: "yes", False: "no", None: ""}[value],
    dict: lambda value: json.dumps(value, ensure_ascii=False, sort_keys=True) if value else "",
}


def page_of(
    noun: Noun,
    request: HttpRequest,
    campaign: Campaign,
    sorting: Sorting | None = None,
    *,
    light: Callable[[Any], Any] = lambda rows: rows,
    **how: Any,
) -> ListPage:
    """Return the page that the address asks for; `how` it is shown as `listed` takes it.

    `light` leaves out what the page does not show.
    """
    form = noun.filters(request.GET)
    rows = light(noun.matching(request.user, campaign, form))
    page = listed(request, rows, sorting or noun.sorts, **how)
    page.form = form
    return page


def _csv(noun: Noun, campaign: Campaign, rows: Any) -> Iterator[str]:
    columns = {name: _column(name, its.type) for name, its in noun.fields.items()}
    return table_csv(columns, noun.records(campaign, rows))


def _column(name: str, kind: Any) -> Callable[[dict[str, object]], object]:
    write = WRITTEN.get(kind)
    return (lambda record: write(record[name])) if write else itemgetter(name)


class NoFilter(Refused):
    """Refused because what a file is asked for cannot be, such as a date that is none."""

    status = 422


def check_filters(form: forms.Form) -> None:
    """Refuse filters that cannot be: a file does not show, as a page does, that they were none."""
    faults = (f"{name}: {' '.join(map(str, its))}" for name, its in form.errors.items())
    if told := " ".join(faults):
        raise NoFilter(f"This cannot be asked for. {told}")


def csv_of(noun: Noun, guard: Callable[..., View] = signed_in, *, as_asked: bool = False) -> View:
    """Make the view that sends a noun as a file: all of it, or what the address asks for.

    `guard` says whether visitors may ask for it. Filters that cannot be are refused.
    """

    @guard
    @require_safe
    def view(request: UserRequest, slug: str) -> StreamingHttpResponse:
        campaign = guarded(request, slug, noun.see)
        if as_asked:
            form = noun.filters(request.GET)
            check_filters(form)
            rows = noun.matching(request.user, campaign, form)
        else:
            rows = noun.rows(request.user, campaign)
        lines = _csv(noun, campaign, rows)
        return streamed(lines, f"{slug}-{noun.name}.csv", "text/csv")

    return view
