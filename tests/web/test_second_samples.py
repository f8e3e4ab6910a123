"""The pages of samples by first grade, and of what waits for a second person."""

import pytest

from assess.models.assigning import Assignment
from assess.models.strata import DrawnStratum
from assess.services import handover
from tests import make
from tests.db.judging import answer
from tests.web.html import at
from tests.web.judging import text


@pytest.fixture
def organizer(client, olga, played):
    client.force_login(olga)
    return client


@pytest.fixture
def begun(played, ada):
    """Ada has topic 2, which nobody has judged."""
    return make.assignment(played.topic_set.get(number="2"), ada)


@pytest.fixture
def judged(begun):
    left = begun.entries.values_list("item__key", flat=True)
    make.judgments(begun, dict.fromkeys(left, 1))
    begun.refresh_from_db()
    return begun


@pytest.fixture
def second(judged, ben):
    return make.assignment(judged.topic, ben, "second", n=1)


def post(client, played, assignment, act, **data):
    return client.post(at(played, "desk:assignment", assignment.pk), {"act": act, **data})


def test_a_plan_is_shown_and_carried_out_by_number_and_grade(organizer, played, begun):
    there = at(played, "assess:distribute")
    asked = {"second_percent": 0, "documents": 2, "by_grade": "on"}
    page = organizer.get(there, asked)
    assert "has not graded all of it yet: plan again then" in text(page)
    make.judgments(begun, dict.fromkeys(begun.entries.values_list("item__key", flat=True), 1))
    page = organizer.get(there, asked)
    assert page.context["sent"] == {"second_percent": "0", "documents": "2", "by_grade": True}
    assert 'name="by_grade" value="True"' in page.text
    sent = {**page.context["sent"], "seen": page.context["plan"].version}
    assert organizer.post(there, sent).status_code == 302
    make.worked("assign_topics", organizer.get(there).context["job"].subject_id)
    made = Assignment.objects.get(kind="second", topic=begun.topic)
    assert made.n_entries == min(2, begun.n_entries)
    assert DrawnStratum.objects.filter(assignment=made).exists()


def test_one_topic_is_assigned_by_grade_or_refused_in_a_sentence(organizer, played, begun, ben):
    sent = {"kind": "second", "assessor": ben.pk, "share": 100, "documents": 1, "by_grade": "on"}
    sent["topic"], assign = begun.topic_id, at(played, "assess:assign")
    assert "no first grade yet: draw by grade once" in text(organizer.post(assign, sent), 422)
    docnos = begun.entries.values_list("item__key", flat=True)
    for docno in docnos:
        answer(begun, docno, "cannot_judge", reason="unreadable")
    refused = organizer.post(assign, sent)
    assert "No document of topic 2 could be judged" in text(refused, 422)
    answer(begun, docnos[0], grade=1)
    assert organizer.post(assign, sent).status_code == 302
    assert Assignment.objects.get(kind="second", topic=begun.topic).n_entries == 1


def test_more_are_drawn_by_grade_on_the_page_of_the_assignment(organizer, played, second):
    second.entries.all().delete()  # the topic has one document
    Assignment.objects.filter(pk=second.pk).update(n_entries=0)
    done = post(organizer, played, second, "sample_more", n=1, by_grade="on", seen=0)
    assert done.status_code == 302
    assert DrawnStratum.objects.filter(assignment=second).exists()


def test_what_waits_is_listed_where_topics_are_assigned_and_given_up(
    organizer, played, second, olga
):
    there = at(played, "assess:distribute")
    assert "Waiting for a second person" not in text(organizer.get(there))
    handover.take_back(user=olga, assignment=second)
    page = text(organizer.get(there))
    assert "Waiting for a second person" in page
    assert f'href="{at(played, "desk:assignment", second.pk)}#hand-title"' in page
    needs = text(organizer.get(at(played, "desk:judging")))
    assert "1 second opinion waits for an assessor" in needs
    assert f'href="{there}#waiting-title"' in needs
    refused = post(organizer, played, second, "give_up", reason="", seen=0)
    assert refused.status_code == 422
    assert post(organizer, played, second, "give_up", reason="No time.", seen=0).status_code == 302
    assert "Waiting for a second person" not in text(organizer.get(there))
    assert "No time." in text(organizer.get(at(played, "desk:assignment", second.pk)))
