"""Pages of one topic: the ranking of a run, alone or beside another, and the scores of all runs."""

from collections import Counter
from collections.abc import Collection, Sequence
from math import inf, isnan
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.access import can
from accounts.pages import UserRequest
from assess.models.judging import Judgment
from campaigns.access.campaign import Campaigns
from campaigns.models.campaign import Campaign
from campaigns.sorting import Sorting
from campaigns.web.frame import guarded, listed, open_to_visitors, page
from cleverdon.pictures.strips import spread_strip
from cleverdon.trec.ordering import natural_key
from cleverdon.trec.words import counted, ordinal
from collection.access import Topics
from collection.models.texts import Document
from evaluation.access import (
    Scores,
    counts_seen,
    releases_seen,
    runs_seen,
    sees_all_runs,
    sees_grades,
    teams_of,
)
from evaluation.core.retrieved import beside
from evaluation.core.topics import hardness, places
from evaluation.models.scores import Evaluation, Score
from evaluation.rankings import finders_on, found_of, judged_on, ranking_of
from evaluation.web.boards import sorted_by
from evaluation.web.by_topic import RunScores, TitledTopic
from evaluation.web.drawing import ranking_strip
from evaluation.web.runs import among_all, score_of, titled_topics
from qrels.web.versions import grade_rows
from questions.models import TopicNote
from runs.access.runs import Runs, released_to
from runs.models import Run


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
    both, kept = ([score, other], {"with": other.pk}) if other else ([score], {})
    among = run.among()[evaluation.topics.index(number)]
    context: dict[str, Any] = {
        **_of_topic(request, evaluation, number, "evaluation:ranking", pk, **kept),
        **_rankings(request, run, number, both),
        "score": score,
        "others": others,
        "other": other,
        # From the worst to the best.
        "spread": among and list(map(run.column.text, among.summary))[:: run.column.sign],
    }
    return page(request, "evaluation/ranking.html", campaign, "leaderboard", **context)


def _of_topic(
    request: UserRequest, evaluation: Evaluation, number: str, view: str, pk: int, **kept: object
) -> dict[str, Any]:
    """Return what both pages show of a topic, and the pages of the other topics."""
    campaign, by = evaluation.campaign, sorted_by(request, evaluation)
    numbers, query = sorted(evaluation.topics, key=natural_key), urlencode({"by": by, **kept})
    at, slug = numbers.index(number), campaign.slug
    every = [(each, f"{reverse(view, args=[slug, pk, each])}?{query}") for each in numbers]
    near = [("prev", *each) for each in every[:at][-1:]]
    near += [("next", *each) for each in every[at + 1 :][:1]]
    return {
        "evaluation": evaluation,
        "releases": releases_seen(request.user, evaluation),
        "by": by,
        "number": number,
        "topic": titled_topics(request, campaign).get(number, TitledTopic("", None)),
        "neighbors": near,
        "every_topic": every,
        "sees_all_runs": sees_all_runs(request.user, evaluation),
        "sees_grades": sees_grades(request.user, evaluation),
        "counts": counts_seen(request.user, evaluation),
    }


def _rankings(
    request: UserRequest, run: RunScores, number: str, both: Sequence[Score]
) -> dict[str, Any]:
    """Return what each run reached and retrieved, beside the other if there are two."""
    evaluation, at = run.evaluation, run.evaluation.topics.index(number)
    level, with_grades = evaluation.qrels.level, sees_grades(request.user, evaluation)
    labels: dict[int | None, str] = dict(evaluation.campaign.scale.fixed.items())
    ranked = [ranking_of(each, number, with_grades=with_grades) for each in both]
    if len(ranked) > 1:
        ranked = [beside(*ranked), beside(*ranked[::-1])]
    lists = []
    for score, documents, values in zip(both, ranked, run.values(both), strict=True):
        rows = listed(request, [(each, labels.get(each.grade, "")) for each in documents])
        strip = ranking_strip([each for each, _ in rows], level) if with_grades else None
        only = [each for each in documents if each.other is None]
        n_only = len(only), sum(each.reaches(level) for each in only)
        text = run.column.text(values[at])
        lists.append((score, text, found_of(score, [number])[number], rows, strip, n_only))
    pages = [rows for _, _, _, rows, _, _ in lists]
    return {
        "lists": lists,
        "longest": max(pages, key=lambda rows: rows.paginator.num_pages),
        **_documents(request, evaluation, [each.docno for rows in pages for each, _ in rows]),
    }


def _documents(
    request: UserRequest, evaluation: Evaluation, docnos: list[str]
) -> dict[str, Collection[str]]:
    """Return which of these documents the reader can open, and their titles by docno.

    Whoever may not see the topics reads no title either.
    """
    campaign = evaluation.campaign
    titles = Document.objects.filter(campaign=campaign).titles(docnos)
    return {
        "opened": titles.keys() if can(Campaigns.organize, request.user, campaign) else (),
        "titles": titles if can(Topics.see, request.user, campaign) else {},
    }


