"""The page of a pool after judging: whether it is deep enough, and what is missing."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from accounts.pages import UserRequest, signed_in
from campaigns.models.campaign import Campaign
from campaigns.web.frame import attempt, guarded, page
from cleverdon.pictures.lines import Series, lines
from cleverdon.pictures.picture import Picture
from evaluation.access import Scores
from evaluation.completeness import Completeness
from evaluation.models.reviews import Review
from evaluation.services import request_review
from jobs.models import Job
from pooling.core.completeness import NIST_SEEN, NIST_TAIL, TAIL, is_early, last_share


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def completeness(request: UserRequest, slug: str) -> HttpResponse:
    """Show organizers the last review of the pool, and have another one made."""
    campaign = guarded(request, slug, Scores.review_pool)
    if request.method == "POST":
        if refusal := attempt(request_review, user=request.user, campaign=campaign):
            messages.error(request, refusal)
        return redirect("evaluation:completeness", slug)
    reviews = Review.objects.filter(campaign=campaign).select_related("created_by").order_by("-pk")
    newest = reviews.first()
    context: dict[str, Any] = {
        # Read before its result: if the job ends meanwhile, the page still loads itself again.
        "job": newest and Job.objects.about("review_pool", newest.pk)
    }
    if review := reviews.filter(found__isnull=False).first():
        context |= _shown(campaign, review)
    return page(request, "evaluation/completeness.html", campaign, "pool", **context)


def _shown(campaign: Campaign, review: Review) -> dict[str, Any]:
    found = Completeness.from_json(review.found)
    nist = f"none of the last {NIST_TAIL} judged, or more than half of at least {NIST_SEEN}"
    return {
        "review": review,
        "found": found,
        "has_grown": review.pool.batches.filter(frozen_at__gt=review.created_at).exists(),
        "missing": found.missing,
        "is_early": is_early(found.n_left, found.n_pooled),
        "n_population": found.n_pooled + found.n_undrawn,
        "rules": [
            (f"None of the last {TAIL} judged is relevant", found.dry),
            (f"NIST's: {nist} are relevant", found.nist),
        ],
        "pictures": {"ranks": _ranks(found.by_rank)},
        "stamp": f"{campaign.slug}-review-{review.pk}",
    }


def _ranks(found: Sequence[float]) -> Picture | None:
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
