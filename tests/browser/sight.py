"""What is wrong with a page: too wide, text cut off, a picture without its table or its axis, too
heavy, or in the way of whoever does not see it.
"""

import gzip
from functools import cache
from pathlib import Path

from axe_playwright_python.base import AXE_SCRIPT

STATIC = Path(__file__).resolve().parents[2] / "static"
MOST_BYTES = 60_000

# Words that are cut without "…", and buttons, chips and cells that do not hold their text.
CUT = """() => {
  const isShown = (each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !each.closest(".visually-hidden, .full-name, .word, .skip, details:not([open]) > :not(summary)");
  // What hides the end of a line that is wider than its column.
  const clipped = (each) => {
    for (let around = each.parentElement; around; around = around.parentElement) if (["hidden", "clip"].includes(getComputedStyle(around).overflowX)) return around;
    return null;
  };
  const said = [];
  for (const each of document.querySelectorAll("main *, header *, nav *")) {
    if (!isShown(each) || each.closest("svg, pre, textarea, select, [data-scrolls]")) continue;
    const style = getComputedStyle(each);
    const hasText = [...each.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    const isCut = ["hidden", "clip"].includes(style.overflowX) && each.scrollWidth > each.clientWidth + 1 && style.textOverflow !== "ellipsis";
    const around = hasText && style.overflowX === "visible" && each.scrollWidth > each.clientWidth + 1 ? clipped(each) : null;
    const isOver = around && style.display !== "inline" && each.getBoundingClientRect().left + each.scrollWidth > around.getBoundingClientRect().right + 1;
    const isBox = each.matches("button, .button, .chip, .mark, td, th") && style.overflowX === "visible" && each.scrollWidth > each.clientWidth + 1;
    if ((hasText && isCut) || isOver || (hasText && isBox && style.display !== "inline")) said.push(`cut: ${each.className || each.tagName} "${each.textContent.trim().slice(0, 60)}"`);
  }
  for (const picture of document.querySelectorAll("svg[role=img]")) {
    if (!picture.closest("td, th, tr, li, .picture-frame:has(.as-table), .picture-frame:not(:has(svg)), [data-table]")) said.push(`no table: ${picture.getAttribute("aria-label")}`);
  }
  for (const row of document.querySelectorAll("tbody tr:first-child svg.row")) {
    const axis = row.closest("table").querySelector("thead svg.picture");
    if (!isShown(row) || !axis) continue;
    const [its, above] = [row, axis].map((each) => each.getBoundingClientRect());
    if (!isShown(axis) || Math.abs(its.left - above.left) > 1 || Math.abs(its.width - above.width) > 1) said.push(`the axis does not stand above ${row.closest("table").className}`);
  }
  for (const card of [...document.querySelectorAll("main :is(.columns, .stack) > *")].filter(isShown)) {
    const [its, around] = [card, card.parentElement].map((each) => each.getBoundingClientRect());
    if (its.left < around.left - 1 || its.right > around.right + 1) said.push(`out of its column: ${card.className}`);
  }
  // What a cell holds reaches into the next one.
  for (const cell of [...document.querySelectorAll("main :is(td, th)")].filter(isShown)) {
    const edge = cell.getBoundingClientRect().right;
    const over = getComputedStyle(cell).overflowX === "visible" ? [...cell.querySelectorAll(":scope > :not(.visually-hidden)")].find((each) => each.getClientRects().length && each.getBoundingClientRect().right > edge + 1) : null;
    if (over) said.push(`over its cell: ${cell.className || cell.tagName} "${cell.textContent.trim().slice(0, 60)}"`);
  }
  // On a phone a cell says of what it is, beside what it says.
  const ofTables = [...document.querySelectorAll("table[data-prepared]:not(.prose *) tbody td")];
  for (const cell of innerWidth <= 768 ? ofTables.filter(isShown) : []) {
    if (cell.dataset.label && !cell.textContent.trim() && !cell.querySelector("svg, input, select")) said.push(`a label of nothing: ${cell.dataset.label}`);
    else if (cell.matches(".number.main[data-label]") && getComputedStyle(cell, "::before").content === "none") said.push(`a number that does not say of what: ${cell.dataset.label}`);
  }
  return said;
}"""

AXE = """async () => {
  const { violations } = await axe.run({ resultTypes: ["violations"], preload: false }); // nothing here plays
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


def barriers(page) -> list[str]:
    """What axe has to say, however small.

    It is half a megabyte, so a page gets it once, and tells only what is wrong.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    violations = page.evaluate(AXE)
    return [f"{rule}: {html[:160]}" for rule, html in violations]


def own_bytes(page) -> int:
    """The compressed size of the script and style of ours that the page asks for, what they import
    included.
    """
    names = page.evaluate(
        """performance.getEntriesByType("resource").map((each) => new URL(each.name).pathname).filter((path) => path.startsWith("/static/"))"""
    )
    return sum(map(compressed_bytes, {name.removeprefix("/static/") for name in names}))


@cache
def compressed_bytes(name: str) -> int:
    file = STATIC / name
    is_ours = file.suffix in {".css", ".js"} and file.exists()
    return len(gzip.compress(file.read_bytes())) if is_ours else 0
