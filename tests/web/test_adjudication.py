"""The pages of adjudication: who is asked, what is told, and one document's grades."""

import re

import pytest

from assess.models.assigning import Assignment
from assess.models.official import OfficialGrade
from assess.services import handover
from tests import make
from tests.db.judging import act, answer

pytestmark = pytest.mark.django_db


@pytest.fixture
def disputed(campaign, ada, ben, pat):
    """Ada and Ben differ on d1, and Cleo has judged nothing."""
    cleo = make.user("cleo")
    campaign.membership_set.create(user=cleo, role="assessor")
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2"})])
    topic = campaign.topic_set.get(number="1")
    for person, kind, grade in ((ada, "primary", 0), (ben, "second", 3)):
        given = make.assignment(topic, person, kind)
        answer(given, "d1", grade=grade, comment=f"{person} says {grade}.")
        answer(given, "d2", grade=1)
    return topic


def at(topic) -> str:
    return f"/campaigns/{topic.campaign.slug}/agreement/adjudication/"


def document(topic, docno: str = "d1") -> str:
    return f"/campaigns/{topic.campaign.slug}/agreement/topics/{topic.pk}/documents/{docno}/"


def ask(client, disputed, name: str, **more):
    person = make.known(name).pk
    return client.post(at(disputed), {"assessor": person, "least_steps": 1, **more}, follow=True)


def seen(page: str) -> str:
    return re.search(r'name="seen" value="(\w+)"', page)[1]


def text(answer) -> str:
    return " ".join(answer.content.decode().split())


def test_it_says_what_is_in_dispute_and_whom_one_asks(sign_in, disputed, olga):
    client = sign_in(olga)
    page = text(client.get(at(disputed)))
    assert "<h1>1 document in dispute</h1>" in page
    assert "nobody yet" in page
    page = text(ask(client, disputed, "cleo"))
    assert "Cleo has 1 document of 1 topic to decide." in page
    made = Assignment.objects.get(kind="adjudication")
    assert f"/judging/{made.pk}/assignment/" in page
    assert "Ask somebody to decide" not in page, "nothing waits any more"
    answer(made, "d1", grade=3)
    page = client.get(at(disputed))
    assert "<h1>Every dispute is decided</h1>" in text(page)
    beside = [(row.name, *row.accuracy[:2], row.accuracy.bias) for row in page.context["beside"]]
    assert beside == [("Ada", 1, 0, -3.0), ("Ben", 1, 1, 0.0)]
    documents = client.get(f"/campaigns/{disputed.campaign.slug}/agreement/documents/?at_least=1")
    assert f'href="{document(disputed)}"' in text(documents)


def test_whoever_judged_in_it_is_refused_at_the_form(sign_in, disputed, olga):
    page = ask(sign_in(olga), disputed, "ada")
    assert page.status_code == 422
    assert "Ada already judges topic 1." in text(page)


def test_only_what_is_far_enough_apart_is_asked_for_of_one_topic(sign_in, disputed, olga):
    client = sign_in(olga)
    page = ask(client, disputed, "cleo", least_steps=3, topic=disputed.pk)
    assert "Cleo has 1 document of 1 topic to decide." in text(page)
    assert Assignment.objects.get(kind="adjudication").least_steps == 3


def test_nothing_in_dispute_says_when_something_is(sign_in, campaign, olga):
    page = text(sign_in(olga).get(f"/campaigns/{campaign.slug}/agreement/adjudication/"))
    assert "<h1>Nothing is in dispute</h1>" in page


def test_an_adjudicator_finds_it_on_the_page_of_judging_with_what_came_since(
    sign_in, disputed, olga, ben
):
    ask(sign_in(olga), disputed, "cleo")
    answer(Assignment.objects.get(assessor=ben), "d2", grade=0)
    page = text(sign_in(make.known("cleo")).get(f"/campaigns/{disputed.campaign.slug}/judging/"))
    assert "to be adjudicated" in page
    assert "<b>2 left</b>" in page


def test_the_document_tells_what_was_said_and_by_whom_only_once_it_is_decided(
    sign_in, disputed, olga
):
    ask(sign_in(olga), disputed, "cleo")
    made, client = Assignment.objects.get(kind="adjudication"), sign_in(make.known("cleo"))
    place = f"/campaigns/{disputed.campaign.slug}/judging/{made.pk}/documents/1/"
    page = client.get(place, {"version": "1"})
    assert "3 steps apart" in text(page)
    assert "Ada says 0." in text(page)
    assert '<span class="name"></span>' in text(page)
    assert "immutable" not in page.get("Cache-Control", ""), "what others say may change"
    answer(made, "d1", grade=1)
    assert '<span class="name">Ada</span>' in text(client.get(place))


def test_what_was_taken_back_waits_for_somebody_and_says_so(sign_in, disputed, olga):
    client = sign_in(olga)
    ask(client, disputed, "cleo")
    act(handover.take_back, Assignment.objects.get(kind="adjudication"))
    page = text(client.get(f"/campaigns/{disputed.campaign.slug}/judging/"))
    assert "1 adjudication waits for an assessor" in page
    assert "Ask somebody…" in page


def test_nobody_else_is_told_what_an_assessor_said(sign_in, disputed, ben):
    given = Assignment.objects.get(assessor=ben)
    place = f"/campaigns/{disputed.campaign.slug}/judging/{given.pk}/documents/1/"
    assert "opinion" not in text(sign_in(ben).get(place))


def test_one_document_has_its_grades_on_a_page_where_the_official_one_is_corrected(
    sign_in, disputed, olga
):
    client = sign_in(olga)
    page = text(client.get(document(disputed)))
    assert "Officially grade <b>0</b>, the primary assessor&#x27;s (Ada)." in page
    assert "Ben says 3." in page
    sent = {"grade": "2", "reason": "The scan was read wrongly.", "seen": seen(page)}
    page = text(client.post(document(disputed), sent, follow=True))
    assert "d1 officially has grade 2 now." in page
    assert "Officially grade <b>2</b>, an organizer&#x27;s correction (Olga)." in page
    assert "The scan was read wrongly." in page
    stale = client.post(document(disputed), {**sent, "grade": "1"})
    assert stale.status_code == 422
    sent = {"take_back": "1", "seen": seen(page)}
    page = text(client.post(document(disputed), sent, follow=True))
    assert "The correction of d1 is taken back." in page
    assert OfficialGrade.objects.current().get(item__key="d1").grade == 0


def test_a_correction_without_a_reason_stays_in_the_form(sign_in, disputed, olga):
    page = sign_in(olga).post(document(disputed), {"grade": "2", "reason": ""})
    assert page.status_code == 422
    assert '<option value="2" selected' in text(page)


def test_a_document_that_is_not_there_has_no_grades(sign_in, disputed, olga):
    assert sign_in(olga).get(document(disputed, "zz")).status_code == 404
