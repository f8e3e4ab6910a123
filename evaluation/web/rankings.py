"""The page of a run's ranking on one topic, alone or beside another run's."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from accounts.access import can
from accounts.pages import UserRequest
from campaigns.access.roles import check_can_organize
from campaigns.core.ordering import natural_key
from campaigns.models.campaign import Campaign
from campaigns.web.frame import listed, open_to_visitors, page
from campaigns.web.listing import ListPage
from collection.models.texts import Document
from evaluation.access import counts_seen, releases_seen, runs_seen, sees_grades
from evaluation.core.retrieved import Found, Ranked, beside
from evaluation.models.scores import Evaluation, Score
from evaluation.rankings import found_of, ranking_of
from evaluation.web.by_topic import RunScores, TitledTopic
from evaluation.web.drawing import ranking_strip
from evaluation.web.runs import among_all, score_of, titled_topics
from pictures.picture import Picture


class Ranking(NamedTuple):
    """A run's documents on a topic, a page of them with their strip, and what it reaches there.

    `rows` are documents with the words of their grades.
    """

    score: Score
    text: str
    found: Found | None
    documents: Sequence[Ranked]
    rows: ListPage
    strip: Picture | None

    @property
    def n_only(self) -> int:
        """How many of the documents the other run lacks."""
        return sum(each.other is None for each in self.documents)

    @property
    def n_relevant_only(self) -> int:
        level = self.score.evaluation.qrels.level
        return sum(each.other is None and each.reaches(level) for each in self.documents)

    @property
    def n_both(self) -> int:
        return len(self.documents) - self.n_only


@open_to_visitors
@require_safe
def ranking(request: UserRequest, slug: str, pk: int, number: str) -> HttpResponse:
    """Show what a run retrieved for a topic, alone or beside another run that the reader sees."""
    campaign, score = score_of(request, slug, pk)
    evaluation, seen = score.evaluation, runs_seen(request.user, campaign)
    if score.run_id not in seen or number not in evaluation.topics:
        raise Http404
    run = among_all(request, score)
    others = [each for each in run.scores if each.run_id in seen and each.pk != score.pk]
    other = next((each for each in others if str(each.pk) == request.GET.get("with")), None)
    lists = _rankings(request, run, number, [score, other] if other else [score])
    context: dict[str, Any] = {
        **of_topic(request, campaign, evaluation, number),
        "score": score,
        "others": others,
        "other": other,
        "columns": run.columns,
        "by": run.by,
        "best_median_worst": _best_median_worst(run, evaluation.topics.index(number)),
        "sees_all_runs": run.sees_all_runs,
        "sees_grades": sees_grades(request.user, evaluation),
        "counts": counts_seen(request.user, evaluation),
        "lists": lists,
        "longest": max((each.rows for each in lists), key=lambda rows: rows.paginator.num_pages),
        "opened": opened(request, campaign, [row.docno for each in lists for row, _ in each.rows]),
        "kept": urlencode({"by": run.by, **({"with": other.pk} if other else {})}),
    }
    return page(request, "evaluation/ranking.html", campaign, "leaderboard", **context)


def of_topic(
    request: UserRequest, campaign: Campaign, evaluation: Evaluation, number: str
) -> dict[str, Any]:
    """Return the topic of a page and those before and after it."""
    numbers = sorted(evaluation.topics, key=natural_key)
    at = numbers.index(number)
    return {
        "evaluation": evaluation,
        "releases": releases_seen(request.user, evaluation),
        "measures": evaluation.definitions(),
        "number": number,
        "topic": titled_topics(request, campaign).get(number, TitledTopic("", None)),
        "before": numbers[at - 1] if at else None,
        "after": numbers[at + 1] if at + 1 < len(numbers) else None,
    }


def _rankings(
    request: UserRequest, run: RunScores, number: str, scores: Sequence[Score]
) -> list[Ranking]:
    """Return what each run retrieved, each beside the other if there are two."""
    evaluation, user = run.evaluation, request.user
    with_grades, counts = sees_grades(user, evaluation), counts_seen(user, evaluation)
    ranked = [ranking_of(evaluation, each.run, number, with_grades=with_grades) for each in scores]
    if len(ranked) > 1:
        ranked = [beside(*ranked), beside(*ranked[::-1])]
    scale, at = evaluation.campaign.scale, evaluation.topics.index(number)
    labels: dict[int | None, str] = dict(scale.fixed.items())
    found: list[Ranking] = []
    for score, documents, values in zip(scores, ranked, run.values(scores), strict=True):
        rows = listed(request, [(each, labels.get(each.grade, "")) for each in documents])
        shown = [document for document, _ in rows]
        strip = ranking_strip(shown, scale, evaluation.qrels.level) if with_grades else None
        count = found_of(score)[number] if any(counts) else None
        text = run.column.text(values[at])
        found.append(Ranking(score, text, count, documents, rows, strip))
    return found


def _best_median_worst(run: RunScores, at: int) -> Mapping[str, str]:
    """Return the values of all runs on a topic by name, as far as the reader may know them."""
    among = run.among()[at]
    if among is None:
        return {}
    low, _, median, _, high = map(run.column.text, among.summary)
    best, worst = (low, high) if run.column.sign < 0 else (high, low)
    return {"best": best, "median": median, "worst": worst}


def opened(request: UserRequest, campaign: Campaign, docnos: Sequence[str]) -> set[str]:
    """Return the docnos whose documents the reader can open."""
    if not can(check_can_organize, request.user, campaign):
        return set()
    found = Document.objects.filter(campaign=campaign, docno__in=docnos)
    return set(found.values_list("docno", flat=True))
