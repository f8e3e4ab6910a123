"""The page of what was judged on an earlier text, which can be reopened as a whole."""

from collections.abc import Iterable
from functools import partial
from itertools import groupby
from typing import NamedTuple

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from accounts.access import why_not
from accounts.fields import SeenForm
from accounts.models import User
from accounts.pages import UserRequest, sent, signed_in
from assess.access.judging import Judging, judging_is_open
from assess.models.judging import Judgment
from assess.services.reopening import reopen_earlier, version_of
from campaigns.sorting import Cell, Figure, Sorting
from campaigns.web.frame import done, guarded, page, sentences, tabled
from cleverdon.trec.words import counted
from collection.models.texts import Topic

MOST_NAMED = 12


GROUPS = Sorting(
    "earlier",
    topic=Cell(lambda each: each.topic.number),
    assessor=Cell(lambda each: each.assessor),
    as_=Cell(lambda each: each.kind),
    documents=Figure(lambda each: len(each.docnos)),
)


class EarlierGroup(NamedTuple):
    """What one person judged for a topic, and in which assignment."""

    topic: Topic
    assessor: User
    assignment: int
    kind: str
    docnos: list[str]

    @property
    def named(self) -> list[str]:
        return self.docnos[:MOST_NAMED]

    @property
    def n_more(self) -> int:
        return len(self.docnos) - len(self.named)


def grouped(judgments: Iterable[Judgment]) -> list[EarlierGroup]:
    """Group judgments, which come by topic."""
    every = sorted(
        judgments,
        key=lambda each: (each.topic.sort_key, each.assignment_id, each.assessor_id, each.docno),
    )
    groups = groupby(every, key=lambda each: (each.assignment_id, each.assessor_id))
    found = ([*its] for _, its in groups)
    return [
        EarlierGroup(
            its[0].topic,
            its[0].assessor,
            its[0].assignment_id,
            its[0].assignment.get_kind_display(),
            [each.docno for each in its],
        )
        for its in found
    ]


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def earlier(request: UserRequest, slug: str) -> HttpResponse:
    campaign, form = guarded(request, slug, Judging.see), SeenForm(**sent(request))
    act = partial(reopen_earlier, user=request.user, campaign=campaign)
    if form.is_valid() and (n := done(form, lambda: act(**form.cleaned_data))):
        messages.success(request, f"{counted(n, 'judgment')} reopened.")
        return redirect("assess:earlier", slug)
    judgments = list(Judgment.objects.counting().on_earlier().filter(topic__campaign=campaign))
    groups = grouped(judgments)
    context = {
        "groups": tabled(request, groups, GROUPS),
        "n": len(judgments),
        "n_topics": len({each.topic.pk for each in groups}),
        "n_people": len({each.assessor.pk for each in groups}),
        "seen": version_of(judgments),
        "closed": why_not(judging_is_open, request.user, campaign),
        "refusal": sentences(form),
    }
    return page(request, "assess/earlier.html", campaign, "judging", **context)
