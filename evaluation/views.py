"""Pages of scores: the leaderboard, and one run topic by topic."""

import csv
from collections.abc import Iterable
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_POST

from assess.models import Qrels
from campaigns.access import check_can_organize
from campaigns.models import Campaign, Job
from campaigns.pages import UserRequest, guarded, page, signed_in
from evaluation import services
from evaluation.access import check_can_see_scores, runs_shown
from evaluation.models import Evaluation, Score
from pooling.models import Contributor


@signed_in
@require_GET
def leaderboard(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_see_scores)
    evaluation = Evaluation.objects.latest_of(campaign)
    context: dict[str, Any] = {
        "evaluation": evaluation,
        "qrels": Qrels.objects.filter(campaign=campaign).first(),
        "job": Job.objects.recent(campaign).filter(kind=Job.Kind.SCORE_RUNS).first(),
    }
    if evaluation:
        context |= _board(request, campaign, evaluation)
    return page(
        request, "evaluation/leaderboard.html", campaign, "leaderboard", **context
    )


def _board(
    request: UserRequest, campaign: Campaign, evaluation: Evaluation
) -> dict[str, Any]:
    """Return the rows ordered by one measure, best first; equal figures as shown share a rank."""
    names = evaluation.measures
    by = request.GET.get("by", names[0])
    if by not in names:
        by = names[0]
    return {
        "measures": evaluation.definitions(),
        "by": by,
        "rows": evaluation.leaderboard(
            names.index(by), runs_shown(request.user, campaign)
        ),
        "pooled": set(
            Contributor.objects.filter(pool=evaluation.qrels.pool).values_list(
                "run_id", flat=True
            )
        ),
    }


@signed_in
@require_POST
def score(request: UserRequest, slug: str) -> HttpResponse:
    """Score every valid run against a qrels version, the newest unless another is named."""
    campaign = guarded(request, slug, check_can_organize)
    qrels = get_object_or_404(
        Qrels, campaign=campaign, number=request.POST.get("qrels", 0)
    )
    services.request_evaluation(user=request.user, qrels=qrels)
    return redirect("evaluation:leaderboard", slug)


@signed_in
@require_GET
def run_scores(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show one run's scores per topic."""
    campaign, found = _score(request, slug, pk)
    evaluation = found.evaluation
    titles = dict(campaign.topic_set.values_list("number", "title"))
    context: dict[str, Any] = {
        "score": found,
        "evaluation": evaluation,
        "measures": evaluation.definitions(),
        "rows": [
            (topic, titles.get(topic, ""), values)
            for topic, values in zip(evaluation.topics, found.by_topic, strict=True)
        ],
    }
    return page(
        request, "evaluation/run_scores.html", campaign, "leaderboard", **context
    )


@signed_in
@require_GET
def leaderboard_csv(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_see_scores)
    evaluation = Evaluation.objects.latest_of(campaign)
    if evaluation is None:
        raise Http404
    board = _board(request, campaign, evaluation)
    heading = ["run", "team", "pooled", "qrels", "topics", *evaluation.measures]
    rows = [
        [
            score.run.tag,
            score.run.team,
            int(score.run_id in board["pooled"]),
            evaluation.qrels.number,
            len(evaluation.topics),
            *score.aggregates,
        ]
        for _, score in board["rows"]
    ]
    return _csv(
        f"{slug}-leaderboard-qrels-v{evaluation.qrels.number}.csv", heading, rows
    )


@signed_in
@require_GET
def run_csv(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    _, found = _score(request, slug, pk)
    evaluation = found.evaluation
    rows = [
        [topic, *values]
        for topic, values in zip(evaluation.topics, found.by_topic, strict=True)
    ]
    name = f"{found.run.tag}-qrels-v{evaluation.qrels.number}.csv"
    return _csv(
        name, ["topic", *evaluation.measures], [*rows, ["all", *found.aggregates]]
    )


def _score(request: UserRequest, slug: str, pk: int) -> tuple[Campaign, Score]:
    campaign = guarded(request, slug, check_can_see_scores)
    scores = Score.objects.select_related("run__team", "evaluation__qrels")
    shown = scores.filter(
        run_id__in=runs_shown(request.user, campaign),
        evaluation__finished_at__isnull=False,
    )
    return campaign, get_object_or_404(shown, pk=pk, evaluation__campaign=campaign)


def _csv(
    name: str, heading: list[str], rows: Iterable[Iterable[object]]
) -> HttpResponse:
    """Write a table; numbers in full, as Python prints a double."""
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    writer = csv.writer(response)
    writer.writerow(heading)
    writer.writerows(rows)
    return response
