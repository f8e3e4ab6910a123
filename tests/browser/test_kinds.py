"""A kind of item is added, a claim with a scale of its own: from the pool to agreement."""

import csv

import pytest
from django.db.models import F, Func, IntegerField, TextField
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Cast
from django.template import Template
from playwright.sync_api import expect

from accounts.access import Refused
from agreement.tallies import so_far
from assess.core.answers import Answer, with_grade
from assess.models.judging import Judgment
from assess.models.official import OfficialGrade
from assess.models.presenting import PRESENTERS, Presenter
from assess.models.records import judgment_records, official_records
from assess.services.judging import judge
from campaigns.core.criteria import KINDS
from cleverdon.agreement.measured import Groups
from collection.models.items import Item
from collection.models.texts import Document, text_shown
from qrels.services.kept_judgments import unpacked
from qrels.services.publishing import publish_qrels
from tests import make
from tests.asked import criterion, graded_by
from tests.browser import further
from tests.browser.conftest import address, forgive_requests, opened, said, served
from tests.browser.outbox import cut, mend, not_saved, press, unsaved
from tests.onscreen import saved, shown
from tests.several import twice_judged

pytestmark = pytest.mark.browser
CLAIM, KEYS = "claim", [f"c{n}" for n in range(6)]
VERDICT = criterion("verdict", "Does it hold?", ("refuted", "disputed", "supported"), kind=CLAIM)
YES_NO = ("no", "yes")
CLEAR = criterion("clear", "Is it clear?", YES_NO)
CURRENT = criterion("current", "Is it current?", YES_NO, kind=CLAIM, from_grade=1)
BODY = "<blockquote>{{ document.part.text }}</blockquote>"


def hash_of(parts: str) -> CombinedExpression:
    """The column of a hash of all parts of an item, as a whole number above 0 of 31 bits."""
    written = Cast(F(parts), TextField())
    hashed = Func(written, function="hashtext", output_field=IntegerField())
    return hashed.bitand(2**31 - 1).bitor(1)


def both_parts(item: Item, start: int) -> Document:
    claim, source = item.parts["text"], item.parts["source"]
    shown = text_shown(f"{claim}\n\n{source}", start)
    shown.version = Item.objects.values_list(hash_of("parts"), flat=True).get(pk=item.pk)
    return shown


@pytest.fixture
def claims(assignment, ada, ben, monkeypatch):
    """Six claims of the second topic for Ada, and half of them for Ben too."""
    presenter = Presenter(Template(BODY), lambda item, start: text_shown(item.parts["text"], start))
    monkeypatch.setitem(PRESENTERS, CLAIM, presenter)
    monkeypatch.setattr("campaigns.core.criteria.KINDS", [*KINDS, CLAIM])
    campaign, pool = assignment.topic.campaign, assignment.pool
    campaign.criteria = [*graded_by({0: "no", 2: "yes"}, 2), VERDICT]
    campaign.save()
    topic = campaign.topic_set.get(number="2")
    for key in KEYS:
        parts = {"text": f"{key} holds.", "source": "A newspaper."}
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
    expect(page.locator("blockquote")).to_contain_text(f"{order[0]} holds.")
    page.keyboard.press("e")
    expect(not_saved(page)).to_have_text("There is no text here to mark.")
    keys = page.locator(".grade-button:visible")
    expect(keys).to_have_text(["0 refuted", "1 disputed", "2 supported"])
    page.keyboard.press("3")
    expect(not_saved(page)).to_have_text("3 is not a grade here.")
    cut(page)
    press(page, claims, "1", "0", "2")
    expect(page.locator("blockquote")).to_contain_text(f"{order[3]} holds.")
    unsaved(page, 3)
    mend(page)
    saved(page)
    expect(page.locator(".judging-toast")).to_have_text(f"{order[2]}: grade 2, supported.")
    page.keyboard.press("u")
    expect(shown(page)).to_have_text(order[2])
    expect(page.locator(".document-place")).to_contain_text("it was 2 supported")
    press(page, claims, "0", "l")
    saved(page)
    assert said(claims) == {order[0]: 1, order[1]: 0, order[2]: 0, order[3]: "later"}
    page.goto(f"{address(claims)}documents/")
    expect(page.locator("tbody tr")).to_have_count(6)
    page.get_by_role("link", name=order[1]).click()
    expect(page.locator("blockquote")).to_contain_text(f"{order[1]} holds.")
    forgive_requests(pages)


