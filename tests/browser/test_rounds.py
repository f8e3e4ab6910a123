"""Two rounds in the browser: a late run, a pool that grows while somebody judges, both boards."""

import re
from datetime import timedelta
from itertools import pairwise

import pytest
import pytrec_eval
from django.utils import timezone
from playwright.sync_api import expect

from assess.models.assigning import Assignment
from evaluation import tasks as scoring_tasks
from jobs import work
from jobs.models import Job
from tests import make
from tests.browser.conftest import go, opened, served
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser
DOCNOS = [f"d{n:02}" for n in range(12)]
EARLY = {"1": "d00 d01 d02 d03 d04"}
LATE = {"1": "d02 d05 d00 d06"}
SECOND = {"1": "d07 d01 d08 d00 d09", "2": "d03 d10 d04 d11"}
MEASURES = {"AP": "map", "P@5": "P_5"}


@pytest.fixture
def campaign(transactional_db, olga, ada, pat, monkeypatch):
    """Round 1: a run of topic 1 is pooled, its submission is over, and Ada is to judge it."""
    monkeypatch.setattr(
        scoring_tasks.score_batch, "apply_async", lambda sent: scoring_tasks.score_batch(*sent)
    )
    made = make.campaign(
        olga, assessors=[ada], participants={"Aldgate": [pat]}, topics="1", docnos=DOCNOS
    )
    early = make.run(made, pat, EARLY, "early")
    make.frozen_pool(made, [early], depth=5)
    make.assignment(made.topic_set.get(), ada)
    made.submission_closes_at = timezone.now() - timedelta(hours=1)
    made.least_view_ms = 60
    made.save()
    work.note_worker_alive()
    return made


def do_jobs() -> None:
    while job := Job.objects.unfinished().order_by("pk").first():
        work.kinds[job.kind](job.pk)


def publish(page, campaign) -> None:
    page.goto(f"/campaigns/{campaign.slug}/qrels/")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Score the runs next")).to_be_visible()


def judge_rest(page, assignment, grade_of) -> None:
    opened(page, assignment)
    for docno in served(assignment):
        if not assignment.entries.filter(item__key=docno, judgment__state="judged").exists():
            expect(shown(page)).to_have_text(docno)
            page.keyboard.press(str(grade_of(docno)))
    saved(page)


def grade_of(docno: str) -> int:
    return int(docno[1:]) % 3


def recounted(judged, rankings, name: str) -> str:
    """NIST's figure: the mean over the judged topics."""
    scorer = pytrec_eval.RelevanceEvaluator(judged, {MEASURES[name]})
    run = {t: {d: -float(n) for n, d in enumerate(own)} for t, own in rankings.items()}
    values = scorer.evaluate({t: own for t, own in run.items() if t in judged})
    total = sum(values.get(t, {}).get(MEASURES[name], 0.0) for t in judged)
    return f"{total / len(judged):.3f}"


def expect_board(page, judged, runs) -> None:
    for tag, rankings in runs.items():
        row = page.locator("tbody tr", has_text=tag).first
        for name in MEASURES:
            expect(row).to_contain_text(recounted(judged, rankings, name))


def score(page, campaign) -> None:
    for box in page.locator("input[name=picked]").all():
        box.set_checked(box.get_attribute("value") in MEASURES)
    page.get_by_label("Other measures").fill("P@5")
    page.get_by_role("button", name="Score the runs").click()
    expect(page).to_have_url(re.compile("/leaderboard/$"))
    page.goto("about:blank")  # the board would load itself again meanwhile
    do_jobs()
    page.goto(f"/campaigns/{campaign.slug}/leaderboard/")


