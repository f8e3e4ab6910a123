"""Questions on pages: asked by assessors, answered by organizers, shown without a name."""

import re
from uuid import uuid4

import pytest
from django.test import Client

from assess.models.assigning import Assignment
from assess.models.presenting import PRESENTERS, Presenter
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from collection.models.texts import Document
from questions.models import Answering, AnswerSeen, Question
from tests import make
from tests.tokens import made, program
from tests.web.html import source
from tests.web.judging import closed
from tests.web.judging import read as shown

BY_SCRIPT = {"HX-Request": "true"}


def base(assignment) -> str:
    return f"/campaigns/{assignment.topic.campaign.slug}/judging/"


def asked(client, assignment, text="Do bats count?", **more) -> Question:
    sent = {"client_id": str(uuid4()), "text": text, **more}
    assert client.post(f"{base(assignment)}{assignment.pk}/questions/", sent).status_code == 302
    return Question.objects.latest("pk")


def answered(client, assignment, question, text="They do not.", **more):
    sent = {"text": text, "audience": "asker", "seen": 0, **more}
    return client.post(f"{base(assignment)}questions/{question.pk}/", sent)


def test_what_waits_is_counted_where_organizers_look(client, assignment, olga):
    asked(client, assignment, about="d1")
    client.force_login(olga)
    overview = base(assignment).removesuffix("judging/")
    for page in (overview, base(assignment)):
        html = shown(client, page)
        assert "1 question from assessors waits" in html
        assert f'href="{base(assignment)}questions/"' in html
    html = shown(client, f"{base(assignment)}questions/")
    assert "1 question to answer" in html
    assert "Do bats count?" in html
    assert "<code>d1</code>" in html
    assert answered(client, assignment, Question.objects.get()).status_code == 302
    assert "Every question is answered" in shown(client, f"{base(assignment)}questions/")
    assert "They do not." in shown(client, f"{base(assignment)}questions/?state=answered")
    assert "waits" not in shown(client, base(assignment))
    assert client.get(f"{base(assignment)}questions/?state=odd").status_code == 404


def test_only_a_document_that_is_not_there_is_said_not_to_be(client, assignment, olga, monkeypatch):
    text = Document(text="It holds.")
    monkeypatch.setitem(PRESENTERS, "claim", Presenter("", lambda item, start: text))
    question, items = asked(client, assignment, about="d1"), assignment.topic.items
    at = f"{base(assignment)}questions/{question.pk}/"
    client.force_login(olga)
    assert 'documents/d1/"><code>d1</code></a>' in shown(client, at)
    items.filter(key="d1").update(kind="claim")  # a document has that docno all the same
    assert "<li> <code>d1</code></li>" in shown(client, at)
    items.filter(key="d1").update(kind="document")
    Document.objects.filter(docno="d1").delete()
    assert "<code>d1</code>, not imported" in shown(client, at)


def test_earlier_answers_are_folded_and_what_is_new_or_waits_is_not(client, assignment, ada, olga):
    rows = [asked(client, assignment, text=f"Question {n}?") for n in range(8)]
    client.force_login(olga)
    for n in (0, 1, 2, 4, 5, 7):
        answered(client, assignment, rows[n], text=f"Answer {n}.")
    client.force_login(ada)
    address = base(assignment)
    assert "earlier answer" not in shown(client, address), "all are new or wait"
    AnswerSeen.objects.bulk_create(
        AnswerSeen(answer=each, reader=ada) for each in Answering.objects.exclude(text="Answer 1.")
    )
    unfolded, _, folded = shown(client, address).partition("3 earlier answers</summary>")
    folded = folded.partition("</details>")[0]
    assert re.findall(r"Question (\d)", unfolded) == ["7", "6", "5", "3", "1"]
    assert re.findall(r"Question (\d)", folded) == ["4", "2", "0"]
    assert re.findall(r"Answer (\d)", folded) == ["4", "2", "0"]


def test_an_answer_is_shown_where_its_asker_looks_until_it_was_seen(client, assignment, ada, olga):
    question = asked(client, assignment, about="d1")
    client.force_login(olga)
    answered(client, assignment, question)
    client.force_login(ada)
    pages = (
        base(assignment),
        f"{base(assignment)}{assignment.pk}/",
        f"{base(assignment)}{assignment.pk}/questions/",
    )
    for page in pages:
        html = shown(client, page)
        assert "They do not." in html
        assert "1 new answer" in html
    sent = {"answers": str(Answering.objects.get().pk)}
    answer = client.post(
        f"{base(assignment)}questions/seen/",
        sent,
        headers={"Referer": f"http://testserver{pages[1]}?number=2"},
    )
    assert answer["Location"] == f"{pages[1]}?number=2"
    assert AnswerSeen.objects.get().reader == ada
    for page in pages:
        html = shown(client, page)
        assert "They do not." in html
        assert "new answer" not in html


