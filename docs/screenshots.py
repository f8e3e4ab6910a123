"""Make the pictures of the documentation from the example campaign: `python -m docs.screenshots`."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from demo.embedded import Embedded

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
BASE = "/campaigns/python-documentation-search/"
PATIENCE_SECONDS = 180
# name: (who, address, what to click first)
PICTURES = {
    "overview": ("olga", BASE, ""),
    "pool": ("olga", f"{BASE}pool/", ""),
    "agreement": ("olga", f"{BASE}agreement/", ""),
    "leaderboard": ("olga", f"{BASE}leaderboard/", ""),
    "report": ("quinn", f"{BASE}runs/", "text=cranfield-faulty"),
    "judging": ("cleo", f"{BASE}judging/", ".inbox h3 a"),
}


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    path = (
        shutil.which("chromium-headless-shell")
        or shutil.which("chromium")
        or shutil.which("chromium-browser")
        or shutil.which("google-chrome")
    )
    if path is None:
        sys.exit("There is no Chromium on the path.")
    with demo() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox"]
        )
        for name in PICTURES:
            picture(browser, url, name, f"{name}.png")
        picture(browser, url, "judging", "judging-dark.png", color_scheme="dark")
        picture(
            browser,
            url,
            "judging",
            "judging-phone.png",
            viewport={"width": 390, "height": 844},
        )


@contextmanager
def demo() -> Iterator[str]:
    """Run the demo in a folder of its own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = tempfile.mkdtemp(prefix="cleverdon-pictures-")
    command = [sys.executable, "manage.py", "demo", "--port", str(port)]
    running = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "VAR_DIR": folder})  # noqa: S603 - our own command line
    try:
        wait_for(f"http://localhost:{port}/sign-in/")
        yield f"http://localhost:{port}"
    finally:
        running.terminate()
        running.wait(60)
        Embedded(Path(folder)).discard()


def wait_for(url: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5):  # noqa: S310 - this machine
                return
        except (urllib.error.URLError, ConnectionError):
            if time.monotonic() > deadline:
                sys.exit("The demo did not start.")
            time.sleep(0.5)


def picture(browser: Browser, url: str, name: str, file: str, **options: Any) -> None:
    """Sign in, go there, and keep what is seen."""
    who, address, first = PICTURES[name]
    settings: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, **options}
    context = browser.new_context(base_url=url, **settings)
    page = context.new_page()
    sign_in(page, who)
    page.goto(address)
    if first:
        page.locator(first).first.click()
    page.wait_for_load_state("networkidle")
    page.screenshot(path=IMAGES / file)
    context.close()


def sign_in(page: Page, who: str) -> None:
    page.goto("/sign-in/")
    page.fill("#id_username", who)
    page.fill("#id_password", "cleverdon")
    page.get_by_role("button", name="Sign in").click()


if __name__ == "__main__":
    main()
