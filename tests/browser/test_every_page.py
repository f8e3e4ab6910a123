"""Every page, looked at: on a desktop, on tablets, on a phone and at 200 %, in both schemes."""

import pytest

from campaigns.models.campaign import Campaign
from evaluation.models.scores import Score
from qrels.models import Qrels
from tests.browser.sight import barriers, faults
from tests.onscreen import settled

pytestmark = pytest.mark.browser
ELSEWHERE = ("/", "/account/", "/account/password/", "/campaigns/new/")
OF_A_CAMPAIGN = (
    "",
    "about/",
    "topics/",
    "documents/",
    "runs/",
    "pool/",
    "judging/",
    "judging/distribute/",
    "judging/questions/",
    "judging/controls/",
    "judging/practice/edit/",
    "agreement/",
    "agreement/matrices/",
    "qrels/",
    "leaderboard/",
    "leaderboard/score/",
    "leaderboard/compare/",
    "leaderboard/preliminary/",
    "people/",
    "settings/",
    "settings/dates/",
    "settings/runs/",
    "settings/grades/",
    "settings/guidelines/",
    "settings/judging/",
    "activity/",
    "nowhere/",
)
# Width and scheme; at 200 % a window of 1280 has 640.
LOOKS = ((1280, "light"), (640, "light"), (390, "dark"))
ALL_LOOKS = (*LOOKS, (1280, "dark"), (1024, "light"), (800, "light"), (390, "light"))
of_looks = pytest.mark.parametrize(
    "looks", [LOOKS, pytest.param(ALL_LOOKS, marks=pytest.mark.deep)], ids=["usual", "all"]
)
LISTS = ["topics", "documents", "people", "runs", "pool", "judging", "agreement", "qrels"]


def of_rows(campaign: Campaign, assignment) -> list[str]:
    """The pages of single things."""
    member = campaign.membership_set.first().pk
    score, run = Score.objects.earliest("pk").pk, campaign.run_set.first().pk
    return [
        f"people/{member}/",
        f"people/{member}/remove/",
        f"teams/{campaign.team_set.get().pk}/",
        f"runs/{run}/",
        f"leaderboard/runs/{score}/",
        f"leaderboard/runs/{score}/bounds/",
        f"qrels/{Qrels.objects.get().number}/",
        f"topics/{assignment.topic_id}/",
        "documents/d01/",
        f"judging/{assignment.pk}/assignment/",
    ]


@of_looks
@pytest.mark.parametrize("part", range(3))
def test_no_page_of_an_organizer_has_a_fault(pages, base, assignment, olga, part, looks):
    names = (*OF_A_CAMPAIGN, *of_rows(Campaign.objects.get(), assignment))
    paths = [*ELSEWHERE, *(base + name for name in names)]
    score = f"leaderboard/runs/{Score.objects.earliest('pk').pk}/"
    printed = [base, base + score, *(f"{base}{name}/" for name in [*LISTS, "leaderboard"])]
    assert wrong(pages, pages(olga), paths[part::3], looks, printed) == {}


@of_looks
def test_no_page_of_anybody_else_has_a_fault(pages, base, assignment, ada, pat, looks):
    topic = f"judging/{assignment.pk}/"
    of_ada = [topic, f"{topic}documents/", f"{topic}note/", f"{topic}questions/"]
    for person, names in (
        (ada, ["", "topics/", "judging/", *of_ada]),
        (pat, ["", "about/", "topics/", "runs/", "team/"]),
    ):
        assert wrong(pages, pages(person), [base + name for name in names], looks) == {}
    assert wrong(pages, pages(), ["/sign-in/", base, "/nowhere/"], looks) == {}


def wrong(pages, page, paths, looks=LOOKS, printed=()) -> dict[str, dict[str, list[str]]]:
    """The faults of these pages, by address and look. That a page is missing is none."""
    found = {}
    for n, path in enumerate(paths):
        page.goto(path)
        settled(page)
        said = wrong_here(page, looks, n)
        page.emulate_media(forced_colors="active")
        said["forced colors"] = page.evaluate(IN_FORCED_COLORS)
        page.emulate_media(forced_colors="none")
        if path in printed:
            page.emulate_media(media="print")
            page.set_viewport_size({"width": 703, "height": 1000})
            said["paper"] = page.evaluate(ON_PAPER)
            page.emulate_media(media="screen")
        page.set_viewport_size({"width": looks[0][0], "height": 844})
        found[path] = {look: faults for look, faults in said.items() if faults}
        pages.errors[:] = [each for each in pages.errors if "404" not in each]
    return {path: said for path, said in found.items() if said}


def wrong_here(page, looks=LOOKS, turn=0) -> dict[str, list[str]]:
    """The faults of the page that is open, by look. Of the usual looks axe takes the first or the
    last by turns.
    """
    found = {}
    for width, scheme in looks:
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme=scheme)
        with_axe = looks is not LOOKS or (width, scheme) == looks[turn % 2 - 1]
        found[f"{width} {scheme}"] = faults(page) + (barriers(page) if with_axe else [])
    page.set_viewport_size({"width": looks[0][0], "height": 844})
    return {look: said for look, said in found.items() if said}


# What would go wrong on paper: a table in a grid, which is printed over by what follows it, a head
# that is not repeated, words that are cut.
ON_PAPER = """() => {
  const all = (selector) =>
    [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
  const said = [];
  for (const table of all("main table")) {
    for (let around = table.parentElement; !around.matches("main"); around = around.parentElement) {
      const { display } = getComputedStyle(around);
      if (["grid", "flex"].includes(display)) said.push(`in a ${display}: ${around.className}`);
    }
    if (table.getBoundingClientRect().right > innerWidth + 1)
      said.push(`wider than the paper: ${table.className}`);
    const button = table.querySelector("thead button");
    if (button && getComputedStyle(button).display !== "contents")
      said.push(`a button in the head of ${table.id}`);
  }
  for (const each of all("main table *"))
    if (getComputedStyle(each).textOverflow === "ellipsis" && each.scrollWidth > each.clientWidth)
      said.push(`cut: ${each.textContent.trim().slice(0, 60)}`);
  for (const each of all("main :is(form, button:not(.sort), summary)"))
    if (!each.closest("details[open]")) said.push(`to press: ${each.outerHTML.slice(0, 80)}`);
  return said;
}"""


# Where one is and what is chosen, without our colors.
IN_FORCED_COLORS = """() => {
  const CHOSEN = "nav.tabs [aria-current], main .chip:is([aria-current], [aria-pressed=true])";
  const isLined = (each) => getComputedStyle(each).textDecorationLine === "underline";
  const isWrong = (each) => isLined(each) !== each.matches(CHOSEN);
  const all = [...document.querySelectorAll(`${CHOSEN}, nav.tabs a`)];
  return all.filter(isWrong).map((each) => each.outerHTML.slice(0, 80));
}"""
