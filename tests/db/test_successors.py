"""One person takes over the topics of somebody who is removed, as far as they can, or nobody."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.access import Refused
from assess.core.sampling import Sample
from assess.models.assigning import Assignment
from assess.planning import n_without_primary, plan_for
from assess.services import handover
from assess.services.leaving import takers_of
from campaigns.models.people import Membership, Role
from campaigns.models.trail import AuditEvent
from collection.models.texts import Topic
from overview.services import leaving
from overview.services.leaving import how_removed, seen_of
from pooling.models.pools import Pool
from tests import make
from tests.db.races import overtaken
from tests.worlds import once

RANKINGS = {str(n): "d1 d2" for n in range(1, 5)}


@pytest.fixture
@once
def held(campaign, pat, ada):
    """Ada has topics 1 to 4 of two documents each."""
    for number in ("3", "4"):
        Topic.objects.create(campaign=campaign, number=number)
    make.frozen_pool(campaign, [make.run(campaign, pat, RANKINGS)], depth=2)
    topics = campaign.topic_set.order_by("number")
    return [make.assignment(topic, ada) for topic in topics]


def member_of(held) -> Membership:
    return Membership.objects.get(user=held[0].assessor, role=Role.ASSESSOR)


def remove(held, by, successor=None, shown=None) -> str:
    member = member_of(held)
    return leaving.remove_member(user=by, membership=member, successor=successor, seen=shown)


def holders(held) -> list[str | None]:
    rows = Assignment.objects.filter(pk__in=[each.pk for each in held]).order_by("topic")
    return [None if each.taken_back_at else each.assessor.username for each in rows]


def test_single_topics_are_handed_over_before_or_after(held, olga, ben, cleo):
    handover.hand_over(user=olga, assignment=held[1], assessor=cleo)
    said = remove(held, olga, ben)
    assert said == "Ben takes over topics 1 (primary), 3 (primary) and 4 (primary)."
    handover.hand_over(user=olga, assignment=held[2], assessor=cleo)
    assert holders(held) == ["ben", "cleo", "cleo", "ben"]


def test_of_many_topics_a_sentence_names_only_some(held, olga, ben, monkeypatch):
    monkeypatch.setattr("assess.services.leaving.NAMED", 2)
    assert remove(held, olga, ben) == "Ben takes over topics 1 (primary), 2 (primary) and 2 more."


def test_what_a_successor_cannot_take_waits_and_is_named_before_and_after(held, olga, ben):
    """Ben judges the first topic as its second assessor."""
    make.assignment(held[0].topic, ben, Assignment.Kind.SECOND)
    taken_over = "topics 2 (primary), 3 (primary) and 4 (primary)"
    assert takers_of(member_of(held)).notes[ben.pk] == "cannot take topic 1 (primary)"
    said = remove(held, olga, ben)
    assert holders(held) == [None, "ben", "ben", "ben"]
    assert said == f"Ben takes over {taken_over}. Topic 1 (primary) waits to be assigned."
    event = AuditEvent.objects.get(kind="member.removed")
    assert event.detail["successor"] == "ben"
    assert event.detail["passed_on"] == ["2 (primary)", "3 (primary)", "4 (primary)"]


def test_a_topic_that_is_finished_waits_for_nobody(held, olga):
    for docno in ("d1", "d2"):
        make.judgment(held[0], docno, 1)
    said = remove(held, olga, None)
    assert said.startswith("Topics 2 (primary), 3 (primary) and 4 (primary) wait"), said


@pytest.mark.parametrize("heir", ["ben", "cleo"])
def test_a_successor_who_may_not_judge_gets_nothing(held, olga, ben, cleo, campaign, pat, heir):
    """Ben is of a team with a run in the pool; Cleo is no longer an assessor."""
    campaign.refuses_conflicts = True
    campaign.save()
    team = Membership.objects.get(user=pat).team
    campaign.membership_set.create(user=ben, role=Role.PARTICIPANT, team=team)
    campaign.membership_set.filter(user=cleo).delete()
    said = remove(held, olga, {"ben": ben, "cleo": cleo}[heir])
    assert holders(held) == [None] * 4
    assert said.endswith("4 (primary) wait to be assigned.")


def change(assignment, **values) -> None:
    Assignment.objects.filter(pk=assignment.pk).update(**values)


CHANGES = {
    "a topic more": lambda held, ben: change(held[3], taken_back_at=None),
    "a topic less": lambda held, ben: change(held[1], assessor=ben),
    "a topic that a successor can no longer take": lambda held, ben: make.assignment(
        held[0].topic, ben, Assignment.Kind.SECOND
    ),
}


@pytest.mark.parametrize("happens", CHANGES.values(), ids=CHANGES)
def test_nothing_is_done_to_what_the_page_did_not_show(held, olga, ben, happens):
    change(held[3], taken_back_at=timezone.now())
    member = Membership.objects.get(user=held[0].assessor)
    shown = seen_of(member)
    happens(held, ben)
    with pytest.raises(Refused, match="changed while you had the page open"):
        remove(held, olga, ben, shown)
    assert not AuditEvent.objects.filter(kind="member.removed").exists()
    remove(held, olga, ben, seen_of(member))
    assert AuditEvent.objects.filter(kind="member.removed").exists()


def test_what_is_asked_of_the_database_does_not_grow_with_the_topics(held, ada):
    numbers = []
    for _ in range(2):
        member = Membership.objects.get(user=ada)
        with CaptureQueriesContext(connection) as captured:
            assert seen_of(member)
        numbers.append(len(captured))
        for each in held[1:]:
            change(each, taken_back_at=timezone.now())
    assert numbers[0] == numbers[1]


@pytest.mark.django_db(transaction=True)
def test_of_two_who_remove_somebody_at_once_one_does_it_and_nobody_loses_a_topic(
    held, olga, ben, cleo
):
    said: list[str] = []
    refusal = overtaken(
        lambda: said.append(remove(held, olga, ben)), lambda: remove(held, olga, cleo)
    )
    assert "Ada has been removed already" in str(refusal)
    assert set(holders(held)) == {"ben"}
    event = AuditEvent.objects.get(kind="member.removed")
    assert said[0] in how_removed(event.campaign, event.detail["membership"])


def test_topics_that_wait_are_in_the_plan_but_for_what_is_finished(held, olga):
    for each in held[:2]:
        for docno in ("d1", "d2"):
            make.judgment(each, docno, 1)
    member = member_of(held)
    remove(held, olga)
    pool = Pool.objects.get()
    assert n_without_primary(pool) == 2
    assert [each.topic for each in plan_for(member.campaign, pool, Sample()).given] == ["3", "4"]


def test_it_is_said_of_each_who_could_take_none_or_too_many_or_is_of_a_team(
    held, campaign, ben, pat, cleo
):
    campaign.membership_set.create(user=pat, role=Role.ASSESSOR)
    Membership.objects.filter(user=cleo).update(max_documents=6)
    for each in held:
        make.assignment(each.topic, ben, Assignment.Kind.SECOND)
    refused, notes = takers_of(member_of(held))
    assert refused[ben.pk] == "already judges topic 1"
    assert notes[pat.pk] == "is of a team with a run in the pool"
    assert notes[cleo.pk] == "would have more than their limit of 6"
