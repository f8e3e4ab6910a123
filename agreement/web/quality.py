"""Flags of judging: what organizers may want to look at, and the documents that they are about."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from django import forms
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest, signed_in
from agreement.access import AgreementFigures
from agreement.core.flags import KINDS
from agreement.figures import Flag, documents_of, flagged, flags
from campaigns.noun import Field, Noun
from campaigns.sorting import Cell, Figure, Sorting
from campaigns.web.frame import guarded, page, tabled
from campaigns.web.lists import csv_of, page_of
from collection.models.texts import Document

PER_PAGE = 50
SORTING = Sorting(
    "flags",
    kind=Cell(lambda flag: flag.kind.name),
    assessor=Cell(lambda flag: flag.assessor),
    topic=Cell(lambda flag: flag.number),
    since=Cell(lambda flag: flag.since, is_date=True),
    documents=Figure(lambda flag: len(flag.found.ids)),
)


KIND = Field(str, lambda flag: flag.kind.key, choices=[each.key for each in KINDS])


class FlagFilter(forms.Form):
    """Which flags are asked for; `first` is the judgment that one begins with."""

    kind = forms.ChoiceField(
        required=False, choices=[("", "any"), *((each.key, each.name) for each in KINDS)]
    )
    assessor = forms.CharField(required=False, max_length=150)
    topic = forms.CharField(required=False, max_length=100)
    first = forms.IntegerField(required=False)


def _matching(
    rows: Iterable[Flag],
    kind: str = "",
    assessor: str = "",
    topic: str = "",
    first: int | None = None,
) -> list[Flag]:
    return [
        each
        for each in rows
        if kind in {"", each.kind.key}
        and assessor in {"", each.assessor.username}
        and topic in {"", each.number}
        and first in {None, each.first}
    ]


FLAGS = Noun(
    name="quality-flags",
    see=AgreementFigures.see_flags,
    rows=lambda _, campaign: flags(campaign),
    filters=FlagFilter,
    found=_matching,
    fields={
        "kind": KIND,
        "assessor": Field(str, lambda flag: flag.assessor.username),
        "topic": Field(str | None, lambda flag: flag.number, "none in flags of all topics"),
        "first": Field(int, help="the judgment that it begins with, by which it is asked for"),
        "documents": Field(int, lambda flag: len(flag.found.ids)),
        "evidence": Field(str, lambda flag: flag.found.evidence),
        "probability": Field(
            float | None,
            lambda flag: flag.found.p,
            "by chance, times the number of looks; none of kinds without a test",
        ),
        "threshold": Field(str, lambda flag: flag.kind.threshold),
        "since": Field(datetime, help="when the first of its documents was judged"),
    },
    help="What may be worth a look in judging; a flag is a reason to look, not a verdict.",
)
FLAGGED = Noun(
    name="flagged-documents",
    see=AgreementFigures.see_flags,
    rows=lambda _, campaign: flags(campaign),
    filters=FlagFilter,
    found=lambda rows, **asked: flagged(_matching(rows, **asked)),
    tell=lambda _, rows: documents_of(rows),
    fields={
        "kind": KIND._replace(of=lambda row: row.flag.kind.key),
        "assessor": Field(str, lambda row: row.flag.assessor.username),
        "topic": Field(str, lambda row: row.judgment.topic.number),
        "docno": Field(str, lambda row: row.judgment.docno),
        "judgment": Field(int, lambda row: row.judgment.pk),
        "state": Field(str, lambda row: row.judgment.state),
        "grade": Field(int | None, lambda row: row.judgment.grade),
        "active_seconds": Field(float | None, help="none where no time was sent"),
        "decided_at": Field(datetime, lambda row: row.decided_at),
        "note": Field(str, help="which part it has in the flag"),
    },
    help="The documents that flags are about, each flag's in its own order.",
)
flags_file, documents_file = csv_of(FLAGS), csv_of(FLAGGED, as_asked=True)


@signed_in
@require_safe
def quality(request: UserRequest, slug: str) -> HttpResponse:
    """Show all flags, each with its figures, its threshold and the way to its documents."""
    campaign = guarded(request, slug, AgreementFigures.see_flags)
    found = flags(campaign)
    n_of = Counter(flag.kind.key for flag in found)
    context = {
        "flags": tabled(request, found, SORTING),
        "n_people": len({flag.assessor for flag in found}),
        "kinds": [(kind, n_of[kind.key]) for kind in KINDS],
    }
    return page(request, "agreement/quality.html", campaign, "judging", **context)


@signed_in
@require_safe
def documents(request: UserRequest, slug: str) -> HttpResponse:
    """Show the documents of a flag, or of all that are asked for."""
    campaign = guarded(request, slug, AgreementFigures.see_flags)
    rows = page_of(FLAGGED, request, campaign, per_page=PER_PAGE)
    shown = list(documents_of(rows))
    docnos = [each.judgment.docno for each in shown]
    titles = Document.objects.filter(campaign=campaign).titles(docnos)
    context = {
        "rows": rows,
        "shown": [(each, titles.get(each.judgment.docno) or each.judgment.docno) for each in shown],
        "flags": [*{(each.flag.kind, each.flag.first): each.flag for each in rows}.values()],
        "query": request.GET.urlencode(),
    }
    return page(request, "agreement/flagged.html", campaign, "judging", **context)
