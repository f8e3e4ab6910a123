"""Assignments that pass on, are taken back, reset, reopened: the official grades stay those of the primary assignment."""

from collections import Counter
from uuid import uuid4

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from accounts.access import NotThere, NotYours, Refused
from accounts.models import User
from assess import services
from assess.access import Stale, check_can_read_judgments
from assess.core.agreement import agreement_report
from assess.core.answers import Answer, Provenance, Seen
from assess.events import AssessEvent
from assess.models import Assignment, AssignmentEntry, Judgment, JudgmentEvent
from assess.services.handing import CHANGED_HANDS
from assess.services.reopening import JUDGED_MEANWHILE
from campaigns.holdings import Successors
from campaigns.models import AuditEvent, Role
from campaigns.services import remove_member
from tests import make
from tests.db.judging import answer, counts
from tests.db.locks import locked

SECOND = Assignment.Kind.SECOND


def official(campaign) -> dict[str, int]:
    rows = Judgment.objects.by_rule("primary", campaign.pk)
    return {row.docno: row.grade for row in rows if row.topic == "1"}


def act(service, assignment, **values):
    organizer = User.objects.get(username="olga")
    return service(user=organizer, assignment=assignment, **values)


@pytest.fixture
def begun(primary):
    """Ada has given d1 grade 2, put d2 off, and found d3 unreadable."""
    answer(primary, "d1", grade=2, comment="mine")
    answer(primary, "d2", "later")
    answer(primary, "d3", "cannot_judge", reason="unreadable")
    primary.refresh_from_db()
    return primary


def test_a_topic_handed_over_goes_on_where_it_was(begun, ada, ben, pooled):
    act(services.hand_over, begun, assessor=ben)
    begun.refresh_from_db()
    assert (begun.assessor, counts(begun)) == (ben, (1, 1, 1))
    answer(begun, "d4", grade=1)
    assert official(pooled) == {"d1": 2, "d4": 1}
    authors = begun.judgments.values_list("docno", "assessor__username")
    assert dict(authors) == {"d1": "ada", "d2": "ada", "d3": "ada", "d4": "ben"}


def test_whoever_had_the_topic_has_no_way_in(begun, ada, ben):
    act(services.hand_over, begun, assessor=ben)
    with pytest.raises(NotYours, match="given to somebody else"):
        services.judge(assessor=ada, assignment=begun, answer=services.judging.Answer("d4", "later"))  # fmt: skip


PARTINGS = {
    "handed over": lambda primary, olga, ben: act(services.hand_over, primary, assessor=ben),
    "taken back": lambda primary, olga, ben: (act(services.take_back, primary), assigned(primary, olga, ben)),
    "taken back with all": lambda primary, olga, ben: (services.take_back_unbegun(user=olga, campaign=primary.topic.campaign), assigned(primary, olga, ben)),
}  # fmt: skip


def assigned(primary, olga, ben):
    services.assign(user=olga, topic=primary.topic, assessor=ben, kind="primary")


@pytest.mark.parametrize("parting", PARTINGS)
def test_whoever_had_a_topic_reads_why_it_is_gone_and_others_that_there_is_none(primary, ada, ben, olga, pat, parting):  # fmt: skip
    PARTINGS[parting](primary, olga, ben)
    primary.refresh_from_db()
    assert primary.assessor == ben
    for person in (ada, olga):
        with pytest.raises(NotYours, match="given to somebody else"):
            check_can_read_judgments(person, primary)
    mia = make.user("mia")
    primary.topic.campaign.membership_set.create(user=mia, role=Role.ASSESSOR)
    for member in (mia, pat):
        with pytest.raises(NotThere):
            check_can_read_judgments(member, primary)


@pytest.mark.parametrize("has_judged", [False, True])
def test_whoever_was_removed_reads_so_though_somebody_else_has_the_topic(primary, olga, ada, ben, has_judged):  # fmt: skip
    if has_judged:
        make.judgment(primary, "d1", 1)
    member = primary.topic.campaign.membership_set.get(user=ada)
    remove_member(user=olga, membership=member, successors=Successors(ben))
    primary.refresh_from_db()
    assert primary.assessor == ben
    with pytest.raises(NotYours, match="You are no longer an assessor"):
        check_can_read_judgments(ada, primary)
    with pytest.raises(NotThere):
        check_can_read_judgments(make.user("nobody"), primary)


def test_a_grade_of_the_next_assessor_sets_the_earlier_one_aside(begun, ben, pooled):
    act(services.hand_over, begun, assessor=ben)
    begun.refresh_from_db()
    answer(begun, "d1", grade=3)
    assert official(pooled) == {"d1": 3}
    assert counts(begun) == (1, 1, 1)
    earlier = begun.judgments.get(docno="d1", assessor__username="ada")
    assert (earlier.grade, earlier.comment) == (2, "mine")
    assert earlier.set_aside_at
    theirs = begun.judgments.get(docno="d1", assessor=ben)
    assert (theirs.comment, theirs.events.get().from_grade) == ("", 2)


