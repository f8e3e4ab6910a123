"""Judging: grades, documents put off, undo, and what is refused."""

import re
from uuid import uuid4

import pytest

from accounts.access import Invalid, Refused
from assess.assignments import Placed, serve_more
from assess.core.purposes import PRIMARY
from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.services import recording
from tests import make
from tests.db.judging import answer, counts, undo
from tests.db.races import overtaken


def test_a_grade_is_kept_with_how_it_came_about_and_the_next_replaces_it(primary):
    client_id = uuid4()
    how = {"method": "key", "active_ms": 1200, "client_id": client_id}
    judgment = answer(primary, "d1", grade=2, comment="why", **how)
    assert (judgment.state, judgment.grade, judgment.comment) == ("judged", 2, "why")
    event = judgment.events.get()
    assert (event.from_state, event.to_state, event.method) == ("unjudged", "judged", "key")
    assert (event.to_grade, event.active_ms) == (2, 1200)
    assert answer(primary, "d1", grade=0).grade == 0
    again = answer(primary, "d1", grade=2, client_id=client_id)  # sent again: nothing changes
    assert (again.grade, again.assignment.n_judged) == (0, 1)
    assert list(again.events.values_list("from_grade", "to_grade")) == [(None, 2), (2, 0)]
    assert counts(primary) == (1, 0, 0)


@pytest.mark.django_db(transaction=True)
def test_two_requests_at_once_with_one_client_id_are_one_judgment(primary):
    client_id, other = uuid4(), Assignment.objects.get(pk=primary.pk)
    came = overtaken(
        lambda: answer(primary, "d1", grade=1, client_id=client_id),
        lambda: answer(other, "d1", grade=1, client_id=client_id),
    )
    assert (came.docno, JudgmentEvent.objects.count()) == ("d1", 1)
    assert counts(primary) == (1, 0, 0)


def test_undo_walks_back_and_reopens(primary):
    answer(primary, "d1", grade=1, comment="why")
    answer(primary, "d2", grade=2)
    client_id = uuid4()
    for _ in range(2):  # recorded once
        undone = undo(primary, client_id=client_id)
        assert (undone.docno, undone.assignment.n_judged, undone.assignment.n_later) == ("d2", 1, 1)
    with pytest.raises(Invalid, match="A method is one of"):
        undo(primary, method="voice")
    undone = undo(primary, method="key", active_ms=7)
    assert (undone.docno, undone.comment) == ("d1", "why")
    event = JudgmentEvent.objects.last()
    assert (event.to_state, event.method, event.active_ms) == ("reopened", "key", 7)
    assert undo(primary) is None
    assert set(Judgment.objects.values_list("state", "grade")) == {("reopened", None)}
    assert counts(primary) == (0, 2, 0)


def test_what_is_put_off_comes_back_at_the_end_the_longest_first(primary):
    served = list(primary.entries.order_by("position").values_list("item__key", flat=True))
    answer(primary, served[0], "later")
    answer(primary, served[1], "later")
    for docno in served[2:]:
        assert primary.entries.next_open().docno == docno
        answer(primary, docno, grade=0)
    assert primary.entries.next_open().docno == served[0]
    answer(primary, served[0], grade=1)
    assert primary.entries.next_open().docno == served[1]
    answer(primary, served[1], "cannot_judge", reason="missing")
    assert primary.entries.next_open() is None
    assert counts(primary) == (5, 0, 1)
    assert primary.is_finished


def test_more_can_be_served_behind_what_is_there_or_sooner_and_no_place_changes(primary):
    def order() -> list[str]:
        return list(primary.entries.order_by("position").values_list("item__key", flat=True))

    served, n_entries = order(), primary.n_entries
    answer(primary, served[0], grade=0)
    x1, x2, x3 = (Placed(each.pk, PRIMARY) for each in make.items(primary.topic, "x1", "x2", "x3"))
    serve_more(primary, [x1])
    serve_more(primary, [x2, x3], priority=1)
    assert order() == [*served, "x1", "x2", "x3"]
    assert primary.n_entries == n_entries + 3
    for docno in ("x2", "x3"):
        assert primary.entries.next_open().docno == docno
        answer(primary, docno, "later")
    assert primary.entries.next_open().docno == served[1]


