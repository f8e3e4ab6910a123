"""The page of adjudication: what is in dispute, who decides it, and asking somebody to."""

from collections import Counter, defaultdict
from functools import partial
from typing import NamedTuple

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from accounts.pages import UserRequest, signed_in
from agreement.core.accuracy import measured
from agreement.web.control_figures import ControlRow
from agreement.web.figures import short_names
from assess.access.assigning import Assignments
from assess.access.judging import what_waits
from assess.core.purposes import ADJUDICATION
from assess.models.assigning import Assignment
from assess.models.disputes import decided, disputes
from assess.models.judging import Judgment
from assess.services.adjudicating import Asked, adjudicate
from assess.web.assigning_forms import AdjudicationForm
from campaigns.models.campaign import Campaign
from campaigns.sorting import Cell, Figure, Sorting
from campaigns.web.frame import done, guarded, page, tabled
from cleverdon.trec.ordering import natural_key
from cleverdon.trec.words import counted
from collection.models.texts import Topic


class DisputedTopic(NamedTuple):
    """How many documents of a topic are in dispute, how far at most, and who decides them.

    `n_tied` of the open ones have no official grade until then.
    """

    topic: Topic
    n: int
    n_decided: int
    n_tied: int
    steps: int
    assignment: Assignment | None

    @property
    def n_open(self) -> int:
        return self.n - self.n_decided


TOPICS = Sorting(
    "disputed",
    topic=Cell(lambda each: each.topic.number),
    in_dispute=Figure(lambda each: each.n_open),
    decided=Figure(lambda each: each.n_decided),
    farthest=Figure(lambda each: each.steps, title="steps of the scale between two grades"),
    adjudicator=Cell(lambda each: each.assignment and str(each.assignment.assessor)),
)


def disputed_topics(campaign: Campaign) -> list[DisputedTopic]:
    topics = {each.pk: each for each in campaign.topic_set.only("campaign", "number", "title")}
    rows = Assignment.objects.filter(kind=Assignment.Kind.ADJUDICATION, topic__in=topics)
    given = {each.topic_id: each for each in rows.select_related("assessor")}
    settled, found = decided(topics), disputes(campaign, topics)
    n, n_decided, n_tied = Counter[int](), Counter[int](), Counter[int]()
    steps: dict[int, int] = {}
    for each in found:
        n[each.topic] += 1
        n_decided[each.topic] += each.item in settled
        n_tied[each.topic] += each.is_tied and each.item not in settled
        steps.setdefault(each.topic, each.steps)
    return [
        DisputedTopic(topic, n[pk], n_decided[pk], n_tied[pk], steps.get(pk, 0), given.get(pk))
        for pk, topic in topics.items()
        if n[pk] or pk in given
    ]


def beside_decided(campaign: Campaign) -> list[ControlRow]:
    """Compare each assessor's grades with those that an adjudicator decided, of what was decided.

    The one who was followed least comes first.
    """
    decided = Q(item__officialgrade__until=None, item__officialgrade__rule=ADJUDICATION)
    rows = Judgment.objects.independent().graded().filter(decided, topic__campaign=campaign)
    columns = "assessor__username", "item__officialgrade__grade", "grade"
    pairs: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for name, expected, given in rows.order_by().values_list(*columns):
        if expected is not None and given is not None:
            pairs[name].append((expected, given))
    grades, names = [each.value for each in campaign.scale.grades], short_names(pairs)
    found = {name: measured(its, grades) for name, its in pairs.items()}
    every = [ControlRow(names[name], its) for name, its in found.items() if its]
    return sorted(every, key=lambda row: (row.accuracy.share, natural_key(row.name)))


BESIDE = Sorting(
    "beside-decided",
    assessor=Cell(lambda row: row.name),
    decided=Figure(lambda row: row.accuracy.n),
    followed=Figure(lambda row: row.accuracy.share),
    off_by=Figure(lambda row: row.accuracy.distance),
    bias=Figure(lambda row: row.accuracy.bias),
)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def adjudication(request: UserRequest, slug: str) -> HttpResponse:
    """Show what is in dispute by topic, and ask somebody to decide it."""
    campaign = guarded(request, slug, Assignments.see)
    form = AdjudicationForm(request.POST or None, campaign=campaign)
    if request.method == "POST" and form.is_valid():
        topic = form.cleaned_data.pop("topic")
        act = partial(adjudicate, user=request.user, campaign=campaign, **form.cleaned_data)
        asked = done(form, partial(act, topics=[topic] if topic else None))
        if isinstance(asked, Asked):
            documents = counted(asked.n_documents, "document")
            topics = counted(len(asked.made), "topic")
            messages.success(
                request, f"{form.cleaned_data['assessor']} has {documents} of {topics} to decide."
            )
            for sentence in asked.left_out:
                messages.warning(request, sentence)
            return redirect("agreement:adjudication", slug)
    rows = disputed_topics(campaign)
    n_open = sum(each.n_open for each in rows)
    context = {
        "form": form,
        "topics": tabled(request, rows, TOPICS),
        "beside": tabled(request, beside_decided(campaign), BESIDE),
        "n_open": n_open,
        "n_tied": sum(each.n_tied for each in rows),
        "n_decided": sum(each.n_decided for each in rows),
        "n_topics": sum(each.n_open > 0 for each in rows),
        "what_waits": what_waits(campaign),
    }
    return page(request, "agreement/adjudication.html", campaign, "agreement", **context)
