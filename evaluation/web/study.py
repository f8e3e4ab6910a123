"""The page of an evaluation's study: what its measures and topics can tell."""

from itertools import pairwise
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from accounts.pages import UserRequest
from campaigns.web.frame import attempt, guarded, open_to_visitors, page
from evaluation.access import check_can_see_scores_by_topic as check_by_topic
from evaluation.access import evaluations_shown, releases_seen, sees_all_runs
from evaluation.core.study import DIFFERENCES, EFFECTS, MeasureStudy
from evaluation.services import request_study
from evaluation.tables import file_stamp
from jobs.models import Job
from pictures.bars import bars
from pictures.lines import Series, lines
from pictures.numbers import written
from pictures.parts import part_bar
from pictures.picture import Picture
from pictures.triangle import triangle
from significance import pairs, subsets, tukey

FEW = 0.05  # of the pairs may swap
COEFFICIENTS = {"tau_b": "tau-b", "tau_ap": "tau-AP", "rbo": "RBO"}


@open_to_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def study(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show the study to those who see all runs and topics; organizers ask for it."""
    campaign, user = guarded(request, slug, check_by_topic), request.user
    evaluation = get_object_or_404(evaluations_shown(user, campaign), pk=pk)
    if not sees_all_runs(user, evaluation):
        raise Http404
    if request.method == "POST":
        if refusal := attempt(request_study, user=user, evaluation=evaluation):
            messages.error(request, refusal)
        return redirect("evaluation:study", slug, pk)
    context: dict[str, Any] = {
        # Read before the study: if the job ends meanwhile, the page still loads itself again.
        "job": Job.objects.about("study", pk),
        "evaluation": evaluation,
        "stamp": file_stamp(evaluation),
        "releases": releases_seen(user, evaluation),
        "measures": evaluation.definitions(),
    }
    if evaluation.study:
        context |= _shown(evaluation.study, request.GET.get("by", ""))
    return page(request, "evaluation/study.html", campaign, "leaderboard", **context)


def _shown(study: dict[str, Any], by: str) -> dict[str, Any]:
    """Return a row for each measure, and the pictures of the chosen one and of all."""
    measures = [MeasureStudy(*each) for each in study["measures"]]
    chosen = next((each for each in measures if each.measure == by), measures[0])
    rows = [(each, _percent(each.n_told / each.n_all), _told_bar(each)) for each in measures]
    names, n_topics = [each.measure for each in measures], study["n_topics"]
    alike = zip(COEFFICIENTS.items(), study["alike"], strict=True)
    return {
        "chosen": chosen,
        "told": rows[measures.index(chosen)][1],
        "rows": sorted(rows, key=lambda row: -row[0].n_told / row[0].n_all),
        "pictures": {
            "swaps": _swaps(chosen, n_topics // 2),
            "stability": _stability(chosen, n_topics),
            "topics": _topics(chosen, n_topics),
            **{key: _alike(name, names, values) for (key, name), values in alike},
        },
        "n_topics": n_topics,
        "effects": list(zip(EFFECTS, study["effects"], strict=True)),
        "draws": {"signs": pairs.N_DRAWS, "shuffles": tukey.N_DRAWS, "subsets": subsets.N_DRAWS},
    }


def _percent(share: float) -> str:
    return f"{100 * share:.0f}\N{NO-BREAK SPACE}%"


def _told_bar(of: MeasureStudy) -> str:
    sentence = f"{of.measure}: {of.n_told:,} of {of.n_all:,} pairs told apart."
    return part_bar(of.n_told, most=of.n_all, sentence=sentence, track=True).svg


def _swaps(of: MeasureStudy, half: int) -> Picture:
    edge, few = of.steady_from(FEW), _percent(FEW)
    least = f"from {edge:g} on at most {few}" if edge is not None else f"always more than {few}"
    names = [f"{low:g} to {high:g}" for low, high in pairwise(of.edges)]
    last = f"{of.edges[-1]:g} and more"
    return bars(
        [100 * share for share in of.swapped],
        [*names, last],
        sentence=f"Of two runs that differ in {of.measure} on {half} topics, {least} are the "
        f"other way round on {half} others.",
        heads=(f"Difference in {of.measure} on one half", "Swapped on the other, in percent"),
        highest_first=False,
        ends=(f"{of.edges[0]:g}", last),
    )


def _stability(of: MeasureStudy, n_topics: int) -> Picture:
    middle = (len(of.sizes) - 1) // 2
    mean, low, high = of.taus
    return lines(
        [Series("tau-b", of.sizes, mean, lows=low, highs=high)],
        sentence=f"With {of.sizes[middle]} of the {n_topics} topics the order by {of.measure} has "
        f"a tau of {written(mean[middle], 2)} to that with all.",
        x_name="topics",
        y_name="tau-b",
    )


def _topics(of: MeasureStudy, n_topics: int) -> Picture:
    _, small, large, _ = zip(DIFFERENCES, of.topics, strict=True)
    return bars(
        of.topics,
        [f"{each:g}" for each in DIFFERENCES],
        sentence=f"A difference of {large[0]:g} in {of.measure} takes {large[1]:,} topics, one of "
        f"{small[0]:g} takes {small[1]:,}; there are {n_topics}.",
        heads=(f"Difference in {of.measure}", "Topics needed"),
        highest_first=False,
    )


def _alike(name: str, names: list[str], values: list[list[float | None]]) -> Picture | None:
    """Draw a coefficient of each two measures; None with fewer than two."""
    cells = [(value, i, j) for i, row in enumerate(values) for j, value in enumerate(row)]
    known = sorted((value, i, j) for value, i, j in cells if value is not None)
    if not known:
        return None
    least, most = (
        f"{names[j]} and {names[i]} are {{}} alike, at {written(value, 2)}"
        for value, i, j in (known[0], known[-1])
    )
    sentence = f"By {name}, {most.format('most')}"
    sentence += f"; {least.format('least')}." if len(known) > 1 else "."
    return triangle(values, names, sentence=sentence, heads=("Measure", "And", name), decimals=2)
