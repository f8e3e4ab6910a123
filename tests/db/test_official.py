"""Official grades: decided with the act that changes them, kept with their past, by any rule."""

from datetime import timedelta
from itertools import pairwise
from statistics import median_low, mode, multimode

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from accounts.access import Refused, Unconfirmed
from assess.models.assigning import Assignment
from assess.models.disputes import disputes
from assess.models.official import GIVEN_BY, OF_SHARED, OfficialGrade
from assess.services import handover, reopening
from assess.services.adjudicating import adjudicate
from assess.services.judgment_files import OFFICIAL
from campaigns.services.campaign import change_campaign
from collection.models.texts import Document
from pooling.services import take_back_batch
from qrels.models import Qrels
from qrels.services.publishing import publish_qrels
from tests import make
from tests.asked import graded_by
from tests.db.judging import act, answer, downloaded, undo
from tests.db.races import overtaken
from tests.db.sharing import judge_all, of, one_topic, shared

BY_HAND = {
    "median": median_low,
    "majority": lambda all_: mode(sorted(all_)),
    "majority-highest": lambda all_: max(multimode(all_)),
    "majority-adjudicated": lambda all_: mode(all_) if len(multimode(all_)) == 1 else None,
    "maximum": max,
}


def past(docno: str) -> list[tuple[int | None, str, bool]]:
    """What was official of a document, in time: grade, rule, and whether it still is."""
    rows = OfficialGrade.objects.filter(item__key=docno).order_by("since")
    return [(row.grade, row.rule, row.until is None) for row in rows]


def test_a_grade_is_official_until_it_changes_and_its_past_is_kept(primary):
    answer(primary, "d1", grade=2)
    answer(primary, "d1", grade=2, comment="Sure.")
    assert past("d1") == [(2, "primary", True)], "the same grade goes on"
    answer(primary, "d1", grade=0)
    answer(primary, "d1", "later")
    assert past("d1") == [(2, "primary", False), (0, "primary", False)]
    answer(primary, "d1", "cannot_judge", reason="unreadable")
    assert past("d1")[2:] == [(None, "primary", True)]
    rows = list(OfficialGrade.objects.filter(item__key="d1").order_by("since"))
    assert all(one.until <= other.since for one, other in pairwise(rows))
    assert {row.by for row in rows} == {primary.assessor}
    assert OfficialGrade.objects.grades(primary.topic.campaign) == {}


def test_the_file_of_official_grades_has_their_past(primary, olga):
    for grade in (2, 0):
        answer(primary, "d1", grade=grade)
    answer(primary, "d2", "cannot_judge", reason="other")
    rows = downloaded(OFFICIAL, primary.topic.campaign, olga)
    told = [
        (row["docno"], row["grade"], row["rule"], row["by"], bool(row["until"])) for row in rows
    ]
    assert told == [
        ("d1", "2", "primary", "ada", True),
        ("d1", "0", "primary", "ada", False),
        ("d2", "", "primary", "ada", False),
    ]
    assert rows[0]["until"] == rows[1]["since"]


def test_what_is_set_aside_or_brought_back_is_official_no_longer_or_again(primary, ada, ben):
    for docno in ("d1", "d2"):
        answer(primary, docno, grade=1)
    act(reopening.reset, primary)
    assert OfficialGrade.objects.grades(primary.topic.campaign) == {}
    aside = primary.judgments.exclude(set_aside_at=None).first().set_aside_at
    act(reopening.restore, primary, set_aside_at=aside)
    assert OfficialGrade.objects.grades(primary.topic.campaign) == {"1": {"d1": 1, "d2": 1}}
    act(handover.hand_over, primary, assessor=ben)
    primary.refresh_from_db()
    answer(primary, "d1", grade=3)
    now = OfficialGrade.objects.current().get(item__key="d1")
    assert (now.grade, now.by) == (3, ben)
    undo(primary)
    now = OfficialGrade.objects.current().get(item__key="d1")
    assert (now.grade, now.by) == (1, ada)
    act(reopening.reopen, primary)
    assert OfficialGrade.objects.grades(primary.topic.campaign) == {}


def test_nothing_but_official_judgments_is_official(topic, primary, ben):
    second = make.assignment(topic, ben, "second")
    answer(second, "d1", grade=3)
    assert not OfficialGrade.objects.exists()


@pytest.mark.parametrize("rule", OF_SHARED)
@pytest.mark.django_db
@given(grades=st.lists(st.integers(0, 3), min_size=1, max_size=6))
def test_each_rule_of_shared_topics_is_the_statistic_that_it_names(rule, grades):
    """Of all grades at once, by the database, as by Python's own statistics."""
    of_all = f"""
        SELECT {OF_SHARED[rule]} FROM unnest(%s::smallint[]) AS judgment (grade)
        HAVING {GIVEN_BY.get(rule, "true")}
    """  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(of_all, [[*grades, None]])
        grade = BY_HAND[rule](grades)
        assert cursor.fetchall() == ([] if grade is None else [(grade,)])