def test_undo_leaves_the_judgments_of_whoever_had_the_topic_before(begun, ben):
    act(services.hand_over, begun, assessor=ben)
    begun.refresh_from_db()
    assert services.undo(assessor=ben, assignment=begun) is None
    answer(begun, "d5", grade=0)
    assert services.undo(assessor=ben, assignment=begun).docno == "d5"


def given_over(begun, ben, *replacing):
    """Ben has the topic now, and judges documents that Ada judged before him."""
    act(services.hand_over, begun, assessor=ben)
    begun.refresh_from_db()
    for docno in replacing:
        answer(begun, docno, grade=3, comment="Ben's")


def undo(assignment, **how):
    sent = Provenance(**how)
    return services.undo(
        assessor=assignment.assessor, assignment=assignment, provenance=sent
    )


def test_undo_brings_back_what_counted_before(begun, ben, pooled):
    given_over(begun, ben, "d1", "d3")
    assert (official(pooled), counts(begun)) == ({"d1": 3, "d3": 3}, (2, 1, 0))
    changes, client_id = begun.n_changes, uuid4()
    for _ in range(2):  # the same key again, as its answer was lost
        assert undo(begun, client_id=client_id).docno == "d3"
    assert (official(pooled), counts(begun)) == ({"d1": 3}, (1, 1, 1))
    assert undo(begun).docno == "d1"
    assert (official(pooled), counts(begun)) == ({"d1": 2}, (1, 1, 1))
    assert begun.n_changes == changes + 2
    back = begun.entries.get(docno="d1").judgment
    assert (back.assessor.username, back.comment, back.events.count()) == ("ada", "mine", 1)  # fmt: skip
    theirs = begun.judgments.filter(assessor=ben)
    assert {(each.state, bool(each.set_aside_at)) for each in theirs} == {("reopened", True)}  # fmt: skip
    events = AuditEvent.objects.filter(kind=AssessEvent.JUDGMENTS_BROUGHT_BACK)
    told = events.order_by("pk").values_list("actor", "subject")
    assert list(told) == [(ben.pk, f"1, Ada (primary): {docno}") for docno in ("d3", "d1")]  # fmt: skip
    assert undo(begun) is None
    answer(begun, "d1", grade=0)
    assert official(pooled) == {"d1": 0}
    undo(begun)
    assert official(pooled) == {"d1": 2}


def test_an_answer_sent_again_after_its_undo_says_what_became_of_it(begun, ben):
    given_over(begun, ben)
    sent = {"grade": 3, "client_id": uuid4()}
    answer(begun, "d1", **sent)
    undo(begun)
    with pytest.raises(Refused, match="has been set aside since"):
        answer(begun, "d1", **sent)


def test_undo_brings_back_nothing_that_was_open_and_nobody_who_judges_it_elsewhere(begun, ada, ben, pooled):  # fmt: skip
    given_over(begun, ben, "d2")
    undo(begun)
    assert begun.entries.get(docno="d2").judgment.assessor == ben
    for docno in ("d1", "d3"):
        answer(begun, docno, grade=3)
    undo(begun)
    assert begun.entries.get(docno="d3").judgment.assessor == ada
    answer(begun, "d3", grade=3)
    # Nothing of Ada's counts in the primary assignment, so that she can be given a second one.
    make.assignment(begun.topic, ada, SECOND)
    assert undo(begun).docno == "d3"
    assert begun.entries.get(docno="d3").judgment.assessor == ben
    assert official(pooled) == {"d1": 3}


def test_undo_waits_for_who_assigns_only_where_it_may_bring_something_back(begun, ben):
    assert "pooling_pool" not in locked(lambda: undo(begun))
    given_over(begun, ben, "d1")
    assert "pooling_pool" in locked(lambda: undo(begun))


def test_what_a_predecessor_judged_since_the_page_was_opened_is_not_told(begun, ada, ben):  # fmt: skip
    """Ben judged it, Ada again, and Ben has the topic back, with his page still open."""
    given_over(begun, ben, "d1")
    seen = Seen(change=begun.entries.get(docno="d1").judgment.change)
    given_over(begun, ada, "d1")
    given_over(begun, ben)
    for grade in (3, 1):  # neither by what is said nor by whether it is refused
        with pytest.raises(Stale) as refused:
            services.judge(assessor=ben, assignment=begun, answer=Answer("d1", "judged", grade), seen=seen)  # fmt: skip
        assert str(refused.value) == "Ada has judged d1 since this page was loaded."


