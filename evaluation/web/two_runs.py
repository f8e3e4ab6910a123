"""The page of two runs: whether they can be told apart, by how much, and on which topics."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest
from campaigns.web.frame import open_to_visitors, page
from evaluation.access import counts_seen, releases_seen, runs_seen, sees_grades
from evaluation.core.standing import CONDITION, FEWEST_TOPICS, flips
from evaluation.models.scores import Score
from evaluation.rankings import first_documents, found_of
from evaluation.tables import file_stamp
from evaluation.tasks import place_runs
from evaluation.web.drawing import (
    pair_measures_axis,
    ranking_strip,
    topic_differences,
    topic_improvements,
)
from evaluation.web.pairs import RunPair
from evaluation.web.runs import among_all, score_of, titled_topics
from jobs.models import Job

FIRST = 10  # documents of a strip


@open_to_visitors
@require_safe
def two_runs(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Compare a run with the one that the address names, or else with the best of the others."""
    campaign, score = score_of(request, slug, pk)
    evaluation, run = score.evaluation, among_all(request, score)
    others = [each for each in run.scores if each.pk != score.pk]
    asked = request.GET.get("with", "")
    best = max(others, key=lambda each: run.column.sign * each.aggregates[run.at], default=None)
    other = next((each for each in others if str(each.pk) == asked), best)
    context: dict[str, Any] = {
        "score": score,
        "evaluation": evaluation,
        "stamp": file_stamp(evaluation),
        "releases": releases_seen(request.user, evaluation),
        "run": run,
        "by": run.by,
        "others": others,
        "fewest_topics": FEWEST_TOPICS,
        "condition": CONDITION,
        "job": Job.objects.about(place_runs.name, evaluation.pk),
    }
    if other is not None and not run.is_waiting:
        context |= _pair(request, RunPair(run, other))
    return page(request, "evaluation/two_runs.html", campaign, "leaderboard", **context)


def _pair(request: UserRequest, pair: RunPair) -> dict[str, Any]:
    """Return what is drawn of two runs, and the topics to look at for who may open both runs."""
    campaign, tested = pair.run.evaluation.campaign, pair.tested
    seen = {pair.mine.run_id, pair.other.run_id} <= runs_seen(request.user, campaign)
    gap = tested and (tested.among or tested.alone)
    return {
        "pair": pair,
        "flips": flips(gap.n_topics) if gap else "",
        "measures_axis": pair_measures_axis(pair),
        "looked_at": _looked_at(request, pair) if seen else [],
        "pictures": {
            "difference": topic_differences(pair),
            "improvement": topic_improvements(pair),
        },
    }


def _looked_at(request: UserRequest, pair: RunPair) -> list[dict[str, Any]]:
    """Return the topics where the two differ most, with the first documents of both drawn."""
    evaluation, chosen = pair.run.evaluation, pair.to_look_at
    titles = titled_topics(request, evaluation.campaign)
    numbers, both = [number for number, _ in chosen], (pair.mine, pair.other)
    strips: list[dict[str, Any]] = [{}, {}]
    if sees_grades(request.user, evaluation):
        level = evaluation.qrels.level
        strips = [
            {
                number: ranking_strip(documents, level)
                for number, documents in first_documents(each, numbers, FIRST).items()
            }
            for each in both
        ]
    unjudged = _unjudged(request, both, numbers)
    return [
        {
            "number": number,
            "title": titles[number].title if number in titles else "",
            "change": text,
            "strips": [each.get(number, "") for each in strips],
            "unjudged": [counts.get(number, 0) for counts in unjudged],
        }
        for number, text in chosen
    ]


def _unjudged(
    request: UserRequest, both: tuple[Score, Score], numbers: Sequence[str]
) -> list[dict[str, int]]:
    """Count by topic the first ten documents of each run that nobody judged, where it is known."""
    if not counts_seen(request.user, both[0].evaluation)["unjudged"]:
        return [{}, {}]
    found = (found_of(score, numbers) for score in both)
    return [{number: each.n_unjudged for number, each in own.items()} for own in found]
