"""Pages of scores: the leaderboard, the scores so far, and the scores of one run."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import Refused, can
from accounts.pages import UserRequest, signed_in
from assess.models import Qrels
from campaigns.access import check_can_organize, what_closes_board
from campaigns.core.ordering import natural_key
from campaigns.models import Campaign, Job
from campaigns.pages import guarded, open_to_visitors, page, part, sentences
from evaluation import services, tasks
from evaluation.access import (
    check_can_see_scores,
    check_can_see_scores_by_topic,
    runs_shown,
    sees_all_runs,
    sees_run,
)
from evaluation.bounding import bounds_of
from evaluation.core.exports import EXPORTS, ScoreTable
from evaluation.forms import EvaluationForm, QrelsForm
from evaluation.models import Evaluation, Measured, Preliminary, Score
from evaluation.tables import file_stamp, leaderboard_table, run_table
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
        context |= _board(request, campaign, chosen)
        context["n_left_out"] = Evaluation.objects.n_left_out(chosen)
    return page(
        request, "evaluation/leaderboard.html", campaign, "leaderboard", **context
    )


def _board(
    request: UserRequest, campaign: Campaign, evaluation: Evaluation
) -> dict[str, Any]:
    """Return the rows ordered by one measure, best first."""
    by = _by(request, evaluation)
    column, shown = evaluation.measures.index(by), runs_shown(request.user, campaign)
    return {
        "measures": evaluation.definitions(),
        "by": by,
        "rows": evaluation.leaderboard(column, shown),
        "sees_all_runs": sees_all_runs(request.user, campaign),
        "sees_topics": can(check_can_see_scores_by_topic, request.user, campaign),
        "pooled": _pooled(evaluation.qrels.pool_id),
    }


def _by(request: UserRequest, measured: Measured) -> str:
    """Return the measure that orders a board: the one requested, or else the first."""
    by = request.GET.get("by", "")
    return by if by in measured.measures else measured.measures[0]


def _pooled(pool_id: int | None) -> set[int] | None:
    """Return the ids of the runs that contributed to the pool; None where the qrels have no pool of this campaign."""
    if pool_id is None:
        return None
    contributors = Contributor.objects.filter(pool=pool_id)
    return set(contributors.values_list("run_id", flat=True))


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def score(request: UserRequest, slug: str) -> HttpResponse:
    """Choose measures, rule set and topic set, and score every valid run against a qrels version."""
    campaign = guarded(request, slug, check_can_organize)
    if request.method == "POST":
        return _asked(request, campaign)
    choice = QrelsForm(request.GET, campaign)
    if not choice.is_valid():
        raise Refused(sentences(choice))
    qrels = choice.cleaned_data["qrels"]
    if qrels is None:
        raise Http404
    form = EvaluationForm.like(Evaluation.objects.latest_of(campaign))
    return _score_page(request, campaign, form, choice, qrels)


def _asked(request: UserRequest, campaign: Campaign) -> HttpResponse:
    """Have the runs scored; what is refused stays on the page as it was sent, with a version that stands."""
    choice, form = QrelsForm(request.POST, campaign), EvaluationForm(request.POST)
    if not choice.is_valid():
        form.add_error(None, sentences(choice))
    qrels = choice.cleaned_data.get("qrels")
    if choice.is_valid() and qrels and form.is_valid():
        names = ("measures", "rules", "topic_set")
        asked = {name: form.cleaned_data[name] for name in names}
        try:
            services.request_evaluation(
                user=request.user,
                qrels=qrels,
                without=choice.cleaned_data["without"],
                **asked,
            )
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("evaluation:leaderboard", campaign.slug)
    if qrels is None or qrels.is_withdrawn:
        qrels = choice.versions.first()
    return _score_page(request, campaign, form, choice, qrels)


def _score_page(
    request: UserRequest,
    campaign: Campaign,
    form: EvaluationForm,
    choice: QrelsForm,
    qrels: Qrels | None,
) -> HttpResponse:
    context = {
        "form": form,
        "choice": choice,
        "qrels": qrels,
        "versions": choice.versions,
    }
    return page(request, "evaluation/score.html", campaign, "leaderboard", **context)


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
        by = _by(request, board)
        context |= {
            "by": by,
            "measures": board.definitions(),
            "rows": board.leaderboard(board.measures.index(by)),
            "sees_all_runs": True,
            "pooled": _pooled(board.pool_id),
        }
    if request.htmx:
        return part(request, "evaluation/_preliminary.html", campaign, **context)
    return page(
        request, "evaluation/preliminary.html", campaign, "leaderboard", **context
    )


@open_to_visitors
@require_safe
def run_scores(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show one run's scores per topic."""
    campaign, score = _score(request, slug, pk)
    evaluation = score.evaluation
    titles = dict(campaign.topic_set.values_list("number", "title"))
    rows = zip(evaluation.topics, score.by_topic().tolist(), strict=True)
    ordered = sorted(rows, key=lambda row: natural_key(row[0]))
    context: dict[str, Any] = {
        "score": score,
        "sees_run": sees_run(request.user, score.run),
        "evaluation": evaluation,
        "measures": evaluation.definitions(),
        "formats": list(EXPORTS),
        "rows": [(topic, titles.get(topic, ""), values) for topic, values in ordered],
    }
    return page(
        request, "evaluation/run_scores.html", campaign, "leaderboard", **context
    )


