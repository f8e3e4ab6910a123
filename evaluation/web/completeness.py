"""The page of a pool after judging: is it deep enough, what is missing, which topics may stop."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from accounts.pages import UserRequest, signed_in
from campaigns.access.roles import check_can_organize
from campaigns.core.ordering import natural_key
from campaigns.models.campaign import Campaign
from campaigns.web.frame import attempt, guarded, page
from evaluation.models.reviews import Review
from evaluation.reviewing import DEPTH
from evaluation.services import request_review
from jobs.models import Job
from pictures.lines import Series, lines
from pictures.picture import Picture
from pooling.core.completeness import Missing, is_early, last_share
from pooling.core.stopping import RULES
from runs.models import Run

STOP = "Stop"


@dataclass(frozen=True)
class Advised:
    """A topic with the documents judged, relevant and left, and the advice of a rule."""

    title: str
    topic: str
    n_judged: int
    n_relevant: int
    n_left: int
    why: str
    stops: bool

    @property
    def says(self) -> str:
        if not self.n_left:
            return "Nothing left"
        return STOP if self.stops else "Go on"


class ReviewForm(forms.Form):
    """The rule by which stopping is advised; without its number the usual one."""

    rule = forms.ChoiceField(
        label="Advise to stop by", choices=[(each.name, each.title) for each in RULES.values()]
    )
    n = forms.IntegerField(label="Number", min_value=1, max_value=10_000, required=False)

    def clean(self) -> dict[str, Any]:
        """Give a rule that takes a number the usual one, and no number to others."""
        given: dict[str, Any] = self.cleaned_data
        rule = RULES.get(given.get("rule", ""))
        if rule and "n" in given:
            given["n"] = (given["n"] or rule.usual) if rule.usual else 0
        return given


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def completeness(request: UserRequest, slug: str) -> HttpResponse:
    """Show organizers the last review of the pool, and have another one made."""
    campaign = guarded(request, slug, check_can_organize)
    form = ReviewForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        chosen = form.cleaned_data
        if refusal := attempt(request_review, user=request.user, campaign=campaign, **chosen):
            messages.error(request, refusal)
        return redirect("evaluation:completeness", slug)
    reviews = Review.objects.filter(campaign=campaign).select_related("created_by").order_by("-pk")
    newest = reviews.first()
    context: dict[str, Any] = {
        # Read before its result: if the job ends meanwhile, the page still loads itself again.
        "job": newest and Job.objects.about("review_pool", newest.pk),
        "form": form,
        "rules": [(each, each.definition.format(n=each.usual)) for each in RULES.values()],
    }
    if review := reviews.filter(found__isnull=False).first():
        context |= _shown(campaign, review)
    return page(request, "evaluation/completeness.html", campaign, "pool", **context)


def _shown(campaign: Campaign, review: Review) -> dict[str, Any]:
    found, rule = review.found, RULES[review.rule]
    titles = dict(campaign.topic_set.values_list("number", "title"))
    runs = Run.objects.select_related("team").in_bulk([pk for pk, _ in found["unpooled"]])
    rows = [Advised(titles.get(row[0], ""), *row) for row in found["advice"]]
    # Topics to stop come first.
    advice = sorted(rows, key=lambda row: (row.says != STOP, natural_key(row.topic)))
    return {
        "review": review,
        "has_grown": review.pool.batches.filter(frozen_at__gt=review.created_at).exists(),
        "rule": rule,
        "definition": rule.definition.format(n=review.n),
        "missing": Missing(*found["missing"]),
        "is_early": is_early(found["n_left"], found["n_pooled"]),
        "n_population": found["n_pooled"] + found["n_undrawn"],
        "unpooled": [(runs[pk], n) for pk, n in found["unpooled"] if pk in runs],
        "depth": DEPTH,
        "advice": advice,
        "n_stopping": sum(row.says == STOP for row in advice),
        "pictures": {"ranks": _ranks(found["by_rank"])},
        "stamp": f"{campaign.slug}-review-{review.pk}",
    }


def _ranks(found: list[float]) -> Picture | None:
    """Draw the share of the relevant documents that stand at each best rank or above."""
    if len(found) < 2:
        return None
    half = next(n for n, each in enumerate(found, 1) if 2 * each >= found[-1])
    deep = len(found) - round(len(found) / 2)
    return lines(
        [
            Series(
                "percent of the relevant",
                range(1, len(found) + 1),
                [100 * each / found[-1] for each in found],
                area=True,
            )
        ],
        sentence=f"Half of the {found[-1]:,.0f} relevant documents stand at best rank {half} or "
        f"above in some run; the lowest {deep} of {len(found)} ranks brought "
        f"{100 * last_share(found):.0f} % of them.",
        x_name="best rank in a contributing run",
        y_name="percent of the relevant",
        named=True,
    )
