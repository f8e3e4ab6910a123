"""What a campaign asks beside the grade, and what the tests do with it."""

from playwright.sync_api import expect

from assess.models.judging import Judgment
from tests.asked import beside_grades, criterion

CREDIBILITY = criterion(
    "credibility",
    "How credible is it?",
    ("not credible", "partly credible", "credible"),
    from_grade=1,
)
READABILITY = criterion("readability", "How easily can it be read?", ("hard", "easy"), from_grade=1)
CRITERIA = beside_grades(CREDIBILITY, READABILITY)
TEXT = (
    "The first paragraph is about nothing.\n\nThe second says what one wants to know.\n\nThe third "
    "says more of it."
)
CREDIBLE, READABLE = CREDIBILITY["question"], READABILITY["question"]
WHICH = "Which passage shows it?"


def ask_more(campaign) -> None:
    """Have a campaign ask two criteria from grade 1 on, and evidence from grade 2 on."""
    campaign.criteria = CRITERIA
    campaign.takes_evidence, campaign.evidence_from = True, 2
    campaign.save()
    campaign.document_set.update(text=TEXT)


def question(page):
    return page.locator("#further[open] section:not([hidden]) h2")


def press(page, key: str, after: str) -> None:
    """Press a key once a question has been on the screen for long enough."""
    expect(question(page)).to_have_text(after)
    page.wait_for_timeout(100)
    page.keyboard.press(key)


def answer(page, credible: str, readable: str) -> None:
    press(page, credible, CREDIBLE)
    press(page, readable, READABLE)


def judgment(docno: str) -> tuple:
    found = Judgment.objects.get(item__key=docno)
    return found.grade, found.ratings, [text for *_, text in found.passages]
