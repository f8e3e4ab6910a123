"""Pictures as a browser draws them: their labels lie on no other and inside, at two widths."""

import pytest
from playwright.sync_api import expect

from tests.browser.sight import barriers
from tests.style.page import add_style_page

pytestmark = pytest.mark.browser
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
