"""Practice: the first answer stays, none is a judgment, whom it is for and waits for."""

from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from accounts.access import NotThere, NotYours, Refused, check, why_not
from assess.access.judging import Judging
from assess.core.answers import Answer
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from assess.models.pacing import UNTIMED, dwells, paces, who_judged
from assess.models.records import event_records
from assess.services import judging
from campaigns.services.ending import archive_campaign
from practice.access import PracticeTopic, comes_first, practised
from practice.models import Practice, answers_of
from practice.services import serve_practice
from practice.web.report import report_of
from qrels.services.publishing import publish_qrels
from tests import make
from tests.db.actions import snapshot
from tests.db.judging import undo
from tests.db.practicing import answered, change, finish, fresh
from tests.db.races import overtaken

# Answers


def test_the_first_answer_stays_and_a_later_one_is_a_try(practice, ada):
    for grade, n_tries in ((1, 1), (2, 2), (None, 3)):
        made = answered(ada, practice, grade=grade)
        assert (made.grade, made.known, made.n_tries, made.last) == (1, 2, n_tries, grade)


def test_what_was_taken_back_was_answered(practice, ada):
    answered(ada, practice, grade=1)
    assignment = practice.assignments.get()
    undo(assessor=ada, assignment=assignment)
    assert answers_of(practice, [ada.pk])[ada.pk]["d1"].grade == 1
    assert answered(ada, practice, grade=2).grade == 1


def test_what_is_put_off_is_not_answered(practice, ada):
    assignment = serve_practice(user=ada, campaign=practice.campaign)
    judging.judge(assessor=ada, assignment=assignment, answer=Answer("d1", "later"))
    assert not answers_of(practice)
    assert not practice.has_answers_of(ada)


@pytest.mark.django_db(transaction=True)
def test_two_pages_opened_at_the_same_time_have_one_practice(practice, ada):
    serve = partial(serve_practice, user=ada, campaign=practice.campaign)
    assert overtaken(serve, serve) == practice.assignments.get()
    assert practice.assignments.get().entries.count() == 3


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"docno": "d4"}, "d4 is not a document you were given for practice."),
        ({"grade": 7}, "7 is not a grade of this campaign's scale."),
    ],
)
def test_what_is_no_answer_is_refused(practice, ada, sent, sentence):
    with pytest.raises(Refused) as refused:
        answered(ada, practice, **sent)
    assert sentence in str(refused.value)
    assert not Judgment.objects.exists()


def test_nothing_of_practice_is_a_judgment(campaign, olga, ada, ben, pat, practice):
    """Every other table and the qrels stay as they are."""
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2 d3"})], depth=3)
    make.judgment(make.assignment(campaign.topic_set.get(number="1"), ada), "d1", 1)
    before, events = snapshot(), [*event_records(campaign)]
    finish(ada, practice)
    finish(ben, practice)
    now = snapshot()
    changed = {name for name in now if now[name] != before[name]}
    theirs = {"Assignment", "AssignmentEntry", "Judgment", "JudgmentEvent"}
    assert changed - {"AuditEvent"} == theirs
    assert Assignment.objects.counting().count() == Judgment.objects.counting().count() == 1
    assert [*event_records(campaign)] == events
    now = timezone.now()
    assert paces(campaign, now).keys() == paces(campaign, now, ada).keys() == {ada.pk}
    assert not paces(campaign, now, ben)
    pairs = {(campaign.pk, each.pk) for each in (ada, ben)}
    assert who_judged(now - timedelta(hours=1), pairs) == {(campaign.pk, ada.pk)}
    assert dwells(campaign) == dwells(campaign, ben) == UNTIMED
    qrels = publish_qrels(user=olga, campaign=campaign)
    assert make.content(qrels.file) == b"1 0 d1 1\n"


# Who


def test_whom_practice_is_for(practice, olga, ada, pat, sam):
    assert not why_not(PracticeTopic.read, olga, practice)
    assert not why_not(PracticeTopic.read, ada, practice)
    with pytest.raises(NotYours, match="for the assessors and organizers"):
        check(PracticeTopic.read, pat, practice)
    practice.campaign.membership_set.get(user=ada).delete()
    for person in (sam, ada):
        with pytest.raises(NotThere):
            check(PracticeTopic.read, person, practice)


def test_a_campaign_need_not_have_practice(campaign, olga, ada):
    none = Practice.objects.of(campaign)
    for person in (olga, ada):
        assert why_not(PracticeTopic.read, person, none) == "This campaign has no practice topic."
    assert practised(none) == []
    assert not comes_first(ada, none)


def test_what_is_off_is_for_organizers_and_who_has_answered(practice, olga, ada, ben):
    answered(ada, practice)
    off = change(olga, practice, is_on=False)
    assert not why_not(PracticeTopic.read, ada, off)
    assert not why_not(PracticeTopic.answer, olga, off)
    for verb in (PracticeTopic.read, PracticeTopic.answer):
        assert why_not(verb, ben, off) == "The organizers have switched practice off."
    assert "switched practice off" in why_not(PracticeTopic.answer, ada, off)


def test_who_has_answered_nothing_reads_nothing_once_practice_is_off(practice, olga, ada):
    assignment = serve_practice(user=ada, campaign=practice.campaign)
    assert not why_not(Judging.read, ada, assignment)
    change(olga, practice, is_on=False)
    assert "switched practice off" in why_not(Judging.read, ada, assignment)


def test_practice_opens_and_closes_with_judging_and_an_archive_can_be_read(practice, olga, ada):
    campaign = practice.campaign
    campaign.judging_opens_at = timezone.now() + timedelta(days=1)
    assert "Judging opens on" in why_not(PracticeTopic.read, ada, practice)
    assert not why_not(PracticeTopic.answer, olga, practice)
    campaign.judging_opens_at = None
    campaign.judging_closes_at = timezone.now() - timedelta(days=1)
    assert not why_not(PracticeTopic.read, ada, practice)
    for person in (ada, olga):
        assert "Judging closed on" in why_not(PracticeTopic.answer, person, practice)
    archive_campaign(user=olga, campaign=campaign)
    now = fresh(practice)
    assert not why_not(PracticeTopic.read, ada, now)
    assert "is archived" in why_not(PracticeTopic.answer, ada, now)


# What comes first


def test_practice_comes_first_until_it_is_finished_or_something_is_judged(
    campaign, practice, ada, ben, olga, pat
):
    assert comes_first(ada, practice)
    assert not comes_first(olga, practice)
    finish(ada, practice)
    assert not comes_first(ada, practice)
    assert comes_first(ben, practice)
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1"})])
    make.judgment(make.assignment(campaign.topic_set.get(number="1"), ben), "d1", 1)
    assert not comes_first(ben, practice)


def test_an_organizer_who_assesses_too_is_not_held_up_nor_counted(practice, ada):
    practice.campaign.membership_set.create(user=ada, role="organizer")
    answered(ada, practice)
    assert not comes_first(ada, practice)
    assert [each.user.username for each in report_of(practice).people] == ["ben"]
    assert [each.n_answered for each in report_of(practice).documents] == [0, 0, 0]


def test_nobody_is_held_up_where_nothing_can_be_answered(practice, ada):
    campaign = practice.campaign
    campaign.judging_closes_at = timezone.now() - timedelta(days=1)
    assert not comes_first(ada, practice)
    campaign.judging_closes_at = None
    campaign.document_set.update(text="", title="")
    assert not comes_first(ada, practice), "every document is empty"
