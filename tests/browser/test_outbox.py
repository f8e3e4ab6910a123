"""A judging page through keys and faults in any order: in the end, what it told its assessor is
what is stored, each act once.
"""

import json
import os
import random
import re
from collections import Counter

import pytest
from django.test import Client
from playwright.sync_api import expect

from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from tests.api.addresses import judging
from tests.browser.conftest import address, opened
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser
ACTS = "**/judge/"
KEYS = ("0", "1", "2", "3", "2", "1", "l", "u", "u", "r", "n", "p")
NETWORKS = ("good", "good", "away", "lost", "twice", "late")
N_STEPS = 40
N_LIVES = 60 if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else 1
OPEN = {None, "later", "reopened"}
HEADERS = {"HX-Request": "true"}


class Life:
    """A page, the network that it has, and what it has told of each document."""

    def __init__(self, page, assignment, assessor, seed: int) -> None:
        self.page, self.assignment = page, assignment
        self.chance = random.Random(seed)
        self.other = Client()  # that sends again what the network had held back
        self.other.force_login(assessor)
        self.weather = "good"
        self.sent: list[str] = []
        self.held: list[str] = []
        self.told: dict[str, str] = {}
        self.typed: dict[str, str] = {}
        self.comments: dict[str, str] = {}
        page.context.route(ACTS, self.pass_on)

    def pass_on(self, route) -> None:
        """Let a request through, or not, as the network is now."""
        body = route.request.post_data
        if self.weather == "away":
            route.abort()
            return
        self.sent.append(body)
        if self.weather == "late":
            self.held.append(body)
            route.abort()
        elif self.weather == "lost":
            route.fetch()
            route.abort()
        elif self.weather == "twice":
            route.fetch()
            route.continue_()
        else:
            route.continue_()

    def step(self, number: int) -> None:
        act = self.chance.choice(
            ("key",) * 12 + ("comment", "network", "network", "network", "reload", "again")
        )
        getattr(self, act)(number)

    def key(self, number: int) -> None:
        shown(self.page).wait_for()
        self.press(self.chance.choice(KEYS))

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        told = self.page.locator(".judging-toast").text_content().strip()
        docno, _, said = told.partition(": ")
        if said.endswith("taken back."):
            self.told[docno] = "open"
        elif docno:
            grade = re.match(r"grade (\d)", said)
            self.told[docno] = grade[1] if grade else "later"
            if key not in "urnp" and docno in self.typed:
                self.comments[docno] = self.typed.pop(docno)

    def comment(self, number: int) -> None:
        docno = shown(self.page).text_content()
        self.page.keyboard.press("c")
        self.page.locator("#comment").fill(f"thought {number}")
        self.page.keyboard.press("Escape")
        self.typed[docno] = f"thought {number}"

    def network(self, number: int) -> None:
        self.weather = self.chance.choice(NETWORKS)
        if self.weather == "good":
            self.page.evaluate("dispatchEvent(new Event('online'))")

    def reload(self, number: int) -> None:
        shown(self.page).wait_for()
        self.page.goto(address(self.assignment))

    def again(self, number: int) -> None:
        """What was held back arrives, after all that was sent since."""
        for body in self.held:
            path = judging(self.assignment)
            self.other.post(path, body, content_type="application/json", headers=HEADERS)
        self.held.clear()

    def end(self) -> None:
        self.weather = "good"
        shown(self.page).wait_for()  # it may have been loaded just now
        self.page.evaluate("dispatchEvent(new Event('online'))")
        saved(self.page)
        self.again(0)


@pytest.mark.parametrize("seed", range(N_LIVES))
def test_what_a_page_has_told_is_what_is_stored(pages, assignment, ada, seed):
    page = pages(ada)
    life = Life(page, assignment, ada, seed)
    opened(page, assignment)
    for number in range(N_STEPS):
        life.step(number)
    life.end()
    expect(page.locator("#kept")).to_be_hidden()  # nothing came back
    stored = {judgment.docno: judgment for judgment in Judgment.objects.all()}
    for docno, told in life.told.items():
        judgment = stored.get(docno)
        if told == "open":
            assert (judgment and judgment.state) in OPEN, docno
        else:
            assert str(judgment.state if judgment.grade is None else judgment.grade) == told, docno
            if docno in life.comments:
                assert judgment.comment == life.comments[docno]
    assert stored.keys() <= life.told.keys()
    given = {act["client_id"] for body in life.sent for act in json.loads(body)}
    assert {str(pk) for pk in JudgmentEvent.objects.values_list("client_id", flat=True)} == given
    counts = Counter(judgment.state for judgment in stored.values())
    page.reload()
    expect(page.locator("[data-count=judged]")).to_have_text(str(counts["judged"]))
    for state in ("later", "reopened"):
        expect(page.locator(f"[data-count={state}]")).to_be_visible(visible=counts[state] > 0)
