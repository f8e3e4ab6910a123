"""What waits for a second person: listed until somebody has it or it is given up."""

import pytest
from django.utils import timezone

from accounts.access import Invalid, Refused
from agreement.tallies import so_far
from assess.core.sampling import Sample
from assess.models.assigning import Assignment
from assess.nouns import ASSIGNMENTS
from assess.planning import plan_for
from assess.services import assigning, handover, reopening
from assess.services.handover import MAX_REASON
from assess.services.sampling import sample_more
from campaigns.models.trail import AuditEvent
from cleverdon.trec.versions import version
from desk.web.todos import _taken_back
from overview.services.leaving import remove_member
from pooling.models.pools import Pool
from tests import make


@pytest.fixture
def second(primary, topic, ben):
    return make.assignment(topic, ben, "second", share=0.5)


@pytest.fixture
def begun(second):
    make.judgment(second, second.entries.order_by("position").first().docno, 1)
    second.refresh_from_db()
    return second


def waiting(campaign) -> list[int]:
    rows = ASSIGNMENTS.rows(None, campaign)
    found = ASSIGNMENTS.found(rows, waiting=True)
    assert all(each.waits for each in found)
    assert {each.pk for each in rows if each.waits} == {each.pk for each in found}
    return [each.pk for each in found]


def needs(campaign) -> list[str]:
    return [f"{each.title}: {each.why}" for each in _taken_back(campaign)]


def take_back(assignment, olga) -> None:
    handover.take_back(user=olga, assignment=assignment)
    assignment.refresh_from_db()


def give_up(assignment, olga, reason="There is nobody else.", **seen) -> Assignment:
    return handover.give_up(user=olga, assignment=assignment, reason=reason, **seen)


def test_what_was_taken_back_waits_begun_or_not(second, olga, pooled):
    assert waiting(pooled) == []
    take_back(second, olga)
    assert waiting(pooled) == [second.pk]
    assert needs(pooled) == ["1 second opinion waits for an assessor: Of topic 1."]


def test_what_somebody_left_waits(begun, olga, pooled, ben):
    remove_member(user=olga, membership=pooled.membership_set.get(user=ben), successor=None)
    assert waiting(pooled) == [begun.pk]


def test_it_waits_on_though_a_later_plan_gave_the_topic_to_another(begun, olga, pooled, cleo):
    pooled.membership_set.filter(user=cleo).update(max_documents=None)
    take_back(begun, olga)
    another = make.assignment(begun.topic, cleo, "second", share=0.5)
    assert another.pk != begun.pk
    assert waiting(pooled) == [begun.pk]
    assert needs(pooled) == ["1 second opinion waits for an assessor: Of topic 1."]


def test_what_nobody_has_begun_is_what_the_next_second_assessor_gets(second, olga, pooled, cleo):
    take_back(second, olga)
    again = make.assignment(second.topic, cleo, "second", share=0.5)
    assert again.pk == second.pk
    again.refresh_from_db()
    assert (again.assessor, again.n_entries, again.entries.count()) == (cleo, 3, 3)
    assert waiting(pooled) == []


def test_a_plan_goes_on_with_it_and_draws_nothing_twice(begun, olga, pooled, cleo):
    before = set(begun.entries.values_list("item", flat=True))
    take_back(begun, olga)
    pool = Pool.objects.get(campaign=pooled)
    plan = plan_for(pooled, pool, Sample(1.0))
    [second] = [each for each in plan.given if (each.topic, each.kind) == ("1", "second")]
    assert (second.assessor, second.n_documents) == (cleo.pk, 2)
    asked = assigning.distribute(user=olga, campaign=pooled, second_share=1.0)
    make.worked("assign_topics", asked.subject_id)
    begun.refresh_from_db()
    assert (begun.holder, begun.n_judged) == (cleo.pk, 1)
    assert set(begun.entries.values_list("item", flat=True)) == before
    assert Assignment.objects.filter(kind="second", topic=begun.topic).count() == 1
    assert waiting(pooled) == []


def test_somebody_else_gets_it_and_it_waits_no_more(begun, olga, pooled, cleo):
    take_back(begun, olga)
    handover.hand_over(user=olga, assignment=begun, assessor=cleo)
    assert waiting(pooled) == needs(pooled) == []


