"""From a key to the next document in Chromium on a slow network: `python -m benchmarks.keys`.

Every answer of the server comes 300 ms late. Printed: how long a key takes to the paint after it,
whether ten keys 300 ms apart store ten judgments, and what becomes of five keys within 150 ms.
"""

import os
import shutil
import subprocess
import sys
from typing import Any

from playwright.sync_api import Page, expect, sync_playwright

from benchmarks import site
from benchmarks.judging import free_port, open_connection, prepare

LATE_MS = 300
N_KEYS = 60
PRESS = """([key, pause, n]) => new Promise((done) => {
    const times = [], judging = document.getElementById("judging");
    const docno = () => judging.querySelector(".judging-document code")?.textContent;
    function press(left) {
        if (!left) return done(times);
        const start = performance.now(), before = docno();
        const watch = new MutationObserver(() => {
            if (docno() === before || judging.querySelector("[data-waiting]")) return;
            watch.disconnect();
            requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - start)));
        });
        watch.observe(judging, {childList: true});
        const event = {key, code: `Digit${key}`, bubbles: true, cancelable: true};
        document.body.dispatchEvent(new KeyboardEvent("keydown", event));
        setTimeout(() => press(left - 1), pause);
    }
    press(n);
})"""


def main() -> None:
    # Playwright runs a loop of its own, in which Django refuses queries.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    site.start()
    path, _, session = prepare(200)
    port = free_port()
    options = f"--bind 127.0.0.1:{port} --threads 4 --log-level error".split()
    web = subprocess.Popen([sys.executable, "-m", "gunicorn", "config.wsgi", *options])
    try:
        open_connection(port).close()
        with sync_playwright() as playwright:
            chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            report(page_of(browser, path, session, port))
            browser.close()
    finally:
        web.terminate()
        web.wait()


def page_of(browser: Any, path: str, session: str, port: int) -> Page:
    context = browser.new_context(base_url=f"http://127.0.0.1:{port}")
    cookie = {"name": "sessionid", "value": session, "url": f"http://127.0.0.1:{port}"}
    context.add_cookies([cookie])
    page: Page = context.new_page()
    late = {"offline": False, "latency": LATE_MS, "downloadThroughput": -1, "uploadThroughput": -1}
    context.new_cdp_session(page).send("Network.emulateNetworkConditions", late)
    page.goto(path)
    ready(page)
    return page


def ready(page: Page) -> None:
    """Wait until a key counts, and what comes next is there."""
    page.wait_for_selector(".judging:not([data-arriving])")
    page.wait_for_timeout(3 * LATE_MS)


def saved(page: Page) -> int:
    """Return how many judgments are stored once the page says that all are."""
    from assess.models.history import JudgmentEvent

    expect(page.locator(".judging-saving")).to_have_text("", timeout=60_000)
    return JudgmentEvent.objects.count()


def report(page: Page) -> None:
    times = sorted(page.evaluate(PRESS, ["1", 600, N_KEYS]))
    median, p95 = times[len(times) // 2], times[int(0.95 * len(times))]
    print(f"{len(times)} keys with answers {LATE_MS} ms late, to the paint after each:")
    print(f"median {median:.0f} ms, 95th percentile {p95:.0f} ms")
    before = saved(page)
    ready(page)
    page.evaluate(PRESS, ["2", 300, 10])
    print(f"ten keys 300 ms apart: {saved(page) - before} stored")
    before = saved(page)
    ready(page)
    page.evaluate(PRESS, ["0", 30, 5])
    print(f"five keys within 150 ms: {saved(page) - before} stored")
    print(f"the page says: {page.inner_text('#not-saved')}")


if __name__ == "__main__":
    main()
