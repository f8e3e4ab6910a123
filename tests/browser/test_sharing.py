"""A shared topic on the judging page: documents come as they are judged, and its end says why there
are no more.
"""

import pytest
from playwright.sync_api import expect

from assess.core.answers import Answer
from assess.models.judging import Judgment
from assess.services import judging, sharing
from tests import make
from tests.browser.conftest import opened, said
from tests.browser.test_every_page import wrong
from tests.db.sharing import n_judged, of, shared
from tests.onscreen import saved, shown
from tests.worlds import once

pytestmark = pytest.mark.browser
DOCNOS = [f"d{n:02}" for n in range(14)]


@pytest.fixture
@once
def queue(transactional_db, olga, ada, ben, pat):
    campaign = make.campaign(
        olga, assessors=[ada, ben], participants={"T": [pat]}, topics=["1"], docnos=DOCNOS
    )
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": " ".join(DOCNOS)})], depth=14)
    return shared(campaign, [ada, ben], n_wanted=1)


def judge_on(page) -> None:
    """Press 2 on whatever comes, once it is there, to the end."""
    while True:
        expect(page.locator(".judging:not([data-arriving]) .judging-document")).to_be_visible()
        if page.locator("[data-finished]").count():
            return
        docno = shown(page).inner_text()
        page.keyboard.press("2")
        expect(
            page.locator(".judging-document code").and_(page.get_by_text(docno, exact=True))
        ).to_have_count(0)


@pytest.mark.usefixtures("intercepted")
def test_documents_come_as_they_are_judged_and_are_asked_for_until_they_are_there(
    pages, queue, ada, ben
):
    page, assignment, others = pages(ada), of(queue, ada), of(queue, ben)
    sharing.lend(assessor=ben, assignment=others)
    theirs = set(others.entries.values_list("item__key", flat=True))
    opened(page, assignment)
    lost = []
    page.route("**/lend/", lambda route: (lost.append(route.fetch().json()), route.abort()))
    judge_on(page)
    saved(page)
    assert len(said(assignment)) == 6
    assert lost
    expect(page.locator("[data-asking]")).to_contain_text(
        "The server cannot be reached. More documents are asked for"
    )
    page.unroute_all(behavior="wait")  # one may be on its way
    shown(page).wait_for()
    judge_on(page)
    saved(page)
    expect(page.locator("[data-finished]")).to_contain_text("Nothing for you right now")
    assert set(said(assignment)) == set(DOCNOS) - theirs
    others.entries.update(leased_until="2020-01-01T00:00Z")
    page.get_by_role("link", name="Look for more").click()
    shown(page).wait_for()
    judge_on(page)
    saved(page)
    assert said(assignment) == dict.fromkeys(DOCNOS, 2)
    assert n_judged(queue) == dict.fromkeys(DOCNOS, 1)
    expect(page.locator("[data-count=judged]")).to_have_text("14")


def test_an_answer_that_is_not_needed_any_more_comes_back_and_the_next_document_comes(
    pages, queue, ada, ben
):
    page, assignment, others = pages(ada), of(queue, ada), of(queue, ben)
    opened(page, assignment)
    docno = shown(page).inner_text()
    assignment.entries.update(leased_until="2020-01-01T00:00Z")
    for _ in range(3):
        sharing.lend(assessor=ben, assignment=others)
        for entry in others.entries.still_open():
            if entry.docno != docno:
                judging.judge(
                    assessor=ben,
                    assignment=others,
                    answer=Answer(entry.docno, "judged", {"grade": 1}),
                )
    judging.judge(assessor=ben, assignment=others, answer=Answer(docno, "judged", {"grade": 3}))
    page.keyboard.press("2")
    expect(page.locator("#kept")).to_contain_text(
        f"Others finished {docno} first: it has its 1 judgment. Here you pressed"
    )
    expect(page.locator("[data-finished]")).to_contain_text("Nothing more to judge now")
    expect(page.locator("#not-saved")).to_contain_text("has been judged by others")
    assert not Judgment.objects.filter(assignment=assignment).exists()


def test_its_page_says_on_a_phone_what_the_numbers_count(pages, queue, olga):
    page = pages(olga)
    address = f"/campaigns/{queue.topic.campaign.slug}/judging/shared/{queue.pk}/"
    assert wrong(pages, page, [address]) == {}
    page.set_viewport_size({"width": 390, "height": 844})
    row = page.locator("#steps tbody th").first
    expect(row).to_have_attribute("data-label", "Judgments:")
    assert row.evaluate("each => getComputedStyle(each, '::before').content") != "none"
