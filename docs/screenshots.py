"""Make the pictures of the documentation from the example campaign, or one of every page.

Use: python -m docs.screenshots [--all] [--size large]

With `--all` each page is taken at 1280 and 390, light and dark, into var/screenshots, to be looked
at one by one.
"""

import argparse
import re
import shutil
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, sync_playwright

from docs import further, stale
from docs.example import example

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
BASE = "/campaigns/python-documentation-search/"
# name: (who, address, what to click first)
PICTURES = {
    "overview": ("olga", BASE, ""),
    "pool": ("olga", f"{BASE}pool/extend/", "h1:has-text('judged by')"),  # once it is computed
    "agreement": ("olga", f"{BASE}agreement/", ""),
    "leaderboard": ("olga", f"{BASE}leaderboard/", ""),
    "report": ("quinn", f"{BASE}runs/", "text=cranfield-faulty"),
    "judging": ("cleo", f"{BASE}judging/", ".inbox-topics li:not(:has-text('adjudication')) h3 a"),
}


# Of every page: those that are found from the tabs, and the first of each kind that they lead to.
PAGES: dict[str, tuple[str, ...]] = {
    "": ("", "/sign-in/"),
    "olga": (
        "/",
        "/account/",
        "/account/tokens/",
        "/campaigns/new/",
        "./",
        "topics/",
        "documents/",
        "people/",
        "runs/",
        "pool/",
        "pool/extend/",
        "judging/",
        "judging/distribute/",
        "judging/questions/",
        "judging/practice/edit/",
        "judging/controls/",
        "judging/quality/",
        "judging/hours/",
        "agreement/",
        "agreement/documents/",
        "qrels/",
        "leaderboard/",
        "leaderboard/score/",
        "leaderboard/preliminary/",
        "settings/",
        "settings/dates/",
        "settings/grades/",
        "settings/judging/",
        "activity/",
        "topics/*",
        "documents/*",
        "people/*",
        "teams/*",
        "runs/*",
        "judging/*/assignment/",
        "qrels/*",
        "leaderboard/scores/*",
        "nowhere/",
    ),
    "quinn": ("/", "./", "topics/", "runs/", "team/", "leaderboard/", "leaderboard/scores/*"),
    "ada": ("/", "./", "judging/", "judging/hours/", "judging/*/", "judging/*/documents/"),
}
VARIANTS = [
    (width, height, scheme)
    for width, height in ((1280, 800), (390, 844))
    for scheme in ("light", "dark")
]
NAMES = {"/": "home", "./": "overview"}
CAMPAIGNS = {"small": BASE, "large": "/campaigns/large-example/"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="every page, into var/screenshots")
    parser.add_argument("--size", choices=CAMPAIGNS, default="small")
    chosen = parser.parse_args()
    IMAGES.mkdir(exist_ok=True)
    path = (
        shutil.which("chromium-headless-shell")
        or shutil.which("chromium")
        or shutil.which("chromium-browser")
        or shutil.which("google-chrome")
    )
    if path is None:
        sys.exit("There is no Chromium on the path.")
    with example(chosen.size) as (url, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        if chosen.all:
            every_page(browser, url, chosen.size)
            return
        for name in PICTURES:
            picture(browser, url, name, f"{name}.png")
        picture(browser, url, "judging", "judging-dark.png", color_scheme="dark")
        picture(
            browser, url, "judging", "judging-phone.png", viewport={"width": 390, "height": 844}
        )
        further_pictures(browser, url)
    stale.keep()


def further_pictures(browser: Browser, url: str) -> None:
    """Take the pages of practice, controls and criteria, switched on one after the other."""
    olga, cleo = (signed_in(browser, url, who) for who in ("olga", "cleo"))
    further.switch_on_practice(olga, BASE)
    cleo.goto(f"{BASE}judging/practice/")
    further.arrived(cleo).wait_for()
    cleo.keyboard.press("2")
    keep(cleo, "practice.png", cleo.locator("#known"))
    further.switch_on_controls(olga, BASE)
    olga.goto(f"{BASE}judging/controls/")
    keep(olga, "controls.png", olga.locator("#known"))
    further.switch_on_criteria(olga, BASE)
    olga.goto(f"{BASE}settings/grades/")
    criteria = olga.get_by_role("heading", name="Criteria and evidence")
    criteria.evaluate("heading => heading.scrollIntoView()")
    keep(olga, "criteria.png", criteria)
    cleo.goto(f"{BASE}judging/")
    cleo.locator(PICTURES["judging"][2]).first.click()
    further.go_to_a_long_document(cleo)
    cleo.keyboard.press("2")
    keep(cleo, "judging-criteria.png", cleo.locator("#further"))


def every_page(browser: Browser, url: str, size: str) -> None:
    """Take every page of everybody in each variant."""
    folder = ROOT / "var" / "screenshots" / size
    folder.mkdir(parents=True, exist_ok=True)
    for width, height, scheme in VARIANTS:
        for who, addresses in PAGES.items():
            settings: dict[str, Any] = {
                "viewport": {"width": width, "height": height},
                "color_scheme": scheme,
            }
            context = browser.new_context(base_url=url, **settings)
            page = context.new_page()
            if who:
                sign_in(page, who)
            for address in addresses:
                if place := found(page, CAMPAIGNS[size], address):
                    page.goto(place)
                    page.wait_for_load_state("networkidle")
                    name = f"{who} {NAMES.get(address, address).replace('*', 'one')}"
                    name = re.sub(r"\W+", "-", name).strip("-") or "start"
                    page.screenshot(path=folder / f"{name}-{width}-{scheme}.png", full_page=True)
            context.close()


def found(page: Page, base: str, address: str) -> str:
    """Return the address of a page; for one with a star, the first that its list leads to."""
    if not address or address.startswith("/"):
        return address
    if "*" not in address:
        return base + address.removeprefix("./")
    before, _, after = address.partition("*")
    lists = {"teams/": "people/", "leaderboard/scores/": "leaderboard/"}
    page.goto(base + lists.get(before, before))
    one = "[^/?#]+" if before == "documents/" else r"\d+"
    pattern = re.compile(rf"{re.escape(base + before)}{one}/{after.removeprefix('/')}$")
    hrefs = page.eval_on_selector_all(
        "main a[href]",
        "links => links.map(link => new URL(link.getAttribute('href'), location).pathname)",
    )
    return next((href for href in hrefs if pattern.match(href)), "")


def picture(browser: Browser, url: str, name: str, file: str, **options: Any) -> None:
    """Sign in, go there, and keep what is seen."""
    who, address, first = PICTURES[name]
    page = signed_in(browser, url, who, **options)
    page.goto(address)
    if first:
        page.locator(first).first.click()
    if name == "judging":
        further.go_to_a_long_document(page)
    keep(page, file)
    page.context.close()


def keep(page: Page, file: str, seen: Locator | None = None) -> None:
    """Keep what is seen, once all of it is there."""
    if seen:
        seen.wait_for()
    page.wait_for_load_state("networkidle")
    page.screenshot(path=IMAGES / file)


def signed_in(browser: Browser, url: str, who: str, **options: Any) -> Page:
    """Return a page of somebody."""
    settings: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, **options}
    page = browser.new_context(base_url=url, **settings).new_page()
    sign_in(page, who)
    return page


def sign_in(page: Page, who: str) -> None:
    page.goto("/sign-in/")
    page.fill("#id_username", who)
    page.fill("#id_password", "cleverdon")
    page.get_by_role("button", name="Sign in").click()


if __name__ == "__main__":
    main()
