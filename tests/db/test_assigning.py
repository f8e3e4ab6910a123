"""Assigning topics: who may judge what, in which order, and how topics are dealt out."""

import pytest
from django.utils import timezone

from accounts.access import Refused
from assess.access.assigning import Assignments
from assess.core.sampling import Sample
from assess.models.assigning import Assignment
from assess.planning import plan_for
from assess.services import assigning, handover
from assess.services.assigning import NOTHING_LEFT, UNDER_WAY
from assess.tasks import ANOTHER_PLAN
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from cleverdon.pools import seeds as order
from jobs.models import Job
from pooling.models.pools import Pool
from tests import make


def test_what_may_be_assigned_to_whom(topic, ada, ben, pat, olga):
    with pytest.raises(Refused, match="judges the whole topic"):
        make.assignment(topic, ada, share=0.5)
    with pytest.raises(Refused, match="shared among a group"):
        make.assignment(topic, ada, Assignment.Kind.SHARED)
    with pytest.raises(Refused, match="is not an assessor"):
        make.assignment(topic, pat)
    late = topic.campaign.topic_set.create(number="77", title="late")
    with pytest.raises(Refused, match="Topic 77 is not in the frozen pool"):
        make.assignment(late, ada)
    make.assignment(topic, ada)
    with pytest.raises(Refused, match="already has a primary assessor"):
        make.assignment(topic, ben)
    with pytest.raises(Refused, match="already judges topic 1"):
        make.assignment(topic, ada, Assignment.Kind.SECOND)
    assert make.assignment(topic, ben, Assignment.Kind.SECOND, share=0.5).n_entries == 3
    other = make.campaign(olga, assessors=[pat])
    with pytest.raises(Refused, match="once the pool is frozen"):
        make.assignment(other.topic_set.first(), pat)


def assigned() -> set[tuple]:
    rows = Assignment.objects.counting().live()
    return set(rows.values_list("topic__number", "assessor__username", "kind", "n_entries"))


def deal(user, campaign, **options) -> str:
    """Have topics dealt out, by a worker; return what came of it."""
    asked = assigning.distribute(user=user, campaign=campaign, **options)
    return make.worked("assign_topics", asked.subject_id).outcome


def test_topics_are_dealt_out_by_size(pooled, olga, ada, ben, pat):
    """The large topic to one, the small one to the other; each judges a part of the other's. Pat
    has a run in the pool.
    """
    pooled.membership_set.create(user=pat, role=Role.ASSESSOR)
    assert deal(olga, pooled, second_share=0.5) == "4 assignments made."
    [one] = Assignment.objects.counting().filter(topic__number="1", kind="primary")
    first, other = ("ada", "ben") if one.assessor == ada else ("ben", "ada")
    of_one = {("1", first, "primary", 6), ("1", other, "second", 3)}
    assert assigned() == of_one | {("2", other, "primary", 2), ("2", first, "second", 1)}
    assert len({each.seed for each in Assignment.objects.counting()}) == 4
    for each in Assignment.objects.counting():
        served = list(each.entries.order_by("position").values_list("item__key", flat=True))
        assert served == order.shuffled(served, each.seed)
    with pytest.raises(Refused, match=NOTHING_LEFT):
        assigning.distribute(user=olga, campaign=pooled, second_share=0.5)


def test_dealing_out_does_what_was_shown_or_nothing(pooled, olga, topic, ada):
    pool = Pool.objects.get(campaign=pooled)
    seen = plan_for(pooled, pool, Sample(0.5)).version
    make.assignment(topic, ada)
    before = assigned()
    with pytest.raises(Refused, match="The plan changed while you had the page open"):
        assigning.distribute(user=olga, campaign=pooled, second_share=0.5, seen=seen)
    assert assigned() == before
    seen = plan_for(pooled, pool, Sample(0.5)).version
    assert deal(olga, pooled, second_share=0.5, seen=seen) == "3 assignments made."


MEANWHILE = {
    "a topic is assigned": (
        lambda pooled, olga: make.assignment(
            pooled.topic_set.get(number="1"),
            pooled.membership_set.filter(role="assessor").first().user,
        ),
        ANOTHER_PLAN,
    ),
    "an assessor goes": (
        lambda pooled, olga: pooled.membership_set.filter(role="assessor").first().delete(),
        ANOTHER_PLAN,
    ),
    "who asked is removed": (
        lambda pooled, olga: pooled.membership_set.filter(user=olga).delete(),
        "There is nothing here.",
    ),
    "it is archived": (
        lambda pooled, olga: Campaign.objects.update(archived_at=timezone.now()),
        "is archived",
    ),
    "the pool is unfrozen": (
        lambda pooled, olga: make.taken_back(olga, Pool.objects.get(campaign=pooled)),
        "once the pool is frozen",
    ),
}


