"""Pages of boards: the leaderboard, any other evaluation, and the scores so far."""

from typing import Any

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from accounts.access import can
from accounts.pages import UserRequest, signed_in
from assess.models import Qrels
from campaigns.access import check_can_organize, what_closes_board
from campaigns.models import Campaign, Job
from campaigns.pages import guarded, open_to_visitors, page, part
from evaluation import tasks
from evaluation.access import (
    Person,
    check_can_see_scores,
    check_can_see_scores_by_topic,
    runs_shown,
    sees_all_runs,
    teams_of,
)
from evaluation.core.exports import EXPORTS
from evaluation.models import Evaluation, Measured, Preliminary
from evaluation.pages import showing
from pooling.models import Contributor

NO_CONTENT = 204


@open_to_visitors
@require_safe
def leaderboard(request: UserRequest, slug: str) -> HttpResponse:
    """Show the newest evaluation, of those whose qrels stand if there are any."""
    campaign = guarded(request, slug, check_can_see_scores)
    # Read the job before the evaluation: if it ends in between, the page still shows it as running and loads itself again.
    job = Job.objects.recent(campaign).filter(kind=tasks.score_runs.name).first()
    evaluations = list(Evaluation.objects.finished(campaign))
    return _leaderboard(request, campaign, evaluations, _main(evaluations), job=job)


@open_to_visitors
@require_safe
def evaluation(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show one evaluation, which stays at this address for good."""
    campaign = guarded(request, slug, check_can_see_scores)
    evaluations = list(Evaluation.objects.finished(campaign))
    chosen = next((each for each in evaluations if each.pk == pk), None)
    if chosen is None:
        raise Http404
    return _leaderboard(request, campaign, evaluations, chosen, job=None)


def _main(evaluations: list[Evaluation]) -> Evaluation | None:
    """Return the one that `latest_of` returns, of those already read."""
    standing = [each for each in evaluations if not each.qrels.is_withdrawn]
    return next(iter(standing or evaluations), None)


def _leaderboard(
    request: UserRequest,
    campaign: Campaign,
    evaluations: list[Evaluation],
    chosen: Evaluation | None,
    job: Job | None,
) -> HttpResponse:
    context: dict[str, Any] = {
        "heading": "No scores yet",
        "evaluation": chosen,
        "evaluations": evaluations,
        "main": _main(evaluations),
        "qrels": Qrels.objects.newest(campaign),
        "job": job,
        "formats": list(EXPORTS),
    }
    if can(check_can_organize, request.user, campaign):
        context["what_closes_board"] = what_closes_board(campaign)
    if chosen:
        context |= _board(request, campaign, evaluations, chosen)
    return page(
        request, "evaluation/leaderboard.html", campaign, "leaderboard", **context
    )


def _board(
    request: UserRequest,
    campaign: Campaign,
    evaluations: list[Evaluation],
    chosen: Evaluation,
) -> dict[str, Any]:
    """Return the rows ordered by one measure, best first, and what has moved."""
    by, user = sorted_by(request, chosen), request.user
    column, shown = chosen.measures.index(by), runs_shown(user, campaign)
    board = chosen.leaderboard(column, shown)
    reader = reader_of(user, campaign)
    moved = None
    if reader.sees_all_runs:
        moved = showing.movement(evaluations, chosen, board, by, shown)
    pooled = pooled_in(chosen.qrels.pool_id)
    return {
        **showing.table(chosen, board, by, reader, pooled, moved),
        "versions": showing.versions(evaluations, chosen),
        "sees_topics": can(check_can_see_scores_by_topic, user, campaign),
        "n_left_out": Evaluation.objects.n_left_out(chosen),
    }


def reader_of(user: Person, campaign: Campaign) -> showing.Reader:
    return showing.Reader(
        sees_all_runs(user, campaign),
        can(check_can_organize, user, campaign),
        teams_of(user, campaign),
    )


def sorted_by(request: UserRequest, measured: Measured) -> str:
    """Return the measure that orders a board: the one requested, or else the first."""
    by = request.GET.get("by", "")
    return by if by in measured.measures else measured.measures[0]


def pooled_in(pool_id: int | None) -> set[int] | None:
    """Return the ids of the runs that contributed to the pool; None where the qrels have no pool of this campaign."""
    if pool_id is None:
        return None
    contributors = Contributor.objects.filter(pool=pool_id)
    return set(contributors.values_list("run_id", flat=True))


@signed_in
@require_safe
def preliminary(request: UserRequest, slug: str) -> HttpResponse:
    """Show the scores so far; a page that already has this version gets an empty answer."""
    campaign = guarded(request, slug, check_can_organize)
    board = Preliminary.objects.select_related("pool").filter(campaign=campaign).first()
    if board and request.GET.get("version") == str(board.version):
        return HttpResponse(status=NO_CONTENT)
    context: dict[str, Any] = {"board": board, "version": board.version if board else 0}
    if board and board.n_topics:
        by = sorted_by(request, board)
        rows = board.leaderboard(board.measures.index(by))
        reader, pooled = reader_of(request.user, campaign), pooled_in(board.pool_id)
        context |= showing.table(board, rows, by, reader, pooled)
    if request.htmx:
        return part(request, "evaluation/_preliminary.html", campaign, **context)
    return page(
        request, "evaluation/preliminary.html", campaign, "leaderboard", **context
    )
