"""A list of a campaign, defined once for its page and its file; an API can read it too."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest, StreamingHttpResponse
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest, View, signed_in
from campaigns.access.roles import check_can_organize
from campaigns.models.campaign import Campaign
from campaigns.web.frame import guarded, listed, streamed
from campaigns.web.listing import ListPage
from campaigns.web.sorting import UNSORTED, Sorting
from cleverdon.trec.cells import table_csv


@dataclass(frozen=True, kw_only=True)
class NounList:
    """A list: who may see it, its rows, the filters and the sorts of its page, and its records.

    `found` takes rows and what `form` has of each filter, and returns the rows of the page.
    `columns` are those of its file: by name, what is written of a row.
    """

    name: str
    rows: Callable[[Any, Campaign], Any]
    check: Callable[[Any, Campaign], None] = check_can_organize
    form: Callable[..., forms.Form] = forms.Form
    found: Callable[..., Any] = lambda rows: rows
    sorting: Sorting = UNSORTED
    columns: Mapping[str, Callable[[Any], object]] = field(default_factory=dict)

    def page(
        self, request: HttpRequest, campaign: Campaign, sorting: Sorting | None = None, **how: Any
    ) -> ListPage:
        """Return the page that the address asks for; `how` it is shown as `listed` takes it."""
        form = self.form(request.GET)
        chosen = form.cleaned_data if form.is_valid() else {}
        rows = self.found(self.rows(request.user, campaign), **chosen)
        page = listed(request, rows, sorting or self.sorting, **how)
        page.form = form
        return page

    def csv(self, user: Any, campaign: Campaign) -> Iterator[str]:
        rows = self.rows(user, campaign)
        rows = rows.iterator() if isinstance(rows, QuerySet) else rows
        return table_csv(self.columns, rows)


def csv_of(its: NounList, guard: Callable[..., View] = signed_in) -> View:
    """Make the view that sends a list as a file; `guard` says whether visitors may ask for it."""

    @guard
    @require_safe
    def view(request: UserRequest, slug: str) -> StreamingHttpResponse:
        campaign = guarded(request, slug, its.check)
        return streamed(its.csv(request.user, campaign), f"{slug}-{its.name}.csv", "text/csv")

    return view