@open_to_visitors
@require_safe
def topic_scores(request: UserRequest, slug: str, pk: int, number: str) -> HttpResponse:
    """Show all runs on a topic to readers who see all runs."""
    campaign = guarded(request, slug, Scores.see_by_topic)
    evaluation = get_object_or_404(Evaluation.objects.finished(campaign), pk=pk)
    if not sees_all_runs(request.user, evaluation) or number not in evaluation.topics:
        raise Http404
    context: dict[str, Any] = {
        **_of_topic(request, evaluation, number, "evaluation:topic_scores", pk),
        **_runs(request, evaluation, number),
        "seen": runs_seen(request.user, campaign),
        "own_teams": teams_of(request.user, campaign),
    }
    if context["sees_grades"]:
        context |= _grades(evaluation, number)
        of_pool = evaluation.qrels.pool and evaluation.without is None
        if of_pool and can(Runs.see_released, request.user, campaign):
            context |= _finders(request, evaluation, number)
    if can(Campaigns.organize, request.user, campaign):
        context |= _remarks(campaign, number)
    return page(request, "evaluation/topic_scores.html", campaign, "leaderboard", **context)


def _runs(request: UserRequest, evaluation: Evaluation, number: str) -> dict[str, Any]:
    """Return the runs on the topic, best first, and how hard it is among all by their median."""
    scores = list(evaluation.by_tag)
    by = sorted_by(request, evaluation)
    run = RunScores(evaluation, by, scores[0], scores, sees_all_runs=True)
    values, at, column = run.values(scores), evaluation.topics.index(number), run.column
    own, hard = values[:, at].tolist(), hardness(values, at, column.sign)
    known = [value for value in own if not isnan(value)]
    at_place = dict(zip(known, places(known, known, column.sign), strict=True))
    rows = zip(map(at_place.get, own), scores, map(column.text, own), strict=True)
    ranked = sorted(rows, key=lambda row: row[0] or inf)
    return {
        "runs": listed(request, ranked, Sorting("runs"), name="runs-page"),
        "strip": spread_strip(own, None, sentence=f"{run.by} of {counted(len(scores), 'run')}."),
        "hardness": hard
        and f"{ordinal(hard[0])} hardest of {counted(hard[1], 'topic')} "
        f"by median {run.by}, {column.text(hard[2])}",
    }


def _grades(evaluation: Evaluation, number: str) -> dict[str, Any]:
    """Return how many documents have each grade, and how many of the pool are unjudged."""
    judged, pool = judged_on(evaluation, number).grades.tolist(), evaluation.qrels.pool
    rows = grade_rows(evaluation.campaign.scale, sorted(Counter(judged).items()))
    if pool is None or evaluation.without is not None:
        return {"grades": rows}
    return {
        "grades": rows,
        "n_unjudged": evaluation.qrels.pooled.filter(topic__number=number).count() - len(judged),
    }


def _finders(request: UserRequest, evaluation: Evaluation, number: str) -> dict[str, Any]:
    """Return the relevant documents, and which valid runs retrieved them."""
    runs = list(released_to(request.user, evaluation.campaign).filter(evaluations=evaluation))
    labels = evaluation.campaign.scale.fixed
    found = finders_on(evaluation, runs, number) if runs else []
    rows = [(e, labels.get(e.grade, ""), _alone([runs[n] for n in e.ranks])) for e in found]
    shown = listed(request, rows, Sorting("found"), name="found-page")
    return {
        "found": shown,
        "n_found": len(found),
        "n_finding": len(runs),
        "n_alone": sum(len(each.ranks) == 1 for each in found),
        "n_by_none": sum(not each.ranks for each in found),
        **_documents(request, evaluation, [each.docno for each, _, _ in shown]),
    }


def _alone(runs: Sequence[Run]) -> str:
    """Return the one run that retrieved a document, or the one team of several; "" for others."""
    if len({run.team_id for run in runs}) != 1:
        return ""
    return f"{runs[0]} ({runs[0].team})" if len(runs) == 1 else f"team {runs[0].team}"


def _remarks(campaign: Campaign, number: str) -> dict[str, Any]:
    """Return what assessors wrote on the topic and with their judgments of it."""
    of_topic = {"topic__campaign": campaign, "topic__number": number}
    comments = Judgment.objects.counting().current().filter(**of_topic).exclude(comment="")
    notes = TopicNote.objects.written().filter(**of_topic).select_related("author")
    return {
        "notes": notes.order_by("pk"),
        "comments": comments.select_related("item", "assessor").order_by("item__key", "pk"),
    }