def test_what_is_judged_waits_for_nobody(begun, olga, pooled):
    for entry in begun.entries.filter(judgment=None):
        make.judgment(begun, entry.docno, 0)
    take_back(begun, olga)
    assert waiting(pooled) == []
    with pytest.raises(Refused, match="Nothing of topic 1 waits: all documents"):
        give_up(begun, olga)


def test_what_is_given_up_has_a_reason_on_record_and_waits_no_more(begun, olga, pooled, primary):
    docno = begun.entries.get(judgment__isnull=False).docno
    make.judgment(primary, docno, 1)
    take_back(begun, olga)
    given_up = give_up(begun, olga, "  Nobody reads Greek.  ")
    assert given_up.given_up_why == "Nobody reads Greek."
    assert waiting(pooled) == needs(pooled) == []
    event = AuditEvent.objects.get(kind="topic.sample_given_up")
    assert (event.subject, event.detail["reason"]) == ("1, 2 documents", "Nobody reads Greek.")
    assert so_far(pooled).grades.n_items == 1, "what is judged still counts"
    [record] = [
        ASSIGNMENTS.record(each) for each in ASSIGNMENTS.rows(None, pooled) if each.pk == begun.pk
    ]
    assert record["given_up_why"] == "Nobody reads Greek."
    with pytest.raises(Refused, match="has been given up already"):
        give_up(begun, olga)
    with pytest.raises(Refused, match="was given up: give it to somebody first"):
        sample_more(user=olga, assignment=begun, n=1)


def test_to_hand_over_what_was_given_up_takes_it_up_again(begun, olga, pooled, cleo):
    take_back(begun, olga)
    give_up(begun, olga)
    handover.hand_over(user=olga, assignment=begun, assessor=cleo)
    begun.refresh_from_db()
    assert (begun.given_up_at, begun.given_up_why, begun.holder) == (None, "", cleo.pk)
    take_back(begun, olga)
    assert waiting(pooled) == [begun.pk]


def test_what_can_not_be_given_up(primary, second, olga, begun, cleo):
    with pytest.raises(Refused, match="Only a second judgment can be done without, not the prim"):
        give_up(primary, olga)
    with pytest.raises(Refused, match="Ben has topic 1: take it back first"):
        give_up(second, olga)
    seen = version(second.holder)
    take_back(second, olga)
    with pytest.raises(Refused, match="taken back by now"):
        give_up(second, olga, seen=seen)
    for reason, sentence in (("  ", "Say why"), ("x" * (MAX_REASON + 1), "at most 2,000")):
        with pytest.raises(Invalid, match=sentence):
            give_up(second, olga, reason)
    assert not Assignment.objects.exclude(given_up_at=None).exists()


def test_what_is_reopened_in_it_waits_again(begun, olga, pooled):
    for entry in begun.entries.filter(judgment=None):
        make.judgment(begun, entry.docno, 0)
    take_back(begun, olga)
    reopening.reopen(user=olga, assignment=begun)
    assert waiting(pooled) == [begun.pk]


def test_a_later_batch_gives_nothing_to_what_was_given_up(begun, olga, pooled, pat):
    take_back(begun, olga)
    give_up(begun, olga)
    make.documents(pooled, ["e1", "e2"])
    run = make.run(pooled, pat, {"1": "e1 e2"}, "late")
    make.frozen(make.batch(pooled, [run], depth=2))
    begun.refresh_from_db()
    assert begun.n_entries == 3


def test_a_topic_whose_sample_was_given_up_can_have_another_second_assessor(
    second, olga, pooled, cleo
):
    take_back(second, olga)
    give_up(second, olga)
    asked = assigning.distribute(user=olga, campaign=pooled, second_share=0.5)
    make.worked("assign_topics", asked.subject_id)
    live = Assignment.objects.filter(kind="second", topic__number="1", taken_back_at=None)
    assert live.count() == 1
    second.refresh_from_db()
    assert second.given_up_at
    assert second.given_up_at <= timezone.now()


def test_what_was_given_up_is_opened_by_giving_it_to_somebody(begun, olga):
    """Reopened otherwise, its documents would be with nobody and in no list."""
    handover.take_back(user=olga, assignment=begun)
    handover.give_up(user=olga, assignment=begun, reason="Nobody has the time.")
    for act in (reopening.reopen, reopening.reset):
        with pytest.raises(Refused, match="was given up: give it to somebody first"):
            act(user=olga, assignment=begun)