@pytest.fixture
def judged_thrice(olga, ada, ben, cleo, pat):
    """A shared topic of two documents, each with the grades 0, 0 and 3, or 1, 2 and 3."""
    campaign = one_topic(olga, pat, [ada, ben, cleo], 2)
    queue = shared(campaign, [ada, ben, cleo], n_wanted=3)
    for person, (one, two) in zip((ada, ben, cleo), ((0, 1), (0, 2), (3, 3)), strict=True):
        assignment = of(queue, person)
        judge_all(assignment, one)
        answer(assignment, "d01", grade=two)
    return campaign


def test_another_rule_says_what_it_changes_and_a_worker_decides_by_it(judged_thrice, olga):
    campaign = judged_thrice
    assert OfficialGrade.objects.grades(campaign) == {"1": {"d00": 0, "d01": 2}}
    changes = {"shared_rule": "maximum"}
    with pytest.raises(Unconfirmed) as asked:
        change_campaign(user=olga, campaign=campaign, changes=changes, accepts="")
    assert str(asked.value) == (
        "By the highest grade: 2 official grades would change, 1 of them between relevant "
        "and not. Published qrels stay as they are."
    )
    publish_qrels(user=olga, campaign=campaign)
    change_campaign(user=olga, campaign=campaign, changes=changes, accepts=str(asked.value))
    with pytest.raises(Refused, match="being decided again by the rule that was chosen last"):
        publish_qrels(user=olga, campaign=campaign)
    make.worked("decide_again", campaign.pk)
    assert OfficialGrade.objects.grades(campaign) == {"1": {"d00": 3, "d01": 3}}
    assert past("d00") == [(0, "median", False), (3, "maximum", True)]
    campaign.refresh_from_db()
    publish_qrels(user=olga, campaign=campaign)
    assert list(Qrels.objects.values_list("rule", flat=True)) == ["maximum", "median"]


@pytest.fixture
def tied(olga, ada, ben, cleo, pat):
    """A shared topic of 3 documents judged by two: 1 and 2, 1 and 3, 2 and 2."""
    campaign = one_topic(olga, pat, [ada, ben, cleo], 3)
    queue = shared(campaign, [ada, ben], n_wanted=2)
    for person, grades in ((ada, (1, 1, 2)), (ben, (2, 3, 2))):
        assignment = of(queue, person)
        judge_all(assignment, 2)
        for n, grade in enumerate(grades):
            answer(assignment, f"d{n:02}", grade=grade)
    return campaign


def with_rule(campaign, olga, rule: str, accepts: str | None = None) -> dict[str, int]:
    """The official grades by another rule."""
    change_campaign(user=olga, campaign=campaign, changes={"shared_rule": rule}, accepts=accepts)
    make.worked("decide_again", campaign.pk)
    campaign.refresh_from_db()
    return OfficialGrade.objects.grades(campaign)["1"]


def test_ties_of_the_majority_are_the_lower_the_higher_or_nothing(tied, olga):
    assert with_rule(tied, olga, "majority") == {"d00": 1, "d01": 1, "d02": 2}
    assert with_rule(tied, olga, "majority-highest") == {"d00": 2, "d01": 3, "d02": 2}
    with pytest.raises(Unconfirmed) as asked:
        with_rule(tied, olga, "majority-adjudicated", accepts="")
    assert str(asked.value) == (
        "By the most frequent grade; of several none until an adjudicator decides: 2 official "
        "grades would be gone until an adjudicator decides. Published qrels stay as they are."
    )
    assert with_rule(tied, olga, "majority-adjudicated") == {"d02": 2}
    assert past("d00")[-1] == (2, "majority-highest", False), "what was official has ended"
    assert Assignment.objects.n_official(tied) == 1
    with pytest.raises(Unconfirmed, match=r"^By the median grade, .*: 2 documents would get one"):
        with_rule(tied, olga, "median", accepts="")


def test_a_tie_is_decided_by_an_adjudicator_however_near_its_grades_are(tied, olga, cleo):
    with_rule(tied, olga, "majority-adjudicated")
    [topic] = tied.topic_set.all()
    assert [(each.steps, each.is_tied) for each in disputes(tied, [topic.pk], 3)] == [
        (2, True),
        (1, True),
    ]
    first = publish_qrels(user=olga, campaign=tied)
    assert (first.grades(), first.n_open, first.n_cannot_judge) == ({"1": {"d02": 2}}, 2, 0)
    adjudicate(user=olga, campaign=tied, assessor=cleo, least_steps=3)
    assignment = Assignment.objects.get(kind="adjudication")
    assert sorted(assignment.entries.values_list("item__key", flat=True)) == ["d00", "d01"]
    answer(assignment, "d00", grade=2)
    assert OfficialGrade.objects.grades(tied) == {"1": {"d00": 2, "d02": 2}}
    undo(assignment)
    assert OfficialGrade.objects.grades(tied) == {"1": {"d02": 2}}
    answer(assignment, "d00", grade=1)
    answer(assignment, "d01", "cannot_judge", reason="other")
    assert OfficialGrade.objects.grades(tied) == {"1": {"d00": 1, "d02": 2}}
    second = publish_qrels(user=olga, campaign=tied)
    assert (second.rule, second.n_adjudicated, second.n_open) == ("majority-adjudicated", 1, 1)


