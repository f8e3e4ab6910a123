"""Pages of boards: the leaderboard, any other evaluation, and the scores so far."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from accounts.access import can
from accounts.pages import UserRequest, signed_in
from campaigns.access.campaign import Campaigns
from campaigns.access.roles import Person, what_closes_board
from campaigns.models.campaign import Campaign
from campaigns.web.frame import guarded, open_to_visitors, page, part, tabled
from cleverdon.measures.exports import EXPORTS
from cleverdon.trec.ordering import natural_key
from evaluation import tasks
from evaluation.access import (
    Scores,
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
from evaluation.tables import file_stamp
from evaluation.web import board_tables
from evaluation.web.classes import Asked
from evaluation.web.comparing import changes_by, compared_runs, differences_in_scoring
from evaluation.web.costs import costs_of
from evaluation.web.drawing import before_after, pareto, places_before_after
from evaluation.web.headings import of_choice
from evaluation.web.notices import notices
from evaluation.web.scope_form import alike
from evaluation.web.scoring_forms import CompareForm
from jobs.models import Job
from pooling.models.batches import BatchQuerySet
from pooling.models.contributors import Contributor
from qrels.models import Qrels

NO_CONTENT = 204


@open_to_visitors
@require_safe
def leaderboard(request: UserRequest, slug: str) -> HttpResponse:
    """Show the scores released to this person; to organizers, a draft while none are."""
    campaign = guarded(request, slug, Scores.see)
    # The job is read first: if it ends meanwhile, the page still loads itself again.
    kinds = (tasks.score_runs.name, tasks.place_runs.name)
    job = Job.objects.recent(campaign).filter(kind__in=kinds).first()
    chosen = front(request.user, campaign)
    return _leaderboard(request, campaign, chosen, chosen, job=job)


@open_to_visitors
@require_safe
def evaluation(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show one evaluation, which stays at this address for good; a draft to organizers only."""
    campaign = guarded(request, slug, Scores.see)
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
    seen = board_tables.with_releases(campaign, evaluations)
    context: dict[str, Any] = {
        "released": [each for each in seen if each[1]],
        "drafts": [each for each in seen if not each[1]],
        "heading": "No scores yet",
        "evaluation": chosen,
        "evaluations": evaluations,
        "main": main,
        "qrels": Qrels.objects.newest(campaign, chosen.scope.round if chosen else None),
        "job": job,
        "formats": list(EXPORTS),
    }
    if can(Campaigns.organize, request.user, campaign):
        context["what_closes_board"] = what_closes_board(campaign)
        context["shows_job"] = job and (not job.is_finished or job.state == Job.State.FAILED)
    if chosen:
        context |= _board(request, campaign, evaluations, chosen)
        context["notices"] = notices(context)
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
    pooled = pooled_in(chosen.qrels.batches)
    table = board_tables.board_table(
        chosen, board, by, reader, pooled=pooled, movement=moved, asked=Asked(request.GET)
    )
    table["heading"] += of_choice(chosen, sees_all_runs=reader.sees_all_runs)
    return {
        **table,
        "versions": board_tables.versions(evaluations, chosen),
        "releases": releases_seen(user, chosen),
        "replacement": _replacement(chosen) if reader.is_organizer else None,
        "alike": alike(chosen),
        "sees_topics": can(Scores.see_by_topic, user, campaign),
        "first_topic": min(chosen.topics, key=natural_key, default=""),
        "has_costs": reader.sees_all_runs and chosen.runs.with_efficiency().exists(),
        "is_organizer": reader.is_organizer,
        "left_out": [each.tag for each in Evaluation.objects.left_out(chosen).order_by("tag")],
        "computed": _computed(chosen, is_organizer=reader.is_organizer),
        "n_out": Evaluation.objects.n_out(chosen),
    }