def test_a_topic_taken_back_keeps_its_grades_and_waits(begun, ada, ben, pooled, topic):
    act(services.take_back, begun)
    assert official(pooled) == {"d1": 2}
    begun.refresh_from_db()
    with pytest.raises(NotYours, match="Topic 1 was taken back from you"):
        answer(begun, "d4", grade=1)
    with pytest.raises(Refused, match="has been taken back already"):
        act(services.take_back, begun)
    again = make.assignment(topic, ben)
    assert (again.pk, again.taken_back_at) == (begun.pk, None)
    assert counts(again) == (1, 1, 1)


def test_a_topic_taken_back_can_be_given_back(begun, ada):
    act(services.take_back, begun)
    act(services.hand_over, begun, assessor=ada)
    begun.refresh_from_db()
    assert answer(begun, "d1", grade=1).events.count() == 2
    with pytest.raises(Refused, match="Ada has topic 1 already"):
        act(services.hand_over, begun, assessor=ada)


def test_nobody_judges_a_topic_twice(begun, ada, ben, topic):
    second = make.assignment(topic, ben, SECOND)
    with pytest.raises(Refused, match="Ben already judges topic 1"):
        act(services.hand_over, begun, assessor=ben)
    act(services.take_back, begun)
    with pytest.raises(
        Refused, match="judged documents of topic 1 already, in its primary"
    ):
        act(services.hand_over, second, assessor=ada)
    with pytest.raises(
        Refused, match="judged documents of topic 1 already, in its primary"
    ):
        make.assignment(topic, ada, SECOND)


def test_judgments_do_not_come_back_beside_a_second_opinion_of_their_author(begun, ada, ben, topic):  # fmt: skip
    act(services.reset, begun)
    aside = begun.judgments.first().set_aside_at
    act(services.hand_over, begun, assessor=ben)
    make.assignment(topic, ada, SECOND)
    with pytest.raises(Refused, match="Ada already judges topic 1"):
        act(services.restore, begun, set_aside_at=aside)


def test_what_has_not_been_begun_can_be_taken_back_at_once(begun, pooled, olga, ben):
    other = make.assignment(pooled.topic_set.get(number="2"), ben)
    assert services.take_back_unbegun(user=olga, campaign=pooled) == 1
    other.refresh_from_db()
    begun.refresh_from_db()
    assert (bool(other.taken_back_at), begun.taken_back_at) == (True, None)
    with pytest.raises(Refused, match="has been begun"):
        services.take_back_unbegun(user=olga, campaign=pooled)


def test_a_reset_keeps_everything_and_can_be_taken_back(begun, pooled):
    before = list(JudgmentEvent.objects.values())
    seen = begun.n_changes
    assert act(services.reset, begun) == 3
    assert (official(pooled), counts(begun)) == ({}, (0, 0, 0))
    assert list(JudgmentEvent.objects.values()) == before
    assert begun.n_changes > seen
    with pytest.raises(Refused, match="nothing to set aside"):
        act(services.reset, begun)
    answer(begun, "d1", grade=0)
    aside = begun.judgments.get(docno="d2").set_aside_at
    assert act(services.restore, begun, set_aside_at=aside) == (2, 3)
    assert (official(pooled), counts(begun)) == ({"d1": 0}, (1, 1, 1))
    for at, why in ((aside, "judged again"), (begun.created_at, "back already")):
        with pytest.raises(Refused, match=f"nothing to bring back: .*{why}"):
            act(services.restore, begun, set_aside_at=at)


def test_what_was_only_put_off_since_a_reset_gives_way(begun, pooled):
    """One is put off now, another judged again and reopened."""
    before = official(pooled), counts(begun)
    act(services.reset, begun)
    [(aside, _)] = begun.set_aside_groups()
    answer(begun, "d1", "later")
    answer(begun, "d2", grade=3)
    services.undo(assessor=begun.assessor, assignment=begun)
    assert list(begun.set_aside_groups()) == [(aside, 3)]
    assert act(services.restore, begun, set_aside_at=aside) == (3, 3)
    assert (official(pooled), counts(begun)) == before


def test_an_answer_sent_again_after_a_reset_says_what_became_of_it(primary):
    sent = Provenance()
    for _ in range(2):
        answer(primary, "d1", grade=1, client_id=sent.client_id)
    act(services.reset, primary)
    with pytest.raises(Refused, match="has been set aside since"):
        answer(primary, "d1", grade=1, client_id=sent.client_id)


def test_one_grade_is_reopened_and_its_history_says_by_whom(begun, olga, pooled):
    assert act(services.reopen, begun, docno="d1") == 1
    judgment = begun.judgments.get(docno="d1")
    assert (judgment.state, judgment.grade, judgment.comment) == ("reopened", None, "mine")  # fmt: skip
    event = judgment.events.last()
    assert (event.by, event.from_grade, event.to_state) == (olga, 2, "reopened")
    assert (official(pooled), counts(begun)) == ({}, (0, 2, 1))
    with pytest.raises(Refused, match="Document d1 is open"):
        act(services.reopen, begun, docno="d1")