@open_to_visitors
@require_safe
def run_bounds(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show how far one run's scores could move."""
    campaign, score = _score(request, slug, pk)
    context: dict[str, Any] = {
        "score": score,
        "evaluation": score.evaluation,
        "bounds": bounds_of(score),
    }
    return page(
        request, "evaluation/run_bounds.html", campaign, "leaderboard", **context
    )


@open_to_visitors
@require_safe
def leaderboard_file(request: UserRequest, slug: str, kind: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_see_scores)
    evaluation = Evaluation.objects.latest_of(campaign)
    if evaluation is None:
        raise Http404
    return _board_file(request, evaluation, kind)


@open_to_visitors
@require_safe
def evaluation_file(
    request: UserRequest, slug: str, pk: int, kind: str
) -> HttpResponse:
    campaign = guarded(request, slug, check_can_see_scores)
    finished = Evaluation.objects.finished(campaign)
    return _board_file(request, get_object_or_404(finished, pk=pk), kind)


def _board_file(
    request: UserRequest, evaluation: Evaluation, kind: str
) -> HttpResponse:
    campaign = evaluation.campaign
    board = _board(request, campaign, evaluation)
    table = leaderboard_table(
        evaluation, board["rows"], board["pooled"], board["sees_all_runs"]
    )
    return _file(f"{campaign.slug}-leaderboard", evaluation, table, kind)


@open_to_visitors
@require_safe
def run_file(request: UserRequest, slug: str, pk: int, kind: str) -> HttpResponse:
    campaign, score = _score(request, slug, pk)
    table = run_table(score, sees_all_runs(request.user, campaign))
    return _file(score.run.tag, score.evaluation, table, kind)


def _score(request: UserRequest, slug: str, pk: int) -> tuple[Campaign, Score]:
    campaign = guarded(request, slug, check_can_see_scores_by_topic)
    scores = Score.objects.select_related(
        "run__team", "evaluation__qrels", "evaluation__without", "evaluation__campaign"
    )
    shown = scores.filter(
        run_id__in=runs_shown(request.user, campaign),
        evaluation__finished_at__isnull=False,
    )
    return campaign, get_object_or_404(shown, pk=pk, evaluation__campaign=campaign)


def _file(
    name: str, evaluation: Evaluation, table: ScoreTable, kind: str
) -> HttpResponse:
    """Send a table; its file name states what trec_eval's layout cannot."""
    if kind not in EXPORTS:
        raise Http404
    content_type, write = EXPORTS[kind]
    response = HttpResponse(write(table), content_type=f"{content_type}; charset=utf-8")
    response["Content-Disposition"] = (
        f'attachment; filename="{name}-{file_stamp(evaluation)}.{kind}"'
    )
    return response
