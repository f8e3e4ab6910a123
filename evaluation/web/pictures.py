"""The page of an evaluation's pictures."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest
from campaigns.web.frame import guarded, open_to_visitors, page
from evaluation.access import Scores, releases_seen, sees_all_runs, teams_of
from evaluation.figures.board import BoardFigures
from evaluation.figures.pictured import Pictured
from evaluation.models.scores import Evaluation, Score
from evaluation.pictures.gallery import drawn, offered, usual
from evaluation.pictures.runs import MOST_CURVES, MOST_DRAWN, Gallery
from evaluation.tables import file_stamp
from evaluation.tasks import place_runs
from evaluation.web.boards import sorted_by
from jobs.models import Job


@open_to_visitors
@require_safe
def pictures(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show the pictures of an evaluation to those who see all its runs and topics."""
    campaign = guarded(request, slug, Scores.see_by_topic)
    evaluation = get_object_or_404(Evaluation.objects.finished(campaign), pk=pk)
    if not sees_all_runs(request.user, evaluation):
        raise Http404
    context: dict[str, Any] = {
        # Read before the figures: if it ends meanwhile, the page still loads itself again.
        "job": Job.objects.about(place_runs.name, pk),
        "evaluation": evaluation,
        "releases": releases_seen(request.user, evaluation),
        "stamp": file_stamp(evaluation),
    }
    if evaluation.pictured is not None:
        context |= _gallery(request, evaluation)
    return page(request, "evaluation/pictures.html", campaign, "leaderboard", **context)


def _gallery(request: UserRequest, evaluation: Evaluation) -> dict[str, Any]:
    campaign = evaluation.campaign
    figures = BoardFigures.of(evaluation, sorted_by(request, evaluation))
    own = frozenset(teams_of(request.user, campaign))
    chosen, other = _chosen(request, figures, own), _other(request, figures)
    of_file, _, _ = request.GET.get("picture", "").rpartition(".")
    gallery = Gallery(figures, other, chosen, Pictured.of(evaluation), own, is_whole=bool(of_file))
    names = [n for n in offered(request.user, campaign) if of_file in {"", n}]
    runs = [each for n, each in enumerate(figures.scores) if n < MOST_DRAWN or each in chosen]
    return {
        "gallery": gallery,
        "offered": runs,
        "most_curves": MOST_CURVES,
        "pictures": drawn(gallery, names),
    }


def _other(request: UserRequest, figures: BoardFigures) -> str:
    """Return the measure asked for beside the main one: another, if there is one."""
    asked = request.GET.get("other", "")
    return asked if asked in figures.others else next(iter(figures.others), figures.by)


def _chosen(request: UserRequest, figures: BoardFigures, own: frozenset[int]) -> list[Score]:
    """Return the runs whose curves are drawn: those asked for, or else the best and one's own."""
    asked = set(request.GET.getlist("run"))
    chosen = [each for each in figures.scores if str(each.pk) in asked]
    return chosen[:MOST_CURVES] or usual(figures, own)
