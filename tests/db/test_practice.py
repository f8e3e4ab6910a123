"""Practice: the first answer stays, nothing of it is a judgment, and what its documents become."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.access import NotThere, NotYours, Refused, why_not
from assess.access import (
    Stale,
    check_can_answer_practice,
    check_can_practice,
    check_can_skip_practice,
    comes_first,
    practised,
)
from assess.core.practice import Known
from assess.models import (
    Assignment,
    JudgmentEvent,
    PracticeAnswer,
    PracticeSkip,
    PracticeTopic,
)
from assess.pages.practice_report import effects_of, report_of
from assess.services import (
    answer_practice,
    change_practice,
    publish_qrels,
    skip_practice,
)
from campaigns.models import AuditEvent, Campaign
from campaigns.services import (
    archive_campaign,
    change_campaign,
    delete_campaign,
    delete_document,
    delete_documents,
)
from campaigns.uses import check_can_undo_import
from tests import make
from tests.db.actions import snapshot
from tests.db.races import overtaken

LINES = "d1\t2\tIt names one.\nd2\t0\tIt names none.\nd3\t3"


@pytest.fixture
def practice(campaign):
    return make.practice(campaign, LINES)


def answered(user, practice, docno="d1", grade=2, **more) -> PracticeAnswer:
    return answer_practice(user=user, campaign=practice.campaign, docno=docno, grade=grade, **more)  # fmt: skip


def finish(user, practice) -> None:
    for docno in ("d1", "d2", "d3"):
        answered(user, practice, docno, 1)


def change(olga, practice, **changes) -> PracticeTopic:
    return change_practice(user=olga, campaign=practice.campaign, changes=changes)


def fresh(practice) -> PracticeTopic:
    return PracticeTopic.objects.of(Campaign.objects.get(pk=practice.campaign_id))


# Answers


def test_the_first_answer_stays_and_a_later_one_is_a_try(practice, ada):
    answered(ada, practice, grade=1)
    answered(ada, practice, grade=2, n_seen=1)
    [row] = PracticeAnswer.objects.all()
    assert (row.grade, row.known, row.n_tries, row.last_grade) == (1, 2, 2, 2)


def test_what_is_sent_twice_counts_once(practice, ada):
    """By two clicks: both pages had shown no answer, and later both one."""
    for _ in range(2):
        answered(ada, practice, grade=1)
    for _ in range(2):
        answered(ada, practice, grade=2, n_seen=1)
    [row] = PracticeAnswer.objects.all()
    assert (row.grade, row.n_tries, row.last_grade) == (1, 2, 2)


def test_another_grade_from_an_older_page_is_refused(practice, ada):
    answered(ada, practice, grade=1)
    with pytest.raises(Stale, match="in another tab: that answer stands"):
        answered(ada, practice, grade=3)
    answered(ada, practice, grade=2, n_seen=1)
    for grade in (1, None):
        with pytest.raises(Stale, match="in another tab: that answer stands"):
            answered(ada, practice, grade=grade, n_seen=1)
    [row] = PracticeAnswer.objects.all()
    assert (row.grade, row.n_tries, row.last_grade) == (1, 2, 2)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("grade", "is_taken"), [(1, True), (3, False)])
def test_two_first_answers_at_the_same_time_are_one(practice, ada, grade, is_taken):
    second = overtaken(
        lambda: answered(ada, practice, grade=1),
        lambda: answered(ada, practice, grade=grade),
    )
    assert isinstance(second, PracticeAnswer if is_taken else Stale)
    [row] = PracticeAnswer.objects.all()
    assert (row.grade, row.n_tries) == (1, 1)


def test_that_it_cannot_be_judged_is_an_answer_and_no_grade(practice, ada):
    assert answered(ada, practice, grade=None).grade is None
    [row] = [each for each in report_of(practice).people if each.user == ada]
    assert (row.accuracy.answered, row.accuracy.cannot_judge) == (1, 1)
    assert row.accuracy.mean_difference is None


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"docno": "d4"}, "d4 is no longer a practice document."),
        ({"docno": "\ud800\0"}, "is no longer a practice document."),
        ({"grade": 7}, "7 is not a grade of this campaign's scale."),
        ({"scale": "x"}, "The scale of grades was changed after this page was loaded: answer once more."),
    ],
)  # fmt: skip
def test_an_answer_that_is_none_is_refused(practice, ada, sent, sentence):
    with pytest.raises(Refused) as refused:
        answered(ada, practice, **sent)
    assert sentence in str(refused.value)
    assert not PracticeAnswer.objects.exists()


def test_nothing_of_practice_is_a_judgment(campaign, olga, ada, ben, pat, client):
    """Every other table, the files of judgments, progress, agreement and qrels stay as they are."""
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2 d3"})], depth=3)
    topic = campaign.topic_set.get(number="1")
    first = make.assignment(topic, ada)
    make.assignment(topic, ben, Assignment.Kind.SECOND)
    make.judgment(first, "d1", 1)
    practice = make.practice(campaign, LINES)
    client.force_login(olga)
    names = ("judging/judgments.csv", "judging/judgment-events.csv", "judging/assessors.csv", "agreement/", "people/people.csv")  # fmt: skip

    def files() -> list[str]:
        found = [client.get(f"/campaigns/{campaign.slug}/{name}") for name in names]
        bodies = [b"".join(each) if each.streaming else each.content for each in found]
        return [body.decode().partition("<main")[2] or body.decode() for body in bodies]  # fmt: skip

    said, rows = files(), snapshot()
    finish(ada, practice)
    finish(ben, practice)
    skip_practice(user=ben, campaign=campaign)
    now = snapshot()
    assert {name for name in now if now[name] != rows[name]} - {"AuditEvent"} == {"PracticeAnswer", "PracticeSkip"}  # fmt: skip
    assert files() == said
    assert JudgmentEvent.objects.count() == 1
    qrels = publish_qrels(user=olga, campaign=campaign)
    assert make.content(qrels.file) == b"1 0 d1 1\n"


# Who


def test_whom_practice_is_for(practice, olga, ada, pat, sam):
    assert not why_not(check_can_practice, olga, practice)
    assert not why_not(check_can_practice, ada, practice)
    with pytest.raises(NotYours, match="for the assessors and organizers"):
        check_can_practice(pat, practice)
    with pytest.raises(NotThere):
        check_can_practice(sam, practice)
    practice.campaign.membership_set.get(user=ada).delete()
    with pytest.raises(NotThere):
        check_can_practice(ada, practice)


def test_there_may_be_none(campaign, olga, ada):
    none = PracticeTopic.objects.of(campaign)
    for person in (olga, ada):
        assert why_not(check_can_practice, person, none) == "This campaign has no practice topic."  # fmt: skip
    assert practised(none) == []
    assert not comes_first(ada, none)


def test_what_is_off_is_for_organizers_and_who_has_answered(practice, olga, ada, ben):
    answered(ada, practice)
    off = change(olga, practice, is_on=False)
    assert not why_not(check_can_practice, ada, off)
    assert not why_not(check_can_answer_practice, olga, off)
    for check in (check_can_practice, check_can_answer_practice):
        assert why_not(check, ben, off) == "The organizers have switched practice off."
    assert "switched practice off" in why_not(check_can_answer_practice, ada, off)


def test_practice_opens_and_closes_with_judging(practice, olga, ada):
    campaign = practice.campaign
    campaign.judging_opens_at = timezone.now() + timedelta(days=1)
    assert "Judging opens on" in why_not(check_can_practice, ada, practice)
    assert not why_not(check_can_answer_practice, olga, practice)
    campaign.judging_opens_at = None
    campaign.judging_closes_at = timezone.now() - timedelta(days=1)
    assert not why_not(check_can_practice, ada, practice)
    for person in (ada, olga):
        assert "Judging closed on" in why_not(check_can_answer_practice, person, practice)  # fmt: skip


def test_in_an_archive_practice_can_be_read(practice, olga, ada):
    archive_campaign(user=olga, campaign=practice.campaign)
    now = fresh(practice)
    assert not why_not(check_can_practice, ada, now)
    assert "is archived" in why_not(check_can_answer_practice, ada, now)
    with pytest.raises(Refused, match="is archived"):
        change(olga, now, title="Rivers")


# What comes first


def test_practice_comes_first_until_it_is_finished(practice, ada, olga):
    assert comes_first(ada, practice)
    assert not comes_first(olga, practice)
    finish(ada, practice)
    assert not comes_first(ada, practice)


def test_who_has_judged_is_not_held_up(campaign, practice, ada, ben, pat):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1"})])
    make.judgment(make.assignment(campaign.topic_set.get(number="1"), ada), "d1", 1)
    assert not comes_first(ada, practice)
    assert comes_first(ben, practice)


def test_an_organizer_who_assesses_too_is_not_held_up_nor_counted(practice, ada):
    practice.campaign.membership_set.create(user=ada, role="organizer")
    answered(ada, practice)
    assert not comes_first(ada, practice)
    assert [each.user.username for each in report_of(practice).people] == ["ben"]
    assert [each.n_answered for each in report_of(practice).documents] == [0, 0, 0]


def test_practice_can_be_skipped_once_and_for_all(practice, olga, ada):
    for _ in range(2):
        skip_practice(user=ada, campaign=practice.campaign)
    assert PracticeSkip.objects.count() == 1
    assert not comes_first(ada, practice)
    with pytest.raises(IntegrityError), transaction.atomic():
        PracticeSkip.objects.create(practice=practice, user=ada)


def test_whether_it_may_be_skipped_is_a_setting(practice, olga, ada):
    now = change(olga, practice, may_skip=False)
    assert why_not(check_can_skip_practice, ada, now) == "The organizers ask everybody to practice first."  # fmt: skip
    with pytest.raises(Refused):
        skip_practice(user=ada, campaign=practice.campaign)
    assert comes_first(ada, now)


def test_nobody_is_held_up_where_nothing_can_be_answered(practice, olga, ada):
    campaign = practice.campaign
    campaign.judging_closes_at = timezone.now() - timedelta(days=1)
    assert not comes_first(ada, practice)
    campaign.judging_closes_at = None
    campaign.document_set.update(text="", title="")
    assert not comes_first(ada, practice), "every document is empty"


# What organizers change


def test_each_change_is_recorded_with_what_was_and_is(practice, olga):
    change(olga, practice, title="Rivers", is_on=False)
    event = AuditEvent.objects.filter(campaign=practice.campaign).first()
    assert (event.kind, event.subject) == ("practice.changed", "title, on or off")
    assert event.detail == {"was": {"title": "Bridges", "is_on": True}, "now": {"title": "Rivers", "is_on": False}}  # fmt: skip
    n = AuditEvent.objects.count()
    change(olga, practice, title="Rivers")
    assert AuditEvent.objects.count() == n, "nothing changed"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"title": " "}, "A practice topic needs a title."),
        ({"known": []}, "There is nothing to practice on yet: give at least one document with its grade."),
        ({"known": [Known("x1", 1)]}, "Line 1: x1 has not been imported, so nobody can grade it."),
        ({"known": [Known("x1", 1), Known("x2", 1)]}, "Line 1: x1 has not been imported, so nobody can grade it. Line 2: x2 has not been imported, so nobody can grade it."),
        ({"known": [Known("d1", 2, "It names one."), Known("d2", 9)]}, "Line 2: 9 is not a grade of this campaign's scale, which has 0, 1, 2, 3."),
    ],
)  # fmt: skip
def test_what_cannot_be_practiced_is_refused(practice, olga, changes, sentence):
    with pytest.raises(Refused) as refused:
        change(olga, practice, **changes)
    assert str(refused.value) == sentence
    assert len(fresh(practice).known) == 3


@pytest.mark.parametrize(("text", "what"), [("", "is empty"), ("\ufffd\ufffd", "holds mostly characters that could not be decoded")])  # fmt: skip
def test_a_document_that_nobody_can_read_is_none_to_practice_on(practice, olga, text, what):  # fmt: skip
    practice.campaign.document_set.filter(docno="d5").update(title="", text=text)
    with pytest.raises(Refused) as refused:
        change(olga, practice, known=[*practice.known, Known("d5", 1)])
    assert f"d5 {what}, so nobody can grade it." in str(refused.value)


def test_answers_keep_the_grade_that_was_known_when_they_were_given(practice, olga, ada, ben):  # fmt: skip
    answered(ada, practice, grade=2)
    known = [Known("d1", 0, "It names none after all."), *practice.known[1:]]
    assert effects_of(practice, known) == ["1 assessor answered d1 and will still be compared with the grade that was known then. Answers from now on are compared with 0."]  # fmt: skip
    change(olga, practice, known=known)
    answered(ben, practice, grade=2)
    rows = {each.user: each for each in PracticeAnswer.objects.all()}
    assert {user.username: (row.known, row.agrees) for user, row in rows.items()} == {"ada": (2, True), "ben": (0, False)}  # fmt: skip
    right = {each.user.username: each.accuracy.right for each in report_of(practice).people}  # fmt: skip
    assert right == {"ada": 1, "ben": 0}


def test_a_document_that_leaves_and_comes_back_is_counted_again(practice, olga, ada):
    finish(ada, practice)
    before = practice.known
    [sentence] = effects_of(practice, before[1:])
    assert sentence == "1 assessor answered d1, which leaves practice. The answers are kept, and count again if the document comes back."  # fmt: skip
    change(olga, practice, known=before[1:])
    [row, _] = report_of(practice).people
    assert (row.n, row.accuracy.answered, bool(row.finished_at)) == (2, 2, True)
    change(olga, practice, known=before)
    [row, _] = report_of(practice).people
    assert (row.n, row.accuracy.answered) == (3, 3)


def test_a_document_that_is_added_is_left_to_those_who_had_finished(practice, olga, ada):  # fmt: skip
    finish(ada, practice)
    known = [*practice.known, Known("d4", 1)]
    assert effects_of(practice, known) == ["1 assessor has finished practice and will find d4 still to answer."]  # fmt: skip
    change(olga, practice, known=known)
    assert comes_first(ada, practice)


def test_an_answer_of_an_organizer_makes_no_effect(practice, olga):
    finish(olga, practice)
    assert effects_of(practice, []) == []


# What becomes of the documents


def test_a_document_of_practice_cannot_be_deleted(practice, olga, campaign):
    document = campaign.document_set.get(docno="d1")
    with pytest.raises(Refused, match="Document d1 cannot be deleted: it is used for practice"):  # fmt: skip
        delete_document(user=olga, document=document)
    with pytest.raises(Refused, match="Documents d1, d2 and d3 cannot be deleted: they are used for practice"):  # fmt: skip
        delete_documents(user=olga, campaign=campaign, n_shown=6)
    change(olga, practice, is_on=False, known=[])
    delete_document(user=olga, document=document)


def test_the_import_of_a_document_of_practice_cannot_be_undone(campaign, practice, olga):  # fmt: skip
    row = make.imported(
        campaign, "documents", b'{"docno": "new", "text": "A bridge."}\n'
    )
    check_can_undo_import(row)
    change(olga, practice, known=[Known("new", 1)])
    with pytest.raises(Refused, match="document new is used for practice"):
        check_can_undo_import(row)


def test_a_text_that_was_replaced_is_told_and_the_answer_stays(campaign, practice, olga):  # fmt: skip
    make.imported(campaign, "documents", b'{"docno": "d1", "text": "Other."}\n')
    listed = {each.document.docno: each for each in report_of(practice).documents}
    assert {docno: each.document.is_replaced for docno, each in listed.items()} == {"d1": True, "d2": False, "d3": False}  # fmt: skip
    known = [Known("d1", 1, "So it is now."), *practice.known[1:]]
    change(olga, practice, known=known)
    assert not any(each.document.is_replaced for each in report_of(practice).documents)


def test_a_known_answer_that_stays_is_about_the_text_that_it_was_about(campaign, practice, olga):  # fmt: skip
    make.imported(campaign, "documents", b'{"docno": "d1", "text": "Other."}\n')
    change(olga, practice, known=practice.known[:2])
    assert [each.document.is_replaced for each in report_of(practice).documents] == [True, False]  # fmt: skip


def test_what_is_wrong_with_a_document_now_leaves_it_out(campaign, practice, olga, ada):
    """Gone, though nothing deletes it; empty; and with a grade that the scale has no more. Practice goes on with the others."""
    campaign.document_set.filter(docno="d1").delete()
    campaign.document_set.filter(docno="d2").update(text="", title="")
    assert [each.docno for each in practised(practice)] == ["d3"]
    grades = [{"value": value, "label": f"g{value}", "description": ""} for value in (0, 1, 2)]  # fmt: skip
    change_campaign(user=olga, campaign=campaign, changes={"scale_grades": grades})
    now = fresh(practice)
    assert practised(now) == []
    assert [each.why_left_out for each in report_of(now).documents] == [
        "d1 has not been imported, so it is left out of practice.",
        "d2 is empty, so it is left out of practice.",
        "The known grade of d3, 3, is no longer a grade of the scale, so it is left out of practice.",
    ]
    assert not comes_first(ada, now)
    with pytest.raises(Refused, match="left out of practice"):
        answered(ada, now, "d3", 1)


def test_what_has_come_to_be_wrong_keeps_nobody_from_changing_the_rest(campaign, practice, olga):  # fmt: skip
    campaign.document_set.filter(docno="d1").delete()
    assert change(olga, practice, title="Rivers", is_on=False).title == "Rivers"
    change(olga, practice, known=practice.known[:2])
    assert [each.docno for each in fresh(practice).known] == ["d1", "d2"]


def test_what_is_of_practice_goes_with_the_campaign(practice, olga, ada):
    finish(ada, practice)
    skip_practice(user=ada, campaign=practice.campaign)
    delete_campaign(user=olga, campaign=practice.campaign)
    assert not PracticeTopic.objects.exists()
    assert not PracticeAnswer.objects.exists()


def test_somebody_who_has_left_stays_in_the_report(practice, ada, ben):
    answered(ada, practice)
    practice.campaign.membership_set.filter(user__in=[ada, ben]).delete()
    report = report_of(practice)
    assert [(each.user, each.has_left) for each in report.people] == [(ada, True)]
    assert (report.n_assessors, report.n_finished) == (0, 0)
