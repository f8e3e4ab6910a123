"""What is wrong with a page: too wide, text cut off, a picture without its table or its axis, too
heavy, or in the way of whoever does not see it.
"""

import gzip
from functools import cache
from pathlib import Path

from axe_playwright_python.base import AXE_SCRIPT

STATIC = Path(__file__).resolve().parents[2] / "static"
MOST_BYTES = 61_200

# Words that are cut without "…", and buttons, chips and cells that do not hold their text.
CUT = """() => {
  const HIDDEN = ".visually-hidden, .full-name, .word, .skip, details:not([open]) > :not(summary)";
  const isShown = (each) =>
    each.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !each.closest(HIDDEN);
  const boxOf = (each) => each.getBoundingClientRect();
  const textOf = (each) => each.textContent.trim();
  const nameOf = (each) => each.className || each.tagName;
  const beginning = (each) => `"${textOf(each).slice(0, 60)}"`;
  const shownOf = (selector) => [...document.querySelectorAll(selector)].filter(isShown);
  // What hides the end of a line that is wider than its column.
  const clipped = (each) => {
    for (let around = each.parentElement; around; around = around.parentElement)
      if (["hidden", "clip"].includes(getComputedStyle(around).overflowX)) return around;
    return null;
  };
  const said = [];
  for (const each of document.querySelectorAll("main *, header *, nav *")) {
    if (!isShown(each) || each.closest("svg, pre, textarea, select, [data-scrolls]")) continue;
    const style = getComputedStyle(each);
    const hasText = [...each.childNodes].some((node) => node.nodeType === 3 && textOf(node));
    const isWider = each.scrollWidth > each.clientWidth + 1, isInline = style.display === "inline";
    const isOpen = style.overflowX === "visible" && isWider;
    const isHiding = ["hidden", "clip"].includes(style.overflowX) && isWider;
    const isCut = isHiding && style.textOverflow !== "ellipsis";
    const around = hasText && isOpen ? clipped(each) : null;
    const isOver =
      around && !isInline && boxOf(each).left + each.scrollWidth > boxOf(around).right + 1;
    const isBox = isOpen && each.matches("button, .button, .chip, .mark, td, th");
    if ((hasText && isCut) || isOver || (hasText && isBox && !isInline))
      said.push(`cut: ${nameOf(each)} ${beginning(each)}`);
  }
  const HAVE_TABLES =
    "td, th, tr, li, .picture-frame:has(.as-table), .picture-frame:not(:has(svg)), [data-table]";
  for (const picture of document.querySelectorAll("svg[role=img]")) {
    if (!picture.closest(HAVE_TABLES)) said.push(`no table: ${picture.getAttribute("aria-label")}`);
  }
  for (const row of document.querySelectorAll("tbody tr:first-child svg.row")) {
    const axis = row.closest("table").querySelector("thead svg.picture");
    if (!isShown(row) || !axis) continue;
    const [its, above] = [row, axis].map(boxOf);
    const isAside = ["left", "width"].some((side) => Math.abs(its[side] - above[side]) > 1);
    if (!isShown(axis) || isAside)
      said.push(`the axis does not stand above ${row.closest("table").className}`);
  }
  for (const card of shownOf("main :is(.columns, .stack) > *")) {
    const [its, around] = [card, card.parentElement].map(boxOf);
    if (its.left < around.left - 1 || its.right > around.right + 1)
      said.push(`out of its column: ${card.className}`);
  }
  // What a cell holds reaches into the next one.
  for (const cell of shownOf("main :is(td, th)")) {
    if (getComputedStyle(cell).overflowX !== "visible") continue;
    const edge = boxOf(cell).right + 1;
    const held = [...cell.querySelectorAll(":scope > :not(.visually-hidden)")];
    if (held.some((each) => each.getClientRects().length && boxOf(each).right > edge))
      said.push(`over its cell: ${nameOf(cell)} ${beginning(cell)}`);
  }
  // On a phone a cell says of what it is, beside what it says.
  const OF_TABLES = "table[data-prepared]:not(.prose *) tbody td";
  for (const cell of innerWidth <= 768 ? shownOf(OF_TABLES) : []) {
    const { label } = cell.dataset;
    const isSilent = getComputedStyle(cell, "::before").content === "none";
    if (label && !textOf(cell) && !cell.querySelector("svg, input, select"))
      said.push(`a label of nothing: ${label}`);
    else if (cell.matches(".number.main[data-label]") && isSilent)
      said.push(`a number that does not say of what: ${label}`);
  }
  return said;
}"""

AXE = """async (withContrast) => { // nothing here plays, so nothing is loaded before
  const rules = { "color-contrast": { enabled: withContrast } };
  const { violations } = await axe.run({ resultTypes: ["violations"], preload: false, rules });
  return violations.map((each) => [each.id, each.nodes[0].html]);
}"""


def faults(page) -> list[str]:
    """What is wrong with the page that is open, at the width that it has."""
    width = page.viewport_size["width"]
    shown = page.evaluate("document.documentElement.scrollWidth")
    found = page.evaluate(CUT)
    if shown > width:
        found.append(f"{shown} wide on {width}")
    if (weight := own_bytes(page)) > MOST_BYTES:
        found.append(f"{weight:,} bytes of script and style")
    return found


def barriers(page, *, with_contrast: bool = True) -> list[str]:
    """What axe has to say, however small; the contrast of text takes it most of its time.

    It is half a megabyte, so a page gets it once, and tells only what is wrong.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    violations = page.evaluate(AXE, with_contrast)
    return [f"{rule}: {html[:160]}" for rule, html in violations]


def own_bytes(page) -> int:
    """The compressed size of the script and style of ours that the page asks for, what they import
    included.
    """
    names = page.evaluate(
        """performance.getEntriesByType("resource").map((each) => new URL(each.name).pathname)
          .filter((path) => path.startsWith("/static/"))"""
    )
    return sum(map(compressed_bytes, {name.removeprefix("/static/") for name in names}))


@cache
def compressed_bytes(name: str) -> int:
    file = STATIC / name
    is_ours = file.suffix in {".css", ".js"} and file.exists()
    return len(gzip.compress(file.read_bytes())) if is_ours else 0
