"""Boards and scores of runs as files."""

from django.conf import settings
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest
from campaigns.web.frame import guarded, open_to_visitors, streamed
from cleverdon.measures.exports import EXPORTS, ScoreTable
from evaluation.access import (
    Scores,
    evaluations_shown,
    front,
    runs_shown,
    seen_whole,
    sees_all_runs,
    sees_spread,
)
from evaluation.models.scores import Evaluation, Score
from evaluation.tables import evaluations_csv, file_stamp, leaderboard_table, run_table
from evaluation.web.boards import pooled_in, sorted_by
from evaluation.web.pairs import pairs_csv
from evaluation.web.runs import among_all, score_of


@open_to_visitors
@require_safe
def leaderboard_file(request: UserRequest, slug: str, kind: str) -> HttpResponse:
    campaign = guarded(request, slug, Scores.see)
    evaluation = front(request.user, campaign)
    if evaluation is None:
        raise Http404
    return _board_file(request, evaluation, kind)


@open_to_visitors
@require_safe
def evaluations_file(request: UserRequest, slug: str) -> StreamingHttpResponse:
    """Download the list of the evaluations, the newest first."""
    campaign = guarded(request, slug, Scores.see)
    shown = list(evaluations_shown(request.user, campaign))
    if not shown:
        raise Http404
    whole = seen_whole(request.user, campaign, shown)
    lines = evaluations_csv([(each, each.pk in whole) for each in shown])
    return streamed(lines, f"{slug}-evaluations.csv", "text/csv")


@open_to_visitors
@require_safe
def evaluation_file(request: UserRequest, slug: str, pk: int, kind: str) -> HttpResponse:
    campaign = guarded(request, slug, Scores.see)
    shown = evaluations_shown(request.user, campaign)
    return _board_file(request, get_object_or_404(shown, pk=pk), kind)


def _board_file(request: UserRequest, evaluation: Evaluation, kind: str) -> HttpResponse:
    campaign, user = evaluation.campaign, request.user
    column = evaluation.measures.index(sorted_by(request, evaluation))
    board = evaluation.leaderboard(column, runs_shown(user, evaluation))
    pooled = pooled_in(evaluation.qrels.batches)
    table = leaderboard_table(evaluation, board, pooled, sees_all_runs(user, evaluation))
    return _file(f"{campaign.slug}-leaderboard", evaluation, table, kind)


@open_to_visitors
@require_safe
def run_file(
    request: UserRequest, slug: str, run: int, kind: str, pk: int | None = None
) -> HttpResponse:
    """Download the scores of a run by its number, of the leaderboard or of another evaluation."""
    campaign, user = guarded(request, slug, Scores.see_by_topic), request.user
    if pk is None:
        evaluation = front(user, campaign)
    else:
        evaluation = get_object_or_404(evaluations_shown(user, campaign), pk=pk)
    stored = get_object_or_404(Score, evaluation=evaluation, run=run)
    _, score = score_of(request, slug, stored.pk)
    evaluation = score.evaluation
    read = evaluation.scores.only("evaluation", "content", "aggregates", "uncounted_topics")
    everybody = list(read) if sees_spread(user, evaluation) else []
    table = run_table(score, sees_all_runs(user, evaluation), everybody)
    return _file(score.run.tag, score.evaluation, table, kind)


@open_to_visitors
@require_safe
def pairs_file(request: UserRequest, slug: str, pk: int) -> StreamingHttpResponse:
    """Download all pairs of the runs that the person may see, by one measure."""
    campaign = guarded(request, slug, Scores.see)
    evaluation = get_object_or_404(evaluations_shown(request.user, campaign), pk=pk)
    shown = evaluation.scores.filter(run_id__in=runs_shown(request.user, evaluation))
    score = shown.order_by("pk").first()
    if score is None:
        raise Http404
    run = among_all(request, score)
    if run.is_waiting:
        raise Http404("The runs are being compared.")
    name = f"{slug}-pairs-{run.by}-{file_stamp(evaluation)}.csv"
    return streamed(pairs_csv(run), name, "text/csv")


def _file(name: str, evaluation: Evaluation, table: ScoreTable, kind: str) -> HttpResponse:
    """Send a table; its file name states what trec_eval's layout cannot."""
    if kind not in EXPORTS:
        raise Http404
    if kind == "json":
        table = table._replace(facts={**table.facts, "cleverdon": settings.VERSION})
    content_type, write = EXPORTS[kind]
    response = HttpResponse(write(table), content_type=f"{content_type}; charset=utf-8")
    response["Content-Disposition"] = (
        f'attachment; filename="{name}-{file_stamp(evaluation)}.{kind}"'
    )
    return response
