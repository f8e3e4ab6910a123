"""Following an invitation, over HTTP."""

import re

import pytest
from django.utils import timezone

from accounts.models import User
from campaigns.models.people import Role
from campaigns.services import people
from tests import make

NEW = {"username": "new", "password1": "tralala-17x", "password2": "tralala-17x"}


def test_an_invited_stranger_makes_an_account_and_joins(client, campaign, olga):
    invitation = people.invite(user=olga, campaign=campaign, role=Role.ASSESSOR)
    address = f"/invitations/{invitation.token}/"
    assert "You are invited to join as an assessor." in client.get(address).content.decode()
    assert client.post(address, {"username": "new"}).status_code == 422
    assert client.post(address, NEW).status_code == 302
    assert client.get(f"/campaigns/{campaign.slug}/").status_code == 200
    assert campaign.membership_set.get(user__username="new").role == "assessor"


def test_somebody_signed_in_joins_with_the_account_they_have(client, campaign, olga, sam):
    invitation = people.invite(user=olga, campaign=campaign, role=Role.PARTICIPANT, team_name="New")
    client.force_login(sam)
    client.post(f"/invitations/{invitation.token}/")
    assert campaign.membership_set.get(user=sam).team.name == "New"


# Links that give no role


ENDS = {
    "expired": "has expired",
    "withdrawn": "was withdrawn",
    "used": "1 person has joined by it.",
}


@pytest.mark.parametrize(("end", "said"), ENDS.items())
def test_a_link_that_is_over_says_why_and_makes_no_account_and_no_role(
    client, campaign, olga, sam, end, said
):
    link = people.invite(user=olga, campaign=campaign, role=Role.ASSESSOR)
    if end == "expired":
        campaign.invitation_set.update(expires_at=timezone.now())
    elif end == "withdrawn":
        people.withdraw_invitation(user=olga, invitation=link)
    else:
        people.accept_invitation(user=make.user("early"), invitation=link)
    address, before = f"/invitations/{link.token}/", User.objects.count()
    for _ in range(2):
        page = client.get(address).content.decode()
        assert said in page
        assert "<form" not in page.split("<main")[1]
        response = client.post(address, NEW)
        assert response.status_code == 409
        assert "organizer for a new link" in response.content.decode()
        client.force_login(sam)
    assert User.objects.count() == before
    assert not campaign.membership_set.filter(user=sam).exists()


def test_an_expired_link_is_marked_and_not_offered_to_copy(client, campaign, olga):
    over, link = (people.invite(user=olga, campaign=campaign, role=Role.ASSESSOR) for _ in range(2))
    campaign.invitation_set.filter(pk=over.pk).update(expires_at=timezone.now())
    client.force_login(olga)
    page = client.get(f"/campaigns/{campaign.slug}/people/").content.decode()
    assert page.count('<span class="mark" data-kind="plain">expired</span>') == 1
    assert over.token not in page
    assert f"/invitations/{link.token}/" in page


def test_a_link_followed_twice_makes_one_account_and_one_role(client, campaign, olga):
    invitation = people.invite(user=olga, campaign=campaign, role=Role.ASSESSOR, max_uses=2)
    address = f"/invitations/{invitation.token}/"
    for _ in range(2):  # the second time as whom the first one made
        assert client.post(address, NEW).status_code == 302
    client.logout()
    response = client.post(address, NEW)
    assert response.status_code == 422
    assert "already exists" in response.content.decode()
    assert campaign.membership_set.filter(user__username="new").count() == 1


def test_participants_stand_by_team_and_each_person_once_in_words(campaign, olga, client):
    client.force_login(olga)
    page = client.get(f"/campaigns/{campaign.slug}/people/").content.decode()
    chips = re.findall(r'<a class="chip" href="[^"]*/teams/\d+/">\s*(\w+) <b>(\d)</b>', page)
    assert chips == [("Aldgate", "1")]
    for name in ("Ada", "Ben", "Pat"):
        assert len(re.findall(rf"\s{name} <span class=\"username\"", page)) == 1
