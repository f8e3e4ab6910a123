"""Two rankings beside each other, as read off the page, against their files."""

import numpy as np
import pytest

from evaluation import services as scoring
from evaluation import tasks
from jobs.models import Job
from qrels.models import Qrels
from runs.core.efficiency import FIGURES
from runs.models import Run
from tests import make

pytestmark = pytest.mark.browser


def ranked(run) -> list[str]:
    """The documents of topic 1 in the run's file, by score and then by docno, both descending."""
    lines = [line.split() for line in make.content(run.file).decode().splitlines()]
    rows = [(float(score), docno) for topic, _, docno, _, score, _ in lines if topic == "1"]
    return [docno for _, docno in sorted(rows, reverse=True)]


@pytest.mark.parametrize("width", [1280, 390])
def test_two_rankings_say_what_their_files_say(pages, base, assignment, olga, pat, width):
    campaign = assignment.topic.campaign
    generator, docnos = np.random.default_rng(5), [each.docno for each in assignment.entries.all()]
    unjudged, runs = ["u1", "u2", "library.queues.u3-of-no-grade"], []
    for tag in ("first", "second"):
        chosen = generator.permutation([*docnos, *unjudged])[:18]
        lines = [f"1 Q0 {docno} 1 {generator.integers(5)} {tag}\n" for docno in chosen]
        runs.append(make.submitted(campaign, pat, "".join(lines), tag))
        make.worked("check_run", runs[-1].pk)
    evaluation = scoring.request_evaluation(user=olga, qrels=Qrels.objects.latest("pk"))
    tasks.score_runs(Job.objects.get(kind="score_runs", subject_id=evaluation.pk).pk)
    evaluation.refresh_from_db()
    score, other = (evaluation.scores.get(run=run) for run in runs)
    grades = evaluation.qrels.pairs().by_topic()["1"]
    page = pages(olga, width=width, height=900)
    page.goto(f"{base}leaderboard/runs/{score.pk}/topics/1/?with={other.pk}")
    lists, rankings = page.locator("section.card"), [ranked(run) for run in runs]
    for n, mine in enumerate(rankings):
        others = rankings[1 - n]
        rows = [
            [" ".join(cell.split()) for cell in row.locator("td, th").all_text_contents()]
            for row in lists.nth(n).locator("tbody tr").all()
        ]
        for rank, (docno, row) in enumerate(zip(mine, rows, strict=True), 1):
            assert row[:2] == [str(rank), docno]
            assert row[2].split()[0] == str(grades.get(docno, "unjudged"))
            assert row[3] == (str(others.index(docno) + 1) if docno in others else "only here")
        relevant = {docno for docno, grade in grades.items() if grade >= evaluation.qrels.level}
        only = set(mine) - set(others)
        n_unjudged = sum(docno not in grades for docno in mine[:10])
        said = " ".join(lists.nth(n).locator("header p").inner_text().split())
        assert said.endswith(
            f"18 retrieved, {len(relevant & set(mine))} of {len(relevant)} relevant found, "
            f"{n_unjudged} of the first ten unjudged, {len(only)} only here, "
            f"{len(only & relevant)} of them relevant."
        )
    values = page.locator("h1").inner_text().partition(": AP ")[2].split(" and ")
    at = evaluation.topics.index("1"), evaluation.measures.index("AP")
    assert values == [f"{each.by_topic()[at]:.3f}" for each in (score, other)]
    broken = (
        "all => all.filter(each => each.getClientRects().length > 1).map(each => each.innerText)"
    )
    assert page.locator("tbody code").evaluate_all(broken) == []


@pytest.mark.parametrize("width", [1280, 390])
def test_costs_and_hardware_fit_their_table(pages, base, assignment, olga, pat, width):
    run = make.run(assignment.topic.campaign, pat, {"1": "d1"}, "first")
    Run.objects.filter(pk=run.pk).update(
        **{each.name: 1234.5 * each.of_unit for each in FIGURES}, hardware="64 cores, 4 GPUs; " * 11
    )
    evaluation = scoring.request_evaluation(user=olga, qrels=Qrels.objects.latest("pk"))
    tasks.score_runs(Job.objects.get(kind="score_runs", subject_id=evaluation.pk).pk)
    page = pages(olga, width=width, height=900)
    page.goto(f"{base}leaderboard/evaluations/{evaluation.pk}/efficiency/")
    table = page.locator("#costs")
    assert table.evaluate("table => table.offsetWidth <= table.parentElement.clientWidth")
    row = page.locator("#costs tbody tr").first
    assert row.locator("small").is_visible()
    assert row.bounding_box()["height"] < 110
