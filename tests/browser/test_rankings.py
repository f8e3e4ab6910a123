"""Two rankings beside each other, and what runs cost, fit their pages."""

import pytest

from evaluation import services as scoring
from evaluation import tasks
from jobs.models import Job
from qrels.models import Qrels
from runs.core.efficiency import FIGURES
from runs.models import Run
from tests import make

pytestmark = pytest.mark.browser


def test_names_of_documents_and_costs_fit_their_tables(pages, base, assignment, olga, pat):
    campaign = assignment.topic.campaign
    unjudged = "library.queues.u3-of-no-grade"
    runs = [make.run(campaign, pat, {"1": f"{unjudged} d01"}, tag) for tag in ("first", "second")]
    Run.objects.filter(pk=runs[0].pk).update(
        **{each.name: 1234.5 * each.of_unit for each in FIGURES}, hardware="64 cores, 4 GPUs; " * 11
    )
    evaluation = scoring.request_evaluation(user=olga, **make.scope(Qrels.objects.latest("pk")))
    tasks.score_runs(Job.objects.get(kind="score_runs", subject_id=evaluation.pk).pk)
    score, other = (evaluation.scores.get(run=run) for run in runs)
    page = pages(olga)
    broken = "all => all.filter(each => each.getClientRects().length > 1).length"
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(f"{base}leaderboard/scores/{score.pk}/topics/1/?with={other.pk}")
        documents = page.locator("tbody code")
        assert (documents.count(), documents.evaluate_all(broken)) == (4, 0)
        page.goto(f"{base}leaderboard/evaluations/{evaluation.pk}/efficiency/")
        table, row = page.locator("#costs"), page.locator("#costs tbody tr").first
        assert table.evaluate("table => table.offsetWidth <= table.parentElement.clientWidth")
        assert row.locator("small").is_visible()
        assert row.bounding_box()["height"] < 110
