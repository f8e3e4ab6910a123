"""A page signed in as somebody; anything on the console fails the test."""

import threading
import time

import pytest
from django.core.signals import request_finished, request_started
from django.test import Client
from django.test.testcases import LiveServerThread
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from evaluation import services as scoring
from evaluation import tasks as scoring_tasks
from jobs import work
from jobs.models import Job
from qrels.services.publishing import publish_qrels
from tests import make
from tests.browser.further import ask_more
from tests.browser.kept import Kept
from tests.browser.server import Server
from tests.onscreen import shown
from tests.worlds import once

LEAST_VIEW_MS = 60


@pytest.fixture(scope="session")
def live_server(django_db_setup):
    """As pytest-django's, with threads that stay; it goes before the database, of which they keep
    connections.
    """
    LiveServerThread.server_class = Server
    server = LiveServer("localhost")
    yield server
    server.stop()


@pytest.fixture(scope="session")
def kept(browser, live_server) -> Kept:
    return Kept(browser, live_server.url)


@pytest.fixture
def intercepted() -> None:
    """Of a test that breaks off or holds back requests of a page that is open: intercepted from the
    beginning, as Chromium may let the next one past where that is switched on later. The page
    has no cache then, and takes two or three times as long.
    """


@pytest.fixture
def pages(request, kept):
    """Make pages: `pages(user, width=…, …)`; one with other options than its size is a new one, and
    so is one that is changed in ways which `Kept` cannot undo (`is_kept=False`).
    """
    made, kept.errors = [], []

    def page(user=None, *, width=1280, height=800, is_kept=True, **options):
        is_kept = is_kept and not options
        each = kept.take() if is_kept else kept.new(**options)
        made.append((each, is_kept))
        if "intercepted" in request.fixturenames:
            each.context.route("**/no-such-page/", lambda route: route.continue_())
        each.set_viewport_size({"width": width, "height": height})
        if user:
            client = Client()
            client.force_login(user)
            value = client.cookies["sessionid"].value
            each.context.add_cookies([{"name": "sessionid", "value": value, "url": kept.url}])
        return each

    page.errors = kept.errors
    yield page
    for each, is_kept in made:
        for opened in each.context.pages:
            let_it_save(opened)
        if is_kept:
            kept.give_back(each)
        else:
            each.context.close()
    let_the_server_finish()
    assert not page.errors, page.errors


def forgive_requests(pages) -> None:
    """Forget what the browser itself says of requests that failed, as the test wanted it."""
    pages.errors[:] = [
        text for text in pages.errors if not text.startswith("Failed to load resource")
    ]


def let_it_save(page) -> None:
    """Wait until a judging page has saved what was pressed; not long, as some tests keep it from
    that.
    """
    if page.is_closed() or page.url == "about:blank":
        return
    saving = page.locator(".judging-saving")
    for _ in range(20):
        if not saving.count() or not saving.first.text_content():
            return
        page.wait_for_timeout(50)


class InHand:
    """How many requests the live server's threads are answering, whether they have come to the
    database yet or not.
    """

    def __init__(self) -> None:
        self.n = 0
        self._lock = threading.Lock()
        request_started.connect(self._begin)
        request_finished.connect(self._end)

    def _begin(self, **_) -> None:
        self._count(1)

    def _end(self, **_) -> None:
        self._count(-1)

    def _count(self, change: int) -> None:
        if (
            threading.current_thread() is not threading.main_thread()
        ):  # where Django's test client asks
            with self._lock:
                self.n += change


IN_HAND = InHand()


def let_the_server_finish() -> None:
    """Wait for what a closed page had still asked for, before the tables are emptied under it."""
    for _ in range(200):
        if IN_HAND.n == 0:
            return
        time.sleep(0.05)
    raise AssertionError("The server is still busy with what a page had asked for.")


@pytest.fixture
@once
def assignment(transactional_db, olga, ada, ben, pat):
    """Twenty-four documents of a topic, longer than a screen, for Ada to judge."""
    docnos = [f"d{number:02d}" for number in range(24)]
    campaign = make.campaign(olga, assessors=[ada, ben], participants={"T": [pat]}, docnos=docnos)
    campaign.document_set.update(text="A long line of words. " * 400)
    campaign.least_view_ms = LEAST_VIEW_MS  # each document of each test is waited for
    campaign.save()
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": " ".join(docnos)})], depth=24)
    return make.assignment(campaign.topic_set.get(number="1"), ada)


@pytest.fixture
def judging(pages, assignment, ada):
    """Ada's judging page.

    The browser notes failed requests on the console; anything else there fails the test.
    """
    page = pages(ada)
    opened(page, assignment)
    yield page
    forgive_requests(pages)


@pytest.fixture
def asked(assignment):
    """Ada's assignment, in a campaign that asks two criteria, and evidence from grade 2 on."""
    ask_more(assignment.topic.campaign)
    return assignment


@pytest.fixture
def asking(asked, judging):
    """Ada's judging page, which asks them."""
    return judging


@pytest.fixture
def base(assignment, olga, ben, monkeypatch) -> str:
    """The address of a campaign that has everything on its pages."""
    monkeypatch.setattr(
        scoring_tasks.score_batch, "apply_async", lambda sent: scoring_tasks.score_batch(*sent)
    )
    judge_and_score(assignment=assignment, olga=olga, ben=ben)
    work.note_worker_alive()
    return f"/campaigns/{assignment.topic.campaign.slug}/"


@once
def judge_and_score(assignment, olga, ben) -> None:
    campaign = assignment.topic.campaign
    second = make.assignment(assignment.topic, ben, Assignment.Kind.SECOND, share=0.5)
    entries = second.entries.select_related("item")
    make.judgments(assignment, {each.docno: each.position % 4 for each in entries})
    make.judgments(second, {each.docno: each.position % 3 for each in entries})
    evaluation = scoring.request_evaluation(
        user=olga, **make.scope(publish_qrels(user=olga, campaign=campaign))
    )
    scoring_tasks.score_runs(Job.objects.get(kind="score_runs", subject_id=evaluation.pk).pk)
    Job.objects.exclude(state="done").delete()


def address(assignment) -> str:
    return f"/campaigns/{assignment.topic.campaign.slug}/judging/{assignment.pk}/"


def served(assignment) -> list[str]:
    return list(assignment.entries.order_by("position").values_list("item__key", flat=True))


def opened(page, assignment) -> None:
    """Open the judging page, and wait until keys are about the document on it."""
    page.goto(address(assignment))
    shown(page).wait_for()


def go(page, key: str, docno: str) -> None:
    """Press a key, and wait until keys are about the document that it brings."""
    page.keyboard.press(key)
    expect(shown(page)).to_have_text(docno)


def comment(page, words: str) -> None:
    """Write a comment, and leave it."""
    page.keyboard.press("c")
    page.keyboard.type(words)
    page.keyboard.press("Escape")


def takes_taps(page) -> None:
    """Wait until the page takes taps: half a second after its document came up."""
    shown(page).wait_for()
    page.wait_for_timeout(600)


def tap(page, number: int) -> None:
    """Press a button of the grades."""
    takes_taps(page)
    page.locator(".grade-button").nth(number).click()


def said(assignment) -> dict[str, object]:
    rows = Judgment.objects.filter(assignment=assignment).values_list("item__key", "state", "grade")
    return {docno: grade if state == "judged" else state for docno, state, grade in rows}