@pytest.mark.parametrize(("act", "sentence"), MEANWHILE.values(), ids=MEANWHILE)
def test_what_has_changed_before_the_worker_came_is_not_dealt_out(pooled, olga, act, sentence):
    asked = assigning.distribute(user=olga, campaign=pooled)
    act(pooled, olga)
    before = assigned()
    job = make.worked("assign_topics", asked.subject_id)
    assert (job.state, sentence in job.outcome) == ("failed", True), job.outcome
    assert assigned() == before


def test_a_plan_is_carried_out_once_and_one_at_a_time(pooled, olga):
    asked = assigning.distribute(user=olga, campaign=pooled)
    with pytest.raises(Refused, match=UNDER_WAY):
        assigning.distribute(user=olga, campaign=pooled, second_share=1)
    for _ in range(2):  # the first worker was lost before it could say that it was done
        job = make.worked("assign_topics", asked.subject_id)
        assert (job.outcome, len(assigned())) == ("2 assignments made.", 2)
        Job.objects.update(state="waiting")


def test_a_topic_that_was_taken_back_is_dealt_out_again_with_its_judgments(
    pooled, olga, primary, ada, ben
):
    make.judgment(primary, "d1", 2)
    handover.take_back(user=olga, assignment=primary)
    deal(olga, pooled)
    primary.refresh_from_db()
    assert (primary.assessor, primary.n_judged, primary.taken_back_at) == (ben, 1, None)


def test_one_that_was_taken_back_unanswered_is_prepared_anew(pooled, olga, primary, ada, ben):
    """With what would be drawn now: the share of controls, and the order of its assessor."""
    make.documents(pooled, ["known"])
    topic = pooled.topic_set.get(number="1")
    known = make.known_grade(topic, "known", 1, document_versions=[1])
    pooled.known_percent = 100
    pooled.save()
    before = primary.created_at
    handover.take_back(user=olga, assignment=primary)
    again = make.assignment(primary.topic, ben)
    assert (again.pk, again.assessor, again.taken_back_at) == (primary.pk, ben, None)
    assert again.created_at > before
    entries = list(again.entries.order_by("position"))
    assert [each.position for each in entries] == list(range(len(entries)))
    assert known.item_id in {each.item_id for each in entries}
    assert again.n_entries == primary.n_entries == len(entries) - 1


def test_limits_hold_and_are_kept(pooled, olga, ada, ben):
    limits = {ada.pk: 5, ben.pk: 5}
    assert assigning.limit_assessors(user=olga, campaign=pooled, limits=limits) == 2
    assert assigning.limit_assessors(user=olga, campaign=pooled, limits=limits) == 0
    assert deal(olga, pooled) == "1 assignment made."
    assert {(topic, n) for topic, _, _, n in assigned()} == {("2", 2)}
    assigning.limit_assessors(user=olga, campaign=pooled, limits={ben.pk: None})
    deal(olga, pooled)
    assert ("1", "ben", "primary", 6) in assigned()


def test_dealing_out_takes_as_many_queries_for_many_topics(
    olga, ada, ben, pat, campaign, django_assert_max_num_queries
):
    numbers = [str(number) for number in range(1, 21)]
    for number in numbers[2:]:
        campaign.topic_set.create(number=number, title=number)
    make.frozen_pool(campaign, [make.run(campaign, pat, dict.fromkeys(numbers, "d1 d2"))])
    with django_assert_max_num_queries(25):
        asked = assigning.distribute(user=olga, campaign=campaign, second_share=1)
    with django_assert_max_num_queries(35):
        job = make.worked("assign_topics", asked.subject_id)
    assert job.outcome == "40 assignments made."


def test_dealing_out_needs_enough_assessors(pooled, olga):
    pooled.membership_set.filter(role=Role.ASSESSOR, user__username="ben").delete()
    with pytest.raises(Refused, match="needs a second assessor"):
        assigning.distribute(user=olga, campaign=pooled, second_share=0.5)
    pooled.membership_set.filter(role=Role.ASSESSOR).delete()
    with pytest.raises(Refused, match="nobody to assign"):
        assigning.distribute(user=olga, campaign=pooled)


def test_no_topic_is_assigned_while_the_pool_is_unfrozen(topic, ada, olga, monkeypatch):
    monkeypatch.setattr(Assignments.assign, "rules", ())
    make.taken_back(olga, Pool.objects.get())
    with pytest.raises(Refused, match="The pool is no longer frozen"):
        make.assignment(topic, ada)
    assert not Assignment.objects.counting().exists()
