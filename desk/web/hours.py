"""The page of hours: everybody's for organizers, and an assessor's own."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django import forms
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from accounts.access import can
from accounts.models import User
from accounts.pages import UserRequest, signed_in
from assess.access.judging import Judging
from campaigns.access.campaign import Campaigns
from campaigns.models.campaign import Campaign
from campaigns.noun import Field, Noun
from campaigns.sorting import Cell, Figure, Sorting
from campaigns.web.frame import guarded, page
from campaigns.web.lists import csv_of, page_of
from desk.core.hours import KINDS, PERIODS, Hours, Worked, hours_of, in_hours
from desk.figures import PersonsHours, named, worked

PER_PAGE = 200
BY = {"all": "in all", "week": "by week", "day": "by day"}


class HoursFilter(forms.Form):
    """Which hours are asked for: from one day to another, both included, by person and period."""

    since = forms.DateField(
        required=False, label="From", widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        required=False, label="To", widget=forms.DateInput(attrs={"type": "date"})
    )
    by = forms.ChoiceField(required=False, label="Added up", choices=[*BY.items()])
    assessor = forms.CharField(required=False, max_length=150, label="Assessor")


def _asked(
    rows: Sequence[Worked],
    since: date | None = None,
    until: date | None = None,
    by: str = "",
    assessor: str = "",
) -> list[PersonsHours]:
    if assessor:
        person = User.objects.filter(username=assessor).first()
        rows = [row for row in rows if person and row.assessor == person.pk]
    return named(hours_of(rows, by or PERIODS[0], since, until))


def hours_seen(user: User, campaign: Campaign) -> list[Worked]:
    """Return everybody's work to organizers, and to assessors their own."""
    return worked(campaign, None if can(Campaigns.organize, user, campaign) else user)


def _of(kind: str) -> dict[str, Field]:
    return {
        f"{kind}_hours": Field(float, lambda row: in_hours(row.its.seconds_of.get(kind, 0))),
        f"{kind}_documents": Field(int, lambda row: row.its.n_of.get(kind, 0)),
    }


HOURS = Noun(
    name="hours",
    see=Judging.see_topics_to_judge,
    rows=hours_seen,
    filters=HoursFilter,
    found=_asked,
    sorts=Sorting(
        "hours",
        assessor=Cell(lambda row: row.user),
        from_=Cell(lambda row: row.its.first, is_date=True),
        to=Cell(lambda row: row.its.last, is_date=True),
        hours=Figure(lambda row: row.its.seconds),
        documents=Figure(lambda row: row.its.n),
        without_time=Figure(lambda row: row.its.n_untimed),
    ),
    fields={
        "user": Field(str, lambda row: row.user.username),
        "name": Field(str, lambda row: row.user.get_full_name()),
        "first": Field(date, lambda row: row.its.first, "day of the campaign's zone"),
        "last": Field(date, lambda row: row.its.last, "included"),
        "hours": Field(float, lambda row: row.its.hours, "of active time"),
        "seconds": Field(int, lambda row: row.its.seconds, "the same"),
        "documents": Field(int, lambda row: row.its.n, "first decided then, controls too"),
        "without_time": Field(
            int, lambda row: row.its.n_untimed, "of these, without any time sent"
        ),
        **{name: field for kind in KINDS for name, field in _of(kind).items()},
    },
    help="Active time in which documents were judged; your own unless you organize.",
)
hours_file = csv_of(HOURS, as_asked=True)


@signed_in
@require_safe
def hours(request: UserRequest, slug: str) -> HttpResponse:
    """Show the hours of those whom the reader may see, from one day to another."""
    campaign = guarded(request, slug, Judging.see_topics_to_judge)
    rows = page_of(HOURS, request, campaign, per_page=PER_PAGE)
    found: list[PersonsHours] = list(rows.paginator.object_list)
    asked = rows.form.cleaned_data if rows.form.is_valid() else {}
    by_day = _asked(hours_seen(request.user, campaign), **{**asked, "by": "day"})
    kinds = [kind for kind in KINDS if any(kind in each.its.n_of for each in found)]
    seconds = sum(each.its.seconds for each in found)
    context: dict[str, Any] = {
        "rows": rows,
        "shown": [(each, [_cell(each.its, kind) for kind in kinds]) for each in rows],
        "kinds": kinds,
        "form": rows.form,
        "is_asked": any(asked.values()),
        "query": request.GET.urlencode(),
        "seconds": seconds,
        "hours": sum(each.its.hours for each in found),
        "n_documents": sum(each.its.n for each in found),
        "n_untimed": sum(each.its.n_untimed for each in found),
        "n_people": len({each.user for each in found}),
        "n_too_long": sum(each.its.is_too_long for each in by_day),
    }
    return page(request, "desk/hours.html", campaign, "judging", **context)


def _cell(its: Hours, kind: str) -> tuple[float, int]:
    return in_hours(its.seconds_of.get(kind, 0)), its.n_of.get(kind, 0)