def test_what_is_pressed_after_a_part_was_replaced_is_refused(pages, claims, ada, monkeypatch):
    """Of a claim that is shown with its source."""
    shown = Presenter(Template(BODY), both_parts, lambda item: hash_of(f"{item}__parts"))
    monkeypatch.setitem(PRESENTERS, CLAIM, shown)
    page, [first, *_] = pages(ada), served(claims)
    opened(page, claims)
    item = Item.objects.get(key=first)
    item.parts["source"] = "A rumor."
    item.save()
    page.keyboard.press("2")
    kept = page.locator("#kept")
    expect(kept).to_contain_text(
        f"The text of {first} is not the one that was read: read it again."
    )
    assert not Judgment.objects.exists()
    kept.get_by_role("button", name="Dismiss").click()
    page.goto(f"{address(claims)}?number=1")
    expect(page.locator("blockquote")).to_contain_text("A rumor.")
    press(page, claims, "0")
    saved(page)
    judgment = Judgment.objects.get()
    assert (judgment.docno, judgment.grade) == (first, 0)
    now = claims.entries.with_versions().get(item=item).present_version
    assert judgment.document_version == now > 1
    assert not Judgment.objects.on_earlier().exists()
    item.parts["text"] = "Another claim."
    item.save()
    assert Judgment.objects.on_earlier().get() == judgment
    [record] = [each for each in judgment_records(claims.topic.campaign) if each.docno == first]
    assert record.earlier == "document"


def test_a_criterion_is_asked_of_items_of_its_kind(pages, assignment, claims, ada):
    campaign, page = claims.topic.campaign, pages(ada)
    campaign.criteria = [*campaign.criteria, CLEAR, CURRENT]
    campaign.save()
    for its, asked, buttons in (
        (assignment, "clear", ["0 no", "2 yes"]),
        (claims, "current", ["0 refuted", "1 disputed", "2 supported"]),
    ):
        opened(page, its)
        expect(page.locator(".grade-button:visible")).to_have_text(buttons)
        page.keyboard.press("2")
        further.press(page, "0", f"Is it {asked}?")
        saved(page)
        assert further.judgment(served(its)[0]) == (2, {asked: 0}, [])


def test_an_answer_is_one_of_the_criterion_of_its_kind(assignment, claims, ada):
    campaign = claims.topic.campaign
    campaign.criteria = [*campaign.criteria, CLEAR, CURRENT]
    campaign.save()
    claim, document = served(claims)[0], served(assignment)[0]
    for its, docno, grade, beside, message in (
        (claims, claim, 1, {"clear": 0, "current": 0}, "clear is not a criterion"),
        (claims, claim, 3, {"current": 0}, "3 is not a grade"),
        (assignment, document, 1, {"clear": 0}, "1 is not a grade"),
        (claims, claim, 1, {}, "needs an answer to current"),
    ):
        answer = Answer(docno, "judged", with_grade(grade, beside))
        with pytest.raises(Refused, match=message):
            judge(assessor=ada, assignment=its, answer=answer)
    stored = judge(assessor=ada, assignment=claims, answer=Answer(claim, "judged", with_grade(0)))
    assert (stored.grade, stored.answers) == (0, {"grade": 0}), "no more is asked at 0"


def test_their_grades_are_compared_and_stay_out_of_the_qrels(client, claims, assignment, ben, olga):
    second = claims.topic.assignment_set.get(assessor=ben)
    for n, key in enumerate(served(claims)):
        make.judgment(claims, key, n % 3)
    for key in served(second):
        make.judgment(second, key, Judgment.objects.get(item__key=key).grade)
    campaign = claims.topic.campaign
    make.judgment(assignment, "d03", 2)
    qrels = publish_qrels(user=olga, campaign=campaign)
    assert make.content(qrels.file) == b"1 0 d03 2\n", "qrels are of documents"
    assert {row["docno"] for row in csv.DictReader(unpacked(qrels.judgments))} == {"d03"}
    assert (qrels.level, campaign.level) == (2, 2), "a claim is not relevant from any grade"
    assert OfficialGrade.objects.grades(campaign) == {"1": {"d03": 2}}
    official = OfficialGrade.objects.current().filter(item__kind=CLAIM)
    assert dict(official.values_list("item__key", "grade")) == {
        key: n % 3 for n, key in enumerate(served(claims))
    }
    assert {each.criterion for each in official_records(campaign)} == {"relevance", "verdict"}
    assert twice_judged(campaign) == [], "their grades are none of documents"
    assert {key for _, key, *_ in twice_judged(campaign, "verdict")} == set(served(second))
    make.judgment(make.assignment(assignment.topic, ben, "second"), "d03", 0)
    tally = so_far(campaign)
    assert tally.grades.n_items == 1
    [raw] = Groups(tally.by_criterion["verdict"], 1).figures("raw", "grades")
    assert raw.value == 1
    client.force_login(olga)
    page = client.get(f"/campaigns/{campaign.slug}/agreement/").content.decode()
    assert "Does it hold?" in page
    docnos = client.get(f"/campaigns/{campaign.slug}/pool/docnos.txt").getvalue().decode()
    assert docnos.split() == [f"d{n:02}" for n in range(24)], "no claim can be imported"
