"""Links: who joins by them, how many, and who no longer."""

import pytest
from django.utils import timezone

from accounts.access import Refused
from accounts.models import User
from campaigns.models.people import Invitation, Role
from campaigns.services import people as people_services
from overview.services import leaving
from runs.services import teams
from tests import make
from tests.db.joining import join, link, members
from tests.db.races import overtaken


def test_a_link_takes_as_many_people_as_it_says_and_nobody_twice(campaign, olga, ada):
    made = link(campaign, olga, max_uses=2)
    first, second, third = (make.user(name) for name in ("f", "g", "h"))
    for each in (ada, first, first, second, first):  # Ada has the role already
        join(each, made)
    with pytest.raises(Refused, match="used up: 2 people have joined by it"):
        join(third, made)
    assert [use.user for use in made.uses.order_by("pk")] == [first, second]
    assert members(campaign) >= {"f", "g"}
    assert "h" not in members(campaign)


@pytest.mark.django_db(transaction=True)
def test_of_two_who_follow_a_link_for_one_at_once_one_joins(campaign, olga, sam):
    made, other = link(campaign, olga), make.user("tess")
    fresh = Invitation.objects.get(pk=made.pk)
    came = overtaken(lambda: join(sam, made), lambda: join(other, fresh))
    assert "used up" in str(came)
    assert [use.user for use in made.uses.all()] == [sam]
    assert not campaign.membership_set.filter(user=other).exists()


def test_an_old_link_is_no_way_back_for_somebody_removed_and_a_new_one_is(campaign, olga, ada, sam):
    old = link(campaign, olga, max_uses=9)
    join(sam, link(campaign, olga))
    for person in (ada, sam):
        leaving.remove_member(user=olga, membership=campaign.membership_set.get(user=person))
        with pytest.raises(Refused, match="You were removed from Test campaign after"):
            join(person, old)
        assert not campaign.membership_set.filter(user=person).exists()
        join(person, link(campaign, olga))
        assert campaign.membership_set.filter(user=person).exists()


def test_a_link_ends_when_somebody_who_came_by_it_is_removed(campaign, olga, sam):
    """Else a new account of theirs would come in by it: nobody can tell it from another's."""
    shared, other = link(campaign, olga, max_uses=5), link(campaign, olga, max_uses=5)
    member = join(sam, shared)
    leaving.remove_member(user=olga, membership=member)
    again = User(username="sam2")
    with pytest.raises(Refused, match="was withdrawn"):
        join(again, shared)
    assert not User.objects.filter(username="sam2").exists()
    assert join(make.user("tess"), other)


def test_who_left_a_team_comes_back_by_the_link_they_used(campaign, olga, sam):
    made = link(campaign, olga, role=Role.PARTICIPANT, team_name="Aldgate")
    team = join(sam, made).team
    teams.leave_team(user=sam, team=team)
    assert join(sam, made).team == team
    assert made.uses.count() == 1


def test_a_link_that_is_withdrawn_expired_or_gone_gives_nothing(campaign, olga, sam):
    made, old, gone = (link(campaign, olga) for _ in range(3))
    people_services.withdraw_invitation(user=olga, invitation=made)
    with pytest.raises(Refused, match="withdrawn already"):
        people_services.withdraw_invitation(user=olga, invitation=made)
    old.expires_at = timezone.now()
    old.save()
    Invitation.objects.filter(pk=gone.pk).delete()
    for each, sentence in ((made, "was withdrawn"), (old, "expired"), (gone, "nothing here")):
        with pytest.raises(Refused, match=sentence):
            join(sam, each)
    assert not campaign.membership_set.filter(user=sam).exists()


def test_participants_and_only_they_have_a_team_and_no_second_one(campaign, olga, pat):
    with pytest.raises(Refused, match="name the team"):
        link(campaign, olga, role=Role.PARTICIPANT)
    with pytest.raises(Refused, match="Only participants have a team"):
        link(campaign, olga, team_name="Zoe")
    with pytest.raises(Refused, match="already submit runs for team Aldgate"):
        join(pat, link(campaign, olga, role=Role.PARTICIPANT, team_name="Barbican"))