@open_to_visitors
@require_safe
def efficiency(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show the runs by a measure and a cost, to readers who see all of them."""
    campaign, user = guarded(request, slug, Scores.see), request.user
    chosen = get_object_or_404(evaluations_shown(user, campaign), pk=pk)
    if not sees_all_runs(user, chosen):
        raise Http404
    by = sorted_by(request, chosen)
    board = chosen.leaderboard(chosen.measures.index(by), runs_shown(user, chosen))
    reader = reader_of(user, campaign, sees_all_runs=True)
    pooled = pooled_in(chosen.qrels.batches)
    table = board_tables.board_table(chosen, board, by, reader, pooled=pooled)
    asked = request.GET.get("cost", "")
    costs = costs_of(chosen, table["rows"], table["columns"][0], asked)
    context: dict[str, Any] = {
        "evaluation": chosen,
        "stamp": file_stamp(chosen),
        "costs": costs,
        "rows": tabled(request, costs.rows, costs.sorting) if costs else [],
        "by": by,
        "releases": releases_seen(user, chosen),
        "sees_topics": can(Scores.see_by_topic, user, campaign),
        "pictures": {"pareto": pareto(costs) if costs else None},
    }
    return page(request, "evaluation/efficiency.html", campaign, "leaderboard", **context)


@open_to_visitors
@require_safe
def compare(request: UserRequest, slug: str) -> HttpResponse:
    """Show two evaluations side by side."""
    campaign = guarded(request, slug, Scores.see)
    evaluations = list(evaluations_shown(request.user, campaign))
    form = CompareForm(request.GET, evaluations)
    if not form.is_valid():
        raise Http404
    before, after = form.cleaned_data["before"], form.cleaned_data["after"]
    context: dict[str, Any] = {"before": before, "after": after, "evaluations": evaluations}
    if before and after:
        both = {"Before": before.sampling, "After": after.sampling}
        context |= {
            "sees_all_runs": all(sees_all_runs(request.user, each) for each in (before, after)),
            "stamp": f"{file_stamp(before)}-to-{file_stamp(after)}",
            "used": list(dict.fromkeys([*before.versions, *after.versions])),
            "differently": differences_in_scoring(before, after),
            "sampled": [(name, said) for name, said in both.items() if said],
            "shared": [name for name in after.measures if name in before.measures],
        }
        if context["shared"]:
            context |= _compared(request, campaign, before, after, context["shared"])
    return page(request, "evaluation/compare.html", campaign, "leaderboard", **context)


def _compared(
    request: UserRequest,
    campaign: Campaign,
    before: Evaluation,
    after: Evaluation,
    shared: list[str],
) -> dict[str, Any]:
    """Return the runs by a measure that both evaluations have, and their picture."""
    by = request.GET.get("by", "")
    runs = compared_runs(
        before,
        after,
        by if by in shared else shared[0],
        shown={*runs_shown(request.user, before)} & {*runs_shown(request.user, after)},
        teams=teams_of(request.user, campaign),
        opens_scores=can(Scores.see_by_topic, request.user, campaign),
    )
    drawn = {"compared": before_after(runs)} if len(runs.in_both) > 1 else {}
    sees_places = all(sees_all_runs(request.user, each) for each in (before, after))
    if drawn and sees_places:
        drawn["places"] = places_before_after(runs)
    by = runs.column.name
    rows = tabled(request, runs.rows, changes_by(by, sees_places=sees_places))
    return {"runs": runs, "rows": rows, "by": by, "pictures": drawn}


def _computed(evaluation: Evaluation, *, is_organizer: bool) -> set[str]:
    """Return which pages of an evaluation a reader is led to: organizers have them computed."""
    names = ("study", "reusability", "disagreement")
    if is_organizer:
        return set(names)
    rows = Evaluation.objects.filter(pk=evaluation.pk)
    return {name for name in names if rows.filter(**{f"{name}__isnull": False}).exists()}


def _replacement(evaluation: Evaluation) -> Evaluation | None:
    """Return another evaluation that has just the valid runs and is otherwise like this one."""
    other = Evaluation.objects.with_all_runs(evaluation)
    return None if other == evaluation else other


def reader_of(user: Person, campaign: Campaign, *, sees_all_runs: bool) -> board_tables.BoardReader:
    return board_tables.BoardReader(
        sees_all_runs, can(Campaigns.organize, user, campaign), teams_of(user, campaign)
    )


def sorted_by(request: UserRequest, measured: Measured) -> str:
    """Return the measure that orders a board: the one requested, or else the first."""
    by = request.GET.get("by", "")
    return by if by in measured.measures else measured.measures[0]


def pooled_in(batches: BatchQuerySet) -> set[int] | None:
    """Return the ids of the runs that contributed to these batches; None without any."""
    if not batches:
        return None
    contributors = Contributor.objects.filter(batch__in=batches, is_read=True)
    return set(contributors.values_list("run_id", flat=True))


@signed_in
@require_safe
def preliminary(request: UserRequest, slug: str) -> HttpResponse:
    """Show the scores so far; a page that already has this version gets an empty answer."""
    campaign = guarded(request, slug, Scores.see_preliminary)
    # Its values by topic are many megabytes, of which a page shows none.
    boards = Preliminary.objects.select_related("pool").defer("content")
    board = boards.filter(campaign=campaign).first()
    if board and request.GET.get("version") == str(board.version):
        return HttpResponse(status=NO_CONTENT)
    context: dict[str, Any] = {"board": board, "version": board.version if board else 0}
    if board and board.n_topics:
        by = sorted_by(request, board)
        rows = board.leaderboard(board.measures.index(by))
        reader = reader_of(request.user, campaign, sees_all_runs=True)
        pooled = pooled_in(board.pool.batches.all())
        asked = Asked(request.GET)
        context |= board_tables.board_table(board, rows, by, reader, pooled=pooled, asked=asked)
    if request.htmx:
        return part(request, "evaluation/_preliminary.html", campaign, **context)
    return page(request, "evaluation/preliminary.html", campaign, "leaderboard", **context)
