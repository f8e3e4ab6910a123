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


def test_documents_that_join_come_behind_what_the_assessor_has(judging, assignment, pat):
    order = served(assignment)
    go(judging, "2", order[1])
    extend(assignment.topic.campaign, pat)
    for n, docno in enumerate(order[2:]):
        go(judging, str(n % 3), docno)
    judging.keyboard.press("1")
    saved(judging)
    judging.reload()
    shown(judging).wait_for()
    after = served(assignment)
    assert after[: len(order)] == order
    assert sorted(after[len(order) :]) == ["late-1", "late-2", "late-3"]
    expect(shown(judging)).to_have_text(after[len(order)])
    for docno in after[len(order) + 1 :]:
        go(judging, "3", docno)
    judging.keyboard.press("3")
    saved(judging)
    grades = said(assignment)
    assert len(grades) == 27
    assert [grades[docno] for docno in after[len(order) :]] == [3, 3, 3]
