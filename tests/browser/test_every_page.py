"""Every page, looked at: on a desktop, a phone and at 200 %, in both schemes."""

import pytest

from assess.models import Qrels
from campaigns.models import Campaign
from evaluation.models import Score
from tests.browser.conftest import address
from tests.browser.sight import barriers, faults

pytestmark = pytest.mark.browser
ELSEWHERE = ("/", "/account/", "/account/password/", "/campaigns/new/")
OF_A_CAMPAIGN = (
    "", "topics/", "documents/", "runs/", "pool/", "judging/", "judging/distribute/", "agreement/", "agreement/matrices/", "qrels/",
    "leaderboard/", "leaderboard/score/", "leaderboard/compare/", "leaderboard/preliminary/", "people/", "settings/", "activity/", "nowhere/",
)  # fmt: skip
# A window of 1280 at 200 % has 640.
LOOKS = [(1280, "light"), (1280, "dark"), (640, "light"), (390, "light"), (390, "dark")]


def of_rows(campaign: Campaign, assignment) -> list[str]:
    """The pages of single things."""
    member = campaign.membership_set.first().pk
    score, run = Score.objects.earliest("pk").pk, campaign.run_set.first().pk
    return [
        f"people/{member}/", f"people/{member}/remove/", f"teams/{campaign.team_set.get().pk}/", f"runs/{run}/",
        f"leaderboard/runs/{score}/", f"leaderboard/runs/{score}/bounds/", f"qrels/{Qrels.objects.get().number}/",
        f"topics/{assignment.topic_id}/", "documents/d01/", f"judging/{assignment.pk}/assignment/",
    ]  # fmt: skip


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_no_page_of_an_organizer_has_a_fault(pages, base, assignment, olga, width, scheme):  # fmt: skip
    page = pages(olga, width=width, color_scheme=scheme)
    campaign = Campaign.objects.get()
    paths = [*ELSEWHERE, *(base + name for name in (*OF_A_CAMPAIGN, *of_rows(campaign, assignment)))]  # fmt: skip
    assert wrong(pages, page, paths) == {}


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (390, "light")])
def test_no_page_of_anybody_else_has_a_fault(pages, base, assignment, ada, pat, width, scheme):  # fmt: skip
    for person, names in (
        (ada, ("", "topics/", "judging/", f"judging/{assignment.pk}/", f"judging/{assignment.pk}/documents/")),
        (pat, ("", "topics/", "runs/", "team/")),
    ):  # fmt: skip
        page = pages(person, width=width, color_scheme=scheme)
        assert wrong(pages, page, [base + name for name in names]) == {}
    page = pages(width=width, color_scheme=scheme)
    assert wrong(pages, page, ["/sign-in/", base, "/nowhere/"]) == {}


def wrong(pages, page, paths) -> dict[str, list[str]]:
    """The faults of these pages, by address. That there is no such page is said on the console, and is none."""
    found = {}
    for path in paths:
        page.goto(path)
        page.wait_for_load_state("networkidle")
        found[path] = faults(page)
        pages.errors[:] = [each for each in pages.errors if "404" not in each]
    return {path: said for path, said in found.items() if said}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_judging_page_is_in_nobody_s_way(pages, assignment, ada, scheme):
    page = pages(ada, color_scheme=scheme)
    page.goto(address(assignment))
    assert barriers(page) == []
