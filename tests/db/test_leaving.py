"""Removing somebody: what they have to do passes on or waits; what they judged stays theirs."""

import pytest

from accounts.access import NotYours, Refused, check
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from campaigns.access.people import removals
from campaigns.events import CampaignEvent
from campaigns.models.people import Role
from campaigns.models.trail import AuditEvent
from campaigns.services import people
from overview.services import leaving
from overview.services.leaving import how_removed, seen_of
from practice.access import PracticeTopic
from tests import make
from tests.db.judging import answer
from tests.db.locks import locked
from tests.db.practicing import answered
from tests.db.races import overtaken
from tests.worlds import once


@pytest.fixture
@once
def member(pooled, primary, ada):
    """Ada, who has judged one document of topic 1."""
    make.judgment(primary, "d1", 2)
    return pooled.membership_set.get(user=ada)


def remove(member, by, successor=None):
    return leaving.remove_member(user=by, membership=member, successor=successor)


def test_practice_answers_stay(member, ada, olga, pooled):
    make.practice(pooled, "d1 2\nd2 0")
    answered(ada, pooled.practice, "d1", 2)
    remove(member, olga)
    assert Judgment.objects.exclude(known=None).count() == 1


WAITS = {"outcome": "Topic 1 (primary) waits to be assigned.", "successor": "", "passed_on": []}
PASSES_ON = {"outcome": "Ben takes over topic 1 (primary).", "successor": "ben"}
PASSES_ON["passed_on"] = ["1 (primary)"]


@pytest.mark.parametrize("detail", [WAITS, PASSES_ON])
def test_topics_wait_or_pass_on_and_grades_stay(member, olga, primary, pooled, ben, detail):
    was = {"user": member.user_id, "membership": member.pk, "role": "assessor"}
    remove(member, olga, ben if detail["successor"] else None)
    primary.refresh_from_db()
    assert bool(primary.taken_back_at) == (detail is WAITS)
    assert (primary.assessor == ben, primary.n_judged) == (detail is PASSES_ON, 1)
    assert Assignment.objects.n_official(pooled) == 1
    left = [{"assignment": primary.pk, "assessor": member.user_id}]
    event = AuditEvent.objects.filter(kind="member.removed").get()
    assert event.detail == {**was, **detail, "topics": ["1 (primary)"], "left": left}


def test_a_removal_is_found_by_whom_it_was_about(member, olga, pat, pooled):
    ada_was, pat_was = member.pk, pooled.membership_set.get(user=pat).pk
    elsewhere = make.campaign(olga, assessors=[member.user])
    AuditEvent.record(pooled, olga, CampaignEvent.JOINED, "Ada", user=member.user_id)
    assert not removals(pooled, user=member.user_id).exists()
    remove(member, olga)
    remove(pooled.membership_set.get(user=pat), olga)
    said = [how_removed(pooled, pk).partition(" has")[0] for pk in (ada_was, pat_was)]
    assert said == ["Ada, assessor", "Pat, participant"]
    [event] = removals(pooled, user=member.user_id, role=Role.ASSESSOR)
    assert event.detail["membership"] == ada_was
    assert not removals(pooled, user=pat.pk, role=Role.ASSESSOR).exists()
    assert not removals(elsewhere, user=member.user_id).exists()


def test_a_name_too_long_for_the_log_does_not_hide_what_somebody_was(member, olga, ada):
    ada.first_name = ada.last_name = "x" * 150
    ada.save()
    campaign = member.campaign
    remove(campaign.membership_set.get(user=ada), olga)
    with pytest.raises(NotYours, match="You are no longer an assessor"):
        check(PracticeTopic.see, ada, campaign)


def test_who_comes_back_finds_their_judgments(member, olga, primary, ada, pooled):
    remove(member, olga)
    with pytest.raises(NotYours, match="no longer an assessor"):
        answer(primary, "d2", grade=1)
    pooled.membership_set.create(user=ada, role=Role.ASSESSOR)
    make.assignment(primary.topic, ada)
    primary.refresh_from_db()
    answer(primary, "d2", grade=1)
    given = Judgment.objects.counting().current().filter(assessor=ada)
    assert dict(given.values_list("item__key", "grade")) == {"d1": 2, "d2": 1}


def test_a_campaign_is_never_without_an_organizer(campaign, olga):
    with pytest.raises(Refused, match="needs at least one"):
        remove(campaign.membership_set.get(user=olga), olga)


def test_no_topic_is_assigned_to_somebody_who_is_being_removed(member, olga, primary):
    """Both lock the frozen pool, so that one waits for the other."""
    primary.entries.all().delete()
    assert "pooling_pool" in locked(lambda: remove(member, olga))


@pytest.mark.django_db(transaction=True)
def test_a_judgment_that_is_being_saved_is_waited_for_and_counts(member, olga, primary):
    shown = seen_of(member)
    overtaken(
        lambda: answer(primary, "d2", grade=1),
        lambda: leaving.remove_member(user=olga, membership=member, seen=shown),
    )
    primary.refresh_from_db()
    assert (bool(primary.taken_back_at), primary.n_judged) == (True, 2)


def test_the_links_of_an_organizer_go_with_them(campaign, olga, sam):
    oscar = make.user("oscar")
    membership = campaign.membership_set.create(user=oscar, role=Role.ORGANIZER)
    link = people.invite(user=oscar, campaign=campaign, role=Role.ORGANIZER)
    own = people.invite(user=olga, campaign=campaign, role=Role.ASSESSOR)
    leaving.remove_member(user=olga, membership=membership)
    link.refresh_from_db()
    with pytest.raises(Refused, match="was withdrawn"):
        people.accept_invitation(user=sam, invitation=link)
    people.accept_invitation(user=sam, invitation=own)
