"""What happens to a topic while its page is open: documents join, judgments are set aside and come
back, it is handed over.
"""

import pytest
from playwright.sync_api import expect

from assess.services import handover, reopening
from runs.models import Run
from tests import make
from tests.browser.conftest import address, forgive_requests, go, opened, said, served
from tests.onscreen import saved, shown
from tests.worlds import once

pytestmark = pytest.mark.browser


def extend(campaign, pat) -> None:
    """Add three documents of a late run."""
    make.documents(campaign, ["late-1", "late-2", "late-3"])
    late = make.run(campaign, pat, {"1": "late-1 d03 late-2 late-3"}, "late")
    make.frozen(make.batch(campaign, [*Run.objects.exclude(pk=late.pk), late], depth=4))


@pytest.mark.usefixtures("intercepted")
def test_an_open_page_takes_what_joins_at_the_end_and_when_its_reader_comes_back(
    judging, assignment, olga, ben, pat
):
    """Then its topic is handed over, which it says too."""
    order = served(assignment)
    make.judgments(assignment, dict.fromkeys(order[1:-1], 1))
    judging.reload()
    expect(shown(judging)).to_have_text(order[0])
    end = judging.get_by_role("heading", name="Done, ")
    asks = judging.get_by_text("The server cannot be reached. More documents are asked for")
    go(judging, "2", order[-1])
    judging.route("**/lend/", lambda route: route.abort())
    judging.keyboard.press("2")
    expect(asks).to_be_visible()
    expect(end).to_be_hidden()  # before the server was asked
    extend(assignment.topic.campaign, pat)
    judging.unroute("**/lend/")
    after = served(assignment)
    assert after[: len(order)] == order
    assert sorted(after[len(order) :]) == ["late-1", "late-2", "late-3"]
    expect(shown(judging)).to_have_text(after[len(order)])
    expect(judging.locator(".judging-toast")).to_have_text("More documents have come.")
    for docno in after[len(order) + 1 :]:
        go(judging, "3", docno)
    judging.keyboard.press("3")
    expect(end).to_be_visible()
    expect(asks).to_be_hidden()
    saved(judging)
    assert len(said(assignment)) == 27
    make.documents(assignment.topic.campaign, ["later-1"])
    later = make.run(assignment.topic.campaign, pat, {"1": "later-1"}, "latest")
    make.frozen(make.batch(assignment.topic.campaign, [later], depth=1))
    judging.evaluate("dispatchEvent(new Event('focus'))")
    expect(shown(judging)).to_have_text("later-1")
    judging.keyboard.press("3")
    expect(end).to_be_visible()
    saved(judging)
    handover.hand_over(user=olga, assignment=assignment, assessor=ben)
    judging.evaluate("dispatchEvent(new Event('focus'))")
    expect(judging.locator("#not-saved")).to_have_text(
        "Topic 1 was given to somebody else to judge."
    )


def test_an_open_page_hears_with_each_answer_of_what_joined_or_was_changed(
    judging, assignment, olga, pat
):
    order, bar = served(assignment), judging.locator(".judging-progress")
    go(judging, "2", order[1])
    extend(assignment.topic.campaign, pat)
    go(judging, "2", order[2])
    expect(bar).to_contain_text("2 of 27 judged")
    reopening.reopen(user=olga, assignment=assignment, docno=order[0])
    go(judging, "2", order[3])
    expect(bar.locator("[data-count=reopened]")).to_have_text("1 reopened")
    expect(bar).to_contain_text("2 of 27 judged")
    reopening.reset(user=olga, assignment=assignment)
    go(judging, "2", order[4])
    expect(bar).to_contain_text("1 of 27 judged")


@pytest.fixture
@once
def growing(transactional_db, olga, ada, pat):
    """Ada has a topic of two documents, of a pool that grows by four at a time up to ten."""
    docnos = [f"d{n:02}" for n in range(12)]
    campaign = make.campaign(
        olga, assessors=[ada], participants={"T": [pat]}, topics=["1"], docnos=docnos
    )
    how = {"first": 2, "batch": 4, "floor": 6, "cap": 10, "reading_depth": 12}
    runs = [make.run(campaign, pat, {"1": " ".join(docnos)})]
    make.frozen(make.batch(campaign, runs, strategy="max-mean", parameters=how))
    return make.assignment(campaign.topic_set.get(number="1"), ada)


def test_at_the_end_of_a_topic_that_may_grow_its_page_looks_every_ten_seconds(pages, growing, ada):
    page = pages(ada)
    page.clock.install()
    opened(page, growing)
    end = page.locator("[data-finished]")
    for n, comes in ((2, True), (6, False)):
        while not end.count():
            docno = shown(page).inner_text()
            page.keyboard.press("0")
            expect(page.get_by_text(docno, exact=True).and_(shown(page))).to_have_count(0)
        saved(page)
        expect(end.get_by_role("heading")).to_have_text(f"Done, {n} of {n}")
        sentence = end.get_by_text("This topic may grow: we look every ten seconds.")
        expect(sentence).to_be_visible(visible=comes)
        if comes:
            page.clock.run_for(10_000)  # nothing has come yet
            make.grown(growing.topic.campaign)
            page.clock.run_for(10_000)
            shown(page).wait_for()
            expect(page.locator(".judging-toast")).to_have_text("More documents have come.")
            expect(page.locator(".judging-progress")).to_contain_text("2 of 6 judged")


@pytest.mark.usefixtures("intercepted")
def test_at_an_end_reached_without_a_network_what_asks_for_more_is_fetched_again(
    pages, growing, ada
):
    page, lost = pages(ada), []
    page.context.route("**/more.js*", lambda route: (lost.append(route), route.abort()))
    opened(page, growing)
    for docno in served(growing):
        expect(shown(page)).to_have_text(docno)
        page.keyboard.press("0")
    expect(page.locator("[data-finished]")).to_be_visible()
    saved(page)
    make.grown(growing.topic.campaign)
    while not lost:
        page.wait_for_timeout(50)
    page.context.unroute("**/more.js*")
    expect(page.locator(".judging-progress")).to_contain_text("2 of 6 judged")
    forgive_requests(pages)


def test_what_is_set_aside_comes_again_and_what_is_brought_back_is_done(pages, growing, ada, olga):
    page = pages(ada)
    for entry in growing.entries.all():
        make.judgment(growing, entry.docno, 1)
    page.goto(address(growing))
    heading = page.locator("[data-finished]").get_by_role("heading")
    expect(heading).to_have_text("Done, 2 of 2")
    expect(page.locator("[data-grows]")).to_be_visible()
    reopening.reset(user=olga, assignment=growing)
    page.evaluate("dispatchEvent(new Event('focus'))")
    shown(page).wait_for()
    [(aside, _)] = growing.set_aside_groups()
    reopening.restore(user=olga, assignment=growing, set_aside_at=aside)
    page.keyboard.press("2")
    expect(page.locator("#kept")).to_contain_text("elsewhere meanwhile: 1. Here you pressed 2.")
    expect(page.locator(".judging-progress")).to_contain_text("2 of 2 judged")
