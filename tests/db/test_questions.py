"""Questions to the organizers: asked once, answered for whom the organizer says, corrected."""

from pathlib import Path
from uuid import uuid4

import pytest

from accounts.access import Invalid, NotThere, Refused
from assess.models.assigning import Assignment
from assess.services import handover
from campaigns.models.trail import AuditEvent
from collection.services import collection
from overview.services import leaving
from pooling import services as pooling
from questions import services as questions
from questions.models import Answering, Question
from questions.web.question_page import asking_of
from tests import make
from tests.db.judging import downloaded


def ask(assignment, text="Do bats count?", docno="", client_id=None) -> Question:
    asked = {"client_id": client_id or uuid4(), "text": text, "docno": docno}
    return questions.ask(user=assignment.assessor, assignment=assignment, **asked)


def reply(olga, question, text="No.", **given) -> Answering:
    return questions.answer(user=olga, question=question, text=text, **given)


def read(reader, assignment, *, here=True) -> list[tuple]:
    """What somebody reads: the question, whether it is theirs, its answer, whether that is new."""
    topic = assignment.topic
    found = asking_of(reader, topic.campaign, topic if here else None)
    return [
        (each.question.text, each.is_own, each.answer and each.answer.text, each.is_new)
        for each in found.asked
    ]


def test_what_is_asked_twice_is_asked_once_and_an_id_serves_one_question(primary, ben):
    client_id = uuid4()
    first, again = (ask(primary, client_id=client_id) for _ in range(2))
    assert first == again == Question.objects.get()
    second = make.assignment(primary.topic, ben, Assignment.Kind.SECOND)
    with pytest.raises(Refused, match="has already asked something else"):
        ask(second, client_id=client_id)
    for other in ({"text": "Do owls count?"}, {"docno": "d1"}):
        with pytest.raises(Refused, match="has already asked something else"):
            ask(primary, client_id=client_id, **other)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (" \n", "needs some words"),
        ("x" * 4001, "at most 4,000 characters; this one has 4,001"),
        ("a\0", "NUL"),
    ],
)
def test_what_a_question_may_not_hold_is_said(primary, text, sentence):
    with pytest.raises(Invalid, match=sentence):
        ask(primary, text)


def test_after_judging_has_closed_nothing_is_asked_and_what_was_asked_is_answered(
    primary, olga, ada
):
    campaign, client_id = primary.topic.campaign, uuid4()
    question = ask(primary, client_id=client_id)
    campaign.judging_closes_at = campaign.created_at
    campaign.save()
    with pytest.raises(Refused, match="Judging closed"):
        ask(primary)
    assert ask(primary, client_id=client_id) == question  # sent again, as its answer was lost
    reply(olga, question)
    assert read(ada, primary) == [("Do bats count?", True, "No.", True)]


@pytest.mark.parametrize(
    ("audience", "of_topic", "of_campaign"),
    [("asker", False, False), ("topic", True, False), ("campaign", True, True)],
)
def test_an_answer_is_read_by_whom_the_organizer_says(
    primary, olga, ada, ben, cleo, audience, of_topic, of_campaign
):
    """Ben has the topic too, Cleo another one."""
    campaign = primary.topic.campaign
    second = make.assignment(primary.topic, ben, Assignment.Kind.SECOND)
    other = make.assignment(campaign.topic_set.get(number="2"), cleo)
    question = ask(primary)
    assert read(ben, second) == read(cleo, other) == []
    reply(olga, question, audience=audience)
    assert read(ada, primary) == [("Do bats count?", True, "No.", True)]
    shared = [("Do bats count?", False, "No.", True)]
    assert read(ben, second) == (shared if of_topic else [])
    assert read(cleo, other) == (shared if of_campaign else [])
    handover.take_back(user=olga, assignment=second)
    assert read(ben, second) == (shared if of_campaign else [])