def test_an_answer_to_all_names_neither_who_asked_nor_the_document(client, assignment, ben, olga):
    question = asked(client, assignment, about="d3")
    client.force_login(olga)
    answered(client, assignment, question, audience="topic")
    second = make.assignment(assignment.topic, ben, Assignment.Kind.SECOND)
    client = Client()
    client.force_login(ben)
    html = shown(client, f"{base(assignment)}{second.pk}/questions/")
    assert "Do bats count?" in html
    assert "They do not." in html
    assert "About a document of topic 1" in html
    assert not re.search(r"\bd3\b", html)
    assert not re.search(r"\bAda\b", html)
    assert "Withdraw" not in html


def test_what_cannot_be_asked_comes_back(client, assignment):
    sent = {"client_id": str(uuid4()), "text": "Odd <text>", "about": ""}
    own = f"{base(assignment)}{assignment.pk}/"
    assert client.post(f"{own}questions/", {**sent, "client_id": "x"}).status_code == 422
    closed(assignment)
    for headers, status in (({}, 422), (BY_SCRIPT, 409)):
        answer = client.post(f"{own}questions/", sent, headers=headers)
        assert answer.status_code == status
        assert "Judging closed" in answer.text
        assert ("Odd &lt;text&gt;</textarea>" in answer.text) == (status == 422)
    assert "Ask the organizers…" not in shown(client, f"{own}?number=1")


@pytest.mark.parametrize("page", ["questions/", "note/"])
def test_who_may_judge_no_more_is_not_shown_the_form_again(client, assignment, ada, page):
    campaign = assignment.topic.campaign
    Campaign.objects.update(refuses_conflicts=True)
    [team] = campaign.team_set.filter(run__is_pooled=True)
    campaign.membership_set.create(user=ada, role=Role.PARTICIPANT, team=team)
    sent = {"client_id": str(uuid4()), "text": "Odd <text>"}
    answer = client.post(f"{base(assignment)}{assignment.pk}/{page}", sent)
    assert "Your team has a run in the pool" in source(answer, 403)
    assert "Odd &lt;text&gt;" in answer.text


def test_a_question_is_withdrawn_from_the_page(client, assignment, ada, olga):
    question = asked(client, assignment)
    address = f"{base(assignment)}questions/{question.pk}/withdraw/"
    other = make.campaign(olga, assessors=[ada])
    elsewhere = address.replace(f"/{assignment.topic.campaign.slug}/", f"/{other.slug}/")
    assert client.post(elsewhere, headers=BY_SCRIPT).status_code == 404
    assert client.post(address, headers=BY_SCRIPT).json() == {}
    assert "Do bats count?" not in shown(client, base(assignment))
    client.force_login(olga)
    assert "Do bats count?" in shown(client, f"{base(assignment)}questions/?state=withdrawn")
    assert "there is nothing to answer" in shown(
        client, f"{base(assignment)}questions/{question.pk}/"
    )
    assert "waits" not in shown(client, base(assignment))


def test_who_answers_is_told_who_reads_it(client, campaign, assignment, ada, olga):
    question = asked(client, assignment)
    client.force_login(olga)
    page, address = f"{base(assignment)}questions/{question.pk}/", f"{base(assignment)}questions/"

    def told(audience: str) -> str:
        last = question.answers.last()
        seen = last.pk if last else 0
        answered(client, assignment, question, audience=audience, seen=seen)
        return shown(client, address)

    gone = "Ada is no longer an assessor of the campaign"
    assert gone not in shown(client, page)
    assert "Ada reads your answer." in told("asker")
    assert "Ada and every assessor of topic 1 read your answer." in told("topic")
    assert "Ada and every assessor of the campaign read your answer." in told("campaign")
    campaign.membership_set.filter(user=ada).delete()
    assert f"{gone} and will not read the answer." in shown(client, page)
    assert "Your answer is kept, but Ada is no longer an assessor" in told("asker")
    assert f"read by every assessor of the campaign. {gone}" in told("campaign")


def test_the_first_answer_is_not_overwritten_unseen(client, assignment, olga):
    question = asked(client, assignment)
    client.force_login(olga)
    page = client.get(f"{base(assignment)}questions/{question.pk}/").text
    [seen] = re.findall(r'name="seen" value="(.*?)"', page)
    assert answered(client, assignment, question, seen=seen).status_code == 302
    late = answered(client, assignment, question, "They do.", seen=seen)
    assert "They do.</textarea>" in source(late, 422)
    assert answered(client, assignment, question, "They do.", seen="").status_code == 422


def test_what_a_program_asks_is_told_as_the_list_tells_it(client, assignment, ada, olga):
    adas, at = program(made(ada, "judge")), f"/api/v1/campaigns/{assignment.topic.campaign.slug}/"
    sent = {"text": "Do bats count?", "client_id": str(uuid4())}

    def told():
        return adas.post(f"{at}work/{assignment.public_id}/ask/", sent, "application/json").json()

    listed = f"{at}questions/{sent['client_id']}/"
    assert told() == adas.get(listed).json()
    client.force_login(olga)
    answered(client, assignment, Question.objects.get())
    assert told() == adas.get(listed).json()
    assert told()["answer"] == "They do not."
