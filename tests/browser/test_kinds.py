"""A kind of item is added, a claim that is judged yes or no: from the pool to agreement."""

import pytest
from django.template import Template
from playwright.sync_api import expect

from assess.access.answers import Invalid
from assess.core.answers import Answer, with_grade
from assess.models.judging import Judgment
from assess.models.official import OfficialGrade
from assess.models.presenting import PRESENTERS, Presenter
from assess.services.judging import judge
from campaigns.core.criteria import KINDS, read
from cleverdon.agreement.statistics import agreement_report, tallied
from collection.models.items import Item
from collection.models.texts import text_shown
from qrels.services.publishing import publish_qrels
from tests import make
from tests.browser import further
from tests.browser.conftest import address, forgive_requests, opened, said, served
from tests.browser.outbox import cut, mend, not_saved, press, unsaved
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser
CLAIM, KEYS = "claim", [f"c{n}" for n in range(6)]
YES_NO = [
    {"value": 0, "label": "no", "description": ""},
    {"value": 1, "label": "yes", "description": ""},
]
ANSWERS = "0 | no\n1 | yes"
CRITERIA = f"clear | Is it clear?\n{ANSWERS}\ncurrent | Is it current? | about claim\n{ANSWERS}"
BODY = "<blockquote>{{ document.part.text }}</blockquote>"


@pytest.fixture
def claims(assignment, ada, ben, monkeypatch):
    """Six claims of the second topic for Ada, and half of them for Ben too."""
    presenter = Presenter(Template(BODY), lambda item, start: text_shown(item.parts["text"], start))
    monkeypatch.setitem(PRESENTERS, CLAIM, presenter)
    monkeypatch.setattr("campaigns.core.criteria.KINDS", [*KINDS, CLAIM])
    campaign, pool = assignment.topic.campaign, assignment.pool
    campaign.scale_grades = YES_NO
    campaign.save()
    topic = campaign.topic_set.get(number="2")
    for key in KEYS:
        parts = {"text": f"{key} holds."}
        item = Item.objects.create(campaign=campaign, topic=topic, kind=CLAIM, key=key, parts=parts)
        make.pooled(pool, topic, item)
    make.assignment(topic, ben, "second", share=0.5)
    return make.assignment(topic, ada)


@pytest.mark.usefixtures("intercepted")
def test_claims_are_judged_by_keys_through_the_outbox(pages, claims, ada):
    claims.topic.campaign.takes_evidence = True
    claims.topic.campaign.save()
    page, order = pages(ada), served(claims)
    opened(page, claims)
    expect(page.locator("blockquote")).to_have_text(f"{order[0]} holds.")
    page.keyboard.press("e")
    expect(not_saved(page)).to_have_text("There is no text here to mark.")
    expect(page.locator(".grade-button")).to_have_text(["0 no", "1 yes"])
    cut(page)
    press(page, claims, "1", "0", "1")
    expect(page.locator("blockquote")).to_have_text(f"{order[3]} holds.")
    unsaved(page, 3)
    mend(page)
    saved(page)
    page.keyboard.press("u")
    expect(shown(page)).to_have_text(order[2])
    press(page, claims, "0", "l")
    saved(page)
    assert said(claims) == {order[0]: 1, order[1]: 0, order[2]: 0, order[3]: "later"}
    page.goto(f"{address(claims)}documents/")
    expect(page.locator("tbody tr")).to_have_count(6)
    page.get_by_role("link", name=order[1]).click()
    expect(page.locator("blockquote")).to_have_text(f"{order[1]} holds.")
    forgive_requests(pages)


def test_a_criterion_is_asked_of_items_of_its_kind(pages, assignment, claims, ada):
    campaign, page = claims.topic.campaign, pages(ada)
    campaign.criteria = [each.to_json() for each in read(CRITERIA)]
    campaign.save()
    for its, criterion in ((assignment, "clear"), (claims, "current")):
        opened(page, its)
        page.keyboard.press("1")
        further.press(page, "0", f"Is it {criterion}?")
        saved(page)
        assert further.judgment(served(its)[0]) == (1, {criterion: 0}, [])
    answer = Answer(served(claims)[0], "judged", with_grade(1, {"clear": 0, "current": 0}))
    with pytest.raises(Invalid, match="clear is not a criterion"):
        judge(assessor=ada, assignment=claims, answer=answer)


def test_their_grades_are_compared_and_stay_out_of_the_qrels(client, claims, assignment, ben, olga):
    second = claims.topic.assignment_set.get(assessor=ben)
    for n, key in enumerate(served(claims)):
        make.judgment(claims, key, n % 2)
    for key in served(second):
        make.judgment(second, key, Judgment.objects.get(item__key=key).grade)
    campaign = claims.topic.campaign
    make.judgment(assignment, "d03", 1)
    qrels = publish_qrels(user=olga, campaign=campaign)
    assert make.content(qrels.file) == b"1 0 d03 1\n", "qrels are of documents"
    official = OfficialGrade.objects.current().filter(item__kind=CLAIM)
    assert dict(official.values_list("item__key", "grade")) == {
        key: n % 2 for n, key in enumerate(served(claims))
    }
    rows = Judgment.objects.twice_judged(campaign)
    assert {key for _, key, *_ in rows} == set(served(second))
    assert agreement_report(tallied(rows), grades=[0, 1], level=1).overall.graded.raw == 1
    client.force_login(olga)
    page = client.get(f"/campaigns/{campaign.slug}/agreement/")
    assert "3 documents" in page.content.decode()
    docnos = client.get(f"/campaigns/{campaign.slug}/pool/docnos.txt").getvalue().decode()
    assert docnos.split() == [f"d{n:02}" for n in range(24)], "no claim can be imported"
