"""How often an assessor gave the same grade the second time, for that assessor alone."""

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.pages import UserRequest, signed_in
from agreement.access import AgreementFigures
from agreement.models import compared
from agreement.web.matrices import grade_matrix
from assess.core.purposes import REPEAT
from assess.models.assigning import Assignment
from assess.models.totals import SERVED
from campaigns.models.campaign import Campaign
from campaigns.web.frame import guarded, page
from cleverdon.agreement.coefficients import On
from cleverdon.agreement.measured import ENOUGH, Groups, in_order
from cleverdon.agreement.ratings import Item, Ratings

SHOWN: tuple[tuple[str, On], ...] = (
    ("raw", "grades"),
    ("cohen", "grades"),
    ("kappa-quadratic", "grades"),
)


def own_repeats(user: User, campaign: Campaign) -> list[Item]:
    """Return somebody's repeats, each with both grades, of finished topics.

    Otherwise a figure that changes with a judgment would tell that its document is a repeat.
    """
    assignments = Assignment.objects.in_campaign(campaign).filter(assessor=user)
    rows = assignments.with_left(SERVED).select_related("topic")
    finished = {each.topic.number for each in rows if each.is_finished}
    return [
        (its.topic, [("first", its.expected), ("second", its.grade)], 0)
        for its in compared(campaign, user)
        if its.kind == REPEAT and its.topic in finished
    ]


@signed_in
@require_safe
def own(request: UserRequest, slug: str) -> HttpResponse:
    """Show how far an assessor's grades of repeated documents agree: nobody else's, no documents.

    Of few it is not shown, as these would be known from the topics that were finished between.
    """
    campaign = guarded(request, slug, AgreementFigures.see_own_repeats)
    scale = campaign.scale
    values = [grade.value for grade in scale.grades]
    items = own_repeats(request.user, campaign)
    on_scale = [each for each in items if all(grade in values for _, grade in each[1])]
    context: dict[str, Any] = {"n": len(on_scale), "n_enough": ENOUGH}
    context["repeat_percent"] = campaign.repeat_percent
    if len(on_scale) >= ENOUGH:
        ratings = Ratings.from_items(on_scale, values)
        groups = Groups(ratings, scale.level)
        context["figures"] = [groups.figures(key, on)[0] for key, on in SHOWN]
        context["matrix"] = grade_matrix(in_order(ratings), scale.grades)
    return page(request, "agreement/own.html", campaign, "judging", **context)
