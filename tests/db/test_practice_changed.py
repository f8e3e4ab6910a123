"""Practice that organizers change, and what becomes of its documents: what was answered stays."""

import pytest

from accounts.access import Refused, check
from assess.core.answers import Answer
from assess.models.controls import KnownGrade
from assess.models.judging import Judgment
from assess.services import judging
from campaigns.models.trail import AuditEvent
from campaigns.services.campaign import change_campaign
from campaigns.services.ending import delete_campaign
from collection.services.collection import delete_document, delete_documents
from collection.uses import can_be_undone
from practice.access import comes_first, practised
from practice.core import Known
from practice.models import Practice, answers_of
from practice.services import serve_practice
from practice.web.report import report_of
from tests import make
from tests.asked import graded_by
from tests.db.judging import undo
from tests.db.practicing import answered, change, finish, fresh

# What organizers change


def test_each_change_is_recorded_with_what_was_and_is(practice, olga):
    change(olga, practice, title="Rivers", is_on=False)
    event = AuditEvent.objects.filter(campaign=practice.campaign).first()
    assert (event.kind, event.subject) == ("practice.changed", "title, on or off")
    assert event.detail == {
        "before": {"title": "Bridges", "is_on": True},
        "after": {"title": "Rivers", "is_on": False},
    }
    n = AuditEvent.objects.count()
    change(olga, practice, title="Rivers")
    assert AuditEvent.objects.count() == n, "nothing changed"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"title": " "}, "A practice topic needs a title."),
        (
            {"known": []},
            "There is nothing to practice on yet: give at least one document with its grade.",
        ),
        (
            {"known": [Known("x1", 1), Known("d5", 1), Known("d6", 1)]},
            (
                "Line 1: x1 has not been imported, so nobody can grade it. "
                "Line 2: d5 is empty, so nobody can grade it. "
                "Line 3: d6 holds mostly characters that could not be decoded, so nobody can grade "
                "it."
            ),
        ),
        (
            {"known": [Known("d1", 2, "It names one."), Known("d2", 9)]},
            "Line 2: 9 is not a grade of this campaign's scale, which has 0, 1, 2, 3.",
        ),
    ],
)
def test_what_cannot_be_practiced_is_refused(practice, olga, changes, sentence):
    for docno, text in (("d5", ""), ("d6", "\ufffd\ufffd")):
        practice.campaign.document_set.filter(docno=docno).update(title="", text=text)
    with pytest.raises(Refused) as refused:
        change(olga, practice, **changes)
    assert str(refused.value) == sentence
    assert len(fresh(practice).known) == 3


def test_answers_keep_the_grade_that_was_known_when_they_were_given(practice, olga, ada, ben):
    answered(ada, practice, grade=2)
    known = [Known("d1", 0, "It names none after all."), *practice.known[1:]]
    change(olga, practice, known=known)
    answered(ben, practice, grade=2)
    found = {pk: (its["d1"].known, its["d1"].agrees) for pk, its in answers_of(practice).items()}
    assert found == {ada.pk: (2, True), ben.pk: (0, False)}
    right = {each.user.username: each.accuracy.right for each in report_of(practice).people}
    assert right == {"ada": 1, "ben": 0}


def test_a_document_that_leaves_and_comes_back_is_counted_again(practice, olga, ada):
    finish(olga, practice)
    finish(ada, practice)
    before, more = practice.known, [*practice.known, Known("d4", 1)]
    change(olga, practice, known=before[1:])
    [row, _] = report_of(practice).people
    assert (row.n, row.accuracy.answered, bool(row.finished_at)) == (2, 2, True)
    change(olga, practice, known=more)
    [row, _] = report_of(practice).people
    assert (row.n, row.accuracy.answered) == (4, 3)
    assert comes_first(ada, practice)


def test_practice_under_way_follows_what_is_known_and_keeps_its_order(practice, olga, ada):
    def order(is_held: bool = True) -> list[str]:
        entries = serve_practice(user=ada, campaign=practice.campaign).entries.all()
        found = entries.filter(given_up_at__isnull=is_held).order_by("position")
        return list(found.values_list("item__key", flat=True))

    answered(ada, practice, "d2", 0)
    d1, d2, d3 = practice.known
    for known, held in (
        ([Known("d4", 1), d3, d1], ["d1", "d2", "d3", "d4"]),  # one that is answered stays
        ([d3], ["d2", "d3"]),
        ([d3, d2, Known("d4", 1), d1], ["d1", "d2", "d3", "d4"]),
    ):
        change(olga, practice, known=known)
        assert order() == held
        assert practice.assignments.get().n_entries == len(held)
    assert order(is_held=False) == []


