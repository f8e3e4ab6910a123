"""What a campaign asks beside the grade, and what the tests do with it."""

from playwright.sync_api import expect

from assess.models.judging import Judgment
from campaigns.core.criteria import read

CRITERIA = """credibility | How credible is it? | from 1
0 | not credible
1 | partly credible | In parts.
2 | credible

readability | How easily can it be read? | from 1
0 | hard
1 | easy"""
TEXT = (
    "The first paragraph is about nothing.\n\nThe second says what one wants to know.\n\nThe third "
    "says more of it."
)
CREDIBLE, READABLE = "How credible is it?", "How easily can it be read?"
WHICH = "Which passage shows it?"


def ask_more(campaign) -> None:
    """Have a campaign ask two criteria from grade 1 on, and evidence from grade 2 on."""
    campaign.criteria = [each.to_json() for each in read(CRITERIA)]
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