@pytest.mark.usefixtures("intercepted")
@pytest.mark.deep  # its rules are told by tests/db/test_rounds.py and test_scores_of_rounds.py
def test_two_rounds_with_a_late_run_and_both_boards(pages, campaign, olga, ada, pat):
    base = f"/campaigns/{campaign.slug}/"
    work_of_ada = Assignment.objects.get()
    judging, desk = pages(ada), pages(olga)
    opened(judging, work_of_ada)
    first = served(work_of_ada)
    for docno, following in pairwise(first):
        go(judging, str(grade_of(docno)), following)
    saved(judging)
    late = make.run(campaign, olga, LATE, "late")
    assert (late.round, late.is_late) == (1, True)
    publish(desk, campaign)

    # Round 2 has another topic.
    make.imported(campaign, "topics", b"2\ttwo")
    do_jobs()
    desk.goto(f"{base}settings/rounds/")
    desk.locator("#next-topics").fill("1-2")
    desk.locator("#next-submission_closes_at").fill("2099-05-01T12:00")
    desk.get_by_role("button", name="Begin round 2").click()
    expect(desk.get_by_text("Round 2 has begun.")).to_be_visible()
    desk.get_by_text("Change…").first.click()
    desk.locator("#round-1-topics").fill("1")
    desk.get_by_role("button", name="Save the topics of round 1").click()
    expect(desk.get_by_text("The topics of round 1 are saved.")).to_be_visible()
    do_jobs()
    campaign.refresh_from_db()
    second = make.run(campaign, pat, SECOND, "second")
    assert (second.round, second.is_late) == (2, False)

    # The pool grows by the round's run while Ada judges.
    desk.goto(f"{base}pool/extend/")
    do_jobs()
    expect(desk.locator("#id_topics")).to_have_value("1\N{EN DASH}2")
    expect(desk.locator("input[name=runs]:checked")).to_have_count(1)
    desk.locator("[name=depth-depth]").fill("4")
    desk.get_by_role("button", name="Build a draft").click()
    expect(desk.locator("h1")).to_contain_text("draft")
    do_jobs()
    desk.reload()
    desk.get_by_role("link", name="Freeze this draft…").click()
    desk.get_by_role("button", name="Freeze").click()
    expect(desk.get_by_text("The pool has")).to_be_visible()
    judging.keyboard.press(str(grade_of(first[4])))
    saved(judging)
    judge_rest(judging, work_of_ada, grade_of)
    assert served(work_of_ada)[:5] == first
    assert sorted(served(work_of_ada)[5:]) == ["d07", "d08"]
    other = make.assignment(campaign.topic_set.get(number="2"), ada)
    judge_rest(judging, other, grade_of)
    publish(desk, campaign)

    # Column two is the round of the batch.
    lines = desk.request.get(f"{base}qrels/2.txt?round").text().splitlines()
    pooled = {"1": dict.fromkeys(first, 1) | {"d07": 2, "d08": 2}}
    pooled["2"] = dict.fromkeys(("d03", "d10", "d04", "d11"), 2)
    assert lines == [
        f"{t} {own[d]} {d} {grade_of(d)}" for t, own in pooled.items() for d in sorted(own)
    ]

    # The residual board is offered, the whole one is chosen.
    judged = {t: {d: grade_of(d) for d in own} for t, own in pooled.items()}
    seen = set(first[:4])
    left = {"1": {d: g for d, g in judged["1"].items() if d not in seen}, "2": judged["2"]}
    whole_run = {t: docnos.split() for t, docnos in SECOND.items()}
    residual_run = {"1": [d for d in whole_run["1"] if d not in seen], "2": whole_run["2"]}
    desk.goto(f"{base}leaderboard/score/")
    score(desk, campaign)
    expect(desk.get_by_text("without v1").first).to_be_visible()
    expect_board(desk, left, {"second": residual_run})
    expect(desk.locator("#board tbody")).not_to_contain_text("late")
    desk.goto(f"{base}leaderboard/score/")
    desk.locator("#id_without").select_option("")
    score(desk, campaign)
    expect_board(desk, judged, {"second": whole_run})
