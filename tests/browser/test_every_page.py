"""Every page, looked at: on a desktop, a phone and at 200 %, in both schemes."""

import pytest

from assess.models import Qrels
from campaigns.models import Campaign
from evaluation.models import Score
from tests.browser.sight import barriers, faults
from tests.onscreen import settled

pytestmark = pytest.mark.browser
ELSEWHERE = ("/", "/account/", "/account/password/", "/campaigns/new/")
OF_A_CAMPAIGN = (
    "", "topics/", "documents/", "runs/", "pool/", "judging/", "judging/distribute/", "agreement/", "agreement/matrices/", "qrels/",
    "leaderboard/", "leaderboard/score/", "leaderboard/compare/", "leaderboard/preliminary/", "people/", "settings/", "activity/", "nowhere/",
)  # fmt: skip
# Width, scheme, and whether axe looks too: in both schemes, and at 200 %, where a window of 1280 has 640.
LOOKS = [(1280, "light", True), (640, "dark", True), (390, "light", False)]


def of_rows(campaign: Campaign, assignment) -> list[str]:
    """The pages of single things."""
    member = campaign.membership_set.first().pk
    score, run = Score.objects.earliest("pk").pk, campaign.run_set.first().pk
    return [
        f"people/{member}/", f"people/{member}/remove/", f"teams/{campaign.team_set.get().pk}/", f"runs/{run}/",
        f"leaderboard/runs/{score}/", f"leaderboard/runs/{score}/bounds/", f"qrels/{Qrels.objects.get().number}/",
        f"topics/{assignment.topic_id}/", "documents/d01/", f"judging/{assignment.pk}/assignment/",
    ]  # fmt: skip


@pytest.mark.parametrize("part", range(3))
def test_no_page_of_an_organizer_has_a_fault(pages, base, assignment, olga, part):
    names = (*OF_A_CAMPAIGN, *of_rows(Campaign.objects.get(), assignment))
    paths = [*ELSEWHERE, *(base + name for name in names)]
    assert wrong(pages, pages(olga), paths[part::3]) == {}


def test_no_page_of_anybody_else_has_a_fault(pages, base, assignment, ada, pat):
    for person, names in (
        (ada, ("", "topics/", "judging/", f"judging/{assignment.pk}/", f"judging/{assignment.pk}/documents/")),
        (pat, ("", "topics/", "runs/", "team/")),
    ):  # fmt: skip
        assert wrong(pages, pages(person), [base + name for name in names]) == {}
    assert wrong(pages, pages(), ["/sign-in/", base, "/nowhere/"]) == {}


def wrong(pages, page, paths) -> dict[str, list[str]]:
    """The faults of these pages, by address and look. That there is no such page is said on the console, and is none."""
    found = {}
    for path in paths:
        page.set_viewport_size({"width": LOOKS[0][0], "height": 844})
        page.goto(path)
        settled(page)
        for width, scheme, with_axe in LOOKS:
            page.set_viewport_size({"width": width, "height": 844})
            page.emulate_media(color_scheme=scheme)
            said = faults(page) + (barriers(page) if with_axe else [])
            found[f"{path} {width} {scheme}"] = said
        pages.errors[:] = [each for each in pages.errors if "404" not in each]
    return {path: said for path, said in found.items() if said}
