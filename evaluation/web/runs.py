"""Pages of one run's scores."""

from functools import partial
from operator import itemgetter
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest
from campaigns.access.roles import roles
from campaigns.access.topics import topics_seen
from campaigns.models.campaign import Campaign
from campaigns.sorting import Cell, Figure, Sorting
from campaigns.web.frame import PER_PAGE, guarded, listed, open_to_visitors, page
from cleverdon.measures.exports import EXPORTS
from evaluation.access import (
    FEWEST_OTHERS,
    Scores,
    counts_seen,
    evaluations_shown,
    releases_seen,
    runs_seen,
    runs_shown,
    sees_all_runs,
    sees_spread,
    teams_of,
)
from evaluation.core.standing import CONDITION
from evaluation.models.scores import Score
from evaluation.rankings import found_of
from evaluation.tables import file_stamp
from evaluation.web import by_topic
from evaluation.web.boards import sorted_by
from evaluation.web.by_topic import RunScores


@open_to_visitors
@require_safe
def run_scores(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show one run among those that the reader may see, and topic by topic."""
    campaign, score = score_of(request, slug, pk)
    evaluation, user = score.evaluation, request.user
    run, seen = among_all(request, score), runs_seen(user, campaign)
    context: dict[str, Any] = {
        "score": score,
        "evaluation": evaluation,
        "stamp": file_stamp(evaluation),
        "releases": releases_seen(user, evaluation),
        "sees_run": score.run_id in seen,
        "is_own": score.run.team_id in teams_of(user, campaign),
        "run": run,
        "column": run.column,
        "by": run.by,
        "formats": list(EXPORTS),
        "sees_all_runs": run.sees_all_runs,
        "knows_median": run.knows_median,
        "fewest_others": FEWEST_OTHERS,
        "heading": by_topic.heading(run),
        "condition": CONDITION,
        "files": _files(score),
        "strips": by_topic.strips(run),
        **_siblings(run),
        **_topics(request, campaign, run),
    }
    return page(request, "evaluation/run_scores.html", campaign, "leaderboard", **context)


def _files(score: Score) -> str:
    """Return the address of the files of a run's scores, without the ending."""
    numbers = score.evaluation.campaign.slug, score.evaluation_id, score.run_id, "csv"
    return reverse("evaluation:evaluation_run_file", args=numbers).removesuffix(".csv")


def among_all(request: UserRequest, score: Score) -> RunScores:
    """Return a run by the measure that the address asks for, among those that the reader sees."""
    evaluation, user = score.evaluation, request.user
    scores = list(evaluation.by_tag.filter(run_id__in=runs_shown(user, evaluation)))
    by, sees_all = sorted_by(request, evaluation), sees_all_runs(user, evaluation)
    everybody = not sees_all and sees_spread(user, evaluation)
    spread = list(evaluation.by_tag) if everybody else []
    return RunScores(evaluation, by, score, scores, sees_all, spread)


def _siblings(run: RunScores) -> dict[str, Any]:
    """Return the runs of the same team with their values, the best first."""
    same = [each for each in run.scores if each.run.team_id == run.score.run.team_id]
    same.sort(key=lambda each: -run.column.sign * each.aggregates[run.at])
    values = [each.aggregates[run.at] for each in same]
    rows = [(each, v, run.column.text(v)) for each, v in zip(same, values, strict=True)]
    return {"siblings": rows, "sibling_values": values}


def _topics(request: UserRequest, campaign: Campaign, run: RunScores) -> dict[str, Any]:
    """Return the topics in the order of the address, and the runs to compare with."""
    counts = counts_seen(request.user, run.evaluation)
    found = found_of(run.score) if any(counts.values()) else {}
    rows = by_topic.topic_rows(run, titled_topics(request, campaign), found)
    orders = dict(by_topic.ORDERS)
    if not run.knows_median:
        del orders["below"]
    order = request.GET.get("order", "")
    order = order if order in orders else next(iter(orders))
    ordered = by_topic.ordered(rows, order, run.column.sign)
    return {
        "topics": rows,
        "rows": listed(request, ordered, Sorting("topics"), name="topics-page"),
        "is_long": len(rows) > PER_PAGE,
        "valued": listed(request, _all_values(run, rows), _by(run), name="values-page"),
        "order": order,
        "orders": orders,
        "others": [each for each in run.scores if each.pk != run.score.pk],
        "aggregates": run.texts(run.score.aggregates),
        "counts": counts,
        **by_topic.topic_counts(rows),
    }


def titled_topics(request: UserRequest, campaign: Campaign) -> dict[str, by_topic.TitledTopic]:
    """Return the topics by number, with titles for readers who may open them."""
    seen = set(topics_seen(roles(request.user, campaign), campaign).values_list("pk", flat=True))
    return {
        number: by_topic.TitledTopic(title, pk) if pk in seen else by_topic.TitledTopic("", None)
        for number, title, pk in campaign.topic_set.values_list("number", "title", "pk")
    }


def _by(run: RunScores) -> Sorting:
    measures = {
        each.name: Figure(partial(_value, n), name=each.name, title=each.definition)
        for n, each in enumerate(run.columns)
    }
    topics = {"topic": Cell(itemgetter(0)), "title": Cell(itemgetter(1))}
    return Sorting("values", unasked="", **topics, **measures)


def _value(n: int, row: tuple[str, str, list[str], list[float]]) -> float:
    return row[3][n]


def _all_values(
    run: RunScores, rows: list[by_topic.TopicRow]
) -> list[tuple[str, str, list[str], list[float]]]:
    """Return the number and the title of each topic with every measure, as text and as value."""
    values = run.score.counted().tolist()[:-1]
    by_number = dict(zip(run.evaluation.topics, values, strict=True))
    valued = [(row, by_number[row.number]) for row in rows]
    return [(row.number, row.topic.title, run.texts(its), its) for row, its in valued]


def score_of(request: UserRequest, slug: str, pk: int) -> tuple[Campaign, Score]:
    """Return a run's score, of those that the person may see by topic."""
    campaign = guarded(request, slug, Scores.see_by_topic)
    scores = Score.objects.select_related(
        "run__team", "evaluation__qrels__pool", "evaluation__without", "evaluation__campaign"
    )
    evaluations = evaluations_shown(request.user, campaign)
    shown = scores.filter(evaluation__in=evaluations.order_by().values("pk"))
    score = get_object_or_404(shown, pk=pk)
    if score.run_id not in runs_shown(request.user, score.evaluation):
        raise Http404
    return campaign, score
