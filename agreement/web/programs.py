"""The page of a program beside people."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from accounts.access import check
from accounts.pages import UserRequest, signed_in
from agreement.core.beside import beside
from agreement.tallies import said_beside
from agreement.web.matrices import grade_matrix
from campaigns.web.frame import guarded, page
from cleverdon.agreement.measured import FEW_TOPICS, in_order
from programs.access import Programs
from programs.models import Program

FARTHEST = 10  # documents
HEADLINE = "kappa-quadratic"


@signed_in
@require_safe
def program(request: UserRequest, slug: str, name: str) -> HttpResponse:
    """Show how a program agrees with people, beside how people agree with each other."""
    campaign = guarded(request, slug, Programs.see)
    its = get_object_or_404(Program.objects.with_counts().filter(campaign=campaign), name=name)
    check(Programs.see_labels, request.user, its)
    said, counts = list(said_beside(its)), dict(its.labels.by_verdict())
    labels = {grade: n for grade, n in counts.items() if grade is not None}
    grades = campaign.scale.grades
    found = beside(said, labels, [grade.value for grade in grades], campaign.level)
    far = sorted(said, key=lambda each: -abs(each.steps))[:FARTHEST]
    topics = dict(campaign.topic_set.values_list("number", "pk"))
    [main], [among] = (each.figures(HEADLINE, "grades") for each in (found.program, found.people))
    context = {
        "program": its,
        "found": found,
        "main": main,
        "among": among,
        "n_labels": sum(labels.values()),
        "matrix": grade_matrix(in_order(found.program.ratings), grades),
        "far": [(each, topics[each.topic]) for each in far if each.steps],
        "n_few_topics": FEW_TOPICS,
    }
    return page(request, "agreement/program.html", campaign, "agreement", **context)
