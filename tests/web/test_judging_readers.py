"""The judging page for another reader, a successor, an earlier text, or after the last day."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.web.own import GONE
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from campaigns.web import frame
from questions.models import TopicNote
from tests import make
from tests.web.html import source
from tests.web.judging import closed, judge, refused


@pytest.mark.parametrize("who", ["ben", "olga", "sam"])
def test_that_somebody_else_has_signed_in_is_said_at_once(client, assignment, ada, who, request):
    """Whatever they may do here: next and previous, back and forward, a judgment, a note."""
    address = f"/campaigns/{assignment.topic.campaign.slug}/judging/{assignment.pk}/"
    page = client.get(address).text
    assert f'data-user="{ada.pk}"' in page
    forms = re.findall(r"<form[^>]*/judging/.*?</form>", page, re.DOTALL)
    assert len(forms) == 2, "the note and a question"
    assert all(f'name="reader" value="{ada.pk}"' in form for form in forms)
    client.force_login(request.getfixturevalue(who))
    if who == "ben":
        Assignment.objects.update(assessor=request.getfixturevalue(who))
    headers = {"HX-Request": "true", "Judging-Reader": str(ada.pk)}
    written = {"text": "Ada's", "reader": ada.pk}
    for answer in (
        client.get(f"{address}?number=2", headers=headers),
        client.get(f"{address}queue/", headers=headers),
        client.get(f"{address}documents/1/", headers=headers),
        client.post(f"{address}lend/", headers=headers),
        judge(client, assignment, "d1", reader=ada.pk),
        client.post(f"{address}words/", {"changes": "[]"}, headers=headers),
        client.post(f"{address}note/", written, headers=headers),
        client.post(f"{address}questions/", written, headers=headers),
    ):
        assert answer.status_code == 401, "it is sent again"
        assert answer["Content-Type"].startswith(("text/plain", "application/problem+json"))
        assert f"{who.title()} has signed in since" in answer.text
    assert not JudgmentEvent.objects.exists()
    assert not TopicNote.objects.exists()


def test_the_pages_are_closed_to_a_member_who_is_no_longer_an_assessor(client, assignment, ada):
    campaign = assignment.topic.campaign
    campaign.membership_set.filter(user=ada).update(role=Role.ORGANIZER)
    address = f"/campaigns/{campaign.slug}/judging/{assignment.pk}/"
    for response in (
        client.get(address),
        client.get(f"{address}documents/"),
        judge(client, assignment, "d1"),
    ):
        assert "You are no longer an assessor of" in source(response, 403)
    assert not Judgment.objects.exists()


ANSWERS = {
    "a grade": {"choice": "3", "comment": "secret words"},
    "cannot judge": {"choice": "cannot_judge", "reason": "language", "comment": "secret words"},
    "later": {"choice": "later", "comment": "secret words"},
}
NOT_TOLD = (
    "secret words",
    'aria-pressed="true"',
    "I don&#x27;t read this language</span>",
    "Reason:",
    "You judged",
)


@pytest.mark.parametrize("sent", ANSWERS.values(), ids=ANSWERS)
def test_no_page_of_judging_shows_what_somebody_else_judged_before(client, assignment, ben, sent):
    address = f"/campaigns/{assignment.topic.campaign.slug}/judging/{assignment.pk}/"
    last = assignment.entries.order_by("position").last()
    judge(client, assignment, last.docno, **sent)
    at, back = f"{address}?number={last.number}", assignment.assessor

    def pages() -> str:
        return "".join(client.get(each).text for each in (at, f"{address}documents/"))

    assert "secret words" in pages()
    Assignment.objects.update(assessor=ben)
    assignment.topic.campaign.topic_set.update(version=2)
    client.force_login(ben)
    html = pages()
    assert not [each for each in NOT_TOLD if each in html]
    assert html.count(f"by {back}, before you") == 2
    assert not re.search(r'<td class="number">3</td>\s*<td>', html)
    assert "highly" not in re.search(r"<article.*?</article>", html, re.DOTALL)[0]
    closed(assignment)
    html = pages()
    assert not [each for each in NOT_TOLD if each in html]


def test_the_page_says_what_it_showed(client, campaign, assignment):
    address = f"/campaigns/{campaign.slug}/judging/{assignment.pk}/?number=1"
    docno = assignment.entries.get(position=0).docno
    campaign.document_set.filter(docno=docno).update(version=4)
    campaign.topic_set.filter(number="1").update(version=3)

    def sent() -> dict[str, str]:
        html = client.get(address).text
        return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', html))

    found = sent()
    names = ("document_version", "topic_version", "scale")
    assert [found[name] for name in names] == ["4", "3", campaign.asked_version]
    assert not refused(judge(client, assignment, docno, **{name: found[name] for name in names}))
    campaign.document_set.all().delete()
    assert sent()["document_version"] == "0"


def test_a_judgment_of_an_earlier_text_is_marked(client, campaign, assignment):
    address = f"/campaigns/{campaign.slug}/judging/{assignment.pk}/?number=1"
    docno = assignment.entries.get(position=0).docno
    make.judgment(assignment, docno, 1)
    assert "was replaced since" not in client.get(address).text
    campaign.document_set.update(version=2)
    campaign.topic_set.update(version=2)
    html = client.get(address).text
    assert "You judged version 1 of this text." in html
    assert "You judged it for version 1 of the topic." in html


def test_the_list_of_ones_documents_stays_open_after_closing(client, campaign, assignment, ben):
    make.judgment(assignment, "d1", 1)
    closed(assignment)
    address = f"/campaigns/{campaign.slug}/judging/{assignment.pk}/"
    assert client.get(address).headers["Location"] == f"{address}documents/"
    for path in (f"{address}documents/", f"{address}?number=1"):
        html = client.get(path).text
        assert "Judging closed on" in html
        assert "Continue judging" not in html
        assert "grade-button" not in html
    opens_at = timezone.now() + timedelta(days=1)
    Campaign.objects.update(judging_closes_at=None, judging_opens_at=opens_at)
    for path in (address, f"{address}documents/"):
        assert "Judging opens on" in client.get(path).text
    client.force_login(ben)
    assert client.get(f"{address}documents/").status_code == 404


def test_the_list_marks_what_was_judged_by_an_earlier_text(client, campaign, assignment):
    judge(client, assignment, "d1")
    campaign.document_set.filter(docno="d2").delete()
    judge(client, assignment, "d2", "cannot_judge", reason="missing")
    address = f"/campaigns/{campaign.slug}/judging/{assignment.pk}/documents/"
    html = client.get(address).text
    assert "an earlier text" not in html
    assert "imported since" not in html
    campaign.document_set.filter(docno="d1").update(version=2)
    make.documents(campaign, ["d2"])
    html = client.get(address).text
    assert html.count("an earlier text") == html.count("imported since") == 1


def test_the_order_of_documents_tells_no_grade_of_another(client, assignment, ben, monkeypatch):
    monkeypatch.setattr(frame, "PER_PAGE", 2)
    for docno, grade in (("d1", 0), ("d2", 3), ("d3", 1)):
        make.judgment(assignment, docno, grade)
    slug = assignment.topic.campaign.slug
    address = f"/campaigns/{slug}/judging/{assignment.pk}/documents/?entries-sort=-Grade"

    def order() -> list[str]:
        return re.findall(r"<code>(d\d)</code></a>\s*</th>", client.get(address).text)

    assert order() == ["d2", "d3"]
    Assignment.objects.update(assessor=ben)
    client.force_login(ben)
    served = assignment.entries.order_by("position").values_list("item__key", flat=True)
    assert order() == list(served)[:2]


def test_an_open_page_is_told_that_its_topic_is_gone(client, assignment, ada):
    address = f"/campaigns/{assignment.topic.campaign.slug}/judging/{assignment.pk}/"
    headers = {"HX-Request": "true", "Judging-Reader": str(ada.pk)}
    Assignment.objects.all().delete()
    assert GONE in source(client.get(f"{address}documents/1/", headers=headers), 409)