def test_a_tie_is_no_dispute_of_its_own_by_any_other_rule(tied, olga):
    [topic] = tied.topic_set.all()
    for rule in ("median", "majority-highest"):
        if rule != "median":
            with_rule(tied, olga, rule)
        found = disputes(tied, [topic.pk], 2)
        assert [(each.steps, each.is_tied) for each in found] == [(2, False)]


def test_another_rule_that_changes_nothing_asks_nothing(judged_thrice, olga):
    change_campaign(user=olga, campaign=judged_thrice, changes={"shared_rule": "majority"})


def test_another_level_says_how_many_documents_it_concerns(judged_thrice, olga):
    grades = judged_thrice.scale.fixed
    changes = {"criteria": graded_by(grades, 3)}
    with pytest.raises(Unconfirmed, match=r"^1 judged document would no longer count as relevant"):
        change_campaign(user=olga, campaign=judged_thrice, changes=changes, accepts="")
    change_campaign(user=olga, campaign=judged_thrice, changes=changes)
    judged_thrice.refresh_from_db()
    lower = {"criteria": graded_by(grades, 2)}
    with pytest.raises(Unconfirmed, match=r"^1 more judged document would count as relevant"):
        change_campaign(user=olga, campaign=judged_thrice, changes=lower, accepts="")


def test_existing_grades_are_official_while_their_batch_is_in_the_pool(campaign, pat, olga):
    run = make.run(campaign, pat, {"1": "d1 d2 d3"})
    earlier = make.imported_qrels(campaign, b"1 0 d1 2\n1 0 d2 0\n")
    batch = make.batch(campaign, [run], 3, existing_sha256=earlier.sha256)
    make.frozen(batch)
    assert OfficialGrade.objects.grades(campaign) == {"1": {"d1": 2, "d2": 0}}
    take_back_batch(user=olga, batch=batch)
    assert not OfficialGrade.objects.exists()


def test_a_duplicate_follows_its_original_in_everything(campaign, pat, ada):
    Document.objects.filter(campaign=campaign, docno__in=["d2", "d3"]).update(text="One", title="")
    run = make.run(campaign, pat, {"1": "d1 d2 d3"})
    make.frozen(make.batch(campaign, [run], 3, joins_duplicates=True))
    primary = make.assignment(campaign.topic_set.get(number="1"), ada)
    answer(primary, "d2", grade=2)
    answer(primary, "d2", grade=1)
    answer(primary, "d2", "cannot_judge", reason="other")
    assert past("d3") == [(2, "duplicate", False), (1, "duplicate", False)]
    answer(primary, "d2", grade=3)
    assert OfficialGrade.objects.grades(campaign) == {"1": {"d2": 3, "d3": 3}}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("freezes_first", [True, False])
def test_a_duplicate_that_joins_while_its_original_is_judged_has_its_grade(
    campaign, pat, ada, freezes_first
):
    Document.objects.filter(campaign=campaign, docno__in=["d2", "d3"]).update(text="One", title="")
    run = make.run(campaign, pat, {"1": "d1 d2 d3"})
    make.frozen(make.batch(campaign, [run], 2))
    primary = make.assignment(campaign.topic_set.get(number="1"), ada)
    draft = make.batch(campaign, [run], 3, joins_duplicates=True)
    both = [lambda: make.frozen(draft), lambda: answer(primary, "d2", grade=2)]
    assert not isinstance(overtaken(*both[:: 1 if freezes_first else -1]), Refused)
    assert OfficialGrade.objects.grades(campaign) == {"1": {"d2": 2, "d3": 2}}


@pytest.mark.django_db(transaction=True)
def test_a_grade_given_while_a_worker_decides_is_of_the_new_rule(judged_thrice, olga, ada):
    campaign, assignment = judged_thrice, Assignment.objects.get(assessor=ada)
    change_campaign(user=olga, campaign=campaign, changes={"shared_rule": "maximum"})
    came = overtaken(
        lambda: make.worked("decide_again", campaign.pk), lambda: answer(assignment, "d00", grade=1)
    )
    assert not isinstance(came, Refused)
    assert past("d00") == [(0, "median", False), (3, "maximum", True)]


def test_a_clock_that_is_set_back_keeps_nobody_from_judging(primary):
    answer(primary, "d1", grade=2)
    OfficialGrade.objects.update(since=timezone.now() + timedelta(hours=1))
    answer(primary, "d1", grade=1)
    assert sorted(past("d1")) == [(1, "primary", True), (2, "primary", False)]


def test_two_grades_cannot_be_official_of_one_document_at_once(primary):
    answer(primary, "d1", grade=2)
    [row] = OfficialGrade.objects.all()
    row.pk = None
    with pytest.raises(IntegrityError, match="one_official_grade_at_a_time"), transaction.atomic():
        row.save()
