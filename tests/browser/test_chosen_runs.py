"""A board of chosen runs, from the boxes to its heading."""

import pytest
from playwright.sync_api import expect

from evaluation import tasks
from evaluation.models.scores import Evaluation
from jobs.models import Job
from tests import make

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [1280, 390])
def test_runs_are_ticked_and_the_board_says_how_many(pages, base, assignment, olga, pat, width):
    campaign = assignment.topic.campaign
    for n in range(12):
        make.run(campaign, pat, {"1": "d02 d01"}, f"another-system-{n}")
    page = pages(olga, width=width)
    page.goto(f"{base}leaderboard/score/")
    page.get_by_text("Only chosen runs").click()
    boxes = page.get_by_label("another-system-", exact=False)
    expect(boxes).to_have_count(12)
    for n in (3, 7):
        boxes.nth(n).check()
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) <= 0
    page.get_by_role("button", name="Score the runs").click()
    page.wait_for_url("**/leaderboard/")
    page.goto("about:blank")
    made = Evaluation.objects.latest("pk")
    tasks.score_runs(Job.objects.about("score_runs", made.pk).pk)
    make.worked("place_runs", made.pk)
    page.goto(f"{base}leaderboard/evaluations/{made.pk}/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("(2 chosen of 13 runs)")
    expect(page.locator(".conditions")).to_contain_text("for chosen runs")
