"""Pages of boards: the leaderboard, any other evaluation, and the scores so far."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from accounts.access import can
from accounts.pages import UserRequest, signed_in
from campaigns.access.roles import check_can_organize, what_closes_board
from campaigns.models.campaign import Campaign
from campaigns.web.frame import guarded, open_to_visitors, page, part
from evaluation import tasks
from evaluation.access import (
    Person,
    check_can_see_scores,
    check_can_see_scores_by_topic,
    evaluations_shown,
    front,
    releases_seen,
    runs_shown,
    seen_whole,
    sees_all_runs,
    teams_of,
)
from evaluation.models.measured import Measured
from evaluation.models.preliminary import Preliminary
from evaluation.models.scores import Evaluation
from evaluation.web import board_tables
from jobs.models import Job
from measures.exports import EXPORTS
from pooling.models import Contributor
from qrels.models import Qrels

NO_CONTENT = 204


@open_to_visitors
@require_safe
def leaderboard(request: UserRequest, slug: str) -> HttpResponse:
    """Show the scores that are released to this person; to organizers, a draft as long as none are."""
    campaign = guarded(request, slug, check_can_see_scores)
    # Read the job before the evaluation: if it ends in between, the page still shows it as running and loads itself again.
    job = Job.objects.recent(campaign).filter(kind=tasks.score_runs.name).first()
    chosen = front(request.user, campaign)
    return _leaderboard(request, campaign, chosen, chosen, job=job)


@open_to_visitors
@require_safe
def evaluation(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show one evaluation, which stays at this address for good; a draft to organizers only."""
    campaign = guarded(request, slug, check_can_see_scores)
    chosen = get_object_or_404(evaluations_shown(request.user, campaign), pk=pk)
    main = front(request.user, campaign)
    return _leaderboard(request, campaign, chosen, main, job=None)


def _leaderboard(
    request: UserRequest,
    campaign: Campaign,
    chosen: Evaluation | None,
    main: Evaluation | None,
    job: Job | None,
) -> HttpResponse:
    evaluations = list(evaluations_shown(request.user, campaign))
    seen = board_tables.seen_by(campaign, evaluations)
    context: dict[str, Any] = {
        "released": [each for each in seen if each[1]],
        "drafts": [each for each in seen if not each[1]],
        "heading": "No scores yet",
        "evaluation": chosen,
        "evaluations": evaluations,
        "main": main,
        "qrels": Qrels.objects.newest(campaign),
        "job": job,
        "formats": list(EXPORTS),
    }
    if can(check_can_organize, request.user, campaign):
        context["what_closes_board"] = what_closes_board(campaign)
    if chosen:
        context |= _board(request, campaign, evaluations, chosen)
    return page(request, "evaluation/leaderboard.html", campaign, "leaderboard", **context)


def _board(
    request: UserRequest, campaign: Campaign, evaluations: list[Evaluation], chosen: Evaluation
) -> dict[str, Any]:
    """Return the rows ordered by one measure, best first, and what has moved."""
    by, user = sorted_by(request, chosen), request.user
    column, shown = chosen.measures.index(by), runs_shown(user, chosen)
    board = chosen.leaderboard(column, shown)
    reader = reader_of(user, campaign, sees_all_runs=sees_all_runs(user, chosen))
    moved = None
    if reader.sees_all_runs:
        whole = seen_whole(user, campaign, evaluations)
        others = [each for each in evaluations if each.pk in whole]
        moved = board_tables.movement(others, chosen, board, by, shown)
    pooled = pooled_in(chosen.qrels.pool_id)
    return {
        **board_tables.table(chosen, board, by, reader, pooled, moved),
        "versions": board_tables.versions(evaluations, chosen),
        "releases": releases_seen(user, chosen),
        "replacement": _replacement(chosen) if reader.is_organizer else None,
        "sees_topics": can(check_can_see_scores_by_topic, user, campaign),
        "n_left_out": Evaluation.objects.n_left_out(chosen),
        "n_out": Evaluation.objects.n_out(chosen),
    }


def _replacement(evaluation: Evaluation) -> Evaluation | None:
    """Return another evaluation that has just the valid runs and is otherwise like this one."""
    found = Evaluation.objects.with_all_runs(evaluation)
    return None if found == evaluation else found


def reader_of(user: Person, campaign: Campaign, *, sees_all_runs: bool) -> board_tables.Reader:
    return board_tables.Reader(
        sees_all_runs, can(check_can_organize, user, campaign), teams_of(user, campaign)
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
        reader = reader_of(request.user, campaign, sees_all_runs=True)
        pooled = pooled_in(board.pool_id)
        context |= board_tables.table(board, rows, by, reader, pooled)
    if request.htmx:
        return part(request, "evaluation/_preliminary.html", campaign, **context)
    return page(request, "evaluation/preliminary.html", campaign, "leaderboard", **context)