def test_a_topic_is_reopened_as_a_whole(begun):
    assert act(services.reopen, begun) == 2
    assert counts(begun) == (0, 3, 0)
    with pytest.raises(Refused, match="All documents are open"):
        act(services.reopen, begun)


def test_a_page_from_before_another_change_is_refused(begun, ada, ben):
    seen = begun.n_changes
    answer(begun, "d4", grade=1)
    for service in (services.reset, services.reopen):
        with pytest.raises(Refused, match=JUDGED_MEANWHILE):
            act(service, begun, seen_changes=seen)
    act(services.hand_over, begun, assessor=ben, seen_holder=ada.pk)
    for service, values in ((services.hand_over, {"assessor": ada}), (services.take_back, {})):  # fmt: skip
        with pytest.raises(Refused, match=CHANGED_HANDS):
            act(service, begun, seen_holder=ada.pk, **values)


def test_a_primary_assessor_judges_the_whole_topic(topic, ada):
    with pytest.raises(Refused, match="judges the whole topic"):
        make.assignment(topic, ada, share=0.5)


def test_who_has_a_run_in_the_pool_may_be_kept_from_judging(topic, pat, pooled, ada):
    pooled.membership_set.create(user=pat, role="assessor")
    make.assignment(topic, pat)
    assert pooled.refuses_conflicts is False
    type(pooled).objects.update(refuses_conflicts=True)
    pooled.refresh_from_db()
    other = pooled.topic_set.get(number="2")
    with pytest.raises(Refused, match="Pat is of a team with a run in the pool"):
        make.assignment(other, pat)
    assert make.assignment(other, ada)


ACTS = ("judge", "judge", "judge", "undo", "hand", "take", "reset", "restore", "reopen")
STEPS = st.lists(
    st.tuples(st.sampled_from(ACTS), st.integers(0, 1), st.integers(0, 2), st.integers(1, 6), st.integers(0, 3)),
    max_size=12,
)  # fmt: skip


def test_whatever_is_done_the_grades_are_those_last_given(topic, ada, ben, cleo):
    """Two assignments and three people; each act may be refused, and then has changed nothing."""
    first, second = make.assignment(topic, ada), make.assignment(topic, ben, SECOND)

    @given(STEPS)
    def check(steps):
        with transaction.atomic():
            expected: dict[str, int] = {}
            for step, which, person, number, grade in steps:
                assignment = Assignment.objects.get(pk=(first, second)[which].pk)
                docno, n_changes = f"d{number}", assignment.n_changes
                took = take(step, assignment, (ada, ben, cleo)[person], docno, grade)
                found = official(topic.campaign)
                if which == 1 or not took or step in {"hand", "take"}:
                    assert found == expected
                elif step == "judge":
                    assert found == {**expected, docno: grade}
                elif step in {"reset", "reopen"}:
                    assert not found if step == "reset" else docno not in found
                assignment.refresh_from_db()
                assert found == expected or assignment.n_changes > n_changes
                expected = found
            hold_together(topic)
            transaction.set_rollback(True)

    check()


def take(step, assignment, person, docno, grade) -> bool:
    acts = {
        "judge": lambda: answer(assignment, docno, grade=grade),
        "undo": lambda: services.undo(
            assessor=assignment.assessor, assignment=assignment
        ),
        "hand": lambda: act(services.hand_over, assignment, assessor=person),
        "take": lambda: act(services.take_back, assignment),
        "reset": lambda: act(services.reset, assignment),
        "restore": lambda: act(
            services.restore, assignment, set_aside_at=last_aside(assignment)
        ),
        "reopen": lambda: act(services.reopen, assignment, docno=docno),
    }
    try:
        with transaction.atomic():
            acts[step]()
    except Refused:
        return False
    return True


def last_aside(assignment):
    aside = assignment.judgments.exclude(set_aside_at=None).order_by("-set_aside_at")
    last = aside.first()
    return last.set_aside_at if last else None


def hold_together(topic) -> None:
    """Each judgment that counts is the one of its document; nobody is compared with themselves; the counts are true."""
    served = AssignmentEntry.objects.exclude(judgment=None)
    assert set(served.values_list("judgment", flat=True)) == set(
        Judgment.objects.current().values_list("pk", flat=True)
    )
    for assignment in topic.assignment_set.all():
        states = Counter(assignment.judgments.current().values_list("state", flat=True))
        later = states["later"] + states["reopened"]
        assert counts(assignment) == (states["judged"], later, states["cannot_judge"])
    rows = Judgment.objects.twice_judged(topic.campaign)
    agreement_report(rows, grades=[0, 1, 2, 3], level=1)