def test_an_answer_is_new_until_it_was_seen_and_again_once_it_is_corrected(primary, olga, ada, ben):
    campaign, question = primary.topic.campaign, ask(primary)
    first = reply(olga, question)
    for _ in range(2):
        questions.see_answers(user=ada, campaign=campaign, answers=[first.pk, 987])
    assert read(ada, primary, here=False) == [("Do bats count?", True, "No.", False)]
    second = reply(olga, question, "They do.", seen=str(first.pk))
    assert read(ada, primary) == [("Do bats count?", True, "They do.", True)]
    assert [answer.text for answer in question.answers.all()] == ["No.", "They do."]
    corrected = AuditEvent.objects.filter(kind="question.answered").first()
    assert corrected.detail["corrects"] == first.pk
    questions.see_answers(user=ben, campaign=campaign, answers=[second.pk])  # not his
    assert second.answerseen_set.count() == 0


def test_the_same_answer_again_changes_nothing(primary, olga):
    question = ask(primary)
    for _ in range(2):
        questions.answer(user=olga, question=question, text="No.", seen="0")
    assert Answering.objects.count() == 1


def test_an_answer_says_something_and_to_somebody(primary, olga):
    question = ask(primary)
    with pytest.raises(Invalid, match="needs some words"):
        reply(olga, question, "")
    with pytest.raises(Invalid, match="who is to read"):
        reply(olga, question, audience="world")


def test_a_question_is_withdrawn_until_it_is_answered(primary, olga, ada, ben):
    question, answered = ask(primary), ask(primary, "And moths?")
    with pytest.raises(NotThere):
        questions.withdraw_question(user=ben, question=question)
    for _ in range(2):
        withdrawn = questions.withdraw_question(user=ada, question=question)
        assert withdrawn.withdrawn_at
    assert read(ada, primary) == [("And moths?", True, None, False)]
    with pytest.raises(Refused, match="Ada has withdrawn this question"):
        reply(olga, question)
    reply(olga, answered, "They do not.")
    with pytest.raises(Refused, match="answered meanwhile"):
        questions.withdraw_question(user=ada, question=answered)


def test_what_a_removed_assessor_asked_is_answered_and_nothing_more_is_asked(primary, olga, ada):
    campaign, question = primary.topic.campaign, ask(primary)
    leaving.remove_member(user=olga, membership=campaign.membership_set.get(user=ada))
    with pytest.raises(Refused):
        ask(primary)
    with pytest.raises(NotThere):
        questions.withdraw_question(user=ada, question=question)
    reply(olga, question, audience="topic")


def test_a_topic_that_was_asked_about_is_not_deleted(primary, olga):
    ask(primary)
    topic, pool = primary.topic, primary.pool
    pooling.delete_batch(user=olga, batch=make.taken_back(olga, pool))
    with pytest.raises(Refused, match="asked about"):
        collection.delete_topic(user=olga, topic=topic)


def test_the_file_has_every_question_with_every_answer(primary, ada, olga):
    campaign = primary.topic.campaign
    docno = primary.entries.first().docno
    texts = ("Do bats count?", "=Or\nmoths?", "No.")
    first, second, third = (ask(primary, text, docno if text == texts[0] else "") for text in texts)
    with pytest.raises(Refused, match="x9 is not a document you were given"):
        ask(primary, docno="x9")
    for n, audience in enumerate(("asker", "topic")):
        seen = str(first.answers.last().pk if n else 0)
        reply(olga, first, f"They do {n}.", audience=audience, seen=seen)
    questions.withdraw_question(user=ada, question=third)
    rows = downloaded(questions.QUESTIONS, campaign, olga)
    names = ("question", "topic", "docno", "asked_by", "text", "answer", "audience", "answered_by")
    assert [tuple(row[name] for name in names) for row in rows] == [
        (str(first.pk), "1", docno, "ada", "Do bats count?", "They do 0.", "asker", "olga"),
        (str(first.pk), "1", docno, "ada", "Do bats count?", "They do 1.", "topic", "olga"),
        (str(second.pk), "1", "", "ada", "=Or\nmoths?", "", "", ""),
        (str(third.pk), "1", "", "ada", "No.", "", "", ""),
    ]
    assert rows[0]["replaced_at"] == rows[1]["answered_at"]
    assert [bool(row["replaced_at"]) for row in rows] == [True, False, False, False]
    assert [bool(row["withdrawn_at"]) for row in rows] == [False, False, False, True]
    described = (Path(__file__).parents[2] / "docs" / "formats.md").read_text()
    assert f"\n{','.join(rows[0])}\n" in described
