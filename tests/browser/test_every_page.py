"""Every page, looked at: on a desktop, on tablets, on a phone and at 200 %, in both schemes, on
paper, and under the colors of the system, as in Windows' high contrast; and every picture.
"""

import pytest
from playwright.sync_api import expect

from agreement.core import findings
from assess.models.judging import Judgment
from campaigns.models.campaign import Campaign
from evaluation.models.scores import Score
from qrels.models import Qrels
from tests.browser.conftest import opened, served
from tests.browser.further import CRITERIA
from tests.browser.sight import barriers, faults
from tests.onscreen import settled, shown
from tests.style.page import add_style_page

pytestmark = pytest.mark.browser
ELSEWHERE = (
    "/",
    "/account/",
    "/account/password/",
    "/account/tokens/",
    "/account/uploads/",
    "/campaigns/new/",
)
OF_A_CAMPAIGN = (
    "",
    "about/",
    "topics/",
    "documents/",
    "runs/",
    "pool/",
    "pool/extend/",
    "judging/",
    "judging/distribute/",
    "judging/questions/",
    "judging/controls/",
    "judging/quality/",
    "judging/quality/documents/",
    "judging/hours/",
    "judging/practice/edit/",
    "agreement/",
    "agreement/documents/",
    "agreement/adjudication/",
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
LOOKS = ((1280, "light"), (390, "dark"))
ALL_LOOKS = (*LOOKS, *((width, "light") for width in (1024, 800, 640, 390)), (1280, "dark"))
of_looks = pytest.mark.parametrize(
    "looks", [LOOKS, pytest.param(ALL_LOOKS, marks=pytest.mark.deep)], ids=["usual", "all"]
)
LISTS = ["topics", "documents", "people", "runs", "pool", "judging", "agreement", "qrels"]


def of_rows(campaign: Campaign, assignment) -> list[str]:
    """The pages of single things."""
    member = campaign.membership_set.first().pk
    score, run = Score.objects.earliest("pk"), campaign.run_set.first().pk
    return [
        f"people/{member}/",
        f"people/{member}/remove/",
        f"teams/{campaign.team_set.get().pk}/",
        f"runs/{run}/",
        f"leaderboard/scores/{score.pk}/",
        f"leaderboard/scores/{score.pk}/compare/",
        f"leaderboard/scores/{score.pk}/topics/1/",
        f"leaderboard/evaluations/{score.evaluation_id}/topics/1/",
        f"qrels/{Qrels.objects.get().number}/",
        f"agreement/topics/{assignment.topic_id}/documents/d01/",
        f"topics/{assignment.topic_id}/",
        "documents/d01/",
        f"judging/{assignment.pk}/assignment/",
    ]


@of_looks
@pytest.mark.parametrize("part", range(3))
def test_no_page_of_an_organizer_has_a_fault(
    pages, base, assignment, olga, part, looks, monkeypatch
):
    monkeypatch.setattr(findings, "CHANCE", 99)  # so that there are flags
    Campaign.objects.update(criteria=CRITERIA)
    Judgment.objects.counting().update(answers={"grade": 1, "credibility": 1, "readability": 1})
    names = (*OF_A_CAMPAIGN, *of_rows(Campaign.objects.get(), assignment))
    paths = [*ELSEWHERE, *(base + name for name in names)]
    score = f"leaderboard/scores/{Score.objects.earliest('pk').pk}/"
    printed = [base, base + score, *(f"{base}{name}/" for name in [*LISTS, "leaderboard"])]
    assert wrong(pages, pages(olga), paths[part::3], looks, printed) == {}


@of_looks
def test_no_page_of_anybody_else_has_a_fault(pages, base, assignment, ada, pat, looks):
    topic = f"judging/{assignment.pk}/"
    of_ada = [topic, f"{topic}documents/", f"{topic}note/", f"{topic}questions/"]
    for person, names in (
        (ada, ["", "topics/", "judging/", "judging/hours/", *of_ada]),
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
    last by turns, and the contrast of every third page: colors are those of one style.
    """
    found = {}
    for width, scheme in looks:
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme=scheme)
        with_axe = looks is not LOOKS or (width, scheme) == looks[turn % 2 - 1]
        with_contrast = looks is not LOOKS or turn % 3 == 0
        said = barriers(page, with_contrast=with_contrast) if with_axe else []
        found[f"{width} {scheme}"] = faults(page) + said
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


def style(locator, name: str, part: str = "") -> str:
    return locator.evaluate(
        "(each, [name, part]) => getComputedStyle(each, part || null)[name]", [name, part]
    )


def color_of(page, name: str) -> str:
    """A color of the system, as the browser computes it."""
    return page.evaluate(
        """(name) => {
        const probe = document.body.appendChild(document.createElement("i"));
        probe.style = `forced-color-adjust: none; color: ${name}`;
        const found = getComputedStyle(probe).color;
        probe.remove();
        return found;
    }""",
        name,
    )


def test_a_judging_page_says_everything_without_its_own_colors(judging, assignment):
    topic = assignment.topic
    topic.title = "long words"
    topic.save()
    judging.emulate_media(forced_colors="active")
    opened(judging, assignment)
    judging.keyboard.press("2")
    expect(shown(judging)).to_have_text(served(assignment)[1])
    judging.keyboard.press("p")
    given = judging.locator(".grade-button[aria-pressed=true]")
    expect(given).to_have_text("2 relevant")
    assert style(given, "content", "::after") == '"✓"'
    others = judging.locator(".grade-button:not([aria-pressed])")
    assert style(others.first, "content", "::after") == "none"
    judging.keyboard.press("d")
    current = judging.locator(".judging-own li [aria-current]")
    rest = judging.locator(".judging-own li a:not([aria-current])").first
    # The answer of the server draws the list anew.
    expect(current).to_have_css("text-decoration-line", "underline")
    expect(rest).to_have_css("text-decoration-line", "none")
    marked = judging.locator("#words .marked").first
    assert style(marked, "backgroundColor") == color_of(judging, "Mark")
    article = judging.locator("article.judging-document")
    assert style(article, "backgroundColor", "::highlight(words-topic)") == color_of(
        judging, "Mark"
    )
    judging.keyboard.press("Tab")
    focused = judging.locator(":focus-visible")
    assert style(focused, "outlineStyle") == "solid"
    assert float(style(focused, "outlineWidth").removesuffix("px")) >= 2


# Text that lies on other text, or outside the card that the picture is in, by more than a pixel;
# the halo does not count.
WRONG = """() => [...document.querySelectorAll("svg.picture")].flatMap((picture) => {
  const texts = [...picture.querySelectorAll("text")]
    .filter((each) => each.textContent.trim() && each.getClientRects().length);
  const [name, isWide] = [(n) => texts[n].textContent, (box) =>
    box.left < frame.left - 1 || box.right > frame.right + 1];
  const boxes = texts.map((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return range.getBoundingClientRect();
  });
  const frame = picture.closest("section, td, th").getBoundingClientRect();
  const wrong = [];
  boxes.forEach((box, n) => {
    if (isWide(box)) wrong.push(`outside: ${name(n)}`);
    boxes.slice(n + 1).forEach((other, m) => {
      const wide = Math.min(box.right, other.right) - Math.max(box.left, other.left);
      const high = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
      if (wide > 1 && high > 4) wrong.push(`${name(n)} / ${name(n + 1 + m)}`);
    });
  });
  return wrong;
})"""


def test_pictures_are_drawn_within_their_places_with_tables_and_accessible(pages, settings):
    add_style_page(settings)
    page = pages()
    page.goto("/style/")
    assert page.locator("svg.picture").count() > 20
    figures = page.locator(".picture-frame")
    assert figures.count() == figures.locator("details.as-table").count() > 5
    for width, scheme in ((1280, "light"), (820, "light"), (390, "dark")):
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(WRONG) == [], width
        box = page.locator("svg.square svg[viewBox]").first.bounding_box()
        assert box["width"] == pytest.approx(box["height"], abs=1.5)
        sizes = page.locator("svg.picture text").evaluate_all(
            "all => [...new Set(all.map((each) => getComputedStyle(each).fontSize))]"
        )
        assert sizes == ["12px"]
    figures.locator("summary").evaluate_all("all => all.forEach((each) => each.click())")
    expect(figures.locator("details.as-table:not([open])")).to_have_count(0)
    for width, scheme in ((390, "dark"), (1280, "light")):
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert barriers(page) == [], (width, scheme)