def test_what_is_open_leaves_practice_and_comes_back_to_be_answered(practice, olga, ada):
    answered(ada, practice, "d1", 1)
    assignment = practice.assignments.get()
    undo(assessor=ada, assignment=assignment)
    judging.judge(assessor=ada, assignment=assignment, answer=Answer("d2", "later"))
    known = practice.known
    change(olga, practice, known=known[2:])
    page = serve_practice(user=ada, campaign=practice.campaign)
    assert page.entries.next_open().docno == "d3"
    assert (page.n_entries, page.n_later) == (1, 0)
    change(olga, practice, known=known)
    served = serve_practice(user=ada, campaign=practice.campaign)
    assert (served.n_entries, served.n_later) == (3, 0)
    assert answered(ada, practice, "d1", 2).grade == 1, "the first answer stays"


def test_what_is_left_out_meanwhile_takes_no_answer(campaign, practice, ada):
    answered(ada, practice, "d2", 0)
    campaign.document_set.filter(docno="d1").update(text="", title="")
    answer = Answer("d1", "cannot_judge", reason="missing")
    with pytest.raises(Refused, match="d1 is no longer a practice document"):
        judging.judge(assessor=ada, assignment=practice.assignments.get(), answer=answer)


def test_a_comment_or_the_same_grade_again_is_no_other_try(practice, ada):
    for grade, n_tries in ((2, 1), (2, 1), (1, 2), (1, 2)):
        assert answered(ada, practice, "d1", grade).n_tries == n_tries


# What becomes of the documents


def test_a_document_of_practice_is_not_deleted_nor_its_import_undone(practice, olga, campaign):
    document = campaign.document_set.get(docno="d1")
    with pytest.raises(Refused, match="Document d1 cannot be deleted: it is used for practice"):
        delete_document(user=olga, document=document)
    with pytest.raises(
        Refused, match="Documents d1, d2 and d3 cannot be deleted: they are used for practice"
    ):
        delete_documents(user=olga, campaign=campaign)
    row = make.imported(campaign, "documents", b'{"docno": "new", "text": "A bridge."}\n')
    change(olga, practice, known=[Known("new", 1)])
    with pytest.raises(Refused, match="document new is used for practice"):
        check(can_be_undone, None, row)
    answered(olga, practice, "new", 1)
    change(olga, practice, is_on=False, known=[])
    check(can_be_undone, None, row)
    delete_document(user=olga, document=document)


def test_a_text_that_was_replaced_is_told_and_the_answer_stays(campaign, practice, olga):
    make.imported(campaign, "documents", b'{"docno": "d1", "text": "Other."}\n')
    listed = {each.document.docno: each for each in report_of(practice).documents}
    assert [docno for docno, each in listed.items() if each.document.is_replaced] == ["d1"]
    change(olga, practice, known=practice.known)
    assert report_of(practice).documents[0].document.is_replaced, "it is about the earlier text"
    known = [Known("d1", 1, "So it is now."), *practice.known[1:]]
    change(olga, practice, known=known)
    assert not any(each.document.is_replaced for each in report_of(practice).documents)


def test_a_grade_waits_for_a_text_that_can_be_read_and_is_another(campaign, practice):
    waiting = KnownGrade.objects.of(campaign).to_practice_again()
    assert not waiting.exists()
    make.imported(campaign, "documents", b"d1\t\tOther.\nd2\t\t\n")
    campaign.document_set.filter(docno="d3").delete()
    assert [each.docno for each in waiting] == ["d1"]


def test_what_is_wrong_with_a_document_now_leaves_it_out(campaign, practice, olga, ada):
    """Gone, though nothing deletes it; empty; and with a grade that the scale has no more.

    Practice goes on with the others.
    """
    campaign.document_set.filter(docno="d1").delete()
    campaign.document_set.filter(docno="d2").update(text="", title="")
    assert [each.docno for each in practised(practice)] == ["d3"]
    fewer = graded_by({0: "no", 1: "in part", 2: "yes"})
    change_campaign(user=olga, campaign=campaign, changes={"criteria": fewer})
    now = fresh(practice)
    assert practised(now) == []
    assert [each.why_left_out for each in report_of(now).documents] == [
        "d1 has not been imported, so it is left out of practice.",
        "d2 is empty, so it is left out of practice.",
        (
            "The known grade of d3, 3, is no longer a grade of the scale, so it is left out of "
            "practice."
        ),
    ]
    assert not comes_first(ada, now)
    assert not serve_practice(user=ada, campaign=campaign).entries.exists()
    # Nor does it keep an organizer from changing the rest.
    assert change(olga, practice, title="Rivers", is_on=False).topic.title == "Rivers"
    change(olga, practice, known=practice.known[:2])
    assert [each.docno for each in fresh(practice).known] == ["d1", "d2"]


def test_what_is_of_practice_goes_with_the_campaign(practice, olga, ada):
    finish(ada, practice)
    delete_campaign(user=olga, campaign=practice.campaign)
    assert not Practice.objects.exists()
    assert not Judgment.objects.exists()


def test_an_assessor_who_has_left_stays_in_the_report(practice, ada, ben):
    answered(ada, practice)
    practice.campaign.membership_set.filter(user__in=[ada, ben]).delete()
    report = report_of(practice)
    assert [(each.user, each.has_left) for each in report.people] == [(ada, True)]
    assert (report.n_assessors, report.n_finished) == (0, 0)
