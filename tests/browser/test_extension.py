"""A batch joins the pool while somebody judges: nothing moves, and the new documents come last."""

import pytest
from playwright.sync_api import expect

from runs.models import Run
from tests import make
from tests.browser.conftest import go, said, served
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser


def extend(campaign, pat) -> None:
    """Add three documents of a late run."""
    make.documents(campaign, ["late-1", "late-2", "late-3"])
    late = make.run(campaign, pat, {"1": "late-1 d03 late-2 late-3"}, "late")
    make.frozen(make.batch(campaign, [*Run.objects.exclude(pk=late.pk), late], depth=4))


def test_an_open_page_takes_what_joins_at_the_end_and_when_its_reader_comes_back(
    judging, assignment, pat
):
    order = served(assignment)
    end = judging.get_by_text("Every document of this topic is judged")
    asks = judging.get_by_text("The server cannot be reached. More documents are asked for")
    for docno in order[1:]:
        go(judging, "2", docno)
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
