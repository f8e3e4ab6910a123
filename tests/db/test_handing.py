"""Assignments that pass on or are taken back: the official grades stay the primary ones."""

import pytest

from accounts.access import NotThere, NotYours, Refused, check
from assess.access.judging import Judging
from assess.models.assigning import Assignment
from assess.services import handover, reopening
from campaigns.models.people import Role
from campaigns.models.trail import AuditEvent
from overview.services.leaving import remove_member
from tests import make
from tests.db.judging import act, answer, counts, official

SECOND = Assignment.Kind.SECOND


def test_a_topic_handed_over_goes_on_where_it_was(begun, ada, ben, pooled):
    act(handover.hand_over, begun, assessor=ben)
    with pytest.raises(NotYours, match="given to somebody else"):
        answer(begun, "d4", "later")  # still by Ada
    begun.refresh_from_db()
    assert (begun.assessor, counts(begun)) == (ben, (1, 1, 1))
    answer(begun, "d4", grade=1)
    assert official(pooled) == {"d1": 2, "d4": 1}
    authors = begun.judgments.values_list("item__key", "assessor__username")
    assert dict(authors) == {"d1": "ada", "d2": "ada", "d3": "ada", "d4": "ben"}


PARTINGS = {
    "handed over": lambda primary, olga, ben: act(handover.hand_over, primary, assessor=ben),
    "taken back": lambda primary, olga, ben: (
        act(handover.take_back, primary),
        make.assignment(primary.topic, ben),
    ),
    "taken back with all": lambda primary, olga, ben: (
        handover.take_back_unbegun(user=olga, campaign=primary.topic.campaign),
        make.assignment(primary.topic, ben),
    ),
}


@pytest.mark.parametrize("parting", PARTINGS)
def test_who_had_a_topic_reads_why_it_is_gone_and_others_that_there_is_none(
    primary, ada, ben, olga, pat, cleo, parting
):
    PARTINGS[parting](primary, olga, ben)
    primary.refresh_from_db()
    assert primary.assessor == ben
    for person in (ada, olga):
        with pytest.raises(NotYours, match="given to somebody else"):
            check(Judging.read, person, primary)
    for member in (cleo, pat):
        with pytest.raises(NotThere):
            check(Judging.read, member, primary)


@pytest.mark.parametrize("has_judged", [False, True])
def test_who_was_removed_reads_so_though_somebody_else_has_the_topic(
    primary, olga, ada, ben, sam, has_judged
):
    if has_judged:
        make.judgment(primary, "d1", 1)
    member = primary.topic.campaign.membership_set.get(user=ada)
    remove_member(user=olga, membership=member, successor=ben)
    primary.refresh_from_db()
    assert primary.assessor == ben
    with pytest.raises(NotYours, match="You are no longer an assessor"):
        check(Judging.read, ada, primary)
    with pytest.raises(NotThere):
        check(Judging.read, sam, primary)


def test_a_topic_taken_back_keeps_its_grades_and_waits(begun, ada, ben, pooled, topic):
    act(handover.take_back, begun)
    assert official(pooled) == {"d1": 2}
    begun.refresh_from_db()
    with pytest.raises(NotYours, match="Topic 1 was taken back from you"):
        answer(begun, "d4", grade=1)
    with pytest.raises(Refused, match="has been taken back already"):
        act(handover.take_back, begun)
    act(handover.hand_over, begun, assessor=ada)
    assert AuditEvent.objects.first().subject == "1 back to Ada (primary)"
    act(handover.take_back, begun)
    again = make.assignment(topic, ben)
    assert (again.pk, again.taken_back_at) == (begun.pk, None)
    assert counts(again) == (1, 1, 1)
    act(handover.hand_over, again, assessor=ada)
    begun.refresh_from_db()
    assert answer(begun, "d1", grade=1).events.count() == 2
    with pytest.raises(Refused, match="Ada has topic 1 already"):
        act(handover.hand_over, begun, assessor=ada)


def test_nobody_judges_a_topic_twice(begun, ada, ben, topic):
    second = make.assignment(topic, ben, SECOND)
    with pytest.raises(Refused, match="Ben already judges topic 1"):
        act(handover.hand_over, begun, assessor=ben)
    act(handover.take_back, begun)
    with pytest.raises(Refused, match="judged documents of topic 1 already, in its primary"):
        act(handover.hand_over, second, assessor=ada)
    with pytest.raises(Refused, match="judged documents of topic 1 already, in its primary"):
        make.assignment(topic, ada, SECOND)


def test_judgments_do_not_come_back_beside_a_second_opinion_of_their_author(begun, ada, ben, topic):
    act(reopening.reset, begun)
    aside = begun.judgments.first().set_aside_at
    act(handover.hand_over, begun, assessor=ben)
    make.assignment(topic, ada, SECOND)
    with pytest.raises(Refused, match="Ada already judges topic 1"):
        act(reopening.restore, begun, set_aside_at=aside)


def test_what_has_not_been_begun_can_be_taken_back_at_once(begun, pooled, olga, ben):
    other = make.assignment(pooled.topic_set.get(number="2"), ben)
    assert handover.take_back_unbegun(user=olga, campaign=pooled) == 1
    other.refresh_from_db()
    begun.refresh_from_db()
    assert (bool(other.taken_back_at), begun.taken_back_at) == (True, None)
    with pytest.raises(Refused, match="has been begun"):
        handover.take_back_unbegun(user=olga, campaign=pooled)


def test_who_has_a_run_in_the_pool_may_be_kept_from_judging(primary, ada, pat, pooled):
    """Ada has joined its team, and Pat has become an assessor."""
    pooled.membership_set.create(user=pat, role=Role.ASSESSOR)
    team = pooled.team_set.get(name="Aldgate")
    pooled.membership_set.create(user=ada, role=Role.PARTICIPANT, team=team)
    make.judgment(primary, "d1", 1)
    make.assignment(primary.topic, pat, SECOND)
    type(pooled).objects.update(refuses_conflicts=True)
    with pytest.raises(NotYours, match="Your team has a run in the pool"):
        make.judgment(primary, "d2", 1)
    check(Judging.read, ada, Assignment.objects.get(pk=primary.pk))
    pooled.refresh_from_db()
    other = pooled.topic_set.get(number="2")
    with pytest.raises(Refused, match="Pat cannot judge: their team has a run in the pool"):
        make.assignment(other, pat)
    pooled.membership_set.filter(user=ada, role=Role.PARTICIPANT).delete()
    assert make.assignment(other, ada)