def test_what_cannot_be_is_refused(primary, ben):
    with pytest.raises(Refused, match="9 is not a grade"):
        answer(primary, "d1", grade=9)
    with pytest.raises(Refused, match=r"d99 is not a document you were given for topic 1\."):
        answer(primary, "d99", grade=1)
    with pytest.raises(Refused, match="is not a document you were given"):
        answer(primary, "d\0", grade=1)
    campaign = primary.topic.campaign
    campaign.judging_closes_at = campaign.created_at
    campaign.save()
    with pytest.raises(Refused, match="Judging closed on"):
        answer(primary, "d1", grade=1)
    assert not Judgment.objects.exists()


@pytest.mark.parametrize(
    ("field", "given", "sentence"),
    [
        ("state", {"state": "else"}, "Give a grade, put the document off, or say"),
        ("state", {"state": "reopened"}, "Give a grade, put the document off, or say"),
        ("state", {"state": ""}, "Give a grade, put the document off, or say"),
        ("grade", {}, "A judged document needs a grade."),
        ("grade", {"state": "later", "grade": 2}, "Only a judged document has a grade"),
        ("reason", {"state": "cannot_judge"}, "Say why the document cannot be judged"),
        (
            "reason",
            {"grade": 1, "reason": "missing"},
            "Only a document that cannot be judged has a reason.",
        ),
        (
            "reason",
            {"state": "cannot_judge", "reason": "boring"},
            "A reason is one of missing, unreadable, language, other.",
        ),
        (
            "comment",
            {"grade": 1, "comment": "x" * 10_001},
            "at most 10,000 characters; this one has 10,001.",
        ),
        ("comment", {"grade": 1, "comment": "a\0b"}, "may not contain NUL"),
        ("comment", {"grade": 1, "comment": "a\ud800b"}, "may not contain NUL"),
        ("method", {"grade": 1, "method": "voice"}, "A method is one of key, click, other."),
        ("active_ms", {"grade": 1, "active_ms": -1}, "from 0 to 2,147,483,647."),
        ("away_ms", {"grade": 1, "away_ms": 2**31}, "from 0 to 2,147,483,647."),
    ],
)
def test_what_a_judgment_may_not_hold_is_refused_by_field(primary, field, given, sentence):
    with pytest.raises(Invalid, match=re.escape(sentence)) as refused:
        answer(primary, "d1", **given)
    assert refused.value.field == field
    assert not Judgment.objects.exists()
    assert counts(primary) == (0, 0, 0)


def test_an_assignment_that_went_with_its_pool_is_said_to_be_gone(primary, olga):
    make.taken_back(olga, primary.pool)
    for act in (lambda: answer(primary, "d1", grade=1), lambda: undo(primary)):
        with pytest.raises(Refused, match="not assigned any more"):
            act()


def test_a_client_id_that_another_topic_has_used_records_nothing(primary, ada, monkeypatch):
    other = make.assignment(primary.topic.campaign.topic_set.get(number="2"), ada)
    client_id = uuid4()
    answer(primary, "d1", grade=1, client_id=client_id)
    answer(other, "d4", grade=1)
    acts = (
        lambda: answer(other, "d2", grade=1, client_id=client_id),
        lambda: undo(other, client_id=client_id),
    )
    for act in acts:
        with pytest.raises(Refused, match="has already recorded another answer"):
            act()
    # It was looked for before the first was recorded.
    found = recording.to_answer
    monkeypatch.setattr(recording, "to_answer", lambda *given: (found(*given)[0], []))
    with pytest.raises(Refused, match="has already recorded another answer"):
        acts[0]()
    assert counts(other) == (1, 0, 0)
