"""Pages of one run's scores."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from accounts.access import can
from accounts.pages import UserRequest
from campaigns.access.roles import check_can_see_topics
from campaigns.models.campaign import Campaign
from campaigns.web.frame import guarded, open_to_visitors, page
from evaluation.access import (
    check_can_see_scores_by_topic,
    evaluations_shown,
    releases_seen,
    runs_shown,
    sees_all_runs,
    sees_run,
    sees_spread,
    teams_of,
)
from evaluation.models.scores import Score
from evaluation.tables import file_stamp
from evaluation.web import by_topic
from evaluation.web.boards import sorted_by
from evaluation.web.bounds import bounds_shown
from measures.exports import EXPORTS
from pictures.markup import Drawn
from pictures.rows import interval_row


@open_to_visitors
@require_safe
def run_scores(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show one run among those that the reader may see, and topic by topic."""
    campaign, score = score_of(request, slug, pk)
    evaluation, user = score.evaluation, request.user
    theirs = evaluation.scores.filter(run_id__in=runs_shown(user, evaluation))
    scores = list(theirs.select_related("run__team").order_by("run__tag"))
    sees_all = sees_all_runs(user, evaluation)
    shown = by_topic.Shown(
        score,
        scores,
        sorted_by(request, evaluation),
        sees_all,
        list(evaluation.scores.all()) if not sees_all and sees_spread(user, evaluation) else [],
    )
    teams = teams_of(user, campaign)
    context: dict[str, Any] = {
        "score": score,
        "evaluation": evaluation,
        "stamp": file_stamp(evaluation),
        "releases": releases_seen(user, evaluation),
        "sees_run": sees_run(user, score.run),
        "is_own": score.run.team_id in teams,
        "measures": evaluation.definitions(),
        "columns": shown.columns,
        "by": shown.by,
        "formats": list(EXPORTS),
        "others": [each for each in scores if each.pk != score.pk],
        "siblings": _siblings(shown),
        "sees_all_runs": shown.sees_all_runs,
        "knows_median": shown.knows_median,
        "heading": by_topic.heading(shown),
        "strips": by_topic.strips(shown),
        **_topics(request, campaign, shown),
    }
    return page(request, "evaluation/run_scores.html", campaign, "leaderboard", **context)


def _siblings(shown: by_topic.Shown) -> list[tuple[Score, str, Drawn]]:
    """Return the runs of the same team with their scores, drawn too, the best first."""
    column, at = shown.column, shown.at
    same = [each for each in shown.scores if each.run.team_id == shown.score.run.team_id]
    same.sort(key=lambda each: -column.sign * each.aggregates[at])
    values = [each.aggregates[at] for each in same]
    axis = column.axis(values)
    return [
        (
            each,
            column.text(value),
            interval_row(axis, value, sentence="", height=by_topic.ROW_HEIGHT).svg,
        )
        for each, value in zip(same, values, strict=True)
    ]


def _topics(request: UserRequest, campaign: Campaign, shown: by_topic.Shown) -> dict[str, Any]:
    """Return the rows of topics in the order that the address asks for, and another run to compare with if it names one."""
    user = request.user
    may_open = can(check_can_see_topics, user, campaign)
    topics = {
        number: by_topic.Titled(title if may_open else "", pk if may_open else None)
        for number, title, pk in campaign.topic_set.values_list("number", "title", "pk")
    }
    rows, axis = by_topic.rows(shown, topics)
    order = request.GET.get("order", "")
    orders = {
        name: label
        for name, label in by_topic.ORDERS.items()
        if shown.knows_median or name != "below"
    }
    order = order if order in orders else next(iter(orders))
    chosen = request.GET.get("with", "")
    other = next(
        (each for each in shown.scores if str(each.pk) == chosen and each.pk != shown.score.pk),
        None,
    )
    pair = by_topic.pair(shown, other) if other else None
    return {
        "axis": axis,
        "all_rows": _all_values(shown, rows),
        "rows": by_topic.ordered(rows, order, shown.column.sign),
        "order": order,
        "orders": orders,
        "pair": pair,
        "pictures": {"difference": pair.picture if pair else None},
        "aggregates": _texts(shown, shown.score.aggregates),
        "has_judged": any(row.judged for row in rows),
        "mostly_low": _mostly_low(shown),
        **by_topic.said_of(rows),
    }


def _mostly_low(shown: by_topic.Shown) -> tuple[str, int] | None:
    """Return the name of the share of judged documents, and on how many topics it is low; None unless on most."""
    if shown.judged is None:
        return None
    column, shares = shown.judged
    n_low = column.n_mostly_low(shares)
    return (column.name, n_low) if n_low else None


def _all_values(shown: by_topic.Shown, rows: list[by_topic.TopicRow]) -> SafeString:
    """Return what every measure comes to on each topic, as rows of a table: thousands of cells, which a template takes long for."""
    values = shown.score.counted().tolist()
    by_number = dict(zip(shown.evaluation.topics, values[:-1], strict=True))
    cells = (
        (row.number, row.topic.title, _cells(_texts(shown, by_number[row.number]))) for row in rows
    )
    return format_html_join(
        "\n", '<tr><th scope="row">{}</th><td class="title">{}</td>{}</tr>', cells
    )


def _cells(texts: list[str]) -> SafeString:
    first, *rest = texts
    main = format_html('<td class="number main">{}</td>', first)
    return main + format_html_join("", '<td class="number">{}</td>', zip(rest, strict=True))


def _texts(shown: by_topic.Shown, values: list[float]) -> list[str]:
    return [each.text(value) for each, value in zip(shown.columns, values, strict=True)]


@open_to_visitors
@require_safe
def run_bounds(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show how far one run's scores could move."""
    campaign, score = score_of(request, slug, pk)
    context: dict[str, Any] = {
        "score": score,
        "evaluation": score.evaluation,
        "releases": releases_seen(request.user, score.evaluation),
        "measures": score.evaluation.definitions(),
        **bounds_shown(score),
    }
    return page(request, "evaluation/run_bounds.html", campaign, "leaderboard", **context)


def score_of(request: UserRequest, slug: str, pk: int) -> tuple[Campaign, Score]:
    """Return a run's score, of those that the person may see by topic."""
    campaign = guarded(request, slug, check_can_see_scores_by_topic)
    scores = Score.objects.select_related(
        "run__team", "evaluation__qrels", "evaluation__without", "evaluation__campaign"
    )
    evaluations = evaluations_shown(request.user, campaign)
    shown = scores.filter(evaluation__in=evaluations.order_by().values("pk"))
    score = get_object_or_404(shown, pk=pk)
    if score.run_id not in runs_shown(request.user, score.evaluation):
        raise Http404
    return campaign, score
