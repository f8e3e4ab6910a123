"""Under the colors of the system, as in Windows' high contrast: what is chosen, marked and focused
is seen without ours. Of other pages `test_every_page` sees the same.
"""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import opened, served
from tests.onscreen import shown

pytestmark = pytest.mark.browser


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
    assert style(current, "textDecorationLine") == "underline"
    assert style(rest, "textDecorationLine") == "none"
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
