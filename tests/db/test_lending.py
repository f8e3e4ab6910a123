"""Documents of a shared topic that are lent: to whom, in which order, how many, and until when."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.access import Refused
from assess.models.judging import Judgment
from assess.services import sharing
from tests import make
from tests.db.judging import answer, undo
from tests.db.sharing import Clock, judge_all, lent, live, n_judged, of, one_topic, shared
from tests.worlds import once


@pytest.fixture
@once
def large(olga, pat, ada, ben):
    """One topic with thirty documents in its pool."""
    return one_topic(olga, pat, [ada, ben], 30)


def test_who_has_few_left_is_lent_more(large, ada, ben):
    queue = shared(large, [ada, ben], n_wanted=2)
    order = list(queue.documents.order_by("position").values_list("item__key", flat=True))
    first, second = of(queue, ada), of(queue, ben)
    assert lent(first) == order[:6], "in the queue's order"
    assert lent(second) == order[6:12], "those that nobody has come first"
    for docno, n_open in zip(order, [5, 4, 6, 5, 4, 6], strict=False):
        answer(first, docno, grade=1)
        assert len(lent(first)) == n_open
    for docno in lent(second):
        answer(second, docno, "later")
        lent(second)
    put_off = Judgment.objects.filter(assignment=second, state="later").count()
    assert len(lent(second)) == put_off + 6, "what is put off is not all there is"
    while unjudged := [
        each for each in lent(second) if not second.judgments.filter(item__key=each).exists()
    ]:
        answer(second, unjudged[0], "later")
    assert second.entries.still_open().count() == 20, "nobody holds more"


def test_time_that_is_over_gives_documents_to_others_and_a_late_answer_counts_while_there_is_room(
    pooled, people, monkeypatch
):
    clock, queue = Clock(monkeypatch), shared(pooled, people, n_wanted=1)
    first, second = of(queue, people[0]), of(queue, people[1])
    one, other, late, *_ = lent(first)
    assert (lent(second), second.n_left) == ([], 6), "they come back if nobody judges them"
    clock.on(31)
    assert len(lent(second)) == 6
    answer(first, one, grade=2, comment="late")
    answer(second, other, grade=3)
    with pytest.raises(Refused, match=f"Others finished {other} first: it has its 1 judgment"):
        answer(first, other, grade=2)
    assert n_judged(queue)[one] == n_judged(queue)[other] == 1
    assert one not in lent(second), "what was theirs is given up"
    assert lent(first) == []
    first.refresh_from_db()
    assert (first.n_entries, first.n_judged, first.n_left) == (1, 1, 4)
    answer(first, late, grade=1)
    first.refresh_from_db()
    assert (first.n_entries, first.n_judged) == (2, 2)
    clock.on(31)
    assert set(lent(first)) == set(make.DOCNOS) - {one, other, late}, "and can be had again"


def test_what_was_lent_too_long_is_lent_again_if_nobody_else_has_it(queue, ada, monkeypatch):
    clock, assignment = Clock(monkeypatch), of(queue, ada)
    before = lent(assignment)
    answer(assignment, before[0], "later", comment="hm")
    assert live().count() == 6, "what is put off stays lent"
    clock.on(31)
    assert lent(assignment) == before
    assert live().count() == 6
    assert Judgment.objects.get(item__key=before[0]).comment == "hm"


def test_what_was_put_off_too_long_is_given_up_and_its_comment_kept(pooled, people, monkeypatch):
    clock, queue = Clock(monkeypatch), shared(pooled, people, n_wanted=1)
    first, second = of(queue, people[0]), of(queue, people[1])
    docno = lent(first)[0]
    answer(first, docno, "later", comment="hm")
    clock.on(31)
    judge_all(second, 1)
    assert lent(first) == []
    judgment = Judgment.objects.get(assignment=first)
    assert judgment.comment == "hm"
    assert judgment.set_aside_at
    first.refresh_from_db()
    assert (first.n_entries, first.n_later) == (0, 0)
    assert list(first.set_aside_groups()) == []


def test_a_document_goes_round_until_enough_could_not_judge_it(pooled, people, cleo):
    queue = shared(pooled, people, n_wanted=2)
    first, second, third = (of(queue, person) for person in people)
    docno = lent(first)[0]
    answer(first, docno, "cannot_judge", reason="language")
    assert docno in lent(second)
    answer(second, docno, "cannot_judge", reason="unreadable")
    assert docno not in lent(third)
    assert queue.documents.get(item__key=docno) not in queue.documents.unsettled()


def test_undo_keeps_the_place_for_its_time(queue, people, monkeypatch):
    clock = Clock(monkeypatch)
    first, second, third = (of(queue, person) for person in people)
    docno = lent(first)[0]
    answer(first, docno, grade=1)
    assert docno in lent(second)
    answer(second, docno, grade=1)
    assert docno not in lent(third)
    undo(assessor=first.assessor, assignment=first)
    assert n_judged(queue)[docno] == 1
    assert docno not in lent(third)
    clock.on(31)
    assert docno in lent(third)


def test_nothing_is_written_where_nothing_is_left_to_lend(queue, people):
    first = of(queue, people[0])
    judge_all(first, 1)
    with CaptureQueriesContext(connection) as captured:
        assert sharing.lend(assessor=people[0], assignment=first) == []
    queries = [each["sql"] for each in captured if "SAVEPOINT" not in each["sql"]]
    assert len(queries) == 5, queries
    assert not [each for each in queries if each.startswith("UPDATE")]


def test_nothing_is_lent_once_judging_is_closed(queue, ada, pooled):
    pooled.judging_closes_at = timezone.now()
    pooled.save()
    with pytest.raises(Refused, match="Judging closed"):
        lent(of(queue, ada))
    assert not live().exists()
